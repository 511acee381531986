"""SQLiteStore: a memory store in one SQLite file, durable and shared by processes. Damaged files are rejected.

Writes wait in a queue; the connection's thread commits all that wait as one transaction (group commit). With WAL and
synchronous=FULL, acknowledged writes survive `kill -9` and power loss. Each write transaction begins IMMEDIATE, so that
two processes wait for each other instead of failing.

The code that runs in that thread is in `file.py` (opening), `writes.py` and `reads.py` (entries), `logs.py` and
`claims.py`.
"""

from __future__ import annotations

import asyncio
import math
import os
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeVar, cast

import aiosqlite

from jido_ai.actors.to_its_end import to_its_end
from jido_ai.errors import (
    ConfigurationError,
    RunClaimedError,
    StoreError,
    StoreUnavailableError,
)
from jido_ai.memory.stores.rows import decode_claim, from_microseconds, microseconds
from jido_ai.memory.stores.sqlite.file import (
    Home,
    caused,
    connect,
    inspect_file,
    make_private,
    prepare,
    translated,
)
from jido_ai.memory.stores.sqlite.logs import append_records, drop_records, of_log, select_records, summarise
from jido_ai.memory.stores.sqlite.reads import ROWS_PER_STEP, changes, fetch, newest, select
from jido_ai.memory.stores.sqlite.sql import Where, one, text, untext
from jido_ai.memory.stores.sqlite.writes import Additions, Work, delete, remove, transact, update
from jido_ai.values import MemoryEntry, MemoryQuery, Scope
from jido_ai.values.record import Changes, Claim, Cursor, LogName, LogSummary, Record, StoredEntry

_INSERT: Final = "INSERT INTO claim (tenant, project, run, token, owner, expires) VALUES (?, ?, ?, ?, ?, ?)"


def keep_claim(db: sqlite3.Connection, *, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
    """See `ClaimStore.claim`."""
    of_run = _of_run(claim)
    found = db.execute(f"SELECT number, token, owner, expires FROM claim{of_run}", of_run.values).fetchone()
    if found is not None:
        number, token, owner, expires = found
        holder = decode_claim(claim, number=number, token=untext(token), owner=untext(owner), expires_us=expires)
        if holder.token == claim.token:
            kept = replace(claim, number=number)
            _renew(db, [kept])
            return kept
        if not is_void(holder):
            return holder
        db.execute(f"DELETE FROM claim{of_run}", of_run.values)
    scope = claim.scope
    names = map(text, (scope.tenant, scope.project, claim.run_id, claim.token, claim.owner))
    number = db.execute(_INSERT, (*names, microseconds(claim.expires_at))).lastrowid
    assert number is not None
    return replace(claim, number=number)


def append_claimed(db: sqlite3.Connection, *, records: Sequence[Record], claim: Claim, release: bool) -> list[Record]:
    """See `ClaimStore.append_claimed`."""
    of_run = _of_run(claim)
    found = db.execute(f"SELECT token, owner, expires FROM claim{of_run}", of_run.values).fetchone()
    if found is None:
        raise RunClaimedError(claim.run_id, "", claim.expires_at)
    token, owner, expires = found
    if untext(token) != claim.token:
        raise RunClaimedError(claim.run_id, untext(owner), from_microseconds(expires))
    if release:
        db.execute(f"DELETE FROM claim{of_run}", of_run.values)
    return append_records(db, records=records)


def remove_claim(db: sqlite3.Connection, *, claim: Claim) -> None:
    """See `ClaimStore.release`."""
    where = _of_run(claim).equals("token", claim.token)
    db.execute(f"DELETE FROM claim{where}", where.values)


class SQLiteClaimKeeper:
    """Renews claims in the file at `path`; a `ClaimKeeper`."""

    def __init__(self, path: Path, busy_timeout_s: float) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._db: sqlite3.Connection | None = None

    def renew(self, claims: Sequence[Claim]) -> None:
        with translated(self._path):
            if self._db is None:
                self._db = connect(self._path, "rw", self._busy_timeout_s)
            try:
                self._db.execute("BEGIN IMMEDIATE")
                _renew(self._db, claims)
                self._db.execute("COMMIT")
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None


def _renew(db: sqlite3.Connection, claims: Sequence[Claim]) -> None:
    values = [(microseconds(claim.expires_at), claim.number, text(claim.token)) for claim in claims]
    db.executemany("UPDATE claim SET expires = ? WHERE number = ? AND token = ?", values)


def _of_run(claim: Claim) -> Where:
    where = Where().equals("run", claim.run_id)
    return where.equals("tenant", claim.scope.tenant).equals("project", claim.scope.project)


T = TypeVar("T")

_LARGEST_BATCH: Final = 500

_PATIENCE_S: Final = 5.0


class SQLiteStore:
    """Stores entries in the SQLite file at `path`. A missing file is created; a missing directory is not.

    Args:
        busy_timeout_s: seconds to wait for another process that is writing before `StoreUnavailableError`.
        max_bytes: approximate maximum size of the file; then `StoreFullError`. None means no limit.
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
        self._writes: _Connection | None = None  # like `_db`, but until the last write is done
        self._home: Home | None = None  # the file that was opened
        self._door = asyncio.Lock()  # open and close wait for each other

    async def open(self) -> None:
        async with self._door:
            if self._db is None:
                await self._open()

    async def _open(self) -> None:
        with translated(self._path):
            await asyncio.to_thread(inspect_file, self._path)
            await asyncio.to_thread(make_private, self._path)
            db, reader = (_Connection(partial(connect, self._path, "rwc", self._busy_timeout_s)) for _ in range(2))
            try:
                await to_its_end(db, within_s=_PATIENCE_S)
                await db.run(partial(prepare, path=self._path, max_bytes=self._max_bytes))
                self._home = await asyncio.to_thread(Home.of, self._path)
                await to_its_end(reader, within_s=_PATIENCE_S)
                await reader.run(lambda connection: connection.execute("PRAGMA query_only=ON"))
            except BaseException:
                await to_its_end(reader.close(), within_s=_PATIENCE_S)
                await to_its_end(db.close(), within_s=_PATIENCE_S)
                raise
        self._db = self._writes = db
        self._reader = reader

    async def close(self) -> None:
        async with self._door:
            db, reader = self._db, self._reader
            self._db = self._reader = None
            if db is None or reader is None:
                return
            with translated(self._path):
                try:
                    await to_its_end(db.start(lambda _: None), within_s=_PATIENCE_S)  # what waits is written
                finally:
                    self._writes = None
                    await to_its_end(reader.close(), within_s=_PATIENCE_S)
                    await to_its_end(db.close(), within_s=_PATIENCE_S)  # the last connection removes the WAL

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
        return self._write(Additions(entries, max_entries))

    async def update(
        self, id: str, change: Callable[[MemoryEntry], MemoryEntry], *, scope: Scope | None = None
    ) -> MemoryEntry:
        return await self._write(partial(update, id=id, change=change, scope=scope))

    async def remove(self, ids: Sequence[str], *, scope: Scope | None = None) -> int:
        return await self._write(partial(remove, ids=ids, scope=scope))

    async def clear(self, scope: Scope | None = None) -> int:
        return await self._write(partial(delete, where=Where(scope)))

    def _write(self, work: Work[T] | Additions) -> asyncio.Future[Any]:
        """Run `work` in the next transaction; the future is done when that is durable."""
        self._check_open()
        assert self._writes is not None
        write = _Write(work, asyncio.get_running_loop().create_future())
        self._waiting.append(write)
        return self._writes.start(partial(self._committed, write), write.done)

    # The following run in the connection's thread.

    def _committed(self, write: _Write, db: sqlite3.Connection) -> Any:
        """Return the outcome of a write: commit it with all that wait, unless it was committed with an earlier one."""
        if not write.outcome and (batch := self._taken(_LARGEST_BATCH)):
            outcomes = self._outcomes(db, [one.work for one in batch])
            if isinstance(outcomes, StoreUnavailableError):  # those behind would wait for the other process again
                batch += self._taken(math.inf)
                outcomes = [outcomes] * len(batch)
            for one, outcome in zip(batch, outcomes, strict=True):
                one.outcome.append(outcome)
        outcome = write.outcome.pop() if write.outcome else asyncio.CancelledError()  # its caller has gone
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def _taken(self, most: float) -> list[_Write]:
        """Return the writes that have waited longest, without those whose caller has gone."""
        batch: list[_Write] = []
        size = 0
        while self._waiting and size < most:
            write = self._waiting.popleft()
            if not write.done.done():
                batch.append(write)
                size += len(write.work.entries) if isinstance(write.work, Additions) else 1
        return batch

    def _outcomes(
        self, db: sqlite3.Connection, works: Sequence[Work[Any] | Additions]
    ) -> list[Any] | StoreUnavailableError:
        """Return the outcome of each write, a result or an error; an error of the file is that of all.

        After a transaction was rolled back, each is committed separately, so that only the faulty one fails.
        """
        if self._writes is None:
            return StoreUnavailableError(f"{self._path} was closed during the call")
        try:
            return transact(db, works=works, home=self._home)
        except BaseException as error:  # noqa: BLE001 - passed to the caller that wrote
            why = caused(error, self._path) if isinstance(error, sqlite3.Error) else error
        if isinstance(why, StoreUnavailableError):
            return why
        if len(works) > 1:
            return [self._outcome(db, work) for work in works]
        (work,) = works
        if not isinstance(why, StoreError) or not isinstance(work, Additions) or len(work.entries) == 1:
            return [why]
        each = [self._outcome(db, Additions([entry], work.max_entries)) for entry in work.entries]
        faults = [one for one in each if isinstance(one, BaseException) and not isinstance(one, StoreError)]
        return [faults[0] if faults else [one if isinstance(one, StoreError) else one[0] for one in each]]

    def _outcome(self, db: sqlite3.Connection, work: Work[Any] | Additions) -> Any:
        outcomes = self._outcomes(db, [work])
        return outcomes if isinstance(outcomes, StoreUnavailableError) else outcomes[0]

    # -- reading -----------------------------------------------------------------------------------

    async def count(self, scope: Scope | None = None) -> int:
        where = Where(scope)
        return await self._read(lambda db: one(db, f"SELECT coalesce(sum(entries), 0) FROM shelf{where}", where))

    async def get(self, id: str, *, scope: Scope | None = None) -> MemoryEntry | None:
        found = await self._read(partial(newest, where=Where(scope).equals("id", id)))
        return None if found is None else found.entry

    async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
        return await self._read(partial(fetch, rows=rows)) if rows else {}

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
        while limit is None or len(found) < limit:  # in steps, so that other reads can run in between
            rows = ROWS_PER_STEP if limit is None or where else min(ROWS_PER_STEP, limit - len(found))
            skipped = 0 if where else offset
            step = partial(select, scope=scope, query=where, before=before, rows=rows, offset=skipped)
            page, before = await self._read(step)
            offset -= skipped
            rest = page[offset:]
            offset -= len(page) - len(rest)
            found.extend(rest)
            if before is None:
                break
        return found if limit is None else found[:limit]

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        return await self._read(partial(changes, scope=scope, since=since, limit=limit))

    # -- logs --------------------------------------------------------------------------------------

    async def append(self, records: Sequence[Record]) -> list[Record]:
        return await self._write(partial(append_records, records=records))

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
        return await self._write(partial(drop_records, where=where, beyond=beyond))

    # -- claims ------------------------------------------------------------------------------------

    async def claim(self, claim: Claim, is_void: Callable[[Claim], bool]) -> Claim:
        return await self._write(partial(keep_claim, claim=claim, is_void=is_void))

    async def append_claimed(self, records: Sequence[Record], claim: Claim, *, release: bool = False) -> list[Record]:
        return await self._write(partial(append_claimed, records=records, claim=claim, release=release))

    def keeper(self) -> SQLiteClaimKeeper:
        return SQLiteClaimKeeper(self._path, self._busy_timeout_s)

    async def release(self, claim: Claim) -> None:
        await self._write(partial(remove_claim, claim=claim))

    # -- internals ---------------------------------------------------------------------------------

    async def _read(self, work: Work[T]) -> T:
        self._check_open()
        assert self._reader is not None
        with translated(self._path):
            return await self._reader.run(work)

    def _check_open(self) -> None:
        if self._db is None:
            raise StoreUnavailableError(f"{self._path} is not open")


@dataclass(slots=True)
class _Write:
    """A write that waits.

    Attributes:
        done: done with the outcome.
        outcome: empty before the write is committed or has failed.
    """

    work: Work[Any] | Additions
    done: asyncio.Future[Any]
    outcome: list[Any] = field(default_factory=list[Any])


class _Connection(aiosqlite.Connection):
    """An aiosqlite connection that can run several statements in one call to its thread.

    The thread is a daemon, so an open connection does not keep a program alive; acknowledged writes are in the file.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        thread = cast("Thread", getattr(self, "_thread", self))  # before 0.22 a connection was a thread itself
        thread.daemon = True

    def start(self, work: Work[T], done: asyncio.Future[T] | None = None) -> asyncio.Future[T]:
        """Queue `work` for the thread, as aiosqlite does, but without a coroutine; `done` is a new future."""
        done = asyncio.get_running_loop().create_future() if done is None else done
        if not self._running or self._connection is None:
            done.set_exception(ValueError("Connection closed"))
        else:
            self._tx.put_nowait((done, partial(work, self._connection)))  # pyright: ignore[reportUnknownMemberType]
        return done

    async def run(self, work: Work[T]) -> T:
        return await self.start(work)
