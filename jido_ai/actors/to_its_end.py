"""Work that ends properly although its caller is cancelled, once or at every await."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable
from typing import Any, Final, TypeVar

from jido_ai.telemetry import LoggingSink, TelemetryEvent

__all__ = ["to_its_end"]

T = TypeVar("T")
_PATIENCE_S: Final = 30.0
_tell: Final = LoggingSink()


async def to_its_end(work: Awaitable[T], *, within_s: float = _PATIENCE_S, is_cancelled_too: bool = False) -> T:
    """Await `work` in a task of its own; if the caller is cancelled, raise that when the work has ended.

    anyio, and with it Starlette and FastAPI, cancels a task again at every await until its scope is left; in the
    caller's own task, closing would never get past its first await.

    Args:
        within_s: seconds that the work has after the first cancellation; then it is cancelled and abandoned.
        is_cancelled_too: the first cancellation also cancels the work, which then has the time to clean up. Further
            ones do not reach it.
    """
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    end = math.inf
    while not task.done() and loop.time() < end:
        try:
            await asyncio.wait({task}, timeout=None if cancelled is None else end - loop.time())
        except asyncio.CancelledError as error:
            if cancelled is None:
                cancelled, end = error, loop.time() + within_s
                if is_cancelled_too:
                    task.cancel()
    if cancelled is None:
        return task.result()
    if task.done():
        error = _tell_failure(task)
    else:
        error = None
        _tell(TelemetryEvent("cleanup.abandoned", {"work": _name_of(task), "limit_s": within_s}))
        task.cancel()
        task.add_done_callback(_tell_failure)
    if error is not None:
        raise cancelled from error
    raise cancelled


def _tell_failure(task: asyncio.Future[Any]) -> BaseException | None:
    """Log the error of a task that has ended, and return it; None without one."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        _tell(TelemetryEvent("cleanup.failed", {"work": _name_of(task), "error": error}))
    return error


def _name_of(task: asyncio.Future[Any]) -> str:
    return getattr(task.get_coro(), "__qualname__", "") if isinstance(task, asyncio.Task) else ""
