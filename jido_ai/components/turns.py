"""Turns: at most so many at once; whoever waits can be sent away."""

from __future__ import annotations

import asyncio

__all__ = ["Turns"]


class Turns:
    """Lets at most `limit` through at a time, the others in the order they came. None lets everybody through."""

    def __init__(self, limit: int | None) -> None:
        self._free = limit
        self._waiting: dict[str, asyncio.Future[bool]] = {}

    async def take(self, key: str) -> bool:
        """Wait for a turn. True: it is yours, to be given back. False: you were sent away."""
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
                self.give_back()  # it came in the same moment
            raise
        finally:
            self._waiting.pop(key, None)

    def give_back(self) -> None:
        """End a turn; the next in line gets it."""
        if self._free is None:
            return
        turn = next((turn for turn in self._waiting.values() if not turn.done()), None)
        if turn is None:
            self._free += 1
        else:
            turn.set_result(True)

    def send_away(self, key: str) -> None:
        """Tell one that waits that it gets no turn; nothing happens when it does not wait."""
        turn = self._waiting.get(key)
        if turn is not None and not turn.done():
            turn.set_result(False)
