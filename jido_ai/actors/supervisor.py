"""Supervisor: children in start order, restarted by a strategy, given up when they crash too often.

Semantics are those of OTP's `supervisor`; where we differ, docs/planning says why. The rules (whom to restart, when to
give up) are in `restart.py`; this file waits, counts and sends messages.
"""

from __future__ import annotations

import asyncio
import math
import random
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, Protocol, cast

from jido_ai.actors.actor import Actor, System
from jido_ai.actors.cell import Cell, Parent
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.actors.restart import Strategy, group_of, intensity_exceeded, should_restart
from jido_ai.errors import (
    AlreadyPresentError,
    AlreadyStartedError,
    ChildRunningError,
    ConfigurationError,
    NameTakenError,
    NotFoundError,
    RestartingError,
    StartError,
    SupervisorError,
    describe,
)
from jido_ai.telemetry import OBSERVING

__all__ = [
    "BaseSupervisor",
    "Child",
    "ChildCounts",
    "ChildInfo",
    "CountChildren",
    "DeleteChild",
    "LookAtExits",
    "RestartChild",
    "StartChild",
    "Supervisor",
    "TerminateChild",
    "TryAgain",
    "WhichChildren",
    "check_intensity",
    "count_children",
]

_DEFAULT_BACKOFF: Final = Backoff()
_IDS_SHOWN: Final = 10
_PRUNE_ABOVE: Final = 16
_SHUTDOWN: Final = Shutdown()
AutoShutdown = Literal["never", "any_significant", "all_significant"]
ChildStatus = Literal["running", "restarting", "stopped"]


# -- messages --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChildInfo:
    """One line of WhichChildren; `ref` is None while there is no living child."""

    id: str
    ref: ActorRef | None
    status: ChildStatus
    type: Literal["worker", "supervisor"]


@dataclass(frozen=True, slots=True)
class ChildCounts:
    """How many children: specified, alive, and by type."""

    specs: int
    active: int
    supervisors: int
    workers: int


@dataclass(frozen=True, slots=True)
class StartChild(Ask[ActorRef]):
    """Start one more child, after all others."""

    spec: ChildSpec


@dataclass(frozen=True, slots=True)
class TerminateChild(Ask[None]):
    """Stop a child, or cancel its restart. Its spec is kept, unless it is temporary or the supervisor dynamic."""

    child: str | ActorRef


@dataclass(frozen=True, slots=True)
class RestartChild(Ask[ActorRef]):
    """Start a stopped child again."""

    id: str


@dataclass(frozen=True, slots=True)
class DeleteChild(Ask[None]):
    """Drop the spec of a stopped child."""

    id: str


@dataclass(frozen=True, slots=True)
class WhichChildren(Ask[tuple[ChildInfo, ...]]):
    """Returns all children, in start order."""


@dataclass(frozen=True, slots=True)
class CountChildren(Ask[ChildCounts]):
    """Returns the number of children."""


@dataclass(frozen=True, slots=True)
class LookAtExits:
    """To ourselves: children have ended."""


@dataclass(frozen=True, slots=True)
class TryAgain:
    """To ourselves: the wait before a restart is over."""

    child: Child
    turn: int


# -- children --------------------------------------------------------------------------------------


class Child:
    """A supervisor's record of one child.

    Attributes:
        ref: the address it keeps over all its incarnations.
        restarts: how often it was restarted.
        restart_reason: why it ended before the newest restart, in words; not set before the first, which saves time
            where millions are started.
        turn: grows with every start, stop and wait, so that a late try-again finds that it is late.
        timer: the wait before a restart.
    """

    __slots__ = (
        "attempts",
        "attempts_in_row",
        "cell",
        "last_attempt",
        "ref",
        "restart_reason",
        "restarts",
        "spec",
        "status",
        "timer",
        "turn",
    )

    restart_reason: str

    def __init__(self, spec: ChildSpec, ref: ActorRef) -> None:
        self.spec = spec
        self.ref = ref
        self.cell: Cell | None = None
        self.status: ChildStatus = "stopped"
        self.restarts = 0
        self.attempts: deque[float] | None = None  # where each child has an intensity of its own
        self.attempts_in_row = 0
        self.last_attempt = -math.inf
        self.turn = 0
        self.timer: asyncio.TimerHandle | None = None

    def stop_waiting(self) -> None:
        """Cancel the wait before a restart, if there is one."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def info(self) -> ChildInfo:
        """Return the line of WhichChildren."""
        return ChildInfo(self.spec.id, self.ref if self.status == "running" else None, self.status, self.spec.type)


def check_intensity(max_restarts: object, max_seconds: object) -> None:
    """Raise `ConfigurationError` unless both are usable as a restart intensity."""
    if isinstance(max_restarts, bool) or not isinstance(max_restarts, int) or max_restarts < 0:
        raise ConfigurationError(f"max_restarts must be a whole number of at least 0, got {describe(max_restarts)}")
    most = sys.float_info.max  # no clock reckons with more
    if isinstance(max_seconds, bool) or not isinstance(max_seconds, int | float) or not 0 < max_seconds <= most:
        raise ConfigurationError(f"max_seconds must be a number above 0, got {describe(max_seconds)}")


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in choices:
        raise ConfigurationError(f"{name} must be one of {', '.join(choices)}, got {describe(value)}")


class _Launching(System, Protocol):
    """What a supervisor needs of its system."""

    def new_ref(self, name: str | None, label: str) -> ActorRef: ...
    def launch(self, spec: ChildSpec, ref: ActorRef, parent: Parent) -> Cell: ...


class BaseSupervisor(Actor[object]):
    """Base of static and dynamic supervisors: start and stop one child, and wait to restart it."""

    if TYPE_CHECKING:

        @property
        def cell(self) -> Cell: ...
        @property
        def system(self) -> _Launching: ...

    expected_errors = (SupervisorError, NotFoundError, ConfigurationError)
    is_supervisor = True

    def __init__(self, *, max_restarts: int = 3, max_seconds: float = 5.0) -> None:
        check_intensity(max_restarts, max_seconds)
        self._max_restarts = max_restarts
        self._max_seconds = max_seconds
        self._attempts: deque[float] = deque()
        self._exits: deque[tuple[Child, Cell]] = deque()
        self._looking = False
        self._by_cell: dict[Cell, Child] = {}
        self._leaving: dict[Cell, None] = {}  # told to stop, and not gone yet
        self._prune_leaving_at = _PRUNE_ABOVE
        self._standing = 0  # significant children that are not stopped

    # -- the end of a child ------------------------------------------------------------------------

    def child_ended(self, cell: Cell) -> None:
        """Called by the runtime in the step of a child's death."""
        child = self._by_cell.pop(cell, None)
        if child is None:
            self._leaving.pop(cell, None)  # stopped by ourselves
            return
        self._exits.append((child, cell))
        if not self._looking:
            self._looking = True
            self.cell.deliver_first(LookAtExits())

    async def _look_at_exits(self) -> None:
        self._looking = False
        while self._exits and self.cell.ending is None:
            child, cell = self._exits.popleft()
            if child.cell is cell:  # else a group restart has absorbed it
                await self._ended(child, cell)

    async def _ended(self, child: Child, cell: Cell) -> None:
        raise NotImplementedError

    # -- starting and stopping one -----------------------------------------------------------------

    async def _launch(self, child: Child) -> bool:
        """Start a child and wait for its on_start. Returns False if it raised `Ignore`. Raises `StartError`."""
        child.turn += 1
        child.cell = None
        try:
            cell = self.system.launch(child.spec, child.ref, self)
            child.cell = cell
            self._by_cell[cell] = child
            started = cell.is_ready or await cell.started()
        except BaseException as error:
            self._show(child, "stopped")
            if child.cell is not None and not child.cell.is_alive:
                self._by_cell.pop(child.cell, None)
                child.cell = None
            if isinstance(error, NameTakenError):
                raise StartError(child.spec.id, Crashed(error)) from error
            raise
        if not started:
            self._by_cell.pop(cell, None)
            child.cell = None
            self._show(child, "stopped")
            child.ref.give_up(Normal())
            return False
        self._show(child, "running")
        if cell.is_alive:
            child.ref.release_parked()
        return True

    async def _stop(self, child: Child) -> None:
        """Stop a child according to its spec, and wait until it has ended."""
        cell = self._begin_stop(child)
        if cell is not None:
            await cell.wait_end(self.cell)

    def _begin_stop(self, child: Child) -> Cell | None:
        """Start to stop a child and ignore its exit. Returns its cell, or None if it has already ended."""
        child.turn += 1
        if child.timer is not None:
            child.stop_waiting()
        cell, child.cell = child.cell, None
        self._show(child, "stopped")
        if cell is None:
            return None
        self._by_cell.pop(cell, None)
        if not cell.is_alive:
            return None
        if child.spec.shutdown == "brutal_kill":
            cell.kill()
        elif not cell.stop(_SHUTDOWN, child.spec.shutdown_s):
            self._leaving[cell] = None
            return cell
        return None

    async def _wait_for_orphans(self, cell: Cell) -> None:
        """Wait until the children of a killed supervisor have ended, so that their names are free."""
        if isinstance(cell.actor, BaseSupervisor):
            for orphan in cell.actor.descendants():
                if orphan.is_alive:
                    await orphan.wait_end()

    def take_orphans(self, cells: Iterable[Cell]) -> None:
        """Record the children that a killed child left behind; this supervisor waits for them before it ends."""
        if self.cell.is_alive:
            for cell in cells:
                if cell.is_alive:
                    self._leaving[cell] = None
            if len(self._leaving) > self._prune_leaving_at:  # of an orphan's end nobody tells us
                self._leaving = {cell: None for cell in self._leaving if cell.is_alive}
                self._prune_leaving_at = max(_PRUNE_ABOVE, 2 * len(self._leaving))
        else:
            self.cell.parent.take_orphans(cells)

    async def _wait_for_leaving(self) -> None:
        """Wait until all stopping children have ended, even if the request that stopped them was cancelled."""
        for cell in tuple(self._leaving):
            if cell.is_alive:
                await cell.wait_end()

    def descendants(self) -> Iterator[Cell]:
        """Yield every known cell below this supervisor, including those that are stopping."""
        for cell in (*self._by_cell, *self._leaving):
            yield cell
            if isinstance(cell.actor, BaseSupervisor):
                yield from cell.actor.descendants()

    def after_death(self, reason: ExitReason) -> None:
        """End the children: on_stop normally did, but it does not run after a kill."""
        for cell in self._by_cell:
            cell.request_stop(Killed(), cell.shutdown_s)
        self.cell.parent.take_orphans((*self._by_cell, *self._leaving))
        for child in self.children():
            child.stop_waiting()

    # -- restarting --------------------------------------------------------------------------------

    def _count_attempt(self, child: Child) -> bool:
        """Count a restart attempt; False when it is one too many."""
        now = self.system.now()
        times = self._times(child)
        times.append(now)
        exceeded = intensity_exceeded(times, max_restarts=self._max_restarts, max_seconds=self._max_seconds)
        while times and times[0] < now - self._max_seconds:
            times.popleft()
        return not exceeded

    def _times(self, child: Child) -> deque[float]:
        """Return the attempts that share one restart intensity."""
        return self._attempts

    def _delay_s(self, child: Child) -> float:
        """Return how long to wait before the next attempt, and note that it will be made."""
        now = self.system.now()
        if now - child.last_attempt > self._max_seconds:
            child.attempts_in_row = 0
        child.attempts_in_row += 1
        backoff = child.spec.backoff or _DEFAULT_BACKOFF
        return backoff.delay_s(child.attempts_in_row, random.random() if backoff.jitter else 0.0)

    def _wait_to_restart(self, child: Child, delay_s: float) -> None:
        """Mark the child as restarting and schedule a `TryAgain` to this supervisor."""
        self._show(child, "restarting")
        child.ref.await_restart()
        child.turn += 1
        child.timer = self.system.loop.call_later(delay_s, self.cell.deliver_first, TryAgain(child, child.turn))

    def _show(self, child: Child, status: ChildStatus) -> None:
        """Set what WhichChildren shows, and keep count of significant children."""
        if child.spec.significant:
            self._standing += (status != "stopped") - (child.status != "stopped")
        child.status = status

    def _gave_up_on(self, child: Child) -> None:
        self.system.emit(
            "supervisor.gave_up",
            supervisor=str(self.ref),
            child=child.spec.id,
            max_restarts=self._max_restarts,
            max_seconds=self._max_seconds,
        )

    def _note_restart(self, child: Child) -> None:
        child.restarts += 1
        if self.system.is_observed or OBSERVING.observer is not None:
            self.system.emit("actor.restarted", actor=str(child.ref), id=child.ref.id, restarts=child.restarts)

    def children(self) -> Iterable[Child]:
        """Return the children, in start order."""
        raise NotImplementedError


class Supervisor(BaseSupervisor):
    """Starts `children` in order, stops them in reverse, and restarts them by `strategy`.

    Args:
        children: their specs; ids are unique.
        strategy: which children are restarted with one that crashed: none (one_for_one), those started after it
            (rest_for_one), all (one_for_all).
        max_restarts, max_seconds: restart intensity. At one more attempt in the sliding window the supervisor gives up:
            it stops all children and ends with Shutdown.
        auto_shutdown: end with Shutdown when any, or the last, significant child has ended for good by itself.

    Raises:
        ConfigurationError: before anything starts.
    """

    def __init__(
        self,
        children: Sequence[ChildSpec] = (),
        *,
        strategy: Strategy = "one_for_one",
        max_restarts: int = 3,
        max_seconds: float = 5.0,
        auto_shutdown: AutoShutdown = "never",
    ) -> None:
        super().__init__(max_restarts=max_restarts, max_seconds=max_seconds)
        _check_choice("strategy", strategy, ("one_for_one", "rest_for_one", "one_for_all"))
        _check_choice("auto_shutdown", auto_shutdown, ("never", "any_significant", "all_significant"))
        self._strategy: Strategy = strategy
        self._auto_shutdown: AutoShutdown = auto_shutdown
        if not isinstance(cast("object", children), Iterable) or isinstance(children, Iterator):
            # What can be read once only would leave none for the next incarnation.
            raise ConfigurationError(f"children must be a sequence of ChildSpecs, got {describe(children)}")
        self._specs = tuple(children)
        self._children: dict[str, Child] = {}
        seen: set[str] = set()
        for spec in self._specs:
            self._check(spec)
            if spec.id in seen:
                raise ConfigurationError(f"two children have the id {spec.id!r}; ids are unique among siblings")
            seen.add(spec.id)

    def children(self) -> Iterable[Child]:
        """Return the children, in start order."""
        return self._children.values()

    async def on_start(self) -> None:
        kept = dict(self.ref.slots or {})  # addresses of the children of an earlier incarnation
        self.ref.slots = dict(kept)
        for spec in self._specs:
            child = self._add(spec, kept.pop(spec.id, None))
            try:
                started = await self._launch(child)
            except BaseException as error:
                await self._stop_all()
                await self._wait_for_leaving()
                if isinstance(error, ConfigurationError):
                    raise StartError(spec.id, Crashed(error)) from error
                raise
            if not started and spec.restart == "temporary":
                self._drop(child, Normal())
        for id_, ref in kept.items():  # children added later are not back
            del self.ref.slots[id_]
            ref.give_up(Shutdown())

    async def on_stop(self, reason: ExitReason) -> None:
        await self._stop_all()
        await self._wait_for_leaving()

    async def on_receive(self, message: object) -> object:
        match message:
            case LookAtExits():
                await self._look_at_exits()
            case TryAgain(child, turn):
                if child.turn == turn and child.status == "restarting":
                    await self._attempt(child)
            case StartChild(spec):
                return await self._start_child(spec)
            case TerminateChild(which):
                await self._terminate(self._find(which))
            case RestartChild(id):
                return await self._restart_stopped(self._find(id))
            case DeleteChild(id):
                self._delete(self._find(id))
            case WhichChildren():
                return tuple(child.info() for child in self._children.values())
            case CountChildren():
                return count_children(self._children.values())
            case _:
                raise ConfigurationError(f"a supervisor does not understand {describe(message)}")
        return None

    # -- requests ----------------------------------------------------------------------------------

    def _check(self, spec: object) -> None:
        if not isinstance(spec, ChildSpec):
            raise ConfigurationError(f"children must be ChildSpecs, got {describe(spec)}")
        if spec.significant and self._auto_shutdown == "never":
            raise ConfigurationError(f"ChildSpec {spec.id!r}: significant=True needs a supervisor with auto_shutdown")

    def _find(self, which: str | ActorRef) -> Child:
        id_ = cast("object", which.label if isinstance(which, ActorRef) else which)
        child = self._children.get(id_) if isinstance(id_, str) else None
        if child is not None and (child.ref is which or not isinstance(which, ActorRef)):
            return child
        known = ", ".join(islice(self._children, _IDS_SHOWN)) or "none"
        more = f" and {len(self._children) - _IDS_SHOWN} more" if len(self._children) > _IDS_SHOWN else ""
        raise NotFoundError(f"{self.ref} has no child {describe(which)}; it has: {known}{more}")

    def _add(self, spec: ChildSpec, ref: ActorRef | None = None) -> Child:
        child = Child(spec, self.system.new_ref(spec.name, spec.id) if ref is None else ref)
        self._children[spec.id] = child
        if self.ref.slots is not None:
            self.ref.slots[spec.id] = child.ref
        return child

    def _drop(self, child: Child, reason: ExitReason) -> None:
        self._children.pop(child.spec.id, None)
        if self.ref.slots is not None:
            self.ref.slots.pop(child.spec.id, None)
        child.ref.give_up(reason)

    async def _start_child(self, spec: ChildSpec) -> ActorRef:
        self._check(spec)
        there = self._children.get(spec.id)
        if there is not None:
            if there.status == "running":
                raise AlreadyStartedError(spec.id, there.ref)
            raise RestartingError(spec.id) if there.status == "restarting" else AlreadyPresentError(spec.id)
        child = self._add(spec)
        try:
            started = await self._launch(child)
        except (StartError, ConfigurationError):
            self._drop(child, Shutdown())
            raise
        if not started and spec.restart == "temporary":
            self._drop(child, Normal())
        return child.ref

    async def _terminate(self, child: Child) -> None:
        was_restarting = child.status == "restarting"
        await self._stop(child)
        child.ref.give_up(Shutdown())
        if was_restarting:  # and with it those of its group that were to start after it
            for id_ in group_of(self._strategy, self._children, child.spec.id):
                if self._children[id_].status == "stopped":
                    self._children[id_].ref.give_up(Shutdown())
        if child.spec.restart == "temporary":
            self._drop(child, Shutdown())

    async def _restart_stopped(self, child: Child) -> ActorRef:
        if child.status == "running":
            raise ChildRunningError(child.spec.id)
        if child.status == "restarting":
            raise RestartingError(child.spec.id)
        await self._wait_for_leaving()
        await self._launch(child)
        return child.ref

    def _delete(self, child: Child) -> None:
        if child.status == "running":
            raise ChildRunningError(child.spec.id)
        if child.status == "restarting":
            raise RestartingError(child.spec.id)
        self._drop(child, Shutdown())

    async def _stop_all(self) -> None:
        for child in reversed(tuple(self._children.values())):
            await self._stop(child)

    # -- ends and restarts -------------------------------------------------------------------------

    async def _ended(self, child: Child, cell: Cell) -> None:
        reason = cell.reason or Killed()
        child.cell = None
        self._show(child, "stopped")
        if should_restart(child.spec.restart, reason):
            child.restart_reason = describe(reason)
            await self._wait_for_orphans(cell)
            delay_s = self._delay_s(child)
            if delay_s > 0:
                self._wait_to_restart(child, delay_s)
            else:
                await self._attempt(child)
            return
        child.ref.give_up(reason)
        if child.spec.restart == "temporary":
            self._drop(child, reason)
        if child.spec.significant and (self._auto_shutdown == "any_significant" or self._standing == 0):
            self.exit(Shutdown("auto_shutdown"))

    async def _attempt(self, child: Child) -> None:
        """Make one restart attempt, which counts whether it succeeds or not."""
        if not self._count_attempt(child):
            self._gave_up_on(child)
            self.exit(Shutdown("restart intensity exceeded"))
            return
        child.last_attempt = self.system.now()
        group = group_of(self._strategy, self._children, child.spec.id)
        await self._stop_group(group)
        for member in group:
            if member not in self._children:
                continue
            one = self._children[member]
            try:
                started = await self._launch(one)
            except (StartError, ConfigurationError) as error:
                await self._attempt_failed(one, group, error)
                return
            if started:
                self._note_restart(one)

    async def _stop_group(self, group: Sequence[str]) -> None:
        """Stop a group in reverse, and wait until all names below are free; temporary members are dropped."""
        gone: list[Cell] = []
        for id_ in reversed(group):
            member = self._children[id_]
            if member.cell is not None:
                gone.append(member.cell)
            if member.spec.restart != "temporary":
                member.ref.await_restart()
            await self._stop(member)
            if member.spec.restart == "temporary":
                self._drop(member, Shutdown())
        for cell in gone:  # a supervisor that was killed has left children behind
            await self._wait_for_orphans(cell)

    async def _attempt_failed(self, child: Child, group: Sequence[str], error: Exception) -> None:
        self.system.emit("supervisor.restart_failed", supervisor=str(self.ref), child=child.spec.id, error=error)
        if self._strategy == "one_for_all":
            await self._stop_group([id_ for id_ in group if id_ in self._children])
        if child.spec.id in self._children:
            self._wait_to_restart(child, self._delay_s(child))


def count_children(children: Iterable[Child]) -> ChildCounts:
    everyone = tuple(children)
    supervisors = sum(1 for child in everyone if child.spec.type == "supervisor")
    active = sum(1 for child in everyone if child.status == "running")
    return ChildCounts(len(everyone), active, supervisors, len(everyone) - supervisors)
