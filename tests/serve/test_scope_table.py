"""A token may do what its scopes say, the same at all doors; and what a server limits, it limits at all doors."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import httpx
import pytest

from jido_ai import ReflexionMemory
from jido_ai.errors import BudgetExceededError, ComponentError, StoreFullError
from jido_ai.serve import server
from jido_ai.serve.events import missing_of_run
from jido_ai.serve.problems import problem_of
from jido_ai.serve.tokens import ALL_RIGHTS, Quota, Right, add_token
from tests.serve.conftest import RUN, Stub, client_of, served

# Each route, and the scopes of which a token needs one.
TABLE: Final[dict[str, tuple[Right, ...]]] = {
    "POST /v1/runs": ("run",),
    "GET /v1/runs": ("read",),
    "GET /v1/runs/{run_id}": ("read",),
    "GET /v1/runs/{run_id}/calls": ("read",),
    "GET /v1/runs/{run_id}/events": ("read",),
    "POST /v1/runs/{run_id}/cancel": ("run",),
    "POST /v1/runs/{run_id}/resume": ("run",),
    "POST /v1/runs/{run_id}/approvals/{node}": ("run",),
    "POST /v1/runs/{run_id}/notes": ("run",),
    "POST /v1/critiques": ("run",),
    "POST /v1/chat/completions": ("run",),
    "POST /v1/responses": ("run",),
    "GET /v1/responses/{response_id}": ("run", "read"),  # `run`: those of the same token
    "GET /v1/models": ("run", "read"),
    "GET /v1/models/{model}": ("run", "read"),
    "GET /v1/things": ("run", "read"),
    "GET /v1/memory/search": ("memory",),
    "GET /v1/memory/entries": ("memory",),
    "POST /v1/memory/entries": ("memory",),
    "DELETE /v1/memory/entries": ("memory",),
    "GET /v1/memory/stats": ("memory",),
    "POST /api/v1/reflections/generate": ("memory",),
    "GET /v1/tree": ("read", "admin"),
    "GET /v1/queues": ("read", "admin"),
    "GET /v1/comparisons": ("read", "admin"),
    "GET /v1/cost": ("read",),
    "GET /v1/progress": ("read",),
    "GET /metrics": ("admin",),
}


# Each tool and resource of MCP, with arguments, and the scopes of which a token needs one.
TOOLS: Final[dict[str, tuple[dict[str, Any], tuple[Right, ...]]]] = {
    "run": ({"name": "answer", "prompt": "p"}, ("run",)),
    "improve": ({"text": "draft 0", "pipeline": "answer"}, ("run",)),
    "critique": ({"text": "draft 0", "pipeline": "answer"}, ("run",)),
    "recall": ({"query": "p"}, ("memory",)),
    "remember": ({"prompt": "p", "correction": "c"}, ("memory",)),
    "reflect": ({"description": "d", "events": ["x"], "outcome": "failure"}, ("memory",)),
}
RESOURCES: Final[dict[str, tuple[Right, ...]]] = {
    "memory://episode-memory?query=p": ("memory",),
    "run://mine": ("read",),
}
MCP: Final = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def _bearer(tokens: Path, *rights: Right, **more: Any) -> dict[str, str]:
    token = add_token(tokens, tenant="a", project="p", rights=rights, **more)
    return {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("right", ALL_RIGHTS)
async def test_a_token_with_one_scope_is_refused_exactly_where_the_table_asks_for_others(
    right: Right, tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    headers = _bearer(tokens, right)
    async with client_of(Stub(), tokens=tokens) as client:
        paths: dict[str, Any] = (await client.get("/openapi.json", headers=headers)).json()["paths"]
        found = {f"{method.upper()} {path}" for path in paths for method in paths[path]}
        assert found - {"GET /healthz", "GET /readyz"} == set(TABLE)
        for operation, rights in TABLE.items():
            method, path = operation.split()
            status = (await client.request(method, re.sub(r"\{\w+\}", "x", path), headers=headers)).status_code
            assert (status == 403) == (right not in rights), (operation, status)


async def test_a_token_that_may_only_start_runs_sees_no_texts_of_another_token(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    owner, other = _bearer(tokens, "run", "read"), _bearer(tokens, "run")
    async with client_of(Stub(), tokens=tokens) as client:
        run = (await client.post("/v1/runs?wait=20", json=RUN, headers=owner)).json()
        assert run["result"] is not None
        for method, path, body in (("POST", "/cancel", None), ("POST", "/resume", None), ("GET", "/calls", None)):
            answer = await client.request(method, f"/v1/runs/{run['run_id']}{path}", headers=other, json=body)
            assert "draft" not in answer.text and "tree" not in answer.text, path
        assert (await client.get(f"/v1/responses/resp_{run['run_id']}", headers=other)).status_code == 403
        own = (await client.post("/v1/runs?wait=20", json=RUN, headers=other)).json()
        assert own["result"] is not None


async def _asked(client: httpx.AsyncClient, headers: dict[str, str], method: str, **params: Any) -> dict[str, Any]:
    """Return the answer of MCP to a request in a session of its own."""
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    begun = await client.post("/mcp", json=hello, headers=headers | MCP)
    session = {"mcp-session-id": begun.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    call = {"jsonrpc": "2.0", "id": 2, "method": method, "params": params}
    told = await client.post("/mcp", json=call, headers=headers | MCP | session)
    [line] = [line for line in told.text.splitlines() if line.startswith("data: {")]
    found: dict[str, Any] = json.loads(line.removeprefix("data: "))
    return found


@pytest.mark.parametrize("right", ALL_RIGHTS)
async def test_a_token_with_one_scope_is_refused_exactly_the_tools_and_resources_that_ask_for_others(
    right: Right, tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    headers = _bearer(tokens, right)
    async with client_of(Stub(), tokens=tokens) as client:
        await client.post("/v1/runs?wait=20", json={**RUN, "run_id": "mine"}, headers=_bearer(tokens, "run"))
        tools = (await _asked(client, headers, "tools/list"))["result"]["tools"]
        assert {tool["name"] for tool in tools} == set(TOOLS)
        for name, (arguments, rights) in TOOLS.items():
            answer = await _asked(client, headers, "tools/call", name=name, arguments=arguments)
            assert ("lacks the scope" in json.dumps(answer)) == (right not in rights), (name, answer)
            assert answer["result"].get("isError", False) == (right not in rights), (name, answer)
        for uri, rights in RESOURCES.items():
            answer = await _asked(client, headers, "resources/read", uri=uri)
            assert ("lacks the scope" in json.dumps(answer)) == (right not in rights), (uri, answer)


@pytest.mark.parametrize("arguments", [{}, {"name": "answer", "prompt": RUN["prompt"]}], ids=["by id", "repeated"])
async def test_a_token_that_may_only_start_runs_gets_no_run_of_another_token_from_mcp(
    arguments: dict[str, Any], tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    owner, other = _bearer(tokens, "run"), _bearer(tokens, "run")
    async with client_of(Stub(), tokens=tokens) as client:
        body = {"pipeline": "answer", "prompt": RUN["prompt"], "run_id": "mine"}
        assert (await client.post("/v1/runs?wait=20", json=body, headers=owner)).json()["status"] == "completed"
        for headers, is_told in ((owner, True), (other, False)):
            call = {"name": "run", "arguments": {**arguments, "run_id": "mine"}}
            answer = await _asked(client, headers, "tools/call", **call)
            assert ("draft" in json.dumps(answer)) == is_told, answer
            assert answer["result"].get("isError", False) != is_told


async def test_a_session_of_mcp_belongs_to_the_token_that_began_it(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    owner = _bearer(tokens, "run")
    others = [_bearer(tokens, "run"), {"authorization": f"Bearer {add_token(tokens, tenant='b', project='p')}"}]
    about = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    async with client_of(Stub(), tokens=tokens) as client:
        begun = await client.post("/mcp", json=hello, headers=owner | MCP)
        session = {"mcp-session-id": begun.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
        for other in others:
            for id_ in (session["mcp-session-id"], session["mcp-session-id"].rpartition("-")[0], "x", ""):
                headers = other | MCP | session | {"mcp-session-id": id_}
                assert (await client.delete("/mcp", headers=headers)).status_code == 404
                assert (await client.post("/mcp", json=ask, headers=headers)).status_code == 404
        assert (await client.post("/mcp", json=ask, headers=owner | MCP | session)).status_code == 200
        assert (await client.delete("/mcp", headers=owner | MCP | session)).status_code == 200


async def test_the_body_limit_of_a_token_holds_at_the_door_for_mcp(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.json"
    headers = _bearer(tokens, "run", "read", quota=Quota(body_bytes=1_000))
    headers |= {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    async with client_of(Stub(), tokens=tokens) as client:
        for size, status in ((50_000, 413), (10, 200)):
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"text": "x" * size}}}
            answer = await client.post("/mcp", content=json.dumps(call), headers=headers)
            assert (answer.status_code == 413) == (status == 413), answer.text


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/critiques", {"pipeline": "answer", "prompt": "p", "candidate": "draft 0"}),
        ("/v1/chat/completions", {"model": "answer", "messages": [{"role": "user", "content": "p"}]}),
        ("/v1/responses", {"model": "answer", "input": "p"}),
        ("/api/v1/reflections/generate", {"description": "d", "events": [{"content": "x"}], "outcome": "failure"}),
        ("/v1/memory/entries", {"prompt": "p", "correction": "c"}),
    ],
)
async def test_the_body_limit_of_a_token_holds_at_every_route_that_takes_a_body(
    path: str, body: dict[str, Any], tmp_path: Path
) -> None:
    tokens = tmp_path / "tokens.json"
    headers = _bearer(tokens, "run", "memory", quota=Quota(body_bytes=1_000))
    async with client_of(Stub(), tokens=tokens) as client:
        for size, is_taken in ((2_000, False), (0, True)):
            answer = await client.post(path, json={**body, "metadata": {"text": "x" * size}}, headers=headers)
            assert (answer.status_code != 413) == is_taken, answer.text


async def test_a_server_whose_store_takes_no_writes_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise StoreFullError("the store has no space left")

    async with client_of(Stub()) as client:
        assert (await client.get("/readyz")).status_code == 200
        monkeypatch.setattr(ReflexionMemory, "claim", full)
        assert (await client.get("/readyz")).status_code == 503


async def test_an_unknown_stop_reason_of_a_list_is_refused_with_the_known_ones() -> None:
    async with client_of(Stub()) as client:
        answer = await client.get("/v1/runs?stop_reason=bored")
        assert answer.status_code == 422 and "deadline" in answer.text
        assert (await client.get("/v1/runs?stop_reason=completed")).status_code == 200


@pytest.mark.parametrize("length", ["Content-Length: 1000\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"])
@pytest.mark.parametrize("path", ["/v1/runs", "/mcp", "/nowhere"])
async def test_the_rest_of_a_body_after_an_early_answer_has_a_limit(
    monkeypatch: pytest.MonkeyPatch, stub: Stub, path: str, length: str
) -> None:
    monkeypatch.setattr(server, "_BODY_S", 0.2)
    async with served(stub) as address:
        reader, writer = await _connected(address)
        writer.write(f"POST {path} HTTP/1.1\r\nHost: evil.example\r\n{length}".encode())
        assert b"421" in await reader.readline()
        async with asyncio.timeout(10):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1 << 20)
        writer.close()


@pytest.mark.parametrize("path", ["", "/events"])
async def test_a_client_that_reads_no_more_loses_its_connection_with_one_line_of_log(
    monkeypatch: pytest.MonkeyPatch, stub: Stub, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    async with served(stub) as address, httpx.AsyncClient(base_url=address, timeout=None) as client:
        body = {**RUN, "prompt": "p" * 8_000_000}
        run_id = (await client.post("/v1/runs?wait=30", json=body)).json()["run_id"]
        monkeypatch.setattr(server, "_READ_S", 0.3)
        reader, writer = await _connected(address)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(f"GET /v1/runs/{run_id}{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        async with asyncio.timeout(20):
            while not any("reads no more" in one.getMessage() for one in caplog.records):
                await asyncio.sleep(0.05)
            writer.transport.resume_reading()  # type: ignore[attr-defined]
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1 << 26)
        writer.close()
        assert [one.levelname for one in caplog.records if one.name.startswith(("jido_ai", "uvicorn"))] == ["WARNING"]


async def test_a_client_that_reads_slowly_keeps_its_connection_to_the_end(
    monkeypatch: pytest.MonkeyPatch, stub: Stub
) -> None:
    monkeypatch.setattr(server, "_READ_S", 0.05)
    monkeypatch.setattr(server, "_LEAST_READ_BYTES", 0)
    async with served(stub) as address, httpx.AsyncClient(base_url=address, timeout=None) as client:
        run_id = (await client.post("/v1/runs?wait=30", json={**RUN, "prompt": "p" * 4_000_000})).json()["run_id"]
        size = 0
        async with client.stream("GET", f"/v1/runs/{run_id}") as answer:
            async for piece in answer.aiter_raw(1 << 18):
                size += len(piece)
                await asyncio.sleep(0.02)
        assert size == int(answer.headers["content-length"])


async def _connected(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


def test_a_judgement_past_a_limit_of_all_calls_is_a_quota_problem() -> None:
    error = ComponentError("refused", component="critiquer")
    error.__cause__ = BudgetExceededError("monthly_budget_usd", allowed=10, spent=12)
    assert problem_of(error).kind == "quota"
    error.__cause__ = OSError("no")
    assert problem_of(error).kind == "model-failed"


def test_the_events_that_a_journal_gives_back_begin_with_the_start_of_the_run() -> None:
    recorded: Any = SimpleNamespace(
        run_id="r", prompt="p", lessons=(), examples_used=(), iterations=[], reflections={}, pending=[]
    )
    events = missing_of_run(recorded)
    assert [type(one).__name__ for one in events][:1] == ["RunStarted"]
