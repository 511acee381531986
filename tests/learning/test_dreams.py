"""Dreams are reflections on recent important memories."""

from __future__ import annotations

from datetime import timedelta

import pytest
from made_entries import CONFIG, NOW, entry, lesson

from jido_ai.learning.dreams import dream_entries, dream_of, select_for_dream
from jido_ai.values import (
    EventType,
    Outcome,
    Reflection,
)


@pytest.mark.rows("R41", "R42")
def test_a_dream_is_of_important_memories_of_the_last_day() -> None:
    dreamt_of = [entry(f"p{number}", days=0.1 * number, importance=0.6) for number in range(3)]
    others = [
        entry("old", days=1.1, importance=0.9),
        entry("faint", importance=0.59),
        entry("coming", days=-0.1, importance=0.9),
        lesson("a lesson", importance=0.9),
        entry("a dream", importance=0.9, tags=["dream"]),
    ]
    assert select_for_dream([*dreamt_of, *others], NOW, CONFIG) == dreamt_of[::-1]
    assert select_for_dream([*dreamt_of[:2], *others], NOW, CONFIG) == []


@pytest.mark.rows("R42")
def test_a_dream_is_of_the_twenty_most_important() -> None:
    many = [entry(f"p{number}", importance=0.6 + number / 100) for number in range(30)]
    assert {one.prompt for one in select_for_dream(many, NOW, CONFIG)} == {f"p{number}" for number in range(10, 30)}


@pytest.mark.rows("R41")
def test_no_dream_is_repeated() -> None:
    memories = [entry(f"p{number}", importance=0.9, mistake="m") for number in range(3)]
    episode = dream_of(memories, NOW)
    assert (episode.outcome, [event.type for event in episode.events]) == (
        Outcome.PARTIAL,
        [EventType.SYSTEM_EVENT] * 3,
    )
    dreams = dream_entries(Reflection("look before you leap", strategy="look", importance=0.9), episode)
    assert all("dream" in one.tags and one.timestamp == NOW for one in dreams)
    assert select_for_dream([*dreams, *memories], NOW, CONFIG) == []


def test_without_a_new_memory_there_is_no_second_dream_of_those_that_were_left_out() -> None:
    many = [entry(f"p{number}", days=0.1, importance=0.6 + number / 100) for number in range(25)]
    chosen = select_for_dream(many, NOW, CONFIG)
    dreams = dream_entries(Reflection("look before you leap"), dream_of(chosen, NOW))
    later = NOW + timedelta(hours=1)
    assert select_for_dream([*dreams, *many], later, CONFIG) == []
    new = entry("new", importance=0.9, days=-0.02)
    assert {one.prompt for one in select_for_dream([*dreams, *many, new], later, CONFIG)} == {
        "new",
        *(f"p{number}" for number in range(5)),
    }
