"""WorkClient: submits runs to the workers of a queue, and follows them."""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import uuid4

from dbos import DBOSClient

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, NotFoundError, describe
from jido_ai.graph.orders import RunOrder, RunOutcome, RunStatus, node_result, recorded_run, result_without_run
from jido_ai.graph.record import NodeLine, read_graph, spent_in
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.integrations.dbos_engine import VERSION, WORKFLOW, translating
from jido_ai.integrations.dbos_events import events_in, is_end
from jido_ai.integrations.dbos_orders import (
    QueueAddress,
    check_order,
    checked_run_id,
    digest_of,
    map_of,
    order_of,
    outcome_of,
    resumptions_of,
    run_of,
    workflow_of,
)
from jido_ai.integrations.dbos_workers import GivenUp, HandOver, WorkerRow, WorkerTable
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.checks import checked_metadata, checked_scope
from jido_ai.runs.questions import Decisions, text_answers_of
from jido_ai.telemetry import OBSERVING
from jido_ai.text.plain_json import plain
from jido_ai.values import ErrorInfo, ReflectionResult, Scope

_PAUSES_S: Final = (0.02, 0.05, 0.1, 0.2, 0.5)
_OVER: Final = frozenset({"SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"})
_WAITING: Final = frozenset({"ENQUEUED", "DELAYED"})
_RUNNING: Final = "PENDING"
_MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class QueueView:
    """A queue as any machine sees it.

    Attributes:
        waiting, running: numbers of runs at one moment, among the oldest 10,000 that have not ended.
        workers: those that live or died lately.
        handovers: the newest first, of the last week.
        given_up: runs that failed because their workers died, the newest first, of the last week.
    """

    waiting: int
    running: int
    workers: tuple[WorkerRow, ...]
    handovers: tuple[HandOver, ...]
    given_up: tuple[GivenUp, ...] = ()


class WorkClient:
    """See `jido_ai.integrations.dbos.client`."""

    def __init__(  # noqa: PLR0917
        self,
        submits: DBOSClient,
        queue: str,
        memory: ReflexionMemory,
        table: WorkerTable,
        place: QueueAddress,
        in_thread: Callable[..., Awaitable[Any]],
    ) -> None:
        self._client = submits
        self._queue = queue
        self._journal = RunJournal(memory)
        self._table = table
        self._place = place
        self._in_thread = in_thread

    async def submit(
        self,
        name: str,
        prompt: str | None = None,
        run_id: str | None = None,
        *,
        inputs: Mapping[str, Any] | None = None,
        scope: Scope | None = None,
        metadata: Mapping[str, Any] | None = None,
        priority: int | None = None,
    ) -> str:
        """Put a run into the queue and return its id. It is durable when this returns.

        Args:
            name: of a pipeline or graph of the workers.
            prompt: of a pipeline's run, or of a graph's with one input.
            run_id: makes the call idempotent: submitted twice it is started once. None makes one.
            inputs: of a graph's run, instead of a prompt.
            scope: its tenant is the one that per-tenant limits count.
            priority: 1 comes first, up to 2**31 - 1; None comes before all.

        Raises:
            ConfigurationError: an argument can never work, no living worker knows the name, or the id belongs to a run
                that asks for something else.
            StoreUnavailableError: the database cannot be reached.
        """
        if (prompt is None) == (inputs is None):
            raise ConfigurationError("give a prompt or inputs, one of the two")
        if prompt is not None and (not isinstance(prompt, str) or not prompt.strip()):
            raise ConfigurationError(f"the prompt must be a string that is not blank, got {describe(prompt)}")
        if inputs is not None and not isinstance(inputs, Mapping):
            raise ConfigurationError(f"inputs must be a mapping of names to values, got {describe(inputs)}")
        if priority is not None and (type(priority) is not int or not 1 <= priority < 2**31):
            raise ConfigurationError(f"priority must be a whole number from 1 to 2**31 - 1, got {describe(priority)}")
        run_id = f"run-{uuid4().hex}" if run_id is None else checked_run_id(run_id)
        if run_of(run_id) != run_id:
            raise ConfigurationError(f"run_id must not end like the id of a resumption, got {describe(run_id)}")
        order = RunOrder(
            run_id=run_id,
            name=name,
            prompt=prompt,
            inputs=None if inputs is None else plain(dict(inputs)),  # type: ignore[arg-type]
            scope=checked_scope(scope),
            metadata=plain(checked_metadata(metadata)),  # type: ignore[arg-type]
            trace=_current_trace(),
        )
        await self._call(self._check_name, name)
        await self._call(self._enqueue, run_id, order, priority)
        return run_id

    async def resume(self, run_id: str, decision: Decisions) -> None:
        """Answer the question of a suspended run; it continues on any worker. Repeating the same answer does nothing.

        Args:
            decision: True, False, a text or a `Candidate`; by path if several nodes of a graph wait.

        Raises:
            NotFoundError: the run was never submitted.
            ConfigurationError: it waits for no decision, not for this one, or was answered otherwise.
            StoreUnavailableError: the database cannot be reached.
        """
        row = await self._call(self._status, run_id)
        before = _order_in(row)
        if row.status not in _OVER:
            if (
                before.answers
                and text_answers_of(decision, before.questions, run_id=run_id, status="") == before.answers
            ):
                return
            raise ConfigurationError(f"run {run_id!r} is {_status_of(row)} and waits for no decision")
        recorded = await recorded_run(self._journal, run_id, before.scope)
        asked = {} if recorded is None else {question.path: question.id for question in recorded.questions}
        answers = text_answers_of(decision, asked, run_id=run_id, status=_status_of(row))
        questions = {path: asked[path] for path in answers}
        order = replace(before, answers=answers, questions=questions, trace=_current_trace())
        await self._call(self._enqueue, workflow_of(run_id, resumptions_of(row.workflow_id) + 1), order, None)

    def _check_name(self, name: object) -> None:
        """Raise `ConfigurationError` if workers live and none knows the name; without any the run waits for one."""
        if not isinstance(name, str) or not name:
            raise ConfigurationError(f"name must be the name of a pipeline or graph, got {describe(name)}")
        living = [row for row in self._table.rows(self._queue) if not row.is_silent and not row.is_gone]
        known = sorted({one for row in living for one in row.names})
        if living and name not in known:
            raise ConfigurationError(f"no worker of queue {self._queue!r} knows {name!r}; {nearest(name, known)}")

    def _enqueue(self, workflow_id: str, order: RunOrder, priority: int | None) -> None:
        data = map_of(order)
        check_order(data)
        options: dict[str, Any] = {
            "workflow_name": WORKFLOW,
            "queue_name": self._queue,
            "workflow_id": workflow_id,
            "app_version": VERSION,
            "queue_partition_key": order.scope.tenant,
            **({} if priority is None else {"priority": priority}),
        }
        self._client.enqueue(options, data)  # type: ignore[arg-type]
        (kept,) = self._client.list_workflows(workflow_ids=[workflow_id])
        found = kept.input["args"][0] if kept.input else None
        if found is None or digest_of(found) != digest_of(data):
            if order.answers:
                raise ConfigurationError(
                    f"run {order.run_id!r} has been given another answer in the meantime; nothing was changed"
                )
            raise ConfigurationError(
                f"run {order.run_id!r} exists and asks for something else; use another run_id, or the same request"
            )

    async def status(self, run_id: str) -> RunStatus:
        """Return how far a run is. Raises `NotFoundError` if it was never submitted."""
        return _status_of(await self._call(self._status, run_id))

    async def result(self, run_id: str, *, timeout_s: float | None = None) -> ReflectionResult | GraphResult:
        """Wait for the end of a run, and return its result as the journal has it.

        The nodes of a graph have their status, output and error, and loops their result. A run that failed before it
        began has an error and no candidate.

        Args:
            timeout_s: None waits without a limit.

        Raises:
            NotFoundError: it was never submitted.
            TimeoutError: it has not ended. It goes on.
        """
        async with asyncio.timeout(timeout_s):
            tries = 0
            while (row := await self._call(self._status, run_id)).status not in _OVER:
                await asyncio.sleep(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])
                tries += 1
        data = row.input["args"][0]
        scope = Scope(data["tenant"], data["project"])
        outcome = _outcome_in(row)
        try:
            records = await self._journal.records(run_id, scope)
        except NotFoundError:
            return _without_journal(run_id, data, outcome)
        if any(record.kind == "graph" for record in records):
            recorded = read_graph(run_id, scope, [(record.kind, record.data) for record in records])
            nodes = {
                path: node_result(line, await self._loop(line, run_id, scope)) for path, line in recorded.nodes.items()
            }
            return replace(_graph_result(run_id, outcome, nodes, recorded.duration_s), usage=spent_in(records))
        found = (await self._journal.load(run_id, scope)).result()
        return _without_journal(run_id, data, outcome) if found is None else found

    async def _loop(self, line: NodeLine, run_id: str, scope: Scope) -> ReflectionResult | None:
        """Return the result of the loop of a node; None if it is none, or was forgotten."""
        if line.kind != "loop":
            return None
        try:
            return (await self._journal.load(f"{run_id}/{line.path}", scope)).result()
        except NotFoundError:
            return None

    async def cancel(self, run_id: str) -> None:
        """End a run soon, wherever it is: one that waits never starts. Does nothing if it has ended.

        Raises:
            NotFoundError: it was never submitted.
        """
        row = await self._call(self._status, run_id)
        await self._call(self._client.cancel_workflow, row.workflow_id)

    async def events(self, run_id: str, after: int = 0) -> AsyncGenerator[dict[str, Any]]:
        """Yield the events of a run, also of an ended one, as JSON until its end.

        Args:
            after: number of the last event that the caller has.

        Raises:
            NotFoundError: it was never submitted.
        """
        tries = 0
        while True:
            row = await self._call(self._status, run_id)
            data = row.input["args"][0]
            try:
                records = await self._journal.records(run_id, Scope(data["tenant"], data["project"]))
            except NotFoundError:
                records = ()
            found = events_in(records)
            for event in found[after:]:
                yield event
            tries = 0 if len(found) > after else tries + 1
            after = max(after, len(found))
            if row.status in _OVER:  # read before the journal
                if not found or not is_end(found[-1]):
                    end = {"status": _outcome_in(row).status, "error": _error_in(_outcome_in(row))}
                    yield {"type": "RunStopped", "seq": after + 1, "run_id": run_id, "result": end}
                return
            await asyncio.sleep(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])

    async def view(self) -> QueueView:
        """Return the state of the queue."""
        return await self._call(view_of, self._client, self._table, self._queue)

    def _status(self, run_id: str) -> Any:
        """Return the newest workflow of a run."""
        checked_run_id(run_id)
        found = self._client.list_workflows(workflow_ids=[run_id])
        if not found or found[0].name != WORKFLOW or run_of(run_id) != run_id:
            raise NotFoundError(f"no run {run_id!r} was submitted")
        if found[0].status != "SUCCESS" or outcome_of(found[0].output).status != "suspended":
            return found[0]
        later = self._client.list_workflows(workflow_id_prefix=workflow_of(run_id, 1)[:-1])
        of_run = [one for one in (found[0], *later) if run_of(one.workflow_id) == run_id]
        return max(of_run, key=lambda one: resumptions_of(one.workflow_id))

    async def _call(self, work: Callable[..., Any], *args: Any) -> Any:
        with translating(self._place):
            return await self._in_thread(work, *args)


def view_of(client: DBOSClient, table: WorkerTable, queue: str) -> QueueView:
    """Return the state of a queue. Blocks."""
    rows = client.list_workflows(  # one read: a run that a worker takes between two would count twice
        status=[*_WAITING, _RUNNING], queue_name=queue, load_input=False, load_output=False, limit=_MOST
    )
    running = sum(row.status == _RUNNING for row in rows)
    return QueueView(
        len(rows) - running,
        running,
        tuple(table.rows(queue)),
        tuple(table.handovers(queue)),
        tuple(table.given_up(queue)),
    )


def _current_trace() -> Mapping[str, str] | None:
    return None if OBSERVING.observer is None else OBSERVING.observer.trace()


def _order_in(row: Any) -> RunOrder:
    """Return the order of a workflow. Raises `ConfigurationError` if a newer version wrote it."""
    run_id = run_of(row.workflow_id)
    order = order_of(run_id, row.input["args"][0])
    if order is None:
        raise ConfigurationError(f"a newer version submitted run {run_id!r}; use that version")
    return order


def _status_of(row: Any) -> RunStatus:
    if row.status in _WAITING:
        return "queued"
    return "running" if row.status == _RUNNING else _outcome_in(row).status


def _outcome_in(row: Any) -> RunOutcome:
    """Return the outcome that a worker wrote, or that the queue knows of."""
    if row.status == "SUCCESS":
        return outcome_of(row.output)
    kind = "pipeline" if row.input["args"][0]["prompt"] is not None else "graph"
    if row.status == "CANCELLED":
        return RunOutcome(kind=kind, status="cancelled", reason="cancelled")
    error = ErrorInfo(type(row.error).__name__, "the worker could not carry it out; its log says why")
    return RunOutcome(kind=kind, status="failed", reason="error", error=error)


def _error_in(outcome: RunOutcome) -> dict[str, Any] | None:
    return None if outcome.error is None else outcome.error.model_dump(mode="json")


def _without_journal(run_id: str, data: Mapping[str, Any], outcome: RunOutcome) -> ReflectionResult | GraphResult:
    if outcome.kind == "graph":
        return _graph_result(run_id, outcome, {}, 0.0)
    order = RunOrder(run_id=run_id, name="", prompt=data["prompt"])
    return result_without_run(order, outcome.error, is_cancelled=outcome.status == "cancelled")


def _graph_result(run_id: str, outcome: RunOutcome, nodes: Mapping[str, NodeResult], duration_s: float) -> GraphResult:
    statuses: dict[str, Any] = {"completed": "completed", "partial": "partial", "suspended": "suspended"}
    status = "cancelled" if outcome.status == "cancelled" else statuses.get(outcome.reason, "failed")
    return GraphResult(run_id, outcome.output, status, nodes, duration_s=duration_s, error=outcome.error)
