"""Pages install the package in the way that works today."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from install_lines import INSTALL, SOURCE, pages_that_install, written_anew

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
NAMED = r"pip install (?:\S+ )?'(?:\.|jido-ai|PATH_OF_THE_CLONE)\[([^\]]+)\]"
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]


@pytest.mark.parametrize("page", pages_that_install(), ids=lambda page: page.stem)
def test_every_install_line_of_a_page_names_the_source_of_today(page: Path) -> None:
    text = page.read_text("utf-8")
    assert written_anew(text) == text, "renew it: python tests/docs/install_lines.py"


def test_the_readme_installs_in_one_command_before_its_program() -> None:
    before = (ROOT / "README.md").read_text("utf-8").partition("```python")[0]
    assert f"pip install '{SOURCE}[cli]'" in before
    assert len(before.splitlines()) < 10


def test_a_line_of_a_release_or_of_a_path_becomes_the_line_of_today() -> None:
    for line in ("pip install 'jido-ai[cli]'", "pip install 'PATH_OF_THE_CLONE[cli]'", "pip install '.[cli]'"):
        assert written_anew(line) == f"pip install '{SOURCE}[cli]'"
    assert not INSTALL.search("pip install 'jido-ainother[cli]'")


def test_an_install_line_names_extras_that_exist() -> None:
    named = [
        (page.name, extra)
        for page in PAGES
        if "planning" not in page.parts
        for extras in re.findall(
            r"pip install (?:\S+ )?'(?:\.|jido-ai|PATH_OF_THE_CLONE)\[([^\]]+)\]", page.read_text("utf-8")
        )
        for extra in extras.split(",")
    ]
    assert len(named) > 20
    assert [(page, extra) for page, extra in named if extra not in EXTRAS] == []
