"""Whether a value can conform to two JSON Schemas."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai.text.json_schema_meeting import can_meet

NAMED = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
CLOSED = {"type": "object", "properties": {"age": {"type": "integer"}}, "additionalProperties": False}
OF_DEFS = {"$ref": "#/$defs/Named", "$defs": {"Named": NAMED}}


@pytest.mark.parametrize(
    ("one", "other", "can"),
    [
        ({}, NAMED, True),
        ({"type": "object"}, NAMED, True),
        ({"type": "array"}, NAMED, False),
        ({"type": ["array", "object"]}, NAMED, True),
        ({"type": "integer"}, {"type": "number"}, True),
        ({"type": "integer"}, {"type": "string"}, False),
        (CLOSED, NAMED, False),
        (CLOSED, {"type": "object", "properties": {"age": {"type": "number"}}}, True),
        ({**CLOSED, "patternProperties": {"^n": {}}}, NAMED, True),
        ({"type": "object", "properties": {"name": {"type": "null"}}}, NAMED, False),
        ({"type": "object", "properties": {"name": {"enum": ["a", 1]}}}, NAMED, True),
        ({"type": "object", "properties": {"name": {"const": 1}}}, NAMED, False),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, NAMED, False),
        ({"anyOf": [{"type": "array"}, {"type": "object"}]}, NAMED, True),
        ({"anyOf": [{"type": "array"}, {"type": "string"}]}, NAMED, False),
        (OF_DEFS, NAMED, True),
        (OF_DEFS, CLOSED, False),
        ({"enum": ["a", "b"]}, {"enum": ["b"]}, True),
        ({"enum": ["a"]}, {"enum": ["b"]}, False),
        ({"enum": ["a"]}, {"type": "integer"}, False),
        ({"$ref": "https://elsewhere/schema"}, NAMED, True),
    ],
)
def test_schemas_meet_unless_their_types_or_properties_leave_no_value(
    one: dict[str, Any], other: dict[str, Any], can: bool
) -> None:
    assert can_meet(one, other) is can
    assert can_meet(other, one) is can


def test_a_schema_that_refers_to_itself_has_an_end() -> None:
    tree = {
        "$ref": "#/$defs/T",
        "$defs": {"T": {"type": "object", "properties": {"t": {"$ref": "#/$defs/T"}}, "required": ["t"]}},
    }
    assert can_meet(tree, tree)
