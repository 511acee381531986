"""Limits of a day and of 30 days hold at every door."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai import Budget, Graph, GraphConfig, LLMCritiquer, LLMGenerator, LoopConfig, LoopNode, Pipeline
from jido_ai.serve.tokens import Quota, add_token
from jido_ai.values import Completion, CompletionRequest, Usage, utc_now
from tests.serve.conftest import Stub, client_of, served, until

PRICE = 2.0
VERDICT = '{"severity": 0.0, "issues": []}'


class Dear:
    """A model whose calls cost $2 and 2,000 tokens; calls wait for the gate."""

    provider = "dear"
    model = "dear"
    base_url = ""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.calls = self.begun = 0

    async def complete(self, request: CompletionRequest) -> Completion:
        self.begun += 1
        await self.gate.wait()
        self.calls += 1
        await asyncio.sleep(0)
        return Completion(VERDICT, usage=Usage(1, 1_000, 1_000, cost_usd=PRICE))

    @property
    def spent(self) -> float:
        return PRICE * self.calls


def things(model: Dear, *, budget: Budget | None = None) -> dict[str, Any]:
    config = LoopConfig(max_iterations=1, budget=budget)
    stub = Stub()
    pipeline = Pipeline(LLMGenerator(model), LLMCritiquer(model), stub, config=config)
    loop = LoopNode("{t}", generator=LLMGenerator(model), critiquer=LLMCritiquer(model), reviser=stub, config=config)
    return {
        "answer": pipeline,
        "line": Graph({"loop": loop}, inputs=["t"], output="loop", config=GraphConfig(budget=budget)),
    }


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def model() -> Dear:
    return Dear()


def limited(tokens: Path, **quota: Any) -> str:
    return add_token(tokens, tenant="a", project="b", quota=Quota(**quota or {"dollars_a_day": 5.0}))


CRITIQUE = ("/v1/critiques", {"pipeline": "answer", "prompt": "p", "candidate": "x"})
CHAT = ("/v1/chat/completions", {"model": "answer", "messages": [{"role": "user", "content": "a"}]})
RESPONSE = ("/v1/responses", {"model": "answer", "input": "a"})
RUN = ("/v1/runs?wait=30", {"pipeline": "answer", "prompt": "p"})
GRAPH = ("/v1/runs?wait=30", {"graph": "line", "inputs": {"t": "a"}})
DOORS = {"runs": RUN, "graphs": GRAPH, "critiques": CRITIQUE, "chat": CHAT, "responses": RESPONSE}


@pytest.mark.parametrize("door", DOORS)
async def test_requests_one_after_the_other_spend_the_limit_and_one_call_at_most(
    model: Dear, tokens: Path, door: str
) -> None:
    token = limited(tokens)
    path, body = DOORS[door]
    async with client_of(Stub(), things=things(model), tokens=tokens, token=token) as client:
        answers = [await client.post(path, json=body) for _ in range(6)]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) > 0
        cost = (await client.get("/v1/cost")).json()
    assert model.spent == 6.0
    assert cost["total"]["known_usd"] == 6.0


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("limit", [{"dollars_a_day": 5.0}, {"tokens_a_day": 5_000}], ids=["dollars", "tokens"])
async def test_the_likely_cost_of_a_run_is_set_aside_when_it_is_accepted(
    model: Dear, tokens: Path, door: str, limit: dict[str, Any]
) -> None:
    token = limited(tokens, **limit)
    budget = Budget(max_cost_usd=4.0) if "dollars_a_day" in limit else Budget(max_tokens=4_000)
    path, body = DOORS[door]
    model.gate.clear()
    async with client_of(Stub(), things=things(model, budget=budget), tokens=tokens, token=token) as client:
        asked = [asyncio.create_task(client.post(path, json=body)) for _ in range(20)]
        done: set[Any] = set()
        while len(done) < 19:
            done, _ = await asyncio.wait(asked, timeout=0.05)
        model.gate.set()
        answers = [await one for one in asked]
    assert sorted(one.status_code for one in answers) == [200] + [429] * 19
    assert model.spent <= 4.0


async def test_the_median_of_earlier_runs_is_set_aside_where_there_is_no_budget(model: Dear, tokens: Path) -> None:
    token = limited(tokens, dollars_a_day=13.0)
    async with client_of(Stub(), things=things(model), tokens=tokens, token=token) as client:
        assert (await client.post(RUN[0], json=RUN[1])).status_code == 200
        model.gate.clear()
        answers = [await client.post("/v1/runs", json=RUN[1]) for _ in range(4)]
        assert [one.status_code for one in answers] == [202, 202, 429, 429]
        assert "set aside" in answers[-1].json()["detail"]
        model.gate.set()


async def test_runs_that_waited_are_checked_when_their_turn_begins(model: Dear, tokens: Path) -> None:
    token = limited(tokens)
    async with client_of(Stub(), things=things(model), tokens=tokens, token=token, max_runs=1) as client:
        model.gate.clear()
        accepted = [(await client.post("/v1/runs", json=RUN[1])).json()["run_id"] for _ in range(5)]
        model.gate.set()
        last = await until("failed", client, accepted[-1])
        assert model.spent == 6.0
        assert "dollars_a_day" in last["error"]["message"]


async def test_a_run_that_is_resumed_is_counted_once(model: Dear, tokens: Path) -> None:
    token = limited(tokens, dollars_a_day=100.0)
    async with client_of(Stub(), things=things(model), tokens=tokens, token=token) as client:
        model.gate.clear()
        run = (await client.post("/v1/runs", json=RUN[1])).json()["run_id"]
        while not model.begun:
            await asyncio.sleep(0)
        model.gate.set()
        while not model.calls:
            await asyncio.sleep(0)
        model.gate.clear()  # the first call is paid, the second one waits
        while model.begun < 2:
            await asyncio.sleep(0)
        await client.post(f"/v1/runs/{run}/cancel")
        model.gate.set()
        await client.post(f"/v1/runs/{run}/resume?wait=30")
        state: Any = client._transport.app.state.jido  # pyright: ignore
        token_id = state.tokens.all()[0].id
        spent = state.admission.quotas.refusal(token_id, Quota(dollars_a_day=0.01), utc_now().date())
        text = state.metrics.text().decode()
        cost = (await client.get("/v1/cost")).json()["total"]["known_usd"]
    assert spent.spent == cost == model.spent
    assert f'jido_cost_usd_total{{name="answer"}} {model.spent}' in text


async def test_critiques_keep_to_the_limit_of_runs_at_once(model: Dear, tokens: Path) -> None:
    token = limited(tokens, runs_at_once=2)
    model.gate.clear()
    async with client_of(Stub(), things=things(model), tokens=tokens, token=token) as client:
        asked = [asyncio.create_task(client.post(CRITIQUE[0], json=CRITIQUE[1])) for _ in range(6)]
        done: set[Any] = set()
        while len(done) < 4:
            done, _ = await asyncio.wait(asked, timeout=0.05)
        model.gate.set()
        assert sorted([(await one).status_code for one in asked]) == [200, 200, 429, 429, 429, 429]


async def test_critiques_wait_in_the_queue_of_the_server(model: Dear) -> None:
    model.gate.clear()
    async with client_of(Stub(), things=things(model), max_runs=2, max_queue=2) as client:
        asked = [asyncio.create_task(client.post(CRITIQUE[0], json=CRITIQUE[1])) for _ in range(10)]
        done: set[Any] = set()
        while len(done) < 6:
            done, _ = await asyncio.wait(asked, timeout=0.05)
        assert model.begun == 2
        model.gate.set()
        assert sorted([(await one).status_code for one in asked]) == [200] * 4 + [503] * 6


async def test_a_critique_whose_caller_leaves_is_ended(model: Dear) -> None:
    model.gate.clear()
    async with served(Stub(), things=things(model)) as address, httpx.AsyncClient(base_url=address) as client:
        asked = asyncio.create_task(client.post(CRITIQUE[0], json=CRITIQUE[1]))
        while not model.begun:
            await asyncio.sleep(0.005)
        asked.cancel()
        while "jido_runs_in_flight 0.0" not in (await client.get("/metrics")).text:
            await asyncio.sleep(0.005)
        model.gate.set()
        await client.get("/healthz")
    assert model.calls == 0


async def test_the_budget_of_30_days_is_set_aside_too(model: Dear) -> None:
    model.gate.clear()
    budget = Budget(max_cost_usd=4.0)
    async with client_of(Stub(), things=things(model, budget=budget), monthly_usd=10.0) as client:
        answers = [await client.post("/v1/runs", json=RUN[1]) for _ in range(5)]
        assert [one.status_code for one in answers] == [202, 202, 429, 429, 429]
        model.gate.set()
