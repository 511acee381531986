"""Work on an index that goes to a thread lets the loop have the interpreter often."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from jido_ai.learning.maintenance import maintain
from jido_ai.memory import memory_actor, scope_index
from jido_ai.memory.index.keyword_index import KeywordIndex
from jido_ai.memory.index.similarity import measure_named
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import MemoryEntry, MemoryKind, Scope
from jido_ai.values.record import Record


class Turns:
    """Counts instead of pausing."""

    given = 0

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        del loop

    def __call__(self) -> None:
        Turns.given += 1


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> type[Turns]:
    monkeypatch.setattr(Turns, "given", 0)
    monkeypatch.setattr(scope_index, "_Turns", Turns)
    return Turns


async def filled(entries: int) -> InProcessStore:
    store = InProcessStore()
    for number in range(entries):
        await store.add(MemoryEntry(f"entry {number} of many", id=str(number)), max_entries=entries)
    return store


async def test_long_work_gives_others_a_turn_every_twenty_rows_and_two_hundred_removals(turns: type[Turns]) -> None:
    async with ReflexionMemory(store=await filled(2_000), max_entries=2_000, counting="python") as memory:
        assert len(await memory.retrieve_similar("entry 7 of many", threshold=1.0)) == 1
        assert turns.given >= 2_000 // 20
        loaded = turns.given
        await memory.clear()
        assert await memory.retrieve_similar("entry 7 of many") == []
        assert turns.given >= loaded + 2_000 // 200


async def test_a_long_record_gives_others_a_turn_with_every_piece_and_a_short_one_none(
    turns: type[Turns],
) -> None:
    async with ReflexionMemory() as memory:
        await memory.append([Record(log="journal", key="short", data={"text": "x" * 10_000})])
        assert turns.given == 0
        await memory.append([Record(log="journal", key="long", data={"text": "a line of it\n" * 100_000})])
    assert turns.given >= 1_300_000 // 20_000 + 1_300_000 // 17_000


async def test_maintenance_gives_others_a_turn_with_every_long_lesson_it_reads_and_frees(turns: type[Turns]) -> None:
    async with ReflexionMemory() as memory:
        for number in range(40):
            words = " ".join(f"word{number}x{n}" for n in range(200))
            await memory.store(MemoryEntry(f"p {number}", correction=words, kind=MemoryKind.SEMANTIC))
        before = turns.given
        await maintain(memory)
    assert turns.given - before >= 2 * 40


async def test_short_work_is_done_on_the_loop_without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        raise AssertionError("the loop slept")

    monkeypatch.setattr(scope_index.time, "sleep", sleep)
    monkeypatch.setattr(scope_index, "_TURN_S", 0.0)  # every turn would be one
    async with ReflexionMemory(store=await filled(20)) as memory:
        assert len(await memory.retrieve_similar("entry 7 of many", threshold=1.0)) == 1


async def test_a_rebuild_during_searches_gives_turns_too(turns: type[Turns], monkeypatch: pytest.MonkeyPatch) -> None:
    rebuilt, loop = asyncio.Event(), asyncio.get_running_loop()
    compacted = KeywordIndex.compacted

    def watched(index: KeywordIndex, *args: Any) -> KeywordIndex:
        before = turns.given
        fresh = compacted(index, *args)
        if turns.given > before:
            loop.call_soon_threadsafe(rebuilt.set)
        return fresh

    monkeypatch.setattr(KeywordIndex, "compacted", watched)
    async with ReflexionMemory(store=await filled(2_000), similarity="weighted", counting="python") as memory:
        await memory.retrieve_similar("entry 7 of many")
        async with asyncio.timeout(20):
            await rebuilt.wait()
    assert turns.given > 0


def test_a_rebuild_gives_a_turn_before_each_word_and_every_1024_rows() -> None:
    index = KeywordIndex(measure_named("jaccard"))
    for row in range(5_000):
        index.add(row, frozenset({"all", f"word{row % 10}"}))
    index.remove(4_000)
    given: list[None] = []
    fresh = index.compacted(index.slots, lambda: given.append(None))
    assert len(given) == 5 + 11
    words = frozenset({"all", "word3"})
    assert fresh.search(words, 9_999, 0.1) == index.search(words, 9_999, 0.1)
    assert len(fresh) == 4_999


def test_an_index_that_is_dismantled_gives_a_turn_every_thousand_words() -> None:
    index = KeywordIndex(measure_named("jaccard"))
    index.add(1, frozenset(map(str, range(2_500))))
    given: list[None] = []
    index.dismantle(lambda: given.append(None))
    assert len(given) == 3 + 2  # the last two: its rows, their sizes
    assert index.search(frozenset({"7"}), 5, 0.0001) == []


async def test_a_replaced_index_is_freed_in_a_thread_and_the_new_one_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done, loop, before = asyncio.Event(), asyncio.get_running_loop(), threading.get_ident()
    dismantle = KeywordIndex.dismantle
    threads: list[int] = []

    def watched(index: KeywordIndex, others_turn: Callable[[], None]) -> None:
        threads.append(threading.get_ident())
        dismantle(index, others_turn)
        loop.call_soon_threadsafe(done.set)

    monkeypatch.setattr(KeywordIndex, "dismantle", watched)
    async with ReflexionMemory(store=await filled(2_000), similarity="weighted", counting="python") as memory:
        found = await memory.retrieve_similar("entry 7 of many")
        async with asyncio.timeout(20):
            await done.wait()
        assert threads
        assert before not in threads
        assert (await memory.retrieve_similar("entry 7 of many"))[0].entry == found[0].entry


def test_a_turn_is_given_when_a_millisecond_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    times, slept = iter((5.0, 5.0, 5.0009, 5.0011, 5.0011, 5.0012, 5.002, 5.0022, 5.0022)), list[float]()
    monkeypatch.setattr(scope_index.time, "perf_counter", lambda: next(times))
    monkeypatch.setattr(scope_index.time, "sleep", slept.append)
    monkeypatch.setattr(scope_index, "_PAUSES_PER_VISIT", 99)
    loop = asyncio.new_event_loop()
    others_turn = scope_index._Turns(loop)
    pauses: list[int] = []
    for _ in range(6):
        others_turn()
        pauses.append(len(slept))
    assert pauses == [0, 0, 1, 1, 1, 2]
    assert all(0 < seconds <= 0.001 for seconds in slept)
    loop.close()


async def test_every_second_pause_lasts_until_the_loop_has_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope_index, "_TURN_S", -1.0)  # every turn is one
    monkeypatch.setattr(scope_index, "_LONGEST_VISIT_S", 20.0)
    others_turn, gone_on = scope_index._Turns(asyncio.get_running_loop()), list[int]()

    def work() -> None:
        for number in range(1, 3):
            others_turn()
            gone_on.append(number)

    thread = threading.Thread(target=work)
    thread.start()
    while not gone_on:  # the loop is held up, and the thread goes on once
        time.sleep(0.001)
    time.sleep(0.05)
    assert gone_on == [1]
    await asyncio.to_thread(thread.join, 20)
    assert gone_on == [1, 2]


def test_a_closed_loop_blocks_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope_index, "_TURN_S", -1.0)
    monkeypatch.setattr(scope_index, "_LONGEST_VISIT_S", 50.0)
    loop = asyncio.new_event_loop()
    others_turn = scope_index._Turns(loop)
    loop.close()
    for _ in range(8):
        others_turn()  # half of these would wait for the loop, longer than a test may take
    assert others_turn._pauses == 8


async def test_rare_words_are_read_row_by_row_when_they_have_to_be_stemmed(turns: type[Turns]) -> None:
    async with ReflexionMemory(
        store=await filled(1_000), max_entries=1_000, similarity="weighted", counting="python"
    ) as memory:
        await memory.retrieve_similar("entry 7 of many")
        assert turns.given >= 1_000


async def test_long_texts_are_read_in_smaller_groups(turns: type[Turns]) -> None:
    store = InProcessStore()
    for number in range(50):
        await store.add(MemoryEntry(f"entry {number} " + "of many " * 250), max_entries=100)
    async with ReflexionMemory(store=store, counting="python") as memory:
        await memory.retrieve_similar("entry 7 of many")
        assert turns.given >= 50


async def test_an_index_that_gives_way_to_another_is_freed_in_a_thread_and_loaded_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_actor, "_ENTRIES_IN_MIND", 4_000)
    threads, dismantle, done = list[int](), KeywordIndex.dismantle, threading.Event()

    def watched(index: KeywordIndex, others_turn: Callable[[], None]) -> None:
        threads.append(threading.get_ident())
        dismantle(index, others_turn)
        done.set()

    monkeypatch.setattr(KeywordIndex, "dismantle", watched)
    store, scopes = InProcessStore(), [Scope("t", name) for name in "ab"]
    for scope in scopes:
        for number in range(1_100):
            await store.add(MemoryEntry(f"entry {number} of many", scope=scope), max_entries=2_000)
    async with ReflexionMemory(store=store, max_entries=2_000, counting="python") as memory:
        for scope in (*scopes, scopes[0]):
            assert len(await memory.retrieve_similar("entry 7 of many", threshold=1.0, scope=scope)) == 1
        assert await asyncio.to_thread(done.wait, 20)
        assert threading.get_ident() not in threads


async def test_calls_that_wait_for_a_dropped_index_find_everything(turns: type[Turns]) -> None:
    store = await filled(1_100)
    around = scope_index.Surroundings(store, lambda name, facts: None, asyncio.ensure_future, lambda: None)
    index = scope_index.KeywordScope(Scope(), around, "jaccard")
    for _ in range(2):
        await index.follow()
        assert len(index) == 1_100
        assert len(await index.search(await index.read("entry 7 of many"), 5, 1.0)) == 1
        await index.drop()
        assert len(index) == 0


async def test_an_index_that_starts_over_is_freed_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, dismantle = list[int](), KeywordIndex.dismantle

    def watched(index: KeywordIndex, others_turn: Callable[[], None]) -> None:
        threads.append(threading.get_ident())
        dismantle(index, others_turn)

    monkeypatch.setattr(KeywordIndex, "dismantle", watched)
    monkeypatch.setattr("jido_ai.memory.stores.in_process._REMEMBERED_REMOVALS", 10)
    store = await filled(2_000)
    async with ReflexionMemory(store=store, max_entries=2_000, counting="python") as memory:
        await memory.retrieve_similar("entry 7 of many")
        await store.remove([str(number) for number in range(100)])
        assert [one.entry.id for one in await memory.retrieve_similar("entry 700 of many", threshold=1.0)] == ["700"]
        assert await memory.retrieve_similar("entry 7 of many", threshold=1.0) == []
    assert threads
    assert threading.get_ident() not in threads


async def test_a_scope_larger_than_the_cache_does_not_evict_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory_actor, "_ENTRIES_IN_MIND", 4_000)
    dropped: list[KeywordIndex] = []
    monkeypatch.setattr(KeywordIndex, "dismantle", lambda index, others_turn: dropped.append(index))
    async with ReflexionMemory(store=await filled(1_500), max_entries=2_000, counting="python") as memory:
        for number in range(5):
            await memory.retrieve_similar("entry 7 of many")
            await memory.store(MemoryEntry(f"one more {number}"))
            assert len(await memory.retrieve_similar(f"one more {number}", threshold=1.0)) == 1
    assert not dropped
