"""The end of a command that was interrupted: soon, whatever its threads are doing, and at once the second time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Generator
from typing import Final

__all__ = ["GRACE_S", "STATUS", "ends_when_interrupted"]

GRACE_S: Final = 1.5
"""Seconds from the first interruption until the process is ended, so a command ends within 2."""

STATUS: Final = 130

_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_SHOW_CURSOR: Final = b"\x1b[?25h\n"


@contextlib.contextmanager
def ends_when_interrupted() -> Generator[None]:
    """End the process, with status 130, when ^C comes a second time in the `with` block, or `GRACE_S` after the first.

    Until then the command ends in its own way: ^C is the KeyboardInterrupt, or whatever else it was. The interpreter
    writes the number of each signal into a pipe as soon as it comes, also while the main thread waits in a call that
    does not return; a thread reads it. So a command does not depend on what its threads are doing. What they hold (a
    lock on a file, a process in a sandbox) the system takes from them, as when they are killed.

    For the main thread only; elsewhere, and where somebody reads the numbers already, nothing is done.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    if before != -1:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
        yield
        return
    watch = _Watch(reader)
    threading.Thread(target=watch.run, name="jido-interrupts", daemon=True).start()
    try:
        yield
    finally:
        watch.command_ended()
        if not watch.is_interrupted:  # otherwise the interpreter may still wait for threads
            signal.set_wakeup_fd(-1)
            os.close(writer)


class _Watch:
    """Reads the numbers of signals from a pipe."""

    def __init__(self, reader: int) -> None:
        self._reader = reader
        self._is_over = False
        self.is_interrupted = False

    def command_ended(self) -> None:
        """Note that the command has said what it has to say."""
        self._is_over = True

    def run(self) -> None:
        """Wait for the first one, then for the second or the end of the grace; return when none can come any more."""
        if not self._comes(None):
            os.close(self._reader)
            return
        self.is_interrupted = True
        self._comes(time.monotonic() + GRACE_S)
        if not self._is_over:
            with contextlib.suppress(OSError):
                cursor = _SHOW_CURSOR if os.isatty(2) else b""
                os.write(2, cursor + b"jido: interrupted\n")
        os._exit(STATUS)

    def _comes(self, deadline: float | None) -> bool:
        """Wait for a signal that interrupts, until the deadline; tell whether one came."""
        while True:
            left_s = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self._reader], [], [], left_s)
            if not ready:
                return False
            number = os.read(self._reader, 1)
            if not number:
                return False
            if number[0] in _SIGNALS:
                return True
