"""Lessons of repairs are found by the kind of failure, even if the texts have no words in common."""

from __future__ import annotations

import pytest

from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, Issue, LoopConfig, MemoryEntry, MemoryKind

CONFIG = LoopConfig(policy="adaptive", accept="clean", severity_threshold=1.0, score_threshold=0.01, max_iterations=2)
TOLD = (
    "mutation operator 'off-by-one' for AssertionError:truth, line 3: `if a[-i]:` became `if a[-i - 1]:`. "
    "Only the tests vouch for it: 2 of 2 pass"
)


async def run(memory: ReflexionMemory, prompt: str, failure: str) -> tuple[MemoryEntry, ...]:
    """Run a loop in which a test fails until it is repaired; return the lessons that the reviser got."""
    given: list[MemoryEntry] = []

    def critique(candidate: Candidate, _context: RunContext) -> CritiqueResult:
        if candidate.content == "right":
            return CritiqueResult.no_issues()
        return CritiqueResult(severity=0.9, issues=[Issue(failure, kind="test", rule=prompt)])

    def revise(_candidate: Candidate, _critique: CritiqueResult, context: RunContext) -> Candidate:
        given.extend(context.lessons)
        tags = ["mutation:off-by-one", "failure:AssertionError:truth"]
        return Candidate("right", reasoning=TOLD, metadata={"tags": tags})

    async with Pipeline(critiquer=critique, reviser=revise, memory=memory, config=CONFIG, recall_by="critique") as made:
        result = await made.run(prompt, "wrong")
    assert result.accepted
    return tuple(given)


async def test_a_lesson_is_recalled_by_the_kind_of_failure_and_names_operator_and_edit() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        assert await run(memory, "alpha", "alpha: assert False") == ()
        (lesson,) = await memory.list_entries()
        assert {"mutation:off-by-one", "failure:AssertionError:truth"} <= set(lesson.tags)
        given = await run(memory, "omega", "omega: assert not True")
        assert [one.correction for one in given] == [lesson.correction]


async def test_a_lesson_of_another_kind_of_failure_is_not_recalled() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        await run(memory, "alpha", "alpha: assert False")
        assert await run(memory, "omega", "omega: IndexError: out of range") == ()


@pytest.mark.parametrize(
    ("lessons", "offered"),
    [
        ({"failed": (0, 6)}, set()),
        ({"failed": (0, 6), "good": (6, 6)}, {"good"}),
        ({"doubted": (1, 3), "good": (6, 6)}, {"good"}),
        ({"doubted": (1, 3), "failed": (0, 6)}, {"doubted"}),
        ({"good": (6, 6), "fair": (3, 6)}, {"fair"}),
        ({"good": (6, 6), "new": (0, 0)}, {"good", "new"}),
    ],
)
async def test_a_lesson_of_the_same_kind_of_failure_is_offered_by_the_rules_of_all_lessons(
    lessons: dict[str, tuple[int, int]], offered: set[str]
) -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        for name, (successes, uses) in lessons.items():
            tags = ("failure:AssertionError:truth",)
            lesson = MemoryEntry(f"{name} text", f"{name} mistake", name, kind=MemoryKind.SEMANTIC, tags=tags)
            stored = await memory.store(lesson)
            for use in range(uses):
                await memory.record_usage(stored.id, success=use < successes)
        assert {one.correction for one in await run(memory, "omega", "omega: assert not True")} == offered


async def test_a_doubted_lesson_that_is_offered_alone_stays_alone() -> None:
    tags = ("failure:AssertionError:truth",)
    async with ReflexionMemory(similarity="weighted") as memory:
        doubted = await memory.store(MemoryEntry("failing test: omega", "m", "doubted", kind=MemoryKind.SEMANTIC))
        await memory.record_usage(doubted.id, success=False)
        await memory.store(MemoryEntry("alpha text", "alpha mistake", "good", kind=MemoryKind.SEMANTIC, tags=tags))
        assert [one.correction for one in await run(memory, "omega", "omega: assert not True")] == ["doubted"]
