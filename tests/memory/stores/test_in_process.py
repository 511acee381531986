"""What the store in the process does beyond the contract of all stores."""

from __future__ import annotations

import asyncio

from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import MemoryEntry, Scope


async def test_entries_stored_while_a_large_scope_is_cleared_stay() -> None:
    store = InProcessStore()
    for number in range(1_200):
        await store.add(MemoryEntry(f"prompt {number}"), max_entries=10_000)
    clearing = asyncio.ensure_future(store.clear(Scope()))
    await asyncio.sleep(0)
    assert 0 < await store.count(Scope()) < 1_200  # others have their turn
    late = await store.add(MemoryEntry("late"), max_entries=10_000)
    assert await clearing == 1_200
    assert [stored.entry for stored in await store.select(Scope())] == [late]
