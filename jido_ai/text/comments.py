"""Comments of a text: Python's by tokens, other languages' by their usual marks. Pure."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from functools import lru_cache
from typing import Final

from jido_ai.text.python_tree import tree_to_read

_STRING_OR_COMMENT: Final = re.compile(
    r""" "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' | `[^`\n]*`
    | (?P<comment> /\* .*? (?:\*/|\Z) | <!-- .*? (?:-->|\Z) | (?:\#|//|--(?=\s)) [^\n]* ) """,
    re.VERBOSE | re.DOTALL,
)


def program_of(text: str) -> ast.Module | None:
    """Return the tree of a Python text that has a statement; None for any other text."""
    tree = tree_to_read(text)
    return tree if tree is not None and tree.body else None


def comments_of(text: str, *, is_python: bool) -> list[str]:
    """Return the comments, each with its marks, in order.

    Args:
        is_python: the text is a Python program (`program_of`). The comments of any other text are found by their marks,
            outside of strings that are closed on their line.
    """
    return list(_comments(text, is_python))


@lru_cache(maxsize=4)  # the rules of the gate ask one after the other
def _comments(text: str, is_python: bool) -> tuple[str, ...]:
    if is_python:
        source = io.StringIO(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))
        try:
            tokens = tokenize.generate_tokens(source.readline) if "#" in text else ()
            return tuple(token.string for token in tokens if token.type == tokenize.COMMENT)
        except (tokenize.TokenError, SyntaxError):
            pass
    return tuple(found["comment"] for found in _STRING_OR_COMMENT.finditer(text) if found["comment"])
