"""Time limits: of a whole call, and of silence.

Limits of whole calls cost nothing inside of another limit that is at least as tight. A model call passes through
several layers with a timeout: the component, the retries, the provider. The outermost timer serves them all, as long as
they run in the same task, which it can cancel.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import Context, ContextVar, Token
from types import TracebackType
from typing import Any, Final, Self, cast

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


class SilenceTimer:
    """The timer of limits of silence: one for all of a run, because to set one takes longer than a short step.

    Attributes:
        limits: those that have begun and not ended.
        at: when they are checked next.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.limits: dict[SilenceLimit, None] = {}
        self.at = math.inf
        self._handle: asyncio.TimerHandle | None = None

    def set(self, due: float) -> None:
        """Check the limits at the time `due`, which is before `at`."""
        self.close()
        self.at = due
        # A cancelled timer stays in the loop for a while: with an empty context, see `TimeLimit`.
        self._handle = self.loop.call_at(due, self._check, context=Context())

    def close(self) -> None:
        """Cancel the timer; the next limit sets it again."""
        if self._handle is not None:
            self._handle.cancel()
        self._handle, self.at = None, math.inf

    def _check(self) -> None:
        self._handle, self.at = None, math.inf
        for limit in tuple(self.limits):
            limit.check()


class SilenceLimit:
    """Raises TimeoutError when nothing was heard for `limit_s` seconds: in the body of its `async with`, which it
    cancels, or where the answer that it watches is awaited.

    Args:
        limit_s: from the beginning, or from the last sign of life.
        outer: a limit that this one is part of; it waits when this one does.
        timer: shared with other limits; None makes one.
    """

    def __init__(self, limit_s: float, outer: SilenceLimit | None = None, timer: SilenceTimer | None = None) -> None:
        self._limit_s = limit_s
        self._outer = outer
        self._timer = SilenceTimer() if timer is None else timer
        self._waits: set[object] | None = None
        self._timeout: asyncio.Timeout | None = None
        self._answer: asyncio.Future[object] | None = None
        self._due = 0.0
        self._has_expired = False

    def expired(self) -> bool:
        """Tell whether this limit interrupted the body, or ended the wait for the answer."""
        return self._has_expired or (self._timeout is not None and self._timeout.expired())

    def watch(self, answer: asyncio.Future[Any]) -> None:
        """Begin, and let `answer` fail with TimeoutError at the end; `end` must follow."""
        self._answer = answer
        self._begin()

    def end(self) -> None:
        """Watch no longer."""
        del self._timer.limits[self]
        self._answer = None

    def heard(self, limit_s: float | None = None) -> None:
        """Note a sign of life: restart the time, with another limit if one is given."""
        if limit_s is not None:
            self._limit_s = limit_s
        self._due = self._timer.loop.time() + self._limit_s
        if self._due < self._timer.at and self in self._timer.limits:
            self._timer.set(self._due)

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Pause the time inside the `with` block, and restart it afterwards. Safe from any thread."""
        token = object()
        if self._waits is None:
            self._waits = set()
        self._waits.add(token)
        try:
            with nullcontext() if self._outer is None else self._outer.waiting():
                yield
        finally:
            self._due = self._timer.loop.time() + self._limit_s
            self._waits.discard(token)

    async def __aenter__(self) -> Self:
        self._timeout = asyncio.timeout(None)
        await self._timeout.__aenter__()
        self._begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        del self._timer.limits[self]
        self._timer.close()
        assert self._timeout is not None
        return await self._timeout.__aexit__(kind, error, trace)

    def _begin(self) -> None:
        timer = self._timer
        self._due = timer.loop.time() + self._limit_s
        timer.limits[self] = None
        if self._due < timer.at:
            timer.set(self._due)

    def check(self) -> None:
        """Interrupt the body, or end the wait, if it is time; otherwise look again when it is."""
        now = self._timer.loop.time()
        if self._waits:
            self._due = now + self._limit_s
        if now < self._due:
            if self._due < self._timer.at:
                self._timer.set(self._due)
        elif self._timeout is not None:
            self._timeout.reschedule(now)
        elif self._answer is not None and not self._answer.done():
            self._has_expired = True
            self._answer.set_exception(TimeoutError())


current_step: ContextVar[SilenceLimit | None] = ContextVar("current_step", default=None)
"""The time limit of the loop's step that the current code is part of; None outside of a run."""


def waiting_for_model() -> AbstractContextManager[None]:
    """Pause the time limit of the current step inside the `with` block.

    A call of a model has limits of its own, for its first token, for silence and for retries.
    """
    step = current_step.get()
    return nullcontext() if step is None else step.waiting()
