"""Deadlines for very many waits at the price of a list append each.

Most asks are answered long before their deadline, so a timer for each would be work for nothing. All waits with the
same `timeout_s` share a lane: new ones go to a list, and a coarse tick seals what of it still waits with one deadline.
A wait ends at most one tick late and never early, however long the loop was blocked in between.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Final, Generic, TypeVar

from jido_ai.errors import ConfigurationError

__all__ = ["TICK_S", "Deadlines", "Lane", "check_timeout"]

TICK_S: Final = 0.005
"""How long new waits gather before they are sealed: the most that a wait ends late."""

_COMPACT_ABOVE: Final = 1024

T = TypeVar("T")


def check_timeout(timeout_s: float | None) -> None:
    """Raise `ConfigurationError` unless it is None, which is for ever, or a finite number of seconds, at least 0."""
    if timeout_s is None:
        return
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not 0 <= timeout_s < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance] - callers pass anything; NaN fails too
        raise ConfigurationError(f"timeout_s must be None or a finite number of at least 0, got {timeout_s!r}")


class Deadlines(Generic[T]):
    """Calls `expire(item, timeout_s)` for each watched item that is not done when its time is up."""

    __slots__ = ("context", "expire", "is_done", "lanes", "loop")

    def __init__(
        self, loop: asyncio.AbstractEventLoop, is_done: Callable[[T], bool], expire: Callable[[T, float], None]
    ) -> None:
        self.loop = loop
        self.is_done = is_done
        self.expire = expire
        self.lanes: dict[float, Lane[T]] = {}
        self.context = Context()  # of the timers: the context of whoever asked would keep its actor in memory

    def watch(self, item: T, timeout_s: float) -> None:
        """Start the time of an item."""
        lane = self.lanes.get(timeout_s) or self.open_lane(timeout_s)
        lane.fresh.append(item)
        if not lane.ticking:
            lane.start_ticking()

    def open_lane(self, timeout_s: float) -> Lane[T]:
        """Make the lane for a `timeout_s` that nobody waits with yet. Raises `ConfigurationError`."""
        check_timeout(timeout_s)
        lane = self.lanes[timeout_s] = Lane(self, timeout_s)
        return lane

    def close(self) -> None:
        """Forget everything; nothing expires any more."""
        for lane in self.lanes.values():
            lane.close()
        self.lanes.clear()


class Lane(Generic[T]):
    """The waits that share one `timeout_s`.

    Attributes:
        fresh: what came since the last tick; senders append to it.
        ticking: a tick is on its way; when it is not, whoever appends starts it.
    """

    __slots__ = ("_compact_at", "_count", "_deadlines", "_due", "_sealed", "_tick", "fresh", "ticking", "timeout_s")

    def __init__(self, deadlines: Deadlines[T], timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self.fresh: list[T] = []
        self.ticking = False
        self._deadlines = deadlines
        self._sealed: deque[tuple[float, list[T]]] = deque()
        self._count = 0
        self._compact_at = _COMPACT_ABOVE
        self._tick: asyncio.TimerHandle | None = None
        self._due: asyncio.TimerHandle | None = None

    def start_ticking(self) -> None:
        """Seal what is fresh in one tick from now."""
        self.ticking = True
        self._tick = self._deadlines.loop.call_later(
            min(TICK_S, self.timeout_s), self._seal, context=self._deadlines.context
        )

    def close(self) -> None:
        """Cancel the timers."""
        for timer in (self._tick, self._due):
            if timer is not None:
                timer.cancel()

    def _seal(self) -> None:
        """Give what came since the last tick its deadline: `timeout_s` from now, so never too early."""
        is_done, loop = self._deadlines.is_done, self._deadlines.loop
        waiting = [item for item in self.fresh if not is_done(item)]
        went_on = bool(self.fresh)
        self.fresh.clear()
        if waiting:
            self._sealed.append((loop.time() + self.timeout_s, waiting))
            self._count += len(waiting)
            if self._count > self._compact_at:
                self._compact()
            if self._due is None and self._sealed:
                self._due = loop.call_at(self._sealed[0][0], self._expire_due, context=self._deadlines.context)
        if went_on:
            self.start_ticking()
        else:
            self.ticking = False
            self._close_if_empty()

    def _expire_due(self) -> None:
        is_done, expire = self._deadlines.is_done, self._deadlines.expire
        now = self._deadlines.loop.time()
        while self._sealed and self._sealed[0][0] <= now:
            items = self._sealed.popleft()[1]
            self._count -= len(items)
            for item in items:
                if not is_done(item):
                    expire(item, self.timeout_s)
        self._due = None
        if self._sealed:
            self._due = self._deadlines.loop.call_at(
                self._sealed[0][0], self._expire_due, context=self._deadlines.context
            )
        else:
            self._close_if_empty()

    def _compact(self) -> None:
        """Let go of what was answered since it was sealed; called whenever that may be half of it."""
        is_done = self._deadlines.is_done
        kept = ((due, [item for item in items if not is_done(item)]) for due, items in self._sealed)
        self._sealed = deque((due, items) for due, items in kept if items)
        self._count = sum(len(items) for _, items in self._sealed)
        self._compact_at = max(_COMPACT_ABOVE, 2 * self._count)

    def _close_if_empty(self) -> None:
        if not (self.ticking or self.fresh or self._sealed) and self._deadlines.lanes.get(self.timeout_s) is self:
            del self._deadlines.lanes[self.timeout_s]
