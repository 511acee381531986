"""The syntax tree of Python text, safe to parse from several threads and without warnings of that text. Pure."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import Final, Literal

CANDIDATE: Final = "<candidate>"
"""The file name under which text is compiled: what Python warns of in it is not shown, since it is nobody's file."""
_TRIES: Final = 5

for _kind in (SyntaxWarning, DeprecationWarning):  # for good: to silence them for a while is not safe with threads
    warnings.filterwarnings("ignore", category=_kind, module=CANDIDATE)


def tree_of(source: str) -> ast.Module:
    """Return the tree of `source`, as `ast.parse` does.

    Until 3.13 the interpreter counts in one place how deep all its threads are in making trees, and fails with a
    `SystemError` of its own when two of them cross, now and then. That says nothing about the text: it is parsed again.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
        SystemError: it failed so five times.
    """
    for _ in range(_TRIES - 1):
        try:
            return ast.parse(source, CANDIDATE)
        except SystemError:
            continue
    return ast.parse(source, CANDIDATE)


def parsed(text: str) -> ast.Module | None:
    """Return the tree of a text, which may begin with a byte order mark; None if it is not Python."""
    try:
        return tree_of(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


@lru_cache(maxsize=4)
def tree_to_read(text: str) -> ast.Module | None:
    """Return `parsed(text)`; one tree for all who ask for the same text soon, which nobody may change."""
    return parsed(text)


def is_text(statement: ast.stmt) -> bool:
    """Tell whether a statement is a constant alone, as a docstring is."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def first_step(function: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """Return the first statement of a function after its docstring; the docstring if there is no other."""
    return function.body[is_text(function.body[0]) and len(function.body) > 1]


_FENCED: Final = re.compile(r"^```[^\n`]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LONGEST_PROGRAM: Final = 20_000
"""Characters that take some 10 ms to parse."""
_OF_A_PROGRAM: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


@lru_cache(maxsize=64)
def reads_as(text: str) -> Literal["program", "python", "other"]:
    """Tell whether a text, or a fenced block in it, is Python: with a definition or an import, without, or not at all.

    A text that parses and does not compile, as with `return` outside of a function, is no Python. Nothing is run.
    Texts above 20,000 characters are not looked at: "python".
    """
    if len(text) > _LONGEST_PROGRAM:
        return "python"
    found = {_kind_of(block) for block in _FENCED.findall(text) or [text]}
    return "program" if "program" in found else "python" if "python" in found else "other"


def _kind_of(source: str) -> Literal["program", "python", "other"]:
    try:
        tree = tree_of(source)
        compile(source, CANDIDATE, "exec", dont_inherit=True)  # not the tree: see `tree_of`
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return "other"
    return "program" if any(isinstance(statement, _OF_A_PROGRAM) for statement in tree.body) else "python"
