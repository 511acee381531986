"""Pipelines without a model, and how the answers of tools are read, for the tests of the MCP server."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import SUSPEND, Candidate, CritiqueResult, LoopConfig, Suspend

CONFIG = LoopConfig(max_iterations=6, change_threshold=0.0, score_threshold=0.01, severity_threshold=0.1)


class Parts:
    """Generates "v0", revises "vN" into "vN+1", and accepts `good`.

    Attributes:
        begun: set when the reviser is called.
        in_flight: calls that have begun and not ended.
        prompts: of all calls.
    """

    def __init__(self, good: str = "v3", *, fail: Exception | None = None, hold: asyncio.Event | None = None) -> None:
        self.good = good
        self.fail = fail
        self.hold = hold
        self.begun = asyncio.Event()
        self.in_flight = 0
        self.most_in_flight = 0
        self.calls: list[str] = []
        self.scopes: set[str] = set()

    async def generate(self, prompt: str, context: RunContext) -> Candidate:
        self.calls.append("generate")
        return Candidate("v0")

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.calls.append(f"critique {candidate.content[:20]}")
        self.scopes.add(context.scope.tenant)
        if self.fail is not None:
            raise self.fail
        if candidate.content == self.good:
            return CritiqueResult(severity=0.0)
        version = int(candidate.content[1:]) if candidate.content[1:].isdigit() else 0
        return CritiqueResult(severity=0.9 - 0.1 * version, issues=[f"{candidate.content[:20]} is not good enough"])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Candidate:
        self.calls.append(f"revise {candidate.content[:20]}")
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            self.begun.set()
            if self.hold is not None:
                await self.hold.wait()
        finally:
            self.in_flight -= 1
        version = int(candidate.content[1:]) if candidate.content[1:].isdigit() else 0
        return Candidate(f"v{version + 1}")


def piped(parts: Parts | None = None, **options: Any) -> Pipeline:
    parts = parts or Parts()
    return Pipeline(parts, parts, parts, config=options.pop("config", CONFIG), **options)


def later(*_: object) -> Suspend:
    """Let a person decide about a revision later."""
    return SUSPEND


def structured(result: Any) -> dict[str, Any]:
    """Return the structured content of a tool's result, which also is its text."""
    assert result.structured_content is not None, result
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


def text_of(result: Any) -> str:
    return result.content[0].text


async def eventually(holds: Callable[[], bool]) -> None:
    """Wait until a condition holds; the test's time limit bounds it."""
    while not holds():
        await asyncio.sleep(0.001)


@asynccontextmanager
async def served(app: Any) -> AsyncGenerator[str]:
    """Serve an app on a free port of loopback."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await eventually(lambda: server.started or task.done())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await task
        listener.close()
