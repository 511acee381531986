"""What is sent for a type: it means what was given, and every reference in it leads somewhere."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

from jido_ai.models.providers.openai import strict_schema
from jido_ai.text.json_schema import check_references
from jido_ai.text.output_type import output_type
from jido_ai.text.sent_schema import sent_schema


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    owner: Annotated[Tree, Field(description="who feeds it")] | None = None


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
ITEM = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
GIVEN: list[tuple[Any, list[Any], list[Any]]] = [
    ({"type": "array", "items": {"$ref": "#/definitions/P"}, "definitions": {"P": ITEM}}, [[{"n": 1}]], [[{"n": "x"}]]),
    ({"type": "array", "items": {"$ref": "#/$defs/P"}, "$defs": {"P": ITEM}}, [[{"n": 1}]], [[{}]]),
    ({"$ref": "#/definitions/P", "definitions": {"P": ITEM}}, [{"n": 1}], [{"n": "x"}, [1]]),
    ({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"$ref": "#"}]}}, [[1, [2]]], [["x"]]),
    ({"type": "array", "prefixItems": [ITEM], "items": {"$ref": "#/prefixItems/0"}}, [[{"n": 1}, {"n": 2}]], [[1]]),
    ({"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"type": "integer"}}},
     [{"a": 1}], [{"a": "x"}]),
    ({"$id": "https://example.org/s", "type": "array", "items": {"$ref": "#/$defs/a~1b"}, "$defs": {"a/b": ITEM}},
     [[{"n": 1}]], [[2]]),
    ({"type": "object", "properties": {"$ref": {"const": {"$ref": "#/x"}}}, "required": ["$ref"]},
     [{"$ref": {"$ref": "#/x"}}], [{"$ref": 1}]),
    (Tree, [{"name": "a", "children": [{"name": "b"}]}], [{"name": "a", "children": [1]}]),
    (list[Tree], [[{"name": "a", "children": []}]], [[{"children": []}]]),
    (Pet, [{"kind": "cat"}, {"kind": "dog", "owner": None}], [{"kind": "cow"}]),
    (dict[str, Tree], [{"x": {"name": "a"}}], [{"x": 1}]),
]  # fmt: skip


@pytest.mark.parametrize(("given", "right", "wrong"), GIVEN)
def test_the_schema_that_is_sent_means_the_given_one(given: Any, right: list[Any], wrong: list[Any]) -> None:
    kind = output_type(given)
    check_references(kind.schema)
    is_wrapped = "value" in kind.schema.get("properties", {})
    for value in (*right, *wrong):
        sent = json.loads(json.dumps(kind.schema))
        _without_required(sent)
        told = {"value": value} if is_wrapped else value
        assert jsonschema.Draft202012Validator(sent).is_valid(told) == (value in right), value
        assert kind.read(json.dumps(told), is_reply=True).fits == (value in right)


def _without_required(schema: Any) -> None:
    """Take out what is required in addition: only the meaning of the rest is compared."""
    for one in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _without_required(one)
    if isinstance(schema, dict) and isinstance(schema.get("required"), list):
        schema["required"] = [name for name in schema["required"] if name in ("name", "kind", "n", "value", "$ref")]


@pytest.mark.parametrize("given", [Tree, Cat, list[Cat], Pet, {"properties": {"a": {}, "b": ITEM}, "type": "object"}])
def test_every_property_is_required_in_what_is_sent(given: Any) -> None:
    def look(schema: Any) -> None:
        if isinstance(schema, dict):
            if isinstance(schema.get("properties"), dict) and "type" in schema:
                assert list(schema["properties"]) == schema["required"]
            for one in schema.values():
                look(one)

    look(output_type(given).schema)


def test_an_optional_property_without_a_default_may_be_null_and_is_then_left_out() -> None:
    given = {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "phone": {"type": "string"}},
        "required": ["id"],
    }
    assert sent_schema(given)[0]["properties"]["phone"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert output_type(given).read('{"id": 1, "phone": null}').value == {"id": 1}


@pytest.mark.parametrize(
    ("pattern", "more", "sent"),
    [
        (r"^\d{4}$", {}, "^[0-9]{4}$"),
        (r"^[\w-]\d$", {"maxLength": 4}, "^[A-Za-z0-9_-][0-9]$"),
        (r"^\d+$", {"maxLength": 4}, None),
        (r"\d", {"maxLength": 4}, None),
        (r"\d", {}, r"\d"),
        (r"^(?i)a$", {}, "^(?i)a$"),
        (r"^a\.b$", {}, r"^a\.b$"),
    ],
)
def test_a_pattern_is_written_as_servers_keep_it(pattern: str, more: Any, sent: str | None) -> None:
    assert sent_schema({"type": "string", "pattern": pattern, **more})[0]["properties"]["value"].get("pattern") == sent
    if sent is not None and "(?i)" not in sent:
        assert all(bool(re.search(sent, text)) == bool(re.search(pattern, text)) for text in ("1234", "a1", "a.b", "x"))


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    pet: Pet
    when: str | None = None


@pytest.mark.parametrize(
    ("given", "is_strict"),
    [
        (Closed, True),
        (Tree, True),
        (list[Cat], True),
        (dict[str, int], False),
        (tuple[int, str], False),
        (list[Any], False),
        ({"type": "object"}, False),
        ({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": True}, False),
        ({"type": "array", "items": {"$ref": "#/definitions/P"}, "definitions": {"P": ITEM}}, True),
    ],
)
def test_a_strict_form_is_made_where_there_is_one(given: Any, is_strict: bool) -> None:
    strict = strict_schema(to_json(output_type(given).schema))
    assert (strict is not None) == is_strict
    if strict is not None:
        text = json.dumps(strict)
        assert not any(f'"{word}"' in text for word in ("oneOf", "prefixItems", "default", "discriminator"))
        check_references(strict)


def test_a_field_with_a_default_may_be_null_in_the_strict_form_which_does_not_name_defaults() -> None:
    output = output_type(Cat)
    strict = strict_schema(to_json(output.schema))
    assert strict is not None
    assert [one["type"] for one in strict["properties"]["lives"]["anyOf"]] == ["integer", "null"]
    assert strict["properties"]["kind"]["type"] == "string"
    assert output.read('{"kind": "cat", "lives": null}').value == Cat(kind="cat")
