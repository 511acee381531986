"""Logs in the SQLite file. The functions run in the connection's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from jido_ai.memory.stores.rows import decode_record, microseconds, with_row
from jido_ai.memory.stores.sqlite.sql import Where, in_64_bits, text, untext
from jido_ai.protocols import LogName, LogSummary, Record
from jido_ai.values import Scope

__all__ = ["append_records", "drop_records", "of_log", "select_records", "summarise"]

_COLUMNS: Final = "row, log, tenant, project, key, kind, time, data"
_WIDTH: Final = len(_COLUMNS.split(", "))
_INSERT: Final = "INSERT INTO record (log, tenant, project, key, kind, time, data) VALUES (?, ?, ?, ?, ?, ?, ?)"


def of_log(
    log: LogName,
    *,
    scope: Scope | None = None,
    key: str | None = None,
    kind: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    before: datetime | None = None,
) -> Where:
    """Return the WHERE clause for the given filters."""
    where = Where().equals("log", log)
    if scope is not None:
        where.equals("tenant", scope.tenant).equals("project", scope.project)
    if key is not None:
        where.equals("key", key)
    if kind is not None:
        where.equals("kind", kind)
    for condition, time in (("time >= ?", since), ("time <= ?", until), ("time < ?", before)):
        if time is not None:
            where.add(condition, microseconds(time))
    return where


def append_records(db: sqlite3.Connection, *, prepared: Sequence[tuple[Record, bytes]]) -> list[Record]:
    return [with_row(record, _insert(db, record, data)) for record, data in prepared]


def _insert(db: sqlite3.Connection, record: Record, data: bytes) -> int:
    scope = record.scope
    names = (record.log, *map(text, (scope.tenant, scope.project, record.key, record.kind)))
    row = db.execute(_INSERT, (*names, microseconds(record.timestamp), data)).lastrowid
    assert row is not None
    return row


def select_records(db: sqlite3.Connection, *, where: Where, newest_first: bool, limit: int | None) -> list[Record]:
    order = "DESC" if newest_first else "ASC"
    found = db.execute(
        f"SELECT {_COLUMNS} FROM record{where} ORDER BY row {order} LIMIT ?",
        (*where.values, -1 if limit is None else in_64_bits(limit)),
    )
    return [_record(each) for each in found]


def summarise(db: sqlite3.Connection, *, where: Where, offset: int, limit: int | None) -> list[LogSummary]:
    found = db.execute(
        f"SELECT records, {_columns_of('first')}, {_columns_of('last')} FROM ("
        f"SELECT count(*) AS records, min(row) AS oldest, max(row) AS newest FROM record{where} "
        "GROUP BY tenant, project, key ORDER BY newest DESC LIMIT ? OFFSET ?"
        ") JOIN record AS first ON first.row = oldest JOIN record AS last ON last.row = newest ORDER BY newest DESC",
        (*where.values, -1 if limit is None else in_64_bits(limit), in_64_bits(offset)),
    )
    return [_summary(records, _record(both[:_WIDTH]), _record(both[_WIDTH:])) for records, *both in found]


def _summary(records: int, first: Record, last: Record) -> LogSummary:
    return LogSummary(scope=first.scope, key=first.key, records=records, first=first, last=last)


def drop_records(db: sqlite3.Connection, *, where: Where) -> int:
    return db.execute(f"DELETE FROM record{where}", where.values).rowcount


def _columns_of(table: str) -> str:
    return ", ".join(f"{table}.{column}" for column in _COLUMNS.split(", "))


def _record(columns: Sequence[Any]) -> Record:
    row, log, tenant, project, key, kind, time_us, data = columns
    return decode_record(
        row,
        data,
        log=log,
        tenant=untext(tenant),
        project=untext(project),
        key=untext(key),
        kind=untext(kind),
        time_us=time_us,
    )
