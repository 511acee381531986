"""A time limit that costs nothing where one that is at least as tight is in force already.

A call of a model passes through several that each promise to end it in time: the component, the retries, the provider.
The outermost keeps the promise for all, as long as it can end what is inside: as long as that runs in the same task.
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
"""The task that a limit will interrupt, when, and with what."""


class _Nothing:
    """Awaited, it waits for nothing; no coroutine is made for it."""

    __slots__ = ()

    def __await__(self) -> Iterator[None]:
        return iter(())


_NOTHING: Final = cast("Awaitable[None]", _Nothing())


class TimeLimit:
    """As `asyncio.timeout_at`: what is in its `async with` is cancelled at `deadline`, and TimeoutError raised.

    Inside of another with the same or an earlier deadline, in the same task, it leaves all to that one, unless that has
    interrupted already, as when it is the clean-up that takes its time.

    Args:
        deadline: time of the event loop's clock.
    """

    __slots__ = ("_deadline", "_timeout", "_token")

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._timeout: asyncio.Timeout | None = None
        self._token: Token[tuple[asyncio.Task[object] | None, float, asyncio.Timeout] | None]

    def expired(self) -> bool:
        """Tell whether it was this one that interrupted."""
        return self._timeout is not None and self._timeout.expired()

    def __aenter__(self) -> Awaitable[None]:
        task, around = asyncio.current_task(), _around.get()
        if around is None or around[0] is not task or around[1] > self._deadline or around[2].expired():
            return self._begin(task)
        return _NOTHING

    async def _begin(self, task: asyncio.Task[object] | None) -> None:
        timeout = self._timeout = asyncio.timeout(None)
        await timeout.__aenter__()
        # A timer that was cancelled stays with the loop for a while. With the context of here it would hold on to all
        # that the call was made for.
        Context().run(timeout.reschedule, self._deadline)
        self._token = _around.set((task, self._deadline, timeout))

    def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Awaitable[bool | None]:
        if self._timeout is None:
            return _NOTHING
        _around.reset(self._token)
        return self._timeout.__aexit__(kind, error, trace)
