"""Test helpers for code that uses jido_ai: a virtual clock, a supervised system, and a scripted language model.

    async def test_a_crashed_counter_is_restarted() -> None:
        async with supervised(ChildSpec(id="counter", start=Counter)) as system:
            ...

    virtual_run(main())                       # sleeps and timeouts take no real time

    model = ScriptedModel(["no", RateLimitError("later", provider="scripted"), "yes"])    # one reply per call

With pytest-asyncio, use `VirtualClockLoop` as a loop factory; see our `tests/conftest.py`.
"""

from __future__ import annotations

import asyncio
import inspect
import selectors
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.restart import Strategy
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.telemetry import Sink
from jido_ai.values import Completion, CompletionRequest, Usage

__all__ = ["DeadlockError", "ScriptedModel", "ScriptedReply", "VirtualClockLoop", "supervised", "virtual_run"]

_ANSWERED_BY_THREADS: Final = ("aiosqlite.core", "jido_ai.actors.thread_actor")
"""Modules that make a future and complete it from their own thread, which the loop cannot see."""

T = TypeVar("T")


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


@asynccontextmanager
async def supervised(
    *children: ChildSpec,
    strategy: Strategy = "one_for_one",
    max_restarts: int = 3,
    max_seconds: float = 5.0,
    sink: Sink | None = None,
) -> AsyncGenerator[ActorSystem]:
    """Yield a system whose supervisor, registered as "supervisor", runs `children`; leaving it stops everything.

    A child without a name is registered under its id, so that `system.whereis(id)` finds it.

    Args:
        strategy, max_restarts, max_seconds: of the supervisor.
        sink: receives the events; for example `events.append` of a list.
    """
    named = [replace(child, name=child.name or child.id) for child in children]
    async with ActorSystem("test", sink=sink) as system:
        await system.spawn(
            Supervisor,
            named,
            name="supervisor",
            strategy=strategy,
            max_restarts=max_restarts,
            max_seconds=max_seconds,
        )
        yield system


# -- language models -------------------------------------------------------------------------------


ScriptedReply = (
    str
    | Completion
    | BaseException
    | tuple[str | BaseException, ...]
    | Callable[[CompletionRequest], "ScriptedReply | Awaitable[ScriptedReply]"]
)
"""A text, a whole completion, an error to raise, pieces (an error among them breaks the stream there), or a function
of the request, plain or async, that returns one of these."""


class ScriptedModel:
    """A language model that returns scripted replies, one per call.

    A text becomes a `Completion` whose usage is one call, and a token per word of the messages and of the text.

    Args:
        replies: one per call, in order; or one function for all calls.
        provider, model, base_url: the identity that it reports.

    Attributes:
        requests: all requests, in order, those of failed calls included.

    Raises (when called):
        ConfigurationError: the script has no more replies.
    """

    def __init__(
        self,
        replies: Iterable[ScriptedReply] | Callable[[CompletionRequest], Any],
        *,
        provider: str = "scripted",
        model: str = "scripted",
        base_url: str = "",
    ) -> None:
        self._replies = iter(cast("Iterable[ScriptedReply]", [])) if callable(replies) else iter(replies)
        self._always = replies if callable(replies) else None
        self.provider = provider
        self.model = model
        self.base_url = base_url
        self.requests: list[CompletionRequest] = []

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return, or raise, the next reply of the script."""
        reply = await self._next(request)
        return reply if isinstance(reply, Completion) else self._completion(request, _joined(reply))

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the next reply of the script; a text is one piece per word."""
        reply = await self._next(request)
        text = reply.text if isinstance(reply, Completion) else reply
        for piece in _pieces(text) if isinstance(text, str) else text:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
        yield reply if isinstance(reply, Completion) else self._completion(request, _joined(reply))

    async def _next(self, request: CompletionRequest) -> str | Completion | tuple[str | BaseException, ...]:
        self.requests.append(request)
        reply: Any = next(self._replies, None) if self._always is None else self._always
        if reply is None:
            raise ConfigurationError(f"the scripted model has no reply for call {len(self.requests)}")
        while callable(reply):
            reply = reply(request)
            if inspect.isawaitable(reply):
                reply = await reply
        if isinstance(reply, BaseException):
            raise reply
        return cast("str | Completion | tuple[str | BaseException, ...]", reply)

    def _completion(self, request: CompletionRequest, text: str) -> Completion:
        read = sum(len(message.content.split()) for message in request.messages)
        return Completion(text, model=request.model or self.model, usage=Usage(1, read, len(text.split())))


def _joined(reply: str | tuple[str | BaseException, ...]) -> str:
    if isinstance(reply, str):
        return reply
    for piece in reply:
        if isinstance(piece, BaseException):
            raise piece
    return "".join(cast("tuple[str, ...]", reply))


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + ([words[-1]] if words[-1] else [])
