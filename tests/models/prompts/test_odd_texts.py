"""Texts of a size or with characters that nobody counts on, through components that ask a model (FAULTS 15).

They are so large that what takes more than a few looks at each character does not end within the minute of a test.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import ConfigurationError, Declined, ParseError
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, LoopConfig

CONTEXT = RunContext(run_id="run", prompt="how far is the moon?")
TEN_MEGABYTES = 10_000_000
ODD = {
    "lines": "l\n" * 1_000_000,
    "line": "x" * 1_000_000,
    "surrogate": "a\ud800b",
    "nul": "a\x00b",
    "override": "a\u202eb\u2066",
    "controls": "\x1b]0;owned\x07\x85\u2028",
}
STORES = ("memory", "sqlite")


def critique(severity: float) -> str:
    return json.dumps({"issues": ["no unit"], "suggestions": [], "severity": severity, "feedback": ""})


def good(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


def memory_on(store: str, tmp_path: Path) -> ReflexionMemory:
    return ReflexionMemory(None if store == "memory" else tmp_path / "memory.db")


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("size", [1_000_001, TEN_MEGABYTES])
async def test_a_prompt_that_no_model_takes_is_refused_before_anything_starts(
    size: int, store: str, tmp_path: Path
) -> None:
    model, prompt = ScriptedModel([]), "x" * size
    async with memory_on(store, tmp_path) as memory, Pipeline(LLMGenerator(model), good, memory=memory) as pipeline:
        with pytest.raises(ConfigurationError, match=f"the prompt has {size} characters; the maximum is 1000000"):
            await pipeline.run(prompt)
        assert not await RunJournal(memory).list()
    assert model.requests == []


async def test_a_given_answer_may_have_a_longer_prompt_than_a_model_takes() -> None:
    async with Pipeline(LLMGenerator(ScriptedModel([])), good) as pipeline:
        assert (await pipeline.run("x" * 1_000_001, "the answer")).accepted


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("kind", ODD)
async def test_an_odd_answer_is_kept_and_read_back_equal(kind: str, store: str, tmp_path: Path) -> None:
    model = ScriptedModel([ODD[kind]])
    async with memory_on(store, tmp_path) as memory:
        async with Pipeline(LLMGenerator(model), good, memory=memory) as pipeline:
            result = await pipeline.run("p")
        assert result.best_candidate is not None and result.best_candidate.content == ODD[kind]
        (record,) = await memory.records("episodes")
        assert record.data["candidate"]["content"] == ODD[kind]
        (run,) = await RunJournal(memory).list()
        recorded = await RunJournal(memory).load(run.run_id)
    assert recorded.iterations[0].candidate.content == ODD[kind]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("kind", ["surrogate", "nul", "override", "controls"])
async def test_an_odd_prompt_is_answered_and_kept_equal(kind: str, store: str, tmp_path: Path) -> None:
    model = ScriptedModel(["384"])
    async with memory_on(store, tmp_path) as memory:
        async with Pipeline(LLMGenerator(model), good, memory=memory) as pipeline:
            await pipeline.run(ODD[kind])
        (record,) = await memory.records("episodes")
    assert record.data["prompt"] == ODD[kind]


@pytest.mark.parametrize("kind", ODD)
async def test_an_odd_candidate_is_judged_and_revised_whole_or_not_at_all(kind: str) -> None:
    text = ODD[kind]
    told = await LLMCritiquer(ScriptedModel([critique(0.5)])).critique(Candidate(text), CONTEXT)
    assert told.severity == 0.5
    reply = json.dumps({"improved_response": text, "changes_made": []})
    reviser = LLMReviser(ScriptedModel([reply, reply]))
    refusal = Declined if len(text) > 10_000 else ParseError if kind == "surrogate" else None
    if refusal is None:
        assert (await reviser.revise(Candidate(text), told, CONTEXT)).content == text
    else:
        with pytest.raises(refusal):
            await reviser.revise(Candidate(text), told, CONTEXT)


@pytest.mark.parametrize("store", STORES)
async def test_a_reviser_that_writes_a_million_lines_ends_the_run_with_the_best_candidate(
    store: str, tmp_path: Path
) -> None:
    writer = ScriptedModel(lambda request: "384" if request.schema is None else ODD["lines"])
    judge = ScriptedModel(lambda request: critique(0.9))
    async with memory_on(store, tmp_path) as memory:
        parts = (LLMGenerator(writer), LLMCritiquer(judge), LLMReviser(writer, format="json"))
        async with Pipeline(*parts, memory=memory, config=LoopConfig(step_retries=0)) as pipeline:
            result = await pipeline.run("p")
    assert result.error is not None and (result.error.kind, result.error.component) == ("ParseError", "reviser")
    assert result.best_candidate is not None and result.best_candidate.content == "384"


REPLIES = {
    "huge": "x" * TEN_MEGABYTES,
    "half": '{"improved_response": "' + "l\\n" * 1_000_000,
}


@pytest.mark.parametrize("kind", REPLIES)
async def test_an_odd_reply_to_a_reviser_is_no_revision(kind: str) -> None:
    text = REPLIES[kind]
    reviser = LLMReviser(ScriptedModel([text, text]))
    with pytest.raises(ParseError):
        await reviser.revise(Candidate("384"), CritiqueResult(severity=0.9, issues=["no unit"]), CONTEXT)
