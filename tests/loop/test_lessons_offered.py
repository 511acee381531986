"""The number of lessons offered to a run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.loop.lesson import within_tokens
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.settings import load_settings, pipeline_options
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, MemoryEntry

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")


async def offered(memory: ReflexionMemory, metadata: dict[str, Any] | None = None, **options: Any) -> int:
    seen: list[int] = []

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        seen.append(len(context.lessons))
        return CritiqueResult.no_issues()

    async with Pipeline(critiquer=critique, memory=memory, **options) as pipeline:
        await pipeline.run("parse the date in a line of text", "x", metadata=metadata or {})
    return seen[0]


@pytest.mark.rows("H65")
@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 5),
        ({"max_lessons": 3}, 3),
        ({"max_lessons": 8}, 8),
        ({"max_lesson_tokens": 1}, 1),
        ({"max_lesson_tokens": 10_000}, 5),
    ],
)
async def test_a_run_is_offered_as_many_lessons_as_it_may(options: dict[str, int], count: int) -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        for word in WORDS:
            await memory.store(MemoryEntry(f"parse the date in a line of text {word}", f"{word} m", f"{word} c"))
        assert await offered(memory, **options) == count


async def test_a_run_with_a_task_type_is_offered_no_lessons_of_another_task_type() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        for word, task_type in zip(WORDS, ("outline", "sections", None), strict=False):
            lesson = MemoryEntry(
                f"parse the date in a line of text {word}", f"{word} m", f"{word} c", task_type=task_type
            )
            await memory.store(lesson)
        assert await offered(memory, {"task_type": "sections"}) == 2
        assert await offered(memory, {"task_type": "summary"}) == 1
        assert await offered(memory) == 3


@pytest.mark.parametrize("options", [{"max_lessons": 0}, {"max_lesson_tokens": -1}, {"max_lessons": True}])
def test_a_limit_below_one_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="must be None or a whole number of at least 1"):
        Pipeline(critiquer=print, **options)


@given(st.lists(st.integers(0, 200), max_size=8), st.integers(1, 100))
@settings(max_examples=60, deadline=None)
def test_the_offered_lessons_fit_the_limit_or_are_the_first_one_alone(lengths: list[int], tokens: int) -> None:
    lessons = [MemoryEntry("p" * (length + 1)) for length in lengths]
    kept = within_tokens(lessons, tokens)
    assert list(kept) == lessons[: len(kept)]
    assert sum(len(lesson.prompt) for lesson in kept) <= 4 * tokens or len(kept) == 1
    if lessons:
        assert kept
    if len(kept) < len(lessons):
        assert sum(len(lesson.prompt) for lesson in lessons[: len(kept) + 1]) > 4 * tokens
    assert within_tokens(lessons, None) == tuple(lessons)


# -- from the settings -----------------------------------------------------------------------------


@pytest.mark.rows("R37", "R38")
@pytest.mark.parametrize(("environ", "count"), [({}, 3), ({"REFLECTIVE_MEMORY_MODE": "full"}, 5)])
async def test_a_pipeline_made_from_settings_offers_as_many_lessons_as_its_mode(
    tmp_path: Any, environ: dict[str, str], count: int
) -> None:
    holds = load_settings(tmp_path, environ=environ | {"JIDO_MEMORY": str(tmp_path / "m.db")})
    async with ReflexionMemory(tmp_path / "m.db") as memory:
        for word in WORDS:
            await memory.store(MemoryEntry(f"parse the date in a line of text {word}", f"{word} m", f"{word} c"))
    options = pipeline_options(holds)
    memory = options.pop("memory")
    assert await offered(memory, **options) == count


@pytest.mark.rows("M1", "R35")
def test_a_pipeline_with_memory_off_has_neither_memory_nor_reflector(tmp_path: Any) -> None:
    environ = {"REFLECTIVE_MEMORY_ENABLED": "false", "JIDO_MEMORY": str(tmp_path / "m.db")}
    assert pipeline_options(load_settings(tmp_path, environ=environ)).keys() == {"config"}
    assert not (tmp_path / "m.db").exists()


@pytest.mark.parametrize(("max_concurrency", "offers"), [(1, [0, 1, 1, 1]), (2, [0, 0, 1, 1]), (None, [0, 0, 0, 0])])
async def test_runs_side_by_side_are_offered_the_lessons_of_those_that_ended_before_they_began(
    max_concurrency: int | None, offers: list[int]
) -> None:
    begun: list[int] = []
    both = asyncio.Event()

    async def generate(prompt: str, context: RunContext) -> str:
        begun.append(len(context.lessons))
        if len(begun) == (max_concurrency or 4):
            both.set()
        await both.wait()
        return "short"

    async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.9 if candidate.content == "short" else 0.0, issues=["it is too short"])

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return "long enough"

    async with Pipeline(generate, judge, revise, memory=True, learn_from="nothing") as pipeline:
        await pipeline.run_many([f"write a text on trees, number {n}" for n in range(4)], max_concurrency)
    assert begun == offers
