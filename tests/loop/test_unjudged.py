"""The unjudged candidate: the newest one of a run in which no critic judged any."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from scripted import PROMPT, Scripted, hang, nothing_left_behind, raising, text

from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline, reflect
from jido_ai.loop.replayed_run import replay
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import SUSPEND, Candidate, CritiqueResult, LoopConfig, ReflectionResult, StopReason

pytestmark = pytest.mark.virtual_clock
ONCE = {"step_retries": 0}


@pytest.fixture(autouse=True)
async def clean() -> AsyncGenerator[None]:
    async with nothing_left_behind():
        yield


async def run(script: Any, critic: Any = None, **config: Any) -> ReflectionResult:
    return await reflect(
        PROMPT, generator=script, critiquer=critic or script, reviser=script, config=LoopConfig(**{**ONCE, **config})
    )


def raises(candidate: Candidate, context: RunContext) -> CritiqueResult:
    raise ValueError("odd")


async def hangs(candidate: Candidate, context: RunContext) -> CritiqueResult:
    await hang()
    raise AssertionError


def tells_nonsense(candidate: Candidate, context: RunContext) -> Any:
    return "good"


@pytest.mark.parametrize("critic", [raises, hangs, tells_nonsense])
async def test_a_candidate_whose_critic_fails_is_unjudged_and_never_the_best(critic: Any) -> None:
    result = await run(Scripted(), critic)
    assert result.stop_reason is StopReason.ERROR
    assert (result.best_candidate, result.iterations, result.accepted) == (None, (), False)
    assert result.unjudged is not None and result.unjudged.content == text(0)
    assert result.answer is result.unjudged
    assert ReflectionResult.model_validate_json(result.model_dump_json()).unjudged == result.unjudged


async def test_a_run_whose_time_is_over_before_a_judgement_returns_its_unjudged_candidate() -> None:
    result = await run(Scripted(), hangs, timeout_s=5.0)
    assert (result.stop_reason, result.answer and result.answer.content) == (StopReason.DEADLINE, text(0))


async def test_a_cancelled_run_returns_its_unjudged_candidate() -> None:
    script = Scripted(at={"critique 0": hang})
    async with Pipeline(script, script, script) as pipeline:
        handle = await pipeline.start(PROMPT)
        while "critique 0" not in script.calls:
            await asyncio.sleep(0)
        await pipeline.cancel(handle.run_id)
        result = await handle.result()
    assert (result.stop_reason, result.answer and result.answer.content) == (StopReason.CANCELLED, text(0))


async def test_a_candidate_given_by_the_caller_can_be_unjudged_too() -> None:
    result = await reflect(PROMPT, critiquer=raises, config=LoopConfig(**ONCE), initial_candidate="mine")
    assert result.unjudged is not None and result.unjudged.content == "mine"


async def test_a_run_without_a_candidate_has_none_unjudged() -> None:
    result = await run(Scripted(at={"generate": raising(ValueError("odd"))}))
    assert (result.unjudged, result.answer) == (None, None)


async def test_a_run_with_a_judged_candidate_has_none_unjudged() -> None:
    result = await run(Scripted(0.9, at={"critique 1": raising(ValueError("odd"))}))
    assert result.stop_reason is StopReason.ERROR
    assert (result.unjudged, result.answer) == (None, result.best_candidate)
    assert result.answer is not None and result.answer.content == text(0)


class Drafts(Scripted):
    """Generates the texts one by one, and fails at the one after the last."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.texts = list(texts)

    async def generate(self, prompt: str, context: RunContext) -> str:
        if not self.texts:
            raise ValueError("out of texts")
        return self.texts.pop(0)


async def test_the_newest_of_several_first_candidates_is_the_unjudged_one() -> None:
    result = await run(Drafts("a", "b", "c"), raises, candidates=3)
    assert result.unjudged is not None and result.unjudged.content == "c"


async def test_a_first_candidate_is_kept_when_the_next_one_cannot_be_made() -> None:
    result = await run(Drafts("a"), Scripted(), candidates=2)
    assert result.error is not None and "out of texts" in result.error.message
    assert result.unjudged is not None and result.unjudged.content == "a"


# -- from the journal ------------------------------------------------------------------------------


async def test_loaded_and_replayed_runs_have_the_unjudged_candidate() -> None:
    async with ReflexionMemory() as memory:
        script = Scripted()
        async with Pipeline(script, raises, script, memory, LoopConfig(**ONCE)) as pipeline:
            result = await pipeline.run(PROMPT, run_id="r")
        recorded = await RunJournal(memory).load("r")
        loaded = recorded.result()
        assert loaded is not None
        assert loaded.unjudged == result.unjudged is not None
        assert (await replay(recorded)).result.unjudged is not None


async def test_a_resumed_run_judges_the_unjudged_candidate() -> None:
    async with ReflexionMemory() as memory:
        script = Scripted(0.1)
        async with Pipeline(script, raises, script, memory, LoopConfig(**ONCE)) as pipeline:
            before = await pipeline.run(PROMPT, run_id="r")
        async with Pipeline(script, script, script, memory, LoopConfig(**ONCE)) as pipeline:
            result = await pipeline.resume("r")
    assert before.unjudged is not None and result.best_candidate is not None
    assert (result.unjudged, result.best_candidate.id) == (None, before.unjudged.id)
    assert script.calls.count("generate") == 1


async def test_a_resumed_run_makes_the_missing_first_candidates() -> None:
    config = LoopConfig(**ONCE, candidates=2, max_iterations=2)
    async with ReflexionMemory() as memory:
        async with Pipeline(Drafts(text(0)), Scripted(), Scripted(), memory, config) as pipeline:
            await pipeline.run(PROMPT, run_id="r")
        async with Pipeline(Drafts(text(1)), Scripted(), Scripted(), memory, config) as pipeline:
            result = await pipeline.resume("r")
    assert [one.candidate.content for one in result.iterations] == [text(0), text(1)]


async def test_a_suspended_run_has_a_best_candidate_and_none_unjudged() -> None:
    async with ReflexionMemory() as memory:
        script = Scripted(0.9)
        async with Pipeline(script, script, script, memory, approve=lambda *_: SUSPEND) as pipeline:
            result = await pipeline.run(PROMPT, run_id="r")
        assert result.stop_reason is StopReason.SUSPENDED
        assert (result.unjudged, result.answer) == (None, result.best_candidate)
        loaded = (await RunJournal(memory).load("r")).result()
    assert loaded is not None and loaded.unjudged is None
