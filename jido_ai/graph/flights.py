"""Flights: the runs in flight of one graph. Each is claimed, and carried out by an actor of its own."""

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
from jido_ai.components.component import text_of
from jido_ai.errors import ActorDeadError, ActorError, CallError, ConfigurationError, NotFoundError, StoreError
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.log import GraphLog
from jido_ai.graph.record import RecordedGraph, read_graph
from jido_ai.graph.results import GraphResult
from jido_ai.graph.runner import Begin, GraphRun
from jido_ai.graph.work import GraphRequest, GraphWork, Past
from jido_ai.loop.claims import claimed
from jido_ai.loop.handle import RunHandle
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.leases import Lease, Leases
from jido_ai.loop.runs import key_of
from jido_ai.telemetry import OBSERVING, Observed
from jido_ai.values import ErrorInfo, ReflectionResult, Scope

__all__ = ["Flight", "Flights", "GraphHandle"]

_ENDING_S: Final = 5.0
GraphHandle = RunHandle[GraphResult, GraphEvent]


@dataclass(slots=True, eq=False)
class Flight:
    """A run in flight.

    Attributes:
        work: None until the run is claimed.
        is_cancelled: it should end soon.
        recorded: the run so far, of one that is resumed.
        step: the run, as the observer sees it.
    """

    request: GraphRequest
    handle: GraphHandle
    log: GraphLog
    work: GraphWork | None = None
    lease: Lease | None = None
    is_cancelled: bool = False
    recorded: RecordedGraph | None = None
    step: Observed | None = None

    @property
    def key(self) -> str:
        """Return what tells it from the other runs in flight."""
        return key_of(self.request.run_id, self.request.scope)

    def cancel(self) -> None:
        self.is_cancelled = True
        if self.work is not None:
            self.work.cancel()


MakeWork = Callable[[Flight, "Past | None"], GraphWork]


class Flights:
    """Admits runs, carries them out, and knows those in flight.

    Args:
        make_work: returns the work of a run, from what its journal has.
        journal, leases: None for a graph without a journal.
        name: of the graph, for an observer.
    """

    def __init__(
        self, make_work: MakeWork, journal: RunJournal | None, leases: Leases | None, *, name: str = "graph"
    ) -> None:
        self._name = name
        self._make_work = make_work
        self.journal = journal
        self._leases = leases
        self._supervisor: ActorRef | None = None
        self._flights: dict[str, Flight] = {}
        self._handles: WeakValueDictionary[str, GraphHandle] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_closing = False

    def open(self, supervisor: ActorRef) -> None:
        """Use the supervisor of the run actors from now on."""
        self._supervisor = supervisor
        self._is_closing = False

    # -- admission -----------------------------------------------------------------------------------

    async def load(self, run_id: str, scope: Scope | None) -> RecordedGraph:
        """Return a run of the journal.

        Raises:
            ConfigurationError: there is no journal, or the run cannot be resumed because a secret was masked.
            NotFoundError, StoreError: as `RunJournal.load`.
        """
        if self.journal is None:
            raise ConfigurationError("this graph has no journal; pass the memory that holds the run: memory=")
        records = await self.journal.records(run_id, scope)
        recorded = read_graph(run_id, records[0].scope, [(one.kind, one.data) for one in records])
        if recorded.is_redacted:
            raise ConfigurationError(
                f"cannot resume run {run_id!r}: its journal masked a secret in an input or an output, which changed "
                'it; a memory with redact="none" keeps secrets'
            )
        return recorded

    async def admit(
        self, request: GraphRequest, recorded: RecordedGraph | None = None, *, is_new: bool = False
    ) -> Flight | None:
        """Claim a run and return it, ready to be carried out; None if it should be new and is not.

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
        log = GraphLog(request.run_id, 0 if recorded is None else recorded.events)
        flight = Flight(request, RunHandle(request.run_id, partial(self._end, key), log), log)
        self._flights[key] = flight
        if self._leases is None:
            flight.work = self._make_work(flight, None)
            return flight
        is_admitted = False
        try:
            lease = flight.lease = self._leases.new(request.run_id, request.scope)
            try:
                await lease.claim()
            except (StoreError, ActorError, ConfigurationError):  # without the journal a new run can still go on
                if recorded is not None or is_new:
                    raise
            assert self.journal is not None
            if is_new and await self.journal.has(request.run_id, request.scope):
                return None
            past = None
            if recorded is not None:  # another owner may have continued it before we claimed it
                now = await self.load(request.run_id, request.scope)
                lost = [path for path in request.decisions if path in recorded.waiting and path not in now.waiting]
                if lost:
                    raise ConfigurationError(f"{lost[0]!r} of run {request.run_id!r} was decided meanwhile")
                past = await self.past_of(now, is_over=now.is_over)
                flight.recorded = now
            flight.work = self._make_work(flight, past)
            if flight.is_cancelled:
                flight.cancel()
            is_admitted = True
            return flight
        finally:
            if not is_admitted:
                self._forget(flight)
                await self._release(flight)

    async def past_of(self, recorded: RecordedGraph, *, is_over: bool) -> Past:
        """Return what a run did before, with the results of its loops."""
        assert self.journal is not None
        loops: dict[str, ReflectionResult] = {}
        for path, line in recorded.nodes.items():
            if line.kind == "loop":
                run = await self.journal.load(f"{recorded.run_id}/{path}", recorded.scope)
                result = run.result()
                if result is not None:
                    loops[path] = result
        return Past(recorded, loops, is_over)

    def over(self, result: GraphResult) -> GraphHandle:
        """Return a handle of a run that is over."""
        handle: GraphHandle = RunHandle(result.run_id, _nothing)
        handle.record(GraphStopped(result.run_id, result))
        handle.settle(result)
        return self._handed_out(handle)

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

    # -- in flight -----------------------------------------------------------------------------------

    async def finish(self, flight: Flight) -> GraphResult:
        """Carry out an admitted run to its end. Cancelling this cancels the run."""
        result: GraphResult | None = None
        error: BaseException | None = None
        observer, context = OBSERVING.observer, flight.request.context
        if observer is not None:
            facts = {"name": self._name, "request": flight.request, "recorded": flight.recorded}
            flight.step = context.run(observer.begin, "graph", facts)
        try:
            result = await self._now(flight)
            return result
        except BaseException as failure:
            error = failure
            raise
        finally:
            self._forget(flight)
            try:
                if flight.lease is not None:
                    await self._release(flight)
            finally:
                if isinstance(error, asyncio.CancelledError) and flight.work is not None:
                    result = flight.work.result()
                if flight.step is not None:
                    context.run(flight.step.end, result, error)
                is_ours = isinstance(error, Exception)
                flight.handle.settle(result, error if is_ours else None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - just told apart

    def start(self, flight: Flight) -> GraphHandle:
        """Carry out a run in a task of its own; return its handle."""
        task = asyncio.create_task(self.finish(flight), name=f"run {flight.request.run_id}")
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return self._handed_out(flight.handle)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # the handle has it

    def _handed_out(self, handle: GraphHandle) -> GraphHandle:
        self._handles[handle.run_id] = handle
        return handle

    def handle(self, run_id: str) -> GraphHandle:
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

    def in_flight(self) -> tuple[GraphHandle, ...]:
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
        self._is_closing = True
        for key in tuple(self._flights):
            self._end(key)

    def _called(self, run_id: str) -> Iterator[Flight]:
        return (flight for flight in self._flights.values() if flight.request.run_id == run_id)

    def _end(self, key: str) -> None:
        flight = self._flights.get(key)
        if flight is not None:
            flight.cancel()

    def _in_words(self) -> str:
        return f"runs in flight: {', '.join(one.request.run_id for one in self._flights.values()) or 'none'}"

    async def ended(self) -> None:
        """Wait, for a limited time, until the runs that were cancelled have ended."""
        over = [flight.work.over for flight in self._flights.values() if flight.work is not None]
        if over:
            await asyncio.wait(over, timeout=_ENDING_S)

    async def closed(self) -> None:
        """Wait, for a limited time, until the tasks of the runs have ended and their claims are removed."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_ENDING_S)
        if self._leases is not None:
            await self._leases.close()

    # -- the actor of a run --------------------------------------------------------------------------

    async def _now(self, flight: Flight) -> GraphResult:
        """Let an actor do the work, and a new one if the first is killed."""
        work, key = flight.work, flight.key
        assert self._supervisor is not None
        assert work is not None
        spec = ChildSpec(id=key, start=(GraphRun, (work,), {}), restart="temporary")
        try:
            while True:
                run = await self._supervisor.ask(StartChild(spec), timeout_s=None, when_restarting="wait")
                try:
                    return await run.ask(Begin(), timeout_s=None)
                except CallError as error:  # not even our own bugs lose what is done
                    return work.abandon(_info_of(error))
                except ActorDeadError as error:
                    if isinstance(error.reason, Crashed):
                        return work.abandon(_info_of(error))
                    # Its actor was killed, or stopped with its supervisor: continue if a new one can be started.
        except ActorDeadError as error:
            is_closed = self._is_closing or error.reason == Shutdown()
            return work.abandon(ErrorInfo("cancelled", "the graph was closed") if is_closed else _info_of(error))
        except asyncio.CancelledError:
            work.abandon(ErrorInfo("cancelled", "the run was cancelled"))
            self._supervisor.tell(TerminateChild(key))
            raise
        finally:
            work.over.set_result(None)


def _nothing() -> None:
    """Do nothing: what is over cannot be cancelled."""


def _info_of(error: BaseException) -> ErrorInfo:
    return ErrorInfo(type(error).__name__, text_of(error), "graph")
