"""Arguments of `Pipeline` and `reflect`: their types, and the checks of those that concern learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, get_args

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, describe
from jido_ai.protocols import AnyGenerator, AnyReflector, AnyReviser, LanguageModel, RunContext
from jido_ai.reflection.evaluation import ReflectionMode
from jido_ai.runs.call_log import RecordCalls
from jido_ai.runs.checks import checked_whole
from jido_ai.runs.runnable import Memory
from jido_ai.telemetry import Sink
from jido_ai.text.numbers import is_number
from jido_ai.values import Candidate, Iteration, LoopConfig, Scope

Approve = Callable[[Candidate, Iteration, RunContext], object]
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
