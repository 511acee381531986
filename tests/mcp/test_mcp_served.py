"""MCP through `jido serve`: the same runs, tokens and limits as over its API."""

# ruff: noqa: SIM117 - what is asked is inside of what is served
from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp_helpers import Parts, eventually, later, piped, served, structured, text_of

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")
pytest.importorskip("fastapi", reason="fastapi is not installed")

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult
from typer.testing import CliRunner

from jido_ai.cli.commands.token import app as token_command
from jido_ai.serve import create_app

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
HELLO: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@asynccontextmanager
async def client_with(url: str, token: str, **options: Any) -> AsyncGenerator[Client]:
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http), **options) as client:
            yield client


def new_token(file: Path, tenant: str, *more: str) -> str:
    arguments = ["new", "--tokens", str(file), "--tenant", tenant, "--project", "p", *more]
    made = CliRunner().invoke(token_command, arguments)
    assert made.exit_code == 0, made.output
    return made.output.split()[-1]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_runs_of_mcp_are_runs_of_the_server(mode: Any) -> None:
    told: list[str | None] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async with served(create_app({"a": piped(Parts("v1"))})) as url, httpx.AsyncClient() as http:
        async with Client(url, mode=mode) as client:
            made = structured(await client.call_tool("improve", {"text": "v0"}, progress_callback=note))
            judged = structured(await client.call_tool("critique", {"text": "v0", "task": "count"}))
            run = await client.read_resource(f"run://{made['run_id']}")
            await client.call_tool("remember", {"prompt": "parse a date", "correction": "use datetime"})
        shown = (await http.get(f"{url.removesuffix('/mcp')}/v1/runs/{made['run_id']}")).json()
        found = (await http.get(f"{url.removesuffix('/mcp')}/v1/memory/search?q=parse+a+date")).text
    assert made["best_candidate"] == "v1"
    assert shown["status"] == made["status"] == "completed"
    assert json.loads(run.contents[0].text)["name"] == "a"  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
    assert judged["severity"] == pytest.approx(0.9)
    assert "use datetime" in found
    await eventually(lambda: len(told) == 2)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("answer", "output"), [("yes", "v1"), ("no", "v0"), ("v1 ", "v1 ")])
async def test_a_person_decides_through_the_server(mode: Any, answer: str, output: str) -> None:
    async def person(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"decision": answer})

    app = create_app({"a": piped(Parts("v1 " if output == "v1 " else "v1"), approve=later)})
    async with served(app) as url, Client(url, mode=mode, elicitation_callback=person) as client:
        told = structured(await client.call_tool("run", {"name": "a", "prompt": "count"}))
    assert (told["output"], told["status"]) == (output, "completed")


async def test_a_run_that_waits_is_decided_over_the_api() -> None:
    async with served(create_app({"a": piped(Parts("v1"), approve=later)})) as url, httpx.AsyncClient() as http:
        async with Client(url) as client:
            told = structured(await client.call_tool("run", {"name": "a", "prompt": "count", "run_id": "asked"}))
            assert told["status"] == "suspended"
            runs = f"{url.removesuffix('/mcp')}/v1/runs/asked"
            decided = await http.post(f"{runs}/resume", json={"decision": True})
            assert decided.status_code in (200, 202), decided.text
            again = structured(await client.call_tool("run", {"run_id": "asked"}))
            while again["status"] in ("queued", "running"):
                again = structured(await client.call_tool("run", {"run_id": "asked"}))
    assert again["output"] == "v1"


async def test_a_cancelled_call_ends_its_run_on_the_server() -> None:
    parts = Parts(hold=asyncio.Event())
    async with served(create_app({"a": piped(parts)})) as url, Client(url) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "run", {"name": "a", "prompt": "count", "run_id": "stopped"})
            await parts.begun.wait()
            group.cancel_scope.cancel()
        await eventually(lambda: parts.in_flight == 0)
        told = structured(await client.call_tool("run", {"run_id": "stopped"}))
        while told["status"] in ("queued", "running"):
            told = structured(await client.call_tool("run", {"run_id": "stopped"}))
    assert told["status"] == "cancelled"


async def test_a_recalled_lesson_has_the_counts_of_the_runs_that_had_it() -> None:
    names = ("offered", "shown", "used", "succeeded", "in_words")
    async with served(create_app({"a": piped()})) as url, client_with(url, None) as client:
        await client.call_tool("remember", {"prompt": "parse a date", "correction": "name the zone"})
        for wanted in (
            [0, 0, 0, 0, "not offered to a run yet"],
            [1, 0, 0, 0, "offered to 1 run, and no component looked at it"],
        ):
            lessons = structured(await client.call_tool("recall", {"query": "parse a date"}))["lessons"]
            (lesson,) = [one for one in lessons if one["correction"] == "name the zone"]
            assert [lesson[name] for name in names] == wanted
            await client.call_tool("run", {"name": "a", "prompt": "parse a date"})


async def test_each_token_has_its_own_runs_and_lessons_and_only_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    one, two = new_token(file, "one"), new_token(file, "two")
    reader = new_token(file, "one", "--scope", "read")
    async with served(create_app({"a": piped()}, tokens=file)) as url:
        async with client_with(url, one) as client:
            await client.call_tool("remember", {"prompt": "parse a date", "correction": "secret of one"})
            run_id = structured(await client.call_tool("run", {"name": "a", "prompt": "x"}))["run_id"]
        async with client_with(url, two) as client:
            assert structured(await client.call_tool("recall", {"query": "parse a date"}))["lessons"] == []
            assert (await client.call_tool("run", {"run_id": run_id})).is_error
            with pytest.raises(MCPError):
                await client.read_resource(f"run://{run_id}")
        async with client_with(url, reader) as client:
            assert (await client.read_resource(f"run://{run_id}")).contents
            for name, arguments in {"run": {"name": "a", "prompt": "x"}, "recall": {"query": "x"}}.items():
                refused = await client.call_tool(name, arguments)
                assert refused.is_error
                assert "lacks the scope" in text_of(refused)
        async with httpx.AsyncClient() as http:
            for headers in ({}, {"authorization": "Bearer wrong"}):
                answer = await http.post(url, json=HELLO, headers={**HEADERS, **headers})
                assert answer.status_code == 401


async def test_the_answer_to_a_question_of_one_token_is_nothing_to_another(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    one, two = new_token(file, "one"), new_token(file, "two")
    call = {"name": "a", "prompt": "count", "run_id": "asked"}
    yes: dict[str, Any] = {"decision": ElicitResult(action="accept", content={"decision": "yes"})}

    async def nobody(context: Any, params: Any) -> ElicitResult:
        raise AssertionError

    async with served(create_app({"a": piped(Parts("v1"), approve=later)}, tokens=file)) as url:
        async with client_with(url, one, elicitation_callback=nobody) as client:
            asked: Any = await client.session.call_tool("run", call, allow_input_required=True)
        async with client_with(url, two, elicitation_callback=nobody) as client:
            with pytest.raises(MCPError, match="requestState"):
                await client.session.call_tool(
                    "run", call, input_responses=yes, request_state=asked.request_state, allow_input_required=True
                )


async def test_an_answer_past_the_quota_is_refused_and_the_question_stays_open(tmp_path: Path) -> None:
    file = tmp_path / "tokens.json"
    token = new_token(file, "one", "--runs-a-minute", "1")
    call = {"name": "a", "prompt": "count", "run_id": "asked"}
    yes: dict[str, Any] = {"decision": ElicitResult(action="accept", content={"decision": "yes"})}

    async def nobody(context: Any, params: Any) -> ElicitResult:
        raise AssertionError

    async with served(create_app({"a": piped(Parts("v1"), approve=later)}, tokens=file)) as url:
        async with client_with(url, token, elicitation_callback=nobody) as client:
            asked: Any = await client.session.call_tool("run", call, allow_input_required=True)
            answer: Any = await client.session.call_tool(
                "run", call, input_responses=yes, request_state=asked.request_state, allow_input_required=True
            )
        assert answer.is_error
        assert "within a minute; the maximum is 1" in text_of(answer)
        async with httpx.AsyncClient(headers={"authorization": f"Bearer {token}"}) as http:
            run = (await http.get(f"{url.removesuffix('/mcp')}/v1/runs/asked")).json()
        assert (run["status"], len(run["waiting"])) == ("suspended", 1)


async def test_the_door_keeps_hosts_origins_and_large_bodies_out() -> None:
    async with served(create_app({"a": piped()})) as url, httpx.AsyncClient() as http:
        for headers, status in (({"host": "evil.example"}, 421), ({"origin": "https://evil.example"}, 403)):
            assert (await http.post(url, json=HELLO, headers={**HEADERS, **headers})).status_code == status
        large = json.dumps({**HELLO, "params": {"text": "x" * (10 * 1024 * 1024)}})
        assert (await http.post(url, content=large, headers=HEADERS)).status_code == 413
        assert (await http.post(url, json=HELLO, headers=HEADERS)).status_code == 200
