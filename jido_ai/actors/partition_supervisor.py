"""PartitionSupervisor: equal children, among which keys are spread."""

from __future__ import annotations

import os
import zlib
from dataclasses import replace
from datetime import date, time
from enum import Enum
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from jido_ai.actors.actor import Actor, ActorCell
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import Child, DeleteChild, StartChild
from jido_ai.actors.exit_reason import ExitReason, NoProc
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.supervisor import Supervisor
from jido_ai.errors import ActorDeadError, ConfigurationError, NameTakenError, SupervisorError, describe


class PartitionRef(ActorRef[object]):
    """The ref of a `PartitionSupervisor`."""

    __slots__ = ()

    def of(self, key: object) -> ActorRef:
        """Return the child that the key belongs to; it has the same ref after restarts.

        Raises:
            ActorDeadError: the supervisor has ended for good.
            ConfigurationError: the key has no number that is the same in every process; see `partition_of`.
        """
        slots = self.slots
        if not slots:
            raise ActorDeadError(NoProc(), str(self))
        return next(islice(slots.values(), partition_of(key, len(slots)), None))


class PartitionSupervisor(Supervisor):
    """Starts `partitions` equal children under one_for_one. `ref.of(key)` is the child that a key belongs to.

    Args:
        child: how to start each. It has its number, from 0, as its attribute `partition` before it starts; its id is
            that of `child` with "-" and the number.
        partitions: at least 1. Default: the number of processors.
        max_restarts, max_seconds: as of a `Supervisor`.
        name: the supervisor's, if neither `spawn` nor a `ChildSpec` gives it one.

    Raises:
        ConfigurationError: an argument is something else, or `child` has a name, which its copies cannot share.
    """

    ref_class = PartitionRef

    if TYPE_CHECKING:

        @property
        def ref(self) -> PartitionRef: ...

    def __init__(
        self,
        child: ChildSpec,
        partitions: int | None = None,
        *,
        max_restarts: int = 3,
        max_seconds: float = 5.0,
        name: str | None = None,
    ) -> None:
        if not isinstance(cast("object", child), ChildSpec):
            raise ConfigurationError(f"child must be a ChildSpec, got {describe(child)}")
        if child.name is not None:
            raise ConfigurationError(f"ChildSpec {child.id!r}: the name {child.name!r} would be that of each partition")
        number = (os.cpu_count() or 1) if partitions is None else partitions
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ConfigurationError(f"partitions must be a whole number of at least 1, got {describe(partitions)}")
        if name is not None and (not isinstance(cast("object", name), str) or not name):
            raise ConfigurationError(f"name must be None or a non-empty string, got {describe(name)}")
        self._name = name
        specs = [replace(child, id=f"{child.id}-{i}", start=partial(_build, child, i)) for i in range(number)]
        super().__init__(specs, max_restarts=max_restarts, max_seconds=max_seconds)

    def attach(self, cell: ActorCell) -> None:
        super().attach(cell)
        if cell.ref.name is None and self._name is not None:
            taken = self.system.whereis(self._name)
            if taken is not None:
                raise NameTakenError(self._name, taken)
            cell.ref.name = self._name

    async def on_start(self) -> None:
        if self.ref.slots is None:  # all at once, so that a key has the same child while they start
            self.ref.slots = {spec.id: self.system.new_ref(None, spec.id) for spec in self._specs}
            for ref in self.ref.slots.values():
                ref.cell = self.system.tombstone
        await super().on_start()

    async def on_receive(self, message: object) -> object:
        if isinstance(message, StartChild | DeleteChild):
            raise SupervisorError(f"{self.ref} has one child for each partition; it refuses {describe(message)}")
        return await super().on_receive(message)

    def _drop(self, child: Child, reason: ExitReason) -> None:
        slots, self.ref.slots = self.ref.slots, None  # keys still lead to a temporary child that has ended
        super()._drop(child, reason)
        self.ref.slots = slots


def _build(child: ChildSpec, number: int) -> object:
    actor = child.build()
    if isinstance(actor, Actor):
        cast("Actor[Any]", actor).partition = number
    return cast("object", actor)


def partition_of(key: object, partitions: int) -> int:
    """Return the partition of a key, the same in every process: a whole number modulo `partitions`, else a checksum.

    Args:
        key: an `ActorRef`, a number, text, bytes, None, an `Enum`, UUID, date or time, or a tuple of these. Equal
            numbers belong together, whatever their types.

    Raises:
        ConfigurationError: it is something else.
    """
    if isinstance(key, ActorRef):
        return key.id % partitions
    if isinstance(key, Enum):
        key = (type(key).__qualname__, key.name)
    if isinstance(key, int | float) and key == key // 1:
        return abs(int(key)) % partitions
    return zlib.crc32(_bytes_of(key)) % partitions


def _bytes_of(key: object) -> bytes:
    match key:
        case bytes():
            return key
        case str():
            return key.encode("utf-8", "surrogatepass")
        case tuple():
            parts = [str(partition_of(part, 2**32)).encode() for part in cast("tuple[object, ...]", key)]
            return b"(" + b",".join(parts) + b")"
        case None | int() | float() | UUID() | date() | time():
            return repr(key).encode()
        case _:
            raise ConfigurationError(
                "a key must be an ActorRef, a number, text, bytes, None, an Enum, UUID, date or time, "
                f"or a tuple of these, got {describe(key)}"
            )
