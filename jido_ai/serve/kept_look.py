"""KeptLook: a costly look at something outside, shared by all that ask at once, and kept for some seconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class KeptLook(Generic[T]):
    """Looks at most every `kept_s` seconds.

    Args:
        look: looks anew.
    """

    def __init__(self, look: Callable[[], Coroutine[Any, Any, T]], kept_s: float) -> None:
        self._look = look
        self._kept_s = kept_s
        self._looking: asyncio.Task[T] | None = None
        self._seen_at = 0.0

    async def get(self) -> T:
        """Return the findings, which may be some seconds old. Raises the error of the look."""
        if self._looking is None or (self._looking.done() and time.monotonic() - self._seen_at > self._kept_s):
            self._looking = asyncio.create_task(self._timed())
        return await asyncio.shield(self._looking)

    async def close(self) -> None:
        """End a look under way."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait({self._looking})

    async def _timed(self) -> T:
        try:
            return await self._look()
        finally:
            self._seen_at = time.monotonic()
