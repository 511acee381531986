"""ChangeContract: what readers of a memory store see."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from jido_ai.memory.store import MemoryStore
from jido_ai.testing.contracts.helpers import (
    OURS,
    THEIRS,
    add,
    entry,
    follow,
    on_an_open_store,
    prompts,
    record,
)
from jido_ai.values import MemoryQuery, Scope
from jido_ai.values.record import Cursor

__all__ = ["ChangeContract"]

HUGE: Final = {
    "a million lines": "line\r\n\n\u2028" * 250_000,
    "ten megabytes": "0123456789" * 1_000_000,
    "NUL and what marks it": "\0\x1a0\x1a1\x1a\x1ad800" * 50_000,
    "lone surrogates": "a\ud800b\udfff" * 50_000,
    "right to left": "\u202e\u2066txt.exe\u2069" * 50_000,
}


class ChangeContract:
    """The view of readers of a memory store: rows, changes, values of their own, texts of any size and kind."""

    @pytest.fixture
    def store(self) -> MemoryStore:
        """Override this: return a new, empty store that is not open."""
        raise NotImplementedError("override the fixture `store`: return a new, empty store that is not open")

    @on_an_open_store
    async def test_fetch_omits_removed_entries(self, store: MemoryStore) -> None:
        kept, gone = await add(store, entry("a"), entry("b"))
        rows = {stored.entry.id: stored.row for stored in await store.select()}
        await store.remove([gone.id])
        assert await store.fetch(list(rows.values())) == {rows[kept.id]: kept}
        assert await store.fetch([]) == {}

    @on_an_open_store
    async def test_a_reader_that_follows_the_changes_sees_every_row(self, store: MemoryStore) -> None:
        rows: dict[int, str] = {}
        kept = await add(store, *(entry(str(n)) for n in range(7)), entry("theirs", THEIRS))
        since = await follow(store, OURS, Cursor(), rows, limit=3)
        assert list(rows.values()) == [str(n) for n in range(7)]
        await store.remove([kept[0].id])
        await add(store, kept[3], entry("new"), max_entries=5)
        since = await follow(store, OURS, since, rows, limit=3)
        assert rows == {stored.row: stored.entry.prompt for stored in await store.select(OURS)}
        await store.clear()
        assert await follow(store, OURS, since, rows)
        assert rows == {}

    @on_an_open_store
    async def test_a_reader_that_was_away_for_long_catches_up(self, store: MemoryStore) -> None:
        await add(store, entry("first"))
        rows: dict[int, str] = {}
        since = await follow(store, OURS, Cursor(), rows)
        entries = [entry(str(n)) for n in range(5_001)]
        for _ in range(2):
            await asyncio.gather(*(store.add(one, max_entries=10_000) for one in entries))
            assert await store.clear() >= 5_001
        await add(store, entry("last"))
        await follow(store, OURS, since, rows)
        assert list(rows.values()) == ["last"]

    @on_an_open_store
    async def test_returned_values_are_not_shared(self, store: MemoryStore) -> None:
        mine = entry("a", metadata={"list": [1]})
        (kept,) = await add(store, mine)
        mine.metadata["list"].append(2)
        kept.metadata["list"].append(3)
        found = await store.get(mine.id)
        assert found is not None
        assert found.metadata == {"list": [1]}

    @on_an_open_store
    async def test_closing_twice_is_fine(self, store: MemoryStore) -> None:
        await store.close()
        await store.close()
        await store.open()
        assert await store.count() == 0

    @pytest.mark.parametrize("text", HUGE.values(), ids=list(HUGE))
    @on_an_open_store
    async def test_huge_and_odd_texts_come_back_as_they_were(self, store: MemoryStore, text: str) -> None:
        (kept,) = await add(store, entry(text, correction=text[:1_000_000]))
        assert await store.get(kept.id) == kept
        assert [prompt for _, prompt in (await store.changes(OURS, Cursor(), 9)).came] == [text]
        (noted,) = await store.append([record(data={"text": text[:1_000_000]})])
        assert await store.records("journal") == [noted]

    @on_an_open_store
    async def test_scope_names_of_maximum_length_are_distinct(self, store: MemoryStore) -> None:
        for odd in ("x", "\U0001f600", "\ud800"):
            scopes = [Scope(odd * 254 + end, odd * 255) for end in "ab"]
            for scope in scopes:
                await store.append([record(odd * 5000, 1, scope)])
                await add(store, entry("p", scope, id=odd * 5000, agent_id=odd * 5000, domain=odd * 5000))
            for scope in scopes:
                assert await store.count(scope) == len(await store.summaries("journal", scope=scope)) == 1
                assert await prompts(store, scope, where=MemoryQuery(agent_id=odd * 5000, domain=odd * 5000)) == ["p"]
            assert await store.remove([odd * 5000]) == 2
