"""BaseSupervisor: starts and stops one child, and waits to restart it.

The rules (whom to restart, when to give up) are in `restart.py`; this file waits, counts and sends messages.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, Protocol

from jido_ai.actors.actor import Actor, System
from jido_ai.actors.cell import Cell, Parent
from jido_ai.actors.child_spec import Backoff, ChildSpec
from jido_ai.actors.children import Child, ChildStatus, LookAtExits, TryAgain
from jido_ai.actors.exit_reason import Crashed, ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.mailbox import Envelope
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.restart import intensity_exceeded
from jido_ai.actors.via_name import Via
from jido_ai.errors import ConfigurationError, NameTakenError, NotFoundError, StartError, SupervisorError, describe
from jido_ai.telemetry import OBSERVING

_DEFAULT_BACKOFF: Final = Backoff()
_PRUNE_ABOVE: Final = 16
_SHUTDOWN: Final = Shutdown()


def check_intensity(max_restarts: object, max_seconds: object) -> None:
    """Raise `ConfigurationError` unless both are usable as a restart intensity."""
    if isinstance(max_restarts, bool) or not isinstance(max_restarts, int) or max_restarts < 0:
        raise ConfigurationError(f"max_restarts must be a whole number of at least 0, got {describe(max_restarts)}")
    most = sys.float_info.max  # no clock reckons with more
    if isinstance(max_seconds, bool) or not isinstance(max_seconds, int | float) or not 0 < max_seconds <= most:
        raise ConfigurationError(f"max_seconds must be a number above 0, got {describe(max_seconds)}")


class _Launching(System, Protocol):
    """The part of `ActorSystem` that supervisors use."""

    tombstone: Cell

    def new_ref(self, name: str | Via | None, label: str) -> ActorRef: ...
    def launch(self, spec: ChildSpec, ref: ActorRef, parent: Parent) -> Cell: ...
    def begin(
        self, actor: Actor[Any], ref: ActorRef, queue: deque[Envelope], parent: Parent, shutdown_s: float
    ) -> Cell: ...


class BaseSupervisor(Actor[object]):
    """Base of static and dynamic supervisors: start and stop one child, and wait to restart it."""

    if TYPE_CHECKING:

        @property
        def cell(self) -> Cell: ...
        @property
        def system(self) -> _Launching: ...

    expected_errors = (SupervisorError, NotFoundError, ConfigurationError)
    is_supervisor = True
    ignores_strangers = True

    def __init__(self, *, max_restarts: int = 3, max_seconds: float = 5.0) -> None:
        check_intensity(max_restarts, max_seconds)
        self._max_restarts = max_restarts
        self._max_seconds = max_seconds
        self._attempts: deque[float] = deque()
        self._exits: deque[tuple[Child, Cell]] = deque()
        self._looking = False
        self._by_cell: dict[Cell, Child] = {}
        self._leaving: dict[Cell, None] = {}  # asked to stop, and still alive
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

    def restarts_of(self, cell: Cell) -> int:
        """Return how often a living child was restarted."""
        child = self._by_cell.get(cell)
        return 0 if child is None else child.restarts

    def take_orphans(self, cells: Iterable[Cell]) -> None:
        """Record the children that a killed child left behind; this supervisor waits for them before it ends."""
        if self.cell.is_alive:
            for cell in cells:
                if cell.is_alive:
                    self._leaving[cell] = None
            if len(self._leaving) > self._prune_leaving_at:  # the end of an orphan is not reported
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
        """Yield every known cell below this supervisor, including stopping ones."""
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
        """Set the status that WhichChildren shows, and count the significant children that are not stopped."""
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
