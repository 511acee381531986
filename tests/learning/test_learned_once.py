"""What is learned counts once for each run, iteration and kind, in every store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from jido_ai.learning.maintenance import maintain
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.evidence import used, withdrawn
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Episode,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    Reflection,
    utc_now,
)

LESSON: dict[str, Any] = {"kind": MemoryKind.SEMANTIC, "correction": "sort once"}


@pytest.fixture(params=["process", "sqlite", "postgres"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ReflexionMemory]:
    path: Any = None
    if request.param == "sqlite":
        path = tmp_path / "memory.db"
    if request.param == "postgres":
        path = request.getfixturevalue("postgres")
    async with ReflexionMemory(path) as memory:
        yield memory


def told(*evidence: str, **fields: Any) -> MemoryEntry:
    return MemoryEntry("sort a list", evidence=evidence, **LESSON, **fields)


async def test_a_lesson_with_known_evidence_counts_nothing_again(memory: ReflexionMemory) -> None:
    for evidence in ("run_1", "run_2", "run_1", "run_2"):
        kept = await memory.store(told(evidence))
    assert (kept.frequency, kept.evidence) == (2, ("run_1", "run_2"))
    assert (await memory.store(told("run_2", "run_3", frequency=2))).frequency == 3
    assert (await memory.store(told())).frequency == 4  # nobody says where it comes from


async def test_a_run_uses_a_lesson_once_and_its_last_outcome_stands(memory: ReflexionMemory) -> None:
    entry = await memory.store(told("run_1"))
    for success in (False, False, True):
        kept = await memory.record_usage(entry.id, success=success, run_id="run_9")
    assert (kept.use_count, kept.success_count) == (1, 1)
    kept = await memory.record_usage(entry.id, success=False, run_id="run_8")
    kept = await memory.store(told("run_2"))
    kept = await memory.record_usage(entry.id, success=False, run_id="run_9")
    assert (kept.use_count, kept.success_count) == (2, 0)


async def test_an_episode_that_is_observed_again_counts_once(memory: ReflexionMemory) -> None:
    asked: list[str] = []

    async def reflect(episode: Episode, priors: Any, context: Any = None) -> Reflection:
        asked.append(episode.id)
        await asyncio.sleep(0)
        return Reflection(f"lesson {len(asked)}", root_cause="it was sorted twice", strategy="sort once")

    async def judge(candidate: Any, context: Any) -> CritiqueResult:
        return CritiqueResult.no_issues()

    def episode(text: str = "x") -> Episode:
        return Episode("sort a list", text, id="e", agent_id="a", outcome="failure", error="TypeError: x")

    async with Pipeline(critiquer=judge, memory=memory, reflector=reflect) as pipeline:
        found = await asyncio.gather(*[pipeline.observe(episode()) for _ in range(3)])
        found.append(await pipeline.observe(episode()))
    assert {one.lesson for one in found} == {"lesson 1"}
    assert asked == ["e"]
    assert len(await memory.records("episodes")) == 1
    entries = {entry.kind: entry for entry in await memory.list_entries(None)}
    assert {kind: entry.frequency for kind, entry in entries.items()} == {"episodic": 1, "procedural": 1}
    async with Pipeline(critiquer=judge, memory=memory, reflector=reflect) as pipeline:
        assert (await pipeline.observe(episode("changed"))).lesson == "lesson 2"
    assert len(await memory.list_entries(None)) == 2


async def test_rounds_of_maintenance_side_by_side_learn_as_one(memory: ReflexionMemory) -> None:
    async def judge(candidate: Any, context: Any) -> CritiqueResult:
        return CritiqueResult.no_issues()

    async with Pipeline(critiquer=judge, memory=memory) as pipeline:
        for n in range(6):
            reflection = Reflection(f"lesson {n}", root_cause="the list is sorted twice")
            await pipeline.observe(
                Episode(f"task {n} {'abc'[n % 3]}", "x", id=f"e{n}", agent_id="a", reflection=reflection)
            )
    reports = await asyncio.gather(*[maintain(memory) for _ in range(3)])
    assert sum(report.failures for report in reports) == 0
    (lesson,) = [one for one in await memory.list_entries(None) if one.kind is MemoryKind.SEMANTIC]
    assert (lesson.frequency, len(lesson.evidence)) == (6, 6)


def test_the_use_of_a_run_is_known_among_the_newest() -> None:
    entry = told("r")
    for n in range(300):
        entry = used(entry, success=True, now=utc_now(), run_id=f"run_{n}")
    again = used(entry, success=False, now=utc_now(), run_id="run_250")
    assert (again.use_count, again.success_count) == (300, 299)


def test_a_lesson_is_withdrawn_unless_others_taught_or_used_it() -> None:
    assert withdrawn(told("r"), "r") is None
    left = withdrawn(told("r", "s", frequency=2), "r")
    assert left is not None
    assert (left.frequency, left.evidence) == (1, ("s",))
    helped = withdrawn(used(told("r"), success=True, now=utc_now()), "r")
    assert helped is not None
    assert helped.use_count == 1


async def test_an_entry_that_is_learned_again_keeps_its_uses(memory: ReflexionMemory) -> None:
    entry = await memory.store(told("run_1"))
    entry = await memory.record_usage(entry.id, success=True)
    assert (await memory.store(entry)).use_count == 1
    (first,) = await memory.learn([MemoryEntry("p", "m", "c", id="learned", evidence=("e",))])
    await memory.record_usage(first.id, success=True)
    (again,) = await memory.learn([first])
    assert again.use_count == 1


async def test_a_lesson_that_a_cut_run_taught_is_taken_back_when_it_teaches_another_one() -> None:
    downs = ["down"]

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        if len(candidate.content) == 2 and downs:
            raise RuntimeError(downs.pop())
        text = candidate.content + "x"
        return Candidate(text, reasoning=f"the answer had to be {len(text)} long")

    async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.9 - 0.2 * len(candidate.content), issues=["the answer is too short by far"])

    config = LoopConfig(max_iterations=3, patience=3, step_retries=0)
    async with ReflexionMemory() as memory:
        await memory.store(
            MemoryEntry("q", "m", "the answer had to be 2 long", kind=MemoryKind.SEMANTIC, evidence=("other",))
        )
        async with Pipeline(None, judge, revise, memory, config) as pipeline:
            cut = await pipeline.run("how long is it?", "x", run_id="r")
            assert [one.correction for one in cut.lessons_stored] == ["the answer had to be 2 long"]
            assert cut.lessons_stored[0].frequency == 2
            await pipeline.resume("r")
        lessons = {one.correction: one for one in await memory.list_entries(None) if one.kind is MemoryKind.SEMANTIC}
    assert {text: (one.frequency, one.evidence) for text, one in lessons.items()} == {
        "the answer had to be 2 long": (1, ("other",)),
        "the answer had to be 3 long": (1, ("r",)),
    }


async def test_a_run_that_was_cut_before_anything_looked_at_its_lessons_counts_no_use() -> None:
    downs = ["down"]

    async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.9, issues=["too short"])

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        if downs:
            raise RuntimeError(downs.pop())
        return candidate.content + "x"

    config = LoopConfig(max_iterations=2, step_retries=0)
    async with ReflexionMemory() as memory:
        entry = await memory.store(told("run_1"))
        async with Pipeline(lambda prompt, context: "x", judge, revise, memory, config) as pipeline:
            await pipeline.run("sort a list", run_id="r")
            result = await pipeline.resume("r")
        assert result.lessons_used
        assert (await memory.get(entry.id)).use_count == 0
