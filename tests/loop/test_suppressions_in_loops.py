"""A suppression repairs nothing, whoever wrote it: the run neither accepts nor prefers it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from jido_ai.critics.acceptance import accepted
from jido_ai.critics.pytest_critiquer import PytestCritiquer, PytestResult
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.replayed_run import replay
from jido_ai.loop.self_refine import SelfRefine
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.revisers.chain_reviser import ChainReviser
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Issue, LoopConfig, Regenerate, StopReason

POLICIES = ("documented", "adaptive")
OLD = "def one(x=[]):\n    return x\n"
SILENCED = OLD.replace(":\n", ":  # noqa: B006\n", 1)
FIXED = "def one(x=None):\n    return x or []\n"


def lint(candidate: Candidate, context: RunContext) -> CritiqueResult:
    text = candidate.content
    found = [Issue("mutable default", rule="B006", severity=0.4)] if "=[]" in text and "noqa" not in text else []
    return CritiqueResult(severity=0.4 if found else 0.0, issues=found, source="tool:lint")


def as_function(texts: list[str]) -> Callable[..., str]:
    return lambda candidate, critique, context: texts.pop(0) if len(texts) > 1 else texts[0]


def as_model(texts: list[str]) -> LLMReviser:
    revise = as_function(texts)
    return LLMReviser(ScriptedModel(lambda request: json.dumps({"improved_response": revise(0, 0, 0)})))


def as_chain(texts: list[str]) -> ChainReviser:
    return ChainReviser([as_model(texts)])


async def run(reviser: Any, *, first: str = OLD, critiquer: Any = lint, **settings: Any) -> Any:
    config = LoopConfig(**{"max_iterations": 4, "accept": "clean", **settings})
    async with Pipeline(critiquer=critiquer, reviser=reviser, config=config) as pipeline:
        return await pipeline.run("p", first)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("reviser", [as_function, as_model, as_chain])
async def test_a_silenced_finding_is_open_and_its_text_is_neither_accepted_nor_best(policy: str, reviser: Any) -> None:
    result = await run(reviser([SILENCED]), policy=policy)
    assert result.total_iterations > 1
    assert result.stop_reason is not StopReason.ACCEPTED
    assert result.best_candidate.content == OLD
    assert [finding.status for finding in result.findings] == ["open"]
    assert result.iterations[1].critique.metadata["suppressions"]["added"] == ["noqa: B006"]


async def test_a_later_revision_with_the_suppression_is_not_accepted_but_a_repair_is() -> None:
    kept = await run(as_function([SILENCED, f"{SILENCED}\n", f"{SILENCED}\n\n"]), stop_rules=(accepted,))
    assert (kept.total_iterations, kept.best_candidate.content) == (4, OLD)
    assert not kept.accepted
    fixed = await run(as_function([SILENCED, FIXED]), stop_rules=(accepted,))
    assert (fixed.stop_reason, fixed.best_candidate.content) == (StopReason.ACCEPTED, FIXED)
    assert [finding.status for finding in fixed.findings] == ["fixed"]


async def test_a_fresh_draft_is_compared_with_the_candidate_before_it() -> None:
    drafts = iter([OLD, SILENCED, f"{SILENCED}\n", FIXED])
    config = LoopConfig(max_iterations=5, accept="clean", stop_rules=(accepted, lambda history, config: Regenerate()))
    async with Pipeline(lambda prompt, context: next(drafts), lint, as_function([OLD]), config=config) as pipeline:
        result = await pipeline.run("p")
    assert [one.critique.has_issues for one in result.iterations] == [True, True, True, False]
    assert result.best_candidate is not None
    assert result.best_candidate.content == FIXED


async def test_a_score_given_by_the_candidate_does_not_outweigh_a_suppression() -> None:
    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        return Candidate(SILENCED, score=1.0)

    result = await run(revise, max_iterations=2)
    assert result.iterations[1].candidate.score == result.iterations[0].candidate.score == 0.6
    assert result.best_candidate.content == OLD


async def test_a_test_that_is_expected_to_fail_does_not_pass() -> None:
    failing = "import pytest\n\n\ndef test_a():\n    assert 0\n"

    def tests(candidate: Candidate, context: RunContext) -> list[PytestResult]:
        is_skipped = "xfail" in candidate.content
        return [PytestResult(name="test_a", passed=is_skipped, error="" if is_skipped else "assert 0")]

    marked = failing.replace("def", "@pytest.mark.xfail\ndef")
    result = await run(as_function([marked]), first=failing, critiquer=PytestCritiquer(tests))
    assert not result.accepted
    assert result.best_candidate.content == failing


async def test_a_run_with_a_suppression_is_replayed_without_differences() -> None:
    async with ReflexionMemory() as memory:
        config = LoopConfig(max_iterations=3, accept="clean")
        reviser = as_function([SILENCED, FIXED])
        async with Pipeline(critiquer=lint, reviser=reviser, memory=memory, config=config) as pipeline:
            result = await pipeline.run("p", OLD, run_id="r")
        recorded = await RunJournal(memory).load("r")
        assert recorded.iterations[1].critique == result.iterations[1].critique
        assert (await replay(recorded)).differences == ()


async def test_one_refinement_with_a_suppression_is_no_improvement() -> None:
    refine = SelfRefine(ScriptedModel(["{}"]), critiquer=lint, reviser=as_function([SILENCED]))
    result = await refine.run("p", OLD)
    assert not result.improved
    assert result.refined_critique.has_issues
