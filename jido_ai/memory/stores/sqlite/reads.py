"""Reading entries from the SQLite file. The functions run in the connection's thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from typing import Any, Final

from jido_ai.errors import StoreDamagedError
from jido_ai.memory.lessons import matches
from jido_ai.memory.stores.rows import BODY_OF_LESSONS, decode_entry, told_by
from jido_ai.memory.stores.sqlite.sql import Where, in_64_bits, one, text, untext, untext_or_none
from jido_ai.values import MemoryEntry, MemoryKind, MemoryQuery, Scope
from jido_ai.values.record import Changes, Cursor, StoredEntry

_ROWS_PER_FETCH: Final = 500
ROWS_PER_STEP: Final = 500

_COLUMNS: Final = "row, tenant, project, prompt, body, id, kind, domain, task_type, agent_id, session_id"
_ENTRIES: Final = "entry CROSS JOIN scope ON scope.number = entry.scope"  # in that order: the names are looked up last


def _stored(columns: Sequence[Any]) -> StoredEntry:
    """Return the entry for `_COLUMNS`. Raises `StoreDamagedError`, also if body and columns disagree."""
    row, tenant, project, prompt, body, id, kind, *labels = columns
    stored = decode_entry(row, untext(tenant), untext(project), untext(prompt), body)
    fields = stored.entry.__dict__
    same = fields["id"] == id or fields["id"] == untext(id)
    if not same or fields["kind"] != kind or [fields[name] for name in _LABELS] != [*map(untext_or_none, labels)]:
        raise StoreDamagedError(f"row {row} of the memory is damaged: its columns and its body disagree")
    return stored


def newest(db: sqlite3.Connection, *, where: Where) -> StoredEntry | None:
    """Return the newest entry that matches `where`, or None."""
    found = db.execute(f"SELECT {_COLUMNS} FROM {_ENTRIES}{where} ORDER BY row DESC LIMIT 1", where.values).fetchone()
    return None if found is None else _stored(found)


def fetch(db: sqlite3.Connection, *, rows: Sequence[int]) -> dict[int, MemoryEntry]:
    """Return the entries of `rows` that exist."""
    entries: dict[int, MemoryEntry] = {}
    for start in range(0, len(rows), _ROWS_PER_FETCH):
        some = rows[start : start + _ROWS_PER_FETCH]
        marks = ", ".join("?" * len(some))
        for found in db.execute(f"SELECT {_COLUMNS} FROM {_ENTRIES} WHERE row IN ({marks})", some):
            stored = _stored(found)
            entries[stored.row] = stored.entry
    return entries


def select(
    db: sqlite3.Connection,
    *,
    scope: Scope | None,
    query: MemoryQuery | None,
    before: int | None,
    rows: int,
    offset: int,
) -> tuple[list[StoredEntry], int | None]:
    """Read `rows` rows below `before`; return the entries that pass, and the last row read if there may be more."""
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
    entries = [_stored(row) for row in found]
    return [stored for stored in entries if query is None or matches(stored.entry, query)], last


def _labels(query: MemoryQuery) -> list[tuple[str, str]]:
    """Return the indexed columns that a query filters by, with their values."""
    asked = (query.domain, query.task_type, query.agent_id, query.session_id)
    return [(column, value) for column, value in zip(_LABELS, asked, strict=True) if value is not None]


_LABELS: Final = ("domain", "task_type", "agent_id", "session_id")


def _by_row(
    db: sqlite3.Connection, what: str, where: Where, scope: Scope, kinds: Collection[MemoryKind] = ()
) -> tuple[str, list[Any]]:
    """Return a statement without ORDER BY, and its values: the rows of a scope that match `where`, of `kinds` or all.

    An index has the rows of each scope and kind in order; SQLite merges them without reading more than needed. If no
    other scope has entries, the table itself has all rows in order.
    """
    mine = Where(scope)
    there = [kind for (kind,) in db.execute(f"SELECT kind FROM shelf{mine} AND entries > 0", mine.values)]
    if there and not kinds and not _has_others(db, scope):
        everything = where.copy().of(scope, by_index=False)
        return f"SELECT {what}{everything}", everything.values
    wanted = [kind for kind in there if not kinds or kind in kinds] or [""]
    each = [where.copy().of(scope).equals("kind", kind) for kind in wanted]
    return " UNION ALL ".join(f"SELECT {what}{one}" for one in each), [value for one in each for value in one.values]


def _has_others(db: sqlite3.Connection, scope: Scope) -> bool:
    """True if another scope has entries: then the smallest or largest scope number differs."""
    sql = (
        "SELECT (SELECT min(scope) FROM entry) < number OR (SELECT max(scope) FROM entry) > number "
        "FROM scope WHERE tenant = ? AND project = ?"
    )
    found = db.execute(sql, (text(scope.tenant), text(scope.project))).fetchone()
    return found is None or bool(found[0])


def changes(db: sqlite3.Connection, *, scope: Scope, since: Cursor, limit: int) -> Changes:
    """Return the changes of a scope after `since`."""
    db.execute("BEGIN")  # one snapshot for all three queries
    try:
        oldest, latest = (one(db, f"SELECT {end}(number) FROM removal") for end in ("min", "max"))
        start_over = oldest is not None and oldest > since.removal + 1
        newer = Where().add("row > ?", 0 if start_over else since.row)
        source, values = _by_row(db, f"row, prompt, {BODY_OF_LESSONS} FROM entry", newer, scope)
        came = db.execute(f"{source} ORDER BY row LIMIT ?", (*values, limit)).fetchall()
        gone = Where(scope).add("number > ?", since.removal)
        went = [] if start_over else db.execute(f"SELECT row FROM removal{gone}", gone.values).fetchall()
    finally:
        db.execute("COMMIT")
    return Changes(
        Cursor(came[-1][0] if came else since.row, latest or since.removal),
        came=[(row, prompt if isinstance(prompt, str) else untext(prompt)) for row, prompt, _ in came],
        went=[row for (row,) in went],
        start_over=start_over,
        is_complete=len(came) < limit,
        **told_by([(row, untext(prompt), body) for row, prompt, body in came if body is not None]),
    )
