"""What a minimal project is: a few files, a test that passes, and one fix that is tempting and wrong.

A project is written as one text. A line `--- NAME` begins the file NAME, which goes on to the next such line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Project"]


def _nothing(directory: Path) -> None:
    """Do nothing."""


@dataclass(frozen=True, kw_only=True)
class Project:
    """A small project that works, and that a careless fix would break.

    Attributes:
        name: a sentence in snake case; the pytest id.
        text: the files, each after a line `--- NAME`.
        raw: files whose exact bytes matter.
        hidden: checks that are not in the project while it is improved; run before and after as the tests are.
        tempts: the ruff rule that finds what must not be fixed; "" when no rule of ruff is concerned.
        same: files that must stay as they are, byte by byte. Tests must in any case.
        mended: for a file, a text that must be gone afterwards: a safe fix beside the tempting one.
        targets: what `jido improve` is asked to improve.
        options: more options of the command.
        tests: what `--tests` names.
        modes: "alone" is without `--tests`, "tested" with them.
        needs_pytest: the tests use fixtures, so they are run by pytest and not called one by one.
        prepare: makes what a text cannot say, such as links and modes.
    """

    name: str
    text: str = ""
    raw: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    hidden: Mapping[str, str] = field(default_factory=dict[str, str])
    tempts: str = ""
    same: tuple[str, ...] = ()
    mended: Mapping[str, str] = field(default_factory=dict[str, str])
    targets: tuple[str, ...] = (".",)
    options: tuple[str, ...] = ()
    tests: str = "test_it.py"
    modes: tuple[str, ...] = ("alone", "tested")
    needs_pytest: bool = False
    prepare: Callable[[Path], None] = _nothing

    def files(self) -> dict[str, bytes]:
        """Return every file of the project with its bytes."""
        found: dict[str, list[str]] = {}
        lines: list[str] = []
        for line in self.text.removeprefix("\n").split("\n"):
            if line.startswith("--- "):
                lines = found.setdefault(line.removeprefix("--- "), [])
            else:
                lines.append(line)
        texts = {name: "\n".join(lines) + "\n" if any(lines) else "" for name, lines in found.items()}
        # The last line of a text is the empty one before the closing quotes.
        return {name: text.rstrip("\n").encode() + b"\n" if text else b"" for name, text in texts.items()} | dict(
            self.raw
        )

    def write(self, directory: Path) -> None:
        """Write the files below `directory`, which is made when it is not there."""
        directory.mkdir(parents=True, exist_ok=True)
        for name, data in self.files().items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.prepare(directory)
