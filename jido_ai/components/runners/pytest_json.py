"""Run tests with pytest and write how they ended as JSON. A script: it is run, never imported.

    python -P -s pytest_json.py REPORT FILE [PYTEST ARGUMENT...]

Writes {"ran", "skipped", "unfinished", "problems", "passed"} to REPORT; the problems are as in `jido_frames`, with FILE
as the candidate, and passed are the ids of the first 10,000 tests that did. Skipped tests and those that are expected
to fail did not run; unfinished are those that were chosen and of which no end was seen. Ends as pytest does. A session
that does not come to its end writes nothing.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_frames

sys.path.pop(0)
import pytest  # after the pop: a neighbour of ours must not be taken for what it imports

_FAILURE: Final = "jido_failure"
_MOST_PASSED: Final = 10_000  # their ids stay well below what an executor reads back


class _Report:
    """A plugin of pytest."""

    def __init__(self, report: Path, candidate: str) -> None:
        self._report = report
        self._places = jido_frames.Places(candidate)
        self._process = os.getpid()
        self._chosen: set[str] = set()
        self._ended: set[str] = set()
        self._ran: set[str] = set()
        self._skipped: set[str] = set()
        self._failed: set[str] = set()
        self._problems: dict[str, dict[str, object]] = {}

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

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call: pytest.CallInfo[None]) -> Generator[None, Any]:
        report: pytest.TestReport = (yield).get_result()
        if report.failed:
            setattr(report, _FAILURE, self._failure(report, call))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:  # for good: a plugin may have run it again; or another process made it, as with pytest-xdist
            self._failed.add(report.nodeid)
            self._keep(report.nodeid, getattr(report, _FAILURE, None) or self._failure(report, None))
        if report.skipped:
            self._skipped.add(report.nodeid)
        elif report.when == "call" or report.failed:
            self._ran.add(report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._ended.add(nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_make_collect_report(self) -> Generator[None, Any]:
        report: pytest.CollectReport = (yield).get_result()
        if report.failed:
            setattr(report, _FAILURE, self._failure(report, getattr(report, "call", None)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._keep(report.nodeid, getattr(report, _FAILURE, None) or self._failure(report, None))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._chosen.update(item.nodeid for item in session.items)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if os.getpid() != self._process:  # a test forked, and its child went on as if it were us
            return
        found = {
            "ran": len(self._ran),
            "skipped": len(self._skipped - self._ran),
            "unfinished": len(self._chosen - self._ended),
            "problems": list(self._problems.values()),
            "passed": [test[:200] for test in sorted(self._ran - self._failed)][:_MOST_PASSED],
        }
        self._report.write_text(json.dumps(found), "utf-8")


def _message(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return what failed, with the values that pytest knows."""
    crash = getattr(report.longrepr, "reprcrash", None)
    said = getattr(crash, "message", None) or str(report.longrepr or "failed")
    when = "" if getattr(report, "when", "call") in ("call", "collect") else f"in {report.when}: "
    return f"{when}{said}"


def _main(report: str, file: str, *arguments: str) -> int:
    plugin = _Report(Path.cwd() / report, file)
    sys.path.insert(0, str(Path.cwd()))
    return int(pytest.main(list(arguments), plugins=[plugin]))


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
