"""Line coverage: the tests that run given lines, for the scripts beside this file.

Python 3.12 and newer use `sys.monitoring`, which costs almost nothing for code in other files; older versions use
`sys.settrace`, which checks the file of every function call until all lines were seen often enough.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

_MOST_TESTS = 3  # listed per line
_MOST_CHARS = 1_000_000  # of all test names together
_OPTIMIZED = 0x1  # flag of function code; module and class code runs on import


class Lines:
    """Lines, and the tests that run them.

    Args:
        wanted: line numbers by path; the paths are relative to the working directory.
    """

    def __init__(self, wanted: Mapping[str, Sequence[int]]) -> None:
        self._paths = {os.path.realpath(path): path for path in wanted}
        self._tests: dict[str, dict[int, list[str]]] = {path: {line: [] for line in wanted[path]} for path in wanted}
        self._open = {(path, line) for path, lines in wanted.items() for line in lines}
        self._known: dict[str, str | None] = {}
        self._ran: set[tuple[str, int]] = set()
        self._is_on = False
        self._tool: int | None = None
        if sys.version_info >= (3, 12):
            self._monitor()

    def found(self) -> dict[str, dict[str, list[str]]]:
        """Return the tests by path and line, without lines that no test ran and without lines beyond the limit."""
        found: dict[str, dict[str, list[str]]] = {}
        room = _MOST_CHARS
        for path, lines in self._tests.items():
            found[path] = {}
            for line, tests in sorted(lines.items()):
                room -= sum(len(test) + 4 for test in tests)
                if tests and room > 0:
                    found[path][str(line)] = tests
        return found

    def end(self, test: str, has_passed: bool) -> None:
        """Assign the lines run since the last test to this one, if it passed."""
        for path, line in self._ran if has_passed else ():
            tests = self._tests[path][line]
            if test not in tests:
                tests.append(test)
            if len(tests) >= _MOST_TESTS:
                self._open.discard((path, line))
        self._ran = set()

    @contextmanager
    def watched(self) -> Generator[None]:
        """Watch the lines that the block runs."""
        if not self._open:
            yield
            return
        self._is_on = True
        try:
            if self._tool is not None:
                yield
            else:
                with self._traced():
                    yield
        finally:
            self._is_on = False

    def _path(self, name: str) -> str | None:
        """Return the watched file, as it was given, by the path of a code object."""
        if name not in self._known:
            self._known[name] = None if name.startswith("<") else self._paths.get(os.path.realpath(name))
        return self._known[name]

    def _note(self, path: str, line: int) -> None:
        if (path, line) in self._open:
            self._ran.add((path, line))

    # -- before Python 3.12

    @contextmanager
    def _traced(self) -> Generator[None]:
        before, threads_before = sys.gettrace(), threading.gettrace()
        threading.settrace(self._trace)
        sys.settrace(self._trace)
        try:
            yield
        finally:
            sys.settrace(before)
            threading.settrace(threads_before)  # pyright: ignore[reportArgumentType] - None is how it is switched off

    def _trace(self, frame: FrameType, _event: str, _arg: object) -> Any:
        code = frame.f_code
        path = self._path(code.co_filename)
        if path is None or not code.co_flags & _OPTIMIZED:
            return None
        frame.f_trace_lines = True

        def line(frame: FrameType, event: str, _arg: object) -> Any:
            if event == "line" and self._is_on:
                self._note(path, frame.f_lineno)
            return line

        return line

    # -- from Python 3.12 on

    def _monitor(self) -> None:
        monitoring: Any = getattr(sys, "monitoring")  # noqa: B009 - types are checked for Python 3.11, which lacks it
        tool = next((number for number in (3, 4, 5, 2, 1) if monitoring.get_tool(number) is None), None)
        if tool is None:
            return
        events, disable = monitoring.events, monitoring.DISABLE

        def start(code: CodeType, _offset: int) -> object:
            if code.co_flags & _OPTIMIZED and self._path(code.co_filename) is not None:
                monitoring.set_local_events(tool, code, events.LINE)
            return disable

        def line(code: CodeType, number: int) -> object:
            path = self._path(code.co_filename)
            if path is None or number not in self._tests[path]:
                return disable
            if self._is_on:
                self._note(path, number)
            return None if (path, number) in self._open else disable

        monitoring.use_tool_id(tool, "jido")
        monitoring.register_callback(tool, events.PY_START, start)
        monitoring.register_callback(tool, events.PY_RESUME, start)
        monitoring.register_callback(tool, events.LINE, line)
        monitoring.set_events(tool, events.PY_START | events.PY_RESUME)
        self._tool = tool
