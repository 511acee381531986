"""Lessons of a run, and the choice of lessons to offer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.loop.lesson import by_usefulness, lesson_of, offered, recall_text, shares_only_our_words, was_worth_it
from jido_ai.values import (
    SLACK,
    Candidate,
    CritiqueResult,
    Issue,
    Iteration,
    MemoryEntry,
    MemoryKind,
    Scope,
    Scored,
)


def iteration(index: int, score: float, issues: list[Issue] | None = None, **critique: Any) -> Iteration:
    candidate = Candidate("text", score=score, reasoning=critique.pop("reasoning", None))
    return Iteration(index, candidate, CritiqueResult(score=score, issues=issues or [], **critique))


def lesson(history: list[Iteration], best: int, **more: Any) -> MemoryEntry:
    arguments = {"prompt": "a prompt", "run_id": "run-1", "scope": Scope("t", "p"), "by_critique": False, **more}
    return lesson_of(history, best, **arguments)


UNUSED = Issue("`os` imported but unused", rule="F401")
LONG_LINE = Issue("line too long", kind="style")
NONE = Issue("comparison to None", rule="E711", source="tool:ruff")
LONG = Issue("function too long", kind="size")


def test_without_a_critique_or_issues_the_prompt_is_searched_for() -> None:
    assert recall_text("a prompt", None) == recall_text("a prompt", CritiqueResult(severity=0.5)) == "a prompt"


@pytest.mark.rows("M21")
def test_messages_of_issues_are_searched_for_too_each_once() -> None:
    critique = CritiqueResult(severity=0.5, issues=[NONE, LONG_LINE, UNUSED, NONE, "odd"])
    assert recall_text("p", critique) == "p\ncomparison to None\nline too long\nodd"
    assert recall_text("p", critique.replace(issues=[UNUSED])) == "p\n`os` imported but unused"


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("tests/test_fees.py::test_fee_is_capped", "fee is capped"),
        ("tests/test_fees.py::TestFee::test_cap[3-a::b]", "cap"),
        ("test_shelf.ShelfTest.test_overdue", "overdue"),
        ("a sentence", "a sentence"),
    ],
)
def test_a_failing_test_is_searched_for_by_its_name_in_words(rule: str, words: str) -> None:
    critique = CritiqueResult(severity=0.5, issues=[Issue("assert 1 == 2", kind="test", rule=rule)])
    assert recall_text("", critique) == f"failing test: {words}"


def test_two_failing_tests_have_nothing_in_common_by_that() -> None:
    assert shares_only_our_words("failing test: fee is capped", "failing test: loans are sorted")
    assert not shares_only_our_words("failing test: fee is capped", "failing test: fee is due")
    assert not shares_only_our_words("ship", "boat")  # similar by meaning


def test_twenty_of_ten_thousand_issues_are_searched_for() -> None:
    critique = CritiqueResult(severity=0.5, issues=[f"issue {number}" for number in range(10_000)])
    assert len(recall_text("p", critique).splitlines()) == 21


@pytest.mark.parametrize(("gain", "worth"), [(0.1, True), (0.1 - SLACK / 2, True), (0.1 - SLACK * 10, False)])
def test_a_run_paid_off_if_the_best_gained_score_threshold_over_the_first(gain: float, worth: bool) -> None:
    history = [iteration(0, 0.5), iteration(1, 0.5 + gain)]
    assert was_worth_it(history, 1, score_threshold=0.1) == worth
    assert not was_worth_it(history, 0, score_threshold=0.1)


def test_usefulness_is_similarity_by_successes_and_one_over_uses_and_two() -> None:
    fresh = Scored(MemoryEntry("p", id="fresh"), 0.8)
    proven = Scored(MemoryEntry("p", id="proven", use_count=8, success_count=8), 0.6)
    useless = Scored(MemoryEntry("p", id="useless", use_count=8, success_count=0), 0.9)
    assert [scored.entry.id for scored in by_usefulness([fresh, useless, proven])] == ["proven", "fresh", "useless"]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_by_usefulness_keeps_every_entry_and_the_order_of_equals(found: list[tuple[float, int, int]]) -> None:
    scored = [
        Scored(MemoryEntry("p", use_count=max(uses, wins), success_count=wins), likeness)
        for likeness, uses, wins in found
    ]
    ranked = by_usefulness(scored)
    assert sorted(map(id, ranked)) == sorted(map(id, scored))
    assert by_usefulness(ranked) == ranked


def judged(*records: tuple[str, int, int]) -> list[Scored]:
    """Return equally similar lessons: name, successes, uses."""
    return [
        Scored(MemoryEntry(f"{name} one two", id=name, success_count=successes, use_count=uses), 0.5)
        for name, successes, uses in records
    ]


def test_a_lesson_with_less_than_four_fifths_of_the_best_promise_is_offered_alone() -> None:
    found = judged(("good", 8, 8), ("fair", 6, 8), ("so-so", 5, 8), ("new", 0, 0))
    assert [scored.entry.id for scored in offered(found, 5)] == ["fair"]  # 7/10 against 9/10
    assert [scored.entry.id for scored in offered(judged(("good", 8, 8), ("fair", 7, 8), ("new", 0, 0)), 5)] == [
        "good",
        "fair",
        "new",
    ]


@pytest.mark.parametrize(("similarity", "chosen"), [(0.51, "doubted"), (0.5, "good")])
def test_a_lesson_that_mostly_failed_is_offered_alone_if_it_is_a_quarter_more_similar_than_the_better_ones(
    similarity: float, chosen: str
) -> None:
    doubted, good = judged(("doubted", 1, 3), ("good", 3, 3))
    found = [doubted.replace(similarity=similarity), good.replace(similarity=0.4)]
    assert [scored.entry.id for scored in offered(found, 5)] == [chosen]


def test_an_unused_lesson_is_not_doubted() -> None:
    found = judged(("good", 30, 30), ("new", 0, 0), ("newer", 0, 0))
    assert {scored.entry.id for scored in offered(found, 5)} == {"good", "new", "newer"}


def test_a_lesson_with_exactly_four_fifths_of_the_best_promise_is_offered() -> None:
    assert len(offered(judged(("good", 3, 3), ("fair", 15, 23)), 5)) == 2  # 4/5 and 16/25
    assert len(offered(judged(("good", 3, 3), ("fair", 14, 22)), 5)) == 1


def test_a_lesson_has_the_mistake_and_the_suggestions_of_the_critique() -> None:
    history = [iteration(0, 0.2, [NONE, LONG], suggestions=["compare with is"]), iteration(1, 0.9, [LONG])]
    learnt = lesson(history, 1, task_type="fix")
    assert (learnt.mistake, learnt.correction) == ("E711: comparison to None", "compare with is")
    assert (learnt.prompt, learnt.kind, learnt.scope) == ("a prompt", MemoryKind.SEMANTIC, Scope("t", "p"))
    assert (learnt.tags, learnt.evidence, learnt.task_type) == (("E711",), ("run-1",), "fix")
    assert (learnt.severity, learnt.importance, learnt.impact) == pytest.approx((0.8, 0.8, 0.7))
    assert learnt.metadata == {"found_by": ["tool:ruff"]}


def revised(reasoning: str) -> list[Iteration]:
    history = [iteration(0, 0.2, [NONE], suggestions=["compare with is"]), iteration(1, 0.9, reasoning=reasoning)]
    last = history[1].candidate.replace(parent_id=history[0].candidate.id)
    return [history[0], history[1].replace(candidate=last)]


def test_the_revisions_own_reasoning_goes_before_the_suggestions() -> None:
    assert lesson(revised("compared by identity"), 1).correction == "compared by identity"


def test_reasoning_of_a_word_or_two_is_no_lesson() -> None:
    assert lesson(revised("fixed E711"), 1).correction == "compare with is"


@pytest.mark.parametrize("change", ["'' -> 'We are open from 9 to 5.'", "'a' -> \"it's\"", "\"it's old\" -> ''"])
def test_the_changed_words_are_no_lesson(change: str) -> None:
    history = revised(change)
    last = history[1].candidate.replace(metadata={"changes_made": [change]})
    assert lesson([history[0], history[1].replace(candidate=last)], 1).correction == "compare with is"


def test_a_change_that_a_model_explains_is_a_lesson() -> None:
    history = revised("compared by identity")
    last = history[1].candidate.replace(metadata={"changes_made": ["compared by identity"]})
    assert lesson([history[0], history[1].replace(candidate=last)], 1).correction == "compared by identity"


def test_without_a_suggestion_the_lesson_is_what_was_found_and_no_advice_is_made_of_it() -> None:
    history = [iteration(0, 0.2, [Issue("no reference", kind="source")]), iteration(1, 0.9)]
    assert (lesson(history, 1).mistake, lesson(history, 1).correction) == ("source: no reference", "")
    history[0] = iteration(0, 0.2, [Issue("no reference", kind="source")], suggestions=["sources"])
    assert (lesson(history, 1).mistake, lesson(history, 1).correction) == ("source: no reference", "sources")


def test_a_lesson_leaves_out_the_count_of_one_answer() -> None:
    found = Issue("there should be at most 60 words, and there are 81", rule="length-words")
    learnt = lesson([iteration(0, 0.2, [found]), iteration(1, 0.9)], 1)
    assert learnt.mistake == "length-words: there should be at most 60 words"


def test_a_pattern_is_no_name_of_a_finding() -> None:
    found = [Issue("begin with Dear", rule="^Dear "), Issue("no list", rule="no-list"), Issue("short", rule="(")]
    assert lesson([iteration(0, 0.2, found), iteration(1, 0.9)], 1).mistake == (
        "begin with Dear\nno-list: no list\nshort"
    )


def test_without_issues_the_feedback_is_the_mistake() -> None:
    assert lesson([iteration(0, 0.2, feedback="too vague"), iteration(1, 0.9)], 1).mistake == "too vague"


@pytest.mark.parametrize("said", ["", "x" * 151, "It names no source. Its second part is too long."])
def test_without_findings_only_a_feedback_of_one_sentence_teaches(said: str) -> None:
    first = iteration(0, 0.2, feedback=said, suggestions=["do not follow instructions in it"])
    assert lesson([first, iteration(1, 0.9)], 1) is None


def test_a_lesson_by_critique_is_found_by_the_findings_of_the_first_critique() -> None:
    history = [iteration(0, 0.2, [NONE]), iteration(1, 0.9)]
    assert lesson(history, 1, by_critique=True).prompt == recall_text("a prompt", history[0].critique)


def test_a_lesson_is_bounded_in_length() -> None:
    history = [iteration(0, 0.2, [Issue("x" * 9_000)], suggestions=["y" * 9_000]), iteration(1, 0.9)]
    learnt = lesson(history, 1)
    assert max(len(learnt.mistake), len(learnt.correction)) <= 2_000


def test_one_doubted_lesson_from_the_same_kinds_of_failing_tests_is_offered_if_there_is_no_other() -> None:
    alike = judged(("doubted", 1, 3), ("as bad", 1, 3))
    assert [scored.entry.id for scored in offered((), 5, alike)] == ["doubted"]
    assert [scored.entry.id for scored in offered(judged(("good", 3, 3)), 5, alike)] == ["good"]
