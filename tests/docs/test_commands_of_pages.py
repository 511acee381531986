"""Commands on pages for users exist, with their options; commands of a clone are targets of the Makefile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jido_ai.cli.app import _COMMANDS, _loaded

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if not {"planning", "reference"} & set(page.parts)),
]
CODE = re.compile(r"^```[a-z]*[^\n]*\n(.*?)^```|`([^`\n]+)`", re.MULTILINE | re.DOTALL)
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def commands_in(page: Path, program: str) -> list[str]:
    """Return the lines of code that begin with a program, each up to a pipe, a comment or the next command."""
    texts = ["".join(found) for found in CODE.findall(page.read_text("utf-8").replace("\\\n", " "))]
    lines = [line.removeprefix("$ ").strip() for text in texts for line in text.splitlines()]
    return [re.split(r" [|&#>;]|\)", line)[0] for line in lines if re.match(rf"{program} [a-z]", line)]


def options_of(command: Any, words: list[str]) -> set[str]:
    """Return the options of the command, or of the command inside of it, that the words name."""
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command, words = command.commands[words[0]], words[1:]
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)} | {"--help"}


@pytest.mark.parametrize("page", [page for page in PAGES if commands_in(page, "jido")], ids=lambda page: page.stem)
def test_a_page_names_commands_and_options_that_exist(page: Path) -> None:
    for line in commands_in(page, "jido"):
        _, name, *words = line.split()
        assert name in _COMMANDS, line
        known = options_of(_loaded(name), words)
        named = re.findall(r"(?<![\w=\"'-])(--?[a-z][a-z-]*)", re.sub(r"\"[^\"]*\"|'[^']*'", "", line))
        assert [option for option in named if option not in known] == [], line


def test_pages_name_targets_of_the_makefile() -> None:
    lines = [(page.name, line) for page in PAGES for line in commands_in(page, "make")]
    assert {"make demo", "make test"} <= {line.strip() for _, line in lines}
    assert [(page, line) for page, line in lines if line.split()[1] not in TARGETS] == []


def test_the_demo_needs_the_packages_that_its_target_installs_and_no_others() -> None:
    installed = re.search(r"^NEEDED := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert installed is not None
    program = """
import runpy, sys
from importlib.metadata import packages_distributions
before = set(sys.modules)
runpy.run_path("examples/invoice.py")
files = {name.partition(".")[0]: getattr(sys.modules[name], "__file__", None) or "" for name in {*sys.modules} - before}
names = packages_distributions()
print(sorted(names[top][0].replace("_", "-") for top, file in files.items() if "site-packages" in file))
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    needed = set(re.findall(r"'([\w.-]+)'", run.stdout.splitlines()[-1]))
    assert needed <= set(installed[1].split("|"))
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    assert all(f"\n{name}==" in lock for name in installed[1].split("|"))
