"""ServerState: the parts of a server that its routes share, and their life."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast

from fastapi import Depends
from starlette.requests import Request

from jido_ai.errors import ActorError, StoreError
from jido_ai.graph.orders import RunOrder
from jido_ai.graph.served import Served, keep_running
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import enclosing_spending
from jido_ai.reflection.reflector import Reflector
from jido_ai.runs.kept_open import KeptOpen
from jido_ai.runs.signals import OnePerKey
from jido_ai.serve.admission import Admission, check_dollars
from jido_ai.serve.caller import HttpCaller
from jido_ai.serve.entries import Entry
from jido_ai.serve.metrics import Metrics
from jido_ai.serve.reachable import KeptLook, ReachableModels
from jido_ai.serve.scan import beside_counts, beside_record
from jido_ai.serve.served_runs import ServedRuns
from jido_ai.serve.tokens import TokenFile
from jido_ai.values import new_id, utc_now
from jido_ai.values.record import Record

_KEPT_S: Final = 2.0


class Queues:
    """The runs in the queues, their workers and hand-overs; read at most every two seconds.

    Args:
        store: address of the memory; None has no queues.
    """

    def __init__(self, store: str | None) -> None:
        self._store = store
        self._kept = KeptLook(self._look, _KEPT_S)
        self.close = self._kept.close

    async def look(self) -> list[dict[str, Any]]:
        """Return the queues; none if no worker ever had this store, or DBOS is not installed.

        Raises:
            StoreUnavailableError: the database cannot be reached.
        """
        return await self._kept.get() if self._may_have_some() else []

    def _may_have_some(self) -> bool:
        store = self._store
        if store is None or find_spec("dbos") is None:
            return False
        return store.startswith(("postgresql://", "postgres://")) or Path(f"{store}.queue").exists()

    async def _look(self) -> list[dict[str, Any]]:
        from jido_ai.integrations.dbos_overview import queues_at  # noqa: PLC0415 - an extra

        assert self._store is not None
        found: dict[str, Any] = await asyncio.to_thread(queues_at, self._store)
        return [_queue(name, view) for name, view in found.items()]


def _queue(name: str, view: Any) -> dict[str, Any]:
    return {
        "name": name,
        "waiting": view.waiting,
        "running": view.running,
        "workers": [
            {
                "id": worker.id,
                "status": "gone" if worker.is_gone else "silent" if worker.is_silent else "running",
                "running": worker.running,
                "concurrency": worker.concurrency,
                "release": worker.release,
                "names": list(worker.names),
                "silent_s": round(worker.silent_s, 1),
            }
            for worker in view.workers
        ],
        "handovers": [
            {
                "run_id": handover.run_id,
                "from": handover.from_worker,
                "by": handover.by_worker,
                "seconds_ago": round(handover.seconds_ago),
            }
            for handover in view.handovers
        ],
        "given_up": [
            {"run_id": one.run_id, "attempts": one.attempts, "seconds_ago": round(one.seconds_ago)}
            for one in view.given_up
        ],
    }


T = TypeVar("T")
_log: Final = logging.getLogger("jido_ai.serve")


class ServerState:
    """The parts of a server.

    Args:
        memory: opened and closed with the server unless it is open.
        reflector: for episodes of other agents; None: one without a model.
        monthly_usd: see `create_app`.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        memory: ReflexionMemory,
        tokens: TokenFile | None,
        *,
        max_runs: int,
        max_queue: int,
        reflector: Any = None,
        monthly_usd: float | None = None,
    ) -> None:
        self.memory = memory
        self.tokens = tokens
        self.metrics = Metrics()
        self.admission = Admission(dict(served), tokens, self.metrics)
        self.noting = OnePerKey()  # runs on which a note is written
        self.reflector = Reflector() if reflector is None else reflector
        self._monthly_usd = monthly_usd
        self.served = served
        self.runs = ServedRuns(served, memory, max_runs=max_runs, max_queue=max_queue, emit=self._log)
        self.runs.admission = self.admission
        self.metrics.watch(lambda: self.runs.in_flight, lambda: self.runs.waiting)
        self.models = ReachableModels(served.values())
        self.queues = Queues(memory.address)
        self.doors: list[AbstractAsyncContextManager[Any]] = []  # what lives as long as the server
        self._kept = KeptOpen(self._running)
        self._failure: Exception | None = None
        self._is_closed = False
        self.streams: dict[str, int] = {}

    async def open(self) -> None:
        """Start everything, once; also called before each request, since a mounted app does not get its start.

        Returns early, with nothing started, if `close` is called meanwhile.

        Raises:
            JidoError: the memory cannot be opened, or a pipeline or graph cannot be started.
        """
        if self._failure is not None:
            raise self._failure
        if self._is_closed:
            return
        try:
            await self._kept.open()
        except Exception as error:
            if self._is_closed and isinstance(error, ActorError):
                return
            self._failure = error
            raise

    async def close(self) -> None:
        """Stop everything; unfinished runs continue at the next start."""
        self._is_closed = True
        await self._kept.close()

    @asynccontextmanager
    async def _running(self) -> AsyncGenerator[None]:
        reflector = {"reflections": (self.reflector,)}
        async with AsyncExitStack() as stack:
            if not self.memory.is_open:
                await stack.enter_async_context(self.memory)
            kept = keep_running(self.served, self.memory, monthly_usd=self._monthly_usd, others=reflector)
            self.admission.month = await stack.enter_async_context(kept)
            if self.tokens is not None:
                for token in self.tokens.all():
                    for name, one in self.served.items():  # running: a graph knows its models from then on
                        await check_dollars(token, name, one)
                await self.admission.count_today(self.memory)
            for part in (self.runs, self.models, self.queues):
                stack.push_async_callback(part.close)
            self.runs.open()
            for door in self.doors:
                await stack.enter_async_context(door)
            yield

    async def start(self, order: RunOrder, caller: HttpCaller) -> Entry:
        """Accept a run; see `ServedRuns.accept`.

        Raises:
            ConfigurationError: the token's limit in dollars cannot be kept; see `check_dollars`.
        """
        if caller.token is not None and order.name in self.served:  # the token may be younger than this server
            await check_dollars(caller.token, order.name, self.served[order.name])
        return await self.runs.accept(order)

    async def beside(self, caller: HttpCaller, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """Do work that calls models and is no run: admitted, in the queue, and counted as a run is.

        Args:
            name: of the pipeline, or "reflections".

        Raises:
            Problem: the token may start no work now ("quota"), or the server takes no more ("busy").
        """
        order = RunOrder(run_id=new_id("beside"), name=name, scope=caller.scope, token=caller.token_id)
        if caller.token is not None and name in self.served:
            await check_dollars(caller.token, name, self.served[name])
        async with self.runs.beside(order) as account:
            inside = enclosing_spending.set(account)
            try:
                return await work()
            finally:
                enclosing_spending.reset(inside)
                account.close()
                if account.entries:
                    if name not in self.served:  # a critique costs less than a run of the same name
                        self.admission.quotas.note(name, account.cost)
                    self.metrics.spent(name, beside_counts(account.spent))
                    line = beside_record(caller.scope, caller.token_id, name, utc_now().date(), account.spent)
                    await asyncio.shield(asyncio.create_task(self._kept_cost(line)))

    async def _kept_cost(self, line: Record) -> None:
        try:
            await self.memory.append([line])
        except (StoreError, ActorError) as error:  # the answer is there all the same
            self._log("serve.store_failed", error=str(error))

    def _log(self, name: str, **facts: object) -> None:
        level = logging.INFO if name == "serve.run_taken_up" else logging.WARNING
        _log.log(level, "%s %s", name, " ".join(f"{key}={value!r}" for key, value in facts.items()))


async def _state_of(request: Request) -> ServerState:
    return cast("ServerState", request.app.state.jido)


State = Annotated[ServerState, Depends(_state_of)]
"""The state, as the dependency of a route."""
