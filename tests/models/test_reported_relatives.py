"""Relatives of faults that users of other projects reported: other types, orders and repairs, to the same end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from jido_ai import LoopConfig, reflect
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ParseError
from jido_ai.protocols import RunContext
from jido_ai.testing import ScriptedModel
from jido_ai.text.output_type import output_type
from jido_ai.values import Candidate

Natural = Annotated[int, Field(ge=0)]


class Item(BaseModel):
    name: str
    qty: int = Field(ge=1)


class Order(BaseModel):
    items: list[Item]


class Rows(BaseModel):
    rows: list[list[Natural]]


class ByName(BaseModel):
    by: dict[str, list[Natural]]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: int
    tags: list[str] = []
    note: str | None = None


class Aliased(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: int
    nick: str = Field(default="", alias="nickName")


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str


class Dog(BaseModel):
    kind: Literal["dog"]
    barks: bool


class Home(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")
    street: str


@dataclass
class Meeting:
    day: date
    people: list[str]


class Tagged(BaseModel):
    sign: Literal["<", "<b>", "<the fault>"]
    html: str = Field(examples=["<p>x</p>"])


async def answered(output: Any, *replies: object) -> tuple[Any, int]:
    model = ScriptedModel([one if isinstance(one, str) else json.dumps(one) for one in replies])
    result: Any = await reflect("x", output=output, generator=model, config=LoopConfig(max_iterations=4))
    return result.output, len(model.requests)


def rows(*pairs: tuple[str, int]) -> list[dict[str, object]]:
    return [{"name": name, "qty": qty} for name, qty in pairs]


def items(*pairs: tuple[str, int]) -> list[Item]:
    return [Item(name=name, qty=qty) for name, qty in pairs]


REPAIRED: Sequence[tuple[Any, object, object, object]] = [
    (tuple[Item, ...], {"value": rows(("a", 1), ("b", 0), ("c", 3))}, {"value": rows(("c", 3), ("a", 1))},
     tuple(items(("c", 3), ("a", 1)))),
    (list[Item], {"value": rows(("b", 0), ("a", 1))}, {"value": rows(("a", 2))}, items(("a", 2))),
    (Rows, {"rows": [[1, -2, 3], [4]]}, {"rows": [[1, 3], [4]]}, Rows(rows=[[1, 3], [4]])),
    (ByName, {"by": {"a": [1, -1], "b": [2, 5]}}, {"by": {"a": [1], "b": [2]}}, ByName(by={"a": [1], "b": [2, 5]})),
    (Closed, {"id": 1, "Tags": ["x"], "comment": "hi"}, {"id": 1, "tags": ["x"], "note": "hi"},
     Closed(id=1, tags=["x"], note="hi")),
    (Aliased, {"id": 1, "nick_name": "T"}, {"id": 1, "nickName": "T"}, Aliased(id=1, nickName="T")),
    (list[Home], {"value": [{"pet": {"kind": "cat", "barks": True}, "street": "s"}]},
     {"value": [{"pet": {"kind": "dog", "barks": True}, "street": "s"}]},
     [Home(pet=Dog(kind="dog", barks=True), street="s")]),
    (Home, {"pet": {"kind": "cow", "barks": True}, "street": "s"},
     {"pet": {"kind": "dog", "barks": True}, "street": "t"},
     Home(pet=Dog(kind="dog", barks=True), street="s")),
]  # fmt: skip


@pytest.mark.parametrize(("output", "first", "second", "value"), REPAIRED)
async def test_a_repaired_answer_is_what_the_replies_say(
    output: Any, first: object, second: object, value: object
) -> None:
    assert await answered(output, first, second) == (value, 2)


CAT = '{"kind": "cat", "name": "Tom"}'
UNIONS: Sequence[tuple[Any, str, object]] = [
    (list[Cat] | str, f"Here they are:\n```\n[{CAT}]\n```", [Cat(kind="cat", name="Tom")]),
    (Cat | Dog | str, 'I chose this.\n```json\n{"kind": "dog", "barks": true}\n```', Dog(kind="dog", barks=True)),
    (str | Cat, CAT, Cat(kind="cat", name="Tom")),
    (dict[str, int] | str, '{"a": 1}', {"a": 1}),
    (int | str, "5", 5),
    (int | str, "five", "five"),
    (str, '{"a": 1}', '{"a": 1}'),
    (Literal["yes", "no"] | Cat, "yes", "yes"),
    (Cat | str, '{"value": "just a text"}', "just a text"),
    (Tagged, '{"sign": "<the fault>", "html": "<p>x</p>"}', Tagged(sign="<the fault>", html="<p>x</p>")),
]


@pytest.mark.parametrize(("output", "reply", "value"), UNIONS)
async def test_an_answer_among_texts_and_tags_takes_one_call(output: Any, reply: str, value: object) -> None:
    assert await answered(output, reply) == (value, 1)


LISTED = '[{"name": "a", "qty": 1}]'


@pytest.mark.parametrize(
    "reply",
    [
        {"items": LISTED},
        {"items": json.dumps(LISTED)},
        {"items": f"```json\n{LISTED}\n```"},
        {"items": ['{"name": "a", "qty": 1}']},
        {"items": LISTED.replace('"', "'")},
        json.dumps(json.dumps({"items": LISTED})),
        {"answer": {"items": LISTED}},
        '{"items": [{"name": "a", // the first\n "qty": 1 /* one */}, # and no more\n]}',
    ],
)  # fmt: skip
def test_structures_that_came_as_texts_are_read_without_a_call(reply: object) -> None:
    text = reply if isinstance(reply, str) else json.dumps(reply)
    assert output_type(Order).read(text, is_reply=True).value == Order(items=items(("a", 1)))


def test_a_list_of_a_dataclass_that_came_as_a_text_is_read() -> None:
    read = output_type(Meeting).read('{"day": "2026-01-02", "people": "[\\"Ada\\"]"}', is_reply=True)
    assert read.value == Meeting(date(2026, 1, 2), ["Ada"])


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (list[list[int]], "[[1], [2]"),
        (Order, '{"items": [{"name": "a", "qty": 1}, {"name": "b"'),
        (Item | list[Item], '[{"name": "a", "qty": 1}, {"name": "b", "qty":'),
        (Item, '{"order": {"name": "a", "qty": 1}'),
        (dict[str, Any], 'so: {"a": {"b": 1} '),
        (Home, '```json\n{"street": "s", "pet": {"kind": "cat", "name": "Tom"}\n```'),
    ],
)
def test_no_part_of_a_cut_answer_is_the_answer(output: Any, text: str) -> None:
    assert output_type(output).read(text, is_reply=True).value is None


VERDICTS = '[{"severity": 0.2, "issues": []}, {"severity": 0.7, "issues": ["x"]}]'


@pytest.mark.parametrize(
    ("reply", "severity"),
    [
        (f"```json\n{VERDICTS}\n```", 0.7),
        (f'{{"verdicts": {VERDICTS}}}', 0.7),
        (f'```\n{{"results":\n{VERDICTS}\n}}\n```', 0.7),
        ('[{"severity": 0.4, "issues": ["x"]}]', 0.4),
        ('{"critique": {"severity": 0.4, "issues": []}}', 0.4),
        ('{"result": {"SEVERITY": "0.4", "issues": null}}', 0.4),
        ('First: {"severity": 0.3, "issues": []}\nThen: {"severity": 0.6, "issues": ["y"]}', 0.6),
    ],
)
async def test_the_worst_verdict_of_a_list_counts_and_the_last_one_in_prose(reply: str, severity: float) -> None:
    model = ScriptedModel([reply])
    found = await LLMCritiquer(model).critique(Candidate("a text"), RunContext("r", "x"))
    assert (found.severity, len(model.requests)) == (severity, 1)


async def test_a_list_of_issues_without_a_severity_of_the_whole_is_no_list_of_verdicts() -> None:
    reply = '{"issues": [{"severity": 0.2, "suggestions": []}, {"severity": 0.7, "suggestions": []}]}'
    with pytest.raises(ParseError):
        await LLMCritiquer(ScriptedModel([reply, reply])).critique(Candidate("a text"), RunContext("r", "x"))
