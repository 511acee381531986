"""The pytest plugin of `pytest_json`, in the process of the tests: collects the outcome of each test."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_frames
import jido_lines
import jido_watch

sys.path.pop(0)
import pytest  # after the pop: our neighbours must not shadow its imports

_FAILURE: Final = "jido_failure"
_RANK: Final = {"xfailed": 0, "skipped": 1, "passed": 2, "xpassed": 3, "error": 4, "failed": 5}


class _PytestReport:
    """A plugin of pytest."""

    def __init__(self, candidate: str, lines: jido_lines.Lines | None) -> None:
        self._places = jido_frames.Places(candidate)
        self._candidate = os.path.realpath(candidate)
        self._lines = lines
        self._conftests = {
            path
            for path in jido_watch.steering_files(os.curdir)
            if os.path.basename(path) == "conftest.py"  # noqa: PTH119
        }
        self._top = os.path.realpath(os.curdir) + os.sep
        self._functions: dict[tuple[str, ...], object] = {}
        self._has_begun = False
        self._process = os.getpid()
        self._chosen: set[str] = set()
        self._ended: set[str] = set()
        self._told: set[str] = set()
        self._outcomes: dict[str, str] = {}
        self._problems: dict[str, dict[str, object]] = {}
        self._broken: str | None = None
        self.has_finished = False

    def found(self) -> dict[str, object]:
        """Return the report."""
        outcomes = self._outcomes
        ran = [test for test, outcome in outcomes.items() if outcome not in ("skipped", "xfailed")]
        return {
            "ran": len(ran),
            "skipped": len(outcomes) - len(ran),
            "unfinished": len(self._chosen - (self._ended & self._told)),
            "problems": list(self._problems.values()),
            **jido_watch.bounded_outcomes(outcomes),
            **({} if self._lines is None else {"lines": self._lines.found()}),
            **({} if self._broken is None else {"broken": self._broken}),
        }

    # -- failures

    def _failure(
        self, report: pytest.TestReport | pytest.CollectReport, call: pytest.CallInfo[Any] | None
    ) -> dict[str, object]:
        error = None if call is None or call.excinfo is None else call.excinfo.value
        cause = error.__cause__ if isinstance(report, pytest.CollectReport) and error is not None else None
        shown = cause or error
        trace = None if shown is None else shown.__traceback__
        test, file = report.nodeid or "collection", report.nodeid.partition("::")[0]
        return self._places.failure(test, _message(report), shown, trace, file)

    def _keep(self, test: str, failure: dict[str, object]) -> None:
        if len(self._problems) < jido_frames.MOST_PROBLEMS:
            self._problems.setdefault(test, failure)

    # -- how tests ended

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, Any]:
        report: pytest.TestReport = (yield).get_result()
        if report.failed:
            setattr(report, _FAILURE, self._failure(report, call))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # final: a plugin may have rerun it, or another process (pytest-xdist) made it
            self._keep(report.nodeid, getattr(report, _FAILURE, None) or self._failure(report, None))
        outcome = _outcome(report)
        if outcome is not None or report.when == "call":
            self._told.add(report.nodeid)
        if outcome is not None:
            self._note(report.nodeid, outcome)

    def _note(self, test: str, outcome: str) -> None:
        known = self._outcomes.get(test)
        if known is None or _RANK[outcome] > _RANK[known]:
            self._outcomes[test] = outcome

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._ended.add(nodeid)
        if self._lines is not None:
            self._lines.end(nodeid, self._outcomes.get(nodeid) == "passed")

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, Any]:
        report: pytest.CollectReport = (yield).get_result()
        if report.failed:
            setattr(report, _FAILURE, self._failure(report, getattr(report, "call", None)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._keep(report.nodeid, getattr(report, _FAILURE, None) or self._failure(report, None))
            self._note(report.nodeid or "collection", "error")
        elif report.skipped:
            self._note(report.nodeid or "collection", "skipped")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._chosen.update(item.nodeid for item in session.items)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, Any]:
        self._broken = self._broken or self._replaced()  # now, before plugins undo their changes
        (yield).get_result()
        self.has_finished = os.getpid() == self._process  # False in a forked child that continues as if it were us

    # -- which lines tests ran

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None]:
        yield from self._watched()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None]:
        yield from self._watched()

    def _watched(self) -> Generator[None]:
        if self._lines is None:
            yield
        else:
            with self._lines.watched():
                yield

    # -- reports that are not credible

    def pytest_plugin_registered(self, plugin: object) -> None:
        name = getattr(plugin, "__file__", None)
        if isinstance(plugin, ModuleType) and isinstance(name, str):
            file = os.path.realpath(name)
            is_conftest = os.path.basename(file) == "conftest.py"  # noqa: PTH119
            if is_conftest and file.startswith(self._top) and file not in self._conftests:
                self._broken = self._broken or f"{os.path.relpath(file, self._top)} appeared while the tests ran"
        if self._has_begun and self._is_of_the_candidate(plugin):
            self._broken = self._broken or "the candidate made itself a plugin of pytest"

    def _is_of_the_candidate(self, plugin: object) -> bool:
        module = (
            plugin if isinstance(plugin, ModuleType) else sys.modules.get(getattr(plugin, "__module__", None) or "")
        )
        file = getattr(module, "__file__", None)
        is_conftest = os.path.basename(self._candidate) == "conftest.py"  # noqa: PTH119
        return not is_conftest and isinstance(file, str) and os.path.realpath(file) == self._candidate

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        self._has_begun = True  # from here on candidate code runs, besides imports of conftest.py or plugins
        self._functions = _functions_of_pytest()

    def _replaced(self) -> str | None:
        """Return which function of pytest was replaced since the collection began; None if none was."""
        after = _functions_of_pytest()
        for name, function in self._functions.items():
            if after.get(name) is not function:
                return f"{'.'.join(name)} was replaced while the tests ran"
        return None


def _functions_of_pytest() -> dict[tuple[str, ...], object]:
    """Return all functions of pytest's modules, and of the classes in them, by name."""
    found: dict[tuple[str, ...], object] = {}
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] not in ("_pytest", "pluggy") or not isinstance(module, ModuleType):
            continue
        for name, value in list(vars(module).items()):
            if isinstance(value, FunctionType):
                found[module_name, name] = value
            elif isinstance(value, type) and value.__module__ == module_name:
                for inner, method in list(vars(value).items()):
                    if isinstance(method, FunctionType | property | classmethod | staticmethod):
                        found[module_name, name, inner] = method
    return found


def _outcome(report: pytest.TestReport) -> str | None:
    """Return the outcome of a test from a report; None for a report without one, such as a successful setup."""
    if hasattr(report, "wasxfail"):
        return "xfailed" if report.skipped else "xpassed" if report.passed and report.when == "call" else None
    if report.failed:
        return "failed" if report.when not in ("setup", "teardown") else "error"
    if report.skipped:
        return "skipped"
    return "passed" if report.passed and report.when == "call" else None


def _message(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return the failure message, with the values that pytest knows."""
    crash = getattr(report.longrepr, "reprcrash", None)
    said = getattr(crash, "message", None) or str(report.longrepr or "failed")
    when = "" if getattr(report, "when", "call") in ("call", "collect") else f"in {report.when}: "
    return f"{when}{said}"


def run(file: str, arguments: list[str]) -> tuple[int, dict[str, object]]:
    """Run pytest and return its exit status and the report. A session that is cut short exits with it."""
    lines = None
    if arguments[:1] == ["--jido-lines"]:
        lines = jido_lines.Lines(json.loads(Path(arguments[1]).read_text("utf-8")))
        arguments = arguments[2:]
    plugin = _PytestReport(file, lines)
    status = int(pytest.main(arguments, plugins=[plugin]))
    if not plugin.has_finished:
        sys.exit(status)
    return status, plugin.found()
