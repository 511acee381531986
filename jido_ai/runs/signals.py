"""Signals between tasks: the next change of something, who may work on a key now, and whose turn it is."""

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


class Turns:
    """Lets at most `limit` holders through at a time, the others in order of arrival. None is no limit."""

    def __init__(self, limit: int | None) -> None:
        self._free = limit
        self._waiting: dict[Hashable, asyncio.Future[bool]] = {}

    @property
    def waiting(self) -> int:
        """Number of holders that wait for their turn."""
        return len(self._waiting)

    @property
    def is_free(self) -> bool:
        """True if the next holder need not wait."""
        return self._free is None or self._free > 0

    async def take(self, key: Hashable) -> bool:
        """Wait for a turn. Returns True if the caller has it and must give it back, False if it was sent away."""
        if self._free is None:
            return True
        if self._free > 0:
            self._free -= 1
            return True
        turn = self._waiting[key] = asyncio.get_running_loop().create_future()
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result():
                self.give_back()  # granted at the moment of the cancellation
            raise
        finally:
            self._waiting.pop(key, None)

    def give_back(self) -> None:
        """End a turn; the next caller in the queue gets it."""
        if self._free is None:
            return
        turn = next((turn for turn in self._waiting.values() if not turn.done()), None)
        if turn is None:
            self._free += 1
        else:
            turn.set_result(True)

    def send_away(self, key: Hashable) -> None:
        """End the wait for `key` without a turn; does nothing if nobody waits with that key."""
        turn = self._waiting.get(key)
        if turn is not None and not turn.done():
            turn.set_result(False)
