"""Schemas without bounds: keywords go, names and values stay."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_core import to_json

from jido_ai.models.providers.schema_bounds import BOUNDS, without_bounds


@pytest.mark.parametrize("name", sorted(BOUNDS))
def test_a_bound_is_removed_at_every_depth(name: str) -> None:
    inside: dict[str, Any] = {"type": "string", name: 3}
    schema = {"type": "array", "items": {"anyOf": [inside, {"$ref": "#/$defs/x"}]}, "$defs": {"x": inside}, name: 1}
    plain = {"type": "string"}
    assert without_bounds(to_json(schema)) == {
        "type": "array",
        "items": {"anyOf": [plain, {"$ref": "#/$defs/x"}]},
        "$defs": {"x": plain},
    }


@pytest.mark.parametrize("name", ["pattern", "format", "minimum", "properties", "enum"])
def test_a_property_with_the_name_of_a_keyword_stays(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string", "maxLength": 3}}, "required": [name]}
    assert without_bounds(to_json(schema)) == {**schema, "properties": {name: {"type": "string"}}}


@pytest.mark.parametrize("keyword", ["enum", "const", "default", "examples"])
def test_values_stay(keyword: str) -> None:
    schema = {keyword: [{"pattern": "x", "maxItems": 2}]}
    assert without_bounds(to_json(schema)) == schema
