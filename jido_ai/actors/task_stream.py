"""TaskStream: a function over a stream of items, with back-pressure in both directions."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterable, Iterator
from typing import Any, Final, Literal, TypeVar, cast

from jido_ai.actors.cell import DEFAULT_SHUTDOWN_S, Cell
from jido_ai.actors.deadlines import Deadlines, check_timeout
from jido_ai.actors.exit_reason import ExitReason, Normal, Shutdown
from jido_ai.actors.outcome import Exited, Ok
from jido_ai.actors.plain_supervisor import PlainSupervisor
from jido_ai.actors.ref import ActorRef, current_cell, runs
from jido_ai.actors.task import Work, error_of, living, name_of
from jido_ai.errors import ActorDeadError, AskTimeoutError, ConfigurationError, describe

T = TypeVar("T")
OnTimeout = Literal["exit", "kill_task"]
_END: Final = object()


class TaskStream(AsyncIterator[Ok[T] | Exited]):
    """The results of `async_stream`. Leaving the loop, or `aclose`, stops the tasks; `aclose` waits for their end."""

    def __init__(self, feed: TaskFeed) -> None:
        self._feed = feed

    def __anext__(self) -> Coroutine[Any, Any, Ok[T] | Exited]:
        return self._feed.next()

    async def aclose(self) -> None:
        """Stop the tasks, and wait until they have ended."""
        await self._feed.aclose()

    def __del__(self) -> None:
        self._feed.drop()


class TaskFeed:
    """The state of a stream, known to its tasks; when the last reference to the `TaskStream` goes, it is closed."""

    def __init__(
        self,
        supervisor: ActorRef,
        items: Iterable[Any] | AsyncIterable[Any],
        fn: Callable[[Any], Any],
        *,
        max_concurrency: int,
        ordered: bool,
        timeout_s: float | None,
        on_timeout: OnTimeout,
        is_linked: bool,
    ) -> None:
        if isinstance(max_concurrency, bool) or not isinstance(max_concurrency, int) or max_concurrency < 1:
            raise ConfigurationError(
                f"max_concurrency must be a whole number of at least 1, got {describe(max_concurrency)}"
            )
        check_timeout(timeout_s)
        if not isinstance(cast("object", on_timeout), str) or on_timeout not in ("exit", "kill_task"):
            raise ConfigurationError(f'on_timeout must be "exit" or "kill_task", got {describe(on_timeout)}')
        if not callable(cast("object", fn)):
            raise ConfigurationError(f"fn must be a function of one item, got {describe(fn)}")
        self.ref = supervisor
        self._items: Iterator[Any] | None = None
        self._coming: AsyncIterator[Any] | None = None
        if isinstance(items, AsyncIterable):
            self._coming = aiter(items)
        elif isinstance(cast("object", items), Iterable):
            self._items = iter(items)
        else:
            raise ConfigurationError(f"items must be an iterable or an async iterable, got {describe(items)}")
        self._fn = fn
        self._label = name_of(fn)
        self._most = max_concurrency
        self._timeout_s = timeout_s
        self._kills_late = on_timeout == "kill_task"
        self._is_linked = is_linked
        self._loop = supervisor.cell.system.loop
        self._deadlines: Deadlines[Work] = Deadlines(self._loop, self._still_running, self._late)
        self._tell_end = self._ended  # bound once
        self._running: dict[Work, Cell] = {}
        self._in_order: deque[Work] | None = deque() if ordered else None  # with the ended ones before a running one
        self._ready: deque[Ok[Any] | Exited] = deque()
        self._failure: Exception | None = None  # raised at once
        self._last_error: Exception | None = None  # raised after the results
        self._has_all = False
        self._is_started = self._is_closed = False
        self._caller: Cell | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._wait: asyncio.Future[None] | None = None
        self._pump: asyncio.Task[None] | None = None
        self._room: asyncio.Future[None] | None = None

    # -- results -----------------------------------------------------------------------------------

    async def next(self) -> Ok[Any] | Exited:
        """Return the next result. Raises `StopAsyncIteration`, or an error as `async_stream` says."""
        if self._waiter is not None and not self._waiter.done():
            raise RuntimeError("another task is already waiting for the next result of this stream")
        if not self._is_started:
            self._start()
        while True:
            if not self._is_closed:
                self._fill()
            if self._failure is not None:
                error, self._failure = self._failure, None
                await self.aclose()
                raise error
            if self._ready:
                return self._ready.popleft()
            if self._is_closed or (self._has_all and not self._running):
                self.close()
                error, self._last_error = self._last_error, None
                if error is not None:
                    raise error
                raise StopAsyncIteration
            self._waiter = self._loop.create_future()
            if self._caller is not None:
                self._note_wait(self._caller)
            await self._waiter

    @property
    def cell(self) -> TaskFeed:
        """Itself: in a search for call cycles it stands for its tasks."""
        return self

    def waits_for(self) -> Iterator[Cell]:
        """Yield the tasks."""
        yield from self._running.values()

    def _start(self) -> None:
        self._is_started = True
        self._caller = cast("Cell | None", current_cell.get())
        if self._caller is not None:
            self._caller.call_at_end(self._caller_ended)

    def _caller_ended(self, cell: Cell) -> None:
        self.close()

    def _note_wait(self, caller: Cell) -> None:
        """Have an ask of a task to the actor that iterates refused as a cycle, also between two waits."""
        if self._wait is not None:
            self._wait.cancel()
        self._wait = self._loop.create_future()
        caller.note_wait(self._wait, cast("ActorRef", self))

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    # -- items -------------------------------------------------------------------------------------

    def _room_now(self) -> int:
        """Return how many items may be taken: as many as may run may also have ended and wait to be given out."""
        if self._has_all:
            return 0
        waiting = len(self._ready) + len(self._running if self._in_order is None else self._in_order)
        return min(self._most - len(self._running), 2 * self._most - waiting)

    def _fill(self) -> None:
        """Take the items that may run."""
        try:
            if self._items is not None:
                room = self._room_now()
                if room > 0:
                    self._take(self._items, room)
            elif self._pump is None:
                self._pump = living(self.ref).run_task(self._take_coming(), name="items of a stream")
            elif self._room is not None and not self._room.done() and self._room_now() > 0:
                self._room.set_result(None)
        except Exception as error:  # noqa: BLE001 - of the items or the supervisor: it is raised to the one who iterates
            self._last_error, self._has_all = error, True

    def _take(self, items: Iterator[Any], room: int) -> None:
        above = living(self.ref)
        for _ in range(room):
            above.check_room()
            item = next(items, _END)
            if item is _END:
                self._has_all = True
                break
            self._run(above, item)

    async def _take_coming(self) -> None:
        """Take items that have to be waited for, while results are given out."""
        assert self._coming is not None
        try:
            while True:
                while self._room_now() <= 0:
                    self._room = self._loop.create_future()
                    await self._room
                living(self.ref).check_room()
                item = await anext(self._coming)
                self._run(living(self.ref), item)
        except StopAsyncIteration:
            pass
        except asyncio.CancelledError:
            if not self._is_closed:
                self._last_error = ActorDeadError(Shutdown(), str(self.ref))
            raise
        except Exception as error:  # noqa: BLE001 - it is raised to the one who iterates
            self._last_error = error
        finally:
            self._has_all = True
            self._wake()

    # -- tasks -------------------------------------------------------------------------------------

    def _run(self, above: PlainSupervisor, item: object) -> None:
        if self._is_closed:
            return
        work = Work(self._fn, (item,), self._tell_end)
        self._running[work] = above.start_plain(work, self._label, DEFAULT_SHUTDOWN_S)
        if self._in_order is not None:
            self._in_order.append(work)
        if self._timeout_s is not None:
            self._deadlines.watch(work, self._timeout_s)

    def _ended(self, work: Work, reason: ExitReason) -> None:
        """Keep the result of a task; called when it ends."""
        cell = self._running.pop(work, None)
        if self._is_closed or cell is None:
            return
        outcome = work.result = work.outcome(reason)
        if self._in_order is None:
            self._ready.append(outcome)
        else:
            while self._in_order and (first := self._in_order[0].result) is not None:
                self._ready.append(first)
                self._in_order.popleft()
        if self._is_linked and type(outcome) is Exited and not isinstance(reason, Normal) and not work.is_late:
            self._take_along(work, cell, reason)
        self._wake()

    def _take_along(self, work: Work, cell: Cell, reason: ExitReason) -> None:
        """Do as a link does: end the actor that iterates, unless it traps exits."""
        if self._caller is None:
            self._failure = error_of(reason, cell.ref, work.args[0])
        elif not self._caller.traps_exits:
            self._caller.shut_down(reason)

    def _still_running(self, works: list[Work]) -> list[Work]:
        return [work for work in works if work in self._running]

    def _late(self, work: Work, timeout_s: float) -> None:
        cell = self._running[work]
        if self._kills_late:
            work.is_late = True
            cell.kill("timeout")
        elif self._failure is None:
            self._failure = AskTimeoutError(timeout_s, str(cell.ref), work.args[0])
            self._wake()

    # -- end ---------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop the tasks and take no more items."""
        if self._is_closed:
            return
        self._is_closed = True
        self._ready.clear()
        self._deadlines.close()
        del self._deadlines, self._tell_end  # which refer to this object
        if self._pump is not None:
            self._pump.cancel()
        for cell in tuple(self._running.values()):
            cell.leave()
        if self._caller is not None and self._caller.is_alive:
            self._caller.call_at_end(self._caller_ended, wanted=False)

    async def aclose(self) -> None:
        """Stop the tasks, and wait until they have ended."""
        self.close()
        for cell in tuple(self._running.values()):
            if cell.is_alive:
                await cell.wait_end(current_cell.get())
        if self._pump is not None:
            await asyncio.wait((self._pump,))

    def drop(self) -> None:
        """Close it from wherever its last reference goes."""
        if not self._is_closed and not self._loop.is_closed():
            if runs(self._loop):
                self.close()
            else:
                self._loop.call_soon_threadsafe(self.close)
