"""How attempts develop, by what a memory has recorded of them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.learning import history as learning
from jido_ai.learning.history import attempts_of, learning_progress
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import CritiqueResult, Episode, Issue, LearningProgress, Reflection, Scope, utc_now
from jido_ai.values.record import Record

START = utc_now()


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        yield memory


async def observe(memory: ReflexionMemory, *scores: float, scope: Scope | None = None, **fields: Any) -> None:
    async with Pipeline(critiquer=lambda candidate, context: CritiqueResult(severity=0.0), memory=memory) as pipeline:
        for n, score in enumerate(scores):
            told = {"task_type": "parse", "reflection": Reflection(f"lesson {n}"), **fields}
            when = START + timedelta(minutes=n)
            critique = CritiqueResult(score=score, criterion_scores={"clarity": 0.2, "speed": 0.9})
            await pipeline.observe(
                Episode(f"task {n}", critique=critique, timestamp=when, scope=scope or Scope(), **told)
            )


@pytest.mark.rows("M33", "M36")
async def test_the_attempts_at_a_task_type_are_reported_as_figures(memory: ReflexionMemory) -> None:
    await observe(memory, 0.2, 0.4, 0.6, 0.8, 1.0)
    await observe(memory, 0.1, task_type="write")
    told = await learning_progress(memory, "parse")
    assert (told.task_type, told.total_attempts, told.success_rate) == ("parse", 5, pytest.approx(0.4))
    assert (told.average_score, told.improvement_trend) == (pytest.approx(0.6), pytest.approx(0.6))
    assert told.next_focus_areas[0] == "clarity"


@pytest.mark.rows("M38")
async def test_the_lessons_of_a_task_type_are_the_most_helpful_ones(memory: ReflexionMemory) -> None:
    await observe(memory, 0.5, 0.5, 0.5)
    lessons = {entry.correction: entry.id for entry in await memory.list_entries()}
    for _ in range(2):
        await memory.record_usage(lessons["lesson 2"], success=True)
    await memory.record_usage(lessons["lesson 0"], success=True)
    assert (await learning_progress(memory, "parse")).key_lessons == ("lesson 2", "lesson 0")


@pytest.mark.rows("M48")
async def test_other_scopes_and_task_types_do_not_count(memory: ReflexionMemory) -> None:
    await observe(memory, 0.5, scope=Scope("a"))
    assert await learning_progress(memory, "parse") == LearningProgress("parse")
    assert await learning_progress(memory, "", Scope("a")) == LearningProgress("")
    assert (await learning_progress(memory, "parse", Scope("a"))).total_attempts == 1


async def test_a_record_that_is_no_episode_is_left_out(memory: ReflexionMemory) -> None:
    await observe(memory, 0.5)
    await memory.append([Record(log="episodes", key="junk", kind="parse", data={"prompt": 3})])
    assert (await learning_progress(memory, "parse")).total_attempts == 1


@pytest.mark.parametrize(("issues", "at_once"), [(1, True), (200, False)])
async def test_long_attempts_are_read_in_a_thread(
    issues: int, at_once: bool, memory: ReflexionMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    read = learning._read

    def noted(*args: Any) -> Any:
        threads.append(threading.get_ident())
        return read(*args)

    monkeypatch.setattr(learning, "_read", noted)
    critique = CritiqueResult(score=0.5, issues=tuple(Issue(f"issue {n} of this attempt") for n in range(issues)))
    for n in range(3):
        data = Episode(f"task {n}", task_type="parse", critique=critique).model_dump(mode="json")
        await memory.append([Record(log="episodes", key=f"key {n}", kind="parse", data=data)] * 2)
    await memory.append([Record(log="episodes", key="junk", kind="parse", data={"prompt": 3})])
    attempts, unreadable = await attempts_of(memory, Scope(), "parse")
    assert (len(attempts), unreadable) == (3, 1)  # each is there twice
    assert [thread == threading.get_ident() for thread in threads] == [at_once]


async def test_invalid_settings_are_rejected(memory: ReflexionMemory) -> None:
    for junk in (None, "memory.db", memory.actor):
        with pytest.raises(ConfigurationError, match="ReflexionMemory"):
            await learning_progress(junk, "parse")  # type: ignore[arg-type]
    for junk in (None, 3, b"parse"):
        with pytest.raises(ConfigurationError, match="task_type"):
            await learning_progress(memory, junk)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError):
        await learning_progress(ReflexionMemory(), "parse")
