"""Runs: configuration, budget, verdicts, iterations, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from inspect import iscoroutinefunction
from typing import Annotated, Any, Final, Literal, Self, cast

from pydantic import BeforeValidator, Field, model_validator

from jido_ai.errors import describe
from jido_ai.values.base import ByValue, Count, Metadata, NotNegative, Positive, Signed, Texts, Unit, Value
from jido_ai.values.candidate import Candidate, Usage, no_usage
from jido_ai.values.critique import CritiqueResult, Finding, Issue
from jido_ai.values.episode import Reflection
from jido_ai.values.memory import MemoryEntry

__all__ = [
    "Budget",
    "ErrorInfo",
    "Iteration",
    "LoopConfig",
    "ReflectionResult",
    "Regenerate",
    "Revise",
    "StopReason",
    "Verdict",
]


class StopReason(StrEnum, metaclass=ByValue):
    """Why a loop ended. The first seven count as converged."""

    ACCEPTED = "accepted"
    CYCLE = "cycle"
    REGRESSION = "regression"
    MINIMAL_CHANGE = "minimal_change"
    SEVERITY_PLATEAU = "severity_plateau"
    SCORE_PLATEAU = "score_plateau"
    NO_EXPECTED_GAIN = "no_expected_gain"
    DECLINED = "declined"
    MAX_ITERATIONS = "max_iterations"
    BUDGET = "budget"
    DEADLINE = "deadline"
    CANCELLED = "cancelled"
    ERROR = "error"

    @property
    def is_converged(self) -> bool:
        """True when the loop stopped because going on would not pay."""
        return self in _CONVERGED


_CONVERGED: Final = frozenset(tuple(StopReason)[:7])


class Budget(Value):
    """How much a run may spend; None is no limit.

    Attributes:
        max_wall_s: seconds from the start, after which no call is begun.
    """

    max_calls: Count | None = Field(default=None, kw_only=False)
    max_tokens: Count | None = Field(default=None, kw_only=False)
    max_cost_usd: NotNegative | None = Field(default=None, kw_only=False)
    max_wall_s: Positive | None = None


class Verdict(Value):
    """A stop rule says: stop.

    Attributes:
        evidence: the figures and thresholds that led to it.
        pick: index of the iteration to return; None is the best one.
    """

    reason: StopReason = Field(kw_only=False)
    evidence: Metadata = Field(default_factory=dict[str, Any], kw_only=False)
    pick: Count | None = Field(default=None, kw_only=False)


class Revise(Value):
    """A stop rule says: go on from that iteration's candidate."""

    base: Count = Field(kw_only=False)


class Regenerate(Value):
    """A stop rule says: make a fresh candidate with what was learnt."""


def _rules(value: object) -> object:
    if value is None:
        return None
    if callable(value) or not isinstance(value, Iterable):
        raise ValueError("needs a sequence of rules")
    rules = tuple(cast("Iterable[object]", value))
    for rule in rules:
        if not callable(rule):
            raise ValueError(f"every rule must be callable, got {describe(rule)}")
        if iscoroutinefunction(rule):
            raise ValueError(f"a rule is a plain function, which does not wait; got the async {describe(rule)}")
    return rules


class LoopConfig(Value):
    """How a loop runs and when it stops.

    Attributes:
        max_iterations: how many candidates are judged at most, the first included; 1 to 100.
        candidates: how many first candidates are made; the best of them is revised. They count among the judged.
        beam: how many of them are revised, side by side; at most `candidates`.
        severity_threshold: below it a candidate is good enough.
        change_threshold: share of the text that must be edited for a revision to count, in [0, 1].
        score_threshold: smallest difference of scores that counts, in (0, 1].
        patience: how many iterations without gain are borne; at least 1.
        timeout_s, step_timeout_s: for a run and for one step of it.
        step_retries: how often a step whose component crashed, hung or answered nonsense is tried again.
        accept: "severity" (below the threshold) or "clean" (no open issue at all).
        policy: "documented" or "adaptive"; `stop_rules` replaces both.
        call_price: score units that a model call must bring to be worth it ("adaptive").
        floor: "first": what the first candidate passed (the caller's own, else the first of each line) every later one
            must pass, whatever its score; "none": only the score counts.
    """

    max_iterations: Annotated[int, Field(strict=True, ge=1, le=100)] = Field(default=3, kw_only=False)
    severity_threshold: Unit = Field(default=0.3, kw_only=False)
    change_threshold: Unit = Field(default=0.1, kw_only=False)
    score_threshold: Annotated[float, Field(strict=True, gt=0.0, le=1.0, allow_inf_nan=False)] = Field(
        default=0.1, kw_only=False
    )
    patience: Annotated[int, Field(strict=True, ge=1)] = Field(default=1, kw_only=False)
    budget: Budget | None = Field(default=None, kw_only=False)
    timeout_s: Positive = Field(default=300.0, kw_only=False)
    step_timeout_s: Positive = Field(default=60.0, kw_only=False)
    step_retries: Count = Field(default=2, kw_only=False)
    accept: Literal["severity", "clean"] = Field(default="severity", kw_only=False)
    policy: Literal["documented", "adaptive"] = Field(default="documented", kw_only=False)
    call_price: NotNegative = Field(default=0.01, kw_only=False)
    stop_rules: Annotated[tuple[Callable[..., Any], ...] | None, BeforeValidator(_rules)] = Field(
        default=None, kw_only=False, exclude_if=lambda value: value is not None
    )
    candidates: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    beam: Annotated[int, Field(strict=True, ge=1, le=100)] = 1
    floor: Literal["first", "none"] = "first"

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if not self.beam <= self.candidates <= self.max_iterations:
            raise ValueError(
                "needs beam <= candidates <= max_iterations (every first candidate is judged), got "
                f"{self.beam}, {self.candidates} and {self.max_iterations}"
            )
        return self


class ErrorInfo(Value):
    """What went wrong, and where.

    Attributes:
        kind: name of the exception's class; the stop reason of a run that was cut short.
        component: the component it came from, as the pipeline names it.
    """

    kind: str = Field(kw_only=False)
    message: str = Field(kw_only=False)
    component: str | None = Field(default=None, kw_only=False)


class Iteration(Value):
    """One judged candidate of a run.

    Attributes:
        index: from 0, in order.
        candidate: with its score: its own, else the critique's.
        revised: a revision was made from it.
        change: share of the text that was edited, in [0, 1], against the candidate it was revised from; None if first.
        gain: score minus that candidate's score, in [-1, 1]; None for a first.
        duration_s: making and judging it.
        usage: what making and judging it cost.
        broken: the checks that it fails and the first candidate passed. With any, it is below the floor: it is never
            the best, never accepted, and never revised (unless `LoopConfig.floor` is "none").
    """

    index: Count = Field(kw_only=False)
    candidate: Candidate = Field(kw_only=False)
    critique: CritiqueResult = Field(kw_only=False)
    revised: bool = Field(default=False, kw_only=False)
    change: Unit | None = Field(default=None, kw_only=False)
    gain: Signed | None = Field(default=None, kw_only=False)
    duration_s: NotNegative = Field(default=0.0, kw_only=False)
    usage: Usage = Field(default_factory=no_usage, kw_only=False)
    broken: Texts = ()


class ReflectionResult(Value):
    """What a run came to. A partial result carries its reason and its error: a failure, a deadline, a cancellation.

    Attributes:
        best_candidate: the judged candidate with the highest score, ties to the earlier; None when nothing was judged.
        converged: stopped because going on would not pay (the first seven stop reasons).
        evidence: figures and thresholds of the rule that stopped it.
        lessons_used, lessons_stored: entries that were offered to the components, and entries learnt from this run.
        reflections: what the pipeline's reflector made of the attempts that called for it, in order.
        reflections_skipped: how many it could not make; a run goes on without them.
    """

    run_id: str = Field(kw_only=False)
    prompt: str = Field(kw_only=False)
    best_candidate: Candidate | None = Field(kw_only=False)
    iterations: tuple[Iteration, ...] = Field(kw_only=False)
    findings: tuple[Finding, ...] = Field(kw_only=False)
    stop_reason: StopReason = Field(kw_only=False)
    converged: bool = Field(default=False, kw_only=False)
    evidence: Metadata = Field(default_factory=dict[str, Any], kw_only=False)
    error: ErrorInfo | None = Field(default=None, kw_only=False)
    lessons_used: tuple[MemoryEntry, ...] = Field(default=(), kw_only=False)
    lessons_stored: tuple[MemoryEntry, ...] = Field(default=(), kw_only=False)
    usage: Usage = Field(default_factory=no_usage, kw_only=False)
    duration_s: NotNegative = Field(default=0.0, kw_only=False)
    reflections: tuple[Reflection, ...] = ()
    reflections_skipped: Count = 0

    @model_validator(mode="after")
    def _converged_follows_the_reason(self) -> Self:
        object.__setattr__(self, "converged", self.stop_reason.is_converged)
        return self

    @property
    def total_iterations(self) -> int:
        """Return how many candidates were judged."""
        return len(self.iterations)

    @property
    def accepted(self) -> bool:
        """True when the best candidate was good enough."""
        return self.stop_reason is StopReason.ACCEPTED

    @property
    def open_issues(self) -> tuple[Issue, ...]:
        """Return what is still wrong with the best candidate, in the order it was found."""
        return tuple(finding.issue for finding in self.findings if finding.status != "fixed")
