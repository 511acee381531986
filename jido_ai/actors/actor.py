"""Actor: the base class of actors, and the reply that a handler can defer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from typing_extensions import TypeVar

from jido_ai.actors.deadlines import check_timeout
from jido_ai.actors.exit_reason import ExitReason, Normal, check_reason
from jido_ai.errors import ActorError

if TYPE_CHECKING:
    from jido_ai.actors.cell import Cell, MonitorHandle
    from jido_ai.actors.ref import ActorRef
    from jido_ai.actors.system import ActorSystem

__all__ = ["Actor", "Reply"]

M = TypeVar("M", default=Any)


class Reply:
    """A deferred reply. Send or fail it once, from anywhere; late replies are dropped."""

    __slots__ = ("_cell", "_future")

    def __init__(self, cell: Cell, future: asyncio.Future[Any] | None) -> None:
        self._cell = cell
        self._future = future

    @property
    def is_wanted(self) -> bool:
        """False if nobody waits for it: a tell, an expired or cancelled ask, or a reply already sent."""
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
        """Call `call` once nobody waits any more, also after a reply."""
        if self._future is not None:
            self._future.add_done_callback(lambda _: call())


class Actor(Generic[M]):
    """Handles one message at a time, owns its state, and may fail at any moment.

    Subclasses do not need to call `super().__init__()`. `self.ref` and `self.system` are available from on_start on.

    Attributes:
        expected_errors: exception types that are raised in the asker and leave the actor alive. For a tell they are
            reported as an event. Any other error that escapes from on_receive ends the actor.
        trap_exit: deliver `Exit(ref, reason)` when a linked actor ends, instead of ending too.
    """

    expected_errors: ClassVar[tuple[type[Exception], ...]] = ()
    trap_exit: bool = False

    has_on_start: ClassVar[bool] = False
    has_on_stop: ClassVar[bool] = False
    has_after_death: ClassVar[bool] = False
    is_supervisor: ClassVar[bool] = False
    _cell: Cell | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.has_on_start = cls.on_start is not Actor.on_start
        cls.has_on_stop = cls.on_stop is not Actor.on_stop
        cls.has_after_death = cls.after_death is not Actor.after_death

    # -- hooks -------------------------------------------------------------------------------------

    async def on_start(self) -> None:
        """Prepare the actor. Raise to fail the start, raise `Ignore` if there is nothing to do."""

    async def on_receive(self, message: M) -> Any:
        """Handle one message; the return value answers an ask."""
        raise TypeError(f"{type(self).__name__} has no on_receive, but got a {type(message).__name__}")

    async def on_stop(self, reason: ExitReason) -> None:
        """Clean up within the shutdown limit. Runs after every end but a kill; an error becomes the exit reason."""

    def after_death(self, reason: ExitReason) -> None:
        """Called by the runtime as soon as the actor has ended, for any reason; must not block or raise."""

    # -- identity ----------------------------------------------------------------------------------

    @property
    def ref(self) -> ActorRef:
        """The actor's own address."""
        return self.cell.ref

    @property
    def system(self) -> ActorSystem:
        """The system that the actor belongs to."""
        return self.cell.system  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - a Runtime is always one

    @property
    def cell(self) -> Cell:
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

    def attach(self, cell: Cell) -> None:
        """Called by the runtime when it launches the actor."""
        self._cell = cell

    # -- links and monitors: a wrong ref or handle raises a `ConfigurationError` --------------------

    def link(self, ref: ActorRef) -> None:
        """Link both actors: when one ends, the other gets an exit signal; NoProc at once if `ref` has ended."""
        self.cell.link(ref)

    def unlink(self, ref: ActorRef) -> None:
        """Remove a link, and drop an `Exit` of `ref` that is already queued."""
        self.cell.unlink(ref)

    def monitor(self, ref: ActorRef) -> MonitorHandle:
        """Deliver `Down(ref, reason)` exactly once, when `ref` ends; at once with NoProc if it has ended."""
        return self.cell.monitor(ref)

    def demonitor(self, handle: MonitorHandle) -> None:
        """End a monitor, and drop its `Down` if that is already queued."""
        self.cell.demonitor(handle)

    async def spawn_link(self, actor_class: Callable[..., Actor[Any]], *args: Any, **kwargs: Any) -> ActorRef:
        """Spawn an actor and link to it."""
        ref = await self.system.spawn(actor_class, *args, **kwargs)
        self.link(ref)
        return ref

    # -- during a message --------------------------------------------------------------------------

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
        """Handle `message` before all queued messages (OTP's `continue`)."""
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
