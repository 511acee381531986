"""DynamicSupervisor: starts and stops children on request; scales to thousands of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Final

from jido_ai.actors.cell import Cell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import (
    Child,
    CountChildren,
    DeleteChild,
    LookAtExits,
    RestartChild,
    StartChild,
    TerminateChild,
    TryAgain,
    WhichChildren,
    count_children,
)
from jido_ai.actors.exit_reason import ExitReason, Killed, Normal, Shutdown
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.restart import should_restart
from jido_ai.actors.restarting import BaseSupervisor
from jido_ai.errors import ConfigurationError, MaxChildrenError, NotFoundError, StartError, SupervisorError, describe

STOPS_A_TURN: Final = 256
"""Number of children that are stopped in one turn of the event loop: about a millisecond."""


class DynamicSupervisorRef(ActorRef[object]):
    """The ref of a `DynamicSupervisor`, with its methods."""

    __slots__ = ()

    async def start_child(self, spec: ChildSpec) -> ActorRef:
        """Start one more child; the same as `ask(StartChild(spec))`.

        Raises:
            MaxChildrenError: there are `max_children` children.
            StartError: it cannot be started.
            ConfigurationError: the spec is none, or is significant.
        """
        return await self.ask(StartChild(spec), timeout_s=None)

    async def terminate_child(self, child: ActorRef | str) -> None:
        """Stop a child, or cancel its restart; the same as `ask(TerminateChild(child))`.

        Raises:
            NotFoundError: it is not a child.
        """
        await self.ask(TerminateChild(child), timeout_s=None)


class DynamicSupervisor(BaseSupervisor):
    """Starts children on request, each restarted by itself; ids may repeat, and stopping is parallel.

    Args:
        max_children: maximum number of children, including children being restarted; None is no limit.
        max_restarts, max_seconds: restart intensity over all children.
    """

    ref_class: ClassVar[type[ActorRef]] = DynamicSupervisorRef

    if TYPE_CHECKING:

        @property
        def ref(self) -> DynamicSupervisorRef: ...

    def __init__(self, *, max_children: int | None = None, max_restarts: int = 3, max_seconds: float = 5.0) -> None:
        super().__init__(max_restarts=max_restarts, max_seconds=max_seconds)
        if max_children is not None and (
            isinstance(max_children, bool) or not isinstance(max_children, int) or max_children < 0
        ):
            raise ConfigurationError(
                f"max_children must be None or a whole number of at least 0, got {describe(max_children)}"
            )
        self._max_children = max_children
        self._children: dict[ActorRef, Child] = {}
        self._by_id: dict[str, dict[ActorRef, Child]] | None = None  # made when a child is first asked for by its id

    def children(self) -> Iterable[Child]:
        """Return the children, in start order."""
        return self._children.values()

    async def on_stop(self, reason: ExitReason) -> None:
        await self._stop_all()
        await self._wait_for_leaving()

    def after_death(self, reason: ExitReason) -> None:
        """End the children; they do not come back with the next incarnation."""
        super().after_death(reason)
        for child in self._children.values():
            child.ref.give_up(reason)

    async def on_receive(self, message: object) -> object:
        match message:
            case LookAtExits():
                await self._look_at_exits()
            case TryAgain(child, turn):
                if child.turn == turn and child.status == "restarting":
                    await self._attempt(child)
            case StartChild(spec):
                return await self.start_child(spec)
            case TerminateChild(which):
                await self._terminate(which)
            case WhichChildren():
                return tuple(child.info() for child in self.children())
            case CountChildren():
                return count_children(self.children())
            case RestartChild() | DeleteChild():
                raise SupervisorError(
                    f"a dynamic supervisor keeps no specs of stopped children: {describe(message)} has no meaning here"
                )
            case _:
                raise ConfigurationError(f"a supervisor does not understand {describe(message)}")
        return None

    # -- requests ----------------------------------------------------------------------------------

    async def start_child(self, spec: ChildSpec) -> ActorRef:
        """Start one more child. Raises `MaxChildrenError`, `StartError` or `ConfigurationError`."""
        if not isinstance(spec, ChildSpec):
            raise ConfigurationError(f"StartChild needs a ChildSpec, got {describe(spec)}")
        if spec.significant:
            raise ConfigurationError(f"ChildSpec {spec.id!r}: significant is not allowed in a dynamic supervisor")
        self.check_room()
        child = Child(spec, self.system.new_ref(spec.name, spec.id))
        self._children[child.ref] = child
        if self._by_id is not None:
            self._by_id.setdefault(spec.id, {})[child.ref] = child
        try:
            started = await self._launch(child)
        except BaseException:
            self._begin_stop(child)  # the caller may have been cancelled during the start
            self._drop(child, Shutdown())
            raise
        if not started:
            self._drop(child, Normal())
        return child.ref

    def check_room(self) -> None:
        """Raise `MaxChildrenError` if there are `max_children` children."""
        if self._max_children is not None and self._size() >= self._max_children:
            raise MaxChildrenError(self._max_children)

    def _size(self) -> int:
        return len(self._children)

    async def _terminate(self, which: str | ActorRef) -> None:
        if isinstance(which, ActorRef):
            known = self._children.get(which)
            children = [] if known is None else [known]
        else:
            children = self._of_id(which)
        if not children:
            raise NotFoundError(f"{self.ref} has no child {describe(which)}")
        if len(children) > 1:
            raise SupervisorError(
                f"{len(children)} children have the id {describe(which)}; pass the ref of one of them"
            )
        await self._stop(children[0])
        self._drop(children[0], Shutdown())

    def _of_id(self, id_: object) -> list[Child]:
        if not isinstance(id_, str):
            return []
        if self._by_id is None:
            self._by_id = {}
            for child in self._children.values():
                self._by_id.setdefault(child.spec.id, {})[child.ref] = child
        return list(self._by_id.get(id_, {}).values())

    def _drop(self, child: Child, reason: ExitReason) -> None:
        self._children.pop(child.ref, None)
        if self._by_id is not None and (same := self._by_id.get(child.spec.id)) is not None:
            same.pop(child.ref, None)
            if not same:
                del self._by_id[child.spec.id]
        child.ref.give_up(reason)

    async def _stop_all(self) -> None:
        """Stop all children concurrently, in batches that do not block the event loop; each has its own limit."""
        for number, child in enumerate(tuple(self._children.values()), 1):
            self._begin_stop(child)
            if number % STOPS_A_TURN == 0:
                await asyncio.sleep(0)

    # -- ends and restarts -------------------------------------------------------------------------

    def child_ended(self, cell: Cell) -> None:
        """Called by the runtime as soon as a child has ended; a child that is not restarted is dropped at once."""
        child = self._by_cell.get(cell)
        if child is None:  # stopped by ourselves
            self._leaving.pop(cell, None)
        elif should_restart(child.spec.restart, cell.reason or Killed()):
            super().child_ended(cell)
        else:
            del self._by_cell[cell]
            self._drop(child, cell.reason or Killed())

    async def _ended(self, child: Child, cell: Cell) -> None:
        child.cell = None
        child.status = "stopped"
        child.restart_reason = describe(cell.reason or Killed())
        await self._wait_for_orphans(cell)
        delay_s = self._delay_s(child)
        if delay_s > 0:
            self._wait_to_restart(child, delay_s)
        else:
            await self._attempt(child)

    async def _attempt(self, child: Child) -> None:
        """Make one restart attempt, which counts whether it succeeds or not."""
        if not self._count_attempt(child):
            self._gave_up_on(child)
            self._intensity_exceeded(child)
            return
        child.last_attempt = self.system.now()
        try:
            started = await self._launch(child)
        except (StartError, ConfigurationError) as error:
            self.system.emit("supervisor.restart_failed", supervisor=str(self.ref), child=child.spec.id, error=error)
            self._wait_to_restart(child, self._delay_s(child))
            return
        if started:
            self._note_restart(child)
        else:
            self._drop(child, Normal())

    def _intensity_exceeded(self, child: Child) -> None:
        self.exit(Shutdown("restart intensity exceeded"))
