"""Types of the arguments of `Pipeline` and `reflect`, which are passed on by keyword."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict

from jido_ai.actors.system import ActorSystem
from jido_ai.protocols import AnyGenerator, AnyReflector, AnyReviser, LanguageModel, RunContext
from jido_ai.reflection.evaluation import ReflectionMode
from jido_ai.runs.call_log import RecordCalls
from jido_ai.runs.runnable import Memory
from jido_ai.telemetry import Sink
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
