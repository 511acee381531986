"""The type of an answer: findings with JSON paths, and repairs without a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from typing_extensions import TypedDict

from jido_ai.errors import ConfigurationError
from jido_ai.text.output_type import output_type


class Row(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    price: float = Field(ge=0)


class Invoice(BaseModel):
    id: int
    items: list[Row]

    @model_validator(mode="after")
    def _not_unlucky(self) -> Invoice:
        if self.id == 13:
            raise ValueError("13 is an unlucky number")
        return self


@dataclass
class Point:
    x: int
    y: int = 0


class Address(TypedDict):
    street: str


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


SCHEMA = {
    "type": "object",
    "required": ["id", "a b"],
    "properties": {"id": {"type": "integer", "minimum": 1}, "a b": {"enum": ["x", "y"]}},
    "additionalProperties": False,
}


def found(output: Any, text: str) -> list[tuple[str | None, str | None, str | None, float]]:
    issues = output_type(output).issues(text)
    return [(one.kind, one.rule, one.location and one.location.path, one.severity) for one in issues]


@pytest.mark.parametrize(
    ("output", "text", "findings"),
    [
        (Invoice, '{"id": 1, "items": []}', []),
        (Invoice, '{"id": "1", "items": []}', []),
        (Invoice, "{}", [("missing", "id", 0.8), ("missing", "items", 0.8)]),
        (Invoice, '{"id": "x", "items": []}', [("int_parsing", "id", 0.8)]),
        (Invoice, '{"id": 1, "items": 3}', [("list_type", "items", 0.8)]),
        (Invoice, '{"id": 1, "items": [{"name": "a", "price": 1}, {"price": -1}]}',
         [("missing", "items[1].name", 0.8), ("greater_than_equal", "items[1].price", 0.6)]),
        (Invoice, '{"id": 1, "items": [{"name": "a", "price": 1, "x y": 2}]}',
         [("extra_forbidden", 'items[0]["x y"]', 0.6)]),
        (Invoice, '{"id": 13, "items": []}', [("value_error", "$", 0.6)]),
        (list[Row], '[{"name": 3, "price": 1}]', [("string_type", "[0].name", 0.8)]),
        (Literal["yes", "no"], '"maybe"', [("literal_error", "$", 0.6)]),
        (Colour, '"green"', [("enum", "$", 0.6)]),
        (Point, '{"y": 1}', [("missing", "x", 0.8)]),
        (Address, '{"street": null}', [("string_type", "street", 0.8)]),
        (dict[str, int | list[int]], '{"a": "q"}', [("int_parsing", "a", 0.6), ("list_type", "a", 0.6)]),
        (SCHEMA, '{"id": 1, "a b": "x"}', []),
        (SCHEMA, "{}", [("required", "id", 0.8), ("required", '["a b"]', 0.8)]),
        (SCHEMA, '{"id": "1", "a b": "z"}', [("type", "id", 0.8), ("enum", '["a b"]', 0.6)]),
        (SCHEMA, '{"id": 0, "a b": "x", "c": 1}', [("additionalProperties", "$", 0.6), ("minimum", "id", 0.6)]),
    ],
)  # fmt: skip
def test_each_part_that_does_not_fit_is_a_finding_with_its_place(
    output: Any, text: str, findings: list[tuple[str, str, float]]
) -> None:
    assert sorted(found(output, text)) == sorted(("schema", *finding) for finding in findings)
    assert (output_type(output).value(text) is None) == bool(findings)


@pytest.mark.parametrize(
    "text", ["", "no idea", "{", '{"id": NaN, "items": []}', '{"id": 1,}', "[" * 5_000, '{"a":' * 5_000, "]" * 5_000]
)
@pytest.mark.parametrize("output", [Invoice, SCHEMA])
def test_a_text_that_is_no_json_is_one_finding(output: Any, text: str) -> None:
    (issue,) = output_type(output).issues(text)
    assert (issue.kind, issue.severity) == ("json", 1.0)
    assert output_type(output).value(text) is None


def test_a_finding_has_the_words_of_the_validator() -> None:
    (issue,) = output_type(Invoice).issues('{"id": 13, "items": []}')
    assert issue.message == "13 is an unlucky number"


@pytest.mark.parametrize(
    ("output", "reply"),
    [
        (Invoice, '```json\n{"id": 1, "items": []}\n```'),
        (Invoice, 'Here you are:\n{"id": 1, "items": []}\nAnything else?'),
        (Invoice, "{'id': 1, 'items': [],}"),
        (Invoice, 'As [1] says: {"id": 1, "items": []}'),
        (SCHEMA, 'Sure. ```\n{"id": 1, "a b": "x",}\n```'),
    ],
)
def test_slips_and_words_around_are_repaired_without_a_model(output: Any, reply: str) -> None:
    kind = output_type(output)
    assert kind.issues(reply)
    assert not kind.issues(kind.repaired(reply))


@pytest.mark.parametrize(
    "reply",
    ["no idea", '{"id": 1', '{"id": 1, "items": [', '{"id": 1, "items": []} or {"id": 2, "items": []}', "[" * 5_000],
)
def test_a_text_whose_meaning_would_be_a_guess_stays_as_it_is(reply: str) -> None:
    assert output_type(Invoice).repaired(reply) == reply


def test_json_that_does_not_validate_is_taken_out_of_the_words_around_it() -> None:
    assert output_type(Invoice).repaired('I think {"id": "x"} is it') == '{"id": "x"}'


@pytest.mark.parametrize(
    ("output", "text", "value"),
    [
        (str, "a sentence", "a sentence"),
        (str, "42", "42"),
        (str, '"quoted"', "quoted"),
        (Literal["yes", "no"], " yes\n", "yes"),
        (Colour, "red", Colour.RED),
        (str | None, "text", "text"),
        ({"enum": ["a", "b"]}, "a", "a"),
        (int, "3", 3),
    ],
)
def test_a_bare_text_counts_as_a_json_string_where_the_type_holds_texts(output: Any, text: str, value: Any) -> None:
    kind = output_type(output)
    assert kind.value(kind.repaired(text)) == value


def test_a_bare_text_is_no_number_and_no_object() -> None:
    for output in (int, Invoice, list[str]):
        assert output_type(output).repaired("yes") == "yes"


@pytest.mark.parametrize("output", [list[Row], int, Literal["a"], Colour, int | str, {"type": "array"}])
def test_the_schema_for_a_model_is_that_of_an_object_and_the_value_is_taken_out_of_it(output: Any) -> None:
    kind = output_type(output)
    assert kind.schema["type"] == "object"
    assert list(kind.schema["properties"]) == ["value"]
    assert kind.unwrapped('```\n{"value": 3}\n```') == "3"
    json.dumps(kind.schema)


def test_a_type_of_objects_goes_to_the_model_as_it_is() -> None:
    kind = output_type(Invoice)
    assert kind.schema == Invoice.model_json_schema()
    assert kind.unwrapped('{"value": 3}') == '{"value": 3}'


@pytest.mark.parametrize("output", [None, 3, "Invoice", object(), {"type": "nope"}, {"a": {1}}, lambda x: x, print])
def test_anything_but_a_type_or_a_schema_is_refused(output: Any) -> None:
    with pytest.raises(ConfigurationError):
        output_type(output)


def test_equal_types_and_schemas_share_one_output_type() -> None:
    assert output_type(Invoice) is output_type(Invoice)
    assert output_type(dict(SCHEMA)) is output_type(SCHEMA)


def test_each_value_is_a_new_object() -> None:
    kind = output_type(Invoice)
    text = '{"id": 1, "items": []}'
    assert kind.value(text) is not kind.value(text)


def test_a_schema_that_refers_elsewhere_is_an_error_that_says_so() -> None:
    with pytest.raises(ConfigurationError, match="refers to something that is not in it"):
        output_type({"$ref": "https://example.org/other.json"}).issues("{}")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("", None),
        ("I think", None),
        ('{"id": 1, "it', {"id": 1}),
        ('```json\n{"id": 12', {"id": 12}),
        ('{"a": "be', {"a": "be"}),
    ],
)
def test_the_beginning_of_a_reply_is_read_as_far_as_it_goes(reply: str, value: Any) -> None:
    assert output_type(Invoice).partial(reply) == value


def test_the_beginning_of_a_wrapped_reply_is_that_of_its_value() -> None:
    assert output_type(list[int]).partial('{"value": [1, 2') == [1, 2]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(json_values, st.sampled_from([Invoice, SCHEMA, list[Row], dict[str, int | list[int]], Point]))
def test_a_text_has_either_a_value_or_findings(data: Any, output: Any) -> None:
    kind, text = output_type(output), json.dumps(data)
    issues = kind.issues(text)
    assert (kind.value(text) is None) == bool(issues)
    assert all(one.location is not None and one.location.path for one in issues)


def test_the_beginning_of_a_reply_may_end_in_half_a_character() -> None:
    assert output_type(list[str]).partial('["\ud83d') is None


class Stripped(BaseModel):
    name: str

    @field_validator("name", mode="before")
    @classmethod
    def _stripped(cls, name: Any) -> Any:
        return name.strip()


@pytest.mark.parametrize(
    ("output", "text", "rules", "said"),
    [
        (Stripped, '{"name": 5}', ["validator"], "the validator of Stripped failed: AttributeError: 'int' object has"),
        ({"multipleOf": 0.1}, "1" * 400, ["validator"], "failed: OverflowError: int"),
        ({"maximum": 1, "multipleOf": 0.1}, "1" * 400, ["maximum", "validator"], "failed: OverflowError: int"),
    ],
)
def test_an_error_in_a_validator_is_one_finding_that_names_the_type(
    output: Any, text: str, rules: list[str], said: str
) -> None:
    issues = output_type(output).issues(text)
    assert [one.rule for one in issues] == rules
    assert said in issues[-1].message
    assert output_type(output).value(text) is None
