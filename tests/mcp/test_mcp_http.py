"""The MCP server over streamable HTTP, on loopback, with the package's own client and with hostile requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from mcp_helpers import Parts, eventually, later, piped, served, structured

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")

import anyio
from mcp import Client
from mcp_types import ElicitResult

from jido_ai.errors import ConfigurationError
from jido_ai.mcp import StreamableHTTP, create_server
from jido_ai.mcp.limits import Caller
from jido_ai.values import Scope

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_tools_work_over_http_with_progress(mode: Any) -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with (
        served(StreamableHTTP(create_server({"a": piped(Parts("v1"))}))) as url,
        Client(url, mode=mode) as client,
    ):
        result = structured(await client.call_tool("improve", {"text": "v0"}, progress_callback=note))
        run = await client.read_resource(f"run://{result['run_id']}")
    assert result["best_candidate"] == "v1"
    assert json.loads(run.contents[0].text)["status"] == "completed"  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
    await eventually(lambda: len(told) == 2)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_person_approves_over_http(mode: Any) -> None:
    async def yes(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": "yes"})

    app = StreamableHTTP(create_server({"a": piped(Parts("v2"), approve=later)}))
    async with served(app) as url, Client(url, mode=mode, elicitation_callback=yes) as client:
        assert structured(await client.call_tool("improve", {"text": "v0"}))["best_candidate"] == "v2"


async def test_a_cancelled_call_ends_its_run_over_http() -> None:
    parts = Parts(hold=asyncio.Event())
    async with served(StreamableHTTP(create_server({"a": piped(parts)}))) as url, Client(url) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "run", {"name": "a", "prompt": "count"})
            await parts.begun.wait()
            group.cancel_scope.cancel()
        await eventually(lambda: parts.in_flight == 0)
        assert parts.in_flight == 0


async def test_a_foreign_host_is_421_and_a_foreign_origin_403() -> None:
    parts = Parts()
    async with served(StreamableHTTP(create_server({"a": piped(parts)}))) as url, httpx.AsyncClient() as http:
        wrong: list[tuple[dict[str, str], int]] = [
            ({"host": "evil.example"}, 421),
            ({"host": "127.0.0.1.evil.example"}, 421),
            ({"host": "localhost.evil.example:80"}, 421),
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"origin": "http://localhost.evil.example"}, 403),
            ({"origin": "http://127.0.0.1.evil.example:8000"}, 403),
        ]
        for headers, status in wrong:
            for more in ({}, {"mcp-protocol-version": "2026-07-28"}):
                answer = await http.post(url, json=HELLO, headers={**HEADERS, **headers, **more})
                assert answer.status_code == status, headers
        for headers in ({"host": "localhost"}, {"host": "[::1]:7"}, {"origin": "http://localhost:3000"}):
            assert (await http.post(url, json=HELLO, headers={**HEADERS, **headers})).status_code == 200
    assert parts.calls == []


async def test_a_body_above_the_limit_is_413() -> None:
    async with served(StreamableHTTP(create_server({"a": piped()}))) as url, httpx.AsyncClient() as http:
        body = json.dumps({**HELLO, "params": {"text": "x" * (10 * 1024 * 1024)}})
        assert (await http.post(url, content=body, headers=HEADERS)).status_code == 413
        answer = await http.post(url, content=iter_of(body), headers=HEADERS)  # no length is told
        assert answer.status_code == 413


async def iter_of(body: str) -> AsyncGenerator[bytes]:
    for start in range(0, len(body), 1 << 20):
        yield body[start : start + (1 << 20)].encode()


@pytest.mark.parametrize(
    "body", ["", "{", "[]", "null", '{"jsonrpc": "2.0"}', "[" * 100_000, '{"id": NaN}', '"\\ud800"']
)
async def test_a_malformed_body_is_a_400_and_the_server_stays_up(body: str) -> None:
    async with served(StreamableHTTP(create_server({"a": piped()}))) as url, httpx.AsyncClient() as http:
        answer = await http.post(url, content=body, headers=HEADERS)
        assert answer.status_code == 400
        assert "Traceback" not in answer.text
        assert (await http.post(url, json=HELLO, headers=HEADERS)).status_code == 200


@pytest.mark.slow
async def test_a_thousand_concurrent_calls_run_a_few_at_a_time_and_all_end() -> None:
    parts = Parts("v1")
    server = create_server({"a": piped(parts)}, max_runs=8)
    async with Client(server) as client:
        results = await asyncio.gather(*(client.call_tool("improve", {"text": "v0"}) for _ in range(1000)))
    assert {structured(one)["best_candidate"] for one in results} == {"v1"}
    assert parts.most_in_flight <= 8


async def test_calls_beyond_the_queue_are_refused() -> None:
    parts = Parts("v1", hold=asyncio.Event())
    assert parts.hold is not None
    async with Client(create_server({"a": piped(parts)}, max_runs=2, max_queue=3)) as client:
        calls = [asyncio.create_task(client.call_tool("improve", {"text": "v0"})) for _ in range(10)]
        await eventually(lambda: sum(call.done() for call in calls) == 5)
        refused = [call.result() for call in calls if call.done()]
        parts.hold.set()
        ended = [await call for call in calls if call.result not in refused]
    assert all(one.is_error and "are already waiting" in one.content[0].text for one in refused)  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
    assert sum(not one.is_error for one in ended) == 5


async def test_an_argument_of_10_mb_is_refused_and_the_server_stays_up() -> None:
    parts = Parts()
    large = "x" * 10_000_000
    async with served(StreamableHTTP(create_server({"a": piped(parts)}))) as url, Client(url) as client:
        critique = await client.call_tool("critique", {"text": large})
        improve = await client.call_tool("improve", {"text": "v0", "task": large})
        run = await client.call_tool("run", {"name": "a", "inputs": {"topic": large}})
        judged = await client.call_tool("critique", {"text": large[:8_000_000]})
        kept = await client.call_tool("remember", {"prompt": large})
        found = await client.call_tool("recall", {"query": large})
        deep: Any = "x"
        for _ in range(150):
            deep = [deep]
        nested = await client.call_tool("run", {"name": "a", "inputs": {"topic": deep}})
        small = await client.call_tool("critique", {"text": "v0"})
    assert not judged.is_error
    for refused in (critique, improve, run, kept, found, nested):
        assert refused.is_error
        assert len(refused.content[0].text) < 2_000  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
    assert not small.is_error


async def test_each_request_has_the_scope_of_its_own_token() -> None:
    def caller_of(context: Any) -> Caller:
        token = context.request.headers.get("authorization", "")
        return Caller(scope=Scope(token.removeprefix("Bearer ") or "nobody"))

    app = StreamableHTTP(create_server({"a": piped()}, caller_of=caller_of))
    async with served(app) as url:
        for tenant in ("one", "two"):
            async with httpx.AsyncClient(headers={"authorization": f"Bearer {tenant}"}) as http:
                await call(http, url, "remember", {"prompt": f"task of {tenant}", "correction": tenant})
        async with httpx.AsyncClient(headers={"authorization": "Bearer one"}) as http:
            found = await call(http, url, "recall", {"query": "task of"})
    assert [lesson["correction"] for lesson in found["lessons"]] == ["one"]


async def call(http: httpx.AsyncClient, url: str, tool: str, arguments: dict[str, Any]) -> Any:
    """Call a tool as a client of an older protocol does, and return its structured content."""
    answer = await http.post(url, json=HELLO, headers=HEADERS)
    session = {"mcp-session-id": answer.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    await http.post(url, json=ready, headers={**HEADERS, **session})
    request = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    told = await http.post(url, json=request, headers={**HEADERS, **session})
    (line,) = [line for line in told.text.splitlines() if line.startswith("data: {")]
    return json.loads(line.removeprefix("data: "))["result"]["structuredContent"]


async def test_a_server_may_be_entered_again_and_says_if_it_is_not_entered() -> None:
    app = StreamableHTTP(create_server({"a": piped()}))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as http:
        with pytest.raises(ConfigurationError, match="enter it in the lifespan"):
            await http.post("/", json=HELLO, headers=HEADERS)
        for _ in range(2):
            async with app:
                assert (await http.post("/", json=HELLO, headers=HEADERS)).status_code == 200
                with pytest.raises(ConfigurationError, match="already running"):
                    await app.__aenter__()
