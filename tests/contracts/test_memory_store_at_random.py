"""Every memory store against the simplest store there could be: a list. Same operations, same answers.

JIDO_OPERATIONS says how many operations a store is put through, JIDO_SEED which.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from test_memory_store import STORES

from jido_ai.errors import NotFoundError
from jido_ai.memory.lessons import lesson_key, matches, merge_lessons
from jido_ai.memory.store import MemoryStore
from jido_ai.testing.contracts.helpers import follow
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope
from jido_ai.values.record import Cursor, LogSummary, Record

OPERATIONS = int(os.environ.get("JIDO_OPERATIONS", "150"))
SEED = int(os.environ.get("JIDO_SEED", "6"))
SCOPES = [Scope("a", "x"), Scope("a", "y"), Scope("b\0\ud800", "x")]
IDS = [f"id {n}" for n in range(40)]
TEXTS = ["use UTC", "Use  utc", "check bounds", "\u202eclose files", "a\ud800b", "nul \0 inside"]
TAGS = ["one", "two", "three"]
NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


@dataclass
class Model:
    """Entries, oldest first, and records."""

    entries: list[MemoryEntry] = field(default_factory=list[MemoryEntry])
    records: list[Record] = field(default_factory=list[Record])

    def of(self, scope: Scope | None) -> list[MemoryEntry]:
        return [entry for entry in self.entries if scope in (None, entry.scope)]

    def add(self, entry: MemoryEntry, max_entries: int) -> MemoryEntry:
        key = lesson_key(entry)
        twins = [
            old for old in self.of(entry.scope) if key is not None and old.kind == entry.kind and lesson_key(old) == key
        ]
        self.drop([old for old in self.of(entry.scope) if old.id == entry.id])
        for twin in twins:
            self.drop([twin])
            entry = merge_lessons(twin, entry)
        shelf = [old for old in self.of(entry.scope) if old.kind == entry.kind]
        self.drop(shelf[: max(0, len(shelf) - max_entries + 1)])
        self.entries.append(entry)
        return entry

    def drop(self, gone: list[MemoryEntry]) -> int:
        before = len(self.entries)
        self.entries = [entry for entry in self.entries if not any(entry is one for one in gone)]
        return before - len(self.entries)

    def get(self, id: str, scope: Scope | None) -> MemoryEntry | None:
        return next((entry for entry in reversed(self.of(scope)) if entry.id == id), None)

    def update(self, id: str, change: Callable[[MemoryEntry], MemoryEntry], scope: Scope | None) -> MemoryEntry:
        old = self.get(id, scope)
        if old is None:
            raise NotFoundError(id)
        self.entries = [change(entry) if entry is old else entry for entry in self.entries]
        return change(old)

    def remove(self, ids: list[str], scope: Scope | None) -> int:
        if any(self.get(id, scope) is None for id in ids):
            raise NotFoundError(", ".join(ids))
        return self.drop([entry for entry in self.of(scope) if entry.id in ids])


@pytest.fixture(params=list(STORES))
async def store(request: pytest.FixtureRequest) -> AsyncIterator[MemoryStore]:
    store = STORES[request.param](request)
    await store.open()
    yield store
    await store.close()


class Pair:
    """A store and its model, put through the same."""

    def __init__(self, store: MemoryStore, seed: int) -> None:
        self.store = store
        self.model = Model()
        self.pick = random.Random(seed)
        self.cursors = dict.fromkeys(SCOPES, Cursor())
        self.rows: dict[Scope, dict[int, str]] = {scope: {} for scope in SCOPES}

    def an_entry(self) -> MemoryEntry:
        pick = self.pick
        return MemoryEntry(
            f"prompt {pick.randrange(10**6)}",
            correction=pick.choice(TEXTS),
            scope=pick.choice(SCOPES),
            kind=pick.choice(list(MemoryKind)),
            tags=tuple(pick.sample(TAGS, pick.randrange(3))),
            domain=pick.choice([None, "code", "a\0b"]),
            agent_id=pick.choice([None, "me"]),
            importance=pick.random(),
            timestamp=NOON + timedelta(days=pick.randrange(100)),
            metadata=pick.choice([{}, {"n": [1, 10**30, None]}]),
            id=pick.choice(IDS),
        )

    def a_scope(self) -> Scope | None:
        return self.pick.choice([None, *SCOPES])

    async def both(self, asked: object, expected: Callable[[], object]) -> None:
        """Compare what was answered, a refusal included."""
        results = list[object]()
        for answer in (lambda: asked, expected):
            try:
                result = answer()
                results.append(await result if asyncio.iscoroutine(result) else result)
            except NotFoundError:
                results.append(NotFoundError)
        assert results[0] == results[1]

    async def add(self) -> None:
        together = [self.an_entry() for _ in range(self.pick.choice([1, 1, 1, 2, 7]))]
        limits = [self.pick.choice([3, 3, 3, 6]) for _ in together]
        asked = asyncio.gather(
            *(self.store.add(entry, max_entries=limit) for entry, limit in zip(together, limits, strict=True))
        )
        expected = [self.model.add(entry, limit) for entry, limit in zip(together, limits, strict=True)]
        assert await asked == expected

    async def update(self) -> None:
        id, scope, worth = self.pick.choice(IDS), self.a_scope(), self.pick.random()
        domain = self.pick.choice([None, "docs"])

        def change(entry: MemoryEntry) -> MemoryEntry:
            return entry.replace(use_count=entry.use_count + 1, impact=worth, domain=domain)

        await self.both(self.store.update(id, change, scope=scope), lambda: self.model.update(id, change, scope))

    async def remove(self) -> None:
        known = [entry.id for entry in self.model.entries] or IDS
        ids, scope = self.pick.sample(known, min(len(known), self.pick.randrange(3))), self.a_scope()
        ids = list(dict.fromkeys(ids))
        await self.both(self.store.remove(ids, scope=scope), lambda: self.model.remove(ids, scope))

    async def clear(self) -> None:
        scope = self.a_scope()
        if scope is not None or self.pick.random() < 0.1:
            await self.both(self.store.clear(scope), lambda: self.model.drop(self.model.of(scope)))

    async def look(self) -> None:
        scope, id = self.a_scope(), self.pick.choice(IDS)
        await self.both(self.store.count(scope), lambda: len(self.model.of(scope)))
        await self.both(self.store.get(id, scope=scope), lambda: self.model.get(id, scope))
        query = self.pick.choice(
            [
                None,
                MemoryQuery(tags=("one", "two")),
                MemoryQuery(kinds=("semantic", "meta")),
                MemoryQuery(domain="a\0b"),
                MemoryQuery(agent_id="me", min_importance=0.5),
                MemoryQuery(since=NOON + timedelta(days=30), until=NOON + timedelta(days=60)),
            ]
        )
        offset, limit = self.pick.randrange(4), self.pick.choice([None, 0, 1, 5])
        found = await self.store.select(scope, where=query, offset=offset, limit=limit)
        passing = [entry for entry in reversed(self.model.of(scope)) if query is None or matches(entry, query)]
        assert [stored.entry for stored in found] == passing[offset:][:limit]
        if found:
            assert await self.store.fetch([stored.row for stored in found]) == {s.row: s.entry for s in found}
            below = await self.store.select(scope, where=query, before=found[-1].row, limit=2)
            assert [s.entry for s in below] == passing[offset + len(found) :][:2]

    async def follow(self) -> None:
        scope = self.pick.choice(SCOPES)
        self.cursors[scope] = await follow(self.store, scope, self.cursors[scope], self.rows[scope], limit=4)
        stored = await self.store.select(scope)
        assert dict(sorted(self.rows[scope].items(), reverse=True)) == {s.row: s.entry.prompt for s in stored}

    # -- logs --------------------------------------------------------------------------------------

    async def append(self) -> None:
        records = [
            Record(
                log=self.pick.choice(["journal", "audit"]),
                key=self.pick.choice(["k1", "k2", "\0\ud800"]),
                kind=self.pick.choice(["", "step"]),
                data={"n": self.pick.randrange(1000), "text": self.pick.choice(TEXTS)},
                scope=self.pick.choice(SCOPES),
                timestamp=NOON + timedelta(minutes=self.pick.randrange(100)),
            )
            for _ in range(self.pick.randrange(4))
        ]
        kept = await self.store.append(records)
        assert [(r.log, r.key, r.kind, r.data, r.scope, r.timestamp) for r in kept] == [
            (r.log, r.key, r.kind, r.data, r.scope, r.timestamp) for r in records
        ]
        self.model.records += kept
        rows = [record.row for record in self.model.records]
        assert rows == sorted(set(rows))

    async def read_log(self) -> None:
        log, scope = self.pick.choice(["journal", "audit"]), self.a_scope()
        key, kind = self.pick.choice([None, "k1", "\0\ud800"]), self.pick.choice([None, "step"])
        since, until = (self.pick.choice([None, NOON + timedelta(minutes=minutes)]) for minutes in (20, 70))
        newest_first, limit = self.pick.random() < 0.5, self.pick.choice([None, 0, 3])
        after = self.pick.choice([0, *(record.row for record in self.model.records[-5:])])
        found = await self.store.records(
            log,
            scope=scope,
            key=key,
            kind=kind,
            after=after,
            since=since,
            until=until,
            newest_first=newest_first,
            limit=limit,
        )
        expected = [
            record
            for record in self.passing(log, scope, key)
            if kind in (None, record.kind)
            and (since is None or record.timestamp >= since)
            and (until is None or record.timestamp <= until)
            and (not after or (record.row < after if newest_first else record.row > after))
        ]
        assert found == (expected[::-1] if newest_first else expected)[:limit]

    async def summarise(self) -> None:
        log, scope, offset, limit = "journal", self.a_scope(), self.pick.randrange(2), self.pick.choice([None, 2])
        groups: dict[tuple[str, str, str], list[Record]] = {}
        for record in self.passing(log, scope, None):
            groups.setdefault((record.scope.tenant, record.scope.project, record.key), []).append(record)
        expected = [
            LogSummary(scope=some[0].scope, key=some[0].key, records=len(some), first=some[0], last=some[-1])
            for some in sorted(groups.values(), key=lambda some: -some[-1].row)
        ]
        found = await self.store.summaries(log, scope=scope, offset=offset, limit=limit)
        assert found == expected[offset:][:limit]

    async def drop_records(self) -> None:
        log, scope, key = self.pick.choice(["journal", "audit"]), self.a_scope(), self.pick.choice([None, "k2"])
        before, beyond = NOON + timedelta(minutes=self.pick.randrange(60)), self.pick.randrange(3)
        gone = [record for record in self.passing(log, scope, key) if record.timestamp < before]
        gone = gone[: max(0, len(gone) - beyond)]
        assert await self.store.drop_records(log, scope=scope, key=key, before=before, beyond=beyond) == len(gone)
        self.model.records = [record for record in self.model.records if record not in gone]

    def passing(self, log: str, scope: Scope | None, key: str | None) -> list[Record]:
        return [
            record
            for record in self.model.records
            if record.log == log and scope in (None, record.scope) and key in (None, record.key)
        ]


WEIGHTS = {
    **{Pair.add: 30, Pair.update: 10, Pair.remove: 6, Pair.clear: 1, Pair.look: 15, Pair.follow: 10},
    **{Pair.append: 10, Pair.read_log: 10, Pair.summarise: 4, Pair.drop_records: 4},
}


@pytest.mark.rows("H6")
@pytest.mark.timeout(600)
async def test_a_store_answers_random_operations_as_a_list_would(store: MemoryStore) -> None:
    pair = Pair(store, SEED)
    for n in range(OPERATIONS):
        (operation,) = pair.pick.choices(list(WEIGHTS), list(WEIGHTS.values()))
        try:
            await operation(pair)
        except BaseException as error:
            error.add_note(f"seed {SEED}, operation {n}: {operation.__name__}")
            raise
    assert [stored.entry for stored in await store.select()] == pair.model.entries[::-1]
