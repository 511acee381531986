"""Reports of the compiler and of ruff, parsed, and the shared parts of all parsers. Pure.

Only structured formats are parsed (JSON, XML). `tools.reports.tests` parses tests, `tools.reports.checks` type checkers
and other checks. A text that is not a report raises `ToolError`: an empty result means no issues, so unreadable text
must never become an empty result.

Issues have kind, rule and location; `SEVERITIES` has the default weight of each kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jido_ai.errors import ToolError, describe
from jido_ai.values import Issue, Location

FIELD_CHARS: Final = 10_000
"""Maximum length of any text from a tool (SPEC J5)."""

SEVERITIES: Final = {
    "syntax": 1.0,  # it does not parse
    "cannot-run": 1.0,
    "timeout": 0.9,
    "test": 0.9,
    "error": 0.7,
    "warning": 0.4,
    "style": 0.2,
}
"""Severity of a finding of each kind (SPEC J6)."""

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the beginning of `text`, safe to display: at most `FIELD_CHARS` characters, no control characters.

    Line feeds and tabs stay; colours, other control characters, lone surrogates and direction marks are removed. A cut
    is marked.
    """
    note = " [the rest was cut]"
    seen = _seen(text[: 4 * FIELD_CHARS])
    if len(seen) <= FIELD_CHARS and len(text) <= 4 * FIELD_CHARS:
        return seen
    return seen[: FIELD_CHARS - len(note)] + note


def clean_end(text: str) -> str:
    """Return the end of `text`, safe to display like `clean`: programs report errors last."""
    note = "[the beginning was cut] "
    seen = _seen(text[-4 * FIELD_CHARS :])
    if len(seen) <= FIELD_CHARS and len(text) <= 4 * FIELD_CHARS:
        return seen
    return note + seen[-(FIELD_CHARS - len(note)) :]


def _seen(text: str) -> str:
    return _UNSEEN.sub("", _ANSI.sub("", text))


class Report(BaseModel):
    """Base of report models: unknown fields are ignored, because newer versions add some."""

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
    """Parse the output of our compile script: one "syntax" issue if the file does not compile, and the warnings."""
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


class SourcePos(Report):
    """Row and column, from 1; columns count characters."""

    row: int
    column: int


class RuffEdit(Report):
    """Replace the text from `location` up to `end_location` (exclusive) by `content`."""

    content: str | None
    location: SourcePos
    end_location: SourcePos


class RuffFix(Report):
    """The edits that fix one finding. "safe" preserves the program, according to ruff."""

    applicability: Literal["safe", "unsafe", "display"]
    edits: tuple[RuffEdit, ...]
    message: str | None = None


class RuffDiagnostic(Report):
    """One finding. A file that does not parse has the code None (older versions) or "invalid-syntax"."""

    code: str | None
    message: str
    filename: str | None = None
    location: SourcePos | None = None
    end_location: SourcePos | None = None
    fix: RuffFix | None = None
    url: str | None = None

    @property
    def is_syntax_error(self) -> bool:
        """True if the file could not be parsed, or not even read."""
        return self.code in (None, "invalid-syntax", "E902", "E999")


_RUFF_KINDS: Final = {
    "A": "warning", "ANN": "style", "B": "error", "BLE": "warning", "C4": "style", "COM": "style", "D": "style",
    "E": "style", "E7": "warning", "E9": "error", "EM": "style", "F": "error", "F401": "warning", "F541": "style",
    "F841": "warning", "I": "style", "N": "style", "PLE": "error", "PT": "style", "PTH": "style",
    "Q": "style", "RET": "style", "RUF": "style", "S": "error", "SIM": "style", "T20": "style", "TID": "style",
    "TRY": "style", "UP": "style", "W": "style", "W6": "warning",
}  # fmt: skip
"""Kind by the longest prefix of the rule; a rule without an entry is a warning."""


def ruff_diagnostics(text: str) -> tuple[RuffDiagnostic, ...]:
    """Parse `ruff check --output-format json`.

    Only the first of several syntax errors is kept: the others are consequences of it.

    Raises:
        ToolError: the text is not such a report.
    """
    try:
        found = _RUFF.validate_json(text)
    except ValidationError as error:
        raise ToolError(f"cannot read the report of ruff: {describe(text)}") from error
    first = next((one for one in found if one.is_syntax_error), None)
    return tuple(one for one in found if one is first or not one.is_syntax_error)


_RUFF: Final = TypeAdapter(tuple[RuffDiagnostic, ...])


def parse_ruff(text: str) -> tuple[Issue, ...]:
    """Parse `ruff check --output-format json`. Raises `ToolError` if the text is not such a report."""
    return tuple(
        Issue(
            clean(diagnostic.message),
            kind="syntax" if diagnostic.is_syntax_error else _ruff_kind(diagnostic.code or ""),
            rule=diagnostic.code or "invalid-syntax",
            location=place(
                diagnostic.filename,
                *((diagnostic.location.row, diagnostic.location.column) if diagnostic.location else (None, None)),
                *(
                    (diagnostic.end_location.row, diagnostic.end_location.column)
                    if diagnostic.end_location
                    else (None, None)
                ),
            ),
        )
        for diagnostic in ruff_diagnostics(text)
    )


def _ruff_kind(code: str) -> str:
    letters = code.rstrip("0123456789")
    # not shorter than the letters: "ERA001" does not match "E"
    prefixes = [code[:length] for length in range(len(code), len(letters) - 1, -1)]
    return next((_RUFF_KINDS[prefix] for prefix in prefixes if prefix in _RUFF_KINDS), "warning")


# -- shared ----------------------------------------------------------------------------------------


def read_report(kind: type[_AnyReport], text: str, what: str = "a report") -> _AnyReport:
    """Parse JSON of that shape. Raises `ToolError` if the text does not match."""
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise ToolError(f"cannot read {what}: {describe(text)}") from error


def place(path: str | None, *numbers: int | None) -> Location | None:
    """Return the known part of a location: line, column, end line, end column; 0 or less means unknown."""
    line, column, end_line, end_column = (*_known(numbers), None, None, None, None)[:4]
    if path is None and line is None:
        return None
    known = clean(path) if path else None
    return Location(known) if line is None else Location(known, line, column, end_line, end_column)


def _known(numbers: Iterable[int | None]) -> list[int | None]:
    return [number if number is not None and number >= 1 else None for number in numbers]
