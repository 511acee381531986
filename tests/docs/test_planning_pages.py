"""The pages of docs/planning: one for each part of the package, kept true; the archive tells the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PLANNING = ROOT / "docs" / "planning"
PAGES = [page for page in sorted(PLANNING.glob("*.md")) if page.name != "rows.md"]  # see tests/test_rows.py


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Words of the sources, and the names of their files."""
    files = [ROOT / "pyproject.toml", *(file for name in ("jido_ai", "tests") for file in (ROOT / name).rglob("*.py"))]
    words = {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    return words | {file.stem for file in files} | {part for file in files for part in file.relative_to(ROOT).parts}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_in_the_pages_of_decisions_exist(page: Path, known: set[str]) -> None:
    for name in re.findall(r"`([^`]+)`", page.read_text("utf-8")):
        if re.fullmatch(r"[\w./]+\.py|[\w./]+/", name):
            assert (ROOT / name).exists() or (ROOT / "jido_ai" / name).exists(), f"{page.name}: no file {name}"
        else:
            missing = set(re.findall(r"\w+", name)) - known
            assert not missing, f"{page.name}: `{name}`: {missing} is nowhere in the code"


def test_each_earlier_decision_links_to_a_page_of_today() -> None:
    table = (PLANNING / "archive" / "README.md").read_text("utf-8")
    for page in sorted((PLANNING / "archive").glob("0*.md")):
        row = next((line for line in table.splitlines() if f"]({page.name})" in line), "")
        told = re.findall(r"\]\(\.\./(\w+\.md)\)", row)
        assert told, f"{page.name} is not in the table of the archive, or on no page"
        assert all((PLANNING / name).exists() for name in told), row
