"""When to reflect on an attempt, and how numbers become outcomes and importance."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.critics.scoring import critique_of_trace, outcome_of, weighted_score
from jido_ai.errors import ConfigurationError
from jido_ai.memory.importance import importance_of
from jido_ai.reflection.evaluation import needs_reflection, trigger_statistics
from jido_ai.values import CritiqueResult, Episode, Event, Outcome

UNIT = st.floats(0, 1)


@pytest.mark.rows("C41")
@pytest.mark.parametrize("outcome", ["unknown", "cancelled"])
@pytest.mark.parametrize("mode", ["lite", "full"])
def test_an_attempt_without_a_judgement_is_not_reflected_on(outcome: str, mode: str) -> None:
    assert not needs_reflection(CritiqueResult(severity=1.0, reward=-1.0, outcome=outcome), mode)


@pytest.mark.rows("R58")
@pytest.mark.parametrize("outcome", ["failure", "error", "timeout"])
def test_a_failure_is_always_reflected_on(outcome: str) -> None:
    assert needs_reflection(CritiqueResult(severity=0.0, reward=1.0, outcome=outcome))


@pytest.mark.rows("C5", "C47")
@pytest.mark.parametrize(("reward", "wanted"), [(0.29, True), (0.3, False), (0.5, False), (-1.0, True)])
@pytest.mark.parametrize("outcome", [None, "partial", "success"])
def test_a_reward_decides_below_the_threshold_strictly(reward: float, wanted: bool, outcome: str | None) -> None:
    assert needs_reflection(CritiqueResult(reward=reward, outcome=outcome), "full") is wanted


@pytest.mark.rows("C5")
def test_the_reward_threshold_can_be_set() -> None:
    critique = CritiqueResult(reward=0.5)
    assert needs_reflection(critique, reward_threshold=0.6)
    assert not needs_reflection(critique, reward_threshold=0.5)


@pytest.mark.rows("R58")
def test_a_partial_outcome_is_reflected_on_unless_the_critique_says_otherwise() -> None:
    assert needs_reflection(CritiqueResult(severity=0.0, outcome="partial"))
    silent = CritiqueResult(severity=0.9, outcome="partial", metadata={"needs_reflection": False})
    assert not needs_reflection(silent)


@pytest.mark.rows("R37", "R38", "R58")
def test_a_success_is_reflected_on_in_mode_full_or_when_flagged() -> None:
    success = CritiqueResult(severity=0.0, outcome="success")
    assert not needs_reflection(success, "lite")
    assert needs_reflection(success, "full")
    assert needs_reflection(success.replace(metadata={"needs_reflection": True}), "lite")


@pytest.mark.parametrize(("severity", "wanted"), [(0.3, False), (0.31, True), (0.0, False), (1.0, True)])
def test_otherwise_the_severity_decides_above_the_threshold(severity: float, wanted: bool) -> None:
    assert needs_reflection(CritiqueResult(severity=severity)) is wanted


def test_an_outcome_is_never_derived_from_the_score() -> None:
    assert not needs_reflection(CritiqueResult(reward=0.5))  # C's medium answer: score 0.75, which R calls partial


@pytest.mark.parametrize(
    ("mode", "threshold"),
    [("dreamy", 0.3), ("full", math.nan), ("lite", 2.0), ("lite", "0.3"), ("lite", None), ("lite", True)],
)
def test_an_unknown_mode_or_threshold_is_refused(mode: Any, threshold: Any) -> None:
    with pytest.raises(ConfigurationError):
        needs_reflection(CritiqueResult(severity=0.5), mode, reward_threshold=threshold)


@pytest.mark.rows("R56")
@pytest.mark.parametrize(
    ("score", "outcome"), [(1.0, "success"), (0.8, "success"), (0.79, "partial"), (0.31, "partial"), (0.3, "failure")]
)
def test_thresholds_of_outcomes_are_inclusive(score: float, outcome: str) -> None:
    assert outcome_of(score) == outcome


@pytest.mark.parametrize(
    "figures",
    [(1.1, 0.8, 0.3), (math.nan, 0.8, 0.3), (0.5, 0.3, 0.8), (0.5, 0.5, 0.5), ("0.5", 0.8, 0.3), (0.5, None, 0.3)],
)
def test_invalid_numbers_are_refused(figures: tuple[Any, Any, Any]) -> None:
    score, success, failure = figures
    with pytest.raises(ConfigurationError):
        outcome_of(score, success=success, failure=failure)


@pytest.mark.rows("R59")
@pytest.mark.parametrize(
    ("outcome", "importance"),
    [("error", 0.8), ("failure", 0.7), ("timeout", 0.6), ("partial", 0.5), ("success", 0.3), ("unknown", 0.5)],
)
def test_the_importance_of_an_outcome_is_the_documented_one(outcome: str, importance: float) -> None:
    assert importance_of(Outcome(outcome)) == importance


@pytest.mark.rows("R59")
def test_a_hint_of_importance_is_clamped_and_wins() -> None:
    assert importance_of(Outcome.ERROR, 0.1) == 0.1
    assert importance_of(Outcome.ERROR, 7.0) == 1.0
    assert importance_of(None, -7.0) == 0.0
    with pytest.raises(ConfigurationError):
        importance_of(None, math.nan)


@pytest.mark.rows("M24", "C3")
def test_criteria_weigh_the_same_unless_weights_are_given() -> None:
    scores = {"relevance": 1.0, "accuracy": 0.5, "completeness": 0.0}
    assert weighted_score(scores) == pytest.approx(0.5)
    assert weighted_score(scores, {"relevance": 40, "accuracy": 40, "completeness": 20}) == pytest.approx(0.6)


def test_weights_of_criteria_without_a_score_are_spread_over_the_others() -> None:
    assert weighted_score({"a": 1.0, "b": 0.0}, {"a": 1, "b": 1, "c": 98}) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [({}, None), ({"a": 1.5}, None), ({"a": math.nan}, None), ({"a": 1.0}, {"b": 1}), ({"a": 1.0}, {"a": -1}),
     ({"a": 1.0}, {"a": math.inf}), ({"a": 1.0}, {"a": "1"}), ({"a": 1.0}, {"a": 0}), ({"a": 1.0}, ["a"])],
)  # fmt: skip
def test_invalid_scores_and_weights_are_refused(scores: dict[str, float], weights: Any) -> None:
    with pytest.raises(ConfigurationError):
        weighted_score(scores, weights)


@given(st.dictionaries(st.text(max_size=3), UNIT, min_size=1, max_size=5))
def test_a_weighted_score_lies_between_the_scores(scores: dict[str, float]) -> None:
    assert min(scores.values()) - 1e-9 <= weighted_score(scores) <= max(scores.values()) + 1e-9


@pytest.mark.rows("C7")
def test_statistics_say_how_often_reflection_was_called_for() -> None:
    assert trigger_statistics([0.1, 0.3, -0.5]) == {
        "total": 3,
        "triggered": 2,
        "rate_percent": 66.7,
        "mean_reward": -0.033,
        "threshold": 0.3,
    }


@pytest.mark.rows("C7")
def test_statistics_of_nothing_are_zeros() -> None:
    assert trigger_statistics([]) == {
        "total": 0, "triggered": 0, "rate_percent": 0.0, "mean_reward": 0.0, "threshold": 0.3,
    }  # fmt: skip


# -- traces ----------------------------------------------------------------------------------------

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def traced(seconds: float, error: str | None = None) -> tuple[Event, ...]:
    end = Event("tool_response", "x", timestamp=NOW + timedelta(seconds=seconds), error=error)
    return (Event("tool_call", "x", timestamp=NOW), end)


@pytest.mark.rows("R55")
@pytest.mark.parametrize(
    ("episode", "outcome", "score", "importance", "confidence"),
    [
        (Episode("p", error="KeyError: x"), "error", 0.0, 0.7, None),
        (Episode("p", events=traced(99.0, "boom")), "error", 0.0, 0.7, None),
        (Episode("p", events=traced(61.0)), "timeout", 0.2, 0.6, 0.8),
        (Episode("p", metrics={"duration_s": 61.0}), "timeout", 0.2, 0.6, 0.8),
        (Episode("p", metrics={"duration_s": 60.0}, events=traced(61.0)), "success", 1.0, 0.3, None),
        (Episode("p", error=" "), "success", 1.0, 0.3, None),
    ],
)
def test_a_trace_is_judged_by_its_error_else_by_its_time(
    episode: Episode, outcome: str, score: float, importance: float, confidence: float | None
) -> None:
    critique = critique_of_trace(episode)
    assert (critique.outcome, critique.score, critique.confidence) == (outcome, score, confidence)
    assert critique.metadata["importance"] == importance
    assert needs_reflection(critique) is (outcome != "success")


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan, "60", None, True])
def test_an_invalid_limit_is_refused(limit: Any) -> None:
    with pytest.raises(ConfigurationError):
        critique_of_trace(Episode("p"), limit_s=limit)


@pytest.mark.parametrize("junk", [None, "x", {}])
def test_a_value_that_is_neither_a_critique_nor_an_episode_is_refused(junk: Any) -> None:
    with pytest.raises(ConfigurationError, match="CritiqueResult"):
        needs_reflection(junk)
    with pytest.raises(ConfigurationError, match="Episode"):
        critique_of_trace(junk)
