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

import itertools
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, Literal, Self, TypedDict, Unpack, cast

from jido_ai.actors.system import ActorSystem
from jido_ai.argument_hints import nearest
from jido_ai.components.component import check_max_concurrency, method_of, used_by
from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.build import plan_of
from jido_ai.graph.events import GraphEvent
from jido_ai.graph.graph_runs import GraphRuns, context_of_request, continuation_of
from jido_ai.graph.hosts import StepHost
from jido_ai.graph.loop_host import LoopHost
from jido_ai.graph.node_tree import NodeTree
from jido_ai.graph.nodes import GraphConfig, Node
from jido_ai.graph.picture import draw
from jido_ai.graph.plan import Edge
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult, OutputT
from jido_ai.graph.step_calls import as_output
from jido_ai.graph.toml_file import FileGraph, read_graph
from jido_ai.graph.work import GraphRequest
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import AnyModel
from jido_ai.runs.call_log import RecordCalls
from jido_ai.runs.checks import checked_metadata, checked_run_id, checked_scope, too_large
from jido_ai.runs.handle import RunHandle
from jido_ai.runs.leases import Leases
from jido_ai.runs.progress_bar import Told
from jido_ai.runs.questions import Decisions, text_answers_of
from jido_ai.runs.runnable import Memory, Runnable
from jido_ai.telemetry import Sink
from jido_ai.values import Budget, Scope, new_id
from jido_ai.values.checks import checked, checked_id

Approve = Callable[..., object]


class GraphOptions(TypedDict, total=False):
    """The arguments of `Graph` that a file does not have."""

    memory: Memory
    name: str | None
    system: ActorSystem | None
    journal: bool | None
    lease_s: float
    record_calls: RecordCalls
    sink: Sink | None


class Graph(
    Runnable[GraphRequest, RecordedGraph, GraphResult[OutputT], GraphEvent],
    Generic[OutputT],
):
    """Loops and plain steps under supervision; `async with` starts it.

    Args:
        nodes: by name; a mapping, or pairs.
        inputs: names of what `run` is given.
        trusted: names of inputs that nobody but you writes: prompts have them as they are, not as blocks of data.
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
        trusted: Sequence[str] = (),
        memory: Memory = None,
        config: GraphConfig | None = None,
        name: str | None = None,
        system: ActorSystem | None = None,
        journal: bool | None = None,
        lease_s: float = 30.0,
        record_calls: RecordCalls = "redacted",
        sink: Sink | None = None,
    ) -> None:
        self.config = GraphConfig() if config is None else checked("config", config, GraphConfig)
        self.plan = plan_of(nodes, inputs, output, trusted=trusted)
        self._nodes = MappingProxyType({name: self.plan.nodes[self.plan.index[name]].spec for name in self.plan.names})
        self._hosts: list[StepHost | LoopHost] = []
        super().__init__(
            "graph",
            name=name,
            system=system,
            memory=memory,
            journal=journal,
            lease_s=lease_s,
            sink=sink,
            record_calls=record_calls,
        )

    @classmethod
    def from_toml(
        cls,
        path: str | Path,
        *,
        trust: bool = False,
        model: AnyModel | None = None,
        learning: Mapping[str, Any] | None = None,
        **options: Unpack[GraphOptions],
    ) -> Self:
        """Build the graph of a TOML file; see `jido_ai.graph.toml_file`.

        Args:
            trust: steps may be Python functions that the file names.
            model: a model, or the name of one, for nodes that name none.
            learning: `learn_from`, `holdout` and their like, by name, for loops whose tables do not give them.
            options: other arguments of `Graph`: memory, system, name, journal, lease_s, sink.

        Raises:
            ConfigurationError: the file cannot be read, or is wrong; one line for each fault, with file, table and key.
        """

        def made(file: FileGraph, **options: Any) -> Any:
            try:
                names: dict[str, Any] = {"inputs": file.inputs, "trusted": file.trusted, "output": file.output}
                return cls(file.nodes, **names, config=file.config, **options)
            except ConfigurationError as error:
                raise ConfigurationError("\n".join(file.told(line) for line in str(error).splitlines())) from error

        file = read_graph(path, made, trust=trust, model=model, learning=learning)
        return made(file, **{"name": file.name, **options})

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
    def trusted(self) -> tuple[str, ...]:
        """The names of the inputs that prompts have as they are."""
        return self.plan.trusted

    @property
    def output(self) -> str:
        """The name of the output node."""
        return self.plan.nodes[self.plan.output].name

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The edges between the nodes: templates, `after`, choices and fallbacks."""
        return self.plan.edges

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

    def uses(self) -> tuple[object, ...]:
        """Return the components and models that the nodes use, each once; none if the graph is not running."""
        found = [host.pipeline.uses() if isinstance(host, LoopHost) else host.components for host in self._hosts]
        return tuple(used_by(itertools.chain.from_iterable(found)))

    def budgets(self) -> list[tuple[Budget | None, tuple[object, ...]]]:
        loops = [host.pipeline for host in self._hosts if isinstance(host, LoopHost)]
        return [(self.config.budget, self.uses()), *((loop.config.budget, loop.uses()) for loop in loops)]

    # -- life ----------------------------------------------------------------------------------------

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
        config = self.config
        await self._start_top(
            *children,
            strategy=config.strategy,
            max_restarts=config.max_restarts,
            max_seconds=config.max_seconds,
        )
        for host in self._hosts:
            if isinstance(host, StepHost):
                host.ref = self._named(host.name)
        for loop, above in tree.loops:
            await loop.open(self._named(above))

    def _closing(self) -> list[Callable[[], Awaitable[object]]]:
        return [self._stop_top, *(host.close for host in self._hosts), self._runs.closed]

    # -- runs ----------------------------------------------------------------------------------------

    async def run(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> GraphResult[OutputT]:
        """Run all nodes and return the result.

        Failures of nodes do not raise: the result holds them. Cancelling the caller cancels the run.

        Args:
            approve: asked by every `ApprovalNode`, instead of its own.

        Raises:
            ConfigurationError: an input is missing or unknown, or is nothing that JSON can hold; or, without a journal,
                a run of that id is in flight here.
            RunClaimedError: with a journal, a run of that id and scope is in flight, here or in another process.
        """
        return await self._run(self._request(inputs, run_id, scope, metadata, approve=approve))

    async def run_or_resume(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        run_id: str,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> GraphResult[OutputT]:
        """Run under an id that was never used, continue a run that did not finish, or return its result.

        A run that was interrupted or suspended, or that failed, continues as with `resume`; of one that is over or was
        cancelled the result is returned, and nothing is called. So it can be called again after any fault.

        Raises:
            ConfigurationError: there is no journal, or the run of that id has other inputs.
            RunClaimedError: the run is in flight, here or in another process. Nothing was called.
        """
        return await self._run_or_resume(self._request(inputs, checked_id(run_id), scope, metadata, approve=approve))

    async def start(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
        resume: str | None = None,
        decision: Decisions | None = None,
    ) -> RunHandle[GraphResult[OutputT], GraphEvent]:
        """Start a run that continues whether or not anyone listens, and return its handle.

        Args:
            resume: id of a run to continue, instead of inputs, id and metadata for a new one.
            decision: see `resume`; only with `resume`.

        Raises:
            ConfigurationError, NotFoundError, RunClaimedError: as `run` and `resume`.
        """
        request = None
        if resume is None:
            request = self._request(inputs, run_id, scope, metadata, approve=approve)
        elif not (inputs is run_id is metadata is None):
            raise ConfigurationError("resume= continues a run as it was: omit inputs, run_id and metadata")
        return await self._start(request, resume, scope, decision, approve)

    def stream(
        self,
        inputs: Mapping[str, Any] | None = None,
        *,
        run_id: str | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        approve: Approve | None = None,
    ) -> AsyncGenerator[GraphEvent]:
        """Do as `run`, and yield its events, `GraphStopped` with the result last. Leaving early cancels the run.

        The run begins, and errors are raised, with the first event; its context is that of the call of `stream`.
        """
        return self._stream(lambda: self._request(inputs, run_id, scope, metadata, approve=approve))

    async def run_many(
        self,
        inputs: Sequence[Mapping[str, Any]],
        max_concurrency: int | None = None,
        scope: Scope | None = None,
        progress: bool | Told = False,
    ) -> list[GraphResult[OutputT]]:
        """Run the graph for each of the inputs, at most `max_concurrency` runs at once; results in their order.

        Args:
            progress: True shows a bar on standard error; a function is called with the number of runs done and of all.

        Raises:
            ConfigurationError: one of the inputs is wrong. Nothing has started.
        """
        check_max_concurrency(max_concurrency)
        if isinstance(inputs, str | Mapping) or not isinstance(inputs, Iterable):
            raise ConfigurationError(f"inputs must be a sequence of mappings, got {describe(inputs)}")
        requests = [self._request(one, None, scope, None) for one in inputs]
        return await self._run_many(requests, max_concurrency, progress)

    def check_request(
        self, inputs: Mapping[str, Any] | None, run_id: str | None = None, metadata: Mapping[str, Any] | None = None
    ) -> None:
        """Raise `ConfigurationError` if `run` would refuse these arguments."""
        self._request(inputs, run_id, None, metadata)

    # -- inside --------------------------------------------------------------------------------------

    def _new_runs(self, memory: ReflexionMemory | None, leases: Leases | None) -> GraphRuns:
        self._journal = None if memory is None else RunJournal(memory)
        return GraphRuns(self.name, self._journal, leases, self._record_calls, plan=self.plan, config=self.config)

    def _request(
        self,
        inputs: Mapping[str, Any] | None,
        run_id: str | None,
        scope: Scope | None,
        metadata: Mapping[str, Any] | None,
        *,
        approve: Approve | None = None,
    ) -> GraphRequest:
        known_id, given = checked_run_id(run_id), self._checked_inputs({} if inputs is None else inputs)
        texts = {name: one for name, one in given.items() if isinstance(one, str)}
        if self._journal is not None and (said := too_large("the inputs have", texts, "give the name of a file")):
            raise ConfigurationError(said)
        data, place = checked_metadata(metadata), checked_scope(scope)
        self._check_is_running()
        ask = None if approve is None else method_of(approve, "approve")
        return GraphRequest(known_id or new_id("run"), given, place, data, context_of_request(), ask)

    def _resumed(
        self,
        recorded: RecordedGraph,
        decision: Decisions | None,
        approve: Callable[..., object] | None,
    ) -> GraphRequest:
        if set(recorded.inputs) != set(self.inputs):
            known = ", ".join(self.inputs) or "none"
            raise ConfigurationError(
                f"run {recorded.run_id!r} belongs to another graph: its inputs are "
                f"{', '.join(recorded.inputs) or 'none'}, those of this graph are {known}"
            )
        request, answers = continuation_of(recorded), {}
        if decision is not None:
            answers = text_answers_of(decision, recorded.questions, run_id=recorded.run_id, status=recorded.status)
        ids = {question.path: question.id for question in recorded.questions}
        given = {ids[path]: one for path, one in answers.items()}
        return replace(
            request,
            approve=None if approve is None else method_of(approve, "approve"),
            decisions={**request.decisions, **given},
        )

    def _repeated(self, request: GraphRequest, recorded: RecordedGraph) -> GraphRequest:
        if not recorded.is_of(request.inputs):
            raise ConfigurationError(
                f"run {recorded.run_id!r} exists and has other inputs; use another run_id, "
                "or resume() to continue it as it is"
            )
        again = continuation_of(recorded)
        return replace(again, approve=request.approve, context=request.context, wishes=request.wishes)

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
                    f"the input {name!r} must be a string or a JSON value, got {describe(value)}"
                ) from error
        return checked
