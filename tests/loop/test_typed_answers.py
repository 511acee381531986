"""Runs whose answers have a type: `output=` of `Pipeline` and `reflect`."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from jido_ai.errors import ConfigurationError
from jido_ai.loop.events import PartialOutput, RunStopped
from jido_ai.loop.pipeline import Pipeline, reflect, reflect_sync
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.text.output_type import OutputType, output_type
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, StopReason


class Row(BaseModel):
    name: str
    price: float = Field(ge=0)


class Invoice(BaseModel):
    id: int
    items: list[Row]


@dataclass
class Point:
    x: int


class Address(TypedDict):
    street: str


GOOD = '{"id": 1, "items": []}'
FOUR = LoopConfig(max_iterations=4)


def contents(result: Any) -> list[str]:
    return [one.candidate.content for one in result.iterations]


def after(*texts: str) -> Any:
    left = list(texts)

    async def generate(prompt: str, context: RunContext) -> str:
        return left.pop(0)

    return generate


@pytest.mark.parametrize(
    ("output", "text", "value"),
    [
        (Invoice, GOOD, Invoice(id=1, items=[])),
        (Point, '{"x": 3}', Point(3)),
        (Address, '{"street": "Elm"}', {"street": "Elm"}),
        (list[Row], '[{"name": "a", "price": 1}]', [Row(name="a", price=1)]),
        (Literal["yes", "no"], "yes", "yes"),
        (int | None, "null", None),
        ({"type": "object", "required": ["a"]}, '{"a": [1]}', {"a": [1]}),
    ],
)
async def test_an_answer_of_each_kind_of_type_is_an_object(output: Any, text: str, value: Any) -> None:
    result = await reflect("Extract", output=output, generator=after(text))
    assert result.stop_reason is StopReason.ACCEPTED
    assert result.output == value
    assert result.best_candidate is not None
    assert result.best_candidate.value == value


async def test_slips_are_repaired_without_a_call_and_told() -> None:
    model = ScriptedModel([f"Sure!\n```json\n{GOOD}\n```"])
    result = await reflect("Extract", output=Invoice, generator=LLMGenerator(model))
    assert result.output == Invoice(id=1, items=[])
    assert contents(result) == [GOOD]
    assert result.usage.calls == 1
    result = await reflect("Extract", output=Invoice, generator=after(f"Sure! {GOOD}"))
    assert (contents(result), result.iterations[0].candidate.metadata["repaired"]) == ([GOOD], True)


async def test_the_loop_repairs_what_does_not_validate_and_keeps_the_rest() -> None:
    row = '{"name": "a",   "price": 2.50}'
    model = ScriptedModel(
        [
            f'{{"id": "x", "items": [{row}, {{"price": -1}}]}}',
            '{"id": 7, "items": [{"name": "a", "price": 2.5}, {"name": "b", "price": -1}]}',
            '{"id": 8, "items": [{"name": "a", "price": 2.5}, {"name": "c", "price": 1}]}',
        ]
    )
    result = await reflect("Extract", output=Invoice, generator=LLMGenerator(model), config=FOUR)
    assert result.stop_reason is StopReason.ACCEPTED
    assert result.output == Invoice(
        id=7, items=[Row(name="a", price=2.5), Row(name="c", price=1)]
    )  # an item as the reply has it
    assert all(row in content for content in contents(result))


async def test_without_critics_a_result_that_never_validates_has_no_output_and_says_why() -> None:
    result = await reflect("Extract", output=Invoice, generator=after("no idea"))
    assert result.output is None
    assert result.best_candidate is not None
    assert [(one.kind, one.severity) for one in result.open_issues] == [("json", 1.0)]


async def test_the_best_is_one_that_validates_whatever_its_score() -> None:
    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.99)

    for texts in ((GOOD, '{"id": 1}'), ('{"id": 1}', GOOD)):
        result = await reflect(
            "Extract", Candidate(texts[0]), output=Invoice, critiquer=judge, reviser=lambda *_, text=texts[1]: text
        )
        assert result.output == Invoice(id=1, items=[]), texts


async def test_a_high_threshold_accepts_nothing_that_does_not_validate() -> None:
    config = LoopConfig(severity_threshold=0.95, max_iterations=1)
    result = await reflect("Extract", output=Invoice, generator=after("{}"), config=config)
    assert result.stop_reason is not StopReason.ACCEPTED


async def test_a_finding_of_a_critic_is_repaired_in_the_object() -> None:
    def no_seven(invoice: Invoice, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.9, issues=["7 is taken"]) if invoice.id == 7 else CritiqueResult.no_issues()

    model = ScriptedModel(['{"id": 7, "items": []}', '{"id": 8, "items": []}'])
    result = await reflect("Extract", output=Invoice, generator=LLMGenerator(model), critiquer=[no_seven])
    assert result.output == Invoice(id=8, items=[])
    assert "7 is taken" in model.requests[1].messages[-1].content


async def test_the_type_reaches_every_component_and_each_has_its_own_object() -> None:
    seen: list[Any] = []

    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        seen.append(context.output)
        candidate.value.items.append(Row(name="spoilt", price=0))
        return CritiqueResult(severity=0.5)

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        seen.append((context.output, candidate.value))
        return '{"id": 2, "items": []}'

    async def approve(candidate: Candidate, before: Any, context: RunContext) -> bool:
        seen.append(candidate.value)
        return True

    config = LoopConfig(max_iterations=2)
    result = await reflect(
        "Extract", GOOD, output=Invoice, critiquer=judge, reviser=revise, approve=approve, config=config
    )
    assert seen == [Invoice, (Invoice, Invoice(id=1, items=[])), Invoice(id=2, items=[]), Invoice]
    assert all(not one.candidate.value.items for one in result.iterations)


async def test_a_model_is_asked_for_the_schema_by_the_server_and_in_words() -> None:
    model = ScriptedModel([GOOD])
    await reflect("Extract", output=Invoice, generator=LLMGenerator(model))
    assert model.requests[0].schema == Invoice.model_json_schema()
    assert '"price"' in model.requests[0].messages[-1].content
    model = ScriptedModel(['{"value": [1]}'])
    result = await reflect("Extract", output=list[int], generator=LLMGenerator(model))
    assert result.output == [1]


async def test_the_generator_s_model_revises_if_no_reviser_is_given_with_and_without_a_type() -> None:
    model = ScriptedModel(["{}", GOOD])
    result = await reflect("Extract", output=Invoice, generator=LLMGenerator(model))
    assert result.output == Invoice(id=1, items=[])
    model = ScriptedModel(["text", "other"])
    result = await reflect("Write", generator=LLMGenerator(model), critiquer=lambda *_: CritiqueResult(severity=0.9))
    assert contents(result) == ["text", "other"]


async def test_a_model_stands_for_the_component_that_asks_it() -> None:
    verdict = json.dumps({"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""})
    writer, judge = ScriptedModel(["{}", GOOD]), ScriptedModel([verdict])
    result = await reflect("Extract", output=Invoice, generator=writer, critiquer=judge, reviser=writer)
    assert result.output == Invoice(id=1, items=[])
    async with Pipeline("compatible:m@http://127.0.0.1:9/v1", "compatible:m@http://127.0.0.1:9/v1") as pipeline:
        assert {type(one).__name__ for one in pipeline.uses()} >= {"LLMGenerator", "LLMCritiquer"}


async def test_a_plateau_does_not_end_a_run_whose_answers_come_nearer_to_the_type() -> None:
    revisions = ['{"id": "x", "items": [{}]}', '{"id": "x", "items": []}', GOOD]

    def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return revisions[context.iteration]

    start = '{"id": "x", "items": [{}, {}]}'
    result = await reflect("Extract", start, output=Invoice, reviser=revise, config=FOUR)
    assert [len(one.critique.issues) for one in result.iterations] == [5, 3, 1, 0]
    assert result.stop_reason is StopReason.ACCEPTED


@pytest.mark.parametrize("make", ["path", "memory"])
async def test_a_run_from_the_journal_has_its_object_again(make: str, tmp_path: Path) -> None:
    memory = str(tmp_path / "m.db") if make == "path" else ReflexionMemory(tmp_path / "m.db")
    async with Pipeline(after(GOOD), output=Invoice, memory=memory) as pipeline:
        first = await pipeline.run_or_resume("Extract", run_id="r1")
        again = await pipeline.run_or_resume("Extract", run_id="r1")
    assert first.output == again.output == Invoice(id=1, items=[])
    assert again.iterations[0].candidate.value == Invoice(id=1, items=[])


async def test_a_dump_of_a_result_has_the_text_and_no_object() -> None:
    result = await reflect("Extract", output=Invoice, generator=after(GOOD))
    dumped = result.model_dump(mode="json")
    assert "is_typed" not in dumped
    assert "value" not in dumped["best_candidate"]
    json.dumps(dumped)


async def test_a_stream_shows_what_can_be_read_so_far() -> None:
    model = ScriptedModel([['{"id": 1, "it', 'ems": []}']])
    async with Pipeline(LLMGenerator(model), output=Invoice) as pipeline:
        events = [event async for event in pipeline.stream("Extract")]
    partial = [event.value for event in events if isinstance(event, PartialOutput)]
    assert partial[0] == {"id": 1}
    assert isinstance(events[-1], RunStopped)
    assert events[-1].result.output == Invoice(id=1, items=[])
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_a_text_run_streams_no_partial_output() -> None:
    async with Pipeline(ScriptedModel(["a b c"]), lambda *_: CritiqueResult(severity=0.0)) as pipeline:
        events = [event async for event in pipeline.stream("Write")]
    assert not any(isinstance(event, PartialOutput) for event in events)


async def test_deep_nesting_is_a_finding_and_no_crash() -> None:
    result = await reflect("Extract", output=Invoice, generator=after("[" * 5_000))
    assert (result.output, result.error) == (None, None)
    assert [one.kind for one in result.open_issues] == ["json"]


async def test_an_output_that_is_no_type_is_refused_before_anything_starts() -> None:
    for output in ("Invoice", 3, {"type": "nope"}):
        with pytest.raises(ConfigurationError, match=r"output|JSON Schema"):
            Pipeline(after(GOOD), output=output)
    with pytest.raises(ConfigurationError, match="critiquer"):
        Pipeline(after(GOOD))


def test_scripts_get_objects_too() -> None:
    assert reflect_sync("Extract", output=Invoice, generator=after(GOOD)).output == Invoice(id=1, items=[])


async def test_several_first_candidates_are_typed_each() -> None:
    def two(prompt: str, context: RunContext) -> Sequence[str]:
        return ["nothing", f"```\n{GOOD}\n```"]

    config = LoopConfig(candidates=2, max_iterations=2)
    result = await reflect("Extract", output=Invoice, generator=two, config=config)
    assert result.output == Invoice(id=1, items=[])


async def test_a_reviser_of_one_s_own_may_change_anything() -> None:
    result = await reflect("Extract", '{"id": "x", "items": []}', output=Invoice, reviser=lambda *_: '{"id": 3, "items": [{"name": "n", "price": 1}]}')  # fmt: skip  # noqa: E501
    assert result.output == Invoice(id=3, items=[Row(name="n", price=1)])


async def test_an_unreadable_revision_is_asked_for_again() -> None:
    model = ScriptedModel(["I cannot", GOOD])
    result = await reflect("Extract", "{}", output=Invoice, reviser=LLMReviser(model))
    assert result.output == Invoice(id=1, items=[])
    assert len(model.requests) == 2


async def test_a_generator_and_a_reviser_have_a_type_of_their_own_where_the_run_has_none() -> None:
    model = ScriptedModel(['{"id": "x", "items": []}', '{"id": 2, "items": [{"name": "n", "price": 1}]}'])
    context = RunContext("run", "Extract")
    (first,) = await LLMGenerator(model, output=Invoice).generate("Extract", context)
    assert (first.content, first.value) == ('{"id": "x", "items": []}', None)
    critique = CritiqueResult(severity=0.8, issues=output_type(Invoice).issues(first.content))
    second = await LLMReviser(model, output=Invoice).revise(first, critique, context)
    assert second.content == '{"id": 2, "items": []}'
    assert model.requests[0].schema == model.requests[1].schema == Invoice.model_json_schema()


@pytest.mark.parametrize(
    ("output", "text"), [({"type": "array"}, "[1]"), (list[int], json.dumps([*range(5_000)]))], ids=["schema", "type"]
)
async def test_an_answer_that_may_take_long_to_validate_is_validated_beside_the_event_loop(
    output: Any, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_the_loop: list[str] = []

    def noted(name: str) -> Any:
        original = getattr(OutputType, name)

        def work(self: OutputType[Any], given: str, *args: Any, **more: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                on_the_loop.append(name)
            return original(self, given, *args, **more)

        return work

    for name in ("check", "read"):
        monkeypatch.setattr(OutputType, name, noted(name))
    async with Pipeline(LLMGenerator(ScriptedModel(lambda _: text)), output=output) as pipeline:
        assert (await pipeline.run("p")).output is not None
    assert on_the_loop == []
