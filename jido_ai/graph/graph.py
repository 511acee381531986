"""Graph: loops and plain steps as one supervised run.

    graph = Graph({"draft": LoopNode("Write about {topic}", ...), "tidy": StepNode(tidy, inputs={"text": "{draft}"})},
                  inputs=["topic"], output="tidy")
    async with graph:
        result = await graph.run({"topic": "supervision trees"})

What a graph consists of can be read without starting it: `graph.nodes` are the specifications by name, `graph.edges`
what joins them, `graph.plan` the nodes in an order in which each comes after those it waits for, with the plans of
nested graphs (`PlanNode.plan`) and of maps (`PlanNode.each`) below.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from contextvars import Context, copy_context
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Generic, Literal, Self, TypedDict, TypeVar, Unpack, cast

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.ref import ActorRef, current_cell
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem, TreeNode
from jido_ai.components.component import check_max_concurrency, method_of, used_by
from jido_ai.components.metering import current_meter
from jido_ai.errors import ConfigurationError, NotFoundError, describe
from jido_ai.graph.build import plan_of
from jido_ai.graph.config import GraphConfig
from jido_ai.graph.decisions import Decision, decisions_of
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.flights import Flight, Flights, GraphHandle
from jido_ai.graph.gate import Gate
from jido_ai.graph.hosts import StepHost
from jido_ai.graph.log import GraphLog
from jido_ai.graph.loop_host import LoopHost
from jido_ai.graph.node_tree import NodeTree
from jido_ai.graph.nodes import Node
from jido_ai.graph.picture import draw
from jido_ai.graph.plan import Edge
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult, OutputT
from jido_ai.graph.settings import nearest
from jido_ai.graph.step_calls import as_output
from jido_ai.graph.toml_file import FileGraph, read_graph
from jido_ai.graph.work import GraphRequest, GraphWork, Past
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.leases import Leases
from jido_ai.loop.options import Memory
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import enclosing_spending
from jido_ai.protocols import AnyModel
from jido_ai.telemetry import Sink, start_observing
from jido_ai.values import MOST_LEVELS, Scope, is_too_deep, new_id

__all__ = ["Graph"]

_DEFAULT_SCOPE: Final = Scope()
_numbers = itertools.count(1)
T = TypeVar("T")
Approve = Callable[..., object]


class GraphOptions(TypedDict, total=False):
    """The arguments of `Graph` that a file does not have."""

    memory: Memory
    name: str | None
    system: ActorSystem | None
    journal: bool | None
    lease_s: float
    sink: Sink | None


class Graph(Generic[OutputT]):
    """Loops and plain steps under supervision; `async with` starts it.

    Args:
        nodes: by name; a mapping, or pairs.
        inputs: names of what `run` is given.
        output: name of the node whose output is that of the graph.
        memory: as in `Pipeline`; one for all loops.
        config: limits of the runs and the supervision of the nodes.
        name: prefix of its actors' names; unique in its system.
        system: actor system to live in; None creates one.
        journal: write every finished node of every run to the memory's journal, so that `resume` can continue an
            interrupted run. None: if there is a memory.
        lease_s: seconds after its last sign of life for which a process keeps its runs, more than 0; as in `Pipeline`.
        sink: receives the runtime's events if the graph creates its system.

    Attributes:
        plan: what was checked; see `jido_ai.graph.plan`.
        config: as given, or the default.

    Raises:
        ConfigurationError: something can never work; the message has one line for each fault, with its place and the
            nearest name. Nothing has started.
    """

    def __init__(
        self,
        nodes: Mapping[str, Node] | Iterable[tuple[str, Node]],
        *,
        output: str,
        inputs: Sequence[str] = (),
        memory: Memory = None,
        config: GraphConfig | None = None,
        name: str | None = None,
        system: ActorSystem | None = None,
        journal: bool | None = None,
        lease_s: float = 30.0,
        sink: Sink | None = None,
    ) -> None:
        self.config = GraphConfig() if config is None else _checked("config", config, GraphConfig)
        self.name = f"graph-{next(_numbers)}" if name is None else _checked("name", name, str)
        if not self.name.strip():
            raise ConfigurationError("name must not be blank; omit it for a generated name")
        self.plan = plan_of(nodes, inputs, output)
        self._nodes = MappingProxyType({name: self.plan.nodes[self.plan.index[name]].spec for name in self.plan.names})
        self._own_system = system is None
        self._system = ActorSystem(self.name, sink=sink) if system is None else _checked("system", system, ActorSystem)
        kept = _memory_of(memory, self._system)
        if journal and kept is None:
            raise ConfigurationError("a journal needs a memory: set memory=True or a path, or omit journal")
        if isinstance(lease_s, bool) or not isinstance(lease_s, int | float) or not 0 < lease_s < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
            raise ConfigurationError(f"lease_s must be a number of seconds above 0, got {describe(lease_s)}")
        self._lease_s = float(lease_s)
        self._may_be_journaled = journal is not False
        self._keep_in(kept)
        self._closes_memory = False
        self._gate = Gate(self.config.max_concurrency)
        self._hosts: list[StepHost | LoopHost] = []
        self._top: ActorRef | None = None
        self._is_closing = False
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def from_toml(
        cls, path: str | Path, *, trust: bool = False, model: AnyModel | None = None, **options: Unpack[GraphOptions]
    ) -> Self:
        """Build the graph of a TOML file; see `jido_ai.graph.toml_file`.

        Args:
            trust: steps may be Python functions that the file names.
            model: a model, or the name of one, for nodes that name none.
            options: other arguments of `Graph`: memory, system, name, journal, lease_s, sink.

        Raises:
            ConfigurationError: the file cannot be read, or is wrong; one line for each fault, with file, table and key.
        """

        def made(file: FileGraph, **options: Any) -> Any:
            try:
                return cls(file.nodes, inputs=file.inputs, output=file.output, config=file.config, **options)
            except ConfigurationError as error:
                lines = [f"{file.path}: {line}" for line in str(error).splitlines()]
                raise ConfigurationError("\n".join(lines)) from error

        file = read_graph(path, made, trust=trust, model=model)
        return made(file, **{"name": file.name, **options})

    def use_memory(self, memory: ReflexionMemory) -> None:
        """Give a graph that has no memory, and is not running, one; it also gets the journal.

        Raises:
            ConfigurationError: it has a memory, or is running.
        """
        if self._memory is not None or self._loop is not None:
            raise ConfigurationError(f"{self.name} {'is running' if self._memory is None else 'has a memory'}")
        self._keep_in(memory)

    def _keep_in(self, memory: ReflexionMemory | None) -> None:
        self._memory = memory
        self._journal = RunJournal(memory) if memory is not None and self._may_be_journaled else None
        leases = None if self._journal is None else Leases(self._journal.memory, self._lease_s, self._system.emit)
        self._flights = Flights(self._work, self._journal, leases, name=self.name)

    # -- what it consists of -------------------------------------------------------------------------

    @property
    def nodes(self) -> Mapping[str, Node]:
        """The specifications of the nodes by name, in the order of the author."""
        return self._nodes

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return self.plan.inputs

    @property
    def output(self) -> str:
        """The name of the output node."""
        return self.plan.nodes[self.plan.output].name

    @property
    def edges(self) -> tuple[Edge, ...]:
        """What joins the nodes: templates, `after`, choices and fallbacks."""
        return self.plan.edges

    @property
    def running_in(self) -> asyncio.AbstractEventLoop | None:
        """The event loop in which the graph was entered; None if it is not running."""
        return self._loop

    @property
    def memory(self) -> ReflexionMemory | None:
        """The graph's memory; None without one."""
        return self._memory

    @property
    def journal(self) -> RunJournal | None:
        """The journal of its runs; None without one."""
        return self._journal

    def draw(self, form: Literal["text", "mermaid", "svg"] = "text", result: GraphResult | None = None) -> str:
        """Return the picture of the graph.

        Args:
            form: "text", "mermaid", or "svg" for light and dark backgrounds.
            result: colours the nodes by what became of them.

        Raises:
            ConfigurationError: the form is unknown.
        """
        return draw(self.plan, form, result)

    def tree(self) -> TreeNode:
        """Return the current supervision tree."""
        return self._system.tree()

    def uses(self) -> tuple[object, ...]:
        """Return the components and models that the nodes use, each once; none if the graph is not running."""
        found = [host.pipeline.uses() if isinstance(host, LoopHost) else host.components for host in self._hosts]
        return tuple(used_by(itertools.chain.from_iterable(found)))

    # -- life ----------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._check_loop()
        if self._loop is not None:
            raise ConfigurationError(f"{self.name} is already running; enter it once and share it")
        if not self._own_system and self._system.is_running and self._system.loop is not asyncio.get_running_loop():
            raise _in_another_loop(repr(self._system))
        self._is_closing = False
        start_observing(self._system)
        if self._own_system:
            await self._system.start()
        self._loop = asyncio.get_running_loop()
        try:
            if self._memory is not None and not self._memory.is_open:
                self._closes_memory = True
                await self._memory.open()
            await self._start_actors()
        except BaseException:
            await self._close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._check_loop()
        await self._close()

    async def _start_actors(self) -> None:
        tree = NodeTree(
            self.name,
            self.config,
            system=self._system,
            memory=self._memory,
            journal=self._journal,
            lease_s=self._lease_s,
        )
        children = tree.specs(self.plan, self.name)
        self._hosts = tree.hosts
        children.append(
            ChildSpec(id="runs", start=(DynamicSupervisor, (), {}), type="supervisor", name=f"{self.name}.runs")
        )
        self._top = await self._system.spawn(
            ChildSpec(
                id=self.name,
                start=(
                    Supervisor,
                    (children,),
                    {
                        "strategy": self.config.strategy,
                        "max_restarts": self.config.max_restarts,
                        "max_seconds": self.config.max_seconds,
                    },
                ),
                restart="transient",  # restart after a crash, not after `_close`
                type="supervisor",
                name=self.name,
            )
        )
        for host in self._hosts:
            if isinstance(host, StepHost):
                host.ref = self._named(host.name)
        for loop, above in tree.loops:
            await loop.open(self._named(above))
        self._flights.open(self._named(f"{self.name}.runs"))

    def _named(self, name: str) -> ActorRef:
        ref = self._system.whereis(name)
        assert ref is not None, name
        return ref

    async def _close(self) -> None:
        """Stop in reverse: runs (each returns its result so far), nodes and their calls, memory, system."""
        self._is_closing = True
        self._flights.cancel_all()
        try:
            async with AsyncExitStack() as stack:
                if self._own_system:
                    stack.push_async_callback(self._system.stop)
                if self._memory is not None and self._closes_memory:
                    stack.push_async_callback(self._memory.close)
                if self._top is not None:
                    stack.push_async_callback(self._top.stop, timeout_s=None)
                for host in self._hosts:
                    stack.push_async_callback(host.close)
                stack.push_async_callback(self._flights.closed)
                stack.push_async_callback(self._flights.ended)
        finally:
            self._top, self._closes_memory, self._loop = None, False, None

    # -- runs ----------------------------------------------------------------------------------------

    async def run(
        self,
        inputs: Mapping[str, Any] | None = None,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        approve: Approve | None = None,
    ) -> GraphResult:
        """Run all nodes and return the result.

        Failures of nodes do not raise: the result holds them. Cancelling the caller cancels the run.

        Args:
            approve: asked by every `ApprovalNode`, instead of its own.

        Raises:
            ConfigurationError: an input is missing or unknown, or is nothing that JSON can hold; or, without a journal,
                a run of that id is in flight here.
            RunClaimedError: with a journal, a run of that id and scope is in flight, here or in another process.
        """
        return await self._flights.finish(
            await self._admitted(self._request(inputs, run_id, scope, metadata, approve=approve))
        )

    async def resume(
        self,
        run_id: str,
        scope: Scope | None = None,
        *,
        decision: Decision | Mapping[str, Decision] | None = None,
        approve: Approve | None = None,
    ) -> GraphResult:
        """Continue a run of the journal after its last finished nodes, and return the result.

        Finished nodes and items are not repeated, and their cost counts; a loop goes on inside. What failed is tried
        again if the run has no output. The result of a run that is completed or partial is returned as it was. The run
        continues with the nodes of this graph, with a new time limit and in the context of this call.

        Args:
            scope: None looks in all scopes.
            decision: a person's answer: True, False, a text or a `Candidate`; by path if several nodes wait. It is
                written to the journal before it counts.
            approve: asked by every `ApprovalNode`, instead of its own.

        Raises:
            NotFoundError: the journal has no such run.
            StoreDamagedError, StoreVersionError: the journal of the run cannot be read.
            RunClaimedError: the run is in flight, here or in another process. Nothing was called.
            ConfigurationError: there is no journal, the run is that of a pipeline or has other inputs, no node waits
                for the decision, or a secret was masked in what it wrote.
        """
        flight = await self._resumption(run_id, scope, decision, approve)
        return flight if isinstance(flight, GraphResult) else await self._flights.finish(flight)

    async def run_or_resume(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        run_id: str,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> GraphResult:
        """Run under an id that was never used, continue a run that did not finish, or return its result.

        A run that was interrupted or suspended, or that failed, continues as with `resume`; of one that is over or was
        cancelled the result is returned, and nothing is called. So it can be called again after any fault.

        Raises:
            ConfigurationError: there is no journal, or the run of that id has other inputs.
            RunClaimedError: the run is in flight, here or in another process. Nothing was called.
        """
        request = self._request(inputs, run_id, scope, metadata, approve=approve)
        while True:
            try:
                recorded = await self._flights.load(request.run_id, request.scope)
            except NotFoundError:
                flight = await self._flights.admit(request, is_new=True)
                if flight is not None:
                    return await self._flights.finish(flight)
                continue  # it appeared meanwhile
            if not recorded.is_of(request.inputs):
                raise ConfigurationError(
                    f"run {run_id!r} exists and has other inputs; use another run_id, "
                    "or resume() to continue it as it is"
                )
            if recorded.is_over or recorded.status == "cancelled":
                return await self._result_of(recorded)
            flight = await self._flights.admit(self._again(recorded, None, approve), recorded)
            assert flight is not None
            return await self._flights.finish(flight)

    async def start(
        self,
        inputs: Mapping[str, Any] | None = None,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        approve: Approve | None = None,
        resume: str | None = None,
        decision: Decision | Mapping[str, Decision] | None = None,
    ) -> GraphHandle:
        """Start a run that goes on whoever listens, and return its handle.

        Args:
            resume: id of a run to continue, instead of inputs, id and metadata for a new one.
            decision: see `resume`; only with `resume`.

        Raises:
            ConfigurationError, NotFoundError, RunClaimedError: as `run` and `resume`.
        """
        if resume is None:
            if decision is not None:
                raise ConfigurationError("decision needs resume=, the id of the run that waits for it")
            request = self._request(inputs, run_id, scope, metadata, approve=approve)
            return self._flights.start(await self._admitted(request))
        if not (inputs is run_id is metadata is None):
            raise ConfigurationError("resume= continues a run as it was: omit inputs, run_id and metadata")
        flight = await self._resumption(resume, scope, decision, approve)
        if isinstance(flight, GraphResult):
            return self._flights.over(flight)
        return self._flights.start(flight)

    def handle(self, run_id: str) -> GraphHandle:
        """Return the handle of a run in flight; also of one that is over while a handle of it is held.

        Raises:
            NotFoundError: there is no such run.
        """
        self._check_loop()
        return self._flights.handle(run_id)

    def runs_in_flight(self) -> tuple[GraphHandle, ...]:
        """Return the handles of the runs in flight here, oldest first."""
        self._check_loop()
        return self._flights.in_flight()

    def stream(
        self,
        inputs: Mapping[str, Any] | None = None,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        *,
        approve: Approve | None = None,
    ) -> AsyncGenerator[GraphEvent]:
        """Do as `run`, and yield its events, `GraphStopped` with the result last. Leaving early cancels the run.

        The run begins, and errors are raised, with the first event; its context is that of the call of `stream`.
        """
        caller = copy_context()
        return self._stream(caller, lambda: self._request(inputs, run_id, scope, metadata, approve=approve))

    async def _stream(self, caller: Context, make: Callable[[], GraphRequest]) -> AsyncGenerator[GraphEvent]:
        async with contextlib.aclosing(self._told(await self._admitted(caller.run(make)))) as events:
            async for event in events:
                yield event

    def stream_resumed(
        self,
        run_id: str,
        scope: Scope | None = None,
        *,
        decision: Decision | Mapping[str, Decision] | None = None,
        approve: Approve | None = None,
    ) -> AsyncGenerator[GraphEvent]:
        """Do as `resume`, and yield the events from here on; only `GraphStopped` for a run that is over."""
        return self._stream_resumed(copy_context(), run_id, scope, decision, approve)

    async def _stream_resumed(
        self,
        caller: Context,
        run_id: str,
        scope: Scope | None,
        decision: Decision | Mapping[str, Decision] | None,
        approve: Approve | None,
    ) -> AsyncGenerator[GraphEvent]:
        flight = await self._resumption(run_id, scope, decision, approve, caller)
        if isinstance(flight, GraphResult):
            yield GraphStopped(run_id, flight)
            return
        async with contextlib.aclosing(self._told(flight)) as events:
            async for event in events:
                yield event

    async def _told(self, flight: Flight) -> AsyncGenerator[GraphEvent]:
        """Carry out a run and yield its events."""
        run = asyncio.ensure_future(self._flights.finish(flight))
        try:
            async with contextlib.aclosing(flight.handle.events()) as events:
                async for event in events:
                    yield event
                    if isinstance(event, GraphStopped):
                        break
            await run
        finally:
            if not run.done():
                run.cancel()
                await asyncio.wait({run})

    async def run_many(
        self,
        inputs: Sequence[Mapping[str, Any]],
        max_concurrency: int | None = None,
        scope: Scope | None = None,
    ) -> list[GraphResult]:
        """Run the graph for each of the inputs, at most `max_concurrency` runs at once; results in their order.

        Raises:
            ConfigurationError: one of the inputs is wrong. Nothing has started.
        """
        check_max_concurrency(max_concurrency)
        if isinstance(inputs, str | Mapping) or not isinstance(inputs, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
            raise ConfigurationError(f"inputs must be a sequence of mappings, got {describe(inputs)}")
        requests = [self._request(one, None, scope, None) for one in inputs]
        slots = asyncio.Semaphore(max_concurrency or max(1, len(requests)))

        async def one(request: GraphRequest) -> GraphResult:
            async with slots:
                return await self._flights.finish(await self._admitted(request))

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(request)) for request in requests]
        return [task.result() for task in tasks]

    def check_request(
        self, inputs: Mapping[str, Any] | None, run_id: str | None = None, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Raise `ConfigurationError` if `run` would refuse these arguments."""
        self._request(inputs, run_id, None, metadata)

    async def cancel(self, run_id: str) -> None:
        """End a run soon; its awaiter gets the result so far. Raises `NotFoundError` if no such run is in flight."""
        self._check_loop()
        self._flights.cancel(run_id)

    # -- inside --------------------------------------------------------------------------------------

    def _request(
        self,
        inputs: Mapping[str, Any] | None,
        run_id: str | None,
        scope: Scope | None,
        metadata: Mapping[str, Any] | None,
        *,
        approve: Approve | None = None,
    ) -> GraphRequest:
        if run_id is not None and not (isinstance(run_id, str) and run_id):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
            raise ConfigurationError(f"run_id must be a text that is not empty, got {describe(run_id)}")
        given = self._checked_inputs({} if inputs is None else inputs)
        if metadata is not None and is_too_deep(dict(_checked("metadata", metadata, Mapping))):
            raise ConfigurationError(f"metadata is nested deeper than {MOST_LEVELS} levels")
        self._check_is_running()
        return GraphRequest(
            run_id or new_id("run"),
            given,
            _DEFAULT_SCOPE if scope is None else _checked("scope", scope, Scope),
            {} if metadata is None else dict(metadata),
            _context_of(copy_context()),
            None if approve is None else method_of(approve, "approve"),
        )

    async def _admitted(self, request: GraphRequest) -> Flight:
        flight = await self._flights.admit(request)
        assert flight is not None
        return flight

    def _work(self, flight: Flight, past: Past | None) -> GraphWork:
        config = self.config
        journal = None if self._journal is None or flight.lease is None else self._journal.lines(flight.lease)
        return GraphWork(
            flight.request,
            self.plan,
            self._gate,
            name=self.name,
            timeout_s=config.timeout_s,
            budget=config.budget,
            log=flight.log,
            tell=flight.handle.record,
            journal=journal,
            past=past,
        )

    async def _resumption(
        self,
        run_id: str,
        scope: Scope | None,
        decision: Decision | Mapping[str, Decision] | None,
        approve: Approve | None,
        caller: Context | None = None,
    ) -> Flight | GraphResult:
        """Return a run of the journal, ready to be continued; or its result, if it is over."""
        self._check_is_running()
        recorded = await self._flights.load(run_id, scope)
        if set(recorded.inputs) != set(self.inputs):
            known = ", ".join(self.inputs) or "none"
            raise ConfigurationError(
                f"run {run_id!r} is that of another graph: its inputs are {', '.join(recorded.inputs) or 'none'}, "
                f"those of this one {known}"
            )
        if decision is None and recorded.is_over:
            return await self._result_of(recorded)
        request = self._again(recorded, decisions_of(recorded, decision), approve, caller)
        flight = await self._flights.admit(request, recorded)
        assert flight is not None
        return flight

    def _again(
        self,
        recorded: RecordedGraph,
        decisions: Mapping[str, bool | str] | None,
        approve: Approve | None,
        caller: Context | None = None,
    ) -> GraphRequest:
        return GraphRequest(
            recorded.run_id,
            recorded.inputs,
            recorded.scope,
            recorded.metadata,
            _context_of(caller or copy_context()),
            None if approve is None else method_of(approve, "approve"),
            {**recorded.decisions, **(decisions or {})},
        )

    async def _result_of(self, recorded: RecordedGraph) -> GraphResult:
        """Return the result of a run that is over: nothing is called."""
        past = await self._flights.past_of(recorded, is_over=True)
        log = GraphLog(recorded.run_id, recorded.events)
        work = GraphWork(
            self._again(recorded, None, None),
            self.plan,
            Gate(None),
            name=self.name,
            timeout_s=None,
            budget=None,
            log=log,
            tell=log.append,
            past=past,
        )
        work.begin(None)
        work.advance(0)
        return work.result()

    def _checked_inputs(self, inputs: object) -> Mapping[str, Any]:
        if not isinstance(inputs, Mapping):
            raise ConfigurationError(f"inputs must be a mapping of names to values, got {describe(inputs)}")
        given = cast("Mapping[object, object]", inputs)
        faults = [
            f"the graph has no input {name!r}; {nearest(str(name), self.inputs)}"
            for name in given
            if name not in self.inputs
        ]
        faults += [f"the input {name!r} is missing" for name in self.inputs if name not in given]
        if faults:
            raise ConfigurationError("\n".join(faults))
        checked: dict[str, Any] = {}
        for name, value in given.items():
            try:
                checked[str(name)] = value if type(value) is str else as_output(value)
            except Exception as error:
                raise ConfigurationError(
                    f"the input {name!r} must be a text or what JSON can hold, got {describe(value)}"
                ) from error
        return checked

    def _check_is_running(self) -> None:
        if self._top is None or self._is_closing:
            raise ConfigurationError("the graph is not running; use it in `async with`")
        self._check_loop()

    def _check_loop(self) -> None:
        if self._loop is not None and self._loop is not asyncio.get_running_loop():
            raise _in_another_loop(self.name)


def _context_of(caller: Context) -> Context:
    """Return the context of a run: without the meter of another run that the caller may be a part of."""
    context = caller.copy()
    context.run(current_cell.set, None)  # what runs in it blocks no mailbox, so it may ask any actor
    for one in (current_meter, enclosing_spending):
        if one in context:
            context.run(one.set, None)
    return context


def _in_another_loop(name: str) -> ConfigurationError:
    return ConfigurationError(
        f"{name} was started in another event loop and works only there; "
        "to use a graph from threads or from several event loops, use BlockingPipeline(graph)"
    )


def _checked(name: str, value: T, kind: type) -> T:
    if not isinstance(value, kind):
        raise ConfigurationError(f"{name} must be of type {kind.__name__}, got {describe(value)}")
    return value


def _memory_of(memory: Memory, system: ActorSystem) -> ReflexionMemory | None:
    if memory is None or memory is False:
        return None
    if isinstance(memory, ReflexionMemory):
        return memory
    if memory is True:
        return ReflexionMemory(similarity="auto", system=system)
    if isinstance(memory, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
        return ReflexionMemory(str(memory), similarity="auto", system=system)
    raise ConfigurationError(f"memory must be None, True, a path or a ReflexionMemory, got {describe(memory)}")
