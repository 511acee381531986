"""The moves where programs judge: which comes next, what it learns within a run and from earlier runs."""

from __future__ import annotations

import json
from functools import partial
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from judged_histories import CONFIG, configs, histories, tools, verdict

from jido_ai.critics.acceptance import History
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.moves import EARLIER_MOVES, Tally, as_record, move_of, repeats_of, tallies_in, tallies_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.regeneration import regenerate_or_revise
from jido_ai.loop.replayed_run import replay
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing.scripted_model import ScriptedModel
from jido_ai.values import (
    Candidate,
    CompletionRequest,
    CritiqueResult,
    Issue,
    Iteration,
    LoopConfig,
    MemoryEntry,
    Regenerate,
    Revise,
    StopReason,
)

SAMPLE, DRAFT = Regenerate(with_findings=False), Regenerate(with_findings=True)


def judged(index: int, move: str = "sample", score: float = 0.0, *, text: str | None = None, **more: Any) -> Iteration:
    """Return a candidate of a model that a program judged."""
    made = tools(index, score, **({} if move == "revision" else {"change": None, "gain": None}), **more)
    told = {"model": "m", "metadata": {"move": move}, "content": f"text {index}" if text is None else text}
    return made.model_copy(update={"candidate": made.candidate.model_copy(update=told)})


def next_move(*history: Iteration, config: LoopConfig = CONFIG) -> Any:
    return regenerate_or_revise(history, config)


def moves(*made: str, score: float = 0.0, text: str | None = None) -> list[Any]:
    """Return what comes next after a first candidate, and after each of these moves that brought nothing."""
    history = [judged(0, score=score, text=text)]
    found = [next_move(*history)]
    for index, move in enumerate(made, 1):
        history.append(judged(index, move, score=score))
        found.append(next_move(*history))
    return found


# -- which comes next ------------------------------------------------------------------------------


def test_short_texts_are_sampled_then_drafted_with_the_findings_then_sampled_again() -> None:
    assert moves("sample", "draft") == [SAMPLE, DRAFT, SAMPLE]


def test_a_long_text_with_few_faults_is_revised() -> None:
    assert moves(score=0.95, text="x" * 5_000) == [Revise(0)]
    assert moves(score=0.95, text="x" * 50) == [SAMPLE]
    assert moves(score=0.1, text="x" * 5_000) == [SAMPLE]


def test_a_run_begins_again_after_revisions_without_a_gain() -> None:
    history = [judged(0, score=0.7, text="x" * 5_000)]
    kinds = []
    for index in range(1, 7):
        decision = next_move(*history)
        kinds.append("revision" if isinstance(decision, Revise) else "draft")
        history.append(judged(index, "revision" if kinds[-1] == "revision" else "sample", score=0.7))
    assert kinds[0] == "revision"
    assert "draft" in kinds


def test_a_run_revises_after_drafts_that_repeat_a_finding() -> None:
    assert moves(*["sample", "draft"] * 3)[-1] == Revise(0)


def test_a_candidate_equal_to_an_earlier_one_counts_as_two_tries_and_ends_nothing() -> None:
    history = (judged(0), judged(1, "sample", text="text 0"))
    assert next_move(*history) == DRAFT
    assert tallies_of(history, [0, 0])["sample"] == Tally(2, 0)
    assert repeats_of(history) == 1


def test_a_move_that_brought_a_gain_is_made_again() -> None:
    history = (judged(0, issues="abc"), judged(1, "draft", 0.4, issues="ab"))
    assert next_move(*history) == DRAFT


def test_a_candidate_that_no_model_wrote_is_revised() -> None:
    assert next_move(tools(0, 0.2)) == Revise(0)


def test_a_price_above_every_chance_ends_the_run_with_the_best() -> None:
    decision = verdict(next_move(judged(0), judged(1, "draft", 0.4), config=CONFIG.replace(call_price=0.9)))
    assert (decision.reason, decision.pick) == (StopReason.NO_EXPECTED_GAIN, 1)
    assert decision.evidence["chance_of_draft"] > 0.0


def test_an_accepted_candidate_ends_the_run() -> None:
    history = (judged(0), judged(1, "draft", 1.0, issues="", severity=0.0))
    assert (verdict(next_move(*history)).reason, verdict(next_move(*history)).pick) == (StopReason.ACCEPTED, 1)


def test_a_run_with_a_model_as_judge_uses_another_rule() -> None:
    opinion = CritiqueResult(score=0.5, source="model:m")
    panel = judged(0).critique.model_copy(update={"parts": (judged(0).critique, opinion), "source": "panel"})
    assert next_move(judged(0).model_copy(update={"critique": panel})) == Revise(0)


@given(histories(), configs)
def test_the_same_history_gives_the_same_move_of_a_judged_candidate(history: History, config: LoopConfig) -> None:
    decision = regenerate_or_revise(history, config)
    assert decision == regenerate_or_revise(history, config)
    if isinstance(decision, Revise):
        assert decision.base in range(len(history))


# -- earlier runs ----------------------------------------------------------------------------------


def test_moves_that_worked_in_earlier_runs_come_first() -> None:
    def after(moves_before: dict[str, list[float]]) -> Any:
        first = judged(0)
        told = {"metadata": {EARLIER_MOVES: moves_before}}
        return next_move(first.model_copy(update={"candidate": first.candidate.model_copy(update=told)}))

    assert after({"sample": [9.0, 0.0], "draft": [9.0, 8.0]}) == DRAFT
    assert after({"sample": [9.0, 0.0], "draft": [9.0, 0.0], "revision": [9.0, 9.0]}) == Revise(0)


def test_earlier_runs_count_for_three_tries_at_most() -> None:
    tallies = tallies_in([{"sample": [4, 2], "revision": [1, 1]}, {"sample": [4, 0]}])
    assert tallies["sample"] == Tally(3.0, 0.75)
    assert tallies["revision"] == Tally(1, 1)
    assert as_record(tallies) == {"sample": [3.0, 0.75], "revision": [1, 1]}


# -- in a pipeline ---------------------------------------------------------------------------------


def writer(*texts: str) -> ScriptedModel:
    left = iter(texts)
    return ScriptedModel(lambda _request: next(left), model="small")


def wants(word: str) -> Any:
    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        if word in candidate.content:
            return CritiqueResult(severity=0.0, source="tool:words")
        issue = Issue(f"the word {word!r} is missing", severity=0.8, source="tool:words")
        return CritiqueResult(severity=0.8, score=0.0, issues=[issue], source="tool:words")

    return judge


async def test_a_sample_is_requested_like_a_first_answer_and_a_draft_with_the_findings() -> None:
    model = writer("a cat", "a cow", "a dog")
    config = LoopConfig(max_iterations=4, policy="adaptive", accept="clean")
    async with Pipeline(LLMGenerator(model), wants("dog"), LLMReviser(model), config=config) as pipeline:
        result = await pipeline.run("Name an animal.")
    asked = [request.messages[-1].content for request in model.requests]
    assert asked[0] == asked[1] == "Name an animal."
    assert asked[2].startswith("Name an animal.\n\n<findings>\n- the word 'dog' is missing\n</findings>\n")
    assert "cat" not in asked[2] and "cow" not in asked[2]
    assert [move_of(one) for one in result.iterations] == ["sample", "sample", "draft"]
    assert result.accepted


async def test_equal_candidates_raise_the_temperature_and_do_not_end_the_run() -> None:
    model = writer("a cat", "a cat", "a cat", "a dog")
    config = LoopConfig(max_iterations=4, policy="adaptive", accept="clean")
    async with Pipeline(LLMGenerator(model), wants("dog"), LLMReviser(model), config=config) as pipeline:
        result = await pipeline.run("Name an animal.")
    assert [request.temperature for request in model.requests] == pytest.approx([0.7, 0.7, 0.9, 1.1])
    assert result.accepted


async def test_a_model_that_only_revises_may_repeat_itself_where_a_tool_judges() -> None:
    model = writer("a cat", "a cow", "a dog")
    config = LoopConfig(max_iterations=4, policy="adaptive", accept="clean")
    async with Pipeline(None, wants("dog"), LLMReviser(model), config=config) as pipeline:
        result = await pipeline.run("Name an animal.", "a cat")
    assert [one.candidate.content for one in result.iterations] == ["a cat", "a cat", "a cow", "a dog"]
    assert [request.temperature for request in model.requests] == pytest.approx([0.5, 0.7, 0.7])


async def test_the_next_run_of_the_same_model_and_task_type_begins_with_the_move_that_worked() -> None:
    config = LoopConfig(max_iterations=3, policy="adaptive", accept="clean")
    async with ReflexionMemory() as memory:
        for number in count():
            model = writer("a cat", "a cow", "a dog")
            async with Pipeline(
                *(LLMGenerator(model), wants("dog"), LLMReviser(model)),
                config=config,
                memory=memory,
                learn_from="nothing",
            ) as pipeline:
                result = await pipeline.run(
                    "Name an animal.", run_id=f"run {number}", metadata={"task_type": "animals"}
                )
            kinds = [move_of(one) for one in result.iterations]
            if number == 3:
                break
        recorded = await RunJournal(memory).load("run 3")
        assert kinds[:2] == ["sample", "draft"]
        assert json.loads(json.dumps(recorded.iterations[0].candidate.metadata[EARLIER_MOVES]))["draft"][1] > 0
        assert (await replay(recorded)).differences == ()


@pytest.mark.parametrize("paid", ["sample with examples", "sample without"])
async def test_the_kind_of_sample_that_paid_in_earlier_runs_comes_before_the_other(paid: str) -> None:
    asked: list[str] = []

    def write(request: CompletionRequest, *, is_good: bool) -> str:
        has_example = any(message.content == "fig" for message in request.messages)
        asked.append("sample with examples" if has_example else "sample without")
        return f"a {'dog' if is_good and len(asked) > 1 and asked[-1] == paid else 'cat'} {len(asked)}"

    config = LoopConfig(max_iterations=4, policy="adaptive", accept="clean")
    options: dict[str, Any] = {"config": config, "learn_from": "nothing", "holdout": 0}
    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry("Name a blue animal.", answer="fig"))
        for is_good in (True, True, True, False):
            asked.clear()
            model = ScriptedModel(partial(write, is_good=is_good), model="small")
            parts = LLMGenerator(model), wants("dog"), LLMReviser(model), memory
            async with Pipeline(*parts, **options) as pipeline:
                await pipeline.run("Name a red animal.", metadata={"task_type": "animals"})
    assert asked[0] == "sample with examples"
    assert asked[1:3] == [paid, paid]
