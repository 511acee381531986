"""Runs that are requested by name are started, or continued with the answers that are left, in one place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode
from jido_ai.graph.orders import (
    RunOrder,
    arguments_of,
    begun,
    is_of,
    open_decision,
    questions_of,
    recorded_run,
    result_without_run,
    status_of,
)
from jido_ai.graph.results import GraphResult
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import SUSPEND, CritiqueResult, ErrorInfo, LoopConfig, Scope

CONFIG = LoopConfig(max_iterations=5, patience=10)
ORDER = RunOrder(run_id="r", name="answer", prompt="question", initial="v0")


def judge(candidate: Any, context: Any) -> CritiqueResult:
    return CritiqueResult(severity=max(0.0, 0.9 - 0.3 * int(candidate.content[1:])))


def revise(candidate: Any, critique: Any, context: Any) -> str:
    return f"v{int(candidate.content[1:]) + 1}"


def pipeline(memory: ReflexionMemory, *, asks: bool = True) -> Pipeline:
    return Pipeline(None, judge, revise, config=CONFIG, memory=memory, approve=(lambda *_: SUSPEND) if asks else None)


def graph(memory: ReflexionMemory | None = None) -> Graph:
    nodes = {"first": ApprovalNode("{topic}"), "second": ApprovalNode("{topic}")}
    return Graph(nodes, inputs=["topic"], output="first", memory=memory)


async def test_a_run_is_started_and_then_joined_from_its_journal() -> None:
    async with ReflexionMemory() as memory, pipeline(memory, asks=False) as served:
        result = await (await begun(served, ORDER)).result()
        again = await (await begun(served, ORDER)).result()
    assert (status_of(result), again) == ("completed", result)


async def test_an_answer_is_given_once_and_not_to_a_later_question() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as served:
        assert status_of(await (await begun(served, ORDER)).result()) == "suspended"
        asked = {one.path: one.id for one in await questions_of(served, "r", Scope())}
        order = replace(ORDER, answers={"revision": True}, questions=asked)
        assert await open_decision(served, order) == {asked["revision"]: True}
        for _ in range(2):  # the second time as after a fault
            result = await (await begun(served, order)).result()
            assert (status_of(result), len(result.iterations)) == ("suspended", 2)
        assert await open_decision(served, order) is None


async def test_only_answers_to_questions_that_still_wait_are_given_to_a_graph() -> None:
    order = RunOrder(run_id="r", name="talk", inputs={"topic": "trees"})
    async with ReflexionMemory() as memory, graph(memory) as served:
        await (await begun(served, order)).result()
        asked = {one.path: one.id for one in await questions_of(served, "r", Scope())}
        assert list(asked) == ["first", "second"]
        both = replace(order, answers={"first": True, "second": False}, questions=asked)
        assert await open_decision(served, both) == {asked["first"]: True, asked["second"]: False}
        assert await open_decision(served, replace(both, questions={**asked, "first": "0"})) == {asked["second"]: False}
        await served.resume("r", decision={"first": True})
        assert await open_decision(served, both) == {asked["second"]: False}  # its text is the same


async def test_an_order_of_a_fresh_id_does_not_look_into_the_journal() -> None:
    async with ReflexionMemory() as memory, pipeline(memory, asks=False) as served:
        await served.run("question", "v0", run_id="r")
        result = await (await begun(served, replace(ORDER, initial="v3", is_fresh=True))).result()
    assert len(result.iterations) == 1


async def test_a_run_of_the_journal_belongs_to_the_order_that_asks_for_the_same() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as served:
        await (await begun(served, ORDER)).result()
        recorded = await recorded_run(served.journal, "r", Scope())  # type: ignore[arg-type]
        assert recorded is not None
        assert await recorded_run(served.journal, "other", Scope()) is None  # type: ignore[arg-type]
    others = replace(ORDER, prompt="?"), replace(ORDER, initial=None), RunOrder(run_id="r", name="answer", inputs={})
    assert [is_of(recorded, one) for one in (ORDER, *others)] == [True, False, False, False]


def test_a_prompt_is_the_one_input_of_a_graph_and_a_pipeline_takes_no_inputs() -> None:
    order = RunOrder(run_id="r", name="x", prompt="trees")
    assert arguments_of(graph(), order) == ({"topic": "trees"},)
    assert arguments_of(graph(), RunOrder(run_id="r", name="x", inputs={"topic": 1})) == ({"topic": 1},)
    with pytest.raises(ConfigurationError, match="x is a pipeline: it takes a prompt"):
        arguments_of(Pipeline(critiquer=judge), RunOrder(run_id="r", name="x", inputs={}))


@pytest.mark.parametrize("order", [ORDER, RunOrder(run_id="r", name="talk", inputs={})])
def test_a_run_that_could_not_begin_has_a_result_of_its_kind(order: RunOrder) -> None:
    failed = result_without_run(order, ErrorInfo("Error", "why"), is_cancelled=False)
    cancelled = result_without_run(order, None, is_cancelled=True)
    assert [status_of(one) for one in (failed, cancelled)] == ["failed", "cancelled"]
    assert isinstance(failed, GraphResult) == (order.kind == "graph")


def test_two_orders_have_one_digest_if_they_ask_for_the_same() -> None:
    same = replace(ORDER, run_id="other", token="t", answers={"revision": True}, is_fresh=True)
    assert same.digest == ORDER.digest
    others = [replace(ORDER, **{name: "x"}) for name in ("name", "prompt", "initial")]
    assert len({one.digest for one in [ORDER, *others, replace(ORDER, metadata={"a": 1})]}) == 5
