"""A server over stubs: in this process, or as a real one on loopback."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from jido_ai import (
    SUSPEND,
    ApprovalNode,
    Candidate,
    CritiqueResult,
    Graph,
    LoopConfig,
    LoopNode,
    Pipeline,
    RunContext,
    StepNode,
)
from jido_ai.serve import create_app
from jido_ai.serve.server import _Protocol, bound_socket

FIRST = "draft 0"
CONFIG = LoopConfig(max_iterations=4, severity_threshold=0.4, patience=10)
RUN = {"pipeline": "answer", "prompt": "What is a tree?", "initial_candidate": FIRST}


@dataclass
class Stub:
    """Judges "draft N" with a severity of 0.9 - 0.2 N, and revises it to draft N + 1.

    Attributes:
        gate: each critique waits until it is set.
        seen: what it was asked, in order.
    """

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gate.set()

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.seen.append(f"critique {candidate.content} in {context.scope.tenant}")
        await self.gate.wait()
        if candidate.content == "broken":
            raise RuntimeError("the critic broke")
        number = int(candidate.content.split()[1]) if candidate.content.startswith("draft") else 3
        return CritiqueResult(severity=0.9 - 0.2 * number, issues=[f"issue of {number}"] if number < 3 else [])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self.seen.append(f"revise {candidate.content}")
        return f"draft {int(candidate.content.split()[1]) + 1} " + "of words " * 5

    async def generate(self, prompt: str, context: RunContext) -> str:
        self.seen.append(f"generate {prompt}")
        return FIRST


def things(stub: Stub) -> dict[str, Pipeline | Graph]:
    """Return a pipeline, one that asks a person, one that breaks, and a graph with an approval."""
    loop = LoopNode("{topic}", critiquer=stub, reviser=stub, initial=FIRST, config=CONFIG)

    async def joined(text: str) -> str:
        return f"final: {text}"

    return {
        "answer": Pipeline(stub, stub, stub, config=CONFIG),
        "asks": Pipeline(stub, stub, stub, config=CONFIG, approve=lambda *_: SUSPEND),
        "talk": Graph(
            {
                "loop": loop,
                "ask": ApprovalNode("{loop}"),
                "end": StepNode(joined, inputs={"text": "{ask}"}),
            },
            inputs=["topic"],
            output="end",
        ),
        "line": Graph({"loop": loop}, inputs=["topic"], output="loop"),
    }


@pytest.fixture
def stub() -> Stub:
    return Stub()


@asynccontextmanager
async def client_of(
    stub: Stub, *, memory: Any = None, token: str | None = None, host: str = "localhost", **options: Any
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of a server in this process, which is stopped at the end."""
    app = create_app(options.pop("things", None) or things(stub), memory=memory, **options)
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{host}", headers=headers) as client:
            yield client


@pytest.fixture
async def client(stub: Stub) -> AsyncGenerator[httpx.AsyncClient]:
    async with client_of(stub) as found:
        yield found


@pytest.fixture
def open_client(stub: Stub) -> Callable[..., Any]:
    """Opens a client of a server with options."""
    return lambda **options: client_of(stub, **options)


@asynccontextmanager
async def served(stub: Stub, **options: Any) -> AsyncGenerator[str]:
    """A real server on loopback; gives its address."""
    app = create_app(options.pop("things", None) or things(stub), **options)
    bound = bound_socket("127.0.0.1", 0)
    config = uvicorn.Config(app, http=_Protocol, log_config=None, ws="none", timeout_graceful_shutdown=2)
    server = uvicorn.Server(config)
    server.capture_signals = _no_signals  # type: ignore[method-assign]
    task = asyncio.create_task(server.serve(sockets=[bound]))
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task


class _no_signals:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


async def events_of(client: httpx.AsyncClient, run_id: str, last: int | None = None) -> list[Mapping[str, Any]]:
    """Return the events of a run, to its end."""
    headers = {} if last is None else {"last-event-id": str(last)}
    answer = await client.get(f"/v1/runs/{run_id}/events", headers=headers)
    assert answer.status_code == 200, answer.text
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]


async def until(status: str, client: httpx.AsyncClient, run_id: str) -> Mapping[str, Any]:
    """Return a run as soon as it has a status."""
    for _ in range(2_000):
        run = (await client.get(f"/v1/runs/{run_id}")).json()
        if run["status"] == status:
            return run
        await asyncio.sleep(0.005)
    raise AssertionError(f"{run_id} is still {run['status']}")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"
