"""PlainSupervisor: a dynamic supervisor that keeps no records of children that are never restarted."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from jido_ai.actors.actor import Actor
from jido_ai.actors.cell import Cell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import Child
from jido_ai.actors.dynamic_supervisor import STOPS_A_TURN, DynamicSupervisor
from jido_ai.actors.exit_reason import ExitReason, Killed
from jido_ai.actors.ref import ActorRef

_PLAIN = ChildSpec(id="plain", start=Actor, restart="temporary")


class PlainSupervisor(DynamicSupervisor):
    """A dynamic supervisor that can also start children without a spec, a name or a record, at half the cost."""

    def __init__(self, *, max_children: int | None = None, max_restarts: int = 3, max_seconds: float = 5.0) -> None:
        super().__init__(max_children=max_children, max_restarts=max_restarts, max_seconds=max_seconds)
        self.plain: dict[ActorRef, Cell] = {}

    def start_plain(self, actor: Actor[Any], label: str, shutdown_s: float) -> Cell:
        """Start the task of a fresh actor, which is never restarted."""
        system = self.system
        ref = system.new_ref(None, label)
        self.plain[ref] = cell = system.begin(actor, ref, deque(), self, shutdown_s)
        return cell

    def child_ended(self, cell: Cell) -> None:
        """Called by the runtime in the step of a child's death."""
        if self.plain.pop(cell.ref, None) is None:
            super().child_ended(cell)

    def children(self) -> Iterable[Child]:
        """Return the children, in start order."""
        plain = (_as_child(cell) for cell in self.plain.values())
        return sorted((*self._children.values(), *plain), key=lambda child: child.ref.id)

    def descendants(self) -> Iterator[Cell]:
        """Yield every cell below."""
        yield from tuple(self.plain.values())
        yield from super().descendants()

    def after_death(self, reason: ExitReason) -> None:
        """End the children, too."""
        super().after_death(reason)
        for cell in self.plain.values():
            cell.request_stop(Killed(), cell.shutdown_s)
        self.cell.parent.take_orphans(self.plain.values())

    def _size(self) -> int:
        return super()._size() + len(self.plain)

    async def _terminate(self, which: str | ActorRef) -> None:
        cell = self.plain.get(which) if isinstance(which, ActorRef) else None
        if cell is None:
            await super()._terminate(which)
        else:
            self._begin_stop_of(cell)
            if cell.is_alive:
                await cell.wait_end(self.cell)

    async def _stop_all(self) -> None:
        for number, cell in enumerate(tuple(self.plain.values()), 1):
            self._begin_stop_of(cell)
            if number % STOPS_A_TURN == 0:
                await asyncio.sleep(0)
        await super()._stop_all()

    def _begin_stop_of(self, cell: Cell) -> None:
        del self.plain[cell.ref]
        self._leaving[cell] = None
        cell.leave()


def _as_child(cell: Cell) -> Child:
    """Return a child record for an actor that has none."""
    child = Child(_PLAIN, cell.ref)
    child.cell = cell
    child.status = "running"
    return child
