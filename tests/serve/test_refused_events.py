"""Events that can never be stored: their run ends with an error, and all others go on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai import Graph, StepNode
from jido_ai.errors import ConfigurationError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve import create_app
from jido_ai.values.record import Record
from tests.serve.conftest import RUN, Stub, client_of, events_of, things, until

Refuses = Callable[[Record], bool]
ASKED = {"graph": "pair", "inputs": {"topic": "t"}, "run_id": "r"}


def pair(output: object, gate: asyncio.Event | None = None) -> Graph:
    """Two nodes with the same output; the second one waits for the gate."""

    async def first(text: str) -> object:
        return output

    async def second(text: object) -> object:
        if gate is not None:
            await gate.wait()
        return output

    nodes = {"a": StepNode(first, inputs={"text": "{topic}"}), "b": StepNode(second, inputs={"text": "{a}"})}
    return Graph(nodes, inputs=["topic"], output="b")


def refuse(monkeypatch: pytest.MonkeyPatch, refuses: Refuses) -> None:
    """Make memories refuse the lines of the log "events" that a test names."""
    append = ReflexionMemory.append

    async def appended(self: ReflexionMemory, records: Sequence[Record], **more: Any) -> list[Record]:
        if any(one.log == "events" and refuses(one) for one in records):
            raise ConfigurationError("it can never be stored")
        return await append(self, records, **more)

    monkeypatch.setattr(ReflexionMemory, "append", appended)


def has_end(record: Record) -> bool:
    return any(one["type"] == "GraphStopped" and one["result"]["error"] is None for one in record.data["events"])


def deep(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"a": found}
    return found


@pytest.mark.parametrize("output", ["x y " * 300_000, deep(92)], ids=["long", "deep"])
async def test_the_end_of_a_graph_takes_all_that_the_lines_of_its_journal_took(stub: Stub, output: object) -> None:
    async with client_of(stub, things={"pair": pair(output)}) as client:
        answer = await client.post("/v1/runs?wait=30", json=ASKED)
        assert (answer.status_code, answer.json()["status"]) == (200, "completed")
        assert answer.json()["result"]["output"] == output


async def test_a_run_whose_end_cannot_be_stored_fails_and_all_others_end(
    stub: Stub, store: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    refuse(monkeypatch, has_end)
    offered = {"pair": pair("x"), "answer": things(stub)["answer"]}
    async with client_of(stub, memory=store, things=offered) as client:
        others = [client.post("/v1/runs?wait=30", json=RUN) for _ in range(3)]
        failed, *good = await asyncio.gather(client.post("/v1/runs?wait=30", json=ASKED), *others)
        assert [one.json()["status"] for one in good] == ["completed"] * 3
        assert (failed.status_code, failed.json()["status"]) == (200, "failed")
        error = {"kind": "ConfigurationError", "message": "it can never be stored"}
        assert error.items() <= failed.json()["error"].items()
        assert failed.json()["summary"]["stop_reason"] == "failed"
        events = await events_of(client, "r")
        assert [one["seq"] for one in events] == list(range(1, len(events) + 1))
        assert [one["type"] for one in events].count("GraphStopped") == 1
        assert (await client.post("/v1/runs?wait=30", json=RUN)).json()["status"] == "completed"
        assert (await client.get("/readyz")).status_code == 200
    assert "serve.events_refused run_id='r' error='ConfigurationError: it can never be stored'" in caplog.text
    async with client_of(stub, memory=store, things=offered) as client:
        kept = (await client.get("/v1/runs/r")).json()
        assert (kept["status"], kept["error"]) == ("failed", failed.json()["error"])


async def test_a_run_ends_soon_after_an_event_that_cannot_be_stored(
    stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse(monkeypatch, lambda record: any(one["type"] == "NodeStopped" for one in record.data["events"]))
    async with client_of(stub, things={"pair": pair("x", asyncio.Event())}) as client:
        await client.post("/v1/runs", json=ASKED)
        events = await asyncio.wait_for(events_of(client, "r"), 10)
        assert [one["type"] for one in events][-1] == "GraphStopped"
        assert [one["seq"] for one in events] == list(range(1, len(events) + 1))
        assert events[-1]["result"]["error"]["kind"] == "ConfigurationError"
        assert (await until("failed", client, "r"))["status"] == "failed"


async def test_a_run_of_which_nothing_can_be_stored_ends_as_well(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    async with client_of(stub, things={"pair": pair("x"), "answer": things(stub)["answer"]}) as client:
        with monkeypatch.context() as patched:
            refuse(patched, lambda _: True)
            answer = await client.post("/v1/runs?wait=10", json=ASKED)
            assert (answer.status_code, answer.json()["status"]) == (200, "failed")
        assert (await client.post("/v1/runs?wait=30", json=RUN)).json()["status"] == "completed"


async def test_a_server_that_writes_no_events_is_not_ready(stub: Stub) -> None:
    app = create_app({"answer": things(stub)["answer"]})
    async with app.router.lifespan_context(app):
        [writer] = [one for one in asyncio.all_tasks() if one.get_name() == "events of served runs"]
        writer.cancel()
        await asyncio.wait([writer])
        assert not app.state.jido.runs.is_writing
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
            answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["type"]) == (503, "urn:jido:store-failed")
