"""VirtualClockLoop: an event loop whose time jumps to the next timer."""

from __future__ import annotations

import asyncio
import selectors
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from jido_ai.errors import JidoError

__all__ = ["DeadlockError", "VirtualClockLoop", "virtual_run"]

T = TypeVar("T")
_ANSWERED_BY_THREADS: Final = ("aiosqlite.core", "jido_ai.memory.stores.sqlite.store", "jido_ai.actors.thread_actor")
"""Modules that make a future and complete it from their own thread, which the loop cannot see."""


class DeadlockError(JidoError):
    """Every task waits, and no timer, thread or subprocess is left that could wake one.

    Attributes:
        waiting: the waiting tasks, each as "name at file:line".
    """

    retryable = False

    def __init__(self, waiting: tuple[str, ...]) -> None:
        super().__init__("deadlock, all tasks wait forever: " + ("; ".join(waiting) or "no task is left"))
        self.waiting = waiting


class _JumpingSelector(selectors.DefaultSelector):
    """Polls files without waiting; instead of waiting for a timer, it advances the virtual time.

    Attributes:
        now_s: the virtual time.
        at_work: the number of jobs in progress that the loop cannot see.
        is_patient: such a job has shown activity since we last waited for it in vain.
    """

    def __init__(self, patience_s: float, find_waiting: Callable[[], tuple[str, ...]]) -> None:
        super().__init__()
        self.now_s = 0.0
        self.at_work = 0
        self.is_patient = True
        self._patience_s = patience_s
        self._find_waiting = find_waiting

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        if events or (timeout is not None and timeout <= 0):
            return events
        if self.at_work and (self.is_patient or timeout is None):
            events = super().select(self._patience_s)
            self.is_patient = bool(events)
        elif timeout is None:
            raise DeadlockError(self._find_waiting())
        else:
            self.now_s += timeout
        return events

    def work_begins(self) -> None:
        self.at_work += 1
        self.is_patient = True

    def work_ends(self, _: object = None) -> None:
        self.at_work -= 1
        self.is_patient = True


class VirtualClockLoop(asyncio.SelectorEventLoop):
    """An event loop with a virtual clock, which jumps to the next timer when nothing else is left to do.

    `loop.time()` starts at 0. Sleeps, timeouts and deadlines keep their order and take no real time. While a thread
    (`run_in_executor`, `to_thread`, aiosqlite, thread actors) or a subprocess is working, time stands still, so that
    results do not depend on the speed of the machine. Wrap other work that the loop cannot see, such as a request to a
    server in another process, in `with loop.real_work():`.

    Where another loop would hang, `run_until_complete` raises `DeadlockError`.

    Args:
        patience_s: real seconds for which time stands still while such work shows no activity; then timers continue,
            so that the code under test can time out a process that hangs.
    """

    def __init__(self, *, patience_s: float = 10.0) -> None:
        self._clock = _JumpingSelector(patience_s, self._find_waiting)
        super().__init__(self._clock)

    def time(self) -> float:
        """Return the virtual time, in seconds since the loop was made."""
        return self._clock.now_s

    @contextmanager
    def real_work(self) -> Generator[None]:
        """Let time stand still inside of the `with` block, unless something on this loop is ready."""
        self._clock.work_begins()
        try:
            yield
        finally:
            self._clock.work_ends()

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future; a future that a known module completes from a thread counts as real work until it is done."""
        future = super().create_future()
        if sys._getframe(1).f_globals.get("__name__") in _ANSWERED_BY_THREADS:  # pyright: ignore[reportPrivateUsage] - only the caller tells
            self._count(future)
        return future

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run `func` on a thread or in a process; time stands still until it is done or cancelled."""
        future = super().run_in_executor(executor, func, *args)
        self._count(future)
        return future

    async def shutdown_default_executor(self, *args: Any, **kwargs: Any) -> None:
        """Wait for the executor's threads to end."""
        with self.real_work():
            await super().shutdown_default_executor(*args, **kwargs)

    async def subprocess_exec(self, *args: Any, **kwargs: Any) -> Any:
        """Start a program; time stands still until it has ended."""
        with self.real_work():
            return self._count_process(await super().subprocess_exec(*args, **kwargs))

    async def subprocess_shell(self, *args: Any, **kwargs: Any) -> Any:
        """Start a shell command; time stands still until it has ended."""
        with self.real_work():
            return self._count_process(await super().subprocess_shell(*args, **kwargs))

    def _count(self, future: asyncio.Future[Any]) -> None:
        self._clock.work_begins()
        future.add_done_callback(self._clock.work_ends)

    def _count_process(self, started: tuple[Any, Any]) -> tuple[Any, Any]:
        transport, protocol = started
        if transport.get_returncode() is None:
            exited = protocol.process_exited

            def process_exited() -> None:
                self._clock.work_ends()
                exited()

            protocol.process_exited = process_exited
            self._clock.work_begins()
        return started

    def _find_waiting(self) -> tuple[str, ...]:
        return tuple(sorted(_place(task) for task in asyncio.all_tasks(self)))


def _place(task: asyncio.Task[Any]) -> str:
    frames = task.get_stack(limit=1)
    where = f"{frames[-1].f_code.co_filename}:{frames[-1].f_lineno}" if frames else "its end"
    return f"{task.get_name()} at {where}"


def virtual_run(main: Coroutine[Any, Any, T], *, patience_s: float = 10.0) -> T:
    """Run a coroutine to its end under a virtual clock, as `asyncio.run` does under the real one.

    Args:
        patience_s: see `VirtualClockLoop`.

    Raises:
        DeadlockError: it waits for something that can never happen.
    """
    with asyncio.Runner(loop_factory=lambda: VirtualClockLoop(patience_s=patience_s)) as runner:
        return runner.run(main)
