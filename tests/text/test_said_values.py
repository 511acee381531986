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


TYPES: list[Any] = [
    Order,
    User,
    Payment,
    list[Item],
    dict[str, Item],
    list[Card | Cash],
    dict[int, str],
    list[list[int]],
]
words = st.sampled_from(["a", "b", "c", "d"])
numbers = st.integers(-1, 4) | st.just("x")
items = st.fixed_dictionaries({"name": words, "qty": numbers}, optional={"unit": st.sampled_from(["kg", "t"])})
users = st.fixed_dictionaries({"id": numbers}, optional={"nickname": words, "nick_name": words})
payments = st.fixed_dictionaries({"kind": st.sampled_from(["card", "cash", "gold"])}, optional={"number": numbers})
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
}
cases = st.integers(0, len(TYPES) - 1).flatmap(
    lambda index: st.tuples(st.just(index), st.lists(REPLIES[index], min_size=2, max_size=4))
)


def stood(value: Any, places: list[Any]) -> bool:
    """Tell whether a value is made of parts of the replies, each at its place; an item of a list is never a mixture."""
    if isinstance(value, dict):
        there = [one for one in places if isinstance(one, dict) and one.get("kind") == value.get("kind")]
        inside = all(stood(one, [place[name] for place in there if name in place]) for name, one in value.items())
        return bool(there) and inside
    if isinstance(value, list):
        there = [one for one in places if isinstance(one, list) and len(one) == len(value)]
        whole = all(any(is_same(one, place[index]) for place in there) for index, one in enumerate(value))
        is_mixed = not all(isinstance(one, dict | list) for one in value)
        return bool(there) and whole and (not is_mixed or any(is_same(value, place) for place in there))
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
    assert stood(json.loads(text), replies), (text, replies)


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
