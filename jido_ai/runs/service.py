"""RunService: admits runs, carries them out, and knows those in flight.

Every run of a pipeline, of a graph and of whatever builds on them takes this way: it is claimed, waits for its turn, is
carried out by an actor of its own, ends its handle, and is released.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar
from weakref import WeakValueDictionary

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import StartChild, TerminateChild
from jido_ai.actors.exit_reason import Crashed, Shutdown
from jido_ai.actors.ref import ActorRef
from jido_ai.errors import (
    ActorDeadError,
    ActorError,
    CallError,
    ConfigurationError,
    NotFoundError,
    StoreDamagedError,
    StoreError,
)
from jido_ai.runs.call_log import AFTER_DAMAGE, CallLog, RecordCalls
from jido_ai.runs.handle import EventLog, NumberedEvent, RunHandle
from jido_ai.runs.journal import Journal, RunLines
from jido_ai.runs.leases import Lease, Leases, claimed
from jido_ai.runs.signals import Turns
from jido_ai.runs.work import Begin, RecordedState, Request, RunWork
from jido_ai.telemetry import OBSERVING, Observed, observed
from jido_ai.text.redaction import RedactLevel
from jido_ai.values import ModelCall, Scope
from jido_ai.values.record import Record

RequestT = TypeVar("RequestT", bound=Request)
RecordedT = TypeVar("RecordedT", bound=RecordedState)
ResultT = TypeVar("ResultT")
EventT = TypeVar("EventT", bound=NumberedEvent)
_ENDING_S: Final = 5.0
_DEFAULT_SCOPE: Final = Scope()


@dataclass(slots=True, eq=False)
class ActiveRun(Generic[RequestT, RecordedT, ResultT, EventT]):
    """A run in flight.

    Attributes:
        key: unique among the active runs; scopes may use the same ids.
        log: where the events are kept; None for a list.
        work: None until the run is claimed, or if its result is known.
        result: of a run that is over, or waits for a person, before it begins.
        recorded: the run so far, of one that is resumed.
        step: the run, as the observer sees it.
        is_cancelled: it should end soon.
        calls: of models; None if they are not kept.
    """

    request: RequestT
    key: str
    handle: RunHandle[ResultT, EventT]
    log: EventLog[EventT] | None = None
    work: RunWork[ResultT] | None = None
    lease: Lease | None = None
    result: ResultT | None = None
    recorded: RecordedT | None = None
    step: Observed | None = None
    is_cancelled: bool = False
    calls: CallLog | None = None

    def cancel(self) -> None:
        self.is_cancelled = True
        if self.work is not None:
            self.work.cancel()


def key_of(run_id: str, scope: Scope) -> str:
    """Return the key of a run among those in flight."""
    return run_id if scope == _DEFAULT_SCOPE else f"{scope.tenant}/{scope.project}/{run_id}"


def _warn_of_damage(run_id: str, error: StoreDamagedError) -> None:
    """Warn that a run is without the calls that it made before, which cannot be read; it needs its journal only."""
    said = "the calls of models of run %r that were made before are missing in its result; the run itself is whole: %s"
    logging.getLogger("jido_ai").warning(said, run_id, error)


class RunService(ABC, Generic[RequestT, RecordedT, ResultT, EventT]):
    """The runs of one pipeline or graph; a subclass says what they do.

    Args:
        name: of the pipeline or graph, for an observer.
        journal, leases: None if nothing is written down.
        record_calls: see `CallLog`.
        turns: None for no limit.
        leaving_s: seconds that the work of a cancelled caller has to end.
    """

    kind: ClassVar[Literal["pipeline", "graph"]]

    def __init__(
        self,
        name: str,
        journal: Journal | None,
        leases: Leases | None,
        record_calls: RecordCalls,
        *,
        turns: Turns | None = None,
        leaving_s: float = 2 * _ENDING_S,
    ) -> None:
        self.journal = journal
        self._name = name
        self._leases = leases
        self._record_calls: RecordCalls = record_calls
        self._turns = turns
        self._leaving_s = leaving_s
        self._supervisor: ActorRef | None = None
        self._runs: dict[str, ActiveRun[RequestT, RecordedT, ResultT, EventT]] = {}  # also those that wait
        self._handles: WeakValueDictionary[str, RunHandle[ResultT, EventT]] = WeakValueDictionary()  # handed out
        self._tasks: set[asyncio.Task[Any]] = set()
        self._leaving: WeakValueDictionary[str, asyncio.Task[None]] = WeakValueDictionary()  # by key, without a caller

    # -- what a run does: for subclasses -----------------------------------------------------------

    @abstractmethod
    async def new_work(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> RunWork[ResultT]:
        """Return the work of a run, from its request and from what its journal has."""

    @abstractmethod
    def read(self, run_id: str, records: list[Record]) -> RecordedT:
        """Return a run from the lines of its journal. Raises `StoreError`, `ConfigurationError`."""

    @abstractmethod
    def continues(self, request: RequestT, recorded: RecordedT) -> bool:
        """Return whether the run goes on with this request. Raises `ConfigurationError` if it cannot be answered so."""

    @abstractmethod
    def check_undecided(self, request: RequestT, before: RecordedT, now: RecordedT) -> None:
        """Raise `ConfigurationError` if a decision of the request has been made between two readings of the journal."""

    @abstractmethod
    async def result_of(self, recorded: RecordedT) -> ResultT:
        """Return the result of a run that does not go on."""

    @abstractmethod
    def stopped(self, run_id: str, result: ResultT, seq: int) -> EventT:
        """Return the event that ends a run."""

    def new_log(self, request: RequestT, recorded: RecordedT | None) -> EventLog[EventT] | None:
        """Return where the events of a run are kept; None for a list."""
        return None

    # -- the journal -------------------------------------------------------------------------------

    def open(self, supervisor: ActorRef) -> None:
        """Use the supervisor of the run actors from now on."""
        self._supervisor = supervisor

    async def load(self, run_id: str, scope: Scope | None) -> RecordedT:
        """Return a run of the journal.

        Raises:
            ConfigurationError: there is no journal, or the run cannot be resumed because a secret was masked.
            NotFoundError, StoreError: as `Journal.records`.
        """
        if self.journal is None:
            raise ConfigurationError(f"this {self.kind} has no journal; pass the memory that holds the run: memory=")
        await self._until_left(key_of(run_id, scope or _DEFAULT_SCOPE))
        recorded = self.read(run_id, list(await self.journal.records(run_id, scope)))
        if recorded.is_redacted and not recorded.is_over:
            raise ConfigurationError(
                f"cannot resume run {run_id!r}: its journal masked a secret in a text, which changed the text; "
                'a memory with redact="none" keeps secrets'
            )
        return recorded

    async def calls(self, run_id: str, scope: Scope | None) -> tuple[ModelCall, ...]:
        """Return the calls of models of a run, in the order in which they began. Raises as `Journal.calls`."""
        for run in self._called(run_id):
            if scope is None or run.request.scope == scope:
                if run.calls is not None:
                    return run.calls.calls()
                if run.recorded is None:
                    return ()
                scope = run.request.scope  # it is about to go on
                break
        if self.journal is None:
            raise NotFoundError(f"no run {run_id!r} is in flight, and this {self.kind} has no journal")
        return await self.journal.calls(run_id, scope)

    async def readable_calls(self, run_id: str, scope: Scope) -> tuple[ModelCall, ...]:
        """Return the calls of a run for its result; none, with a warning, if they are damaged."""
        try:
            return await self.calls(run_id, scope)
        except StoreDamagedError as error:
            _warn_of_damage(run_id, error)
            return ()

    def lines(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> RunLines | None:
        """Return the writer of a run's journal; None if it is not written down."""
        return None if self.journal is None or run.lease is None else self.journal.lines(run.lease, run.calls)

    async def call_log(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> CallLog | None:
        """Return the log of the calls of models of a run, with its earlier ones; None if they are not kept."""
        if self._record_calls == "off":
            return None
        journal, run_id, scope = self.journal, run.request.run_id, run.request.scope
        level: RedactLevel = "none"
        if self._record_calls == "redacted":
            level = "secrets" if journal is None or journal.memory.redacts == "none" else journal.memory.redacts
        log = partial(CallLog, run_id, level, scope=scope, is_written=journal is not None)
        if journal is None or run.recorded is None:
            return log()
        try:
            return log(earlier=await journal.call_lines(run_id, scope))
        except StoreDamagedError as error:
            _warn_of_damage(run_id, error)
            return log(first=AFTER_DAMAGE)

    async def resumption(
        self, request: RequestT, recorded: RecordedT
    ) -> ActiveRun[RequestT, RecordedT, ResultT, EventT]:
        """Return a run of the journal, ready to be continued; one that does not go on has its result.

        Raises:
            ConfigurationError: there is a decision that nothing waits for.
            RunClaimedError: the run is in flight, here or in another process.
        """
        if not self.continues(request, recorded):
            return await self.ended(request, recorded)
        run = await self.admit(request, recorded)
        assert run is not None
        return run

    async def ended(self, request: RequestT, recorded: RecordedT) -> ActiveRun[RequestT, RecordedT, ResultT, EventT]:
        """Return a run of the journal that does not go on."""
        run = self._new(request, recorded)
        run.result = await self.result_of(recorded)
        return run

    # -- admission ---------------------------------------------------------------------------------

    async def admit(
        self, request: RequestT, recorded: RecordedT | None = None, *, is_new: bool = False
    ) -> ActiveRun[RequestT, RecordedT, ResultT, EventT] | None:
        """Claim a run and return it, ready to be carried out; None if it should be new and is not.

        Args:
            recorded: the run so far, to continue it. It is read again once it is claimed.
            is_new: the journal must not have a run of that id.

        Raises:
            RunClaimedError: with a journal, the run is in flight, here or in another process.
            ConfigurationError: without a journal, a run of that id is in flight here.
        """
        run = self._new(request, recorded)
        other = self._runs.get(run.key)
        if other is not None:
            if other.lease is not None:
                raise claimed(other.lease.unstored)
            raise ConfigurationError(f"a run {request.run_id!r} is already in flight; use another run_id")
        self._runs[run.key] = run
        if self._leases is None:
            run.work = await self.new_work(run)
            return run
        is_admitted = False
        try:
            is_admitted = await self._claim(run, is_new=is_new)
            return run if is_admitted else None
        finally:
            if not is_admitted:
                self._forget(run)
                await self._release(run)

    async def _claim(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT], *, is_new: bool) -> bool:
        """Claim a run and make its work. Returns False if it should be new and is not."""
        assert self._leases is not None
        assert self.journal is not None
        request, before = run.request, run.recorded
        run.lease = self._leases.new(request.run_id, request.scope)
        await self._until_left(run.key)
        try:
            await run.lease.claim()
        except (StoreError, ActorError, ConfigurationError):  # without the journal a new run can still go on
            if before is not None or is_new:
                raise
        if is_new and await self.journal.has(request.run_id, request.scope):
            return False
        if before is not None:  # another owner may have continued it before we claimed it
            run.recorded = await self.load(request.run_id, request.scope)
            self.check_undecided(request, before, run.recorded)
            if not self.continues(request, run.recorded):
                run.result = await self.result_of(run.recorded)
                return True
        run.work = await self.new_work(run)
        if run.is_cancelled:
            run.work.cancel()
        return True

    def _new(self, request: RequestT, recorded: RecordedT | None) -> ActiveRun[RequestT, RecordedT, ResultT, EventT]:
        key, log = key_of(request.run_id, request.scope), self.new_log(request, recorded)
        handle: RunHandle[ResultT, EventT] = RunHandle(request.run_id, partial(self._cancel, key), log)
        return ActiveRun(request, key, handle, log, recorded=recorded)

    def _forget(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> None:
        if self._runs.get(run.key) is run:
            del self._runs[run.key]

    async def _release(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> None:
        if run.lease is None or self._leases is None:
            return
        if run.lease.is_stored:
            await asyncio.shield(self._leases.release(run.lease))  # it continues if we are cancelled
        else:
            self._leases.drop(run.lease)

    # -- in flight ---------------------------------------------------------------------------------

    async def finish(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> ResultT:
        """Carry out an admitted run to its end. Cancelling this cancels the run."""
        result: ResultT | None = None
        error: Exception | None = None
        self._observe(run)
        try:
            result = await self._in_turn(run)
            return result
        except Exception as failure:
            error = failure
            raise
        finally:
            self._forget(run)
            if run.work is not None and run.work.finished.done():
                result = run.work.finished.result()
            if result is not None or error is not None:
                try:
                    await self._release(run)
                finally:
                    self._settle(run, result, error)
            else:  # cancelled: its actor brings it to its end
                left = asyncio.create_task(self._left(run), name=f"end of {run.request.run_id}")
                self._leaving[run.key] = left
                self._keep(left)

    def start(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> RunHandle[ResultT, EventT]:
        """Carry out a run in a task of its own; return its handle."""
        if run.lease is None and run.result is not None:  # it was over before it was claimed
            run.handle.record(self._last_event(run, run.result))
            self._settle(run, run.result, None)
        else:
            self._keep(asyncio.create_task(self.finish(run), name=f"run {run.request.run_id}"))
        return self._handed_out(run.handle)

    def _observe(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> None:
        """Let the observer know that a run begins; whatever the run calls is a part of it."""
        if OBSERVING.observer is not None and run.work is not None:
            facts = {"name": self._name, "request": run.request, "recorded": run.recorded}
            run.step = run.request.context.run(
                OBSERVING.observer.begin, "run" if self.kind == "pipeline" else "graph", facts
            )

    def _settle(
        self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT], result: ResultT | None, error: Exception | None
    ) -> None:
        """Let everybody know how a run ended."""
        step, run.step = run.step, None
        if step is not None:
            run.request.context.run(step.end, result, error)
        run.handle.settle(result, error)

    async def _until_left(self, key: str) -> None:
        """Wait until a run whose caller was cancelled has ended and is released, so that another caller can have it."""
        left = self._leaving.get(key)
        if left is not None:
            await asyncio.wait({left})

    async def _left(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> None:
        """Release the run of a cancelled caller when its actor has ended it."""
        result, work = None, run.work
        if work is not None and work.is_under_way:
            await asyncio.wait({work.finished}, timeout=self._leaving_s)
        if work is not None and work.finished.done():
            result = work.finished.result()
        await self._release(run)
        self._settle(
            run, result, None if result is not None else ActorDeadError(Shutdown(), f"run {run.request.run_id}")
        )

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the handle has it

    # -- handles -----------------------------------------------------------------------------------

    def handle(self, run_id: str) -> RunHandle[ResultT, EventT]:
        """Return the handle of a run in flight, or of one that is over whose handle is still held.

        Raises:
            NotFoundError: there is none.
        """
        run = next(self._called(run_id), None)
        if run is not None:
            return self._handed_out(run.handle)
        handle = self._handles.get(run_id)
        if handle is None:
            raise self._not_in_flight(run_id)
        return handle

    def in_flight(self) -> tuple[RunHandle[ResultT, EventT], ...]:
        """Return the handles of the runs in flight, oldest first."""
        return tuple(self._handed_out(run.handle) for run in self._runs.values())

    def _handed_out(self, handle: RunHandle[ResultT, EventT]) -> RunHandle[ResultT, EventT]:
        self._handles[handle.run_id] = handle
        return handle

    def cancel(self, run_id: str) -> None:
        """End a run soon, in whatever scope. Raises `NotFoundError` if it is not in flight."""
        runs = list(self._called(run_id))
        if not runs:
            raise self._not_in_flight(run_id)
        for run in runs:
            self._cancel(run.key)

    def cancel_all(self) -> None:
        """End all runs soon."""
        for key in tuple(self._runs):
            self._cancel(key)

    def _cancel(self, key: str) -> None:
        run = self._runs.get(key)
        if run is not None:
            run.cancel()
            if self._turns is not None:
                self._turns.send_away(key)

    def _called(self, run_id: str) -> Iterator[ActiveRun[RequestT, RecordedT, ResultT, EventT]]:
        return (run for run in self._runs.values() if run.request.run_id == run_id)

    def _not_in_flight(self, run_id: str) -> NotFoundError:
        known = ", ".join(one.request.run_id for one in self._runs.values()) or "none"
        return NotFoundError(f"no run {run_id!r} is in flight; runs in flight: {known}")

    async def closed(self) -> None:
        """Wait, for a limited time, until all runs have ended and their claims are removed."""
        waiting = {*self._tasks, *(run.work.finished for run in self._runs.values() if run.work is not None)}
        if waiting:
            await asyncio.wait(waiting, timeout=_ENDING_S)
        if self._tasks:  # an ended run is still to be released
            await asyncio.wait(self._tasks, timeout=_ENDING_S)
        if self._leases is not None:
            await self._leases.close()

    # -- the actor of a run ------------------------------------------------------------------------

    async def _in_turn(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT]) -> ResultT:
        work = run.work
        if work is None:
            assert run.result is not None
            run.handle.record(self._last_event(run, run.result))
            return run.result
        if self._turns is None:
            return await self._now(run, work)
        if not await observed("queue", self._turns.take(run.key), name=self._name):
            return await work.abandoned(ActorDeadError(Shutdown(), "the run's turn"))
        try:
            return await self._now(run, work)
        finally:
            self._turns.give_back()

    async def _now(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT], work: RunWork[ResultT]) -> ResultT:
        """Let an actor do the work, and a new one if the first is killed."""
        assert self._supervisor is not None
        spec = ChildSpec(id=run.key, start=work.actor, restart="temporary", shutdown=work.shutdown_s)
        starts = 0
        try:
            while True:
                actor = await self._supervisor.ask(StartChild(spec), timeout_s=None, when_restarting="wait")
                starts += 1
                if starts > 1 and OBSERVING.observer is not None:
                    facts = {"run_id": run.request.run_id, "component": "loop"}
                    run.request.context.run(OBSERVING.observer.happened, "restarted", facts)
                try:
                    return await actor.ask(Begin(), timeout_s=None)
                except CallError as error:  # not even our own bugs lose what is done
                    return await work.abandoned(error)
                except ActorDeadError as error:
                    if isinstance(error.reason, Crashed):
                        return await work.abandoned(error)
                    # Its actor was killed, or stopped with its supervisor: continue if a new one can be started.
        except ActorDeadError as error:
            return await work.abandoned(error)
        except asyncio.CancelledError:
            work.forsake()
            if not work.is_under_way:  # its actor may have started and would wait forever
                self._supervisor.tell(TerminateChild(run.key))
            raise

    def _last_event(self, run: ActiveRun[RequestT, RecordedT, ResultT, EventT], result: ResultT) -> EventT:
        seq = 1 if run.recorded is None else max(1, run.recorded.events)
        return self.stopped(run.request.run_id, result, seq)
