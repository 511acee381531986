"""The list of runs: filters, orders, pages, figures, and notes of people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai.graph.orders import RunOrder
from jido_ai.loop.journal import RunJournal
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import accepted_record, ended_record
from jido_ai.serve.tokens import add_token
from jido_ai.values import Scope
from tests.serve.conftest import RUN, Stub, until

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def fill(memory: ReflexionMemory, runs: int = 8) -> None:
    """Store runs that ended: two begin in each minute, every fourth one fails, every third one has no known cost."""
    records = []
    for number in range(runs):
        at = NOON + timedelta(minutes=number // 2)
        order = RunOrder(run_id=f"r{number}", name="answer" if number % 2 else "asks", prompt=f"Question {number}")
        failed = number % 4 == 3
        summary = {
            "stop_reason": "error" if failed else "accepted",
            "score": None if failed else number / 10,
            "cost_usd": None if number % 3 == 2 else 0.01 * (runs - number),
            "duration_s": float(number),
        }
        ended = ended_record(order, "failed" if failed else "completed", None, summary, f"Reply {number * 11}")
        records += [replace(accepted_record(order), timestamp=at), ended]
    await memory.append(records)


async def ids_of(client: httpx.AsyncClient, query: str, limit: int = 3) -> list[str]:
    """Return the ids of all pages of a list."""
    ids: list[str] = []
    cursor = ""
    while True:
        answer = await client.get(f"/v1/runs?limit={limit}&{query}{cursor}")
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["data"]) <= limit
        ids += [run["run_id"] for run in page["data"]]
        if page["next_cursor"] is None:
            return ids
        cursor = f"&cursor={page['next_cursor']}"


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [6, 7, 4, 5, 2, 3, 0, 1]),
        ("sort=created_at", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("sort=-duration", [7, 6, 5, 4, 3, 2, 1, 0]),
        ("sort=duration", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("sort=cost", [7, 6, 4, 3, 1, 0, 2, 5]),
        ("sort=-cost", [0, 1, 3, 4, 6, 7, 2, 5]),
        ("sort=-score", [6, 5, 4, 2, 1, 0, 3, 7]),
        ("sort=score", [0, 1, 2, 4, 5, 6, 3, 7]),
        ("pipeline=asks", [6, 4, 2, 0]),
        ("status=failed", [7, 3]),
        ("stop_reason=accepted&pipeline=answer", [5, 1]),
        ("since=2026-03-01T12:02:00Z", [6, 7, 4, 5]),
        ("until=2026-03-01T12:02:00Z", [2, 3, 0, 1]),
        ("since=2026-03-01T13:01:00+01:00&until=2026-03-01T12:02:00", [2, 3]),
        ("since=2026-03-02", []),
        ("q=QUESTION 3", [3]),
        ("q=reply 66", [6]),
        ("q=r5", [5]),
        ("q=question&status=failed&sort=created_at", [3, 7]),
    ],
)
@pytest.mark.parametrize("limit", [1, 3, 8])
async def test_a_list_is_filtered_and_ordered_without_a_gap_between_pages(
    open_client: Callable[..., Any], query: str, numbers: list[int], limit: int
) -> None:
    async with ReflexionMemory() as memory:
        await fill(memory)
        async with open_client(memory=memory) as client:
            assert await ids_of(client, query, limit) == [f"r{number}" for number in numbers]


async def test_the_figures_are_those_of_all_runs_that_fit(open_client: Callable[..., Any]) -> None:
    async with ReflexionMemory() as memory:
        await fill(memory)
        async with open_client(memory=memory) as client:
            whole = (await client.get("/v1/runs?limit=1")).json()["figures"]
            part = (await client.get("/v1/runs?pipeline=asks&limit=1")).json()["figures"]
            none = (await client.get("/v1/runs?q=nobody")).json()["figures"]
    assert whole == {"runs": 8, "failed": 2, "error_rate": 0.25, "p50_s": 3.0, "p95_s": 7.0}
    assert part == {"runs": 4, "failed": 0, "error_rate": 0.0, "p50_s": 2.0, "p95_s": 6.0}
    assert none == {"runs": 0, "failed": 0, "error_rate": None, "p50_s": None, "p95_s": None}


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/v1/runs?sort=age", "sort"),
        ("/v1/runs?since=yesterday", "since"),
        ("/v1/runs?until=12:00", "until"),
        ("/v1/runs?cursor=W10", "cursor"),
        ("/v1/runs?stopreason=error", "stopreason"),
        ("/v1/runs/x?result=false", "result"),
        ("/v1/tree?x=1", "x"),
        ("/v1/memory/stats?tenant=a", "tenant"),
    ],
)
async def test_an_unknown_parameter_or_value_is_422_and_named(client: httpx.AsyncClient, path: str, field: str) -> None:
    answer = await client.get(path)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


async def test_a_cursor_of_another_order_is_422(open_client: Callable[..., Any]) -> None:
    async with ReflexionMemory() as memory:
        await fill(memory)
        async with open_client(memory=memory) as client:
            cursor = (await client.get("/v1/runs?limit=1")).json()["next_cursor"]
            assert (await client.get(f"/v1/runs?sort=cost&cursor={cursor}")).status_code == 422


async def test_a_run_in_flight_is_found_by_its_current_status(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    run = (await client.post("/v1/runs", json=RUN)).json()
    await until("running", client, run["run_id"])
    assert await ids_of(client, "status=running") == [run["run_id"]]
    assert await ids_of(client, "status=queued") == []
    stub.gate.set()
    await until("completed", client, run["run_id"])
    assert await ids_of(client, "status=running") == []
    assert await ids_of(client, "status=completed&stop_reason=accepted&q=draft 3") == [run["run_id"]]


async def test_runs_that_another_process_adds_or_removes_are_seen(open_client: Callable[..., Any], store: Path) -> None:
    async with ReflexionMemory(str(store)) as other, open_client(memory=str(store)) as client:
        assert await ids_of(client, "") == []
        await fill(other, 4)
        assert await ids_of(client, "") == ["r2", "r3", "r0", "r1"]
        await other.drop_records("served", key="r2")
        assert await ids_of(client, "") == ["r3", "r0", "r1"]


# -- notes -----------------------------------------------------------------------------------------


async def noted(client: httpx.AsyncClient, body: dict[str, Any]) -> Any:
    """Note something on the run "mine" and return what its list shows."""
    answer = await client.post("/v1/runs/mine/notes", json=body)
    assert answer.status_code == 200, answer.text
    [listed] = (await client.get("/v1/runs?q=mine")).json()["data"]
    one = (await client.get("/v1/runs/mine")).json()
    assert answer.json()["notes"] == listed["notes"] == one["notes"]
    return None if one["notes"] is None else (one["notes"]["thumb"], one["notes"]["note"])


async def test_a_person_notes_a_thumb_and_a_text_and_takes_them_back(client: httpx.AsyncClient) -> None:
    await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})
    assert (await client.get("/v1/runs/mine")).json()["notes"] is None
    assert await noted(client, {"thumb": "down", "note": "the critic is wrong"}) == ("down", "the critic is wrong")
    assert await noted(client, {"thumb": "up"}) == ("up", "the critic is wrong")
    assert await noted(client, {"thumb": None}) == (None, "the critic is wrong")
    assert await noted(client, {"note": ""}) is None


async def test_notes_are_there_after_a_restart_and_forgotten_with_the_run(
    open_client: Callable[..., Any], store: Path
) -> None:
    async with open_client(memory=str(store)) as client:
        await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})
        await noted(client, {"thumb": "up", "note": "good"})
    async with open_client(memory=str(store)) as client:
        assert (await client.get("/v1/runs?q=mine")).json()["data"][0]["notes"]["note"] == "good"
    async with ReflexionMemory(str(store)) as memory:
        await RunJournal(memory).forget("mine")
        assert await memory.records("notes") == []


@pytest.mark.parametrize("has_begun", [True, False])
async def test_a_forgotten_run_is_neither_listed_nor_found_nor_replayed(
    has_begun: bool, open_client: Callable[..., Any], store: Path
) -> None:
    async with open_client(memory=str(store)) as client:
        if has_begun:
            await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "r0"})
        async with ReflexionMemory(str(store)) as memory:
            await fill(memory, runs=2)
            assert "r0" in await ids_of(client, "")
            await RunJournal(memory).forget("r0")
            for log in ("served", "events", "journal", "calls", "notes"):
                assert not await memory.records(log, key="r0")
        assert await ids_of(client, "") == ["r1"]
        for path in ("", "/events", "/calls"):
            assert (await client.get(f"/v1/runs/r0{path}")).status_code == 404


async def test_a_thumb_and_a_text_that_come_at_once_are_both_kept(client: httpx.AsyncClient) -> None:
    await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})
    bodies = [{"thumb": "up"}, {"note": "good"}]
    await asyncio.gather(*(client.post("/v1/runs/mine/notes", json=one) for one in bodies))
    assert await noted(client, {}) == ("up", "good")


@pytest.mark.parametrize("body", [{"thumb": "sideways"}, {"note": 3}, {"stars": 5}, {"note": "x" * 10_001}])
async def test_an_impossible_note_is_422(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})
    assert (await client.post("/v1/runs/mine/notes", json=body)).status_code == 422


async def test_a_note_on_an_unknown_run_is_404(client: httpx.AsyncClient) -> None:
    assert (await client.post("/v1/runs/nix/notes", json={"thumb": "up"})).status_code == 404


async def test_a_note_on_a_run_in_flight_does_not_disturb_it(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    await client.post("/v1/runs", json={**RUN, "run_id": "mine"})
    await until("running", client, "mine")
    assert await noted(client, {"thumb": "up"}) == ("up", "")
    stub.gate.set()
    run = await until("completed", client, "mine")
    assert run["notes"]["thumb"] == "up"


async def test_a_list_has_one_tenant_of_all_on_a_server_without_tokens(open_client: Callable[..., Any]) -> None:
    async with ReflexionMemory() as memory:
        for number, (tenant, project) in enumerate([("acme", "a"), ("acme", "b"), ("default", "default")]):
            order = RunOrder(run_id=f"r{number}", name="answer", prompt="p", scope=Scope(tenant, project))
            record = replace(accepted_record(order), timestamp=NOON + timedelta(minutes=number))
            await memory.append([record, ended_record(order, "completed", None, {}, "reply")])
        async with open_client(memory=memory) as client:
            assert await ids_of(client, "") == ["r2"]
            assert await ids_of(client, "tenant=acme", limit=1) == ["r1", "r0"]
            assert await ids_of(client, "tenant=default&status=completed") == ["r2"]
            assert await ids_of(client, "tenant=nobody") == []


async def test_a_token_lists_no_tenant_but_its_own(open_client: Callable[..., Any], tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    ours, theirs = (add_token(tokens, tenant=name, project="p") for name in ("ours", "theirs"))
    async with open_client(tokens=tokens, token=ours) as client:
        await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})
        other = {"authorization": f"Bearer {theirs}"}
        assert await ids_of(client, "tenant=ours") == ["mine"]
        assert await ids_of(client, "tenant=theirs") == []
        assert (await client.get("/v1/runs?tenant=ours", headers=other)).json()["data"] == []
