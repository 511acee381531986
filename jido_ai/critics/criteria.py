"""Critics without a model (by error and time, by a measured quality), a fallback critic, and sets of criteria.

`LLMCritiquer(model, criteria=...)` asks a model to judge by criteria.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jido_ai.components.component import Reopening, as_critique, check_critique_call, close_all, method_of, text_of
from jido_ai.critics.scoring import check_weights, critique_of_trace, outcome_of, weighted_score
from jido_ai.errors import ComponentError, ConfigurationError, ModelError, ParseError, describe
from jido_ai.memory.importance import importance_of
from jido_ai.protocols import RunContext
from jido_ai.text.numbers import is_number
from jido_ai.values import Candidate, CritiqueResult, Episode

KNOWN_CRITERIA: Final = (
    "task-success",
    "quality",
    "efficiency",
    "accuracy",
    "completeness",
    "relevance",
    "clarity",
    "innovation",
)
"""The criteria of SPEC M4; any other text is a valid criterion too."""

DEFAULT_CRITERIA: Final = KNOWN_CRITERIA[:3]
"""Default criteria (SPEC M4)."""

AGENT_CRITERIA: Final = ("correctness", "helpfulness", "safety", "completeness", "efficiency")
"""Criteria for an agent's attempt (SPEC R53)."""

ANSWER_CRITERIA: Final[Mapping[str, float]] = {"relevance": 0.4, "accuracy": 0.4, "completeness": 0.2}
"""Criteria for an answer, with their weights (SPEC C3)."""


class DeterministicCritiquer:
    """Judges by error and time, without reading the text.

    With an error: outcome error, score 0.0. Longer than `limit_s`: timeout, 0.2, confidence 0.8. Otherwise success,
    1.0. `metadata["importance"]` says how much the attempt is worth remembering: 0.7, 0.6 or 0.3. The rule:
    `critique_of_trace`.

    The error is the candidate's `metadata["error"]`, a text; the time its `metadata["duration_s"]`.

    Args:
        limit_s: time limit in seconds, above 0 and finite.

    Raises:
        ConfigurationError: `limit_s` is out of range.

    Source: SPEC R55.
    """

    name = "deterministic"

    def __init__(self, limit_s: float = 60.0) -> None:
        if not is_number(limit_s) or limit_s <= 0.0:
            raise ConfigurationError(f"limit_s must be above 0 and finite, got {describe(limit_s)}")
        self._limit_s = limit_s

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Judge. Raises `ComponentError` if the error is not a text or the time is not a valid number of seconds."""
        check_critique_call(candidate, context)
        error: Any = candidate.metadata.get("error")
        if error is not None and not isinstance(error, str):
            raise ComponentError(f'metadata["error"] must be a string, got {describe(error)}')
        took_s: Any = candidate.metadata.get("duration_s", 0.0)
        if not is_number(took_s) or took_s < 0:
            raise ComponentError(
                f'metadata["duration_s"] must be seconds, at least 0 and finite, got {describe(took_s)}'
            )
        episode = Episode(context.prompt, candidate, error=error, metrics={"duration_s": float(took_s)})
        return critique_of_trace(episode, limit_s=self._limit_s)


class ThresholdCritiquer:
    """Judges by one number: success at `success` or above, failure at `failure` or below, partial between them.

    Severity and importance (`metadata["importance"]`: how much the attempt is worth remembering) are both 1 - quality.

    Args:
        quality: returns the quality of a candidate, in [0, 1], or a mapping of criteria to scores, of which the
            weighted mean is taken; called with (candidate, context), async or not. None: the candidate's own score.
        weights: weights of the criteria; by default all are equal. `ANSWER_CRITERIA` is such a mapping.
        success, failure: thresholds, both inclusive; failure below success.

    Raises:
        ConfigurationError: thresholds are out of range or in the wrong order, a weight is negative or not a finite
            number, or `quality` is not callable.

    Source: SPEC R56, C3.
    """

    name = "threshold"

    def __init__(
        self,
        quality: Callable[[Candidate, RunContext], object] | None = None,
        *,
        weights: Mapping[str, float] | None = None,
        success: float = 0.8,
        failure: float = 0.3,
    ) -> None:
        outcome_of(0.0, success=success, failure=failure)  # checks both
        if weights is not None:
            check_weights(weights)
        self._quality = method_of(_own_score if quality is None else quality, "quality")
        self._weights = weights
        self._success = success
        self._failure = failure

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Judge. Raises `ComponentError` if the quality is neither a number in [0, 1] nor a mapping of scores."""
        came: Any = await self._quality(candidate, context)
        scores: dict[str, float] = {}
        if isinstance(came, Mapping):
            try:
                scores = {str(name): _number(score) for name, score in came.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - foreign
                came = weighted_score(scores, self._weights)
            except ConfigurationError as error:
                raise ComponentError(f"the quality of a candidate cannot be used: {error}") from error
        quality = _number(came)
        outcome = outcome_of(quality, success=self._success, failure=self._failure)
        return CritiqueResult(
            score=quality,
            outcome=outcome,
            criterion_scores=scores,
            feedback=f"quality {quality:.2f}: {outcome}",
            source="threshold",
            metadata={"importance": importance_of(outcome, 1.0 - quality)},
        )


class FallbackCritiquer(Reopening):
    """Asks one critic and, if its model fails or its reply cannot be parsed, another.

    The second critic's judgement is then returned unchanged, and `metadata["fell_back"]` gives the reason. The fallback
    must be requested explicitly, because a critic with little information, such as `DeterministicCritiquer`, accepts
    most candidates. An exhausted budget and configuration errors propagate.

    Args:
        critiquer: asked first.
        fallback: asked if `critiquer` fails; by default `DeterministicCritiquer`, which judges by error and time.

    Source: SPEC R57.
    """

    def __init__(self, critiquer: object, fallback: object = None) -> None:
        self._critiquers = (critiquer, DeterministicCritiquer() if fallback is None else fallback)
        self._first, self._second = (method_of(one, "critique") for one in self._critiquers)
        self.name = str(getattr(critiquer, "name", "critiquer"))
        self.fallbacks = 0

    async def aclose(self) -> None:
        """Close the critics; those that can reopen do so on the next use."""
        await close_all(self._critiquers)

    def uses(self) -> tuple[object, ...]:
        """Return the critics."""
        return self._critiquers

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Judge. Raises any error of the fallback, and errors of the first critic that are not model failures."""
        try:
            return as_critique(await self._first(candidate, context))
        except (ModelError, ParseError) as error:
            self.fallbacks += 1
            why = f"{type(error).__name__}: {text_of(error)}"
        critique = as_critique(await self._second(candidate, context))
        return critique.replace(metadata={**critique.metadata, "fell_back": why})


def _own_score(candidate: Candidate, context: RunContext) -> float | None:
    return candidate.score


def _number(value: Any) -> float:
    if not is_number(value) or not 0.0 <= value <= 1.0:
        raise ComponentError(f"a quality must be a number in [0, 1], got {describe(value)}")
    return float(value)
