"""The type of an answer: findings with JSON paths, and repairs without a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal

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
    assert not kind.issues(kind.read(reply).text)


@pytest.mark.parametrize(
    "reply",
    ["no idea", '{"id": 1', '{"id": 1, "items": [', '{"id": 1, "items": []} or {"id": 2, "items": []}', "[" * 5_000],
)
def test_a_text_whose_meaning_would_be_a_guess_stays_as_it_is(reply: str) -> None:
    assert output_type(Invoice).read(reply).text == reply


def test_json_that_does_not_validate_is_taken_out_of_the_words_around_it() -> None:
    assert output_type(Invoice).read('I think {"id": "x"} is it').text == '{"id": "x"}'


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
    assert kind.value(kind.read(text).text) == value


def test_a_bare_text_is_no_number_and_no_object() -> None:
    for output in (int, Invoice, list[str]):
        assert output_type(output).read("yes").text == "yes"


@pytest.mark.parametrize("output", [list[Row], int, Literal["a"], Colour, int | str, {"type": "array"}])
def test_the_schema_for_a_model_is_that_of_an_object_and_the_value_is_taken_out_of_it(output: Any) -> None:
    kind = output_type(output)
    assert kind.schema["type"] == "object"
    assert list(kind.schema["properties"]) == ["value"]
    assert kind.read('```\n{"value": 3}\n```', is_reply=True).text == "3"
    json.dumps(kind.schema)


def test_a_type_of_objects_goes_to_the_model_as_it_is() -> None:
    kind = output_type(Invoice)
    assert kind.schema == Invoice.model_json_schema()
    assert kind.read('{"value": 3}', is_reply=True).text == '{"value": 3}'


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
    ],
)
def test_an_error_in_a_validator_is_one_finding_that_names_the_type(
    output: Any, text: str, rules: list[str], said: str
) -> None:
    issues = output_type(output).issues(text)
    assert [one.rule for one in issues] == rules
    assert said in issues[-1].message
    assert output_type(output).value(text) is None


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str


class Note(BaseModel):
    title: str
    lines: list[str] = []
    more: dict[str, int] | None = None
    colour: str = "red"


CUT = [
    (dict[str, list[int]], '{"a": [1], "b": {"c": [2]}'),
    (list[int], '{"items": [1, 2, 3]'),
    (list[int], '```json\n{"items": [1, 2, 3]\n```'),
    (Note, '{"title": "x", "more": {"title": "y"}'),
    ({"type": "object", "required": ["total"]}, '{"total": {"total": 3}'),
    (Note, 'Here it is: {"title": "a", "lines": [{"title": "b"}'),
    (Note, '{"say": "it is } then {"title": "b"}'),
]


@pytest.mark.parametrize(("output", "text"), CUT)
def test_a_part_of_a_text_that_was_cut_off_is_no_answer(output: Any, text: str) -> None:
    for is_reply in (False, True):
        reading = output_type(output).read(text, is_reply=is_reply)
        assert (reading.text, [one.kind for one in reading.issues]) == (text, ["json"])


@pytest.mark.parametrize(
    ("output", "reply", "value"),
    [
        (Note, '{"title": "x", // a note\n "lines": [] /* none */}', Note(title="x")),
        (Note, '{"title": "x", # don\'t\n "lines": ["a#b"]}', Note(title="x", lines=["a#b"])),
        (Note, '{"title": "two\nrows"}', Note(title="two\nrows")),
        (Note, '{"title": "x", "lines": "[\\"a\\"]"}', Note(title="x", lines=["a"])),
        (Note, '{"title": "x", "more": "{\\"k\\": 1}"}', Note(title="x", more={"k": 1})),
        (Note, '"{\\"title\\": \\"x\\"}"', Note(title="x")),
        (Note, '{"$PARAMETER_NAME": {"title": "x"}}', Note(title="x")),
        (Note, '{"title": "x", "colour": null}', Note(title="x")),
        (Note, '```\nprint([1])\n```\n```json\n{"title": "x"}\n```', Note(title="x")),
        (Note, '```json\n{"title": [\n```\nOnce more:\n```json\n{"title": "x"}\n```', Note(title="x")),
        (Note, '{"title": "half \\ud83d"}', Note(title="half \ufffd")),
        (Cat | str, '```json\n{"kind": "cat", "name": "Tom"}\n```', Cat(kind="cat", name="Tom")),
        (Cat | str, 'Here it is: {"kind": "cat", "name": "Tom"}', Cat(kind="cat", name="Tom")),
        (Cat | str, "no cat {} here", "no cat {} here"),
        (list[int] | str, "see [1]", "see [1]"),
        (Cat | str, "just words", "just words"),
        (dict[str, int] | list[int], '{"value": [1]}', [1]),
        (dict[str, int] | list[int], '{"value": 5}', {"value": 5}),
    ],
)  # fmt: skip
def test_slips_of_structure_are_fixed_without_a_model(output: Any, reply: str, value: Any) -> None:
    assert output_type(output).read(reply, is_reply=True).value == value


def test_a_broken_object_beside_texts_is_no_text() -> None:
    reading = output_type(Cat | str).read('{"kind": "cat"}', is_reply=True)
    assert not reading.fits


def test_a_key_of_a_map_that_is_null_is_not_left_out() -> None:
    assert not output_type(dict[str, int]).read('{"a": null, "b": 1}').fits


@pytest.mark.parametrize(
    ("schema", "value", "said"),
    [
        ({"type": "array", "maxItems": 3}, [1, 2, 3, 4], "must have at most 3 items, not 4"),
        ({"type": "string", "minLength": 3}, "ab", "must have at least 3 characters, not 2"),
        ({"type": "object", "minProperties": 1}, {}, "must have at least 1 properties, not 0"),
    ],
)
def test_a_finding_names_its_limit(schema: Any, value: Any, said: str) -> None:
    assert [one.message for one in output_type(schema).issues(json.dumps(value))] == [said]


@pytest.mark.parametrize("price", [19.99, 0.07, 0.29, 4.35, 1234.56, 1.1, 100])
def test_a_price_is_a_multiple_of_a_cent(price: float) -> None:
    assert not output_type({"multipleOf": 0.01}).issues(json.dumps(price))
    assert output_type({"multipleOf": 0.01}).issues(json.dumps(price + 0.001))


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-02-29T10:00:00Z", "soon"),
        ("date-time", "1990-12-31T23:59:60Z", "2024-02-29"),
        ("time", "10:00:00+01:00", "25:00:00Z"),
        ("duration", "P1DT2H", "P"),
        ("email", "a.b@example.org", "nobody"),
        ("hostname", "example.org", "-a.b"),
        ("ipv4", "127.0.0.1", "999.1.1.1"),
        ("ipv6", "::1", "1.2.3.4"),
        ("uri", "https://example.org/a?b", "not a uri"),
        ("uuid", "12345678-1234-5678-1234-567812345678", "x"),
    ],
)
def test_a_format_of_a_schema_is_checked(name: str, right: str, wrong: str) -> None:
    kind = output_type({"type": "string", "format": name})
    assert not kind.issues(json.dumps(right))
    assert [one.rule for one in kind.issues(json.dumps(wrong))] == ["format"]


def test_a_format_that_is_not_known_is_not_checked() -> None:
    assert not output_type({"type": "string", "format": "colour"}).issues('"?"')


class Card(BaseModel):
    kind: Literal["card"]
    number: int


class Coin(BaseModel):
    kind: Literal["coin"]
    value: int


class Sum(BaseModel):
    value: int


UNIONS: list[tuple[Any, list[str], Any]] = [
    (Card | Sum, ["{}", '{"value": {}}', '{"answer": {}}', '{"Card": {}}'], Card(kind="card", number=1)),
    (Annotated[Card | Coin, Field(discriminator="kind")], ["{}", '{"value": {}}', '{"result": {}}'],
     Coin(kind="coin", value=1)),
    (Card | str, ["{}", '{"value": {}}', '{"answer": {}}'], Card(kind="card", number=1)),
    (Card | None, ["{}", '{"value": {}}', '{"data": {}}'], Card(kind="card", number=1)),
    (list[Card] | Card, ["{}", '{"value": {}}', '{"output": {}}'], Card(kind="card", number=1)),
    (Sum | Card, ["{}", '{"value": {}}'], Sum(value=5)),
]  # fmt: skip


@pytest.mark.parametrize(("output", "around", "value"), UNIONS)
def test_a_wrapper_around_a_union_at_the_root_is_taken_off(output: Any, around: list[str], value: BaseModel) -> None:
    for text in around:
        reading = output_type(output).read(text.replace("{}", value.model_dump_json()), is_reply=True)
        assert (reading.value, reading.issues) == (value, ())


@pytest.mark.parametrize("text", ['{"colour": {"kind": "card", "number": 1}}', '{"answer": {"kind": "card"}}'])
def test_any_other_wrapper_around_a_union_is_a_finding(text: str) -> None:
    assert output_type(Card | Coin).read(text, is_reply=True).issues
