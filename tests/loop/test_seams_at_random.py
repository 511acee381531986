"""Where two features meet: typed answers, approval, budgets, resuming and what a memory learns of it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai import SUSPEND, Budget, CritiqueResult, LoopConfig, MemoryEntry, Pipeline, ReflexionMemory, StopReason
from jido_ai.loop.convergence import accepted
from jido_ai.models import Completion, CompletionRequest, LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, Regenerate, Usage

ASK = "name {} red fruits in a list"
CASES = settings(max_examples=20, deadline=None)


def again(history: Any, config: LoopConfig) -> Any:
    return accepted(history, config) or Regenerate(with_findings=False)


async def examples_in(memory: ReflexionMemory) -> list[str]:
    return [one.answer for one in await memory.list_entries(None) if one.is_example]


@CASES
@given(
    texts=st.lists(st.sampled_from(["no", '{"n": 1}', '{"n": "x"}', 'Sure: {"n": 2}']), min_size=1, max_size=4),
    fails_at=st.frozensets(st.integers(1, 6), max_size=2),
    shows=st.booleans(),
)
async def test_a_typed_run_that_was_cut_ends_as_one_that_was_not_and_leaves_its_answer(
    texts: list[str], fails_at: frozenset[int], shows: bool
) -> None:
    calls, made, shown = 0, 0, list[bool]()

    async def generate(prompt: str, context: RunContext) -> str:
        nonlocal calls, made
        calls += 1
        has_examples = bool(list(context.examples))
        if calls in fails_at:
            raise ConnectionError("down")
        shown.append(has_examples)
        made += 1
        return texts[min(made, len(texts)) - 1]

    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry(ASK.format(2), answer="a text without a type"))
        config = LoopConfig(len(texts), stop_rules=(again,), step_retries=0)
        options: dict[str, Any] = {"output": dict[str, int], "holdout": 0, "max_examples_shown": int(shows)}
        async with Pipeline(generate, None, None, memory, config, **options) as pipeline:
            result = await pipeline.run(ASK.format(3), run_id="r")
            while result.stop_reason is StopReason.ERROR:
                result = await pipeline.resume("r")
            values = [{"no": None, '{"n": "x"}': None, '{"n": 1}': {"n": 1}}.get(text, {"n": 2}) for text in texts]
            answer = next((one for one in values if one is not None), None)
            assert (result.output, result.accepted) == (answer, answer is not None)
            assert not any(shown), "an example without a type is no example for a typed run"
            kept = [json.loads(one) for one in await examples_in(memory) if one.startswith("{")]
            assert kept == ([] if answer is None else [answer])
            made, texts[:] = 0, ['{"n": 3}']
            later = await pipeline.run(ASK.format(4), run_id="s")
            while later.stop_reason is StopReason.ERROR:
                later = await pipeline.resume("s")
            assert bool(later.examples_used) is (shows and answer is not None)


@CASES
@given(
    decisions=st.lists(st.sampled_from([True, False, "my own text", "a good text"]), min_size=3, max_size=3),
    good_at=st.integers(1, 4),
    asks_twice=st.booleans(),
    learn_from=st.sampled_from(["known", "accepted", "nothing"]),
)
async def test_the_text_that_a_person_put_in_place_of_a_revision_is_what_counts_and_is_learnt(
    decisions: list[Any], good_at: int, asks_twice: bool, learn_from: Any
) -> None:
    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        is_good = candidate.content in ("a good text", f"revision {good_at}")
        return CritiqueResult(severity=0.0 if is_good else 0.9 - 0.1 * context.iteration, source="model:m")

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return f"revision {context.iteration + 1}"

    expected = ["draft"]
    for number, decision in enumerate(decisions, 1):
        if decision is False:
            break
        expected.append(f"revision {number}" if decision is True else decision)
        if expected[-1] in ("a good text", f"revision {good_at}"):
            break
    async with ReflexionMemory() as memory:
        config = LoopConfig(4, stop_rules=(accepted,))
        options: dict[str, Any] = {"approve": lambda *_: SUSPEND, "learn_from": learn_from}
        result = None
        for decision in (None, *decisions):
            async with Pipeline(lambda *_: "draft", judge, revise, memory, config, **options) as pipeline:
                if result is None:
                    result = await pipeline.run(ASK, run_id="r")
                elif result.stop_reason is StopReason.SUSPENDED:
                    if asks_twice:
                        assert (await pipeline.resume("r")).evidence == result.evidence
                    result = await pipeline.resume("r", decision=decision)
        assert result is not None
        assert [one.candidate.content for one in result.iterations] == expected
        is_good = expected[-1] in ("a good text", f"revision {good_at}")
        assert result.accepted is is_good
        assert await examples_in(memory) == ([expected[-1]] if is_good and learn_from != "nothing" else [])


@CASES
@given(
    calls=st.integers(1, 5),
    passes_at=st.integers(1, 6),
    shown=st.integers(0, 2),
    tokens=st.sampled_from([None, 1, 4_000]),
)
async def test_a_budget_ends_samples_with_examples_where_it_ends_those_without(
    calls: int, passes_at: int, shown: int, tokens: int | None
) -> None:
    turns: list[bool] = []

    def model(request: CompletionRequest) -> Completion:
        turns.append(any(message.content == "apple" for message in request.messages))
        return Completion("good" if len(turns) == passes_at else f"bad {len(turns)}", usage=Usage(calls=1))

    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "good" else 0.9, source="tool:t")

    async with ReflexionMemory(similarity="weighted") as memory:
        kept = await memory.store(MemoryEntry(ASK.format(3), answer="apple"))
        config = LoopConfig(9, budget=Budget(max_calls=calls), stop_rules=(again,))
        options: dict[str, Any] = {"max_examples_shown": shown, "max_lesson_tokens": tokens, "holdout": 0}
        async with Pipeline(LLMGenerator(model), judge, None, memory, config, **options) as pipeline:
            result = await pipeline.run(ASK.format(4))
        passed = passes_at <= calls
        assert result.stop_reason is (StopReason.ACCEPTED if passed else StopReason.BUDGET)
        assert len(turns) == min(calls, passes_at) == result.usage.calls
        is_shown = shown > 0 and tokens != 1
        assert turns == [is_shown and number % 2 == 0 for number in range(len(turns))]
        after = await memory.get(kept.id)
        assert (after.use_count, after.success_count) == (int(is_shown), int(passed and turns[-1]))
        assert sorted(await examples_in(memory)) == (["apple", "good"] if passed else ["apple"])
