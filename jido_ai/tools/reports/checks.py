"""Reports of type checkers, of bandit, and of our scripts for text rules, parsed. Pure."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from jido_ai.errors import ToolError
from jido_ai.tools.reports.linters import Report, clean, place, read_report
from jido_ai.values import Issue

_ABOUT_THE_MACHINE: Final = frozenset(
    {"import-not-found", "import-untyped", "reportMissingImports", "reportMissingModuleSource"}
)
"""A missing module may be present where the program runs: a warning, not an error."""


# -- mypy ------------------------------------------------------------------------------------------


class _MypyProblem(Report):
    file: str
    line: int
    column: int
    end_line: int | None = None
    end_column: int | None = None
    message: str
    hint: str | None = None
    code: str | None = None
    severity: str


def parse_mypy(text: str) -> tuple[Issue, ...]:
    """Parse `mypy --output json`: one JSON object per line. Separate notes are left out.

    Only the first of several syntax errors is kept. Raises `ToolError` if the text is not such a report.
    """
    issues: list[Issue] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        one = read_report(_MypyProblem, line)
        is_syntax = one.code == "syntax"
        if one.severity == "note" or (is_syntax and any(issue.kind == "syntax" for issue in issues)):
            continue
        shift = 0 if is_syntax else 1  # columns count from 0, but from 1 for syntax errors
        columns = (one.column + shift, one.end_line, None if one.end_column is None else one.end_column + shift)
        kind = "syntax" if is_syntax else "warning" if one.code in _ABOUT_THE_MACHINE else "error"
        message = one.message if one.hint is None else f"{one.message} ({one.hint})"
        where = place(one.file, one.line, *columns)
        issues.append(Issue(clean(message), kind=kind, rule=clean(one.code or "mypy"), location=where))
    return tuple(issues)


# -- pyright ---------------------------------------------------------------------------------------


class _Position(Report):
    line: int
    character: int


class _Range(Report):
    start: _Position
    end: _Position


class _PyrightProblem(Report):
    file: str | None = None
    severity: Literal["error", "warning", "information"]
    message: str
    range: _Range | None = None
    rule: str | None = None


class _PyrightSummary(Report):
    files: int = Field(alias="filesAnalyzed")


class _PyrightReport(Report):
    problems: tuple[_PyrightProblem, ...] = Field(alias="generalDiagnostics")
    summary: _PyrightSummary


_PYRIGHT_KINDS: Final = {"error": "error", "warning": "warning", "information": "style"}


def parse_pyright(text: str) -> tuple[Issue, ...]:
    """Parse `pyright --outputjson`, or basedpyright's. Errors without a rule are syntax errors; the first counts.

    Raises:
        ToolError: the text is not such a report, or no file was checked.
    """
    report = read_report(_PyrightReport, text)
    if report.summary.files < 1:
        raise ToolError("it checked no file")
    issues: list[Issue] = []
    for problem in report.problems:
        is_syntax = problem.rule is None and problem.severity == "error"
        if is_syntax and any(issue.kind == "syntax" for issue in issues):
            continue
        kind = "syntax" if is_syntax else _PYRIGHT_KINDS[problem.severity]
        kind = "warning" if problem.rule in _ABOUT_THE_MACHINE and kind == "error" else kind
        where = place(problem.file, *(() if problem.range is None else _numbers(problem.range)))
        rule = clean(problem.rule or ("invalid-syntax" if is_syntax else "pyright"))
        issues.append(Issue(clean(problem.message), kind=kind, rule=rule, location=where))
    return tuple(issues)


def _numbers(span: _Range) -> tuple[int, int, int, int]:
    return span.start.line + 1, span.start.character + 1, span.end.line + 1, span.end.character + 1


# -- bandit ----------------------------------------------------------------------------------------


class _BanditProblem(Report):
    filename: str
    test_id: str
    issue_text: str
    issue_severity: str
    line_number: int
    col_offset: int = -1
    end_col_offset: int = -1
    line_range: tuple[int, ...] = ()


class _BanditError(Report):
    filename: str
    reason: str


class _BanditReport(Report):
    errors: tuple[_BanditError, ...]
    results: tuple[_BanditProblem, ...]


_BANDIT_KINDS: Final = {"HIGH": "error", "MEDIUM": "warning", "LOW": "style", "UNDEFINED": "warning"}


def parse_bandit(text: str) -> tuple[Issue, ...]:
    """Parse `bandit -f json`: high severity is an error, medium a warning, low has the weight of style.

    Raises:
        ToolError: the text is not such a report, or a file could not be examined for a reason other than its syntax.
    """
    report = read_report(_BanditReport, text)
    for error in report.errors:
        if "syntax error" not in error.reason:
            raise ToolError(f"it could not examine {clean(error.filename)}: {clean(error.reason)}")
    return (
        *(
            Issue(clean(error.reason), kind="syntax", rule="invalid-syntax", location=place(error.filename))
            for error in report.errors[:1]
        ),
        *(
            Issue(
                clean(result.issue_text),
                kind=_BANDIT_KINDS.get(result.issue_severity, "warning"),
                rule=clean(result.test_id),
                location=place(
                    result.filename,
                    result.line_number,
                    result.col_offset + 1,
                    # the end column belongs to the last line, which is only known if there is just one
                    *((result.line_number, result.end_col_offset + 1) if len(result.line_range) <= 1 else ()),
                ),
            )
            for result in report.results
        ),
    )


# -- rules -----------------------------------------------------------------------------------------


class _RuleProblem(Report):
    rule: str
    message: str
    kind: str
    severity: float | None = Field(default=None, ge=0.0, le=1.0, allow_inf_nan=False)
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class _RuleReport(Report):
    problems: tuple[_RuleProblem, ...]


def parse_rules(text: str) -> tuple[Issue, ...]:
    """Parse the output of our scripts for rules and schemas. Raises `ToolError` if it is not such a report."""
    return tuple(
        Issue(
            clean(problem.message),
            kind=clean(problem.kind),
            rule=clean(problem.rule),
            severity=problem.severity,
            location=place(None, problem.line, problem.column, problem.end_line, problem.end_column),
        )
        for problem in read_report(_RuleReport, text).problems
    )
