"""Run tests and write the lines of one file that each of them ran, as JSON. A script: it is run, never imported.

    python -P -s pytest_spectrum.py REPORT FILE SECONDS [PYTEST ARGUMENT...]

Writes {"tests": [{"test", "failure", "message", "lines"}], "imported": [line, ...], "duration_s", "collection_s"} to
REPORT and exits with 0.
`failure` is null for a passed test, else the name of the exception, and `message` its message; a test that takes longer
than SECONDS fails with "Timeout". After each timeout the limit is halved, down to 0.25. FILE may be ".": then the
lines are those of all files of the project that are no tests, by path: {"shop/cart.py": [line, ...]}.

Lines that run when the file is imported belong to every test and are told as `imported`; if tests cannot be collected,
that is a failing test of those lines. Skipped tests are left out; the duration is that of the finished tests, the
collection is in seconds of CPU time. If pytest cannot start, nothing is written. It needs pytest, and traces with
`sys.settrace`, like a debugger.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_path

sys.path.pop(0)
import pytest  # after the pop: our neighbours must not shadow its imports

_ALL: Final = frozenset({"passed", "failed"})
_MESSAGE_CHARS: Final = 2_000
_LEAST_S: Final = 0.25


class Timeout(BaseException):
    """A test took too long. Not an Exception, which the code under test might catch."""


class _Spectra:
    """A pytest plugin."""

    def __init__(self, file: str, limit_s: float, report: Path) -> None:
        self._report = report  # before a test changes the directory
        self._duration_s = 0.0
        self._collection_s = 0.0
        self._file = os.path.realpath(file)
        self._is_project = os.path.isdir(self._file)  # noqa: PTH112
        self._limit_s = limit_s
        self._timeouts = 0
        self._paths: dict[str, str | None] = {}
        self._lines: set[tuple[str, int]] = set()
        self._imported: set[tuple[str, int]] = set()
        self._failures: dict[str, str | None] = {}
        self._messages: dict[str, str] = {}
        self._ran: dict[str, set[tuple[str, int]]] = {}

    def write(self) -> None:
        """Write the report."""
        tests = [
            {
                "test": test,
                "failure": failure,
                "message": self._messages.get(test, ""),
                "lines": self._told(self._imported | self._ran.get(test, set())),
            }
            for test, failure in self._failures.items()
        ]
        found: dict[str, Any] = {"tests": tests, "imported": self._told(self._imported)}
        found |= {"duration_s": self._duration_s, "collection_s": self._collection_s}
        self._report.write_text(json.dumps(found), "utf-8")

    def _told(self, lines: set[tuple[str, int]]) -> Any:
        if not self._is_project:
            return sorted(line for _, line in lines)
        found: dict[str, list[int]] = {}
        for path, line in sorted(lines):
            found.setdefault(path, []).append(line)
        return found

    # -- tracing

    def trace(self, frame: FrameType, _event: str, _arg: object) -> Any:
        name = frame.f_code.co_filename
        if name not in self._paths:
            self._paths[name] = self._path(os.path.realpath(name))
        return self._line if self._paths[name] is not None else None

    def _path(self, place: str) -> str | None:
        """Return the path of a file whose lines are recorded; None of any other."""
        if not self._is_project:
            return place if place == self._file else None
        path = os.path.relpath(place, self._file).replace(os.sep, "/")
        name = path.rpartition("/")[2]
        is_of_tests = name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"
        is_ours = name.endswith(".py") and not path.startswith("../") and "site-packages/" not in path
        return path if is_ours and not is_of_tests else None

    def _line(self, frame: FrameType, event: str, _arg: object) -> Any:
        path = self._paths[frame.f_code.co_filename]
        if event == "line" and path is not None:
            self._lines.add((path, frame.f_lineno))
        return self._line

    @contextmanager
    def _traced(self, lines: set[tuple[str, int]]) -> Generator[None]:
        self._lines = lines
        threading.settrace(self.trace)
        sys.settrace(self.trace)
        try:
            yield
        finally:
            sys.settrace(None)
            threading.settrace(None)  # pyright: ignore[reportArgumentType] - which is how it is switched off

    # -- hooks

    @pytest.hookimpl(hookwrapper=True)
    def pytest_collection(self) -> Generator[None]:
        began = time.process_time()
        with self._traced(self._imported):
            yield
        self._collection_s = time.process_time() - began

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failures[report.nodeid] = "CollectionError"
            self._messages[report.nodeid] = str(report.longrepr)[-_MESSAGE_CHARS:]

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None]:
        with self._in_time(), self._traced(self._ran.setdefault(item.nodeid, set())):
            yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        with self._in_time(), self._traced(self._ran.setdefault(item.nodeid, set())):
            yield

    @contextmanager
    def _in_time(self) -> Generator[None]:
        """Raise `Timeout` if the block takes too long, and again every second while it is swallowed."""

        def stop(_number: int, _frame: FrameType | None) -> None:
            self._timeouts += 1
            raise Timeout

        began, timeouts = time.monotonic(), self._timeouts
        limit_s = max(_LEAST_S, self._limit_s / 2 ** min(timeouts, 10))
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, limit_s, 1.0)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
            if self._timeouts == timeouts:
                self._duration_s += time.monotonic() - began

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any]:
        report: pytest.TestReport = (yield).get_result()
        if report.outcome not in _ALL:
            return
        if report.failed:
            raised = call.excinfo.type.__name__ if call.excinfo is not None else "Failed"
            self._failures[item.nodeid] = self._failures.get(item.nodeid) or raised
            if call.excinfo is not None:
                self._messages.setdefault(item.nodeid, _said(call.excinfo.value))
        elif report.when == "call":
            self._failures.setdefault(item.nodeid, None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        self.write()
        os._exit(0)  # summaries of plugins are not needed, and may take longer than the tests


def _said(error: BaseException) -> str:
    """Return the message of an exception; code of the candidate may do anything there."""
    try:
        return str(error)[:_MESSAGE_CHARS].encode("utf-8", "replace").decode()
    except Exception:  # noqa: BLE001 - an exception whose message fails has no message
        return ""


def _main(report: str, file: str, seconds: str, *arguments: str) -> None:
    spectra = _Spectra(file, float(seconds), Path.cwd() / report)
    jido_path.project_first()
    pytest.main(list(arguments), plugins=[spectra])


if __name__ == "__main__":
    _main(*sys.argv[1:])
