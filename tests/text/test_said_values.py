"""Whatever was repaired, and in whatever order: each value of a typed answer stood at its place in one reply."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from jido_ai.errors import ParseError
from jido_ai.models.prompts.revision import read_json
from jido_ai.text.json_branches import is_same
from jido_ai.text.output_type import output_type
from jido_ai.values import Candidate, CritiqueResult


class Item(BaseModel):
    name: str
    unit: str = "kg"
    qty: int = Field(ge=1)


class Order(BaseModel):
    items: list[Item]
    note: str | None = None
    numbers: list[Annotated[int, Field(ge=0)]] = []


class User(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: int
    nickname: str | None = None


class Card(BaseModel):
    kind: Literal["card"]
    number: int = Field(ge=1)


class Cash(BaseModel):
    kind: Literal["cash"]
    number: int = Field(ge=1)


class Payment(BaseModel):
    by: Annotated[Card | Cash, Field(discriminator="kind")]
    users: dict[str, User] = {}


class Tree(BaseModel):
    name: str
    children: list[Tree] = []
    left: Tree | None = None


class Options(BaseModel):
    a: int = 0
    b: int = 0


class Page(BaseModel):
    rows: list[list[Item | Options]]
    grid: dict[str, list[list[Annotated[int, Field(ge=0)]]]] = {}


TYPES: list[Any] = [
    Order,
    User,
    Payment,
    list[Item],
    dict[str, Item],
    list[Card | Cash],
    dict[int, str],
    list[list[int]],
    Tree,
    Page,
    Tree | list[Tree],
    Options,
]
words = st.sampled_from(["a", "b", "c", "d"])
numbers = st.integers(-1, 4) | st.just("x")
items = st.fixed_dictionaries({"name": words, "qty": numbers}, optional={"unit": st.sampled_from(["kg", "t"])})
users = st.fixed_dictionaries({"id": numbers}, optional={"nickname": words, "nick_name": words})
payments = st.fixed_dictionaries({"kind": st.sampled_from(["card", "cash", "gold"])}, optional={"number": numbers})
trees = st.recursive(
    st.fixed_dictionaries({}, optional={"name": words | numbers}),
    lambda inner: st.fixed_dictionaries(
        {"name": words | numbers}, optional={"children": st.lists(inner, max_size=2), "left": inner}
    ),
    max_leaves=5,
)
options = st.fixed_dictionaries({}, optional={"a": numbers, "b": numbers, "c": numbers})


def wrapped(some: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return some | st.builds(lambda name, one: {name: one}, st.sampled_from(["child", "answer"]), some)


REPLIES: dict[int, Any] = {
    0: st.fixed_dictionaries(
        {"items": st.lists(items, max_size=3)}, optional={"note": words, "numbers": st.lists(numbers, max_size=3)}
    ),
    1: users,
    2: st.fixed_dictionaries({"by": payments}, optional={"users": st.dictionaries(words, users, max_size=2)}),
    3: st.lists(items, max_size=3),
    4: st.dictionaries(words, items, max_size=3),
    5: st.lists(payments, max_size=3),
    6: st.dictionaries(st.sampled_from(["1", "2", "two"]), words, max_size=3),
    7: st.lists(st.lists(numbers, max_size=2), max_size=2),
    8: wrapped(trees),
    9: st.fixed_dictionaries(
        {"rows": st.lists(st.lists(items | options, max_size=2), max_size=2)},
        optional={"grid": st.dictionaries(words, st.lists(st.lists(numbers, max_size=2), max_size=2), max_size=2)},
    ),
    10: trees | st.lists(trees, max_size=2),
    11: wrapped(options),
}
cases = st.integers(0, len(TYPES) - 1).flatmap(
    lambda index: st.tuples(st.just(index), st.lists(REPLIES[index], min_size=2, max_size=4))
)


def stood(value: Any, places: list[Any]) -> bool:
    """Tell whether a value is made of parts of the replies, each at its place; a list is never a mixture."""
    if isinstance(value, dict):
        there = [one for one in places if isinstance(one, dict) and one.get("kind") == value.get("kind")]
        inside = all(stood(one, [place[name] for place in there if name in place]) for name, one in value.items())
        return bool(there) and inside
    return any(is_same(value, one) for one in places)


def check(case: tuple[int, list[Any]]) -> None:
    index, replies = case
    output = output_type(TYPES[index])
    text = output.read(json.dumps(replies[0])).text
    for reply in replies[1:]:
        issues = output.issues(text)
        if not issues:
            break
        critique = CritiqueResult(severity=0.8, issues=issues)
        try:
            revision, _ = read_json(json.dumps(reply), Candidate(text), critique, output)
        except ParseError:
            continue
        text = revision.improved_response
    places = [*replies, *(one["answer"] for one in replies if isinstance(one, dict) and [*one] == ["answer"])]
    assert stood(json.loads(text), places), (text, replies)
    if TYPES[index] is Options and not output.issues(text):
        assert not {"a", "b"} & set(json.loads(text).get("child", {})), text


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases)
def test_each_value_stood_at_its_place_in_one_reply(case: tuple[int, list[Any]]) -> None:
    check(case)


@pytest.mark.slow
@pytest.mark.timeout(900)
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases)
def test_each_value_stood_at_its_place_in_one_reply_of_many(case: tuple[int, list[Any]]) -> None:
    check(case)


def test_a_merge_by_index_would_not_pass() -> None:
    said = [[{"name": "a", "qty": 1}, {"name": "b", "qty": 0}, {"name": "c", "qty": 3}], [{"name": "a", "qty": 1}, {"name": "c", "qty": 3}]]  # fmt: skip  # noqa: E501
    assert not stood([{"name": "a", "qty": 1}, {"name": "b", "qty": 3}, {"name": "c", "qty": 3}], said)


@pytest.mark.parametrize("output", [Tree, Options], ids=lambda one: one.__name__)
@pytest.mark.parametrize("name", ["child", "parent", "node"])
def test_an_object_in_another_of_no_known_name_is_a_finding(output: Any, name: str) -> None:
    inner = {"name": "leaf", "children": []} if output is Tree else {"a": 3}
    reading = output_type(output).read(json.dumps({name: inner}), is_reply=True)
    assert not reading.fits
    assert json.loads(reading.text) == {name: inner}


@pytest.mark.parametrize("name", ["answer", "result", "output", "value", "data", "options"])
def test_an_object_in_another_of_a_known_name_is_the_answer(name: str) -> None:
    assert output_type(Options).read(json.dumps({name: {"a": 3}}), is_reply=True).value == Options(a=3)


def test_a_field_of_the_type_is_no_wrapper() -> None:
    reading = output_type(Tree).read('{"left": {"name": "leaf"}}', is_reply=True)
    assert not reading.fits


def test_a_list_with_a_finding_is_that_of_the_reply() -> None:
    output = output_type(Order)
    first = '{"items": [{"name": "a", "qty": 1}, {"name": "b", "qty": 0}], "note": "n"}'
    reply = '{"items": [{"name": "a", "qty": 9}, {"name": "b", "qty": 2}], "note": "m"}'
    critique = CritiqueResult(severity=0.8, issues=output.issues(first))
    revision, _ = read_json(reply, Candidate(first), critique, output)
    said = json.loads(revision.improved_response)
    assert [one["qty"] for one in said["items"]] == [9, 2]
    assert said["note"] == "n"
