"""`jido demo`: `jido improve` on a copy of files with defects, without a key or a network."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

from jido_ai.cli.app import app
from jido_ai.config import variables

__all__ = ["WORKSHOP", "run_demo"]

WORKSHOP: Final = Path(__file__).parent / "workshop"
"""The files with defects, as they ship."""
_INTERRUPTED: Final = 130


def run_demo() -> int:
    """Run the commands of the demonstration, in this process, on a copy of the workshop in a temporary directory.

    The settings of the user and of the environment do not apply, so no model is asked. Without pytest, the part that
    runs tests is replaced by a line that says so.

    Returns:
        The exit status: 0, although issues are left at the end; 130 if it was interrupted.
    """
    out = sys.stdout  # where the commands print, too
    with tempfile.TemporaryDirectory(prefix="jido-demo-") as home, _inside(Path(home)):
        for text, commands, after in _parts(has_pytest=find_spec("pytest") is not None):
            out.write(f"\n{_bold(text, out)}\n")
            for command in commands:
                out.write(f"$ jido {' '.join(command)}\n")
                out.flush()
                status: int = app([*command, "--memory", "../memory.db"], standalone_mode=False) or 0
                if status == _INTERRUPTED:
                    return status
                out.write(f"\n{_bold(after.format(status=status), out)}\n" if after else "")
    out.write("\nNext, in a project of your own: jido init\n")
    return 0


def _parts(*, has_pytest: bool) -> Generator[tuple[str, list[list[str]], str]]:
    """Yield what to say before some commands, the commands, and what to say after them."""
    yield (
        "Tools check two files, the reviser fixes what it can, and the tools check again:",
        [["improve", "inventory.py", "report.py"]],
        "(exit status {status}: fixes that may change behaviour are left to you; --unsafe-fixes makes them, too)",
    )
    if has_pytest:
        yield (
            "A test finds a bug that no targeted edit can fix. The other issues are fixed, and this one is reported:",
            [["improve", "pricing.py", "--tests", "tests", "--max-iterations", "2", "--apply"]],
            "(exit status {status}: issues are left; with more iterations it looks for a small edit that passes)",
        )
    else:
        yield "With tests it finds and fixes bugs, too; that needs pytest: pip install pytest", [], ""
    yield "The lessons are stored in a SQLite file for the next run:", [["memory", "list"]], ""


@contextmanager
def _inside(home: Path) -> Generator[None]:
    """Work in a copy of the workshop, with settings of its own."""
    before, environ = Path.cwd(), dict(os.environ)
    shutil.copytree(WORKSHOP, home / "workshop", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    (home / "workshop" / "jido.toml").touch()  # the search for settings ends here
    for variable in variables():
        os.environ.pop(variable, None)
    os.chdir(home / "workshop")
    try:
        yield
    finally:
        os.environ.update(environ)
        with suppress(OSError):  # it has been removed meanwhile
            os.chdir(before)


def _bold(text: str, out: TextIO) -> str:
    return f"\033[1m{text}\033[0m" if out.isatty() else text
