"""Life: keeps what a server was given running while at least one connection uses it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

import anyio

from jido_ai.mcp.runs import Thing
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.persistent_ledger import persistent_ledger

__all__ = ["Life"]


class Life:
    """Enters pipelines, graphs and the memory for the first connection, and leaves them after the last one.

    What the caller has entered is used as it is and stays open. A pipeline or graph without a memory gets this one.
    They are entered and left in a task of their own, since connections come and go in different tasks.

    Args:
        monthly_usd: limit for the calls of any 30 days; None is no limit.
    """

    def __init__(self, things: Mapping[str, Thing], memory: ReflexionMemory, *, monthly_usd: float | None) -> None:
        self._things = things
        self._memory = memory
        self._monthly_usd = monthly_usd
        self._users = 0
        self._entered: asyncio.Future[None] | None = None
        self._leave: asyncio.Event | None = None
        self._keeper: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def shared(self) -> AsyncGenerator[None]:
        """Keep everything running inside of the `with` block.

        Raises:
            JidoError: something could not be started.
        """
        self._users += 1
        try:
            await self._enter()
            yield
        finally:
            self._users -= 1
            if not self._users:
                with anyio.CancelScope(shield=True):  # every part of the closing has a limit of its own
                    await self._left()

    async def _enter(self) -> None:
        if self._keeper is None:
            self._entered = asyncio.get_running_loop().create_future()
            self._leave = asyncio.Event()
            self._keeper = asyncio.create_task(self._keep(self._entered, self._leave), name="jido-mcp")
        assert self._entered is not None
        await asyncio.shield(self._entered)

    async def _left(self) -> None:
        keeper, leave = self._keeper, self._leave
        self._keeper = self._leave = self._entered = None
        if keeper is not None and leave is not None:
            leave.set()
            await keeper

    async def _keep(self, entered: asyncio.Future[None], leave: asyncio.Event) -> None:
        try:
            async with AsyncExitStack() as stack:
                if not self._memory.is_open:
                    await stack.enter_async_context(self._memory)
                costs = await stack.enter_async_context(AsyncExitStack())  # kept until the things are left
                for thing in self._things.values():
                    if thing.running_in is None:
                        if thing.memory is None:
                            thing.use_memory(self._memory)
                        await stack.enter_async_context(thing)
                parts = {name: thing.uses() for name, thing in self._things.items()}
                await costs.enter_async_context(persistent_ledger(parts, self._memory, monthly_usd=self._monthly_usd))
                entered.set_result(None)
                await leave.wait()
        except Exception as error:
            if entered.done():
                raise
            entered.set_exception(error)
