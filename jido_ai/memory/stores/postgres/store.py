"""PostgresStore: a memory store in PostgreSQL, durable, shared by processes and machines, and reconnecting.

Writes wait in a queue; one task commits all waiting writes as one transaction. The writers of all processes take turns
(`writes.py`), so that readers that follow the changes by row miss none.

When a connection is lost, the store reconnects and repeats pending work for up to `patience_s`. Each transaction stores
its batch number in the row of its writer, so after a lost commit the server can tell whether it succeeded. Acknowledged
writes are therefore stored exactly once, others at most once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeVar, cast
from uuid import uuid4

import asyncpg  # pyright: ignore[reportMissingTypeStubs] - it has none

from jido_ai.errors import ConfigurationError, StoreError, StoreUnavailableError
from jido_ai.memory.lessons import matches
from jido_ai.memory.stores.postgres.claims import (
    PostgresClaimKeeper,
    append_claimed,
    keep_claim,
    remove_claim,
    take_claim,
)
from jido_ai.memory.stores.postgres.connection import (
    Address,
    Database,
    LostError,
    Readers,
    connect,
    prepare,
    translated,
)
from jido_ai.memory.stores.postgres.sql import Where, of_log, scope_key, untext
from jido_ai.memory.stores.postgres.writes import (
    COLUMNS,
    Addition,
    Work,
    Write,
    append_records,
    delete,
    remove,
    stored,
    transact,
    update,
)
from jido_ai.memory.stores.rows import (
    BODY_OF_LESSONS,
    RECORD_COLUMNS,
    decode_record,
    decode_summary,
    prepared_records,
    record_columns,
    told_by,
)
from jido_ai.values import MemoryEntry, MemoryQuery, Scope
from jido_ai.values.record import Changes, Claim, Cursor, LogName, LogSummary, Record, StoredEntry

T = TypeVar("T")

_LARGEST_BATCH: Final = 500
_LARGEST_BATCH_BYTES: Final = 8 << 20
_ROWS_PER_PAGE: Final = 500
_ROWS_ON_THE_LOOP: Final = 50
_CHARS_ON_THE_LOOP: Final = 100_000
_READERS: Final = 4
_FIRST_PAUSE_S: Final = 0.02
_LONGEST_PAUSE_S: Final = 0.5
_CLOSING_S: Final = 5.0


class PostgresStore:
    """Stores entries in a schema of a PostgreSQL database. A missing schema is created; a missing database is not.

    Args:
        address: "postgresql://user:password@host:port/database"; missing parts come from the environment, as in all
            PostgreSQL clients. "?schema=NAME" at the end selects the schema.
        schema: the schema to use if the address names none.
        patience_s: seconds to retry while the server is unavailable or another program blocks writes, before
            `StoreUnavailableError`; more than 0.
    """

    def __init__(self, address: str, *, schema: str = "jido_ai", patience_s: float = 5.0) -> None:
        if not patience_s > 0:
            raise ConfigurationError(f"patience_s must be more than 0, got {patience_s}")
        self._address = Address.parse(address, schema)
        self._patience_s = patience_s
        self._id = uuid4()
        self._batch = 0
        self._db: Database | None = None
        self._readers: Readers | None = None
        self._waiting: asyncio.Queue[Write | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self._adding: set[asyncio.Task[Any]] = set()  # tasks continue if their caller is cancelled

    def __repr__(self) -> str:
        return f"PostgresStore({self._address.name!r})"

    async def open(self) -> None:
        if self._writer is not None:
            return
        self._db = await self._patiently(self._connected, only_while_starting=True)
        try:
            self._readers = Readers(self._address, self._patience_s, like=self._db, limit=_READERS)
            await self._readers.open()
        except BaseException:
            self._db.terminate()
            raise
        self._writer = asyncio.create_task(self._write_all(), name=f"writer of {self._address.name}")

    async def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is None:
            return
        self._waiting.put_nowait(None)
        try:
            await asyncio.shield(writer)
            if self._adding:  # their callers have the outcome, or get it now
                await asyncio.wait(self._adding)
        finally:
            db, readers, self._db, self._readers = self._db, self._readers, None, None
            with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
                async with asyncio.timeout(_CLOSING_S):
                    if db is not None and not db.is_closed():
                        await db.execute("DELETE FROM writer WHERE id = $1", self._id)
                        await db.close(timeout=_CLOSING_S)
                    if readers is not None:
                        await readers.close()
            if db is not None and not db.is_closed():
                db.terminate()
            if readers is not None:
                readers.terminate()

    # -- writing -----------------------------------------------------------------------------------

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        addition = await _aside(entry, Addition.of, entry, max_entries)
        return await self._write(addition, rows=1, size=addition.size)

    def add_all(
        self, entries: Sequence[MemoryEntry], *, max_entries: int
    ) -> asyncio.Future[Sequence[MemoryEntry | ConfigurationError | StoreError]]:
        """See `BatchStore.add_all`."""
        self._check_open()
        adding = asyncio.get_running_loop().create_task(self._add_all(entries, max_entries), context=Context())
        self._adding.add(adding)
        adding.add_done_callback(self._adding.discard)
        return adding

    async def _add_all(
        self, entries: Sequence[MemoryEntry], max_entries: int
    ) -> Sequence[MemoryEntry | ConfigurationError | StoreError]:
        outcomes = await asyncio.gather(
            *(self.add(entry, max_entries=max_entries) for entry in entries), return_exceptions=True
        )
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, ConfigurationError | StoreError):
                raise outcome
        return cast("Sequence[MemoryEntry | ConfigurationError | StoreError]", outcomes)

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        return await self._write(update(id, change, scope))

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        return await self._write(remove(ids, scope))

    async def clear(self, scope: Scope | None = None) -> int:
        return await self._write(lambda db, _: delete(db, Where(scope)))

    async def append(self, records: Sequence[Record]) -> list[Record]:
        if not records:
            return []
        prepared = await prepared_records(records)
        size = sum(len(data) for _, data in prepared)
        return await self._write(append_records(prepared), rows=len(records), size=size)

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
        where = of_log(log, scope=scope, key=key, kind=kind, before=before)
        if beyond:
            newest_first = f"SELECT row FROM record{where} ORDER BY row DESC LIMIT 1"
            where.add(f"row <= ({newest_first} OFFSET {{}})", beyond)
        return await self._write(lambda db, _: delete(db, where, "record"))

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        kept = await self._write(take_claim(claim), is_one_statement=True)
        return await self._write(keep_claim(claim, is_void)) if kept is None else kept

    async def append_claimed(self, records: Sequence[Record], claim: Claim, *, release: bool = False) -> list[Record]:
        prepared = await prepared_records(records)
        size = sum(len(data) for _, data in prepared)
        return await self._write(append_claimed(prepared, claim, release=release), rows=len(records), size=size)

    def keeper(self) -> PostgresClaimKeeper:
        return PostgresClaimKeeper(self._address, self._patience_s)

    async def release(self, claim: Claim) -> None:
        await self._write(remove_claim(claim))

    async def _write(
        self, work: Addition | Work, *, rows: int = 0, size: int = 0, is_one_statement: bool = False
    ) -> Any:
        """Run `work` in the next transaction and return its result once that is durable."""
        self._check_open()
        write = Write(work, rows, size, is_one_statement)
        self._waiting.put_nowait(write)
        return await write.done

    async def _write_all(self) -> None:
        """Commit all waiting writes together, again and again until `close`."""
        while True:
            batch: list[Write] = []
            size = 0
            write = await self._waiting.get()
            while write is not None:
                batch.append(write)
                size += write.size
                if self._waiting.empty() or len(batch) == _LARGEST_BATCH or size > _LARGEST_BATCH_BYTES:
                    break
                write = self._waiting.get_nowait()
            if batch:
                await self._commit(batch)
            if write is None:
                return

    async def _commit(self, batch: Sequence[Write]) -> None:
        wanted = [write for write in batch if not write.done.done()]  # a caller may have been cancelled meanwhile
        if not wanted:
            return
        outcomes: Sequence[Any]
        tries = _Batch(wanted)
        try:
            outcomes = await self._patiently(partial(self._commit_once, tries))
        except LostError as error:
            unknown = StoreUnavailableError(f"{error}; it is unknown whether the data was stored")
            outcomes = [unknown if tries.may_be_in else error for _ in wanted]
        except Exception as error:  # noqa: BLE001 - passed to the caller that wrote
            if len(wanted) > 1:  # rolled back: commit one by one, so that only the faulty one fails
                for write in wanted:
                    await self._commit([write])
                return
            outcomes = [error]
        for write, outcome in zip(wanted, outcomes, strict=True):
            if write.done.done():
                continue
            if isinstance(outcome, Exception):
                write.done.set_exception(outcome)
            else:
                write.done.set_result(outcome)

    async def _commit_once(self, batch: _Batch) -> Sequence[Any]:
        """Commit a batch unless an earlier attempt succeeded. Raises `LostError`."""
        db = self._db
        try:
            if db is None or db.is_closed():
                db = self._db = await self._connected()
            if len(batch.writes) == 1 and batch.writes[0].is_one_statement:
                return await self._one_statement(db, batch.writes[0])
            if batch.may_be_in and await self._is_in(db, batch.number):
                return batch.outcomes
            self._batch += 1
            batch.number = self._batch
            batch.outcomes.clear()
            with translated(self._address.name):
                await transact(db, batch.writes, batch.outcomes, writer=self._id, number=batch.number)
        except LostError:
            if db is not None:
                db.terminate()
            raise
        return batch.outcomes

    async def _one_statement(self, db: Database, write: Write) -> Sequence[Any]:
        """Run a write that needs no transaction of ours and may be repeated; one round trip."""
        assert not isinstance(write.work, Addition)
        with translated(self._address.name):
            return [await write.work(db, iter(()))]

    async def _is_in(self, db: Database, number: int) -> bool:
        """True if a transaction of this store was committed. Waits for one that is still in progress."""
        try:
            with translated(self._address.name):
                newest = await db.fetchval("SELECT batch FROM writer WHERE id = $1 FOR UPDATE", self._id)
        except StoreError as error:
            raise LostError(f"cannot ask {self._address.name} for the outcome of a transaction: {error}") from error
        return newest is not None and newest >= number

    # -- reading -----------------------------------------------------------------------------------

    async def count(self, scope: Scope | None = None) -> int:
        where = Where(scope)
        ((entries,),) = await self._read(f"SELECT coalesce(sum(entries), 0)::bigint FROM shelf{where}", where)
        return entries

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        where = Where(scope).id(id)
        found = await self._read(f"SELECT {COLUMNS} FROM entry{where} ORDER BY row DESC LIMIT 1", where)
        return stored(found[0]).entry if found else None

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        entries: dict[int, MemoryEntry] = {}
        for start in range(0, len(rows), _ROWS_PER_PAGE):
            where = Where().add("row = ANY({}::bigint[])", list(rows[start : start + _ROWS_PER_PAGE]))
            for each in await _decoded(stored, await self._read(f"SELECT {COLUMNS} FROM entry{where}", where)):
                entries[each.row] = each.entry
        return entries

    async def select(
        self,
        scope: Scope | None = None,
        *,
        where: MemoryQuery | None = None,
        before: int | None = None,
        offset: int = 0,
        limit: int | None = None,
    ) -> list[StoredEntry]:
        found: list[StoredEntry] = []
        while limit is None or len(found) < limit:
            missing = _ROWS_PER_PAGE if limit is None else limit - len(found)
            rows = min(_ROWS_PER_PAGE, missing) if where is None else _ROWS_PER_PAGE
            conditions = _passing(scope, where, before)
            statement = f"SELECT {COLUMNS} FROM entry{conditions} ORDER BY row DESC LIMIT {conditions.place(rows)}"
            if where is None and offset > 0:  # all filters are in SQL, so the server can skip rows
                statement += f" OFFSET {conditions.place(offset)}"
                offset = 0
            page = await self._read(statement, conditions)
            for each in await _decoded(stored, page):
                before = each.row
                if where is not None and not matches(each.entry, where):
                    continue
                if offset > 0:
                    offset -= 1
                elif limit is None or len(found) < limit:
                    found.append(each)
            if len(page) < rows:
                break
        return found

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        values = Where()
        values.values = [scope_key(scope), since.row, since.removal, limit]
        found = await self._read(_CHANGES, values)  # one statement sees a consistent state
        ((_, oldest, newest, _, _),) = (each for each in found if each[0] == _ENDS)
        came = sorted((row, untext(prompt)) for what, row, _, prompt, _ in found if what == _CAME)
        lessons = [
            (row, untext(prompt), body) for what, row, _, prompt, body in found if what == _CAME and body is not None
        ]
        return Changes(
            Cursor(came[-1][0] if came else since.row, newest or since.removal),
            came=came,
            went=[row for what, row, *_ in found if what == _WENT],
            start_over=oldest is not None and oldest > since.removal + 1,
            is_complete=len(came) < limit,
            **told_by(lessons),
        )

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
        found: list[Record] = []
        while limit is None or len(found) < limit:
            rows = _ROWS_PER_PAGE if limit is None else min(_ROWS_PER_PAGE, limit - len(found))
            where = of_log(log, scope=scope, key=key, kind=kind, since=since, until=until)
            if after or not newest_first:
                where.add("row < {}" if newest_first else "row > {}", after)
            order = "DESC" if newest_first else "ASC"
            page = await self._read(
                f"SELECT {RECORD_COLUMNS} FROM record{where} ORDER BY row {order} LIMIT {where.place(rows)}", where
            )
            found.extend(await _decoded(_record, page))
            if len(page) < rows:
                break
            after = found[-1].row
        return found

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        where = of_log(log, scope=scope)
        found = await self._read(
            f"SELECT records, {record_columns('first')}, {record_columns('last')} FROM ("
            f"SELECT count(*) AS records, min(row) AS oldest, max(row) AS newest FROM record{where} "
            f"GROUP BY scope, key_hash ORDER BY newest DESC LIMIT {where.place(limit)} "
            f"OFFSET {where.place(offset)}"
            ") AS found JOIN record AS first ON first.row = oldest JOIN record AS last ON last.row = newest "
            "ORDER BY newest DESC",
            where,
        )
        return await _decoded(_summary, found)

    # -- internals ---------------------------------------------------------------------------------

    async def _read(self, sql: str, where: Where) -> Sequence[Sequence[Any]]:
        self._check_open()
        return await self._patiently(partial(self._read_once, sql, where.values))

    async def _read_once(self, sql: str, values: Sequence[Any]) -> Sequence[Sequence[Any]]:
        with translated(self._address.name):
            assert self._readers is not None
            return await self._readers.fetch(sql, *values)

    async def _patiently(self, attempt: Callable[[], Awaitable[T]], *, only_while_starting: bool = False) -> T:
        """Retry while the server is unavailable (or only while it is starting), for up to `patience_s`."""
        loop = asyncio.get_running_loop()
        end, pause_s = loop.time() + self._patience_s, _FIRST_PAUSE_S
        while True:
            try:
                return await attempt()
            except LostError as error:
                if loop.time() + pause_s > end or (only_while_starting and not error.is_starting):
                    raise
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    async def _connected(self) -> Database:
        """Return a connection with the schema prepared and this store registered as a writer."""
        db = await connect(self._address, self._patience_s)
        try:
            with translated(self._address.name):
                await prepare(db, self._address)
                await db.execute("DELETE FROM writer WHERE seen < now() - interval '30 days'")
                await db.execute("INSERT INTO writer (id, batch) VALUES ($1, 0) ON CONFLICT (id) DO NOTHING", self._id)
        except BaseException:
            db.terminate()
            raise
        return db

    def _check_open(self) -> None:
        if self._writer is None:
            raise StoreUnavailableError(f"{self._address.name} is not open")


@dataclass(slots=True)
class _Batch:
    """Writes to commit, over as many connections as needed.

    Attributes:
        number: the number of the newest transaction attempted.
        outcomes: one per write, complete once that transaction is about to commit.
    """

    writes: Sequence[Write]
    number: int = 0
    outcomes: list[Any] = field(default_factory=list[Any])

    @property
    def may_be_in(self) -> bool:
        return len(self.outcomes) == len(self.writes)


# -- reading ---------------------------------------------------------------------------------------

_ENDS, _CAME, _WENT = range(3)
_CHANGES: Final = f"""
    WITH ends AS (SELECT min(number) AS oldest, max(number) AS newest FROM removal),
        start AS (SELECT coalesce(oldest > $3 + 1, false) AS over FROM ends)
    SELECT {_ENDS}, oldest, newest, NULL::text, NULL::bytea FROM ends
    UNION ALL (
        SELECT {_CAME}, row, NULL, prompt, {BODY_OF_LESSONS} FROM entry
        WHERE scope = $1 AND row > (SELECT CASE WHEN over THEN 0 ELSE $2::bigint END FROM start) ORDER BY row LIMIT $4
    )
    UNION ALL SELECT {_WENT}, row, NULL, NULL, NULL FROM removal, start WHERE NOT over AND scope = $1 AND number > $3
"""


def _passing(scope: Scope | None, query: MemoryQuery | None, before: int | None) -> Where:
    """Return the filters of a query that SQL can express, as a condition."""
    where = Where(scope)
    if before is not None:
        where.add("row < {}", before)
    if query is not None:
        for column, value in (
            *(("domain", query.domain), ("task_type", query.task_type)),
            *(("agent_id", query.agent_id), ("session_id", query.session_id)),
        ):
            if value is not None:
                where.named(column, value)
        if query.kinds:
            where.add("kind = ANY({}::text[])", [kind.value for kind in query.kinds])
    return where


def _record(columns: Sequence[Any]) -> Record:
    return decode_record(columns, untext)


def _summary(columns: Sequence[Any]) -> LogSummary:
    return decode_summary(columns, untext)


async def _aside(entry: MemoryEntry, work: Callable[..., T], *args: object) -> T:
    """Run `work` here, or in a thread if the entry is long."""
    chars = len(entry.prompt) + len(entry.mistake) + len(entry.correction)
    return work(*args) if chars <= _CHARS_ON_THE_LOOP else await asyncio.to_thread(work, *args)


async def _decoded(decode: Callable[[Sequence[Any]], T], found: Sequence[Sequence[Any]]) -> list[T]:
    """Decode rows here if they are few, else in a thread: an entry takes about 10 us."""
    if len(found) <= _ROWS_ON_THE_LOOP:
        return [decode(columns) for columns in found]
    return await asyncio.to_thread(lambda: [decode(columns) for columns in found])
