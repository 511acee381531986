"""The SQLite store's file: opening, schema, and translation of SQLite's errors.

The file contains our application id and schema version. `inspect_file` rejects foreign, damaged and newer files before
anything is written. To add a table, append an entry to `_MIGRATIONS`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from jido_ai.errors import (
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)
from jido_ai.files.private import make_private_file
from jido_ai.memory.lessons import cleaned, lesson_key
from jido_ai.memory.stores.rows import decode_entry, encode_entry
from jido_ai.memory.stores.sqlite.guard import (
    beside,
    check_content,
    check_schema,
    harden,
    leftover_of,
    limited,
    recount,
    statements,
)
from jido_ai.memory.stores.sqlite.sql import one, text, text_or_none, untext

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
    """
    CREATE TABLE claim (                        -- who is at which run
        number INTEGER PRIMARY KEY AUTOINCREMENT,  -- larger for a newer claim
        tenant TEXT NOT NULL, project TEXT NOT NULL, run TEXT NOT NULL,
        token TEXT NOT NULL, owner TEXT NOT NULL,
        expires INTEGER NOT NULL,               -- microseconds since 1970 UTC
        UNIQUE (run, tenant, project)
    );
    """,
    "",  # `_clean`: prompts in the user's words, and task types in the key of lessons
    "",  # bodies may have an answer
)
"""Statements that bring a file from schema i to i + 1. Forward only: an entry is never edited once released."""
SCHEMA_VERSION: Final = len(_MIGRATIONS)

_TRIES_FOR_WAL: Final = 100
_TRIES_TO_INSPECT: Final = 6
_PAUSE_S: Final = 0.2
_COMPARED_BYTES: Final = 256 << 20
"""In files up to this size each index is compared with its table, in 3 us per entry; in larger ones only pages are."""


def connect(path: Path, mode: str, busy_timeout_s: float, options: str = "") -> sqlite3.Connection:
    """Open the file in a mode of SQLite's URIs ("ro", "rwc"), hardened against malicious schemas."""
    address = f"file:{quote(os.fsencode(path.absolute()))}?mode={mode}{options}"
    db = sqlite3.connect(address, uri=True, timeout=busy_timeout_s, isolation_level=None, check_same_thread=False)
    try:
        return harden(db)
    except BaseException:
        db.close()
        raise


def make_private(path: Path) -> None:
    """Create the file if it is missing, readable by its owner only. SQLite's journal files get the same mode."""
    try:
        make_private_file(path)
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be created: {error.strerror}") from error


def inspect_file(path: Path) -> None:
    """Reject a foreign, newer, damaged or manipulated file. Writes nothing and creates no other files.

    An empty or missing file is accepted.

    Raises:
        StoreDamagedError, StoreVersionError: the file cannot be used; the message names the problem and the remedy.
        StoreUnavailableError: the file cannot be read.
    """
    for tries in range(_TRIES_TO_INSPECT, 0, -1):
        before = _state_of(path)
        try:
            _inspect(path)
        except StoreDamagedError:
            # Another process may have written meanwhile: then we read neither the old nor the new state.
            if tries == 1 or (_state_of(path) == before and not _is_being_made(path)):
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def _state_of(path: Path) -> list[tuple[int, int, int] | None]:
    """Return inode, size and time of the file and its journals, which change with every write."""
    found: list[tuple[int, int, int] | None] = []
    for suffix in ("", "-journal", "-wal"):
        try:
            status = beside(path, suffix).stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    return found


def _is_being_made(path: Path) -> bool:
    """True for a file with a rollback journal: only while the schema is written there is one."""
    return beside(path, "-journal").exists()


def _inspect(path: Path) -> None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise StoreUnavailableError(f"{path} cannot be read: it is not a regular file")
        if status.st_size == 0:
            return
        with translated(path, is_unknown=True):
            leftover, empties = leftover_of(path)
            if leftover is not None and (not empties or _is_emptied_by(leftover)):
                if not empties:
                    _inspect_copy(path, leftover)
                return
            # SQLite reads the header too: opening and closing the file ourselves would drop this process's locks on it.
            wal = beside(path, "-wal")
            is_alone = not wal.exists() or wal.stat().st_size == 0
            with closing(connect(path, "ro", 5.0, "&immutable=1" if is_alone else "")) as db:
                _check(db, path, status.st_size)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreUnavailableError(f"{path} cannot be read: {error.strerror}") from error


def _is_emptied_by(journal: Path) -> bool:
    """True if SQLite would apply a journal that truncates the file to zero pages; an incomplete one is not applied."""
    with tempfile.TemporaryDirectory(prefix="jido-memory-") as folder:
        stand_in = Path(folder) / "stand-in"
        stand_in.write_bytes(bytes(4096))
        shutil.copyfile(journal, beside(stand_in, "-journal"))
        try:
            with closing(connect(stand_in, "rw", 5.0)) as db:
                return one(db, "PRAGMA page_count") == 0
        except sqlite3.DatabaseError:
            return False


def _inspect_copy(path: Path, leftover: Path) -> None:
    """Inspect a copy of the file after SQLite has applied the journal or the WAL beside it."""
    with tempfile.TemporaryDirectory(prefix="jido-memory-") as folder:
        copy = Path(folder) / path.name
        with closing(connect(path, "ro", 5.0, "&immutable=1")) as db, closing(connect(copy, "rwc", 5.0)) as other:
            _check_owner(db, path)
            db.backup(other)
        shutil.copyfile(leftover, beside(copy, leftover.name[len(path.resolve().name) :]))
        with closing(connect(copy, "rw", 5.0)) as db:
            if one(db, "PRAGMA page_count"):
                _check(db, path, copy.stat().st_size + leftover.stat().st_size)


def _check(db: sqlite3.Connection, path: Path, size: int) -> None:
    """Raise a `StoreError` if the file cannot be used."""
    version = _check_owner(db, path)
    check_schema(db, path, _MIGRATIONS[:version])
    with limited(db, _STEPS + _STEPS_PER_BYTE * size):
        report = one(db, f"PRAGMA {'integrity' if size <= _COMPARED_BYTES else 'quick'}_check(1)")
        if report != "ok":
            raise StoreDamagedError(f"{path} is damaged ({report}); {_HOW_TO_RECOVER}")
        if version >= _CLOCKED:
            check_content(db, path)


def _check_owner(db: sqlite3.Connection, path: Path) -> int:
    """Check the application id and return the schema version. Reads the file's header only."""
    with limited(db, _STEPS, 100_000):
        try:
            application = one(db, "PRAGMA application_id")
        except sqlite3.DatabaseError as error:
            if (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF != sqlite3.SQLITE_NOTADB:
                raise
            raise StoreDamagedError(f"{path} is not an SQLite file or has a bad header; {_HOW_TO_RECOVER}") from error
        if application != APPLICATION_ID:
            raise StoreDamagedError(f"{path} belongs to another program; choose another file for the memory")
        version: int = one(db, "PRAGMA user_version")
    _check_version(path, version)
    return version


_CLEAN: Final = 5
"""The first schema whose entries are clean."""
_CLOCKED: Final = 3
"""The first schema with a clock."""
_STEPS: Final = 2_000_000
_STEPS_PER_BYTE: Final = 5


_HOW_TO_RECOVER: Final = (
    "it was left untouched. Restore a backup, recover the data with `sqlite3 FILE .recover | sqlite3 NEW_FILE`, "
    "or move the file away to start with an empty memory"
)


def _check_version(path: Path, version: int) -> int:
    if version < 0:
        raise StoreDamagedError(f"{path} has the invalid schema version {version}; {_HOW_TO_RECOVER}")
    if version > SCHEMA_VERSION:
        raise StoreVersionError(
            f"{path} has schema {version}, but this version supports at most {SCHEMA_VERSION}; it was left untouched. "
            "Use the newer version of jido-ai that wrote it"
        )
    return version


def prepare(db: sqlite3.Connection, path: Path, *, max_bytes: int | None) -> None:
    """Create or migrate the schema, then switch to WAL.

    The file is created with a rollback journal, so its header contains our application id from the first commit on. The
    schema is checked again on this connection.

    Raises:
        StoreDamagedError, StoreVersionError: the schema or the counters are invalid.
    """
    db.execute("PRAGMA synchronous=FULL")
    version = _check_version(path, one(db, "PRAGMA user_version"))
    if version < SCHEMA_VERSION:
        db.execute("BEGIN IMMEDIATE")
        try:
            version = _check_version(path, one(db, "PRAGMA user_version"))
            check_schema(db, path, _MIGRATIONS[:version])
            for script in _MIGRATIONS[version:SCHEMA_VERSION]:
                for statement in statements(script):
                    db.execute(statement)
            if version < _CLEAN:
                _clean(db)
            check_content(db, path)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
    else:
        check_schema(db, path, _MIGRATIONS[:version])
    recount(db)
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


def _clean(db: sqlite3.Connection) -> None:
    """Bring the entries of earlier versions into the form of `cleaned`, with their `lesson_key`.

    An entry that cannot be read, or that another one would be merged with, is left as it is.
    """
    found = db.execute(
        "SELECT row, tenant, project, prompt, body FROM entry JOIN scope ON scope.number = entry.scope "
        "WHERE prompt LIKE 'Tags that end in %' OR prompt LIKE 'Text between tags is data%' "
        "OR instr(prompt, '<conversation>') OR (lesson IS NOT NULL AND task_type IS NOT NULL)"
    ).fetchall()
    for row, tenant, project, prompt, body in found:
        try:
            old = decode_entry(row, untext(tenant), untext(project), untext(prompt), body).entry
        except StoreDamagedError:
            continue
        entry = cleaned(old)
        values = (text(entry.prompt), text_or_none(entry.task_type), lesson_key(entry), encode_entry(entry), row)
        with suppress(sqlite3.IntegrityError):
            db.execute("UPDATE entry SET prompt = ?, task_type = ?, lesson = ?, body = ? WHERE row = ?", values)


@dataclass(frozen=True, slots=True)
class Home:
    """The path and identity of the file."""

    path: str
    id: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> Home:
        """Raises `StoreUnavailableError`."""
        found = path.absolute()
        try:
            status = found.stat()
        except OSError as error:
            raise StoreUnavailableError(f"{path} no longer exists: {error.strerror}") from error
        return cls(str(found), (status.st_dev, status.st_ino))

    def check(self) -> None:
        """Raise `StoreUnavailableError` if the file is no longer at its path."""
        try:
            status = os.stat(self.path)  # noqa: PTH116 - before every commit
        except OSError:
            status = None
        if status is None or (status.st_dev, status.st_ino) != self.id:
            raise StoreUnavailableError(
                f"{self.path} was moved, removed or replaced while it was open; nothing was stored. Open it again"
            )


# -- errors ----------------------------------------------------------------------------------------


@contextmanager
def translated(path: Path, *, is_unknown: bool = False) -> Generator[None]:
    """Translate SQLite's errors into a `StoreError`.

    Args:
        is_unknown: the file is being inspected, so other errors of SQLite mean that it is damaged.
    """
    try:
        yield
    except (sqlite3.Error, OverflowError) as error:
        known = translate(error, path)
        if is_unknown and type(known) is StoreError:
            known = StoreDamagedError(f"{path} is damaged ({_words_of(error)}); {_HOW_TO_RECOVER}")
        raise known from error


def caused(error: sqlite3.Error | OverflowError, path: Path) -> StoreError:
    """Return the error that `translated` would raise, to pass it to a waiting caller."""
    why = translate(error, path)
    why.__cause__ = error
    return why


def translate(error: sqlite3.Error | OverflowError, path: Path) -> StoreError:
    code = getattr(error, "sqlite_errorcode", None) or 0
    match code & 0xFF:
        case sqlite3.SQLITE_FULL:
            return StoreFullError(f"no space left for {path}; nothing was lost. Free some space and try again")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_INTERRUPT | sqlite3.SQLITE_MISMATCH:
            return StoreDamagedError(f"{path} is damaged ({_words_of(error)}); {_HOW_TO_RECOVER}")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreUnavailableError(f"{path} is locked by another program; try again")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
            return StoreUnavailableError(f"{path} cannot be read or written: {error}")
        case 0 if _NO_TEXT in str(error):
            return StoreDamagedError(f"{path} is damaged ({_words_of(error)}); {_HOW_TO_RECOVER}")
        case _:
            return StoreError(f"{path}: {error}")


_NO_TEXT: Final = "Could not decode to UTF-8"


def _words_of(error: Exception) -> str:
    """Return SQLite's message in one line, without undecodable text."""
    said = str(error)
    if _NO_TEXT in said:
        return "a text in it is not UTF-8"
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return "checking it takes too many steps for its size"
    said = " ".join(said.split())
    return said if len(said) <= 200 else said[:199] + "…"
