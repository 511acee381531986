"""Scoring: from scores to outcomes by thresholds, weighted criteria, and the rule-based critique of a trace. Pure.

All use one scale: a score s in [0, 1], severity = 1 - s, reward = 2 s - 1 (SPEC D2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.numbers import is_number
from jido_ai.values import SLACK, CritiqueResult, Episode, EventType, Outcome
from jido_ai.values.critique import OUTCOME_ORDER

_SUCCESS: Final = 0.8


_FAILURE: Final = 0.3


def outcome_of(score: float, *, success: float = _SUCCESS, failure: float = _FAILURE) -> Outcome:
    """Return success at `success` or above, failure at `failure` or below, otherwise partial (SPEC R56).

    Args:
        score: in [0, 1].
        success, failure: thresholds, both inclusive; failure below success.

    Raises:
        ConfigurationError: a number is out of range, or the thresholds are in the wrong order.
    """
    given = (failure, success, score)
    if not all(map(is_number, given)) or not (0.0 <= failure < success <= 1.0 and 0.0 <= score <= 1.0):
        raise ConfigurationError(
            f"need 0 <= failure < success <= 1 and a score in [0, 1], got {', '.join(map(describe, given))}"
        )
    if score >= success - SLACK:
        return Outcome.SUCCESS
    return Outcome.FAILURE if score <= failure + SLACK else Outcome.PARTIAL


_GOOD_ENOUGH: Final = 0.3
_NOTHING_SAID: Final = (None, Outcome.UNKNOWN, Outcome.CANCELLED)


def verdict_of(critique: CritiqueResult) -> Outcome:
    """Return the outcome that follows from a critique's findings.

    It is a success if the severity is below 0.3 and there is no issue. Otherwise it is partial if some of several
    checks hold (parts, checks by name, or criteria), else a failure.
    """
    if not critique.issues and critique.severity < _GOOD_ENOUGH - SLACK:
        return Outcome.SUCCESS
    parts = joint_outcome(critique.parts) if len(critique.parts) > 1 else None
    held = [
        *(end == "passed" for end in critique.checks.values() if end != "skipped"),
        *(score >= 1.0 - SLACK for score in critique.criterion_scores.values()),
    ]
    return Outcome.PARTIAL if parts in (Outcome.PARTIAL, Outcome.SUCCESS) or any(held) else Outcome.FAILURE


def with_verdict(critique: CritiqueResult) -> CritiqueResult:
    """Return the critique with the outcome that follows from its findings, unless it has one."""
    return critique if critique.outcome is not None else critique.model_copy(update={"outcome": verdict_of(critique)})


def joint_outcome(critiques: Sequence[CritiqueResult]) -> Outcome | None:
    """Return the outcome of several critiques: partial if only some succeeded, else that of all, the worst one first.

    A critique without an outcome has that of its findings; one whose outcome is unknown does not count.
    """
    outcomes = [verdict_of(critique) if critique.outcome is None else critique.outcome for critique in critiques]
    said = [outcome for outcome in outcomes if outcome not in _NOTHING_SAID] or outcomes
    if len({*said}) > 1 and not {Outcome.SUCCESS, Outcome.PARTIAL}.isdisjoint(said):
        return Outcome.PARTIAL
    return max(said, key=OUTCOME_ORDER.index, default=None)


_LONG_S: Final = 60.0


def critique_of_trace(episode: Episode, *, limit_s: float = _LONG_S) -> CritiqueResult:
    """Judge the trace of an agent by rule, without a model: by its error, else by its duration.

    With an error (its own, that of its last event, or a last event of type "error_event"): outcome error, score 0.
    Longer than `limit_s`: timeout, score 0.2, confidence 0.8. Otherwise success, score 1. `metadata["importance"]` is
    0.7, 0.6 or 0.3. The duration is `metrics["duration_s"]`, else the time between its first and its last event.

    Args:
        limit_s: time limit in seconds, above 0; 60 s by default.

    Raises:
        ConfigurationError: the limit is not above 0, or `episode` is not an `Episode`.

    Source: SPEC R55.
    """
    if not isinstance(episode, Episode):
        raise ConfigurationError(f"critique_of_trace judges an Episode, got {describe(episode)}")
    if not (is_number(limit_s) or limit_s == math.inf) or not limit_s > 0.0:
        raise ConfigurationError(f"limit_s must be above 0, got {describe(limit_s)}")
    error = (episode.error or "").strip() or _error_at_the_end(episode)
    if error:
        return _by_rule(Outcome.ERROR, 0.0, 0.7, issues=(error,))
    took_s = episode.metrics.get("duration_s")
    if took_s is None:
        times = [event.timestamp for event in episode.events]
        took_s = (max(times) - min(times)).total_seconds() if times else 0.0
    if took_s > limit_s:
        issue = f"took {took_s:.0f} s, longer than {limit_s:g} s"
        return _by_rule(Outcome.TIMEOUT, 0.2, 0.6, issues=(issue,), confidence=0.8)
    return _by_rule(Outcome.SUCCESS, 1.0, 0.3)


def _error_at_the_end(episode: Episode) -> str:
    """Return the error that the last event reports; "" if it reports none."""
    if not episode.events:
        return ""
    last = episode.events[-1]
    said = (last.error or "").strip()
    return said or (last.type is EventType.ERROR_EVENT and (last.content.strip() or "the last event is an error")) or ""


def _by_rule(
    outcome: Outcome, score: float, importance: float, *, issues: Sequence[str] = (), confidence: float | None = None
) -> CritiqueResult:
    return CritiqueResult(
        score=score,
        outcome=outcome,
        issues=issues,
        confidence=confidence,
        source="rule:trace",
        metadata={"importance": importance},
    )


def check_weights(weights: Mapping[str, float]) -> None:
    """Raise `ConfigurationError` unless all weights are at least 0 and finite, and one is above 0."""
    if not isinstance(weights, Mapping):
        raise ConfigurationError(f"weights must be a mapping of names to numbers, got {describe(weights)}")
    for name, weight in weights.items():
        if not is_number(weight) or weight < 0.0:
            raise ConfigurationError(f"the weight of {name!r} must be at least 0 and finite, got {describe(weight)}")
    if not any(weights.values()):
        raise ConfigurationError("no weight is above 0")


def weighted_score(scores: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """Return the weighted mean of criterion scores, in [0, 1]; without weights all are equal.

    Only criteria with a score count; the weights of the others are redistributed.

    Raises:
        ConfigurationError: there is no score, a score is out of range, a weight is negative or not a finite number, or
            no score has a weight above 0.
    """
    for name, score in scores.items():
        if not 0.0 <= score <= 1.0:
            raise ConfigurationError(f"the score of {name!r} must be in [0, 1], got {describe(score)}")
    if weights is None:
        weights = dict.fromkeys(scores, 1.0)
    check_weights(weights)
    total = math.fsum(weights.get(name, 0.0) for name in scores)
    if total <= 0.0:
        raise ConfigurationError(f"no weight above 0 for any of the scores {sorted(scores)}")
    mean = math.fsum(score * weights.get(name, 0.0) for name, score in scores.items()) / total
    return min(1.0, max(0.0, mean))
