"""Packed numbers that grow piece by piece."""

from __future__ import annotations

from array import array
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.memory.index import growing_array
from jido_ai.memory.index.growing_array import GrowingArray


@pytest.fixture(autouse=True)
def _short_ones_are_very_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing_array, "_SHORT", 8)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["Q", "q", "i"]),
    st.integers(0, 50),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 9)), max_size=200),
)
def test_a_growing_array_always_equals_a_list(
    kind: Literal["Q", "q", "i"], expected: int, changed: list[tuple[int, int]]
) -> None:
    numbers, same = GrowingArray(kind, expected), list[int]()
    for number, (at, more) in enumerate(changed):
        if more > 2:
            numbers.extend(range(more))
            same.extend(range(more))
        else:
            numbers.append(number)
            same.append(number)
        if at < len(same):
            numbers[at] = same[at] = 1_000 + number
    assert len(numbers) == len(same)
    assert list(numbers.view()) == same
    assert [numbers[at] for at in range(len(same))] == same
    assert numbers.piece(2, 30) == same[2:30]
    if same:
        assert numbers[-1] == same[-1]


def test_adding_to_a_full_array_moves_a_few_numbers_and_never_all(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, moved = GrowingArray("q"), list[int]()
    move_house = GrowingArray._move_house
    for number in range(40):
        numbers.append(number)

    def watched(self: GrowingArray) -> None:
        moved.append(self._moved - len(self))
        move_house(self)

    monkeypatch.setattr(GrowingArray, "_move_house", watched)
    before = 0
    for number in range(40, 5_000):
        numbers.append(number)
        assert numbers._moved - before <= 16
        before = numbers._moved
    assert moved
    assert set(moved) == {0}  # nothing was left to be moved at once
    assert list(numbers.view()) == list(range(5_000))


def test_reserved_room_is_allocated_at_once_and_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = GrowingArray("q", 1_000)
    monkeypatch.delattr(GrowingArray, "_move_some")
    monkeypatch.delattr(GrowingArray, "_move_house")
    for number in range(1_000):
        numbers.append(number)
    assert list(numbers.view()) == list(range(1_000))


def test_a_view_does_not_prevent_growth() -> None:
    numbers = GrowingArray("Q")
    for number in range(10):
        numbers.append(number)
    seen = numbers.view()
    for number in range(10, 100):
        numbers.append(number)
    assert list(seen) == list(range(10))
    assert isinstance(GrowingArray("Q").view(), array)
