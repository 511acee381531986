"""The end of a command that was interrupted: soon, whatever its threads are doing, and at once the second time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Generator
from typing import ClassVar, Final, NoReturn

GRACE_S: Final = 1.5
"""Seconds from the first interruption until the process is ended, so a command ends within 2."""

STATUS: Final = 130

_SIGNALS: Final = frozenset({signal.SIGINT, signal.SIGTERM})
_SAID: Final = "jido: interrupted"
_SHOW_CURSOR: Final = b"\x1b[?25h\n"


def tell_interrupted() -> None:
    """Write to standard error that the command was interrupted; only once per process."""
    if _Watch.current is None or _Watch.current.is_first_to_tell():
        with contextlib.suppress(OSError, AttributeError):  # it may be closed or full
            sys.stderr.write(f"{_SAID}\n")
            sys.stderr.flush()


@contextlib.contextmanager
def ends_when_interrupted() -> Generator[None]:
    """End the process, with status 130, when ^C comes a second time in the `with` block, or `GRACE_S` after the first.

    Until then the command ends in its own way: ^C is the KeyboardInterrupt, or whatever else it was. The interpreter
    writes the number of each signal into a pipe as soon as it comes, also while the main thread waits in a call that
    does not return; a thread reads it. So a command does not depend on what its threads are doing. What they hold (a
    lock on a file, a process in a sandbox) the system takes from them, as when they are killed.

    A command that was interrupted and raises SystemExit ends the process, too: its threads are not waited for.

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
    watch = _Watch.current = _Watch(reader)
    threading.Thread(target=watch.run, name="jido-interrupts", daemon=True).start()
    try:
        yield
    except SystemExit as ended:
        if watch.saw_one():
            _leave(ended.code if isinstance(ended.code, int) else STATUS)
        raise
    finally:
        _Watch.current = None
        if not watch.saw_one():  # otherwise the interpreter may still wait for threads, and they are watched
            signal.set_wakeup_fd(-1)
            os.close(writer)


def _leave(status: int) -> NoReturn:
    """End the process without waiting for its threads.

    The interpreter would forget the status, too, where ^C came in code that `exec` runs, such as that of a dataclass.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(status)


class _Watch:
    """Reads the numbers of signals from a pipe."""

    current: ClassVar[_Watch | None] = None

    def __init__(self, reader: int) -> None:
        self._reader = reader
        self._has_read = False
        self._telling = threading.Lock()

    def is_first_to_tell(self) -> bool:
        """Return True once."""
        return self._telling.acquire(blocking=False)

    def saw_one(self) -> bool:
        """Tell whether a signal came, read or not."""
        return self._has_read or bool(select.select([self._reader], [], [], 0)[0])

    def run(self) -> None:
        """Wait for the first one, then for the second or the end of the grace; return when none can come any more."""
        if not self._comes(None):
            os.close(self._reader)
            return
        self._comes(time.monotonic() + GRACE_S)
        if self.is_first_to_tell():
            with contextlib.suppress(OSError):
                cursor = _SHOW_CURSOR if os.isatty(2) else b""
                os.write(2, cursor + f"{_SAID}\n".encode())
        os._exit(STATUS)

    def _comes(self, deadline: float | None) -> bool:
        """Wait for a signal that interrupts, until the deadline; tell whether one came."""
        while True:
            left_s = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self._reader], [], [], left_s)
            if not ready:
                return False
            has_read, self._has_read = self._has_read, True  # before it is gone from the pipe
            number = os.read(self._reader, 1)
            if number and number[0] in _SIGNALS:
                return True
            self._has_read = has_read
            if not number:
                return False
