"""JSON held against a schema, and mended where nothing is left to choose."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import booleans, dictionaries, integers, lists, none, recursive, sampled_from, text

from jido_ai.errors import ConfigurationError
from jido_ai.text.json_schema import check_schema, repair_by_schema, schema_issues

PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "age": {"type": "integer"},
        "name": {"type": "string"},
        "tall": {"type": ["boolean", "null"]},
        "role": {"enum": ["Admin", "user", "USER"]},
        "plan": {"enum": ["Free", "paid"]},
        "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        "version": {"const": 2},
    },
    "required": ["name", "tags", "version"],
    "additionalProperties": False,
}
REST = '"tags": [], "version": 2'


def mended(content: str, schema: dict[str, Any] = PERSON) -> str:
    """Return what becomes of the text when every issue is asked for once."""
    for issue in schema_issues(content, schema):
        content = repair_by_schema(content, schema, issue) or content
    return content


def test_an_issue_names_pointer_rule_and_place() -> None:
    (issue,) = schema_issues('{"name": "a", "version": 2,\n  "tags": ["b", 7]}', PERSON)
    assert (issue.kind, issue.rule) == ("error", "schema-type")
    assert issue.message.startswith("/tags/1: ")
    assert issue.location is not None
    assert (issue.location.line, issue.location.column) == (2, 17)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f'{{"name":"a", "age" : "12", {REST}}}', f'{{"name":"a", "age" : 12, {REST}}}'),
        (f'{{"name": 7.50, {REST}}}', f'{{"name": "7.50", {REST}}}'),
        (f'{{"name":"a", "tall": "true", {REST}}}', f'{{"name":"a", "tall": true, {REST}}}'),
        (f'{{"name":"a", "tall": "null", {REST}}}', f'{{"name":"a", "tall": null, {REST}}}'),
        (f'{{"name":"a", "plan": " FREE", {REST}}}', f'{{"name":"a", "plan": "Free", {REST}}}'),
        ('{"name": "a"}', '{"name": "a", "tags": [], "version": 2}'),
        ('{\r\n\t"name": "a"\r\n}\r\n', '{\r\n\t"name": "a",\r\n\t"tags": [],\r\n\t"version": 2\r\n}\r\n'),
    ],
)
def test_an_unambiguous_fault_is_repaired_and_the_rest_stays_byte_for_byte(before: str, after: str) -> None:
    assert mended(before) == after


@pytest.mark.parametrize(
    "content",
    [
        f'{{"name":"a", "age": "12.5", {REST}}}',  # no integer
        f'{{"name":"a", "age": "twelve", {REST}}}',
        f'{{"name":"a", "age": true, {REST}}}',
        f'{{"name":"a", "tall": "yes", {REST}}}',
        f'{{"name":"a", "role": "uSer", {REST}}}',  # two of them are like it
        f'{{"name":"a", "nickname": "b", {REST}}}',  # to take it away would lose it
        f"{{{REST}}}",  # no default
        '{"name":"a", "tags": "b", "version": 2}',  # [“b”]? it is not said
    ],
)
def test_an_ambiguous_fault_is_left(content: str) -> None:
    assert list(schema_issues(content, PERSON))
    assert mended(content) == content


def test_a_repair_that_leads_to_another_fault_is_not_made() -> None:
    schema = {"properties": {"a": {"type": "integer", "maximum": 5}}}
    assert mended('{"a": "7"}', schema) == '{"a": "7"}'
    assert mended('{"a": "4"}', schema) == '{"a": 4}'


def test_an_invalid_schema_is_refused_and_nothing_is_fetched() -> None:
    with pytest.raises(ConfigurationError, match="not a JSON Schema"):
        check_schema({"type": 5})
    (issue,) = schema_issues("{}", {"$ref": "http://localhost:1/schema.json"})
    assert issue.kind == "cannot-run"


VALUES = recursive(
    none() | booleans() | integers() | text('a"\\é{[', max_size=3),
    lambda inner: lists(inner, max_size=3) | dictionaries(text('a"\\/~', max_size=2), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(VALUES, sampled_from([None, 1, "\t"]))
def test_every_value_is_found_at_its_place(value: object, indent: int | str | None) -> None:
    content = json.dumps(value, indent=indent)
    for issue in schema_issues(content, {"not": {}}):  # nothing fits
        assert issue.location is not None
        assert (issue.location.line, issue.location.column) == (1, 1)
    everywhere = {
        "$defs": {"no": {"type": []}},
        "additionalProperties": {"$ref": "#"},
        "items": {"$ref": "#"},
        "type": [],
    }
    rows = content.split("\n")
    for issue in schema_issues(content, {**everywhere, "type": ["string"]}):
        assert issue.location is not None
        line, column = issue.location.line or 0, issue.location.column or 0
        json.JSONDecoder().raw_decode("\n".join([rows[line - 1][column - 1 :], *rows[line:]]))
