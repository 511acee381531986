"""Decisions that workers carry out: each answers the question that it was given for, once, also after a fault."""

from __future__ import annotations

from typing import Any

from integration_helpers import Parts, graphed, piped

from jido_ai import SUSPEND
from jido_ai.graph.orders import RunOrder, RunOutcome, recorded_run
from jido_ai.graph.served import Served
from jido_ai.integrations.worker import RunWorker
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.reflexion_memory import ReflexionMemory


def suspend(*_: Any) -> object:
    return SUSPEND


async def carried_out(served: Served, order: RunOrder) -> RunOutcome:
    """Carry out an order as a worker does."""
    outcome = await RunWorker({order.name: served}, lambda *_, **__: None).run_or_resume(order)
    assert outcome is not None
    return outcome


async def asked(memory: ReflexionMemory) -> dict[str, str]:
    """Return what the run waits for."""
    recorded = await recorded_run(RunJournal(memory), "r", None)
    return {} if recorded is None else {one.path: one.id for one in recorded.questions}


async def test_a_decision_that_is_carried_out_again_does_not_answer_the_next_question() -> None:
    parts = Parts()
    async with ReflexionMemory() as memory, piped(parts, memory=memory, approve=suspend) as pipeline:
        first = RunOrder(run_id="r", name="answer", prompt="question")
        assert (await carried_out(pipeline, first)).status == "suspended"
        question = await asked(memory)
        assert list(question) == ["revision"]
        yes = RunOrder(run_id="r", name="answer", prompt="question", answers={"revision": True}, questions=question)
        for _ in range(2):  # the second time as after a fault, when the run waits for its next revision
            assert (await carried_out(pipeline, yes)).status == "suspended"
            assert parts.calls[-1] == "revise v1"
        assert (await asked(memory)).keys() == {"revision"}
        assert await asked(memory) != question


async def test_a_text_replaces_the_revision() -> None:
    async with ReflexionMemory() as memory, piped(memory=memory, approve=suspend) as pipeline:
        await carried_out(pipeline, RunOrder(run_id="r", name="answer", prompt="question"))
        question = await asked(memory)
        order = RunOrder(run_id="r", name="answer", prompt="question", answers={"revision": "v3"}, questions=question)
        assert (await carried_out(pipeline, order)).status == "completed"
        assert await asked(memory) == {}
        result = await pipeline.run_or_resume("question", run_id="r")
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v3"


async def test_nodes_of_a_graph_are_answered_by_path_and_once() -> None:
    async with ReflexionMemory() as memory, graphed(asks=True, memory=memory) as graph:
        inputs = {"task": "question"}
        await carried_out(graph, RunOrder(run_id="r", name="talk", inputs=inputs))
        question = await asked(memory)
        assert list(question) == ["first"]
        order = RunOrder(run_id="r", name="talk", inputs=inputs, answers={"first": "v9"}, questions=question)
        for _ in range(2):
            assert (await carried_out(graph, order)).status == "suspended"
            assert list(await asked(memory)) == ["second"]
        last = RunOrder(run_id="r", name="talk", inputs=inputs, answers={"second": True}, questions=await asked(memory))
        outcome = await carried_out(graph, last)
    assert (outcome.status, outcome.output) == ("completed", "v9!")
