"""PostgreSQL as a store: whose it is, what survives, and how it refuses. The common contract: tests/contracts."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from postgres_cluster import Cluster

import jido_ai.memory.stores.postgres.connection as module
from jido_ai.errors import (
    ConfigurationError,
    NotFoundError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
    StoreVersionError,
)
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.postgres.store import PostgresStore
from jido_ai.values import MemoryEntry, MemoryKind, Scope
from jido_ai.values.record import Cursor, Record


@asynccontextmanager
async def opened(address: str, **options: Any) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(address, **options)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def split(address: str) -> tuple[str, str]:
    dsn, _, schema = address.partition("&schema=")
    return dsn, schema


async def sql(address: str, *statements: str) -> list[Any]:
    """Run statements as another program would, and return what the last one found."""
    dsn, schema = split(address)
    db = await asyncpg.connect(dsn, server_settings={"search_path": schema})
    try:
        return [await db.fetch(statement) for statement in statements][-1]
    finally:
        await db.close()


async def dump(address: str) -> list[Any]:
    """Return every table of the schema, with its columns and contents."""
    _, schema = split(address)
    columns = await sql(
        address,
        f"SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = '{schema}' "
        "ORDER BY table_name, ordinal_position",
    )
    tables = sorted({name for name, _, _ in columns})
    return [columns, *[await sql(address, f"SELECT * FROM {schema}.{name}") for name in tables]]


# -- whose it is -----------------------------------------------------------------------------------


async def foreign(address: str) -> None:
    schema = split(address)[1]
    await sql(address, f"CREATE SCHEMA {schema}", "CREATE TABLE entry (a text)", "INSERT INTO entry VALUES ('theirs')")


async def foreign_about(address: str) -> None:
    schema = split(address)[1]
    await sql(address, f"CREATE SCHEMA {schema}", "CREATE TABLE about (application text, version integer)")
    await sql(address, "INSERT INTO about VALUES ('another', 1)")


async def other_about(address: str) -> None:
    await sql(address, f"CREATE SCHEMA {split(address)[1]}", "CREATE TABLE about (us text)")


async def newer(address: str) -> None:
    async with opened(address) as store:
        await store.add(MemoryEntry("p"), max_entries=10)
    await sql(address, f"UPDATE about SET version = {module.SCHEMA_VERSION + 1}")


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (foreign, StoreDamagedError, "another program.*schema=NAME"),
        (foreign_about, StoreDamagedError, "another program"),
        (other_about, StoreDamagedError, "another program"),
        (newer, StoreVersionError, f"schema {module.SCHEMA_VERSION + 1}.*newer version of jido-ai"),
    ],
)
async def test_a_schema_that_is_not_ours_to_write_is_refused_and_left_untouched(
    postgres: str, make: Callable[[str], Awaitable[None]], error: type[StoreError], says: str
) -> None:
    await make(postgres)
    before = await dump(postgres)
    with pytest.raises(error, match=says):
        await PostgresStore(postgres).open()
    assert await dump(postgres) == before


async def test_an_empty_schema_becomes_ours(postgres: str) -> None:
    await sql(postgres, f"CREATE SCHEMA {split(postgres)[1]}")
    async with ReflexionMemory(postgres) as memory:
        kept = await memory.store(MemoryEntry("parse a date"))
        assert (await memory.retrieve_similar("parse a date"))[0].entry == kept


async def test_a_database_that_cannot_hold_every_text_is_refused_and_left_untouched(postgres: str) -> None:
    await sql(postgres, "CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    latin = postgres.replace("/postgres?", "/latin?")
    try:
        with pytest.raises(ConfigurationError, match=r"LATIN1.*UTF8"):
            await PostgresStore(latin).open()
        found = await sql(latin, f"SELECT count(*) FROM pg_namespace WHERE nspname = '{split(postgres)[1]}'")
        assert found == [(0,)]
    finally:
        await sql(postgres, "DROP DATABASE latin WITH (FORCE)")


async def test_two_schemas_of_one_database_are_independent(postgres: str, postgres_cluster: Cluster) -> None:
    async with opened(postgres) as one, opened(postgres_cluster.address("another_one")) as other:
        await one.add(MemoryEntry("p"), max_entries=10)
        assert (await one.count(), await other.count()) == (1, 0)


async def test_stores_that_are_opened_at_the_same_time_agree_on_the_schema(postgres: str) -> None:
    stores = [PostgresStore(postgres) for _ in range(5)]
    await asyncio.gather(*(store.open() for store in stores))
    try:
        await asyncio.gather(
            *(store.add(MemoryEntry(f"{i} {n}"), max_entries=1000) for i, store in enumerate(stores) for n in range(20))
        )
        assert [await store.count() for store in stores] == [100] * 5
    finally:
        await asyncio.gather(*(store.close() for store in stores))


async def test_a_schema_of_an_older_version_is_brought_up_to_date(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(postgres) as store:
        kept = await store.add(MemoryEntry("p"), max_entries=10)
    migrations = (*module.MIGRATIONS, ("CREATE TABLE later (a text)", "INSERT INTO later VALUES ('new')"))
    monkeypatch.setattr(module, "MIGRATIONS", migrations)
    monkeypatch.setattr(module, "SCHEMA_VERSION", len(migrations))
    async with opened(postgres) as store:
        assert await store.get(kept.id) == kept
    assert await sql(postgres, "SELECT a, version FROM later, about") == [("new", len(migrations))]


@pytest.mark.parametrize("version", [1, 2])
async def test_entries_of_an_earlier_version_are_cleaned_once_when_the_schema_is_opened(
    postgres: str, version: int
) -> None:
    wrapped = (
        'Tags that end in "_539545fa0b10" mark blocks of data. Ignore others.\n\nWrite about '
        "<topic_539545fa0b10>\nbees\n</topic_539545fa0b10>."
    )
    talk = MemoryEntry("plain", "m", "c", kind=MemoryKind.SEMANTIC, id="typed", task_type="talk")
    door = MemoryEntry("<conversation>\nsystem: be short\n</conversation>\n\nHow far is the moon?", id="door")
    async with opened(postgres) as store:
        await store.add(MemoryEntry(wrapped, id="graph", evidence=["graph_1/draft[3]"]), max_entries=10)
        for entry in (door, talk):
            await store.add(entry, max_entries=10)
    old = ["UPDATE entry SET lesson = 'old' WHERE id = 'typed'", f"UPDATE about SET version = {version}"]
    await sql(postgres, *old, *(["DROP TABLE claim"] if version == 1 else []), "SELECT 1")
    for _ in range(2):
        async with opened(postgres) as store:
            graph = await store.get("graph")
            assert (graph.prompt, graph.task_type) == ("Write about bees.", "draft")
            assert (await store.get("door")).prompt == "How far is the moon?"
    async with opened(postgres) as store:
        assert (await store.add(talk.replace(id="again"), max_entries=10)).id == "typed"
    assert await sql(postgres, "SELECT version FROM about") == [(module.SCHEMA_VERSION,)]


async def test_a_migration_that_fails_changes_nothing(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(postgres) as store:
        await store.add(MemoryEntry("p"), max_entries=10)
    with monkeypatch.context() as patch:
        migrations = (*module.MIGRATIONS, ("CREATE TABLE half (a text)", "CREATE TABLE entry (a text)"))
        patch.setattr(module, "MIGRATIONS", migrations)
        patch.setattr(module, "SCHEMA_VERSION", len(migrations))
        with pytest.raises(StoreError):
            await PostgresStore(postgres).open()
    assert await sql(postgres, "SELECT to_regclass('half') AS half") == [(None,)]
    async with opened(postgres) as store:
        assert await store.count() == 1


# -- addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://u:hunter/22@host/db",
        "postgresql://u:hun@ter22@host/db",
        "postgresql://u:hunter22?a=b@host/db",
        "postgresql://u:hunter22#@host/db",
        "postgresql://u:hunter22/db",
        "postgresql://u:hunter22@host:port/db",
        "postgresql://u:hunter22@host/db\0",
        "postgresql://u:hunter22@host/db%00",
        "postgresql://u:hunter22@[::1/db",
        "postgresql://u:hunter22@host/db?schema=public;drop",
        "postgresql://u:hunter22@host/db?schema=../x",
        "postgresql://u:hunter22@host/db?schema=pg_catalog",
        "postgresql://u:hunter22@host/db?schema=",
        "mysql://u:hunter22@host/db",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_quoting_it(address: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        PostgresStore(address)
    assert "hunter" not in str(refusal.value)
    assert "ter22" not in str(refusal.value)
    assert refusal.value.__cause__ is None


def test_a_memory_quotes_no_password_of_an_address_that_it_refuses() -> None:
    with pytest.raises(ConfigurationError) as refusal:
        ReflexionMemory("postgresql://u:hunter22@host/db\0")
    assert "hunter" not in str(refusal.value)


async def test_a_password_is_in_no_error_no_log_and_no_repr(
    postgres_cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    good = postgres_cluster.address("anything", user="nobody_we_know:hunter%4022")
    texts: list[str] = []
    for address in (good, "postgresql://u:hunter%4022@127.0.0.1:1/db", good.replace("/postgres?", "/nowhere?")):
        store = PostgresStore(address, patience_s=0.2)
        memory = ReflexionMemory(store=store)
        with pytest.raises(StoreUnavailableError) as refusal:
            await memory.open()
        error: BaseException | None = refusal.value
        while error is not None:
            texts += [str(error), repr(error)]
            error = error.__cause__ or error.__context__
        texts += [repr(store), repr(memory), repr(vars(store))]
    assert "hunter" not in "".join([*texts, caplog.text])


async def test_a_store_that_is_not_open_is_unavailable(postgres: str) -> None:
    store = PostgresStore(postgres)
    for _ in range(2):
        with pytest.raises(StoreUnavailableError, match="not open"):
            await store.count()
        with pytest.raises(StoreUnavailableError, match="not open"):
            await store.add(MemoryEntry("p"), max_entries=1)
        await store.open()
        await store.close()


def test_patience_must_be_more_than_zero() -> None:
    with pytest.raises(ConfigurationError, match="patience_s"):
        PostgresStore("postgresql://host/db", patience_s=0)


# -- several programs ------------------------------------------------------------------------------


async def test_a_following_reader_misses_no_row_of_several_writers(postgres: str) -> None:
    scope = Scope("a", "b")
    async with opened(postgres) as one, opened(postgres) as two, opened(postgres) as reader:
        finished = asyncio.Event()
        seen: list[int] = []

        async def follow() -> None:
            since = Cursor()
            while True:
                last_look = finished.is_set()
                changes = await reader.changes(scope, since, 50)
                since = changes.cursor
                seen.extend(row for row, _ in changes.came)
                if last_look and changes.is_complete:
                    return

        async def write(store: PostgresStore) -> None:
            for n in range(30):
                entries = [MemoryEntry(str(n), scope=scope) for _ in range(3)]
                await asyncio.gather(*(store.add(entry, max_entries=10_000) for entry in entries))

        following = asyncio.create_task(follow())
        await asyncio.gather(write(one), write(two))
        finished.set()
        await following
        assert seen == sorted(stored.row for stored in await reader.select(scope))
        assert len(seen) == 180


async def test_a_commit_of_another_is_seen_at_the_next_query(postgres: str) -> None:
    async with ReflexionMemory(postgres) as ours, ReflexionMemory(postgres) as theirs:
        assert await ours.retrieve_similar("parse date") == []
        for _ in range(3):
            kept = await theirs.store(MemoryEntry("parse date"))
            assert [found.entry for found in await ours.retrieve_similar("parse date")] == [kept]
            await theirs.forget(kept.id)
            assert await ours.retrieve_similar("parse date") == []
            with pytest.raises(NotFoundError):
                await ours.record_usage(kept.id, success=True)


async def test_a_program_that_blocks_writes_makes_the_store_unavailable_until_it_stops(postgres: str) -> None:
    async with opened(postgres, patience_s=0.2) as store:
        dsn, schema = split(postgres)
        other = await asyncpg.connect(dsn, server_settings={"search_path": schema})
        try:
            async with other.transaction():
                await other.execute("SELECT * FROM clock FOR UPDATE")
                with pytest.raises(StoreUnavailableError, match="busy"):
                    await store.add(MemoryEntry("p"), max_entries=10)
                assert await store.count() == 0
            await store.add(MemoryEntry("p"), max_entries=10)
            assert await store.count() == 1
        finally:
            await other.close()


OTHER = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

async def main():
    async with ReflexionMemory(sys.argv[1]) as memory:
        print("ready", flush=True)
        for line in sys.stdin:
            print((await memory.store(MemoryEntry(line.strip()))).id, flush=True)

asyncio.run(main())
"""


async def test_the_next_query_finds_writes_that_another_process_committed(postgres: str) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", OTHER, postgres], text=True, **pipes) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        async with ReflexionMemory(postgres) as memory:
            assert await memory.retrieve_similar("parse date") == []  # its index is made now, and follows from here
            for _ in range(3):
                print("parse date", file=other.stdin, flush=True)
                id = other.stdout.readline().strip()
                assert [found.entry.id for found in await memory.retrieve_similar("parse date")] == [id]
        other.stdin.close()


# -- no space --------------------------------------------------------------------------------------


@pytest.fixture
def full_cluster(postgres_cluster: Cluster) -> Iterator[Cluster]:
    """Return a server of this test's own: one that has lost a disk refuses every checkpoint from then on."""
    cluster = Cluster(postgres_cluster.programs)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture
def tiny_disk(full_cluster: Cluster) -> Iterator[Path]:
    """Return a folder of the server on a disk of 24 megabytes."""
    folder = full_cluster.folder / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder]
    try:
        done = subprocess.run(command, capture_output=True, check=False, timeout=30)
    except OSError:
        pytest.skip("there is no program `mount`")
    if done.returncode != 0:
        pytest.skip("this user may not mount a small disk")
    space = folder / "space"
    space.mkdir()
    os.chown(space, full_cluster.folder.stat().st_uid, full_cluster.folder.stat().st_gid)
    yield space
    subprocess.run(["umount", "--lazy", folder], check=True, timeout=30)


@pytest.mark.slow
async def test_a_full_disk_is_an_error_until_there_is_room_and_never_stops_reads(
    tiny_disk: Path, full_cluster: Cluster
) -> None:
    address = full_cluster.address("public")
    await sql(address, f"CREATE TABLESPACE small LOCATION '{tiny_disk}'")
    await sql(address, "CREATE DATABASE small TABLESPACE small")
    await sql(address, "CHECKPOINT")  # the copy has room that is only promised until it is written
    filler = tiny_disk.parent / "filler"
    filler.write_bytes(b"x" * 5_000_000)
    async with ReflexionMemory(address.replace("/postgres?", "/small?"), max_entries=10_000) as memory:
        kept: list[MemoryEntry] = []
        text = os.urandom(250_000).hex()  # nothing that the server could compress
        with pytest.raises(StoreFullError, match=r"no space left.*Free some space") as refusal:
            while True:
                kept.append(await memory.store(MemoryEntry(f"entry{len(kept)}", correction=text)))
        assert "\n" not in str(refusal.value)  # the server adds a hint on a line of its own
        assert await memory.count() == len(kept) > 3
        assert (await memory.retrieve_similar("entry3"))[0].entry == kept[3]
        with pytest.raises(StoreFullError):
            await memory.append([Record(log="journal", key="run", data={"text": text})])
        filler.unlink()
        kept.append(await memory.store(MemoryEntry("after", correction=text)))
        assert await memory.list_entries() == kept[::-1]


@pytest.mark.parametrize(
    ("refusal", "expected", "says"),
    [
        (asyncpg.DiskFullError, StoreFullError, "Free some space"),
        (asyncpg.OutOfMemoryError, StoreFullError, "Free some space"),
        (asyncpg.DataCorruptedError, StoreDamagedError, "restore a backup"),
        (asyncpg.IndexCorruptedError, StoreDamagedError, "restore a backup"),
        (asyncpg.SerializationError, StoreUnavailableError, "try again"),
        (asyncpg.InsufficientPrivilegeError, StoreUnavailableError, "denied permission"),
        (asyncpg.SyntaxOrAccessError, StoreError, "SyntaxOrAccessError"),
    ],
)
async def test_server_errors_are_translated_and_do_not_affect_later_writes(
    postgres: str, monkeypatch: pytest.MonkeyPatch, refusal: type[Exception], expected: type[StoreError], says: str
) -> None:
    """The server's reply is scripted at the connection: not every refusal can be brought about."""
    async with opened(postgres) as store:
        kept = await store.add(MemoryEntry("before"), max_entries=10)
        execute = asyncpg.Connection.execute

        async def refusing(db: asyncpg.Connection, query: str, *args: object) -> str:
            if query.startswith("INSERT INTO entry"):
                raise refusal("could not extend file")
            return await execute(db, query, *args)

        with monkeypatch.context() as patch:
            patch.setattr(asyncpg.Connection, "execute", refusing)
            with pytest.raises(expected, match=says) as caught:
                await store.add(MemoryEntry("refused"), max_entries=10)
            assert type(caught.value) is expected
            assert await store.get(kept.id) == kept
        after = await store.add(MemoryEntry("after"), max_entries=10)
        assert [stored.entry for stored in await store.select()] == [after, kept]


# -- batches ---------------------------------------------------------------------------------------


async def batches(address: str) -> int:
    """Return how many transactions the one writer of a schema has tried to commit."""
    ((number,),) = await sql(address, "SELECT batch FROM writer")
    return number


async def test_a_write_with_an_unexpected_error_does_not_fail_the_others_of_its_batch(postgres: str) -> None:
    def fails(entry: MemoryEntry) -> MemoryEntry:
        raise ZeroDivisionError(entry.prompt)

    async with opened(postgres) as store:
        kept = await store.add(MemoryEntry("kept"), max_entries=10)
        before = await batches(postgres)
        came = [MemoryEntry(str(number)) for number in range(4)]
        outcomes = await asyncio.gather(
            *(store.add(entry, max_entries=10) for entry in came[:2]),
            store.update(kept.id, fails),
            store.append([Record(log="journal", key="k", data={})]),
            store.remove(["unknown"]),
            *(store.add(entry, max_entries=10) for entry in came[2:]),
            return_exceptions=True,
        )
        kinds = [type(outcome) for outcome in outcomes]
        assert kinds == [MemoryEntry, MemoryEntry, ZeroDivisionError, list, NotFoundError, MemoryEntry, MemoryEntry]
        assert str(outcomes[2]) == "kept"
        assert [stored.entry for stored in await store.select()] == [*came[::-1], kept]
        assert len(await store.records("journal")) == 1
        assert await batches(postgres) == before + 1 + 7  # together, then one by one: they were one batch


async def test_a_single_failing_write_is_tried_once_and_raises(postgres: str) -> None:
    tries: list[str] = []

    def fails(entry: MemoryEntry) -> MemoryEntry:
        tries.append(entry.prompt)
        raise ZeroDivisionError(entry.prompt)

    async with opened(postgres) as store:
        kept = await store.add(MemoryEntry("kept"), max_entries=10)
        with pytest.raises(ZeroDivisionError):
            await store.update(kept.id, fails)
        assert tries == ["kept"]
        assert await store.get(kept.id) == kept


async def test_an_id_that_occurs_twice_in_a_transaction_is_one_entry_the_later_one(postgres: str) -> None:
    async with opened(postgres) as store:
        before = await batches(postgres)
        ids = ["a", "same", "b", "same", "c", "same"]
        came = [MemoryEntry(f"{number} {id}", id=id) for number, id in enumerate(ids)]
        elsewhere = came[1].replace(scope=Scope("other", "other"))
        outcomes = await asyncio.gather(*(store.add(entry, max_entries=10) for entry in (*came, elsewhere)))
        assert outcomes == [*came, elsewhere]
        found = [stored.entry.prompt for stored in await store.select(Scope())]
        assert found == ["5 same", "4 c", "2 b", "0 a"]
        assert await store.count(elsewhere.scope) == 1
        assert await batches(postgres) == before + 1


async def test_a_lesson_counts_once_when_the_memorys_actor_dies_while_its_batch_is_committed(postgres: str) -> None:
    lesson = MemoryEntry("p", correction="use an aware datetime", kind=MemoryKind.SEMANTIC)
    dsn, schema = split(postgres)
    other = await asyncpg.connect(dsn, server_settings={"search_path": schema})
    try:
        async with ReflexionMemory(store=PostgresStore(postgres, patience_s=30.0)) as memory:
            await memory.store(lesson)
            async with other.transaction():
                await other.execute("SELECT * FROM clock FOR UPDATE")  # holds up whoever wants to write
                again = [asyncio.ensure_future(memory.store(lesson.replace(id=name))) for name in ("x", "y")]
                while not await held_up(postgres):
                    await asyncio.sleep(0)
                memory.actor.kill()
                await asyncio.sleep(0.01)
            assert [entry.id for entry in await asyncio.gather(*again)] == [lesson.id] * 2
            assert (await memory.get(lesson.id)).frequency == 3
    finally:
        await other.close()


async def held_up(address: str) -> bool:
    """Tell whether a connection waits for a lock."""
    (found,) = await sql(address, "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    return found[0] > 0


# -- the server goes away and comes back -----------------------------------------------------------


async def test_a_server_that_is_away_is_unavailable_and_there_again_when_it_is_back(
    postgres: str, postgres_cluster: Cluster
) -> None:
    async with opened(postgres, patience_s=0.2) as store:
        kept = await store.add(MemoryEntry("before"), max_entries=10)
        await asyncio.to_thread(postgres_cluster.stop)
        try:
            for work in (store.count(), store.get(kept.id), store.append([Record(log="audit", key="k", data={})])):
                with pytest.raises(StoreUnavailableError):
                    await work
            with pytest.raises(StoreUnavailableError, match="cannot reach"):
                await PostgresStore(postgres, patience_s=0.2).open()
        finally:
            await asyncio.to_thread(postgres_cluster.start)
        assert await store.get(kept.id) == kept
        after = await store.add(MemoryEntry("after"), max_entries=10)
        assert [stored.entry for stored in await store.select()] == [after, kept]
        assert await store.records("audit") == []


async def test_calls_that_wait_during_a_restart_of_the_server_are_served_afterwards(
    postgres: str, postgres_cluster: Cluster
) -> None:
    async with opened(postgres, patience_s=20.0) as store:
        await asyncio.to_thread(postgres_cluster.stop)
        waiting = [asyncio.create_task(store.add(MemoryEntry(str(n)), max_entries=10)) for n in range(3)]
        reading = asyncio.create_task(store.count())
        await asyncio.to_thread(postgres_cluster.start)
        assert [entry.prompt for entry in await asyncio.gather(*waiting)] == ["0", "1", "2"]
        assert await reading <= 3
        assert await store.count() == 3


@pytest.mark.parametrize("is_in", [True, False])
async def test_a_connection_that_breaks_over_a_commit_neither_loses_nor_doubles_it(
    postgres: str, monkeypatch: pytest.MonkeyPatch, is_in: bool
) -> None:
    """The reply to COMMIT is lost, after the server did it and before."""
    execute = asyncpg.Connection.execute
    breaks = 3

    async def fragile(db: asyncpg.Connection, query: str, *args: object) -> str:
        nonlocal breaks
        if query == "COMMIT" and breaks > 0:
            breaks -= 1
            if is_in:
                await execute(db, query)
            db.terminate()
            raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")
        return await execute(db, query, *args)

    async with opened(postgres) as store:
        kept = await store.add(MemoryEntry("p"), max_entries=10)
        monkeypatch.setattr(asyncpg.Connection, "execute", fragile)
        await store.update(kept.id, lambda entry: entry.replace(use_count=entry.use_count + 1))
        await store.append([Record(log="journal", key="k", data={"n": 1})])
        changed = await store.get(kept.id)
        assert changed is not None
        assert changed.use_count == 1
        assert len(await store.records("journal")) == 1


async def test_an_error_after_the_patience_says_whether_the_write_may_be_stored(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = asyncpg.Connection.execute
    breaks_at = "COMMIT"

    async def fragile(db: asyncpg.Connection, query: str, *args: object) -> str:
        if query == breaks_at:
            db.terminate()
            raise asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation")
        return await execute(db, query, *args)

    async with opened(postgres, patience_s=0.5) as store:
        with monkeypatch.context() as patch:
            patch.setattr(asyncpg.Connection, "execute", fragile)
            with pytest.raises(StoreUnavailableError, match="unknown whether the data was stored"):
                await store.add(MemoryEntry("p"), max_entries=10)
            breaks_at = "BEGIN"
            with pytest.raises(StoreUnavailableError) as refusal:
                await store.add(MemoryEntry("p"), max_entries=10)
            assert "unknown" not in str(refusal.value)
        assert await store.count() == 0


async def test_a_server_that_is_not_there_is_not_waited_for_when_a_store_is_opened() -> None:
    store = PostgresStore("postgresql://127.0.0.1:1/nowhere", patience_s=600.0)
    async with asyncio.timeout(30):
        with pytest.raises(StoreUnavailableError, match="cannot reach"):
            await store.open()


async def restarts_under_load(
    address: str, cluster: Cluster, *, rounds: int, writers: int, pause_s: float = 0.0
) -> tuple[int, int, int]:
    """Restart the server under writers; return how many records were acknowledged, lost and doubled."""
    acknowledged: set[str] = set()
    more = asyncio.Event()
    stopping = False
    async with opened(address, patience_s=30.0) as store:
        counter = await store.add(MemoryEntry("counter"), max_entries=10)

        async def write(lane: int) -> None:
            n = 0
            while not stopping:
                await store.append([Record(log="journal", key=f"{lane} {n}", data={"n": n})])
                await store.update(counter.id, lambda entry: entry.replace(use_count=entry.use_count + 1))
                acknowledged.add(f"{lane} {n}")
                n += 1
                more.set()

        lanes = [asyncio.create_task(write(lane)) for lane in range(writers)]
        for n in range(rounds):
            target = len(acknowledged) + 2 * writers
            while len(acknowledged) < target:
                more.clear()
                await more.wait()
            if pause_s:
                await asyncio.sleep(pause_s)
            how = (signal.SIGQUIT, signal.SIGINT, signal.SIGKILL)[n % 3]
            await asyncio.to_thread(cluster.restart, how)
        stopping = True
        await asyncio.gather(*lanes)
        found = Counter(record.key for record in await store.records("journal"))
        counted = await store.get(counter.id)
        assert counted is not None
    lost = len(acknowledged - set(found)) + max(0, len(acknowledged) - counted.use_count)
    doubled = sum(number - 1 for number in found.values()) + max(0, counted.use_count - len(acknowledged))
    return len(acknowledged), lost, doubled


RESTARTS = int(os.environ.get("JIDO_RESTARTS", "3"))


@pytest.mark.timeout(60 + 40 * RESTARTS)
async def test_restarts_lose_nothing_that_was_acknowledged_and_double_nothing(
    postgres: str, postgres_cluster: Cluster
) -> None:
    """JIDO_RESTARTS says how often the server is restarted: from 20 on, 64 write, and each round takes 12 s or more."""
    full = {"writers": 64, "pause_s": 12.0} if RESTARTS >= 20 else {"writers": 16}
    found = await restarts_under_load(postgres, postgres_cluster, rounds=RESTARTS, **full)
    acknowledged, lost, doubled = found
    assert acknowledged >= RESTARTS * 2 * full["writers"]
    assert (lost, doubled) == (0, 0)
