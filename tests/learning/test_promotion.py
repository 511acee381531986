"""Causes and tags that several attempts share become lessons."""

from __future__ import annotations

from typing import Any

import pytest
from made_entries import CONFIG, NOW, entry, lesson

from jido_ai.errors import ConfigurationError
from jido_ai.learning.promotion import promotions_from_causes, promotions_from_tags, read_episode, reinforce
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Episode,
    Event,
    EventType,
    MemoryEntry,
    Reflection,
)


def attempt(row: int, cause: str, words: str = "close files") -> tuple[int, Episode]:
    reflection = Reflection(words, root_cause=cause, importance=0.7)
    return row, Episode("p", id=f"episode {row}", reflection=reflection, critique=CritiqueResult(severity=0.5))


def test_a_cause_shared_by_two_attempts_makes_a_lesson_that_only_new_attempts_extend() -> None:
    attempts = [attempt(1, "a file stayed open"), attempt(2, "A file stayed  open")]
    ((made),) = promotions_from_causes([], attempts, NOW)
    assert made.into is None
    assert (made.lesson.frequency, made.lesson.timestamp) == (2, NOW)
    assert promotions_from_causes([made.lesson], attempts, NOW) == []
    (more,) = promotions_from_causes([made.lesson], [*attempts, attempt(3, "a file stayed open", "other words")], NOW)
    assert more.into == made.lesson.id
    one = reinforce(made.lesson, more.lesson, NOW, CONFIG)
    assert (one.frequency, one.evidence) == (3, ("episode 1", "episode 2", "episode 3"))
    assert one.correction == "close files"
    assert reinforce(one, more.lesson, NOW, CONFIG) is one


def test_no_attempt_of_a_hundred_and_fifty_is_counted_twice() -> None:
    attempts = [attempt(row, "a file stayed open") for row in range(1, 151)]
    (made,) = promotions_from_causes([], attempts, NOW)
    assert made.lesson.frequency == 150
    assert len(made.lesson.evidence) == 100
    assert promotions_from_causes([made.lesson], attempts, NOW) == []


def test_two_causes_with_one_remedy_are_one_lesson() -> None:
    attempts = [attempt(1, "one"), attempt(2, "other"), attempt(3, "one"), attempt(4, "other")]
    first, second = promotions_from_causes([], attempts, NOW)
    assert second.into == first.lesson.id
    one = reinforce(first.lesson, second.lesson, NOW, CONFIG)
    assert one.frequency == 4
    assert promotions_from_causes([one], attempts, NOW) == []


def tagged(number: int, tag: str = "import", **fields: Any) -> MemoryEntry:
    return entry(f"p{number}", **{"mistake": f"m{number % 2}", "correction": "c", "tags": [tag], **fields})


@pytest.mark.rows("R62")
def test_five_entries_of_one_tag_make_a_summary_that_is_replaced_when_there_is_more() -> None:
    five = [tagged(number) for number in range(5)]
    (made,) = promotions_from_tags(five, NOW)
    kept = made.lesson.replace(use_count=2)
    assert promotions_from_tags([kept, *five], NOW) == []
    (anew,) = promotions_from_tags([kept, tagged(5), *five], NOW)
    assert anew.instead_of == anew.lesson.id == kept.id
    assert (anew.lesson.frequency, anew.lesson.use_count) == (6, 2)


def test_a_summary_that_helped_stays_as_it_is() -> None:
    five = [tagged(number) for number in range(5)]
    (made,) = promotions_from_tags(five, NOW)
    helped = made.lesson.replace(use_count=1, success_count=1)
    assert promotions_from_tags([helped, tagged(5), *five], NOW) == []


def test_dreams_and_existing_lessons_need_no_summary() -> None:
    five = [tagged(number) for number in range(5)]
    assert promotions_from_tags([lesson("c"), *five], NOW) == []
    assert promotions_from_tags([tagged(number, "dream") for number in range(5)], NOW) == []


def test_an_episode_is_read_without_events_and_with_a_shortened_candidate() -> None:
    long = Episode("p", Candidate("x" * 90_000), events=[Event(EventType.TOOL_CALL, "y" * 90_000)])
    read = read_episode(long.model_dump(mode="json"))
    assert read.id == long.id
    assert read.events == ()
    assert read.candidate is not None
    assert len(read.candidate.content) == 20_000
    for junk in ({}, {"prompt": 3}, {"prompt": "p", "candidate": 3}):
        with pytest.raises(ConfigurationError):
            read_episode(junk)
