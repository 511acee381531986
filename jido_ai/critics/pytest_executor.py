"""PytestExecutor: runs pytest for a `PytestCritiquer`, with one result per test."""

from __future__ import annotations

from math import inf
from pathlib import Path

from jido_ai.components.component import check_critique_call
from jido_ai.critics.pytest_critiquer import PytestResult
from jido_ai.errors import ConfigurationError, ToolError
from jido_ai.protocols import RunContext, ToolExecutor
from jido_ai.tools.lookup import default_executor, project_path, tool_named
from jido_ai.tools.reports.linters import clean_end
from jido_ai.tools.reports.tests import parse_results
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate
from jido_ai.values.tool import ToolRun


class PytestExecutor:
    """Runs tests with pytest, in the sandbox, in a fresh copy of the project.

    An invalid run (killed at its limit, crashed, report missing or not credible) is one failed test named "pytest" that
    gives the reason. Skipped tests are not reported. At most 1,000 failures and 20,000 tests are counted. The tests run
    in one process with the candidate, so a malicious candidate can forge a matching report.

    Args:
        tests: the tests to run, relative to `root`: a file, a directory or an id; None is everything that pytest finds.
        root: the project; None: the candidate itself is the test file.
        replaces: the file of the project that the candidate replaces, relative to `root`.
        executor: runs the program; by default the registered "sandbox".
        unsafe: accept that hostile code is not confined where no sandbox is available.
        timeout_s: time limit of pytest in seconds.

    Raises:
        ConfigurationError: a path is outside the project, the root is not a directory, a candidate for a project lacks
            `replaces`, or pytest is not installed.
    """

    def __init__(
        self,
        tests: str | None = None,
        *,
        root: Path | str | None = None,
        replaces: str | None = None,
        executor: ToolExecutor | None = None,
        unsafe: bool = False,
        timeout_s: float = 60.0,
    ) -> None:
        if not 0.0 < timeout_s < inf:
            raise ConfigurationError(f"timeout_s must be above 0 and finite, got {timeout_s}")
        if root is not None and replaces is None:
            raise ConfigurationError("root needs replaces: the file of the project that the candidate replaces")
        self._root, self._path = project_path(root, replaces)
        self._executor = executor or default_executor()
        self._unsafe = unsafe
        self._timeout_s = timeout_s
        tool = tool_named("pytest")
        if self._root is not None:
            tool = tool.in_project(self._root, self._path or tool.filename)
        tool = tool.found(self._executor)
        self._tool: Tool = tool if tests is None else tool.with_arguments(tests)

    async def run_tests(self, candidate: Candidate, context: RunContext) -> list[PytestResult]:
        """Return the result of each test."""
        check_critique_call(candidate, context)
        left_s = context.time_left_s
        limit_s = min(self._timeout_s, inf if left_s is None else left_s)
        job = self._tool.job(
            candidate.content, tree=self._root, path=self._path, timeout_s=limit_s, unsafe=self._unsafe
        )
        try:
            run = await self._executor.run(job)
        except ToolError as error:
            return [_not_run(str(error))]
        return _results(self._tool, run, job.timeout_s)


def _results(tool: Tool, run: ToolRun, timeout_s: float) -> list[PytestResult]:
    if run.timed_out:
        return [_not_run(f"it was killed: it did not finish within {timeout_s:g} s")]
    said = clean_end(run.stderr.strip() or run.stdout.strip() or "no output")
    if run.report is None or (tool.ran is not None and run.exit_status not in tool.ran):
        return [_not_run(f"exit status {run.exit_status}: {said}")]
    try:
        passed, failed, unfinished = parse_results(run.report)
    except ToolError as error:
        return [_not_run(str(error))]
    results = [PytestResult(name, True) for name in passed]
    results += [PytestResult(name, False, error=message) for name, message in failed]
    if unfinished:
        results.append(_not_run(f"the tests ended early: {unfinished} of the selected tests did not finish"))
    if not results and run.exit_status not in (0, 5):  # 5: no tests were collected
        return [_not_run(f"exit status {run.exit_status}: {said}")]
    return results


def _not_run(why: str) -> PytestResult:
    return PytestResult("pytest", False, error=f"pytest cannot run: {why}")
