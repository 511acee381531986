"""ActorRef and Ask: the only way to reach an actor from outside."""

from __future__ import annotations

import asyncio
import math
from asyncio import InvalidStateError
from collections import deque
from collections.abc import Awaitable, Coroutine, Generator, Iterator
from contextvars import ContextVar
from typing import Any, Final, Generic, Literal, Protocol

from typing_extensions import TypeVar

from jido_ai.actors.deadlines import Deadlines, check_timeout
from jido_ai.actors.exit_reason import ExitReason, Normal, check_reason
from jido_ai.actors.mailbox import BoundedQueue, Envelope, Mailbox
from jido_ai.errors import ActorDeadError, ActorError, CallCycleError, ConfigurationError, MailboxFullError, describe

T = TypeVar("T")
M = TypeVar("M", contravariant=True, default=Any)  # noqa: PLC0105 - in every signature
_NORMAL: Final = Normal()
_STOP_S: Final = 5.0
_OF_THE_RUNTIME: Final = (
    "await_restart",
    "cell",
    "enters_no_cycle",
    "give_up",
    "may_restart",
    "release_parked",
    "slots",
)


_ONE_YIELD: Final = (None,)


class Stopped(asyncio.Future[None], Coroutine[Any, Any, None]):
    """The result of a stop that is already done; a system has one for all its actors.

    As a future it costs `asyncio.gather` no task, where a coroutine would cost one per actor. As a coroutine it is
    accepted by `asyncio.create_task` too. All three ways to wait for it take one turn of the event loop, in which the
    stopped actor's task takes its last step. Stateless, so that it can be shared.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop=loop)
        self.set_result(None)

    def __await__(self) -> Generator[Any, None, None]:
        """Yield once, as `asyncio.sleep(0)` does, without a coroutine or a generator."""
        return iter(_ONE_YIELD)  # pyright: ignore[reportReturnType] - await needs no more

    def send(self, value: Any, /) -> Any:
        """End at once: the task that calls this has already waited one turn for its first step."""
        raise StopIteration

    def throw(self, *error: Any) -> Any:
        """Raise the error, as a coroutine does that has not begun."""
        raise error[0]

    def close(self) -> None:
        """Do nothing: there is nothing left to run."""


def runs(loop: asyncio.AbstractEventLoop) -> bool:
    """Return True if `loop` is the running event loop."""
    try:
        return asyncio.get_running_loop() is loop
    except RuntimeError:
        return False


class CreateFuture(Protocol):
    """Makes a future of the event loop. A protocol, as type checkers take a `Callable` in a slot for a method."""

    def __call__(self) -> asyncio.Future[Any]: ...


class _Services(Protocol):
    loop: asyncio.AbstractEventLoop
    stopped: Stopped


class Incarnation(Protocol):
    """One life of an actor, as far as its ref and other actors need it. `Cell` implements it."""

    waiter: asyncio.Future[None] | None
    asks: Deadlines[Envelope]
    queue: Mailbox
    create_future: CreateFuture
    ending: ExitReason | None
    attention: bool

    @property
    def actor(self) -> Any: ...
    @property
    def ref(self) -> ActorRef: ...
    @property
    def system(self) -> _Services: ...
    @property
    def is_alive(self) -> bool: ...
    @property
    def is_ready(self) -> bool: ...
    @property
    def is_waiting(self) -> bool: ...
    def waits_for(self) -> Iterator[Incarnation]: ...
    def note_wait(self, reply: asyncio.Future[Any], target: ActorRef) -> None: ...
    def wake(self) -> None: ...
    def stop(self, reason: ExitReason, limit_s: float | None) -> bool: ...
    def kill(self) -> None: ...
    async def wait_end(self, waiting: Incarnation | None = None) -> ExitReason: ...
    def watch_end(self, waiting: Incarnation | None) -> asyncio.Future[ExitReason]: ...
    def unwatch_end(self, gone: asyncio.Future[ExitReason]) -> None: ...


current_cell: ContextVar[Incarnation | None] = ContextVar("jido_ai_current_cell", default=None)
"""The actor whose handler runs in this context; None outside of actors and in their owned tasks."""


class Ask(Generic[T]):
    """Base of messages that are answered with a `T`, so that `await ref.ask(message)` is typed."""

    __slots__ = ()


class ActorRef(Generic[M]):
    """The address of an actor that accepts messages of type `M`. All incarnations of the actor have the same ref.

    Attributes:
        id: a number, unique in its system.
        name: the registered name, which `whereis` finds, or None.
        label: the id of its child spec.
    """

    __slots__ = ("_parked", "cell", "id", "label", "name", "slots")

    def __init__(self, id: int, name: str | None, label: str) -> None:
        self.id = id
        self.name = name
        self.label = label
        self.cell: Incarnation  # set when it is launched
        self._parked: list[Envelope] | tuple[()] | None = None  # asks that wait for the next life; None: there is none
        self.slots: dict[str, ActorRef] | None = None  # a supervisor's children, kept for its next incarnation

    def __str__(self) -> str:
        return self.name or self.label

    def __repr__(self) -> str:
        return f"<ActorRef {self} #{self.id}>"

    def __dir__(self) -> list[str]:
        """List what is for users; the rest is for the runtime."""
        return [name for name in object.__dir__(self) if name[0] != "_" and name not in _OF_THE_RUNTIME]

    @property
    def is_alive(self) -> bool:
        """True from the start of the actor until it has ended."""
        return self.cell.is_alive

    @property
    def may_restart(self) -> bool:
        """True while a supervisor may still give this ref another incarnation."""
        return self._parked is not None

    def tell(self, message: M) -> None:
        """Send without a reply. Never blocks; a message to a dead actor is dropped and counted.

        Raises:
            MailboxFullError: the mailbox is bounded and full, and does not drop the oldest message.
        """
        cell = self.cell
        cell.queue.append((message, None, None))
        waiter = cell.waiter
        if waiter is not None:
            cell.waiter = None
            try:
                waiter.set_result(None)
            except InvalidStateError:  # the actor's task is being cancelled from outside, and checks its mailbox
                pass

    def send_after(self, seconds: float, message: M) -> asyncio.TimerHandle:
        """Send without a reply after `seconds`; `cancel()` of the result withdraws it.

        A message that a full mailbox then refuses goes to the exception handler of the event loop.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
            raise ConfigurationError(f"seconds must be a number of at least 0, got {describe(seconds)}")
        return self.cell.system.loop.call_later(seconds, self.tell, message)

    def ask(
        self, message: Ask[T], *, timeout_s: float | None = 5.0, when_restarting: Literal["fail", "wait"] = "fail"
    ) -> Awaitable[T]:
        """Send a message at once, and return an awaitable reply.

        The result is a future, not a coroutine: `asyncio.create_task(ref.ask(...))` raises `TypeError`. Await it, or
        pass it to `asyncio.gather`.

        Args:
            timeout_s: seconds until `AskTimeoutError` (at most 20 ms late, never early); None waits forever.
            when_restarting: "fail", or "wait" for the next incarnation if this one has just ended.

        Raises (when awaited):
            CallError: the actor crashed on this message; the cause is chained.
            ActorDeadError: the actor had ended, or ended before it handled the message; has the exit reason.
            AskTimeoutError: no reply within `timeout_s`.
            MailboxFullError: the mailbox is bounded and full.
            CallCycleError: the actor waits, directly or through others, for the asker.
            one of the actor's `expected_errors`: as itself.
        """
        cell = self.cell
        create_future = cell.create_future  # not a method, so read it before the call: faster
        reply = create_future()
        envelope = (message, reply, self)
        if timeout_s is not None:
            deadlines = cell.asks
            try:
                lane = deadlines.lanes.get(timeout_s) or deadlines.open_lane(timeout_s)
            except TypeError:  # it cannot be hashed
                check_timeout(timeout_s)
                raise
            fresh = lane.fresh
            fresh.append(envelope)
            if len(fresh) > lane.trim_above:
                lane.trim()
        if when_restarting != "fail":
            return self._ask_patiently(envelope, reply, when_restarting)
        caller = current_cell.get()
        if caller is not None and not self.enters_no_cycle(caller, reply):
            return reply
        try:
            cell.queue.append(envelope)
        except MailboxFullError as error:
            reply.set_exception(error)
            return reply
        waiter = cell.waiter
        if waiter is not None:
            cell.waiter = None
            try:
                waiter.set_result(None)
            except InvalidStateError:
                pass
        return reply

    async def offer(self, message: M, *, timeout_s: float | None = None) -> None:
        """Send without a reply; wait for room in a bounded mailbox, unless it drops the oldest message when full.

        Raises:
            TimeoutError: no room within `timeout_s`.
            ActorDeadError: the actor ended while waiting.
        """
        check_timeout(timeout_s)
        queue = self.cell.queue
        if not isinstance(queue, BoundedQueue) or queue.drops_when_full:
            self.tell(message)
            return
        admitted = self.cell.create_future()
        queue.wait_for_room((message, None, None), admitted)
        self.cell.wake()
        async with asyncio.timeout(timeout_s):
            await admitted

    def stop(self, reason: ExitReason | None = None, timeout_s: float | None = _STOP_S) -> Coroutine[Any, Any, None]:
        """Stop the actor; await the result to wait until it has ended. The reason is Normal unless given.

        The stop begins with this call, before the result is awaited. A running handler is cancelled at once, and
        on_stop runs; after `timeout_s` (5 s) the actor is killed. The wait is over at once if the actor has already
        ended. If it is already stopping, waits for that.

        Stop a crowd with `asyncio.gather(*[ref.stop() for ref in refs])`; an idle actor without on_stop costs no task.
        In another thread, `asyncio.run_coroutine_threadsafe(ref.stop(), loop)` stops it when the loop runs that.
        """
        if reason is not None:
            check_reason(reason)
        if timeout_s is not _STOP_S:
            check_timeout(timeout_s)
        cell, caller = self.cell, current_cell.get()
        if not runs(cell.system.loop):
            return self._stop_there(reason, timeout_s)
        if caller is cell:
            raise ActorError(f"{self} cannot wait for its own end; call self.exit(reason) instead")
        if cell.waiter is None and not cell.is_alive:  # an actor that waits for a message is alive
            return cell.system.stopped
        if cell.stop(_NORMAL if reason is None else reason, timeout_s):
            return cell.system.stopped
        return _wait_until_ended(cell, caller)

    async def _stop_there(self, reason: ExitReason | None, timeout_s: float | None) -> None:
        if not runs(self.cell.system.loop):
            raise ActorError(f"{self} belongs to another event loop; use asyncio.run_coroutine_threadsafe")
        await self.stop(reason, timeout_s)

    def kill(self) -> None:
        """End the actor immediately; on_stop does not run."""
        self.cell.kill()

    # -- between incarnations ----------------------------------------------------------------------

    def await_restart(self) -> None:
        """Let asks wait for another incarnation, which may come."""
        if self._parked is None:
            self._parked = ()

    def release_parked(self) -> None:
        """Deliver the asks that waited for a restart to the new incarnation; there may be another one later."""
        parked, self._parked = self._parked, ()
        for envelope in parked or ():
            reply = envelope[1]
            if reply is not None and not reply.done():
                try:
                    self.cell.queue.append(envelope)
                except MailboxFullError as error:
                    reply.set_exception(error)
        self.cell.wake()

    def give_up(self, reason: ExitReason) -> None:
        """Fail the asks that wait for a restart, here and below: there will be no other incarnation."""
        parked, slots = self._parked, self.slots
        self._parked = self.slots = None
        if parked:
            for _, reply, _ in parked:
                if reply is not None and not reply.done():
                    reply.set_exception(ActorDeadError(reason, str(self)))
        if slots:
            for ref in slots.values():
                ref.give_up(reason)

    def _ask_patiently(
        self, envelope: Envelope, reply: asyncio.Future[Any], when_restarting: str
    ) -> asyncio.Future[Any]:
        if when_restarting != "wait":
            reply.cancel()
            raise ConfigurationError(f'when_restarting must be "fail" or "wait", got {describe(when_restarting)}')
        caller = current_cell.get()
        if caller is not None and not self.enters_no_cycle(caller, reply):
            return reply
        cell = self.cell
        if cell.waiter is not None and cell.actor.takes_asks and not cell.attention:
            cell.actor.take(envelope[0], reply)
            return reply
        if self._parked is not None and (cell.ending is not None or not cell.is_ready):
            if not isinstance(self._parked, list):
                self._parked = []
            self._parked.append(envelope)
            return reply
        try:
            cell.queue.append(envelope)
        except MailboxFullError as error:
            reply.set_exception(error)
        cell.wake()
        return reply

    def enters_no_cycle(self, caller: Incarnation, reply: asyncio.Future[Any]) -> bool:
        """Note that `caller` waits for this actor, or fail the reply if this actor waits for `caller`."""
        circle = _path(self.cell, caller)
        if circle is not None:
            reply.set_exception(CallCycleError([str(caller.ref), *(str(cell.ref) for cell in circle[:-1])]))
            return False
        caller.note_wait(reply, self)
        return True


async def _wait_until_ended(cell: Incarnation, caller: Incarnation | None) -> None:
    if cell.is_alive:
        gone = cell.watch_end(caller)
        try:
            await gone
        finally:
            cell.unwatch_end(gone)


class Ignored(ActorRef[Any]):
    """The result of `spawn` and `StartChild` for an actor whose on_start raised `Ignore`: a ref of no actor.

    It is not alive, and an ask fails with `ActorDeadError`. It becomes an ordinary ref if `RestartChild`, or a restart
    of its group, starts the actor after all.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Ignored {self} #{self.id}>"


def check_ref(ref: object) -> None:
    """Raise `ConfigurationError` unless `ref` is an `ActorRef`."""
    if not isinstance(ref, ActorRef):
        raise ConfigurationError(f"ref must be an ActorRef, got {describe(ref)}")


def _path(start: Incarnation, goal: Incarnation) -> list[Incarnation] | None:
    """Return the actors from `start` to `goal` along "waits for a reply of", both included; None without a path."""
    if start is not goal and not start.is_waiting:
        return None  # the usual case
    came_from: dict[Incarnation, Incarnation | None] = {start: None}
    ahead = deque([start])
    while ahead:
        cell = ahead.popleft()
        if cell is goal:
            way: list[Incarnation] = []
            step: Incarnation | None = cell
            while step is not None:
                way.append(step)
                step = came_from[step]
            return way[::-1]
        for other in cell.waits_for():
            if other not in came_from:
                came_from[other] = cell
                ahead.append(other)
    return None
