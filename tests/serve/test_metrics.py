"""Metrics: they speak of cost, and nothing that a caller sends adds a series."""

from __future__ import annotations

import re
from typing import Any

import httpx

from jido_ai import LLMGenerator, Pipeline
from jido_ai.models import Completion, with_limits
from jido_ai.values import Usage
from tests.serve.conftest import CONFIG, RUN, Stub, client_of


async def _values(client: httpx.AsyncClient) -> dict[str, float]:
    lines = (await client.get("/metrics")).text.splitlines()
    return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}


def _writing(prices: Any) -> dict[str, Pipeline]:
    stub = Stub()
    model = with_limits(lambda _: Completion("draft 3", "m", Usage(1, 1_000, 1_000)), prices=prices)
    return {"answer": Pipeline(LLMGenerator(model), stub, stub, config=CONFIG)}


async def test_the_cost_of_runs_is_counted_in_dollars() -> None:
    async with client_of(Stub(), things=_writing({"m": (100.0, 200.0)})) as client:
        for _ in range(2):
            await client.post("/v1/runs?wait=30", json={"pipeline": "answer", "prompt": "p"})
        values = await _values(client)
    assert values['jido_cost_usd_total{name="answer"}'] == 0.6
    assert values['jido_unpriced_calls_total{name="answer"}'] == 0


async def test_calls_without_a_known_price_are_counted_and_cost_nothing() -> None:
    async with client_of(Stub(), things=_writing({})) as client:
        await client.post("/v1/runs?wait=30", json={"pipeline": "answer", "prompt": "p"})
        values = await _values(client)
    assert values['jido_unpriced_calls_total{name="answer"}'] == values['jido_model_calls_total{name="answer"}'] == 1
    assert values['jido_cost_usd_total{name="answer"}'] == 0


async def test_nothing_that_callers_send_adds_a_series(client: httpx.AsyncClient) -> None:
    async def ask(mark: str) -> None:
        await client.post("/v1/runs?wait=30", json={**RUN, "prompt": mark, "run_id": mark, "metadata": {mark: mark}})
        await client.post("/v1/runs?wait=30", json={**RUN, "initial_candidate": "broken", "prompt": mark})
        await client.post("/v1/runs", json={"pipeline": mark, "prompt": mark})
        await client.get(f"/v1/runs/{mark}?q={mark}")
        await client.get(f"/{mark}", headers={mark: mark, "user-agent": mark})
        await client.request(mark.upper(), "/v1/runs")

    await client.get("/metrics")
    await ask("first")
    before = set(await _values(client))
    for number in range(20):
        await ask(f"mark-{number}")
    after = set(await _values(client))
    assert after == before
    assert not re.search("mark|first", "".join(after), re.IGNORECASE)
