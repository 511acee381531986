"""Reports of tests, parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.errors import ToolError
from jido_ai.tools.reports.tests import parse_junit, parse_tests
from jido_ai.values import Location


def junit(*cases: str) -> str:
    return f'<?xml version="1.0"?><testsuites><testsuite>{"".join(cases)}</testsuite></testsuites>'


def report(*problems: dict[str, Any], ran: int = 1, skipped: int = 0, unfinished: int = 0) -> str:
    return json.dumps({"ran": ran, "skipped": skipped, "unfinished": unfinished, "problems": problems})


PROBLEM = {"test": "test_a.py::test_b", "message": "assert 3 == 4", "path": "a.py", "line": 7, "column": 5}


# -- our scripts


def test_a_failure_has_the_place_given_by_the_script_and_the_line_of_the_test() -> None:
    (issue,) = parse_tests(report({**PROBLEM, "at": {"path": "test_a.py", "line": 2, "text": "assert f(1) == 4"}}))
    assert issue.message == "test_a.py::test_b: assert 3 == 4\nat test_a.py:2: assert f(1) == 4"
    assert (issue.kind, issue.rule, issue.location) == ("test", "test_a.py::test_b", Location("a.py", 7, 5))


def test_a_failure_without_a_place_has_none() -> None:
    (issue,) = parse_tests(report({"test": "collection", "message": "boom", "path": None, "line": None}))
    assert (issue.message, issue.location) == ("collection: boom", None)


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


# -- JUnit XML


@pytest.mark.rows("J6")
def test_a_failing_test_has_id_message_file_and_line() -> None:
    case = '<testcase classname="tests.test_a.TestB.TestC" name="test_d[1]" file="tests/test_a.py" line="6">'
    (issue,) = parse_junit(junit(case + '<failure message="assert 1 == 2">long text</failure></testcase>'))
    assert issue.rule == "tests/test_a.py::TestB::TestC::test_d[1]"
    assert issue.message == "tests/test_a.py::TestB::TestC::test_d[1]: assert 1 == 2"
    assert issue.location == Location("tests/test_a.py", 7)
    assert issue.kind == "test"


def test_a_module_that_cannot_be_collected_has_its_reason() -> None:
    case = '<testcase classname="" name="tests.test_a" file="tests/test_a.py">'
    (issue,) = parse_junit(junit(case + '<error message="collection failure">...\nNameError: x</error></testcase>'))
    assert issue.rule == "tests/test_a.py"
    assert "collection failure" in issue.message
    assert "NameError: x" in issue.message


def test_passing_tests_are_no_issue() -> None:
    assert parse_junit(junit('<testcase classname="t" name="a" file="t.py" line="0"/>')) == ()


@pytest.mark.rows("H44")
@pytest.mark.parametrize("cases", [(), ('<testcase name="a"><skipped/></testcase>',)], ids=["none", "all skipped"])
def test_a_report_in_which_no_test_ran_is_an_error(cases: tuple[str, ...]) -> None:
    with pytest.raises(ToolError, match="no test ran"):
        parse_junit(junit(*cases))


def test_xml_entities_are_refused_before_they_expand() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>' + junit('<testcase name="&c;"/>')[21:]
    with pytest.raises(ToolError, match="document type"):
        parse_junit(bomb)
