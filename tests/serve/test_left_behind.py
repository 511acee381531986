"""Runs of a server that was killed go on in a server with the same store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai import (
    Graph,
    LLMCritiquer,
    LLMGenerator,
    LoopConfig,
    LoopNode,
    Pipeline,
    ReflexionMemory,
    StepNode,
)
from jido_ai.graph.orders import RunOrder
from jido_ai.runs.leases import this_process
from jido_ai.serve import served_runs
from jido_ai.serve.entries import accepted_record, cancelling_record, entry_of, resumed_record
from jido_ai.values import Completion, CompletionRequest, Usage
from jido_ai.values.record import Record
from tests.serve.conftest import FIRST, Stub, client_of, events_of, until

ORDER = RunOrder(run_id="left", name="answer", prompt="What is a tree?", initial=FIRST)
GONE = json.dumps({**json.loads(this_process()), "start": "1"})
ELSEWHERE = json.dumps({**json.loads(this_process()), "boot": "another", "host": "far", "pid": 17})


async def ask_again(client: httpx.AsyncClient) -> httpx.Response:
    body = {"pipeline": "answer", "prompt": ORDER.prompt, "initial_candidate": FIRST, "run_id": "left"}
    return await client.post("/v1/runs?wait=20", json=body)


@pytest.mark.parametrize("door", ["look", "ask again", "resume", "events"])
async def test_a_run_of_a_killed_server_continues_after_the_next_request_for_it(
    door: str, store: Path, stub: Stub
) -> None:
    async with ReflexionMemory(str(store)) as memory, client_of(stub, memory=memory) as client:
        await memory.append([accepted_record(ORDER, GONE)])
        match door:
            case "look":
                assert (await client.get("/v1/runs/left")).json()["status"] in ("queued", "running")
            case "ask again":
                assert (await ask_again(client)).json()["status"] == "completed"
            case "resume":
                assert (await client.post("/v1/runs/left/resume?wait=20")).status_code == 409
            case _:
                assert '"RunStopped"' in (await client.get("/v1/runs/left/events")).text
        assert (await until("completed", client, "left"))["result"]["stop_reason"] == "accepted"


@pytest.mark.parametrize("line", [cancelling_record, resumed_record])
async def test_a_run_of_a_killed_server_continues_without_any_request(
    line: object, store: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_runs, "_TAKE_UP_S", 0.02)
    async with ReflexionMemory(str(store)) as memory, client_of(stub, memory=memory) as client:
        await memory.append([accepted_record(ORDER, this_process()), line(ORDER, {}, GONE)])  # type: ignore[operator]  # pyright: ignore[reportCallIssue]
        while (found := (await client.get("/v1/runs")).json()["data"])[0]["status"] in ("queued", "running"):
            await asyncio.sleep(0.02)
        assert found[0]["status"] == ("cancelled" if line is cancelling_record else "completed")


async def test_a_run_that_was_taken_up_belongs_to_the_server_that_did(store: Path, stub: Stub) -> None:
    stub.gate.clear()
    async with ReflexionMemory(str(store)) as memory, client_of(stub, memory=memory) as client:
        await memory.append([accepted_record(ORDER, GONE)])
        await client.get("/v1/runs/left")
        while len(lines := await memory.records("served", key="left")) < 2:
            await asyncio.sleep(0.01)
        assert entry_of(lines[0], lines[-1]).owner == this_process()
        assert entry_of(lines[0], lines[-1]).order == ORDER
        stub.gate.set()
        assert (await until("completed", client, "left"))["status"] == "completed"


async def test_a_run_of_a_killed_server_can_be_cancelled(store: Path, stub: Stub) -> None:
    stub.gate.clear()
    async with ReflexionMemory(str(store)) as memory, client_of(stub, memory=memory) as client:
        await memory.append([accepted_record(ORDER, GONE)])
        assert (await client.post("/v1/runs/left/cancel")).json()["status"] == "cancelled"


@pytest.mark.parametrize("owner", [this_process(), ELSEWHERE, ""], ids=["here", "far", "unknown"])
async def test_a_run_of_another_server_is_left_to_it_and_the_refusal_names_it(
    owner: str, store: Path, stub: Stub
) -> None:
    earlier = RunOrder(run_id="earlier", name="answer", prompt=ORDER.prompt, initial=FIRST)
    async with ReflexionMemory(str(store)) as memory:
        await memory.append([accepted_record(earlier, GONE)])
        async with client_of(stub, memory=memory) as client:
            await until("completed", client, "earlier")  # what was open when the server started is taken up by now
            seen = [*stub.seen]
            await memory.append([accepted_record(ORDER, owner)])
            assert (await client.get("/v1/runs/left")).json()["status"] == "queued"
            refused = await client.post("/v1/runs/left/cancel")
            assert refused.status_code == 409
            assert ("far (pid 17)" in refused.json()["detail"]) == (owner == ELSEWHERE)
            assert stub.seen == seen


class Judge:
    """A model that writes a text, and judges the first one badly."""

    provider = model = "judge"
    base_url = ""

    def __init__(self) -> None:
        self.calls = 0

    async def complete(self, request: CompletionRequest) -> Completion:
        self.calls += 1
        severity = 0.8 if self.calls == 2 else 0.0
        return Completion(f'{{"severity": {severity}, "issues": ["too short"]}}', "judge", Usage(1, 10, 10))


def longer(candidate: object, critique: object, context: object) -> str:
    return "a longer text"


def judged() -> dict[str, Pipeline | Graph]:
    """Return a pipeline, and a graph of the same loop and a step, of five calls each."""
    model, config = Judge(), LoopConfig(max_iterations=3)
    parts: Any = LLMGenerator(model), LLMCritiquer(model), longer
    loop = LoopNode("{t}", generator=parts[0], critiquer=parts[1], reviser=parts[2], config=config)

    async def step(text: str) -> str:
        return text

    return {
        "answer": Pipeline(*parts, config=config, reflector=True),
        "line": Graph({"loop": loop, "end": StepNode(step, inputs={"text": "{loop}"})}, inputs=["t"], output="end"),
    }


@pytest.mark.parametrize("kept", [0, 3, 5])
@pytest.mark.parametrize("name", ["answer", "line"])
async def test_events_that_were_not_written_before_a_crash_are_as_they_would_have_been(
    name: str, kept: int, store: Path, stub: Stub
) -> None:
    asked: dict[str, Any] = {"prompt": "p"} if name == "answer" else {"inputs": {"t": "p"}}
    order = RunOrder(run_id="left", name=name, **asked)
    body = {"pipeline" if name == "answer" else "graph": name, "run_id": "left", **asked}
    async with ReflexionMemory(str(store)) as memory:
        async with client_of(stub, memory=memory, things=judged()) as client:
            assert (await client.post("/v1/runs?wait=20", json=body)).json()["status"] == "completed"
            before = await events_of(client, "left")
        lines = await memory.records("events", key="left")
        events = [event for line in lines for event in line.data["events"]][:kept]
        for log in ("events", "served"):
            await memory.drop_records(log, key="left")
        await memory.append([accepted_record(order, GONE)])
        if events:
            await memory.append([Record(log="events", key="left", data={"events": events})])
        async with client_of(stub, memory=memory, things=judged()) as client:
            await until("completed", client, "left")
            after = await events_of(client, "left")
    assert _outline(after) == _outline(before)
    assert [one["seq"] for one in after] == list(range(1, len(after) + 1))


def _outline(events: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return events without their times, and without those that a server writes at once."""
    told = [one for one in events if one["type"] not in ("GraphStarted", "NodeStarted")]
    return [(one["type"], one.get("path"), one.get("call")) for one in told]
