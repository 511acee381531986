"""Runs: configuration, budget, verdicts, iterations, and the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, StrEnum
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, Literal, Self, cast

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic.json_schema import SkipJsonSchema
from typing_extensions import TypeVar

from jido_ai.errors import describe
from jido_ai.values.base import ByValue, Count, Metadata, NotNegative, Positive, Signed, Texts, Unit, Value
from jido_ai.values.candidate import Candidate, Usage, no_usage
from jido_ai.values.chart import LineChart
from jido_ai.values.checks import checked
from jido_ai.values.critique import CritiqueResult, Finding, Issue
from jido_ai.values.episode import Reflection
from jido_ai.values.frames import frame_of, rows_of_result
from jido_ai.values.memory import MemoryEntry
from jido_ai.values.model_call import ModelCall
from jido_ai.values.result_text import html_of, lines_of

__all__ = [
    "SUSPEND",
    "Budget",
    "ErrorInfo",
    "Iteration",
    "LoopConfig",
    "OutputT",
    "ReflectionResult",
    "Regenerate",
    "Revise",
    "StopReason",
    "Suspend",
    "Verdict",
]


OutputT = TypeVar("OutputT", default=str)


class Suspend(Enum):
    """The type of `SUSPEND`."""

    SUSPEND = "suspend"


SUSPEND: Final = Suspend.SUSPEND
"""An answer of `approve`: a person will decide later. The run ends with `StopReason.SUSPENDED`; `resume` continues it.
"""


class StopReason(StrEnum, metaclass=ByValue):
    """Why a loop ended. The first seven, and a rule of your own, count as converged."""

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
    SUSPENDED = "suspended"
    RULE = "rule"

    @property
    def is_converged(self) -> bool:
        """True if the loop stopped because further iterations would not pay."""
        return self in _CONVERGED


_CONVERGED: Final = frozenset((*tuple(StopReason)[:7], StopReason.RULE))

_NAMES: Final = frozenset(reason.value for reason in StopReason)
_OWN_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")


class Budget(Value):
    """Limits on the spending of a run; None is no limit.

    Attributes:
        max_wall_s: seconds from the start, after which no call is started.
    """

    max_calls: Count | None = Field(default=None, kw_only=False)
    max_tokens: Count | None = Field(default=None, kw_only=False)
    max_cost_usd: NotNegative | None = Field(default=None, kw_only=False)
    max_wall_s: Positive | None = None


def _of_a_rule(reason: StopReason) -> StopReason:
    if reason in (StopReason.SUSPENDED, StopReason.ERROR):  # nobody could answer; nobody would know what failed
        raise ValueError(f"no rule can end a run as {reason.value!r}: return SUSPEND from approve, or raise an error")
    return reason


class Verdict(Value):
    """Returned by a stop rule to end the run.

    Attributes:
        reason: a `StopReason` but SUSPENDED and ERROR, or a name of your own, such as "enough_facts": the run then ends
            with `StopReason.RULE`, the evidence has the name as "rule", and `result.stopped_by` is the name.
        evidence: the figures and thresholds that led to it.
        pick: index of the iteration to return; None is the best one.
    """

    reason: Annotated[StopReason, AfterValidator(_of_a_rule)] = Field(kw_only=False)
    evidence: Metadata = Field(default_factory=dict[str, Any], kw_only=False)
    pick: Count | None = Field(default=None, kw_only=False)

    if TYPE_CHECKING:

        def __init__(
            self, reason: StopReason | str, evidence: Mapping[str, Any] = ..., pick: int | None = None
        ) -> None: ...
    else:

        def __init__(self, /, *args: Any, **data: Any) -> None:
            data = self._with_positions(args, data)
            reason = data.get("reason")
            if isinstance(reason, str) and _OWN_NAME.fullmatch(reason) and reason not in _NAMES:
                data["evidence"] = {"rule": reason, **checked("evidence", data.get("evidence", {}), Mapping)}
                data["reason"] = StopReason.RULE
            super().__init__(**data)


class Revise(Value):
    """Returned by a stop rule to continue from the candidate of iteration `base`."""

    base: Count = Field(kw_only=False)


class Regenerate(Value):
    """Returned by a stop rule to generate a new candidate.

    Attributes:
        with_findings: the generator is told what was wrong with the candidates so far; False asks as for the first one.
        with_examples: a candidate that is asked for as the first one is shown the worked examples that memory found;
            None: every second one is. Right after a copy of an example none is.
    """

    with_findings: bool = True
    with_examples: bool | None = None


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
            raise ValueError(f"every rule must be a plain function, got the async {describe(rule)}")
    return rules


class LoopConfig(Value):
    """Limits, thresholds and policy of a loop.

    Attributes:
        max_iterations: most candidates judged, the first included; 1 to 100.
        candidates: number of first candidates; they count towards `max_iterations`. The best of them is revised.
        beam: number of them that are revised, side by side; at most `candidates`.
        severity_threshold: a candidate with a lower severity is good enough.
        change_threshold: share of the text that must be edited for a revision to count, in [0, 1].
        score_threshold: smallest difference of scores that counts, in (0, 1].
        patience: number of scores without gain, and of falls in a row, that are allowed; at least 1. Rules on severity
            and on the change of the text do not wait.
        timeout_s: seconds for a run.
        step_timeout_s: seconds for one step of it; the time in which it waits for a model does not count.
        step_retries: how often a step is retried when its component crashes, hangs or returns something unusable.
        accept: "severity" (below the threshold) or "clean" (no open issue).
        policy: "documented" or "adaptive"; `stop_rules` replaces both.
        call_price: gain of score that a model call must be expected to bring ("adaptive").
        floor: "first": later candidates must pass every check that the first one passed (the caller's own, else the
            first of each line), whatever their score; "none": only the score counts.
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
    """An error of a run, and its origin.

    Attributes:
        kind: name of the exception's class, or the stop reason of a run that was cut short.
        component: the component that raised it, as the pipeline names it.
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
        change: edited share of the text of the candidate it was revised from, in [0, 1]; None for a first candidate.
        gain: score minus that candidate's score, in [-1, 1]; None for a first candidate.
        duration_s: seconds to make and judge it.
        usage: usage and cost of making and judging it.
        broken: the checks that it fails and the first candidate passed. If there are any, it is below the floor: it is
            never the best, accepted or revised (unless `LoopConfig.floor` is "none").
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


class ReflectionResult(Value, Generic[OutputT]):
    """The result of a run. A partial result has a stop reason and an error: a failure, a deadline or a cancellation.

    Attributes:
        best_candidate: the judged candidate with the highest score, the earlier one if scores are equal; None if none
            was judged.
        converged: the loop stopped because further iterations would not pay (the first seven stop reasons, and `RULE`).
        evidence: figures and thresholds of the rule that stopped the loop.
        lessons_used, lessons_stored: entries offered to the components, and entries stored by this run.
        examples_used: ids of the worked examples that the generator was offered.
        held_out: the run was made without anything remembered, to see whether memory helps.
        reflections: reflections on the attempts that needed one, in order.
        reflections_skipped: number of reflections that could not be made; the run continued without them.
        unjudged: the newest candidate if none was judged, for example because the critic failed; None otherwise.
        calls: of models, in the order in which they began. They are in no dump; equality ignores them.
        is_typed: the run had an `output` type. Like a candidate's value, it is in no dump.
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
    unjudged: Candidate | None = None
    examples_used: Texts = ()
    held_out: bool = False
    calls: tuple[ModelCall, ...] = Field(default=(), exclude=True, repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReflectionResult):
            return NotImplemented
        mine, others = (one.model_copy(update={"calls": ()}) for one in (self, cast("ReflectionResult[Any]", other)))
        return super(ReflectionResult, mine).__eq__(others)

    __hash__ = None

    def __str__(self) -> str:
        """Return it in a few lines: each candidate with its issues, why the run ended, and what it cost."""
        return "\n".join(lines_of(self))

    def _repr_html_(self) -> str:
        return html_of(self)

    is_typed: SkipJsonSchema[bool] = Field(default=False, exclude=True, repr=False)

    @model_validator(mode="after")
    def _converged_follows_the_reason(self) -> Self:
        object.__setattr__(self, "converged", self.stop_reason in _CONVERGED)
        return self

    @property
    def stopped_by(self) -> str:
        """The name of the rule that ended the run: your own, or the stop reason."""
        own: object = self.evidence.get("rule") if self.stop_reason is StopReason.RULE else None
        return str(own or self.stop_reason.value)

    def to_frame(self) -> Any:
        """Return a `pandas.DataFrame` (polars where pandas is missing) with a row for each judged candidate.

        Raises:
            ConfigurationError: neither is installed.
        """
        return frame_of(rows_of_result(self))

    def plot(self, ax: Any = None) -> Any:
        """Return a chart of severity over iterations; notebooks show it, `save(path)` writes it as SVG.

        Args:
            ax: axes of matplotlib to draw into; they are returned instead.
        """
        values = [iteration.critique.severity for iteration in self.iterations]
        chart = LineChart([("severity", values)], "iteration", "severity (0 is flawless)")
        return chart if ax is None else chart.draw(ax)

    @property
    def total_iterations(self) -> int:
        """Return the number of judged candidates."""
        return len(self.iterations)

    @property
    def output(self) -> OutputT | None:
        """The value of the best candidate, or its text if it has no value; None if no candidate was judged.

        With an `output` type, None if the best candidate does not validate.
        """
        best = self.best_candidate
        if best is None or self.is_typed:
            return cast("OutputT | None", best and best.value)
        return cast("OutputT", best.content if best.value is None else best.value)

    @property
    def answer(self) -> Candidate | None:
        """The best candidate, else the unjudged one; None if there is neither."""
        return self.unjudged if self.best_candidate is None else self.best_candidate

    @property
    def accepted(self) -> bool:
        """True if the best candidate was good enough."""
        return self.stop_reason is StopReason.ACCEPTED

    @property
    def open_issues(self) -> tuple[Issue, ...]:
        """Return the open issues of the best candidate, in the order they were found."""
        return tuple(finding.issue for finding in self.findings if finding.status != "fixed")
