"""What tools write, read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from
from hypothesis.strategies import text as texts

from jido_ai.errors import ToolError
from jido_ai.logic.tool_reports import (
    FIELD_CHARS,
    SEVERITIES,
    clean,
    clean_end,
    parse_compile,
    parse_junit,
    parse_ruff,
    parse_unittest,
    ruff_diagnostics,
)
from jido_ai.values import Location

PARSERS = [parse_compile, parse_ruff, parse_junit, parse_unittest]


def ruff(code: str | None, message: str = "m", row: int = 2, column: int = 3) -> dict[str, object]:
    place, end = {"row": row, "column": column}, {"row": row, "column": column + 4}
    return {"code": code, "message": message, "filename": "a.py", "location": place, "end_location": end, "new": 1}


def junit(*cases: str) -> str:
    return f'<?xml version="1.0"?><testsuites><testsuite>{"".join(cases)}</testsuite></testsuites>'


def kinds(*codes: str) -> list[str | None]:
    return [issue.kind for issue in parse_ruff(json.dumps([ruff(code) for code in codes]))]


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize("garbage", ["", "null", "[1]", "{}", "<a>", "error: boom", "\0", '[{"code": 1}]', "[" * 9_999])
def test_garbage_is_an_error_and_never_a_clean_report(parse: object, garbage: str) -> None:
    assert callable(parse)
    with pytest.raises(ToolError):
        parse(garbage)


@given(texts(max_size=50), sampled_from(PARSERS))
def test_no_text_raises_anything_else(text: str, parse: object) -> None:
    assert callable(parse)
    try:
        parse(text)
    except ToolError:
        pass


def test_the_severities_are_those_of_the_specification() -> None:
    assert SEVERITIES["syntax"] == SEVERITIES["cannot-run"] == 1.0
    assert SEVERITIES["test"] == SEVERITIES["timeout"] == 0.9
    assert (SEVERITIES["error"], SEVERITIES["warning"], SEVERITIES["style"]) == (0.7, 0.4, 0.2)


def test_a_finding_of_ruff_has_rule_message_and_place() -> None:
    (issue,) = parse_ruff(json.dumps([ruff("F821", "Undefined name `x`")]))
    assert (issue.rule, issue.message, issue.kind) == ("F821", "Undefined name `x`", "error")
    assert issue.location == Location("a.py", 2, 3, 2, 7)


def test_nothing_found_is_no_issue() -> None:
    assert parse_ruff("[]") == ()
    assert parse_compile('{"problems": []}') == ()


def test_rules_of_ruff_are_errors_warnings_or_style() -> None:
    assert kinds("F821", "F811", "B006", "PLE0604") == ["error"] * 4
    assert kinds("F401", "F841", "E711", "E722", "A001", "ERA001", "NEW123") == ["warning"] * 7
    assert kinds("I001", "E501", "W291", "UP006", "SIM102", "C408", "D100") == ["style"] * 7


@pytest.mark.parametrize("code", [None, "invalid-syntax", "E999", "E902"])
def test_what_does_not_parse_is_a_syntax_issue_in_every_version_of_ruff(code: str | None) -> None:
    (issue,) = parse_ruff(json.dumps([ruff(code)]))
    assert issue.kind == "syntax"
    assert issue.rule


def test_of_several_syntax_errors_the_first_is_kept() -> None:
    found = ruff_diagnostics(json.dumps([ruff("F401"), ruff(None, "first"), ruff(None, "second")]))
    assert [one.message for one in found] == ["m", "first"]


def test_places_that_make_no_sense_are_left_out() -> None:
    (issue,) = parse_ruff(json.dumps([ruff("F401", row=0, column=0)]))
    assert issue.location == Location("a.py")


def test_the_compiler_tells_syntax_errors_and_warnings() -> None:
    start, end = {"line": 1, "column": 7}, {"end_line": 1, "end_column": 8}
    error = {"rule": "SyntaxError", "message": "invalid syntax", **start, **end}
    warning = {"rule": "SyntaxWarning", "message": "invalid escape", "line": 3}
    first, second = parse_compile(json.dumps({"problems": [error, warning]}))
    assert (first.kind, first.location) == ("syntax", Location(None, 1, 7, 1, 8))
    assert (second.kind, second.location) == ("warning", Location(None, 3))


def test_a_failing_test_has_id_message_file_and_line() -> None:
    case = '<testcase classname="tests.test_a.TestB.TestC" name="test_d[1]" file="tests/test_a.py" line="6">'
    (issue,) = parse_junit(junit(case + '<failure message="assert 1 == 2">long text</failure></testcase>'))
    assert issue.rule == "tests/test_a.py::TestB::TestC::test_d[1]"
    assert issue.message == "tests/test_a.py::TestB::TestC::test_d[1]: assert 1 == 2"
    assert issue.location == Location("tests/test_a.py", 7)
    assert issue.kind == "test"


def test_a_module_that_cannot_be_collected_tells_why() -> None:
    case = '<testcase classname="" name="tests.test_a" file="tests/test_a.py">'
    (issue,) = parse_junit(junit(case + '<error message="collection failure">...\nNameError: x</error></testcase>'))
    assert issue.rule == "tests/test_a.py"
    assert "collection failure" in issue.message
    assert "NameError: x" in issue.message


def test_passing_tests_are_no_issue() -> None:
    assert parse_junit(junit('<testcase classname="t" name="a" file="t.py" line="0"/>')) == ()


@pytest.mark.parametrize("cases", [(), ('<testcase name="a"><skipped/></testcase>',)], ids=["none", "all skipped"])
def test_a_report_in_which_no_test_ran_is_an_error(cases: tuple[str, ...]) -> None:
    with pytest.raises(ToolError, match="no test ran"):
        parse_junit(junit(*cases))


def test_entities_are_refused_before_they_grow() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>' + junit('<testcase name="&c;"/>')[21:]
    with pytest.raises(ToolError, match="document type"):
        parse_junit(bomb)


def test_a_failing_unittest_has_id_message_file_and_line() -> None:
    problem = {"test": "test_a.T.test_b", "message": "AssertionError: 1 != 2", "path": "test_a.py", "line": 4}
    (issue,) = parse_unittest(json.dumps({"ran": 1, "skipped": 0, "problems": [problem]}))
    assert issue.message == "test_a.T.test_b: AssertionError: 1 != 2"
    assert (issue.kind, issue.rule, issue.location) == ("test", "test_a.T.test_b", Location("test_a.py", 4))


@pytest.mark.parametrize(("ran", "skipped"), [(0, 0), (2, 2)])
def test_unittest_without_a_test_that_ran_is_an_error(ran: int, skipped: int) -> None:
    with pytest.raises(ToolError, match="no test ran"):
        parse_unittest(json.dumps({"ran": ran, "skipped": skipped, "problems": []}))


def test_control_characters_and_colours_are_stripped() -> None:
    assert clean("a\x1b[31mred\x1b[0m\0\x07\r\u202eb\ud800\tc\n") == "aredb\tc\n"


@given(texts(max_size=300).map(lambda text: text * 200))
def test_no_field_is_longer_than_the_limit(text: str) -> None:
    assert len(clean(text)) <= FIELD_CHARS
    assert len(clean_end(text)) <= FIELD_CHARS


def test_a_cut_is_told_and_keeps_the_beginning_or_the_end() -> None:
    text = "A" + "x" * 50_000 + "Z"
    assert clean(text).startswith("Ax")
    assert clean(text).endswith("[the rest was cut]")
    assert clean_end(text).endswith("xZ")
    assert clean_end(text).startswith("[the beginning was cut]")
    assert clean("x" * FIELD_CHARS) == clean_end("x" * FIELD_CHARS) == "x" * FIELD_CHARS


def test_messages_of_tools_are_cleaned() -> None:
    (issue,) = parse_ruff(json.dumps([ruff("F401", "\x1b[1mx\0" + "y" * 20_000)]))
    assert issue.message.startswith("xyy")
    assert len(issue.message) <= FIELD_CHARS
