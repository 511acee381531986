"""Run the unittest tests below the working directory and write how they ended as JSON. A script, never imported.

    python -P -s unittest_json.py REPORT FILE

Writes {"ran", "skipped", "unfinished", "problems"} to REPORT and ends with 0, or with 1 when a test failed; the
problems are as in `jido_frames`, with FILE as the candidate. Skipped tests and those that are expected to fail did not
run; unfinished are those that were left when the tests were told to stop. What the
tests print goes to stdout and is no part of it.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
import traceback
import unittest
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_frames

sys.path.pop(0)

_Caught: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]"


class _Report(unittest.TestResult):
    def __init__(self, candidate: str) -> None:
        super().__init__()
        self._places = jido_frames.Places(candidate)
        self.passed = 0
        self.problems: list[dict[str, object]] = []

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += 1

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
        self._keep(self._places.failure(test.id(), "passed although it is expected to fail", None, None, None))

    def _add(self, test: unittest.TestCase, err: _Caught) -> None:
        kind, error, trace = err
        message = "".join(traceback.format_exception_only(kind, error)).strip()
        self._keep(self._places.failure(test.id(), message, error, trace, _file_of(test)))

    def _keep(self, problem: dict[str, object]) -> None:
        if len(self.problems) < jido_frames.MOST_PROBLEMS:
            self.problems.append(problem)


def _file_of(test: unittest.TestCase) -> str | None:
    try:
        return inspect.getsourcefile(type(test))
    except TypeError:  # it was made, not written
        return None


def _main(report: str, file: str) -> int:
    target = Path.cwd() / report  # before a test changes the directory
    sys.path.insert(0, str(Path.cwd()))
    result = _Report(file)
    suite = unittest.defaultTestLoader.discover(".", pattern="test*.py")
    chosen = suite.countTestCases()
    suite.run(result)
    found = {
        "ran": result.passed + len(result.problems),
        "skipped": len(result.skipped),
        "unfinished": chosen - result.testsRun if result.shouldStop else 0,
        "problems": result.problems,
    }
    target.write_text(json.dumps(found), "utf-8")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
