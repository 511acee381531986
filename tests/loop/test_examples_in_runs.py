"""Worked examples: accepted answers are kept and shown to later runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jido_ai import CritiqueResult, Graph, LoopConfig, LoopNode, MemoryEntry, Pipeline, ReflexionMemory
from jido_ai.errors import ConfigurationError
from jido_ai.loop.convergence import accepted
from jido_ai.loop.examples import goes_with_examples, marked
from jido_ai.loop.moves import move_of, repeats_of, tallies_of
from jido_ai.loop.state import Pending, RunState
from jido_ai.models import Completion, CompletionRequest, LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, MemoryKind, Regenerate, Scope

ASK = "name {} red fruits in a list"


def good(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


class Writer:
    """Answers with a text for each call; notes the answers of the examples that it was shown."""

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.shown: list[list[str]] = []

    async def generate(self, prompt: str, context: RunContext) -> str:
        self.shown.append([one.answer for one in context.examples])
        return self.texts.pop(0) if self.texts else f"answer to {prompt}"


async def ran(memory: ReflexionMemory, prompt: str, critic: Any = good, **options: Any) -> Any:
    writer = options.pop("writer", None) or Writer()
    config = options.pop("config", None)
    async with Pipeline(writer, critic, None, memory, config, **options) as pipeline:
        result = await pipeline.run(prompt)
    return result, writer.shown


async def examples_in(memory: ReflexionMemory) -> list[MemoryEntry]:
    return [one for one in await memory.list_entries(None) if one.is_example]


async def test_an_accepted_answer_is_kept_and_shown_to_a_similar_run(tmp_path: Path) -> None:
    async with ReflexionMemory(tmp_path / "m.db", similarity="weighted") as memory:
        await ran(memory, ASK.format(3))
        (example,) = await examples_in(memory)
        assert (example.prompt, example.answer) == (ASK.format(3), f"answer to {ASK.format(3)}")
        assert example.kind is MemoryKind.PROCEDURAL
        result, shown = await ran(memory, ASK.format(4))
        assert result.examples_used == (example.id,)
        assert shown == [[example.answer]]
        assert (await memory.get(example.id)).use_count == 1


@pytest.mark.parametrize(
    ("source", "learn_from", "kept"),
    [
        ("unknown", "known", 1),
        ("tool:ruff", "known", 1),
        ("model:m", "known", 0),
        ("model:m", "accepted", 1),
        ("unknown", "nothing", 0),
    ],
)
async def test_only_a_verdict_of_a_program_makes_an_example_unless_told_otherwise(
    source: str, learn_from: str, kept: int
) -> None:
    def critic(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0, source=source)

    async with ReflexionMemory() as memory:
        await ran(memory, ASK, critic, learn_from=learn_from)
        assert len(await examples_in(memory)) == kept


async def test_a_person_who_approves_makes_an_example_where_a_model_judged() -> None:
    def critic(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "better" else 0.9, source="model:m")

    async with (
        ReflexionMemory() as memory,
        Pipeline(Writer("draft"), critic, lambda *_: "better", memory, approve=lambda *_: True) as pipeline,
    ):
        result = await pipeline.run(ASK)
        assert result.accepted
        assert [one.answer for one in await examples_in(memory)] == ["better"]


async def test_there_is_one_example_per_normalised_prompt_and_the_newer_replaces_it() -> None:
    async with ReflexionMemory() as memory:
        await ran(memory, "Name a fruit", writer=Writer("apple"))
        await ran(memory, "  name a\nFRUIT ", writer=Writer("pear"))
        assert [one.answer for one in await examples_in(memory)] == ["pear"]


async def test_beyond_the_limit_those_shown_without_success_go_first_then_the_oldest() -> None:
    async with ReflexionMemory() as memory:
        for number in range(3):
            await ran(memory, f"task number {number} of alpha beta", max_examples=3, max_examples_shown=0)
        _, failed, _ = reversed(await examples_in(memory))
        await memory.record_usage(failed.id, success=False)
        for number in (3, 4):
            await ran(memory, f"other {number} gamma delta", max_examples=3, max_examples_shown=0)
        left = [one.prompt.split()[1] for one in reversed(await examples_in(memory))]
        assert left == ["number", "3", "4"]
        assert "2" in (await examples_in(memory))[-1].prompt


async def test_examples_are_counted_for_each_task_type_and_scope() -> None:
    async with ReflexionMemory() as memory, Pipeline(Writer(), good, None, memory, max_examples=1) as pipeline:
        for task_type, project in [("list", "a"), ("list", "b"), ("sum", "a")]:
            for number in range(2):
                scope, metadata = Scope("t", project), {"task_type": task_type}
                await pipeline.run(f"{task_type} {project} {number}", scope=scope, metadata=metadata)
        left = [one.prompt for one in await examples_in(memory)]
    assert sorted(left) == ["list a 1", "list b 1", "sum a 1"]


@pytest.mark.parametrize(("most", "expected"), [(2, ["three", "four"]), (3, ["two", "three", "four"])])
async def test_the_nearest_examples_of_the_task_type_are_shown_with_the_nearest_last(
    most: int, expected: list[str]
) -> None:
    words = ASK.format(4).split()
    async with ReflexionMemory(similarity="weighted") as memory:
        for answer, count in [("four", 7), ("two", 5), ("three", 6)]:
            await memory.store(MemoryEntry(" ".join(words[:count]), answer=answer, task_type="list"))
        await memory.store(MemoryEntry(ASK.format(5), answer="of another type", task_type="sum"))
        writer = Writer()
        options: dict[str, Any] = {"max_examples_shown": most, "learn_from": "nothing"}
        async with Pipeline(writer, good, None, memory, **options) as pipeline:
            result = await pipeline.run(ASK.format(4), metadata={"task_type": "list"})
        assert writer.shown == [expected]
        assert [(await memory.get(id)).answer for id in result.examples_used] == expected


async def test_only_the_generator_gets_examples_and_one_that_it_did_not_look_at_was_not_used() -> None:
    looks: list[int] = []

    def critic(candidate: Candidate, context: RunContext) -> CritiqueResult:
        looks.append(len(context.examples))
        return CritiqueResult(severity=0.0 if candidate.content == "better" else 0.9)

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        looks.append(len(context.examples))
        return "better"

    async with ReflexionMemory(similarity="weighted") as memory:
        kept = await memory.store(MemoryEntry(ASK.format(3), answer="apple"))
        async with Pipeline(lambda *_: "draft", critic, revise, memory) as pipeline:
            assert (await pipeline.run(ASK.format(4))).accepted
        assert looks == [0, 0, 0]
        assert (await memory.get(kept.id)).use_count == 0


async def test_secrets_in_an_accepted_answer_are_masked() -> None:
    async with ReflexionMemory() as memory:
        await ran(memory, ASK, writer=Writer("take sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"))
        (example,) = await examples_in(memory)
    assert "abcdefghijklmnop" not in example.answer
    assert example.answer.startswith("take ")


async def test_data_in_an_earlier_prompt_stays_in_its_block() -> None:
    asked: list[CompletionRequest] = []

    def model(request: CompletionRequest) -> Completion:
        asked.append(request)
        return Completion(f"fig {len(asked)}")

    node = LoopNode("name {fruit} in a list of fruits", generator=LLMGenerator(model), critiquer=good)
    async with ReflexionMemory(similarity="weighted") as memory:
        async with Graph({"a": node}, inputs=["fruit"], output="a", memory=memory) as graph:
            for fruit in ("red", "blue"):
                await graph.run({"fruit": fruit})
        (*_, example) = await examples_in(memory)
        assert example.prompt == "name red in a list of fruits"
    sent = asked[0].messages[-1].content
    assert "red" in sent and sent != example.prompt
    assert [message.content for message in asked[1].messages][-3:-1] == [sent, "fig 1"]


async def test_the_same_question_in_another_conversation_is_no_copy() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        kept = await memory.store(MemoryEntry("name a fruit", answer="fig"))
        async with Pipeline(Writer("fig"), good, None, memory) as pipeline:
            wrapped = "<conversation>\nsystem: be short\n</conversation>\n\nName a fruit"
            result = await pipeline.run(wrapped, metadata={"asked": "Name a fruit"})
    assert result.examples_used == (kept.id,)
    assert repeats_of(result.iterations) == 0


async def test_long_answers_are_not_kept_and_examples_above_the_limit_are_left_out() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        await ran(memory, ASK.format(1), writer=Writer("x" * 4_001))
        assert not await examples_in(memory)
        await ran(memory, "a long one", writer=Writer("x" * 4_000))
        assert len(await examples_in(memory)) == 1
        await ran(memory, ASK.format(2), writer=Writer("x" * 400))
        await ran(memory, ASK.format(3), writer=Writer("short"), max_examples_shown=0)
        _, shown = await ran(memory, ASK.format(4), max_lesson_tokens=50)
        assert shown == [["short"]]


async def test_samples_take_turns_and_a_copy_counts_as_a_repeat() -> None:
    def critic(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "done" else 0.9)

    def again(history: Any, config: LoopConfig) -> Any:
        return accepted(history, config) or Regenerate(with_findings=False)

    config = LoopConfig(5, stop_rules=(again,))
    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry(ASK.format(3), answer="apple, cherry, plum"))
        writer = Writer("apple, cherry, plum", "a", "b", "c", "done")
        result, shown = await ran(memory, ASK.format(4), critic, writer=writer, config=config)
        assert [bool(one) for one in shown] == [True, False, True, False, True]
        assert repeats_of(result.iterations) == 1
        moves = [move_of(one) for one in result.iterations]
        assert moves[:2] == ["sample with examples", "sample without"]
        tallies = tallies_of(result.iterations, [0, 0, 0, 0, 4])
        assert tallies["sample with examples"].gains == 1


@pytest.mark.parametrize(("texts", "turn"), [(["a", "b"], True), (["a", "fig"], False), (["fig", "b"], True)])
def test_a_sample_that_is_wanted_with_examples_goes_without_after_a_copy(texts: list[str], turn: bool) -> None:
    example = MemoryEntry(ASK.format(3), answer="fig")
    made = [marked(Candidate(text), ASK.format(4), [example], with_them=True) for text in texts]
    pending = tuple(Pending(number, one, None, number) for number, one in enumerate(made))
    state = RunState(examples=(example,), pending=pending)
    assert goes_with_examples(state, wanted=True) is turn


async def test_a_finding_that_a_fresh_sample_does_not_have_by_luck_is_no_lesson() -> None:
    def critic(candidate: Candidate, context: RunContext) -> CritiqueResult:
        is_good = candidate.content == "good"
        return CritiqueResult(severity=0.0 if is_good else 0.9, issues=[] if is_good else ["it is 'Madrid'"])

    def again(history: Any, config: LoopConfig) -> Any:
        return accepted(history, config) or Regenerate(with_findings=is_told)

    for is_told in (False, True):
        async with ReflexionMemory() as memory:
            config = LoopConfig(2, stop_rules=(again,))
            await ran(memory, ASK.format(3), critic, writer=Writer("bad", "good"), config=config)
            kept = [one.mistake or one.answer for one in await memory.list_entries(None)]
        assert sorted(kept) == (["good", "it is 'Madrid'"] if is_told else ["good"])


async def test_a_resumed_run_shows_what_it_showed(tmp_path: Path) -> None:
    class Down(Writer):
        async def generate(self, prompt: str, context: RunContext) -> str:
            self.shown.append([one.answer for one in context.examples])
            raise RuntimeError("down")

    async with ReflexionMemory(tmp_path / "m.db", similarity="weighted") as memory:
        kept = await memory.store(MemoryEntry(ASK.format(3), answer="apple"))
        result, _ = await ran(memory, ASK.format(4), writer=Down(), config=LoopConfig(step_retries=0))
        await memory.forget(kept.id)
        writer = Writer("pear")
        async with Pipeline(writer, good, None, memory) as pipeline:
            again = await pipeline.resume(result.run_id)
        assert (writer.shown, again.examples_used) == ([["apple"]], (kept.id,))


async def test_a_model_gets_examples_as_earlier_turns() -> None:
    asked: list[CompletionRequest] = []

    def model(request: CompletionRequest) -> Completion:
        asked.append(request)
        return Completion("fig")

    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry(ASK.format(3), answer="apple"))
        async with Pipeline(LLMGenerator(model), good, None, memory) as pipeline:
            await pipeline.run(ASK.format(4))
    said = [(message.role, message.content) for message in asked[0].messages][-3:]
    assert said == [("user", ASK.format(3)), ("assistant", "apple"), ("user", ASK.format(4))]


async def test_another_scope_and_another_type_of_answer_are_not_shown() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry(ASK.format(3), answer="apple", scope=Scope("a", "b")))
        async with Pipeline(
            Writer('{"value": 1}', '{"value": 1}'), None, None, memory, output=dict[str, int]
        ) as pipeline:
            await pipeline.run(ASK.format(1))
            assert (await pipeline.run(ASK.format(2))).examples_used
        result, _ = await ran(memory, ASK.format(5))
        assert result.examples_used == ()


@pytest.mark.parametrize(
    "option",
    [
        {"learn_from": "all"},
        {"max_examples": -1},
        {"max_examples_shown": True},
        {"holdout": 1.5},
        {"reward_threshold": 2},
    ],
)
def test_an_option_out_of_range_is_refused(option: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(option))):
        Pipeline(Writer(), good, **option)


def test_an_example_is_procedural_and_nothing_else() -> None:
    assert MemoryEntry("p", answer="a").kind is MemoryKind.PROCEDURAL
    with pytest.raises(ConfigurationError, match="procedural"):
        MemoryEntry("p", answer="a", kind=MemoryKind.META)
