"""Edits of Python that need the concrete syntax tree. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from jido_ai.text.edits import Edit

_MAX_CHARS: Final = 500_000
_ROW_END: Final = re.compile(r"\r\n|\r|\n")


class _Point(Protocol):
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _SyntaxSpan:
    start: _Point
    end: _Point


class _Imports(cst.CSTVisitor):
    """Looks for the import of several names of which one is at a place, counted from (1, 0)."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, row: int, column: int) -> None:
        super().__init__()
        self._sought = (row, column)
        self.found: tuple[list[_SyntaxSpan], int] | None = None

    def visit_Import(self, node: cst.Import) -> None:
        self._look(node.names)

    def visit_ImportFrom(self, node: cst.ImportFrom) -> None:
        if not isinstance(node.names, cst.ImportStar):
            self._look(node.names)

    def _look(self, names: Sequence[cst.ImportAlias]) -> None:
        spans = [self._span(name) for name in names]
        for place, span in enumerate(spans):
            begin, end = (span.start.line, span.start.column), (span.end.line, span.end.column)
            if begin <= self._sought < end and len(names) > 1:
                self.found = spans, place

    def _span(self, alias: cst.ImportAlias) -> _SyntaxSpan:
        """Return where an alias is, without the comma after it."""
        begin: Any = self.get_metadata(PositionProvider, alias.name)
        end: Any = begin if alias.asname is None else self.get_metadata(PositionProvider, alias.asname)
        return _SyntaxSpan(begin.start, end.end)


def without_import(text: str, row: int, column: int) -> Edit | None:
    """Return the edit that takes the name which is there out of an import of several; None when there is none.

    Does nothing if there is a comment in between: it may belong to another name.

    Args:
        row, column: from 1, in characters.
    """
    if len(text) > _MAX_CHARS:
        return None
    try:
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        imports = _Imports(row, column - 1)
        wrapper.visit(imports)
    except (cst.ParserSyntaxError, RecursionError):
        return None
    if imports.found is None:
        return None
    spans, place = imports.found
    is_last = place == len(spans) - 1
    start, end = (spans[place - 1].end, spans[place].end) if is_last else (spans[place].start, spans[place + 1].start)
    rows = _ROW_END.split(text)[start.line - 1 : end.line]
    is_alone = "#" not in "".join(rows)[start.column :]
    return Edit(start.line, start.column + 1, end.line, end.column + 1, "") if is_alone else None
