"""Reports of the compiler and of ruff, parsed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis.strategies import sampled_from
from hypothesis.strategies import text as texts

from jido_ai.errors import ToolError
from jido_ai.improve.gate import parse_imports
from jido_ai.tools.reports.checks import parse_bandit, parse_mypy, parse_pyright, parse_rules
from jido_ai.tools.reports.linters import (
    FIELD_CHARS,
    SEVERITIES,
    clean,
    clean_end,
    parse_compile,
    parse_ruff,
    ruff_diagnostics,
)
from jido_ai.tools.reports.tests import parse_lines, parse_outcomes, parse_tests
from jido_ai.values import Location

PARSERS = [
    parse_compile, parse_ruff, parse_tests, parse_pyright, parse_bandit, parse_rules, parse_mypy,
    parse_outcomes, parse_lines, parse_imports,
]  # fmt: skip
SILENT = [parse_mypy]  # mypy writes nothing if it finds nothing


def ruff(code: str | None, message: str = "m", row: int = 2, column: int = 3) -> dict[str, object]:
    place, end = {"row": row, "column": column}, {"row": row, "column": column + 4}
    return {"code": code, "message": message, "filename": "a.py", "location": place, "end_location": end, "new": 1}


def kinds(*codes: str) -> list[str | None]:
    return [issue.kind for issue in parse_ruff(json.dumps([ruff(code) for code in codes]))]


@pytest.mark.parametrize("parse", PARSERS)
@pytest.mark.parametrize("garbage", ["", "null", "[1]", "{}", "<a>", "error: boom", "\0", '[{"code": 1}]', "[" * 9_999])
def test_garbage_is_an_error_and_never_a_clean_report(parse: object, garbage: str) -> None:
    assert callable(parse)
    if parse in SILENT and not garbage:
        return
    with pytest.raises(ToolError):
        parse(garbage)


@given(texts(max_size=50), sampled_from(PARSERS))
def test_no_text_raises_a_different_error(text: str, parse: object) -> None:
    assert callable(parse)
    try:
        parse(text)
    except ToolError:
        pass


def test_severities_follow_the_specification() -> None:
    assert SEVERITIES["syntax"] == SEVERITIES["cannot-run"] == 1.0
    assert SEVERITIES["test"] == SEVERITIES["timeout"] == 0.9
    assert (SEVERITIES["error"], SEVERITIES["warning"], SEVERITIES["style"]) == (0.7, 0.4, 0.2)


def test_a_ruff_finding_has_rule_message_and_place() -> None:
    (issue,) = parse_ruff(json.dumps([ruff("F821", "Undefined name `x`")]))
    assert (issue.rule, issue.message, issue.kind) == ("F821", "Undefined name `x`", "error")
    assert issue.location == Location("a.py", 2, 3, 2, 7)


def test_an_empty_report_has_no_issues() -> None:
    assert parse_ruff("[]") == ()
    assert parse_compile('{"problems": []}') == ()


def test_rules_of_ruff_are_errors_warnings_or_style() -> None:
    assert kinds("F821", "F811", "B006", "PLE0604") == ["error"] * 4
    assert kinds("F401", "F841", "E711", "E722", "A001", "ERA001", "NEW123") == ["warning"] * 7
    assert kinds("I001", "E501", "W291", "UP006", "SIM102", "C408", "D100") == ["style"] * 7


@pytest.mark.parametrize("code", [None, "invalid-syntax", "E999", "E902"])
def test_unparsable_code_is_a_syntax_issue_in_every_version_of_ruff(code: str | None) -> None:
    (issue,) = parse_ruff(json.dumps([ruff(code)]))
    assert issue.kind == "syntax"
    assert issue.rule


def test_the_first_of_several_syntax_errors_is_kept() -> None:
    found = ruff_diagnostics(json.dumps([ruff("F401"), ruff(None, "first"), ruff(None, "second")]))
    assert [one.message for one in found] == ["m", "first"]


def test_invalid_places_are_left_out() -> None:
    (issue,) = parse_ruff(json.dumps([ruff("F401", row=0, column=0)]))
    assert issue.location == Location("a.py")


def test_the_compiler_reports_syntax_errors_and_warnings() -> None:
    start, end = {"line": 1, "column": 7}, {"end_line": 1, "end_column": 8}
    error = {"rule": "SyntaxError", "message": "invalid syntax", **start, **end}
    warning = {"rule": "SyntaxWarning", "message": "invalid escape", "line": 3}
    first, second = parse_compile(json.dumps({"problems": [error, warning]}))
    assert (first.kind, first.location) == ("syntax", Location(None, 1, 7, 1, 8))
    assert (second.kind, second.location) == ("warning", Location(None, 3))


def test_control_characters_and_colours_are_stripped() -> None:
    assert clean("a\x1b[31mred\x1b[0m\0\x07\r\u202eb\ud800\tc\n") == "aredb\tc\n"


@given(texts(max_size=300).map(lambda text: text * 200))
def test_no_field_is_longer_than_the_limit(text: str) -> None:
    assert len(clean(text)) <= FIELD_CHARS
    assert len(clean_end(text)) <= FIELD_CHARS


def test_a_cut_text_is_marked_and_keeps_its_beginning_or_its_end() -> None:
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
