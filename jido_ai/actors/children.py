"""The children of a supervisor: requests about them, and its record of each."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from jido_ai.actors.cell import Cell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.ref import ActorRef, Ask

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
    """Start one more child, after all others; the answer is an `Ignored` if its on_start raised `Ignore`."""

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
        restarts: number of restarts.
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
        return ChildInfo(self.ref.label, self.ref if self.status == "running" else None, self.status, self.spec.type)


def count_children(children: Iterable[Child]) -> ChildCounts:
    everyone = tuple(children)
    supervisors = sum(1 for child in everyone if child.spec.type == "supervisor")
    active = sum(1 for child in everyone if child.status == "running")
    return ChildCounts(len(everyone), active, supervisors, len(everyone) - supervisors)
