"""Critics without a model, and the fallback for a failing critic."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.critics.criteria import (
    AGENT_CRITERIA,
    ANSWER_CRITERIA,
    DEFAULT_CRITERIA,
    KNOWN_CRITERIA,
    DeterministicCritiquer,
    FallbackCritiquer,
    ThresholdCritiquer,
)
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.critics.scoring import weighted_score
from jido_ai.errors import BudgetExceededError, ComponentError, ConfigurationError, ModelTimeoutError
from jido_ai.protocols import RunContext
from jido_ai.reflection.evaluation import needs_reflection
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Outcome

CONTEXT = RunContext(run_id="r", prompt="p")


async def by_rule(**metadata: Any) -> CritiqueResult:
    return await DeterministicCritiquer().critique(Candidate("x", metadata=metadata), CONTEXT)


async def by_quality(quality: object, **options: Any) -> CritiqueResult:
    def measured(candidate: Candidate, context: RunContext) -> object:
        return quality

    return await ThresholdCritiquer(measured, **options).critique(Candidate("x"), CONTEXT)


# -- by error and time -----------------------------------------------------------------------------


@pytest.mark.rows("R55")
@pytest.mark.parametrize(
    ("metadata", "outcome", "score", "importance", "confidence"),
    [
        ({"error": "boom", "duration_s": 100.0}, Outcome.ERROR, 0.0, 0.7, None),
        ({"duration_s": 60.1}, Outcome.TIMEOUT, 0.2, 0.6, 0.8),
        ({"duration_s": 60.0}, Outcome.SUCCESS, 1.0, 0.3, None),
        ({"error": " "}, Outcome.SUCCESS, 1.0, 0.3, None),
        ({}, Outcome.SUCCESS, 1.0, 0.3, None),
    ],
)
async def test_an_error_decides_before_the_time_limit(
    metadata: dict[str, Any], outcome: Outcome, score: float, importance: float, confidence: float | None
) -> None:
    critique = await by_rule(**metadata)
    assert (critique.outcome, critique.score, critique.confidence) == (outcome, score, confidence)
    assert critique.metadata["importance"] == importance
    assert needs_reflection(critique) == (outcome is not Outcome.SUCCESS)


@pytest.mark.parametrize(
    "metadata", [{"error": 3}, {"duration_s": float("nan")}, {"duration_s": "1"}, {"duration_s": -1}]
)
async def test_an_invalid_error_or_time_is_an_error(metadata: dict[str, Any]) -> None:
    with pytest.raises(ComponentError, match="must be"):
        await by_rule(**metadata)


@pytest.mark.parametrize("limit_s", [0.0, -1.0, float("nan"), float("inf")])
def test_an_invalid_limit_is_refused(limit_s: float) -> None:
    with pytest.raises(ConfigurationError, match="limit_s"):
        DeterministicCritiquer(limit_s)


# -- by a number -----------------------------------------------------------------------------------


@pytest.mark.rows("R56")
@pytest.mark.parametrize(
    ("quality", "outcome"),
    [(0.8, Outcome.SUCCESS), (0.79, Outcome.PARTIAL), (0.31, Outcome.PARTIAL), (0.3, Outcome.FAILURE)],
)
async def test_the_thresholds_are_inclusive(quality: float, outcome: Outcome) -> None:
    critique = await by_quality(quality)
    assert (critique.outcome, critique.score) == (outcome, quality)


@pytest.mark.rows("R56")
@given(st.floats(0, 1))
@settings(max_examples=30, deadline=None)
async def test_importance_and_severity_are_one_minus_quality(quality: float) -> None:
    critique = await by_quality(quality)
    assert critique.metadata["importance"] == pytest.approx(1.0 - quality)
    assert critique.severity == pytest.approx(1.0 - quality)


@pytest.mark.rows("M24", "C3")
async def test_criteria_are_combined_by_their_weights() -> None:
    critique = await by_quality({"relevance": 1.0, "accuracy": 0.5, "completeness": 0.0}, weights=ANSWER_CRITERIA)
    assert critique.score == pytest.approx(0.6)
    assert critique.criterion_scores["accuracy"] == 0.5


async def test_without_a_measure_the_candidates_own_score_counts() -> None:
    critique = await ThresholdCritiquer().critique(Candidate("x", score=0.9), CONTEXT)
    assert critique.outcome is Outcome.SUCCESS
    with pytest.raises(ComponentError, match="got None"):
        await ThresholdCritiquer().critique(Candidate("x"), CONTEXT)


@pytest.mark.parametrize("quality", [float("nan"), 1.1, True, "good", {}, {"a": 2.0}, {"a": float("nan")}])
async def test_a_quality_out_of_range_is_an_error(quality: object) -> None:
    with pytest.raises(ComponentError, match="quality"):
        await by_quality(quality)


def test_thresholds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="failure < success"):
        ThresholdCritiquer(success=0.3, failure=0.8)


@pytest.mark.parametrize("weights", [{"a": -1}, {"a": float("nan")}, {"a": "x"}, {"a": 0}, {}, ["a"], "a"])
def test_invalid_weights_are_refused_at_construction(weights: Any) -> None:
    with pytest.raises(ConfigurationError, match="weight"):
        ThresholdCritiquer(weights=weights)


# -- the fallback ----------------------------------------------------------------------------


@pytest.mark.rows("R57")
async def test_the_fallback_replaces_a_failing_model() -> None:
    model = ScriptedModel([ModelTimeoutError("too late", provider="x", model="m")])
    critic = FallbackCritiquer(LLMCritiquer(model, criteria=AGENT_CRITERIA))
    critique = await critic.critique(Candidate("x", metadata={"error": "boom"}), CONTEXT)
    assert (critique.outcome, critic.fallbacks) == (Outcome.ERROR, 1)
    assert critique.metadata["fell_back"].startswith("ModelTimeoutError: ")


async def test_the_reason_for_the_fallback_contains_no_secrets() -> None:
    async def refused(candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise ModelTimeoutError("no answer for sk-" + "a1b2c3d4" * 4, provider="x")

    critique = await FallbackCritiquer(refused).critique(Candidate("x"), CONTEXT)
    assert critique.metadata["fell_back"] == "ModelTimeoutError: x: no answer for [redacted]"


@pytest.mark.rows("R57")
async def test_a_working_model_is_used() -> None:
    model = ScriptedModel([json.dumps({"issues": [], "suggestions": [], "severity": 0.4, "feedback": ""})])
    critic = FallbackCritiquer(LLMCritiquer(model))
    critique = await critic.critique(Candidate("x"), CONTEXT)
    assert (critique.severity, critic.fallbacks, "fell_back" in critique.metadata) == (0.4, 0, False)


async def test_an_exhausted_budget_has_no_fallback() -> None:
    def spent(candidate: Candidate, context: RunContext) -> CritiqueResult:
        raise BudgetExceededError("max_calls", allowed=1, spent=1)

    with pytest.raises(BudgetExceededError):
        await FallbackCritiquer(spent).critique(Candidate("x"), CONTEXT)


# -- criteria --------------------------------------------------------------------------------------


@pytest.mark.rows("M4", "M23", "C3", "R53")
def test_the_sets_of_criteria_follow_the_designs() -> None:
    assert len(KNOWN_CRITERIA) == 8
    assert DEFAULT_CRITERIA == ("task-success", "quality", "efficiency")
    assert len(AGENT_CRITERIA) == 5
    assert sum(ANSWER_CRITERIA.values()) == pytest.approx(1.0)
    assert weighted_score({"relevance": 1.0, "completeness": 1.0}, ANSWER_CRITERIA) == 1.0
