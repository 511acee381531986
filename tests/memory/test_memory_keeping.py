"""What a memory keeps beside texts: strategies, links, lifetimes, an audit; and how it offers lessons to runs."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import CallError, ConfigurationError, NotFoundError, StoreUnavailableError
from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.loop.lesson import offered
from jido_ai.memory import reflexion_memory, scope_index
from jido_ai.memory.index.keyword_index import KeywordIndex
from jido_ai.memory.intake import Intake
from jido_ai.memory.lessons import diverse, importance_label, lifetime, rewritten
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.scope_index import KeywordScope, Surroundings
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.telemetry import TelemetryEvent
from jido_ai.values import Episode, Link, MemoryEntry, MemoryKind, MemoryQuery, Reflection, Scope, Scored
from jido_ai.values.record import Changes, Cursor, Record


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ReflexionMemory]:
    path = None if request.param == "memory" else tmp_path / "memory.db"
    async with ReflexionMemory(path) as memory:
        yield memory


# -- strategies and links --------------------------------------------------------------------------


@pytest.mark.rows("R22", "R23", "R24")
async def test_a_strategy_is_a_lesson_of_its_own_a_tenth_more_important(memory: ReflexionMemory) -> None:
    reflection = Reflection("use key", strategy="write the test first", importance=0.95, tags=("sorting",))
    kept = await memory.store_reflection(reflection, Episode("sort numbers", agent_id="me"))
    (strategy,) = await memory.list_entries(where=MemoryQuery(tags=("strategy",)))
    assert (kept.kind, kept.correction) == ("episodic", "use key")
    assert (strategy.kind, strategy.correction, strategy.importance) == ("procedural", "write the test first", 1.0)
    assert strategy.tags == ("sorting", "strategy")
    assert [link.id for link in strategy.links] == [kept.id]


async def test_a_reflection_without_a_strategy_is_one_entry(memory: ReflexionMemory) -> None:
    await memory.store_reflection(Reflection("use key", strategy=" "), Episode("sort numbers"))
    assert await memory.count() == 1


@pytest.mark.rows("M19", "M26", "R29")
async def test_entries_are_linked_once_per_type_and_only_to_existing_entries(memory: ReflexionMemory) -> None:
    one, other = [await memory.store(MemoryEntry(text)) for text in ("a", "b")]
    await memory.link(one.id, other.id, "contradicts", strength=0.2)
    linked = await memory.link(one.id, other.id, "contradicts", strength=0.9)
    assert linked.links == (Link(other.id, "contradicts", 0.9),)
    assert (await memory.get(one.id)).links == linked.links
    with pytest.raises(NotFoundError):
        await memory.link(one.id, "nobody", "similar")
    with pytest.raises(ConfigurationError, match="itself"):
        await memory.link(one.id, one.id, "similar")


# -- importance and lifetime -----------------------------------------------------------------------


@pytest.mark.rows("M18", "M45", "R30")
def test_importance_has_four_bands_with_inclusive_lower_bounds() -> None:
    marks = [importance_label(value) for value in (0.0, 0.29, 0.3, 0.59, 0.6, 0.79, 0.8, 1.0)]
    assert marks == ["low", "low", "medium", "medium", "high", "high", "critical", "critical"]
    assert [lifetime(90, value) for value in (0.1, 0.5, 0.7, 0.9)] == [45, 90, 180, 450]


@pytest.mark.rows("M6", "M45", "C45")
async def test_entries_expire_after_their_lifetime_unless_they_have_their_own_time() -> None:
    now = datetime.now(UTC)
    async with ReflexionMemory(retention_days=10) as memory:
        kept = await memory.store(MemoryEntry("a", importance=0.9, timestamp=now))
        own = await memory.store(MemoryEntry("b", expires_at=now + timedelta(days=1)))
        gone = await memory.store(MemoryEntry("c", importance=0.1, timestamp=now - timedelta(days=6)))
        assert kept.expires_at == now + timedelta(days=50)
        assert own.expires_at == now + timedelta(days=1)
        assert await memory.retrieve_similar(gone.prompt) == []


@pytest.mark.parametrize("path", [None, "memory.db"])
async def test_a_lesson_that_helped_or_that_a_person_edited_outlives_the_retention(
    path: str | None, tmp_path: Path
) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=9)
    async with ReflexionMemory(path and tmp_path / path, retention_days=10) as memory:
        for name in ("helped", "failed", "edited", "own"):
            own = long_ago + timedelta(days=12) if name == "own" else None
            one = MemoryEntry(
                f"task {name}", "", f"do {name}", id=name, kind="semantic", timestamp=long_ago, expires_at=own
            )
            await memory.store(one)
        for name in ("helped", "own"):
            await memory.record_usage(name, success=True)
        await memory.record_usage("failed", success=False)
        await memory.store(rewritten(await memory.get("edited"), correction="mine"))
        await memory.store(MemoryEntry("task again", "", "do helped", kind="semantic"))
        expiries = {one.id: one.expires_at for one in await memory.list_entries()}
    assert (expiries["helped"], expiries["edited"]) == (None, None)
    assert expiries["failed"] == long_ago + timedelta(days=10)
    assert expiries["own"] == long_ago + timedelta(days=12)


@pytest.mark.rows("M6")
@pytest.mark.parametrize("days", [0, 0.5, -1, 365.1, 366, 10**400, float("nan"), float("inf"), 1e9, True, "x"])
def test_a_retention_that_can_never_work_is_refused(days: Any) -> None:
    with pytest.raises(ConfigurationError, match="retention_days"):
        ReflexionMemory(retention_days=days)
    with pytest.raises(ConfigurationError, match="retention_days"):
        MaintenanceConfig(retention_days=days)


@pytest.mark.parametrize("days", [1, 365, 1.0, 365.0, None])
def test_the_bounds_of_retention_are_valid(days: float | None) -> None:
    assert not ReflexionMemory(retention_days=days).is_open
    assert MaintenanceConfig(retention_days=days).retention_days == days


# -- audit -----------------------------------------------------------------------------------------


@pytest.mark.rows("M49")
@pytest.mark.parametrize(
    ("level", "verbs"), [("none", []), ("writes", ["store", "forget"]), ("all", ["store", "retrieve", "forget"])]
)
async def test_the_audit_says_who_read_and_wrote_without_any_text(level: str, verbs: list[str]) -> None:
    async with ReflexionMemory(audit=level) as memory:
        kept = await memory.store(MemoryEntry("secret prompt", scope=Scope("t")))
        await memory.retrieve_similar("secret prompt", scope=Scope("t"))
        await memory.forget(kept.id, scope=Scope("t"))
        records = await memory.records("audit")
        assert [record.kind for record in records] == verbs
        assert all(record.data["ids"] == [kept.id] and record.scope == Scope("t") for record in records)
        assert "secret" not in repr(records)


@pytest.mark.rows("M49")
@pytest.mark.parametrize("path", [None, "memory.db"])
async def test_every_access_is_in_the_audit_with_its_scope_and_ids(tmp_path: Path, path: str | None) -> None:
    ours = Scope("t", "p")
    async with ReflexionMemory(path and tmp_path / path, audit="all") as memory:
        one, two = [await memory.store(MemoryEntry(text, scope=ours, id=text)) for text in ("a", "b")]
        await memory.record_usage(one.id, success=True, scope=ours)
        await memory.link(one.id, two.id, "similar", scope=ours)
        await memory.update(one.id, lambda entry: entry.replace(impact=0.5), scope=ours)
        await memory.get(one.id, scope=ours)
        await memory.query(MemoryQuery(scope=ours))
        await memory.list_entries(ours)
        assert len([entry async for entry in memory.entries(ours)]) == 2
        await memory.clear(ours)
        records = await memory.records("audit")
    writes, reads = {"store", "record_usage", "link", "update", "clear"}, {"get", "query", "list"}
    told = [(record.kind, sorted(record.data["ids"]), record.data["entries"]) for record in records]
    assert told[:6] == [
        *(("store", ["a"], 1), ("store", ["b"], 1), ("record_usage", ["a"], 1)),
        *(("link", ["a"], 1), ("update", ["a"], 1), ("get", ["a"], 1)),
    ]
    assert told[6:] == [
        *(("query", ["a", "b"], 2), ("list", ["a", "b"], 2)),
        *(("list", ["a", "b"], 2), ("list", [], 0), ("clear", [], 2)),
    ]
    assert {record.kind for record in records if record.data["access"] == "write"} == writes
    assert {record.kind for record in records if record.data["access"] == "read"} == reads
    assert {record.scope for record in records} == {ours}


async def test_a_reader_of_all_entries_sees_each_once_despite_concurrent_writes(
    memory: ReflexionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reflexion_memory, "_ROWS_PER_PAGE", 2)
    kept = [await memory.store(MemoryEntry(str(n))) for n in range(6)]
    seen: list[str] = []
    async for entry in memory.entries():
        seen.append(entry.prompt)
        if len(seen) in (1, 4):
            await memory.store(MemoryEntry("new"))
            await memory.forget(kept[5].id if len(seen) == 1 else kept[0].id)
    assert seen == ["5", "4", "3", "2", "1"]


# -- the index that follows the store ---------------------------------------------------------------


class Told:
    """A store that tells what it is told to, once."""

    def __init__(self, *changes: Changes) -> None:
        self.waiting = list(changes)

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        return self.waiting.pop(0) if self.waiting else Changes(since)


def followed(store: Told, tasks: list[asyncio.Task[None]]) -> KeywordScope:
    around = Surroundings(
        store=store,
        emit=lambda name, facts: None,
        run_task=lambda work: tasks.append(asyncio.ensure_future(work)),
        large_counting=lambda: None,
    )
    return KeywordScope(Scope(), around, "jaccard")


async def hits(index: KeywordScope, text: str) -> list[int]:
    return [row for row, _ in await index.search(await index.read(text), 10_000, 0.1)]


async def test_an_index_that_starts_over_forgets_its_earlier_entries() -> None:
    index = followed(
        Told(
            Changes(Cursor(2, 0), came=[(1, "parse"), (2, "parse")]),
            Changes(Cursor(4, 9), came=[(2, "parse"), (4, "parse")], start_over=True),
        ),
        [],
    )
    await index.catch_up()
    assert await hits(index, "parse") == [2, 1]
    await index.catch_up()
    assert await hits(index, "parse") == [4, 2]
    assert len(index) == 2


class Counted(Told):
    """Counts the visits; each takes a turn of the event loop."""

    visits = 0

    async def changes(self, scope: Scope, since: Cursor, limit: int) -> Changes:
        self.visits += 1
        await asyncio.sleep(0)
        return await super().changes(scope, since, limit)


async def test_searches_that_wait_together_share_one_visit_to_the_store() -> None:
    store = Counted(Changes(Cursor(1, 0), came=[(1, "parse")]), Changes(Cursor(2, 0), came=[(2, "parse")]))
    index = followed(store, [])
    await asyncio.gather(*[index.follow() for _ in range(20)])
    assert store.visits == 2  # that of the first, which the others may not rely on, and theirs
    assert await hits(index, "parse") == [2, 1]


async def test_an_index_that_starts_over_while_it_is_rebuilt_stays_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = range(1, 4_001)
    tasks: list[asyncio.Task[None]] = []
    index = followed(
        Told(
            Changes(Cursor(4_000, 0), came=[(row, "parse") for row in rows]),
            Changes(Cursor(4_000, 2_000), went=rows[:2_000]),
            Changes(Cursor(4_001, 9_000), came=[(4_001, "parse")], start_over=True),
        ),
        tasks,
    )
    compacted, may_end = KeywordIndex.compacted, threading.Event()

    def slowly(self: KeywordIndex, *args: Any) -> KeywordIndex:
        assert may_end.wait(30)
        return compacted(self, *args)

    monkeypatch.setattr(KeywordIndex, "compacted", slowly)
    async with index.lock:
        await index.catch_up()
        await index.catch_up()
    assert len(tasks) == 1  # it is being rebuilt
    await asyncio.sleep(0)
    while index.lock.locked():
        await asyncio.sleep(0)
    async with index.lock:
        await index.catch_up()
    may_end.set()
    await asyncio.gather(*tasks)
    assert await hits(index, "parse") == [4_001]


# -- what runs are offered -------------------------------------------------------------------------


def scored(prompt: str, similarity: float, correction: str = "", **fields: object) -> Scored:
    return Scored(MemoryEntry(prompt, correction=correction, **fields), similarity)


@pytest.mark.rows("M50")
def test_lessons_that_failed_often_are_no_longer_offered() -> None:
    failed = scored("a", 1.0, use_count=10, success_count=1)
    young = scored("b", 0.3, use_count=4)
    assert [one.entry.prompt for one in offered([failed, young], 5)] == ["b"]


@pytest.mark.rows("M50")
def test_a_mostly_failing_lesson_is_offered_alone_and_only_without_a_better_one_about_as_similar() -> None:
    doubted = [scored("a", 1.0, "use a", use_count=3, success_count=1), scored("b", 0.9, "do b", use_count=1)]
    assert [one.entry.prompt for one in offered(doubted, 5)] == ["a"]
    fresh = scored("c", 0.8, "try c")
    fair = scored("d", 0.8, "go d", use_count=4, success_count=2)
    assert {one.entry.prompt for one in offered([*doubted, fresh, fair], 5)} == {"c", "d"}


def test_useful_entries_come_first_and_similarity_to_chosen_ones_counts_against() -> None:
    best = scored("parse a date", 0.9, "use an aware datetime")
    same = scored("parse a date now", 0.89, "use an aware datetime")
    other = scored("read bytes", 0.7, "decode them")
    assert [one.entry.prompt for one in offered([best, same, other], 2)] == ["parse a date", "read bytes"]
    worth = [(best, 0.9), (same, 0.89), (other, 0.7)]
    assert [one.entry.prompt for one in diverse(worth, 2, relevance=1.0)] == ["parse a date", "parse a date now"]


@pytest.mark.rows("M19", "M50")
def test_only_one_of_two_contradicting_lessons_is_offered() -> None:
    one = scored("a b c", 0.9, id="one")
    other = scored("d e f", 0.8, id="other", links=(Link("one", "contradicts"),))
    assert [found.entry.id for found in offered([one, other], 5)] == ["one"]


# -- many scopes, many entries ---------------------------------------------------------------------


async def test_indexes_of_scopes_come_and_go_and_are_right_whenever_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jido_ai.memory.memory_actor._ENTRIES_IN_MIND", 3_000)  # room for three scopes
    async with ReflexionMemory() as memory:
        for number in range(20):
            await memory.store(MemoryEntry(f"parse date {number}", scope=Scope(f"t{number}")))
        for number in (*range(20), *range(20)):
            found = await memory.retrieve_similar(f"parse date {number}", scope=Scope(f"t{number}"))
            assert [one.entry.prompt for one in found] == [f"parse date {number}"]


async def test_a_large_index_is_rebuilt_during_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope_index, "_MS_ON_THE_LOOP", 0.001)  # everything counts as large
    async with ReflexionMemory(similarity="weighted", max_entries=60) as memory:
        for number in range(200):
            await memory.store(MemoryEntry(f"number{number} word{number % 7}"))
            found = await memory.retrieve_similar(f"number{number} word{number % 7}", 1, 0.9)
            assert [one.entry.prompt for one in found] == [f"number{number} word{number % 7}"]
        assert await memory.retrieve_similar("number139", threshold=0.3) == []
        assert len(await memory.retrieve_similar("number140", threshold=0.3)) == 1


async def test_without_numpy_a_huge_scope_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope_index, "_PLAIN_IS_SLOW_ABOVE", 3)
    events: list[TelemetryEvent] = []
    async with ActorSystem(sink=events.append) as system, ReflexionMemory(system=system, counting="python") as memory:
        for number in range(6):
            await memory.store(MemoryEntry(f"word{number}"))
            await memory.retrieve_similar("word1")
    (event,) = [event for event in events if event.name == "memory.high_water"]
    assert "jido-ai[numpy]" in str(event.data["hint"])


class SlowStore(InProcessStore):
    """Holds writes back until told."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = asyncio.Event()

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        await self.gate.wait()
        return await super().add(entry, max_entries=max_entries)

    async def add_all(self, entries: list[MemoryEntry], *, max_entries: int) -> list[MemoryEntry]:
        return [await self.add(entry, max_entries=max_entries) for entry in entries]


async def test_readers_do_not_wait_for_writers() -> None:
    store = SlowStore()
    async with ReflexionMemory(store=store) as memory:
        writing = asyncio.ensure_future(memory.store(MemoryEntry("slow")))
        assert await memory.retrieve_similar("slow") == []
        assert await memory.count() == 0
        store.gate.set()
        await writing
        assert await memory.count() == 1


class CountingStore(InProcessStore):
    """Takes many at once, and notes how many each time; one prompt is more than it can bear."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[int] = []

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        if entry.prompt == "unforeseen":
            raise RuntimeError("broken")
        return await super().add(entry, max_entries=max_entries)

    async def add_all(self, entries: Sequence[MemoryEntry], *, max_entries: int) -> list[MemoryEntry]:
        self.batches.append(len(entries))
        return [await self.add(entry, max_entries=max_entries) for entry in entries]


@pytest.mark.virtual_clock
async def test_entries_of_one_turn_of_the_loop_reach_the_store_in_one_step() -> None:
    store = CountingStore()
    async with ReflexionMemory(store=store) as memory:
        kept = await asyncio.gather(*(memory.store(MemoryEntry(f"prompt {number}")) for number in range(600)))
        assert [entry.prompt for entry in kept] == [f"prompt {number}" for number in range(600)]
        assert store.batches == [500, 100]


async def test_entries_that_take_long_to_check_are_checked_in_several_turns_of_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = Intake.entries

    def slow(intake: Intake, entries: Sequence[MemoryEntry]) -> tuple[list[MemoryEntry], dict[int, Exception]]:
        time.sleep(0.003)  # blocks, as a long look for secrets does
        return usual(intake, entries)

    monkeypatch.setattr(Intake, "entries", slow)
    store = CountingStore()
    async with ReflexionMemory(store=store) as memory:
        kept = await asyncio.gather(*(memory.store(MemoryEntry(f"prompt {number}")) for number in range(64)))
    assert [entry.prompt for entry in kept] == [f"prompt {number}" for number in range(64)]
    assert sum(store.batches) == 64
    assert max(store.batches) <= 32


async def test_an_entry_with_an_unexpected_error_does_not_fail_others() -> None:
    async with ReflexionMemory(store=CountingStore()) as memory:
        prompts = ["one", "unforeseen", "two"]
        kept = await asyncio.gather(*(memory.store(MemoryEntry(prompt)) for prompt in prompts), return_exceptions=True)
        assert isinstance(kept[1], CallError)
        assert {entry.prompt for entry in await memory.list_entries()} == {"one", "two"}


async def test_a_cancelled_caller_does_not_block_others() -> None:
    store = CountingStore()
    async with ReflexionMemory(store=store) as memory:
        first, second = (asyncio.ensure_future(memory.store(MemoryEntry(prompt))) for prompt in ("first", "second"))
        await asyncio.sleep(0)
        first.cancel()
        assert (await second).prompt == "second"
        assert first.cancelled()


async def test_a_batch_is_stored_by_the_successor_of_a_killed_actor() -> None:
    async with ReflexionMemory(store=CountingStore()) as memory:
        writing = [asyncio.ensure_future(memory.store(MemoryEntry(prompt))) for prompt in ("one", "two")]
        await asyncio.sleep(0)
        memory.actor.kill()
        assert [entry.prompt for entry in await asyncio.gather(*writing)] == ["one", "two"]
        assert await memory.count() == 2


# -- what is never stored ---------------------------------------------------------------------------

_SECRET = "ghp_" + "a1B2c3D4e5" * 3


async def test_the_result_of_an_update_is_redacted_and_its_figures_stay() -> None:
    async with ReflexionMemory() as memory:
        kept = await memory.store(MemoryEntry("p", tags=("before",)))

        def change(entry: MemoryEntry) -> MemoryEntry:
            return entry.replace(
                tags=("fine", f"key {_SECRET}"),
                evidence=(_SECRET,),
                source=_SECRET,
                domain=f"d {_SECRET}",
                metadata={"password": "hunter2", "list": [_SECRET]},
                impact=0.5,
            )

        for changed in (await memory.update(kept.id, change), await memory.get(kept.id)):
            assert _SECRET not in changed.model_dump_json()
            assert "hunter2" not in changed.model_dump_json()
            assert (changed.tags, changed.impact) == (("fine", "key [redacted]"), 0.5)


async def test_metadata_that_an_update_changes_in_place_is_redacted() -> None:
    async with ReflexionMemory() as memory:
        kept = await memory.store(MemoryEntry("p", metadata={"a": 1}))

        def change(entry: MemoryEntry) -> MemoryEntry:
            entry.metadata["token"] = _SECRET
            return entry

        await memory.update(kept.id, change)
        assert (await memory.get(kept.id)).metadata == {"a": 1, "token": "[redacted]"}


async def test_an_update_that_returns_a_long_text_a_secret_id_or_no_entry_is_refused() -> None:
    async with ReflexionMemory(max_text_bytes=100) as memory:
        kept = await memory.store(MemoryEntry("p"))
        changes: tuple[Callable[[MemoryEntry], object], ...] = (
            lambda entry: entry.replace(tags=("x" * 101,)),
            lambda entry: entry.replace(source="x" * 101),
            lambda entry: entry.replace(metadata={"a": "x" * 101}),
            lambda entry: entry.replace(links=(Link(_SECRET, "similar"),)),
            lambda entry: None,
        )
        for change in changes:
            with pytest.raises(ConfigurationError) as refused:
                await memory.update(kept.id, change)  # type: ignore[arg-type]
            assert _SECRET not in str(refused.value)
        assert await memory.get(kept.id) == kept


async def test_unchanged_fields_of_an_update_are_not_checked_again() -> None:
    store = InProcessStore()
    old = await store.add(MemoryEntry("p" * 200, id=_SECRET, tags=(_SECRET,), source="s" * 200), max_entries=9)
    async with ReflexionMemory(store=store, max_text_bytes=100) as memory:
        assert await memory.update(_SECRET, lambda entry: entry.replace(impact=0.5)) == old.replace(impact=0.5)


@pytest.mark.parametrize("scope", [Scope(_SECRET), Scope("t", f"project {_SECRET}")])
async def test_a_scope_whose_name_holds_a_secret_is_refused_everywhere_and_not_quoted(scope: Scope) -> None:
    async with ReflexionMemory(audit="all") as memory:
        refused: list[Callable[[], Awaitable[object]]] = [
            lambda: memory.store(MemoryEntry("p", scope=scope)),
            lambda: memory.retrieve_similar("p", scope=scope),
            lambda: memory.query(MemoryQuery("p", scope=scope)),
            lambda: memory.list_entries(scope),
            lambda: memory.append([Record(log="journal", key="k", data={}, scope=scope)]),
            lambda: memory.records("journal", scope=scope),
            lambda: memory.clear(scope),
        ]
        for call in refused:
            with pytest.raises(ConfigurationError, match="scope") as error:
                await call()
            assert _SECRET not in str(error.value)
        assert [record for record in await memory.records("audit") if _SECRET in str(record)] == []


async def test_an_address_may_be_a_tenant_and_without_redaction_anything() -> None:
    for level, scope in (("all", Scope("somebody@example.com")), ("none", Scope(_SECRET))):
        async with ReflexionMemory(redact=level) as memory:  # type: ignore[arg-type]
            await memory.store(MemoryEntry("p", scope=scope))
            assert await memory.count(scope) == 1


# -- an actor that dies -----------------------------------------------------------------------------


async def test_a_lesson_counts_once_when_the_actor_dies_while_its_batch_is_committed(tmp_path: Path) -> None:
    async with ReflexionMemory(tmp_path / "memory.db") as memory:
        held = await memory.store(MemoryEntry("held"))
        lesson = MemoryEntry("p", correction="use an aware datetime", kind=MemoryKind.SEMANTIC)
        await memory.store(lesson)
        has_begun, may_end = threading.Event(), threading.Event()

        def hold_up(entry: MemoryEntry) -> MemoryEntry:
            has_begun.set()
            may_end.wait(30)
            return entry

        before = asyncio.ensure_future(memory.update(held.id, hold_up))
        await asyncio.to_thread(has_begun.wait, 30)
        again = [asyncio.ensure_future(memory.store(lesson.replace(id=name))) for name in ("x", "y")]
        while not memory._store._waiting:  # type: ignore[attr-defined] - until the store has been given them
            await asyncio.sleep(0)
        memory.actor.kill()
        await asyncio.sleep(0.01)
        may_end.set()
        assert [entry.id for entry in await asyncio.gather(*again)] == [lesson.id] * 2
        assert (await memory.get(lesson.id)).frequency == 3
        with contextlib.suppress(NotFoundError):
            await before


async def test_a_store_that_does_not_answer_after_the_actor_died_is_not_waited_for_longer_than_allowed() -> None:
    class Silent(InProcessStore):
        given: asyncio.Future[list[MemoryEntry]] | None = None

        def add_all(self, entries: Sequence[MemoryEntry], *, max_entries: int) -> asyncio.Future[list[MemoryEntry]]:
            del entries, max_entries
            self.given = asyncio.get_running_loop().create_future()
            return self.given

    store = Silent()
    async with ReflexionMemory(store=store, timeout_s=0.3) as memory:  # type: ignore[arg-type]
        one = asyncio.ensure_future(memory.store(MemoryEntry("p")))
        while store.given is None:
            await asyncio.sleep(0)
        memory.actor.kill()
        with pytest.raises(StoreUnavailableError, match=r"0\.3 s"):
            await one


async def test_many_equal_prompts_are_read_in_several_turns_of_the_loop() -> None:
    class Watched(InProcessStore):
        turn = 0

        def __init__(self) -> None:
            super().__init__()
            self.looked_at: list[tuple[int, int]] = []

        async def fetch(self, rows: Sequence[int]) -> dict[int, MemoryEntry]:
            self.looked_at.append((self.turn, len(rows)))
            return await super().fetch(rows)

    store = Watched()
    for _ in range(1_500):
        await store.add(MemoryEntry("the same prompt"), max_entries=10_000)
    await store.add(MemoryEntry("the same prompt again"), max_entries=10_000)
    running = True

    async def count_turns() -> None:
        while running:
            store.turn += 1
            await asyncio.sleep(0)

    async with ReflexionMemory(store=store, max_entries=10_000) as memory:
        counting = asyncio.ensure_future(count_turns())
        found = await memory.retrieve_similar("the same prompt", threshold=0.1)
        running = False
        await counting
    assert sorted(scored.entry.prompt for scored in found) == ["the same prompt", "the same prompt again"]
    assert sum(rows for _, rows in store.looked_at) == 1_501  # each once
    assert max(rows for _, rows in store.looked_at) <= 100
    assert len({turn for turn, _ in store.looked_at}) == len(store.looked_at)
