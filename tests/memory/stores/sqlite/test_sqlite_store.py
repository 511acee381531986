"""The SQLite file: whose it is, what survives, and how it refuses. The common contract: tests/contracts."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

import jido_ai.memory.stores.sqlite.file as file_module
import jido_ai.memory.stores.sqlite.store as store_module
from jido_ai.errors import (
    ConfigurationError,
    NotFoundError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)
from jido_ai.memory.files import backup_file, vacuum_file
from jido_ai.memory.lessons import lesson_key
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.sqlite import reads
from jido_ai.memory.stores.sqlite.file import APPLICATION_ID, SCHEMA_VERSION
from jido_ai.memory.stores.sqlite.guard import statements
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.values import MemoryEntry, MemoryQuery, Scope
from jido_ai.values.record import Cursor, Record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


async def fill(path: Path, entries: int = 3) -> None:
    async with ReflexionMemory(path) as memory:
        await asyncio.gather(*(memory.store(MemoryEntry(f"entry {n} " + "x" * 500)) for n in range(entries)))


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE theirs (a)")


def no_database(path: Path) -> None:
    path.write_text("# a page of notes\n" * 20)


def short(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0")


def newer(path: Path) -> None:
    asyncio.run(fill(path))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")


def damaged(path: Path) -> None:
    asyncio.run(fill(path, 200))
    content = bytearray(path.read_bytes())
    content[4096 * 20 : 4096 * 24] = b"\xa5" * (4 * 4096)
    path.write_bytes(content)


def without_head(path: Path) -> None:
    asyncio.run(fill(path))
    path.write_bytes(b"garbage garbage!" + path.read_bytes()[16:])


# -- refused and left untouched --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (foreign, StoreDamagedError, "another program"),
        (no_database, StoreDamagedError, "not an SQLite file"),
        (short, StoreDamagedError, "not an SQLite file"),
        (without_head, StoreDamagedError, "backup"),
        (damaged, StoreDamagedError, "recover"),
        (newer, StoreVersionError, f"schema {SCHEMA_VERSION + 1}"),
    ],
)
def test_a_file_that_is_not_ours_to_write_is_refused_and_left_untouched(
    path: Path, make: Callable[[Path], None], error: type[StoreError], says: str
) -> None:
    make(path)
    before = path.read_bytes()

    async def use() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.store(MemoryEntry("p"))

    with pytest.raises(error, match=says):
        asyncio.run(use())
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("make", [foreign, no_database, newer, damaged])
def test_a_foreign_file_is_neither_copied_nor_enlarged(path: Path, make: Callable[[Path], None]) -> None:
    make(path)
    before = path.read_bytes()
    with pytest.raises(StoreError):
        vacuum_file(path)
    with pytest.raises(StoreError):
        backup_file(path, path.with_name("copy.db"), lambda done, of: None)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


async def test_a_missing_folder_and_a_path_that_is_a_folder_are_unavailable(tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "memory.db", tmp_path):
        with pytest.raises(StoreUnavailableError):
            await SQLiteStore(path).open()


async def test_an_empty_file_becomes_ours(path: Path) -> None:
    path.touch()
    await fill(path)
    header = path.read_bytes()[:100]
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID
    assert int.from_bytes(header[60:64], "big") == SCHEMA_VERSION


async def test_the_head_names_us_before_the_first_entry(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    try:
        assert int.from_bytes(path.read_bytes()[68:72], "big") == APPLICATION_ID
    finally:
        await store.close()


@pytest.mark.parametrize("path", ["memory://x", "memory://../x", "sqlite:///x", "file:///x", "a\0b", " ", ":memory:"])
def test_invalid_paths_and_addresses_are_rejected_before_anything_is_opened(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError):
        ReflexionMemory(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["mémoire ü?#%.db", "a b.db"])
async def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    await fill(tmp_path / name)
    assert [file.name for file in tmp_path.iterdir()] == [name]


# -- migrations ------------------------------------------------------------------------------------


async def test_a_file_of_an_older_schema_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(path)
    migrations = (*file_module._MIGRATIONS, "CREATE TABLE ledger (a TEXT);\nINSERT INTO ledger VALUES ('new');")
    monkeypatch.setattr(file_module, "_MIGRATIONS", migrations)
    monkeypatch.setattr(file_module, "SCHEMA_VERSION", len(migrations))
    async with ReflexionMemory(path) as memory:
        assert await memory.count() == 3
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT a FROM ledger").fetchall() == [("new",)]
        assert db.execute("PRAGMA user_version").fetchone() == (len(migrations),)


async def test_a_file_of_the_first_schema_keeps_its_entries_and_gets_the_logs(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements(file_module._MIGRATIONS[0]):
            db.execute(statement)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute("PRAGMA user_version=1")
        db.execute(
            "INSERT INTO entry (tenant, project, id, kind, prompt, body) VALUES ('default', 'default', 'x', ?, ?, ?)",
            ("episodic", "parse a date", MemoryEntry("", id="x").model_dump_json(exclude={"prompt", "scope"}).encode()),
        )
    async with ReflexionMemory(path, max_entries=2) as memory:
        assert (await memory.get("x")).prompt == "parse a date"
        await memory.append([Record(log="journal", key="run", data={})])
        for text in ("two", "three"):
            await memory.store(MemoryEntry(text))
        assert [entry.prompt for entry in await memory.list_entries()] == ["three", "two"]
        assert await memory.count() == 2


@pytest.mark.parametrize("shelves", ["whole", "lost, as after a recovery"])
async def test_a_file_of_the_second_schema_keeps_scopes_lessons_order_and_never_gives_a_row_twice(
    path: Path, shelves: str
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for script in file_module._MIGRATIONS[:2]:
            for statement in statements(script):
                db.execute(statement)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
        db.execute("PRAGMA user_version=2")
        rows = [
            ("a", "x", "episodic", None, None),
            ("b", "x", "episodic", None, "sort"),
            ("a", "y", "semantic", lesson_key(MemoryEntry("q", correction="do", kind="semantic")), None),
            ("a", "z", "episodic", None, None),
        ]
        for tenant, id, kind, lesson, label in rows:
            entry = MemoryEntry("", correction="do", id=id, kind=kind, agent_id=label)
            body = entry.model_dump_json(exclude={"prompt", "scope"})
            db.execute(
                "INSERT INTO entry (tenant, project, id, kind, lesson, agent_id, prompt, body) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (tenant, "p", id, kind, lesson, label, f"prompt {id}", body.encode()),
            )
            db.execute(
                "INSERT INTO shelf VALUES (?, 'p', ?, 1) ON CONFLICT DO UPDATE SET entries = entries + 1",
                (tenant, kind),
            )
        db.execute("DELETE FROM entry WHERE id = 'z'")
        if shelves != "whole":
            db.execute("DELETE FROM shelf")
    one, other = Scope("a", "p"), Scope("b", "p")
    store = SQLiteStore(path)
    await store.open()
    try:
        assert [stored.entry.id for stored in await store.select(one)] == ["y", "x"]
        assert [stored.entry.id for stored in await store.select(None)] == ["y", "x", "x"]
        assert [stored.row for stored in await store.select(other, where=MemoryQuery(agent_id="sort"))] == [2]
        assert (await store.changes(one, Cursor(), 10)).came == [(1, "prompt x"), (3, "prompt y")]
        assert (await store.changes(one, Cursor(), 10)).went == [4]
        merged = await store.add(MemoryEntry("new", correction="Do", kind="semantic", scope=one), max_entries=10)
        assert (merged.id, merged.frequency, await store.count(one)) == ("y", 2, 2)
        assert [stored.row for stored in await store.select(one, limit=1)] == [5]
    finally:
        await store.close()


@pytest.mark.parametrize("is_alone", [True, False])
async def test_a_scope_is_read_in_the_order_of_rows_whatever_the_kinds_and_without_sorting(
    path: Path, is_alone: bool
) -> None:
    store = SQLiteStore(path)
    await store.open()
    try:
        if not is_alone:
            await store.add(MemoryEntry("another", scope=Scope("other")), max_entries=10)
        first = 1 if is_alone else 2
        for index, kind in enumerate(["episodic", "meta", "episodic", "feedback", "meta", "episodic"]):
            await store.add(MemoryEntry(f"entry {index}", kind=kind), max_entries=10)
        rows = [stored.row - first for stored in await store.select(Scope())]
        assert rows == [5, 4, 3, 2, 1, 0]
        assert [stored.row - first for stored in await store.select(Scope(), before=first + 4, limit=2)] == [3, 2]
        assert [row - first for row, _ in (await store.changes(Scope(), Cursor(), 4)).came] == [0, 1, 2, 3]
        assert [stored.row for stored in await store.select(Scope("other"))] == ([] if is_alone else [1])
    finally:
        await store.close()
    with closing(sqlite3.connect(path)) as db:
        source, values = reads._by_row(db, "row, prompt FROM entry", reads.Where().add("row > ?", 0), Scope())
        plan = [line[3] for line in db.execute(f"EXPLAIN QUERY PLAN {source} ORDER BY row LIMIT 4", values)]
        assert sum("entry_age" in line for line in plan) == (0 if is_alone else 3), plan
        assert any("USING INTEGER PRIMARY KEY" in line for line in plan) == is_alone, plan
        assert not any("TEMP B-TREE" in line for line in plan), plan


async def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await fill(path)
    with monkeypatch.context() as patch:
        migrations = (*file_module._MIGRATIONS, "CREATE TABLE half (a TEXT);\nCREATE TABLE entry (a TEXT);")
        patch.setattr(file_module, "_MIGRATIONS", migrations)
        patch.setattr(file_module, "SCHEMA_VERSION", len(migrations))
        with pytest.raises(StoreError):
            await SQLiteStore(path).open()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    async with ReflexionMemory(path) as memory:
        assert await memory.count() == 3


# -- what survives ---------------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.lessons import lesson_key
from jido_ai.values.record import Cursor, Record
from jido_ai.values import MemoryEntry, MemoryQuery, Scope

async def main():
    async with ReflexionMemory(sys.argv[1], max_entries=100_000) as memory:
        async def write(lane):
            n = 0
            while True:
                entry = await memory.store(MemoryEntry(f"lane {lane} entry {n}"))
                print(entry.id, flush=True)
                n += 1
        await asyncio.gather(*map(write, range(64)))

asyncio.run(main())
"""


@pytest.mark.rows("H64")
async def test_kill_9_loses_nothing_that_was_acknowledged(path: Path) -> None:
    acknowledged: list[str] = []
    for _ in range(3):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        acknowledged.extend(writer.stdout.readline().strip() for _ in range(100))
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged.extend(line.strip() for line in writer.stdout if line.endswith("\n"))
        writer.stdout.close()
        writer.wait()
    async with ReflexionMemory(path) as memory:
        stored = {entry.id for entry in await memory.list_entries()}
    assert len(acknowledged) >= 300
    assert set(acknowledged) <= stored


FORGETFUL = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

async def main():
    memory = await ReflexionMemory(sys.argv[1]).__aenter__()
    print((await memory.store(MemoryEntry("never closed"))).id)

asyncio.run(main())
"""


async def test_a_program_that_does_not_close_its_memory_still_ends_and_keeps_its_entries(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORGETFUL, path], capture_output=True, text=True, timeout=150, check=False
    )
    assert done.returncode == 0, done.stderr
    async with ReflexionMemory(path) as memory:
        assert [entry.id for entry in await memory.list_entries()] == [done.stdout.strip()]


OTHER = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.lessons import lesson_key
from jido_ai.values.record import Cursor, Record
from jido_ai.values import MemoryEntry, MemoryQuery, Scope

async def main():
    async with ReflexionMemory(sys.argv[1]) as memory:
        for line in sys.stdin:
            verb, _, text = line.strip().partition(" ")
            if verb == "store":
                print((await memory.store(MemoryEntry(text))).id, flush=True)
            else:
                print(await memory.forget(text), flush=True)

asyncio.run(main())
"""


async def test_a_commit_of_another_process_is_seen_at_the_next_query(path: Path) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", OTHER, str(path)], text=True, **pipes) as other:
        assert other.stdin is not None
        assert other.stdout is not None

        def tell(line: str) -> str:
            print(line, file=other.stdin, flush=True)
            return other.stdout.readline().strip()

        async with ReflexionMemory(path) as memory:
            assert await memory.retrieve_similar("parse date") == []
            for _ in range(3):
                id = tell("store parse date")
                assert [found.entry.id for found in await memory.retrieve_similar("parse date")] == [id]
                await memory.record_usage(id, success=True)
                assert tell(f"forget {id}") == "1"
                assert await memory.retrieve_similar("parse date") == []
                with pytest.raises(NotFoundError):
                    await memory.record_usage(id, success=True)
        other.stdin.close()


async def test_two_stores_made_at_the_same_time_agree_on_the_file(path: Path) -> None:
    stores = [SQLiteStore(path) for _ in range(6)]
    await asyncio.gather(*(store.open() for store in stores))
    try:
        await asyncio.gather(
            *(store.add(MemoryEntry(f"{i} {n}"), max_entries=1000) for i, store in enumerate(stores) for n in range(20))
        )
        assert [await store.count() for store in stores] == [120] * 6
    finally:
        await asyncio.gather(*(store.close() for store in stores))


# -- refused for now -------------------------------------------------------------------------------


async def test_a_full_store_still_reads_and_writes_again_once_there_is_room(path: Path) -> None:
    store = SQLiteStore(path, max_bytes=300_000)
    async with ReflexionMemory(store=store, max_entries=10_000) as memory:
        kept: list[MemoryEntry] = []
        with pytest.raises(StoreFullError, match="no space"):
            while True:
                kept.append(await memory.store(MemoryEntry(f"entry{len(kept)}", correction="z" * 5000)))
        assert await memory.count() == len(kept) > 10
        assert (await memory.retrieve_similar("entry3"))[0].entry == kept[3]
        await memory.forget(*(entry.id for entry in kept[:5]))
        assert await memory.store(MemoryEntry("after", correction="z" * 5000))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=30)
    except OSError:
        pytest.skip("there is no program `mount`")
    if done.returncode != 0:
        pytest.skip("this user may not mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True, timeout=30)


async def test_a_full_disk_is_an_error_until_there_is_room_and_never_stops_reads(tiny_disk: Path) -> None:
    other = tiny_disk / "other"
    other.write_bytes(b"x" * 400_000)
    path = tiny_disk / "memory.db"
    async with ReflexionMemory(path, max_entries=10_000) as memory:
        kept: list[MemoryEntry] = []
        with pytest.raises(StoreFullError, match="no space left"):
            while True:
                kept.append(await memory.store(MemoryEntry(f"entry{len(kept)}", correction="z" * 5000)))
        assert await memory.count() == len(kept) > 5
        assert (await memory.retrieve_similar("entry3"))[0].entry == kept[3]
        with pytest.raises(StoreFullError):
            await memory.append([Record(log="journal", key="run", data={"text": "z" * 500_000})])
        other.unlink()
        kept.append(await memory.store(MemoryEntry("after", correction="z" * 5000)))
        assert await memory.list_entries() == kept[::-1]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_one_too_large_entry_does_not_affect_its_batch(path: Path) -> None:
    store = SQLiteStore(path, max_bytes=300_000)
    await store.open()
    try:
        texts = ["small", "x" * 500_000, "small too"]
        results = await asyncio.gather(
            *(store.add(MemoryEntry(text), max_entries=10) for text in texts), return_exceptions=True
        )
        assert isinstance(results[1], StoreFullError)
        assert [stored.entry.prompt for stored in await store.select()] == ["small too", "small"]
    finally:
        await store.close()


async def test_a_file_locked_by_another_is_unavailable_and_works_again_afterwards(path: Path) -> None:
    store = SQLiteStore(path, busy_timeout_s=0.05)
    await store.open()
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreUnavailableError, match="locked"):
                await store.add(MemoryEntry("p"), max_entries=10)
            assert await store.count() == 0
            other.execute("ROLLBACK")
        await store.add(MemoryEntry("p"), max_entries=10)
        assert await store.count() == 1
    finally:
        await store.close()


async def test_a_closed_store_is_unavailable(path: Path) -> None:
    store = SQLiteStore(path)
    with pytest.raises(StoreUnavailableError, match="not open"):
        await store.count()
    await store.open()
    await store.close()
    with pytest.raises(StoreUnavailableError):
        await store.add(MemoryEntry("p"), max_entries=10)


async def test_calls_made_before_closing_finish(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    writes = [asyncio.ensure_future(store.add(MemoryEntry(str(n)), max_entries=100)) for n in range(20)]
    await asyncio.sleep(0)  # they are queued, none is written
    await store.close()
    assert [entry.prompt for entry in await asyncio.gather(*writes)] == [str(n) for n in range(20)]


async def test_metadata_that_json_cannot_hold_is_a_configuration_error(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    try:
        with pytest.raises(ConfigurationError, match="metadata"):
            await store.add(MemoryEntry("p", metadata={"o": object()}), max_entries=10)
        assert await store.count() == 0
    finally:
        await store.close()


async def test_many_writers_share_few_transactions(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    try:
        with closing(sqlite3.connect(path)) as other:
            versions = set()
            for _ in range(3):
                await asyncio.gather(*(store.add(MemoryEntry("p"), max_entries=1000) for _ in range(100)))
                versions.add(other.execute("PRAGMA data_version").fetchone())
            frames = path.with_name(path.name + "-wal").stat().st_size // 4096
        assert len(versions) == 3
        assert frames < 300  # one transaction an entry would write several pages for each of the 300
    finally:
        await store.close()


async def test_callers_that_wait_for_a_locked_file_together_are_refused_together(path: Path) -> None:
    store = SQLiteStore(path, busy_timeout_s=0.05)
    await store.open()
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            tries: list[str] = []
            assert store._writes is not None
            await store._writes.run(lambda db: db.set_trace_callback(tries.append))
            adding = [store.add(MemoryEntry(str(n)), max_entries=10) for n in range(5)]
            refused = await asyncio.gather(*adding, return_exceptions=True)
            assert [isinstance(one, StoreUnavailableError) for one in refused] == [True] * 5
            assert sum("BEGIN" in statement for statement in tries) == 1
            many = [MemoryEntry(str(n)) for n in range(5)]
            tries.clear()
            with pytest.raises(StoreUnavailableError, match="locked"):
                await store.add_all(many, max_entries=10)
            assert sum("BEGIN" in statement for statement in tries) <= 1
            other.execute("ROLLBACK")
        await store.add_all(many, max_entries=10)
        assert await store.count() == 5
    finally:
        await store.close()


async def test_a_cancelled_close_leaves_no_waiting_calls(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_PATIENCE_S", 0.01)
    store = SQLiteStore(path)
    await store.open()
    kept = await store.add(MemoryEntry("p"), max_entries=10)
    has_begun, may_end = threading.Event(), threading.Event()

    def hold_up(entry: MemoryEntry) -> MemoryEntry:
        has_begun.set()
        may_end.wait(30)
        return entry

    held = asyncio.ensure_future(store.update(kept.id, hold_up))
    await asyncio.to_thread(has_begun.wait, 30)
    behind = asyncio.ensure_future(store.add(MemoryEntry("behind"), max_entries=10))
    await asyncio.sleep(0)
    closing_ = asyncio.ensure_future(store.close())
    await asyncio.sleep(0)
    closing_.cancel()
    while store._writes is not None:  # until it has lost patience
        await asyncio.sleep(0.01)
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await closing_
    assert await held == kept
    with pytest.raises(StoreUnavailableError, match="closed"):
        await asyncio.wait_for(behind, 10.0)


@pytest.mark.parametrize(
    "change",
    [{"domain": "d"}, {"task_type": "t"}, {"agent_id": "a"}, {"session_id": "s"}, {"scope": Scope("t", "p")}, {}],
)
async def test_a_labelled_entry_of_a_batch_is_found_by_its_labels(path: Path, change: dict[str, object]) -> None:
    store = SQLiteStore(path)
    await store.open()
    alike = [MemoryEntry(f"entry {n}") for n in range(4)]
    other = MemoryEntry("other").model_copy(update=change)
    for together in (alike, [*(one.replace(id=f"{n}") for n, one in enumerate(alike)), other]):
        assert list(await store.add_all(together, max_entries=100)) == together
    labels = {name: value for name, value in change.items() if name != "scope"}
    where = MemoryQuery(scope=other.scope, **labels)  # type: ignore[arg-type]
    found = [stored.entry for stored in await store.select(other.scope, where=where)]
    assert found[0] == other
    assert len(found) == (1 if change else 9)
    assert await store.count() == 9
    await store.close()


async def test_the_oldest_entries_of_a_batch_are_evicted(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    entries = [MemoryEntry(f"entry {n}") for n in range(10)]
    await store.add_all(entries[:6], max_entries=4)
    await store.add_all(entries[6:], max_entries=4)
    assert [stored.entry for stored in await store.select()] == entries[:5:-1]
    await store.close()


async def test_a_store_opened_while_it_closes_is_open_and_complete(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    kept = await store.add(MemoryEntry("p"), max_entries=10)
    has_begun, may_end = threading.Event(), threading.Event()

    def hold_up(entry: MemoryEntry) -> MemoryEntry:
        has_begun.set()
        may_end.wait(30)
        return entry.replace(impact=0.5)

    held = asyncio.ensure_future(store.update(kept.id, hold_up))
    await asyncio.to_thread(has_begun.wait, 30)
    closing_ = asyncio.ensure_future(store.close())
    await asyncio.sleep(0)
    opening = asyncio.ensure_future(store.open())
    await asyncio.sleep(0.05)
    assert not opening.done()
    may_end.set()
    await asyncio.gather(held, closing_, opening)
    again = await store.add(MemoryEntry("q"), max_entries=10)
    assert [stored.entry for stored in await store.select()] == [again, kept.replace(impact=0.5)]
    await store.close()
    with pytest.raises(StoreUnavailableError):
        await store.count()


async def test_a_store_that_two_open_at_once_is_closed_by_one(path: Path) -> None:
    store = SQLiteStore(path)
    before = {*threading.enumerate()}
    await asyncio.gather(store.open(), store.open())
    workers = [thread for thread in {*threading.enumerate()} - before if "asyncio" not in thread.name]
    await store.close()
    assert len(workers) == 2  # one writes, one reads


async def test_a_scope_is_read_as_quickly_whatever_number_of_others_was_emptied(path: Path) -> None:
    store = SQLiteStore(path)
    await store.open()
    for n in range(300):
        await store.add(MemoryEntry("gone", scope=Scope("t", str(n))), max_entries=10)
    mine = await store.add(MemoryEntry("mine"), max_entries=10)
    for n in range(300):
        await store.clear(Scope("t", str(n)))
    steps: list[None] = []
    with closing(sqlite3.connect(path)) as db:
        assert reads._has_others(db, mine.scope) is False  # which reads the schema
        db.set_progress_handler(lambda: steps.append(None), 1)
        assert reads._has_others(db, mine.scope) is False
        assert len(steps) < 100
        db.set_progress_handler(None, 1)
        for n, others in ((400, True), (401, True)):
            await store.add(MemoryEntry("more", scope=Scope("t", str(n))), max_entries=10)
            assert reads._has_others(db, mine.scope) is others
            assert reads._has_others(db, Scope("t", str(n))) is others
        assert reads._has_others(db, Scope("never", "seen")) is True
    await store.close()


OPENS_AND_CLOSES = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory

async def main():
    async with ReflexionMemory(sys.argv[1]) as memory:
        print([entry.prompt for entry in await memory.list_entries()])

asyncio.run(main())
"""


async def test_entries_stay_when_a_file_is_opened_twice_here_and_once_elsewhere(path: Path) -> None:
    """Who opens and closes a file for itself drops the locks that SQLite holds: another process then takes the WAL."""
    async with ReflexionMemory(path) as memory:
        await memory.store(MemoryEntry("first"))
        async with ReflexionMemory(path):
            pass
        command = [sys.executable, "-c", OPENS_AND_CLOSES, str(path)]
        subprocess.run(command, check=True, capture_output=True)
        await memory.store(MemoryEntry("second"))
        seen = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert seen.strip() == "['second', 'first']"
