"""The rules of maintenance: what fades, what goes, what becomes one, what is dreamt of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.learning.decay import decayed, has_outlived
from jido_ai.learning.dreams import dream_entries, dream_of, select_for_dream
from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.learning.merging import contradicting, find_duplicates, merge
from jido_ai.learning.meta import meta_entries
from jido_ai.learning.promotion import promotions_from_causes, promotions_from_tags, read_episode, reinforce
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Episode,
    Event,
    EventType,
    Link,
    MemoryEntry,
    MemoryKind,
    Outcome,
    Reflection,
    Scope,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
CONFIG = MaintenanceConfig()
DAY = timedelta(days=1)


def entry(text: str = "p", days: float = 0.0, **fields: Any) -> MemoryEntry:
    return MemoryEntry(text, **{"timestamp": NOW - days * DAY, **fields})


def lesson(text: str, **fields: Any) -> MemoryEntry:
    return entry(text, **{"mistake": f"mistake {text}", "correction": text, "kind": "semantic", **fields})


# -- what fades ------------------------------------------------------------------------------------


@pytest.mark.rows("R45")
@pytest.mark.parametrize(("days", "importance"), [(0, 0.8), (30, 0.4), (60, 0.2), (10_000, 0.05)])
def test_importance_halves_every_thirty_days_down_to_the_floor(days: int, importance: float) -> None:
    assert decayed(entry(days=days, importance=0.8), NOW, CONFIG).importance == pytest.approx(importance)


def test_importance_below_the_floor_stays() -> None:
    low = entry(days=100, importance=0.01)
    assert decayed(low, NOW, CONFIG) is low


@given(st.lists(st.floats(0.0, 200.0), max_size=12), st.floats(0.0, 1.0), st.booleans())
def test_it_does_not_matter_how_often_importance_fades(days: list[float], importance: float, used: bool) -> None:
    fresh = entry(importance=importance, last_used=NOW + DAY if used else None)
    often = fresh
    for day in sorted(days):
        often = decayed(often, NOW + day * DAY, CONFIG)
    end = NOW + 200 * DAY
    assert decayed(often, end, CONFIG).importance == pytest.approx(decayed(fresh, end, CONFIG).importance)
    again = decayed(often, end, CONFIG)
    assert decayed(again, end, CONFIG) is again


def test_a_lesson_that_helped_does_not_fade_and_gets_back_what_it_had_lost() -> None:
    faded = decayed(entry(days=60, importance=0.8), NOW, CONFIG)
    assert faded.importance == pytest.approx(0.2)
    assert decayed(faded.replace(use_count=1, success_count=1), NOW, CONFIG).importance == pytest.approx(0.8)


def test_a_use_restarts_the_decay() -> None:
    assert decayed(entry(days=60, importance=0.8, last_used=NOW - DAY / 2), NOW, CONFIG).importance == 0.8


def test_importance_that_was_set_meanwhile_fades_from_that_value() -> None:
    faded = decayed(entry(days=60, importance=0.8), NOW, CONFIG)
    chosen = decayed(faded.replace(importance=0.6), NOW, CONFIG)
    assert chosen.importance == 0.6
    assert decayed(chosen, NOW, CONFIG) is chosen
    assert decayed(chosen, NOW + 30 * DAY, CONFIG).importance == pytest.approx(0.3)


@pytest.mark.parametrize(
    "note",
    [
        3,
        {},
        {"from": 2.0, "to": 0.5, "since": NOW.isoformat()},
        {"from": 0.5, "to": 0.5, "since": "x"},
        {"from": float("nan"), "to": 0.5, "since": NOW.isoformat()},
        {"from": 0.5, "to": 0.5, "since": "2026-01-01"},
    ],
)
def test_a_note_that_nobody_can_read_is_none(note: object) -> None:
    assert decayed(entry(days=30, importance=0.8, metadata={"decay": note}), NOW, CONFIG).importance == 0.4


def test_entries_from_the_future_have_not_faded() -> None:
    assert decayed(entry(days=-400, importance=0.8), NOW, CONFIG).importance == 0.8


# -- what goes -------------------------------------------------------------------------------------


@pytest.mark.rows("M44", "M45", "R33")
@pytest.mark.parametrize(("importance", "days"), [(0.1, 5), (0.5, 10), (0.7, 20), (0.9, 50)])
def test_an_entry_unused_for_the_lifetime_of_its_importance_is_removed(importance: float, days: int) -> None:
    assert has_outlived(entry(days=days, importance=importance), NOW, 10.0)
    assert not has_outlived(entry(days=days - 0.01, importance=importance), NOW, 10.0)


def test_a_faded_entry_lives_as_long_as_its_original_importance_allows() -> None:
    faded = decayed(entry(days=40, importance=0.9), NOW, CONFIG)
    assert faded.importance < 0.6
    assert not has_outlived(faded, NOW, 10.0)


def test_lessons_that_helped_and_meta_entries_are_never_removed() -> None:
    assert not has_outlived(entry(days=9_000, use_count=9, success_count=1), NOW, 1.0)
    assert not has_outlived(entry(days=9_000, kind="meta"), NOW, 1.0)


@pytest.mark.parametrize("days", [0.0, -1.0, float("nan"), float("inf"), 1e6, True])
def test_invalid_days_are_refused(days: float) -> None:
    for name in ("retention_days", "half_life_days", "episode_days", "journal_days"):
        with pytest.raises(ConfigurationError, match=name):
            MaintenanceConfig(**{name: days})


# -- what becomes one ------------------------------------------------------------------------------


@pytest.mark.rows("M46")
def test_the_older_of_two_equivalent_lessons_absorbs_the_newer() -> None:
    older = lesson("close the file", days=90, importance=0.8, use_count=2, success_count=0, evidence=["a"])
    newer = lesson("close the FILE!", days=1, importance=0.4, use_count=1, success_count=0, evidence=["b"])
    ((one, other),) = find_duplicates([newer, older])
    assert (one, other) == (older, newer)
    merged = merge(one, other, NOW, CONFIG)
    assert (merged.id, merged.use_count, merged.evidence) == (older.id, 3, ("a", "b"))
    assert Link(newer.id, "merged") in merged.links
    assert merged.importance == pytest.approx(0.8 * 0.5 ** (1 / 30))
    assert decayed(merged, NOW, CONFIG) is merged
    assert merge(merged, newer, NOW, CONFIG) is merged


def test_meta_entries_are_history_and_not_merged() -> None:
    assert not find_duplicates([entry("same", kind="meta"), entry("same", kind="meta")])


@pytest.mark.rows("M50")
def test_contradicting_lessons_are_linked_both_ways_once() -> None:
    good = lesson("use a lock", mistake="two threads write a file", use_count=4, success_count=4)
    bad = lesson("retry until it works", mistake="two threads write a file", use_count=4, success_count=0)
    assert contradicting([good, bad]) == [(good.id, bad.id), (bad.id, good.id)]
    half = good.replace(links=[Link(bad.id, "contradicts")])
    assert contradicting([half, bad]) == [(bad.id, good.id)]


# -- what many attempts teach ----------------------------------------------------------------------


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
def test_five_entries_of_one_tag_make_a_summary_which_is_made_anew_when_there_is_more() -> None:
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


# -- dreams ----------------------------------------------------------------------------------------


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


# -- what is known about learning ------------------------------------------------------------------


def judged(*scores: float) -> list[Episode]:
    return [Episode("p", task_type="parsing", critique=CritiqueResult(score=score)) for score in scores]


@pytest.mark.rows("M40")
def test_a_new_trend_or_plateau_is_recorded_once() -> None:
    def tell(kept: list[MemoryEntry], *scores: float) -> list[MemoryEntry]:
        return meta_entries(kept, judged(*scores), Scope(), NOW)

    rising = (0.1, 0.3, 0.5, 0.7, 0.9)
    assert tell([], *rising[:4]) == []
    (up,) = tell([], *rising)
    assert (up.kind, up.task_type, up.metadata["direction"]) == (MemoryKind.META, "parsing", "up")
    assert tell([up], *rising, 1.0) == []
    (level,) = tell([up], *rising, *[0.9] * 5)
    assert level.metadata["plateau"] is True
    assert tell([level, up], *rising, *[0.9] * 5) == []
    (down,) = tell([level, up], *rising[::-1])
    assert down.metadata["direction"] == "down"


# -- all together ----------------------------------------------------------------------------------

entries_at_random = st.lists(
    st.builds(
        lambda words, days, importance, kind, uses, wins, tags: lesson(
            " ".join(words) or "x",
            days=days,
            importance=importance,
            kind=kind,
            use_count=uses + wins,
            success_count=wins,
            tags=tags,
            evidence=[f"e{uses}"],
        ),
        st.lists(st.sampled_from(["open", "close", "file", "lock"]), max_size=3),
        st.floats(0, 100),
        st.floats(0, 1),
        st.sampled_from(["episodic", "semantic", "procedural"]),
        st.integers(0, 3),
        st.integers(0, 2),
        st.lists(st.sampled_from(["io", "dream"]), max_size=1),
    ),
    max_size=14,
)


@settings(max_examples=60, deadline=None)
@given(entries_at_random)
def test_merging_keeps_all_counts_and_every_lesson_that_helped_and_ends(entries: list[MemoryEntry]) -> None:
    kept = {one.id: one for one in entries}
    for older, newer in find_duplicates(entries):
        kept[older.id] = merge(kept[older.id], kept.pop(newer.id), NOW, CONFIG)
    for name in ("use_count", "success_count", "frequency"):
        assert sum(getattr(one, name) for one in kept.values()) == sum(getattr(one, name) for one in entries)
    homes = set(kept) | {link.id for one in kept.values() for link in one.links if link.type == "merged"}
    assert homes == {one.id for one in entries}
    left = [kept[one.id] for one in entries if one.id in kept]
    assert find_duplicates(left) == []
    faded = [decayed(one, NOW, CONFIG) for one in left]
    assert [decayed(one, NOW, CONFIG) for one in faded] == faded
