"""ReflectionLoop: judge and revise until a stop rule speaks.

One actor per run. What to do next is decided by `logic.convergence`; this file asks components, waits, keeps the
history and returns what there is, whatever happens: no error, deadline or cancellation loses a judged candidate. What a
run has so far is its `Work`, which outlives the actor: when that is killed, its successor goes on at the same step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, ParamSpec, Protocol, TypeVar, cast

from jido_ai.actors.actor import Actor
from jido_ai.actors.exit_reason import Crashed, ExitReason, Normal, Shutdown
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.components.component import Call, text_of
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
from jido_ai.errors import (
    ActorDeadError,
    BudgetExceededError,
    ComponentError,
    ConfigurationError,
    Declined,
    describe,
)
from jido_ai.logic.convergence import Decision, StopRule, score_of
from jido_ai.logic.findings import ledger
from jido_ai.logic.policies import best_of
from jido_ai.logic.spending import Spending
from jido_ai.logic.text_change import change
from jido_ai.protocols import RunContext
from jido_ai.values import (
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

__all__ = ["LoopMemory", "LoopParts", "ReflectionLoop", "Run", "RunRequest", "Work"]

P = ParamSpec("P")
T = TypeVar("T")
_CHARS_ON_THE_LOOP: Final = 4_000
_ISSUES_ON_THE_LOOP: Final = 200
"""Comparing up to here is a millisecond or two and stays on the event loop; more of it goes to a thread."""


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


class ReflectionLoop(Actor[Run]):
    """Does the work of one run, answers with its result, and ends.

    When the actor is stopped or killed in the middle, the work stays where it was, for a successor to go on with. Work
    that was cancelled is brought to its end first, and answered.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._task: asyncio.Task[None] | None = None

    async def on_receive(self, message: Run) -> None:
        self._task = self.run_task(self._run(self.defer_reply().send))

    async def on_stop(self, reason: ExitReason) -> None:
        if self._task is not None and self._work.is_cancelled:
            await asyncio.wait({self._task})

    async def _run(self, answer: Callable[[ReflectionResult], None]) -> None:
        answer(await self._work.run())
        self.exit(Normal())


# -- the work --------------------------------------------------------------------------------------


class Work:
    """One run: what it has so far, and the steps that make it longer.

    Attributes:
        is_cancelled: it is to end soon.
        is_under_way: an actor is at it.
    """

    def __init__(self, request: RunRequest, parts: LoopParts, emit: Callable[[RunEvent], None]) -> None:
        self._request = request
        self._parts = parts
        self._emit = emit
        self._history: list[Iteration] = []
        self._pending: tuple[Candidate, int | None] | None = None  # not judged yet, and what it was revised from
        self._lessons: tuple[MemoryEntry, ...] | None = None
        self._memory_error: ErrorInfo | None = None
        self._spending = Spending(parts.config.budget, now=asyncio.get_running_loop().time)
        self._started_at: float | None = None
        self._step_began = 0.0
        self._end: _Stop | None = None
        self.is_cancelled = self.is_under_way = False
        self._task: asyncio.Task[Any] | None = None  # which is in the middle of the steps

    def cancel(self) -> None:
        """End soon, with what there is."""
        self.is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> ReflectionResult:
        """Do it, or go on with it; never raises for what a component did."""
        self.is_under_way = True
        try:
            if self._started_at is None:
                self._started_at = self._step_began = asyncio.get_running_loop().time()
                self._emit(RunStarted(self._request.run_id, self._request.prompt))
            if self._end is None:
                self._end = await self._steps(self._started_at + self._parts.config.timeout_s)
            return await self._stopped(self._end, await self._learn(self._end))
        finally:
            self.is_under_way = False

    async def abandoned(self, error: ActorDeadError) -> ReflectionResult:
        """Return what there is, when no actor can go on with it: all is being stopped, or something gave up."""
        if self.is_cancelled or error.reason == Shutdown():
            return await self._stopped(self._end or _Stop(StopReason.CANCELLED), ())
        return await self._stopped(self._end or _Stop(StopReason.ERROR, error=_info(error, "loop")), ())

    async def _steps(self, deadline: float) -> _Stop:
        """Judge and revise until something ends it; returns what."""
        if self.is_cancelled:  # a task that is cancelled before its first step would never answer
            return _Stop(StopReason.CANCELLED)
        self._task = asyncio.current_task()
        try:
            async with asyncio.timeout_at(deadline):
                return await self._iterate()
        except TimeoutError:
            return _Stop(StopReason.DEADLINE, {"timeout_s": self._parts.config.timeout_s})
        except asyncio.CancelledError:
            if not self.is_cancelled:
                raise
            _uncancel()
            return _Stop(StopReason.CANCELLED)
        finally:
            self._task = None

    # -- the loop ----------------------------------------------------------------------------------

    async def _iterate(self) -> _Stop:
        by_critique = self._parts.memory is not None and self._parts.memory.recalls_by_critique
        try:
            while True:
                if self._lessons is None and by_critique == bool(self._history):
                    await self._recall(self._history[0].critique if self._history else None)
                if self._pending is None:
                    self._pending = await (self._next() if self._history else self._first())
                critique = await self._critique(self._pending[0])
                await self._record(*self._pending, critique)
                self._pending = None
        except _Stop as stop:
            return stop
        except Exception as error:  # noqa: BLE001 - not even a fault of ours loses what was judged
            return _Stop(StopReason.ERROR, error=_info(error, "loop"))

    async def _next(self) -> tuple[Candidate, int | None]:
        """Make the next candidate, if there is to be one; what it was revised from comes with it."""
        history = tuple(self._history)
        issues = sum(len(iteration.critique.issues) for iteration in history[-2:])
        decision = await _calmly(issues > _ISSUES_ON_THE_LOOP, self._decide, history)
        self._step_began = asyncio.get_running_loop().time()
        match decision:
            case Regenerate():
                return await self._generate(), None
            case Revise(base=base):
                return await self._revise(base), base

    def _decide(self, history: tuple[Iteration, ...]) -> Revise | Regenerate:
        """Ask the rules, then the limits; what is left is to revise the newest. Raises `_Stop`."""
        decision: Decision | None = None
        for rule in self._parts.rules:
            decision = self._ask_rule(rule, history)
            if decision is not None:
                break
        if isinstance(decision, Verdict):
            raise _Stop(decision.reason, decision.evidence, pick=decision.pick)
        max_iterations = self._parts.config.max_iterations
        if len(history) >= max_iterations:
            raise _Stop(StopReason.MAX_ITERATIONS, {"max_iterations": max_iterations})
        self._check_budget()
        return Revise(history[-1].index) if decision is None else decision

    def _ask_rule(self, rule: StopRule, history: tuple[Iteration, ...]) -> Decision | None:
        try:
            decision: object = rule(history, self._parts.config)
        except Exception as error:
            raise _Stop(StopReason.ERROR, error=_info(error, _name_of(rule))) from error
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
                raise _Stop(StopReason.ERROR, error=_info(fault, _name_of(rule)))

    def _check_budget(self) -> None:
        error = self._spending.exceeded()
        if error is not None:
            raise _out_of_budget(error)

    async def _record(self, candidate: Candidate, base: int | None, critique: CritiqueResult) -> None:
        """Add a judged candidate to the history."""
        score = critique.score if candidate.score is None else candidate.score
        edited = gain = None
        if base is not None:
            before = self._history[base]
            old, new = before.candidate.content, candidate.content
            edited = await _calmly(len(old) + len(new) > _CHARS_ON_THE_LOOP, change, old, new)
            gain = score - score_of(before)
        iteration = Iteration(
            index=len(self._history),
            candidate=candidate if candidate.score is not None else candidate.model_copy(update={"score": score}),
            critique=critique,
            change=edited,
            gain=gain,
            duration_s=max(0.0, asyncio.get_running_loop().time() - self._step_began),
            usage=self._spending.lap(),
        )
        self._history.append(iteration)
        self._emit(Critiqued(self._request.run_id, iteration))

    # -- the steps ---------------------------------------------------------------------------------

    async def _recall(self, critique: CritiqueResult | None) -> None:
        """Get the lessons; a memory that fails costs them, not the run, and the result says so."""
        memory = self._parts.memory
        if memory is None:
            return
        try:
            self._lessons = await self._try("memory", lambda: memory.recall(self._request, critique))
        except _Stop as stop:
            self._lessons, self._memory_error = (), stop.error
        else:
            self._emit(LessonsRetrieved(self._request.run_id, self._lessons))

    async def _first(self) -> tuple[Candidate, None]:
        if self._request.initial is None:
            return await self._generate(), None
        self._emit(CandidateGenerated(self._request.run_id, self._request.initial))
        return self._request.initial, None

    async def _generate(self) -> Candidate:
        generator = self._parts.generator
        if generator is None:
            fault = ConfigurationError("a stop rule asked for a fresh candidate, but there is no generator")
            raise _Stop(StopReason.ERROR, error=_info(fault, "generator"))
        candidates: tuple[Candidate, ...] = await self._ask(
            "generator", generator, self._request.prompt, self._context(len(self._history))
        )
        self._emit(CandidateGenerated(self._request.run_id, candidates[0]))
        return candidates[0]

    async def _critique(self, candidate: Candidate) -> CritiqueResult:
        return await self._ask("critiquer", self._parts.critiquer, candidate, self._context(len(self._history)))

    async def _revise(self, base: int) -> Candidate:
        if self._parts.reviser is None:
            raise _Stop(StopReason.DECLINED, {"reasons": ["there is no reviser"]})
        before = self._history[base]
        old = before.candidate
        try:
            revision: Candidate = await self._ask(
                "reviser", self._parts.reviser, old, before.critique, self._context(base)
            )
        except Declined as signal:
            raise _Stop(StopReason.DECLINED, {"reasons": list(signal.reasons)}) from None
        changes: dict[str, Any] = {"parent_id": old.id}
        if revision.id == old.id:  # a copy: what was copied along is not about this text
            changes |= {"id": new_id("candidate"), "score": None}
        revision = revision.model_copy(update=changes)
        self._history[base] = before.model_copy(update={"revised": True})
        self._emit(Revised(self._request.run_id, revision, base))
        return revision

    def _context(self, index: int) -> RunContext:
        assert self._started_at is not None
        return RunContext(
            run_id=self._request.run_id,
            prompt=self._request.prompt,
            iteration=index,
            lessons=self._lessons or (),
            deadline=self._started_at + self._parts.config.timeout_s,
            scope=self._request.scope,
            metadata=self._request.metadata,
            meter=self._spending,
        )

    async def _ask(self, name: str, component: ActorRef, *args: object) -> Any:
        """Have a component called, and count what it says that cost."""

        async def step() -> Any:
            answer = await _ask_component(component, Call(args), self._parts.config.step_timeout_s)
            for spent in _usages_of(name, answer, args[0]):
                self._spending.record(spent)
            return answer

        return await self._try(name, step)

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
                if (refusal := _refusal_in(error)) is not None:
                    raise _out_of_budget(refusal) from error
                if attempt > self._parts.config.step_retries or getattr(error, "retryable", True) is False:
                    raise _Stop(StopReason.ERROR, {"attempts": attempt}, error=_info(error, name)) from error
                self._emit(ComponentRestarted(self._request.run_id, name, attempt, text_of(error)))

    # -- the end -----------------------------------------------------------------------------------

    def _best(self, end: _Stop) -> int | None:
        if not self._history:
            return None
        return best_of(self._history, self._parts.config) if end.pick is None else end.pick

    async def _learn(self, end: _Stop) -> tuple[MemoryEntry, ...]:
        """Let memory learn from the run; returns what it stored. Whatever memory does, the result is not lost."""
        memory, best = self._parts.memory, self._best(end)
        if memory is None or best is None:
            return ()
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                return await memory.learn(self._request, tuple(self._history), best, self._lessons or ())
        except Exception as error:  # noqa: BLE001 - the result says so
            self._memory_error = self._memory_error or _info(error, "memory")
            return ()

    async def _stopped(self, end: _Stop, stored: tuple[MemoryEntry, ...]) -> ReflectionResult:
        history, best = tuple(self._history), self._best(end)
        error = end.error or self._memory_error
        if error is None and best is None:
            error = ErrorInfo(end.reason.value, f"nothing was judged before the run ended: {end.reason.value}")
        issues = sum(len(iteration.critique.issues) for iteration in history)
        now = asyncio.get_running_loop().time()
        result = ReflectionResult(
            run_id=self._request.run_id,
            prompt=self._request.prompt,
            best_candidate=None if best is None else history[best].candidate,
            iterations=history,
            findings=() if best is None else await _calmly(issues > _ISSUES_ON_THE_LOOP, ledger, history, best),
            stop_reason=end.reason,
            evidence=end.evidence,
            error=error,
            lessons_used=self._lessons or (),
            lessons_stored=stored,
            usage=self._spending.spent,
            duration_s=0.0 if self._started_at is None else max(0.0, now - self._started_at),
        )
        self._emit(RunStopped(self._request.run_id, result))
        return result


def _name_of(rule: StopRule) -> str:
    return f"stop rule {getattr(rule, '__name__', type(rule).__name__)}"


async def _ask_component(component: ActorRef, call: Call, timeout_s: float) -> Any:
    while True:
        try:
            return await component.ask(call, timeout_s=timeout_s, when_restarting="wait")
        except ActorDeadError as error:
            if not isinstance(error.reason, Crashed):
                raise
            # It waited behind the call of another run that crashed, and was never begun: no failure of this one.


def _usages_of(name: str, answer: Candidate | CritiqueResult | tuple[Candidate, ...], given: object) -> list[Usage]:
    """Return what a component says its answers cost, in metadata["usage"]. Raises `ComponentError` for junk."""
    usages: list[Usage] = []
    for part in answer if isinstance(answer, tuple) else (answer,):
        usage: object = part.metadata.get("usage")
        if usage is None or (isinstance(given, Candidate) and _is_copied(usage, part, given)):
            continue
        try:
            usages.append(usage if isinstance(usage, Usage) else Usage.model_validate(usage))
        except ConfigurationError as error:
            raise ComponentError(f'the metadata["usage"] of a {name} is no Usage: {error}', component=name) from error
    return usages


def _is_copied(usage: object, part: Candidate | CritiqueResult, given: Candidate) -> bool:
    """Tell whether a revision that is a changed copy has only taken the usage over from what it was made from."""
    return isinstance(part, Candidate) and part.id == given.id and usage == given.metadata.get("usage")


async def _calmly(is_large: bool, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do work of pure logic: at once, or on a thread when it is so large that it would hold up the event loop."""
    return await asyncio.to_thread(work, *args, **kwargs) if is_large else work(*args, **kwargs)


def _uncancel() -> None:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


def _refusal_in(error: BaseException | None) -> BudgetExceededError | None:
    """Return the budget's refusal that an error is, contains or was caused by."""
    if error is None or isinstance(error, BudgetExceededError):
        return error
    inside = cast("BaseExceptionGroup[Any]", error).exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next(filter(None, map(_refusal_in, (*inside, error.__cause__))), None)


def _out_of_budget(error: BudgetExceededError) -> _Stop:
    evidence: dict[str, Any] = {"limit": error.limit, error.limit: error.allowed, "spent": error.spent}
    return _Stop(StopReason.BUDGET, evidence | ({"note": error.note} if error.note else {}))


def _info(error: BaseException, component: str) -> ErrorInfo:
    return ErrorInfo(type(error).__name__, text_of(error), component)
