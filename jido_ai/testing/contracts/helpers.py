"""Shared parts of the contracts of stores: scopes, entries, records, claims, and opening a store."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from jido_ai.memory.store import MemoryStore
from jido_ai.values import MemoryEntry, Scope
from jido_ai.values.record import Claim, Cursor, LogName, Record

__all__ = [
    "NOON",
    "OURS",
    "THEIRS",
    "add",
    "claim",
    "entry",
    "follow",
    "is_same",
    "numbers",
    "on_an_open_store",
    "prompts",
    "record",
]

OURS: Final = Scope("ours", "p")
THEIRS: Final = Scope("theirs", "p")


def on_an_open_store(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test that is not async: it opens its store, runs the coroutine, and closes the store, in one event loop.

    So the contracts need no plugin of pytest.
    """

    @functools.wraps(test)
    def run(self: object, store: MemoryStore, **others: Any) -> None:
        async def opened() -> None:
            await store.open()
            try:
                await test(self, store, **others)
            finally:
                await store.close()

        asyncio.run(opened())

    run.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    del run.__wrapped__  # plugins that look for coroutine functions would find one behind it
    return run


def entry(prompt: str, scope: Scope = OURS, **fields: Any) -> MemoryEntry:
    return MemoryEntry(prompt, scope=scope, **fields)


async def add(store: MemoryStore, *entries: MemoryEntry, max_entries: int = 1000) -> list[MemoryEntry]:
    return [await store.add(one, max_entries=max_entries) for one in entries]


async def prompts(store: MemoryStore, scope: Scope | None = None, **options: Any) -> list[str]:
    return [stored.entry.prompt for stored in await store.select(scope, **options)]


async def follow(store: MemoryStore, scope: Scope, since: Cursor, rows: dict[int, str], limit: int = 100) -> Cursor:
    """Bring `rows` up to date, as a reader does."""
    while True:
        changes = await store.changes(scope, since, limit)
        if changes.start_over:
            rows.clear()
        rows.update(changes.came)
        for row in changes.went:
            rows.pop(row, None)
        since = changes.cursor
        if changes.is_complete:
            return since


NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def record(key: str = "run", n: int = 0, scope: Scope = OURS, **fields: Any) -> Record:
    values: dict[str, Any] = {"log": "journal", "key": key, "data": {"n": n}, "scope": scope, "timestamp": NOON}
    return Record(**{**values, **fields})


async def numbers(store: MemoryStore, log: LogName = "journal", **filters: Any) -> list[int]:
    return [record.data["n"] for record in await store.records(log, **filters)]


def claim(token: str, run_id: str = "run", scope: Scope = OURS, minutes: float = 5.0) -> Claim:
    end = datetime.now(UTC) + timedelta(minutes=minutes)
    return Claim(run_id=run_id, scope=scope, token=token, owner=f"owner of {token}", expires_at=end)


def is_same(one: Claim, other: Claim) -> bool:
    """Tell whether two claims are the same; the clock of a server may differ a little from ours."""
    apart = abs(one.expires_at - other.expires_at)
    return apart < timedelta(seconds=10) and replace(one, expires_at=other.expires_at) == other
