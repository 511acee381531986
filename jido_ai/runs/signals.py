"""Signals between tasks: the next change of something, and who may work on a key now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager

__all__ = ["ChangeSignal", "OnePerKey"]


class ChangeSignal:
    """Wakes all tasks that wait for the next change. Belongs to one event loop."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def waiting(self) -> int:
        """Number of tasks that wait."""
        return len(self._waiting)

    def wake(self) -> None:
        """Let all that wait look again."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            if not change.done():
                change.set_result(None)

    async def wait(self) -> None:
        """Wait for the next `wake`."""
        change: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(change)
        try:
            await change
        finally:
            if not change.done() or change.cancelled():
                self._waiting = [other for other in self._waiting if other is not change]


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
