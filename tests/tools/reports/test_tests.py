"""Reports of tests, parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.errors import ToolError
from jido_ai.tools.reports.tests import parse_tests
from jido_ai.values import Location


def report(*problems: dict[str, Any], ran: int = 1, skipped: int = 0, unfinished: int = 0) -> str:
    return json.dumps({"ran": ran, "skipped": skipped, "unfinished": unfinished, "problems": problems})


PROBLEM = {"test": "test_a.py::test_b", "message": "assert 3 == 4", "path": "a.py", "line": 7, "column": 5}


# -- our scripts


@pytest.mark.rows("J6")
def test_a_failure_has_the_place_given_by_the_script_and_the_line_of_the_test() -> None:
    (issue,) = parse_tests(report({**PROBLEM, "at": {"path": "test_a.py", "line": 2, "text": "assert f(1) == 4"}}))
    assert issue.message == "test_a.py::test_b: assert 3 == 4\nat test_a.py:2: assert f(1) == 4"
    assert (issue.kind, issue.rule, issue.location) == ("test", "test_a.py::test_b", Location("a.py", 7, 5))


def test_a_failure_without_a_place_has_none() -> None:
    (issue,) = parse_tests(report({"test": "collection", "message": "boom", "path": None, "line": None}))
    assert (issue.message, issue.location) == ("collection: boom", None)


@pytest.mark.rows("H44")
@pytest.mark.parametrize("skipped", [0, 2])
def test_a_report_without_a_test_that_ran_is_an_error(skipped: int) -> None:
    with pytest.raises(ToolError, match=f"no test ran .{skipped} skipped"):
        parse_tests(report(ran=0, skipped=skipped))


def test_selected_tests_that_did_not_finish_are_an_error_unless_one_failed() -> None:
    with pytest.raises(ToolError, match=r"ended early: 1 of the selected tests"):
        parse_tests(report(ran=1, unfinished=1))
    assert len(parse_tests(report(PROBLEM, ran=1, unfinished=1))) == 1


def test_passing_tests_of_our_runners_are_no_issue() -> None:
    assert parse_tests(report(ran=1)) == ()
