"""Every memory store of ours passes the contracts that ship in `jido_ai.testing.contracts`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jido_ai.memory.lessons import BY_A_PERSON, MADE_AS
from jido_ai.memory.store import MemoryStore
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.memory.stores.postgres.store import PostgresStore
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.testing.contracts import ClaimContract, MemoryStoreContract
from jido_ai.testing.contracts.helpers import OURS, entry, prompts
from jido_ai.values import MemoryKind, MemoryQuery, Scope
from jido_ai.values.record import Cursor

pytestmark = pytest.mark.rows("C16", "C42", "H3", "H5", "H7", "H8", "H9", "H12", "H61", "H62", "M2", "M15")

Make = Callable[[pytest.FixtureRequest], MemoryStore]
STORES: dict[str, Make] = {
    "memory": lambda request: InProcessStore(),
    "sqlite": lambda request: SQLiteStore(request.getfixturevalue("tmp_path") / "memory.db"),
    "postgres": lambda request: PostgresStore(request.getfixturevalue("postgres")),
    "pgbouncer": lambda request: PostgresStore(request.getfixturevalue("pooled_postgres")),
}


class TestStores(MemoryStoreContract, ClaimContract):
    @pytest.fixture(params=list(STORES))
    def store(self, request: pytest.FixtureRequest) -> MemoryStore:
        return STORES[request.param](request)


@pytest.mark.parametrize("name", list(STORES))
def test_a_store_reports_many_removals_only_as_many(name: str, request: pytest.FixtureRequest) -> None:
    async def remove_many() -> None:
        async with fresh(name, request) as store:
            since = (await store.changes(OURS, Cursor(), 9)).cursor
            entries = [entry(str(n)) for n in range(5_001)]
            for _ in range(2):
                await asyncio.gather(*(store.add(one, max_entries=10_000) for one in entries))
                assert await store.clear() == 5_001
            await store.add(entry("last"), max_entries=10_000)
            changes = await store.changes(OURS, since, 10)
            assert changes.start_over
            assert [text for _, text in changes.came] == ["last"]

    asyncio.run(remove_many())


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


@pytest.mark.parametrize("name", list(STORES))
async def test_an_entry_of_a_person_is_not_evicted_whatever_its_kind(name: str, request: pytest.FixtureRequest) -> None:
    async with fresh(name, request) as store:
        kinds: tuple[MemoryKind, ...] = (*MemoryKind,)
        mine = [entry("mine", id=f"of {kind}", kind=kind, source=BY_A_PERSON) for kind in kinds]
        edited = entry("edited", id="edited", kind="semantic", metadata={MADE_AS: "key"}, source=BY_A_PERSON)
        example = entry("question", id="example", answer="yes", source=BY_A_PERSON)
        for one in (*mine, edited, example):
            await store.add(one, max_entries=2)
        for kind in kinds:
            for number in range(4):
                quoted = f'],"source":"{BY_A_PERSON}","'
                await store.add(
                    entry(f"other {number}", mistake=quoted, kind=kind, id=f"{kind} {number}"), max_entries=2
                )
            await asyncio.gather(
                *(store.add(entry(f"more {n}", kind=kind, id=f"{kind} more {n}"), max_entries=2) for n in range(5))
            )
        left = {one.entry.id for one in await store.select(OURS)}
        assert {one.id for one in (*mine, edited, example)} <= left
        for kind in kinds:
            others = {id for id in left if id.startswith(f"{kind} ")}
            assert others == {f"{kind} more 4"}


@pytest.mark.parametrize("name", list(STORES))
async def test_an_answer_is_kept_and_the_next_one_to_its_prompt_replaces_it(
    name: str, request: pytest.FixtureRequest
) -> None:
    async with fresh(name, request) as store:
        first = await store.add(
            entry("Name a fruit", id="a", answer="apple\0 \ud800", evidence=("run 1",)), max_entries=9
        )
        assert await store.get("a", scope=OURS) == first
        again = await store.add(entry(" name a FRUIT", id="b", answer="pear", evidence=("run 2",)), max_entries=9)
        other = await store.add(entry("Name a tree", id="c", answer="oak"), max_entries=9)
        found = [one.entry for one in await store.select(OURS)]
        assert [(one.id, one.answer, one.is_example) for one in found] == [
            (other.id, "oak", True),
            (again.id, "pear", True),
        ]
        changed = await store.update(other.id, lambda one: one.replace(answer="elm"), scope=OURS)
        assert (changed.answer, (await store.get(other.id, scope=OURS)).answer) == ("elm", "elm")
        changes = await store.changes(OURS, Cursor(), 9)
        assert len(changes.examples) == 2
