"""Runs: the runs in flight of one pipeline.

Each is claimed, waits for its turn, and is carried out by an actor of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import StartChild, TerminateChild
from jido_ai.actors.exit_reason import Crashed, Shutdown
from jido_ai.actors.ref import ActorRef
from jido_ai.components.turns import Turns
from jido_ai.errors import ActorDeadError, ActorError, ConfigurationError, NotFoundError, StoreError
from jido_ai.loop.calls import Approve, Decision, LoopParts, RunRequest
from jido_ai.loop.claims import claimed
from jido_ai.loop.events import RunStopped
from jido_ai.loop.handle import RunHandle
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.leases import Lease, Leases
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.reflection_loop import ReflectionLoop, Run, Work
from jido_ai.telemetry import OBSERVING, Observed, observed
from jido_ai.values import LoopConfig, ReflectionResult, Scope, StopReason

__all__ = ["Flight", "Runs", "check_same_request", "key_of", "request_again"]

_ENDING_S: Final = 5.0
_DEFAULT_SCOPE: Final = Scope()


@dataclass(slots=True)
class Flight:
    """A run in flight.

    Attributes:
        work: None until the run is claimed, or if it is over already.
        result: of a run that ends here: it is over, or still waits for a person.
        events: the number of its last event.
        recorded: the run so far, of one that is resumed.
        step: the run, as the observer sees it.
        is_cancelled: it should end soon.
    """

    request: RunRequest
    handle: RunHandle
    lease: Lease | None = None
    work: Work | None = None
    result: ReflectionResult | None = None
    events: int = 0
    is_cancelled: bool = False
    recorded: RecordedRun | None = None
    step: Observed | None = None

    @property
    def key(self) -> str:
        """Return what tells it from the other runs in flight."""
        return key_of(self.request.run_id, self.request.scope)

    def cancel(self) -> None:
        self.is_cancelled = True
        if self.work is not None:
            self.work.cancel()


def key_of(run_id: str, scope: Scope) -> str:
    """Return what tells a run from all others in flight: scopes may use the same ids."""
    return run_id if scope == _DEFAULT_SCOPE else f"{scope.tenant}/{scope.project}/{run_id}"


def check_same_request(recorded: RecordedRun, request: RunRequest) -> None:
    """Raise `ConfigurationError` if a recorded run has another prompt or initial candidate."""
    if not recorded.is_of(request.prompt, request.initial):
        raise ConfigurationError(
            f"run {recorded.run_id!r} exists and has another prompt or initial candidate; use another run_id, "
            "or resume() to continue it as it is"
        )


def request_again(recorded: RecordedRun, approve: Approve | None, decision: Decision | None) -> RunRequest:
    """Return the request for a resumption, with the current context."""
    return RunRequest(
        recorded.run_id,
        recorded.prompt,
        recorded.initial,
        recorded.scope,
        recorded.metadata,
        approve=approve,
        decision=decision,
    )


class Runs:
    """Admits runs, carries them out, and knows those in flight.

    Args:
        parts_of: returns the parts for a run and its lease.
        journal, leases: None for a pipeline without a journal.
        name: of the pipeline, for an observer.
    """

    def __init__(
        self,
        config: LoopConfig,
        turns: Turns,
        parts_of: Callable[[RunRequest, Lease | None], LoopParts],
        journal: RunJournal | None,
        leases: Leases | None,
        *,
        name: str = "pipeline",
    ) -> None:
        self._name = name
        self._config = config
        self._turns = turns
        self._parts_of = parts_of
        self._journal = journal
        self._leases = leases
        self._supervisor: ActorRef | None = None
        self._flights: dict[str, Flight] = {}  # including those that wait for their turn
        self._handles: WeakValueDictionary[str, RunHandle] = WeakValueDictionary()  # those that were handed out
        self._tasks: set[asyncio.Task[Any]] = set()

    def open(self, supervisor: ActorRef) -> None:
        """Use the supervisor of the run actors from now on."""
        self._supervisor = supervisor

    # -- the journal -------------------------------------------------------------------------------

    async def load(self, run_id: str, scope: Scope | None) -> RecordedRun:
        """Return a run of the journal.

        Raises:
            ConfigurationError: there is no journal, or the run cannot be resumed because a secret was masked.
            NotFoundError, StoreError: as `RunJournal.load`.
        """
        if self._journal is None:
            raise ConfigurationError("this pipeline has no journal; pass the memory that holds the run: memory=")
        recorded = await self._journal.load(run_id, scope)
        if recorded.is_redacted and not recorded.is_over:
            raise ConfigurationError(
                f"cannot resume run {run_id!r}: its journal masked a secret in a candidate, which changed the text; "
                'a memory with redact="none" keeps secrets'
            )
        return recorded

    async def resumption(self, request: RunRequest, recorded: RecordedRun) -> Flight:
        """Return a run of the journal, ready to be continued. One that ends here keeps its result.

        Raises:
            ConfigurationError: there is a decision, but no revision waits for one.
            RunClaimedError: the run is in flight, here or in another process.
        """
        result = self._ends_here(request, recorded)
        if result is not None:
            return Flight(request, RunHandle(request.run_id, _nothing), result=result, events=recorded.events)
        flight = await self.admit(request, recorded)
        assert flight is not None
        return flight

    @staticmethod
    def _ends_here(request: RunRequest, recorded: RecordedRun) -> ReflectionResult | None:
        """Return the result of a run that is over, or that waits for a person while nobody can be asked."""
        if request.decision is not None and recorded.waiting is None:
            raise ConfigurationError(
                f"run {recorded.run_id!r} waits for no decision (it is {recorded.status}); nothing was changed"
            )
        result = recorded.result()
        if result is None or recorded.is_over:
            return result
        asks_nobody = request.decision is None and request.approve is None
        return result if asks_nobody and result.stop_reason is StopReason.SUSPENDED else None

    # -- admission ---------------------------------------------------------------------------------

    async def admit(
        self, request: RunRequest, recorded: RecordedRun | None = None, *, is_new: bool = False
    ) -> Flight | None:
        """Claim a run and return it, ready to be carried out; None if it should be new and is not.

        Args:
            recorded: the run so far, to continue it. It is read again once it is claimed.
            is_new: the journal must not have a run of that id.

        Raises:
            RunClaimedError: with a journal, the run is in flight, here or in another process.
            ConfigurationError: without a journal, a run of that id is in flight here.
        """
        key = key_of(request.run_id, request.scope)
        other = self._flights.get(key)
        if other is not None:
            if other.lease is not None:
                raise claimed(other.lease.unstored)
            raise ConfigurationError(f"a run {request.run_id!r} is already in flight; use another run_id")
        flight = self._flights[key] = Flight(request, RunHandle(request.run_id, partial(self._end, key)))
        if self._leases is None:
            flight.work = Work(request, self._parts_of(request, None), flight.handle.record)
            return flight
        is_admitted = False
        try:
            lease = flight.lease = self._leases.new(request.run_id, request.scope)
            try:
                await lease.claim()
            except (StoreError, ActorError, ConfigurationError):  # without the journal a new run can still go on
                if recorded is not None or is_new:
                    raise
            assert self._journal is not None
            if is_new and await self._journal.has(request.run_id, request.scope):
                return None
            if recorded is not None:
                recorded = await self._claimed_now(request, recorded)
                flight.result, flight.events = self._ends_here(request, recorded), recorded.events
                flight.recorded = recorded
            if flight.result is None:
                flight.work = Work(request, self._parts_of(request, lease), flight.handle.record, recorded)
            if flight.is_cancelled:
                flight.cancel()
            is_admitted = True
            return flight
        finally:
            if not is_admitted:
                self._forget(flight)
                await self._release(flight)

    async def _claimed_now(self, request: RunRequest, before: RecordedRun) -> RecordedRun:
        """Read a run again: another owner may have continued it before we claimed it."""
        now = await self.load(request.run_id, request.scope)
        asked, waits = before.waiting, now.waiting
        if request.decision is not None and asked and waits and asked.candidate.id != waits.candidate.id:
            raise ConfigurationError(
                f"revision {asked.candidate.id} of run {request.run_id!r} was decided meanwhile; nothing was changed"
            )
        return now

    def _forget(self, flight: Flight) -> None:
        if self._flights.get(flight.key) is flight:
            del self._flights[flight.key]

    async def _release(self, flight: Flight) -> None:
        lease = flight.lease
        if lease is None or self._leases is None:
            return
        if lease.is_stored:
            await asyncio.shield(self._leases.release(lease))  # it continues if we are cancelled
        else:
            self._leases.drop(lease)

    # -- in flight ---------------------------------------------------------------------------------

    async def finish(self, flight: Flight) -> ReflectionResult:
        """Carry out an admitted run to its end. Cancelling this cancels the run."""
        result: ReflectionResult | None = None
        error: Exception | None = None
        self._observe(flight)
        try:
            result = await self._in_turn(flight)
            return result
        except Exception as failure:
            error = failure
            raise
        finally:
            if result is not None or error is not None:
                try:
                    self._forget(flight)
                    await self._release(flight)
                finally:
                    _observed(flight, result, error)
                    flight.handle.settle(result, error)
            else:  # cancelled: its actor brings it to its end
                self._forget(flight)
                self._keep(asyncio.create_task(self._left(flight), name=f"end of {flight.request.run_id}"))

    def _observe(self, flight: Flight) -> None:
        """Let the observer know that a run begins; whatever the run calls is a part of it."""
        observer, request = OBSERVING.observer, flight.request
        if observer is None or flight.work is None:
            return
        facts = {"name": self._name, "request": request, "recorded": flight.recorded}
        flight.step = request.context.run(observer.begin, "run", facts)

    async def _left(self, flight: Flight) -> None:
        """Release a run that is cancelled when its actor has ended it."""
        result: ReflectionResult | None = None
        if flight.work is not None and (flight.work.is_under_way or flight.handle.has_stopped):
            try:
                async with asyncio.timeout(2 * self._config.step_timeout_s):
                    result = await flight.handle.ended()
            except TimeoutError:
                result = None
        error = None if result else ActorDeadError(Shutdown(), f"run {flight.request.run_id}")
        _observed(flight, result, error)
        await self._release(flight)
        flight.handle.settle(result, error)

    def start(self, flight: Flight) -> RunHandle:
        """Carry out a run in a task of its own; return its handle."""
        if flight.lease is None and flight.result is not None:  # it was over before it was claimed
            flight.handle.record(_end_of(flight))
            flight.handle.settle(flight.result)
            return self._handed_out(flight.handle)
        self._keep(asyncio.create_task(self.finish(flight), name=f"run {flight.request.run_id}"))
        return self._handed_out(flight.handle)

    def _handed_out(self, handle: RunHandle) -> RunHandle:
        self._handles[handle.run_id] = handle
        return handle

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the handle has it

    def handle(self, run_id: str) -> RunHandle:
        """Return the handle of a run in flight, or of one that is over whose handle is still held.

        Raises:
            NotFoundError: there is none.
        """
        flight = next(self._called(run_id), None)
        if flight is not None:
            return self._handed_out(flight.handle)
        handle = self._handles.get(run_id)
        if handle is None:
            raise NotFoundError(f"no run {run_id!r} is in flight; {self._in_words()}")
        return handle

    def in_flight(self) -> tuple[RunHandle, ...]:
        """Return the handles of the runs in flight, oldest first."""
        return tuple(self._handed_out(flight.handle) for flight in self._flights.values())

    def cancel(self, run_id: str) -> None:
        """End a run soon, in whatever scope. Raises `NotFoundError` if it is not in flight."""
        flights = list(self._called(run_id))
        if not flights:
            raise NotFoundError(f"no run {run_id!r} is in flight; {self._in_words()}")
        for flight in flights:
            self._end(flight.key)

    def cancel_all(self) -> None:
        """End all runs soon."""
        for key in tuple(self._flights):
            self._end(key)

    def _called(self, run_id: str) -> Iterator[Flight]:
        return (flight for flight in self._flights.values() if flight.request.run_id == run_id)

    def _end(self, key: str) -> None:
        flight = self._flights.get(key)
        if flight is not None:
            flight.cancel()
            self._turns.send_away(key)

    def _in_words(self) -> str:
        return f"runs in flight: {', '.join(one.request.run_id for one in self._flights.values()) or 'none'}"

    async def closed(self) -> None:
        """Wait, for a limited time, until all runs have ended and their claims are removed."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_ENDING_S)
        if self._leases is not None:
            await self._leases.close()

    # -- the actor of a run ------------------------------------------------------------------------

    async def _in_turn(self, flight: Flight) -> ReflectionResult:
        work = flight.work
        if work is None:
            assert flight.result is not None
            flight.handle.record(_end_of(flight))
            return flight.result
        if not await observed("queue", self._turns.take(flight.key), name=self._name):
            return await work.abandoned(ActorDeadError(Shutdown(), "the run's turn"))
        try:
            return await self._now(flight, work)
        finally:
            self._turns.give_back()

    async def _now(self, flight: Flight, work: Work) -> ReflectionResult:
        """Let an actor do the work, and a new one if the first is killed."""
        key, starts = flight.key, 0
        assert self._supervisor is not None
        spec = ChildSpec(
            id=key,
            start=(ReflectionLoop, (work,), {}),
            restart="temporary",
            shutdown=self._config.step_timeout_s,
        )
        try:
            while True:
                loop = await self._supervisor.ask(StartChild(spec), timeout_s=None, when_restarting="wait")
                starts += 1
                if starts > 1 and OBSERVING.observer is not None:
                    told = {"run_id": flight.request.run_id, "component": "loop"}
                    flight.request.context.run(OBSERVING.observer.happened, "restarted", told)
                try:
                    return await loop.ask(Run(), timeout_s=None)
                except ActorDeadError as error:
                    if isinstance(error.reason, Crashed):
                        return await work.abandoned(error)
                    # Its actor was killed, or stopped with its supervisor: continue if a new one can be started.
        except ActorDeadError as error:
            return await work.abandoned(error)
        except asyncio.CancelledError:
            work.cancel()
            if not work.is_under_way:  # its actor may have started and would wait forever
                self._supervisor.tell(TerminateChild(key))
            raise


def _nothing() -> None:
    """Do nothing: what is over cannot be cancelled."""


def _end_of(flight: Flight) -> RunStopped:
    """Return the event that ends a run that is over, again."""
    assert flight.result is not None
    return RunStopped(flight.request.run_id, flight.result, seq=max(1, flight.events))


def _observed(flight: Flight, result: ReflectionResult | None, error: Exception | None) -> None:
    """Let the observer know how a run ended."""
    step, flight.step = flight.step, None
    if step is not None:
        flight.request.context.run(step.end, result, error)
