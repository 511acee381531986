"""The idle timer of an actor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class IdleTimer:
    """Calls `is_over` once, if the mailbox stays empty for `next_s` seconds.

    Attributes:
        next_s: delay of the next timer in seconds, which starts when the mailbox is empty; None if there is none.
    """

    __slots__ = ("_is_over", "_running", "next_s")

    def __init__(self, next_s: float | None, is_over: Callable[[], None]) -> None:
        self.next_s = next_s
        self._running: asyncio.TimerHandle | None = None
        self._is_over = is_over

    def tend(self, loop: asyncio.AbstractEventLoop, *, has_messages: bool) -> bool:
        """Start the timer if the mailbox is empty; a queued message cancels it. Returns True if it is running."""
        if has_messages:
            self.stop()
        elif self.next_s is not None:
            self._running = loop.call_later(self.next_s, self._is_over)
        self.next_s = None
        return self._running is not None

    def stop(self) -> None:
        """Cancel the timer."""
        if self._running is not None:
            self._running.cancel()
            self._running = None
