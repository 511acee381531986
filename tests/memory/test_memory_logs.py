"""The logs of a memory: what goes through its actor is redacted, bounded and found again."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.loop import memory as run_memory
from jido_ai.loop.memory import keep_episodes, remember
from jido_ai.memory import intake
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores import rows as storage_rows
from jido_ai.values import Episode, Event, EventType, Scope
from jido_ai.values.record import Record

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


@pytest.fixture(params=["memory", "sqlite"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ReflexionMemory]:
    path = None if request.param == "memory" else tmp_path / "memory.db"
    async with ReflexionMemory(path, max_text_bytes=2000) as memory:
        yield memory


async def test_records_are_kept_listed_summarised_and_dropped(memory: ReflexionMemory) -> None:
    ours = Scope("ours", "p")
    kept = await memory.append([Record(log="journal", key=key, data={}, kind="step", scope=ours) for key in "aba"])
    assert await memory.records("journal") == kept
    assert await memory.records("journal", key="a", newest_first=True, limit=1) == kept[2:]
    assert (
        await memory.records("journal", scope=ours, kind="step", after=kept[0].row, since=kept[1].timestamp)
        == (kept[1:])
    )
    assert [(found.key, found.records) for found in await memory.summaries("journal", scope=ours)] == [
        ("a", 2),
        ("b", 1),
    ]
    assert [found.key for found in await memory.summaries("journal", offset=1, limit=1)] == ["b"]
    assert await memory.drop_records("journal", key="a", before=NOON) == 2
    assert await memory.records("journal") == [kept[1]]


async def test_records_are_redacted_like_entries(memory: ReflexionMemory) -> None:
    secret = "ghp_" + "a1B2" * 9
    data = {"password": "hunter22", "deep": [{"text": f"use {secret}"}], "pair": (1, 2)}
    (kept,) = await memory.append([Record(log="ledger", key="k", data=data)])
    assert kept.data == {"password": "[redacted]", "deep": [{"text": "use [redacted]"}], "pair": [1, 2]}
    assert await memory.records("ledger") == [kept]


@pytest.mark.parametrize(
    "bad",
    [
        Record(log="audit", key="k", data={"text": "x" * 2000}),
        Record(log="audit", key="k" * 2001, data={}),
        Record(log="audit", key="k", kind="k" * 2001, data={}),
        Record(log="audit", key="k", data={"n": float("nan")}),
        Record(log="audit", key="k", data={"n": object()}),
        Record(log="audit", key="k", data={}, timestamp=datetime(2030, 1, 1)),
        Record(log="diary", key="k", data={}),
        "no record",
    ],
)
async def test_a_record_that_cannot_be_kept_is_refused_with_all_beside_it(memory: ReflexionMemory, bad: Record) -> None:
    with pytest.raises(ConfigurationError):
        await memory.append([Record(log="audit", key="good", data={}), bad])
    assert await memory.records("audit") == []


async def test_filters_that_can_never_work_are_refused(memory: ReflexionMemory) -> None:
    for arguments in ({"limit": -1}, {"after": -1}, {"since": datetime(2030, 1, 1)}):
        with pytest.raises(ConfigurationError):
            await memory.records("journal", **arguments)
    with pytest.raises(ConfigurationError, match="diary"):
        await memory.summaries("diary")


@pytest.mark.parametrize("steps", [1, 1_000, 0], ids=["one long step", "many steps", "short"])
@pytest.mark.parametrize("in_file", [True, False], ids=["sqlite", "in-process"])
async def test_a_long_episode_is_written_as_json_in_a_thread_and_a_short_one_at_once(
    steps: int, in_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once: list[tuple[str, bool]] = []
    loop_thread = threading.get_ident()

    def watched(module: Any, name: str) -> None:
        work = getattr(module, name)

        def watching(*args: Any, **more: Any) -> Any:
            at_once.append((f"{module.__name__}.{name}", threading.get_ident() == loop_thread))
            return work(*args, **more)

        monkeypatch.setattr(module, name, watching)

    for module, name in ((run_memory, "written"), (intake, "json_pieces"), (storage_rows, "json_pieces")):
        watched(module, name)
    events = [Event(EventType.TOOL_RESPONSE, "what it says " * (100_000 // max(1, steps))) for _ in range(steps)]
    async with ReflexionMemory(tmp_path / "memory.db" if in_file else None) as memory:
        await remember(memory, [Episode("p", events=events)])
        (kept,) = await memory.records("episodes")
    assert [event["content"] for event in kept.data["events"]] == [event.content for event in events]
    assert len(at_once) == (2 if steps else 1)  # the line is written once, whatever the store; a long one in pieces
    assert {name for name, here in at_once if here is bool(steps)} == set()


async def test_the_newest_episodes_of_each_task_type_are_kept() -> None:
    async with ReflexionMemory(max_entries=3) as memory:
        for task_type, told in (("a", remember), ("b", partial(keep_episodes, was_told=False))):
            for n in range(5):
                episode = Episode("p", f"answer {n}", id=f"{task_type}{n}", task_type=task_type)
                await told(memory, [episode])
        await memory.append([Record(log="journal", key=str(n), data={}) for n in range(5)])
        assert [record.key for record in await memory.records("episodes")] == ["a2", "a3", "a4", "b2", "b3", "b4"]
        assert len(await memory.records("journal")) == 5


async def test_the_oldest_of_many_episodes_are_removed_in_bunches() -> None:
    async with ReflexionMemory(max_entries=40) as memory:
        left = list[int]()
        for n in range(50):
            await keep_episodes(memory, [Episode("p", f"answer {n}", id=f"{n}")], was_told=False)
            kept = [record.key for record in await memory.records("episodes")]
            assert kept == [str(one) for one in range(n + 1)][-len(kept) :]
            left.append(len(kept))
        assert left[:40] == list(range(1, 41))
        assert set(left[40:]) == {40, 41}


async def test_episodes_are_listed_newest_first_by_agent_session_outcome_and_task_type(
    memory: ReflexionMemory,
) -> None:
    ours = Scope("ours", "p")
    told = [
        Episode("p", "one", agent_id="A", session_id="s1", outcome="success", scope=ours),
        Episode("p", "two", agent_id="B", session_id="s1", outcome="failure", scope=ours),
        Episode("p", "three", agent_id="A", session_id="s2", outcome="failure", task_type="code", scope=ours),
        Episode("p", "four", agent_id="A"),
    ]
    await remember(memory, told)
    one, two, three, four = told
    assert await memory.episodes() == [four, three, two, one]
    assert await memory.episodes(ours, agent_id="A") == [three, one]
    assert await memory.episodes(ours, session_id="s1", limit=1) == [two]
    assert await memory.episodes(outcome="failure", offset=1) == [two]
    assert await memory.episodes(task_type="code", agent_id="B") == []
    with pytest.raises(ConfigurationError, match="success, failure"):
        await memory.episodes(outcome="bored")  # type: ignore[arg-type]
