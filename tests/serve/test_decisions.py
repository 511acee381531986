"""Of many decisions on one question exactly one is taken, and a run is one, also on two servers with one store."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai import Pipeline
from tests.serve.conftest import CONFIG, RUN, Stub, client_of, events_of, until

ASKING = {
    "revision": {"pipeline": "asks", "prompt": "p", "initial_candidate": "draft 0"},
    "ask": {"graph": "talk", "inputs": {"topic": "trees"}},
}


@asynccontextmanager
async def _servers(stub: Stub, count: int, store: Path) -> AsyncGenerator[list[httpx.AsyncClient]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(client_of(stub, memory=store)) for _ in range(count)]


async def _waiting(client: httpx.AsyncClient, body: dict[str, Any]) -> str:
    run = (await client.post("/v1/runs?wait=30", json=body)).json()
    assert run["status"] == "suspended"
    return str(run["run_id"])


@pytest.mark.parametrize("node", ["revision", "ask"])
@pytest.mark.parametrize("count", [1, 2])
async def test_one_of_ten_decisions_at_once_is_taken_and_the_others_are_409(
    stub: Stub, store: Path, node: str, count: int
) -> None:
    async with _servers(stub, count, store) as clients:
        run_id = await _waiting(clients[0], ASKING[node])
        path = f"/v1/runs/{run_id}/approvals/{node}"
        told = [True, "another text"] * 5
        answers = await asyncio.gather(
            *(clients[n % count].post(path, json={"decision": decision}) for n, decision in enumerate(told))
        )
    assert Counter(one.status_code for one in answers) == {202: 1, 409: 9}, [one.text for one in answers]


@pytest.mark.parametrize("count", [1, 2])
async def test_one_of_ten_resumptions_with_a_decision_is_taken(stub: Stub, store: Path, count: int) -> None:
    async with _servers(stub, count, store) as clients:
        run_id = await _waiting(clients[0], ASKING["ask"])
        answers = await asyncio.gather(
            *(clients[n % count].post(f"/v1/runs/{run_id}/resume", json={"decision": False}) for n in range(10))
        )
    assert Counter(one.status_code for one in answers) == {202: 1, 409: 9}, [one.text for one in answers]


async def test_a_decision_after_the_one_that_was_taken_is_409_and_changes_nothing(stub: Stub, store: Path) -> None:
    async with _servers(stub, 2, store) as (first, second):
        run_id = await _waiting(first, ASKING["ask"])
        path = f"/v1/runs/{run_id}/approvals/ask"
        assert (await first.post(path, json={"decision": "taken"})).status_code == 202
        run = await until("completed", first, run_id)
        assert (await second.post(path, json={"decision": "late"})).status_code == 409
        assert (await second.get(f"/v1/runs/{run_id}")).json()["result"] == run["result"]
    assert "final: taken" in str(run["result"])


async def test_the_same_id_sent_to_two_servers_at_once_is_carried_out_once(stub: Stub, store: Path) -> None:
    async with _servers(stub, 2, store) as clients:
        body = {**RUN, "run_id": "same"}
        answers = await asyncio.gather(*(clients[n % 2].post("/v1/runs?wait=30", json=body) for n in range(10)))
        assert {one.status_code for one in answers} <= {200, 202}
        runs = [await until("completed", client, "same") for client in clients]
    assert runs[0]["result"] == runs[1]["result"]
    assert stub.seen.count("revise draft 0") == 1


@pytest.mark.parametrize("asks", ["one after the other", "at once"])
async def test_a_run_of_another_server_is_awaited_and_followed_to_its_end(stub: Stub, store: Path, asks: str) -> None:
    body = {**RUN, "run_id": "same"}
    stub.gate.clear()
    async with _servers(stub, 2, store) as (first, second):
        if asks == "at once":
            await asyncio.gather(*(client.post("/v1/runs", json=body) for client in (first, second)))
        else:
            await first.post("/v1/runs", json=body)
        awaited = [asyncio.create_task(client.post("/v1/runs?wait=30", json=body)) for client in (first, second)]
        followed = [asyncio.create_task(events_of(client, "same")) for client in (first, second)]
        done, _ = await asyncio.wait({*awaited, *followed}, timeout=0.3)
        assert not done
        stub.gate.set()
        one, other = [await answer for answer in awaited]
        events, same = [await told for told in followed]
    assert (one.status_code, other.status_code) == (200, 200)
    assert one.json()["result"] == other.json()["result"]
    assert events == same
    assert events[-1]["type"] == "RunStopped"


async def test_a_run_that_ended_outside_of_the_server_is_not_cancelled(stub: Stub, store: Path) -> None:
    async with _servers(stub, 1, store) as (client,):
        run_id = await _waiting(client, ASKING["revision"])
        async with Pipeline(stub, stub, stub, config=CONFIG, memory=store, approve=lambda *_: True) as pipeline:
            assert (await pipeline.resume(run_id, decision=True)).accepted
        refused = await client.post(f"/v1/runs/{run_id}/cancel")
        assert (refused.status_code, "outside of this server" in refused.text) == (409, True)
        await client.post(f"/v1/runs/{run_id}/resume")
        assert (await until("completed", client, run_id))["result"]["stop_reason"] == "accepted"


@pytest.mark.parametrize("decision", ["", " \n"])
async def test_a_blank_decision_is_422_and_leaves_the_question_open(stub: Stub, store: Path, decision: str) -> None:
    async with _servers(stub, 1, store) as (client,):
        run_id = await _waiting(client, ASKING["ask"])
        for path, body in (("approvals/ask", decision), ("resume", decision), ("resume", {"ask": decision})):
            answer = await client.post(f"/v1/runs/{run_id}/{path}", json={"decision": body})
            assert (answer.status_code, answer.json()["field"]) == (422, "decision")
        assert (await client.get(f"/v1/runs/{run_id}")).json()["status"] == "suspended"


async def test_a_decision_on_a_run_that_waits_for_none_is_409(stub: Stub, store: Path) -> None:
    async with _servers(stub, 1, store) as (client,):
        run = (await client.post("/v1/runs?wait=30", json=RUN)).json()
        answer = await client.post(f"/v1/runs/{run['run_id']}/approvals/revision", json={"decision": True})
    assert answer.status_code == 409
