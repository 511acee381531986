"""The door `/mcp`: the MCP server over the runs of this server, with the same tokens and quotas."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar, cast

from starlette.types import ASGIApp, Receive, Send

from jido_ai.errors import ComponentError, ConfigurationError, JidoError, NotFoundError
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import Key, RunOrder, questions_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp.limits import Caller as McpCaller
from jido_ai.mcp.limits import Permission
from jido_ai.mcp.runs import RunInFlight, RunReport
from jido_ai.runs.questions import Question
from jido_ai.serve.caller import ANYBODY, HttpCaller
from jido_ai.serve.door import LONGEST_S
from jido_ai.serve.problems import Problem, problem_of
from jido_ai.serve.routes.runs import check_order, check_run_id
from jido_ai.serve.state import ServerState
from jido_ai.serve.told_errors import told_result
from jido_ai.values import CritiqueResult, Scope

T = TypeVar("T")

_SESSION: Final = b"mcp-session-id"
_RIGHTS: Final[tuple[Permission, ...]] = ("run", "read", "memory")


def caller_of(context: Any) -> McpCaller:
    """Return who sent an MCP request; the guard has found out."""
    caller = _caller(context)
    may: frozenset[Permission] = frozenset(right for right in _RIGHTS if right in caller.rights)
    return McpCaller(scope=caller.scope, may=may, id=caller.token_id)


def _caller(context: Any) -> HttpCaller:
    request = getattr(context, "request", None)
    return ANYBODY if request is None else cast("HttpCaller", request.scope["jido.caller"])


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of the server; a `RunInFlight`."""

    runner: ServedRunner
    key: Key

    @property
    def run_id(self) -> str:
        return self.key[1]

    async def events(self) -> AsyncGenerator[Mapping[str, Any]]:
        async for note in self.runner.runs.events(self.key, 0):
            yield note.to_map()

    async def result(self) -> RunReport:
        await self.runner.runs.wait(self.key, LONGEST_S)
        return await self.runner.report(self.key)

    async def cancel(self) -> None:
        await self.runner.runs.cancel(self.key)


class ServedRunner:
    """Carries out MCP's runs as runs of the server, where the API and the page see them; a `Runner`."""

    def __init__(self, state: ServerState) -> None:
        self._state = state
        self.runs = state.runs
        self.served = state.served

    async def start(self, order: RunOrder) -> RunInFlight:
        """See `Runner`."""
        if isinstance(self.served.get(order.name), Graph) and order.inputs is None:
            order = replace(order, prompt=None, initial=None, inputs={})
        with _as_library_error():
            check_run_id(order.run_id)
            check_order(order, self.runs)
            await self._state.start(order, self._caller(order.scope, order.token))
        return _Run(self, order.key)

    async def resume(
        self, report: RunReport, question: Question, decision: bool | str, caller: McpCaller
    ) -> RunInFlight:
        """See `Runner`."""
        key = (caller.scope, report.run_id)
        with _as_library_error():
            await self.runs.resume(key, {question.id: decision})
        return _Run(self, key)

    async def load(self, run_id: str, scope: Scope) -> RunReport:
        """See `Runner`."""
        with _as_library_error():
            return await self.report((scope, run_id))

    async def critique(self, name: str, text: str, task: str, caller: McpCaller) -> CritiqueResult:
        """See `Runner`."""
        pipeline = self.served.get(name)
        if not isinstance(pipeline, Pipeline):
            raise ConfigurationError(f"there is no pipeline {name[:100]!r}")
        return await self.beside(name, caller, partial(pipeline.critique, task, text, caller.scope))

    async def beside(self, name: str, caller: McpCaller, work: Callable[[], Awaitable[T]]) -> T:
        """See `Runner`."""
        try:
            with _as_library_error():
                return await self._state.beside(self._caller(caller.scope, caller.id), name, work)
        except ComponentError as error:
            if self._state.tokens is None:
                raise
            raise JidoError(problem_of(error).detail) from error

    async def report(self, key: Key) -> RunReport:
        """Return the current state of a run. Raises `Problem` ("not-found")."""
        entry = await self.runs.find(key)
        result = None if entry.is_open else await self.runs.result_of(entry)
        if self._state.tokens is not None:
            result = told_result(result)
        order = entry.order
        report = RunReport(
            run_id=order.run_id,
            kind=order.kind,
            name=order.name,
            status=entry.status,
            result=result,
            token=order.token,
        )
        if entry.status != "suspended":
            return report
        asked = await questions_of(self.served.get(order.name), order.run_id, order.scope)
        return replace(report, questions=asked)

    def _caller(self, scope: Scope, token_id: str) -> HttpCaller:
        file = self._state.tokens
        return HttpCaller(scope, (), None if file is None else file.token_named(token_id))


class OwnSessions:
    """Ties each session of MCP to the token that began it: its id is signed, and for another token there is none."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._secret = secrets.token_bytes(32)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        caller: HttpCaller = scope["jido.caller"]
        owner = f"{caller.scope.tenant}\n{caller.scope.project}\n{caller.token_id}".encode()

        def signed(id_: bytes) -> bytes:
            sign = hmac.digest(self._secret, id_ + b"\n" + owner, "sha256").hex()[:32]
            return id_ + b"-" + sign.encode()

        def bare(value: bytes) -> bytes:
            id_ = value.rpartition(b"-")[0]
            if not hmac.compare_digest(value, signed(id_)):
                raise Problem("not-found", "there is no such session; begin a new one")
            return id_

        headers = [(name, bare(value) if name == _SESSION else value) for name, value in scope["headers"]]

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                told = message["headers"]
                message["headers"] = [(name, signed(value) if name == _SESSION else value) for name, value in told]
            await send(message)

        await self._app({**scope, "headers": headers}, receive, answer)


class _as_library_error:
    """Turns a `Problem` of the block into an error of the library, whose message a client may read."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Problem):
            if error.kind == "not-found":
                raise NotFoundError(error.detail) from error
            raise ConfigurationError(error.detail) from error
