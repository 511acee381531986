"""Life: keeps the pipelines, graphs and memory of a server running while at least one connection uses it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from jido_ai.runs.kept_open import KeptOpen


class Life:
    """Enters a context manager for the first connection, and leaves it after the last one.

    Args:
        make: returns the context manager.
    """

    def __init__(self, make: Callable[[], AbstractAsyncContextManager[object]]) -> None:
        self._kept = KeptOpen(make)
        self._users = 0

    @asynccontextmanager
    async def shared(self) -> AsyncGenerator[None]:
        """Keep it open inside of the `with` block. Raises its error if it cannot be entered."""
        self._users += 1
        try:
            await self._kept.open()
            yield
        finally:
            self._users -= 1
            if not self._users:
                with anyio.CancelScope(shield=True):  # every part of the closing has a limit of its own
                    await self._kept.close()
