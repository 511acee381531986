"""Actor: what a user subclasses."""

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
    """A reply that is still owed. Send or fail it once, from anywhere; what comes late is dropped."""

    __slots__ = ("_cell", "_future")

    def __init__(self, cell: Cell, future: asyncio.Future[Any] | None) -> None:
        self._cell = cell
        self._future = future

    @property
    def is_wanted(self) -> bool:
        """False when nobody waits (any more): a tell, an expired or cancelled ask, an answer already given."""
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
        """Keep the ask waiting when the actor ends: whoever holds this reply answers for it now."""
        if self._future is not None:
            self._cell.let_outlive(self._future)

    def when_unwanted(self, call: Callable[[], object]) -> None:
        """Call `call` once nobody waits any more; soon after an answer, too."""
        if self._future is not None:
            self._future.add_done_callback(lambda _: call())


class Actor(Generic[M]):
    """Handles one message at a time, always; owns its state; may fail at any moment.

    Subclasses need not call `super().__init__()`; `self.ref` and the like work from on_start on.

    Attributes:
        expected_errors: exception types that answer the ask as themselves and leave the actor alive. For a tell they
            become an event. Anything else that escapes from on_receive ends the actor.
        trap_exit: deliver `Exit(ref, reason)` for the end of linked actors, instead of ending too.
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
        """Get ready. Raise to fail the start, raise `Ignore` when there is nothing to do."""

    async def on_receive(self, message: M) -> Any:
        """Handle one message; what it returns answers an ask."""
        raise TypeError(f"{type(self).__name__} has no on_receive, but got a {type(message).__name__}")

    async def on_stop(self, reason: ExitReason) -> None:
        """Clean up, inside the shutdown limit. Runs after every end but a kill; raising makes that the reason."""

    def after_death(self, reason: ExitReason) -> None:
        """Called by the runtime in the step of the death, whatever it was; must not block or raise."""

    # -- who am I ----------------------------------------------------------------------------------

    @property
    def ref(self) -> ActorRef:
        """The actor's own address."""
        return self.cell.ref

    @property
    def system(self) -> ActorSystem:
        """The system it lives in."""
        return self.cell.system  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - a Runtime is always one

    @property
    def cell(self) -> Cell:
        """The incarnation, for the runtime and for supervisors."""
        if self._cell is None:
            raise ActorError(f"{type(self).__name__} is not running yet; start it with system.spawn(...)")
        return self._cell

    def on_loop(self) -> Actor[Any]:
        """Return what the runtime runs: the actor itself, unless it lives on a thread."""
        return self

    @property
    def was_launched(self) -> bool:
        """True once it runs, or has run; an actor has one life."""
        return self._cell is not None

    def attach(self, cell: Cell) -> None:
        """Called by the runtime when it launches the actor."""
        self._cell = cell

    # -- ties: what is no reference, or no handle, is refused with a `ConfigurationError` -----------

    def link(self, ref: ActorRef) -> None:
        """Tie our ends: when one ends, the other gets an exit signal. To the dead: NoProc at once."""
        self.cell.link(ref)

    def unlink(self, ref: ActorRef) -> None:
        """Untie, and drop an `Exit` of it that is waiting already."""
        self.cell.unlink(ref)

    def monitor(self, ref: ActorRef) -> MonitorHandle:
        """Have `Down(ref, reason)` delivered exactly once, when it ends; at once with NoProc when it has."""
        return self.cell.monitor(ref)

    def demonitor(self, handle: MonitorHandle) -> None:
        """End a monitor, and drop its `Down` if that is waiting already."""
        self.cell.demonitor(handle)

    async def spawn_link(self, actor_class: Callable[..., Actor[Any]], *args: Any, **kwargs: Any) -> ActorRef:
        """Spawn an actor and link to it."""
        ref = await self.system.spawn(actor_class, *args, **kwargs)
        self.link(ref)
        return ref

    # -- during a message --------------------------------------------------------------------------

    def defer_reply(self) -> Reply:
        """Take the reply of the running message into our own hands; the return value is then ignored.

        When the handler raises all the same, the ask fails with that, as if it had not been deferred; unless the reply
        outlives this actor, which leaves it to whoever holds it.
        """
        cell = self.cell
        return Reply(cell, cell.defer())

    def run_task(self, work: Coroutine[Any, Any, Any], *, name: str | None = None) -> asyncio.Task[Any]:
        """Start a task that dies with this actor; an error that escapes from it crashes the actor."""
        return self.cell.own(work, name)

    def handle_next(self, message: M) -> None:
        """Handle `message` before any that waits (OTP's `continue`)."""
        self.cell.deliver_first(message)

    def set_idle_timeout(self, seconds: float | None) -> None:
        """Have one `IdleTimeout()` delivered if nothing arrives in `seconds`; any message, or None, cancels it."""
        check_timeout(seconds)
        self.cell.set_idle_timeout(seconds)

    def exit(self, reason: ExitReason | None = None) -> None:
        """End after this message, with Normal unless another reason is given."""
        if reason is not None:
            check_reason(reason)
        self.cell.end_after_message(Normal() if reason is None else reason)
