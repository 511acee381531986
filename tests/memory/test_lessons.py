"""What makes two lessons one, what a query lets through, and in which order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jido_ai.memory.evidence import used
from jido_ai.memory.lessons import (
    entries_from_reflection,
    is_expired,
    lesson_key,
    matches,
    merge_lessons,
    one_per_prompt_and_lesson,
    rank,
)
from jido_ai.values import Episode, Event, Link, MemoryEntry, MemoryKind, MemoryQuery, Reflection, Scored

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def lesson(correction: str, **fields: object) -> MemoryEntry:
    return MemoryEntry(**{"prompt": "p", "kind": "semantic", "timestamp": NOW, "correction": correction, **fields})


def test_only_lessons_have_a_key_and_its_text_is_levelled() -> None:
    assert lesson_key(lesson("Use  ＵＴＣ\n")) == lesson_key(lesson("use utc", kind="procedural", mistake="other"))
    assert lesson_key(lesson("use utc")) != lesson_key(lesson("use local time"))
    assert [lesson_key(lesson("x", kind=kind)) for kind in ("episodic", "meta", "feedback")] == [None] * 3


def test_a_lesson_without_a_correction_is_known_by_its_mistake_then_by_its_prompt() -> None:
    assert lesson_key(lesson(" ", mistake="m")) == lesson_key(lesson("m"))
    assert lesson_key(lesson("")) == lesson_key(lesson("p"))


@pytest.mark.rows("H55", "H65")
def test_merging_keeps_the_older_id_and_adds_up() -> None:
    link = Link("x", "similar")
    old = lesson("c", id="old", importance=0.9, reward=0.5, tags=("a",), use_count=2, success_count=1, links=(link,))
    new = lesson(
        "C", id="new", severity=0.1, confidence=0.7, tags=("a", "b"), use_count=1, last_used=NOW, links=(link,)
    )
    both = merge_lessons(old, new.replace(metadata={"k": 1}))
    assert (both.id, both.correction, both.frequency, both.importance) == ("old", "C", 2, 0.9)
    assert (both.reward, both.confidence, both.severity, both.tags) == (0.5, 0.7, 0.1, ("a", "b"))
    assert (both.use_count, both.success_count, both.last_used) == (3, 1, NOW)
    assert (both.links, both.metadata) == ((link,), {"k": 1})


def test_evidence_is_kept_up_to_the_newest_hundred() -> None:
    old = lesson("c", evidence=tuple(str(n) for n in range(99)))
    assert merge_lessons(old, lesson("c", evidence=("98", "x", "y"))).evidence[-3:] == ("98", "x", "y")
    assert len(merge_lessons(old, lesson("c", evidence=("98", "x", "y"))).evidence) == 100


@pytest.mark.rows("H61")
def test_a_use_is_counted_with_its_time() -> None:
    once = used(lesson("c"), success=True, now=NOW)
    assert (once.use_count, once.success_count, once.last_used) == (1, 1, NOW)
    assert used(once, success=False, now=NOW).success_rate == 0.5


@pytest.mark.rows("H7", "H8", "H62", "M20")
@pytest.mark.parametrize(
    ("filters", "passes"),
    [
        ({}, True),
        ({"kinds": ("semantic", "meta")}, True),
        ({"kinds": ("meta",)}, False),
        ({"tags": ("x", "a")}, True),
        ({"tags": ("x",)}, False),
        ({"since": NOW, "until": NOW}, True),
        ({"since": NOW + timedelta(seconds=1)}, False),
        ({"until": NOW - timedelta(seconds=1)}, False),
        ({"min_importance": 0.5}, True),
        ({"min_importance": 0.51}, False),
        ({"domain": "code", "task_type": "fix", "agent_id": "me", "session_id": "s"}, True),
        ({"domain": "prose"}, False),
        ({"session_id": "other"}, False),
        ({"agent_id": "other"}, False),
        ({"task_type": "other"}, False),
    ],
)
def test_a_query_returns_entries_that_pass_all_its_filters(filters: dict[str, object], passes: bool) -> None:
    entry = lesson("c", tags=("a", "b"), domain="code", task_type="fix", agent_id="me", session_id="s")
    assert matches(entry, MemoryQuery(**filters)) is passes


@pytest.mark.rows("H8")
def test_an_entry_without_a_session_belongs_to_no_session() -> None:
    entry = lesson("c", agent_id="me")
    assert not matches(entry, MemoryQuery(session_id="s"))
    assert not matches(entry, MemoryQuery(session_id=""))
    assert matches(entry, MemoryQuery(agent_id="me"))


@pytest.mark.rows("R27")
def test_an_importance_within_the_slack_of_the_least_is_enough() -> None:
    assert matches(MemoryEntry("p", importance=0.3), MemoryQuery(min_importance=0.1 + 0.2))
    assert not matches(MemoryEntry("p", importance=0.3), MemoryQuery(min_importance=0.3001))


@pytest.mark.rows("R19", "R22", "R25")
def test_the_metadata_of_a_reflection_is_stored_with_it() -> None:
    reflection = Reflection(
        "l", root_cause="c", strategy="s", confidence=0.7, importance=0.6, tags=("t",), error_class="index"
    )
    events = (Event("tool_call"), Event("error_event"))
    episode = Episode("p", outcome="failure", session_id="s", task_type="fix", events=events)
    for entry in entries_from_reflection(reflection, episode):
        assert (entry.confidence, entry.session_id, entry.task_type) == (0.7, "s", "fix")
        assert entry.source == "reflection:llm"
        assert entry.tags[:2] == ("t", "index")
        about = {"outcome": "failure", "root_cause": "c", "strategy": "s", "error_class": "index", "event_count": 2}
        assert entry.metadata == about
    assert entries_from_reflection(reflection, episode)[0].importance == 0.6


def test_an_entry_expires_at_the_very_moment() -> None:
    assert is_expired(lesson("c", expires_at=NOW), NOW)
    assert not is_expired(lesson("c", expires_at=NOW + timedelta(microseconds=1)), NOW)
    assert not is_expired(lesson("c"), NOW)


@pytest.mark.rows("R45", "R47")
def test_the_rank_is_half_similarity_and_recency_halves_in_thirty_days() -> None:
    fresh = lesson("c", importance=1.0, impact=0.4, use_count=2, success_count=1)
    assert rank(fresh, 1.0, NOW) == pytest.approx((1.0, 0.4, 0.5))
    assert rank(fresh, 0.0, NOW + timedelta(days=30))[0] == pytest.approx(0.3 + 0.1)
    assert rank(fresh, 0.0, NOW - timedelta(days=30)) == rank(fresh, 0.0, NOW)


def test_the_first_entry_of_each_prompt_and_lesson_stays() -> None:
    entries = [MemoryEntry("a", correction="x"), MemoryEntry("a"), MemoryEntry("b", correction="x")]
    lessons = [lesson("y", prompt="c"), lesson("Y", prompt="d"), lesson("z", prompt="c")]
    kept = one_per_prompt_and_lesson(Scored(entry, 0.5) for entry in (*entries, *lessons))
    assert [scored.entry.correction for scored in kept] == ["x", "y", "z"]


def test_three_lessons_for_one_situation_are_three_results_and_episodes_stay_one_per_prompt() -> None:
    lessons = [lesson(text, prompt="p") for text in ("one", "two", "three")]
    episodes = [MemoryEntry("p", correction=text) for text in ("four", "five")]
    kept = one_per_prompt_and_lesson(Scored(entry, 0.5) for entry in (*lessons, *episodes))
    assert [scored.entry.correction for scored in kept] == ["one", "two", "three", "four"]


@pytest.mark.parametrize("kind", list(MemoryKind))
def test_two_prompts_with_the_same_lesson_are_one_result_whatever_their_kind(kind: MemoryKind) -> None:
    told = [
        ("a", "", "Close  the FILE"),
        ("b", "close the file", ""),
        ("c", "x", "close the file"),
        ("d", "x", "other"),
    ]
    entries = [MemoryEntry(prompt, mistake, correction, kind=kind) for prompt, mistake, correction in told]
    kept = one_per_prompt_and_lesson(Scored(entry, 0.5) for entry in entries)
    assert [scored.entry.prompt for scored in kept] == ["a", "d"]


def test_entries_without_a_lesson_differ_by_their_prompts() -> None:
    entries = [MemoryEntry(prompt, " ", "") for prompt in ("a", "b", "a", "A")]
    kept = one_per_prompt_and_lesson(Scored(entry, 0.5) for entry in entries)
    assert [scored.entry.prompt for scored in kept] == ["a", "b", "A"]
