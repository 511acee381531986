"""Turns: requests begin a few per pass of the event loop, so that a thousand at once do not hold up the others."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

_MOST: Final = 4


class Turns:
    """Lets callers go on in the order they came, `most` of them per pass of the event loop.

    Args:
        most: at least 1. A request needs about 1 ms before it first waits.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Return when it is the caller's turn: at once, unless others wait or have just begun."""
        loop = asyncio.get_running_loop()
        if self._taken < self._most and not self._waiting:
            if self._taken == 0:
                loop.call_soon(self._renew, loop)
            self._taken += 1
            return
        turn = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _renew(self, loop: asyncio.AbstractEventLoop) -> None:
        self._taken = 0
        while self._waiting and self._taken < self._most:
            turn = self._waiting.popleft()
            if not turn.done():  # its caller may have been cancelled
                turn.set_result(None)
                self._taken += 1
        if self._taken:
            loop.call_soon(self._renew, loop)
