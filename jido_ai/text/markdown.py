"""Markdown: broken structure, found with a parser. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt

from jido_ai.text.edits import Edit
from jido_ai.values import Issue, Location

_LONGEST_QUOTED: Final = 200  # of the text, in a message
_DEEPEST_TABLE: Final = 3  # blanks before a table; what stands deeper is code
_ROW_END: Final = re.compile(r"\r\n|\r|\n")
_HEADING: Final = re.compile(r" {0,3}(#{2,6})(?=[^#\s])")
_REVERSED: Final = re.compile(r"(?<![\\\]])\(([^()\[\]]++)\)\[((?:https?://|mailto:|\./|\.\./)[^()\[\]\s]++)\]")
_DASHES: Final = re.compile(r":?-++:?")
_TICKS: Final = re.compile(r"`++")


def markdown_issues(text: str) -> Iterator[Issue]:
    """Yield intended structure that the parser does not recognise, all of kind "error":

    - "heading-space": two to six # without a blank after them, so not a heading. A single # may be a tag.
    - "reversed-link": (text)[address].
    - "table-columns": the row of dashes has fewer columns than the header, so it is not a table.

    Code and HTML are ignored.
    """
    rows = _ROW_END.split(text)
    for row in _paragraph_rows(text, len(rows)):
        code = rows[row - 1]
        plain = _without_code(code)
        if heading := _HEADING.match(code):
            yield _issue("heading-space", f"no blank after {heading[1]}", row, heading.end() + 1)
        for link in _REVERSED.finditer(plain):
            yield _issue("reversed-link", f"a link is [text](address), not {_short(link[0])}", row, link.start() + 1)
        if row < len(rows) and "|" in code and "|" in rows[row] and _is_of_dashes(rows[row]):
            head, dashes = _cells(code), _cells(rows[row])
            if dashes < head:
                message = f"the head has {head} columns, the row of dashes {dashes}"
                yield _issue("table-columns", message, row + 1, len(rows[row].rstrip()) + 1)


def markdown_edit(text_rows: Sequence[str], issue: Issue) -> Edit | None:
    """Return the edit that fixes the place of the issue; None if it is not there.

    Args:
        text_rows: the rows of the text, without line ends.
    """
    place, rows = issue.location, text_rows
    if place is None or place.line is None or place.column is None:
        return None
    row, column = place.line, place.column
    code = rows[row - 1] if row <= len(rows) else ""
    match issue.rule:
        case "heading-space":
            return Edit(row, column, row, column, " ") if _HEADING.match(code) else None
        case "reversed-link":
            link = _REVERSED.match(code, column - 1)
            return Edit(row, column, row, column + len(link[0]), f"[{link[1]}]({link[2]})") if link else None
        case "table-columns":
            missing = _cells(rows[row - 2]) - _cells(code) if 2 <= row <= len(rows) else 0
            if missing < 1:
                return None
            end = len(code.rstrip())
            has_edge = code.rstrip().endswith("|")
            more = " --- |" * missing if has_edge else " | ---" * missing
            return Edit(row, end + 1, row, end + 1, more)
        case _:
            return None


def _issue(rule: str, message: str, line: int, column: int) -> Issue:
    return Issue(message, kind="error", rule=rule, location=Location(None, line, column))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…"


def _paragraph_rows(text: str, rows: int) -> Iterator[int]:
    """Yield the rows of paragraphs, from 1: not of headings, code, tables or HTML."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])  # the content of paragraphs takes longest
    for token in parser.parse(_ROW_END.sub("\n", text)):
        if token.type == "paragraph_open" and token.map is not None:
            yield from range(token.map[0] + 1, min(token.map[1], rows) + 1)


def _is_of_dashes(row: str) -> bool:
    """True if this looks like the row below the header of a table."""
    inner = row.strip()
    if len(row) - len(row.lstrip(" ")) > _DEEPEST_TABLE:
        return False
    cells = inner.removeprefix("|").removesuffix("|").split("|")
    return all(_DASHES.fullmatch(cell.strip()) for cell in cells)


def _without_code(row: str) -> str:
    """Return the row with an "x" for each character of inline code, which ends with as many backticks as it starts."""
    runs = [(one.start(), one.end()) for one in _TICKS.finditer(row)]
    if not runs:
        return row
    following: dict[int, int] = {}  # of a length the next run that has it
    partners = [-1] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        partners[index] = following.get(length, -1)
        following[length] = index
    pieces, done, index = list[str](), 0, 0
    while index < len(runs):
        partner = partners[index]
        if partner < 0:
            index += 1
            continue
        start, end = runs[index][0], runs[partner][1]
        pieces += [row[done:start], "x" * (end - start)]
        done, index = end, partner + 1
    return "".join([*pieces, row[done:]])


def _cells(row: str) -> int:
    inner = _without_code(row).replace("\\|", "x").strip()
    return inner.strip("|").count("|") + 1
