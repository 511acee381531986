"""Quotas hold for runs that a person lets go on, as for new ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest

from jido_ai.serve.tokens import Quota, add_token
from tests.serve.conftest import FIRST, RUN, Stub, client_of, served, until

ASKS = {"pipeline": "asks", "prompt": "p", "initial_candidate": FIRST}


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.mark.parametrize("decides", ["the same token", "another token"])
async def test_runs_that_are_decided_at_once_keep_to_the_quota_and_refused_decisions_can_be_repeated(
    stub: Stub, tokens: Path, decides: str
) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(runs_at_once=1))
    other = add_token(tokens, tenant="a", project="b")
    async with client_of(stub, tokens=tokens, token=token) as client:
        ids = [f"r{index}" for index in range(3)]
        for run_id in ids:
            answer = await client.post("/v1/runs?wait=30", json={**ASKS, "run_id": run_id})
            assert answer.json()["status"] == "suspended"
        if decides == "another token":
            client.headers["authorization"] = f"Bearer {other}"
        stub.gate.clear()
        ways = [
            (f"/v1/runs/{ids[0]}/resume", True),
            (f"/v1/runs/{ids[1]}/approvals/revision", True),
            (f"/v1/runs/{ids[2]}/resume", "draft 3"),
        ]
        answers = await asyncio.gather(*(client.post(path, json={"decision": one}) for path, one in ways))
        assert sorted(one.status_code for one in answers) == [202, 429, 429]
        stub.gate.set()
        for run_id, (path, decision), answer in zip(ids, ways, answers, strict=True):
            if answer.status_code == 202:
                assert (await until("suspended", client, run_id))["waiting"]  # the next revision
                continue
            assert answer.json()["type"] == "urn:jido:quota"
            assert int(answer.headers["retry-after"]) > 0
            assert (await until("suspended", client, run_id))["waiting"]
            assert (await client.post(f"{path}?wait=30", json={"decision": decision})).status_code == 200


async def test_new_runs_that_come_at_once_keep_to_the_quota(stub: Stub, tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(runs_at_once=1))
    stub.gate.clear()
    async with client_of(stub, tokens=tokens, token=token) as client:
        answers = await asyncio.gather(*(client.post("/v1/runs", json=RUN) for _ in range(3)))
        assert sorted(one.status_code for one in answers) == [202, 429, 429]
        stub.gate.set()


async def test_an_abandoned_run_that_is_asked_for_again_keeps_to_the_quota(stub: Stub, tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(runs_at_once=1))
    chat = {"model": "answer", "messages": [{"role": "user", "content": "a"}], "metadata": {"run_id": "r"}}
    stub.gate.clear()
    headers = {"authorization": f"Bearer {token}"}
    async with (
        served(stub, tokens=tokens) as address,
        httpx.AsyncClient(base_url=address, headers=headers) as client,
    ):
        asked = asyncio.create_task(client.post("/v1/chat/completions", json=chat))
        while not stub.seen:
            await asyncio.sleep(0.005)
        asked.cancel()
        await until("cancelled", client, "r")
        assert (await client.post("/v1/runs", json=RUN)).status_code == 202
        refused = await client.post("/v1/chat/completions", json=chat)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limit_exceeded")
        stub.gate.set()
