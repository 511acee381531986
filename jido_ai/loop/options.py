"""Arguments of `Pipeline`, `reflect` and their runs: their types, and the checks of those that concern learning."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context, ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypedDict, get_args

from jido_ai.actors.system import ActorSystem
from jido_ai.components.call_context import Wishes, current_wishes
from jido_ai.errors import ConfigurationError, describe
from jido_ai.models.spending import Spending, enclosing_spending
from jido_ai.protocols import AnyGenerator, AnyReflector, AnyReviser, LanguageModel, RunContext
from jido_ai.reflection.evaluation import ReflectionMode
from jido_ai.runs.call_log import CallLog, RecordCalls, caller_context, enclosing_calls
from jido_ai.runs.checks import checked_whole
from jido_ai.runs.questions import Decision
from jido_ai.runs.runnable import Memory
from jido_ai.telemetry import Sink
from jido_ai.text.numbers import is_number
from jido_ai.values import Candidate, Iteration, LoopConfig, Scope

Approve = Callable[[Candidate, Iteration, RunContext], object]
"""Called with a revision and the iteration it was made from, before the revision is judged.

True accepts the revision, False ends its line, a text or a `Candidate` replaces it, and SUSPEND ends the run until a
person has decided."""
AwaitableApprove = Callable[[Candidate, Iteration, RunContext], Awaitable[object]]
LearnFrom = Literal["known", "accepted", "nothing"]
"""Which accepted answers become worked examples: those that a program or a person accepted, all, or none."""


class PipelineOptions(TypedDict, total=False):
    """The keyword-only arguments of `Pipeline`, but for output."""

    name: str | None
    recall_by: Literal["prompt", "critique"]
    reflector: AnyReflector | bool | None
    mode: ReflectionMode
    approve: Approve | None
    journal: bool | None
    max_concurrency: int | None
    max_lessons: int | None
    max_lesson_tokens: int | None
    learn_from: LearnFrom
    max_examples: int
    max_examples_shown: int
    holdout: float | None
    reward_threshold: float
    lease_s: float
    record_calls: RecordCalls
    sink: Sink | None


class ReflectOptions(PipelineOptions, total=False):
    """The keyword-only arguments of `reflect`, but for critiquer and output."""

    reviser: AnyReviser | LanguageModel | str | None
    generator: AnyGenerator | LanguageModel | str | None
    memory: Memory
    config: LoopConfig | None
    system: ActorSystem | None
    run_id: str | None
    scope: Scope | None
    metadata: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningOptions:
    """The arguments of a `Pipeline` that concern learning, checked.

    Raises:
        ConfigurationError: one is out of range.
    """

    max_lessons: int | None = None
    max_lesson_tokens: int | None = None
    learn_from: LearnFrom = "known"
    max_examples: int = 50
    max_examples_shown: int = 2
    holdout: float | None = None
    reward_threshold: float = 0.3

    def __post_init__(self) -> None:
        checked_whole("max_lessons", self.max_lessons)
        checked_whole("max_lesson_tokens", self.max_lesson_tokens)
        if self.learn_from not in get_args(LearnFrom):
            raise ConfigurationError(f"learn_from must be known, accepted or nothing, got {describe(self.learn_from)}")
        for name, count in (("max_examples", self.max_examples), ("max_examples_shown", self.max_examples_shown)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ConfigurationError(f"{name} must be a whole number of at least 0, got {describe(count)}")
        if self.holdout is not None and not (is_number(self.holdout) and 0.0 <= self.holdout <= 1.0):
            raise ConfigurationError(f"holdout must be None or a number in [0, 1], got {describe(self.holdout)}")
        if not (is_number(self.reward_threshold) and -1.0 <= self.reward_threshold <= 1.0):
            raise ConfigurationError(
                f"reward_threshold must be a number in [-1, 1], got {describe(self.reward_threshold)}"
            )


may_be_held_out: Final[ContextVar[bool]] = ContextVar("may_be_held_out", default=True)
"""False for the runs of a comparison, which are shown everything."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run, as the caller requested it.

    Attributes:
        approve: asked instead of the pipeline's; None: the pipeline's.
        decision: a person's answer to the revision that waits in a run that is resumed; None for no answer.
        context: the caller's context variables. Everything that the run calls runs in a copy.
        outer: the account of the graph's run that this run is a part of.
        outer_calls: the log of calls of that run, and the path of the node.
        is_watched: somebody listens to the events as they happen.
        wishes: the form and settings that its caller asks for.
        may_be_held_out: False for the runs of a comparison, whatever the pipeline says.
    """

    run_id: str
    prompt: str
    initial: Candidate | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    approve: AwaitableApprove | None = None
    decision: Decision | None = None
    context: Context = field(default_factory=caller_context, repr=False, compare=False)
    outer: Spending | None = field(default_factory=enclosing_spending.get, repr=False, compare=False)
    outer_calls: tuple[CallLog, str] | None = field(default_factory=enclosing_calls.get, repr=False, compare=False)
    is_watched: bool = field(default=False, compare=False)
    wishes: Wishes | None = field(default_factory=current_wishes.get, repr=False)
    may_be_held_out: bool = field(default_factory=may_be_held_out.get, repr=False)
