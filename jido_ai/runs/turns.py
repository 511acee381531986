"""Turns: a concurrency limit with a queue from which waiting callers can be removed."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable


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
