"""GraphRuns: the runs of a graph."""

from __future__ import annotations

from contextvars import Context
from dataclasses import replace
from typing import Any, ClassVar, Literal, cast

from jido_ai.actors.ref import current_cell
from jido_ai.components.readings import typed_result
from jido_ai.errors import ConfigurationError
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.job import JobGate
from jido_ai.graph.log import GraphLog
from jido_ai.graph.loop_host import LoopHost
from jido_ai.graph.nodes import GraphConfig
from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.record import RecordedGraph, read_graph
from jido_ai.graph.results import GraphResult
from jido_ai.graph.work import GraphRequest, GraphWork, Past
from jido_ai.loop.journal import RunJournal
from jido_ai.runs.call_lines import is_of_path
from jido_ai.runs.call_log import RecordCalls, caller_context
from jido_ai.runs.leases import Leases
from jido_ai.runs.service import ActiveRun, RunService
from jido_ai.text.output_type import OutputType
from jido_ai.values import ReflectionResult, Scope
from jido_ai.values.record import Record

Run = ActiveRun[GraphRequest, RecordedGraph, GraphResult, GraphEvent]


class GraphRuns(RunService[GraphRequest, RecordedGraph, GraphResult, GraphEvent]):
    """See `RunService`.

    Args:
        config: limits of the runs.
    """

    kind: ClassVar[Literal["pipeline", "graph"]] = "graph"

    def __init__(
        self,
        name: str,
        journal: RunJournal | None,
        leases: Leases | None,
        record_calls: RecordCalls,
        *,
        plan: Plan,
        config: GraphConfig,
    ) -> None:
        super().__init__(name, journal, leases, record_calls)
        self._loops = journal
        self._plan = plan
        self._config = config
        self._gate = JobGate(config.max_concurrency)

    def new_log(self, request: GraphRequest, recorded: RecordedGraph | None) -> GraphLog:
        return GraphLog(request.run_id, 0 if recorded is None else recorded.events)

    async def new_work(self, run: Run) -> GraphWork:
        past = None if run.recorded is None else await self._past_of(run.recorded, is_over=False)
        log = cast("GraphLog", run.log)
        run.calls = await self.call_log(run)
        return GraphWork(
            run.request,
            self._plan,
            self._gate,
            name=self._name,
            timeout_s=self._config.timeout_s,
            budget=self._config.budget,
            log=log,
            tell=cast("Any", run.handle.record),
            journal=self.lines(run),
            past=past,
            calls=run.calls,
        )

    async def load(self, run_id: str, scope: Scope | None) -> RecordedGraph:
        recorded = await super().load(run_id, scope)
        assert self._loops is not None
        return await with_questions(recorded, self._loops)

    def read(self, run_id: str, records: list[Record]) -> RecordedGraph:
        return read_graph(run_id, records[0].scope, [(record.kind, record.data) for record in records])

    def continues(self, request: GraphRequest, recorded: RecordedGraph) -> bool:
        return not recorded.is_over

    def check_undecided(self, request: GraphRequest, before: RecordedGraph, now: RecordedGraph) -> None:
        is_open = {question.id for question in now.questions}
        lost = [
            question for question in before.questions if question.id in request.decisions and question.id not in is_open
        ]
        if lost:
            raise ConfigurationError(f"{lost[0].path!r} of run {request.run_id!r} has been decided in the meantime")

    async def result_of(self, recorded: RecordedGraph) -> GraphResult:
        past = await self._past_of(recorded, is_over=True)
        log = GraphLog(recorded.run_id, recorded.events)
        request = continuation_of(recorded)
        work = GraphWork(request, self._plan, JobGate(None), name=self._name, log=log, tell=log.append, past=past)
        work.begin(None)
        work.advance(0)
        return replace(work.result(), calls=await self.readable_calls(recorded.run_id, recorded.scope))

    def stopped(self, run_id: str, result: GraphResult, seq: int) -> GraphEvent:
        return GraphStopped(run_id, result, seq=seq)

    async def _past_of(self, recorded: RecordedGraph, *, is_over: bool) -> Past:
        """Return the earlier state of a run, with the results of its loops."""
        assert self._loops is not None
        loops: dict[str, ReflectionResult] = {}
        calls = await self.readable_calls(recorded.run_id, recorded.scope)
        for path, line in recorded.nodes.items():
            if line.kind == "loop":
                run = await self._loops.load(f"{recorded.run_id}/{path}", recorded.scope)
                result = run.result()
                if result is not None:
                    own = tuple(call for call in calls if is_of_path(call, path))
                    result = result.model_copy(update={"calls": own})
                    loops[path] = await typed_result(result, self._type_at(path))
        return Past(recorded, loops, is_over)

    def _type_at(self, path: str) -> OutputType[Any] | None:
        """Return the type of the answers of a loop; None without one, or if the plan has no such loop any more."""
        plan: Plan | None = self._plan
        node: PlanNode | None = None
        for part in path.split("/"):
            name, *items = part.split("[")
            node = None if plan is None or name not in plan.index else plan.nodes[plan.index[name]]
            for _ in items:
                node = None if node is None else node.each
            plan = None if node is None else node.plan
        return node.host.pipeline.output if node is not None and isinstance(node.host, LoopHost) else None


async def with_questions(recorded: RecordedGraph, journal: RunJournal) -> RecordedGraph:
    """Return a run with all its open questions: also those of loops, which have journals of their own."""
    loops = [path for path in recorded.waiting if recorded.nodes[path].kind == "loop"]
    if not loops:
        return recorded
    asked = {one.path: one for one in recorded.questions}
    for path in loops:
        loop = await journal.load(f"{recorded.run_id}/{path}", recorded.scope)
        if (question := loop.question(path)) is not None:
            asked[path] = question
    return replace(recorded, questions=tuple(asked[path] for path in recorded.waiting if path in asked))


def context_of_request() -> Context:
    """Return a copy of the caller's context, in which a run may ask any actor: what runs in it blocks no mailbox."""
    context = caller_context()
    context.run(current_cell.set, None)
    return context


def continuation_of(recorded: RecordedGraph) -> GraphRequest:
    """Return the request that continues a recorded run as it was."""
    return GraphRequest(
        recorded.run_id,
        recorded.inputs,
        recorded.scope,
        recorded.metadata,
        context_of_request(),
        decisions=recorded.decisions,
    )
