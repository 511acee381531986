"""Actor: the base class of actors, their deferred replies, and the protocols of their cell and system."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, ParamSpec, Protocol, TypeVar, cast, overload

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.deadlines import check_timeout
from jido_ai.actors.exit_reason import ExitReason, Normal, check_reason
from jido_ai.actors.mailbox import Bounded
from jido_ai.actors.ref import ActorRef, Ask, M, T
from jido_ai.actors.relations import Down, MonitorHandle, Related, demonitor, link, link_to_spawner, monitor, unlink
from jido_ai.actors.via_name import Via
from jido_ai.errors import ActorError

P = ParamSpec("P")
R = TypeVar("R", covariant=True)  # noqa: PLC0105 - in every signature


class _Addressed(Protocol[R]):
    """An actor whose ref is an `R`."""

    @property
    def ref(self) -> R: ...


class Spawn(Protocol):
    """The types of `spawn`: the arguments are those of the class, and the ref is of its type.

    With `name` or `mailbox` the arguments are not checked: PEP 612 has no place for other keywords.
    """

    @overload
    def __call__(self, what: ChildSpec, /) -> Coroutine[Any, Any, ActorRef]: ...
    @overload
    def __call__(
        self, what: Callable[P, _Addressed[R]], /, *args: P.args, **kwargs: P.kwargs
    ) -> Coroutine[Any, Any, R]: ...
    @overload
    def __call__(
        self,
        what: Callable[..., _Addressed[R]],
        /,
        *args: Any,
        name: str | Via | None,
        mailbox: Bounded | None = None,
        **kwargs: Any,
    ) -> Coroutine[Any, Any, R]: ...
    @overload
    def __call__(
        self, what: Callable[..., _Addressed[R]], /, *args: Any, mailbox: Bounded | None, **kwargs: Any
    ) -> Coroutine[Any, Any, R]: ...


def checked_arguments(spawn: Callable[..., object]) -> Spawn:
    """Give a method the types of `Spawn`."""
    return cast("Spawn", spawn)


class System(Protocol):
    """The part of `ActorSystem` that actors use."""

    name: str
    dead_letters: int
    is_observed: bool
    loop: asyncio.AbstractEventLoop

    @property
    def spawn(self) -> Spawn: ...
    @property
    def is_running(self) -> bool: ...
    def adopt(self, pykka_ref: Any, *, name: str | None = None) -> ActorRef: ...
    def whereis(self, name: str | Via) -> ActorRef | None: ...
    async def wait_down(self, ref: ActorRef) -> Down: ...
    def now(self) -> float: ...
    def emit(self, name: str, **data: object) -> None: ...


class ActorCell(Related, Protocol):
    """The part of `Cell` that actors use."""

    reply: asyncio.Future[Any] | None

    @property
    def reason(self) -> ExitReason | None: ...
    def deliver_first(self, message: object) -> None: ...
    def own(self, work: Coroutine[Any, Any, Any], name: str | None) -> asyncio.Task[Any]: ...
    def defer(self) -> asyncio.Future[Any] | None: ...
    def let_outlive(self, reply: asyncio.Future[Any]) -> None: ...
    def set_idle_timeout(self, seconds: float | None) -> None: ...
    def end_after_message(self, reason: ExitReason) -> None: ...
    def request_stop(self, reason: ExitReason, limit_s: float | None) -> None: ...
    def fail(self, error: BaseException) -> None: ...


@dataclass(frozen=True, slots=True)
class Continue:
    """Returned by on_start or a handler: run `on_continue(what)` next, before any message that waits.

    Attributes:
        what: passed to on_continue.
        reply: answers the ask whose handler returns this, before on_continue runs.
    """

    what: object
    reply: object = None


class Reply:
    """A deferred reply. Send or fail it once, from anywhere; late replies are dropped."""

    __slots__ = ("_cell", "_future")

    def __init__(self, cell: ActorCell, future: asyncio.Future[Any] | None) -> None:
        self._cell = cell
        self._future = future

    @property
    def is_wanted(self) -> bool:
        """True if an asker waits for it. False for a tell, an expired or cancelled ask, or a reply already sent."""
        return self._future is not None and not self._future.done()

    def send(self, value: object) -> None:
        """Answer the ask with a value."""
        if self._future is not None and not self._future.done():
            self._future.set_result(value)

    def fail(self, error: BaseException) -> None:
        """Raise `error` in the asker."""
        if self._future is not None and not self._future.done():
            self._future.set_exception(error)

    def outlive(self) -> None:
        """Keep the ask waiting after the actor has ended: the holder of this reply must answer it."""
        if self._future is not None:
            self._cell.let_outlive(self._future)

    def when_unwanted(self, call: Callable[[], object]) -> None:
        """Call `call` when the asker stops waiting, also after a reply."""
        if self._future is not None:
            self._future.add_done_callback(lambda _: call())


async def _nothing() -> None:
    pass


class Actor(Generic[M]):
    """Handles one message at a time, owns its state, and may fail at any moment.

    Hooks are coroutine functions; those of a `ThreadActor` are plain functions, so the types here allow both.
    Subclasses do not need to call `super().__init__()`. `self.ref` and `self.system` are available from on_start on.

    Attributes:
        expected_errors: exception types that are raised in the asker and leave the actor alive. For a tell they are
            reported as an event. Any other error that escapes from on_receive ends the actor.
        trap_exit: deliver `Exit(ref, reason)` when a linked actor ends, instead of ending too. Supervisors and
            registries ignore links: only an actor that started one with `spawn_link` takes it along.
        partition: the number of a child of a `PartitionSupervisor`, from 0; not set elsewhere.
        ref_class: the class of the actor's ref, a subclass of `ActorRef` without slots of its own.
        takes_asks: while it is idle, `take` gets the asks that wait for restarts, without a turn of the event loop.
    """

    expected_errors: ClassVar[tuple[type[Exception], ...]] = ()
    trap_exit: bool = False
    partition: int
    ref_class: ClassVar[type[ActorRef]] = ActorRef
    takes_asks: ClassVar[bool] = False

    has_on_start: ClassVar[bool] = False
    has_on_stop: ClassVar[bool] = False
    has_after_death: ClassVar[bool] = False
    is_supervisor: ClassVar[bool] = False
    is_on_thread: ClassVar[bool] = False
    ignores_strangers: ClassVar[bool] = False
    _cell: ActorCell | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.has_on_start = cls.on_start is not Actor.on_start
        cls.has_on_stop = cls.on_stop is not Actor.on_stop
        cls.has_after_death = cls.after_death is not Actor.after_death

    # -- hooks -------------------------------------------------------------------------------------

    def on_start(self) -> Any:
        """Prepare the actor; may return `Continue`. Raise to fail the start, `Ignore` if there is nothing to do."""
        return _nothing()

    def on_receive(self, message: M) -> Any:
        """Handle one message; the return value answers an ask, unless it is a `Continue`."""
        raise TypeError(f"{type(self).__name__} has no on_receive, but got a {type(message).__name__}")

    def take(self, message: M, reply: asyncio.Future[Any]) -> None:
        """Begin to answer an ask; must not raise. The holder of `reply` answers it, also after this actor's end."""

    def on_continue(self, what: Any) -> Any:
        """Continue with `what` of a `Continue`, before any message that waits; may return another `Continue`.

        An error that escapes is one of the actor, not of its start or of the ask.
        """
        raise TypeError(f"{type(self).__name__} has no on_continue, but returned a Continue")

    def on_stop(self, reason: ExitReason) -> Any:
        """Clean up within the shutdown limit. Runs after every end but a kill; an error becomes the exit reason."""
        return _nothing()

    def after_death(self, reason: ExitReason) -> None:
        """Called by the runtime as soon as the actor has ended, for any reason; must not block or raise."""

    def exit_signal(self, reason: ExitReason) -> ExitReason:
        """Return the reason that linked actors get when this one ends with `reason`."""
        return reason

    # -- identity ----------------------------------------------------------------------------------

    @property
    def ref(self) -> ActorRef[M]:
        """The actor's own address."""
        return self.cell.ref

    @property
    def system(self) -> System:
        """The system that the actor belongs to."""
        return self.cell.system  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - a cast would cost as much as the rest

    @property
    def cell(self) -> ActorCell:
        """The incarnation, for the runtime and for supervisors."""
        if self._cell is None:
            raise ActorError(f"{type(self).__name__} is not running yet; start it with system.spawn(...)")
        return self._cell

    def on_loop(self) -> Actor[Any]:
        """Return the object that the runtime runs: the actor itself, unless it runs on a thread."""
        return self

    @property
    def was_launched(self) -> bool:
        """True once it runs, or has run; an actor cannot be started twice."""
        return self._cell is not None

    def attach(self, cell: ActorCell) -> None:
        """Called by the runtime when it launches the actor."""
        self._cell = cell

    # -- links and monitors: a wrong ref or handle raises a `ConfigurationError` --------------------

    def link(self, ref: ActorRef) -> None:
        """Link both actors: when one ends, the other gets an exit signal; NoProc at once if `ref` has ended."""
        link(self.cell, ref)

    def unlink(self, ref: ActorRef) -> None:
        """Remove a link, and drop an `Exit` of `ref` that is already queued."""
        unlink(self.cell, ref)

    def monitor(self, ref: ActorRef) -> MonitorHandle:
        """Deliver `Down(ref, reason)` exactly once, when `ref` ends; at once with NoProc if it has ended."""
        return monitor(self.cell, ref)

    def demonitor(self, handle: MonitorHandle) -> None:
        """End a monitor, and drop its `Down` if that is already queued."""
        demonitor(self.cell, handle)

    @checked_arguments
    async def spawn_link(self, actor_class: Callable[..., Actor[Any]], *args: Any, **kwargs: Any) -> ActorRef:
        """Spawn an actor and link to it. A supervisor that is spawned so ends with this actor, for any reason."""
        ref = await self.system.spawn(actor_class, *args, **kwargs)
        link_to_spawner(self.cell, ref)
        return ref

    # -- during a message --------------------------------------------------------------------------

    def reply(self, message: Ask[T], value: T) -> T:
        """Return `value`; type checkers report a value that is not of the reply type of `message`."""
        return value

    def defer_reply(self) -> Reply:
        """Take over the reply to the current message; the handler's return value is then ignored.

        If the handler raises, the ask still fails with that error, unless `Reply.outlive` was called: then the holder
        of the reply must answer.
        """
        cell = self.cell
        return Reply(cell, cell.defer())

    def run_task(self, work: Coroutine[Any, Any, Any], *, name: str | None = None) -> asyncio.Task[Any]:
        """Start a task that is cancelled when this actor ends; an error that escapes from it crashes the actor."""
        return self.cell.own(work, name)

    def handle_next(self, message: M) -> None:
        """Handle `message` before all queued messages."""
        self.cell.deliver_first(message)

    def set_idle_timeout(self, seconds: float | None) -> None:
        """Deliver one `IdleTimeout()` if no message arrives within `seconds`; any message, or None, cancels it."""
        check_timeout(seconds)
        self.cell.set_idle_timeout(seconds)

    def exit(self, reason: ExitReason | None = None) -> None:
        """End after this message, with Normal unless another reason is given."""
        if reason is not None:
            check_reason(reason)
        self.cell.end_after_message(Normal() if reason is None else reason)
