"""Critics that need no model: by error and time, by a measured quality; and what stands in for a model that fails.

The critic that asks a model by criteria is `LLMCritiquer(model, criteria=...)`; the sets of criteria are here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from jido_ai.components.call_check import check_critique_call
from jido_ai.components.component import Reopening, as_critique, close_all, method_of, text_of
from jido_ai.critics.scoring import check_weights, critique_of_trace, outcome_of, weighted_score
from jido_ai.errors import ComponentError, ConfigurationError, ModelError, ParseError, describe
from jido_ai.memory.importance import importance_of
from jido_ai.protocols import RunContext
from jido_ai.text.numbers import is_number
from jido_ai.values import Candidate, CritiqueResult, Episode

__all__ = [
    "AGENT_CRITERIA",
    "ANSWER_CRITERIA",
    "DEFAULT_CRITERIA",
    "KNOWN_CRITERIA",
    "DeterministicCritiquer",
    "FallbackCritiquer",
    "ThresholdCritiquer",
]

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
"""The criteria that SPEC M4 names; any other text is one, too."""

DEFAULT_CRITERIA: Final = KNOWN_CRITERIA[:3]
"""Those that are used when none are said (SPEC M4)."""

AGENT_CRITERIA: Final = ("correctness", "helpfulness", "safety", "completeness", "efficiency")
"""What the attempt of an agent is judged by (SPEC R53)."""

ANSWER_CRITERIA: Final[Mapping[str, float]] = {"relevance": 0.4, "accuracy": 0.4, "completeness": 0.2}
"""What an answer is judged by, with their weights (SPEC C3)."""


class DeterministicCritiquer:
    """Judges by what is known without reading the text: did it end in an error, and how long did it take.

    An error: outcome error, score 0.0. Longer than `limit_s`: timeout, 0.2, confidence 0.8. Else success, 1.0. What
    that is worth remembering (0.7, 0.6, 0.3) is in `metadata["importance"]`. The rule: `critique_of_trace`.

    Error and time are the candidate's `metadata["error"]`, a text, and `metadata["duration_s"]`.

    Args:
        limit_s: in seconds, above 0 and finite.

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
        """Judge. Raises `ComponentError` for an error that is no text, or a time that is no time."""
        check_critique_call(candidate, context)
        error: Any = candidate.metadata.get("error")
        if error is not None and not isinstance(error, str):
            raise ComponentError(f'metadata["error"] must be a text, got {describe(error)}')
        took_s: Any = candidate.metadata.get("duration_s", 0.0)
        if not is_number(took_s) or took_s < 0:
            raise ComponentError(
                f'metadata["duration_s"] must be seconds, at least 0 and finite, got {describe(took_s)}'
            )
        episode = Episode(context.prompt, candidate, error=error, metrics={"duration_s": float(took_s)})
        return critique_of_trace(episode, limit_s=self._limit_s)


class ThresholdCritiquer:
    """Judges by one figure: success from `success` on, failure down from `failure`, partial between them.

    Severity is 1 - quality, and so is what the attempt is worth remembering (`metadata["importance"]`).

    Args:
        quality: returns the quality of a candidate, in [0, 1], or the scores of several criteria by name, whose
            weighted mean it then is; (candidate, context), async or not. None: the candidate's own score.
        weights: of the criteria; without them all count the same. `ANSWER_CRITERIA` are such weights.
        success, failure: both inclusive; failure below success.

    Raises:
        ConfigurationError: thresholds out of range or in the wrong order, a weight that is negative or no finite
            number, or `quality` cannot be called.

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
        """Judge. Raises `ComponentError` when the quality is no number in [0, 1], and there are no scores."""
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
    """Asks one critic and, when its model fails or cannot be read, another.

    The judgement of the second one then counts as it is, and `metadata["fell_back"]` says why. Mind that one that knows
    little, as `DeterministicCritiquer` does, is content with much: so nothing falls back unless it is asked to.
    A spent budget and a mistake in the configuration are nobody's to judge and go on their way.

    Args:
        critiquer: asked first.
        fallback: asked when it fails; by error and time unless another is given.

    Source: SPEC R57.
    """

    def __init__(self, critiquer: object, fallback: object = None) -> None:
        self._critiquers = (critiquer, DeterministicCritiquer() if fallback is None else fallback)
        self._first, self._second = (method_of(one, "critique") for one in self._critiquers)
        self.name = str(getattr(critiquer, "name", "critiquer"))
        self.fallbacks = 0

    async def aclose(self) -> None:
        """Close the critics that open again when they are used."""
        await close_all(self._critiquers)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Judge. Raises what the fallback raises, and what the first one raises that is no failure of a model."""
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
