"""Calls of models over HTTP: read with the run, page by page; streams of events have no texts of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai import Graph, LLMCritiquer, LLMGenerator, Pipeline, StepNode
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.tokens import add_token
from jido_ai.values import Completion, CompletionRequest, ModelCall
from tests.serve.conftest import Stub, client_of, events_of

GOOD = '{"issues": [], "suggestions": [], "severity": 0.0, "feedback": ""}'
PROMPT = "a very private question"


async def model(request: CompletionRequest) -> Completion:
    return Completion(GOOD if "judge" in request.messages[0].content else "a private answer")


def things() -> dict[str, Any]:
    return {
        "answer": Pipeline(LLMGenerator(model), LLMCritiquer(model)),
        "line": Graph({"a": StepNode(model, prompt="{topic}")}, inputs=["topic"], output="a"),
    }


async def ended(client: httpx.AsyncClient, run_id: str = "r") -> dict[str, Any]:
    body = {"pipeline": "answer", "prompt": PROMPT, "run_id": run_id}
    return (await client.post("/v1/runs?wait=30", json=body)).json()


async def test_the_calls_of_a_run_come_page_by_page() -> None:
    async with client_of(Stub(), things=things()) as client:
        run = await ended(client)
        whole = (await client.get("/v1/runs/r/calls")).json()
        first = (await client.get("/v1/runs/r/calls?limit=1")).json()
        second = (await client.get(f"/v1/runs/r/calls?limit=1&cursor={first['next_cursor']}")).json()
    calls = [ModelCall.model_validate(call) for call in whole["data"]]
    assert [(call.seq, call.role) for call in calls] == [(1, "generator"), (2, "critiquer")]
    assert PROMPT in calls[0].messages[-1].content and calls[0].reply == "a private answer"
    assert whole["next_cursor"] is second["next_cursor"] is None
    assert first["data"] + second["data"] == whole["data"]
    assert "calls" not in run["result"]


async def test_the_calls_of_a_graph_have_paths() -> None:
    async with client_of(Stub(), things=things()) as client:
        body = {"graph": "line", "inputs": {"topic": "trees"}, "run_id": "g"}
        await client.post("/v1/runs?wait=30", json=body)
        [call] = (await client.get("/v1/runs/g/calls")).json()["data"]
    assert (call["run_id"], call["path"]) == ("g", "a")


async def test_streams_of_events_tell_of_calls_without_their_texts() -> None:
    async with client_of(Stub(), things=things()) as client:
        await ended(client)
        events = await events_of(client, "r")
    called = [event for event in events if event["type"] == "ModelCalled"]
    assert [event["call"]["seq"] for event in called] == [1, 2]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert not any(text in json.dumps(called) for text in ("private", "You judge"))


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "cursor=-1", "cursor=x", "page=2", "limits=3"])
async def test_a_wrong_parameter_is_422(query: str) -> None:
    async with client_of(Stub(), things=things()) as client:
        await ended(client)
        answer = await client.get(f"/v1/runs/r/calls?{query}")
    assert answer.status_code == 422 and answer.json()["field"] == query.partition("=")[0]


async def test_an_unknown_run_is_404() -> None:
    async with client_of(Stub(), things=things()) as client:
        assert (await client.get("/v1/runs/nobody/calls")).status_code == 404


async def test_a_token_reads_the_calls_of_its_own_runs_only(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    mine, other = (add_token(file, tenant=tenant, project="p") for tenant in ("mine", "other"))
    learner = add_token(file, tenant="mine", project="p", rights=("memory",))
    async with client_of(Stub(), things=things(), tokens=file, memory=ReflexionMemory()) as client:
        body = {"pipeline": "answer", "prompt": PROMPT, "run_id": "r"}
        await client.post("/v1/runs?wait=30", json=body, headers={"authorization": f"Bearer {mine}"})
        statuses = [
            (await client.get("/v1/runs/r/calls", headers={"authorization": f"Bearer {token}"})).status_code
            for token in (mine, other, learner, "none")
        ]
    assert statuses == [200, 404, 403, 401]
