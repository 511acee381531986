"""Replay: a recorded run is decided again without a model."""

from __future__ import annotations

import random
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError, Declined
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.replayed_run import Replay, replay
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Budget, Candidate, CritiqueResult, LoopConfig, ReflectionResult, Revise, Usage


class Random:
    """Components with random texts and scores."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    async def generate(self, prompt: str, context: RunContext) -> str:
        return str(self.dice.random()) * 5

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        issues = [name for name in "abcd" if self.dice.random() < 0.5]
        return CritiqueResult(severity=self.dice.random(), issues=issues, metadata={"usage": Usage(calls=1)})

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        if self.dice.random() < 0.1:
            raise Declined("the dice")
        return candidate.content[:20] + str(self.dice.random())


async def replayed(component: Any, config: LoopConfig, **options: Any) -> tuple[ReflectionResult, Replay]:
    async with ReflexionMemory() as memory:
        async with Pipeline(component, component, component, memory, config) as pipeline:
            result = await pipeline.run("p", run_id="r")
        return result, await replay(await RunJournal(memory).load("r"), **options)


CONFIGS = [
    LoopConfig(max_iterations=8),
    LoopConfig(max_iterations=8, policy="adaptive"),
    LoopConfig(max_iterations=9, candidates=3, beam=2),
    LoopConfig(max_iterations=9, budget=Budget(max_calls=5)),
    LoopConfig(max_iterations=5, accept="clean", patience=3),
]


@pytest.mark.rows("J17")
@pytest.mark.parametrize("config", CONFIGS, ids=["documented", "adaptive", "beam", "budget", "clean"])
async def test_the_same_history_leads_to_the_same_decisions(config: LoopConfig) -> None:
    for seed in range(15):
        result, again = await replayed(Random(seed), config)
        assert again.differences == (), seed
        assert again.result.stop_reason == result.stop_reason
        assert again.result.evidence == result.evidence
        assert again.result.findings == result.findings


async def test_a_different_decision_is_reported() -> None:
    wavering = iter([Revise(0), Revise(1), Revise(0), Revise(0)])

    def waver(history: Any, config: LoopConfig) -> Revise:
        return next(wavering)

    config = LoopConfig(max_iterations=3, stop_rules=[waver])
    _, again = await replayed(Random(3), config, stop_rules=[waver])
    assert again.differences


async def test_custom_rules_must_be_given_again() -> None:
    with pytest.raises(ConfigurationError, match="stop_rules="):
        await replayed(Random(1), LoopConfig(stop_rules=[]))
    _, again = await replayed(Random(1), LoopConfig(stop_rules=[]), stop_rules=[])
    assert again.differences == ()


async def test_a_run_that_no_rule_ended_is_compared_as_far_as_it_got() -> None:
    class Broken(Random):
        async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
            raise RuntimeError("no")

    result, again = await replayed(Broken(1), LoopConfig(max_iterations=5, step_retries=0))
    assert result.stop_reason == "error"
    assert again.differences == ()
