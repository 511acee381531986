"""Protocols of replaceable parts. An object with the methods will do; so will a function of the same arguments.

Functions may be async or not. The protocols of stores are in `jido_ai.memory.store`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from jido_ai.values import (
    Budget,
    Candidate,
    Completion,
    CompletionRequest,
    CritiqueResult,
    Episode,
    ErrorInfo,
    Iteration,
    MemoryEntry,
    Message,
    Reflection,
    Scope,
    Usage,
)
from jido_ai.values.tool import ToolJob, ToolRun

__all__ = [
    "AnyCritiquer",
    "AnyGenerator",
    "AnyModel",
    "AnyReflector",
    "AnyReviser",
    "CallRecorder",
    "Critiquer",
    "Embedder",
    "EpisodeReflector",
    "FingerprintingExecutor",
    "Generator",
    "LanguageModel",
    "Meter",
    "OpenCall",
    "Reservation",
    "Reviser",
    "RunContext",
    "StreamingModel",
    "ToolExecutor",
    "TunedEmbedder",
]


class Reservation(Protocol):
    """The part of a budget that is set aside for one call until its actual usage is known."""

    def settle(self, usage: Usage) -> None:
        """Replace the reserved amount by the actual usage. Does nothing the second time, or after `release`."""
        ...

    def release(self) -> None:
        """Return the reserved amount: nothing was sent, so nothing was spent."""
        ...


class Meter(Protocol):
    """Counts the usage of a run, and refuses calls that would exceed its budget."""

    def reserve(self, *, calls: int = 1, tokens: int = 0, cost_usd: float = 0.0) -> Reservation:
        """Set aside the most a call may take. Raises `BudgetExceededError`; then nothing is set aside."""
        ...

    @property
    def spent(self) -> Usage:
        """The usage settled so far."""
        ...

    @property
    def left(self) -> Budget:
        """The budget that is left; None where there is no limit."""
        ...


class OpenCall(Protocol):
    """A call of a model under way, for those that see it go by. Ending it a second time does nothing.

    Attributes:
        host: of the model that answers.
        is_replayed: the answer comes from a recording.
    """

    host: str
    is_replayed: bool

    def first_token(self) -> None:
        """Note that the first token has come."""
        ...

    def thought(self, text: str) -> None:
        """Note a piece of the model's thoughts that is not in the reply."""
        ...

    def tried(self, error: BaseException, waited_s: float) -> None:
        """Note a failed try that is repeated after some seconds."""
        ...

    def answered(self, completion: Completion, usage: Usage, thoughts: str) -> None:
        """End it with the answer as it came, its usage, and the thoughts in its text."""
        ...

    def failed(self, error: BaseException, usage: Usage | None = None) -> None:
        """End it without an answer; `usage` if it may have been billed."""
        ...


class CallRecorder(Protocol):
    """Keeps the calls of models of one step of a run."""

    def begin(self, request: CompletionRequest, model: str | None, host: str) -> OpenCall:
        """Note that a call begins."""
        ...

    def record(self, fields: Mapping[str, Any]) -> None:
        """Keep a call that has ended, from fields of `ModelCall`. Raises `ConfigurationError` for others."""
        ...


@dataclass(frozen=True, slots=True)
class RunContext:
    """Information for a component about the run it works for.

    Attributes:
        prompt: the prompt of the run.
        iteration: index of the current candidate, from 0.
        lessons: lessons from memory for the prompt, most useful first.
        examples: for a generator, accepted answers to similar prompts, the nearest last; `LLMGenerator` sends them as
            earlier turns. Empty for a sample that is to go without them.
        deadline: time of the event loop's clock at which the run ends; None is no limit.
        meter: reserves model calls before they are made and settles them after; None outside of a run. Usage that a
            component settles here must not be reported in metadata["usage"] as well.
        baseline: the critique of the first candidate, to which later ones are compared; None while that one is judged.
        setbacks: earlier attempts of this run that failed checks passed before (`Iteration.broken`), oldest first. A
            reviser must not make the same edits again.
        attempts: for a reviser, earlier revisions of this text that broke nothing and were not accepted; for a
            generator that starts over, all attempts so far; oldest first.
        repeats: number of candidates of this run that equal an earlier one; a model should vary more if it is high.
        last_error: why the last try of this step failed; None for a first try.
        recorder: keeps the calls of models; None outside of a run, and in one that keeps none.
        output: the type of the answer, or its JSON Schema, as the pipeline got it; None for a text.
        settings: settings of models that the caller of the run asks for, by the fields of `CompletionRequest`, for the
            components that write: generators and revisers.
        on_text: for a generator, called with the beginning of its answer as it grows; None if nobody wants to see it.
    """

    run_id: str
    prompt: str
    iteration: int = 0
    lessons: tuple[MemoryEntry, ...] = ()
    deadline: float | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    meter: Meter | None = None
    baseline: CritiqueResult | None = None
    setbacks: tuple[Iteration, ...] = ()
    attempts: tuple[Iteration, ...] = ()
    repeats: int = 0
    last_error: ErrorInfo | None = None
    recorder: CallRecorder | None = field(default=None, repr=False, compare=False)
    output: Any = None
    on_text: Callable[[str], None] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    examples: tuple[MemoryEntry, ...] = ()

    @property
    def time_left_s(self) -> float | None:
        """Return the seconds until the deadline, at least 0.0; None without one. Needs a running event loop."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())

    def record_call(
        self, *, model: str, messages: Sequence[Message], reply: str | None, usage: Usage | None = None, **fields: Any
    ) -> None:
        """Add a call that the component made with a client of its own to the calls of the run.

        Does nothing outside of a run, or if the run keeps no calls. May be called in any thread.

        Args:
            messages: `Message`s, or mappings with `role` and `content`.
            reply: None if none came.
            fields: others of `ModelCall`, such as `duration_s` or `tries`; run, seq, path, iteration and role are
                filled in.

        Raises:
            ConfigurationError: a field is unknown or has the wrong type.
        """
        if self.recorder is not None:
            spent = {} if usage is None else {"usage": usage}
            self.recorder.record({**fields, "model": model, "messages": tuple(messages), "reply": reply, **spent})

    @property
    def budget_left(self) -> Budget:
        """Return the budget left for the run, for components with limits of their own; None where it has no limit."""
        return Budget() if self.meter is None else self.meter.left


@runtime_checkable
class Generator(Protocol):
    """Makes the first candidate, or several, for a prompt.

    If it has an attribute `uses_attempts` that is True, it uses `RunContext.attempts`: the policy "adaptive" may then
    ask for a fresh candidate instead of a revision.
    """

    async def generate(self, prompt: str, context: RunContext, /) -> Candidate | Sequence[Candidate] | str: ...


@runtime_checkable
class Critiquer(Protocol):
    """Judges a candidate, and never changes it."""

    async def critique(self, candidate: Candidate, context: RunContext, /) -> CritiqueResult: ...


@runtime_checkable
class Reviser(Protocol):
    """Makes a better candidate from a candidate and its critique, or raises `Declined` if it does not know how."""

    async def revise(
        self, candidate: Candidate, critique: CritiqueResult, context: RunContext, /
    ) -> Candidate | str: ...


@runtime_checkable
class EpisodeReflector(Protocol):
    """Reflects on an attempt, as `Reflector` does. It may take the `RunContext` as a third argument."""

    async def reflect(self, episode: Episode, priors: Sequence[Reflection], /) -> Reflection: ...


_Generated = Candidate | Sequence[Candidate] | str
_Critique = CritiqueResult | Awaitable[CritiqueResult]
_Revised = Candidate | str | Awaitable[Candidate | str]
AnyGenerator = (
    Generator
    | Callable[[str, RunContext], _Generated | Awaitable[_Generated]]
    | Callable[[str], _Generated | Awaitable[_Generated]]
)
AnyCritiquer = Critiquer | Callable[[Candidate, RunContext], _Critique] | Callable[[Candidate], _Critique]
AnyReviser = (
    Reviser
    | Callable[[Candidate, CritiqueResult, RunContext], _Revised]
    | Callable[[Candidate, CritiqueResult], _Revised]
)
AnyReflector = EpisodeReflector | Callable[..., Reflection | Awaitable[Reflection]]


@runtime_checkable
class LanguageModel(Protocol):
    """Answers a conversation."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. Raises `ModelError`, or `ConfigurationError` for a request that can never work."""
        ...


AnyModel = LanguageModel | Callable[[CompletionRequest], Completion | Awaitable[Completion]] | str
"""Anything accepted as a language model: one, a (plain or async) function of a request, or a name ("openai:NAME")."""


@runtime_checkable
class StreamingModel(LanguageModel, Protocol):
    """A language model that can also stream its answer."""

    def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the text in order, then the whole `Completion`. Raises the errors of `complete`."""
        ...


@runtime_checkable
class ToolExecutor(Protocol):
    """Runs programs, and leaves neither processes nor files behind."""

    def locate(self, program: str) -> str:
        """Return the absolute path of `program`. Raises `ToolNotFoundError` if it is missing or not allowed."""
        ...

    async def run(self, job: ToolJob) -> ToolRun:
        """Run a job until it ends or reaches its time limit.

        Raises:
            ConfigurationError: a path leads outside of the directory (checked before any file is opened), the program
                is missing (`ToolNotFoundError`), or it executes the candidate, no sandbox works on this machine, and
                the job does not set `unsafe`.
            ToolError: it could not be run.
        """
        ...


@runtime_checkable
class FingerprintingExecutor(ToolExecutor, Protocol):
    """An executor that recognizes equal jobs, so that the result of one can be reused for the other."""

    async def fingerprints(self, jobs: Sequence[ToolJob]) -> tuple[str | None, ...]:
        """Return one text per job, equal for jobs that differ at most in their time limits; None if unknown."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors; texts with similar meanings have vectors near each other."""

    @property
    def name(self) -> str:
        """Identifies the vectors: embedders with the same name return the same vector for a text."""
        ...

    @property
    def dim(self) -> int:
        """The number of dimensions; 0 if it is not known before the first call."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector per text, in order. Raises `EmbeddingError`."""
        ...


@runtime_checkable
class TunedEmbedder(Embedder, Protocol):
    """An embedder that knows how its vectors are best used."""

    @property
    def threshold(self) -> float:
        """The default similarity, in [0, 1], from which entries count as similar; without it 0.70."""
        ...

    @property
    def correction_weight(self) -> float:
        """Weight of an entry's correction relative to its prompt's, at least 0. Without it only the prompt counts."""
        ...
