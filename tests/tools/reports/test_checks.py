"""Reports of type checkers, bandit and rules, parsed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.errors import ToolError
from jido_ai.tools.reports.checks import parse_bandit, parse_mypy, parse_pyright, parse_rules
from jido_ai.values import Location


def mypy(**changed: Any) -> str:
    plain = {"file": "a.py", "line": 2, "column": 4, "end_line": 2, "end_column": 6, "message": "m", "hint": None}
    return json.dumps({**plain, "code": "arg-type", "severity": "error", **changed}) + "\n"


def test_a_mypy_finding_has_its_rule_and_its_place_with_columns_from_1() -> None:
    (issue,) = parse_mypy(mypy(hint="try this"))
    assert (issue.message, issue.kind, issue.rule) == ("m (try this)", "error", "arg-type")
    assert issue.location == Location("a.py", 2, 5, 2, 7)


def test_the_first_mypy_syntax_error_is_kept_with_its_column() -> None:
    (issue,) = parse_mypy(mypy(code="syntax") + mypy(code="syntax", line=9))
    assert issue.kind == "syntax"
    assert issue.location == Location("a.py", 2, 4, 2, 6)


def test_mypy_notes_are_left_out_and_missing_packages_are_warnings() -> None:
    issues = parse_mypy(mypy(severity="note") + mypy(code="import-not-found"))
    assert [issue.kind for issue in issues] == ["warning"]
    assert parse_mypy("\n") == ()


def pyright(*problems: dict[str, Any], files: int = 1) -> str:
    return json.dumps({"version": "1", "generalDiagnostics": problems, "summary": {"filesAnalyzed": files}})


def problem(severity: str = "error", rule: str | None = "reportX", **changed: Any) -> dict[str, Any]:
    span = {"start": {"line": 0, "character": 7}, "end": {"line": 1, "character": 0}}
    found = {"file": "a.py", "severity": severity, "message": "m", "range": span, **changed}
    return found if rule is None else {**found, "rule": rule}


def test_a_pyright_finding_has_its_rule_and_its_place_counted_from_1() -> None:
    (issue,) = parse_pyright(pyright(problem()))
    assert (issue.kind, issue.rule, issue.location) == ("error", "reportX", Location("a.py", 1, 8, 2, 1))


def test_the_kind_of_a_pyright_finding_follows_its_severity() -> None:
    found = [problem("warning"), problem("information"), problem(rule="reportMissingImports")]
    assert [issue.kind for issue in parse_pyright(pyright(*found))] == ["warning", "style", "warning"]


def test_pyright_errors_without_a_rule_are_syntax_errors_and_the_first_counts() -> None:
    issues = parse_pyright(pyright(problem(rule=None), problem(rule=None), problem()))
    assert [(issue.kind, issue.rule) for issue in issues] == [("syntax", "invalid-syntax"), ("error", "reportX")]


def test_a_pyright_report_without_files_is_an_error() -> None:
    with pytest.raises(ToolError, match="no file"):
        parse_pyright(pyright(files=0))


def bandit(*results: dict[str, Any], errors: tuple[dict[str, str], ...] = ()) -> str:
    return json.dumps({"errors": errors, "results": results, "metrics": {}})


def test_a_bandit_finding_has_its_rule_its_place_and_its_severity() -> None:
    plain = {"filename": "./a.py", "test_id": "B602", "issue_text": "m", "line_number": 3, "col_offset": 0}
    plain |= {"end_col_offset": 9, "line_range": [3]}
    issues = parse_bandit(bandit(*({**plain, "issue_severity": one} for one in ("HIGH", "MEDIUM", "LOW"))))
    assert [issue.kind for issue in issues] == ["error", "warning", "style"]
    assert issues[0].location == Location("./a.py", 3, 1, 3, 10)
    (issue,) = parse_bandit(bandit({**plain, "issue_severity": "LOW", "line_range": [3, 4]}))
    assert issue.location == Location("./a.py", 3, 1)


def test_a_file_that_bandit_cannot_parse_is_a_syntax_issue_and_other_errors_are_raised() -> None:
    (issue,) = parse_bandit(bandit(errors=({"filename": "a.py", "reason": "syntax error while parsing AST"},)))
    assert issue.kind == "syntax"
    with pytest.raises(ToolError, match="exception"):
        parse_bandit(bandit(errors=({"filename": "a.py", "reason": "exception while scanning"},)))


def test_a_rule_brings_its_own_kind_and_severity() -> None:
    text = json.dumps({"problems": [{"rule": "r", "message": "m", "kind": "style", "severity": 0.25, "line": 2}]})
    (issue,) = parse_rules(text)
    assert (issue.kind, issue.rule, issue.severity, issue.location) == ("style", "r", 0.25, Location(None, 2))


@pytest.mark.parametrize("severity", [2.0, -1.0, "NaN"])
def test_a_severity_out_of_range_is_an_error(severity: object) -> None:
    with pytest.raises(ToolError):
        parse_rules(json.dumps({"problems": [{"rule": "r", "message": "m", "kind": "k", "severity": severity}]}))
