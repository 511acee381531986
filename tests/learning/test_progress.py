"""How attempts develop, in figures, and whether lessons helped."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.learning.progress import (
    learning_progress,
    plateau_length,
    succeeded,
    trend,
    verified_learning,
)
from jido_ai.values import CritiqueResult, Episode, MemoryEntry, Outcome, Reflection

SCORES = st.lists(st.floats(0, 1), max_size=30)


def attempt(score: float | None = None, outcome: str | None = None, **fields: object) -> Episode:
    critique = None if score is None else CritiqueResult(score=score, criterion_scores=fields.pop("criteria", {}))
    return Episode("sort a list", critique=critique, outcome=outcome, **fields)


def of_scores(scores: Sequence[float]) -> list[Episode]:
    return [attempt(score) for score in scores]


@pytest.mark.rows("M35", "M36")
def test_a_trend_compares_the_later_half_with_the_earlier() -> None:
    assert trend([0.0, 0.5, 1.0, 0.5]) == pytest.approx(0.5)
    assert trend([0.0, 0.9, 1.0]) == 1.0  # the middle one belongs to neither half


@pytest.mark.rows("M36")
@pytest.mark.parametrize("scores", [[], [0.7]])
def test_fewer_than_two_attempts_have_no_trend(scores: list[float]) -> None:
    assert trend(scores) == 0.0


@given(SCORES)
def test_a_trend_turns_its_sign_when_time_is_reversed(scores: list[float]) -> None:
    assert -1.0 <= trend(scores) <= 1.0
    assert trend(scores[::-1]) == pytest.approx(-trend(scores))


@pytest.mark.rows("M34", "M37")
def test_a_plateau_needs_five_attempts_that_stand_still() -> None:
    assert plateau_length([0.5] * 4) == 0
    assert plateau_length([0.5] * 5) == 5
    assert plateau_length([0.1, 0.9, *[0.5] * 7]) >= 7
    assert plateau_length([0.5] * 10 + [0.5, 0.7, 0.9, 0.9, 1.0]) == 0


@given(SCORES)
def test_a_plateau_is_never_longer_than_the_history(scores: list[float]) -> None:
    assert 0 <= plateau_length(scores) <= len(scores)


def test_without_attempts_every_figure_is_zero() -> None:
    progress = learning_progress("sorting", [])
    assert (progress.total_attempts, progress.success_rate, progress.average_score) == (0, 0.0, 0.0)
    assert progress.last_improvement is None
    assert not progress.plateau


@pytest.mark.rows("M33", "M34", "M35")
def test_the_figures_of_a_history() -> None:
    progress = learning_progress("sorting", of_scores([0.2, 0.4, 0.6, 0.8]))
    assert progress.total_attempts == 4
    assert progress.average_score == pytest.approx(0.5)
    assert progress.improvement_trend == pytest.approx(0.4)
    assert progress.last_improvement == pytest.approx(0.2)
    assert progress.volatility == pytest.approx(0.2)
    assert progress.success_rate == 0.25


def test_an_outcome_counts_before_the_severity() -> None:
    assert succeeded(attempt(0.1, outcome="success"))
    assert not succeeded(attempt(1.0, outcome="partial"))
    assert succeeded(attempt(0.71))
    assert not succeeded(attempt(0.7))
    assert not succeeded(attempt())


@pytest.mark.rows("M38")
def test_key_lessons_are_the_three_that_helped_most_often() -> None:
    def lesson(text: str, uses: int, successes: int) -> MemoryEntry:
        return MemoryEntry("p", "", text, use_count=uses, success_count=successes)

    lessons = [lesson("a", 10, 3), lesson("b", 5, 5), lesson("c", 9, 0), lesson("d", 4, 4), lesson("e", 2, 2)]
    assert learning_progress("t", [], lessons).key_lessons == ("b", "d", "a")


@pytest.mark.rows("M38")
def test_persistent_issues_occurred_in_three_of_the_last_ten_attempts() -> None:
    index = [attempt(0.1, error="IndexError: list index out of range")] * 3
    types = [attempt(0.1, error="TypeError: 'int' object is not callable")] * 2
    assert learning_progress("t", [*index, *types]).persistent_issues == ("index",)
    assert learning_progress("t", [*index, *of_scores([0.1] * 10)]).persistent_issues == ()


def test_a_cause_named_by_a_model_is_an_issue_and_successes_have_none() -> None:
    reflection = Reflection("x", root_cause="forgets  the empty list")
    failed = [attempt(0.1, reflection=reflection)] * 3
    assert learning_progress("t", failed).persistent_issues == ("forgets the empty list",)
    assert learning_progress("t", [attempt(1.0, reflection=reflection)] * 3).persistent_issues == ()


@pytest.mark.rows("M38")
def test_next_focus_areas_are_the_lowest_criteria() -> None:
    criteria = {"clarity": 0.9, "accuracy": 0.2, "safety": 1.0, "speed": 0.4, "depth": 0.3}
    progress = learning_progress("t", [attempt(0.5, criteria=criteria)])
    assert progress.next_focus_areas == ("accuracy", "depth", "speed")


@given(st.lists(st.tuples(st.none() | st.floats(0, 1), st.none() | st.sampled_from(Outcome)), max_size=30))
def test_every_history_has_its_progress(history: list[tuple[float | None, Outcome | None]]) -> None:
    progress = learning_progress("t", [attempt(score, outcome) for score, outcome in history])
    assert progress.total_attempts == len(history)


# -- verified --------------------------------------------------------------------------------------


def runs(successes: int, attempts: int, *, used: bool) -> list[Episode]:
    lessons = ("memory_1",) if used else ()
    return [attempt(outcome="success" if n < successes else "failure", memories_used=lessons) for n in range(attempts)]


@pytest.mark.rows("M39")
def test_the_interval_is_newcombes() -> None:
    # Newcombe 1998, table II, example (a): 56/70 against 48/80 gives 0.0524 to 0.3339.
    learning = verified_learning([*runs(56, 70, used=True), *runs(48, 80, used=False)])
    assert learning.difference == pytest.approx(0.2)
    assert (learning.low, learning.high) == (pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))
    assert learning.verdict == "better"


@pytest.mark.rows("M39")
def test_few_attempts_show_nothing() -> None:
    learning = verified_learning([*runs(2, 2, used=True), *runs(1, 2, used=False)])
    assert learning.verdict == "not shown"
    assert learning.low is not None
    assert learning.low < 0 < learning.high


def test_harmful_lessons_are_reported_as_worse() -> None:
    assert verified_learning([*runs(10, 70, used=True), *runs(60, 80, used=False)]).verdict == "worse"


def test_without_one_of_the_groups_there_is_no_difference() -> None:
    learning = verified_learning(runs(3, 4, used=True))
    assert (learning.rate_with, learning.rate_without, learning.difference) == (0.75, None, None)
    assert learning.verdict == "not shown"


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20), st.integers(1, 20))
def test_the_interval_holds_the_difference(a: int, b: int, more_a: int, more_b: int) -> None:
    learning = verified_learning([*runs(a, a + more_a, used=True), *runs(b, b + more_b, used=False)])
    assert learning.low is not None
    assert -1.0 - 1e-9 <= learning.low <= learning.difference <= learning.high <= 1.0 + 1e-9
