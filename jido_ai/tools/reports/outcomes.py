"""Outcomes: the results of tests in one run, compared with those of another. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

CUT: Final = "\U0010ffff [the rest was cut]"
"""The name that marks outcomes as cut after the last name; it sorts after every other name."""

MOST_NAMED: Final = 50
"""Maximum number of lost tests listed for one file that is no longer collected."""

_RAN: Final = frozenset({"passed", "failed", "error", "xpassed"})
_NOT_RUN: Final = frozenset({"skipped", "xfailed"})
_BEFORE: Final = {"passed": "passed", "failed": "failed", "error": "failed with an error", "xpassed": "passed"}
_AFTER: Final = {"skipped": "is skipped now", "xfailed": "is expected to fail now", "missing": "is missing now"}


@dataclass(frozen=True, slots=True)
class LostTest:
    """A test that ran before and no longer runs.

    Attributes:
        test: the name of the test; a file if it could not be collected before, or stands for many of its tests.
        before: "passed", "failed", "error" or "xpassed".
        after: "skipped", "xfailed" or "missing".
        sentence: both as a sentence, such as "tests/test_a.py::test_b failed before and is skipped now".
    """

    test: str
    before: str
    after: str
    sentence: str


def lost_tests(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[LostTest, ...]:
    """Return the tests that ran before, whether they passed or failed, and are now skipped, xfailed or missing.

    They are in the order of `before`. A parametrised test whose id changed is missing under its old id. A file or class
    with its own entry, because it could not be collected or was skipped as a whole, stands for its tests: a test in a
    file that is now "skipped" is skipped, and a file that had an error before is not missing once its tests are
    collected and one of them runs.

    If all tests of a file are gone, the first `MOST_NAMED` are listed; one more entry, with the file as its test,
    counts the others. If `after` was cut (`CUT`), tests that sort after its last name are unknown, not lost.

    Args:
        before, after: the outcome of each test, by name: "passed", "failed", "error", "skipped", "xfailed" or
            "xpassed".
    """
    last = max((test for test in after if test != CUT), default="") if CUT in after else None
    containers: dict[str, bool] = {}  # by name in `after`: whether one of its tests runs
    for test, outcome in after.items():
        for container in _containers(test):
            containers[container] = containers.get(container, False) or outcome in _RAN
    lost: list[LostTest] = []
    gone: dict[str, list[LostTest]] = {}  # lost tests by file, for files that are no longer collected
    for test, outcome in before.items():
        if outcome not in _RAN or (last is not None and test > last):
            continue
        now = _now(test, after, containers)
        if now is None:
            continue
        one = LostTest(test, outcome, now, f"{test} {_BEFORE[outcome]} before and {_AFTER[now]}")
        file = test.partition("::")[0]
        if now == "missing" and file != test and file not in containers and after.get(file) not in _NOT_RUN:
            named = gone.setdefault(file, [])
            named.append(one)
            if len(named) > MOST_NAMED:
                continue
        lost.append(one)
    for file, tests in gone.items():
        if len(tests) > MOST_NAMED:
            more = len(tests) - MOST_NAMED
            message = f"{more} more tests of {file} ran before and are missing now"
            lost.append(LostTest(file, tests[MOST_NAMED].before, "missing", message))
    return tuple(lost)


def _now(test: str, after: Mapping[str, str], containers: Mapping[str, bool]) -> str | None:
    """Return how a test that ran before was lost; None if it was not."""
    outcome = after.get(test)
    if outcome in _NOT_RUN:
        return outcome
    if outcome is not None:
        return None
    if test in containers:  # it could not be collected before and now can be
        return None if containers[test] else "skipped"
    skipped = (container for container in _containers(test) if after.get(container) in _NOT_RUN)
    return next((after[one] for one in islice(skipped, 1)), "missing")


def _containers(test: str) -> list[str]:
    """Return the file and the classes around a test, outermost first; none for a name without "::"."""
    parts = test.split("::")
    return ["::".join(parts[:count]) for count in range(1, len(parts))]
