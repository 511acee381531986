"""A run that nothing can carry out fails with the steps of its journal, and nothing is called."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai.errors import RunClaimedError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.graph.orders import RunOrder
from jido_ai.integrations.worker import give_up
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.runs.leases import is_void, let_go, new_claim
from jido_ai.values import SUSPEND, Candidate, CritiqueResult, ErrorInfo, LoopConfig, StopReason
from jido_ai.values.record import Record

ERROR = ErrorInfo("worker_died", "3 workers ended")
ORDER = RunOrder(run_id="r", name="answer", prompt="question")
SCORES = {"v0": 0.4, "v1": 0.7, "v2": 0.5, "v3": 1.0}
CONFIG = LoopConfig(max_iterations=6, change_threshold=0.0, score_threshold=0.01, patience=6)


async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=1.0 - SCORES[candidate.content], issues=["worse"])


async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return f"v{context.iteration + 1}"


def pipeline(memory: ReflexionMemory, **options: Any) -> Pipeline:
    return Pipeline(lambda *_: "v0", critique, revise, memory, CONFIG, **options)


async def lines_of(memory: ReflexionMemory) -> list[Record]:
    return list(await memory.records("journal", key="r"))


async def interrupt(memory: ReflexionMemory, after: str) -> None:
    """Leave in the journal what a process writes that is killed after a line of a kind."""
    lines = await lines_of(memory)
    last = max(index for index, line in enumerate(lines) if line.kind == after)
    await memory.drop_records("journal", key="r")
    await memory.append([Record(log="journal", key="r", kind=one.kind, data=one.data) for one in lines[: last + 1]])


async def test_the_result_has_the_best_candidate_that_was_judged_and_the_error() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as answer:
        await answer.run("question", run_id="r")
        lines = await lines_of(memory)
        await memory.drop_records("journal", key="r")
        third = [index for index, line in enumerate(lines) if line.kind == "judged"][2]
        kept = [Record(log="journal", key="r", kind=one.kind, data=one.data) for one in lines[: third + 1]]
        await memory.append(kept)
        assert await give_up(answer, ORDER, ERROR) is True
        result = (await RunJournal(memory).load("r")).result()
    assert result is not None
    assert (result.stop_reason, result.error) == (StopReason.ERROR, ERROR)
    assert result.best_candidate is not None
    assert (result.best_candidate.content, len(result.iterations)) == ("v1", 3)


async def test_a_run_that_was_given_up_is_given_up_again_without_another_line() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as answer:
        await answer.run("question", run_id="r")
        await interrupt(memory, "candidate")
        for _ in range(2):
            assert await give_up(answer, ORDER, ERROR) is True
        assert [one.kind for one in await lines_of(memory)].count("stopped") == 1


async def test_a_run_that_never_began_is_given_up_without_a_line() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as answer:
        assert await give_up(answer, ORDER, ERROR) is True
        assert await lines_of(memory) == []


async def test_a_run_with_a_result_keeps_it() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as answer:
        before = await answer.run("question", run_id="r")
        assert await give_up(answer, ORDER, ERROR) is False
        assert (await answer.run_or_resume("question", run_id="r")).stop_reason is before.stop_reason


async def test_a_run_that_waits_for_a_person_keeps_waiting() -> None:
    async with ReflexionMemory() as memory, pipeline(memory, approve=lambda *_: SUSPEND) as answer:
        await answer.run("question", run_id="r")
        assert await give_up(answer, ORDER, ERROR) is False


async def test_a_run_in_flight_is_not_given_up() -> None:
    async with ReflexionMemory() as memory, pipeline(memory) as answer:
        await answer.run("question", run_id="r")
        await interrupt(memory, "candidate")
        claim = await memory.claim(new_claim("r", ORDER.scope, 30.0), is_void)
        with pytest.raises(RunClaimedError):
            await give_up(answer, ORDER, ERROR)
        let_go(claim)
        assert await give_up(answer, ORDER, ERROR) is True


async def test_a_graph_fails_with_the_nodes_that_were_done() -> None:
    nodes = {
        "one": StepNode(lambda text: f"{text}1", inputs={"text": "{text}"}),
        "two": StepNode(lambda text: f"{text}2", inputs={"text": "{one}"}),
    }
    order = RunOrder(run_id="r", name="steps", inputs={"text": "x"})
    async with ReflexionMemory() as memory, Graph(nodes, inputs=("text",), output="two", memory=memory) as graph:
        await graph.run({"text": "x"}, run_id="r")
        await interrupt(memory, "node")
        lines = [one for one in await lines_of(memory) if one.kind != "node" or one.data["path"] == "one"]
        await memory.drop_records("journal", key="r")
        await memory.append([Record(log="journal", key="r", kind=one.kind, data=one.data) for one in lines])
        assert await give_up(graph, order, ERROR) is True
        last = (await lines_of(memory))[-1]
    assert (last.kind, last.data["reason"], last.data["end"]["kind"]) == ("stopped", "failed", "worker_died")
