"""JSON Schemas in the form that OpenAI accepts as strict. Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

from pydantic_core import from_json

from jido_ai.models.providers.schema_bounds import without_bounds
from jido_ai.text.sent_schema import mapped_schema, root_of

_KEPT: Final = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"})
_SAID: Final = frozenset({"description", "title"})
_LEFT_OUT: Final = frozenset({"default", "examples", "discriminator", "deprecated", "readOnly", "writeOnly", "$schema"})
_DEFINITIONS: Final = ("$defs", "definitions")
_SCALARS: Final = frozenset({"string", "number", "integer", "boolean", "null"})


class _NotStrictError(ValueError):
    """The schema has something that strict mode does not know."""


@lru_cache(maxsize=256)
def strict_schema(schema: bytes) -> dict[str, Any] | None:
    """Return the schema as strict mode wants it; None if it has no such form. Do not change it.

    Every object has all its properties required and allows no others; those that are optional, or have a default, may
    be null. `oneOf` is `anyOf`; a reference stands alone; bounds and defaults go. No form have maps, tuples, anything
    without a type, and references to other places than definitions.

    Args:
        schema: an object, as JSON.
    """
    given = cast("dict[str, Any]", from_json(schema))
    try:
        whole = cast("dict[str, Any]", mapped_schema(without_bounds(schema), _strict))
        root = {**root_of(whole), **{name: whole[name] for name in _DEFINITIONS if name in whole}}
    except _NotStrictError:
        return None
    return root if root.get("type") == "object" and given else None


def _strict(part: dict[str, Any]) -> dict[str, Any]:
    made = _closed_or_plain(part)
    return made if part.get("default") is None else _or_null(made)  # null stands for the default, which is not sent


def _closed_or_plain(part: dict[str, Any]) -> dict[str, Any]:
    definitions = {name: part[name] for name in _DEFINITIONS if name in part}
    if "$ref" in part:
        named = str(part["$ref"])
        if named != "#" and not (named.startswith(("#/$defs/", "#/definitions/")) and named.count("/") == 2):
            raise _NotStrictError(named)
        return {"$ref": named, **definitions}
    if "oneOf" in part and "anyOf" not in part:
        part = {**{name: one for name, one in part.items() if name != "oneOf"}, "anyOf": part["oneOf"]}
    made = {name: one for name, one in part.items() if name in _KEPT | _SAID} | definitions
    if part.keys() - made.keys() - _LEFT_OUT or not made.keys() & {"type", "enum", "const", "anyOf"}:
        raise _NotStrictError
    kinds = made.get("type", ())
    kinds = {kinds} if isinstance(kinds, str) else set(cast("list[str]", kinds))
    if "array" in kinds and not isinstance(made.get("items"), dict):
        raise _NotStrictError
    if "object" in kinds or "properties" in made:
        return _closed(made)
    if kinds - _SCALARS - {"array"}:
        raise _NotStrictError
    return made


def _closed(made: dict[str, Any]) -> dict[str, Any]:
    properties = cast("dict[str, Any]", made.get("properties", {}))
    may_have_more = made.get("additionalProperties", not properties) is not False
    if (may_have_more and made.get("additionalProperties") is not None) or (may_have_more and not properties):
        raise _NotStrictError
    required = set(cast("list[str]", made.get("required", ())))
    if any(isinstance(one, bool) for one in properties.values()) or required - properties.keys():
        raise _NotStrictError
    named = {name: one if name in required else _or_null(one) for name, one in properties.items()}
    return {**made, "properties": named, "required": [*properties], "additionalProperties": False}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    is_null = kind == "null" or (isinstance(kind, list) and "null" in kind)
    if is_null or {"type": "null"} in schema.get("anyOf", ()):
        return schema
    return {"anyOf": [schema, {"type": "null"}]}
