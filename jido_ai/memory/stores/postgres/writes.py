"""Writing to PostgreSQL: the work inside a transaction.

Rows come from the table `clock`, which each transaction locks first: so writers take turns, each sees the commits of
the others, and rows become visible in ascending order. Each write takes its rows from the block that its transaction
reserved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from jido_ai.errors import ConfigurationError, NotFoundError, RunClaimedError
from jido_ai.memory.lessons import lesson_key, merge_lessons
from jido_ai.memory.stores.postgres.connection import Database, LostError, transaction
from jido_ai.memory.stores.postgres.sql import Where, digest, scope_key, text, untext
from jido_ai.memory.stores.rows import KEPT_MARKS, decode_entry, encode_entry, microseconds
from jido_ai.values import MemoryEntry, Scope
from jido_ai.values.record import Record, StoredEntry

Rows = Iterator[int]
Work = Callable[[Database, Rows], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Addition:
    """An entry to store, and the values of its row, without the row number.

    Attributes:
        columns: the values of `_NAMES`, in that order.
    """

    entry: MemoryEntry
    max_entries: int
    columns: tuple[Any, ...]

    @classmethod
    def of(cls, entry: MemoryEntry, max_entries: int) -> Addition:
        """Raises `ConfigurationError` if the metadata cannot be written as JSON."""
        scope = entry.scope
        columns = (
            *(scope_key(scope), text(scope.tenant), text(scope.project), text(entry.id), digest(entry.id)),
            *(entry.kind.value, lesson_key(entry)),
            *map(text, (entry.domain, entry.task_type, entry.agent_id, entry.session_id, entry.prompt)),
            encode_entry(entry),
        )
        return cls(entry, max_entries, columns)

    @property
    def size(self) -> int:
        return len(self.columns[-1]) + len(self.columns[-2])

    @property
    def scope(self) -> bytes:
        return self.columns[0]

    @property
    def id_key(self) -> bytes:
        return self.columns[4]

    @property
    def kind(self) -> str:
        return self.columns[5]

    @property
    def lesson(self) -> str | None:
        return self.columns[6]


@dataclass(slots=True)
class Write:
    """A write for the next transaction.

    Attributes:
        work: an addition, or any other function that needs a transaction.
        rows: number of new rows needed.
        size: approximate number of bytes sent.
        is_one_statement: by itself it needs no transaction and no row, and it may be repeated.
        done: gets the outcome once it is durable.
    """

    work: Addition | Work
    rows: int
    size: int = 0
    is_one_statement: bool = False
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


async def transact(db: Database, writes: Sequence[Write], outcomes: list[Any], *, writer: UUID, number: int) -> None:
    """Run all writes in one transaction; `outcomes` gets their results or errors.

    If this raises when `outcomes` is complete, the transaction may be committed: then `number` is the writer's newest.
    """
    async with transaction(db):
        new = sum(write.rows for write in writes)
        clock = await db.fetchrow(
            "WITH mine AS (UPDATE writer SET batch = $2, seen = now() WHERE id = $1 RETURNING id) "
            "UPDATE clock SET row = row + $3 RETURNING row, (SELECT count(*) FROM mine)",
            *(writer, number, new),
        )
        if clock is None or clock[1] != 1:
            raise LostError("the server no longer knows this writer")  # the next connection registers it
        rows = iter(range(clock[0] - new + 1, clock[0] + 1))
        while len(outcomes) < len(writes):
            together = _plain_additions(writes, len(outcomes))
            if together and not await _are_known(db, together):
                await _add_all(db, rows, together)
                outcomes.extend(addition.entry for addition in together)
            else:
                outcomes.append(await _attempt(db, rows, writes[len(outcomes)]))


async def _attempt(db: Database, rows: Rows, write: Write) -> Any:
    try:
        return await (_add(db, rows, write.work) if isinstance(write.work, Addition) else write.work(db, rows))
    except (ConfigurationError, NotFoundError, RunClaimedError) as refusal:  # raised before anything is written
        return refusal


# -- adding ----------------------------------------------------------------------------------------

_NAMES: Final = (
    "scope, tenant, project, id, id_key, kind, lesson, domain, task_type, agent_id, session_id, prompt, body"
)
_TYPES: Final = (
    *("bytea", "text", "text", "text", "bytea", "text", "text", "text", "text", "text", "text", "text", "bytea"),
)
_PLACES: Final = ", ".join(f"${n}::{type}[]" for n, type in enumerate(("bigint", *_TYPES), 1))
_INSERT: Final = f"INSERT INTO entry (row, {_NAMES}) SELECT * FROM unnest({_PLACES})"


def _plain_additions(writes: Sequence[Write], start: int) -> list[Addition]:
    """Return the additions from `start` on that are independent: no lessons, no duplicate ids, one limit."""
    found: list[Addition] = []
    ids: set[tuple[bytes, bytes]] = set()
    for write in writes[start:]:
        addition = write.work
        if not isinstance(addition, Addition) or addition.lesson is not None:
            break
        if (addition.id_key, addition.scope) in ids or (found and addition.max_entries != found[0].max_entries):
            break
        ids.add((addition.id_key, addition.scope))
        found.append(addition)
    return found


async def _are_known(db: Database, additions: Sequence[Addition]) -> bool:
    """True if any entry with one of these ids exists."""
    return await db.fetchval(
        "SELECT EXISTS (SELECT FROM entry JOIN unnest($1::bytea[], $2::bytea[]) AS new (id_key, scope) "
        "USING (id_key, scope))",
        [addition.id_key for addition in additions],
        [addition.scope for addition in additions],
    )


async def _add_all(db: Database, rows: Rows, additions: Sequence[Addition]) -> None:
    columns = zip(*(addition.columns for addition in additions), strict=True)
    await db.execute(_INSERT, [next(rows) for _ in additions], *map(list, columns))
    limit = additions[0].max_entries
    shelves = {(addition.scope, addition.kind) for addition in additions}
    full = await db.fetch(
        "SELECT scope, kind, entries FROM shelf "
        "JOIN unnest($1::bytea[], $2::text[]) AS mine (scope, kind) USING (scope, kind) WHERE entries > $3",
        *([scope for scope, _ in shelves], [kind for _, kind in shelves], limit),
    )
    for scope, kind, entries in full:
        await _evict(db, scope, kind, entries - limit)


async def _evict(db: Database, scope: bytes, kind: str, number: int) -> None:
    """Remove the `number` oldest entries of a kind in a scope that may go (`is_kept`); the newest one stays."""
    may_go = "".join(f" AND position(${place} IN body) = 0" for place, _ in enumerate(KEPT_MARKS, 4))
    await db.execute(
        "DELETE FROM entry WHERE row IN (SELECT row FROM entry WHERE scope = $1 AND kind = $2 AND row < "
        f"(SELECT max(row) FROM entry WHERE scope = $1 AND kind = $2){may_go} ORDER BY row LIMIT $3)",
        *(scope, kind, number, *KEPT_MARKS),
    )


async def _add(db: Database, rows: Rows, addition: Addition) -> MemoryEntry:
    """Add one entry as specified by `MemoryStore.add`, step by step."""
    scope, kind = addition.scope, addition.kind
    if addition.lesson is not None:
        same = Where().add("scope = {} AND kind = {} AND lesson = {}", scope, kind, addition.lesson)
        twin = await newest(db, same)
        if twin is not None:
            await delete(db, Where(addition.entry.scope).id(addition.entry.id))
            await delete(db, Where().add("row = {}", twin.row))
            addition = Addition.of(merge_lessons(twin.entry, addition.entry), addition.max_entries)
    await delete(db, Where(addition.entry.scope).id(addition.entry.id))
    await db.execute(_INSERT, [next(rows)], *([value] for value in addition.columns))
    entries = await db.fetchval("SELECT entries FROM shelf WHERE scope = $1 AND kind = $2", scope, kind)
    if entries > addition.max_entries:
        await _evict(db, scope, kind, entries - addition.max_entries)
    return addition.entry


# -- changing and removing -------------------------------------------------------------------------

COLUMNS: Final = "row, tenant, project, prompt, body"


def stored(columns: Sequence[Any]) -> StoredEntry:
    """Return the entry for `COLUMNS`."""
    row, tenant, project, prompt, body = columns
    return decode_entry(row, untext(tenant), untext(project), untext(prompt), body)


async def newest(db: Database, where: Where) -> StoredEntry | None:
    found = await db.fetchrow(f"SELECT {COLUMNS} FROM entry{where} ORDER BY row DESC LIMIT 1", *where.values)
    return None if found is None else stored(found)


async def delete(db: Database, where: Where, table: str = "entry") -> int:
    return int((await db.execute(f"DELETE FROM {table}{where}", *where.values)).split()[-1])


def update(id: str, change: Callable[[MemoryEntry], MemoryEntry], scope: Scope | None) -> Work:
    async def work(db: Database, rows: Rows) -> MemoryEntry:
        found = await newest(db, Where(scope).id(id))
        if found is None:
            raise NotFoundError(f"no memory entry {id!r}")
        entry = change(found.entry)
        await db.execute(
            "UPDATE entry SET domain = $2, task_type = $3, agent_id = $4, session_id = $5, lesson = $6, body = $7 "
            "WHERE row = $1",
            found.row,
            *map(text, (entry.domain, entry.task_type, entry.agent_id, entry.session_id)),
            *(lesson_key(entry), encode_entry(entry)),
        )
        return entry

    return work


def remove(ids: Sequence[str], scope: Scope | None) -> Work:
    keys = {digest(id): id for id in ids}

    async def work(db: Database, rows: Rows) -> int:
        where = Where(scope).add("id_key = ANY({}::bytea[])", list(keys))
        found = {key for (key,) in await db.fetch(f"SELECT id_key FROM entry{where}", *where.values)}
        if unknown := [id for key, id in keys.items() if key not in found]:
            raise NotFoundError(f"no memory entry {', '.join(map(repr, unknown))}")
        return await delete(db, where)

    return work


# -- logs ------------------------------------------------------------------------------------------

_RECORD: Final = (*("bigint", "text", "bytea", "text", "text", "text", "bytea", "text", "bigint", "bytea"),)
RECORD_PLACES: Final = ", ".join(f"${n}::{type}[]" for n, type in enumerate(_RECORD, 1))


def append_records(prepared: Sequence[tuple[Record, bytes]]) -> Work:
    async def work(db: Database, rows: Rows) -> list[Record]:
        kept, columns = columns_of_records(prepared, rows)
        await db.execute(
            "INSERT INTO record (row, log, scope, tenant, project, key, key_hash, kind, time, data) "
            f"SELECT * FROM unnest({RECORD_PLACES})",
            *columns,
        )
        return kept

    return work


def columns_of_records(prepared: Sequence[tuple[Record, bytes]], rows: Rows) -> tuple[list[Record], list[list[Any]]]:
    """Return the records with their rows, and their columns as `RECORD_PLACES` names them."""
    kept = [record.stored(next(rows), data) for record, data in prepared]
    values = [
        (
            *(record.row, record.log, scope_key(record.scope)),
            *map(text, (record.scope.tenant, record.scope.project, record.key)),
            *(digest(record.key), text(record.kind), microseconds(record.timestamp), data),
        )
        for record, (_, data) in zip(kept, prepared, strict=True)
    ]
    return kept, [list(column) for column in zip(*values, strict=True)]
