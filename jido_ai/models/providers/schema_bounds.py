"""JSON Schemas without bounds, for providers that refuse a schema that has them. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

from pydantic_core import from_json

BOUNDS: Final = frozenset(
    {
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "unevaluatedItems",
        "minProperties",
        "maxProperties",
        "propertyNames",
        "unevaluatedProperties",
    }
)
"""Keywords that narrow what another keyword allows; OpenAI's strict mode refuses some or all of them, by the model."""
_BY_NAME: Final = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"})
_DATA: Final = frozenset({"enum", "const", "default", "examples"})


@lru_cache(maxsize=256)
def without_bounds(schema: bytes) -> dict[str, Any]:
    """Return the schema without `BOUNDS`, which its descriptions or the prompt should name; do not change it.

    Properties and definitions that have the name of a bound stay, and so do values: enumerations and defaults.

    Args:
        schema: an object, as JSON.
    """
    return _schema(from_json(schema))


def _schema(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_schema(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    fields = cast("dict[str, Any]", schema)
    return {name: _value(name, value) for name, value in fields.items() if name not in BOUNDS}


def _value(name: str, value: Any) -> Any:
    if name in _DATA:
        return value
    if name in _BY_NAME and isinstance(value, dict):
        return {key: _schema(part) for key, part in cast("dict[str, Any]", value).items()}
    return _schema(value)
