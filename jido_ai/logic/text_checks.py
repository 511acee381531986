"""What is wrong with texts that are no programs: JSON and TOML that do not parse, blanks, line endings, open fences."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Final

from jido_ai.values import Issue, Location

__all__ = ["LANGUAGES", "check_text", "parse_data"]

_ROW_END = re.compile(r"\r\n|\r|\n")
_TOML_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def check_text(language: str, text: str) -> tuple[Issue, ...]:
    """Return what is wrong with `text`, from the top down.

    - "json", "toml": one issue of kind "syntax" (rule "json" or "toml") when it does not parse.
    - "text": issues of kind "style": "trailing-whitespace" (blanks and tabs at the end of a row), "line-endings" (a row
      that ends otherwise than most), "final-newline" (the last row does not end).
    - "markdown": the same, but that two blanks at the end of a row are a line break; and "unclosed-fence", of kind
      "syntax": a block of code that nothing closes.

    Raises:
        KeyError: another language.
    """
    found = [issue for check in _CHECKS[language] for issue in check(text)]
    return tuple(issue.replace(source=f"tool:{language}") for issue in sorted(found, key=_line))


def parse_data(language: str, text: str) -> object:
    """Return what JSON or TOML says. Raises `ValueError` when it does not parse."""
    try:
        return json.loads(text) if language == "json" else tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("too deeply nested") from error


def _line(issue: Issue) -> int:
    return issue.location.line or 0 if issue.location else 0


def _json(text: str) -> Iterator[Issue]:
    try:
        parse_data("json", text)
    except json.JSONDecodeError as error:
        yield Issue(error.msg, kind="syntax", rule="json", location=Location(None, error.lineno, error.colno))
    except ValueError as error:
        yield Issue(str(error), kind="syntax", rule="json")


def _toml(text: str) -> Iterator[Issue]:
    try:
        parse_data("toml", text)
    except ValueError as error:
        place = _TOML_PLACE.search(str(error))
        line, column = (int(place[1]), int(place[2])) if place else (len(_rows(text)), 1)
        message = re.sub(r"\s*\(at .*\)$", "", str(error))
        yield Issue(message, kind="syntax", rule="toml", location=Location(None, line, column))


def _rows(text: str) -> list[tuple[str, str]]:
    """Return every row and what ends it; the last one may be empty."""
    return list(zip(_ROW_END.split(text), [*_ROW_END.findall(text), ""], strict=True))


def _style(rule: str, message: str, line: int, column: int) -> Issue:
    return Issue(message, kind="style", rule=rule, location=Location(None, line, column))


def _blanks(text: str, *, breaks: bool = False) -> Iterator[Issue]:
    for line, (row, _) in enumerate(_rows(text), 1):
        kept = row.rstrip(" \t")
        is_break = breaks and row == f"{kept}  " and bool(kept)
        if kept != row and not is_break:
            yield _style("trailing-whitespace", "blanks at the end of the row", line, len(kept) + 1)


def _markdown_blanks(text: str) -> Iterator[Issue]:
    return _blanks(text, breaks=True)


def _endings(text: str) -> Iterator[Issue]:
    ends = [end for _, end in _rows(text) if end]
    usual = max(("\n", "\r\n", "\r"), key=ends.count)
    for line, (row, end) in enumerate(_rows(text), 1):
        if end not in ("", usual):
            yield _style("line-endings", f"ends with {end!r}, most rows with {usual!r}", line, len(row) + 1)


def _final_newline(text: str) -> Iterator[Issue]:
    if text and not text.endswith(("\n", "\r")):
        rows = _rows(text)
        yield _style("final-newline", "the last row does not end", len(rows), len(rows[-1][0]) + 1)


def _fences(text: str) -> Iterator[Issue]:
    opened: tuple[str, int] | None = None
    for line, (row, _) in enumerate(_rows(text), 1):
        fence = _FENCE.match(row)
        if fence is None:
            continue
        if opened is None:
            opened = (fence[1], line)
        elif fence[1].startswith(opened[0]) and not fence[2].strip():
            opened = None
    if opened is not None:
        place = Location(None, opened[1], 1)
        yield Issue(f"nothing closes the fence {opened[0]}", kind="syntax", rule="unclosed-fence", location=place)


_CHECKS: Final[dict[str, tuple[Callable[[str], Iterator[Issue]], ...]]] = {
    "json": (_json,),
    "markdown": (_markdown_blanks, _endings, _final_newline, _fences),
    "text": (_blanks, _endings, _final_newline),
    "toml": (_toml,),
}
LANGUAGES: Final = tuple(_CHECKS)
"""The languages that can be checked."""
