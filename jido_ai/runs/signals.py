"""Signals between tasks: the next change of something, and who may work on a key now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager


class ChangeSignal:
    """Wakes all tasks that wait for the next change. Belongs to one event loop.

    Attributes:
        waiting: one future for each task that waits.
    """

    __slots__ = ("waiting",)

    def __init__(self) -> None:
        self.waiting: list[asyncio.Future[None]] = []

    def wake(self) -> None:
        """Let all that wait look again."""
        waiting, self.waiting = self.waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)

    async def wait(self) -> None:
        """Wait for the next `wake`."""
        change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting.append(change)
        try:
            await change
        finally:
            if not change.done() or change.cancelled():
                self.waiting = [other for other in self.waiting if other is not change]


class OnePerKey:
    """Lets one task at a time hold a key; others that want the same key wait."""

    def __init__(self) -> None:
        self._held: dict[Hashable, asyncio.Future[None]] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._held

    @asynccontextmanager
    async def hold(self, key: Hashable) -> AsyncGenerator[None]:
        """Hold a key inside of the `async with` block."""
        while (other := self._held.get(key)) is not None:
            await asyncio.shield(other)
        done = self._held[key] = asyncio.get_running_loop().create_future()
        try:
            yield
        finally:
            del self._held[key]
            done.set_result(None)
