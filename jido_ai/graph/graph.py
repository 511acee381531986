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
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from contextvars import Context, copy_context
from itertools import count
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Final, Self, TypeVar, cast

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Crashed, Shutdown
from jido_ai.actors.ref import ActorRef, current_cell
from jido_ai.actors.supervisor import StartChild, Supervisor, TerminateChild
from jido_ai.actors.system import ActorSystem, TreeNode
from jido_ai.components.component import check_max_concurrency, text_of
from jido_ai.components.metering import current_meter
from jido_ai.errors import ActorDeadError, ConfigurationError, NotFoundError, describe
from jido_ai.graph.build import plan_of
from jido_ai.graph.config import GraphConfig
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.gate import Gate
from jido_ai.graph.hosts import StepHost, node_spec
from jido_ai.graph.loop_host import LoopHost
from jido_ai.graph.nodes import ApprovalNode, CheckNode, LoopNode, Node, StepNode
from jido_ai.graph.plan import Edge, Plan, PlanNode
from jido_ai.graph.results import GraphResult
from jido_ai.graph.runner import Begin, GraphRun
from jido_ai.graph.settings import nearest
from jido_ai.graph.step_calls import approval_call, as_output, check_call, choice_call, step_call
from jido_ai.graph.work import GraphRequest, GraphWork
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import enclosing_spending
from jido_ai.telemetry import Sink
from jido_ai.values import ErrorInfo, Scope, new_id

__all__ = ["Graph"]

_DEFAULT_SCOPE: Final = Scope()
_ENDING_S: Final = 5.0
_numbers = count(1)
T = TypeVar("T")
Memory = ReflexionMemory | str | Path | bool | None
_Emit = Callable[[GraphEvent], None]


class Graph:
    """Loops and plain steps under supervision; `async with` starts it.

    Args:
        nodes: by name; a mapping, or pairs.
        inputs: names of what `run` is given.
        output: name of the node whose output is that of the graph.
        memory: as in `Pipeline`; one for all loops.
        config: limits of the runs and the supervision of the nodes.
        name: prefix of its actors' names; unique in its system.
        system: actor system to live in; None creates one.
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
        self._memory = _memory_of(memory, self._system)
        self._closes_memory = False
        self._gate = Gate(self.config.max_concurrency)
        self._hosts: list[StepHost | LoopHost] = []
        self._top: ActorRef | None = None
        self._runs: ActorRef | None = None
        self._running: dict[str, GraphWork] = {}
        self._is_closing = False
        self._loop: asyncio.AbstractEventLoop | None = None

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

    def tree(self) -> TreeNode:
        """Return the current supervision tree."""
        return self._system.tree()

    # -- life ----------------------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._check_loop()
        if self._loop is not None:
            raise ConfigurationError(f"{self.name} is already running; enter it once and share it")
        if not self._own_system and self._system.is_running and self._system.loop is not asyncio.get_running_loop():
            raise _in_another_loop(repr(self._system))
        self._is_closing = False
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
        self._hosts = []
        loops: list[tuple[LoopHost, str]] = []
        children = self._specs(self.plan, self.name, loops)
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
        for loop, above in loops:
            await loop.open(self._named(above))
        self._runs = self._named(f"{self.name}.runs")

    def _specs(self, plan: Plan, above: str, loops: list[tuple[LoopHost, str]]) -> list[ChildSpec]:
        """Return the child specs of the nodes of a plan; loops are started later."""
        specs: list[ChildSpec] = []
        for node in plan.nodes:
            specs += self._spec(node, above, loops, node.name)
        return specs

    def _spec(self, node: PlanNode, above: str, loops: list[tuple[LoopHost, str]], id: str) -> list[ChildSpec]:
        name = f"{self.name}.{node.path}" if id != "each" else f"{self.name}.{node.path}.each"
        inner = self._inner_specs(node, name, loops)
        if inner is not None:
            config = self.config
            intensity = {"max_restarts": config.max_restarts, "max_seconds": config.max_seconds}
            return [ChildSpec(id=id, start=(Supervisor, (inner,), intensity), type="supervisor", name=name)]
        spec = node.spec
        if isinstance(spec, LoopNode):
            task_type = spec.task_type or node.name
            loop = LoopHost(name, spec, self._system, self._memory, task_type)
            node.host = loop
            self._hosts.append(loop)
            loops.append((loop, above))
            return []
        host = self._step_host(node, name)
        node.host = host
        if host is None:
            return []
        self._hosts.append(host)
        return [node_spec(host, id)]

    def _inner_specs(self, node: PlanNode, name: str, loops: list[tuple[LoopHost, str]]) -> list[ChildSpec] | None:
        """Return the child specs of what is inside of a map or a graph; None for other nodes."""
        if node.kind == "map":
            return self._spec(cast("PlanNode", node.each), name, loops, "each")
        if node.kind == "graph":
            return self._specs(cast("Plan", node.plan), name, loops)
        return None

    def _step_host(self, node: PlanNode, name: str) -> StepHost | None:
        spec = node.spec
        is_restarted = spec.restart == "permanent"
        match spec:
            case StepNode():
                call, components = step_call(spec)
            case CheckNode():
                call, components = check_call(spec)
            case ApprovalNode():
                if spec.approve is None:
                    return None
                call, components = approval_call(spec, spec.approve), ()
            case _:
                call, components = choice_call(node), ()
        return StepHost(name, call, components=components, is_restarted=is_restarted)

    def _named(self, name: str) -> ActorRef:
        ref = self._system.whereis(name)
        assert ref is not None, name
        return ref

    async def _close(self) -> None:
        """Stop in reverse: runs (each returns its result so far), nodes and their calls, memory, system."""
        self._is_closing = True
        for work in self._running.values():
            work.cancel()
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
                stack.push_async_callback(self._runs_ended)
        finally:
            self._top, self._closes_memory, self._loop = None, False, None

    async def _runs_ended(self) -> None:
        """Wait, for a limited time, until the cancelled runs have their results."""
        over = [work.over for work in self._running.values()]
        if over:
            await asyncio.wait(over, timeout=_ENDING_S)

    # -- runs ----------------------------------------------------------------------------------------

    async def run(
        self,
        inputs: Mapping[str, Any] | None = None,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> GraphResult:
        """Run all nodes and return the result.

        Failures of nodes do not raise: the result holds them. Cancelling the caller cancels the run.

        Raises:
            ConfigurationError: an input is missing or unknown, or is nothing that JSON can hold; or a run of that id is
                in flight here.
        """
        return await self._run(self._request(inputs, run_id, scope, metadata), None)

    def stream(
        self,
        inputs: Mapping[str, Any] | None = None,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[GraphEvent]:
        """Do as `run`, and yield its events, `GraphStopped` with the result last. Leaving early cancels the run.

        The run begins, and errors are raised, with the first event; its context is that of the call of `stream`.
        """
        return self._stream(copy_context(), lambda: self._request(inputs, run_id, scope, metadata))

    async def _stream(self, caller: Context, make: Callable[[], GraphRequest]) -> AsyncGenerator[GraphEvent]:
        async with contextlib.aclosing(self._told(caller.run(make))) as events:
            async for event in events:
                yield event

    async def _told(self, request: GraphRequest) -> AsyncGenerator[GraphEvent]:
        """Start a run and yield its events."""
        events: asyncio.Queue[GraphEvent | None] = asyncio.Queue()
        run = asyncio.ensure_future(self._run(request, events.put_nowait))
        run.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
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
                return await self._run(request, None)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(request)) for request in requests]
        return [task.result() for task in tasks]

    async def cancel(self, run_id: str) -> None:
        """End a run soon; its awaiter gets the result so far. Raises `NotFoundError` if no such run is in flight."""
        self._check_loop()
        work = self._running.get(run_id)
        if work is None:
            raise NotFoundError(f"no run {run_id!r} is in flight; runs in flight: {', '.join(self._running) or 'none'}")
        work.cancel()

    # -- inside --------------------------------------------------------------------------------------

    def _request(
        self,
        inputs: Mapping[str, Any] | None,
        run_id: str | None,
        scope: Scope | None,
        metadata: Mapping[str, Any] | None,
    ) -> GraphRequest:
        if run_id is not None and not (isinstance(run_id, str) and run_id):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
            raise ConfigurationError(f"run_id must be a text that is not empty, got {describe(run_id)}")
        given = self._checked_inputs({} if inputs is None else inputs)
        self._check_is_running()
        context = copy_context()
        context.run(current_cell.set, None)  # what runs in it blocks no mailbox, so it may ask any actor
        for one in (current_meter, enclosing_spending):
            if one in context:  # of a run that the caller may be a part of
                context.run(one.set, None)
        return GraphRequest(
            run_id or new_id("run"),
            given,
            _DEFAULT_SCOPE if scope is None else _checked("scope", scope, Scope),
            {} if metadata is None else dict(_checked("metadata", metadata, Mapping)),
            context,
        )

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

    async def _run(self, request: GraphRequest, emit: _Emit | None) -> GraphResult:
        if request.run_id in self._running:
            raise ConfigurationError(f"a run {request.run_id!r} is already in flight; use another run_id")
        config = self.config
        work = GraphWork(request, self.plan, self._gate, timeout_s=config.timeout_s, budget=config.budget, emit=emit)
        self._running[request.run_id] = work
        try:
            return await self._run_now(request, work)
        finally:
            del self._running[request.run_id]
            work.over.set_result(None)

    async def _run_now(self, request: GraphRequest, work: GraphWork) -> GraphResult:
        """Let an actor do the work, and a new one if the first is killed."""
        assert self._runs is not None
        spec = ChildSpec(id=request.run_id, start=(GraphRun, (work,), {}), restart="temporary")
        try:
            while True:
                run = await self._runs.ask(StartChild(spec), timeout_s=None, when_restarting="wait")
                try:
                    return await run.ask(Begin(), timeout_s=None)
                except ActorDeadError as error:
                    if isinstance(error.reason, Crashed):
                        return work.abandon(_info_of(error))
                    # Its actor was killed, or stopped with its supervisor: continue if a new one can be started.
        except ActorDeadError as error:
            is_ours = self._is_closing or error.reason == Shutdown()
            return work.abandon(ErrorInfo("cancelled", "the graph was closed") if is_ours else _info_of(error))
        except asyncio.CancelledError:
            work.abandon(ErrorInfo("cancelled", "the run was cancelled"))
            self._runs.tell(TerminateChild(request.run_id))
            raise


def _info_of(error: BaseException) -> ErrorInfo:
    return ErrorInfo(type(error).__name__, text_of(error), "graph")


def _in_another_loop(name: str) -> ConfigurationError:
    return ConfigurationError(
        f"{name} was started in another event loop and works only there; "
        "to use a graph from threads or from several event loops, use BlockingPipeline"
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
        return ReflexionMemory(similarity="weighted", system=system)
    if isinstance(memory, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
        return ReflexionMemory(str(memory), similarity="weighted", system=system)
    raise ConfigurationError(f"memory must be None, True, a path or a ReflexionMemory, got {describe(memory)}")
