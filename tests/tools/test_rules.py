"""Patterns, lengths and JSON Schemas as tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError
from jido_ai.protocols import RunContext
from jido_ai.tools.rules import Rule, has_length, json_schema_tool, must_match, must_not_match, rules_tool
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.tools.tool import Tool
from jido_ai.values import Candidate, Issue, Location

CONTEXT = RunContext(run_id="run", prompt="prompt")
SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "list": {"items": {"type": "integer"}}, "o/~": {"maxProperties": 0}},
}


async def judge(content: str, tool: Tool) -> tuple[Issue, ...]:
    return (await ToolCritiquer([tool], executor=ProcessExecutor()).critique(Candidate(content), CONTEXT)).issues


async def rules(content: str, *given: Rule) -> list[tuple[str | None, str | None, float | None]]:
    return [(issue.rule, issue.kind, issue.severity) for issue in await judge(content, rules_tool(*given))]


# -- patterns


async def test_a_pattern_must_match_somewhere() -> None:
    rule = must_match(r"(?m)^# ", name="heading", severity=0.25, kind="style")
    assert await rules("text\n# Title\n", rule) == []
    assert await rules("text\n #Title\n", rule) == [("heading", "style", 0.25)]


async def test_every_match_of_a_forbidden_pattern_is_reported() -> None:
    found = await judge("a TODO\nx\n  TODO", rules_tool(must_not_match("TODO", message="finish it")))
    assert [issue.message for issue in found] == ["finish it", "finish it"]
    assert [issue.location for issue in found] == [
        Location("candidate.txt", 1, 3, 1, 7),
        Location("candidate.txt", 3, 3, 3, 7),
    ]
    assert len(await judge("x" * 1_000, rules_tool(must_not_match("x")))) == 100


async def test_an_endless_pattern_times_out_and_blocks_nothing() -> None:
    tool = rules_tool(must_not_match(r"(a+)+$"), timeout_s=0.5)
    (issue,) = await judge("a" * 60 + "b", tool)
    assert (issue.kind, issue.severity) == ("timeout", 0.9)


@pytest.mark.parametrize("pattern", ["(", "a{999999999999}", "(?P<x"])
def test_an_invalid_pattern_is_refused_at_once(pattern: str) -> None:
    with pytest.raises(ConfigurationError, match="not a regular expression"):
        must_match(pattern)


# -- lengths


@pytest.mark.parametrize(("of", "size"), [("characters", 8), ("words", 3), ("lines", 2)])
async def test_bounds_of_a_length_are_inclusive(of: Any, size: int) -> None:
    text = "é b\ncdef"
    assert await rules(text, has_length(of, at_least=size, at_most=size)) == []
    assert await rules(text, has_length(of, at_least=size + 1)) == [(f"length-{of}", "warning", 0.4)]
    (issue,) = await judge(text, rules_tool(has_length(of, at_most=size - 1)))
    assert issue.message == f"there should be at most {size - 1} {of}, and there are {size}"
    (issue,) = await judge(text, rules_tool(has_length(of, at_least=9, at_most=9)))
    assert issue.message == f"there should be exactly 9 {of}, and there are {size}"


@pytest.mark.parametrize(
    "options", [{}, {"at_least": -1}, {"at_least": 2, "at_most": 1}, {"at_most": 1, "severity": 2.0}]
)
def test_a_length_that_can_never_work_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        has_length("words", **options)
    with pytest.raises(ConfigurationError):
        has_length("pages", at_most=1)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError):
        rules_tool()


async def test_any_text_can_be_checked_against_rules() -> None:
    assert await rules("\ud800\0\r\n", must_match("\ud800"), has_length("characters", at_most=4)) == []


# -- JSON Schema


async def test_a_violation_of_a_schema_is_reported_with_its_place() -> None:
    text = '{\n "list": [1, "x"],\n "o/~": {"a": 1}\n}'
    found = await judge(text, json_schema_tool(SCHEMA))
    assert {(issue.rule, issue.message, str(issue.location)) for issue in found} == {
        ("schema-required", "/: 'name' is a required property", "candidate.json:1:1"),
        ("schema-type", "/list/1: 'x' is not of type 'integer'", "candidate.json:2:14"),
        ("schema-maxProperties", "/o~1~0: {'a': 1} is expected to be empty", "candidate.json:3:9"),
    }
    assert {(issue.kind, issue.severity) for issue in found} == {("error", 0.7)}
    assert await judge('{"name": "x", "list": []}', json_schema_tool(SCHEMA)) == ()


@pytest.mark.parametrize("text", ["", "{", '{"name": NaN}', "[" * 100_000, "1" * 5_000, "{'name': 1}"])
async def test_invalid_json_is_a_syntax_error(text: str) -> None:
    (issue,) = await judge(text, json_schema_tool(SCHEMA))
    assert (issue.kind, issue.severity) == ("syntax", 1.0)


async def test_places_are_right_in_nested_values() -> None:
    value = {"a": [{}, [], [[{"b": {"c": [1, {"d": None}]}}]]], "e": {}, "f": "z"}
    text = json.dumps(value, indent=3)
    schema = {"properties": {"a": {"items": {"items": {"items": {"properties": {"b": {"properties": {"c": {
        "items": {"properties": {"d": {"type": "string"}}}}}}}}}}}, "f": {"const": "y"}}}  # fmt: skip
    found = await judge(text, json_schema_tool(schema))
    lines = text.splitlines()
    places = {issue.message.partition(":")[0]: issue.location for issue in found}
    assert set(places) == {"/a/2/0/0/b/c/1/d", "/f"}
    for pointer, shown in (("/a/2/0/0/b/c/1/d", "null"), ("/f", '"z"')):
        place = places[pointer]
        assert place is not None
        assert place.line is not None
        assert place.column is not None
        assert lines[place.line - 1][place.column - 1 :].startswith(shown)


def test_an_invalid_schema_is_refused_at_once() -> None:
    for schema in ({"type": "strange"}, {"x": object()}):
        with pytest.raises(ConfigurationError, match="not a valid JSON Schema"):
            json_schema_tool(schema)


async def test_a_schema_with_external_references_cannot_run() -> None:
    (issue,) = await judge("{}", json_schema_tool({"$ref": "http://127.0.0.1:1/schema.json"}))
    assert (issue.kind, issue.severity) == ("cannot-run", 1.0)
