"""Leaving: a caller whose connection is gone waits for no answer."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

T = TypeVar("T")


async def gone(request: Request) -> None:
    """Wait until the caller of a request, whose body was read, is gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of work, which is cancelled when its caller is gone. Raises `ClientDisconnect` then."""
    done = asyncio.create_task(work, name="work for a caller")
    left = asyncio.create_task(gone(request), name="caller of work")
    try:
        await asyncio.wait({done, left}, return_when=asyncio.FIRST_COMPLETED)
        if done.done():
            return done.result()
        raise ClientDisconnect
    finally:
        for task in (done, left):
            task.cancel()
        await asyncio.wait({done, left})
