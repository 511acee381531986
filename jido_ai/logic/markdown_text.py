"""Markdown: structure that is broken, known by the parser and not by looking at rows alone; and the usual layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from markdown_it import MarkdownIt

from jido_ai.logic.text_edits import Edit, apply_edits
from jido_ai.values import Issue, Location

__all__ = ["formatted_markdown", "markdown_issues", "mend_markdown"]

_MAX_CHARS: Final = 500_000
_ROW_END: Final = re.compile(r"\r\n|\r|\n")
_HEADING: Final = re.compile(r" {0,3}(#{2,6})(?=[^#\s])")
_REVERSED: Final = re.compile(r"(?<![\\\]])\(([^()\[\]]+)\)\[((?:https?://|mailto:|\./|\.\./)[^()\[\]\s]+)\]")
_DELIMITERS: Final = re.compile(r" {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CODE: Final = re.compile(r"(`+)(?:(?!\1).)+\1")


def markdown_issues(text: str) -> Iterator[Issue]:
    """Yield the structure that a reader of the source sees and the parser does not, all of kind "error":

    - "heading-space": two to six # and no blank after them, so that it is no heading. One # may be a tag.
    - "reversed-link": (text)[address].
    - "table-columns": a table whose row of dashes has fewer columns than its head, so that it is no table.

    Code and HTML are not looked at; texts above 500,000 characters are not, either.
    """
    if len(text) > _MAX_CHARS:
        return
    rows = _ROW_END.split(text)
    for row in _paragraph_rows(text, len(rows)):
        code = rows[row - 1]
        plain = _CODE.sub(lambda found: "x" * len(found[0]), code)
        if heading := _HEADING.match(code):
            yield _issue("heading-space", f"no blank after {heading[1]}", row, heading.end() + 1)
        for link in _REVERSED.finditer(plain):
            yield _issue("reversed-link", f"a link is [text](address), not {link[0]}", row, link.start() + 1)
        if row < len(rows) and "|" in code and "|" in rows[row] and _DELIMITERS.fullmatch(rows[row]):
            head, dashes = _cells(code), _cells(rows[row])
            if dashes < head:
                said = f"the head has {head} columns, the row of dashes {dashes}"
                yield _issue("table-columns", said, row + 1, len(rows[row].rstrip()) + 1)


def mend_markdown(text: str, issue: Issue) -> str | None:
    """Return the text with the one place mended that the issue names; None when it is not there."""
    place = issue.location
    if place is None or place.line is None or place.column is None:
        return None
    row, column = place.line, place.column
    rows = _ROW_END.split(text)
    code = rows[row - 1] if row <= len(rows) else ""
    match issue.rule:
        case "heading-space":
            return apply_edits(text, [Edit(row, column, row, column, " ")]) if _HEADING.match(code) else None
        case "reversed-link":
            link = _REVERSED.match(code, column - 1)
            made = [Edit(row, column, row, column + len(link[0]), f"[{link[1]}]({link[2]})")] if link else None
            return apply_edits(text, made) if made else None
        case "table-columns":
            missing = _cells(rows[row - 2]) - _cells(code) if 2 <= row <= len(rows) else 0
            if missing < 1:
                return None
            end = len(code.rstrip())
            has_edge = code.rstrip().endswith("|")
            more = " --- |" * missing if has_edge else " | ---" * missing
            return apply_edits(text, [Edit(row, end + 1, row, end + 1, more)])
        case _:
            return None


def formatted_markdown(text: str) -> str | None:
    """Return the text in the usual layout, as mdformat writes it; None when it may not be laid out anew.

    That is a text with front matter, which mdformat would take for a heading, or one it renders otherwise afterwards.
    Line endings stay as most rows have them.
    """
    if len(text) > _MAX_CHARS or re.match(r"(?:---|\+\+\+)\s*(?:\r\n|\r|\n)", text):
        return None
    import mdformat  # noqa: PLC0415 - slow to load, and seldom needed

    ends = _ROW_END.findall(text)
    usual = max(("\n", "\r\n", "\r"), key=ends.count)
    try:
        made = mdformat.text(_ROW_END.sub("\n", text))  # pyright: ignore[reportUnknownMemberType]
    except Exception:  # noqa: BLE001 - a plug-in of the formatter may raise anything; the text is left as it is
        return None
    parser = MarkdownIt("commonmark").enable("table")
    same = parser.render(made) == parser.render(_ROW_END.sub("\n", text))  # pyright: ignore[reportUnknownMemberType]
    return made.replace("\n", usual) if same else None


def _issue(rule: str, message: str, line: int, column: int) -> Issue:
    return Issue(message, kind="error", rule=rule, location=Location(None, line, column))


def _paragraph_rows(text: str, rows: int) -> Iterator[int]:
    """Yield the rows of paragraphs, from 1: what is no heading, code, table or HTML."""
    tokens = MarkdownIt("commonmark").enable("table").parse(_ROW_END.sub("\n", text))
    for token in tokens:
        if token.type == "paragraph_open" and token.map is not None:
            yield from range(token.map[0] + 1, min(token.map[1], rows) + 1)


def _cells(row: str) -> int:
    inner = re.sub(r"\\\|", "x", _CODE.sub("x", row)).strip()
    return inner.strip("|").count("|") + 1
