"""Work that ends properly although its caller is cancelled, once or at every await."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

from jido_ai.telemetry import LoggingSink, TelemetryEvent

T = TypeVar("T")
_PATIENCE_S: Final = 30.0
_tell: Final = LoggingSink()


async def to_its_end(
    work: Awaitable[T], *, within_s: float = _PATIENCE_S, undo: Callable[[], Awaitable[object]] | None = None
) -> T:
    """Await `work` in a task of its own; if the caller is cancelled, raise that when the work has ended.

    anyio, and with it Starlette and FastAPI, cancels a task again at every await until its scope is left; in the
    caller's own task, closing would never get past its first await.

    Args:
        within_s: seconds that the work has after the first cancellation; then it is cancelled and abandoned.
        undo: for work that opens something. The first cancellation then also cancels the work, which has the time to
            clean up; where it came too late and all is open, `undo()` closes it, since the caller never gets it.
    """
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError as error:
        if task.cancelled():
            raise
        cancelled = error
    told, end = partial(_tell_failure, _name_of(task)), loop.time() + within_s
    ending: asyncio.Future[Any] = task
    if undo is not None:
        task.cancel()
        ending = asyncio.ensure_future(_undone(task, undo))
    while not ending.done() and loop.time() < end:
        with suppress(asyncio.CancelledError):  # again, by anyio
            await asyncio.wait({ending}, timeout=end - loop.time())
    if ending.done():
        error = told(ending)
    else:
        error = None
        _tell(TelemetryEvent("cleanup.abandoned", {"work": _name_of(task), "limit_s": within_s}))
        ending.cancel()
        ending.add_done_callback(told)
    if error is not None:
        raise cancelled from error
    raise cancelled


async def _undone(task: asyncio.Future[Any], undo: Callable[[], Awaitable[object]]) -> None:
    await task
    await undo()


def _tell_failure(work: str, task: asyncio.Future[Any]) -> BaseException | None:
    """Log the error of a task that has ended, and return it; None without one."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        _tell(TelemetryEvent("cleanup.failed", {"work": work, "error": error}))
    return error


def _name_of(task: asyncio.Future[Any]) -> str:
    return getattr(task.get_coro(), "__qualname__", "") if isinstance(task, asyncio.Task) else ""
