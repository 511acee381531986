"""KeptOpen: enters and leaves a context manager in a task of its own, so that any task may ask for either."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from jido_ai.errors import ActorError


class KeptOpen:
    """Keeps a context manager open from `open` to `close`, or until the event loop ends; then it can be opened again.

    Args:
        make: returns the context manager, each time it is opened.
    """

    def __init__(self, make: Callable[[], AbstractAsyncContextManager[object]]) -> None:
        self._make = make
        self._lock = threading.Lock()  # event loops of several threads may use it, one after the other
        self._keeper: asyncio.Task[None] | None = None
        self._entered: asyncio.Future[None] | None = None
        self._leave = asyncio.Event()

    async def open(self) -> None:
        """Enter it, unless it is open in this event loop; concurrent calls share the entering. Raises its error.

        Raises:
            ActorError: it was closed before it was entered.
        """
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._keeper is None or self._keeper.done() or self._keeper.get_loop() is not loop:
                self._entered, self._leave = loop.create_future(), asyncio.Event()
                self._keeper = asyncio.create_task(self._keep(self._entered, self._leave), name="jido_ai keeps open")
            entered = self._entered
        assert entered is not None
        await asyncio.shield(entered)

    async def close(self) -> None:
        """Leave it, and wait until it is left; does nothing if it is not open in this event loop. Raises its error.

        If it is still being entered, the entering is cancelled.
        """
        keeper, self._keeper = self._keeper, None
        if keeper is not None and keeper.get_loop() is asyncio.get_running_loop():
            self._leave.set()
            if self._entered is not None and not self._entered.done():
                self._entered.set_exception(ActorError("closed before it was open"))
                self._entered.exception()  # seen, if nobody waits for it
                keeper.cancel()
                await asyncio.wait({keeper})
            else:
                await asyncio.shield(keeper)

    async def _keep(self, entered: asyncio.Future[None], leave: asyncio.Event) -> None:
        try:
            async with self._make():
                if not entered.done():
                    entered.set_result(None)
                await leave.wait()
        except Exception as error:
            if entered.done():
                raise
            entered.set_exception(error)
        finally:
            entered.cancel()  # the event loop ends before it was entered; does nothing otherwise
