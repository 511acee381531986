"""What is wrong with texts that are no programs: data that does not parse, blanks, line endings, broken structure."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final

from jido_ai.values import Issue, Location

__all__ = ["LANGUAGES", "check_text", "language_of", "parse_data"]

_ROW_END = re.compile(r"\r\n|\r|\n")
_TOML_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def check_text(language: str, text: str, schema: Mapping[str, Any] | None = None) -> tuple[Issue, ...]:
    """Return what is wrong with `text`, from the top down.

    - "json", "toml": one issue of kind "syntax" (rule "json" or "toml") when it does not parse. JSON that parses is
      held against `schema`, see `logic.json_schema`.
    - "text": issues of kind "style": "trailing-whitespace" (blanks and tabs at the end of a row), "line-endings" (a row
      that ends otherwise than most), "final-newline" (the last row does not end).
    - "yaml": the same, and what `yaml_issues` finds: it does not parse, has tabs, has keys twice.
    - "markdown": the same as "text", but that two blanks at the end of a row are a line break; "unclosed-fence", of
      kind "syntax": a block of code that nothing closes; and what `markdown_issues` finds.

    Raises:
        KeyError: another language.
    """
    found = [issue for check in _CHECKS[language] for issue in check(text)]
    if schema is not None and language == "json" and not found:
        from jido_ai.logic.json_schema import schema_issues  # noqa: PLC0415 - slow to load, and seldom needed

        found += schema_issues(text, schema)
    return tuple(issue.replace(source=f"tool:{language}") for issue in sorted(found, key=_line))


def language_of(path: str) -> str | None:
    """Return the language of a file by the end of its name; None for one that is not known."""
    return _ENDINGS.get(PurePosixPath(path).suffix.lower())


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


def _yaml(text: str) -> Iterator[Issue]:
    from jido_ai.logic.yaml_text import yaml_issues  # noqa: PLC0415 - the parser is loaded where there is YAML

    return yaml_issues(text)


def _structure(text: str) -> Iterator[Issue]:
    from jido_ai.logic.markdown_text import markdown_issues  # noqa: PLC0415 - loaded where there is Markdown

    return markdown_issues(text)


_CHECKS: Final[dict[str, tuple[Callable[[str], Iterator[Issue]], ...]]] = {
    "json": (_json,),
    "markdown": (_markdown_blanks, _endings, _final_newline, _fences, _structure),
    "text": (_blanks, _endings, _final_newline),
    "toml": (_toml,),
    "yaml": (_yaml, _blanks, _endings, _final_newline),
}
_ENDINGS: Final = {
    ".json": "json",
    ".markdown": "markdown",
    ".md": "markdown",
    ".rst": "text",
    ".toml": "toml",
    ".txt": "text",
    ".yaml": "yaml",
    ".yml": "yaml",
}
LANGUAGES: Final = tuple(_CHECKS)
"""The languages that can be checked."""
