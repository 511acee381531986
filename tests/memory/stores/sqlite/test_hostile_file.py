"""SQLite files that somebody manipulated: each is refused, and left as it was, or answered right; none hangs.

A project may bring its memory along: what opens it must not do what its schema says.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

import jido_ai.memory.stores.sqlite.file as file_module
from jido_ai.errors import JidoError, NotFoundError, StoreDamagedError, StoreError, StoreVersionError
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.files import backup_file, vacuum_file
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.sqlite.file import APPLICATION_ID, SCHEMA_VERSION
from jido_ai.memory.stores.sqlite.guard import statements
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.values import MemoryEntry, MemoryQuery, Scope
from jido_ai.values.record import Record

OURS, THEIRS = Scope("ours", "p"), Scope("theirs", "p")
SECRET = "the secret of another tenant"
STEPS_FOR_EVER = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture(scope="session")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of two tenants that nobody manipulated."""
    path = tmp_path_factory.mktemp("honest") / "memory.db"

    async def fill() -> None:
        async with ReflexionMemory(path) as memory:
            for n in range(6):
                kind = "semantic" if n % 2 else "episodic"
                about = {"kind": kind, "id": f"ours-{n}", "domain": "dates", "agent_id": "a"}
                await memory.store(MemoryEntry(f"parse date {n}", correction=f"lesson {n}", scope=OURS, **about))
                about = {"kind": kind, "id": f"theirs-{n}", "domain": "dates", "agent_id": "a"}
                await memory.store(MemoryEntry(f"{SECRET} date {n}", correction=f"no {n}", scope=THEIRS, **about))
            await memory.forget("ours-5")
            for scope in (OURS, THEIRS):
                data = {"prompt": SECRET if scope == THEIRS else "parse", "n": 1}
                await memory.append([Record(log="journal", key="run", kind="started", scope=scope, data=data)])

    asyncio.run(fill())
    return path


@pytest.fixture
def path(honest: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(honest, tmp_path / "memory.db"))


# -- what is done to the files ---------------------------------------------------------------------

Manipulation = Callable[[Path], None]


def sql(*script: str, schema: bool = False) -> Manipulation:
    """Run statements; with `schema` the schema table itself may be written."""

    def work(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            if schema:
                db.execute("PRAGMA writable_schema=ON")
            for statement in script:
                db.execute(statement)

    return work


def edited(table: str, old: str, new: str) -> Manipulation:
    """Change the text of a statement in the schema."""
    change = f"UPDATE sqlite_master SET sql = replace(sql, '{old}', '{new}') WHERE name = '{table}'"
    return sql(change, schema=True)


def head(offset: int, value: bytes) -> Manipulation:
    def work(path: Path) -> None:
        content = bytearray(path.read_bytes())
        content[offset : offset + len(value)] = value
        path.write_bytes(content)

    return work


def body(**fields: object) -> Manipulation:
    """Change fields of the JSON body of one entry of ours."""

    def work(path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            (old,) = db.execute("SELECT body FROM entry WHERE id = 'ours-2'").fetchone()
            new = json.dumps({**json.loads(old), **fields}).encode()
            db.execute("UPDATE entry SET body = ? WHERE id = 'ours-2'", (new,))

    return work


def same_root(path: Path) -> None:
    sql(
        "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'entry') "
        "WHERE name = 'record'",
        schema=True,
    )(path)


def swapped_indexes(path: Path) -> None:
    """Let one index of entries be the tree of another."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema=ON")
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE name LIKE 'entry_a%'"))
        for name, other in (("entry_age", "entry_agent"), ("entry_agent", "entry_age")):
            db.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (roots[other], name))


def index_of_others(path: Path) -> None:
    """Move their entries into our shelf, in the index only: an index may say what the table does not."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema=ON")
        (text,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'entry_age'").fetchone()
        wrong = "CREATE INDEX entry_age ON entry (1, kind)"
        db.execute("DROP INDEX entry_age")
        db.execute(wrong)
        db.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'entry_age'", (text,))


def huge_schema(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        for n in range(5_000):
            db.execute(f"CREATE TABLE t{n} (a, b, c)")
        db.execute("COMMIT")


def long_statement(path: Path) -> None:
    columns = ", ".join(f"c{n} TEXT DEFAULT '{'x' * 1000}'" for n in range(1_000))
    sql(f"CREATE TABLE wide ({columns})")(path)


def planted_wal(path: Path) -> None:
    """Put the manipulation into a WAL beside the file, as a process that was killed leaves one."""
    work = path.with_name("work.db")
    shutil.copyfile(path, work)
    with closing(sqlite3.connect(work, isolation_level=None)) as db:
        db.execute("CREATE TRIGGER spy AFTER INSERT ON entry BEGIN DELETE FROM entry; END")
        shutil.copyfile(work.with_name("work.db-wal"), path.with_name("memory.db-wal"))
    work.unlink()


def planted_journal(path: Path) -> None:
    """Put a rollback journal beside the file that brings a trigger back."""
    good, work = path.read_bytes(), path.with_name("work.db")
    work.write_bytes(good)
    with closing(sqlite3.connect(work, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("CREATE TRIGGER spy AFTER INSERT ON entry BEGIN DELETE FROM entry; END")
        db.execute("PRAGMA cache_size=1")
        db.execute("PRAGMA cache_spill=1")
        db.execute("BEGIN")
        db.execute("DROP TRIGGER spy")
        db.execute("CREATE TABLE filler (a)")
        db.execute(
            "INSERT INTO filler WITH n(x) AS (SELECT 1 UNION ALL "
            "SELECT x+1 FROM n LIMIT 99) SELECT zeroblob(4096) FROM n"
        )
        shutil.copyfile(work.with_name("work.db-journal"), path.with_name("memory.db-journal"))
        shutil.copyfile(work, path)
        db.execute("ROLLBACK")
    work.unlink()


def journal_that_names_a_file(path: Path) -> None:
    """Put a journal beside the file that belongs to a larger one, which SQLite removes when it is done."""
    planted_journal(path)
    victim = path.with_name("victim.txt")
    victim.write_text("mine")
    name = str(victim).encode()
    journal = path.with_name("memory.db-journal")
    page = (1 << 30) // 4096 + 1
    tail = name + len(name).to_bytes(4, "big") + (sum(name) & 0xFFFFFFFF).to_bytes(4, "big")
    magic = bytes.fromhex("d9d505f920a163d7")
    journal.write_bytes(journal.read_bytes() + page.to_bytes(4, "big") + tail + magic)


def attached(path: Path) -> None:
    other = path.with_name("other.db")
    sql("CREATE TABLE theirs (a)")(other)
    sql(f"CREATE VIEW spy AS SELECT * FROM entry; -- {other}")(path)
    other.unlink()


def older(version: int, *script: str) -> Manipulation:
    """Make a file of an older schema, with an entry, and manipulate that."""

    def work(path: Path) -> None:
        path.unlink()
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for one in file_module._MIGRATIONS[:version]:
                for statement in statements(one):
                    db.execute(statement)
            db.execute(f"PRAGMA application_id={APPLICATION_ID}")
            db.execute(f"PRAGMA user_version={version}")
            db.execute(
                "INSERT INTO entry (tenant, project, id, kind, prompt, body) VALUES ('ours', 'p', 'x', ?, 'p', ?)",
                ("episodic", MemoryEntry("", id="x").model_dump_json(exclude={"prompt", "scope"}).encode()),
            )
            for statement in script:
                db.execute(statement)

    return work


def utf16(path: Path) -> None:
    """Write the same database in UTF-16."""
    with closing(sqlite3.connect(path)) as db:
        script = [line for line in db.iterdump() if "sqlite_sequence" not in line]
        rows = db.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
    path.unlink()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA encoding='UTF-16le'")
        db.executescript("\n".join(script))
        db.execute("DELETE FROM sqlite_sequence")
        db.executemany("INSERT INTO sqlite_sequence VALUES (?, ?)", rows)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")


def cycle(path: Path) -> None:
    """Let an inner page of the table of entries be its own child."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for n in range(300):
            db.execute(
                "INSERT INTO entry (row, scope, id, kind, prompt, body) VALUES (?, 1, ?, 'episodic', ?, '{}')",
                (100 + n, f"filler {n}", "x" * 900),
            )
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entry'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    content = bytearray(path.read_bytes())
    page = size * (root - 1)
    assert content[page] == 5  # an inner page of a table
    cells = int.from_bytes(content[page + 3 : page + 5], "big")
    for n in range(cells):
        cell = int.from_bytes(content[page + 12 + 2 * n : page + 14 + 2 * n], "big")
        content[page + cell : page + cell + 4] = root.to_bytes(4, "big")
    path.write_bytes(content)


def fan(path: Path) -> None:
    """Let all pages of the schema lead to each other, many times: read to the end, it never ends."""
    huge_schema(path)
    content = bytearray(path.read_bytes())
    assert content[100] == 5
    cells = int.from_bytes(content[103:105], "big")
    for n in range(cells):
        cell = int.from_bytes(content[112 + 2 * n : 114 + 2 * n], "big")
        content[cell : cell + 4] = content[108:112]
    path.write_bytes(content)


def huge_value(path: Path) -> None:
    """Let the first row of the schema say that it is 900 MB long."""
    content = path.read_bytes()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema=ON")
        db.execute("UPDATE sqlite_master SET sql = sql || ' --' || hex(zeroblob(200000)) WHERE name = 'record'")
    assert path.read_bytes() != content


ENTRY = "CREATE TABLE entry2 AS SELECT * FROM entry"
SCHEMA: dict[str, Manipulation] = {
    # triggers
    "a trigger that deletes": sql("CREATE TRIGGER spy AFTER INSERT ON entry BEGIN DELETE FROM entry; END"),
    "a trigger that leaks": sql(
        "CREATE TRIGGER spy AFTER INSERT ON record BEGIN UPDATE entry SET scope = 1; END",
    ),
    "a trigger before an update": sql(
        "CREATE TRIGGER spy BEFORE UPDATE ON clock BEGIN UPDATE entry SET prompt = 'x'; END"
    ),
    "a trigger that never ends": sql(
        f"CREATE TRIGGER spy AFTER INSERT ON entry BEGIN DELETE FROM removal WHERE number = ({STEPS_FOR_EVER}); END"
    ),
    "a trigger in the place of ours": sql(
        "DROP TRIGGER entry_went",
        "CREATE TRIGGER entry_went AFTER DELETE ON entry BEGIN DELETE FROM entry; END",
    ),
    "our trigger with one more statement": edited("entry_went", "END", "DELETE FROM record; END"),
    "our trigger on another table": sql(
        "DROP TRIGGER entry_went", "CREATE TRIGGER entry_went AFTER DELETE ON record BEGIN SELECT 1; END"
    ),
    "no trigger": sql("DROP TRIGGER entry_went"),
    "a trigger that ignores": sql("CREATE TRIGGER spy BEFORE INSERT ON entry BEGIN SELECT raise(IGNORE); END"),
    # views
    "one more view": sql("CREATE VIEW spy AS SELECT * FROM entry"),
    "a view in the place of the entries": sql(ENTRY, "DROP TABLE entry", "CREATE VIEW entry AS SELECT * FROM entry2"),
    "a view of endless rows": sql(
        "DROP TABLE shelf",
        f"CREATE VIEW shelf (scope, kind, entries) AS SELECT 1, 'episodic', ({STEPS_FOR_EVER})",
    ),
    "a view in the place of the clock": sql("DROP TABLE clock", f"CREATE VIEW clock (row) AS {STEPS_FOR_EVER}"),
    "a view of all tenants in the place of scopes": sql(
        "CREATE TABLE scope2 AS SELECT * FROM scope",
        "DROP TABLE scope",
        "CREATE VIEW scope AS SELECT number, 'ours' AS tenant, 'p' AS project FROM scope2",
    ),
    # columns
    "a generated column": sql(
        "ALTER TABLE entry ADD COLUMN spy TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000))) VIRTUAL"
    ),
    "a column more": sql("ALTER TABLE entry ADD COLUMN spy TEXT"),
    "a column less": sql("DROP INDEX entry_domain", "ALTER TABLE entry DROP COLUMN domain"),
    "a column renamed": sql("ALTER TABLE entry RENAME COLUMN prompt TO question"),
    "a default for a column": edited("entry", "lesson TEXT", "lesson TEXT DEFAULT (randomblob(10))"),
    "a column of another type": edited("clock", "row INTEGER", "row TEXT"),
    "a column that may be null": edited("entry", "prompt TEXT NOT NULL", "prompt TEXT"),
    "a column that is quoted into another type": edited("entry", "prompt TEXT NOT NULL", 'prompt TEXT "NOT" NULL'),
    "a collation of its making": edited("scope", "tenant TEXT NOT NULL", "tenant TEXT COLLATE spy NOT NULL"),
    "a collation that takes tenants for one": edited(
        "scope", "tenant TEXT NOT NULL", "tenant TEXT COLLATE NOCASE NOT NULL"
    ),
    "generated scopes": edited("entry", "domain TEXT", "domain TEXT AS (prompt)"),
    # constraints
    "a check": edited("entry", "prompt TEXT NOT NULL", "prompt TEXT NOT NULL CHECK (length(prompt) < 10)"),
    "a check that takes long": edited(
        "entry", "prompt TEXT NOT NULL", "prompt TEXT NOT NULL CHECK (hex(randomblob(100000000)) <> '')"
    ),
    "a unique constraint": sql("CREATE UNIQUE INDEX spy ON record (log, tenant, kind, data)"),
    "a foreign key": edited("entry", "session_id TEXT", "session_id TEXT REFERENCES scope ON DELETE CASCADE"),
    "another conflict rule": edited("entry", "INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY ON CONFLICT REPLACE"),
    "strict tables": edited("clock", "(row INTEGER NOT NULL)", "(row INTEGER NOT NULL) STRICT"),
    # virtual tables, indexes
    "a virtual table": sql("CREATE VIRTUAL TABLE spy USING fts5(a)"),
    "a virtual table of no module": sql(
        "INSERT INTO sqlite_master VALUES ('table', 'spy', 'spy', 0, 'CREATE VIRTUAL TABLE spy USING nothing(a)')",
        schema=True,
    ),
    "a virtual table in the place of records": sql(
        "DROP TABLE record", "CREATE VIRTUAL TABLE record USING rtree(row, a, b)"
    ),
    "an index more": sql("CREATE INDEX spy ON entry (prompt)"),
    "an index of an expression": sql("CREATE INDEX spy ON entry (json_extract(CAST(body AS TEXT), '$.id'))"),
    "an index of an expression that takes long": sql("CREATE INDEX spy ON scope (length(hex(zeroblob(50000000))))"),
    "a partial index in the place of ours": sql(
        "DROP INDEX entry_age", "CREATE INDEX entry_age ON entry (scope, kind) WHERE scope = 1"
    ),
    "an index less": sql("DROP INDEX record_key"),
    "an index that is not unique": sql("DROP INDEX entry_id", "CREATE INDEX entry_id ON entry (id, scope)"),
    "an index the other way round": sql("DROP INDEX entry_age", "CREATE INDEX entry_age ON entry (kind, scope)"),
    # tables
    "a table more": sql("CREATE TABLE theirs (a)"),
    "a table less": sql("DROP TABLE record"),
    "a table of a name like ours": sql('CREATE TABLE "entry " (a)'),
    "tables without end": huge_schema,
    "a statement of a megabyte": long_statement,
    "a statement that says it is huge": huge_value,
    "a table twice": sql(
        "INSERT INTO sqlite_master SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE name = 'clock'",
        schema=True,
    ),
    "a schema row of wrong types": sql("INSERT INTO sqlite_master VALUES (1, 2, 3, 4, 5)", schema=True),
    "a schema row of nulls": sql("INSERT INTO sqlite_master VALUES (NULL, NULL, NULL, NULL, NULL)", schema=True),
    "a statement that is no SQL": edited("clock", "CREATE TABLE", "CREATE NONSENSE"),
    "a statement with a NUL": sql(
        "UPDATE sqlite_master SET sql = sql || char(0) || ' spy' WHERE name = 'clock'", schema=True
    ),
    "two tables in one tree": same_root,
    "two indexes that changed places": swapped_indexes,
    "an index that says what its table does not": index_of_others,
    "statistics of its making": sql(
        "ANALYZE",
        "DROP TABLE sqlite_stat1",
        "CREATE TABLE stat (tbl, idx, stat, more)",
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_master SET name = 'sqlite_stat1', tbl_name = 'sqlite_stat1', "
        "sql = 'CREATE TABLE sqlite_stat1(tbl,idx,stat,more)' WHERE name = 'stat'",
    ),
    "what was attached": attached,
    # the head
    "the number of another program": sql("PRAGMA application_id=1"),
    "a newer schema": sql(f"PRAGMA user_version={SCHEMA_VERSION + 1}"),
    "an older schema than it has": sql("PRAGMA user_version=1"),
    "no schema, it says": sql("PRAGMA user_version=0"),
    "a schema below none": sql("PRAGMA user_version=-1"),
    "a page size of none": head(16, b"\0\3"),
    "a format of the future": head(18, b"\7\7"),
    "a size of its making": head(28, b"\xff\xff\xff\xff\0\0\0\1"),
    # pages
    "a page that is its own child": cycle,
    "pages of the schema that lead to each other": fan,
    # counters
    "a clock of text": sql("UPDATE clock SET row = 'late'"),
    "a clock that cannot go on": sql(f"UPDATE clock SET row = {2**63 - 1}"),
    "a clock below the entries": sql("UPDATE clock SET row = 1"),
    "a negative clock": sql("UPDATE clock SET row = -5"),
    "a clock that is a fraction": sql("UPDATE clock SET row = 1e300"),
    "two clocks": sql("INSERT INTO clock VALUES (7)"),
    "no clock": sql("DELETE FROM clock"),
    "an entry in a row of minus one": sql("UPDATE entry SET row = -1 WHERE id = 'ours-2'"),
    "an entry in the last row there is": sql(f"UPDATE entry SET row = {2**63 - 1} WHERE id = 'ours-2'"),
    "a record in the last row there is": sql(f"UPDATE record SET row = {2**63 - 1} WHERE row = 1"),
    "a removal that cannot be followed": sql(f"UPDATE removal SET number = {2**63 - 1}"),
    "a sequence that cannot go on": sql(f"UPDATE sqlite_sequence SET seq = {2**63 - 1} WHERE name = 'removal'"),
    "a sequence of text": sql("UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'record'"),
    # what is referred to
    "entries of no scope": sql("DELETE FROM scope WHERE tenant = 'ours'"),
    "entries of a kind that is none": sql("UPDATE entry SET kind = 'spy' WHERE id = 'ours-2'"),
    "a tenant of bytes": sql("UPDATE scope SET tenant = CAST('other' AS BLOB) WHERE tenant = 'ours'"),
    "a tenant without a name": sql("UPDATE scope SET tenant = '' WHERE tenant = 'ours'"),
    # what lies beside
    "a WAL": planted_wal,
    "a journal": planted_journal,
    "a journal that names another file": journal_that_names_a_file,
    "a trigger in a file of the first schema": older(
        1, "CREATE TRIGGER spy AFTER INSERT ON entry BEGIN DELETE FROM entry; END"
    ),
    "a view in a file of the second schema": older(2, "CREATE VIEW spy AS SELECT 1"),
    "a table of the third schema in a file of the second": older(2, "CREATE TABLE clock (row INTEGER NOT NULL)"),
}
"""What is refused when it is opened."""

CONTENT_OF_OLD: dict[str, Manipulation] = {
    "a sequence of the first schema that cannot go on": older(1, f"UPDATE sqlite_sequence SET seq = {2**63 - 1}"),
    "a sequence of text in the second schema": older(2, "UPDATE sqlite_sequence SET seq = 'x'"),
    "a kind of the second schema that is none": older(2, "UPDATE entry SET kind = 'spy'"),
    "a tenant of the second schema without a name": older(2, "UPDATE entry SET tenant = ''"),
    "a row of the first schema below all": older(1, "UPDATE entry SET row = -1"),
}
"""What is refused when it is brought up to date."""

ROWS: dict[str, Manipulation] = {
    "a prompt that is a number": sql("UPDATE entry SET prompt = x'31' WHERE id = 'ours-2'"),
    "a prompt that is no UTF-8": sql("UPDATE entry SET prompt = CAST(x'ff' AS TEXT) WHERE id = 'ours-2'"),
    "a prompt of wrong bytes": sql("UPDATE entry SET prompt = x'ff' WHERE id = 'ours-2'"),
    "an id of bytes": sql("UPDATE entry SET id = CAST(id AS BLOB) WHERE id = 'ours-2'"),
    "another id than the body's": sql("UPDATE entry SET id = 'spy' WHERE id = 'ours-2'"),
    "another kind than the body's": sql("UPDATE entry SET kind = 'meta' WHERE id = 'ours-2'"),
    "another agent than the body's": sql("UPDATE entry SET agent_id = 'spy' WHERE id = 'ours-2'"),
    "a domain of bytes": sql("UPDATE entry SET domain = x'00' WHERE id = 'ours-2'"),
    "a body of text": sql("UPDATE entry SET body = CAST(body AS TEXT) WHERE id = 'ours-2'"),
    "a body that is a number": sql("UPDATE entry SET body = 7 WHERE id = 'ours-2'"),
    "a body that is no JSON": sql("UPDATE entry SET body = x'7b' WHERE id = 'ours-2'"),
    "a body that is empty": sql("UPDATE entry SET body = x'' WHERE id = 'ours-2'"),
    "a body that is a list": sql("UPDATE entry SET body = CAST('[1]' AS BLOB) WHERE id = 'ours-2'"),
    "a body that is null": sql("UPDATE entry SET body = CAST('null' AS BLOB) WHERE id = 'ours-2'"),
    "a body of brackets": sql(
        "UPDATE entry SET body = CAST(replace(hex(zeroblob(50000)), '00', '[[') AS BLOB) WHERE id = 'ours-2'"
    ),
    "a body with a huge number": sql(
        "UPDATE entry SET body = CAST('{\"frequency\":' || replace(hex(zeroblob(5000)), '00', '99') || '}' AS BLOB) "
        "WHERE id = 'ours-2'"
    ),
    "a body of an unknown field": body(spy=1),
    "a body with a wrong time": body(timestamp="yesterday"),
    "a body with a time beyond all": body(timestamp="99999-01-01T00:00:00+00:00"),
    "a body with a negative count": body(use_count=-1),
    "a body with an importance of two": body(importance=2.0),
    "a body with metadata of a list": body(metadata=[1]),
    "a body with tags of numbers": body(tags=[1, 2]),
    "a record of text": sql("UPDATE record SET data = CAST(data AS TEXT) WHERE tenant = 'ours'"),
    "a record that is a list": sql("UPDATE record SET data = CAST('[]' AS BLOB) WHERE tenant = 'ours'"),
    "a record of no JSON": sql("UPDATE record SET data = x'ff' WHERE tenant = 'ours'"),
    "a record of brackets": sql(
        "UPDATE record SET data = CAST(replace(hex(zeroblob(50000)), '00', '[[') AS BLOB) WHERE tenant = 'ours'"
    ),
    "a record of a time of text": sql("UPDATE record SET time = 'late' WHERE tenant = 'ours'"),
    "a record of a time beyond all": sql(f"UPDATE record SET time = {2**62} WHERE tenant = 'ours'"),
    "a record of a fraction of a time": sql("UPDATE record SET time = 1.5 WHERE tenant = 'ours'"),
    "a record of a key of bytes": sql("UPDATE record SET key = CAST(key AS BLOB) WHERE tenant = 'ours'"),
    "a record of a kind that is no UTF-8": sql("UPDATE record SET kind = CAST(x'ff' AS TEXT) WHERE tenant = 'ours'"),
}
"""What is refused when it is read."""

HARMLESS: dict[str, Manipulation] = {
    "nothing": sql(),
    "shelves that count wrong": sql("UPDATE shelf SET entries = 1000000"),
    "shelves that count below none": sql("UPDATE shelf SET entries = -3"),
    "shelves of text": sql("UPDATE shelf SET entries = 'many'"),
    "no shelves": sql("DELETE FROM shelf"),
    "shelves of nobody": sql("INSERT INTO shelf VALUES (77, 'spy', 5)"),
    "no sequences": sql("DELETE FROM sqlite_sequence"),
    "a sequence of nothing": sql("INSERT INTO sqlite_sequence VALUES ('spy', 'x')"),
    "a sequence twice": sql("INSERT INTO sqlite_sequence VALUES ('record', 0)"),
    "statistics": sql("ANALYZE"),
    "statistics that are wrong": sql(
        "ANALYZE",
        "UPDATE sqlite_stat1 SET stat = '1 1000000 1000000'",
        "INSERT INTO sqlite_stat1 VALUES ('entry', 'spy', 'x'), (NULL, 7, NULL), ('entry', NULL, '-5')",
    ),
    "removals of nobody": sql("INSERT INTO removal (scope, row) VALUES (99, 1)"),
    "a clock that is ahead": sql("UPDATE clock SET row = 1000000"),
    "another page size": sql("PRAGMA journal_mode=DELETE", "PRAGMA page_size=512", "VACUUM"),
    "another text encoding": utf16,
    "a rollback journal in use": sql("PRAGMA journal_mode=DELETE"),
    "comments in the schema": edited("clock", "(row", "/* a clock */ (row"),
    "room for what was removed": sql("PRAGMA auto_vacuum=FULL", "VACUUM"),
}


# -- what comes of them ----------------------------------------------------------------------------


@dataclass
class Probe:
    """What a memory says when it is asked everything."""

    refused: list[StoreError]
    seen: str

    @classmethod
    async def of(cls, path: Path) -> Probe:
        probe = cls([], "")
        async with ReflexionMemory(path, timeout_s=20) as memory:
            journal = RunJournal(memory)
            for ask in (
                lambda: memory.count(OURS),
                lambda: memory.list_entries(OURS),
                lambda: memory.query(MemoryQuery(scope=OURS, k=100)),
                lambda: memory.query(MemoryQuery(scope=OURS, agent_id="a", k=100)),
                lambda: memory.query(MemoryQuery(scope=OURS, domain="dates", kinds=("episodic",), k=100)),
                lambda: memory.query(MemoryQuery("parse date 2", scope=OURS, min_similarity=0.0, k=100)),
                lambda: memory.retrieve_similar("parse date 2", max_results=100, threshold=0.0, scope=OURS),
                lambda: memory.get("ours-2", scope=OURS),
                lambda: memory.records("journal", scope=OURS),
                lambda: memory.records("journal", scope=OURS, key="run"),
                lambda: memory.summaries("journal", scope=OURS),
                lambda: journal.list(OURS),
                lambda: memory.store(MemoryEntry("new", scope=OURS)),
                lambda: memory.store(MemoryEntry("new lesson", correction="Lesson 3", kind="semantic", scope=OURS)),
                lambda: memory.store(MemoryEntry(f"{SECRET}, newer", correction="new", scope=THEIRS)),
                lambda: memory.list_entries(OURS),
                lambda: memory.record_usage("ours-0", success=True, scope=OURS),
                lambda: memory.append([Record(log="journal", key="run", kind="x", scope=OURS, data={})]),
                lambda: memory.forget("ours-4", scope=OURS),
                lambda: memory.count(OURS),
                lambda: memory.drop_records("journal", scope=OURS),
            ):
                try:
                    with suppress(NotFoundError):
                        probe.seen += f"{await ask()}\n"
                except StoreError as error:
                    probe.refused.append(error)
        return probe


def files(path: Path) -> dict[str, bytes]:
    """Return what lies there. The index of a WAL is no content: SQLite makes it anew."""
    return {one.name: one.read_bytes() for one in path.parent.iterdir() if not one.name.endswith("-shm")}


@pytest.mark.parametrize("name", SCHEMA)
async def test_a_manipulated_file_is_refused_and_left_as_it_was(path: Path, name: str) -> None:
    SCHEMA[name](path)
    before = files(path)
    for attempt in (
        lambda: Probe.of(path),
        lambda: asyncio.to_thread(vacuum_file, path),
        lambda: asyncio.to_thread(backup_file, path, path.with_name("copy.db"), lambda done, of: None),
    ):
        with pytest.raises((StoreDamagedError, StoreVersionError)) as refusal:
            await attempt()
        assert "left untouched" in str(refusal.value) or "choose another file" in str(refusal.value)
        assert len(str(refusal.value)) < 1500
        assert files(path) == before


@pytest.mark.parametrize("name", CONTENT_OF_OLD)
async def test_a_damaged_old_file_is_rejected_before_its_migration(path: Path, name: str) -> None:
    CONTENT_OF_OLD[name](path)
    before = files(path)
    with pytest.raises(StoreDamagedError, match="left untouched"):
        await Probe.of(path)
    assert files(path) == before


@pytest.mark.parametrize("name", ROWS)
async def test_a_wrong_row_is_refused_where_it_is_read_and_nothing_else_comes_out(path: Path, name: str) -> None:
    ROWS[name](path)
    probe = await Probe.of(path)
    assert any(isinstance(error, StoreDamagedError) for error in probe.refused)
    assert all(type(error) is StoreDamagedError for error in probe.refused), probe.refused
    assert SECRET not in probe.seen.replace(f"{SECRET}, newer", "")
    assert len(probe.refused) < 21  # what has nothing to do with the row goes on


@pytest.mark.parametrize("name", HARMLESS)
async def test_harmless_changes_of_the_schema_give_right_answers(honest: Path, path: Path, name: str) -> None:
    HARMLESS[name](path)
    store = SQLiteStore(path)
    await store.open()
    try:
        assert await store.count(OURS) == 5
        assert await store.count() == 11
        found = [stored.entry for stored in await store.select(OURS)]
        assert [entry.id for entry in found] == [f"ours-{n}" for n in (4, 3, 2, 1, 0)]
        assert [stored.entry.id for stored in await store.select(OURS, where=MemoryQuery(agent_id="a"))] == [
            entry.id for entry in found
        ]
        (record,) = await store.records("journal", scope=OURS)
        assert record.data["prompt"] == "parse"
        await store.add(MemoryEntry("new", scope=OURS), max_entries=3)
        assert await store.count(OURS) == 5  # three episodic ones at most, and two lessons
        await store.append([Record(log="journal", key="new", scope=OURS, data={}, timestamp=datetime.now(UTC))])
        assert [record.key for record in await store.records("journal", scope=OURS)] == ["run", "new"]
        assert await store.clear(OURS) == 5
        assert await store.count() == 6
    finally:
        await store.close()
    probe = await Probe.of(path)
    assert not [error for error in probe.refused if isinstance(error, StoreDamagedError)]
    assert SECRET not in probe.seen.replace(f"{SECRET}, newer", "")


def test_every_kind_of_manipulated_file_is_tried() -> None:
    assert len(SCHEMA) + len(ROWS) + len(HARMLESS) >= 120


async def test_a_journal_that_names_another_file_does_not_delete_it(path: Path) -> None:
    journal_that_names_a_file(path)
    with pytest.raises(JidoError):
        await SQLiteStore(path).open()
    assert path.with_name("victim.txt").read_text() == "mine"
