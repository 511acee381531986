"""What tools write, read: text in, issues out. Pure.

Only structured forms are read (JSON, XML). Here are what all of them share, the compiler and ruff; `tool_reports_tests`
reads tests, `tool_reports_checks` type checkers and other checks. Whatever is not one raises `ToolError`; an empty
answer is no issue, so text that cannot be understood must never come out as an empty answer.

The issues carry kind, rule and place; what a kind weighs is in `SEVERITIES`, unless the critiquer was told otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jido_ai.errors import ToolError, describe
from jido_ai.values import Issue, Location

__all__ = [
    "FIELD_CHARS",
    "SEVERITIES",
    "Place",
    "Report",
    "RuffDiagnostic",
    "RuffEdit",
    "RuffFix",
    "clean",
    "clean_end",
    "parse_compile",
    "parse_ruff",
    "place",
    "read_report",
    "ruff_diagnostics",
]

FIELD_CHARS: Final = 10_000
"""No text of a tool is longer than this when it leaves us (SPEC J5)."""

SEVERITIES: Final = {
    "syntax": 1.0,  # it does not parse
    "cannot-run": 1.0,
    "timeout": 0.9,
    "test": 0.9,
    "error": 0.7,
    "warning": 0.4,
    "style": 0.2,
}
"""What a finding of each kind weighs (SPEC J6)."""

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the beginning of `text`, fit to be shown: at most `FIELD_CHARS` characters, no control characters.

    Line feeds and tabs stay; colours, other control characters, lone surrogates and marks that turn the direction of
    writing go. A cut is told.
    """
    note = " [the rest was cut]"
    seen = _seen(text[: 4 * FIELD_CHARS])
    if len(seen) <= FIELD_CHARS and len(text) <= 4 * FIELD_CHARS:
        return seen
    return seen[: FIELD_CHARS - len(note)] + note


def clean_end(text: str) -> str:
    """Return the end of `text`, fit to be shown like `clean`: programs say last what went wrong."""
    note = "[the beginning was cut] "
    seen = _seen(text[-4 * FIELD_CHARS :])
    if len(seen) <= FIELD_CHARS and len(text) <= 4 * FIELD_CHARS:
        return seen
    return note + seen[-(FIELD_CHARS - len(note)) :]


def _seen(text: str) -> str:
    return _UNSEEN.sub("", _ANSI.sub("", text))


class Report(BaseModel):
    """Base of what tools write: unknown fields are ignored, as newer versions add some."""

    model_config = ConfigDict(frozen=True, extra="ignore")


_AnyReport = TypeVar("_AnyReport", bound=Report)

# -- compile ---------------------------------------------------------------------------------------


class _CompileProblem(Report):
    rule: str
    message: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class _CompileReport(Report):
    problems: tuple[_CompileProblem, ...]


def parse_compile(text: str) -> tuple[Issue, ...]:
    """Read what our compile script wrote: one "syntax" issue when the file does not compile, and the warnings."""
    return tuple(
        Issue(
            clean(problem.message),
            kind="warning" if problem.rule.endswith("Warning") else "syntax",
            rule=clean(problem.rule),
            location=place(None, problem.line, problem.column, problem.end_line, problem.end_column),
        )
        for problem in read_report(_CompileReport, text).problems
    )


# -- ruff ------------------------------------------------------------------------------------------


class Place(Report):
    """Row and column count from 1; a column counts characters."""

    row: int
    column: int


class RuffEdit(Report):
    """Put `content` in place of what is from `location` to before `end_location`."""

    content: str | None
    location: Place
    end_location: Place


class RuffFix(Report):
    """The edits that mend one finding. "safe" keeps what the program does, by ruff's own word."""

    applicability: Literal["safe", "unsafe", "display"]
    edits: tuple[RuffEdit, ...]


class RuffDiagnostic(Report):
    """One finding. A file that does not parse has the code None (older versions) or "invalid-syntax"."""

    code: str | None
    message: str
    filename: str | None = None
    location: Place | None = None
    end_location: Place | None = None
    fix: RuffFix | None = None

    @property
    def is_syntax_error(self) -> bool:
        """True when the file could not be parsed, or not even read."""
        return self.code in (None, "invalid-syntax", "E902", "E999")


_RUFF_KINDS: Final = {
    "A": "warning", "ANN": "style", "B": "error", "BLE": "warning", "C4": "style", "COM": "style", "D": "style",
    "E": "style", "E7": "warning", "E9": "error", "EM": "style", "F": "error", "F401": "warning", "F541": "style",
    "F841": "warning", "I": "style", "N": "style", "PLE": "error", "PT": "style", "PTH": "style",
    "Q": "style", "RET": "style", "RUF": "style", "S": "error", "SIM": "style", "T20": "style", "TID": "style",
    "TRY": "style", "UP": "style", "W": "style", "W6": "warning",
}  # fmt: skip
"""Kind by the longest prefix of the rule; a rule that is not here is a warning."""


def ruff_diagnostics(text: str) -> tuple[RuffDiagnostic, ...]:
    """Read `ruff check --output-format json`.

    Of several syntax errors only the first is kept: the others are what the parser stumbled over afterwards.

    Raises:
        ToolError: it is something else.
    """
    try:
        found = _RUFF.validate_json(text)
    except ValidationError as error:
        raise ToolError(f"cannot read the report of ruff: {describe(text)}") from error
    first = next((one for one in found if one.is_syntax_error), None)
    return tuple(one for one in found if one is first or not one.is_syntax_error)


_RUFF: Final = TypeAdapter(tuple[RuffDiagnostic, ...])


def parse_ruff(text: str) -> tuple[Issue, ...]:
    """Read `ruff check --output-format json`. Raises `ToolError` when it is something else."""
    return tuple(
        Issue(
            clean(one.message),
            kind="syntax" if one.is_syntax_error else _ruff_kind(one.code or ""),
            rule=one.code or "invalid-syntax",
            location=place(
                one.filename,
                *((one.location.row, one.location.column) if one.location else (None, None)),
                *((one.end_location.row, one.end_location.column) if one.end_location else (None, None)),
            ),
        )
        for one in ruff_diagnostics(text)
    )


def _ruff_kind(code: str) -> str:
    letters = code.rstrip("0123456789")
    # not below the letters: "ERA001" is no "E"
    prefixes = [code[:length] for length in range(len(code), len(letters) - 1, -1)]
    return next((_RUFF_KINDS[prefix] for prefix in prefixes if prefix in _RUFF_KINDS), "warning")


# -- shared ----------------------------------------------------------------------------------------


def read_report(kind: type[_AnyReport], text: str) -> _AnyReport:
    """Read JSON of that shape. Raises `ToolError` when it is something else."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise ToolError(f"cannot read a report: {describe(text)}") from error


def place(path: str | None, *numbers: int | None) -> Location | None:
    """Return the place as far as it is known: line, column, end line, end column; 0 or less means "no idea"."""
    line, column, end_line, end_column = (*_known(numbers), None, None, None, None)[:4]
    if path is None and line is None:
        return None
    known = clean(path) if path else None
    return Location(known) if line is None else Location(known, line, column, end_line, end_column)


def _known(numbers: Iterable[int | None]) -> list[int | None]:
    return [number if number is not None and number >= 1 else None for number in numbers]
