"""A memory store that lives in the process, and ends with it."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from jido_ai.errors import NotFoundError
from jido_ai.logic.lessons import lesson_key, matches, merge_lessons
from jido_ai.protocols import Changes, Cursor, StoredEntry
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope

__all__ = ["InProcessStore"]

_REMEMBERED_REMOVALS: Final = 10_000
_SLICE: Final = 500


class InProcessStore:
    """Keeps entries in dictionaries. It outlives the actor that writes it, not the process.

    Entries are handed out as copies where they hold anything that could be changed.
    """

    def __init__(self) -> None:
        self._entries: dict[int, MemoryEntry] = {}
        self._shelves: dict[Scope, _Shelf] = {}
        self._last_row = 0

    async def open(self) -> None:
        """Do nothing: it is always ready."""

    async def close(self) -> None:
        """Do nothing: the entries stay for whoever opens it again."""

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        shelf = self._shelves.setdefault(entry.scope, _Shelf())
        entry = _own(entry)
        key = lesson_key(entry)
        twin = None if key is None else shelf.lessons.get((entry.kind, key))
        for row in {shelf.ids.get(entry.id), twin}:
            if row is not None:
                old = self._forget(row)
                entry = merge_lessons(old, entry) if row == twin else entry
        kind = shelf.kinds.setdefault(entry.kind, OrderedDict())
        while len(kind) >= max_entries:
            self._forget(next(iter(kind)))
        self._last_row += 1
        self._entries[self._last_row] = entry
        shelf.put(self._last_row, entry, key)
        return _own(entry)

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        row = max(self._rows_of(id, scope), default=None)
        if row is None:
            raise NotFoundError(f"no memory entry {id!r}")
        self._entries[row] = _own(change(_own(self._entries[row])))
        return _own(self._entries[row])

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        found = {id: self._rows_of(id, scope) for id in ids}
        if unknown := [id for id, rows in found.items() if not rows]:
            raise NotFoundError(f"no memory entry {', '.join(map(repr, unknown))}")
        rows = list(chain.from_iterable(found.values()))
        for row in rows:
            self._forget(row)
        return len(rows)

    async def clear(self, scope: Scope | None = None) -> int:
        rows = [row for shelf in self._shelves_of(scope) for row in shelf.rows()]
        for row in rows:
            self._forget(row)
        return len(rows)

    async def count(self, scope: Scope | None = None) -> int:
        return sum(len(shelf.ids) for shelf in self._shelves_of(scope))

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        row = max(self._rows_of(id, scope), default=None)
        return None if row is None else _own(self._entries[row])

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        return {row: _own(self._entries[row]) for row in rows if row in self._entries}

    async def select(
        self,
        scope: Scope | None = None,
        *,
        where: MemoryQuery | None = None,
        before: int | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[StoredEntry]:
        rows = (
            self._entries if scope is None else chain.from_iterable(shelf.rows() for shelf in self._shelves_of(scope))
        )
        newest_first = iter(array("Q", rows)[::-1])  # a copy: entries may come and go while others have their turn
        found: list[StoredEntry] = []
        while chunk := list(islice(newest_first, _SLICE)):
            for row in chunk:
                if limit is not None and len(found) >= limit:
                    return found
                entry = self._entries.get(row)
                if entry is None or (before is not None and row >= before) or (where and not matches(entry, where)):
                    continue
                if offset > 0:
                    offset -= 1
                    continue
                found.append(StoredEntry(row, _own(entry)))
            await asyncio.sleep(0)
        return found

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        shelf = self._shelves.get(scope)
        return Changes(since) if shelf is None else shelf.changes(since, limit, self._entries)

    def _shelves_of(self, scope: Scope | None) -> Iterable[_Shelf]:
        if scope is None:
            return self._shelves.values()
        shelf = self._shelves.get(scope)
        return () if shelf is None else (shelf,)

    def _rows_of(self, id: str, scope: Scope | None) -> list[int]:
        return [shelf.ids[id] for shelf in self._shelves_of(scope) if id in shelf.ids]

    def _forget(self, row: int) -> MemoryEntry:
        entry = self._entries.pop(row)
        self._shelves[entry.scope].drop(row, entry)
        return entry


class _Shelf:
    """The rows of one scope, by id, by lesson and by kind, and what left it lately."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.lessons: dict[tuple[MemoryKind, str], int] = {}
        self.kinds: dict[MemoryKind, OrderedDict[int, None]] = {}
        self._order = array("Q")  # all rows, ascending, and some that went
        self._went: deque[int] = deque(maxlen=_REMEMBERED_REMOVALS)
        self._removals = 0

    def put(self, row: int, entry: MemoryEntry, key: str | None) -> None:
        self.ids[entry.id] = row
        self.kinds[entry.kind][row] = None
        if key is not None:
            self.lessons[entry.kind, key] = row
        self._order.append(row)
        if len(self._order) > 2 * len(self.ids) + 64:
            self._order = array("Q", sorted(self.ids.values()))

    def drop(self, row: int, entry: MemoryEntry) -> None:
        del self.ids[entry.id]
        del self.kinds[entry.kind][row]
        key = lesson_key(entry)
        if key is not None:
            del self.lessons[entry.kind, key]
        self._went.append(row)
        self._removals += 1

    def rows(self) -> Iterator[int]:
        alive = set(self.ids.values())
        return (row for row in self._order if row in alive)

    def changes(self, since: Cursor, limit: int, entries: dict[int, MemoryEntry]) -> Changes:
        unread = self._removals - since.removal
        start_over = unread > len(self._went)
        first = 0 if start_over else bisect_right(self._order, since.row)
        rows = self._order[first : first + limit]
        return Changes(
            Cursor(rows[-1] if rows else since.row, self._removals),
            came=[(row, entries[row].prompt) for row in rows if row in entries],
            went=() if start_over else list(islice(self._went, len(self._went) - unread, None)),
            start_over=start_over,
            is_complete=first + limit >= len(self._order),
        )


def _own(entry: MemoryEntry) -> MemoryEntry:
    """Return an entry that shares nothing which can be changed."""
    return entry.model_copy(deep=True) if entry.metadata else entry
