"""Work that ends properly although its caller is cancelled, once or at every await."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable
from typing import Final, TypeVar

__all__ = ["to_its_end"]

T = TypeVar("T")
_PATIENCE_S: Final = 30.0


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
    task.cancel()  # overdue; otherwise it is done
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    raise cancelled
