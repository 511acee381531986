"""Run the unittest tests below the working directory and write their outcomes as JSON. A script, never imported.

    python -P -s unittest_json.py REPORT FILE

Writes {"ran", "skipped", "unfinished", "problems", "outcomes"} to REPORT and exits with 0, or with 1 if a test failed;
the problems are as in `jido_frames`, with FILE as the candidate, and the outcomes as in `pytest_json`. Skipped tests
and those that are expected to fail did not run; unfinished are those that did not finish. Output of the tests goes to
stdout and is not part of the report. If the tests end the process early nothing is written; if the results are not
credible, a report with "broken": see `jido_watch`.
"""

from __future__ import annotations

import inspect
import os
import sys
import traceback
import unittest
from types import TracebackType
from typing import TypeAlias

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120 - as in jido_frames
import jido_frames
import jido_watch

sys.path.pop(0)

_Caught: TypeAlias = "tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]"


_RANK = {"xfailed": 0, "skipped": 1, "passed": 2, "xpassed": 3, "error": 4, "failed": 5}


class _Report(unittest.TestResult):
    def __init__(self, candidate: str) -> None:
        super().__init__()
        self._places = jido_frames.Places(candidate)
        self.ended = 0
        self.outcomes: dict[str, str] = {}
        self.problems: list[dict[str, object]] = []

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        self.ended += 1

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self._note(test, "passed")

    def addError(self, test: unittest.TestCase, err: _Caught) -> None:
        super().addError(test, err)
        self._add(test, err, "error")

    def addFailure(self, test: unittest.TestCase, err: _Caught) -> None:
        super().addFailure(test, err)
        self._add(test, err, "failed")

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: _Caught | None) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._add(subtest, err, "failed")
            self._note(test, "failed")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self._note(test, "skipped")

    def addExpectedFailure(self, test: unittest.TestCase, err: _Caught) -> None:
        super().addExpectedFailure(test, err)
        self._note(test, "xfailed")

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self._note(test, "xpassed")
        self._keep(self._places.failure(test.id(), "passed although it is expected to fail", None, None, None))

    def _add(self, test: unittest.TestCase, err: _Caught, outcome: str) -> None:
        self._note(test, outcome)
        kind, error, trace = err
        message = "".join(traceback.format_exception_only(kind, error)).strip()
        self._keep(self._places.failure(test.id(), message, error, trace, _file_of(test)))

    def _note(self, test: unittest.TestCase, outcome: str) -> None:
        name = test.id()
        known = self.outcomes.get(name)
        if known is None or _RANK[outcome] > _RANK[known]:
            self.outcomes[name] = outcome

    def _keep(self, problem: dict[str, object]) -> None:
        if len(self.problems) < jido_frames.MOST_PROBLEMS:
            self.problems.append(problem)


def _file_of(test: unittest.TestCase) -> str | None:
    try:
        return inspect.getsourcefile(type(test))
    except TypeError:  # it was created dynamically
        return None


def _act(file: str) -> tuple[int, dict[str, object]]:
    sys.path.insert(0, os.getcwd())  # noqa: PTH109
    result = _Report(file)
    suite = unittest.defaultTestLoader.discover(".", pattern="test*.py")
    chosen = suite.countTestCases()
    suite.run(result)
    ran = [test for test, outcome in result.outcomes.items() if outcome not in ("skipped", "xfailed")]
    # a class whose set-up failed or was skipped has its own outcome, and its tests were not started
    has_whole = any(outcome in ("error", "skipped") and "(" in test for test, outcome in result.outcomes.items())
    found: dict[str, object] = {
        "ran": len(ran),
        "skipped": len(result.outcomes) - len(ran),
        "unfinished": 0 if has_whole else max(0, chosen - result.ended),
        "problems": result.problems,
        **jido_watch.bounded_outcomes(result.outcomes),
    }
    return 1 if result.problems else 0, found


def _check(status: int, found: dict[str, object]) -> str | None:
    if (status == 1) != bool(found["problems"]):
        return f"unittest ended with status {status}, which does not match the results of the tests"
    return None


if __name__ == "__main__":
    sys.exit(jido_watch.run(sys.argv[1], lambda: _act(sys.argv[2]), _check))
