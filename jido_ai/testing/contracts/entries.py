"""EntryContract: how a memory store keeps entries."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.memory.lessons import rewritten
from jido_ai.memory.store import BatchStore, MemoryStore
from jido_ai.testing.contracts.helpers import (
    OURS,
    THEIRS,
    add,
    entry,
    numbers,
    on_an_open_store,
    prompts,
    record,
)
from jido_ai.values import MemoryEntry, MemoryQuery, Scope

__all__ = ["EntryContract"]


class EntryContract:
    """How a memory store keeps entries: their order, limits, replacement, merging, updates, removal and filters."""

    @pytest.fixture
    def store(self) -> MemoryStore:
        """Override this: return a new, empty store that is not open."""
        raise NotImplementedError("override the fixture `store`: return a new, empty store that is not open")

    @on_an_open_store
    async def test_get_returns_the_entry_that_add_returned(self, store: MemoryStore) -> None:
        (kept,) = await add(store, entry("q", mistake="m", tags=("a",), metadata={"n": [1, {"deep": 10**30}]}))
        assert await store.get(kept.id) == kept

    @on_an_open_store
    async def test_what_callers_change_in_what_they_got_is_not_what_is_kept(self, store: MemoryStore) -> None:
        (kept,) = await add(store, mine := entry("p", metadata={"n": [1]}))
        updated = await store.update(kept.id, lambda old: old)
        seen = [mine, kept, updated, await store.get(kept.id), *(one.entry for one in await store.select())]
        for one in seen:
            assert one is not None
            one.metadata["n"].append(2)
        again = await store.get(kept.id)
        assert again is not None
        assert again.metadata == {"n": [1]}

    @on_an_open_store
    async def test_newest_means_stored_last(self, store: MemoryStore) -> None:
        await add(store, entry("one"), entry("two", THEIRS), entry("three"))
        assert await prompts(store) == ["three", "two", "one"]
        assert await prompts(store, OURS) == ["three", "one"]

    @on_an_open_store
    async def test_select_pages_with_limit_offset_and_before(self, store: MemoryStore) -> None:
        await add(store, *(entry(str(n)) for n in range(5)))
        assert await prompts(store, OURS, limit=2, offset=1) == ["3", "2"]
        newest, *_ = await store.select(OURS, limit=1)
        assert await prompts(store, OURS, before=newest.row, limit=2) == ["3", "2"]
        assert await prompts(store, OURS, limit=0) == []

    @on_an_open_store
    async def test_numbers_larger_than_a_database_knows_are_as_good_as_no_limit(self, store: MemoryStore) -> None:
        await add(store, *(entry(str(n)) for n in range(3)))
        await store.append([record(n=n) for n in range(3)])
        for huge in (2**63, 10**30):
            assert await prompts(store, OURS, limit=huge, before=huge) == ["2", "1", "0"]
            assert await prompts(store, OURS, limit=huge, where=MemoryQuery(scope=OURS)) == ["2", "1", "0"]
            assert await prompts(store, OURS, offset=huge, limit=1) == []
            assert await numbers(store, limit=huge) == [0, 1, 2]
            assert await numbers(store, after=huge) == []
            assert await numbers(store, after=huge, newest_first=True) == [2, 1, 0]
            assert len(await store.summaries("journal", limit=huge)) == 1
            assert await store.summaries("journal", offset=huge) == []

    @on_an_open_store
    async def test_pages_that_leave_entries_out_join_up(self, store: MemoryStore) -> None:
        await add(store, *(entry(str(n), tags=("even",) * (n % 2 == 0)) for n in range(40)))
        for where, expected in ((None, [*range(40)]), (MemoryQuery(scope=OURS, tags=("even",)), [*range(0, 40, 2)])):
            found: list[str] = []
            while page := await prompts(store, OURS, where=where, offset=len(found), limit=7):
                found += page
            assert found == [str(n) for n in reversed(expected)]

    @on_an_open_store
    async def test_at_the_limit_the_oldest_of_the_same_kind_and_scope_goes(self, store: MemoryStore) -> None:
        await add(store, entry("lesson", kind="semantic"), entry("theirs", THEIRS), max_entries=2)
        await add(store, *(entry(f"episode {n}") for n in range(4)), max_entries=2)
        assert sorted(await prompts(store)) == ["episode 2", "episode 3", "lesson", "theirs"]
        assert await store.count(OURS) == 3

    @on_an_open_store
    async def test_a_smaller_limit_takes_effect_at_the_next_add(self, store: MemoryStore) -> None:
        await add(store, *(entry(str(n)) for n in range(5)))
        await add(store, entry("new"), max_entries=2)
        assert await prompts(store) == ["new", "4"]

    @on_an_open_store
    async def test_the_same_id_replaces_and_pushes_nothing_out(self, store: MemoryStore) -> None:
        first, _ = await add(store, entry("a"), entry("b"), max_entries=2)
        await add(store, first.replace(mistake="changed"), max_entries=2)
        assert [(e.entry.prompt, e.entry.mistake) for e in await store.select()] == [("a", "changed"), ("b", "")]

    @on_an_open_store
    async def test_the_same_id_in_another_scope_is_another_entry(self, store: MemoryStore) -> None:
        (ours,) = await add(store, entry("ours", id="x"))
        await add(store, entry("theirs", THEIRS, id="x"))
        assert await store.get("x", scope=OURS) == ours
        assert await store.remove(["x"], scope=THEIRS) == 1
        assert await store.get("x") == ours

    @on_an_open_store
    async def test_lessons_are_one_per_scope_kind_and_normalised_text(self, store: MemoryStore) -> None:
        lesson = entry("p", kind="semantic", correction="Use  UTC", evidence=("run 1",))
        again = entry("p2", kind="semantic", correction="use utc ", evidence=("run 2",), importance=0.9)
        old, merged = await add(store, lesson, again)
        assert (merged.id, merged.frequency, merged.evidence, merged.importance) == (old.id, 2, ("run 1", "run 2"), 0.9)
        assert await store.get(old.id) == merged
        await add(store, entry("p", THEIRS, kind="semantic", correction="Use UTC"))
        await add(store, entry("p", kind="procedural", correction="Use UTC"))
        assert await store.count() == 3

    @on_an_open_store
    async def test_episodes_are_never_merged(self, store: MemoryStore) -> None:
        await add(store, entry("p", correction="Use UTC"), entry("p", correction="Use UTC"))
        assert await store.count() == 2

    @on_an_open_store
    async def test_a_lesson_that_is_learned_again_becomes_the_newest(self, store: MemoryStore) -> None:
        await add(store, entry("old", kind="semantic", correction="a"), entry("b", kind="semantic", correction="b"))
        await add(store, entry("new", kind="semantic", correction="a"))
        assert await prompts(store) == ["new", "b"]

    @on_an_open_store
    async def test_a_lesson_that_is_learned_again_keeps_the_words_of_a_person(self, store: MemoryStore) -> None:
        (made,) = await add(store, entry("p", kind="semantic", correction="Use UTC"))
        edited = rewritten(made, mistake="no zone", correction="Name the time zone")
        assert await add(store, edited) == [edited]
        (kept,) = await add(store, entry("q", kind="semantic", correction="use utc"))
        assert (kept.id, kept.correction, kept.frequency) == (made.id, "Name the time zone", 2)
        assert await store.count() == 1

    @on_an_open_store
    async def test_entries_added_together_are_added_in_their_order(self, store: MemoryStore) -> None:
        if not isinstance(store, BatchStore):
            pytest.skip("it takes one at a time")
        one, two, lesson = entry("1"), entry("2"), entry("3", kind="semantic", correction="use UTC")
        assert await store.add_all([one, two, lesson], max_entries=2) == [one, two, lesson]
        again = entry("4", kind="semantic", correction="Use utc")
        three, _, merged = await store.add_all([entry("5"), one.replace(mistake="m"), again], max_entries=2)
        assert isinstance(merged, MemoryEntry)
        assert (merged.id, merged.frequency) == (lesson.id, 2)
        assert await prompts(store) == ["4", "1", "5"]
        assert isinstance(three, MemoryEntry)
        assert await store.get(three.id) == three
        assert await store.add_all([], max_entries=2) == []

    @on_an_open_store
    async def test_of_entries_added_together_the_one_that_cannot_be_kept_says_why(self, store: MemoryStore) -> None:
        if not isinstance(store, BatchStore):
            pytest.skip("it takes one at a time")
        bad = entry("bad", metadata={"o": object()})
        first, refusal, last = await store.add_all([entry("1"), bad, entry("2")], max_entries=9)
        assert isinstance(refusal, ConfigurationError)
        assert isinstance(first, MemoryEntry)
        assert isinstance(last, MemoryEntry)
        assert await prompts(store) == [last.prompt, first.prompt] == ["2", "1"]

    @on_an_open_store
    async def test_entries_that_replace_each_other_in_one_batch_are_stored_once(self, store: MemoryStore) -> None:
        kept = entry("a")
        await asyncio.gather(*(store.add(kept.replace(mistake=str(n)), max_entries=3) for n in range(20)))
        await asyncio.gather(*(store.add(entry(str(n)), max_entries=3) for n in range(2)))
        assert await store.count() == 3
        assert sorted(await prompts(store)) == ["0", "1", "a"]

    @on_an_open_store
    async def test_update_changes_in_place(self, store: MemoryStore) -> None:
        kept, _ = await add(store, entry("a"), entry("b"))
        changed = await store.update(kept.id, lambda e: e.replace(use_count=e.use_count + 1))
        assert changed.use_count == 1
        assert await store.get(kept.id) == changed
        assert await prompts(store) == ["b", "a"]

    @on_an_open_store
    async def test_an_unknown_id_is_not_found(self, store: MemoryStore) -> None:
        (kept,) = await add(store, entry("a"))
        with pytest.raises(NotFoundError, match="nobody"):
            await store.update("nobody", lambda e: e)
        with pytest.raises(NotFoundError):
            await store.update(kept.id, lambda e: e, scope=THEIRS)
        assert await store.get("nobody") is None

    @on_an_open_store
    async def test_of_several_ids_all_are_removed_or_none(self, store: MemoryStore) -> None:
        one, two, _ = await add(store, entry("a"), entry("b"), entry("c"))
        with pytest.raises(NotFoundError, match="'nobody'"):
            await store.remove([one.id, "nobody"])
        assert await store.count() == 3
        assert await store.remove([one.id, two.id, one.id]) == 2
        assert await prompts(store) == ["c"]

    @on_an_open_store
    async def test_a_change_that_refuses_leaves_the_entry_as_it_was(self, store: MemoryStore) -> None:
        (kept,) = await add(store, entry("a"))
        with pytest.raises(ConfigurationError):
            await store.update(kept.id, lambda e: e.replace(severity=2.0))
        assert await store.get(kept.id) == kept

    @on_an_open_store
    async def test_simultaneous_updates_all_count(self, store: MemoryStore) -> None:
        (kept,) = await add(store, entry("a"))
        await asyncio.gather(
            *(store.update(kept.id, lambda e: e.replace(use_count=e.use_count + 1)) for _ in range(50))
        )
        found = await store.get(kept.id)
        assert found is not None
        assert found.use_count == 50

    @on_an_open_store
    async def test_clear_empties_one_scope_or_all_and_says_how_many_went(self, store: MemoryStore) -> None:
        await add(store, entry("a"), entry("b"), entry("c", THEIRS), entry("d", Scope("x", "y")))
        assert await store.clear(OURS) == 2
        assert await store.count() == 2
        assert await store.clear() == 2
        assert await store.count() == 0
        assert await store.clear() == 0

    @on_an_open_store
    async def test_select_applies_the_filters_of_a_query(self, store: MemoryStore) -> None:
        await add(
            store,
            entry("1", kind="semantic", correction="1", tags=("a", "b"), domain="code", importance=0.9),
            entry("2", tags=("b",), agent_id="me", session_id="s"),
            entry("3", task_type="fix", tags=("c",)),
        )

        async def found(**filters: Any) -> list[str]:
            return await prompts(store, OURS, where=MemoryQuery(scope=OURS, **filters))

        assert await found(tags=("a", "b")) == ["2", "1"]
        assert await found(kinds=("semantic", "meta")) == ["1"]
        assert await found(domain="code") == ["1"]
        assert await found(agent_id="me", session_id="s") == ["2"]
        assert await found(task_type="fix") == ["3"]
        assert await found(min_importance=0.9) == ["1"]
        assert await found(tags=("nothing",)) == []
