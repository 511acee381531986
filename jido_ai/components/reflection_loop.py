"""ReflectionLoop: judge and revise until a stop rule speaks.

One actor per run. What to do next is decided by `logic.convergence`; this file asks components, waits, keeps the
history and returns what there is, whatever happens: no error, deadline or cancellation loses a judged candidate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from jido_ai.actors.actor import Actor
from jido_ai.actors.exit_reason import ExitReason, Normal
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.components.component import Call
from jido_ai.components.run_events import (
    CandidateGenerated,
    ComponentRestarted,
    Critiqued,
    LessonsRetrieved,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.errors import ComponentError, Declined, describe
from jido_ai.logic.convergence import Decision, StopRule, best_index, score_of
from jido_ai.logic.findings import ledger
from jido_ai.logic.redaction import redact
from jido_ai.logic.text_change import change
from jido_ai.protocols import RunContext
from jido_ai.values import (
    SLACK,
    Candidate,
    CritiqueResult,
    ErrorInfo,
    Iteration,
    LoopConfig,
    MemoryEntry,
    ReflectionResult,
    Regenerate,
    Revise,
    Scope,
    StopReason,
    Usage,
    Verdict,
    new_id,
)

__all__ = ["Cancel", "LoopMemory", "LoopParts", "ReflectionLoop", "Run", "RunRequest"]

T = TypeVar("T")
_MESSAGE_CHARS = 2_000


# -- what a loop is given --------------------------------------------------------------------------


class LoopMemory(Protocol):
    """What a loop asks of memory: lessons before, and what came of it after."""

    async def recall(self, request: RunRequest, critique: CritiqueResult | None) -> tuple[MemoryEntry, ...]: ...

    async def learn(
        self, request: RunRequest, history: tuple[Iteration, ...], best: int, lessons: tuple[MemoryEntry, ...]
    ) -> tuple[MemoryEntry, ...]: ...

    @property
    def recalls_by_critique(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run, as the caller wants it."""

    run_id: str
    prompt: str
    initial: Candidate | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class LoopParts:
    """The actors a loop works with; None is a part that the pipeline does not have."""

    critiquer: ActorRef
    reviser: ActorRef | None
    generator: ActorRef | None
    memory: LoopMemory | None
    config: LoopConfig
    rules: tuple[StopRule, ...]


@dataclass(frozen=True, slots=True)
class Run(Ask[ReflectionResult]):
    """Go; answered with the result."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """End soon, with what there is."""


class _Stop(Exception):
    """The run ends now, for this reason."""

    def __init__(
        self,
        reason: StopReason,
        evidence: Mapping[str, Any] | None = None,
        *,
        pick: int | None = None,
        error: ErrorInfo | None = None,
    ) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.evidence = dict(evidence or {})
        self.pick = pick
        self.error = error


# -- the actor -------------------------------------------------------------------------------------


class ReflectionLoop(Actor[Run | Cancel]):
    """Runs one request to its end, answers it, and ends.

    The work is an owned task, so that the mailbox stays open for `Cancel`. When the actor is stopped in the middle,
    the run ends as cancelled and is answered all the same.
    """

    def __init__(self, request: RunRequest, parts: LoopParts, emit: Callable[[RunEvent], None]) -> None:
        self._work = _Work(request, parts, emit)
        self._task: asyncio.Task[None] | None = None

    async def on_receive(self, message: Run | Cancel) -> None:
        match message:
            case Run():
                reply = self.defer_reply()
                reply.when_unwanted(self._cancel)  # the caller of run() has gone
                self._task = self.run_task(self._run(reply.send))
            case Cancel():
                self._cancel()

    async def on_stop(self, reason: ExitReason) -> None:
        if self._task is not None and not self._task.done():
            self._cancel()
            await asyncio.wait({self._task})

    def _cancel(self) -> None:
        self._work.is_cancelled = True
        if self._task is not None and self._work.is_under_way:
            self._task.cancel()

    async def _run(self, answer: Callable[[ReflectionResult], None]) -> None:
        answer(await self._work.run())
        self.exit(Normal())


# -- the work --------------------------------------------------------------------------------------


class _Work:
    """One run: the history so far, and the steps that make it longer."""

    def __init__(self, request: RunRequest, parts: LoopParts, emit: Callable[[RunEvent], None]) -> None:
        self.is_cancelled = False
        self.is_under_way = False  # a task that is cancelled before its first step would never answer
        self._request = request
        self._parts = parts
        self._emit = emit
        self._history: list[Iteration] = []
        self._lessons: tuple[MemoryEntry, ...] = ()
        self._memory_error: ErrorInfo | None = None
        self._usage = Usage()
        self._started_at = 0.0
        self._step_began = 0.0
        self._step_usage = Usage()

    async def run(self) -> ReflectionResult:
        """Do it; never raises for what a component did."""
        loop = asyncio.get_running_loop()
        config = self._parts.config
        self._started_at = self._step_began = loop.time()
        self._emit(RunStarted(self._request.run_id, self._request.prompt))
        self.is_under_way = True
        try:
            if self.is_cancelled:
                raise asyncio.CancelledError
            async with asyncio.timeout(config.timeout_s):
                end = await self._iterate()
        except TimeoutError:
            end = _Stop(StopReason.DEADLINE, {"timeout_s": config.timeout_s})
        except asyncio.CancelledError:
            if not self.is_cancelled:
                raise
            _uncancel()
            end = _Stop(StopReason.CANCELLED)
        self.is_under_way = False
        result = await self._finish(end)
        self._emit(RunStopped(self._request.run_id, result))
        return result

    # -- the loop ----------------------------------------------------------------------------------

    async def _iterate(self) -> _Stop:
        """Judge and revise until something ends it; returns what."""
        memory = self._parts.memory
        try:
            if memory is not None and not memory.recalls_by_critique:
                await self._recall(None)
            candidate, base = await self._first(), None
            while True:
                critique = await self._critique(candidate)
                self._record(candidate, critique, base)
                if memory is not None and memory.recalls_by_critique and len(self._history) == 1:
                    await self._recall(critique)
                candidate, base = await self._next(self._decide())
        except _Stop as stop:
            return stop

    def _decide(self) -> Decision:
        """Ask the rules, then the limits; what is left is to revise the newest. Raises `_Stop`."""
        history, config = tuple(self._history), self._parts.config
        decision: Decision | None = None
        for rule in self._parts.rules:
            decision = self._ask_rule(rule, history)
            if decision is not None:
                break
        if isinstance(decision, Verdict):
            raise _Stop(decision.reason, decision.evidence, pick=decision.pick)
        if len(history) >= config.max_iterations:
            raise _Stop(StopReason.MAX_ITERATIONS, {"max_iterations": config.max_iterations})
        self._check_budget()
        return Revise(history[-1].index) if decision is None else decision

    def _ask_rule(self, rule: StopRule, history: tuple[Iteration, ...]) -> Decision | None:
        name = getattr(rule, "__name__", type(rule).__name__)
        try:
            decision: object = rule(history, self._parts.config)
        except Exception as error:
            raise _Stop(StopReason.ERROR, error=_info(error, f"stop rule {name}")) from error
        known = range(len(history))
        match decision:
            case None | Regenerate():
                return decision
            case Verdict(pick=pick) if pick is None or pick in known:
                return decision
            case Revise(base=base) if base in known:
                return decision
            case _:
                fault = ComponentError(
                    f"must answer None, Regenerate(), or a Verdict or Revise of an iteration below {len(history)}, "
                    f"got {describe(decision)}"
                )
                raise _Stop(StopReason.ERROR, error=_info(fault, f"stop rule {name}"))

    def _check_budget(self) -> None:
        budget = self._parts.config.budget
        if budget is None:
            return
        spent = {
            "max_calls": self._usage.calls,
            "max_tokens": self._usage.input_tokens + self._usage.output_tokens,
            "max_cost_usd": self._usage.cost_usd,
        }
        for name, value in spent.items():
            limit = getattr(budget, name)
            if limit is not None and value >= limit - SLACK:
                raise _Stop(StopReason.BUDGET, {"limit": name, name: limit, "spent": value})

    async def _next(self, decision: Decision) -> tuple[Candidate, int | None]:
        """Make the next candidate; the index of what it was revised from comes with it."""
        loop = asyncio.get_running_loop()
        self._step_began, self._step_usage = loop.time(), Usage()
        if isinstance(decision, Regenerate):
            if self._parts.generator is None:
                raise _Stop(StopReason.ERROR, error=ErrorInfo("ConfigurationError", "no generator to regenerate with"))
            return await self._generate(), None
        assert isinstance(decision, Revise)
        return await self._revise(decision.base), decision.base

    def _record(self, candidate: Candidate, critique: CritiqueResult, base: int | None) -> None:
        """Add a judged candidate to the history."""
        score = critique.score if candidate.score is None else candidate.score
        edited = gain = None
        if base is not None:
            before = self._history[base]
            edited = change(before.candidate.content, candidate.content)
            gain = score - score_of(before)
        now = asyncio.get_running_loop().time()
        iteration = Iteration(
            index=len(self._history),
            candidate=candidate if candidate.score is not None else candidate.update_score(score),
            critique=critique,
            change=edited,
            gain=gain,
            duration_s=max(0.0, now - self._step_began),
            usage=self._step_usage,
        )
        self._history.append(iteration)
        self._emit(Critiqued(self._request.run_id, iteration))

    # -- the steps ---------------------------------------------------------------------------------

    async def _recall(self, critique: CritiqueResult | None) -> None:
        """Get the lessons; a memory that fails costs them, not the run, and the result says so."""
        memory = self._parts.memory
        assert memory is not None
        try:
            self._lessons = await self._try("memory", lambda: memory.recall(self._request, critique))
        except _Stop as stop:
            self._memory_error = stop.error
            return
        self._emit(LessonsRetrieved(self._request.run_id, self._lessons))

    async def _first(self) -> Candidate:
        if self._request.initial is None:
            return await self._generate()
        self._emit(CandidateGenerated(self._request.run_id, self._request.initial))
        return self._request.initial

    async def _generate(self) -> Candidate:
        assert self._parts.generator is not None
        context = self._context(len(self._history))
        candidates = await self._ask("generator", self._parts.generator, self._request.prompt, context)
        candidate: Candidate = candidates[0]
        self._count(candidate.metadata)
        self._emit(CandidateGenerated(self._request.run_id, candidate))
        return candidate

    async def _critique(self, candidate: Candidate) -> CritiqueResult:
        context = self._context(len(self._history))
        critique: CritiqueResult = await self._ask("critiquer", self._parts.critiquer, candidate, context)
        self._count(critique.metadata)
        return critique

    async def _revise(self, base: int) -> Candidate:
        if self._parts.reviser is None:
            raise _Stop(StopReason.DECLINED, {"reasons": ["there is no reviser"]})
        before = self._history[base]
        try:
            revision: Candidate = await self._ask(
                "reviser", self._parts.reviser, before.candidate, before.critique, self._context(base)
            )
        except Declined as signal:
            raise _Stop(StopReason.DECLINED, {"reasons": list(signal.reasons)}) from None
        self._count(revision.metadata)
        if revision.id == before.candidate.id:  # a copy: what was copied along is not about this text
            revision = revision.replace(id=new_id("candidate"), score=None, parent_id=before.candidate.id)
        else:
            revision = revision.replace(parent_id=before.candidate.id)
        self._history[base] = before.replace(revised=True)
        self._emit(Revised(self._request.run_id, revision, base))
        return revision

    def _context(self, index: int) -> RunContext:
        return RunContext(
            run_id=self._request.run_id,
            prompt=self._request.prompt,
            iteration=index,
            lessons=self._lessons,
            deadline=self._started_at + self._parts.config.timeout_s,
            scope=self._request.scope,
            metadata=self._request.metadata,
        )

    async def _ask(self, name: str, component: ActorRef, *args: object) -> Any:
        timeout_s = self._parts.config.step_timeout_s
        return await self._try(name, lambda: component.ask(Call(args), timeout_s=timeout_s, when_restarting="wait"))

    async def _try(self, name: str, step: Callable[[], Awaitable[T]]) -> T:
        """Do a step, again when its component crashed, hung or answered nonsense. Raises `_Stop` or `Declined`."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return await step()
            except Exception as error:
                if isinstance(error, Declined) and name == "reviser":
                    raise
                if attempt > self._parts.config.step_retries or getattr(error, "retryable", True) is False:
                    raise _Stop(StopReason.ERROR, {"attempts": attempt}, error=_info(error, name)) from error
                self._emit(ComponentRestarted(self._request.run_id, name, attempt, _text(error)))

    def _count(self, metadata: Mapping[str, Any]) -> None:
        """Add what a component says its step cost: metadata["usage"]."""
        usage = metadata.get("usage")
        if usage is not None:
            spent = usage if isinstance(usage, Usage) else Usage.model_validate(usage)
            self._usage += spent
            self._step_usage += spent

    # -- the end -----------------------------------------------------------------------------------

    async def _finish(self, end: _Stop) -> ReflectionResult:
        history = tuple(self._history)
        best = None if not history else best_index(history) if end.pick is None else end.pick
        stored: tuple[MemoryEntry, ...] = ()
        error = end.error or self._memory_error
        if error is None and best is None:
            error = ErrorInfo(end.reason.value, f"nothing was judged before the run ended: {end.reason.value}")
        if self._parts.memory is not None and best is not None:
            try:
                async with asyncio.timeout(self._parts.config.step_timeout_s):
                    stored = await self._parts.memory.learn(self._request, history, best, self._lessons)
            except Exception as failure:  # noqa: BLE001 - whatever memory did, the result of the run is not lost
                error = error or _info(failure, "memory")
        return ReflectionResult(
            run_id=self._request.run_id,
            prompt=self._request.prompt,
            best_candidate=None if best is None else history[best].candidate,
            iterations=history,
            findings=() if best is None else ledger(history, best),
            stop_reason=end.reason,
            evidence=end.evidence,
            error=error,
            lessons_used=self._lessons,
            lessons_stored=stored,
            usage=self._usage,
            duration_s=max(0.0, asyncio.get_running_loop().time() - self._started_at),
        )


def _uncancel() -> None:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - an exception whose __str__ raises
        text = describe(error)
    return redact(text or describe(error))[:_MESSAGE_CHARS]


def _info(error: BaseException, component: str) -> ErrorInfo:
    return ErrorInfo(type(error).__name__, _text(error), component)
