"""LibraryRunner: carries out runs in this process, a limited number at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from jido_ai.errors import ConfigurationError, JidoError, NotFoundError
from jido_ai.graph.events import NodeStopped
from jido_ai.graph.graph import Graph
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.settings import nearest
from jido_ai.loop.events import Critiqued
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp.caller import Caller
from jido_ai.mcp.recorded import SERVED_AS, Recorded, questions_of, recorded_run, report_of, reported
from jido_ai.mcp.runs import Order, Question, RunInFlight, RunReport, Thing
from jido_ai.values import Candidate, CritiqueResult, Scope, new_id

__all__ = ["BusyError", "LibraryRunner"]

Key = tuple[Scope, str]


class BusyError(JidoError):
    """Too many runs wait already; try again later."""


@dataclass(slots=True, eq=False)
class _Flight:
    """A run that is carried out here; a `RunInFlight`."""

    order: Order
    handle: Any
    journal: RunJournal | None
    scope: Scope

    @property
    def run_id(self) -> str:
        return self.handle.run_id

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
        recorded = await recorded_run(self.journal, self.run_id, self.scope)
        return report if recorded is None else replace(report, questions=await questions_of(recorded, self.journal))

    async def cancel(self) -> None:
        await self.handle.cancel()


@dataclass(frozen=True, slots=True)
class _Over:
    """A run that ended before; a `RunInFlight`."""

    report: RunReport

    @property
    def run_id(self) -> str:
        return self.report.run_id

    async def events(self) -> AsyncGenerator[Mapping[str, Any]]:
        for event in ():
            yield event

    async def result(self) -> RunReport:
        return self.report

    async def cancel(self) -> None:
        return None


class LibraryRunner:
    """Carries out runs in this process; a `Runner`.

    Args:
        things: pipelines and graphs by name; running while the runner is used.
        max_runs: runs and critiques at once, at least 1.
        max_queue: how many more may wait for their turn, at least 0.
    """

    def __init__(self, things: Mapping[str, Thing], *, max_runs: int = 64, max_queue: int = 1000) -> None:
        if max_runs < 1 or max_queue < 0:
            raise ConfigurationError(f"need max_runs >= 1 and max_queue >= 0, got {max_runs} and {max_queue}")
        self.things = things
        self._max_queue = max_queue
        self._slots = asyncio.Semaphore(max_runs)
        self._waiting = 0
        self._flights: dict[Key, _Flight] = {}
        self._starting: dict[Key, asyncio.Future[None]] = {}
        self._ending: set[asyncio.Task[None]] = set()

    async def start(self, order: Order, caller: Caller) -> RunInFlight:
        """See `Runner`."""
        thing = self._thing(order.name)
        if isinstance(thing, Graph) != (order.inputs is not None):
            kind = "graph: it takes inputs" if isinstance(thing, Graph) else "pipeline: it takes a prompt"
            raise ConfigurationError(f"{order.name!r} is a {kind}")
        if order.run_id is None:
            return await self._begun(order, thing, caller)
        key = (caller.scope, order.run_id)
        while (other := self._starting.get(key)) is not None:  # a call with the same id is quicker
            await asyncio.shield(other)
        started = self._starting[key] = asyncio.get_running_loop().create_future()
        try:
            return await self._known(order, thing, caller) or await self._begun(order, thing, caller)
        finally:
            del self._starting[key]
            started.set_result(None)

    async def resume(self, report: RunReport, question: Question, decision: bool | str, caller: Caller) -> RunInFlight:
        """See `Runner`."""
        thing = self._thing(report.name)
        answer: Any = {question.path: decision} if isinstance(thing, Graph) else decision
        order = Order(name=report.name, run_id=report.run_id)
        return await self._launch(
            order, thing, caller, (), {"resume": report.run_id, "scope": caller.scope, "decision": answer}
        )

    async def load(self, run_id: str, caller: Caller) -> RunReport:
        """See `Runner`."""
        flight = self._flights.get((caller.scope, run_id))
        if flight is not None:
            kind = "graph" if isinstance(self.things[flight.order.name], Graph) else "pipeline"
            return RunReport(run_id=run_id, kind=kind, name=flight.order.name, status="running")
        seen: list[RunJournal] = []
        for thing in self.things.values():
            journal = thing.journal
            if journal is None or any(journal.memory is one.memory for one in seen):
                continue
            seen.append(journal)
            recorded = await recorded_run(journal, run_id, caller.scope)
            if recorded is not None:
                return await reported(recorded, self._served(recorded), journal)
        raise NotFoundError(f"there is no run {run_id!r}")

    async def critique(self, name: str, text: str, task: str, caller: Caller) -> CritiqueResult:
        """See `Runner`."""
        thing = self._thing(name)
        if not isinstance(thing, Pipeline):
            raise ConfigurationError(f"{name!r} is a graph; only a pipeline has critics")
        await self._turn()
        try:
            return await thing.critique(task, text, caller.scope)
        finally:
            self._slots.release()

    # -- inside --------------------------------------------------------------------------------------

    def _thing(self, name: str) -> Thing:
        thing = self.things.get(name)
        if thing is None:
            short = name[:100]
            known = nearest(short, list(self.things))
            raise ConfigurationError(f"there is no pipeline or graph {short!r}; {known}")
        return thing

    def _served(self, recorded: Recorded) -> Thing | None:
        return self.things.get(str(recorded.metadata.get(SERVED_AS, "")))

    async def _begun(self, order: Order, thing: Thing, caller: Caller) -> RunInFlight:
        options: dict[str, Any] = {
            "run_id": order.run_id or new_id("run"),
            "scope": caller.scope,
            "metadata": {SERVED_AS: order.name},
        }
        if isinstance(thing, Graph):
            return await self._launch(order, thing, caller, (order.inputs,), options)
        return await self._launch(order, thing, caller, (order.prompt, order.initial), options)

    async def _known(self, order: Order, thing: Thing, caller: Caller) -> RunInFlight | None:
        """Return the run of the order's id; None if there is none."""
        assert order.run_id is not None
        flight = self._flights.get((caller.scope, order.run_id))
        if flight is not None:
            if flight.order != order:
                raise _other(order.run_id)
            return flight
        journal = thing.journal
        recorded = None if journal is None else await recorded_run(journal, order.run_id, caller.scope)
        if recorded is None or journal is None:
            return None
        if recorded.metadata.get(SERVED_AS, order.name) != order.name or not _is_of(recorded, order):
            raise _other(order.run_id)
        report = await reported(recorded, thing, journal)
        if recorded.is_over or report.status in ("suspended", "cancelled"):
            return _Over(report)
        return await self._launch(order, thing, caller, (), {"resume": order.run_id, "scope": caller.scope})

    async def _turn(self) -> None:
        if self._slots.locked() and self._waiting >= self._max_queue:
            raise BusyError(f"{self._waiting} runs wait already; try again later")
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1

    async def _launch(
        self, order: Order, thing: Thing, caller: Caller, args: tuple[Any, ...], options: Mapping[str, Any]
    ) -> RunInFlight:
        await self._turn()
        try:
            handle: Any = await thing.start(*args, **options)
        except BaseException:
            self._slots.release()
            raise
        flight = _Flight(order, handle, thing.journal, caller.scope)
        key = (caller.scope, flight.run_id)
        self._flights[key] = flight
        task = asyncio.create_task(self._until_end(key, flight), name=f"mcp run {flight.run_id}")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        return flight

    async def _until_end(self, key: Key, flight: _Flight) -> None:
        """Free the run's place when it has ended, however it ended; whoever waits for it hears how."""
        try:
            await _settled(flight.handle)
        finally:
            self._slots.release()
            if self._flights.get(key) is flight:
                del self._flights[key]


async def _settled(handle: Any) -> None:
    try:
        await handle.result()
    except JidoError:
        return  # the caller of the run is told


def _other(run_id: str) -> ConfigurationError:
    return ConfigurationError(f"run {run_id!r} exists and asks for something else; use another run_id")


def _is_of(recorded: Recorded, order: Order) -> bool:
    if isinstance(recorded, RecordedGraph):
        return order.inputs is not None and recorded.is_of(order.inputs)
    return order.inputs is None and recorded.is_of(
        order.prompt, None if order.initial is None else Candidate(order.initial)
    )
