"""Time limits that cost nothing inside of another limit that is at least as tight.

A model call passes through several layers with a timeout: the component, the retries, the provider. The outermost timer
serves them all, as long as they run in the same task, which it can cancel.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextvars import Context, ContextVar, Token
from types import TracebackType
from typing import Final, cast

__all__ = ["TimeLimit"]

_around: ContextVar[tuple[asyncio.Task[object] | None, float, asyncio.Timeout] | None]
_around = ContextVar("_around", default=None)
"""The task that the current limit will interrupt, the deadline, and the timer."""


class _Nothing:
    """An awaitable that completes at once, without a coroutine."""

    __slots__ = ()

    def __await__(self) -> Iterator[None]:
        return iter(())


_NOTHING: Final = cast("Awaitable[None]", _Nothing())


class TimeLimit:
    """Like `asyncio.timeout_at`: cancels the body of its `async with` at `deadline` and raises TimeoutError.

    Inside of another limit with the same or an earlier deadline, in the same task, it relies on that one, unless that
    one has already expired, as during clean-up.

    Args:
        deadline: time of the event loop's clock.
    """

    __slots__ = ("_deadline", "_timeout", "_token")

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._timeout: asyncio.Timeout | None = None
        self._token: Token[tuple[asyncio.Task[object] | None, float, asyncio.Timeout] | None]

    def expired(self) -> bool:
        """Tell whether this limit interrupted the body."""
        return self._timeout is not None and self._timeout.expired()

    def __aenter__(self) -> Awaitable[None]:
        task, around = asyncio.current_task(), _around.get()
        if around is None or around[0] is not task or around[1] > self._deadline or around[2].expired():
            return self._begin(task)
        return _NOTHING

    async def _begin(self, task: asyncio.Task[object] | None) -> None:
        timeout = self._timeout = asyncio.timeout(None)
        await timeout.__aenter__()
        # A cancelled timer stays in the loop for a while. With the current context it would keep the call's objects
        # alive.
        Context().run(timeout.reschedule, self._deadline)
        self._token = _around.set((task, self._deadline, timeout))

    def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Awaitable[bool | None]:
        if self._timeout is None:
            return _NOTHING
        _around.reset(self._token)
        return self._timeout.__aexit__(kind, error, trace)
