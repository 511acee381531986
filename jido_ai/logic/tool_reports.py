"""What tools write, read: text in, issues out.

Only structured forms are read (JSON, JUnit XML). Whatever is not one raises `ToolError`; an empty answer is no issue,
so text that cannot be understood must never come out as an empty answer.

The issues carry kind, rule and place; what a kind weighs is in `SEVERITIES`, unless the critiquer was told otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Final, Literal, TypeVar
from xml.etree import ElementTree

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jido_ai.errors import ToolError, describe
from jido_ai.values import Issue, Location

__all__ = [
    "FIELD_CHARS",
    "SEVERITIES",
    "Place",
    "RuffDiagnostic",
    "RuffEdit",
    "RuffFix",
    "clean",
    "clean_end",
    "parse_compile",
    "parse_junit",
    "parse_ruff",
    "parse_unittest",
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


class _Report(BaseModel):
    """Base of what tools write: unknown fields are ignored, as newer versions add some."""

    model_config = ConfigDict(frozen=True, extra="ignore")


_AnyReport = TypeVar("_AnyReport", bound=_Report)

# -- compile ---------------------------------------------------------------------------------------


class _CompileProblem(_Report):
    rule: str
    message: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class _CompileReport(_Report):
    problems: tuple[_CompileProblem, ...]


def parse_compile(text: str) -> tuple[Issue, ...]:
    """Read what our compile script wrote: one "syntax" issue when the file does not compile, and the warnings."""
    return tuple(
        Issue(
            clean(problem.message),
            kind="warning" if problem.rule.endswith("Warning") else "syntax",
            rule=clean(problem.rule),
            location=_location(None, problem.line, problem.column, problem.end_line, problem.end_column),
        )
        for problem in _read(_CompileReport, text).problems
    )


# -- ruff ------------------------------------------------------------------------------------------


class Place(_Report):
    """Row and column count from 1; a column counts characters."""

    row: int
    column: int


class RuffEdit(_Report):
    """Put `content` in place of what is from `location` to before `end_location`."""

    content: str | None
    location: Place
    end_location: Place


class RuffFix(_Report):
    """The edits that mend one finding. "safe" keeps what the program does, by ruff's own word."""

    applicability: Literal["safe", "unsafe", "display"]
    edits: tuple[RuffEdit, ...]


class RuffDiagnostic(_Report):
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
            location=_location(
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


# -- tests -----------------------------------------------------------------------------------------


class _NoDoctype(ElementTree.TreeBuilder):
    """Refuses documents that declare a type, and with it entities that grow when they are read."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ToolError(f"a test report declares the document type {describe((name, pubid, system))}; refused")


def parse_junit(text: str) -> tuple[Issue, ...]:
    """Read JUnit XML of the family xunit1: one issue per failing test, with its id, message and place.

    Raises:
        ToolError: it is something else, or no test ran, the skipped ones not counted.
    """
    try:
        root = ElementTree.fromstring(text, parser=ElementTree.XMLParser(target=_NoDoctype()))
    except (ElementTree.ParseError, ValueError) as error:
        raise ToolError(f"cannot read the test report, which is not XML: {describe(text)}") from error
    cases = list(root.iter("testcase"))
    ran = [case for case in cases if case.find("skipped") is None]
    _require_tests(len(ran), len(cases) - len(ran))
    return tuple(issue for case in ran if (issue := _failing(case)) is not None)


def _failing(case: ElementTree.Element) -> Issue | None:
    failure, error = case.find("failure"), case.find("error")
    fault = failure if failure is not None else error
    if fault is None:
        return None
    test = _test_id(case)
    # the message of an error says only that there is one ("collection failure"); the text has the traceback
    said = (
        [fault.get("message") or "failed"] if fault is failure else [fault.get("message") or "error", fault.text or ""]
    )
    line = case.get("line")
    return Issue(
        clean(f"{test}: " + "\n".join(said).strip()),
        kind="test",
        rule=test,
        location=_location(case.get("file"), int(line) + 1 if line and line.isdecimal() else None),
    )


def _test_id(case: ElementTree.Element) -> str:
    """Return the id by which pytest knows a test: `tests/test_a.py::TestB::test_c[1]`."""
    file, names, name = case.get("file") or "", case.get("classname") or "", case.get("name") or "?"
    module = ".".join(PurePosixPath(file).with_suffix("").parts) if file else ""
    if module and f"{names}.{name}".strip(".") == module:
        return clean(file)  # the module itself could not be imported
    classes = names.removeprefix(module).strip(".").split(".") if module else [names]
    return clean("::".join(part for part in (file, *classes, name) if part))


class _UnittestProblem(_Report):
    test: str
    message: str
    path: str | None = None
    line: int | None = None


class _UnittestReport(_Report):
    ran: int
    skipped: int
    problems: tuple[_UnittestProblem, ...]


def parse_unittest(text: str) -> tuple[Issue, ...]:
    """Read what our unittest script wrote: one issue per failing test.

    Raises:
        ToolError: it is something else, or no test ran, the skipped ones not counted.
    """
    report = _read(_UnittestReport, text)
    if not report.problems:
        _require_tests(report.ran - report.skipped, report.skipped)
    return tuple(
        Issue(
            clean(f"{problem.test}: {problem.message}"),
            kind="test",
            rule=clean(problem.test),
            location=_location(problem.path, problem.line),
        )
        for problem in report.problems
    )


def _require_tests(ran: int, skipped: int) -> None:
    if ran <= 0:
        raise ToolError(f"no test ran ({skipped} skipped): nothing was shown to work")


# -- shared ----------------------------------------------------------------------------------------


def _read(kind: type[_AnyReport], text: str) -> _AnyReport:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise ToolError(f"cannot read a report: {describe(text)}") from error


def _location(path: str | None, *numbers: int | None) -> Location | None:
    """Return the place as far as it is known; tools write 0 or less for "no idea"."""
    line, column, end_line, end_column = (*_known(numbers), None, None, None, None)[:4]
    if path is None and line is None:
        return None
    known = clean(path) if path else None
    return Location(known) if line is None else Location(known, line, column, end_line, end_column)


def _known(numbers: Iterable[int | None]) -> list[int | None]:
    return [number if number is not None and number >= 1 else None for number in numbers]
