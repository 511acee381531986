"""Actors that block: they run on a thread, as pykka actors, behind the same `ActorRef`.

On the event loop, a bridge hands each message to the thread and awaits the reply. The bridge is an ordinary actor, so
monitors, supervision, deadlines and mailboxes work as usual. No thread waits for a reply: the thread completes a future
of the loop.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future
from inspect import iscoroutinefunction
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Literal, cast

import pykka
from pykka._envelope import Envelope

from jido_ai.actors.actor import Actor, ActorCell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.exit_reason import Crashed, ExitReason, Normal
from jido_ai.actors.ref import ActorRef, Ask, M, T, runs
from jido_ai.errors import ActorError, ConfigurationError, describe

PykkaRef = pykka.ActorRef[Any]


def ask_from_thread(
    ref: ActorRef[Any],
    message: Ask[T],
    *,
    timeout_s: float | None = 5.0,
    when_restarting: Literal["fail", "wait"] = "fail",
) -> pykka.Future[T]:
    """Ask an actor from another thread than its event loop's, for example from an actor of pykka's; see `ActorRef.ask`.

    The result is a future of pykka's: its `get()` waits for the reply, and raises what awaiting `ask` raises.

    Raises:
        ActorError: the event loop runs in this thread, and would wait for itself; or it is closed.
    """
    loop, reply = ref.cell.system.loop, pykka.ThreadingFuture[T]()
    if runs(loop):
        raise ActorError(f"the event loop of {ref} runs in this thread and would wait for itself; await ref.ask(...)")
    if loop.is_closed():
        raise ActorError(f"the event loop of {ref} is closed")

    async def ask() -> T:
        return await ref.ask(message, timeout_s=timeout_s, when_restarting=when_restarting)

    def settle(asked: Future[T]) -> None:
        error = asyncio.CancelledError() if asked.cancelled() else asked.exception()
        if error is None:
            reply.set(asked.result())
        else:
            reply.set_exception((type(error), error, error.__traceback__))

    asyncio.run_coroutine_threadsafe(ask(), loop).add_done_callback(settle)
    return reply


class ThreadActor(Actor[M]):
    """An actor whose hooks are plain functions that run on the actor's own thread, one at a time.

    Use it for a synchronous SDK, a client that is not thread-safe, or CPU work. `on_start`, `on_receive` and `on_stop`
    may block; the constructor runs on the event loop and must not. `self.ref` and `self.system` belong to the loop:
    reach them from the thread with `self.system.loop.call_soon_threadsafe(ref.tell, message)`.

    A thread cannot be killed. One that is stuck at the shutdown limit is abandoned: the actor counts as `Killed`, its
    name is free, and the thread ends when, and if, the call it is stuck in returns.
    """

    def on_start(self) -> Any:
        """Prepare the actor. Runs on the thread."""

    def on_receive(self, message: M) -> Any:
        """Handle one message; the return value answers an ask. Runs on the thread."""
        raise TypeError(f"{type(self).__name__} has no on_receive, but got a {type(message).__name__}")

    def on_stop(self, reason: ExitReason) -> Any:
        """Clean up within the shutdown limit. Runs on the thread."""

    def on_loop(self) -> Actor[M]:
        """Return the bridge that the runtime runs. Raises `ConfigurationError` for hooks that a thread cannot run."""
        for name in ("on_start", "on_receive", "on_continue", "on_stop"):
            if iscoroutinefunction(getattr(self, name)):
                raise ConfigurationError(
                    f"{type(self).__name__}.{name} is async, but a ThreadActor's hooks are plain functions; "
                    "write `def`, or derive from Actor"
                )
        return ThreadBridge(self)


class ThreadBridge(Actor[Any]):
    """The actor on the event loop that represents a `ThreadActor`."""

    is_on_thread = True

    def __init__(self, worker: ThreadActor[Any]) -> None:
        self.worker = worker
        self.expected_errors = worker.expected_errors  # type: ignore[misc]  # pyright: ignore[reportIncompatibleVariableOverride, reportAttributeAccessIssue] - of this one worker
        self.trap_exit = worker.trap_exit
        self._thread: PykkaRef | None = None

    def attach(self, cell: ActorCell) -> None:
        super().attach(cell)
        self.worker.attach(cell)

    async def on_start(self) -> Any:
        self._thread = _Thread.start()
        return await self._call(self.worker.on_start)

    async def on_receive(self, message: Any) -> Any:
        return await self._call(self.worker.on_receive, message)

    async def on_continue(self, what: Any) -> Any:
        return await self._call(self.worker.on_continue, what)

    async def on_stop(self, reason: ExitReason) -> None:
        await self._call(self.worker.on_stop, reason)  # behind the call that is running, if any

    def after_death(self, reason: ExitReason) -> None:
        """Stop waiting for the thread; it ends when its current call returns."""
        if self._thread is not None:
            pykka.ActorRegistry.unregister(self._thread)
            self._thread.stop(block=False)

    def _call(self, function: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        assert self._thread is not None
        loop = self.cell.system.loop
        reply = loop.create_future()
        self._thread.actor_inbox.put(Envelope((function, args, _LoopReply(loop, reply))))
        return reply


def built(spec: ChildSpec) -> object:
    """Build what a child spec starts. A class of pykka's is started, and a reference of pykka's gets its bridge."""
    start = cast("object", spec.start)
    parts = cast("tuple[Any, Any, Any]", start if isinstance(start, tuple) else (start, (), {}))
    factory, args, kwargs = parts
    is_pykka = isinstance(factory, type) and issubclass(factory, pykka.Actor)
    actor = cast("type[pykka.Actor]", factory).start(*args, **kwargs) if is_pykka else spec.build()
    return AdoptedActor(cast("PykkaRef", actor)) if isinstance(actor, pykka.ActorRef) else actor


class _Thread(pykka.ThreadingActor):
    """Runs calls one at a time."""

    use_daemon_thread = True  # a stuck one must not keep the process from ending

    @staticmethod
    def _create_actor_inbox() -> SimpleQueue[Envelope[Any]]:
        return SimpleQueue()  # twice as quick as pykka's own

    def on_receive(self, message: tuple[Callable[..., Any], tuple[Any, ...], _LoopReply]) -> None:
        function, args, reply = message
        if reply.is_wanted:
            try:
                answer = function(*args)
            except BaseException:  # noqa: BLE001 - it goes to the actor, whose crash it is
                reply.set_exception()
            else:
                reply.set(answer)


class _LoopReply:
    """A reply that pykka sets on its thread; it resolves a future of the event loop."""

    __slots__ = ("_future", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, future: asyncio.Future[Any]) -> None:
        self._loop = loop
        self._future = future

    @property
    def is_wanted(self) -> bool:
        return not self._future.done()

    def set(self, value: object = None) -> None:
        self._settle(_set_result, value)

    def set_exception(
        self, exc_info: tuple[type[BaseException], BaseException, TracebackType | None] | None = None
    ) -> None:
        error = sys.exc_info()[1] if exc_info is None else exc_info[1]
        if isinstance(error, StopIteration):  # which no future takes
            error = RuntimeError(f"the thread raised {describe(error)}")
        self._settle(_set_exception, error)

    def _settle(self, how: Callable[[asyncio.Future[Any], Any], None], what: object) -> None:
        try:
            self._loop.call_soon_threadsafe(how, self._future, what)
        except RuntimeError:  # the loop is closed, so the reply is not wanted any more
            pass


def _set_result(future: asyncio.Future[Any], value: object) -> None:
    if not future.done():
        future.set_result(value)


def _set_exception(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


class AdoptedActor(Actor[Any]):
    """The bridge on the event loop to an actor that was started in pykka; pykka's rules apply to it.

    Its errors reach the asker and it lives on; an error of a tell ends it. `stop` stops it in pykka; when it ends
    there, it ends here.
    """

    expected_errors = (Exception,)
    is_on_thread = True

    def __init__(self, pykka_ref: PykkaRef) -> None:
        self.pykka_ref = pykka_ref
        self._is_ours = True
        self._gone: asyncio.Future[ExitReason] | None = None

    def hand_over(self) -> AdoptedActor:
        """Return a new bridge to the same pykka actor. This bridge ends without stopping it."""
        self._is_ours = False
        return AdoptedActor(self.pykka_ref)

    def attach(self, cell: ActorCell) -> None:
        super().attach(cell)
        loop, stopped = cell.system.loop, self.pykka_ref.actor_stopped
        self._gone = loop.create_future()
        reply = _LoopReply(loop, self._gone)
        self._gone.add_done_callback(self._has_gone)
        set_flag = stopped.set

        def set_and_tell() -> None:  # pykka has no monitors, but it sets this flag whenever an actor ends
            error = sys.exc_info()[1]
            set_flag()
            reply.set(Normal() if error is None else Crashed(error))

        setattr(stopped, "set", set_and_tell)  # noqa: B010 - a method is not assigned to, says the type checker
        if stopped.is_set():
            reply.set(Normal())

    async def on_receive(self, message: Any) -> Any:
        if self.cell.reply is None:
            self.pykka_ref.tell(message)
            return None
        loop = self.cell.system.loop
        reply = loop.create_future()
        waits = cast("pykka.Future[Any]", _LoopReply(loop, reply))
        self.pykka_ref.actor_inbox.put(Envelope(message, reply_to=waits))
        return await reply

    async def on_stop(self, reason: ExitReason) -> None:
        if self._is_ours and self._gone is not None and not self._gone.done():
            self.pykka_ref.stop(block=False)
            await asyncio.shield(self._gone)

    def after_death(self, reason: ExitReason) -> None:
        """Remove the actor from pykka's registry, even if it is stuck."""
        if self._is_ours:
            pykka.ActorRegistry.unregister(self.pykka_ref)
            if not self.pykka_ref.actor_stopped.is_set():
                self.pykka_ref.stop(block=False)

    def _has_gone(self, gone: asyncio.Future[ExitReason]) -> None:
        if self._is_ours and not gone.cancelled():
            self.cell.request_stop(gone.result(), None)
