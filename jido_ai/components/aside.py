"""Work on a long text beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


async def aside(work: Callable[[str], T], text: str, most: int) -> T:
    """Return `work(text)`, for a text of more than `most` characters from a thread, so that the event loop goes on."""
    return work(text) if len(text) <= most else await asyncio.to_thread(work, text)
