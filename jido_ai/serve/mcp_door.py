"""The door `/mcp`: the MCP server over the runs of the desk, with the same tokens and quotas."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.graph.graph import Graph
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp.caller import Caller as McpCaller
from jido_ai.mcp.caller import Permission
from jido_ai.mcp.recorded import questions_of, recorded_run
from jido_ai.mcp.runs import Order as McpOrder
from jido_ai.mcp.runs import Question, RunInFlight, RunReport
from jido_ai.serve.caller import ANYBODY, Caller
from jido_ai.serve.desk import Thing
from jido_ai.serve.entries import Entry, Key, Order
from jido_ai.serve.problems import Problem
from jido_ai.serve.routes.runs import check_order, check_run_id
from jido_ai.serve.state import ServerState
from jido_ai.values import CritiqueResult, new_id

__all__ = ["DeskRunner", "caller_of"]

_RIGHTS: Final[tuple[Permission, ...]] = ("run", "read", "memory")


def caller_of(context: Any) -> McpCaller:
    """Return who sent an MCP request; the guard has found out."""
    caller = _caller(context)
    may: frozenset[Permission] = frozenset(right for right in _RIGHTS if right in caller.rights)
    return McpCaller(scope=caller.scope, may=may, id=caller.token_id)


def _caller(context: Any) -> Caller:
    request = getattr(context, "request", None)
    return ANYBODY if request is None else cast("Caller", request.scope["jido.caller"])


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of the desk; a `RunInFlight`."""

    runner: DeskRunner
    key: Key

    @property
    def run_id(self) -> str:
        return self.key[1]

    async def events(self) -> AsyncGenerator[Mapping[str, Any]]:
        async for note in self.runner.state.desk.events(self.key, 0):
            yield note.to_map()

    async def result(self) -> RunReport:
        await self.runner.state.desk.wait(self.key, None)
        return await self.runner.report(self.key)

    async def cancel(self) -> None:
        await self.runner.state.desk.cancel(self.key)


class DeskRunner:
    """Carries out MCP's runs on the desk, where the API and the page see them; a `Runner`."""

    def __init__(self, state: ServerState) -> None:
        self.state = state

    @property
    def things(self) -> Mapping[str, Thing]:
        """What can be run."""
        return self.state.desk.things

    async def start(self, order: McpOrder, caller: McpCaller) -> RunInFlight:
        """See `Runner`."""
        thing = self.things.get(order.name)
        is_graph = isinstance(thing, Graph)
        asked = Order(
            run_id=new_id("run") if order.run_id is None else order.run_id,
            scope=caller.scope,
            kind="graph" if is_graph else "pipeline",
            name=order.name,
            prompt=None if is_graph else order.prompt,
            initial=None if is_graph else order.initial,
            inputs=(order.inputs or {}) if is_graph else None,
            token=caller.id,
        )
        with _as_library_error():
            check_run_id(asked.run_id)
            check_order(asked, self.state.desk)
            await self.state.start(asked, self._caller(caller), is_fresh=order.run_id is None)
        return _Run(self, asked.key)

    async def resume(
        self, report: RunReport, question: Question, decision: bool | str, caller: McpCaller
    ) -> RunInFlight:
        """See `Runner`."""
        key = (caller.scope, report.run_id)
        with _as_library_error():
            await self.state.desk.resume(key, {question.path or "revision": decision})
        return _Run(self, key)

    async def load(self, run_id: str, caller: McpCaller) -> RunReport:
        """See `Runner`."""
        with _as_library_error():
            return await self.report((caller.scope, run_id))

    async def critique(self, name: str, text: str, task: str, caller: McpCaller) -> CritiqueResult:
        """See `Runner`."""
        thing = self.things.get(name)
        if not isinstance(thing, Pipeline):
            raise ConfigurationError(f"there is no pipeline {name[:100]!r}")
        with _as_library_error():
            self.state.admit(self._caller(caller))
        return await thing.critique(task, text, caller.scope)

    async def report(self, key: Key) -> RunReport:
        """Return a run as it is now. Raises `Problem` ("not-found")."""
        desk = self.state.desk
        entry = await desk.find(key)
        result = None if entry.is_open else await desk.result_of(entry)
        order = entry.order
        report = RunReport(run_id=order.run_id, kind=order.kind, name=order.name, status=entry.status, result=result)
        return replace(report, questions=await self._questions(entry)) if entry.status == "suspended" else report

    async def _questions(self, entry: Entry) -> tuple[Question, ...]:
        thing = self.things.get(entry.order.name)
        if thing is None or thing.journal is None:
            return ()
        recorded = await recorded_run(thing.journal, entry.order.run_id, entry.order.scope)
        return () if recorded is None else await questions_of(recorded, thing.journal)

    def _caller(self, caller: McpCaller) -> Caller:
        file = self.state.tokens
        token = None if file is None else file.token_named(caller.id)
        return Caller(caller.scope, tuple(caller.may), token)


class _as_library_error:
    """Turns a `Problem` of the block into an error of the library, whose message a client may read."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Problem):
            if error.kind == "not-found":
                raise NotFoundError(error.detail) from error
            raise ConfigurationError(error.detail) from error
