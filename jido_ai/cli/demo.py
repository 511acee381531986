"""`jido demo`: the gate, a repair and a lesson on a copy of a small project, without a key or a network."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TextIO

from jido_ai.cli.app import app
from jido_ai.config import variables

WORKSHOP: Final = Path(__file__).parent / "workshop"
"""The project with defects, as it ships."""
_INTERRUPTED: Final = 130
_PROGRESS: Final = re.compile(r"\w+: (iteration|done)\b|completed: ")
_GATE: Final = ["improve", "--with", "ruff check --fix --unsafe-fixes", "--tests", "tests", "--apply"]
_REPAIR: Final = ["fix-test", "--apply"]
_LETTERS: Final = [["run", "reminder.toml", "-i", f"book={book}"] for book in ("Emma", "Ivanhoe")]


def run_demo() -> int:
    """Run the commands of the demonstration, in this process, on a copy of the workshop in a temporary directory.

    The settings of the user and of the environment do not apply, so no model is asked. Without pytest, the parts that
    run tests are replaced by a line that says so.

    Returns:
        The exit status: 0, although the commands leave something to decide; 130 if one was interrupted.
    """
    out = sys.stdout  # where the commands print, too
    with tempfile.TemporaryDirectory(prefix="jido-demo-") as home, _inside(Path(home)):
        for text, commands in _parts(has_pytest=find_spec("pytest") is not None):
            out.write(f"{_bold(text, out)}\n")
            for command in commands:
                out.write(f"$ jido {shlex.join(command)}\n")
                out.flush()
                with _without_progress():
                    status = app(command, standalone_mode=False)
                if status == _INTERRUPTED:
                    return _INTERRUPTED
    out.write("Next, in a project of your own: jido init\n")
    return 0


def _parts(*, has_pytest: bool) -> Generator[tuple[str, list[list[str]]]]:
    """Yield a line to say before some commands, and the commands."""
    if has_pytest:
        yield (
            "1. ruff fixes a project. The gate keeps the hunks that break nothing, and says why it rejects the others:",
            [_GATE],
        )
        yield "2. Two tests fail. One bug is repaired; for the other, only you know which repair is meant:", [_REPAIR]
    else:
        yield "The gate and repairs run tests; that needs pytest: pip install pytest", []
    text = "3. A file stands in for a model. The first letter takes two calls; with its lesson the second takes one:"
    yield text, [*_LETTERS, ["memory", "list", "--task-type", "letter", "--kind", "semantic"]]


@contextmanager
def _inside(home: Path) -> Generator[None]:
    """Work in a copy of the workshop, with settings of its own."""
    before, environ = Path.cwd(), dict(os.environ)
    shutil.copytree(WORKSHOP, home / "workshop", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for variable in variables():
        os.environ.pop(variable, None)
    os.chdir(home / "workshop")
    try:
        yield
    finally:
        os.environ.update(environ)
        with suppress(OSError):  # it has been removed meanwhile
            os.chdir(before)


@contextmanager
def _without_progress() -> Generator[None]:
    """Leave progress out of standard error, unless it is a terminal."""
    err, held = sys.stderr, io.StringIO()
    if err.isatty():
        yield
        sys.stdout.flush()
        err.flush()
        return
    try:
        with redirect_stderr(held):
            yield
    finally:
        sys.stdout.flush()
        err.writelines(line for line in held.getvalue().splitlines(keepends=True) if not _PROGRESS.match(line))
        err.flush()


def _bold(text: str, out: TextIO) -> str:
    return f"\033[1m{text}\033[0m" if out.isatty() else text
