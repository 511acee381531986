"""Requests at a limit of a day, by all doors: how many were accepted, and what was spent.

$ python benchmarks/serve/spending.py [--requests 60]

A call costs $2 and a run of two calls $4, at a limit of $5. What may be exceeded is one call of each run in flight.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from jido_ai import (
    ApprovalNode,
    Budget,
    Graph,
    GraphConfig,
    LLMCritiquer,
    LLMGenerator,
    LoopConfig,
    LoopNode,
    Pipeline,
    Reflector,
    TargetedReviser,
)
from jido_ai.serve import create_app
from jido_ai.serve.tokens import Quota, add_token
from jido_ai.values import Completion, CompletionRequest, Usage

PRICE = 2.0
LIMIT = 5.0
RUN_COST = 4.0
ANSWER = (
    '{"severity": 0.0, "issues": [], "lesson": "Name the unit.", "root_cause": "none", "strategy": "none", '
    '"importance": 0.5, "confidence": 0.5, "tags": []}'
)
PROTOCOL = "2025-11-25"
MCP_HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


class Dear:
    """A model whose calls cost $2; each takes some turns of the loop.

    Attributes:
        most: calls in flight at once, at most.
    """

    provider = model = "dear"
    base_url = ""

    def __init__(self) -> None:
        self.calls = self.most = self._now = 0

    async def complete(self, request: CompletionRequest) -> Completion:
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            for _ in range(20):
                await asyncio.sleep(0)
            self.calls += 1
            return Completion(ANSWER, "dear", Usage(1, 1_000, 1_000, cost_usd=PRICE))
        finally:
            self._now -= 1


def things(model: Dear, budget: Budget | None) -> dict[str, Pipeline | Graph]:
    """Return pipelines and graphs of two calls a run, one with a question."""
    config = LoopConfig(max_iterations=1, budget=budget)
    parts: Any = LLMGenerator(model), LLMCritiquer(model), TargetedReviser()

    def loop(**more: Any) -> LoopNode:
        return LoopNode("{t}", generator=parts[0], critiquer=parts[1], reviser=parts[2], config=config, **more)

    graph = GraphConfig(budget=budget)
    return {
        "default": Pipeline(*parts, config=config, reflector=Reflector(model)),
        "line": Graph({"loop": loop()}, inputs=["t"], output="loop", config=graph),
        "loops": Graph({"loop": loop()}, inputs=["t"], output="loop"),
        "talk": Graph(
            {"ask": ApprovalNode("{t}"), "loop": loop(after=["ask"])}, inputs=["t"], output="loop", config=graph
        ),
    }


Ask = Callable[[httpx.AsyncClient, int], Awaitable[int]]


def post(path: str, **body: Any) -> Ask:
    async def ask(client: httpx.AsyncClient, number: int) -> int:
        return (await client.post(path, json=body)).status_code

    return ask


def tool(named: str, **arguments: Any) -> Ask:
    """Call a tool of MCP; the status is 200, or 429 for an error of the tool."""

    async def ask(client: httpx.AsyncClient, number: int) -> int:
        hello = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "load", "version": "1"}}
        first = await client.post("/mcp", json=_rpc("initialize", hello), headers=MCP_HEADERS)
        headers = MCP_HEADERS | {
            "mcp-session-id": first.headers["mcp-session-id"],
            "mcp-protocol-version": PROTOCOL,
        }
        told = await client.post(
            "/mcp", json=_rpc("tools/call", {"name": named, "arguments": arguments}), headers=headers
        )
        [line] = [line for line in told.text.splitlines() if line.startswith("data: {")]
        return 429 if json.loads(line.removeprefix("data: "))["result"].get("isError") else 200

    return ask


def _rpc(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


async def resumed(client: httpx.AsyncClient, number: int) -> int:
    """Start a run, cancel it, and continue it."""
    begun = await client.post("/v1/runs", json={"pipeline": "default", "prompt": "p", "run_id": f"cut {number}"})
    if begun.status_code != 202:
        return begun.status_code
    await client.post(f"/v1/runs/cut {number}/cancel")
    while (await client.get(f"/v1/runs/cut {number}")).json()["status"] in ("queued", "running"):
        await asyncio.sleep(0)
    return (await client.post(f"/v1/runs/cut {number}/resume?wait=60")).status_code


async def decided(client: httpx.AsyncClient, number: int) -> int:
    """Start a run that asks first, and decide."""
    body = {"graph": "talk", "inputs": {"t": "p"}, "run_id": f"asked {number}"}
    begun = await client.post("/v1/runs?wait=60", json=body)
    if begun.status_code != 200:
        return begun.status_code
    decision = {"decision": True}
    return (await client.post(f"/v1/runs/asked {number}/approvals/ask?wait=60", json=decision)).status_code


RUN = {"pipeline": "default", "prompt": "p"}
CHAT = {"model": "default", "messages": [{"role": "user", "content": "p"}]}
EPISODE = {"tenant": "a", "project": "b", "description": "d", "events": [{"content": "x"}], "outcome": "failure"}
DOORS: dict[str, Ask] = {
    "runs": post("/v1/runs?wait=60", **RUN),
    "runs, not waited for": post("/v1/runs", **RUN),
    "graphs": post("/v1/runs?wait=60", graph="line", inputs={"t": "p"}),
    "graphs, budgets of loops": post("/v1/runs?wait=60", graph="loops", inputs={"t": "p"}),
    "chat completions": post("/v1/chat/completions", **CHAT),
    "chat completions, stream": post("/v1/chat/completions", **CHAT, stream=True),
    "responses": post("/v1/responses", model="default", input="p"),
    "responses, stream": post("/v1/responses", model="default", input="p", stream=True),
    "critiques": post("/v1/critiques", pipeline="default", prompt="p", candidate="x"),
    "reflections": post("/api/v1/reflections/generate", **EPISODE),
    "resumed runs": resumed,
    "decided runs": decided,
    "MCP run": tool("run", name="default", prompt="p"),
    "MCP improve": tool("improve", text="x", pipeline="default"),
    "MCP critique": tool("critique", text="x", pipeline="default"),
    "MCP reflect": tool("reflect", description="d", events=["x"], outcome="failure"),
}


@dataclass(frozen=True)
class Load:
    """The outcome of requests at one door, or at all.

    Attributes:
        statuses: how often each came.
        most: calls in flight at once, at most.
    """

    statuses: Counter[int]
    spent: float
    most: int

    @property
    def is_held(self) -> bool:
        """True if no more was spent than the limit and one call of each run in flight."""
        return self.spent <= LIMIT + PRICE * self.most


async def load(
    asks: list[Ask], *, budget: Budget | None, folder: Path, max_runs: int = 64, at_once: bool = True
) -> Load:
    """Send requests, at once or one after the other, to a new server; wait until all runs have ended."""
    model, tokens = Dear(), folder / "tokens.json"
    token = add_token(tokens, tenant="a", project="b", quota=Quota(dollars_a_day=LIMIT))
    reflector = Reflector(model)
    app = create_app(things(model, budget), tokens=tokens, max_runs=max_runs, reflector=reflector)
    async with app.router.lifespan_context(app):
        headers = {"authorization": f"Bearer {token}"}
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
            work = [ask(client, number) for number, ask in enumerate(asks)]
            statuses = await asyncio.gather(*work) if at_once else [await one for one in work]
            runs = app.state.jido.runs
            while runs.in_flight or runs.waiting:
                await asyncio.sleep(0.01)
    tokens.unlink()
    return Load(Counter(statuses), PRICE * model.calls, model.most)


CASES: dict[str, dict[str, Any]] = {
    "budget, at once": {"budget": Budget(max_cost_usd=RUN_COST)},
    "no budget, at once": {"budget": None},
    "no budget, in turn": {"budget": None, "at_once": False},
    "no budget, one at a time": {"budget": None, "max_runs": 1},
}


async def _measure(requests: int) -> None:
    print(f"{requests} requests, ${RUN_COST:g} a run, ${PRICE:g} a call, limit ${LIMIT:g} a day")
    with tempfile.TemporaryDirectory() as folder:
        for door, ask in {**DOORS, "all doors": None}.items():
            asks = list(DOORS.values()) * (requests // len(DOORS) + 1) if ask is None else [ask] * requests
            for case, options in CASES.items():
                found = await load(asks[:requests], folder=Path(folder), **options)
                told = "held" if found.is_held else "NOT HELD"
                statuses = ", ".join(f"{number} x {status}" for status, number in sorted(found.statuses.items()))
                print(f"{door:26} {case:26} ${found.spent:6g} {found.most:3} in flight  {told}  {statuses}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=60)
    asyncio.run(_measure(parser.parse_args().requests))


if __name__ == "__main__":
    main()
