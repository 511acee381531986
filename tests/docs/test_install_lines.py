"""Pages install the package in the way that works today."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from install_lines import INSTALL, SOURCE, pages_that_install, written_anew

from jido_ai import __version__

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
NAMED = r"pip install (?:\S+ )?'(?:\.|jido-ai|PATH_OF_THE_CLONE)\[([^\]]+)\]"
# This test may run under make itself.
_NOT_INHERITED = {
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MFLAGS",
}
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


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("clean") / "jido_ai"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(place)], check=True, timeout=120)
    return place


def in_clone(command: str, clone: Path) -> str:
    """Return what a command prints in the clone, with an empty home; the test is skipped without a package index."""
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
    done = subprocess.run(
        ["bash", "-ec", command],
        cwd=clone,
        env={**environment, "HOME": str(clone.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    if done.returncode and re.search(r"No matching distribution|NewConnectionError|Could not fetch", done.stdout):
        pytest.skip(f"pip reaches no package index: {done.stdout[-300:]}")
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_make_demo_in_a_clean_clone_prints_what_the_readme_shows(clone: Path) -> None:
    shown = re.findall(r"^```text\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert in_clone(f"make demo PY={sys.executable}", clone).endswith(shown[0])


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_install_lines_of_readme_tutorials_and_how_tos_install_in_a_clean_clone(clone: Path) -> None:
    pages = [
        ROOT / "README.md",
        *(page for room in ("tutorial", "how-to") for page in (ROOT / "docs" / room).glob("*.md")),
    ]
    lines = {line for page in pages for line in re.findall(r"pip install '\.\[[\w,-]+\]'", page.read_text("utf-8"))}
    assert "pip install '.[cli]'" in lines
    in_clone(f"{sys.executable} -m venv ../venv", clone)
    for line in sorted(lines):
        assert in_clone(f". ../venv/bin/activate && {line} -q && jido --version", clone).endswith(f"{__version__}\n")
