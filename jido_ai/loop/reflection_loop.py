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
from dataclasses import replace
from functools import partial
from typing import Any, Final

from jido_ai.actors.actor import Actor
from jido_ai.actors.exit_reason import ExitReason, Normal, Shutdown
from jido_ai.components.readings import typed_result
from jido_ai.errors import ActorDeadError, ActorError, RunClaimedError
from jido_ai.loop.calls import LoopParts, RunCalls, info_of, out_of_budget
from jido_ai.loop.events import (
    CandidateGenerated,
    Critiqued,
    LessonsRetrieved,
    Reflected,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.examples import goes_with_examples
from jido_ai.loop.moves import repeats_of
from jido_ai.loop.options import RunRequest
from jido_ai.loop.order import (
    NextMove,
    attempts_before,
    best_of,
    error_of,
    is_time_to_recall,
    judged_of,
    missing_firsts,
    missing_moves,
    next_moves,
    previous_of,
    skipped_reflections,
    unjudged,
    unreflected,
)
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.state import (
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
from jido_ai.models.spending import Spending
from jido_ai.runs.call_log import CallLog
from jido_ai.runs.work import Begin
from jido_ai.telemetry import OBSERVING
from jido_ai.values import Candidate, ErrorInfo, Iteration, ReflectionResult, StopReason
from jido_ai.values.candidate import no_usage

_CHARS_ON_THE_LOOP: Final = 4_000
_ISSUES_ON_THE_LOOP: Final = 200
"""Comparing texts up to this size takes 1 to 2 ms and stays on the event loop; larger ones go to a thread."""


class ReflectionLoop(Actor[Begin]):
    """Carries out one run, replies with its result, and ends.

    When the actor is stopped or killed in the middle, the run keeps its state for a successor. A cancelled run is first
    brought to its end and answered.
    """

    def __init__(self, run: LoopRun) -> None:
        self._loop_run = run
        self._task: asyncio.Task[None] | None = None

    async def on_receive(self, message: Begin) -> None:
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
        log: keeps the calls of models; None keeps none.

    Attributes:
        state: of the run so far.
        finished: done, with the result, when the run has ended.
        is_cancelled: it should end soon.
        is_under_way: an actor is working on it.
    """

    def __init__(
        self,
        request: RunRequest,
        parts: LoopParts,
        emit: Callable[[RunEvent], None],
        recorded: RecordedRun | None = None,
        log: CallLog | None = None,
    ) -> None:
        if recorded is None:
            self.state = RunState(has_initial=request.initial is not None, floor=parts.config.floor)
        else:
            self.state = replace(recorded, floor=parts.config.floor)
        self._request = request
        self._parts = parts
        told = 0 if recorded is None else recorded.events
        if log is not None and recorded is not None and recorded.stopped is None:  # which would count them
            told += len(log.calls())
        self._decision = request.decision
        spent = None if recorded is None else recorded.spent
        loop = asyncio.get_running_loop()
        self.finished: asyncio.Future[ReflectionResult] = loop.create_future()
        now = self._now = loop.time
        lapped = sum((one.usage for one in self.state.settled().iterations), no_usage())
        spending = Spending(parts.config.budget, spent=spent, lapped=lapped, now=now, outer=request.outer)
        self._calls = RunCalls(request, parts, emit, spending, log, told=told)
        self._memory_error: ErrorInfo | None = None
        self._has_begun = False
        self._has_learned = recorded is not None  # or may have, before it was cut
        self._started_at: float | None = None
        self._step_began = 0.0
        self._end: Stop | None = None
        self.is_cancelled = self.is_under_way = False
        self._task: asyncio.Task[Any] | None = None  # the task that runs the steps
        self._calls.lessons = self.state.lessons or ()
        seen = None if recorded is None else recorded.were_seen
        self._calls.were_seen = bool(self.state.iterations) if seen is None else seen  # else who knows
        for index in sorted(self.state.reflections):
            self._calls.teach(self.state, index)

    @property
    def run_id(self) -> str:
        """Id of the run."""
        return self._request.run_id

    @property
    def context(self) -> Context:
        """The caller's context."""
        return self._request.context

    @property
    def shutdown_s(self) -> float:
        """Seconds that the actor has to stop."""
        return self._parts.config.step_timeout_s

    def actor(self) -> ReflectionLoop:
        """Return a new actor for the work."""
        return ReflectionLoop(self)

    def cancel(self) -> None:
        """End soon, with the result so far."""
        self.is_cancelled = True
        if self._task is not None:
            self._task.cancel()

    def forsake(self) -> None:
        """End soon, because the caller was cancelled; the actor brings the work to its end."""
        self.cancel()

    async def run(self) -> ReflectionResult:
        """Start or continue the run; component failures do not raise."""
        self.is_under_way = True
        try:
            if self._started_at is None:
                self._started_at = self._step_began = self._now()
                self._calls.begin(self._started_at + self._parts.config.timeout_s)
                self._calls.emit(RunStarted(self._request.run_id, self._request.prompt))
            if self._end is None:
                self._end = await self._steps(self._started_at + self._parts.config.timeout_s)
            return await self._stopped(self._end)
        finally:
            self.is_under_way = False

    async def abandoned(self, error: ActorError) -> ReflectionResult:
        """Return the result so far when no actor can continue: the system is stopping, or a supervisor gave up."""
        if self.is_cancelled or (isinstance(error, ActorDeadError) and error.reason == Shutdown()):
            end = Stop(StopReason.CANCELLED)
        else:
            end = Stop(StopReason.ERROR, error=info_of(error, "loop"))
        return await self._stopped(self._end or end, learns=False)

    async def _steps(self, deadline: float) -> Stop:
        """Judge and revise until something ends the run; return why it ended."""
        if self.is_cancelled:  # a task cancelled before its first step would never reply
            return Stop(StopReason.CANCELLED)
        task = self._task = asyncio.current_task()
        assert task is not None
        try:
            async with asyncio.timeout_at(deadline):
                try:
                    stop = await self._begin()
                    while stop is None:
                        stop = (
                            await self._reflect() or await self._recall() or await self._make() or await self._judge()
                        )
                    return stop
                except Exception as error:  # noqa: BLE001 - not even our own bugs lose judged candidates
                    return Stop(StopReason.ERROR, error=info_of(error, "loop"))
        except TimeoutError:
            return Stop(StopReason.DEADLINE, {"timeout_s": self._parts.config.timeout_s})
        except asyncio.CancelledError:
            if not self.is_cancelled:
                raise
            while task.cancelling():
                task.uncancel()
            return Stop(StopReason.CANCELLED)
        finally:
            self._task = None

    # -- the loop ----------------------------------------------------------------------------------

    async def _happened(self, *steps: Step) -> Stop | None:
        """Fold steps into the state and write them to the journal."""
        for step in steps:
            self.state = self.state.after(step)
        await self._calls.settled()
        return await self._calls.write(*steps) if self._calls.has_journal else None

    async def _begin(self) -> Stop | None:
        """Write, once, the line that the run started or resumed."""
        if self._has_begun:
            return None
        self._has_begun = True
        if not self._calls.has_journal:
            return None
        trace = None if OBSERVING.observer is None else OBSERVING.observer.trace()
        if isinstance(self.state, RecordedRun):
            return await self._happened(Resumed(trace, settles=False))
        return await self._calls.write_start(trace)

    async def _recall(self) -> Stop | None:
        """Retrieve the lessons when it is time; if memory fails, the run continues, and the result reports it."""
        memory, history = self._parts.memory, self.state.iterations
        if memory is None or not is_time_to_recall(self.state, by_critique=memory.recalls_by_critique):
            return None
        recalled = await self._calls.recall(history[0].critique if history else None)
        if isinstance(recalled, Stop):
            self._memory_error = recalled.error
            self.state = self.state.after(Recalled(()))  # not written: a resumed run tries again
            return None
        stop = await self._happened(recalled)
        if stop is None:
            self._calls.emit(LessonsRetrieved(self._request.run_id, recalled.lessons, self.state.examples_used))
        return stop

    # -- making ------------------------------------------------------------------------------------

    async def _make(self) -> Stop | None:
        """Make the missing candidates of the round, side by side; none once some of them are judged."""
        config, history, pending = self._parts.config, self.state.iterations, self.state.pending
        is_alone = self._request.initial is not None and self._parts.generator is None
        firsts = 1 if is_alone else min(config.candidates, config.max_iterations)
        if self.state.judged or len(pending) >= (config.beam if history else firsts):
            return None
        self._step_began = self._now()
        if not history:
            return await self._make_first(firsts)
        decide = partial(next_moves, self.state, self._parts.policy, config, firsts)
        is_large = _issues_in(history[-2 * config.beam :]) > _ISSUES_ON_THE_LOOP
        self.state, moves = await asyncio.to_thread(decide) if is_large else decide()
        if isinstance(moves, Stop):
            return None if pending else moves  # with another configuration the round may have less room
        missing = missing_moves(self.state, moves)
        refusal = self._calls.spending.exceeded() if missing else None
        if refusal is not None:
            return out_of_budget(refusal)
        return await side_by_side([self._make_one(slot, move) for slot, move in missing]) if missing else None

    async def _make_first(self, count: int) -> Stop | None:
        """Take the caller's candidate and generate the missing ones; a generator may return several at once.

        Each is kept as soon as it exists, even if another cannot be made.
        """
        if self._request.initial is not None and not self.state.pending:
            stop = await self._keep_first({0: await self._calls.typed(self._request.initial)})
            if stop is not None:
                return stop
        missing = missing_firsts(self.state, count)
        stop = await self._generate_first(missing) if missing else None
        missing = missing_firsts(self.state, count)
        if stop is not None or not missing:
            return stop
        return await side_by_side([self._generate_first([slot]) for slot in missing])

    async def _generate_first(self, slots: Sequence[int]) -> Stop | None:
        """Call the generator once, and keep as many of its candidates as there are slots."""
        turns = [goes_with_examples(self.state, slot=slot) for slot in slots]
        made = await self._calls.generate(0, examples=self.state.examples, turns=turns)
        return made if isinstance(made, Stop) else await self._keep_first(dict(zip(slots, made, strict=False)))

    async def _keep_first(self, candidates: dict[int, Candidate]) -> Stop | None:
        """Note first candidates as pending; each opens a line of its own."""
        if not self.state.pending:
            slot, first = next(iter(candidates.items()))
            noted = await self._calls.with_earlier_moves(first)
            if isinstance(noted, Stop):  # as for lessons: the run continues without
                self._memory_error = noted.error
            else:
                candidates = {**candidates, slot: noted}
        stop = await self._happened(*[Pending(slot, one, None, slot) for slot, one in candidates.items()])
        for candidate in candidates.values() if stop is None else ():
            self._calls.emit(CandidateGenerated(self._request.run_id, candidate))
        return stop

    async def _make_one(self, slot: int, move: NextMove) -> Stop | None:
        """Make one candidate, unless the reviser declines, which ends its line."""
        state, history = self.state, self.state.iterations
        attempts, repeats = attempts_before(state, move), repeats_of(history)
        if move.base is None:
            examples = () if attempts else state.examples
            turn = goes_with_examples(state, wanted=move.with_examples)
            fresh = await self._calls.generate(len(history), attempts, repeats, examples, [turn])
            if isinstance(fresh, Stop):
                return fresh
            kind = {} if examples else {"move": "draft" if attempts else "sample"}
            made = fresh[0].model_copy(update={"metadata": {**fresh[0].metadata, **kind}})
        else:
            before, setbacks = history[move.base], tuple([one for one in history if one.broken])
            if self._parts.redrafts:
                told = attempts_before(state, NextMove(move.chain, None, with_findings=True))
                made = await self._calls.redraft(before, len(history), told, repeats)
            else:
                made = await self._calls.revise(before, state.baseline(move.chain), setbacks, attempts, repeats)
            if isinstance(made, Stop):
                if made.reason is not StopReason.DECLINED:
                    return made
                return await self._happened(Refused(slot, move.chain, tuple(made.evidence["reasons"])))
        is_approved = move.base is None or self._parts.approve is None
        stop = await self._happened(Pending(slot, made, move.base, move.chain, is_approved))
        if stop is None and move.base is None:
            self._calls.emit(CandidateGenerated(self._request.run_id, made))
        return stop

    # -- judging -----------------------------------------------------------------------------------

    async def _judge(self) -> Stop | None:
        """Judge the pending candidates side by side; keep the judged ones even if another judgement fails.

        Returns a `Stop` also when all but those that wait for a person are judged.
        """
        waiting, known, told = unjudged(self.state), len(self.state.iterations), {*self.state.judged}
        try:
            return await side_by_side([self._judge_one(pending) for pending in waiting]) if waiting else None
        finally:
            after = self.state.settled()
            for iteration, origin in zip(after.iterations[known:], after.origins[known:], strict=True):
                if origin.slot not in told:
                    self._calls.emit(Critiqued(self._request.run_id, iteration))

    async def _judge_one(self, pending: Pending) -> Stop | None:
        history = self.state.iterations
        base = None if pending.base is None else history[pending.base]
        if base is not None:
            if not pending.is_approved:
                answer = await self._approved(pending, base)
                if not isinstance(answer, Pending):
                    return answer
                pending = answer
            self._calls.emit(Revised(self._request.run_id, pending.candidate, base.index))
        baseline = self.state.baseline(pending.chain)
        critique = await self._calls.critique(pending.candidate, len(history), baseline)
        if isinstance(critique, Stop):
            return critique
        previous, spent = previous_of(self.state, pending), self._calls.spending.lap()
        took_s = max(0.0, self._now() - self._step_began)
        compare = partial(judged_of, pending, critique, previous, took_s, spent)
        chars = 0 if previous is None else len(pending.candidate.content) + len(previous.candidate.content)
        return await self._happened(await asyncio.to_thread(compare) if chars > _CHARS_ON_THE_LOOP else compare())

    async def _approved(self, pending: Pending, base: Iteration) -> Pending | Stop | None:
        """Wait until a person approves a revision, perhaps edited; return None if it is refused.

        The answer is written before it counts. One that came from outside of the run must be written.
        """
        decision, self._decision = self._decision, None
        answer = await self._calls.approve(pending, base, decision)
        if isinstance(answer, Stop):
            return answer
        stop = await self._happened(answer)
        if stop is None and decision is not None and self._calls.journal_error is not None:
            stop = Stop(StopReason.ERROR, error=self._calls.journal_error)
        return stop or next((one for one in self.state.pending if one.slot == pending.slot), None)

    # -- reflecting --------------------------------------------------------------------------------

    async def _reflect(self) -> Stop | None:
        """Reflect on the judged candidates that need it; a failing reflector is skipped."""
        if self._parts.reflector is None:
            return None
        for index in unreflected(self.state):
            made = await self._calls.reflect(self.state, index)
            await self._calls.settled()
            reflection = None if isinstance(made, Stop) else made
            if reflection is not None:
                self._calls.emit(Reflected(self._request.run_id, index, reflection))
            stop = await self._happened(LessonDrawn(index, reflection))
            if stop is not None:
                return stop
            self._calls.teach(self.state, index)
        return None

    # -- the end -----------------------------------------------------------------------------------

    async def _stopped(self, end: Stop, *, learns: bool = True) -> ReflectionResult:
        """Let memory learn from the run, journal its end, and return its result."""
        await self._calls.settled()
        is_lost = end.error is not None and end.error.kind == RunClaimedError.__name__  # to another process
        if not is_lost:
            await self._begin()  # it may be cancelled before its first step, which is its end all the same
        state, stored = self.state.settled(), ()
        best = best_of(end, state.iterations, self._parts.policy)
        if learns and best is not None and end.reason is not StopReason.SUSPENDED and not is_lost:
            was_told, self._has_learned = self._has_learned, True
            is_accepted = end.reason is StopReason.ACCEPTED
            learned = await self._calls.learn(state, best, is_accepted=is_accepted, was_told=was_told)
            if isinstance(learned, ErrorInfo):
                self._memory_error = self._memory_error or learned
            else:
                stored = learned
        calls = self._calls.close()
        step = Stopped(
            reason=end.reason,
            evidence=end.evidence,
            error=end.error or self._memory_error or error_of(end, best),
            best=best,
            lessons_stored=stored,
            duration_s=0.0 if self._started_at is None else max(0.0, self._now() - self._started_at),
            reflections_skipped=skipped_reflections(state, self._calls.needs_reflection),
            events=self._calls.told + 1,
        )
        self.state = self.state.after(step)
        make = partial(self.state.result_of, self._request.run_id, self._request.prompt, self._calls.spending.spent)
        result = await asyncio.to_thread(make) if _issues_in(state.iterations) > _ISSUES_ON_THE_LOOP else make()
        assert result is not None
        result = result.model_copy(update={"calls": calls})
        result = await typed_result(result, self._parts.output, self._calls.readings)
        if self._has_begun and self._calls.has_journal and not is_lost:
            fault = await self._calls.write_end(step)
            if fault is not None and result.error is None:
                result = result.model_copy(update={"error": fault})
        self._calls.emit(RunStopped(self._request.run_id, result))
        if not self.finished.done():
            self.finished.set_result(result)
        return result


def _issues_in(history: Sequence[Iteration]) -> int:
    issues = 0
    for iteration in history:
        issues += len(iteration.critique.issues)
    return issues


_Taken = Coroutine[Any, Any, Stop | None]


def side_by_side(steps: Sequence[_Taken]) -> _Taken:
    """Take steps concurrently; return the first `Stop`, which cancels the others unless it only waits for a person."""
    return steps[0] if len(steps) == 1 else _group(steps)


async def _group(steps: Sequence[_Taken]) -> Stop | None:
    async def taken(step: _Taken) -> Stop | None:
        stop = await step
        if stop is not None and stop.reason is not StopReason.SUSPENDED:
            raise _Stopped(stop)
        return stop

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(taken(step)) for step in steps]
    except ExceptionGroup as errors:
        error = errors.exceptions[0]
        if isinstance(error, _Stopped):
            return error.stop
        raise error from None
    return next((stop for task in tasks if (stop := task.result()) is not None), None)


class _Stopped(Exception):
    """Cancels the other steps of a group."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
