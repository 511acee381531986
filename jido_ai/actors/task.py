"""Task: a function that runs as an actor, and its result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from inspect import isawaitable
from types import CoroutineType
from typing import Any, Final, Generic, Literal, TypeVar, cast

from jido_ai.actors.actor import Actor, ActorCell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.deadlines import check_timeout
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, NoProc, Normal, Shutdown
from jido_ai.actors.outcome import Exited, Ok
from jido_ai.actors.plain_supervisor import PlainSupervisor
from jido_ai.actors.ref import ActorRef, current_cell
from jido_ai.actors.relations import MonitorHandle, Related, demonitor, link, monitor, unlink
from jido_ai.actors.restart import Restart
from jido_ai.errors import ActorDeadError, ActorError, CallError, ConfigurationError, describe

T = TypeVar("T")
WorkShutdown = float | Literal["brutal_kill", "infinity"] | None
_NORMAL: Final = Normal()
_UNSET: Final = object()


class Work(Actor[None]):
    """Runs `fn(*args)`, and ends.

    Args:
        ended: called with this actor and its exit reason in the step in which it ends.
    """

    value: object = _UNSET
    result: Ok[Any] | Exited | None = None  # kept here by a stream
    is_late = False

    def __init__(
        self,
        fn: Callable[..., object],
        args: tuple[object, ...],
        ended: Callable[[Work, ExitReason], None] | None = None,
    ) -> None:
        self.fn = fn
        self.args = args
        self._ended = ended

    def attach(self, cell: ActorCell) -> None:
        self._cell = cell
        cell.queue.append((None, None, None))  # begin

    async def on_receive(self, message: None) -> None:
        """Run the function."""
        result: Any = self.fn(*self.args)
        self.value = await result if type(result) is CoroutineType or isawaitable(result) else result
        self.cell.end_after_message(_NORMAL)

    def after_death(self, reason: ExitReason) -> None:
        """Tell how it ended."""
        if self._ended is not None:
            self._ended(self, reason)

    def outcome(self, reason: ExitReason) -> Ok[Any] | Exited:
        """Return its result after its end with `reason`."""
        return Exited(reason) if self.value is _UNSET else Ok(self.value)


class Task(Generic[T]):
    """A function that runs under a `TaskSupervisor`. `await task` returns its result; see `TaskSupervisorRef.async_`.

    Attributes:
        ref: the actor that runs it.

    Raises (when awaited):
        CallError: the function raised; the cause is chained.
        ActorDeadError: it was stopped or killed.
        CallCycleError: it waits for the actor that awaits it.
    """

    __slots__ = ("_args", "_caller", "_end", "_monitor", "ref")

    def __init__(
        self,
        supervisor: ActorRef,
        fn: Callable[..., object],
        args: tuple[object, ...],
        shutdown: WorkShutdown,
        *,
        is_linked: bool,
    ) -> None:
        spec = spec_of(fn, args, shutdown)
        above = living(supervisor)
        above.check_room()
        cell = above.start_plain(Work(fn, args, self._ended), spec.id, spec.shutdown_s)
        self.ref = cell.ref
        self._args = args
        self._end: asyncio.Future[Ok[T] | Exited] = cell.create_future()
        self._caller = cast("Related | None", current_cell.get())
        self._monitor: MonitorHandle | None = None
        if self._caller is not None:
            if is_linked:
                link(self._caller, self.ref)
            else:
                self._monitor = monitor(self._caller, self.ref)

    def __repr__(self) -> str:
        return f"<Task {self.ref} #{self.ref.id}>"

    def __await__(self) -> Generator[Any, None, T]:
        return self._result().__await__()

    async def yield_(self, timeout_s: float | None = 5.0) -> Ok[T] | Exited | None:
        """Return `Ok(value)` or `Exited(reason)`, or None if it is still running after `timeout_s` seconds."""
        check_timeout(timeout_s)
        await self._wait(timeout_s)
        return self._take() if self._end.done() else None

    async def shutdown(self, timeout_s: float | Literal["brutal_kill"] | None = 5.0) -> Ok[T] | Exited | None:
        """Stop it, without harm to the caller, and kill it after `timeout_s` seconds; "brutal_kill" kills it at once.

        Returns:
            `Ok(value)` if it has finished; None if it stopped in time, or was to be killed at once; else
            `Exited(reason)`, which is `Exited(Killed())` if it did not stop in time.
        """
        if timeout_s != "brutal_kill":
            check_timeout(timeout_s)
        if self._end.done():
            return self._take()
        if self._caller is not None:
            unlink(self._caller, self.ref)
        if timeout_s == "brutal_kill":
            self.ref.kill()
        else:
            await self.ref.stop(Shutdown(), timeout_s)
        await self._wait(None)
        outcome = self._take()
        wanted = Killed if timeout_s == "brutal_kill" else Shutdown
        was_stopped = isinstance(outcome, Exited) and isinstance(outcome.reason, wanted)
        return None if was_stopped else outcome

    async def _result(self) -> T:
        await self._wait(None)
        outcome = self._take()
        if isinstance(outcome, Exited):
            raise error_of(outcome.reason, self.ref, self._args[0] if len(self._args) == 1 else self._args)
        return outcome.value

    async def _wait(self, timeout_s: float | None) -> None:
        """Wait for its end; cancelling the wait leaves the task alone."""
        if self._end.done():
            return
        caller = current_cell.get()
        waits = self._end.get_loop().create_future()
        if caller is not None and not self.ref.enters_no_cycle(caller, waits):
            await waits  # raises
        try:
            await asyncio.wait((self._end,), timeout=timeout_s)
        finally:
            waits.cancel()

    def _take(self) -> Ok[T] | Exited:
        if self._monitor is not None and self._caller is not None:
            demonitor(self._caller, self._monitor)
            self._monitor = None
        return self._end.result()

    def _ended(self, work: Work, reason: ExitReason) -> None:
        self._end.set_result(work.outcome(reason))


def spec_of(
    fn: Callable[..., object], args: tuple[object, ...], shutdown: WorkShutdown, restart: Restart = "temporary"
) -> ChildSpec:
    """Return the child spec of a function. Raises `ConfigurationError`."""
    if not callable(cast("object", fn)):
        raise ConfigurationError(f"a task needs a function, got {describe(fn)}")
    start = (Work, (fn, args), cast("dict[str, Any]", {}))
    return ChildSpec(id=name_of(fn), start=start, restart=restart, shutdown=shutdown)


def living(supervisor: ActorRef) -> PlainSupervisor:
    """Return the incarnation of a task supervisor. Raises `ActorDeadError` if it is not alive, or about to end."""
    actor, ending = supervisor.cell.actor, supervisor.cell.ending
    if ending is not None or not isinstance(actor, PlainSupervisor):
        raise ActorDeadError(ending or NoProc(), str(supervisor))
    return actor


def name_of(fn: object) -> str:
    """Return the name of a function, for events and the tree."""
    name: object = getattr(fn, "__name__", None)
    return name if isinstance(name, str) and name else type(fn).__name__


def error_of(reason: ExitReason, ref: ActorRef, message: object) -> ActorError:
    """Return the error of a task that ended with `reason` and without a result."""
    if not isinstance(reason, Crashed):
        return ActorDeadError(reason, str(ref))
    error = CallError(reason, str(ref), message)
    error.__cause__ = reason.error
    return error
