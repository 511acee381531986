"""Runnable: a pipeline or a graph, entered with `async with`, and the runs that callers start, follow and resume."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from contextvars import Context, copy_context
from functools import partial
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Generic, Self, TypeVar, get_args

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem, TreeNode, running_loop
from jido_ai.actors.to_its_end import to_its_end
from jido_ai.components.observing import start_observing
from jido_ai.errors import ConfigurationError, NotFoundError, describe
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.pricing import require_prices
from jido_ai.runs.call_log import RecordCalls
from jido_ai.runs.checks import checked_seconds
from jido_ai.runs.handle import NumberedEvent, RunHandle
from jido_ai.runs.journal import Journal
from jido_ai.runs.leases import Leases
from jido_ai.runs.progress_bar import Told, teller
from jido_ai.runs.questions import Decisions, Question, check_decision
from jido_ai.runs.service import ActiveRun, RunService
from jido_ai.runs.work import RecordedState, Request
from jido_ai.telemetry import Sink
from jido_ai.values import Budget, ModelCall, Scope
from jido_ai.values.checks import checked, checked_id

RequestT = TypeVar("RequestT", bound=Request)
RecordedT = TypeVar("RecordedT", bound=RecordedState)
ResultT = TypeVar("ResultT")
EventT = TypeVar("EventT", bound=NumberedEvent)
Memory = ReflexionMemory | str | Path | bool | None
"""None; True for one in this process; a path or address; or a memory."""
_numbers: Final = count(1)


class Runnable(ABC, Generic[RequestT, RecordedT, ResultT, EventT]):
    """Supervised actors that carry out runs; `async with` starts them.

    Args:
        kind: "pipeline" or "graph", for names and messages.
        memory: None; True (in this process); a path or address; or a `ReflexionMemory`. One that is open stays open and
            belongs to the caller; any other is opened and closed with the actors.
        journal: True needs a memory; False writes nothing down.
        lease_s: seconds after its last sign of life for which a process keeps its runs, more than 0.

    Raises:
        ConfigurationError: an argument can never work. Nothing has started.
    """

    def __init__(
        self,
        kind: str,
        *,
        name: str | None,
        system: ActorSystem | None,
        memory: Memory,
        journal: bool | None,
        lease_s: float,
        sink: Sink | None,
        record_calls: RecordCalls = "redacted",
    ) -> None:
        self._kind = kind
        self.name = f"{kind}-{next(_numbers)}" if name is None else checked("name", name, str)
        if not self.name.strip():
            raise ConfigurationError("name must not be blank; omit it for a generated name")
        self._own_system = system is None
        self._system = ActorSystem(self.name, sink=sink) if system is None else checked("system", system, ActorSystem)
        used = _memory_of(memory, self._system)
        if journal and used is None:
            raise ConfigurationError("a journal needs a memory: set memory=True or a path, or omit journal")
        self._may_be_journaled = journal is not False
        self._lease_s = checked_seconds("lease_s", lease_s)
        if record_calls not in get_args(RecordCalls):
            raise ConfigurationError(f'record_calls must be "redacted", "full" or "off", got {describe(record_calls)}')
        self._record_calls: RecordCalls = record_calls
        self._attach_memory(used)
        self._closes_memory = self._is_closing = False
        self._top: ActorRef | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # in which it is entered

    # -- for subclasses ----------------------------------------------------------------------------

    @abstractmethod
    def _new_runs(
        self, memory: ReflexionMemory | None, leases: Leases | None
    ) -> RunService[RequestT, RecordedT, ResultT, EventT]:
        """Return the service of the runs; without a memory, they have no journal."""

    @abstractmethod
    async def _start_actors(self) -> None:
        """Start the actors in the system with `_start_top`."""

    @abstractmethod
    def _closing(self) -> list[Callable[[], Awaitable[object]]]:
        """Return the steps that stop the actors; the last one is taken first."""

    @abstractmethod
    def _resumed(
        self, recorded: RecordedT, decision: Decisions | None, approve: Callable[..., object] | None
    ) -> RequestT:
        """Return the request that continues a recorded run in the current context. Raises `ConfigurationError`."""

    @abstractmethod
    def _repeated(self, request: RequestT, recorded: RecordedT) -> RequestT:
        """Return the request that continues a run of the same id. Raises `ConfigurationError` if it is another run."""

    @abstractmethod
    def budgets(self) -> Iterable[tuple[Budget | None, Iterable[object]]]:
        """Return the budget of the runs, and of each part of them, with the components and models that it is for."""

    # -- life --------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        loop = running_loop()
        self._check_loop()
        if self._loop is not None:
            raise ConfigurationError(f"{self.name} is already running; enter it once and share it")
        if not self._own_system and self._system.is_running and self._system.loop is not loop:
            raise self._in_another_loop(repr(self._system))
        self._is_closing = False
        await to_its_end(self._open(loop), undo=self._close)
        return self

    async def _open(self, loop: asyncio.AbstractEventLoop) -> None:
        start_observing(self._system)
        if self._own_system:
            await self._system.start()
        self._loop = loop
        try:
            if self._memory is not None:
                self._closes_memory = await self._memory.open()
            await self._start_actors()
            self._runs.open(self._named(f"{self.name}.runs"))
        except BaseException:
            await self._close()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._check_loop()
        await to_its_end(self._close())

    async def _close(self) -> None:
        """Stop in reverse: runs (each returns its result so far), components and their calls, memory, system.

        A failure or a cancellation does not prevent the other parts from being stopped.
        """
        self._is_closing = True
        self._runs.cancel_all()
        try:
            async with AsyncExitStack() as stack:
                if self._own_system:
                    stack.push_async_callback(self._system.stop)
                if self._memory is not None and self._closes_memory:
                    stack.push_async_callback(self._memory.close)
                for step in self._closing():
                    stack.push_async_callback(step)
        finally:
            self._top, self._closes_memory, self._loop = None, False, None

    async def _spawn(self, top: ChildSpec) -> ActorRef:
        """Start the actors in the system; a loop of a graph starts them under a supervisor of the graph."""
        return await self._system.spawn(top)

    async def _start_top(self, *children: ChildSpec, **options: Any) -> None:
        """Start the supervisor of the children and of the actors of the runs."""
        runs = ChildSpec(id="runs", start=(DynamicSupervisor, (), {}), type="supervisor", name=f"{self.name}.runs")
        top = ChildSpec(
            id=self.name,
            start=(Supervisor, ([*children, runs],), options),
            restart="transient",  # restart after a crash, not after `_close`
            type="supervisor",
            name=self.name,
        )
        self._top = await self._spawn(top)

    async def _stop_top(self) -> None:
        if self._top is not None:
            await self._top.stop(timeout_s=None)

    def _named(self, name: str) -> ActorRef:
        ref = self._system.whereis(name)
        assert ref is not None, name
        return ref

    def use_memory(self, memory: ReflexionMemory) -> None:
        """Set the memory, and with it the journal, of one that has none and is not running.

        Raises:
            ConfigurationError: it has a memory, or is running.
        """
        if self._memory is not None or self._loop is not None:
            raise ConfigurationError(f"{self.name} {'is running' if self._memory is None else 'has a memory'}")
        self._attach_memory(memory)

    def _attach_memory(self, memory: ReflexionMemory | None) -> None:
        self._memory = memory
        writes_to = memory if self._may_be_journaled else None
        leases = None if writes_to is None else Leases(writes_to, self._lease_s, self._system.emit)
        self._runs = self._new_runs(writes_to, leases)

    @property
    def running_in(self) -> asyncio.AbstractEventLoop | None:
        """The event loop in which it was entered; None if it is not running."""
        return self._loop

    @property
    def memory(self) -> ReflexionMemory | None:
        """The memory; None without one."""
        return self._memory

    @property
    def journal(self) -> Journal | None:
        """The journal of the runs; None without one."""
        return self._runs.journal

    def tree(self) -> TreeNode:
        """Return the current supervision tree."""
        return self._system.tree()

    # -- runs --------------------------------------------------------------------------------------

    async def resume(
        self,
        run_id: str,
        scope: Scope | None = None,
        *,
        decision: Decisions | None = None,
        approve: Callable[..., object] | None = None,
    ) -> ResultT:
        """Continue a run of the journal after its last finished step, and return the result.

        Finished steps are not repeated, and their cost counts. Of a run that is over, the result is returned as it was:
        one that converged, was declined or made its maximum of candidates; of a graph, one that has its output. So is
        that of a suspended pipeline if there is neither a decision nor anybody to ask. A run of a graph that failed as
        a whole tries again what failed. The run continues with the components and the configuration of this object,
        with a new time limit and in the context of this call.

        Args:
            scope: None looks in all scopes.
            decision: a person's answer to what the run waits for: True, False, a text or a `Candidate`; in a graph by
                path if several nodes wait. It is written to the journal before it counts, and counts for the text that
                was shown: a graph that would show another one by now asks again. `{question.id: True}` answers one of
                `questions` and no other.
            approve: asked instead of the pipeline's, or by every `ApprovalNode` of a graph.

        Raises:
            NotFoundError: the journal has no such run.
            StoreDamagedError, StoreVersionError: the journal of the run cannot be read.
            RunClaimedError: the run is in flight, here or in another process. Nothing was called.
            OtherQuestionError: the decision names a question that is not open any more.
            ConfigurationError: there is no journal, it is the run of another kind or has other inputs, nothing waits
                for the decision, or a secret was masked, which changed a text.
        """
        return await self._runs.finish(await self._resumption(run_id, scope, decision, approve))

    async def questions(self, run_id: str, scope: Scope | None = None) -> tuple[Question, ...]:
        """Return the open questions of a run of the journal, with the texts to show to a person.

        Raises:
            ConfigurationError: there is no journal, or a secret was masked, which changed a text.
            NotFoundError, StoreError: as `resume`.
        """
        return (await self._runs.load(checked_id(run_id), scope)).questions

    def stream_resumed(
        self,
        run_id: str,
        scope: Scope | None = None,
        *,
        decision: Decisions | None = None,
        approve: Callable[..., object] | None = None,
    ) -> AsyncGenerator[EventT]:
        """Do as `resume`, and yield the events from here on; only the last one for a run that is over."""
        return self._events_of(partial(self._resumption, run_id, scope, decision, approve, copy_context()))

    def handle(self, run_id: str) -> RunHandle[ResultT, EventT]:
        """Return the handle of a run in flight; also of one that is over while a handle of it is held.

        Raises:
            NotFoundError: there is no such run.
        """
        self._check_loop()
        return self._runs.handle(checked_id(run_id))

    def runs_in_flight(self) -> tuple[RunHandle[ResultT, EventT], ...]:
        """Return the handles of the runs in flight here, oldest first, including those that wait for their turn."""
        self._check_loop()
        return self._runs.in_flight()

    async def calls(self, run_id: str, scope: Scope | None = None) -> tuple[ModelCall, ...]:
        """Return the calls of models of a run in flight, or of one in the journal, in the order in which they began.

        Args:
            scope: None looks in all scopes.

        Raises:
            NotFoundError: there is no such run, or more than one scope has it and none was given.
            StoreDamagedError: the journal has a call that cannot be read.
        """
        self._check_loop()
        within = None if scope is None else checked("scope", scope, Scope)
        return await self._runs.calls(checked_id(run_id), within)

    async def cancel(self, run_id: str) -> None:
        """End a run soon; its awaiter gets the result so far. Raises `NotFoundError` if no such run is in flight."""
        self._check_loop()
        self._runs.cancel(checked_id(run_id))

    async def check_prices(self) -> None:
        """Raise `ConfigurationError` if a budget in dollars cannot be kept, because a model's price is not known.

        Every run does so before it begins.
        """
        for budget, parts in self.budgets():
            await require_prices(budget, parts)

    # -- the same for all kinds of requests --------------------------------------------------------

    async def _run(self, request: RequestT) -> ResultT:
        return await self._runs.finish(await self._admitted(request))

    async def _run_or_resume(self, request: RequestT) -> ResultT:
        return await self._runs.finish(await self._continued(request))

    async def _start(
        self,
        request: RequestT | None,
        resume: str | None,
        scope: Scope | None,
        decision: Decisions | None,
        approve: Callable[..., object] | None,
    ) -> RunHandle[ResultT, EventT]:
        """Start a request; or, without one, the continuation of the run `resume`."""
        if resume is None:
            assert request is not None
            if decision is not None:
                raise ConfigurationError("decision needs resume=, the id of the run that waits for it")
            return self._runs.start(await self._admitted(request))
        return self._runs.start(await self._resumption(resume, scope, decision, approve))

    def _stream(self, make: Callable[[], RequestT]) -> AsyncGenerator[EventT]:
        """Run a request in the context of this call and yield its events; errors come with the first."""
        caller = copy_context()
        return self._events_of(lambda: self._admitted(caller.run(make)))

    async def _events_of(
        self, admit: Callable[[], Awaitable[ActiveRun[RequestT, RecordedT, ResultT, EventT]]]
    ) -> AsyncGenerator[EventT]:
        """Carry out a run and yield its events. Leaving early cancels the run."""
        run = await admit()
        task = asyncio.ensure_future(self._runs.finish(run))
        try:
            async with contextlib.aclosing(run.handle.events()) as events:
                async for event in events:
                    yield event
            await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})

    async def _run_many(
        self, requests: Sequence[RequestT], max_concurrency: int | None, progress: bool | Told = False
    ) -> list[ResultT]:
        """Run all requests, at most `max_concurrency` at once, and return the results in their order."""
        slots = asyncio.Semaphore(max_concurrency or max(1, len(requests)))
        tell, done = teller(progress), count(1)

        async def one(request: RequestT) -> ResultT:
            async with slots:
                result = await self._run(request)
            if tell is not None:
                tell(next(done), len(requests))
            return result

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(request)) for request in requests]
        return [task.result() for task in tasks]

    # -- inside ------------------------------------------------------------------------------------

    async def _admitted(self, request: RequestT) -> ActiveRun[RequestT, RecordedT, ResultT, EventT]:
        await self.check_prices()
        run = await self._runs.admit(request)
        assert run is not None
        return run

    async def _resumption(
        self,
        run_id: str,
        scope: Scope | None,
        decision: Decisions | None,
        approve: Callable[..., object] | None,
        caller: Context | None = None,
    ) -> ActiveRun[RequestT, RecordedT, ResultT, EventT]:
        """Return a run of the journal, ready to be continued in the context of the caller."""
        checked_id(run_id)
        check_decision(decision)
        self._check_is_running()
        recorded = await self._runs.load(run_id, scope)
        await self.check_prices()
        request = (caller or copy_context()).run(self._resumed, recorded, decision, approve)
        return await self._runs.resumption(request, recorded)

    async def _continued(self, request: RequestT) -> ActiveRun[RequestT, RecordedT, ResultT, EventT]:
        """Return a new run; or, under an id that is known, what is left of that run."""
        await self.check_prices()
        while True:
            try:
                recorded = await self._runs.load(request.run_id, request.scope)
            except NotFoundError:
                run = await self._runs.admit(request, is_new=True)
                if run is not None:
                    return run
                continue  # it appeared meanwhile
            request = self._repeated(request, recorded)
            if recorded.status == "cancelled":
                return await self._runs.ended(request, recorded)
            return await self._runs.resumption(request, recorded)

    def _check_is_running(self) -> None:
        if self._top is None or self._is_closing:
            raise ConfigurationError(f"the {self._kind} is not running; use it in `async with`")
        self._check_loop()

    def _check_loop(self) -> None:
        """Raise `ConfigurationError` if it was entered in another event loop than the running one."""
        if self._loop is not None and self._loop is not running_loop():
            raise self._in_another_loop(self.name)

    def _in_another_loop(self, name: str) -> ConfigurationError:
        return ConfigurationError(
            f"{name} was started in another event loop and works only there; "
            f"to use a {self._kind} from threads or from several event loops, use BlockingPipeline"
        )


def _memory_of(memory: object, system: ActorSystem) -> ReflexionMemory | None:
    if memory is None or memory is False:
        return None
    if isinstance(memory, ReflexionMemory):
        return memory
    if memory is True:
        return ReflexionMemory(similarity="auto", system=system)
    if isinstance(memory, str | Path):
        return ReflexionMemory(str(memory), similarity="auto", system=system)
    raise ConfigurationError(f"memory must be None, True, a path or a ReflexionMemory, got {describe(memory)}")
