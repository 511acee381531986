"""Program: a small module with one wrong line, its visible tests and its hidden ones. Pure."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Program"]

_HEAD = "import pytest\n\nfrom program import *\n\n"


@dataclass(frozen=True, slots=True)
class Program:
    """A program with one wrong line.

    Attributes:
        name: unique among all programs.
        code: the module, with the wrong line.
        wrong, right: a text that occurs once in `code`, and what its author should have written there.
        visible: test functions that a search may run; some pass and some fail.
        hidden: test functions that judge a repair; no search sees them.
    """

    name: str
    code: str
    wrong: str
    right: str
    visible: str
    hidden: str

    @property
    def fixed(self) -> str:
        """The module without the bug."""
        return self.code.replace(self.wrong, self.right, 1)

    @property
    def visible_tests(self) -> str:
        return _HEAD + self.visible

    @property
    def hidden_tests(self) -> str:
        return _HEAD + self.hidden
