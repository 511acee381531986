"""Watchdog: reports the handler that blocks the event loop, at no cost to other handlers."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

from jido_ai.actors.cell import Cell


@dataclass(frozen=True, slots=True)
class Blocker:
    """The code that blocked the event loop.

    Attributes:
        actor: the actor's name or label; None if no handler was running.
        message: the type of the handled message.
        place: "file:line" of the innermost frame.
    """

    actor: str | None
    message: str | None
    place: str


class Watchdog:
    """A thread that pings the event loop and reports the running code if the loop does not answer.

    While the loop is blocked, a warning goes to the logger `jido_ai`. When it is free again, `report` is called on the
    loop with the blocker and the duration in seconds.

    Args:
        limit_s: seconds the loop may take to answer. Shorter blocks may go unnoticed.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, limit_s: float, report: Callable[[Blocker, float], None]
    ) -> None:
        self._loop = loop
        self._limit_s = limit_s
        self._report = report
        self._stopped = threading.Event()
        self._loop_thread = threading.get_ident()

    def start(self) -> None:
        """Start watching the loop of the calling thread."""
        threading.Thread(target=self._watch, name="jido-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Ask the thread to end."""
        self._stopped.set()

    def _watch(self) -> None:
        try:
            while not self._stopped.wait(self._limit_s / 2):
                answered = threading.Event()
                knocked = time.monotonic()
                self._loop.call_soon_threadsafe(answered.set)
                if answered.wait(self._limit_s) or self._stopped.is_set():
                    continue
                blocker = self._look()
                logging.getLogger("jido_ai").warning(
                    "the event loop has been blocked for %.2f s by %s, which handles %s, at %s; use a ThreadActor",
                    time.monotonic() - knocked,
                    blocker.actor or "no actor",
                    blocker.message or "no message",
                    blocker.place,
                )
                while not answered.wait(self._limit_s):
                    if self._stopped.is_set():
                        return
                self._loop.call_soon_threadsafe(self._report, blocker, time.monotonic() - knocked)
        except RuntimeError:  # the loop has been closed
            pass

    def _look(self) -> Blocker:
        innermost = sys._current_frames().get(self._loop_thread)  # pyright: ignore[reportPrivateUsage] - the documented way
        place = "an unknown place" if innermost is None else f"{innermost.f_code.co_filename}:{innermost.f_lineno}"
        frame: FrameType | None = innermost
        while frame is not None:
            if frame.f_code is Cell.run.__code__:
                cell, message = frame.f_locals["self"], frame.f_locals.get("message")
                return Blocker(str(cell.ref), cell.status if message is None else type(message).__name__, place)
            frame = frame.f_back
        return Blocker(None, None, place)
