"""Lessons of repairs are found by the kind of failure, even if the texts have no words in common."""

from __future__ import annotations

from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.repair.mutation import remembered_operators, remembered_repairs
from jido_ai.values import Candidate, CritiqueResult, Issue, LoopConfig, MemoryEntry

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
        assert remembered_operators(given, "AssertionError:truth") == {"off-by-one": 0.6}
        assert remembered_repairs(given) == {("if a[-i]:", "if a[-i - 1]:")}


async def test_a_lesson_of_another_kind_of_failure_is_not_recalled() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        await run(memory, "alpha", "alpha: assert False")
        assert await run(memory, "omega", "omega: IndexError: out of range") == ()
