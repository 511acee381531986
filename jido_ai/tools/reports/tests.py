"""Reports of tests, parsed: JSON of our runners for pytest, unittest and doctest. Pure.

A report in which no test ran raises `ToolError`, because it proves nothing.
"""

from __future__ import annotations

from typing import Final

from pydantic import Field

from jido_ai.errors import ToolError, describe
from jido_ai.tools.reports.linters import Report, clean, place, read_report
from jido_ai.tools.reports.outcomes import CUT
from jido_ai.values import Issue

_OUTCOMES: Final = frozenset({"passed", "failed", "error", "skipped", "xfailed", "xpassed"})


class _At(Report):
    path: str | None
    line: int | None
    text: str = ""


class _Problem(Report):
    test: str
    message: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    at: _At | None = None


class _TestReport(Report):
    ran: int
    skipped: int
    unfinished: int
    problems: tuple[_Problem, ...]
    outcomes: dict[str, str] = Field(default_factory=dict[str, str])
    outcomes_cut: bool = False
    lines: dict[str, dict[int, tuple[str, ...]]] = Field(default_factory=dict[str, dict[int, tuple[str, ...]]])
    broken: str | None = None


def parse_tests(text: str) -> tuple[Issue, ...]:
    """Parse the output of our scripts: one issue per failing test.

    The message is the failure, with the values if they are known, and on its own line the place in the test. The
    location is the innermost place in the candidate if the failure came through it, else the place in the test.

    Raises:
        ToolError: the text is not such a report, or the report itself says that it is not credible; no test ran, apart
            from skipped ones; or none failed but not all selected tests finished.
    """
    report = _believed(text)
    if not report.problems:
        if report.unfinished > 0:
            raise ToolError(f"the tests ended early: {report.unfinished} of the selected tests did not finish")
        _require_tests(report.ran, report.skipped)
    return tuple(
        Issue(
            clean("\n".join([f"{problem.test}: {problem.message}", *_line_of(problem)])),
            kind="test",
            rule=clean(problem.test),
            location=place(problem.path, problem.line, problem.column),
        )
        for problem in report.problems
    )


def _line_of(problem: _Problem) -> list[str]:
    at = problem.at
    if at is None or at.path is None or not at.text:
        return []
    return [f"at {at.path}:{at.line}: {at.text}"]


def parse_results(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], int]:
    """Parse the output of our pytest script: passed tests, failed tests with reasons, number of unfinished tests.

    Raises:
        ToolError: the text is not such a report, or is not credible.
    """
    report = _believed(text)
    failed = tuple((problem.test, "\n".join([problem.message, *_line_of(problem)])) for problem in report.problems)
    passed = tuple(test for test, outcome in report.outcomes.items() if outcome in ("passed", "xpassed"))
    return passed, failed, max(0, report.unfinished)


def parse_outcomes(text: str) -> dict[str, str]:
    """Parse the output of our scripts: the outcome of each test, by name.

    The outcomes are "passed", "failed", "error" (outside of the test itself, or of a file that cannot be collected),
    "skipped", "xfailed" and "xpassed". A file that is skipped as a whole, or cannot be collected, is a separate entry.
    If there were too many tests, the last entry is `tools.reports.outcomes.CUT`, with the outcome "cut".

    Raises:
        ToolError: the text is not such a report, or is not credible.
    """
    report = _believed(text)
    unknown = {outcome for outcome in report.outcomes.values() if outcome not in _OUTCOMES}
    if unknown:
        raise ToolError(f"a test report has unknown outcomes: {describe(sorted(unknown))}")
    return {**report.outcomes, CUT: "cut"} if report.outcomes_cut else report.outcomes


def parse_lines(text: str) -> dict[str, dict[int, tuple[str, ...]]]:
    """Parse the output of our pytest script: for each watched line, passing tests that ran it.

    Up to three tests are listed per line; lines that no test ran are left out.

    Raises:
        ToolError: the text is not such a report, or is not credible.
    """
    return _believed(text).lines


def _believed(text: str) -> _TestReport:
    report = read_report(_TestReport, text)
    if report.broken is not None:
        raise ToolError(f"the test results are not credible: {clean(report.broken)}")
    return report


def _require_tests(ran: int, skipped: int) -> None:
    if ran <= 0:
        raise ToolError(f"no test ran ({skipped} skipped): nothing was tested")
