"""Logs in the SQLite file. The functions run in the connection's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from jido_ai.memory.stores.rows import (
    RECORD_COLUMNS,
    decode_record,
    decode_summary,
    microseconds,
    prepared_record,
    record_columns,
)
from jido_ai.memory.stores.sqlite.sql import Where, in_64_bits, text, untext
from jido_ai.values import Scope
from jido_ai.values.record import LogName, LogSummary, Record

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


def append_records(db: sqlite3.Connection, *, records: Sequence[Record]) -> list[Record]:
    prepared = [prepared_record(record) for record in records]  # none is written if one is refused
    return [record.stored(_insert(db, record, data), data) for record, data in prepared]


def _insert(db: sqlite3.Connection, record: Record, data: bytes) -> int:
    scope = record.scope
    names = (record.log, *map(text, (scope.tenant, scope.project, record.key, record.kind)))
    row = db.execute(_INSERT, (*names, microseconds(record.timestamp), data)).lastrowid
    assert row is not None
    return row


def select_records(db: sqlite3.Connection, *, where: Where, newest_first: bool, limit: int | None) -> list[Record]:
    order = "DESC" if newest_first else "ASC"
    found = db.execute(
        f"SELECT {RECORD_COLUMNS} FROM record{where} ORDER BY row {order} LIMIT ?",
        (*where.values, -1 if limit is None else in_64_bits(limit)),
    )
    return [decode_record(each, untext) for each in found]


def summarise(db: sqlite3.Connection, *, where: Where, offset: int, limit: int | None) -> list[LogSummary]:
    found = db.execute(
        f"SELECT records, {record_columns('first')}, {record_columns('last')} FROM ("
        f"SELECT count(*) AS records, min(row) AS oldest, max(row) AS newest FROM record{where} "
        "GROUP BY tenant, project, key ORDER BY newest DESC LIMIT ? OFFSET ?"
        ") JOIN record AS first ON first.row = oldest JOIN record AS last ON last.row = newest ORDER BY newest DESC",
        (*where.values, -1 if limit is None else in_64_bits(limit), in_64_bits(offset)),
    )
    return [decode_summary(each, untext) for each in found]


def drop_records(db: sqlite3.Connection, *, where: Where, beyond: int) -> int:
    condition, values = str(where), where.values
    if beyond:
        condition += f" AND row <= (SELECT row FROM record{where} ORDER BY row DESC LIMIT 1 OFFSET ?)"
        values = [*values, *values, in_64_bits(beyond)]
    return db.execute(f"DELETE FROM record{condition}", values).rowcount
