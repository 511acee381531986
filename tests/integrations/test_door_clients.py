"""Agent frameworks as clients of the OpenAI-compatible door: the table of docs/serve.md."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed: make test-integrations")
pytest.importorskip("agents", reason="openai-agents is not installed: make test-integrations")
pytest.importorskip("fastapi", reason="the extra serve is not installed")

import openai
from agents import Agent as OpenAIAgent
from agents import OpenAIChatCompletionsModel as AgentsChat
from agents import OpenAIResponsesModel as AgentsResponses
from agents import Runner, set_tracing_disabled
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.revisers.llm_reviser import LLMReviser
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CompletionRequest, CritiqueResult
from tests.serve.conftest import Stub, served, until

PLAIN, OBJECT = "Ulm is a city.", '{"name": "Ulm", "people": 128928}'


class City(BaseModel):
    name: str
    people: int


ULM = City(name="Ulm", people=128928)


def reply(request: CompletionRequest) -> str:
    return OBJECT if request.schema else PLAIN


def accepts(candidate: Candidate, context: object) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def waits(prompt: str, context: object) -> str:
    await asyncio.Event().wait()
    return ""


@asynccontextmanager
async def door() -> AsyncGenerator[tuple[openai.AsyncOpenAI, httpx.AsyncClient]]:
    """A client of a real server, and a plain one."""
    set_tracing_disabled(True)
    model = ScriptedModel(reply)
    things = {
        "answer": Pipeline(LLMGenerator(model), accepts, LLMReviser(model)),
        "slow": Pipeline(waits, accepts, None),
    }
    async with (
        served(Stub(), things=things) as address,
        openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="any", max_retries=0) as client,
        httpx.AsyncClient(base_url=address) as plain,
    ):
        yield client, plain


@pytest.mark.parametrize("kind", [OpenAIChatModel, OpenAIResponsesModel])
async def test_pydantic_ai_chats_streams_and_gets_objects(kind: Any) -> None:
    async with door() as (client, _):
        model = kind("answer", provider=OpenAIProvider(openai_client=client))
        assert (await Agent(model).run("A city?")).output == PLAIN
        async with Agent(model).run_stream("A city?") as stream:
            assert await stream.get_output() == PLAIN
        assert (await Agent(model, output_type=NativeOutput(City)).run("A city?")).output == ULM


@pytest.mark.parametrize("kind", [AgentsChat, AgentsResponses])
async def test_the_agents_sdk_chats_streams_and_gets_objects(kind: Any) -> None:
    async with door() as (client, _):
        model = kind("answer", client)
        first = await Runner.run(OpenAIAgent("a", model=model), "A city?")
        more = [*first.to_input_list(), {"role": "user", "content": "Another one?"}]
        assert (await Runner.run(OpenAIAgent("a", model=model), more)).final_output == PLAIN
        stream = Runner.run_streamed(OpenAIAgent("a", model=model), "A city?")
        async for _ in stream.stream_events():
            pass
        assert stream.final_output == PLAIN
        assert (await Runner.run(OpenAIAgent("a", model=model, output_type=City), "A city?")).final_output == ULM


@pytest.mark.parametrize("framework", ["pydantic-ai", "openai-agents"])
async def test_a_cancelled_agent_ends_its_run(framework: str) -> None:
    async with door() as (client, plain):
        if framework == "pydantic-ai":
            asked: Any = Agent(OpenAIChatModel("slow", provider=OpenAIProvider(openai_client=client))).run("A city?")
        else:
            asked = Runner.run(OpenAIAgent("a", model=AgentsResponses("slow", client)), "A city?")
        task = asyncio.ensure_future(asked)
        while not (runs := (await plain.get("/v1/runs")).json()["data"]):
            await asyncio.sleep(0.005)
        task.cancel()
        await asyncio.wait({task})
        await until("cancelled", plain, runs[0]["run_id"])
