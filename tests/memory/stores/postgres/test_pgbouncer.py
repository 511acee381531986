"""Stores behind a real pgbouncer in transaction mode, which gives each transaction another session of the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
import pytest
from postgres_cluster import Cluster, Pooler, pgbouncer

from jido_ai.memory.stores.postgres.connection import Address, connect
from jido_ai.memory.stores.postgres.store import PostgresStore
from jido_ai.testing.contracts.helpers import OURS, entry
from jido_ai.values.record import Cursor

IGNORED: Final = "search_path,lock_timeout,synchronous_commit,idle_in_transaction_session_timeout"


@asynccontextmanager
async def opened(address: str, **options: Any) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(address, **options)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def prompts_of(store: PostgresStore) -> list[str]:
    return sorted(text for _, text in (await store.changes(OURS, Cursor(), 100)).came)


async def tables_in_public(address: str) -> int:
    connection: Any = await asyncpg.connect(Address.parse(address, "jido_ai").dsn, statement_cache_size=0)
    try:
        return await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
    finally:
        await connection.close()


async def two_schemas(first: str, second: str) -> None:
    """Write to two schemas at once, and open them again."""
    async with opened(first) as one, opened(second) as other:
        names = [f"{number:02}" for number in range(20)]
        await asyncio.gather(*(one.add(entry(f"one {name}"), max_entries=100) for name in names))
        await asyncio.gather(
            *(one.add(entry(f"one more {name}"), max_entries=100) for name in names),
            *(other.add(entry(f"other {name}"), max_entries=100) for name in names),
            *(prompts_of(store) for store in (one, other) for _ in range(10)),
        )
    async with opened(first) as one, opened(second) as other:
        assert await prompts_of(one) == sorted(f"one {more}{name}" for name in names for more in ("", "more "))
        assert await prompts_of(other) == [f"other {name}" for name in names]


async def test_each_schema_has_its_own_entries_and_nothing_is_in_public(pooler: Pooler) -> None:
    await two_schemas(pooler.address("pooled_one"), pooler.address("pooled_other"))
    assert await tables_in_public(pooler.address("public")) == 0


async def test_a_pooler_that_ignores_settings_changes_nothing(postgres_cluster: Cluster) -> None:
    program = pgbouncer()
    if program is None:
        pytest.skip("pgbouncer is not installed on this machine (Debian: apt-get install pgbouncer)")
    pooler = Pooler(program, postgres_cluster, sessions=2, ignore_startup_parameters=IGNORED)
    try:
        await two_schemas(pooler.address("ignoring_one"), pooler.address("ignoring_other"))
        assert await tables_in_public(pooler.address("public")) == 0
    finally:
        pooler.remove()


async def test_a_connection_knows_whether_a_pooler_is_before_the_server(pooler: Pooler, postgres: str) -> None:
    for address, is_pooled in ((pooler.address("pooled"), True), (postgres, False)):
        one = await connect(Address.parse(address, "jido_ai"), 5.0)
        assert one.is_pooled is is_pooled
        await one.close()


async def test_a_restart_of_the_server_behind_the_pooler_loses_nothing(
    pooler: Pooler, postgres_cluster: Cluster
) -> None:
    async with opened(pooler.address("restarted"), patience_s=30.0) as store:
        for number in range(3):
            await store.add(entry(f"before {number}"), max_entries=100)
            await asyncio.to_thread(postgres_cluster.restart)
            await store.add(entry(f"after {number}"), max_entries=100)
        found = await prompts_of(store)
    assert found == [*(f"after {number}" for number in range(3)), *(f"before {number}" for number in range(3))]
