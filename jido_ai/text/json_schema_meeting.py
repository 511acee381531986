"""Two JSON Schemas: whether a value can conform to both. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

Schema = Mapping[str, Any]
_MOST_LEVELS: Final = 8
_KINDS: Final = {"string", "number", "boolean", "object", "array", "null"}


def can_meet(one: Schema, other: Schema) -> bool:
    """Tell whether a value can conform to both schemas; False only where the types or properties leave none.

    Looked at are types, listed values, alternatives, and required properties, to a depth of 8; other keywords count as
    compatible.
    """
    return _meet(one, one, other, other, _MOST_LEVELS)


def _meet(one: object, one_root: Schema, other: object, other_root: Schema, levels: int) -> bool:
    if one is False or other is False:
        return False
    if levels == 0 or not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return True
    a, b = _resolved(cast("Schema", one), one_root), _resolved(cast("Schema", other), other_root)
    for mine, root, his, his_root in ((a, one_root, b, other_root), (b, other_root, a, one_root)):
        branches = mine.get("anyOf", mine.get("oneOf"))
        if isinstance(branches, list):
            return any(_meet(branch, root, his, his_root, levels - 1) for branch in cast("list[Any]", branches))
    kinds = _kinds(a) & _kinds(b)
    if not kinds:
        return False
    listed = _listed(a), _listed(b)
    if listed[0] is not None and listed[1] is not None and not any(value in listed[1] for value in listed[0]):
        return False
    if kinds != {"object"}:
        return True
    names = {str(name) for schema in (a, b) for name in schema.get("required", ())}
    return all(_meet(_property(a, name), one_root, _property(b, name), other_root, levels - 1) for name in names)


def _resolved(schema: Schema, root: Schema) -> Schema:
    named = schema.get("$ref")
    if isinstance(named, str) and named.startswith("#/$defs/"):
        inner = root.get("$defs", {}).get(named.removeprefix("#/$defs/"))
        return cast("Schema", inner) if isinstance(inner, Mapping) else {}
    return {} if named is not None else schema


def _kinds(schema: Schema) -> set[str]:
    """Return the types that a schema allows; an integer is a number."""
    given = schema.get("type")
    names = {given} if isinstance(given, str) else set(cast("list[str]", given)) if isinstance(given, list) else None
    listed = _listed(schema)
    if names is None and listed is not None:
        return {_kind_of(value) for value in listed}
    return _KINDS if names is None else {"number" if name == "integer" else name for name in names}


def _kind_of(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case dict():
            return "object"
        case list():
            return "array"
        case _:
            return "number"


def _listed(schema: Schema) -> list[Any] | None:
    if "const" in schema:
        return [schema["const"]]
    listed = schema.get("enum")
    return cast("list[Any]", listed) if isinstance(listed, list) else None


def _property(schema: Schema, name: str) -> object:
    """Return the schema of a property; False if the object cannot have it."""
    properties = schema.get("properties", {})
    if name in properties:
        return properties[name]
    return True if "patternProperties" in schema else schema.get("additionalProperties", True)
