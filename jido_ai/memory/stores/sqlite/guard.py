"""Protection against malicious SQLite files: hardened connections, and checks of schema and content before use.

A memory file may come with a cloned project, and SQLite executes what its schema defines: triggers, views, generated
columns. So a file is used only if its schema equals ours, statement by statement, its indexes agree with its tables,
and its counters are in range. Connections do not trust schemas, and the checks have a step limit.

Defensive mode (SQLITE_DBCONFIG_DEFENSIVE) needs Python 3.12 or later. It only forbids writing to the schema table,
which we never do. Extensions are never loaded: Python disables them by default.
"""

from __future__ import annotations

import os
import re
import sqlite3
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from jido_ai.errors import ConfigurationError, StoreDamagedError, describe
from jido_ai.memory.stores.sqlite.sql import untext
from jido_ai.values import MemoryKind, Scope

_Schema = Mapping[tuple[str, str], tuple[str, tuple[str, ...] | None]]
"""Schema objects by type and name: the object's table, and the tokens of its statement."""

_MOST_ROW: Final = 1 << 62
"""Largest valid row number. Larger ones cannot come from counting, and are near SQLite's limit."""
_SHOWN: Final = 3
_STEPS_PER_CALL: Final = 1_000
_LONGEST_STATEMENT: Final = 100_000
_LONGEST_VALUE: Final = 1_000_000_000
_KINDS: Final = frozenset(kind.value for kind in MemoryKind)
_STATISTICS: Final = {("table", "sqlite_stat1"): ("sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)")}
"""Tables created by `ANALYZE`. They affect the speed of queries only, not their results."""
_HOW_TO_FIX: Final = (
    "it was left untouched. If it came from somebody else, do not use it; if it is yours, fix it with the sqlite3 "
    "program, restore a backup, or move the file away to start with an empty memory"
)


# -- connections -----------------------------------------------------------------------------------


def harden(db: sqlite3.Connection, *, attached: int = 0) -> sqlite3.Connection:
    """Restrict what the file's schema can do on a connection, and return the connection.

    Args:
        attached: maximum number of attached files; VACUUM needs one.
    """
    db.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, attached)
    if sys.version_info >= (3, 12):
        db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        db.setconfig(sqlite3.SQLITE_DBCONFIG_TRUSTED_SCHEMA, False)
        db.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW, False)
        db.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, False)
        db.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, False)
    db.execute("PRAGMA trusted_schema=OFF").close()
    db.execute("PRAGMA cell_size_check=ON").close()
    return db


@contextmanager
def limited(db: sqlite3.Connection, steps: int, longest: int = _LONGEST_VALUE) -> Generator[None]:
    """Limit statements to `steps` steps of SQLite's virtual machine, and values to `longest` bytes.

    Exceeding a limit raises `sqlite3.Error`.
    """
    calls = iter(range(steps // _STEPS_PER_CALL))
    before = db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)
    db.set_progress_handler(lambda: next(calls, None) is None, _STEPS_PER_CALL)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, before)


# -- the schema ------------------------------------------------------------------------------------


def check_schema(db: sqlite3.Connection, path: Path, scripts: Sequence[str]) -> None:
    """Raise `StoreDamagedError` unless the schema equals the one that `scripts` create, statement by statement."""
    with limited(db, 200_000, _LONGEST_STATEMENT):
        found = _schema_of(db)
    expected = _expected(tuple(scripts))
    allowed = {place: (table, _tokens(sql)) for place, (table, sql) in _STATISTICS.items()}
    names: list[str] = []
    for place in found.keys() | expected.keys():
        here, ours = found.get(place), expected.get(place) or allowed.get(place)
        kind, name = place
        if here != ours:
            is_wrong = "is missing" if here is None else "is unknown" if ours is None else "was changed"
            names.append(f"{kind} {describe(name) if ours is None else name} {is_wrong}")
    if names:
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        shown = "; ".join(name if len(name) <= 100 else name[:99] + "…" for name in sorted(names)[:_SHOWN])
        raise StoreDamagedError(f"{path} has an unexpected schema: {shown}{more}; {_HOW_TO_FIX}")


def statements(script: str) -> Iterator[str]:
    """Split a script into statements; `executescript` would commit the current transaction."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


@lru_cache(maxsize=16)
def _expected(scripts: tuple[str, ...]) -> _Schema:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for script in scripts:
            for statement in statements(script):
                db.execute(statement)
        return _schema_of(db)


def _schema_of(db: sqlite3.Connection) -> _Schema:
    found: dict[tuple[str, str], tuple[str, tuple[str, ...] | None]] = {}
    try:
        rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    except UnicodeDecodeError as error:  # of a damaged byte, in the schema or in SQLite's message about it
        raise sqlite3.DatabaseError("the schema has a damaged byte") from error
    for type, name, table, sql in rows:
        place = (str(type), str(name))
        if place in found:  # a duplicate name hides one of the two
            return found | {(str(type), f"{name} (twice)"): (str(table), ())}
        found[place] = (str(table), _tokens(sql) if isinstance(sql, str) else None if sql is None else ())
    return found


_TOKEN: Final = re.compile(
    r"""(?P<nothing>[ \t\n\f\r]+|--[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[A-Za-z0-9_$.]+|.""",
    re.DOTALL,
)
_QUOTED: Final = frozenset(f'"{name}"' for name in ("entry", "shelf", "removal"))
"""Names that some versions of SQLite quote when they rename a table."""


def _tokens(sql: str) -> tuple[str, ...]:
    """Return the tokens of a statement, without whitespace and comments."""
    found = (match[0] for match in _TOKEN.finditer(sql) if match["nothing"] is None)
    return tuple(token.strip('"') if token in _QUOTED else token for token in found)


# -- the content -----------------------------------------------------------------------------------


def check_content(db: sqlite3.Connection, path: Path) -> None:
    """Raise `StoreDamagedError` if a counter is out of range, or an entry has an unknown scope or kind.

    For files of schema 3 and later, after `check_schema`.
    """
    clocks = db.execute("SELECT row FROM clock LIMIT 2").fetchall()
    if len(clocks) != 1 or not _is_count(clocks[0][0]):
        raise _wrong(path, f"the table clock must have one integer from 0 to {_MOST_ROW}, got {describe(clocks)}")
    for table, column, most in (("entry", "row", clocks[0][0]), ("removal", "number", _MOST_ROW)):
        _check_rows(db, path, table, column, most)
    _check_rows(db, path, "record", "row", _MOST_ROW)
    if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'claim'").fetchone()[0]:  # from schema 4 on
        _check_rows(db, path, "claim", "number", _MOST_ROW)
    for name, newest in db.execute(
        "SELECT name, seq FROM sqlite_sequence WHERE name IN ('removal', 'record', 'claim')"
    ):
        if not _is_count(newest):
            raise _wrong(path, f"the counter of {name} is {describe(newest)}")
    known = {_named(path, *columns) for columns in db.execute("SELECT number, tenant, project FROM scope")}
    for scope, kind, _ in _counted(db):
        if scope not in known:
            raise _wrong(path, f"entries have the unknown scope {describe(scope)}")
        if kind not in _KINDS:
            raise _wrong(path, f"entries have the unknown kind {describe(kind)}")


def _named(path: Path, number: int, tenant: object, project: object) -> int:
    try:
        Scope(untext(tenant), untext(project))
    except (ConfigurationError, StoreDamagedError) as error:
        raise _wrong(path, f"scope {number} has an invalid name: {error}") from error
    return number


def _check_rows(db: sqlite3.Connection, path: Path, table: str, column: str, most: int) -> None:
    first, last = (db.execute(f"SELECT {end}({column}) FROM {table}").fetchone()[0] for end in ("min", "max"))
    if first is not None and not (first >= 1 and last <= most):
        raise _wrong(path, f"the rows of {table} must be in 1 to {most}, got {first} to {last}")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= _MOST_ROW


def _wrong(path: Path, what: str) -> StoreDamagedError:
    return StoreDamagedError(f"{path} is damaged: {what}; {_HOW_TO_FIX}")


def _counted(db: sqlite3.Connection) -> list[tuple[Any, Any, int]]:
    return db.execute("SELECT scope, kind, count(*) FROM entry GROUP BY scope, kind").fetchall()


def recount(db: sqlite3.Connection) -> None:
    """Recompute the number of entries per scope and kind if the stored counts are wrong."""
    if _is_counted_right(db):
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        if not _is_counted_right(db):  # another process may have done it meanwhile
            db.execute("DELETE FROM shelf")
            db.execute("INSERT INTO shelf SELECT scope, kind, count(*) FROM entry GROUP BY scope, kind")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _is_counted_right(db: sqlite3.Connection) -> bool:
    both = db.execute(  # one statement, so that both counts see the same state
        "SELECT 0, scope, kind, entries FROM shelf WHERE entries IS NOT 0 "
        "UNION ALL SELECT 1, scope, kind, count(*) FROM entry GROUP BY scope, kind"
    ).fetchall()
    noted, counted = ({row[1:] for row in both if row[0] == side} for side in (0, 1))
    return noted == counted and all(type(entries) is int for *_, entries in noted)


# -- journals --------------------------------------------------------------------------------------

_JOURNAL_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_PAGES_BEFORE: Final = slice(16, 20)


def beside(path: Path, suffix: str) -> Path:
    """Return the path of SQLite's "-journal", "-wal" or "-shm" file: next to the real file if the path is a link."""
    real = path.resolve()
    return real.with_name(real.name + suffix)


def leftover_of(path: Path) -> tuple[Path | None, bool]:
    """Return the journal or WAL that SQLite may apply when it opens the file, if this must be tried on a copy first.

    None if there is none, if SQLite would discard it, or for a WAL that a process may be using. The flag is True for a
    journal that truncates the file to zero pages, which remains when the creation of a new file was interrupted.

    Raises:
        StoreDamagedError: the journal names another file, which SQLite might delete.
        OSError: the journal cannot be read.
    """
    journal, wal = beside(path, "-journal"), beside(path, "-wal")
    try:
        with open(journal, "rb", opener=_open_at_once) as file:
            head = file.read(28)
            file.seek(max(0, os.fstat(file.fileno()).st_size - 8))
            tail = file.read(8)
    except FileNotFoundError:
        head = tail = b""
    if len(head) == 28 and tail == _JOURNAL_MAGIC:
        raise StoreDamagedError(f"{journal} is not a valid journal: it names another file; {_HOW_TO_FIX}")
    if len(head) == 28 and head.startswith(_JOURNAL_MAGIC):
        return journal, int.from_bytes(head[_PAGES_BEFORE], "big") == 0
    has_wal = wal.exists() and wal.stat().st_size > 0
    return (wal if has_wal and not beside(path, "-shm").exists() else None), False


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would block until it has a writer
