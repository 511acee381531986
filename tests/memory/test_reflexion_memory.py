"""ReflexionMemory: the public promises of API section 4, and what happens when its actor dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import CallError, ConfigurationError, NotFoundError, StoreFullError, StoreUnavailableError
from jido_ai.memory.index.similarity import jaccard
from jido_ai.memory.lessons import one_per_prompt_and_lesson, rank
from jido_ai.memory.memory_actor import MemoryActor
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.telemetry import TelemetryEvent
from jido_ai.text.redaction import redact
from jido_ai.values import (
    CritiqueResult,
    Episode,
    Issue,
    Link,
    MemoryEntry,
    MemoryQuery,
    Reflection,
    Scope,
    Scored,
)

NOW = datetime.now(UTC)


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ReflexionMemory]:
    path = None if request.param == "memory" else tmp_path / "memory.db"
    async with ReflexionMemory(path, max_entries=50) as memory:
        yield memory


def prompts(found: list[Scored]) -> list[str]:
    return [scored.entry.prompt for scored in found]


async def store(memory: ReflexionMemory, *texts: str, **fields: object) -> list[MemoryEntry]:
    return [await memory.store(MemoryEntry(text, **fields)) for text in texts]


# -- storing and retrieving ------------------------------------------------------------------------


@pytest.mark.rows("C14", "C17", "C19", "C21", "C47")
async def test_a_stored_entry_is_found_at_once_with_its_similarity(memory: ReflexionMemory) -> None:
    (kept,) = await store(memory, "parse a date", mistake="naive", correction="use UTC", metadata={"t": (1, 2)})
    assert kept.metadata == {"t": [1, 2]}
    assert await memory.retrieve_similar("Parse the DATE") == [Scored(kept, 1.0)]
    assert await memory.list_entries() == [kept]
    assert await memory.get(kept.id) == kept


@pytest.mark.rows("J15", "C20")
async def test_the_threshold_is_inclusive_and_seventy_percent_unless_given(memory: ReflexionMemory) -> None:
    await store(memory, "one two three four five six seven")
    asked = "one two three four five six seven eight nine ten"  # 7 of 10 words
    assert len(await memory.retrieve_similar(asked)) == 1
    assert await memory.retrieve_similar(asked + " eleven") == []
    assert len(await memory.retrieve_similar(asked, threshold=0.7)) == 1
    assert await memory.retrieve_similar(asked, threshold=0.71) == []


@pytest.mark.rows("C20", "C21", "C43")
async def test_the_most_similar_comes_first_and_ties_newest_first(memory: ReflexionMemory) -> None:
    await store(memory, "sort list numbers", "sort list", "sort list strings")
    found = await memory.retrieve_similar("sort list", threshold=0.5)
    assert prompts(found) == ["sort list", "sort list strings", "sort list numbers"]
    assert prompts(await memory.retrieve_similar("sort list", max_results=2, threshold=0.5)) == prompts(found)[:2]


async def test_one_result_per_prompt_the_newest(memory: ReflexionMemory) -> None:
    kept = [await memory.store(MemoryEntry("same prompt", f"mistake {n}")) for n in range(40)]
    await store(memory, "same prompt differs")
    found = await memory.retrieve_similar("same prompt", max_results=2, threshold=0.5)
    assert [scored.entry.mistake for scored in found] == [kept[-1].mistake, ""]


async def test_one_result_per_lesson_text(memory: ReflexionMemory) -> None:
    lesson = {"correction": "Use UTC"}
    await store(memory, "parse date", kind="semantic", **lesson)
    await store(memory, "parse date zone", kind="procedural", **lesson)
    assert prompts(await memory.retrieve_similar("parse date", threshold=0.1)) == ["parse date"]


@pytest.mark.rows("H65", "R32")
async def test_a_lesson_learned_twice_is_one_entry_but_episodes_stay_two(memory: ReflexionMemory) -> None:
    first = await memory.store(MemoryEntry("a", "m", "Use UTC", kind="semantic"))
    again = await memory.store(MemoryEntry("b", "m", "use  utc", kind="semantic"))
    assert (again.id, again.frequency) == (first.id, 2)
    await store(memory, "a", "a", correction="Use UTC")
    assert await memory.count() == 3


@pytest.mark.rows("H12", "M48", "C44", "R52")
async def test_a_scope_never_sees_anothers_entries(memory: ReflexionMemory) -> None:
    ours, theirs = Scope("ours"), Scope("theirs")
    mine = await memory.store(MemoryEntry("parse date", scope=ours))
    await memory.store(MemoryEntry("parse date", scope=theirs))
    assert await memory.retrieve_similar("parse date", scope=ours) == [Scored(mine, 1.0)]
    for query in (MemoryQuery(scope=ours), MemoryQuery("parse date", scope=ours)):
        assert [scored.entry for scored in await memory.query(query)] == [mine]
    assert await memory.list_entries(ours) == [mine]
    for refused in (
        memory.get(mine.id, scope=theirs),
        memory.forget(mine.id, scope=theirs),
        memory.record_usage(mine.id, success=True, scope=theirs),
        memory.link(mine.id, mine.id, "similar", scope=theirs),
        memory.update(mine.id, lambda entry: entry, scope=theirs),
    ):
        with pytest.raises(NotFoundError):
            await refused
    assert await memory.retrieve_similar("parse date", threshold=0.0) == []  # the default scope is another one
    assert await memory.query(MemoryQuery()) == []
    assert [await memory.count(scope) for scope in (ours, Scope(), None)] == [1, 0, 2]
    assert await memory.clear(ours) == 1
    assert await memory.retrieve_similar("parse date", scope=ours) == []
    assert len(await memory.list_entries()) == 1


@pytest.mark.rows("H3", "H9", "M2", "M44")
async def test_at_the_limit_the_oldest_of_its_kind_goes_first(memory: ReflexionMemory) -> None:
    await store(memory, "lesson", kind="semantic")
    kept = await store(memory, *(f"episode {n}" for n in range(52)))
    assert await memory.count() == 51
    assert await memory.retrieve_similar("episode 1", threshold=1.0) == []
    assert len(await memory.retrieve_similar("lesson")) == 1
    assert (await memory.list_entries(limit=2, offset=1)) == [kept[50], kept[49]]


@pytest.mark.rows("M26")
async def test_no_entry_keeps_a_link_to_one_that_was_forgotten(memory: ReflexionMemory) -> None:
    scope = Scope("a", "b")
    first, second, third = await store(memory, "sort names", "sort numbers", "sort dates", scope=scope)
    for one, other in ((first, second), (third, second), (third, first)):
        await memory.link(one.id, other.id, "contradicts", scope=scope)
    await memory.forget(second.id, scope=scope)
    kept = {entry.id: [link.id for link in entry.links] for entry in await memory.list_entries(scope)}
    assert kept == {first.id: [], third.id: [first.id]}


async def test_a_forgotten_entry_is_not_found(memory: ReflexionMemory) -> None:
    one, two = await store(memory, "parse date", "parse date zone")
    await memory.retrieve_similar("parse date")  # the index knows them
    with pytest.raises(NotFoundError):
        await memory.forget(one.id, "nobody")
    assert await memory.forget(one.id) == 1
    assert prompts(await memory.retrieve_similar("parse date", threshold=0.1)) == [two.prompt]
    with pytest.raises(NotFoundError):
        await memory.get(one.id)


@pytest.mark.rows("M20", "R33")
async def test_expired_entries_are_kept_but_not_retrieved(memory: ReflexionMemory) -> None:
    await store(memory, "old date", expires_at=NOW - timedelta(seconds=1))
    await store(memory, "new date", expires_at=NOW + timedelta(days=1))
    assert prompts(await memory.retrieve_similar("date", threshold=0.1)) == ["new date"]
    assert prompts(await memory.query(MemoryQuery())) == ["new date"]
    assert len(await memory.query(MemoryQuery(include_expired=True))) == 2
    assert await memory.count() == 2


@pytest.mark.rows("H61", "M7", "M18", "M26")
async def test_record_usage_counts_uses_and_successes(memory: ReflexionMemory) -> None:
    (kept,) = await store(memory, "parse date")
    await memory.record_usage(kept.id, success=True)
    used = await memory.record_usage(kept.id, success=False)
    assert (used.use_count, used.success_count, used.success_rate) == (2, 1, 0.5)
    assert used.last_used is not None
    assert await memory.retrieve_similar("parse date") == [Scored(used, 1.0)]
    with pytest.raises(NotFoundError):
        await memory.record_usage("nobody", success=True)


async def test_being_retrieved_is_not_a_use(memory: ReflexionMemory) -> None:
    (kept,) = await store(memory, "parse date")
    await memory.retrieve_similar("parse date")
    assert (await memory.get(kept.id)).use_count == 0


# -- queries ---------------------------------------------------------------------------------------


@pytest.mark.rows("R27", "R28")
async def test_a_query_ranks_by_importance_and_recency_without_a_text(memory: ReflexionMemory) -> None:
    await store(memory, "important", importance=1.0)
    await store(memory, "old", importance=0.5, timestamp=NOW - timedelta(days=300))
    await store(memory, "recent", importance=0.5)
    found = await memory.query(MemoryQuery())
    assert prompts(found) == ["important", "recent", "old"]
    assert [scored.similarity for scored in found] == [0.0, 0.0, 0.0]
    assert len(await memory.query(MemoryQuery(k=2))) == 2
    assert await memory.query(MemoryQuery(k=0)) == []


@pytest.mark.rows("M20", "R27", "R28")
async def test_a_query_filters_first_then_looks_for_its_text(memory: ReflexionMemory) -> None:
    await store(memory, "parse date", tags=("a",))
    await store(memory, "parse date zone", tags=("b",), importance=1.0)
    assert prompts(await memory.query(MemoryQuery(text="parse date", min_similarity=0.5))) == [
        "parse date",
        "parse date zone",
    ]
    assert prompts(await memory.query(MemoryQuery("parse date", tags=("b", "c"), min_similarity=0.5))) == [
        "parse date zone"
    ]
    assert prompts(await memory.query(MemoryQuery("parse date"))) == ["parse date"]


@pytest.mark.rows("H60")
async def test_query_ties_go_to_impact_then_success_then_the_newest(memory: ReflexionMemory) -> None:
    same = {"timestamp": NOW + timedelta(days=1)}  # not older than the query: recency is 1.0 for all
    await store(memory, "first", "second", **same)
    await store(memory, "succeeded", use_count=2, success_count=1, **same)
    await store(memory, "impact", impact=0.1, **same)
    await store(memory, "third", **same)
    assert prompts(await memory.query(MemoryQuery())) == ["impact", "succeeded", "third", "second", "first"]


# -- the measures ----------------------------------------------------------------------------------


async def test_weighted_finds_other_forms_of_the_words_that_jaccard_does_not() -> None:
    async with ReflexionMemory(similarity="weighted") as weighted, ReflexionMemory() as plain:
        for memory in (weighted, plain):
            await store(memory, "how to parse dates", "sorting a list of numbers")
        asked = "what is needed for parsing a date?"
        assert prompts(await weighted.retrieve_similar(asked)) == ["how to parse dates"]
        assert await plain.retrieve_similar(asked) == []


@pytest.mark.rows("H10")
async def test_overlap_counts_shared_words_and_needs_one() -> None:
    async with ReflexionMemory(similarity="overlap") as memory:
        await store(memory, "parse date zone", "parse", "nothing")
        for threshold in (None, 0.0, 0.5):
            found = await memory.retrieve_similar("parse date", threshold=threshold)
            assert [(one.entry.prompt, one.similarity) for one in found] == [("parse date zone", 1.0), ("parse", 0.5)]
        assert prompts(await memory.retrieve_similar("parse date", threshold=0.6)) == ["parse date zone"]
        assert prompts(await memory.query(MemoryQuery("parse date"))) == ["parse date zone", "parse"]
        assert prompts(await memory.query(MemoryQuery("parse date", min_similarity=1.0))) == ["parse date zone"]
        for refused in (1.5, 2):
            with pytest.raises(ConfigurationError, match=r"threshold must be a number in \[0, 1\]"):
                await memory.retrieve_similar("parse date", threshold=refused)


@pytest.mark.rows("H6")
async def test_many_entries_are_found_after_the_index_was_rebuilt() -> None:
    async with ReflexionMemory(similarity="weighted", max_entries=100) as memory:
        for n in range(300):
            await memory.store(MemoryEntry(f"number{n} word{n % 7}"))
            assert prompts(await memory.retrieve_similar(f"number{n} word{n % 7}", 1, 0.9)) == [
                f"number{n} word{n % 7}"
            ]
        assert await memory.retrieve_similar("number199", threshold=0.3) == []
        assert len(await memory.retrieve_similar("number200", threshold=0.3)) == 1


# -- what is refused and what is masked ------------------------------------------------------------


@pytest.mark.rows("H4", "C9", "C15")
@pytest.mark.parametrize("text", ["", "  \n"])
async def test_a_blank_prompt_is_refused_everywhere(memory: ReflexionMemory, text: str) -> None:
    with pytest.raises(ConfigurationError, match="blank"):
        await memory.store(MemoryEntry(text))
    with pytest.raises(ConfigurationError, match="blank"):
        await memory.retrieve_similar(text)
    with pytest.raises(ConfigurationError, match="blank"):
        await memory.query(MemoryQuery(text=text))
    assert await memory.count() == 0


@pytest.mark.rows("M47")
async def test_a_text_over_a_mebibyte_is_refused_and_a_text_of_a_mebibyte_is_stored(memory: ReflexionMemory) -> None:
    limit = 1 << 20
    for fields in (
        {"mistake": "x" * (limit + 1)},
        {"tags": ("é" * (limit // 2 + 1),)},
        {"metadata": {"k": "x" * limit}},
    ):
        with pytest.raises(ConfigurationError, match="1048576 bytes"):
            await memory.store(MemoryEntry("p", **fields))
    assert await memory.count() == 0
    kept = await memory.store(MemoryEntry("word " * (limit // 5), correction="x" * limit))
    assert await memory.get(kept.id) == kept
    assert len(await memory.retrieve_similar("word")) == 1


@pytest.mark.rows("C15")
@pytest.mark.parametrize("fields", [{"tags": "one"}, {"tags": [1]}, {"tags": ["a", None]}, {"correction": 5}], ids=str)
def test_tags_are_a_list_of_texts_and_a_lesson_is_a_text(fields: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(fields))):
        MemoryEntry("p", **fields)


@pytest.mark.parametrize("metadata", [{"f": float("nan")}, {"o": object()}])
async def test_metadata_that_json_cannot_hold_is_refused(memory: ReflexionMemory, metadata: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="metadata"):
        await memory.store(MemoryEntry("p", metadata=metadata))
    assert await memory.count() == 0


@pytest.mark.rows("H3")
@pytest.mark.parametrize(
    "arguments",
    [
        {"max_entries": 0},
        {"max_entries": True},
        {"similarity": "cosine"},
        {"similarity_threshold": 1.1},
        {"similarity_threshold": float("nan")},
        {"redact": "some"},
        {"max_text_bytes": 0},
        {"timeout_s": 0},
        {"timeout_s": "30"},
        {"path": ""},
        {"path": 3},
        {"path": "a\0b"},
        {"path": ":memory:"},
        {"path": "nowhere://host/db"},
        pytest.param({"path": "a.db", "store": InProcessStore()}, id="path and store"),
    ],
    ids=str,
)
def test_arguments_that_can_never_work_are_refused_at_once(arguments: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="nowhere|or a store|" + "|".join(arguments)):
        ReflexionMemory(**arguments)


@pytest.mark.rows("H9", "C24", "C42")
async def test_negative_numbers_are_refused_and_zero_results_are_an_empty_answer(memory: ReflexionMemory) -> None:
    await store(memory, "parse date")
    assert await memory.retrieve_similar("parse date", max_results=0) == []
    assert await memory.list_entries(limit=0) == []
    for refused in (
        memory.retrieve_similar("p", max_results=-1),
        memory.retrieve_similar("p", threshold=-0.1),
        memory.list_entries(limit=-1),
        memory.list_entries(offset=-1),
    ):
        with pytest.raises(ConfigurationError):
            await refused


@pytest.mark.parametrize("junk", [None, "text", {"text": "text"}])
async def test_an_invalid_query_is_rejected(memory: ReflexionMemory, junk: object) -> None:
    with pytest.raises(ConfigurationError, match="MemoryQuery"):
        await memory.query(junk)  # type: ignore[arg-type]


async def test_invalid_reflections_episodes_and_answers_are_refused_and_change_nothing(memory: ReflexionMemory) -> None:
    (kept,) = await store(memory, "parse date")
    refused: list[Any] = [
        memory.record_usage(kept.id, success="no"),  # type: ignore[arg-type]
        memory.store_reflection(None, Episode("p")),  # type: ignore[arg-type]
        memory.store_reflection(Reflection("lesson"), "p"),  # type: ignore[arg-type]
    ]
    for call in refused:
        with pytest.raises(ConfigurationError, match=r"success must be True or False|store_reflection needs"):
            await call
    assert await memory.list_entries() == [kept]


@pytest.mark.parametrize("redact", ["secrets", "none"])
async def test_an_invalid_scope_is_rejected_by_name(redact: Any) -> None:
    async with ReflexionMemory(redact=redact) as memory:
        refused: list[Any] = [
            memory.count("mine"),  # type: ignore[arg-type]
            memory.list_entries("mine"),  # type: ignore[arg-type]
            memory.clear("mine"),  # type: ignore[arg-type]
            memory.retrieve_similar("p", scope="mine"),  # type: ignore[arg-type]
        ]
        for call in refused:
            with pytest.raises(ConfigurationError, match="scope must be a Scope or None, got 'mine'"):
                await call


@pytest.mark.rows("M47")
async def test_secrets_are_masked_before_storing_and_the_same_prompt_still_finds_them(memory: ReflexionMemory) -> None:
    prompt = "login with password=hunter2 fails"
    metadata = {"env": {"API_KEY": "abc"}, "mail": "me@example.com"}
    kept = await memory.store(MemoryEntry(prompt, "token=abc1", "use pwd=xyz1", metadata=metadata, tags=("pwd=xyz2",)))
    assert kept.prompt == "login with password=[redacted] fails"
    assert (kept.mistake, kept.correction) == ("token=[redacted]", "use pwd=[redacted]")
    assert kept.tags == ("pwd=[redacted]",)
    assert kept.metadata == {"env": {"API_KEY": "[redacted]"}, "mail": "me@example.com"}
    assert await memory.retrieve_similar(prompt, threshold=1.0) == [Scored(kept, 1.0)]


_SECRET = "password=hunter2"


@pytest.mark.parametrize("name", ["domain", "task_type", "agent_id", "session_id", "source", "evidence", "tags"])
async def test_a_secret_in_any_other_text_of_an_entry_is_masked_too(memory: ReflexionMemory, name: str) -> None:
    value = (_SECRET, "run_1") if name in ("evidence", "tags") else _SECRET
    kept = await memory.store(MemoryEntry("p", id="mine", **{name: value}))
    assert getattr(kept, name) in ("password=[redacted]", ("password=[redacted]", "run_1"))
    assert await memory.get("mine") == kept
    assert "hunter2" not in kept.model_dump_json()


@pytest.mark.parametrize("name", ["domain", "task_type", "agent_id", "session_id", "tags"])
async def test_an_entry_is_found_by_the_label_that_was_masked_in_it(memory: ReflexionMemory, name: str) -> None:
    def labelled(label: str) -> dict[str, Any]:
        return {name: (label,) if name == "tags" else label}

    kept = await memory.store(MemoryEntry("p", **labelled(_SECRET)))
    await memory.store(MemoryEntry("q", **labelled("other")))
    where = MemoryQuery(**labelled(_SECRET))
    assert await memory.query(where) == [Scored(kept, 0.0)]
    assert await memory.list_entries(where=where) == [kept]


@pytest.mark.parametrize(
    "entry", [MemoryEntry("p", id=_SECRET), MemoryEntry("p", id="mine", links=(Link(_SECRET, "similar"),))]
)
async def test_an_id_that_holds_a_secret_is_refused_without_quoting_it(
    memory: ReflexionMemory, entry: MemoryEntry
) -> None:
    with pytest.raises(ConfigurationError, match="nothing was stored") as refused:
        await memory.store(entry)
    assert "hunter2" not in str(refused.value)
    assert await memory.count() == 0


@settings(max_examples=50, deadline=None)
@given(id=st.from_regex(r"memory_[0-9a-f]{16}", fullmatch=True))
def test_generated_ids_look_like_no_secret(id: str) -> None:
    assert redact(id) == redact(id, "all") == id


async def test_redaction_can_be_wider_or_off() -> None:
    text = "password=hunter2 for me@example.com at 10.0.0.3"
    async with ReflexionMemory(redact="all") as wide, ReflexionMemory(redact="none") as off:
        (masked,), (kept,) = await store(wide, text), await store(off, text)
    assert masked.prompt == "password=[redacted] for [redacted] at [redacted]"
    assert kept.prompt == text


async def test_two_that_open_a_memory_at_once_have_it_open_and_the_first_closes_it() -> None:
    memory = ReflexionMemory()
    assert await asyncio.gather(memory.open(), memory.open()) == [True, False]
    await memory.store(MemoryEntry("a task"))
    await memory.close()
    assert not memory.is_open


async def test_a_memory_that_is_not_open_is_refused() -> None:
    memory = ReflexionMemory()
    with pytest.raises(ConfigurationError, match="async with"):
        await memory.count()
    async with memory:
        await store(memory, "a")
    with pytest.raises(ConfigurationError, match="async with"):
        await memory.store(MemoryEntry("b"))
    await memory.close()


# -- reflections -----------------------------------------------------------------------------------


@pytest.mark.rows("H4", "M17", "C13", "R21", "R22", "R25")
async def test_a_reflection_becomes_an_episodic_entry_of_its_episode(memory: ReflexionMemory) -> None:
    scope = Scope("t", "p")
    critique = CritiqueResult(severity=0.8, issues=(Issue("off by one"), Issue("no test")))
    episode = Episode("sort numbers", scope=scope, agent_id="me", session_id="s", critique=critique)
    kept = await memory.store_reflection(Reflection("Use sorted()", tags=("code",), error_class="index"), episode)
    assert (kept.prompt, kept.mistake, kept.correction) == ("sort numbers", "off by one; no test", "Use sorted()")
    assert (kept.kind, kept.scope, kept.agent_id, kept.session_id) == ("episodic", scope, "me", "s")
    assert (kept.severity, kept.tags, kept.evidence) == (0.8, ("code", "index"), (episode.id,))
    named = await memory.store_reflection(Reflection("x", problem="p", root_cause="r"), episode)
    assert named.mistake == "p"
    with pytest.raises(ConfigurationError, match="agent_id"):
        await memory.store_reflection(Reflection("x"), Episode("p", agent_id=" "))


# -- when things break -----------------------------------------------------------------------------


class FragileStore(InProcessStore):
    """A store that raises once when told to, and can hold calls back."""

    def __init__(self) -> None:
        super().__init__()
        self.next_error: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.waiting = asyncio.Event()

    async def add(self, entry: MemoryEntry, *, max_entries: int) -> MemoryEntry:
        if self.next_error is not None:
            error, self.next_error = self.next_error, None
            raise error
        self.waiting.set()
        await self.gate.wait()
        return await super().add(entry, max_entries=max_entries)


async def test_after_a_kill_everything_stored_is_still_there(memory: ReflexionMemory) -> None:
    (kept,) = await store(memory, "parse date")
    memory.actor.kill()
    assert await memory.retrieve_similar("parse date") == [Scored(kept, 1.0)]
    assert await memory.count() == 1


@pytest.mark.rows("H3")
async def test_calls_that_waited_when_the_actor_died_are_served_by_its_successor() -> None:
    fragile = FragileStore()
    async with ReflexionMemory(store=fragile) as memory:
        fragile.gate.clear()
        asked = asyncio.gather(*(memory.store(MemoryEntry(f"prompt {n}")) for n in range(5)))
        await fragile.waiting.wait()
        memory.actor.kill()
        fragile.gate.set()
        assert [entry.prompt for entry in await asked] == [f"prompt {n}" for n in range(5)]
        assert await memory.count() == 5


async def test_an_unexpected_error_reaches_only_its_caller() -> None:
    events: list[TelemetryEvent] = []
    fragile = FragileStore()
    async with ActorSystem(sink=events.append) as system, ReflexionMemory(store=fragile, system=system) as memory:
        await store(memory, "before")
        fragile.next_error = ZeroDivisionError("a bug")
        results = await asyncio.gather(
            memory.store(MemoryEntry("poison")), memory.store(MemoryEntry("beside")), return_exceptions=True
        )
        assert isinstance(results[0], CallError)
        assert isinstance(results[0].__cause__, ZeroDivisionError)
        assert [entry.prompt for entry in await memory.list_entries()] == ["beside", "before"]
        assert any(node.kind == MemoryActor.__name__ and node.restarts == 1 for node in system.tree().walk())


@pytest.mark.rows("C19", "C43")
@pytest.mark.parametrize("error", [StoreFullError("full"), StoreUnavailableError("locked")])
async def test_a_store_error_comes_through_as_itself_and_the_actor_lives_on(error: Exception) -> None:
    fragile = FragileStore()
    async with ReflexionMemory(store=fragile) as memory:
        fragile.next_error = error
        with pytest.raises(type(error)):
            await store(memory, "a")
        await store(memory, "b")
        assert prompts(await memory.retrieve_similar("b")) == ["b"]


async def test_a_memory_in_a_given_system_leaves_the_system_running() -> None:
    async with ActorSystem() as system:
        async with ReflexionMemory(system=system) as memory:
            assert any(node.kind == MemoryActor.__name__ for node in system.tree().walk())
            await store(memory, "a")
        assert system.is_running
        assert system.tree().children == ()


async def test_two_memories_share_nothing_but_their_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    async with ReflexionMemory(path) as one, ReflexionMemory(path) as two, ReflexionMemory() as other:
        await one.retrieve_similar("parse date")
        (kept,) = await store(two, "parse date")
        assert await one.retrieve_similar("parse date") == [Scored(kept, 1.0)]
        await two.forget(kept.id)
        assert await one.retrieve_similar("parse date") == []
        assert await other.count() == 0


async def test_loading_and_searching_leave_the_event_loop_free() -> None:
    # Not a stopwatch: whatever is large must go through a thread, during which the loop takes its turns.
    source = InProcessStore()
    for n in range(3000):
        await source.add(MemoryEntry(f"word{n % 50} word{n % 70} word{n % 90} " * 3), max_entries=5000)
    turns = 0
    async with ReflexionMemory(store=source) as memory:
        search = asyncio.ensure_future(memory.retrieve_similar("word1 word2", threshold=0.1))
        while not search.done():
            await asyncio.sleep(0)
            turns += 1
        assert len(search.result()) == 5
    assert turns > 6  # were it done on the loop, there would be 4


async def test_entries_that_cannot_be_sent_fail_for_their_callers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ReflexionMemory(tmp_path / "memory.db") as memory:
        monkeypatch.setattr("jido_ai.memory.batches.StoreAll", None)
        with pytest.raises(TypeError):
            await asyncio.wait_for(memory.store(MemoryEntry("p")), 60.0)


@pytest.mark.parametrize("kind", ["episodic", "semantic", "meta"])
async def test_a_query_returns_one_result_per_prompt_and_per_lesson_like_a_full_scan(kind: str) -> None:
    random = Random(11)
    async with ReflexionMemory(max_entries=5000) as memory:
        for _ in range(700):
            prompt, lesson = f"parse date {random.randrange(30)}", f"lesson {random.randrange(30)}"
            about = {"importance": random.random(), "kind": kind, "impact": random.random()}
            await memory.store(MemoryEntry(prompt, correction=lesson, **about))
        for text in (None, "parse date 7"):
            found = await memory.query(MemoryQuery(text, k=1000, min_similarity=0.0))
            if kind == "episodic":
                assert len({scored.entry.prompt for scored in found}) == len(found)
            assert len({scored.entry.correction for scored in found}) == len(found)
            similar = (
                {}
                if text is None
                else {
                    scored.entry.id: scored.similarity
                    for scored in [
                        Scored(entry, max(jaccard(words, text) for words in (entry.prompt, *found_by_words(entry))))
                        for entry in await memory.list_entries()
                    ]
                }
            )
            ranked = sorted(
                await memory.list_entries(),
                key=lambda entry: rank(entry, similar.get(entry.id, 0.0), entry.timestamp)[:2],
                reverse=True,
            )
            expected = [s.entry.id for s in one_per_prompt_and_lesson(Scored(entry, 0.0) for entry in ranked)]
            assert [scored.entry.id for scored in found] == expected


def found_by_words(entry: MemoryEntry) -> list[str]:
    """Return the texts that an entry is found by beside its prompt: other prompts it was learnt from, and its words."""
    others = [str(prompt) for prompt in entry.metadata.get("prompts", ())]
    return [*others, *([entry.correction] if entry.kind in ("semantic", "meta") else [])]


async def test_similar_prompts_with_the_same_correction_are_one_result() -> None:
    async with ReflexionMemory() as memory:
        await memory.store(MemoryEntry("parse the date zone", correction="Use aware times"))
        newer = await memory.store(MemoryEntry("parse date zone", correction="use  aware TIMES"))
        found = await memory.retrieve_similar("parse date zone", threshold=0.1)
        assert [scored.entry for scored in found] == [newer]
        assert len(await memory.query(MemoryQuery("parse date zone"))) == 1
