"""The lines that a server keeps of a run are read as they were written, also those of older versions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jido_ai.graph.orders import RunOrder
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import SERVED, accepted_record, entry_of, resumed_record
from jido_ai.values.record import Record

PIPELINE = RunOrder(run_id="run", name="essay", prompt="why?", initial="because", metadata={"a": 1}, token="token-1")
GRAPH = RunOrder(run_id="run", name="talk", inputs={"topic": "trees"})


async def read_back(*records: Record) -> RunOrder:
    async with ReflexionMemory() as memory:
        stored = await memory.append(records)
    return entry_of(stored[0], stored[-1]).order


@pytest.mark.parametrize("order", [PIPELINE, GRAPH, replace(GRAPH, inputs={})])
async def test_an_order_is_read_as_it_was_accepted(order: RunOrder) -> None:
    assert await read_back(accepted_record(order)) == order


@pytest.mark.parametrize(
    ("order", "answers"),
    [(PIPELINE, {"revision": "better"}), (GRAPH, {"first": True, "second": False}), (GRAPH, {})],
)
async def test_a_resumption_is_read_with_its_answers(order: RunOrder, answers: dict[str, Any]) -> None:
    resumed = replace(order, answers=answers, questions=dict.fromkeys(answers, "7"))
    assert await read_back(accepted_record(order), resumed_record(resumed)) == resumed


@pytest.mark.parametrize("decision", [True, False, "another text"])
async def test_an_answer_without_a_path_of_an_older_version_is_the_answer_to_the_one_question(decision: object) -> None:
    data = {"decision": decision, "questions": {"revision": "c-1"}}
    order = await read_back(accepted_record(PIPELINE), Record(log=SERVED, key="run", kind="going on", data=data))
    assert (order.answers, order.questions) == ({"revision": decision}, {"revision": "c-1"})
