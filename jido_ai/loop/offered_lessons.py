"""OfferedLessons: the lessons in a run's context, which know whether a component looked at them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex, overload

from jido_ai.values import MemoryEntry


class OfferedLessons(tuple[MemoryEntry, ...]):
    """A tuple of lessons that calls `on_look` when one of them is read; their number may be asked freely.

    Copies and pickles are plain tuples.
    """

    _on_look: Callable[[], None]

    @classmethod
    def of(cls, lessons: Sequence[MemoryEntry], on_look: Callable[[], None]) -> OfferedLessons:
        """Return the lessons, watched."""
        self = cls(lessons)
        self._on_look = on_look
        return self

    def __iter__(self) -> Iterator[MemoryEntry]:
        self._on_look()
        return super().__iter__()

    def __reversed__(self) -> Iterator[MemoryEntry]:
        self._on_look()
        return iter(super().__getitem__(slice(None, None, -1)))

    def __contains__(self, entry: object) -> bool:
        self._on_look()
        return super().__contains__(entry)

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> MemoryEntry: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[MemoryEntry, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> MemoryEntry | tuple[MemoryEntry, ...]:
        self._on_look()
        return super().__getitem__(index)

    def __add__(self, other: Any, /) -> Any:
        self._on_look()
        return super().__add__(other)

    def __copy__(self) -> tuple[MemoryEntry, ...]:
        return super().__getitem__(slice(None))

    def __deepcopy__(self, memo: object) -> tuple[MemoryEntry, ...]:
        return self.__copy__()  # entries are values

    def __reduce__(self) -> tuple[type, tuple[tuple[MemoryEntry, ...]]]:
        return tuple, (self.__copy__(),)
