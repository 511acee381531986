"""Checks of texts that are not programs: syntax of data, trailing blanks, line ends, structure. Pure."""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from jido_ai.text.json_comments import repeated_keys, without_comments
from jido_ai.values import Issue, Location

MOST_OF_A_RULE: Final = 100
"""Findings of one rule in one text that are reported one by one; one more issue, without a place, counts the others."""

_BOM: Final = "\ufeff"
_MESSAGE_CHARS: Final = 500
_LONGEST_QUOTED: Final = 40  # of the text, in a message
_QUICK_CHARS: Final[Mapping[str, int]] = {
    "json": 200_000,
    "jsonc": 200_000,
    "markdown": 32_000,
    "text": 200_000,
    "toml": 100_000,
    "yaml": 8_000,
}
_QUICK_OTHERWISE: Final = 2_000
_MOST_DOTS: Final = 50  # in a row of TOML: the parser takes the square of the parts of a key
_ROW_END = re.compile(r"\r\n|\r|\n")
_TOML_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


class _Found(NamedTuple):
    """One finding; the reported ones become `Issue`s."""

    kind: str
    rule: str
    message: str
    line: int | None
    column: int | None = None


def check_text(language: str, text: str, schema: Mapping[str, Any] | None = None) -> tuple[Issue, ...]:
    """Return the issues of `text`, from the top down.

    - "json", "toml": one issue of kind "syntax" (rule "json" or "toml") if it does not parse. JSON that parses is
      checked against `schema`, see `text.json_schema`. A duplicate key of an object is a "duplicate-key", of kind
      "error". Comments in JSON are one issue of kind "syntax", rule "json-comments".
    - "jsonc": JSON in which comments, and commas before a closing bracket, are allowed.
    - "text": issues of kind "style": "trailing-whitespace" (blanks and tabs at the end of a row), "line-endings" (a row
      with another line end than most), "final-newline" (the last row has no line end).
    - "yaml": the same, and the issues of `yaml_issues`: syntax errors, tabs, duplicate keys.
    - "markdown": the same as "text", except that two blanks at the end of a row are a line break; "unclosed-fence", of
      kind "syntax": an unclosed block of code; and the issues of `markdown_issues`.

    A byte order mark is ignored. The first 100 findings of each rule are issues with a place; one more issue of the
    rule counts the others.

    The run time is linear, except in the parsers of TOML, YAML and Markdown, which take quadratic time for some texts.
    See `is_quick`.

    Raises:
        KeyError: another language.
    """
    found, issues = list(_findings(language, text, (*_PLAIN[language], *_PARSED[language]))), list[Issue]()
    if schema is not None and language == "json" and not found:
        from jido_ai.text.json_schema import schema_issues  # noqa: PLC0415 - slow to load, and seldom needed

        issues = [_sourced(language, issue) for issue in schema_issues(text.removeprefix(_BOM), schema)]
    return (*_told(language, found), *issues)


def plain_check(language: str, text: str) -> tuple[Issue, ...]:
    """Return the issues that `check_text` finds without parsers of TOML, YAML and Markdown, in linear time."""
    return _told(language, list(_findings(language, text, _PLAIN[language])))


def count_findings(language: str, text: str) -> Counter[str]:
    """Return how many findings of each rule `check_text` has, without a schema; all of them count."""
    return Counter(finding.rule for finding in _findings(language, text, (*_PLAIN[language], *_PARSED[language])))


def is_quick(language: str, text: str, *, plain: bool = True) -> bool:
    """True if checking the worst text of this length takes at most about a second.

    Other texts are checked in a process, which can be killed, unlike a thread.

    Args:
        plain: False if there are more checks than those of the language, such as a schema or a layout.
    """
    if len(text) > (_QUICK_CHARS[language] if plain else _QUICK_OTHERWISE):
        return False
    return language != "toml" or all(row.count(".") <= _MOST_DOTS for row in _ROW_END.split(text))


def too_large(language: str, why: str) -> Issue:
    """Return the issue of kind "cannot-run" for a text whose check did not finish."""
    return _sourced(language, Issue(f"too large to check: {why}", kind="cannot-run", rule="cannot-run"))


def language_of(path: str) -> str | None:
    """Return the language of a file by its name; None if unknown.

    Files that conventionally contain JSON with comments are "jsonc": *.jsonc, tsconfig.json, files in `.vscode`.
    """
    file = PurePosixPath(path.lower().replace("\\", "/"))
    if file.suffix in _WITH_COMMENTS or file.name in _WITH_COMMENTS:
        return "jsonc"
    language = _ENDINGS.get(file.suffix)
    is_config = re.search(r"(?:^|[.])[tj]sconfig[.]", file.name) is not None
    return "jsonc" if language == "json" and (is_config or file.parent.name == ".vscode") else language


def parse_data(language: str, text: str) -> object:
    """Return the parsed value of JSON (with or without comments) or TOML. Raises `ValueError`."""
    try:
        if language == "toml":
            return tomllib.loads(text)
        return json.loads(without_comments(text).plain if language == "jsonc" else text)
    except RecursionError as error:
        raise ValueError("too deeply nested") from error


def usual_end(text: str) -> str:
    """Return the most frequent line end; LF if there is none, or in a tie."""
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=lambda end: counts[end])


# -- findings and issues ---------------------------------------------------------------------------


def _findings(language: str, text: str, checks: Iterable[_Check]) -> Iterator[_Found]:
    plain = text.removeprefix(_BOM)
    for check in checks:
        yield from check(plain)


def _told(language: str, found: list[_Found]) -> tuple[Issue, ...]:
    """Return the issues from the top down; per rule, the reported ones, then the count of the others."""
    counts, issues = Counter[str](), list[Issue]()
    for one in sorted(found, key=lambda one: one.line or 0):
        counts[one.rule] += 1
        if counts[one.rule] <= MOST_OF_A_RULE:
            place = None if one.line is None else Location(None, one.line, one.column)
            issues.append(Issue(one.message[:_MESSAGE_CHARS], kind=one.kind, rule=one.rule, location=place))
    kinds = {one.rule: one.kind for one in found}
    for rule, count in counts.items():
        if count > MOST_OF_A_RULE:
            message = f"{count - MOST_OF_A_RULE:,} more places where {rule} applies"
            issues.append(Issue(message, kind=kinds[rule], rule=rule))
    return tuple(_sourced(language, issue) for issue in issues)


def _sourced(language: str, issue: Issue) -> Issue:
    return issue.replace(source=f"tool:{language}")


def _of(issues: Iterable[Issue]) -> Iterator[_Found]:
    for issue in issues:
        place = issue.location
        line, column = (place.line, place.column) if place is not None else (None, None)
        yield _Found(issue.kind or "error", issue.rule or "", issue.message, line, column)


# -- data ------------------------------------------------------------------------------------------


def _json(text: str) -> Iterator[_Found]:
    try:
        yield from _duplicates(text, text)
    except ValueError as error:
        lenient = without_comments(text)
        if lenient.first_comment is None:
            yield _broken(error, text)
            return
        line, column = _places(text)(lenient.first_comment)
        yield _Found(
            "syntax", "json-comments", "JSON has no comments; a file that may have some is .jsonc", line, column
        )
        yield from _parsed(lenient.plain, text)


def _jsonc(text: str) -> Iterator[_Found]:
    return _parsed(without_comments(text).plain, text)


def _parsed(plain: str, text: str) -> Iterator[_Found]:
    try:
        yield from _duplicates(plain, text)
    except ValueError as error:
        yield _broken(error, text)


def _broken(error: ValueError, text: str) -> _Found:
    if isinstance(error, json.JSONDecodeError):  # whose rows end with LF alone
        line, column = _places(text)(error.pos)
        return _Found("syntax", "json", error.msg, line, column)
    return _Found("syntax", "json", str(error), None)


def _duplicates(plain: str, text: str) -> list[_Found]:
    """Return the duplicate keys of objects. Raises `ValueError` if `plain` does not parse."""
    has_some = False

    def read(pairs: list[tuple[str, object]]) -> None:
        nonlocal has_some
        has_some = has_some or len({key for key, _ in pairs}) < len(pairs)

    try:
        json.loads(plain, object_pairs_hook=read)
    except RecursionError:
        raise ValueError("too deeply nested") from None
    if not has_some:
        return []
    place = _places(text)
    return [
        _Found("error", "duplicate-key", _said_twice(one.key, place(one.first)[0]), *place(one.at))
        for one in repeated_keys(plain)
    ]


def _said_twice(key: str, row: int) -> str:
    shown = key if len(key) <= _LONGEST_QUOTED else f"{key[:_LONGEST_QUOTED]}…"
    return f"the key {shown!r} is in this object already, in row {row}"


def _places(text: str) -> Callable[[int], tuple[int, int]]:
    """Return a function from an offset to its row and column, both from 1."""
    starts = [0, *(end.end() for end in _ROW_END.finditer(text))]

    def place(offset: int) -> tuple[int, int]:
        row = bisect_right(starts, offset)
        return row, offset - starts[row - 1] + 1

    return place


def _toml(text: str) -> Iterator[_Found]:
    try:
        parse_data("toml", text)
    except ValueError as error:
        said = str(error)
        place = _TOML_PLACE.search(said)
        line, column = (int(place[1]), int(place[2])) if place else (len(_ROW_END.findall(text)) + 1, 1)
        yield _Found("syntax", "toml", said.rpartition(" (at ")[0] or said, line, column)


# -- rows ------------------------------------------------------------------------------------------


def _style(rule: str, message: str, line: int, column: int) -> _Found:
    return _Found("style", rule, message, line, column)


def _blanks(text: str, *, breaks: bool = False) -> Iterator[_Found]:
    for line, row in enumerate(_ROW_END.split(text), 1):
        if row[-1:] not in (" ", "\t"):
            continue
        kept = row.rstrip(" \t")
        is_break = breaks and len(row) == len(kept) + 2 and row.endswith("  ") and bool(kept)
        if not is_break:
            yield _style("trailing-whitespace", "blanks at the end of the row", line, len(kept) + 1)


def _markdown_blanks(text: str) -> Iterator[_Found]:
    return _blanks(text, breaks=True)


def _endings(text: str) -> Iterator[_Found]:
    if "\r" not in text:
        return
    usual, start = usual_end(text), 0
    for line, end in enumerate(_ROW_END.finditer(text), 1):
        if end[0] != usual:
            message = f"ends with {end[0]!r}, most rows with {usual!r}"
            yield _style("line-endings", message, line, end.start() - start + 1)
        start = end.end()


def _final_newline(text: str) -> Iterator[_Found]:
    if text and not text.endswith(("\n", "\r")):
        rows = _ROW_END.split(text)
        yield _style("final-newline", "the last row does not end", len(rows), len(rows[-1]) + 1)


def _fences(text: str) -> Iterator[_Found]:
    opened: tuple[str, int] | None = None
    for line, row in enumerate(_ROW_END.split(text), 1):
        fence = _FENCE.match(row)
        if fence is None:
            continue
        if opened is None:
            opened = (fence[1], line)
        elif fence[1].startswith(opened[0]) and not fence[2].strip():
            opened = None
    if opened is not None:
        fence, line = opened
        said = fence if len(fence) <= _LONGEST_QUOTED else f"{fence[:3]}… of {len(fence):,} marks"
        yield _Found("syntax", "unclosed-fence", f"nothing closes the fence {said}", line, 1)


# -- what a parser finds ---------------------------------------------------------------------------


def _yaml(text: str) -> Iterator[_Found]:
    from jido_ai.text.yaml import yaml_issues  # noqa: PLC0415 - the parser is loaded where there is YAML

    return _of(yaml_issues(text))


def _structure(text: str) -> Iterator[_Found]:
    from jido_ai.text.markdown import markdown_issues  # noqa: PLC0415 - loaded where there is Markdown

    return _of(markdown_issues(text))


_Check = Callable[[str], Iterator[_Found]]
_PLAIN: Final[Mapping[str, tuple[_Check, ...]]] = {
    "json": (_json,),
    "jsonc": (_jsonc,),
    "markdown": (_markdown_blanks, _endings, _final_newline, _fences),
    "text": (_blanks, _endings, _final_newline),
    "toml": (),
    "yaml": (_blanks, _endings, _final_newline),
}
_PARSED: Final[Mapping[str, tuple[_Check, ...]]] = {
    "json": (),
    "jsonc": (),
    "markdown": (_structure,),
    "text": (),
    "toml": (_toml,),
    "yaml": (_yaml,),
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
_WITH_COMMENTS: Final = frozenset(
    {
        *(".code-snippets", ".code-workspace", ".jsonc"),
        *(".babelrc", ".devcontainer.json", ".eslintrc.json", ".jscsrc", ".jshintrc", ".jslintrc", ".swcrc"),
        *("api-extractor.json", "devcontainer.json", "language-configuration.json", "pyrightconfig.json"),
        *("tslint.json", "typedoc.json", "deno.json"),
    }
)
"""Suffixes and whole names, in lower case, of JSON files in which programs allow comments."""
LANGUAGES: Final = tuple(_PLAIN)
"""The supported languages."""
