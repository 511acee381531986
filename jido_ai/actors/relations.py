"""Links and monitors between actors, and the messages that report an end."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Protocol, cast

from jido_ai.actors.exit_reason import ExitReason, NoProc, Normal
from jido_ai.actors.ref import ActorRef, Incarnation, check_ref
from jido_ai.errors import ConfigurationError, describe


@dataclass(frozen=True, slots=True)
class Down:
    """A monitored actor ended. Delivered exactly once per monitor."""

    ref: ActorRef
    reason: ExitReason
    handle: object = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Exit:
    """A linked actor ended. Delivered to actors with `trap_exit`; others end with the same reason."""

    ref: ActorRef
    reason: ExitReason


class MonitorHandle:
    """One monitor. Give it to `demonitor`."""

    __slots__ = ("is_unwanted", "target", "watcher")

    def __init__(self, watcher: Related, target: Related) -> None:
        self.watcher = watcher
        self.target = target
        self.is_unwanted = False  # True: its Down is queued and will be skipped


class _Exits:
    """The number of queued Exits from one actor, and how many of the oldest to skip."""

    __slots__ = ("unwanted", "waiting")

    def __init__(self) -> None:
        self.waiting = 0
        self.unwanted = 0


class Relations:
    """The links and monitors of one incarnation.

    Attributes:
        links: the linked actors.
        monitors, monitored: monitors on this actor, and monitors it holds on others.
        downs, exits: queued Downs and Exits, so that they can be withdrawn without a search.
        spawner: the actor that has started this one with `spawn_link`; OTP's parent.
    """

    __slots__ = ("downs", "exits", "links", "monitored", "monitors", "spawner")

    def __init__(self) -> None:
        self.links: dict[Related, None] = {}
        self.monitors: dict[MonitorHandle, None] = {}
        self.monitored: dict[MonitorHandle, None] = {}
        self.downs: dict[MonitorHandle, None] = {}
        self.exits: dict[ActorRef, _Exits] = {}
        self.spawner: ActorRef | None = None


class Related(Incarnation, Protocol):
    """An incarnation that can have links and monitors. `Cell` implements it."""

    attention: bool

    @property
    def relations(self) -> Relations: ...
    @property
    def traps_exits(self) -> bool: ...
    @property
    def ignores_strangers(self) -> bool: ...
    def deliver(self, message: object) -> None: ...
    def shut_down(self, reason: ExitReason) -> None: ...


def monitor(cell: Related, ref: ActorRef) -> MonitorHandle:
    """Deliver a Down when the actor ends; at once if it has ended."""
    target = _cell_of(ref)
    handle = MonitorHandle(cell, target)
    if target.is_alive:
        target.relations.monitors[handle] = None
        cell.relations.monitored[handle] = None
    else:
        _deliver_down(handle, Down(ref, NoProc(), handle))
    return handle


def demonitor(cell: Related, handle: MonitorHandle) -> None:
    """End a monitor, and withdraw its Down if that is queued."""
    if not isinstance(handle, MonitorHandle):
        raise ConfigurationError(f"demonitor() expects the handle returned by monitor(), got {describe(handle)}")
    handle.target.relations.monitors.pop(handle, None)
    cell.relations.monitored.pop(handle, None)
    if handle in cell.relations.downs:
        handle.is_unwanted = True


def link(cell: Related, ref: ActorRef) -> None:
    """Link two actors: when one ends, the other gets an exit signal."""
    other = _cell_of(ref)
    if other is cell:
        return
    if other.is_alive:
        cell.relations.links[other] = None
        other.relations.links[cell] = None
    else:
        _exit_signal(cell, ref, NoProc())


def unlink(cell: Related, ref: ActorRef) -> None:
    """Remove a link, and skip an `Exit` of the other actor that is already queued."""
    other = _cell_of(ref)
    cell.relations.links.pop(other, None)
    other.relations.links.pop(cell, None)
    exits = cell.relations.exits.get(ref)
    if exits is not None:
        exits.unwanted = exits.waiting


def link_to_spawner(cell: Related, ref: ActorRef) -> None:
    """Link a cell to the actor that it has just spawned: its end also ends a supervisor, for any reason."""
    _cell_of(ref).relations.spawner = cell.ref
    link(cell, ref)


def cut(cell: Related, relations: Relations, reason: ExitReason, signal: ExitReason) -> None:
    """Notify links, with `signal`, and then monitors that the actor has ended, and forget them."""
    relations.downs.clear()
    relations.exits.clear()
    for handle in relations.monitored:
        handle.target.relations.monitors.pop(handle, None)
    for other in relations.links:
        other.relations.links.pop(cell, None)
        _exit_signal(other, cell.ref, signal)
    for handle in relations.monitors:
        handle.watcher.relations.monitored.pop(handle, None)
        _deliver_down(handle, Down(cell.ref, reason, handle))
    for ties in (relations.monitored, relations.monitors, relations.links):
        ties.clear()


def skip_unwanted(cell: Related) -> None:
    """Skip withdrawn Downs and Exits at the head of the mailbox."""
    relations, queue = cell.relations, cell.queue
    while queue:
        assert isinstance(queue, deque)
        message = queue[0][0]
        if type(message) is Down:
            handle = message.handle
            if not isinstance(handle, MonitorHandle) or handle not in relations.downs:
                return  # another actor has passed it on
            del relations.downs[handle]
            if not handle.is_unwanted:
                return
        elif type(message) is Exit:
            exits = relations.exits.get(message.ref)
            if exits is None:
                return
            exits.waiting -= 1
            if exits.waiting == 0:
                del relations.exits[message.ref]
            if exits.unwanted == 0:
                return
            exits.unwanted -= 1
        else:
            return
        queue.popleft()


def _cell_of(ref: ActorRef) -> Related:
    check_ref(ref)
    return cast("Related", ref.cell)


def _deliver_down(handle: MonitorHandle, message: Down) -> None:
    """Append a Down to the mailbox; `demonitor` can withdraw it until it is handled."""
    watcher = handle.watcher
    if watcher.is_alive:
        watcher.relations.downs[handle] = None
        watcher.attention = True
        watcher.deliver(message)


def _exit_signal(cell: Related, source: ActorRef, reason: ExitReason) -> None:
    """Report the end of a linked actor: as a message when trapping, else end with the same reason, unless Normal.

    Supervisors and registries ignore all exits but that of the actor that spawned them with a link, which ends them.
    """
    if not cell.is_alive:
        return
    if cell.ignores_strangers:
        if source is cell.relations.spawner:
            cell.shut_down(reason)
    elif cell.traps_exits:
        cell.relations.exits.setdefault(source, _Exits()).waiting += 1
        cell.attention = True
        cell.deliver(Exit(source, reason))
    elif not isinstance(reason, Normal):
        cell.shut_down(reason)
