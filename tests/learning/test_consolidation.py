"""What many attempts teach together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.learning.consolidation import (
    absorb,
    cause_key,
    contradictions,
    extract_lessons,
    extract_tags,
    impact_of,
    infer_domain,
    lessons_by_tag,
    similar_lessons,
)
from jido_ai.values import Candidate, CritiqueResult, Episode, Link, MemoryEntry, Reflection, Scope


def attempt(cause: str = "forgets the empty list", confidence: float = 0.5, **fields: object) -> Episode:
    lesson = str(fields.pop("lesson", "handle the empty list first"))
    reflection = Reflection(lesson, root_cause=cause, confidence=confidence)
    return Episode("sort a list", reflection=reflection, **fields)


# -- lessons by root cause -------------------------------------------------------------------------


@pytest.mark.rows("H55", "H56")
def test_a_cause_that_two_episodes_share_becomes_a_lesson() -> None:
    first, second, other = attempt(), attempt("Forgets  the EMPTY list"), attempt("wrong index")
    (lesson,) = extract_lessons([first, second, other])
    assert lesson.mistake.casefold().split() == ["forgets", "the", "empty", "list"]
    assert lesson.correction == "handle the empty list first"
    assert (lesson.kind, lesson.frequency, lesson.evidence) == ("semantic", 2, (first.id, second.id))


@pytest.mark.rows("H56")
def test_episodes_without_a_reflection_or_a_cause_are_left_out() -> None:
    assert extract_lessons([Episode("p"), Episode("p"), attempt(" "), attempt(" ")]) == []


def test_scopes_share_no_lessons() -> None:
    assert extract_lessons([attempt(scope=Scope("a")), attempt(scope=Scope("b"))]) == []


def test_the_most_confident_reflection_gives_the_words_ties_to_the_newer() -> None:
    episodes = [attempt(lesson="a", confidence=0.9), attempt(lesson="b", confidence=0.9), attempt(lesson="c")]
    assert extract_lessons(episodes)[0].correction == "b"


def test_attempts_in_a_lesson_are_not_counted_again() -> None:
    first, second, third = attempt(), attempt(), attempt()
    known = {cause_key("forgets the empty list"): frozenset({first.id, second.id})}
    assert extract_lessons([first, second], known) == []
    (lesson,) = extract_lessons([first, second, third], known)
    assert (lesson.frequency, lesson.evidence) == (1, (third.id,))


@pytest.mark.rows("H57")
def test_the_impact_is_how_much_confidence_rose_from_attempt_to_attempt() -> None:
    session = [attempt(confidence=c, attempt=n, session_id="s") for n, c in ((3, 0.8), (1, 0.2), (2, 0.6))]
    assert impact_of(session) == pytest.approx((0.4 + 0.2) / 2)
    falls = [attempt(confidence=c, attempt=n, session_id="t") for n, c in ((1, 0.9), (2, 0.1))]
    assert impact_of([*session, *falls]) == pytest.approx(0.6 / 3)


@pytest.mark.rows("H57")
def test_without_a_pair_there_is_no_impact() -> None:
    assert impact_of([attempt(session_id="a"), attempt(session_id="b")]) == 0.0
    assert impact_of([]) == 0.0


@given(st.lists(st.tuples(st.integers(1, 9), st.floats(0, 1), st.sampled_from(["a", "b", None])), max_size=20))
def test_an_impact_is_in_the_unit_interval(attempts: list[tuple[int, float, str | None]]) -> None:
    assert 0.0 <= impact_of(attempt(confidence=c, attempt=n, session_id=s) for n, c, s in attempts) <= 1.0


@pytest.mark.rows("H58")
@pytest.mark.parametrize(
    ("code", "error", "domain"),
    [
        ("def f(): pass", "", "code"),
        ("", "the mock was not called: assertion failed", "testing"),
        ("", "the service layer knows the interface", "architecture"),
        ("", "deadlock between two goroutines", "concurrency"),
        ("", "latency of the cache", "performance"),
        ("", "", "code"),
        ("", "Traceback: he was embraced", "code"),  # hold "race"
    ],
)
def test_a_domain_is_recognised_by_its_signal_words(code: str, error: str, domain: str) -> None:
    assert infer_domain([attempt(candidate=Candidate(code), error=error)]) == domain
    found = CritiqueResult(severity=0.9, issues=[error] if error else [])
    assert infer_domain([attempt(candidate=Candidate(code), critique=found)]) == domain, "the critique's issues, too"


@pytest.mark.rows("H58")
@pytest.mark.parametrize(
    ("domain", "words"),
    [
        ("code", "func , return , package , import , class , def , var , const "),
        ("testing", "test,assert,expect,mock,coverage,fail"),
        ("architecture", "interface,module,service,layer,pattern,decouple,dependency"),
        ("concurrency", "goroutine,mutex,channel,deadlock,race,concurrent,sync"),
        ("performance", "latency,throughput,memory,cpu,benchmark,optimize,cache"),
    ],
)
def test_each_signal_word_alone_identifies_its_domain(domain: str, words: str) -> None:
    beside = "" if domain == "performance" else " cache"  # of two, the earlier one counts
    for word in words.split(","):
        assert infer_domain([attempt(error=f"({word}x{beside}")]) == domain
    assert infer_domain([attempt(error="nothing of note")]) == "code"


@pytest.mark.rows("H58")
def test_each_episode_gives_a_domain_one_point_and_ties_go_to_the_earlier() -> None:
    loud = attempt(error="cache cache cache latency cpu")
    tests = [attempt(error="a test"), attempt(error="a mock")]
    assert infer_domain([loud, *tests]) == "testing"
    assert infer_domain([loud, tests[0]]) == "testing"


@pytest.mark.rows("H11", "H59")
def test_tags_are_the_words_that_carry_meaning_in_order() -> None:
    assert extract_tags("The index, of THE list is (too) long: index!") == ("index", "list", "long")


# -- lessons that become one -----------------------------------------------------------------------


def lesson(prompt: str = "sort the list", correction: str = "use sorted", **fields: object) -> MemoryEntry:
    return MemoryEntry(prompt, "it was slow", correction, kind=fields.pop("kind", "semantic"), **fields)


@pytest.mark.rows("M46")
def test_equivalent_lessons_are_found_and_episodes_never_are() -> None:
    same = [lesson(), lesson("sort the list!"), lesson(correction="something else entirely"), lesson(scope=Scope("x"))]
    assert similar_lessons(same) == [(0, 1)]
    assert similar_lessons([lesson(kind="episodic"), lesson(kind="episodic")]) == []
    assert similar_lessons([lesson(), lesson(kind="procedural")]) == []


def test_equivalent_lessons_all_merge_into_the_oldest() -> None:
    assert similar_lessons([lesson(), lesson(), lesson()]) == [(0, 1), (0, 2)]


@pytest.mark.rows("M46")
def test_the_older_lesson_absorbs_the_additions_of_the_newer() -> None:
    older = lesson(evidence=("a", "b"), use_count=3, success_count=1, importance=0.4, tags=("x",))
    newer = lesson(evidence=("b", "c"), use_count=2, success_count=2, importance=0.7, tags=("y",), impact=0.3)
    merged = absorb(older, newer)
    assert (merged.id, merged.correction) == (older.id, older.correction)
    assert merged.evidence == ("a", "b", "c")
    assert (merged.use_count, merged.success_count, merged.frequency) == (5, 3, 2)
    assert (merged.importance, merged.impact, merged.tags) == (0.7, 0.3, ("x", "y"))
    assert merged.links == (Link(newer.id, "merged"),)


# -- contradictions --------------------------------------------------------------------------------


def tried(correction: str, uses: int, successes: int, **fields: object) -> MemoryEntry:
    return lesson(correction=correction, use_count=uses, success_count=successes, **fields)


@pytest.mark.rows("M50")
def test_two_lessons_about_one_mistake_contradict_when_one_helps_and_the_other_does_not() -> None:
    good, bad = tried("sort before searching", 4, 4), tried("never touch anything", 4, 0)
    assert contradictions([bad, good]) == [(1, 0)]


@pytest.mark.parametrize(
    "other",
    [
        tried("never touch anything", 2, 0),  # too few uses
        tried("never touch anything", 4, 2),  # helped as often as not
        tried("before searching, sort", 4, 0),  # says the same
        tried("never touch anything", 4, 0, scope=Scope("x")),
        tried("never touch anything", 4, 0, kind="episodic"),
    ],
)
def test_other_pairs_of_lessons_do_not_contradict(other: MemoryEntry) -> None:
    assert contradictions([tried("sort before searching", 4, 4), other]) == []


# -- lessons by tag --------------------------------------------------------------------------------


def noted(importance: float = 0.5, **fields: object) -> MemoryEntry:
    return MemoryEntry("p", "slow", "cache it", tags=("speed",), importance=importance, **fields)


@pytest.mark.rows("R62")
def test_five_episodes_of_one_tag_make_a_summary() -> None:
    assert lessons_by_tag([noted()] * 4) == []
    (summary,) = lessons_by_tag([noted() for _ in range(5)])
    assert (summary.mistake, summary.correction, summary.tags) == ("slow", "cache it", ("speed",))
    assert (summary.frequency, len(summary.evidence)) == (5, 5)


@pytest.mark.rows("R62")
def test_unimportant_entries_are_noise_if_more_than_three_others_remain() -> None:
    assert lessons_by_tag([noted(0.1)] + [noted(0.5)] * 4)[0].frequency == 4
    assert lessons_by_tag([noted(0.1)] * 2 + [noted(0.5)] * 3)[0].frequency == 5


@pytest.mark.rows("R62")
def test_only_the_newest_hundred_episodes_are_looked_at() -> None:
    assert lessons_by_tag([MemoryEntry("p")] * 96 + [noted()] * 5) == []
    assert lessons_by_tag([noted(kind="semantic")] * 5) == []


def test_a_summary_is_as_severe_as_its_worst_episode() -> None:
    assert lessons_by_tag([noted(severity=0.1 * n) for n in range(5)])[0].severity == pytest.approx(0.4)
