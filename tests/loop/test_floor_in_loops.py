"""The floor in loops, including resumed and replayed runs: no score outweighs a check that passed before."""

from __future__ import annotations

import random
from typing import Any

import pytest

from jido_ai.critics.pytest_critiquer import PytestCritiquer, PytestResult
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.replayed_run import replay
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.revisers.targeted_reviser import TargetedReviser
from jido_ai.values import Candidate, CritiqueResult, Issue, LoopConfig, ReflectionResult, StopReason, Verdict

POLICIES = ("documented", "adaptive")


class Dice:
    """A critic with random, contradictory checks and scores, and a reviser that always makes a new text."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.bases: list[str] = []
        self.contexts: list[RunContext] = []

    def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        dice = random.Random(candidate.content)
        ends = {f"t:{name}": dice.choice(["passed", "passed", "failed"]) for name in "abc"}
        return CritiqueResult(severity=dice.random(), score=dice.random(), issues=[dice.choice("xyz")], checks=ends)

    def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self.bases.append(candidate.id)
        self.contexts.append(context)
        return f"{candidate.content[:10]} {self.dice.random()}"


def below(result: ReflectionResult) -> set[str]:
    first = result.iterations[0].critique.checks
    return {
        one.candidate.id
        for one in result.iterations
        if any(end == "passed" and one.critique.checks[name] != "passed" for name, end in first.items())
    }


@pytest.mark.parametrize("policy", POLICIES)
async def test_a_candidate_below_the_floor_is_never_the_best_nor_revised(policy: str) -> None:
    fell = 0
    for seed in range(40):
        dice = Dice(seed)
        config = LoopConfig(max_iterations=8, policy=policy, patience=5)
        async with Pipeline(critiquer=dice, reviser=dice, config=config) as pipeline:
            result = await pipeline.run("p", f"start {seed}")
        low = below(result)
        fell += len(low)
        assert {one.candidate.id for one in result.iterations if one.broken} == low
        assert result.best_candidate is not None
        assert result.best_candidate.id not in low
        assert not low & set(dice.bases)
        assert not (result.stop_reason is StopReason.ACCEPTED and result.iterations[-1].candidate.id in low)
    assert fell > 20


@pytest.mark.parametrize("policy", POLICIES)
async def test_a_replayed_and_a_resumed_run_know_the_floor(policy: str) -> None:
    for seed in range(10):
        config = LoopConfig(max_iterations=4, policy=policy, patience=5)
        async with ReflexionMemory() as memory:
            async with Pipeline(critiquer=Dice(seed), reviser=Dice(seed), memory=memory, config=config) as pipeline:
                result = await pipeline.run("p", f"start {seed}", run_id="r")
            recorded = await RunJournal(memory).load("r")
            assert [one.broken for one in recorded.iterations] == [one.broken for one in result.iterations]
            assert (await replay(recorded)).differences == ()


class Stopper:
    """A custom rule that always picks the newest."""

    def __call__(self, history: Any, config: LoopConfig) -> Verdict | None:
        return Verdict(StopReason.ACCEPTED, {}, pick=len(history) - 1) if len(history) > 2 else None


async def test_a_custom_rule_can_neither_pick_nor_continue_from_a_candidate_below_the_floor() -> None:
    for seed in range(20):
        dice = Dice(seed)
        config = LoopConfig(max_iterations=5, stop_rules=(Stopper(),))
        async with Pipeline(critiquer=dice, reviser=dice, config=config) as pipeline:
            result = await pipeline.run("p", f"start {seed}")
        assert result.best_candidate is not None
        assert result.best_candidate.id not in below(result)
        assert not below(result) & set(dice.bases)


async def test_the_reviser_sees_the_checks_that_earlier_attempts_broke_and_the_critic_those_that_the_first_passed() -> (
    None
):
    dice = Dice(3)
    contexts: list[RunContext] = []

    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        contexts.append(context)
        return dice.critique(candidate, context)

    config = LoopConfig(max_iterations=8, patience=7)
    async with Pipeline(critiquer=critique, reviser=dice, config=config) as pipeline:
        result = await pipeline.run("p", "start 3")
    assert contexts[0].baseline is None
    assert all(one.baseline == result.iterations[0].critique for one in contexts[1:])
    low = [one for one in result.iterations if one.broken]
    assert low
    assert [one.candidate.id for one in dice.contexts[-1].setbacks] == [
        one.candidate.id for one in low if one.index < result.total_iterations - 1
    ]


async def test_without_a_floor_only_the_score_counts() -> None:
    fell = 0
    for seed in range(30):
        config = LoopConfig(max_iterations=4, floor="none")
        dice = Dice(seed)
        async with Pipeline(critiquer=dice, reviser=dice, config=config) as pipeline:
            result = await pipeline.run("p", f"start {seed}")
        assert result.best_candidate is not None
        fell += result.best_candidate.id in below(result)
    assert fell


async def test_five_cosmetic_fixes_do_not_outweigh_a_broken_test() -> None:
    """A critic by tests: the revision passes more tests, but not the one that passed before."""

    def run_tests(candidate: Candidate, context: RunContext) -> list[PytestResult]:
        good = candidate.content == "first"
        return [
            PytestResult("kept", good),
            *(PytestResult(f"new {n}", not good, error="" if not good else "x") for n in range(5)),
        ]

    config = LoopConfig(max_iterations=2)
    async with Pipeline(critiquer=PytestCritiquer(run_tests), reviser=lambda *_: "second", config=config) as pipeline:
        result = await pipeline.run("p", "first")
    assert result.best_candidate is not None
    assert result.best_candidate.content == "first"
    assert result.iterations[1].broken == ("tests:kept",)


CODE = "import os\nimport sys\nimport re\n\nx = 1\n"


@pytest.mark.slow
async def test_the_breaking_edit_is_found_reverted_and_named_and_the_rest_is_kept() -> None:
    """Another file needs `sys`: the targeted reviser finds this by halving."""

    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        names = [
            (row, line.split()[1]) for row, line in enumerate(candidate.content.splitlines(), 1) if "import" in line
        ]
        issues = [
            Issue(f"`{name}` imported but unused", rule="F401", source="tool:ruff", location={"line": row})
            for row, name in names
        ]
        needs = "passed" if "import sys" in candidate.content else "failed"
        return CritiqueResult(severity=0.4, score=1 / (1 + len(issues)), issues=issues, checks={"t:needs sys": needs})

    config = LoopConfig(max_iterations=9, patience=8, accept="clean")
    async with Pipeline(critiquer=critique, reviser=TargetedReviser(), config=config) as pipeline:
        result = await pipeline.run("p", CODE)
    assert result.best_candidate is not None
    assert result.best_candidate.content == "import sys\n\nx = 1\n"
    assert result.stop_reason is StopReason.DECLINED
    assert "it breaks t:needs sys" in str(result.evidence["reasons"])


TWO_FAIL = "two tests fail"


def scorer(candidate: Candidate, context: RunContext) -> CritiqueResult:
    """Count findings, as own scorers do: a text that does not parse has only one."""
    if candidate.content == TWO_FAIL:
        found = [Issue(f"test_{name} failed", kind="test", severity=0.5) for name in "ab"]
    else:
        found = [Issue("it does not parse", kind="syntax", severity=0.5)]
    return CritiqueResult(score=1.0 / (1 + len(found)), issues=found)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("first", [TWO_FAIL, "def broken("])
async def test_a_text_that_does_not_parse_is_no_better_than_one_that_fails_tests(policy: str, first: str) -> None:
    revisions = iter([TWO_FAIL, "def more(", "def others(", "def last("])

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return next(text for text in revisions if text != first)

    config = LoopConfig(max_iterations=4, policy=policy, accept="clean")
    async with Pipeline(critiquer=scorer, reviser=revise, config=config) as pipeline:
        result = await pipeline.run("p", first)
    assert result.total_iterations > 1
    assert result.best_candidate is not None
    assert result.best_candidate.content == TWO_FAIL


async def test_a_custom_rule_cannot_pick_or_continue_from_a_text_that_does_not_parse() -> None:
    bases: list[str] = []

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        bases.append(candidate.content)
        return f"def broken({len(bases)}"

    config = LoopConfig(max_iterations=5, stop_rules=(Stopper(),))
    async with Pipeline(critiquer=scorer, reviser=revise, config=config) as pipeline:
        result = await pipeline.run("p", TWO_FAIL)
    assert result.best_candidate is not None
    assert result.best_candidate.content == TWO_FAIL
    assert bases == [TWO_FAIL] * 2
