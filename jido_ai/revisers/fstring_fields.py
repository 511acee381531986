"""The syntax tree of a program with true places inside its f-strings, which Python gives from 3.12 on only. Pure."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from jido_ai.revisers.program_code import Code, Place
from jido_ai.text.python_tree import tree_of

__all__ = ["placed_tree"]

_OPENING = "([{"
_CLOSING = ")]}"
_ENDS = re.compile(r"![rsa][:}]|[:}]")


def placed_tree(source: str) -> ast.Module:
    """Return the tree of a program, where every expression inside an f-string has the place at which it stands.

    Before Python 3.12 the fields are searched in the text and parsed again. F-strings whose fields cannot be found so
    (they span several rows, or have f-strings or naked tuples in them) have none in the tree.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: it is not valid Python, or nested too deeply.
    """
    tree = tree_of(source)
    if sys.version_info < (3, 12):
        code = Code(source)
        inner = {one for node in _joined(tree) for field in _fields(node) for one in _joined(field.value)}
        for node in list(_joined(tree)):
            if node in inner or not _is_placed(node, code):
                node.values = []
    return tree


def _joined(tree: ast.AST) -> Iterator[ast.JoinedStr]:
    """Yield the f-strings of a tree, without the format specifications, which the tree shows as f-strings, too."""
    specifications = {node.format_spec for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)}
    return (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) and node not in specifications)


def _fields(node: ast.JoinedStr) -> Iterator[ast.FormattedValue]:
    """Yield the fields of an f-string in the order of its text, each before those of its format specification."""
    for field in node.values:
        if isinstance(field, ast.FormattedValue):
            yield field
            if isinstance(field.format_spec, ast.JoinedStr):
                yield from _fields(field.format_spec)


def _is_placed(node: ast.JoinedStr, code: Code) -> bool:
    """Replace the fields' expressions by ones with true places; tell whether all of them were found."""
    text = code.of(node)
    found, fields = _written(text), list(_fields(node))
    if found is None or len(found) != len(fields):
        return False
    values: list[ast.expr] = []
    for (start, expression), field in zip(found, fields, strict=True):
        value = _parsed(expression)
        if value is None or ast.dump(value) != ast.dump(field.value):
            return False
        above, _, begin = text[:start].rpartition("\n")
        row = node.lineno + text[:start].count("\n")
        _move(value, row, len(begin.encode()) + (0 if above or "\n" in text[:start] else node.col_offset))
        values.append(value)
    for value, field in zip(values, fields, strict=True):
        field.value = value
    return True


def _written(text: str) -> list[tuple[int, str]] | None:
    """Return the expressions in the fields of an f-string's text and where they start; None if one does not end."""
    found: list[tuple[int, str]] = []
    place = 0
    while (place := text.find("{", place)) >= 0:
        if text.startswith("{{", place):
            place += 2
            continue
        start, depth, place = place + 1, 0, place + 1
        while place < len(text) and (depth or not _ENDS.match(text, place)):
            depth += (text[place] in _OPENING) - (text[place] in _CLOSING)
            place += 1
        if place == len(text):
            return None
        found.append((start, text[start:place]))
    return found


def _parsed(expression: str) -> ast.expr | None:
    """Return the tree of an expression that stands in one row; its columns count from its start."""
    if "\n" in expression or "\r" in expression:
        return None
    try:
        (whole,) = tree_of(f"({expression})").body  # leading spaces are allowed in brackets
    except (SyntaxError, ValueError):
        return None
    if not isinstance(whole, ast.Expr) or isinstance(whole.value, ast.Tuple):
        return None
    _move(whole.value, 1, -1)
    return whole.value


def _move(value: ast.expr, row: int, right: int) -> None:
    for node in ast.walk(value):
        if isinstance(node, ast.expr | ast.keyword | ast.arg):
            place = Place.of(node)
            node.lineno = node.end_lineno = row
            node.col_offset, node.end_col_offset = place.byte + right, place.end_byte + right
