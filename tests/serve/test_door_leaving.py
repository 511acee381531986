"""Clients that leave the OpenAI-compatible door before the answer: SERVING.md 7."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from fastapi import FastAPI

from tests.serve.conftest import Stub, served, until

ASKED: list[Any] = [{"role": "user", "content": "What is a tree?"}]
CHAT: dict[str, Any] = {"model": "answer", "messages": ASKED, "metadata": {"run_id": "mine"}}


@asynccontextmanager
async def asked(stub: Stub, **options: Any) -> AsyncGenerator[tuple[openai.AsyncOpenAI, httpx.AsyncClient]]:
    """An OpenAI client and a plain one, of a server whose critic waits for the gate."""
    stub.gate.clear()
    async with (
        served(stub, **options) as address,
        openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any", max_retries=0) as client,
        httpx.AsyncClient(base_url=address) as plain,
    ):
        yield client, plain


@asynccontextmanager
async def opened(app: FastAPI) -> AsyncGenerator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://localhost") as client,
    ):
        yield client


async def begun(stub: Stub) -> None:
    while not any(one.startswith("critique") for one in stub.seen):
        await asyncio.sleep(0.005)


async def cancelled(stub: Stub, ask: Awaitable[object]) -> None:
    task = asyncio.ensure_future(ask)
    await begun(stub)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def chat(client: openai.AsyncOpenAI, **more: Any) -> None:
    await client.chat.completions.create(**CHAT, **more)


async def response(client: openai.AsyncOpenAI, **more: Any) -> None:
    await client.responses.create(model="answer", input="What is a tree?", metadata={"run_id": "mine"}, **more)


@pytest.mark.parametrize("ask", [chat, response])
async def test_a_cancelled_request_ends_its_run(stub: Stub, ask: Any) -> None:
    async with asked(stub) as (client, plain):
        await cancelled(stub, ask(client))
        assert (await until("cancelled", plain, "mine"))["result"]["stop_reason"] == "cancelled"
        assert not any(one.startswith("revise") for one in stub.seen)


@pytest.mark.parametrize("ask", [chat, response])
async def test_a_request_that_times_out_ends_its_run(stub: Stub, ask: Any) -> None:
    async with asked(stub) as (client, plain):
        with pytest.raises(openai.APITimeoutError):
            await ask(client, timeout=0.5)
        await until("cancelled", plain, "mine")


@pytest.mark.parametrize("kind", ["chat", "response"])
async def test_a_stream_that_is_closed_ends_its_run(stub: Stub, kind: str) -> None:
    async with asked(stub) as (client, plain):
        if kind == "chat":
            stream: Any = await client.chat.completions.create(**CHAT, stream=True)
        else:
            meta = {"run_id": "mine"}
            stream = await client.responses.create(model="answer", input="What?", metadata=meta, stream=True)
        await anext(aiter(stream))
        await begun(stub)
        await stream.close()
        await until("cancelled", plain, "mine")


@pytest.mark.parametrize("stream", [False, True])
async def test_a_run_with_an_idempotency_key_continues(stub: Stub, stream: bool) -> None:
    headers = {"idempotency-key": "k 1"}
    async with asked(stub) as (client, plain):

        async def ask() -> None:
            found: Any = await client.chat.completions.create(
                model="answer", messages=ASKED, extra_headers=headers, stream=stream
            )
            async for _ in found:
                pass

        await cancelled(stub, ask())
        stub.gate.set()
        body = {"model": "answer", "messages": ASKED}
        again = (await plain.post("/v1/chat/completions", json=body, headers=headers)).json()
        assert again["jido"]["stop_reason"] == "accepted"
        assert sum(one.startswith("generate") for one in stub.seen) == 1, "the same run"


async def test_a_run_continues_while_one_of_its_callers_waits(stub: Stub) -> None:
    async with asked(stub) as (client, _plain):
        stays = asyncio.create_task(client.chat.completions.create(**CHAT))
        await begun(stub)
        goes = asyncio.create_task(client.chat.completions.create(**CHAT))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(goes), 0.2)
        goes.cancel()
        await asyncio.wait({goes})
        stub.gate.set()
        assert ((await stays).choices[0].message.content or "").startswith("draft 3")


async def test_a_run_whose_callers_left_continues_when_it_is_asked_for_again(stub: Stub) -> None:
    async with asked(stub) as (client, plain):
        await cancelled(stub, client.chat.completions.create(**CHAT))
        await until("cancelled", plain, "mine")
        stub.gate.set()
        answer = await client.chat.completions.create(**CHAT)
        assert (answer.choices[0].message.content or "").startswith("draft 3")
        assert sum(one.startswith("generate") for one in stub.seen) == 1, "it goes on where it was"


async def test_a_run_that_continues_ends_when_its_callers_leave_again(stub: Stub) -> None:
    async with asked(stub) as (client, plain):
        for _ in range(2):
            stub.seen.clear()
            await cancelled(stub, client.chat.completions.create(**CHAT))
            await until("cancelled", plain, "mine")


async def test_a_run_that_somebody_cancelled_does_not_continue_by_itself(stub: Stub) -> None:
    async with asked(stub) as (client, plain):
        waiting = asyncio.create_task(client.chat.completions.create(**CHAT))
        await begun(stub)
        await plain.post("/v1/runs/mine/cancel")
        await asyncio.wait({waiting})
        stub.gate.set()
        again = await plain.post("/v1/chat/completions", json=CHAT)
        run = (await plain.get("/v1/runs/mine")).json()
        assert run["status"] == "cancelled", again.text


async def test_a_run_that_was_started_over_rest_continues_without_the_door(stub: Stub) -> None:
    run = {"pipeline": "answer", "prompt": "What is a tree?", "run_id": "mine", "metadata": {"task_type": "answer"}}
    async with asked(stub) as (client, plain):
        await plain.post("/v1/runs", json=run)
        await cancelled(stub, client.chat.completions.create(**CHAT))
        stub.gate.set()
        await until("completed", plain, "mine")


async def test_a_run_that_waits_for_its_turn_ends_with_its_caller(stub: Stub) -> None:
    async with asked(stub, max_runs=1) as (client, plain):
        await plain.post("/v1/runs", json={"pipeline": "answer", "prompt": "before", "run_id": "before"})
        await begun(stub)
        waiting = asyncio.create_task(client.chat.completions.create(**CHAT))
        while (await plain.get("/v1/runs/mine")).status_code == 404:
            await asyncio.sleep(0.005)
        waiting.cancel()
        await until("cancelled", plain, "mine")
        assert not any("What is a tree?" in one for one in stub.seen)


@pytest.mark.parametrize("stream", [False, True])
async def test_the_end_of_the_server_does_not_end_runs_whose_callers_wait(
    stub: Stub, tmp_path: Path, stream: bool
) -> None:
    from jido_ai.serve.app import create_app
    from tests.serve.conftest import things

    store = tmp_path / "memory.db"
    stub.gate.clear()
    app = create_app(things(stub), memory=store)
    async with opened(app) as client:
        waiting = asyncio.create_task(client.post("/v1/chat/completions", json={**CHAT, "stream": stream}))
        await begun(stub)
        waiting.cancel()  # as a server cancels its requests at the end
        await asyncio.wait({waiting})
    stub.gate.set()
    async with opened(create_app(things(stub), memory=store)) as client:
        await until("completed", client, "mine")


@pytest.mark.parametrize("is_draining", [False, True])
async def test_a_caller_that_leaves_ends_its_run_unless_the_server_drains(stub: Stub, is_draining: bool) -> None:
    from jido_ai.graph.orders import RunOrder
    from jido_ai.serve.app import create_app, state_of
    from tests.serve.conftest import things

    stub.gate.clear()
    app = create_app(things(stub))
    async with opened(app):
        runs = state_of(app).runs
        order = RunOrder(run_id="mine", name="answer", prompt="What?", is_kept=False)
        await runs.accept(order)
        run = await runs.join(order)
        assert run is not None
        if is_draining:
            runs.drain()
        runs.leave(run, is_gone=True)
        assert run.is_cancelling is not is_draining
