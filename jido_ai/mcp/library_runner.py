"""LibraryRunner: carries out runs in this process, a limited number at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, JidoError, NotFoundError
from jido_ai.graph.events import NodeStopped
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import (
    Key,
    Recorded,
    RunOrder,
    RunStatus,
    begun,
    is_of,
    kind_of,
    open_decision,
    recorded_run,
    status_of,
)
from jido_ai.graph.record import NodeLine
from jido_ai.graph.results import GraphResult
from jido_ai.graph.served import Served
from jido_ai.loop.events import Critiqued
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.record import RecordedRun
from jido_ai.mcp.limits import Caller
from jido_ai.mcp.runs import RunInFlight, RunReport
from jido_ai.runs.questions import Question
from jido_ai.runs.signals import OnePerKey, Turns
from jido_ai.text.plain_json import dumped
from jido_ai.values import CritiqueResult, ReflectionResult, Scope

T = TypeVar("T")


class BusyError(JidoError):
    """Too many runs are already waiting; try again later."""


@dataclass(slots=True, eq=False)
class _RunFlight:
    """A run that is carried out here; a `RunInFlight`."""

    order: RunOrder
    handle: Any
    journal: RunJournal | None

    @property
    def run_id(self) -> str:
        return self.order.run_id

    async def events(self) -> AsyncGenerator[Mapping[str, Any]]:
        async with aclosing(self.handle.events()) as events:
            async for event in events:
                if isinstance(event, Critiqued | NodeStopped):  # RunStopped as JSON takes as long as all others
                    yield event.to_map()

    async def result(self) -> RunReport:
        result = await self.handle.result()
        report = report_of(self.order.name, result)
        if report.status != "suspended" or self.journal is None:
            return report
        recorded = await recorded_run(self.journal, self.run_id, self.order.scope)
        return report if recorded is None else replace(report, questions=recorded.questions)

    async def cancel(self) -> None:
        await self.handle.cancel()


class LibraryRunner:
    """Carries out runs in this process; a `Runner`.

    Args:
        served: pipelines and graphs by name; running while the runner is used.
        max_runs: runs and critiques at once, at least 1.
        max_queue: how many more may wait for their turn, at least 0.
    """

    def __init__(self, served: Mapping[str, Served], *, max_runs: int = 64, max_queue: int = 1000) -> None:
        if max_runs < 1 or max_queue < 0:
            raise ConfigurationError(f"need max_runs >= 1 and max_queue >= 0, got {max_runs} and {max_queue}")
        self.served = served
        self._max_queue = max_queue
        self._turns = Turns(max_runs)
        self._flights: dict[Key, _RunFlight] = {}
        self._starting = OnePerKey()
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self, order: RunOrder) -> RunInFlight | RunReport:
        """See `Runner`."""
        served = self._named(order.name)
        if kind_of(served) != order.kind:
            kind = "graph: it takes inputs" if isinstance(served, Graph) else "pipeline: it takes a prompt"
            raise ConfigurationError(f"{order.name!r} is a {kind}")
        order = replace(order, metadata={SERVED_AS: order.name})
        if order.is_fresh:
            return await self._launch(order, served)
        async with self._starting.hold(order.key):
            return await self._known(order, served) or await self._launch(order, served)

    async def resume(self, report: RunReport, question: Question, decision: bool | str, caller: Caller) -> RunInFlight:
        """See `Runner`."""
        served = self._named(report.name)
        order = RunOrder(
            run_id=report.run_id,
            name=report.name,
            scope=caller.scope,
            answers={question.path: decision},
            questions={question.path: question.id},
        )
        if await open_decision(served, order) is None:
            raise ConfigurationError(f"run {report.run_id!r} does not wait for this decision; nothing was changed")
        return await self._launch(order, served)

    async def load(self, run_id: str, scope: Scope) -> RunReport:
        """See `Runner`."""
        flight = self._flights.get((scope, run_id))
        if flight is not None:
            name = flight.order.name
            return RunReport(run_id=run_id, kind=kind_of(self.served[name]), name=name, status="running")
        seen: list[RunJournal] = []
        for one in self.served.values():
            journal = one.journal
            if journal is None or any(journal.memory is other.memory for other in seen):
                continue
            seen.append(journal)
            recorded = await recorded_run(journal, run_id, scope)
            if recorded is not None:
                return await reported(recorded, self.served.get(_name_of(recorded, "")))
        raise NotFoundError(f"there is no run {run_id!r}")

    async def critique(self, name: str, text: str, task: str, caller: Caller) -> CritiqueResult:
        """See `Runner`."""
        pipeline = self._named(name)
        if not isinstance(pipeline, Pipeline):
            raise ConfigurationError(f"{name!r} is a graph; only a pipeline has critics")
        return await self.beside(name, caller, partial(pipeline.critique, task, text, caller.scope))

    async def beside(self, name: str, caller: Caller, work: Callable[[], Awaitable[T]]) -> T:
        """See `Runner`."""
        await self._turn()
        try:
            return await work()
        finally:
            self._turns.give_back()

    # -- inside --------------------------------------------------------------------------------------

    def _named(self, name: str) -> Served:
        served = self.served.get(name)
        if served is None:
            short = name[:100]
            raise ConfigurationError(f"there is no pipeline or graph {short!r}; {nearest(short, list(self.served))}")
        return served

    async def _known(self, order: RunOrder, served: Served) -> RunInFlight | RunReport | None:
        """Return the run of the order's id; None if there is none, or if it is to be continued."""
        flight = self._flights.get(order.key)
        if flight is not None:
            if flight.order != order:
                raise _other(order.run_id)
            return flight
        journal = served.journal
        recorded = None if journal is None else await recorded_run(journal, order.run_id, order.scope)
        if recorded is None or journal is None:
            return None
        if _name_of(recorded, order.name) != order.name or not is_of(recorded, order):
            raise _other(order.run_id)
        report = await reported(recorded, served)
        return report if recorded.is_over or report.status in ("suspended", "cancelled") else None

    async def _turn(self) -> None:
        if not self._turns.is_free and self._turns.waiting >= self._max_queue:
            raise BusyError(f"{self._turns.waiting} runs are already waiting; try again later")
        await self._turns.take(object())

    async def _launch(self, order: RunOrder, served: Served) -> RunInFlight:
        await self._turn()
        try:
            handle = await begun(served, order)
        except BaseException:
            self._turns.give_back()
            raise
        flight = self._flights[order.key] = _RunFlight(order, handle, served.journal)
        task = asyncio.create_task(self._until_end(flight), name=f"mcp run {flight.run_id}")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return flight

    async def _until_end(self, flight: _RunFlight) -> None:
        """Wait for the end of a run, and free its place. Its caller gets its error."""
        try:
            await flight.handle.result()
        except JidoError:
            pass  # the caller of the run gets it
        finally:
            self._turns.give_back()
            if self._flights.get(flight.order.key) is flight:
                del self._flights[flight.order.key]


def _name_of(recorded: Recorded, default: str) -> str:
    return str(recorded.metadata.get(SERVED_AS, default))


def _other(run_id: str) -> ConfigurationError:
    return ConfigurationError(f"run {run_id!r} exists and asks for something else; use another run_id")


# -- recorded --------------------------------------------------------------------------------------


SERVED_AS: Final = "served_as"
"""Key of a run's metadata: the name under which its pipeline or graph is served."""
_STATUSES: Final[dict[str, RunStatus]] = {
    "completed": "completed",
    "partial": "completed",
    "failed": "failed",
    "suspended": "suspended",
    "cancelled": "cancelled",
}
"""Of a recorded run of a graph; one that is interrupted goes on."""


def report_of(name: str, result: ReflectionResult | GraphResult, questions: tuple[Question, ...] = ()) -> RunReport:
    """Return the report of a run that ended."""
    return RunReport(
        run_id=result.run_id,
        kind="graph" if isinstance(result, GraphResult) else "pipeline",
        name=name,
        status=status_of(result),
        result=result.to_map() if isinstance(result, GraphResult) else dumped(result),
        questions=questions,
    )


async def reported(recorded: Recorded, served: Served | None) -> RunReport:
    """Return the report of a run in a journal.

    Args:
        served: graph of the run; without it a graph's run has no result.
    """
    name = str(recorded.metadata.get(SERVED_AS, ""))
    questions = recorded.questions
    if isinstance(recorded, RecordedRun):
        result = recorded.result()
        if result is not None:
            return report_of(name, result, questions)
        return RunReport(run_id=recorded.run_id, kind="pipeline", name=name, status="running")
    if recorded.is_over and isinstance(served, Graph):
        return report_of(name, await served.resume(recorded.run_id, recorded.scope))  # nothing is called
    partial: dict[str, Any] = {
        "run_id": recorded.run_id,
        "output": None,
        "status": recorded.status,
        "nodes": {path: _node_map(line) for path, line in recorded.nodes.items()},
        "error": None if recorded.end is None else dumped(recorded.end),
    }
    return RunReport(
        run_id=recorded.run_id,
        kind="graph",
        name=name,
        status=_STATUSES.get(recorded.status, "running"),
        result=partial,
        questions=questions,
    )


def _node_map(line: NodeLine) -> dict[str, Any]:
    status = "waiting" if line.is_waiting else "done" if line.error is None else "failed"
    error = None if line.error is None else dumped(line.error)
    return {"name": line.path, "status": status, "output": line.out, "error": error}
