"""Registry: actors found by keys, one for each key (names) or many (publish and subscribe).

Its tables are read and written without a message: each method of its ref runs in one step of the event loop.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from inspect import iscoroutine
from itertools import count
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from jido_ai.actors.actor import Actor
from jido_ai.actors.cell import Cell
from jido_ai.actors.exit_reason import ExitReason, NoProc, Normal, Shutdown
from jido_ai.actors.ref import ActorRef, check_ref, current_cell
from jido_ai.actors.via_name import Via
from jido_ai.errors import ActorDeadError, ActorError, AlreadyRegisteredError, ConfigurationError, describe

Entry = tuple[ActorRef, Any]
"""An actor and the value that it is registered with."""

_NONE: Final[dict[int, Any]] = {}


class RegistryRef(ActorRef[Any]):
    """The ref of a `Registry`, with its methods. They belong to the event loop of the system.

    Each raises `ActorDeadError` if the registry is not alive, and `ConfigurationError` for a key that is not hashable.
    """

    __slots__ = ()

    def register(self, key: Hashable, value: object = None, *, ref: ActorRef | None = None) -> Awaitable[None]:
        """Register the calling actor, or `ref`. Done when this returns; the result may be awaited.

        Raises:
            AlreadyRegisteredError: the registry is unique and the key has a holder, which is the error's `ref`.
            ActorDeadError: `ref` has ended.
            ActorError: no actor's handler runs here, and `ref` is missing.
        """
        table, cell = self._table(key), _cell_of(ref)
        if not cell.is_alive:
            raise ActorDeadError(NoProc(), str(ref or cell.ref))
        table.add(cell, key, value)
        return self.cell.system.stopped

    def unregister(self, key: Hashable, *, ref: ActorRef | None = None) -> Awaitable[None]:
        """Remove the entries of the calling actor, or of `ref`, under a key. Done when this returns."""
        self._table(key).remove(_cell_of(ref), key)
        return self.cell.system.stopped

    def lookup(self, key: Hashable) -> tuple[Entry, ...]:
        """Return the pairs (ref, value) under a key, oldest first; at most one in a unique registry."""
        table = self.cell.actor
        if not isinstance(table, Registry):
            raise ActorDeadError(NoProc(), str(self))
        try:
            return table.found[key]
        except KeyError:
            return table.find(key)
        except TypeError:
            check_key(key)
            raise

    def keys(self, ref: ActorRef | None = None) -> tuple[Hashable, ...]:
        """Return the keys of the calling actor, or of `ref`: one for each entry, oldest first."""
        return tuple(self._table(None).keys.get(_cell_of(ref), _NONE).values())

    def dispatch(self, key: Hashable, fn: Callable[[tuple[Entry, ...]], object]) -> None:
        """Call `fn(entries)` once with the pairs (ref, value) under a key, if there are any; its errors propagate.

        `fn` is a plain function, which sends to the refs, for example with `tell`.
        """
        entries = self.lookup(key)
        if entries:
            result = fn(entries)
            if iscoroutine(result):
                result.close()
                raise ConfigurationError(f"dispatch calls a plain function, and {describe(fn)} is async")

    def count(self) -> int:
        """Return the number of entries."""
        return sum(map(len, self._table(None).entries.values()))

    def _table(self, key: Hashable) -> Registry:
        check_key(key)
        table = self.cell.actor
        if not isinstance(table, Registry):
            raise ActorDeadError(NoProc(), str(self))
        return table


class Registry(Actor[Any]):
    """Keeps the actors registered under each key; the methods are those of its ref, a `RegistryRef`.

    An entry goes in the step in which its actor ends. Registered actors are linked to the registry, one way: when it
    ends, they get its exit reason, Shutdown for Normal, so that their supervisors restart them and they register again.

    Args:
        keys: "unique" allows one entry for each key, "duplicate" any number.
        partitions: at least 1. Changes nothing, as one event loop has no contention.

    Raises:
        ConfigurationError: an argument is something else.
    """

    expected_errors = (ConfigurationError,)
    ref_class = RegistryRef
    ignores_strangers = True

    if TYPE_CHECKING:

        @property
        def ref(self) -> RegistryRef: ...
        @property
        def cell(self) -> Cell: ...

    def __init__(self, keys: Literal["unique", "duplicate"] = "unique", partitions: int = 1) -> None:
        if not isinstance(cast("object", keys), str) or keys not in ("unique", "duplicate"):
            raise ConfigurationError(f'keys must be "unique" or "duplicate", got {describe(keys)}')
        if isinstance(partitions, bool) or not isinstance(partitions, int) or partitions < 1:
            raise ConfigurationError(f"partitions must be a whole number of at least 1, got {describe(partitions)}")
        self.is_unique = keys == "unique"
        self.numbers = count()
        self.entries: dict[Hashable, dict[int, Entry]] = {}  # by their numbers, in the order of registration
        self.found: dict[Hashable, tuple[Entry, ...]] = {}  # by look-ups, until the entries of the key change
        self.keys: dict[Cell, dict[int, Hashable]] = {}

    async def on_receive(self, message: object) -> None:
        """Refuse a message."""
        raise ConfigurationError(f"a registry takes no messages; use the methods of its ref, not {describe(message)}")

    def add(self, cell: Cell, key: Hashable, value: object) -> None:
        """Add an entry. Raises `AlreadyRegisteredError`."""
        there = self.entries.setdefault(key, {})
        if there and self.is_unique:
            raise AlreadyRegisteredError(key, next(iter(there.values()))[0])
        number = next(self.numbers)
        there[number] = (cell.ref, value)
        self.found.pop(key, None)
        if cell not in self.keys:
            self.keys[cell] = {}
            cell.call_at_end(self.remove_all)
            self.cell.relations.links[cell] = None
        self.keys[cell][number] = key

    def find(self, key: Hashable) -> tuple[Entry, ...]:
        """Return the entries of a key, and keep them for the next look-up."""
        there = self.entries.get(key)
        if there is None:
            return ()
        found = self.found[key] = tuple(there.values())
        return found

    def remove(self, cell: Cell, key: Hashable) -> None:
        """Remove the entries of an actor under a key."""
        mine, there = self.keys.get(cell, _NONE), self.entries.get(key, _NONE)
        shorter = mine if len(mine) < len(there) else there
        for number in [number for number in shorter if number in mine and number in there]:
            del mine[number], there[number]
        if not there:
            self.entries.pop(key, None)
        self.found.pop(key, None)
        if cell in self.keys and not mine:
            self._forget(cell)
            cell.call_at_end(self.remove_all, wanted=False)

    def remove_all(self, cell: Cell) -> None:
        """Remove all entries of an actor that has ended."""
        for number, key in self.keys[cell].items():
            there = self.entries[key]
            del there[number]
            if not there:
                del self.entries[key]
            self.found.pop(key, None)
        self._forget(cell)

    def exit_signal(self, reason: ExitReason) -> ExitReason:
        """Return Shutdown for Normal, so that registered actors end, and register again, after a clean stop too."""
        return Shutdown() if isinstance(reason, Normal) else reason

    def after_death(self, reason: ExitReason) -> None:
        """Leave nothing behind in the registered actors."""
        for cell in self.keys:
            cell.call_at_end(self.remove_all, wanted=False)

    def _forget(self, cell: Cell) -> None:
        del self.keys[cell]
        self.cell.relations.links.pop(cell, None)


def via(registry: ActorRef | str, key: Hashable, value: object = None) -> Via:
    """Return a name that is kept by a unique registry, for `name=` of `spawn` and of a `ChildSpec`, and for `whereis`.

    Args:
        registry: its ref, or its own name, if it is started later.
        key: if another actor holds it, the start fails with `NameTakenError`, which has the holder.
        value: of the entry.

    Raises:
        ConfigurationError: `registry` is neither a unique registry nor a name, or the key is not hashable.
    """
    if isinstance(registry, ActorRef):
        _check_unique(registry)
    elif not isinstance(cast("object", registry), str) or not registry:
        raise ConfigurationError(f"via needs the ref or the name of a Registry, got {describe(registry)}")
    check_key(key)
    return Via(registry, key, value)


def holder(registry: ActorRef, key: Hashable) -> ActorRef | None:
    """Return the actor with a key of a unique registry, or None. Raises `ConfigurationError` or `ActorDeadError`."""
    found = _check_unique(registry).lookup(key)
    return found[0][0] if found else None


def check_key(key: object) -> None:
    """Raise `ConfigurationError` unless `key` is hashable."""
    try:
        hash(key)
    except TypeError as error:
        raise ConfigurationError(f"a key of a registry must be hashable, got {describe(key)}") from error


def _check_unique(registry: ActorRef) -> RegistryRef:
    if not isinstance(registry, RegistryRef):
        raise ConfigurationError(f"via needs the ref or the name of a Registry, but {registry} is not one")
    table = registry.cell.actor
    if isinstance(table, Registry) and not table.is_unique:
        raise ConfigurationError(f"via needs a registry with unique keys, but the keys of {registry} may repeat")
    return registry


def _cell_of(ref: ActorRef | None) -> Cell:
    """Return the cell of `ref`, by default of the calling actor."""
    if ref is not None:
        check_ref(ref)
        return cast("Cell", ref.cell)
    cell = current_cell.get()
    if cell is None:
        raise ActorError("no actor's handler is running here; pass the actor as ref=")
    return cast("Cell", cell)
