"""Twenty programs of 60 to 150 lines with one bug each, and tests of which exactly one fails.

They are in `programs.jsonl`, a line each; they were written before any of them was shown to a model.
The tests `held_back` judge a repair and are never shown.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["PROGRAMS", "Program"]


@dataclass(frozen=True, slots=True)
class Program:
    """A program with one bug.

    Attributes:
        name: unique among all programs.
        bug: the kind of the bug, in a few words.
        code: the module, named program.py, with the bug.
        wrong, right: a text that occurs once in `code`, and what its author should have written there.
        tests: 6 to 10 test functions, of which exactly one fails.
        held_back: test functions that fail with the bug and pass without it.
    """

    name: str
    bug: str
    code: str
    wrong: str
    right: str
    tests: str
    held_back: str

    @property
    def fixed(self) -> str:
        """The module without the bug."""
        return self.code.replace(self.wrong, self.right, 1)


_LINES: Final = Path(__file__).with_name("programs.jsonl").read_text(encoding="utf-8").splitlines()
PROGRAMS: Final = tuple(Program(**json.loads(line)) for line in _LINES)
