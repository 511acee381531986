"""Answers of a comparison: asked for once, kept when they come, and counted."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from jido_ai.comparing.answers import AnswerDesk, CaseCalls
from jido_ai.comparing.run import compare
from jido_ai.comparing.strategies import single
from jido_ai.comparing.tasks import Check, Task
from jido_ai.errors import ModelTimeoutError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest, Message, Usage
from jido_ai.values.record import Record

REQUEST = CompletionRequest((Message("user", "Name a colour."),))


class SlowMemory(ReflexionMemory):
    """Writes once it may.

    Attributes:
        is_writing: set when a write begins.
        may_write: set by the test.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_writing, self.may_write = asyncio.Event(), asyncio.Event()

    async def append(self, records: Sequence[Record], **options: Any) -> list[Record]:
        self.is_writing.set()
        await self.may_write.wait()
        return await super().append(records, **options)


async def test_an_answer_is_found_and_kept_if_its_call_is_cancelled_while_it_is_written() -> None:
    model = ScriptedModel(lambda _: "red")
    async with SlowMemory() as memory:
        desk = AnswerDesk(memory, "r")
        first = asyncio.create_task(CaseCalls(desk, "task", 0).complete(model, REQUEST))
        await memory.is_writing.wait()
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        second = await asyncio.wait_for(CaseCalls(desk, "task", 0).complete(model, REQUEST), 5)
        assert second.text == "red"
        memory.may_write.set()
        await desk.close()
        (record,) = await memory.records("compared", key="r")
        desk.load([record])
    assert record.data["answer"]["text"] == "red"
    assert len(model.requests) == desk.spent.calls == 1


async def test_a_call_that_ends_by_a_time_limit_counts_in_the_cost_of_the_comparison() -> None:
    def late(_: CompletionRequest) -> Any:
        return ModelTimeoutError("late", provider="scripted") if len(model.requests) == 2 else priced

    priced = Completion("red", usage=Usage(1, 10, 10, cost_usd=0.01))
    model = ScriptedModel(late)
    tasks = [Task(f"Name colour {number}.", [Check.exact("red")], id=str(number)) for number in range(4)]
    result = await compare(tasks, {"single": single(model)}, max_cost_usd=1.0, max_concurrency=1)
    assert len(model.requests) == 2
    assert "after 2 of 4 answers, the cost of 1 call is unknown" in str(result.stopped)


async def test_a_cancelled_call_counts_with_the_most_that_it_may_cost() -> None:
    async def reply(_: CompletionRequest) -> str:
        await asyncio.Event().wait()
        return ""

    model = with_limits(ScriptedModel(reply), prices={"scripted": (10.0, 10.0)})
    request = REQUEST.replace(max_tokens=1_000)
    async with ReflexionMemory() as memory:
        desk = AnswerDesk(memory, "r", max_cost_usd=0.02)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await CaseCalls(desk, "task", 0).complete(model, request)
    assert desk.spent.unpriced_calls == 0
    assert 0.01 < desk.spent.cost_usd < 0.02


CODE = """def login(password="correct-horse-1234"):
    return len(password)
"""


async def test_the_answer_itself_is_judged_and_its_secrets_are_masked_where_it_is_kept() -> None:
    tasks = [Task("Write login.", [Check.contains("correct-horse-1234")], id="a")]
    async with ReflexionMemory() as memory:
        result = await compare(tasks, {"single": single(ScriptedModel(lambda _: CODE))}, memory=memory, run_id="r")
        records = await memory.records("compared", key="r")
    assert result.row("single").passed == 1
    assert {record.kind for record in records} == {"answer", "case", "result"}
    assert "correct-horse" not in str(records)


async def test_a_masked_answer_is_asked_for_again_and_each_call_counts_in_the_cost() -> None:
    model = ScriptedModel(lambda _: Completion(CODE, usage=Usage(1, 10, 10, cost_usd=0.01)))
    async with ReflexionMemory() as memory:
        for calls in (1, 2):
            desk = AnswerDesk(memory, "r")
            desk.load(await memory.records("compared", key="r"))
            assert (await CaseCalls(desk, "task", 0).complete(model, REQUEST)).text == CODE
            assert len(model.requests) == calls
            assert desk.spent.cost_usd == pytest.approx(calls * 0.01)


@pytest.mark.parametrize(
    ("usage", "calls"),
    [
        (Usage(1, 10, 10), 1),
        (Usage(), 1),
        (Usage(1, 10, 10, unpriced_calls=1), 1),
        (Usage(1, 10, 10, cost_usd=0.0), 4),
    ],
    ids=["tokens alone", "nothing", "unknown cost", "free"],
)
async def test_a_limit_in_dollars_ends_a_comparison_after_the_first_call_of_unknown_cost(
    usage: Usage, calls: int
) -> None:
    model = ScriptedModel(lambda _: Completion("red", usage=usage))
    tasks = [Task(f"Name colour {number}.", [Check.exact("red")], id=str(number)) for number in range(4)]
    found = await compare(tasks, {"single": single(model)}, max_cost_usd=1.0)
    assert len(model.requests) == calls
    assert (found.stopped is None) == (calls == 4)
    assert found.stopped is None or "the cost of 1 call is unknown" in found.stopped
