"""The syntax tree of Python text, safe to parse from several threads. Pure."""

from __future__ import annotations

import ast
from typing import Final

__all__ = ["tree_of"]

_TRIES: Final = 5


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
            return ast.parse(source)
        except SystemError:
            continue
    return ast.parse(source)
