"""Deadlines for very many waits, at the cost of one list append each.

Most asks are answered long before their deadline, so a timer for each would be wasted work. All waits with the same
`timeout_s` share a lane: new ones are appended to a list, and a coarse tick gives the ones that still wait a common
deadline. A wait ends at most one tick late and never early, however long the loop was blocked in between.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Final, Generic, TypeVar

from jido_ai.errors import ConfigurationError, describe

TICK_S: Final = 0.02
"""Seconds for which new waits are collected before they are sealed: the longest delay of a timeout."""

_MOST_S: Final = sys.float_info.max
_COMPACT_ABOVE: Final = 256
_FEW: Final = 250

T = TypeVar("T")


def check_timeout(timeout_s: float | None) -> None:
    """Raise `ConfigurationError` unless it is None (wait forever) or a finite number of seconds, at least 0."""
    if timeout_s is None:
        return
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not 0 <= timeout_s <= _MOST_S:
        raise ConfigurationError(f"timeout_s must be None or a finite number of at least 0, got {describe(timeout_s)}")


class Deadlines(Generic[T]):
    """Calls `expire(item, timeout_s)` for each watched item that still waits at its deadline.

    `still_waiting` returns the items of a list that are not done yet, in order.
    """

    __slots__ = ("context", "expire", "lanes", "loop", "still_waiting")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        still_waiting: Callable[[list[T]], list[T]],
        expire: Callable[[T, float], None],
    ) -> None:
        self.loop = loop
        self.still_waiting = still_waiting
        self.expire = expire
        self.lanes: dict[float, Lane[T]] = {}
        self.context = Context()  # for the timers: the asker's context would keep its actor in memory

    def watch(self, item: T, timeout_s: float) -> None:
        """Start the timeout of an item."""
        lane = self.lanes.get(timeout_s) or self.open_lane(timeout_s)
        lane.fresh.append(item)
        if len(lane.fresh) > lane.trim_above:
            lane.trim()

    def open_lane(self, timeout_s: float) -> Lane[T]:
        """Make the lane for a new `timeout_s`. Raises `ConfigurationError`."""
        check_timeout(timeout_s)
        lane = self.lanes[timeout_s] = Lane(self, timeout_s)
        return lane

    def close(self) -> None:
        """Forget all items; none of them expires any more."""
        for lane in self.lanes.values():
            lane.close()
        self.lanes.clear()


class Lane(Generic[T]):
    """The waits that share one `timeout_s`.

    Attributes:
        fresh: items since the last tick; senders append to it.
        trim_above: a sender that makes `fresh` longer than this calls `trim`. 0 while no tick is scheduled.
    """

    __slots__ = ("_compact_at", "_count", "_deadlines", "_due", "_sealed", "_tick", "fresh", "timeout_s", "trim_above")

    def __init__(self, deadlines: Deadlines[T], timeout_s: float) -> None:
        self.timeout_s = timeout_s
        self.fresh: list[T] = []
        self.trim_above = 0
        self._deadlines = deadlines
        self._sealed: deque[tuple[float, list[T]]] = deque()
        self._count = 0
        self._compact_at = _COMPACT_ABOVE
        self._tick: asyncio.TimerHandle | None = None
        self._due: asyncio.TimerHandle | None = None

    def trim(self) -> None:
        """Release answered items, and make sure that a tick is scheduled.

        Items held for a tick trigger the garbage collector: it runs after a few hundred allocations without release.
        """
        if self.trim_above == 0:
            self._start_ticking()
        else:
            self.fresh[:] = self._deadlines.still_waiting(self.fresh)
        self.trim_above = 2 * len(self.fresh) + _FEW

    def _start_ticking(self) -> None:
        """Seal the fresh items one tick from now."""
        self._tick = self._deadlines.loop.call_later(
            min(TICK_S, self.timeout_s), self._seal, context=self._deadlines.context
        )

    def close(self) -> None:
        """Cancel the timers."""
        for timer in (self._tick, self._due):
            if timer is not None:
                timer.cancel()

    def _seal(self) -> None:
        """Give the items since the last tick their deadline: `timeout_s` from now, so never too early."""
        loop, still_waiting = self._deadlines.loop, self._deadlines.still_waiting
        went_on = bool(self.fresh)
        if self._sealed:  # most items of the last tick have been answered by now
            due, items = self._sealed.pop()
            self._keep(due, still_waiting(items), of=len(items))
        waiting = still_waiting(self.fresh)
        self.fresh.clear()
        self._keep(loop.time() + self.timeout_s, waiting, of=0)
        if self._count > self._compact_at:
            self._compact()
        if self._due is None and self._sealed:
            self._due = loop.call_at(self._sealed[0][0], self._expire_due, context=self._deadlines.context)
        if went_on:
            self._start_ticking()
        else:
            self.trim_above = 0
            self._close_if_empty()

    def _keep(self, due: float, items: list[T], *, of: int) -> None:
        """Append a batch, of which `of` items were already counted; an empty batch is dropped."""
        self._count += len(items) - of
        if items:
            self._sealed.append((due, items))

    def _expire_due(self) -> None:
        now = self._deadlines.loop.time()
        while self._sealed and self._sealed[0][0] <= now:
            items = self._sealed.popleft()[1]
            self._count -= len(items)
            for item in self._deadlines.still_waiting(items):
                self._deadlines.expire(item, self.timeout_s)
        self._due = None
        if self._sealed:
            self._due = self._deadlines.loop.call_at(
                self._sealed[0][0], self._expire_due, context=self._deadlines.context
            )
        else:
            self._close_if_empty()

    def _compact(self) -> None:
        """Release items answered since they were sealed; called when they may be a fifth of all.

        Only waits longer than a tick are here, and checking one takes some 50 ns: keeping it in memory costs more.
        """
        still_waiting = self._deadlines.still_waiting
        kept = ((due, still_waiting(items)) for due, items in self._sealed)
        self._sealed = deque((due, items) for due, items in kept if items)
        self._count = sum(len(items) for _, items in self._sealed)
        self._compact_at = max(_COMPACT_ABOVE, self._count * 5 // 4)

    def _close_if_empty(self) -> None:
        if not (self.trim_above or self.fresh or self._sealed) and self._deadlines.lanes.get(self.timeout_s) is self:
            del self._deadlines.lanes[self.timeout_s]
            self.close()  # its timer would keep the lane alive
