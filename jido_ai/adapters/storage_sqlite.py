"""A memory store in one SQLite file: durable, shared by processes, and refused rather than guessed at.

Who writes waits in a queue; all that wait are committed as one transaction, in one hop to the connection's thread
(group commit). WAL and synchronous=FULL: what was acknowledged survives `kill -9` and a power cut. Each
write transaction begins IMMEDIATE, so that two processes wait for each other instead of failing.

The file carries our application id and the number of its schema. `inspect_file` refuses a file of somebody else, a
damaged or a newer one before anything is written. Another table is one more entry of `_MIGRATIONS`.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from itertools import chain, count, groupby, islice, repeat
from operator import itemgetter
from pathlib import Path
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar, cast
from urllib.parse import quote

import aiosqlite

from jido_ai.adapters.storage_rows import decode_entry, encode_entry, prepared_record
from jido_ai.adapters.storage_sqlite_logs import append_records, drop_records, of_log, select_records, summarise
from jido_ai.adapters.storage_sqlite_sql import Where, in_64_bits, one, text, text_or_none, untext
from jido_ai.errors import (
    ConfigurationError,
    NotFoundError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)
from jido_ai.logic.lessons import lesson_key, matches, merge_lessons
from jido_ai.protocols import Changes, Cursor, LogName, LogSummary, Record, StoredEntry
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope

__all__ = ["APPLICATION_ID", "SCHEMA_VERSION", "SQLiteStore", "inspect_file"]

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

APPLICATION_ID: Final = 0x4A69646F  # "Jido"
_MIGRATIONS: Final = (
    """
    CREATE TABLE entry (
        row INTEGER PRIMARY KEY AUTOINCREMENT,  -- newer is larger, and none is given twice
        tenant TEXT NOT NULL, project TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
        lesson TEXT,                            -- what makes a lesson the same; NULL: never merged
        domain TEXT, task_type TEXT, agent_id TEXT, session_id TEXT,
        prompt TEXT NOT NULL,
        body BLOB NOT NULL                      -- everything but the prompt, JSON
    );
    CREATE UNIQUE INDEX entry_id ON entry (tenant, project, id);
    CREATE UNIQUE INDEX entry_lesson ON entry (tenant, project, kind, lesson) WHERE lesson IS NOT NULL;
    CREATE INDEX entry_age ON entry (tenant, project, kind, row);
    CREATE INDEX entry_agent ON entry (agent_id, tenant, project) WHERE agent_id IS NOT NULL;
    CREATE INDEX entry_session ON entry (session_id, tenant, project) WHERE session_id IS NOT NULL;
    CREATE INDEX entry_domain ON entry (domain, tenant, project) WHERE domain IS NOT NULL;
    CREATE INDEX entry_task_type ON entry (task_type, tenant, project) WHERE task_type IS NOT NULL;

    CREATE TABLE shelf (                        -- how many entries of a kind a scope has
        tenant TEXT NOT NULL, project TEXT NOT NULL, kind TEXT NOT NULL, entries INTEGER NOT NULL,
        PRIMARY KEY (tenant, project, kind)
    ) WITHOUT ROWID;
    CREATE TABLE removal (                      -- what went lately, for those who follow
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant TEXT NOT NULL, project TEXT NOT NULL, row INTEGER NOT NULL
    );
    CREATE TRIGGER entry_came AFTER INSERT ON entry BEGIN
        INSERT INTO shelf VALUES (new.tenant, new.project, new.kind, 1)
            ON CONFLICT DO UPDATE SET entries = entries + 1;
    END;
    CREATE TRIGGER entry_went AFTER DELETE ON entry BEGIN
        UPDATE shelf SET entries = entries - 1
            WHERE tenant = old.tenant AND project = old.project AND kind = old.kind;
        INSERT INTO removal (tenant, project, row) VALUES (old.tenant, old.project, old.row);
        DELETE FROM removal WHERE number <= last_insert_rowid() - 10000;
    END;
    """,
    """
    DROP TRIGGER entry_came;                    -- whoever adds counts, once for many
    DROP INDEX entry_id;
    CREATE UNIQUE INDEX entry_id ON entry (id, tenant, project);  -- what differs comes first: quicker to compare
    CREATE INDEX entry_scope ON entry (tenant, project);  -- and by row: what is new in a scope

    CREATE TABLE record (                       -- the lines of the logs
        row INTEGER PRIMARY KEY AUTOINCREMENT,
        log TEXT NOT NULL, tenant TEXT NOT NULL, project TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,
        time INTEGER NOT NULL,                  -- microseconds since 1970 UTC
        data BLOB NOT NULL                      -- JSON
    );
    CREATE INDEX record_key ON record (log, tenant, project, key);  -- and by row, as any index
    CREATE INDEX record_scope ON record (log, tenant, project);
    CREATE INDEX record_log ON record (log);
    CREATE INDEX record_time ON record (log, time);
    """,
    """
    CREATE TABLE scope (                        -- names stand once: an entry holds the number
        number INTEGER PRIMARY KEY, tenant TEXT NOT NULL, project TEXT NOT NULL,
        UNIQUE (tenant, project)
    );
    INSERT INTO scope (tenant, project) SELECT tenant, project FROM shelf UNION SELECT tenant, project FROM entry;
    CREATE TABLE clock (row INTEGER NOT NULL);  -- the newest row; moved once for all that are added together
    INSERT INTO clock SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'entry';

    CREATE TABLE entry_3 (
        row INTEGER PRIMARY KEY, scope INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
        prompt TEXT NOT NULL, body BLOB NOT NULL,
        lesson TEXT, domain TEXT, task_type TEXT, agent_id TEXT, session_id TEXT  -- last: mostly not there
    );
    INSERT INTO entry_3
        SELECT row, number, id, kind, prompt, body, lesson, domain, task_type, agent_id, session_id
        FROM entry JOIN scope USING (tenant, project) ORDER BY row;
    CREATE TABLE shelf_3 (
        scope INTEGER NOT NULL, kind TEXT NOT NULL, entries INTEGER NOT NULL, PRIMARY KEY (scope, kind)
    ) WITHOUT ROWID;
    INSERT INTO shelf_3                         -- counted: of a file that was recovered, shelves may be missing
        SELECT number, kind, count(*) FROM entry JOIN scope USING (tenant, project) GROUP BY number, kind;
    CREATE TABLE removal_3 (number INTEGER PRIMARY KEY AUTOINCREMENT, scope INTEGER NOT NULL, row INTEGER NOT NULL);
    INSERT INTO removal_3
        SELECT removal.number, scope.number, row FROM removal JOIN scope USING (tenant, project) ORDER BY 1;
    DROP TABLE entry;
    DROP TABLE shelf;
    DROP TABLE removal;
    ALTER TABLE entry_3 RENAME TO entry;
    ALTER TABLE shelf_3 RENAME TO shelf;
    ALTER TABLE removal_3 RENAME TO removal;

    CREATE UNIQUE INDEX entry_id ON entry (id, scope);
    CREATE INDEX entry_age ON entry (scope, kind);  -- and by row; a scope in the order of rows is its shelves, merged
    CREATE UNIQUE INDEX entry_lesson ON entry (scope, kind, lesson) WHERE lesson IS NOT NULL;
    CREATE INDEX entry_agent ON entry (agent_id, scope) WHERE agent_id IS NOT NULL;
    CREATE INDEX entry_session ON entry (session_id, scope) WHERE session_id IS NOT NULL;
    CREATE INDEX entry_domain ON entry (domain, scope) WHERE domain IS NOT NULL;
    CREATE INDEX entry_task_type ON entry (task_type, scope) WHERE task_type IS NOT NULL;
    CREATE TRIGGER entry_went AFTER DELETE ON entry BEGIN
        UPDATE shelf SET entries = entries - 1 WHERE scope = old.scope AND kind = old.kind;
        INSERT INTO removal (scope, row) VALUES (old.scope, old.row);
        DELETE FROM removal WHERE number <= last_insert_rowid() - 10000;
    END;
    """,
)
"""Statements that bring a file from schema i to i + 1. Forward only: an entry is never edited once released."""
SCHEMA_VERSION: Final = len(_MIGRATIONS)

_MAGIC: Final = b"SQLite format 3\0"
_HEADER_BYTES: Final = 100
_LARGEST_BATCH: Final = 500
_ROWS_PER_FETCH: Final = 500
_ROWS_PER_STEP: Final = 500
_PATIENCE_S: Final = 5.0
_TRIES_FOR_WAL: Final = 100


class SQLiteStore:
    """Keeps entries in the SQLite file at `path`, which is created when it is not there; its folder is not.

    Args:
        busy_timeout_s: how long to wait for another process that is writing; then `StoreUnavailableError`.
        max_bytes: the file grows no larger than about this; then `StoreFullError`. None is no limit.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, busy_timeout_s: float = 5.0, max_bytes: int | None = None
    ) -> None:
        self._path = Path(path)
        self._busy_timeout_s = busy_timeout_s
        self._max_bytes = max_bytes
        self._db: _Connection | None = None
        self._reader: _Connection | None = None
        self._waiting: deque[_Write] = deque()
        self._writes: _Connection | None = None  # as `_db`, until the last write is done
        self._idle = asyncio.Event()  # nothing is being committed, and nothing waits to be
        self._apart: asyncio.Task[None] | None = None
        self._home: _Home | None = None  # the file as it was found
        self._door = asyncio.Lock()  # whoever opens waits for who closes, and the other way round

    async def open(self) -> None:
        async with self._door:
            if self._db is None:
                await self._open()

    async def _open(self) -> None:
        with _translated(self._path):
            await asyncio.to_thread(inspect_file, self._path)
            db, reader = (_Connection(partial(_connect, self._path, "rwc", self._busy_timeout_s)) for _ in range(2))
            try:
                await _to_its_end(db)
                await db.run(partial(_prepare, max_bytes=self._max_bytes))
                self._home = await asyncio.to_thread(_Home.of, self._path)
                await _to_its_end(reader)
                await reader.run(lambda connection: connection.execute("PRAGMA query_only=ON"))
            except BaseException:
                await _to_its_end(reader.close())
                await _to_its_end(db.close())
                raise
        self._idle = asyncio.Event()
        self._idle.set()
        self._db = self._writes = db
        self._reader = reader

    async def close(self) -> None:
        async with self._door:
            db, reader = self._db, self._reader
            self._db = self._reader = None
            if db is None or reader is None:
                return
            with _translated(self._path):
                try:
                    await _to_its_end(self._idle.wait())
                finally:
                    self._writes = None
                    await _to_its_end(reader.close())
                    await _to_its_end(db.close())  # the last one to go tidies up the WAL

    # -- writing -----------------------------------------------------------------------------------

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        (outcome,) = await self.add_all([entry], max_entries=max_entries)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def add_all(
        self, entries: Sequence[MemoryEntry], *, max_entries: int
    ) -> asyncio.Future[Sequence[MemoryEntry | ConfigurationError | StoreError]]:
        """See `BatchStore.add_all`."""
        return self._write(_Additions(entries, max_entries))

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        return await self._write(partial(_update, id=id, change=change, scope=scope))

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        return await self._write(partial(_remove, ids=ids, scope=scope))

    async def clear(self, scope: Scope | None = None) -> int:
        return await self._write(partial(_delete, where=Where(scope)))

    def _write(self, work: Work[T] | _Additions) -> asyncio.Future[Any]:
        """Run `work` inside the next transaction; done when that is durable."""
        self._check_open()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((work, done))
        if self._idle.is_set():
            self._idle.clear()
            if isinstance(work, _Additions) and len(work.entries) > 1:
                self._commit_next()
            else:  # what comes in this turn of the loop goes with it
                loop.call_soon(self._commit_next, context=Context())
        return done

    def _commit_next(self) -> None:
        """Commit what waits, together; then what came meanwhile."""
        batch: list[_Write] = []
        size = 0
        while self._waiting and size < _LARGEST_BATCH:
            work, done = self._waiting.popleft()
            if not done.done():  # a caller may have been cancelled meanwhile
                batch.append((work, done))
                size += len(work.entries) if isinstance(work, _Additions) else 1
        if not batch or self._writes is None:
            for _, done in (*batch, *self._waiting):  # closing was cancelled, and did not wait for them
                _settle(done, self._was_closed())
            self._waiting.clear()
            self._idle.set()
            return
        outcome = self._writes.start(partial(_transact, works=[work for work, _ in batch], home=self._home))
        outcome.add_done_callback(partial(self._committed, batch))

    def _committed(self, batch: Sequence[_Write], outcome: asyncio.Future[list[Any]]) -> None:
        error = asyncio.CancelledError() if outcome.cancelled() else outcome.exception()
        if error is None:
            for (_, done), result in zip(batch, outcome.result(), strict=True):
                _settle(done, result)
            self._commit_next()
        elif isinstance(error, sqlite3.Error) and isinstance(_translate(error, self._path), StoreUnavailableError):
            for _, done in batch:  # it is the file; tried apart, each would wait as long for the other process again
                _settle(done, _caused(error, self._path))
            self._commit_next()
        else:
            self._apart = asyncio.create_task(self._commit_apart(batch, error), name=f"writer of {self._path.name}")

    async def _commit_apart(self, batch: Sequence[_Write], error: BaseException) -> None:
        """Nothing of a transaction happened: let not one of the works spoil it for all."""
        try:
            for work, done in batch:
                if not done.done():
                    _settle(done, await self._outcome_of(work, None if len(batch) > 1 else error))
        finally:
            for _, done in batch:
                _settle(done, self._was_closed())
            self._apart = None
            self._commit_next()

    async def _outcome_of(self, work: Work[Any] | _Additions, known: BaseException | None) -> Any:
        """Return what a work alone comes to, or its error; `known` is that it came to when it was tried."""
        try:
            if known is not None:
                raise known
            if self._writes is None:
                return self._was_closed()
            return (await self._writes.run(partial(_transact, works=[work], home=self._home)))[0]
        except sqlite3.Error as error:
            why = _caused(error, self._path)
            if isinstance(work, _Additions) and len(work.entries) > 1 and not isinstance(why, StoreUnavailableError):
                return [await self._outcome_of_one(entry, work.max_entries) for entry in work.entries]
            return why
        except Exception as error:  # noqa: BLE001 - whatever it was, it belongs to who asked for the write
            return error

    def _was_closed(self) -> StoreUnavailableError:
        return StoreUnavailableError(f"{self._path} was closed meanwhile")

    async def _outcome_of_one(self, entry: MemoryEntry, max_entries: int) -> Any:
        outcome = await self._outcome_of(_Additions([entry], max_entries), None)
        if isinstance(outcome, Exception):
            if isinstance(outcome, StoreError):
                return outcome
            raise outcome
        return outcome[0]

    # -- reading -----------------------------------------------------------------------------------

    async def count(self, scope: Scope | None = None) -> int:
        where = Where(scope)
        return await self._read(lambda db: one(db, f"SELECT coalesce(sum(entries), 0) FROM shelf{where}", where))

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        found = await self._read(partial(_newest, where=Where(scope).equals("id", id)))
        return None if found is None else found.entry

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        return await self._read(partial(_fetch, rows=rows)) if rows else {}

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
        while limit is None or len(found) < limit:  # a step at a time, so that others read in between
            rows = _ROWS_PER_STEP if limit is None or where else min(_ROWS_PER_STEP, limit - len(found))
            skipped = 0 if where else offset
            step = partial(_select, scope=scope, query=where, before=before, rows=rows, offset=skipped)
            page, before = await self._read(step)
            offset -= skipped
            rest = page[offset:]
            offset -= len(page) - len(rest)
            found.extend(rest)
            if before is None:
                break
        return found if limit is None else found[:limit]

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        return await self._read(partial(_changes, scope=scope, since=since, limit=limit))

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        if not records:
            return []
        return await self._write(partial(append_records, prepared=[prepared_record(record) for record in records]))

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
        where = of_log(log, scope=scope, key=key, kind=kind, since=since, until=until)
        if after or not newest_first:
            where.add("row < ?" if newest_first else "row > ?", after)
        return await self._read(partial(select_records, where=where, newest_first=newest_first, limit=limit))

    async def summaries(
        self, log: LogName, *, scope: Scope | None = None, offset: int = 0, limit: int | None = None
    ) -> list[LogSummary]:
        return await self._read(partial(summarise, where=of_log(log, scope=scope), offset=offset, limit=limit))

    async def drop_records(
        self, log: LogName, *, scope: Scope | None = None, key: str | None = None, before: datetime | None = None
    ) -> int:
        return await self._write(partial(drop_records, where=of_log(log, scope=scope, key=key, before=before)))

    # -- behind them -------------------------------------------------------------------------------

    async def _read(self, work: Work[T]) -> T:
        self._check_open()
        assert self._reader is not None
        with _translated(self._path):
            return await self._reader.run(work)

    def _check_open(self) -> None:
        if self._db is None:
            raise StoreUnavailableError(f"{self._path} is not open")


@dataclass(frozen=True, slots=True)
class _Additions:
    """Entries to be added, in their order; the outcome is a list with one for each."""

    entries: Sequence[MemoryEntry]
    max_entries: int

    def prepared(self) -> list[_Addition | ConfigurationError]:
        try:
            return [_Addition.of(entry, self.max_entries) for entry in self.entries]
        except ConfigurationError:  # of one of them
            return [_addition_or_why_not(entry, self.max_entries) for entry in self.entries]


_Write = tuple[Work[Any] | _Additions, asyncio.Future[Any]]


class _Connection(aiosqlite.Connection):
    """An aiosqlite connection that also runs several statements in one hop to its thread.

    A program that ends without closing it ends all the same: what was acknowledged is in the file.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        thread = cast("Thread", getattr(self, "_thread", self))  # before 0.22 a connection was a thread itself
        thread.daemon = True

    def start(self, work: Work[T]) -> asyncio.Future[T]:
        """Run `work` when its turn comes; what aiosqlite itself does, without a coroutine around it."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if not self._running or self._connection is None:
            done.set_exception(ValueError("Connection closed"))
        else:
            self._tx.put_nowait((done, partial(work, self._connection)))  # pyright: ignore[reportUnknownMemberType]
        return done

    async def run(self, work: Work[T]) -> T:
        return await self.start(work)


def _settle(done: asyncio.Future[Any], outcome: Any) -> None:
    if done.done():
        return
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)


async def _to_its_end(work: Awaitable[Any]) -> None:
    """Await `work` to its end, also when we are cancelled meanwhile: the thread must not outlive the event loop."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task}, timeout=_PATIENCE_S)
        raise


# -- what runs in the connection's thread: opening -------------------------------------------------


def _connect(path: Path, mode: str, busy_timeout_s: float, options: str = "") -> sqlite3.Connection:
    address = f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}{options}"
    return sqlite3.connect(address, uri=True, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False)


def inspect_file(path: Path) -> None:
    """Refuse a file that is not ours, newer or damaged; nothing is written, and no file appears beside it.

    An empty file, or none, is fine: it becomes ours.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be read: {error.strerror}") from error
    if not header:
        return
    if not header.startswith(_MAGIC) or len(header) < _HEADER_BYTES:
        raise StoreDamagedError(f"{path} is no SQLite file (or its head is damaged); {_HOW_TO_RECOVER}")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise StoreDamagedError(f"{path} belongs to another program; give the memory a file of its own")
    _check_version(path, int.from_bytes(header[60:64], "big"))
    if path.with_name(path.name + "-journal").exists():
        return  # it was killed while the schema was written; opening it rolls that back
    # Without a WAL nobody else has it open, and it may be read as it lies there; else as a reader among others.
    wal = path.with_name(path.name + "-wal")
    is_alone = not wal.exists() or wal.stat().st_size == 0
    with closing(_connect(path, "ro", 5.0, "&immutable=1" if is_alone else "")) as db:
        report = one(db, "PRAGMA quick_check(1)")
        if report != "ok":
            raise StoreDamagedError(f"{path} is damaged ({report}); {_HOW_TO_RECOVER}")
        _check_version(path, one(db, "PRAGMA user_version"))


_HOW_TO_RECOVER: Final = (
    "it was left untouched. Restore a backup, or save what is left with `sqlite3 FILE .recover | sqlite3 NEW_FILE`, "
    "or move it away to start anew"
)


def _check_version(path: Path, version: int) -> None:
    if version > SCHEMA_VERSION:
        raise StoreVersionError(
            f"{path} has schema {version}, this version knows {SCHEMA_VERSION}; it was left untouched. "
            "Use the newer version of jido-ai that wrote it"
        )


def _prepare(db: sqlite3.Connection, *, max_bytes: int | None) -> None:
    """Make the schema, or bring it up to date; then switch to WAL.

    The file is made with a rollback journal: so its head names us from the first commit on, whatever happens next.
    """
    db.execute("PRAGMA synchronous=FULL")
    if one(db, "PRAGMA user_version") < SCHEMA_VERSION:
        db.execute("BEGIN IMMEDIATE")
        try:
            for version in range(one(db, "PRAGMA user_version"), SCHEMA_VERSION):
                for statement in _statements(_MIGRATIONS[version]):
                    db.execute(statement)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
    for _ in range(_TRIES_FOR_WAL):  # no busy timeout applies to the switch; another process may be opening it too
        try:
            if one(db, "PRAGMA journal_mode=WAL") == "wal":
                break
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        db.execute("BEGIN IMMEDIATE")
        db.execute("COMMIT")
    if max_bytes is not None:
        db.execute(f"PRAGMA max_page_count={max(1, max_bytes // one(db, 'PRAGMA page_size'))}")


def _statements(script: str) -> Iterator[str]:
    """Split a script; `executescript` would commit the transaction we are in."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


# -- what runs in the connection's thread: writing -------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Home:
    """Where the file is, and which one it is."""

    path: str
    id: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> _Home:
        """Raises `StoreUnavailableError`."""
        found = path.absolute()
        try:
            status = found.stat()
        except OSError as error:
            raise StoreUnavailableError(f"{path} is gone already: {error.strerror}") from error
        return cls(str(found), (status.st_dev, status.st_ino))

    def check(self) -> None:
        """Raise `StoreUnavailableError` when the file is no longer where whoever comes next will look for it."""
        try:
            status = os.stat(self.path)  # noqa: PTH116 - before every commit
        except OSError:
            status = None
        if status is None or (status.st_dev, status.st_ino) != self.id:
            raise StoreUnavailableError(
                f"{self.path} was moved, removed or replaced while it was open; nothing was stored. Open it anew"
            )


def _transact(db: sqlite3.Connection, *, works: Sequence[Work[Any] | _Additions], home: _Home | None) -> list[Any]:
    """Do all `works` in one transaction; return their results, or the refusals of those that refused."""
    prepared = [work.prepared() if isinstance(work, _Additions) else work for work in works]
    try:
        return _transact_prepared(db, prepared, home, together=True)
    except sqlite3.IntegrityError:  # an id is there already, or twice among these: replaced one by one
        return _transact_prepared(db, prepared, home, together=False)


_Prepared = Work[Any] | list["_Addition | ConfigurationError"]


def _transact_prepared(
    db: sqlite3.Connection, works: Sequence[_Prepared], home: _Home | None, *, together: bool
) -> list[Any]:
    outcomes: list[Any] = []
    db.execute("BEGIN IMMEDIATE")
    try:
        for is_addition, group in groupby(works, key=lambda work: isinstance(work, list)):
            if is_addition:
                lists = cast("list[list[_Addition | ConfigurationError]]", list(group))
                added = iter(_add_all(db, list(chain.from_iterable(lists)), together=together))
                outcomes.extend(list(islice(added, len(some))) for some in lists)
            else:
                outcomes.extend(_attempt(work, db) for work in cast("Iterator[Work[Any]]", group))
        if home is not None:
            home.check()
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
    return outcomes


def _attempt(work: Work[Any], db: sqlite3.Connection) -> Any:
    try:
        return work(db)
    except (ConfigurationError, NotFoundError) as refusal:  # both are raised before anything is written
        return refusal


# -- adding ----------------------------------------------------------------------------------------

_Shelf = tuple[str | bytes, str | bytes, str]  # tenant, project, kind


class _Addition(NamedTuple):
    """An entry to be added, with what its row is made of.

    `labels` are lesson, domain, task type, agent and session; None when it has none of them.
    """

    entry: MemoryEntry
    max_entries: int
    shelf: _Shelf
    id: str | bytes
    prompt: str | bytes
    body: bytes
    labels: tuple[str | bytes | None, ...] | None

    @classmethod
    def of(cls, entry: MemoryEntry, max_entries: int) -> _Addition:
        """Raises `ConfigurationError`: the metadata is nothing that JSON could hold."""
        fields = entry.__dict__
        scope, kind, id, prompt = _OF_ROW(fields)
        labels = None
        if not _LABELLED_BY.isdisjoint(entry.__pydantic_fields_set__):
            lesson, names = lesson_key(entry), _NAMES_OF(fields)
            if lesson is not None or names != _NO_NAMES:
                labels = (lesson, *map(text_or_none, names))
        parts = (
            entry,
            max_entries,
            _shelf(scope.tenant, scope.project, kind),
            id if id.isascii() else text(id),
            prompt if prompt.isascii() else text(prompt),
            encode_entry(entry),
            labels,
        )
        return _make_tuple(cls, parts)  # what cls(*parts) does, without a function in between

    @property
    def lesson(self) -> str | None:
        return cast("str | None", self.labels[0]) if self.labels else None


_make_tuple: Final = cast("Callable[[type[_Addition], tuple[Any, ...]], _Addition]", tuple.__new__)
_OF_ROW: Final = itemgetter("scope", "kind", "id", "prompt")
_NAMES_OF: Final = itemgetter("domain", "task_type", "agent_id", "session_id")
_LABELLED_BY: Final = frozenset({"kind", "domain", "task_type", "agent_id", "session_id"})
_NO_NAMES: Final = (None, None, None, None)
_NO_LABELS: Final = (None, None, None, None, None)


@lru_cache(64)
def _shelf(tenant: str, project: str, kind: MemoryKind) -> _Shelf:
    return text(tenant), text(project), kind.value


def _addition_or_why_not(entry: MemoryEntry, max_entries: int) -> _Addition | ConfigurationError:
    try:
        return _Addition.of(entry, max_entries)
    except ConfigurationError as refusal:
        return refusal


_INSERT: Final = "INSERT INTO entry (row, scope, id, kind, prompt, body) VALUES (?, ?, ?, ?, ?, ?)"
_INSERT_LABELLED: Final = (
    "INSERT INTO entry (row, scope, id, kind, prompt, body, lesson, domain, task_type, agent_id, session_id) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def _add_all(
    db: sqlite3.Connection, additions: Sequence[_Addition | ConfigurationError], *, together: bool
) -> Sequence[MemoryEntry | ConfigurationError]:
    """Add entries in their order: many `together` where they are not lessons, which may meet their like."""
    if together and (plain := _all_plain(additions)):
        return _add_alike(db, *plain)
    outcomes: list[MemoryEntry | ConfigurationError] = []
    for limit, group in groupby(additions, key=_limit_of_plain):
        if limit is None or not together:
            outcomes.extend(_add(db, each) if isinstance(each, _Addition) else each for each in group)
        else:
            outcomes.extend(_add_plain(db, cast("list[_Addition]", list(group)), limit))
    return outcomes


def _limit_of_plain(addition: _Addition | ConfigurationError) -> int | None:
    if isinstance(addition, _Addition) and (addition.labels is None or addition.labels[0] is None):
        return addition.max_entries
    return None


_Columns = tuple[tuple[Any, ...], ...]


def _all_plain(additions: Sequence[_Addition | ConfigurationError]) -> tuple[_Shelf, int, _Columns] | None:
    """Return shelf, limit and columns where all have the same two and no labels: nearly always. None where not."""
    if set(map(type, additions)) != {_Addition}:
        return None
    columns: _Columns = tuple(zip(*cast("Sequence[_Addition]", additions), strict=True))
    _, limits, shelves, *_, labels = columns
    if any(labels) or len(set(limits)) > 1 or len(set(shelves)) > 1:
        return None
    return shelves[0], limits[0], columns


def _add_alike(db: sqlite3.Connection, shelf: _Shelf, limit: int, columns: _Columns) -> list[MemoryEntry]:
    """Do what `_add_plain` does for entries of one shelf without labels: no step of it is one of Python's per entry."""
    entries, _, _, ids, prompts, bodies, _ = columns
    scope, kind, number = _scope_number(db, shelf), shelf[2], len(entries)
    rows = count(_next_row(db, number))
    db.executemany(_INSERT, zip(rows, repeat(scope), ids, repeat(kind), prompts, bodies, strict=False))
    _evict(db, scope, kind, _counted(db, scope, kind, number) - limit)
    return list(entries)


def _add_plain(db: sqlite3.Connection, additions: Sequence[_Addition], limit: int) -> list[MemoryEntry]:
    """Add entries that are no lessons. What is left is the newest `limit` of each shelf, as after one by one.

    Raises:
        sqlite3.IntegrityError: not all of the ids are new; some entries may have been added.
    """
    shelves = Counter([addition.shelf for addition in additions])
    scopes = {shelf: _scope_number(db, shelf) for shelf in shelves}
    first = _next_row(db, len(additions))
    plain = [
        (row, scopes[shelf], id, shelf[2], prompt, body)
        for row, (_, _, shelf, id, prompt, body, labels) in enumerate(additions, first)
        if labels is None
    ]
    db.executemany(_INSERT, plain)
    if len(plain) < len(additions):
        labelled = [
            (row, scopes[shelf], id, shelf[2], prompt, body, *labels)
            for row, (_, _, shelf, id, prompt, body, labels) in enumerate(additions, first)
            if labels is not None
        ]
        db.executemany(_INSERT_LABELLED, labelled)
    for shelf, number in shelves.items():
        _evict(db, scopes[shelf], shelf[2], _counted(db, scopes[shelf], shelf[2], number) - limit)
    return [addition.entry for addition in additions]


def _add(db: sqlite3.Connection, addition: _Addition) -> MemoryEntry:
    """Add one entry, step by step."""
    mine = Where(addition.entry.scope)
    if addition.lesson is not None:
        twin = _newest(
            db,
            where=Where(addition.entry.scope)
            .equals("kind", addition.entry.kind.value)
            .equals("lesson", addition.lesson),
        )
        if twin is not None:
            _delete(db, where=Where(addition.entry.scope).equals("id", addition.entry.id))
            _delete(db, where=Where().equals("row", twin.row))
            addition = _Addition.of(merge_lessons(twin.entry, addition.entry), addition.max_entries)
    _delete(db, where=mine.equals("id", addition.entry.id))
    scope, kind = _scope_number(db, addition.shelf), addition.shelf[2]
    _evict(db, scope, kind, _counted(db, scope, kind, 1) - addition.max_entries)
    _, _, _, id, prompt, body, labels = addition
    db.execute(_INSERT_LABELLED, (_next_row(db, 1), scope, id, kind, prompt, body, *(labels or _NO_LABELS)))
    return addition.entry


def _scope_number(db: sqlite3.Connection, shelf: _Shelf) -> int:
    """Return the number of a shelf's scope, a new one when it has none yet."""
    names = shelf[:2]
    found = db.execute("SELECT number FROM scope WHERE tenant = ? AND project = ?", names).fetchone()
    if found is None:
        return cast("int", db.execute("INSERT INTO scope (tenant, project) VALUES (?, ?)", names).lastrowid)
    return found[0]


def _next_row(db: sqlite3.Connection, number: int) -> int:
    """Return the first of `number` rows that nobody had before: newer is larger, and none is given twice."""
    db.execute("UPDATE clock SET row = row + ?", (number,))
    return one(db, "SELECT row FROM clock") - number + 1


def _counted(db: sqlite3.Connection, scope: int, kind: str, number: int) -> int:
    """Note that `number` more entries are on a shelf; return how many that makes."""
    db.execute(
        "INSERT INTO shelf VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET entries = entries + excluded.entries",
        (scope, kind, number),
    )
    return db.execute("SELECT entries FROM shelf WHERE scope = ? AND kind = ?", (scope, kind)).fetchone()[0]


def _evict(db: sqlite3.Connection, scope: int, kind: str, number: int) -> None:
    """Remove the `number` oldest entries of a shelf."""
    if number > 0:
        db.execute(
            "DELETE FROM entry WHERE row IN (SELECT row FROM entry WHERE scope = ? AND kind = ? ORDER BY row LIMIT ?)",
            (scope, kind, number),
        )


# -- what runs in the connection's thread: changing and removing -----------------------------------


def _update(
    db: sqlite3.Connection, *, id: str, change: Callable[[MemoryEntry], MemoryEntry], scope: Scope | None
) -> MemoryEntry:
    found = _newest(db, where=Where(scope).equals("id", id))
    if found is None:
        raise NotFoundError(f"no memory entry {id!r}")
    entry = change(found.entry)
    db.execute(
        "UPDATE entry SET domain = ?, task_type = ?, agent_id = ?, session_id = ?, lesson = ?, body = ? WHERE row = ?",
        (
            *map(text_or_none, (entry.domain, entry.task_type, entry.agent_id, entry.session_id)),
            *(lesson_key(entry), encode_entry(entry), found.row),
        ),
    )
    return entry


def _remove(db: sqlite3.Connection, *, ids: Sequence[str], scope: Scope | None) -> int:
    each = [Where(scope).equals("id", id) for id in dict.fromkeys(ids)]
    unknown = [id for id, where in zip(dict.fromkeys(ids), each, strict=True) if _newest(db, where=where) is None]
    if unknown:
        raise NotFoundError(f"no memory entry {', '.join(map(repr, unknown))}")
    return sum(_delete(db, where=where) for where in each)


def _delete(db: sqlite3.Connection, *, where: Where) -> int:
    return db.execute(f"DELETE FROM entry{where}", where.values).rowcount


# -- what runs in the connection's thread: reading -------------------------------------------------

_COLUMNS: Final = "row, tenant, project, prompt, body"
_ENTRIES: Final = "entry CROSS JOIN scope ON scope.number = entry.scope"  # in that order: the names are looked up last


def _stored(row: int, tenant: str | bytes, project: str | bytes, prompt: str | bytes, body: bytes) -> StoredEntry:
    return decode_entry(row, untext(tenant), untext(project), untext(prompt), body)


def _newest(db: sqlite3.Connection, *, where: Where) -> StoredEntry | None:
    found = db.execute(f"SELECT {_COLUMNS} FROM {_ENTRIES}{where} ORDER BY row DESC LIMIT 1", where.values).fetchone()
    return None if found is None else _stored(*found)


def _fetch(db: sqlite3.Connection, *, rows: Sequence[int]) -> dict[int, MemoryEntry]:
    entries: dict[int, MemoryEntry] = {}
    for start in range(0, len(rows), _ROWS_PER_FETCH):
        some = rows[start : start + _ROWS_PER_FETCH]
        marks = ", ".join("?" * len(some))
        for found in db.execute(f"SELECT {_COLUMNS} FROM {_ENTRIES} WHERE row IN ({marks})", some):
            stored = _stored(*found)
            entries[stored.row] = stored.entry
    return entries


def _select(
    db: sqlite3.Connection,
    *,
    scope: Scope | None,
    query: MemoryQuery | None,
    before: int | None,
    rows: int,
    offset: int,
) -> tuple[list[StoredEntry], int | None]:
    """Look at `rows` rows below `before`; return what passes, and the last row that was seen when there may be more."""
    where = Where()
    if before is not None:
        where.add("row < ?", before)
    labels = () if query is None else _labels(query)
    for column, value in labels:
        where.equals(column, value)
    kinds = query.kinds if query else ()
    if scope is not None and not labels:
        source, values = _by_row(db, f"{_COLUMNS} FROM {_ENTRIES}", where, scope, kinds)
    else:
        if scope is not None:
            where.of(scope)
        if kinds:
            where.add(f"kind IN ({', '.join('?' * len(kinds))})", *(kind.value for kind in kinds))
        source, values = f"SELECT {_COLUMNS} FROM {_ENTRIES}{where}", where.values
    found = db.execute(f"{source} ORDER BY row DESC LIMIT ? OFFSET ?", (*values, rows, in_64_bits(offset))).fetchall()
    last = found[-1][0] if len(found) == rows else None
    entries = [_stored(*row) for row in found]
    return [stored for stored in entries if query is None or matches(stored.entry, query)], last


def _labels(query: MemoryQuery) -> list[tuple[str, str]]:
    """Return the columns that have an index of their own and what a query asks of them."""
    asked = (query.domain, query.task_type, query.agent_id, query.session_id)
    return [(column, value) for column, value in zip(_LABELS, asked, strict=True) if value is not None]


_LABELS: Final = ("domain", "task_type", "agent_id", "session_id")


def _by_row(
    db: sqlite3.Connection, what: str, where: Where, scope: Scope, kinds: Collection[MemoryKind] = ()
) -> tuple[str, list[Any]]:
    """Return a statement but for ORDER BY, with its values: rows of a scope that pass `where`, of `kinds` or all.

    An index has each shelf in the order of its rows; SQLite merges them without reading more than is asked for. Where
    no other scope has entries, the table itself is what has them all in that order.
    """
    mine = Where(scope)
    there = [kind for (kind,) in db.execute(f"SELECT kind FROM shelf{mine} AND entries > 0", mine.values)]
    if there and not kinds and not _has_others(db, scope):
        everything = where.copy().of(scope, by_index=False)
        return f"SELECT {what}{everything}", everything.values
    wanted = [kind for kind in there if not kinds or MemoryKind(kind) in kinds] or [""]
    each = [where.copy().of(scope).equals("kind", kind) for kind in wanted]
    return " UNION ALL ".join(f"SELECT {what}{one}" for one in each), [value for one in each for value in one.values]


def _has_others(db: sqlite3.Connection, scope: Scope) -> bool:
    """Tell whether another scope has entries: whose number is the least, or the largest, of all that have any."""
    sql = (
        "SELECT (SELECT min(scope) FROM entry) < number OR (SELECT max(scope) FROM entry) > number "
        "FROM scope WHERE tenant = ? AND project = ?"
    )
    found = db.execute(sql, (text(scope.tenant), text(scope.project))).fetchone()
    return found is None or bool(found[0])


def _changes(db: sqlite3.Connection, *, scope: Scope, since: Cursor, limit: int) -> Changes:
    db.execute("BEGIN")  # one snapshot for all three
    try:
        oldest, newest = (one(db, f"SELECT {end}(number) FROM removal") for end in ("min", "max"))
        start_over = oldest is not None and oldest > since.removal + 1
        newer = Where().add("row > ?", 0 if start_over else since.row)
        source, values = _by_row(db, "row, prompt FROM entry", newer, scope)
        came = db.execute(f"{source} ORDER BY row LIMIT ?", (*values, limit)).fetchall()
        gone = Where(scope).add("number > ?", since.removal)
        went = [] if start_over else db.execute(f"SELECT row FROM removal{gone}", gone.values).fetchall()
    finally:
        db.execute("COMMIT")
    return Changes(
        Cursor(came[-1][0] if came else since.row, newest or since.removal),
        came=[pair if isinstance(pair[1], str) else (pair[0], untext(pair[1])) for pair in came],
        went=[row for (row,) in went],
        start_over=start_over,
        is_complete=len(came) < limit,
    )


# -- errors ----------------------------------------------------------------------------------------


@contextmanager
def _translated(path: Path) -> Generator[None]:
    """Turn what SQLite raises into a `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translate(error, path) from error


def _caused(error: sqlite3.Error, path: Path) -> StoreError:
    """Return what `_translated` would raise, for somebody who waits elsewhere."""
    why = _translate(error, path)
    why.__cause__ = error
    return why


def _translate(error: sqlite3.Error, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None) or 0
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return StoreFullError(f"no space left for {path}; nothing was lost, make room and try again")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return StoreDamagedError(f"{path} is damaged ({error}); {_HOW_TO_RECOVER}")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreUnavailableError(f"{path} is locked by another program; try again")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
            return StoreUnavailableError(f"{path} cannot be read or written now: {error}")
        case _:
            return StoreError(f"{path}: {error}")
