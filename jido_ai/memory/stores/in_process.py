"""InProcessStore: a memory store in dictionaries of the process."""

from __future__ import annotations

import asyncio
from array import array
from bisect import bisect_right
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice, takewhile
from typing import Any, Final

from jido_ai.errors import NotFoundError, RunClaimedError
from jido_ai.memory.lessons import found_by, is_kept, lesson_key, matches, merge_lessons
from jido_ai.memory.stores.rows import FEW_CHARS, from_microseconds, microseconds, prepared_records
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope
from jido_ai.values.base import own_copy
from jido_ai.values.record import Changes, Claim, Cursor, LogName, LogSummary, Record, StoredEntry

_REMEMBERED_REMOVALS: Final = 10_000
_SLICE: Final = 500


class InProcessStore:
    """Keeps entries in dictionaries. It outlives its actor, but not the process.

    Entries that contain mutable values are returned as copies.
    """

    def __init__(self) -> None:
        self._entries: dict[int, MemoryEntry] = {}
        self._shelves: dict[Scope, _Shelf] = {}
        self._last_row = 0
        self._logs: defaultdict[LogName, _Log] = defaultdict(_Log)
        self._last_record = 0
        self._claims: dict[_In, Claim] = {}
        self._last_claim = 0

    async def open(self) -> None:
        """Do nothing: the store is always ready."""

    async def close(self) -> None:
        """Do nothing: the entries stay until the process ends."""

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
            oldest = next((row for row in kind if not is_kept(self._entries[row])), None)
            if oldest is None:
                break
            self._forget(oldest)
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
        gone, rows = 0, iter(self._rows(scope))
        while chunk := list(islice(rows, _SLICE)):
            for row in chunk:
                if row in self._entries:
                    self._forget(row)
                    gone += 1
            await asyncio.sleep(0)
        return gone

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
        newest_first = iter(self._rows(scope)[::-1])
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

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        # validate all before storing the first
        prepared = await prepared_records(records)
        return [self._put(record, json) for record, json in prepared]

    def _put(self, record: Record, json: bytes) -> Record:
        """Keep a record, its data as JSON, and return it as it is read back."""
        self._last_record += 1
        kept = _Line(self._last_record, record.kind, record.scope, record.key, microseconds(record.timestamp), json)
        self._logs[record.log].put(kept)
        return record.stored(self._last_record, json)

    async def records(
        self,
        log: LogName,
        *,
        scope: Scope | None = None,
        key: str | None = None,
        kind: str | None = None,
        after: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Record]:
        earliest, latest = (time and microseconds(time) for time in (since, until))
        found: list[_Line] = []
        pages = self._pages(log, scope, key, kind, after=after, newest_first=newest_first, most=limit or _SLICE)
        for number, page in enumerate(pages):
            if number:
                await asyncio.sleep(0)  # other tasks can run in between
            found += [
                line
                for line in page
                if (earliest is None or line.time_us >= earliest) and (latest is None or line.time_us <= latest)
            ]
            if limit is not None and len(found) >= limit:
                break
        found = found[:limit]
        size = sum([len(line.json) for line in found])
        records = [_record(log, line) for line in found]
        if size > FEW_CHARS:
            await asyncio.to_thread(lambda: [record.data for record in records])  # otherwise read when looked at
        return records

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        kept = self._logs[log]
        within = None if scope is None else (scope.tenant, scope.project)
        found = [rows for (*of, _), rows in kept.keys.items() if within in (None, tuple(of))]
        found.sort(key=lambda rows: -next(reversed(rows)))
        stop = None if limit is None else offset + limit
        return [kept.summary(log, rows) for rows in found[offset:stop]]

    async def drop_records(
        self,
        log: LogName,
        *,
        scope: Scope | None = None,
        key: str | None = None,
        kind: str | None = None,
        before: datetime | None = None,
        beyond: int = 0,
    ) -> int:
        latest = None if before is None else microseconds(before)
        kept = self._logs.get(log)
        if kept is None or len(kept.lines) <= beyond:
            return 0
        if scope is not None and kind is not None and key is None and latest is None:
            rows = kept.rows(scope, None, kind)
            found = list(islice(rows, max(0, len(rows) - beyond)))
        else:
            found = list[int]()
            for page in self._pages(log, scope, key, kind):
                found += [line.row for line in page if latest is None or line.time_us < latest]
                await asyncio.sleep(0)
            found = found[: max(0, len(found) - beyond)]
        return sum(kept.drop(row) for row in found)

    def _pages(
        self,
        log: LogName,
        scope: Scope | None,
        key: str | None,
        kind: str | None,
        *,
        after: int = 0,
        newest_first: bool = False,
        most: int = _SLICE,
    ) -> Iterator[list[_Line]]:
        """Yield the lines of a log, scope, key and kind by row, `_SLICE` rows at a time, at first at most `most`."""
        shelf = self._logs.get(log)
        if shelf is None:
            return
        kept = shelf.lines
        found = shelf.rows(scope, key, kind)
        if newest_first:
            rows = [row for row in reversed(found) if row < after] if after else [*reversed(found)]
        else:
            rows = [*takewhile(after.__lt__, reversed(found))][::-1] if after else list(found)
        start, size = 0, min(most, _SLICE)
        while start < len(rows):
            yield [
                line
                for row in rows[start : start + size]
                if (line := kept.get(row)) is not None  # otherwise it was dropped meanwhile
                and (key is None or line.key == key)
                and (kind is None or line.kind == kind)
                and (scope is None or line.scope is scope or line.scope == scope)
            ]
            start, size = start + size, _SLICE

    # -- claims ------------------------------------------------------------------------------------

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        place = _place(claim)
        holder = self._claims.get(place)
        if holder is None or holder.token != claim.token:
            if holder is not None and not is_void(holder):
                return holder
            self._last_claim += 1
            number = self._last_claim
        else:
            number = holder.number
        kept = self._claims[place] = replace(claim, number=number)
        return kept

    async def append_claimed(self, records: Sequence[Record], claim: Claim, *, release: bool = False) -> list[Record]:
        place = _place(claim)
        holder = self._claims.get(place)
        if holder is None or holder.token != claim.token:
            owner, expires_at = ("", claim.expires_at) if holder is None else (holder.owner, holder.expires_at)
            raise RunClaimedError(claim.run_id, owner, expires_at)
        if release:
            del self._claims[place]
        return await self.append(records)

    def keeper(self) -> None:
        """Return None: no other process can see the claims."""

    async def release(self, claim: Claim) -> None:
        place = _place(claim)
        holder = self._claims.get(place)
        if holder is not None and holder.token == claim.token:
            del self._claims[place]

    # -- internals ---------------------------------------------------------------------------------

    def _rows(self, scope: Scope | None) -> array[int]:
        """Return the rows of a scope (None: of all), ascending. Some of them may have been removed.

        It is a copy, because other tasks may add and remove entries meanwhile.
        """
        if scope is None:
            return array("Q", self._entries)
        shelf = self._shelves.get(scope)
        return array("Q") if shelf is None else shelf.rows()

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


@dataclass(frozen=True, slots=True)
class _Line:
    """A record as it is kept: its data as JSON, which nobody can change."""

    row: int
    kind: str
    scope: Scope
    key: str
    time_us: int
    json: bytes


def _place(claim: Claim) -> _In:
    return claim.scope.tenant, claim.scope.project, claim.run_id


def _record(log: LogName, line: _Line) -> Record:
    return Record.written(
        line.json,
        log=log,
        key=line.key,
        kind=line.kind,
        scope=line.scope,
        timestamp=from_microseconds(line.time_us),
        row=line.row,
    )


_In = tuple[str, str, str]
"""Tenant, project, and a key or kind."""


class _Log:
    """The lines of one log by row, and the rows of every scope and key, and of every scope and kind, ascending."""

    def __init__(self) -> None:
        self.lines: dict[int, _Line] = {}
        self.keys: dict[_In, dict[int, None]] = {}
        self.kinds: dict[_In, dict[int, None]] = {}

    def put(self, line: _Line) -> None:
        self.lines[line.row] = line
        tenant, project = line.scope.tenant, line.scope.project
        for index, name in ((self.keys, line.key), (self.kinds, line.kind)):
            rows = index.get((tenant, project, name))
            if rows is None:
                rows = index[tenant, project, name] = {}
            rows[line.row] = None

    def rows(self, scope: Scope | None, key: str | None, kind: str | None) -> dict[int, Any]:
        """Return the rows among which those of a scope, key and kind are, as the keys of a dict."""
        if scope is None or key is kind is None:
            return self.lines
        index, name = (self.kinds, kind or "") if key is None else (self.keys, key)
        return index.get((scope.tenant, scope.project, name), {})

    def drop(self, row: int) -> bool:
        line = self.lines.pop(row, None)
        if line is None:
            return False
        for index, name in ((self.keys, line.key), (self.kinds, line.kind)):
            place = line.scope.tenant, line.scope.project, name
            rows = index[place]
            del rows[row]
            if not rows:
                del index[place]
        return True

    def summary(self, log: LogName, rows: dict[int, None]) -> LogSummary:
        first, last = (_record(log, self.lines[row]) for row in (next(iter(rows)), next(reversed(rows))))
        return LogSummary(scope=first.scope, key=first.key, records=len(rows), first=first, last=last)


class _Shelf:
    """The rows of one scope, by id, by lesson and by kind, and the recent removals."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.lessons: dict[tuple[MemoryKind, str], int] = {}
        self.kinds: dict[MemoryKind, OrderedDict[int, None]] = {}
        self._order = array("Q")  # all rows, ascending, including some removed ones
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

    def rows(self) -> array[int]:
        return self._order[:]

    def changes(self, since: Cursor, limit: int, entries: dict[int, MemoryEntry]) -> Changes:
        unread = self._removals - since.removal
        start_over = unread > len(self._went)
        first = 0 if start_over else bisect_right(self._order, since.row)
        rows = self._order[first : first + limit]
        return Changes(
            Cursor(rows[-1] if rows else since.row, self._removals),
            came=[(row, entries[row].prompt) for row in rows if row in entries],
            texts={
                row: texts
                for row in rows
                if row in entries
                and (entry := entries[row]).kind is not MemoryKind.EPISODIC
                and (texts := found_by(entry.kind, entry.prompt, entry.__dict__))
            },
            examples=[row for row in rows if row in entries and entries[row].answer],
            went=() if start_over else list(islice(self._went, len(self._went) - unread, None)),
            start_over=start_over,
            is_complete=first + limit >= len(self._order),
        )


def _own(entry: MemoryEntry) -> MemoryEntry:
    """Return the entry, copied if it contains mutable values."""
    return entry.model_copy(update={"metadata": own_copy(entry.metadata)}) if entry.metadata else entry
