"""What every memory store does. A new one adds a line to `STORES`."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError, NotFoundError, RunClaimedError
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.memory.stores.postgres.store import PostgresStore
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.protocols import BatchStore, Claim, ClaimStore, Cursor, LogName, MemoryStore, Record
from jido_ai.values import MemoryEntry, MemoryQuery, Scope

Make = Callable[[pytest.FixtureRequest], MemoryStore]
STORES: dict[str, Make] = {
    "memory": lambda request: InProcessStore(),
    "sqlite": lambda request: SQLiteStore(request.getfixturevalue("tmp_path") / "memory.db"),
    "postgres": lambda request: PostgresStore(request.getfixturevalue("postgres")),
}
OURS, THEIRS = Scope("ours", "p"), Scope("theirs", "p")


@pytest.fixture(params=list(STORES))
async def store(request: pytest.FixtureRequest) -> AsyncIterator[MemoryStore]:
    store = STORES[request.param](request)
    await store.open()
    yield store
    await store.close()


def entry(prompt: str, scope: Scope = OURS, **fields: object) -> MemoryEntry:
    return MemoryEntry(prompt, scope=scope, **fields)


async def add(store: MemoryStore, *entries: MemoryEntry, max_entries: int = 1000) -> list[MemoryEntry]:
    return [await store.add(one, max_entries=max_entries) for one in entries]


async def prompts(store: MemoryStore, scope: Scope | None = None, **options: object) -> list[str]:
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


@pytest.mark.rows("M15", "C16")
async def test_get_returns_the_entry_that_add_returned(store: MemoryStore) -> None:
    (kept,) = await add(store, entry("q", mistake="m", tags=("a",), metadata={"n": [1, {"deep": 10**30}]}))
    assert await store.get(kept.id) == kept


@pytest.mark.rows("H9")
async def test_newest_means_stored_last(store: MemoryStore) -> None:
    await add(store, entry("one"), entry("two", THEIRS), entry("three"))
    assert await prompts(store) == ["three", "two", "one"]
    assert await prompts(store, OURS) == ["three", "one"]


@pytest.mark.rows("C42")
async def test_select_pages_with_limit_offset_and_before(store: MemoryStore) -> None:
    await add(store, *(entry(str(n)) for n in range(5)))
    assert await prompts(store, OURS, limit=2, offset=1) == ["3", "2"]
    newest, *_ = await store.select(OURS, limit=1)
    assert await prompts(store, OURS, before=newest.row, limit=2) == ["3", "2"]
    assert await prompts(store, OURS, limit=0) == []


async def test_numbers_larger_than_a_database_knows_are_as_good_as_no_limit(store: MemoryStore) -> None:
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


async def test_pages_that_leave_entries_out_join_up(store: MemoryStore) -> None:
    await add(store, *(entry(str(n), tags=("even",) * (n % 2 == 0)) for n in range(40)))
    for where, expected in ((None, [*range(40)]), (MemoryQuery(scope=OURS, tags=("even",)), [*range(0, 40, 2)])):
        found: list[str] = []
        while page := await prompts(store, OURS, where=where, offset=len(found), limit=7):
            found += page
        assert found == [str(n) for n in reversed(expected)]


@pytest.mark.rows("H5", "M2")
async def test_at_the_limit_the_oldest_of_the_same_kind_and_scope_goes(store: MemoryStore) -> None:
    await add(store, entry("lesson", kind="semantic"), entry("theirs", THEIRS), max_entries=2)
    await add(store, *(entry(f"episode {n}") for n in range(4)), max_entries=2)
    assert sorted(await prompts(store)) == ["episode 2", "episode 3", "lesson", "theirs"]
    assert await store.count(OURS) == 3


async def test_a_smaller_limit_takes_effect_at_the_next_add(store: MemoryStore) -> None:
    await add(store, *(entry(str(n)) for n in range(5)))
    await add(store, entry("new"), max_entries=2)
    assert await prompts(store) == ["new", "4"]


async def test_the_same_id_replaces_and_pushes_nothing_out(store: MemoryStore) -> None:
    first, _ = await add(store, entry("a"), entry("b"), max_entries=2)
    await add(store, first.replace(mistake="changed"), max_entries=2)
    assert [(e.entry.prompt, e.entry.mistake) for e in await store.select()] == [("a", "changed"), ("b", "")]


async def test_the_same_id_in_another_scope_is_another_entry(store: MemoryStore) -> None:
    (ours,) = await add(store, entry("ours", id="x"))
    await add(store, entry("theirs", THEIRS, id="x"))
    assert await store.get("x", scope=OURS) == ours
    assert await store.remove(["x"], scope=THEIRS) == 1
    assert await store.get("x") == ours


async def test_lessons_are_one_per_scope_kind_and_normalised_text(store: MemoryStore) -> None:
    lesson = entry("p", kind="semantic", correction="Use  UTC", evidence=("run 1",))
    again = entry("p2", kind="semantic", correction="use utc ", evidence=("run 2",), importance=0.9)
    old, merged = await add(store, lesson, again)
    assert (merged.id, merged.frequency, merged.evidence, merged.importance) == (old.id, 2, ("run 1", "run 2"), 0.9)
    assert await store.get(old.id) == merged
    await add(store, entry("p", THEIRS, kind="semantic", correction="Use UTC"))
    await add(store, entry("p", kind="procedural", correction="Use UTC"))
    assert await store.count() == 3


async def test_episodes_are_never_merged(store: MemoryStore) -> None:
    await add(store, entry("p", correction="Use UTC"), entry("p", correction="Use UTC"))
    assert await store.count() == 2


async def test_a_lesson_that_is_learned_again_becomes_the_newest(store: MemoryStore) -> None:
    await add(store, entry("old", kind="semantic", correction="a"), entry("b", kind="semantic", correction="b"))
    await add(store, entry("new", kind="semantic", correction="a"))
    assert await prompts(store) == ["new", "b"]


async def test_entries_added_together_are_added_in_their_order(store: MemoryStore) -> None:
    if not isinstance(store, BatchStore):
        pytest.skip("it takes one at a time")
    one, two, lesson = entry("1"), entry("2"), entry("3", kind="semantic", correction="use UTC")
    assert await store.add_all([one, two, lesson], max_entries=2) == [one, two, lesson]
    again = entry("4", kind="semantic", correction="Use utc")
    three, _, merged = await store.add_all([entry("5"), one.replace(mistake="m"), again], max_entries=2)
    assert isinstance(merged, MemoryEntry)
    assert (merged.id, merged.frequency) == (lesson.id, 2)
    assert await prompts(store) == ["4", "1", "5"]
    assert await store.get(three.id) == three
    assert await store.add_all([], max_entries=2) == []


async def test_of_entries_added_together_the_one_that_cannot_be_kept_says_why(store: MemoryStore) -> None:
    if not isinstance(store, BatchStore):
        pytest.skip("it takes one at a time")
    bad = entry("bad", metadata={"o": object()})
    first, refusal, last = await store.add_all([entry("1"), bad, entry("2")], max_entries=9)
    assert isinstance(refusal, ConfigurationError)
    assert await prompts(store) == [last.prompt, first.prompt] == ["2", "1"]


async def test_entries_that_replace_each_other_in_one_batch_are_stored_once(store: MemoryStore) -> None:
    kept = entry("a")
    await asyncio.gather(*(store.add(kept.replace(mistake=str(n)), max_entries=3) for n in range(20)))
    await asyncio.gather(*(store.add(entry(str(n)), max_entries=3) for n in range(2)))
    assert await store.count() == 3
    assert sorted(await prompts(store)) == ["0", "1", "a"]


async def test_update_changes_in_place(store: MemoryStore) -> None:
    kept, _ = await add(store, entry("a"), entry("b"))
    changed = await store.update(kept.id, lambda e: e.replace(use_count=e.use_count + 1))
    assert changed.use_count == 1
    assert await store.get(kept.id) == changed
    assert await prompts(store) == ["b", "a"]


async def test_an_unknown_id_is_not_found(store: MemoryStore) -> None:
    (kept,) = await add(store, entry("a"))
    with pytest.raises(NotFoundError, match="nobody"):
        await store.update("nobody", lambda e: e)
    with pytest.raises(NotFoundError):
        await store.update(kept.id, lambda e: e, scope=THEIRS)
    assert await store.get("nobody") is None


async def test_of_several_ids_all_are_removed_or_none(store: MemoryStore) -> None:
    one, two, _ = await add(store, entry("a"), entry("b"), entry("c"))
    with pytest.raises(NotFoundError, match="'nobody'"):
        await store.remove([one.id, "nobody"])
    assert await store.count() == 3
    assert await store.remove([one.id, two.id, one.id]) == 2
    assert await prompts(store) == ["c"]


async def test_a_change_that_refuses_leaves_the_entry_as_it_was(store: MemoryStore) -> None:
    (kept,) = await add(store, entry("a"))
    with pytest.raises(ConfigurationError):
        await store.update(kept.id, lambda e: e.replace(severity=2.0))
    assert await store.get(kept.id) == kept


@pytest.mark.rows("H3", "H61")
async def test_simultaneous_updates_all_count(store: MemoryStore) -> None:
    (kept,) = await add(store, entry("a"))
    await asyncio.gather(*(store.update(kept.id, lambda e: e.replace(use_count=e.use_count + 1)) for _ in range(50)))
    found = await store.get(kept.id)
    assert found is not None
    assert found.use_count == 50


@pytest.mark.rows("H12")
async def test_clear_empties_one_scope_or_all_and_says_how_many_went(store: MemoryStore) -> None:
    await add(store, entry("a"), entry("b"), entry("c", THEIRS), entry("d", Scope("x", "y")))
    assert await store.clear(OURS) == 2
    assert await store.count() == 2
    assert await store.clear() == 2
    assert await store.count() == 0
    assert await store.clear() == 0


@pytest.mark.rows("H7", "H8", "H62")
async def test_select_applies_the_filters_of_a_query(store: MemoryStore) -> None:
    await add(
        store,
        entry("1", kind="semantic", correction="1", tags=("a", "b"), domain="code", importance=0.9),
        entry("2", tags=("b",), agent_id="me", session_id="s"),
        entry("3", task_type="fix", tags=("c",)),
    )

    async def found(**filters: object) -> list[str]:
        return await prompts(store, OURS, where=MemoryQuery(scope=OURS, **filters))

    assert await found(tags=("a", "b")) == ["2", "1"]
    assert await found(kinds=("semantic", "meta")) == ["1"]
    assert await found(domain="code") == ["1"]
    assert await found(agent_id="me", session_id="s") == ["2"]
    assert await found(task_type="fix") == ["3"]
    assert await found(min_importance=0.9) == ["1"]
    assert await found(tags=("nothing",)) == []


async def test_fetch_omits_removed_entries(store: MemoryStore) -> None:
    kept, gone = await add(store, entry("a"), entry("b"))
    rows = {stored.entry.id: stored.row for stored in await store.select()}
    await store.remove([gone.id])
    assert await store.fetch(list(rows.values())) == {rows[kept.id]: kept}
    assert await store.fetch([]) == {}


async def test_a_reader_that_follows_the_changes_sees_every_row(store: MemoryStore) -> None:
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


async def test_a_reader_that_was_away_for_long_starts_over(store: MemoryStore) -> None:
    rows: dict[int, str] = {}
    since = await follow(store, OURS, Cursor(), rows)
    entries = [entry(str(n)) for n in range(5_001)]
    for _ in range(2):
        await asyncio.gather(*(store.add(one, max_entries=10_000) for one in entries))
        assert await store.clear() == 5_001
    await add(store, entry("last"))
    changes = await store.changes(OURS, since, 10)
    assert changes.start_over
    assert [text for _, text in changes.came] == ["last"]


async def test_returned_values_are_not_shared(store: MemoryStore) -> None:
    mine = entry("a", metadata={"list": [1]})
    (kept,) = await add(store, mine)
    mine.metadata["list"].append(2)
    kept.metadata["list"].append(3)
    found = await store.get(mine.id)
    assert found is not None
    assert found.metadata == {"list": [1]}


async def test_closing_twice_is_fine(store: MemoryStore) -> None:
    await store.close()
    await store.close()
    await store.open()
    assert await store.count() == 0


HUGE = {
    "a million lines": "line\r\n\n\u2028" * 250_000,
    "ten megabytes": "0123456789" * 1_000_000,
    "NUL and what marks it": "\0\x1a0\x1a1\x1a\x1ad800" * 50_000,
    "lone surrogates": "a\ud800b\udfff" * 50_000,
    "right to left": "\u202e\u2066txt.exe\u2069" * 50_000,
}


@pytest.mark.parametrize("text", HUGE.values(), ids=list(HUGE))
async def test_huge_and_odd_texts_come_back_as_they_were(store: MemoryStore, text: str) -> None:
    (kept,) = await add(store, entry(text, correction=text[:1_000_000]))
    assert await store.get(kept.id) == kept
    assert [prompt for _, prompt in (await store.changes(OURS, Cursor(), 9)).came] == [text]
    (noted,) = await store.append([record(data={"text": text[:1_000_000]})])
    assert await store.records("journal") == [noted]


async def test_scope_names_of_maximum_length_are_distinct(store: MemoryStore) -> None:
    for odd in ("x", "\U0001f600", "\ud800"):
        scopes = [Scope(odd * 254 + end, odd * 255) for end in "ab"]
        for scope in scopes:
            await store.append([record(odd * 5000, 1, scope)])
            await add(store, entry("p", scope, id=odd * 5000, agent_id=odd * 5000, domain=odd * 5000))
        for scope in scopes:
            assert await store.count(scope) == len(await store.summaries("journal", scope=scope)) == 1
            assert await prompts(store, scope, where=MemoryQuery(agent_id=odd * 5000, domain=odd * 5000)) == ["p"]
        assert await store.remove([odd * 5000]) == 2


ANY_TEXT = st.text(st.characters(), max_size=20) | st.sampled_from(
    ["\0", "a\ud800b", "\ud83d\ude00", "\u202eabc", "é\r\n"]
)


@asynccontextmanager
async def fresh(name: str, request: pytest.FixtureRequest) -> AsyncIterator[MemoryStore]:
    store = STORES[name](request)
    await store.open()
    try:
        await store.clear()
        yield store
    finally:
        await store.close()


@pytest.mark.parametrize("name", list(STORES))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.tuples(ANY_TEXT, ANY_TEXT, ANY_TEXT),
    st.dictionaries(ANY_TEXT, ANY_TEXT | st.floats(allow_nan=False, allow_infinity=False), max_size=3),
)
def test_every_text_comes_back_as_it_was(
    name: str, request: pytest.FixtureRequest, texts: tuple[str, str, str], metadata: dict[str, object]
) -> None:
    prompt, other, id = texts

    async def round_trip() -> None:
        async with fresh(name, request) as store:
            scope = Scope("t" + other, "p" + other)
            kept = entry(prompt, scope, id=id, mistake=other, agent_id=other, metadata=metadata)
            assert await store.add(kept, max_entries=5) == kept
            assert await store.get(kept.id, scope=scope) == kept
            assert await prompts(store, where=MemoryQuery(agent_id=other)) == [prompt]
            assert [text for _, text in (await store.changes(scope, Cursor(), 9)).came] == [prompt]
            assert await store.count(scope) == 1

    asyncio.run(round_trip())


# -- logs ------------------------------------------------------------------------------------------

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def record(key: str = "run", n: int = 0, scope: Scope = OURS, **fields: object) -> Record:
    return Record(**{"log": "journal", "key": key, "data": {"n": n}, "scope": scope, "timestamp": NOON, **fields})


async def numbers(store: MemoryStore, log: LogName = "journal", **filters: object) -> list[int]:
    return [record.data["n"] for record in await store.records(log, **filters)]


async def test_records_returns_the_records_that_append_returned(store: MemoryStore) -> None:
    zone = timezone(timedelta(hours=5, minutes=30))
    time = datetime(2030, 2, 3, 4, 5, 6, 7, tzinfo=zone)
    data = {"deep": [1, {"big": 10**30, "text": "\0a\ud800\u202eb"}], "none": None, "pair": (1, 2)}
    kept = await store.append([record(data=data, timestamp=time, kind="step"), record("other")])
    assert await store.records("journal") == kept
    assert kept[0].data == {**data, "pair": [1, 2]}
    assert (kept[0].timestamp, kept[0].kind, kept[0].scope, kept[0].key) == (time, "step", OURS, "run")
    assert 0 < kept[0].row < kept[1].row


async def test_records_are_one_log_each_in_the_order_of_their_rows(store: MemoryStore) -> None:
    await store.append([record(n=n, log=log) for n, log in enumerate(("journal", "audit", "journal", "ledger"))])
    await store.append([record(n=9, timestamp=NOON - timedelta(days=1))])
    assert await numbers(store) == [0, 2, 9]
    assert await numbers(store, "audit") == [1]
    assert await numbers(store, "episodes") == []
    assert await numbers(store, newest_first=True) == [9, 2, 0]


async def test_records_pass_every_filter_that_is_given(store: MemoryStore) -> None:
    hours = [NOON + timedelta(hours=n) for n in range(6)]
    await store.append(
        [
            record("a", 0, kind="x", timestamp=hours[0]),
            record("a", 1, kind="y", timestamp=hours[1]),
            record("b", 2, kind="x", timestamp=hours[2]),
            record("a", 3, THEIRS, kind="x", timestamp=hours[3]),
            record("a", 4, kind="x", timestamp=hours[4]),
        ]
    )
    assert await numbers(store, key="a") == [0, 1, 3, 4]
    assert await numbers(store, scope=OURS) == [0, 1, 2, 4]
    assert await numbers(store, scope=OURS, key="a", kind="x") == [0, 4]
    assert await numbers(store, since=hours[1], until=hours[3]) == [1, 2, 3]
    assert await numbers(store, since=hours[2], scope=OURS, limit=1) == [2]
    assert await numbers(store, since=hours[2].astimezone(timezone(timedelta(hours=-8)))) == [2, 3, 4]
    assert await numbers(store, newest_first=True, limit=2) == [4, 3]
    assert await numbers(store, limit=0) == []
    assert await numbers(store, scope=Scope("nobody", "p")) == []


async def test_records_are_paged_by_row_in_both_directions(store: MemoryStore) -> None:
    rows = [kept.row for kept in await store.append([record(n=n) for n in range(5)])]
    assert await numbers(store, after=rows[1], limit=2) == [2, 3]
    assert await numbers(store, after=rows[4]) == []
    assert await numbers(store, after=rows[3], newest_first=True, limit=2) == [2, 1]
    assert await numbers(store, after=rows[0], newest_first=True) == []


async def test_a_summary_per_scope_and_key_the_newest_first(store: MemoryStore) -> None:
    await store.append([record("a", 1), record("b", 2), record("a", 3, THEIRS), record("a", 4), record("c", 5)])
    await store.append([record("x", 6, log="ledger")])
    found = await store.summaries("journal")
    assert [(s.scope, s.key, s.records, s.first.data["n"], s.last.data["n"]) for s in found] == [
        (OURS, "c", 1, 5, 5),
        (OURS, "a", 2, 1, 4),
        (THEIRS, "a", 1, 3, 3),
        (OURS, "b", 1, 2, 2),
    ]
    assert found[1].last == (await store.records("journal", scope=OURS, key="a"))[-1]
    assert [s.key for s in await store.summaries("journal", scope=OURS, offset=1, limit=1)] == ["a"]
    assert await store.summaries("audit") == []


async def test_dropped_records_are_gone_and_counted(store: MemoryStore) -> None:
    hours = [NOON + timedelta(hours=n) for n in range(3)]
    await store.append([record("a", n, timestamp=time) for n, time in enumerate(hours)])
    await store.append([record("b", 3, THEIRS), record("a", 4, log="audit")])
    assert await store.drop_records("journal", scope=OURS, before=hours[1]) == 1
    assert await numbers(store) == [1, 2, 3]
    assert await store.drop_records("journal", key="b") == 1
    assert await store.drop_records("journal", key="b") == 0
    assert await store.drop_records("journal") == 2
    assert await store.summaries("journal") == []
    assert await numbers(store, "audit") == [4]


async def test_a_row_is_never_given_twice(store: MemoryStore) -> None:
    (first,) = await store.append([record()])
    await store.drop_records("journal")
    (second,) = await store.append([record()])
    assert second.row > first.row


async def test_of_records_that_are_appended_together_all_are_kept_or_none(store: MemoryStore) -> None:
    for bad in ({"data": {"o": object()}}, {"data": {"n": math.nan}}, {"data": [1]}, {"log": "diary"}):
        with pytest.raises(ConfigurationError):
            await store.append([record(), record(**bad)])
    with pytest.raises(ConfigurationError, match="zone"):
        await store.append([record(timestamp=datetime(2030, 1, 1))])
    assert await numbers(store) == []
    assert await store.append([]) == []


async def test_records_that_are_handed_out_are_not_shared(store: MemoryStore) -> None:
    data = {"list": [1]}
    (kept,) = await store.append([record(data=data)])
    data["list"].append(2)
    kept.data["list"].append(3)
    (found,) = await store.records("journal")
    assert found.data == {"list": [1]}
    found.data["list"].append(4)
    (summary,) = await store.summaries("journal")
    assert summary.first.data == {"list": [1]}


async def test_clear_leaves_the_logs_alone(store: MemoryStore) -> None:
    await store.append([record()])
    await store.clear()
    assert await numbers(store) == [0]


async def test_names_of_records_may_hold_anything(store: MemoryStore) -> None:
    for odd in ("\0", "a\ud800b", "", "k" * 9000):
        scope = Scope("t" + odd[:200], "p" + odd[:200])
        (kept,) = await store.append([record(odd, 7, scope, kind=odd)])
        assert await store.records("journal", scope=scope, key=odd, kind=odd) == [kept]
        assert [(s.scope, s.key) for s in await store.summaries("journal", scope=scope)] == [(scope, odd)]
        assert await store.drop_records("journal", scope=scope, key=odd) == 1


# -- claims ----------------------------------------------------------------------------------------


def claim(token: str, run_id: str = "run", scope: Scope = OURS, minutes: float = 5.0) -> Claim:
    end = datetime.now(UTC) + timedelta(minutes=minutes)
    return Claim(run_id=run_id, scope=scope, token=token, owner=f"owner of {token}", expires_at=end)


def is_same(one: Claim, other: Claim) -> bool:
    """Tell whether two claims are the same; the clock of a server may differ a little from ours."""
    apart = abs(one.expires_at - other.expires_at)
    return apart < timedelta(seconds=10) and replace(one, expires_at=other.expires_at) == other


async def test_of_two_claims_of_a_run_one_holds_until_it_is_released(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    one = await store.claim(claim("one"), lambda _: False)
    held = await store.claim(claim("two"), lambda _: False)
    assert is_same(held, one)
    await store.release(claim("two"))  # does not hold: nothing happens
    assert (await store.claim(claim("two"), lambda _: False)).token == "one"
    await store.release(one)
    two = await store.claim(claim("two"), lambda _: False)
    assert two.token == "two"
    assert two.number > one.number


async def test_a_claim_that_is_void_gives_way_and_is_shown_as_it_was_kept(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    one = await store.claim(claim("one \ud800\0"), lambda _: False)
    seen: list[Claim] = []
    two = await store.claim(claim("two"), lambda holder: not seen.append(holder))
    assert is_same(*seen, one)
    assert (two.token, two.number > one.number) == ("two", True)


async def test_a_claim_is_renewed_and_those_of_other_runs_and_scopes_hold_beside_it(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    await store.claim(claim("one"), lambda _: False)
    for other in (claim("two", "other run"), claim("three", scope=THEIRS)):
        assert (await store.claim(other, lambda _: False)).token == other.token
    later = await store.claim(claim("one", minutes=60.0), lambda _: False)
    assert later.expires_at > datetime.now(UTC) + timedelta(minutes=30)
    assert is_same(await store.claim(claim("four"), lambda _: False), later)


async def test_records_are_appended_only_while_their_claim_holds(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    line = Record(log="journal", key="run", kind="step", scope=OURS, data={"n": 1})
    one = await store.claim(claim("one"), lambda _: False)
    (kept,) = await store.append_claimed([line], one)
    assert [kept] == await store.records("journal")
    two = await store.claim(claim("two"), lambda _: True)
    with pytest.raises(RunClaimedError) as refusal:
        await store.append_claimed([line, line], one)
    assert (refusal.value.run_id, refusal.value.owner) == ("run", "owner of two")
    (last,) = await store.append_claimed([line], two, release=True)
    with pytest.raises(RunClaimedError) as refusal:
        await store.append_claimed([line], two)
    assert refusal.value.owner == ""
    assert [kept, last] == await store.records("journal")


async def test_a_claim_that_has_expired_still_holds_for_its_owner_until_another_takes_it(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    one = await store.claim(claim("one", minutes=-1.0), lambda _: False)
    line = Record(log="journal", key="run", kind="step", scope=OURS, data={})
    assert len(await store.append_claimed([line], one)) == 1


async def test_a_keeper_renews_claims_from_a_thread_and_none_that_are_gone(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    keeper = store.keeper()
    if keeper is None:
        return  # nobody else can see the claims
    one = await store.claim(claim("one", minutes=1.0), lambda _: False)
    gone = await store.claim(claim("gone", "other run"), lambda _: False)
    await store.release(gone)
    later = replace(one, expires_at=one.expires_at + timedelta(hours=1))
    with ThreadPoolExecutor(1) as thread:
        renewing = thread.submit(keeper.renew, [later, gone])
        renewing.result(timeout=20.0)  # while this loop is blocked
        thread.submit(keeper.close).result(timeout=20.0)
    assert is_same(await store.claim(claim("two"), lambda _: False), later)
    assert (await store.claim(claim("three", "other run"), lambda _: False)).token == "three"


async def test_of_many_that_claim_a_run_at_once_one_gets_it(store: MemoryStore) -> None:
    assert isinstance(store, ClaimStore)
    held = await asyncio.gather(*(store.claim(claim(str(n)), lambda _: False) for n in range(20)))
    assert len({one.token for one in held}) == 1
