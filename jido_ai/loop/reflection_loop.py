"""ReflectionLoop: judge and revise until a stop rule ends the run.

One actor per run. `loop.convergence` decides the next step; this file keeps the history and always returns a result:
no error, deadline or cancellation loses a judged candidate. The state of a run is its `Work`, which outlives the actor:
if the actor is killed, its successor continues at the same step. With a journal the state outlives the process, because
every step is written before the next begins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context, copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from jido_ai.actors.actor import Actor
from jido_ai.actors.exit_reason import ExitReason, Normal, Shutdown
from jido_ai.actors.ref import Ask
from jido_ai.critics.acceptance import History, is_broken
from jido_ai.critics.silenced import with_silenced
from jido_ai.errors import ActorDeadError, ActorError, ComponentError, RunClaimedError, describe
from jido_ai.loop.calls import LoopMemory, LoopParts, RunCalls, RunRequest, RunStop, info_of, out_of_budget
from jido_ai.loop.convergence import Decision, StopRule, oscillation, score_of
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
from jido_ai.loop.floor import above_floor, broken_checks
from jido_ai.loop.lineage import best_chains, findings_of, line_of, positions_of
from jido_ai.loop.moves import EARLIER_MOVES, as_record, repeats_of, tallies_of
from jido_ai.loop.policies import rule_name
from jido_ai.loop.record import (
    Line,
    Pending,
    RecordedRun,
    approved_line,
    candidate_line,
    judged_line,
    lessons_line,
    reflected_line,
    refused_line,
    resumed_line,
    started_line,
    stopped_line,
    unjudged_of,
)
from jido_ai.memory.lessons import entry_from_reflection
from jido_ai.models.spending import Spending
from jido_ai.reflection.episodes import episode_of
from jido_ai.reflection.evaluation import needs_reflection
from jido_ai.telemetry import OBSERVING
from jido_ai.text.change import change
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Episode,
    ErrorInfo,
    Iteration,
    MemoryEntry,
    Reflection,
    ReflectionResult,
    Regenerate,
    Revise,
    StopReason,
    Verdict,
    new_id,
)

__all__ = ["ReflectionLoop", "Run", "Work"]

T = TypeVar("T")
_CHARS_ON_THE_LOOP: Final = 4_000
_ISSUES_ON_THE_LOOP: Final = 200
"""Comparing texts up to this size takes 1 to 2 ms and stays on the event loop; larger ones go to a thread."""
_CUT_SHORT: Final = {StopReason.DEADLINE: "the run's time is over", StopReason.CANCELLED: "the run was cancelled"}


@dataclass(frozen=True, slots=True)
class Run(Ask[ReflectionResult]):
    """Start the run; the reply is the result."""


# -- the actor -------------------------------------------------------------------------------------


class ReflectionLoop(Actor[Run]):
    """Does the work of one run, replies with its result, and ends.

    When the actor is stopped or killed in the middle, the work keeps its state for a successor. Cancelled work is first
    brought to its end and answered.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._task: asyncio.Task[None] | None = None

    async def on_receive(self, message: Run) -> None:
        work = self._run(self.defer_reply().send)
        self._task = self._work.context.run(self.run_task, work)  # the task copies the context

    async def on_stop(self, reason: ExitReason) -> None:
        if self._task is not None and self._work.is_cancelled:
            await asyncio.wait({self._task})

    async def _run(self, answer: Callable[[ReflectionResult], None]) -> None:
        answer(await self._work.run())
        self.exit(Normal())


# -- the work --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Move:
    """The next candidate of a line: a revision of the iteration `base`, or a fresh one, told what was wrong or not."""

    chain: int
    base: int | None
    with_findings: bool = False


class Work:
    """The state of one run, and the steps that advance it.

    Args:
        recorded: the run so far, for one that is resumed.

    Attributes:
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
        self._request = request
        self._parts = parts
        self._emit = emit = Numbered(emit, after=0 if recorded is None else recorded.events)
        self._decision = request.decision
        spent = None if recorded is None else recorded.spent
        now = asyncio.get_running_loop().time
        self._spending = Spending(parts.config.budget, spent=spent, now=now, outer=request.outer)
        self._calls = RunCalls(request, parts, emit, self._spending)
        self._history: list[Iteration] = []
        self._chains: list[int] = []  # the line of each iteration
        self._pending: list[Pending] = []
        self._judged: dict[int, Iteration] = {}  # judged but still pending, by slot
        self._slots = 0
        self._closed: dict[int, RunStop] = {}  # ended lines, with the reason
        self._suspended: RunStop | None = None  # a revision waits for a person
        self._reflections: dict[int, Reflection | None] = {}  # by index; None where none was needed
        self._skipped = 0
        self._has_recalled = False
        self._memory_error: ErrorInfo | None = None
        self._is_resumed = recorded is not None
        self._has_begun = False
        self._started_at: float | None = None
        self._step_began = 0.0
        self._end: RunStop | None = None
        self.is_cancelled = self.is_under_way = False
        self._task: asyncio.Task[Any] | None = None  # the task that runs the steps
        if recorded is not None:
            self._go_on_from(recorded)

    def _go_on_from(self, recorded: RecordedRun) -> None:
        self._history = list(recorded.iterations)
        self._chains = list(recorded.chains)
        self._pending = list(recorded.pending)
        self._slots = 1 + max((pending.slot for pending in self._pending), default=len(self._history) - 1)
        self._slots = max(self._slots, len(self._history))
        for chain, reasons in recorded.refused.items():
            self._closed[chain] = RunStop(StopReason.DECLINED, {"reasons": list(reasons)})
        for index, reflection in sorted(recorded.reflections.items()):
            self._keep_reflection(index, reflection)
        if recorded.lessons is not None:
            self._calls.lessons, self._has_recalled = recorded.lessons, True

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

    def message(self) -> Run:
        """Return the message that starts or continues the work."""
        return Run()

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
                self._started_at = self._step_began = asyncio.get_running_loop().time()
                self._calls.begin(self._started_at + self._parts.config.timeout_s)
                self._emit(RunStarted(self._request.run_id, self._request.prompt))
            if self._end is None:
                self._end = await self._steps(self._started_at + self._parts.config.timeout_s)
            return await self._stopped(self._end, await self._learn(self._end))
        finally:
            self.is_under_way = False

    async def abandoned(self, error: ActorError) -> ReflectionResult:
        """Return the result so far when no actor can continue: the system is stopping, or a supervisor gave up."""
        if self.is_cancelled or (isinstance(error, ActorDeadError) and error.reason == Shutdown()):
            return await self._stopped(self._end or RunStop(StopReason.CANCELLED), ())
        return await self._stopped(self._end or RunStop(StopReason.ERROR, error=info_of(error, "loop")), ())

    async def _steps(self, deadline: float) -> RunStop:
        """Judge and revise until something ends the run; return its `RunStop`."""
        if self.is_cancelled:  # a task cancelled before its first step would never reply
            return RunStop(StopReason.CANCELLED)
        self._task = asyncio.current_task()
        try:
            async with asyncio.timeout_at(deadline):
                return await self._iterate()
        except TimeoutError:
            return RunStop(StopReason.DEADLINE, {"timeout_s": self._parts.config.timeout_s})
        except asyncio.CancelledError:
            if not self.is_cancelled:
                raise
            _uncancel()
            return RunStop(StopReason.CANCELLED)
        finally:
            self._task = None

    # -- the loop ----------------------------------------------------------------------------------

    async def _iterate(self) -> RunStop:
        memory = self._parts.memory
        try:
            await self._begin()
            while True:
                if memory and not self._has_recalled and memory.recalls_by_critique == bool(self._history):
                    await self._recall()
                if not self._pending or self._lacks_first:
                    self._step_began = asyncio.get_running_loop().time()
                    await self._make(self._first() if not self._history else await self._next())
                await self._judge()
                await self._reflect()
        except RunStop as stop:
            return stop.at_rest()
        except Exception as error:  # noqa: BLE001 - not even our own bugs lose judged candidates
            return RunStop(StopReason.ERROR, error=info_of(error, "loop"))

    async def _begin(self) -> None:
        """Write, once, the line that the run started or resumed."""
        if self._has_begun:
            return
        self._has_begun = True
        if not self._calls.has_journal:
            return
        trace = None if OBSERVING.observer is None else OBSERVING.observer.trace()
        if self._is_resumed:
            await self._calls.write(partial(resumed_line, trace))
        else:
            request, config = self._request, self._parts.config
            rules = [rule_name(rule) for rule in self._parts.policy.rules]
            line = partial(started_line, request.prompt, request.initial, request.metadata, config, rules, trace=trace)
            await self._calls.write(line)

    async def _recall(self) -> None:
        """Retrieve the lessons; if memory fails, the run continues without them and the result reports it."""
        try:
            await self._calls.recall(self._history[0].critique if self._history else None)
        except RunStop as stop:
            self._memory_error = stop.error
        else:
            await self._calls.write(partial(lessons_line, self._calls.lessons))
            self._emit(LessonsRetrieved(self._request.run_id, self._calls.lessons))
        self._has_recalled = True

    # -- the next step -----------------------------------------------------------------------------

    def _first(self) -> list[_Move]:
        """Return the moves of a new run: each first candidate opens its own line."""
        return [_Move(slot, None) for slot in range(self._first_candidates)]

    @property
    def _first_candidates(self) -> int:
        config = self._parts.config
        if self._request.initial is not None and self._parts.generator is None:
            return 1
        return min(config.candidates, config.max_iterations)

    @property
    def _lacks_first(self) -> bool:
        """True if a first candidate is yet to be made, for example in a run resumed after its generator failed."""
        return not self._history and len(self._pending) < self._first_candidates

    def _open_lines(self) -> list[int]:
        """Return the lines in progress, best first."""
        count = self._first_candidates
        if count == 1:
            return [] if 0 in self._closed else [0]
        firsts = range(count)
        known = [position for position, chain in enumerate(self._chains) if chain in firsts]
        heads = {self._chains[position]: position for position in reversed(known)}
        drafts = [self._history[position] for position in heads.values()]
        chosen = best_chains(drafts, list(heads), self._parts.policy.best)[: self._parts.config.beam]
        lines = [line for line in chosen if line not in self._closed]
        return best_chains(self._history, self._chains, self._parts.policy.best, among=lines)

    async def _next(self) -> list[_Move]:
        """Apply the rules to every open line, then the limits. Raises `RunStop`."""
        moves: list[_Move] = []
        for chain in self._open_lines():
            positions = positions_of(self._chains, chain)
            line = line_of(self._history, positions)
            issues = len(line[-1].critique.issues) + (len(line[-2].critique.issues) if len(line) > 1 else 0)
            is_large = issues > _ISSUES_ON_THE_LOOP
            decision = await asyncio.to_thread(self._ask_rules, line) if is_large else self._ask_rules(line)
            match decision:
                case Verdict(reason=reason, evidence=evidence, pick=pick):
                    stop = RunStop(reason, evidence, pick=None if pick is None else positions[pick])
                    if reason is StopReason.ACCEPTED:
                        raise stop
                    self._closed[chain] = stop
                case Revise(base=base):
                    moves.append(_Move(chain, self._base(positions, base)))
                case Regenerate(with_findings=with_findings):
                    moves.append(_Move(chain, None, with_findings))
                case None:
                    moves.append(_Move(chain, self._base(positions, -1)))
        if not moves:
            raise self._last_word()
        config = self._parts.config
        room = config.max_iterations - len(self._history)
        if room <= 0:
            evidence: dict[str, Any] = {"max_iterations": config.max_iterations}
            swing = oscillation([score_of(one) for one in self._history], threshold=config.score_threshold)
            raise RunStop(StopReason.MAX_ITERATIONS, evidence | ({"oscillation": swing} if swing else {}))
        if (refusal := self._spending.exceeded()) is not None:
            raise out_of_budget(refusal)
        return moves[:room]

    def _base(self, positions: Sequence[int], wanted: int) -> int:
        """Return the position to continue from: the wanted one of a line, or its best if that may not be the best."""
        line = [self._history[position] for position in positions]
        if range(len(line))[wanted] in above_floor(line):
            return positions[wanted]
        return positions[self._parts.policy.best(line)]

    def _last_word(self) -> RunStop:
        """Return why the line with the best candidate ended, once all lines have ended."""
        best = best_chains(self._history, self._chains, self._parts.policy.best, among=list(self._closed))
        return self._closed[best[0]].at_rest()

    def _ask_rules(self, line: History) -> Decision | None:
        """Return the decision of the first rule that has one. Raises `RunStop` if a rule raises or returns junk."""
        config = self._parts.config
        for rule in self._parts.policy.rules:
            try:
                decision: object = copy_context().run(rule, line, config)
            except Exception as error:
                raise RunStop(StopReason.ERROR, error=info_of(error, rule_name(rule))) from error
            if decision is not None:
                return _checked(decision, rule, line)
        return None

    # -- making ------------------------------------------------------------------------------------

    async def _make(self, moves: Sequence[_Move]) -> None:
        """Make the candidates of all moves side by side, and journal each as soon as it exists."""
        if not self._history:
            await self._make_first(len(moves))
            return
        base_slot = self._slots
        self._slots += len(moves)
        if len(moves) == 1:
            made = [await self._make_one(base_slot, moves[0])]
        else:
            made = await _side_by_side([self._make_one(base_slot + n, move) for n, move in enumerate(moves)])
        self._pending = [pending for pending in made if pending is not None]

    async def _make_first(self, count: int) -> None:
        """Take the caller's candidate and generate the missing ones; a generator may return several at once.

        Each is kept as soon as it exists, even if a later one cannot be made.
        """
        self._slots = count
        if self._request.initial is not None and not self._pending:
            await self._keep_first([self._request.initial])
        if len(self._pending) < count:
            await self._keep_first((await self._calls.generate(0))[: count - len(self._pending)])
        missing = count - len(self._pending)
        if missing == 1:
            await self._keep_first((await self._calls.generate(0))[:1])
        elif missing > 1:
            more = await _side_by_side([self._calls.generate(0) for _ in range(missing)])
            await self._keep_first([several[0] for several in more])

    async def _keep_first(self, candidates: Sequence[Candidate]) -> None:
        """Note first candidates as pending, and journal them."""
        if not self._pending and self._parts.policy.learns_moves and self._parts.memory is not None:
            candidates = [await self._with_earlier_moves(candidates[0]), *candidates[1:]]
        slots = range(len(self._pending), len(self._pending) + len(candidates))
        made = [Pending(slot, candidate, None, slot) for slot, candidate in zip(slots, candidates, strict=True)]
        self._pending += made
        if self._calls.has_journal:
            await self._calls.write(*(self._line_of(pending) for pending in made))
        for candidate in candidates:
            self._emit(CandidateGenerated(self._request.run_id, candidate))

    async def _with_earlier_moves(self, first: Candidate) -> Candidate:
        """Return the first candidate with what earlier runs learned about moves, for the policy and for a replay."""
        try:
            moves = await self._calls.earlier_moves(first.model)
        except RunStop as stop:  # as for lessons: the run continues without
            self._memory_error = stop.error
            return first
        return first.model_copy(update={"metadata": {**first.metadata, EARLIER_MOVES: moves}}) if moves else first

    async def _make_one(self, slot: int, move: _Move) -> Pending | None:
        """Make one candidate; None if its line ends instead. Raises `RunStop`."""
        if move.base is None:
            attempts = line_of(self._history, positions_of(self._chains, move.chain)) if move.with_findings else ()
            fresh = (await self._calls.generate(len(self._history), attempts, repeats_of(self._history)))[0]
            fresh = fresh.model_copy(update={"metadata": {**fresh.metadata, "move": "draft" if attempts else "sample"}})
            pending = Pending(slot, fresh, None, move.chain)
            await self._calls.write(self._line_of(pending))
            self._emit(CandidateGenerated(self._request.run_id, fresh))
            return pending
        before = self._history[move.base]
        try:
            setbacks = tuple(one for one in self._history if is_broken(one))
            baseline = self._baseline(move.chain)
            attempts = _revisions_of(before.candidate.content, self._history)
            made = await self._calls.revise(before, baseline, setbacks, attempts, repeats_of(self._history))
            revision = _as_revision(made, before.candidate)
        except RunStop as stop:
            return self._declined(move.chain, stop)
        pending = Pending(slot, revision, move.base, move.chain, is_approved=self._parts.approve is None)
        if self._calls.has_journal:
            await self._calls.write(self._line_of(pending))
        return pending

    def _line_of(self, pending: Pending) -> Callable[[], Line]:
        """Return a function that makes the journal line of a candidate; it is not called without a journal."""
        return lambda: candidate_line(pending, self._spending.spent)

    def _declined(self, chain: int, stop: RunStop) -> None:
        """End a line that was declined; raise any other `RunStop`."""
        if stop.reason is not StopReason.DECLINED:
            raise stop
        self._closed[chain] = stop.at_rest()

    # -- judging -----------------------------------------------------------------------------------

    async def _judge(self) -> None:
        """Judge the pending candidates side by side; keep the judged ones even if another judgement fails.

        Raises `RunStop`, also when all but those that wait for a person are judged.
        """
        waiting = [pending for pending in self._pending if pending.slot not in self._judged]
        try:
            if len(waiting) == 1:
                await self._judge_one(waiting[0])
            else:
                await _side_by_side([self._judge_one(pending) for pending in waiting])
        finally:
            self._keep_judged()
        if self._suspended is not None:
            stop, self._suspended = self._suspended, None
            raise stop

    async def _judge_one(self, pending: Pending) -> None:
        before = None if pending.base is None else self._history[pending.base]
        if before is not None:
            if not pending.is_approved:
                approved = await self._approved(pending, before)
                if approved is None:
                    return
                pending = approved
            self._history[before.index] = before.model_copy(update={"revised": True})
            self._emit(Revised(self._request.run_id, pending.candidate, before.index))
        candidate = pending.candidate
        critique = await self._calls.critique(candidate, len(self._history), self._baseline(pending.chain))
        score = critique.score if candidate.score is None else candidate.score
        previous = self._previous(pending)
        if previous is not None:
            judged, critique = critique, await _with_silenced(critique, candidate, previous)
            if critique is not judged:
                score = critique.score if candidate.score is None else min(score, score_of(previous))
        edited = gain = None
        if before is not None:
            old, new = before.candidate.content, candidate.content
            is_large = len(old) + len(new) > _CHARS_ON_THE_LOOP
            edited = await asyncio.to_thread(change, old, new) if is_large else change(old, new)
            gain = score - score_of(before)
        iteration = Iteration(
            index=pending.slot,
            candidate=candidate if candidate.score == score else candidate.model_copy(update={"score": score}),
            critique=critique,
            change=edited,
            gain=gain,
            duration_s=max(0.0, asyncio.get_running_loop().time() - self._step_began),
            usage=self._spending.lap(),
        )
        if self._calls.has_journal:
            await self._calls.write(partial(self._judged_line, iteration))
        self._judged[pending.slot] = iteration

    def _previous(self, pending: Pending) -> Iteration | None:
        """Return the iteration that a candidate was revised from, or else the one before it in its line."""
        if pending.base is not None:
            return self._history[pending.base]
        positions = positions_of(self._chains, pending.chain)
        return self._history[positions[-1]] if positions else None

    def _judged_line(self, iteration: Iteration) -> Line:
        return judged_line(iteration.index, iteration, self._spending.spent)

    async def _approved(self, pending: Pending, before: Iteration) -> Pending | None:
        """Wait until a person approves a revision, perhaps edited; None if it is refused or not decided yet.

        The answer is written before it counts.
        """
        decision, self._decision = self._decision, None
        try:
            if decision is not None:
                answer = self._calls.decided(pending.candidate, decision)
            else:
                answer = await self._calls.approve(pending.candidate, before)
        except RunStop as stop:
            if stop.reason is StopReason.SUSPENDED:
                self._suspended = self._suspended or stop.at_rest()
                return None
            if stop.reason is StopReason.DECLINED:
                await self._write_decision(partial(refused_line, pending, stop.evidence["reasons"]), decision)
            self._pending.remove(pending)
            return self._declined(pending.chain, stop)
        approved = replace(pending, candidate=_as_revision(answer, before.candidate), is_approved=True)
        await self._write_decision(partial(approved_line, approved), decision)
        self._pending[self._pending.index(pending)] = approved
        return approved

    async def _write_decision(self, line: Callable[[], Line], decision: object) -> None:
        """Write a person's answer. Raises `RunStop` if one that came from outside of the run cannot be written."""
        await self._calls.write(line)
        if decision is not None and self._calls.journal_error is not None:
            raise RunStop(StopReason.ERROR, error=self._calls.journal_error)

    def _keep_judged(self) -> None:
        """Move the judged candidates from pending to the history, in order of creation."""
        for pending in tuple(self._pending):
            if pending.slot not in self._judged:
                continue
            iteration = self._judged.pop(pending.slot)
            if iteration.index != len(self._history):
                iteration = iteration.model_copy(update={"index": len(self._history)})
            baseline = self._baseline(pending.chain)
            if baseline is not None and self._parts.config.floor != "none":
                broken = broken_checks(baseline, iteration.critique)
                iteration = iteration.model_copy(update={"broken": broken}) if broken else iteration
            self._history.append(iteration)
            self._chains.append(pending.chain)
            self._pending.remove(pending)
            self._emit(Critiqued(self._request.run_id, iteration))

    def _baseline(self, chain: int) -> CritiqueResult | None:
        """Return the critique that sets a line's floor: of the caller's candidate, else of the line's first."""
        if self._request.initial is not None:
            return self._history[0].critique if self._history else None
        first = next((position for position, other in enumerate(self._chains) if other == chain), None)
        return None if first is None else self._history[first].critique

    # -- reflecting --------------------------------------------------------------------------------

    async def _reflect(self) -> None:
        """Reflect on the judged candidates that need it; a failing reflector is skipped."""
        if self._parts.reflector is None:
            return
        for iteration in [one for one in self._history if one.index not in self._reflections]:
            reflection = None
            if needs_reflection(iteration.critique, self._parts.mode):
                priors = [one for one in self._reflections.values() if one is not None]
                try:
                    reflection = await self._calls.reflect(self._episode(iteration), priors, iteration.index)
                except RunStop:
                    self._skipped += 1
                else:
                    self._emit(Reflected(self._request.run_id, iteration.index, reflection))
            await self._calls.write(partial(reflected_line, iteration.index, reflection))
            self._keep_reflection(iteration.index, reflection)

    def _keep_reflection(self, index: int, reflection: Reflection | None) -> None:
        self._reflections[index] = reflection
        if reflection is not None:
            self._calls.own_lessons.append(entry_from_reflection(reflection, self._episode(self._history[index])))

    def _episode(self, iteration: Iteration) -> Episode:
        return episode_of(
            iteration,
            prompt=self._request.prompt,
            run_id=self._request.run_id,
            scope=self._request.scope,
            metadata=self._request.metadata,
            reflection=self._reflections.get(iteration.index),
            lessons=self._calls.lessons,
            is_given=self._request.initial is not None and iteration.index == 0,
        )

    # -- the end -----------------------------------------------------------------------------------

    def _best(self, end: RunStop) -> int | None:
        if not self._history:
            return None
        if end.pick not in above_floor(self._history):
            return self._parts.policy.best(self._history)
        return end.pick

    async def _learn(self, end: RunStop) -> tuple[MemoryEntry, ...]:
        """Let memory learn from the run; return the stored entries. A failing memory does not lose the result."""
        memory, best = self._parts.memory, self._best(end)
        if memory is None or best is None or end.reason is StopReason.SUSPENDED or _is_lost(end):
            return ()
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                stored = await memory.learn(self._request, tuple(self._history), best, self._calls.lessons)
                await self._keep_moves(memory)
                remembered = await memory.remember([self._episode(iteration) for iteration in self._history])
                return (*stored, *remembered)
        except Exception as error:  # noqa: BLE001 - reported in the result
            self._memory_error = self._memory_error or info_of(error, "memory")
            return ()

    async def _keep_moves(self, memory: LoopMemory) -> None:
        policy = self._parts.policy
        if not policy.learns_moves or len(self._history) < 2:
            return
        bests = [policy.best(self._history[: count + 1]) for count in range(len(self._history))]
        moves = as_record(tallies_of(self._history, bests))
        await memory.keep_moves(self._request, self._history[0].candidate.model, moves)

    async def _stopped(self, end: RunStop, stored: tuple[MemoryEntry, ...]) -> ReflectionResult:
        history, best = tuple(self._history), self._best(end)
        error = end.error or self._memory_error
        if error is None and best is None:
            details = ", ".join(f"{name} {value}" for name, value in end.evidence.items())
            why = f"{end.reason.value} ({details})" if details else end.reason.value
            error = ErrorInfo(end.reason.value, f"nothing was judged before the run ended: {why}")
        elif error is None and end.reason in _CUT_SHORT:
            error = ErrorInfo(
                end.reason.value, f"{_CUT_SHORT[end.reason]}; the result holds what was judged before", "loop"
            )
        issues = sum(len(iteration.critique.issues) for iteration in history)
        findings = ()
        if best is not None:
            find = partial(findings_of, history, tuple(self._chains), best)
            findings = await asyncio.to_thread(find) if issues > _ISSUES_ON_THE_LOOP else find()
        now = asyncio.get_running_loop().time()
        result = ReflectionResult(
            run_id=self._request.run_id,
            prompt=self._request.prompt,
            best_candidate=None if best is None else history[best].candidate,
            iterations=history,
            findings=findings,
            stop_reason=end.reason,
            evidence=end.evidence,
            error=error,
            lessons_used=self._calls.lessons,
            lessons_stored=stored,
            usage=self._spending.spent,
            duration_s=0.0 if self._started_at is None else max(0.0, now - self._started_at),
            reflections=tuple(one for _, one in sorted(self._reflections.items()) if one is not None),
            reflections_skipped=self._skipped,
            unjudged=unjudged_of(history, self._pending),
        )
        result = await self._written(result)
        self._emit(RunStopped(self._request.run_id, result))
        return result

    async def _written(self, result: ReflectionResult) -> ReflectionResult:
        """Journal the end of the run; if that fails, the result reports it unless it already has an error."""
        fault: ErrorInfo | None
        if not self._has_begun or self._parts.journal is None or _is_lost(result):
            return result
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                await self._calls.write(partial(stopped_line, result, self._emit.last + 1), is_last=True)
            fault = self._calls.journal_error
        except RunStop as stop:
            fault = stop.error
        except TimeoutError as error:
            fault = info_of(error, "journal")
        return result if fault is None or result.error is not None else result.model_copy(update={"error": fault})


def _is_lost(end: RunStop | ReflectionResult) -> bool:
    """Tell whether the run now belongs to another process."""
    return end.error is not None and end.error.kind == RunClaimedError.__name__


def _revisions_of(text: str, history: Sequence[Iteration]) -> tuple[Iteration, ...]:
    """Return the judged revisions of a text that broke nothing."""
    same = {one.candidate.id for one in history if one.candidate.content == text}
    return tuple(one for one in history if one.candidate.parent_id in same and not is_broken(one))


def _as_revision(revision: Candidate, old: Candidate) -> Candidate:
    if revision.id == old.id:  # a copy: its score belongs to the old text
        return revision.model_copy(update={"parent_id": old.id, "id": new_id("candidate"), "score": None})
    return revision if revision.parent_id == old.id else revision.model_copy(update={"parent_id": old.id})


def _checked(decision: object, rule: StopRule, line: History) -> Decision:
    """Return a rule's decision. Raises `RunStop` if it is not a decision."""
    known = range(len(line))
    match decision:
        case Regenerate():
            return decision
        case Verdict(pick=pick) if pick is None or pick in known:
            return decision
        case Revise(base=base) if base in known:
            return decision
        case _:
            fault = ComponentError(
                f"must return None, Regenerate(), or a Verdict or Revise of an iteration below {len(line)}, "
                f"got {describe(decision)}"
            )
            raise RunStop(StopReason.ERROR, error=info_of(fault, rule_name(rule)))


async def _with_silenced(critique: CritiqueResult, candidate: Candidate, previous: Iteration) -> CritiqueResult:
    new, old = candidate.content, previous.candidate.content
    if len(old) + len(new) > _CHARS_ON_THE_LOOP:
        return await asyncio.to_thread(with_silenced, critique, new, previous.critique, old)
    return with_silenced(critique, new, previous.critique, old)


async def _side_by_side(steps: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all steps concurrently and return their results in order. The first failure cancels the others."""
    tasks: list[asyncio.Task[T]] = []
    try:
        async with asyncio.TaskGroup() as group:
            tasks.extend(group.create_task(step) for step in steps)
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


def _uncancel() -> None:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()
