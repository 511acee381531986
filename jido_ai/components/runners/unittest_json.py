"""Run the unittest tests below the working directory and write a report as JSON. A script: it is run, never imported.

    python -P -s unittest_json.py REPORT

Writes {"ran", "skipped", "problems": [{"test", "message", "path", "line"}]} to REPORT and ends with 0, or with 1 when
a test failed. The line is where it failed. What the tests print goes to stdout and is no part of the report.
"""

from __future__ import annotations

import json
import sys
import traceback
import unittest
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

_Caught: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]"


class _Report(unittest.TestResult):
    def __init__(self) -> None:
        super().__init__()
        self.problems: list[dict[str, object]] = []

    def addError(self, test: unittest.TestCase, err: _Caught) -> None:
        super().addError(test, err)
        self._add(test, err)

    def addFailure(self, test: unittest.TestCase, err: _Caught) -> None:
        super().addFailure(test, err)
        self._add(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: _Caught | None) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._add(subtest, err)

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self.problems.append({"test": test.id(), "message": "passed although it is expected to fail"})

    def _add(self, test: unittest.TestCase, err: _Caught) -> None:
        kind, error, trace = err
        path, line = _place(trace)
        message = "".join(traceback.format_exception_only(kind, error)).strip()
        self.problems.append({"test": test.id(), "message": message, "path": path, "line": line})


def _place(trace: TracebackType | None) -> tuple[str | None, int | None]:
    """Return the innermost place of a traceback that is in a file below the working directory."""
    here = Path.cwd()
    for frame in reversed(traceback.extract_tb(trace)):
        path = Path(frame.filename)
        if path.is_relative_to(here):
            return path.relative_to(here).as_posix(), frame.lineno
    return None, None


def _main(report: str) -> int:
    target = Path.cwd() / report  # before a test changes the directory
    sys.path.insert(0, str(Path.cwd()))
    result = _Report()
    unittest.defaultTestLoader.discover(".", pattern="test*.py").run(result)
    found = {"ran": result.testsRun, "skipped": len(result.skipped), "problems": result.problems}
    target.write_text(json.dumps(found), "utf-8")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
