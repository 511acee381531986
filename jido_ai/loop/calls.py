"""Calls of a run: components, memory, a person and the journal, each with the configured retries.

`RunCalls` waits and counts the spending; it decides nothing.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Protocol, TypeVar, cast

from jido_ai.actors.exit_reason import Crashed
from jido_ai.actors.ref import ActorRef
from jido_ai.components.component import ComponentCall, in_own_context, showable, text_of
from jido_ai.components.readings import current_readings, read, with_value
from jido_ai.components.time_limit import SilenceLimit, SilenceTimer, current_step
from jido_ai.critics.acceptance import judged_in_run
from jido_ai.critics.output_critiquer import misfit_of
from jido_ai.errors import (
    ActorDeadError,
    AskTimeoutError,
    BudgetExceededError,
    ComponentError,
    ConfigurationError,
    Declined,
    RunClaimedError,
    describe,
)
from jido_ai.loop.events import ComponentRestarted, ModelCalled, PartialOutput, RunEvent
from jido_ai.loop.examples import is_with_examples, marked
from jido_ai.loop.learned import learned_of
from jido_ai.loop.memory import RunMemory
from jido_ai.loop.moves import EARLIER_MOVES
from jido_ai.loop.offered_lessons import OfferedLessons
from jido_ai.loop.options import AwaitableApprove, RunRequest
from jido_ai.loop.policies import Policy, rule_name
from jido_ai.loop.record import started_line
from jido_ai.loop.record import written_line as line_of
from jido_ai.loop.state import Approved, Pending, Recalled, Refused, RunState, Step, Stop, Stopped
from jido_ai.memory.lessons import entry_from_reflection, teaches
from jido_ai.models.prompts.thoughts import without_thoughts
from jido_ai.models.spending import Spending
from jido_ai.protocols import RunContext
from jido_ai.reflection.episodes import episode_of, task_type_of
from jido_ai.reflection.evaluation import ReflectionMode, needs_reflection
from jido_ai.reflection.log import ReflectionLog
from jido_ai.runs.call_log import CallLog, Recorder, Way
from jido_ai.runs.checks import too_large
from jido_ai.runs.journal import Line, LineWriter
from jido_ai.runs.questions import Decision
from jido_ai.telemetry import OBSERVING
from jido_ai.text.json_reply import plain_data
from jido_ai.text.output_type import OutputType, Readings
from jido_ai.text.plain_prompt import asked_of
from jido_ai.values import (
    SUSPEND,
    Candidate,
    CritiqueResult,
    Episode,
    ErrorInfo,
    Iteration,
    LoopConfig,
    MemoryEntry,
    ModelCall,
    Outcome,
    Reflection,
    StopReason,
    Suspend,
    Usage,
    new_id,
)

T = TypeVar("T")
_WRITERS: Final = ("generator", "reviser")
_NO_REVISER: Final = (
    "there is no reviser: name one (reviser=), or as generator a language model or one that sets uses_attempts"
)
_PARTIAL_S: Final = 0.1
_LONGEST_PARTIAL: Final = 200_000
"""Characters that are read again and again in a few milliseconds."""


@dataclass(frozen=True, slots=True)
class LoopParts:
    """The actors and settings of a loop; None for a part that the pipeline does not have.

    Attributes:
        redrafts: without a reviser the generator drafts again, told of the attempts.
        mode: "full" also reflects on successes.
        reward_threshold: rewards from here on need no reflection.
        must_be_journaled: a step that cannot be written ends the run; otherwise the result reports the failure.
        output: the type of the answer: the pipeline's, else the form that the run's caller asks for.
        form: that form, which the pipeline's own critics do not judge.
    """

    critiquer: ActorRef
    reviser: ActorRef | None
    generator: ActorRef | None
    memory: RunMemory | None
    config: LoopConfig
    policy: Policy
    redrafts: bool = False
    reflector: ActorRef | None = None
    mode: ReflectionMode = "lite"
    reward_threshold: float = 0.3
    journal: LineWriter | None = None
    must_be_journaled: bool = False
    approve: AwaitableApprove | None = None
    reflection_log: ReflectionLog = field(default_factory=ReflectionLog)
    output: OutputType[Any] | None = None
    form: OutputType[Any] | None = None


class _Tells(Protocol):
    def __call__(self, text: str, *, is_whole: bool = False) -> None: ...


class RunCalls:
    """Calls the parts of a pipeline for one run. A `Stop` instead of an answer ends the run, or a line of candidates.

    Attributes:
        lessons: passed to every component: those of memory, and those of this run's reflections.
        were_seen: whether a component has looked at the lessons.
        spending: what the run has spent and may spend.
        readings: the texts of the run that were checked against its type.
        has_journal: False when `write` does nothing and need not be called.
        journal_error: why the newest lines are not written; None when all are.
        told: number of the newest event; at first that of the last one before a resumption.
    """

    def __init__(
        self,
        request: RunRequest,
        parts: LoopParts,
        emit: Callable[[RunEvent], None],
        spending: Spending,
        log: CallLog | None = None,
        *,
        told: int = 0,
    ) -> None:
        self._request = request
        self._parts = parts
        self._tell = emit
        self.told = told
        self._way = None if log is None else Way(log, self._called)
        self._path = "" if request.outer_calls is None else request.outer_calls[1]
        self._deadline = 0.0
        self._timer = SilenceTimer()
        self._unwritten: list[Line] = []
        self.journal_error: ErrorInfo | None = None
        self.lessons: tuple[MemoryEntry, ...] = ()
        self.were_seen = False
        self.spending = spending
        self.has_journal = parts.journal is not None
        self.readings: Readings = {}
        request.context.run(current_readings.set, self.readings)

    def emit(self, event: RunEvent) -> None:
        """Number an event of the run, and tell it."""
        self.told += 1
        object.__setattr__(event, "seq", self.told)  # it is new, so nobody else has it yet
        self._tell(event)

    def _called(self, call: ModelCall) -> None:
        self.emit(ModelCalled(self._request.run_id, call))

    async def settled(self) -> None:
        """Wait until the calls of models that have ended are among those of the run."""
        log = None if self._way is None else self._way.log
        if log is not None and log.masking is not None:
            await log.settled()

    def close(self) -> tuple[ModelCall, ...]:
        """End the calls of models that are under way, and return all of the run."""
        self._timer.close()
        way = self._way
        if way is None or way.log is None:
            return ()
        calls = way.log.close(self._path)
        way.cut()
        return calls

    def begin(self, deadline: float) -> None:
        """Set the time, on the event loop's clock, at which the run ends."""
        self._deadline = deadline

    async def recall(self, critique: CritiqueResult | None) -> Recalled | Stop:
        """Retrieve the lessons and the worked examples."""
        memory = self._parts.memory
        assert memory is not None
        recalled = await self._try("memory", lambda _: memory.recall(self._request, critique))
        if not isinstance(recalled, Stop):
            self.lessons = (*recalled.lessons, *self.lessons)
        return recalled

    async def with_earlier_moves(self, first: Candidate) -> Candidate | Stop:
        """Return the first candidate with what earlier runs learned about moves, for the policy and for a replay."""
        memory = self._parts.memory
        if memory is None or not self._parts.policy.learns_moves:
            return first
        moves = await self._try("memory", lambda _: memory.earlier_moves(self._request, first.model))
        if isinstance(moves, Stop):
            return moves
        return first.model_copy(update={"metadata": {**first.metadata, EARLIER_MOVES: moves}}) if moves else first

    async def learn(
        self, state: RunState, best: int, *, is_accepted: bool, was_told: bool
    ) -> tuple[MemoryEntry, ...] | ErrorInfo:
        """Let memory learn from the run; return the stored entries, or the error of a failing memory."""
        memory, policy, request = self._parts.memory, self._parts.policy, self._request
        if memory is None:
            return ()
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                learned = learned_of(
                    state,
                    best,
                    prompt=memory.asked(request, state.iterations[0].critique),
                    run_id=request.run_id,
                    scope=request.scope,
                    config=self._parts.config,
                    by_critique=memory.recalls_by_critique,
                    is_given=request.initial is not None,
                    were_seen=self.were_seen,
                    task_type=task_type_of(request.metadata),
                    episodes=[self.episode(state, index) for index in range(len(state.iterations))],
                    best_of=policy.best if policy.learns_moves else None,
                    is_accepted=is_accepted,
                    was_told=was_told,
                )
                stored, paused = await memory.learn(request, state, learned)
                for one in paused:
                    self.emit(one)
                return stored
        except Exception as error:  # noqa: BLE001 - reported in the result
            return info_of(error, "memory")

    async def generate(
        self,
        index: int,
        attempts: tuple[Iteration, ...] = (),
        repeats: int = 0,
        examples: tuple[MemoryEntry, ...] = (),
        turns: Sequence[bool] = (True,),
    ) -> tuple[Candidate, ...] | Stop:
        """Generate at least one candidate; it is told of the `attempts` and shown the `examples`.

        Args:
            turns: of each candidate, whether it goes with the examples.
        """
        generator = self._parts.generator
        if generator is None:
            fault = ConfigurationError("a stop rule asked for a fresh candidate, but the pipeline has no generator")
            return Stop(StopReason.ERROR, error=info_of(fault, "generator"))
        tell = None
        looks: list[bool] = []
        more: dict[str, Any] = {}
        if examples and turns[0]:
            more["examples"] = OfferedLessons.of(examples, lambda: looks.append(True))
        if self._parts.output is not None and self._request.is_watched:
            more["on_text"] = tell = self._tell_partially(self._parts.output)
        context = self._context("generator", index, attempts=attempts, repeats=repeats, **more)
        made = await self._ask("generator", generator, self._request.prompt, context)
        if isinstance(made, Stop):
            return made
        asked = asked_of(self._request.prompt, self._request.metadata)
        candidates = [
            marked(await self.typed(one), asked, examples, with_them=turn and bool(looks))
            for one, turn in zip(made, turns, strict=False)
        ]
        if tell is not None and len(candidates) == 1:
            tell(candidates[0].content, is_whole=True)
        return tuple(candidates)

    async def typed(self, candidate: Candidate) -> Candidate:
        """Return a candidate whose text is the JSON that is in it, repaired if need be, where a type is wanted."""
        output = self._parts.output
        if output is None:
            return candidate
        text = (await read(output, candidate.content, self.readings)).text
        if text != candidate.content:
            metadata = {**candidate.metadata, "repaired": True}
            candidate = candidate.model_copy(update={"content": text, "metadata": metadata})
        return await self._with_value(candidate)

    def _tell_partially(self, output: OutputType[Any]) -> _Tells:
        """Return a function that emits what can be read of a growing text, at most ten times a second.

        A candidate whose text has grown is told at its end as well, if something else was told last.
        """
        clock, told_at, told, has_grown = asyncio.get_running_loop().time, -math.inf, None, False

        def tell(text: str, *, is_whole: bool = False) -> None:
            nonlocal told_at, told, has_grown
            now, has_grown = clock(), has_grown or not is_whole
            is_due = has_grown if is_whole else now - told_at >= _PARTIAL_S
            if not is_due or len(text) > _LONGEST_PARTIAL:
                return
            value = plain_data(text) if is_whole else output.partial(without_thoughts(text)[0])
            if value is not None and value != told:
                told_at, told = now, value
                self.emit(PartialOutput(self._request.run_id, value))

        return tell

    async def _with_value(self, candidate: Candidate) -> Candidate:
        output = self._parts.output
        return candidate if output is None else await with_value(output, candidate, self.readings)

    async def critique(
        self, candidate: Candidate, index: int, baseline: CritiqueResult | None = None
    ) -> CritiqueResult | Stop:
        """Judge a candidate; `baseline` is the critique of the first one."""
        form = self._parts.form
        misfit = None if form is None else await misfit_of(form, candidate, self.readings)
        if misfit is not None:
            return misfit
        return await self._ask(
            "critiquer", self._parts.critiquer, candidate, self._context("critiquer", index, baseline)
        )

    async def revise(
        self,
        before: Iteration,
        baseline: CritiqueResult | None = None,
        setbacks: tuple[Iteration, ...] = (),
        attempts: tuple[Iteration, ...] = (),
        repeats: int = 0,
    ) -> Candidate | Stop:
        """Return a revision of a candidate; the reason of the `Stop` is "declined" when no reviser can make one."""
        if self._parts.reviser is None:
            return Stop(StopReason.DECLINED, {"reasons": [_NO_REVISER]})
        context = self._context("reviser", before.index, baseline, setbacks, attempts, repeats)
        candidate = await self._with_value(before.candidate)
        made = await self._ask("reviser", self._parts.reviser, candidate, before.critique, context)
        return made if isinstance(made, Stop) else await self.typed(_as_revision(made, before.candidate))

    def needs_reflection(self, iteration: Iteration) -> bool:
        """Tell whether the attempt of an iteration is to be reflected on."""
        judged, parts = judged_in_run(iteration, self._parts.config), self._parts
        if parts.mode == "full" and judged.outcome is Outcome.SUCCESS:  # whatever its reward
            return True
        return needs_reflection(judged, parts.mode, reward_threshold=parts.reward_threshold)

    async def redraft(
        self, before: Iteration, index: int, attempts: tuple[Iteration, ...], repeats: int
    ) -> Candidate | Stop:
        """Return a new draft in place of a revision of a candidate, by a generator that is told of the attempts."""
        made = await self.generate(index, attempts, repeats)
        return made if isinstance(made, Stop) else _as_revision(made[0], before.candidate)

    async def reflect(self, state: RunState, index: int) -> Reflection | Stop | None:
        """Reflect on the attempt of an iteration; return None if it needs no reflection."""
        reflector, log = self._parts.reflector, self._parts.reflection_log
        if reflector is None or not self.needs_reflection(state.iterations[index]):
            return None
        priors, episode = tuple(filter(None, state.reflections.values())), self.episode(state, index)
        log.started(episode)
        reflection = await self._ask("reflector", reflector, episode, priors, self._context("reflector", index))
        if isinstance(reflection, Stop):
            log.failed(episode, reflection.reason.value if reflection.error is None else reflection.error.kind)
        else:
            log.made(episode, reflection)
        return reflection

    def episode(self, state: RunState, index: int) -> Episode:
        """Return an iteration as the record of an attempt."""
        request = self._request
        return episode_of(
            state.iterations[index],
            prompt=request.prompt,
            run_id=request.run_id,
            scope=request.scope,
            metadata=request.metadata,
            reflection=state.reflections.get(index),
            lessons=state.lessons or (),
            examples=dict.fromkeys(state.examples_used, is_with_examples(state.iterations[index].candidate)),
            were_seen=self.were_seen,
            is_given=request.initial is not None and index == 0,
            critique=judged_in_run(state.iterations[index], self._parts.config),
        )

    def teach(self, state: RunState, index: int) -> None:
        """Pass the reflection on an iteration, if there is one, to the components from now on."""
        reflection = state.reflections.get(index)
        if reflection is not None and teaches(reflection):
            self.lessons = (*self.lessons, entry_from_reflection(reflection, self.episode(state, index)))

    async def approve(
        self, pending: Pending, before: Iteration, decision: Decision | None
    ) -> Approved | Refused | Stop:
        """Return a person's answer to a revision; wait for it, at most until the run's deadline, if there is none."""
        answer: object = SUSPEND if decision is None else decision
        if decision is None and self._parts.approve is not None:
            context = self._context("approve", before.index)
            try:
                candidate = await self._with_value(pending.candidate)
                answer = await in_own_context(self._parts.approve, candidate, before, context)
            except Exception as error:  # noqa: BLE001 - whatever it raises ends the run
                return Stop(StopReason.ERROR, error=info_of(error, "approve"))
        match answer:
            case True:
                revision = pending.candidate
            case False:
                return Refused(pending.slot, pending.chain, ("the revision was not approved",))
            case Suspend():
                return self._suspended(pending.candidate)
            case str():
                revision = pending.candidate.model_copy(update={"content": answer})
            case Candidate():
                revision = answer
            case _:
                fault = ComponentError(
                    f"approve must return a bool, a str, a Candidate or SUSPEND, got {describe(answer)}"
                )
                return Stop(StopReason.ERROR, error=info_of(fault, "approve"))
        return Approved(pending.slot, await self.typed(_as_revision(revision, before.candidate)))

    def _suspended(self, revision: Candidate) -> Stop:
        """Return the end of a run that waits for a person, or of one that could not be resumed later."""
        if not self.has_journal:
            fault = ConfigurationError(
                "approve returned SUSPEND, but the run has no journal to be resumed from; give the pipeline a memory"
            )
            return Stop(StopReason.ERROR, error=info_of(fault, "approve"))
        if self.journal_error is not None:
            return Stop(StopReason.ERROR, error=self.journal_error)
        return Stop(StopReason.SUSPENDED, {"revision": revision.id, "revised_from": revision.parent_id})

    async def write_start(self, trace: Mapping[str, str] | None) -> Stop | None:
        """Write the first line of the run."""
        request, config = self._request, self._parts.config
        rules = [rule_name(rule) for rule in self._parts.policy.rules]
        line = started_line(request.prompt, request.initial, request.metadata, config, rules, trace=trace)
        return await self._write([line])

    async def write(self, *steps: Step, is_last: bool = False) -> Stop | None:
        """Write steps to the journal, if there is one, after the lines that could not be written before.

        Returns a `Stop` if the write failed and the run requires the journal, or now belongs to another process.

        Args:
            is_last: nothing will follow, so the run is released.
        """
        if self._parts.journal is None:
            return None
        lines = [line_of(step, self.spending.spent, were_seen=self.were_seen) for step in steps]
        return await self._write(lines, is_last=is_last)

    async def _write(self, lines: Sequence[Line], *, is_last: bool = False) -> Stop | None:
        journal = self._parts.journal
        assert journal is not None
        owed, self._unwritten = [*self._unwritten, *lines], []
        try:
            await journal.write(*owed, is_last=is_last)
        except BaseException as error:
            self._unwritten = [*owed, *self._unwritten]
            if not isinstance(error, Exception):
                raise
            self.journal_error = info_of(error, "journal")
            is_fatal = self._parts.must_be_journaled or isinstance(error, RunClaimedError)
            return Stop(StopReason.ERROR, error=self.journal_error) if is_fatal else None
        self.journal_error = None
        return None

    async def write_end(self, step: Stopped) -> ErrorInfo | None:
        """Write the end of the run, which releases it; return the error if that fails."""
        try:
            async with asyncio.timeout(self._parts.config.step_timeout_s):
                stop = await self.write(step, is_last=True)
        except TimeoutError as error:
            return info_of(error, "journal")
        return self.journal_error if stop is None else stop.error

    # -- inside ------------------------------------------------------------------------------------

    def _context(  # noqa: PLR0917 - the order of those that call it
        self,
        role: str,
        index: int,
        baseline: CritiqueResult | None = None,
        setbacks: tuple[Iteration, ...] = (),
        attempts: tuple[Iteration, ...] = (),
        repeats: int = 0,
        **more: Any,
    ) -> RunContext:
        wishes, asked_for = self._request.wishes, self._parts.form or self._parts.output
        recorder = None
        if self._way is not None:
            shown = tuple([lesson.id for lesson in self.lessons]) if self.lessons else ()
            recorder = Recorder(self._way, path=self._path, role=role, iteration=index, lessons=shown)
        return RunContext(
            run_id=self._request.run_id,
            prompt=self._request.prompt,
            iteration=index,
            lessons=OfferedLessons.of(self.lessons, self._seen) if self.lessons else (),
            deadline=self._deadline,
            scope=self._request.scope,
            metadata=self._request.metadata,
            meter=self.spending,
            baseline=baseline,
            setbacks=setbacks,
            attempts=attempts,
            repeats=repeats,
            recorder=recorder,
            output=None if asked_for is None else asked_for.given,
            settings=wishes.settings if wishes is not None and role in _WRITERS else {},
            **more,
        )

    def _seen(self) -> None:
        self.were_seen = True

    def _ask(self, name: str, component: ActorRef, *args: object) -> Coroutine[Any, Any, Any]:
        """Call a component and record the usage that its answer reports."""
        answer = self._answer if OBSERVING.observer is None else self._observed_answer
        return self._try(name, partial(answer, name, component, args, self._request.context))

    async def _observed_answer(
        self,
        name: str,
        component: ActorRef,
        args: tuple[object, ...],
        context: Context,
        last_error: ErrorInfo | None,
    ) -> Any:
        assert OBSERVING.observer is not None
        context = context.copy()
        step = context.run(OBSERVING.observer.begin, "agent", {"role": name, "args": args})
        try:
            answer = await self._answer(name, component, args, context, last_error)
        except BaseException as error:
            context.run(step.end, error=error)
            raise
        context.run(step.end, answer)
        return answer

    async def _answer(
        self,
        name: str,
        component: ActorRef,
        args: tuple[object, ...],
        context: Context,
        last_error: ErrorInfo | None,
    ) -> Any:
        """Call a component once; it is told why the try before failed."""
        if last_error is not None:
            args = (*args[:-1], replace(cast("RunContext", args[-1]), last_error=last_error))
        timeout_s, entries = self._parts.config.step_timeout_s, self.spending.entries
        while True:
            step = SilenceLimit(timeout_s, context.get(current_step), self._timer)
            call = ComponentCall(args, context, step)
            reply: Any = component.ask(call, timeout_s=None, when_restarting="wait")
            step.watch(reply)
            try:
                answer = await reply
                break
            except TimeoutError:
                if not step.expired():
                    raise
                late = AskTimeoutError(timeout_s, name, call)
                late.args = (f"the {name} did not answer within step_timeout_s={timeout_s:g}",)
                raise late from None
            except ActorDeadError as error:
                if not isinstance(error.reason, Crashed):
                    raise
                # It waited behind another run's call that crashed, and never began: not a failure of this call.
            finally:
                step.end()
        if not self.has_journal:
            said = None
        else:
            said = too_large(f"the answer of the {name} has", answer, "return less, or the name of a file")
        for spent in _usages_of(name, answer, args[0], is_metered=self.spending.entries != entries):
            self.spending.record(spent)
        if said is not None:
            error = ComponentError(said, component=name)
            error.retryable = False
            raise error
        return answer

    async def _try(self, name: str, step: Callable[[ErrorInfo | None], Awaitable[T]]) -> T | Stop:
        """Take a step, with retries if its component crashes, hangs or returns junk.

        Args:
            step: gets the error of the try before, if there was one.
        """
        attempt, last_error = 0, None
        while True:
            attempt += 1
            try:
                return await step(last_error)
            except Exception as error:  # noqa: BLE001 - whatever a component raises is retried, or ends the run
                await self.settled()
                _forget_our_frames(error)
                if isinstance(error, Declined) and name == "reviser":
                    return Stop(StopReason.DECLINED, {"reasons": [showable(reason) for reason in error.reasons]})
                if (refusal := _refusal_in(error)) is not None:
                    return out_of_budget(refusal)
                if attempt > self._parts.config.step_retries or getattr(error, "retryable", True) is False:
                    return Stop(StopReason.ERROR, {"attempts": attempt}, error=info_of(error, name))
                last_error = info_of(error, name)
                if OBSERVING.observer is not None:
                    told = {"run_id": self._request.run_id, "component": name, "attempt": attempt}
                    OBSERVING.observer.happened("restarted", told)
                self.emit(ComponentRestarted(self._request.run_id, name, attempt, text_of(error)))


def _as_revision(revision: Candidate, old: Candidate) -> Candidate:
    if revision.id == old.id:  # a copy: its score belongs to the old text
        return revision.model_copy(update={"parent_id": old.id, "id": new_id("candidate"), "score": None})
    return revision if revision.parent_id == old.id else revision.model_copy(update={"parent_id": old.id})


def _forget_our_frames(error: BaseException) -> None:
    """Remove this file's frames from an error's traceback and keep the component's.

    A future keeps its error for a moment after the run, and these frames would keep the whole run in memory.
    """
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals is globals():
        trace = trace.tb_next
    error.__traceback__ = trace


def _usages_of(
    name: str,
    answer: Candidate | CritiqueResult | Reflection | tuple[Candidate, ...],
    given: object,
    *,
    is_metered: bool,
) -> list[Usage]:
    """Return the usages that a component reports in metadata["usage"].

    A candidate without one counts its `tokens_used`, unless the call was metered. Raises `ComponentError` for junk.
    """
    usages: list[Usage] = []
    for part in answer if isinstance(answer, tuple) else (answer,):
        usage: object = part.metadata.get("usage") if part.metadata else None
        if usage is None and isinstance(part, Candidate) and part.tokens_used and not is_metered:
            if not (isinstance(given, Candidate) and part.id == given.id):  # otherwise a copy of the given candidate
                usages.append(Usage(output_tokens=part.tokens_used))
            continue
        if usage is None or (isinstance(given, Candidate) and _is_copied(usage, part, given)):
            continue
        try:
            usages.append(usage if isinstance(usage, Usage) else Usage.model_validate(usage))
        except ConfigurationError as error:
            raise ComponentError(
                f'the metadata["usage"] of a {name} is not a Usage: {error}', component=name
            ) from error
    return usages


def _is_copied(usage: object, part: Candidate | CritiqueResult | Reflection, given: Candidate) -> bool:
    """Tell whether a revision is a modified copy that still carries the usage of its original."""
    return isinstance(part, Candidate) and part.id == given.id and usage == given.metadata.get("usage")


def _refusal_in(error: BaseException | None) -> BudgetExceededError | None:
    """Return the budget's refusal that an error is, contains or was caused by; None if there is none."""
    if error is None or isinstance(error, BudgetExceededError):
        return error
    inside = cast("BaseExceptionGroup[Any]", error).exceptions if isinstance(error, BaseExceptionGroup) else ()
    return next(filter(None, map(_refusal_in, (*inside, error.__cause__))), None)


def out_of_budget(error: BudgetExceededError) -> Stop:
    """Return the `Stop` for a budget's refusal."""
    evidence: dict[str, Any] = {"limit": error.limit, error.limit: error.allowed, "spent": error.spent}
    if 0 < error.wanted < math.inf:
        evidence["wanted"] = error.wanted
    return Stop(StopReason.BUDGET, evidence | ({"note": error.note} if error.note else {}))


def refusal_of(stop: Stop) -> BudgetExceededError | None:
    """Return the budget's refusal for which `out_of_budget` made a `Stop`; None if it ends for another reason."""
    if stop.reason is not StopReason.BUDGET:
        return None
    told = dict(stop.evidence)
    limit: str = told.pop("limit")
    return BudgetExceededError(limit, allowed=told.pop(limit), **told)


def info_of(error: BaseException, component: str) -> ErrorInfo:
    """Return an error as it appears in a result."""
    return ErrorInfo(type(error).__name__, text_of(error), component)
