"""Failures inside the streams of other libraries' clients are known as passing; a client that is missing is skipped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from model_servers.fault_server import FaultServer
from pydantic import BaseModel

from jido_ai.errors import ModelError, ModelTimeoutError, ModelUnavailableError, RateLimitError
from jido_ai.models.retry import passing_failure

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ASKED: Any = [{"role": "user", "content": "hello"}]
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of those libraries
Ask = Callable[[FaultServer, str], Awaitable[None]]


class Answer(BaseModel):
    number: int


def patience(model: str) -> float:
    return 0.5 if model == "stalls" else 60.0


async def ask_openai(server: FaultServer, model: str) -> None:
    openai = pytest.importorskip("openai")
    async with openai.AsyncOpenAI(
        api_key="k", base_url=server.base_url(), max_retries=0, timeout=patience(model)
    ) as client:
        async for _ in await client.chat.completions.create(model=model, messages=ASKED, stream=True):
            pass


async def ask_anthropic(server: FaultServer, model: str) -> None:
    anthropic = pytest.importorskip("anthropic")
    address = server.base_url("anthropic")
    async with anthropic.AsyncAnthropic(
        api_key="k", base_url=address, max_retries=0, timeout=patience(model)
    ) as client:
        async for _ in await client.messages.create(model=model, messages=ASKED, max_tokens=9, stream=True):
            pass


async def ask_ollama(server: FaultServer, model: str) -> None:
    ollama = pytest.importorskip("ollama")
    client = ollama.AsyncClient(host=server.base_url("ollama"), timeout=patience(model))
    async with client._client:
        async for _ in await client.chat(model=model, messages=ASKED, stream=True):
            pass


async def ask_instructor(server: FaultServer, model: str) -> None:
    instructor, openai = pytest.importorskip("instructor"), pytest.importorskip("openai")
    async with openai.AsyncOpenAI(
        api_key="k", base_url=server.base_url(), max_retries=0, timeout=patience(model)
    ) as client:
        wrapped = instructor.from_openai(client, mode=instructor.Mode.JSON)
        await wrapped.chat.completions.create(model=model, messages=ASKED, response_model=Answer, max_retries=0)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("error-midway", ModelUnavailableError),
        ("resets-midway", ModelUnavailableError),
        ("overloaded", ModelUnavailableError),
        ("rate-limited", RateLimitError),
        ("stalls", ModelTimeoutError),
    ],
)
@pytest.mark.parametrize("ask", [ask_openai, ask_anthropic, ask_ollama])
async def test_a_failure_inside_a_stream_of_a_real_client_is_a_passing_one(
    ask: Ask, fault: str, kind: type[ModelError]
) -> None:
    with FaultServer() as server:
        with pytest.raises(Exception) as failed:
            await ask(server, fault)
        found = passing_failure(failed.value, provider="p", model=fault, now=NOW)
    assert type(found) is kind, f"{failed.value!r}"


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("overloaded", ModelUnavailableError), ("rate-limited", RateLimitError), ("reset-halfway", ModelUnavailableError)],
)
async def test_a_failure_that_instructor_wraps_is_a_passing_one(fault: str, kind: type[ModelError]) -> None:
    with FaultServer() as server:
        with pytest.raises(Exception) as failed:
            await ask_instructor(server, fault)
        found = passing_failure(failed.value, provider="p", model=fault, now=NOW)
    assert type(found) is kind, f"{failed.value!r}"


@pytest.mark.parametrize("ask", [ask_openai, ask_anthropic, ask_ollama])
async def test_a_refused_key_of_a_real_client_is_no_passing_failure(ask: Ask) -> None:
    with FaultServer() as server, pytest.raises(Exception) as failed:
        await ask(server, "key-refused")
    assert passing_failure(failed.value, provider="p", model="m", now=NOW) is None
