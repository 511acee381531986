"""JSON Schemas that a caller sent: judging by one takes bounded time."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.text.foreign_schema import check_foreign_schema
from jido_ai.text.output_type import OutputType, output_type


def doubling(levels: int) -> dict[str, Any]:
    """Return a schema each of whose definitions refers to the next one twice."""
    defs: dict[str, Any] = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(levels)}
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{levels}": {"type": "string"}}}


TREE: dict[str, Any] = {
    "$ref": "#/$defs/Tree",
    "$defs": {"Tree": {"type": "object", "properties": {"of": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}}},
}


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        TREE,
        doubling(5),
        {"type": "string", "pattern": r"^(a+)+$"},
        {"properties": {"pattern": {"type": "string"}, "patternProperties": {"type": "object"}}},
        {"enum": [{"pattern": "(?=a)"}]},
    ],
)
def test_a_usual_schema_is_accepted(schema: dict[str, Any]) -> None:
    check_foreign_schema(schema)


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (doubling(40), "parts"),
        (doubling(900), "parts"),
        ({"description": "a" * 100_001}, "characters"),
        ({"properties": {"a": {"pattern": "(?=a)b"}}}, "look-around"),
        ({"items": {"pattern": r"(a)\1"}}, "back-references"),
        ({"pattern": "("}, "regular expression"),
        ({"patternProperties": {"(a+)+$": {}}}, "patternProperties"),
    ],
)
def test_a_schema_that_may_take_long_is_refused(schema: dict[str, Any], why: str) -> None:
    with pytest.raises(ConfigurationError, match=why):
        check_foreign_schema(schema)


SHARED: dict[str, Any] = {"$ref": "#/shared/a", "shared": {"a": {"items": {"$ref": "#/shared/b"}}}}


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, {"items": {"$ref": "#/anyOf/0"}}]},
        {"$ref": "#here", "$defs": {"a": {"$anchor": "here"}}},
        {"$id": "https://a.example/b", "$ref": "c", "$defs": {"a": {"$id": "c"}}},
        {"$ref": "#/$defs/a%20b", "$defs": {"a b": True}},
        {"$ref": "https://json-schema.org/draft/2020-12/schema"},
        {"properties": {"$ref": {"type": "string"}}, "enum": [{"$ref": "#/nowhere"}]},
        {"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "definitions": {"a": {}}},
        {**SHARED, "shared": {**SHARED["shared"], "b": {}}},
    ],
)
def test_a_reference_inside_of_the_schema_is_accepted(schema: dict[str, Any]) -> None:
    check_foreign_schema(schema)
    output_type(schema).issues("{}")


@pytest.mark.parametrize(
    ("schema", "named"),
    [
        ({"properties": {"a": {"$ref": "#/$defs/Nope"}}}, "#/\\$defs/Nope"),
        ({"items": {"$ref": "https://a.example/b"}}, "https://a.example/b"),
        ({"$dynamicRef": "#nope"}, "#nope"),
        ({"$ref": "#/anyOf/x", "anyOf": [{}]}, "#/anyOf/x"),
        ({"$ref": "#/shared/a", "shared": {"a": "a text"}}, "#/shared/a"),
        ({"$ref": "#/shared/a", "shared": {"a": {"properties": 5}}}, "#/shared/a"),
        (SHARED, "#/shared/b"),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "$defs": 5, "$ref": "#/$defs/a"}, "#/\\$defs/a"),
    ],
)
def test_a_reference_that_leads_to_no_schema_is_refused(schema: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=f"a reference that does not lead to a schema in it: '{named}'"):
        check_foreign_schema(schema)


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"$schema": 5}, "must be a string, got 5"),
        ({"$schema": "http://["}, "not an address"),
        ({"properties": 5}, "5"),
    ],
)
def test_an_object_that_is_no_schema_is_refused_as_such(schema: dict[str, Any], why: str) -> None:
    for check in (check_foreign_schema, output_type):
        with pytest.raises(ConfigurationError, match=f"this is not a JSON Schema: .*{why}"):
            check(schema)


def test_a_pattern_that_backtracks_is_searched_in_linear_time() -> None:
    issues = output_type({"type": "string", "pattern": "^(a+)+$"}).issues('"' + "a" * 5_000 + '!"')
    assert [one.rule for one in issues] == ["pattern"]


@pytest.mark.parametrize(("text", "count"), [('"ab1"', 0), ('"ab"', 1), ('"1 and more"', 0)])
@pytest.mark.parametrize("pattern", [r"\d", r"(?=\d)\d"])
def test_a_pattern_is_searched_anywhere_in_a_text(pattern: str, text: str, count: int) -> None:
    assert len(output_type({"type": "string", "pattern": pattern}).issues(text)) == count


@pytest.mark.parametrize(
    ("text", "is_unique"),
    [
        ('[1, true, 0, false, null, "1"]', True),
        ('[[1], [true], {"a": 0}, {"a": false}]', True),
        ("[9007199254740993, 9007199254740992.0, 0.5]", True),
        ("[1, 1.0]", False),
        ("[0, -0.0]", False),
        ('[{"a": [1], "b": 2}, {"b": 2.0, "a": [1.0]}]', False),
    ],
)
def test_items_are_equal_by_their_json_values(text: str, is_unique: bool) -> None:
    assert (not output_type({"type": "array", "uniqueItems": True}).issues(text)) is is_unique


def test_unique_items_are_looked_for_in_linear_time() -> None:
    unique, plain = output_type({"uniqueItems": True}), output_type({"type": "array"})
    text = json.dumps([{"a": number} for number in range(2_000)])
    assert _seconds(unique, text) < 0.2 + 20 * _seconds(plain, text)  # comparing each with each takes ten seconds


def _seconds(output: OutputType[Any], text: str) -> float:
    began = time.process_time()
    assert output.issues(text) == ()
    return time.process_time() - began
