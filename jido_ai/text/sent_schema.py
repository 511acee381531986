"""The JSON Schema that is sent to a model: it means what the given one does, in a form that servers keep to. Pure.

It is always the schema of an object, since some providers enforce no other. Every property is required: a grammar made
of a schema has its order, so a model that begins with a later optional property could never write an earlier one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, cast
from urllib.parse import unquote

WRAPPED: Final = "value"
"""The property of the object that holds a value that is none."""
_DEFINITIONS: Final = ("$defs", "definitions")
_BY_NAME: Final = frozenset({"properties", "patternProperties", "dependentSchemas", *_DEFINITIONS})
_DATA: Final = frozenset({"enum", "const", "default", "examples", "required", "discriminator"})
_NARROWS: Final = ("oneOf", "anyOf", "allOf", "not", "if", "dependentRequired", "dependentSchemas", "dependencies")
_NO_FORM: Final = re.compile(r"\(\?|\\[bBAZzpPkSDW1-9]")
_CLASSES: Final = {"d": "0-9", "w": "A-Za-z0-9_", "s": r" \t\n\r"}
_UNBOUNDED: Final = re.compile(r"(?<!\\)[*+]|\{\d+,\}")

Schema = Mapping[str, Any]


def sent_schema(given: Schema) -> tuple[dict[str, Any], bool]:
    """Return the schema to send, and whether the value is wrapped: in the property "value" of an object."""
    required = cast("dict[str, Any]", mapped_schema(dict(given), _as_sent))
    if root_of(given).get("type") == "object":
        return (required if "type" in required else {"type": "object", **required}), False
    inside = mapped_schema(required, _moved)
    outer = {name: inside[name] for name in ("$schema", *_DEFINITIONS) if name in inside}
    inner = {name: value for name, value in inside.items() if name not in outer and name not in ("$id", "id")}
    whole = {
        "type": "object",
        "properties": {WRAPPED: inner},
        "required": [WRAPPED],
        "additionalProperties": False,
    }
    return {**whole, **outer}, True


def root_of(schema: Schema, part: Schema | None = None) -> Schema:
    """Return a part of a schema, or its root, with references at its top followed."""
    found: object = schema if part is None else part
    for _ in range(32):
        named = _get(found, "$ref")
        if not isinstance(named, str) or not named.startswith("#"):
            break
        found = schema
        for step in unquote(named).split("/")[1:]:
            found = _get(found, step.replace("~1", "/").replace("~0", "~"))
    return cast("Schema", found) if isinstance(found, Mapping) else {}


def _get(value: object, key: str) -> object:
    if isinstance(value, list) and key.isdecimal():
        items = cast("list[object]", value)
        return items[int(key)] if int(key) < len(items) else None
    return cast("Schema", value).get(key) if isinstance(value, Mapping) else None


def tags_of(schema: object) -> frozenset[str]:
    """Return the names of properties that say what kind of object it is: those that a schema gives one value."""
    found: set[str] = set()

    def look(part: dict[str, Any]) -> dict[str, Any]:
        for name, one in cast("dict[str, Any]", part.get("properties") or {}).items():
            fields = cast("dict[str, Any]", one) if isinstance(one, dict) else {}
            if "const" in fields or len(fields.get("enum", ())) == 1:
                found.add(name)
        named = part.get("discriminator")
        if isinstance(named, dict) and isinstance(name := cast("dict[str, Any]", named).get("propertyName"), str):
            found.add(name)
        return part

    mapped_schema(schema, look)
    return frozenset(found)


def property_names(schema: object) -> frozenset[str]:
    """Return the names of all properties in a schema."""
    found: set[str] = set()

    def look(part: dict[str, Any]) -> dict[str, Any]:
        found.update(cast("dict[str, Any]", part.get("properties") or {}))
        return part

    mapped_schema(schema, look)
    return frozenset(found)


def in_words(schema: object) -> object:
    """Return a schema for a prompt: without the titles that only repeat a name."""

    def untitled(part: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in part.items() if name != "title"}

    return mapped_schema(schema, untitled)


def mapped_schema(schema: object, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return a schema with each of its parts that is a schema changed, the inner ones first; values stay."""
    if isinstance(schema, list):
        return [mapped_schema(one, change) for one in cast("list[object]", schema)]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for name, value in cast("dict[str, Any]", schema).items():
        if name in _DATA:
            made[name] = value
        elif name in _BY_NAME and isinstance(value, dict):
            made[name] = {key: mapped_schema(one, change) for key, one in cast("dict[str, Any]", value).items()}
        else:
            made[name] = mapped_schema(value, change)
    return change(made)


def _moved(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part whose references lead to the same place when the root is inside of the wrapper."""
    named = part.get("$ref")
    if not isinstance(named, str) or not (named == "#" or named.startswith("#/")):
        return part
    first = unquote(named).removeprefix("#/").partition("/")[0]
    return part if first in _DEFINITIONS else {**part, "$ref": f"#/properties/{WRAPPED}{named.removeprefix('#')}"}


def _as_sent(part: dict[str, Any]) -> dict[str, Any]:
    properties = part.get("properties")
    if isinstance(properties, dict) and properties and not any(name in part for name in (*_NARROWS, "maxProperties")):
        named = cast("dict[str, Any]", properties)
        required = set(cast("list[str]", part.get("required", ())))
        part = {
            **part,
            "properties": {name: one if name in required else _or_null(one) for name, one in named.items()},
            "required": [*named, *(name for name in part.get("required", ()) if name not in named)],
        }
    return _with_simple_pattern(part) if isinstance(part.get("pattern"), str) else part


def _or_null(schema: object) -> object:
    """Return the schema of an optional property: one without a default may be null, which stands for leaving it out."""
    if not isinstance(schema, dict) or not schema or "default" in schema:
        return cast("object", schema)
    fields = cast("dict[str, Any]", schema)
    kind = fields.get("type")
    if kind == "null" or (isinstance(kind, list) and "null" in kind) or {"type": "null"} in fields.get("anyOf", ()):
        return fields
    return {"anyOf": [fields, {"type": "null"}]}


def _with_simple_pattern(part: dict[str, Any]) -> dict[str, Any]:
    """Write classes such as \\d out; leave a pattern out beside which servers would forget the length of a text."""
    pattern: str = part["pattern"]
    simple = re.sub(r"\[(?:[^\]\\]|\\.)*\]|\\(.)", _spelled, pattern)
    is_kept = pattern[:1] == "^" and pattern[-1:] == "$" and not _NO_FORM.search(pattern)
    if "maxLength" in part and (not is_kept or _UNBOUNDED.search(pattern)):
        return {name: value for name, value in part.items() if name != "pattern"}
    return {**part, "pattern": simple} if is_kept else part


def _spelled(found: re.Match[str]) -> str:
    if found[1] is not None:
        return f"[{_CLASSES[found[1]]}]" if found[1] in _CLASSES else found[0]
    return re.sub(r"\\(.)", lambda one: _CLASSES.get(one[1], one[0]), found[0])
