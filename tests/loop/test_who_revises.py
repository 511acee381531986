"""Who revises where no reviser is named: a model that generates, or a generator that uses the attempts so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Episode, LoopConfig, Reflection, StopReason

CONFIG = LoopConfig(max_iterations=3, patience=3)


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    bad = 0.9 - 0.2 * len(candidate.content)
    return CritiqueResult(severity=max(0.0, bad), issues=["too short"], source="tool:length")


async def reflect(episode: Episode, priors: Sequence[Reflection], context: RunContext) -> Reflection:
    return Reflection(f"make it longer than {episode.attempt}", root_cause="it was short")


class Drafting:
    uses_attempts = True

    def __init__(self) -> None:
        self.told: list[tuple[list[str], list[str]]] = []

    async def generate(self, prompt: str, context: RunContext) -> str:
        lessons = [lesson.correction for lesson in context.lessons]
        self.told.append(([one.candidate.content for one in context.attempts], lessons))
        return "x" * len(self.told)


@pytest.mark.parametrize("policy", ["documented", "adaptive"])
async def test_a_generator_that_uses_attempts_drafts_again_with_all_reflections_of_the_run(policy: Any) -> None:
    author = Drafting()
    config = LoopConfig(max_iterations=3, patience=3, policy=policy)
    async with Pipeline(author, judge, memory=True, config=config, reflector=reflect) as pipeline:
        result = await pipeline.run("count to three")
    assert [one.candidate.content for one in result.iterations] == ["x", "xx", "xxx"]
    assert [attempts for attempts, _ in author.told] == [[], ["x"], ["x", "xx"]]
    assert [len(lessons) for _, lessons in author.told] == [0, 1, 2]
    assert len(result.reflections) == 2  # the last one is good enough


async def test_a_draft_in_place_of_a_revision_is_approved_as_one() -> None:
    seen: list[str] = []

    async def approve(revision: Candidate, before: Any, context: RunContext) -> bool:
        seen.append(revision.content)
        return len(seen) < 2

    async with Pipeline(Drafting(), judge, config=CONFIG, approve=approve) as pipeline:
        result = await pipeline.run("count to three")
    assert seen == ["xx", "xxx"]
    assert (result.stop_reason, result.total_iterations) == (StopReason.DECLINED, 2)
    assert result.iterations[0].revised


@pytest.mark.parametrize("named", [True, False])
async def test_a_language_model_that_generates_also_revises(named: bool) -> None:
    model = ScriptedModel(["x", '{"improved_response": "xxxx", "changes_made": [], "parts_preserved": []}'])
    generator: Any = model if named else LLMGenerator(model)
    async with Pipeline(generator, judge, config=CONFIG) as pipeline:
        result = await pipeline.run("count")
    assert [one.candidate.content for one in result.iterations] == ["x", "xxxx"]


async def test_without_either_the_run_judges_and_says_what_to_name() -> None:
    async with ReflexionMemory() as memory, Pipeline(lambda prompt, context: "x", judge, memory=memory) as pipeline:
        result = await pipeline.run("count")
    assert (result.stop_reason, result.total_iterations) == (StopReason.DECLINED, 1)
    assert "reviser=" in result.evidence["reasons"][0]
    assert "uses_attempts" in result.evidence["reasons"][0]
