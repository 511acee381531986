"""ServerState: what the routes of one server share, and its life."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from jido_ai.errors import ConfigurationError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.persistent_ledger import persistent_ledger
from jido_ai.reflection.reflector import Reflector
from jido_ai.serve.caller import Caller
from jido_ai.serve.desk import RunDesk, Thing
from jido_ai.serve.entries import Entry, Order
from jido_ai.serve.metrics import Metrics
from jido_ai.serve.queues import Queues
from jido_ai.serve.quotas import Quotas
from jido_ai.serve.reachable import ReachableModels
from jido_ai.serve.scan import kept_runs
from jido_ai.serve.tokens import TokenFile
from jido_ai.values import utc_now

__all__ = ["ServerState"]

_log: Final = logging.getLogger("jido_ai.serve")


class ServerState:
    """What the routes share.

    Args:
        memory: opened and closed with the server unless it is open.
        reflector: for episodes of other agents; None: one without a model.
        monthly_usd: see `create_app`.
    """

    def __init__(
        self,
        things: Mapping[str, Thing],
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
        self.quotas = Quotas()
        self.reflector = Reflector() if reflector is None else reflector
        self._monthly_usd = monthly_usd
        self.desk = RunDesk(things, memory, max_runs=max_runs, max_queue=max_queue, tell=self._tell)
        self.desk.ended = self._ended
        self.metrics.watch(self.desk)
        self.models = ReachableModels(things.values())
        self.queues = Queues(memory.address)
        self.doors: list[AbstractAsyncContextManager[Any]] = []  # what lives as long as the server
        self._opened: asyncio.Future[None] | None = None
        self._leave = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self.streams: dict[str, int] = {}

    async def open(self) -> None:
        """Start everything, once; also called before the first request, since a mounted app is not told of its start.

        Raises:
            JidoError: the memory cannot be opened, or a thing cannot be started.
        """
        if self._opened is None:
            self._opened = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.create_task(self._keep(self._opened), name="life of the server")
        if not self._opened.done():
            await asyncio.shield(self._opened)
        self._opened.result()

    async def _keep(self, opened: asyncio.Future[None]) -> None:
        """Start everything, and stop it in the same task."""
        try:
            async with AsyncExitStack() as stack:
                if not self.memory.is_open:
                    await stack.enter_async_context(self.memory)
                if self.tokens is not None:
                    await self._count_today()
                costs = await stack.enter_async_context(AsyncExitStack())  # kept until all runs have ended
                stack.push_async_callback(self.desk.close)
                stack.push_async_callback(self.models.close)
                stack.push_async_callback(self.queues.close)
                await self.desk.open()
                parts = {name: thing.uses() for name, thing in self.desk.things.items()}
                parts["reflections"] = (self.reflector,)
                await costs.enter_async_context(persistent_ledger(parts, self.memory, monthly_usd=self._monthly_usd))
                for door in self.doors:
                    await stack.enter_async_context(door)
                opened.set_result(None)
                await self._leave.wait()
        except Exception as error:
            if opened.done():
                raise
            opened.set_exception(error)

    async def _count_today(self) -> None:
        """Count what the tokens have spent today before this start."""
        today = utc_now().date()
        async with aclosing(kept_runs(self.memory)) as runs:
            async for _, entry in runs:
                if entry.updated_at.date() < today:
                    return
                self._spend(entry)

    async def close(self) -> None:
        """Stop everything; unfinished runs go on at the next start."""
        self._leave.set()
        if self._keeper is not None:
            await asyncio.shield(self._keeper)

    def admit(self, caller: Caller) -> None:
        """Raise `Problem` ("quota") if the caller may start no run now."""
        if caller.token is not None:
            now = utc_now()
            self.quotas.admit(
                caller.token,
                in_flight=self.desk.of_token(caller.token.id),
                now=time.monotonic(),
                day=now.date(),
                until_midnight_s=_until_midnight(now),
            )

    async def start(self, order: Order, caller: Caller, *, is_fresh: bool) -> tuple[Entry, bool]:
        """Accept a run; see `RunDesk.accept`."""
        return await self.desk.accept(order, lambda: self.admit(caller), is_fresh=is_fresh)

    def _ended(self, entry: Entry) -> None:
        self.metrics.ended(entry)
        self._spend(entry)

    def _spend(self, entry: Entry) -> None:
        if entry.order.token and entry.summary is not None:
            self.quotas.spend(entry.order.token, entry.updated_at.date(), entry.summary)

    def _tell(self, name: str, **facts: object) -> None:
        level = logging.INFO if name == "serve.run_taken_up" else logging.WARNING
        _log.log(level, "%s %s", name, " ".join(f"{key}={value!r}" for key, value in facts.items()))


def _until_midnight(now: datetime) -> float:
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (tomorrow - now).total_seconds()


def memory_named(memory: ReflexionMemory | str | Path | None) -> ReflexionMemory:
    """Return the memory of a server: one in this process for None.

    Raises:
        ConfigurationError: it can never work.
    """
    if isinstance(memory, ReflexionMemory):
        return memory
    if memory is not None and not isinstance(memory, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything
        raise ConfigurationError(f"memory must be None, a path or a ReflexionMemory, got {type(memory).__name__}")
    return ReflexionMemory(None if memory is None else str(memory), similarity="auto")
