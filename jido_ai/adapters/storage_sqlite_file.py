"""The file of the SQLite store: how it is opened, what schema it has, and which errors SQLite tells of it.

The file carries our application id and the number of its schema. `inspect_file` refuses a file of somebody else, a
damaged or a newer one before anything is written. Another table is one more entry of `_MIGRATIONS`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from jido_ai.adapters.storage_sqlite_sql import one
from jido_ai.errors import (
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)

__all__ = ["Home", "caused", "connect", "inspect_file", "prepare", "translate", "translated"]

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

_TRIES_FOR_WAL: Final = 100


def connect(path: Path, mode: str, busy_timeout_s: float, options: str = "") -> sqlite3.Connection:
    """Open the file, in a mode of SQLite's addresses ("ro", "rwc")."""
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
    with closing(connect(path, "ro", 5.0, "&immutable=1" if is_alone else "")) as db:
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


def prepare(db: sqlite3.Connection, *, max_bytes: int | None) -> None:
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


@dataclass(frozen=True, slots=True)
class Home:
    """Where the file is, and which one it is."""

    path: str
    id: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> Home:
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


# -- errors ----------------------------------------------------------------------------------------


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn what SQLite raises into a `StoreError`."""
    try:
        yield
    except sqlite3.Error as error:
        raise translate(error, path) from error


def caused(error: sqlite3.Error, path: Path) -> StoreError:
    """Return what `translated` would raise, for somebody who waits elsewhere."""
    why = translate(error, path)
    why.__cause__ = error
    return why


def translate(error: sqlite3.Error, path: Path) -> StoreError:
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
