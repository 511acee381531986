"""A tool of an MCP server as a critiquer, with the package's own client and server."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from integration_helpers import CONFIG, PROMPT, Parts, piped

pytest.importorskip("mcp.server.mcpserver", reason="mcp 2 is not installed")

from mcp import Client, MCPError
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ComponentError,
    ConfigurationError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from jido_ai.integrations.mcp import MCPCritiquer
from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp import create_server
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, StopReason

CONTEXT = RunContext("run", PROMPT)
seen: list[tuple[str, str]] = []


def judging(answer: Any) -> MCPServer[Any]:
    """Return a server with the tool `judge`, which answers with a value or raises it."""
    server: MCPServer[Any] = MCPServer("judge")

    async def judge(prompt: str, text: str) -> Any:
        seen.append((prompt, text))
        if isinstance(answer, Exception):
            raise answer
        return await cast("Any", answer)(text) if callable(answer) else answer

    async def structured(prompt: str, text: str) -> dict[str, Any]:
        return await judge(prompt, text)

    server.add_tool(judge)
    server.add_tool(structured)
    return server


async def test_the_tool_gets_prompt_and_text_and_its_judgement_is_the_critique() -> None:
    answer = {"severity": 0.6, "issues": ["too short", {"message": "unused", "rule": "F401", "line": 3}]}
    for tool in ("judge", "structured"):
        async with Client(judging(answer)) as client:
            critique = await MCPCritiquer(client, tool).critique(Candidate("draft"), CONTEXT)
        assert seen[-1] == (PROMPT, "draft")
        assert (critique.severity, critique.score, critique.source) == (0.6, 0.4, f"mcp:{tool}")
        assert [issue.message for issue in critique.issues] == ["too short", "unused"]
        assert critique.issues[1].rule == "F401"
        assert critique.issues[1].location is not None
        assert critique.issues[1].location.line == 3


async def test_a_score_is_enough() -> None:
    async with Client(judging({"score": 0.9})) as client:
        critique = await MCPCritiquer(client, "judge").critique(Candidate("draft"), CONTEXT)
    assert critique.severity == pytest.approx(0.1)


async def test_the_critique_tool_of_our_own_server_works_as_a_critiquer() -> None:
    parts = Parts("v2")
    async with Client(create_server({"a": piped(parts)})) as client:
        critiquer = MCPCritiquer(client, "critique", prompt="task")
        async with Pipeline(parts, critiquer, parts, config=CONFIG) as pipeline:
            result = await pipeline.run(PROMPT)
    assert result.stop_reason is StopReason.ACCEPTED
    assert result.best_candidate is not None
    assert result.best_candidate.content == "v2"


async def test_twenty_runs_share_a_client() -> None:
    parts = Parts()

    async def judge(text: str) -> dict[str, Any]:
        return {"severity": 0.0 if text == "v1" else 0.9, "issues": [text]}

    async with Client(judging(judge)) as client:
        critiquer = MCPCritiquer(client, "judge")
        async with Pipeline(parts, critiquer, parts, config=CONFIG) as pipeline:
            results = await asyncio.gather(*(pipeline.run(f"prompt {n}") for n in range(20)))
    assert {result.best_candidate.content for result in results if result.best_candidate} == {"v1"}


@pytest.mark.parametrize(
    ("raised", "kind", "retryable"),
    [
        (MCPError(429, "slow down"), RateLimitError, True),
        (MCPError(-32603, "slow down", {"status": 429}), RateLimitError, True),
        (MCPError(401, "who are you?"), AuthenticationError, False),
        (MCPError(-32603, "who are you?", {"status_code": 401}), AuthenticationError, False),
        (MCPError(-32603, "down", {"status": 503}), ModelUnavailableError, True),
        (MCPError(-32602, "bad"), BadRequestError, False),
        (MCPError(-32603, "something"), ComponentError, True),
    ],
    ids=str,
)
async def test_errors_of_the_server_are_typed(raised: Exception, kind: type[Exception], retryable: bool) -> None:
    async with Client(judging(raised)) as client:
        with pytest.raises(kind) as caught:
            await MCPCritiquer(client, "judge").critique(Candidate("draft"), CONTEXT)
    assert getattr(caught.value, "retryable", None) is retryable


async def test_a_lost_or_slow_server_is_a_passing_failure() -> None:
    async def forever(text: str) -> dict[str, Any]:
        await asyncio.Event().wait()
        return {}

    async with Client(judging(forever), read_timeout_seconds=0.05) as client:
        with pytest.raises(ModelTimeoutError):
            await MCPCritiquer(client, "judge").critique(Candidate("draft"), CONTEXT)
    with pytest.raises((ModelUnavailableError, RuntimeError)):
        await MCPCritiquer(client, "judge").critique(Candidate("draft"), CONTEXT)


async def test_a_failure_of_the_tool_is_a_component_error_without_secrets() -> None:
    secret = "sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD"
    async with Client(judging(ToolError(f"no disk, key {secret}"))) as client:
        with pytest.raises(ComponentError, match="no disk") as caught:
            await MCPCritiquer(client, "judge").critique(Candidate("draft"), CONTEXT)
    assert secret not in str(caught.value)


async def test_an_answer_that_breaks_the_schema_of_its_tool_is_a_component_error() -> None:
    class Breaking:
        async def call_tool(self, name: str, arguments: dict[str, str]) -> Any:
            raise RuntimeError("Invalid structured content returned by tool judge")  # what mcp.Client raises

    with pytest.raises(ComponentError, match="structured content"):
        await MCPCritiquer(Breaking(), "judge").critique(Candidate("draft"), CONTEXT)


@pytest.mark.parametrize(
    "answer",
    [
        "good",
        "",
        "[]",
        "7",
        {},
        {"severity": 2},
        {"severity": "high"},
        {"score": 0.5, "issues": [7]},
        {"issues": ["x"]},
    ],
    ids=json.dumps,
)
async def test_an_answer_that_is_not_a_judgement_is_a_component_error(answer: Any) -> None:
    async with Client(judging(answer)) as client:
        with pytest.raises(ComponentError, match="severity or score"):
            await MCPCritiquer(client, "judge").critique(Candidate("draft"), CONTEXT)


async def test_an_unknown_tool_is_an_error() -> None:
    async with Client(judging({})) as client:
        with pytest.raises((BadRequestError, ComponentError), match="nobody"):
            await MCPCritiquer(client, "nobody").critique(Candidate("draft"), CONTEXT)


@pytest.mark.parametrize("client", [None, "http://127.0.0.1", object()])
def test_an_object_that_is_no_client_is_refused(client: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"need an mcp\.Client"):
        MCPCritiquer(client, "judge")
