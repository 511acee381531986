"""ReflectionLoop: judge and revise until a stop rule ends the run.

One actor per run. The rules decide the next step (`loop.next_moves`); this file takes it and folds it into the state of
the run (`loop.state`). A run always returns a result: no error, deadline or cancellation loses a judged candidate. The
state is in the `LoopRun`, which outlives the actor: if the actor is killed, its successor continues at the same step.
With a journal the state outlives the process, because every step is written before the next begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context
from dataclasses import dataclass, replace
from typing import Any, Final, ParamSpec, TypeVar

from jido_ai.actors.actor import Actor
from jido_ai.actors.exit_reason import ExitReason, Normal, Shutdown
from jido_ai.actors.ref import Ask
from jido_ai.critics.acceptance import is_broken
from jido_ai.critics.silenced import with_silenced
from jido_ai.errors import ActorDeadError, RunClaimedError
from jido_ai.loop.calls import LoopMemory, LoopParts, RunCalls, RunRequest, info_of, out_of_budget
from jido_ai.loop.convergence import score_of
from jido_ai.loop.events import (
    CandidateGenerated,
    Critiqued,
    LessonsRetrieved,
    Numbered,
    Reflected,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.floor import above_floor
from jido_ai.loop.lineage import line_of, positions_of
from jido_ai.loop.moves import EARLIER_MOVES, as_record, repeats_of, tallies_of
from jido_ai.loop.next_moves import NextMove, decision_of, last_word, next_move, open_lines, out_of_iterations
from jido_ai.loop.policies import rule_name
from jido_ai.loop.record import RecordedRun, started_line
from jido_ai.loop.state import (
    Approved,
    Closed,
    Judged,
    LessonDrawn,
    Pending,
    Recalled,
    Refused,
    Resumed,
    RunState,
    Step,
    Stop,
    Stopped,
)
from jido_ai.memory.lessons import entry_from_reflection
from jido_ai.models.spending import Spending
from jido_ai.reflection.episodes import episode_of
from jido_ai.reflection.evaluation import needs_reflection
from jido_ai.telemetry import OBSERVING
from jido_ai.text.change import change
from jido_ai.values import (
    Candidate,
    Episode,
    ErrorInfo,
    Iteration,
    MemoryEntry,
    ReflectionResult,
    StopReason,
    new_id,
)

__all__ = ["LoopRun", "ReflectionLoop", "Run"]

T = TypeVar("T")
P = ParamSpec("P")
_CHARS_ON_THE_LOOP: Final = 4_000
_ISSUES_ON_THE_LOOP: Final = 200
"""Comparing texts up to this size takes 1 to 2 ms and stays on the event loop; larger ones go to a thread."""
_CUT_SHORT: Final = {StopReason.DEADLINE: "the run's time is over", StopReason.CANCELLED: "the run was cancelled"}


@dataclass(frozen=True, slots=True)
class Run(Ask[ReflectionResult]):
    """Start the run; the reply is the result."""


class ReflectionLoop(Actor[Run]):
    """Carries out one run, replies with its result, and ends.

    When the actor is stopped or killed in the middle, the run keeps its state for a successor. A cancelled run is first
    brought to its end and answered.
    """

    def __init__(self, run: LoopRun) -> None:
        self._loop_run = run
        self._task: asyncio.Task[None] | None = None

    async def on_receive(self, message: Run) -> None:
        work = self._carry_out(self.defer_reply().send)
        self._task = self._loop_run.context.run(self.run_task, work)  # the task copies the context

    async def on_stop(self, reason: ExitReason) -> None:
        if self._task is not None and self._loop_run.is_cancelled:
            await asyncio.wait({self._task})

    async def _carry_out(self, answer: Callable[[ReflectionResult], None]) -> None:
        answer(await self._loop_run.run())
        self.exit(Normal())


class LoopRun:
    """One run: its state, and the steps that advance it.

    Args:
        recorded: the run so far, for one that is resumed.

    Attributes:
        state: of the run so far.
        is_cancelled: it should end soon.
        is_under_way: an actor is working on it.
    """

    def __init__(
        self,
        request: RunRequest,
        parts: LoopParts,
        emit: Callable[[RunEvent], None],
        recorded: RecordedRun | None = None,
    ) -> None:
        before = RunState(has_initial=request.initial is not None) if recorded is None else recorded
        self.state = replace(before, floor=parts.config.floor)
        self._request = request
        self._parts = parts
        self._emit = emit = Numbered(emit, after=0 if recorded is None else recorded.events)
        self._decision = request.decision
        spent = None if recorded is None else recorded.spent
        now = asyncio.get_running_loop().time
        self._spending = Spending(parts.config.budget, spent=spent, now=now, outer=request.outer)
        self._calls = RunCalls(request, parts, emit, self._spending)
        self._memory_error: ErrorInfo | None = None
        self._is_resumed = recorded is not None
        self._has_begun = False
        self._started_at: float | None = None
        self._step_began = 0.0
        self._end: Stop | None = None
        self.is_cancelled = self.is_under_way = False
        self._task: asyncio.Task[Any] | None = None  # the task that runs the steps
        if recorded is not None:
            drawn = [index for index, reflection in sorted(recorded.reflections.items()) if reflection is not None]
            self._calls.lessons = (*(recorded.lessons or ()), *map(self._own_lesson, drawn))

    @property
    def run_id(self) -> str:
        """Id of the run."""
        return self._request.run_id

    @property
    def context(self) -> Context:
        """The caller's context."""
        return self._request.context

    def cancel(self) -> None:
        """End soon, with the result so far."""
        self.is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    async def run(self) -> ReflectionResult:
        """Start or continue the run; component failures do not raise."""
        self.is_under_way = True
        try:
            if self._started_at is None:
                self._started_at = self._step_began = asyncio.get_running_loop().time()
                self._calls.begin(self._started_at + self._parts.config.timeout_s)
                self._emit(RunStarted(self._request.run_id, self._request.prompt))
            if self._end is None:
                self._end = await self._steps(self._started_at + self._parts.config.timeout_s)
            best = self._best(self._end)
            return await self._stopped(self._end, best, await self._learn(self._end, best))
        finally:
            self.is_under_way = False

    async def abandoned(self, error: ActorDeadError) -> ReflectionResult:
        """Return the result so far when no actor can continue: the system is stopping, or a supervisor gave up."""
        if self.is_cancelled or error.reason == Shutdown():
            end = self._end or Stop(StopReason.CANCELLED)
        else:
            end = self._end or Stop(StopReason.ERROR, error=info_of(error, "loop"))
        return await self._stopped(end, self._best(end), ())

    async def _steps(self, deadline: float) -> Stop:
        """Judge and revise until something ends the run; return why it ended."""
        if self.is_cancelled:  # a task cancelled before its first step would never reply
            return Stop(StopReason.CANCELLED)
        self._task = asyncio.current_task()
        try:
            async with asyncio.timeout_at(deadline):
                return await self._iterate()
        except TimeoutError:
            return Stop(StopReason.DEADLINE, {"timeout_s": self._parts.config.timeout_s})
        except asyncio.CancelledError:
            if not self.is_cancelled:
                raise
            _uncancel()
            return Stop(StopReason.CANCELLED)
        finally:
            self._task = None

    # -- the loop ----------------------------------------------------------------------------------

    async def _iterate(self) -> Stop:
        try:
            stop = await self._begin()
            while stop is None:
                stop = await self._recall() or await self._make() or await self._judge() or await self._reflect()
            return stop
        except Exception as error:  # noqa: BLE001 - not even our own bugs lose judged candidates
            return Stop(StopReason.ERROR, error=info_of(error, "loop"))

    async def _happened(self, *steps: Step) -> Stop | None:
        """Fold steps into the state and write them to the journal."""
        for step in steps:
            self.state = self.state.after(step)
        return await self._calls.write(*steps) if self._calls.has_journal else None

    async def _begin(self) -> Stop | None:
        """Write, once, the line that the run started or resumed."""
        if self._has_begun:
            return None
        self._has_begun = True
        if not self._calls.has_journal:
            return None
        trace = None if OBSERVING.observer is None else OBSERVING.observer.trace()
        if self._is_resumed:
            return await self._happened(Resumed(trace))
        request, config = self._request, self._parts.config
        rules = [rule_name(rule) for rule in self._parts.policy.rules]
        line = started_line(request.prompt, request.initial, request.metadata, config, rules, trace=trace)
        return await self._calls.write(line)

    async def _recall(self) -> Stop | None:
        """Retrieve the lessons when it is time; if memory fails, the run continues, and the result reports it."""
        memory, history = self._parts.memory, self.state.iterations
        if memory is None or self.state.lessons is not None or memory.recalls_by_critique != bool(history):
            return None
        lessons = await self._calls.recall(memory, history[0].critique if history else None)
        if isinstance(lessons, Stop):
            self._memory_error = lessons.error
            self.state = self.state.after(Recalled(()))  # not written: a resumed run tries again
            return None
        self._calls.lessons = (*lessons, *self._calls.lessons)
        stop = await self._happened(Recalled(lessons))
        if stop is None:
            self._emit(LessonsRetrieved(self._request.run_id, lessons))
        return stop

    # -- making ------------------------------------------------------------------------------------

    @property
    def _firsts(self) -> int:
        """The number of first candidates."""
        config = self._parts.config
        if self._request.initial is not None and self._parts.generator is None:
            return 1
        return min(config.candidates, config.max_iterations)

    async def _make(self) -> Stop | None:
        """Make the next candidates side by side; nothing, if there are some to judge."""
        if not self.state.iterations:
            return await self._make_first(self._firsts)
        if self.state.pending:
            return None
        self._step_began = asyncio.get_running_loop().time()
        moves = await self._next()
        if isinstance(moves, Stop):
            return moves
        slot = self.state.next_slot
        return _stop_in(await _side_by_side([self._make_one(slot + n, move) for n, move in enumerate(moves)]))

    async def _make_first(self, count: int) -> Stop | None:
        """Take the caller's candidate and generate the missing ones; a generator may return several at once.

        Each is kept as soon as it exists, even if a later one cannot be made.
        """
        stop = None
        if len(self.state.pending) < count:
            self._step_began = asyncio.get_running_loop().time()
        if self._request.initial is not None and not self.state.pending:
            stop = await self._keep_first([self._request.initial])
        if stop is None and (missing := count - len(self.state.pending)):
            stop = await self._generate_first(1, missing)
        if stop is None and (missing := count - len(self.state.pending)):
            stop = await self._generate_first(missing, 1)
        return stop

    async def _generate_first(self, calls: int, most: int) -> Stop | None:
        """Call the generator so many times, side by side, and keep at most `most` candidates of each answer."""
        made = await _side_by_side([self._calls.generate(0) for _ in range(calls)])
        if isinstance(made, Stop):
            return made
        return await self._keep_first([candidate for several in made for candidate in several[:most]])

    async def _keep_first(self, candidates: Sequence[Candidate]) -> Stop | None:
        """Note first candidates as pending; each opens a line of its own."""
        known, policy, memory = len(self.state.pending), self._parts.policy, self._parts.memory
        if not known and policy.learns_moves and memory is not None:
            candidates = [await self._with_earlier_moves(memory, candidates[0]), *candidates[1:]]
        slots = range(known, known + len(candidates))
        made = [Pending(slot, one, None, slot) for slot, one in zip(slots, candidates, strict=True)]
        stop = await self._happened(*made)
        if stop is None:
            for candidate in candidates:
                self._emit(CandidateGenerated(self._request.run_id, candidate))
        return stop

    async def _with_earlier_moves(self, memory: LoopMemory, first: Candidate) -> Candidate:
        """Return the first candidate with what earlier runs learned about moves, for the policy and for a replay."""
        moves = await self._calls.earlier_moves(memory, first.model)
        if isinstance(moves, Stop):  # as for lessons: the run continues without
            self._memory_error = moves.error
            return first
        return first.model_copy(update={"metadata": {**first.metadata, EARLIER_MOVES: moves}}) if moves else first

    async def _next(self) -> list[NextMove] | Stop:
        """Apply the rules to every open line, then the limits."""
        config, policy, moves = self._parts.config, self._parts.policy, list[NextMove]()
        for chain in open_lines(self.state, self._firsts, config.beam, policy.best):
            line = line_of(self.state.iterations, positions_of(self.state.chains, chain))
            is_large = sum(len(one.critique.issues) for one in line[-2:]) > _ISSUES_ON_THE_LOOP
            decision = await _aside(is_large, decision_of, policy.rules, line, config)
            if isinstance(decision, Stop):
                return decision
            move = next_move(self.state, chain, decision, policy.best)
            if isinstance(move, NextMove):
                moves.append(move)
            elif move.reason is StopReason.ACCEPTED:
                return move
            else:
                self.state = self.state.after(Closed(chain, move))
        if not moves:
            return last_word(self.state, policy.best)
        room = config.max_iterations - len(self.state.iterations)
        if room <= 0:
            return out_of_iterations(self.state.iterations, config)
        refusal = self._spending.exceeded()
        return moves[:room] if refusal is None else out_of_budget(refusal)

    async def _make_one(self, slot: int, move: NextMove) -> Stop | None:
        """Make one candidate, unless the reviser declines, which ends its line."""
        state, history, repeats = self.state, self.state.iterations, repeats_of(self.state.iterations)
        if move.base is None:
            attempts = line_of(history, positions_of(state.chains, move.chain)) if move.with_findings else ()
            fresh = await self._calls.generate(len(history), attempts, repeats)
            if isinstance(fresh, Stop):
                return fresh
            kind = "draft" if attempts else "sample"
            candidate = fresh[0].model_copy(update={"metadata": {**fresh[0].metadata, "move": kind}})
        else:
            before = history[move.base]
            setbacks = tuple([one for one in history if is_broken(one)])
            attempts = _revisions_of(before.candidate.content, history)
            revision = await self._calls.revise(before, state.baseline(move.chain), setbacks, attempts, repeats)
            if isinstance(revision, Stop):
                if revision.reason is not StopReason.DECLINED:
                    return revision
                self.state = self.state.after(Closed(move.chain, revision))
                return None
            candidate = _as_revision(revision, before.candidate)
        is_approved = move.base is None or self._parts.approve is None
        stop = await self._happened(Pending(slot, candidate, move.base, move.chain, is_approved))
        if stop is None and move.base is None:
            self._emit(CandidateGenerated(self._request.run_id, candidate))
        return stop

    # -- judging -----------------------------------------------------------------------------------

    async def _judge(self) -> Stop | None:
        """Judge the pending candidates side by side; keep the judged ones even if another judgement fails.

        Returns a `Stop` also when all but those that wait for a person are judged.
        """
        state = self.state
        try:
            return _stop_in(
                await _side_by_side([self._judge_one(one) for one in state.pending if one.slot not in state.judged])
            )
        finally:
            known = len(self.state.iterations)
            self.state = self.state.settled()
            for iteration in self.state.iterations[known:]:
                self._emit(Critiqued(self._request.run_id, iteration))

    async def _judge_one(self, pending: Pending) -> Stop | None:
        if not pending.is_approved:
            answer = await self._approved(pending)
            if not isinstance(answer, Pending):
                return answer
            pending = answer
        state, candidate = self.state, pending.candidate
        before = None if pending.base is None else state.iterations[pending.base]
        if before is not None:
            self._emit(Revised(self._request.run_id, candidate, before.index))
        critique = await self._calls.critique(candidate, len(state.iterations), state.baseline(pending.chain))
        if isinstance(critique, Stop):
            return critique
        score = critique.score if candidate.score is None else candidate.score
        previous = self._previous(pending)
        if previous is not None:
            judged, new, old = critique, candidate.content, previous.candidate.content
            is_large = len(old) + len(new) > _CHARS_ON_THE_LOOP
            critique = await _aside(is_large, with_silenced, judged, new, previous.critique, old)
            if critique is not judged:
                score = critique.score if candidate.score is None else min(score, score_of(previous))
        edited = gain = None
        if before is not None:
            old, new = before.candidate.content, candidate.content
            edited = await _aside(len(old) + len(new) > _CHARS_ON_THE_LOOP, change, old, new)
            gain = score - score_of(before)
        duration_s = max(0.0, asyncio.get_running_loop().time() - self._step_began)
        return await self._happened(
            Judged(pending.slot, score, critique, edited, gain, duration_s, self._spending.lap())
        )

    def _previous(self, pending: Pending) -> Iteration | None:
        """Return the iteration that a candidate was revised from, or else the one before it in its line."""
        if pending.base is not None:
            return self.state.iterations[pending.base]
        positions = positions_of(self.state.chains, pending.chain)
        return self.state.iterations[positions[-1]] if positions else None

    async def _approved(self, pending: Pending) -> Pending | Stop | None:
        """Wait until a person approves a revision, perhaps edited; return None if it is refused.

        The answer is written before it counts. One that came from outside of the run must be written.
        """
        assert pending.base is not None
        before, decision = self.state.iterations[pending.base], self._decision
        self._decision = None
        if decision is not None:
            answer = self._calls.decided(pending.candidate, decision)
        else:
            answer = await self._calls.approve(pending.candidate, before)
        if isinstance(answer, Candidate):
            step: Step = Approved(pending.slot, _as_revision(answer, before.candidate))
        elif answer.reason is StopReason.DECLINED:
            step = Refused(pending.slot, pending.chain, tuple(answer.evidence["reasons"]))
        else:
            return answer
        stop = await self._happened(step)
        if stop is None and decision is not None and self._calls.journal_error is not None:
            stop = Stop(StopReason.ERROR, error=self._calls.journal_error)
        return stop or next((one for one in self.state.pending if one.slot == pending.slot), None)

    # -- reflecting --------------------------------------------------------------------------------

    async def _reflect(self) -> Stop | None:
        """Reflect on the judged candidates that need it; a failing reflector is skipped."""
        if self._parts.reflector is None:
            return None
        for iteration in self.state.iterations:
            if iteration.index in self.state.reflections:
                continue
            reflection = None
            if needs_reflection(iteration.critique, self._parts.mode):
                priors = [one for one in self.state.reflections.values() if one is not None]
                episode = self._episode(iteration)
                made = await self._calls.reflect(self._parts.reflector, episode, priors, iteration.index)
                if not isinstance(made, Stop):
                    reflection = made
                    self._emit(Reflected(self._request.run_id, iteration.index, reflection))
            stop = await self._happened(LessonDrawn(iteration.index, reflection))
            if stop is not None:
                return stop
            if reflection is not None:
                self._calls.lessons += (self._own_lesson(iteration.index),)
        return None

    def _own_lesson(self, index: int) -> MemoryEntry:
        reflection = self.state.reflections[index]
        assert reflection is not None
        return entry_from_reflection(reflection, self._episode(self.state.iterations[index]))

    def _episode(self, iteration: Iteration) -> Episode:
        return episode_of(
            iteration,
            prompt=self._request.prompt,
            run_id=self._request.run_id,
            scope=self._request.scope,
            metadata=self._request.metadata,
            reflection=self.state.reflections.get(iteration.index),
            lessons=self.state.lessons or (),
            is_given=self._request.initial is not None and iteration.index == 0,
        )

    # -- the end -----------------------------------------------------------------------------------

    def _best(self, end: Stop) -> int | None:
        history = self.state.iterations
        if not history:
            return None
        return end.pick if end.pick in above_floor(history) else self._parts.policy.best(history)

    async def _learn(self, end: Stop, best: int | None) -> tuple[MemoryEntry, ...]:
        """Let memory learn from the run; return the stored entries. A failing memory does not lose the result."""
        memory, history = self._parts.memory, self.state.iterations
        if memory is None or best is None or end.reason is StopReason.SUSPENDED or _is_lost(end.error):
            return ()
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                stored = await memory.learn(self._request, history, best, self.state.lessons or ())
                if self._parts.policy.learns_moves and len(history) > 1:
                    bests = [self._parts.policy.best(history[: count + 1]) for count in range(len(history))]
                    moves = as_record(tallies_of(history, bests))
                    await memory.keep_moves(self._request, history[0].candidate.model, moves)
                remembered = await memory.remember([self._episode(iteration) for iteration in history])
                return (*stored, *remembered)
        except Exception as error:  # noqa: BLE001 - reported in the result
            self._memory_error = self._memory_error or info_of(error, "memory")
            return ()

    async def _stopped(self, end: Stop, best: int | None, stored: tuple[MemoryEntry, ...]) -> ReflectionResult:
        state, run_id = self.state, self._request.run_id
        now = asyncio.get_running_loop().time()
        step = Stopped(
            reason=end.reason,
            evidence=end.evidence,
            error=end.error or self._memory_error or _error_of(end, best),
            best=best,
            lessons_stored=stored,
            duration_s=0.0 if self._started_at is None else max(0.0, now - self._started_at),
            reflections_skipped=sum(
                reflection is None and needs_reflection(state.iterations[index].critique, self._parts.mode)
                for index, reflection in state.reflections.items()
            ),
            events=self._emit.last + 1,
        )
        self.state = state.after(step)
        is_large = sum([len(iteration.critique.issues) for iteration in state.iterations]) > _ISSUES_ON_THE_LOOP
        result = await _aside(is_large, self.state.result_of, run_id, self._request.prompt, self._spending.spent)
        assert result is not None
        fault = await self._write_end(step)
        if fault is not None and result.error is None:
            result = result.model_copy(update={"error": fault})
        self._emit(RunStopped(run_id, result))
        return result

    async def _write_end(self, step: Stopped) -> ErrorInfo | None:
        """Journal the end of the run; return the error if that fails."""
        if not self._has_begun or not self._calls.has_journal or _is_lost(step.error):
            return None
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                stop = await self._calls.write(step, is_last=True)
        except TimeoutError as error:
            return info_of(error, "journal")
        return self._calls.journal_error if stop is None else stop.error


def _error_of(end: Stop, best: int | None) -> ErrorInfo | None:
    """Return the error in the result of a run that judged nothing, or was cut short."""
    if best is None:
        details = ", ".join(f"{name} {value}" for name, value in end.evidence.items())
        why = f"{end.reason.value} ({details})" if details else end.reason.value
        return ErrorInfo(end.reason.value, f"nothing was judged before the run ended: {why}")
    if end.reason in _CUT_SHORT:
        return ErrorInfo(end.reason.value, f"{_CUT_SHORT[end.reason]}; the result holds what was judged before", "loop")
    return None


def _is_lost(error: ErrorInfo | None) -> bool:
    """Tell whether the run now belongs to another process."""
    return error is not None and error.kind == RunClaimedError.__name__


def _revisions_of(text: str, history: Sequence[Iteration]) -> tuple[Iteration, ...]:
    """Return the judged revisions of a text that broke nothing."""
    same = {one.candidate.id for one in history if one.candidate.content == text}
    return tuple([one for one in history if one.candidate.parent_id in same and not is_broken(one)])


def _as_revision(revision: Candidate, old: Candidate) -> Candidate:
    if revision.id == old.id:  # a copy: its score belongs to the old text
        return revision.model_copy(update={"parent_id": old.id, "id": new_id("candidate"), "score": None})
    return revision if revision.parent_id == old.id else revision.model_copy(update={"parent_id": old.id})


async def _aside(is_large: bool, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a pure function, in a thread if its input is large."""
    return await asyncio.to_thread(function, *args, **kwargs) if is_large else function(*args, **kwargs)


class _Stopped(Exception):
    """Cancels the other steps of a group."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop


async def _side_by_side(steps: Sequence[Coroutine[Any, Any, T | Stop]]) -> list[T] | Stop:
    """Take steps concurrently; return their results in order, or the first `Stop`.

    A `Stop` cancels the other steps, unless it only waits for a person.
    """
    if len(steps) == 1:
        result = await steps[0]
        return result if isinstance(result, Stop) else [result]

    async def taken(step: Coroutine[Any, Any, T | Stop]) -> T | Stop:
        result = await step
        if isinstance(result, Stop) and result.reason is not StopReason.SUSPENDED:
            raise _Stopped(result)
        return result

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(taken(step)) for step in steps]
    except ExceptionGroup as errors:
        error = errors.exceptions[0]
        if isinstance(error, _Stopped):
            return error.stop
        raise error from None
    results = [task.result() for task in tasks]
    return next((one for one in results if isinstance(one, Stop)), None) or [
        one for one in results if not isinstance(one, Stop)
    ]


def _stop_in(results: Sequence[None] | Stop) -> Stop | None:
    return results if isinstance(results, Stop) else None


def _uncancel() -> None:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()
