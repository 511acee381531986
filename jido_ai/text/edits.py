"""Edits of a text by row and column, as linters propose them; everything else stays byte for byte. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate

from jido_ai.text.python_tree import tree_of

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the text from (row, column) to before (end_row, end_column) by `content`.

    Rows and columns count from 1, columns in characters. Rows end with LF, CRLF or CR only.
    """

    row: int
    column: int
    end_row: int
    end_column: int
    content: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` with the edits applied; their positions refer to the original text.

    Raises:
        ValueError: two edits overlap, or one is outside the text.
    """
    starts = _row_starts(text)
    pieces: list[str] = []
    done = 0
    for edit in sorted(edits, key=_place):
        start, end = _offset(starts, edit.row, edit.column), _offset(starts, edit.end_row, edit.end_column)
        if not done <= start <= end <= len(text):
            raise ValueError(f"this edit is outside the text or overlaps another: {edit}")
        pieces += [text[done:start], edit.content]
        done = end
    return "".join([*pieces, text[done:]])


def overlap(one: Iterable[Edit], other: Iterable[Edit]) -> bool:
    """True if an edit of `one` overlaps or adjoins an edit of `other`."""
    others = list(other)
    return any(
        (a.row, a.column) <= (b.end_row, b.end_column) and (b.row, b.column) <= (a.end_row, a.end_column)
        for a in one
        for b in others
    )


def moved_row(row: int, edits: Iterable[Edit]) -> int:
    """Return the row's number after the edits, each of which moves it if it ends at or above it."""
    return row + sum(
        len(_LINE.findall(edit.content + ".")) - 1 - (edit.end_row - edit.row) for edit in edits if edit.end_row <= row
    )


def named_except(text: str, row: int) -> Edit | None:
    """Return the edit that names the exception of the bare `except` in that row.

    None if there is no such handler, or the text is too deeply nested.

    `except Exception` does not catch KeyboardInterrupt and SystemExit, which is the purpose of the rule E722. If the
    handler needs them (it re-raises, so it cleans up for all exceptions; or Exception is caught above), the edit is
    `except BaseException`, the meaning of a bare `except`.

    Raises:
        SyntaxError: `text` is not Python.
    """
    try:
        tree = tree_of(text)
    except (RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if not isinstance(node, ast.Try):
            continue
        for handler in node.handlers:
            if handler.type is None and handler.lineno == row:
                line = text[_row_starts(text)[row - 1] :]
                column = len(line.encode()[: handler.col_offset].decode()) + len("except") + 1
                return Edit(row, column, row, column, " BaseException" if _catches_all(node, handler) else " Exception")
    return None


def _catches_all(node: ast.Try, bare: ast.ExceptHandler) -> bool:
    reraises = any(isinstance(inner, ast.Raise) and inner.exc is None for step in bare.body for inner in ast.walk(step))
    others = [
        name
        for handler in node.handlers
        if handler.type
        for name in ast.walk(handler.type)
        if isinstance(name, ast.Name)
    ]
    return reraises or any(name.id in ("Exception", "BaseException") for name in others)


def _place(edit: Edit) -> tuple[int, int, int, int, str]:
    return edit.row, edit.column, edit.end_row, edit.end_column, edit.content


def _row_starts(text: str) -> list[int]:
    return list(accumulate((len(line) for line in _LINE.findall(text)), initial=0))


def _offset(starts: list[int], row: int, column: int) -> int:
    if not 1 <= row <= len(starts):
        raise ValueError(f"there is no row {row}")
    return starts[row - 1] + column - 1
