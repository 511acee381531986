"""A pipeline behind an AG-UI route, asked over HTTP without a network."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from integration_helpers import APPROVED, PROMPT, TENANT, Parts, graphed, piped

pytest.importorskip("ag_ui", reason="ag-ui-protocol is not installed: make test-integrations")

import httpx
from ag_ui.core import RunAgentInput
from fastapi import FastAPI

from jido_ai.errors import ComponentError
from jido_ai.graph.graph import Graph
from jido_ai.integrations.ag_ui import router
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore


async def asked(
    pipeline: Pipeline | Graph,
    text: str = PROMPT,
    *,
    thread_id: str = "t",
    run_id: str = "r1",
    approve: bool = False,
    **more: Any,
) -> Any:
    app = FastAPI()
    app.include_router(router(pipeline, approve=approve), prefix="/agent")
    message = {"id": "m1", "role": "user", "content": text}
    given = RunAgentInput(thread_id=thread_id, run_id=run_id, messages=[message], **more)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        response = await client.post("/agent/", json=given.model_dump(mode="json", by_alias=True, exclude_none=True))
    assert response.status_code == 200, response.text
    return [json.loads(line.removeprefix("data: ")) for line in response.text.split("\n\n") if line]


def text_of(events: list[Any]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


async def test_direct_and_inside_give_the_same_text_reason_and_count() -> None:
    async with piped() as pipeline:
        direct = await pipeline.run(PROMPT)
        events = await asked(pipeline)
    assert direct.best_candidate is not None
    assert text_of(events) == direct.best_candidate.content == "v3"
    assert (events[0]["type"], events[-1]["type"]) == ("RUN_STARTED", "RUN_FINISHED")
    assert events[-1]["result"]["stop_reason"] == direct.stop_reason.value
    added = [one for event in events if event["type"] == "STATE_DELTA" for one in event["delta"] if one["op"] == "add"]
    assert len(added) == direct.total_iterations


async def test_twenty_callers_see_their_own_context_everywhere() -> None:
    parts = Parts()
    async with piped(parts) as pipeline:

        async def caller(name: str) -> None:
            TENANT.set(name)
            await asked(pipeline, name, run_id=name)

        await asyncio.gather(*(asyncio.create_task(caller(f"tenant {i}")) for i in range(20)))
    assert parts.seen == {f"tenant {i}": {f"tenant {i}"} for i in range(20)}


async def test_a_client_that_disconnects_leaves_nothing_in_flight() -> None:
    parts = Parts(hold=asyncio.Event())
    async with piped(parts) as pipeline:
        call = asyncio.create_task(asked(pipeline))
        await parts.begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        async with asyncio.timeout(60):
            while parts.in_flight or pipeline.runs_in_flight():
                await asyncio.sleep(0)


async def test_a_failing_component_is_an_error_event_and_the_host_keeps_running() -> None:
    async with piped(Parts(fail=ComponentError("broken", component="critiquer"))) as pipeline:
        events = await asked(pipeline)
    assert events[-1]["type"] == "RUN_ERROR"
    assert "broken" in events[-1]["message"]


@pytest.mark.parametrize("decision", ["yes", "no", "v3"])
async def test_approval_by_interrupts_takes_a_yes_a_no_and_a_changed_text(decision: str) -> None:
    parts, questions = Parts(), []
    async with piped(parts, memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        events = await asked(pipeline, approve=True)
        while events[-1]["outcome"]["type"] == "interrupt":
            interrupt = events[-1]["outcome"]["interrupts"][0]
            questions.append((interrupt["id"], interrupt["metadata"]["revision"]))
            entry = {"interrupt_id": interrupt["id"], "status": "resolved", "payload": decision}
            events = await asked(pipeline, run_id=f"r{len(questions) + 1}", approve=True, resume=[entry])
    expected = {"yes": (["v1", "v2", "v3"], "v3"), "no": (["v1"], "v0"), "v3": (["v1"], "v3")}
    assert ([text for _, text in questions], text_of(events)) == expected[decision]
    assert len({id for id, _ in questions}) == len(questions)
    assert len(parts.calls) == len(set(parts.calls)), "no step was repeated"


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        events = await asked(blocking)
    assert text_of(events) == "v3"


async def test_a_graph_can_replace_a_pipeline() -> None:
    async with graphed() as graph:
        events = await asked(graph)
    assert text_of(events) == "v3"
    assert events[-1]["result"]["stop_reason"] == "completed"
    assert sum(event["type"] == "STATE_DELTA" for event in events) == 5


@pytest.mark.parametrize("decision", APPROVED)
async def test_the_approval_nodes_of_a_graph_ask_by_interrupts(decision: str) -> None:
    questions: list[str] = []
    async with graphed(asks=True, memory=ReflexionMemory(store=InProcessStore())) as graph:
        events = await asked(graph)
        while events[-1]["outcome"]["type"] == "interrupt":
            interrupt = events[-1]["outcome"]["interrupts"][0]
            questions.append(interrupt["metadata"]["revision"])
            entry = {"interrupt_id": interrupt["id"], "status": "resolved", "payload": decision}
            events = await asked(graph, run_id=f"r{len(questions) + 1}", resume=[entry])
    assert (questions, text_of(events)) == APPROVED[decision]


@pytest.mark.parametrize(
    ("theirs", "mine"), [("t", "u"), ("t:r1", "t"), ("t", "t:r1"), ("t%3Ar1", "t:r1"), ("t/1", "t"), ("", "t")]
)
async def test_an_interrupt_of_another_thread_is_refused_and_changes_nothing(theirs: str, mine: str) -> None:
    parts = Parts()
    async with piped(parts, memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        events = await asked(pipeline, thread_id=theirs, approve=True)
        (interrupt,) = events[-1]["outcome"]["interrupts"]
        calls = list(parts.calls)
        entry = {"interrupt_id": interrupt["id"], "status": "resolved", "payload": "yes"}
        refused = await asked(pipeline, thread_id=mine, run_id="r2", approve=True, resume=[entry])
        assert refused[-1]["type"] == "RUN_ERROR"
        assert "not one of this thread" in refused[-1]["message"]
        assert parts.calls == calls
        events = await asked(pipeline, thread_id=theirs, run_id="r2", approve=True, resume=[entry])
    assert events[-1]["outcome"]["interrupts"][0]["metadata"]["revision"] == "v2", "it still waited"


async def test_a_repeated_answer_counts_once() -> None:
    async with piped(memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        events = await asked(pipeline, approve=True)
        entry = {"interrupt_id": events[-1]["outcome"]["interrupts"][0]["id"], "status": "resolved", "payload": "yes"}
        first = await asked(pipeline, run_id="r2", approve=True, resume=[entry])
        again = await asked(pipeline, run_id="r3", approve=True, resume=[entry])
    (asks,), (asks_again,) = first[-1]["outcome"]["interrupts"], again[-1]["outcome"]["interrupts"]
    assert asks["metadata"]["revision"] == asks_again["metadata"]["revision"] == "v2"
    assert asks["id"] == asks_again["id"]


@pytest.mark.parametrize("name", ["", "#0", "x#0", "agui:t:r1", "agui:t:r1#", "agui:t:r1#x", "agui:t:r1#7"])
async def test_an_unknown_interrupt_is_an_error_event(name: str) -> None:
    entry = {"interrupt_id": name, "status": "resolved", "payload": "yes"}
    async with piped(memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        await asked(pipeline, approve=True)
        for entries in ([entry], [entry, entry]):
            events = await asked(pipeline, run_id="r2", approve=True, resume=entries)
            assert events[-1]["type"] == "RUN_ERROR"
