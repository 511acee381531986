"""The limits of a provider hold for all models that are named: whoever names them, in one event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai import LLMCritiquer, LLMGenerator, LLMReviser, Pipeline
from jido_ai.config import Settings
from jido_ai.errors import ModelError
from jido_ai.graph.graph import Graph
from jido_ai.loop.books import Books
from jido_ai.loop.settings import load_settings
from jido_ai.models.names import model_named
from jido_ai.models.own_providers import use_providers
from jido_ai.models.providers.exchange import GivenTransport
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.protocols import LanguageModel
from jido_ai.testing import virtual_run
from jido_ai.values import CompletionRequest, Message

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "hello"),), max_tokens=90, timeout_s=300.0)


class Lab:
    """A server that all named models reach; `answers` are the statuses of its first answers, the last for the rest."""

    def __init__(self) -> None:
        self.began: list[float] = []
        self.at_once = self.most_at_once = 0
        self.takes_s = 0.0
        self.statuses = [200]
        self.headers: dict[str, str] = {}

    async def answer(self, request: httpx.Request) -> httpx.Response:
        self.began.append(asyncio.get_running_loop().time())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.takes_s)
        finally:
            self.at_once -= 1
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        if status != 200:
            return httpx.Response(status, json={"error": {"message": "no"}}, headers=self.headers)
        text = '{"severity": 0.0, "issues": []}' if "response_format" in json.loads(request.content) else "fine"
        body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
        return httpx.Response(200, json=body)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    server = Lab()

    async def connect(place: object, owner: object) -> GivenTransport:
        return GivenTransport(httpx.MockTransport(server.answer))

    monkeypatch.setattr("jido_ai.models.providers.http.connect", connect)
    monkeypatch.chdir(tmp_path)
    yield server
    use_providers(Settings())


def settings(**limits: int) -> None:
    lines = [f"{name} = {value}" for name, value in limits.items()]
    Path("jido.toml").write_text("\n".join(['[providers.lab]\nbase_url = "http://127.0.0.1:9/v1"', *lines]))
    load_settings()


async def ask(models: list[Any], request: CompletionRequest = REQUEST) -> list[Any]:
    return await asyncio.gather(*(model.complete(request) for model in models), return_exceptions=True)


async def test_four_components_that_name_a_model_share_its_requests_per_minute(lab: Lab) -> None:
    settings(requests_per_minute=10)
    parts = [LLMGenerator("lab:m"), LLMCritiquer("lab:m"), LLMReviser("lab:m"), LLMGenerator("lab:other")]
    models = [model for part in parts for model in part.uses() if isinstance(model, LanguageModel)]
    assert len(models) == 4
    await ask(models)
    assert lab.began == pytest.approx([0.0, 6.0, 12.0, 18.0])


async def test_they_share_its_tokens_per_minute(lab: Lab) -> None:
    settings(tokens_per_minute=1_000)
    await ask([model_named("lab:m") for _ in range(3)])  # of some 100 tokens each; 100 may be used at once
    assert lab.began[0] < 1.0
    assert lab.began[2] > 8.0


async def test_two_pipelines_that_name_a_model_start_one_call_in_six_seconds(lab: Lab) -> None:
    settings(requests_per_minute=10)
    async with Pipeline("lab:m", "lab:m", "lab:m") as one, Pipeline("lab:m", "lab:m", "lab:m") as other:
        await asyncio.gather(*(pipeline.run("why?") for pipeline in (one, other)))
    assert len(lab.began) >= 4
    assert lab.began == pytest.approx([6.0 * number for number in range(len(lab.began))])


async def test_the_steps_of_a_graph_share_the_number_of_calls_at_once(lab: Lab) -> None:
    settings(max_concurrency=1)
    lab.takes_s = 1.0
    nodes = "".join(f'[nodes.{name}]\nprompt = "write"\nmodel = "lab:m"\n' for name in "abcd")
    Path("g.toml").write_text(f'[graph]\noutput = "a"\n{nodes}')
    async with Graph.from_toml("g.toml") as graph, Pipeline("lab:m", "lab:m") as pipeline:
        await asyncio.gather(graph.run(), pipeline.run("why?"))
    assert (lab.most_at_once, len(lab.began)) == (1, 6)


async def test_five_failures_of_any_component_open_the_breaker_for_all(lab: Lab) -> None:
    settings()
    lab.statuses = [503]
    await ask([model_named("lab:m") for _ in range(4)], REQUEST.replace(timeout_s=25.0))
    assert len(lab.began) == 5


async def test_a_pause_that_the_provider_asks_for_holds_all(lab: Lab) -> None:
    settings()
    lab.statuses, lab.headers = [429, 200], {"retry-after": "20"}
    first, second = model_named("lab:m"), model_named("lab:other")
    asking = asyncio.create_task(ask([first]))
    await asyncio.sleep(1.0)
    await ask([second])
    await asking
    assert lab.began[1:] == pytest.approx([20.0, 20.0], abs=5.0)
    assert min(lab.began[1:]) >= 20.0


async def test_writer_and_critic_of_a_command_share_the_limits(lab: Lab) -> None:
    settings(requests_per_minute=10)
    async with Books(None, Settings(), "ask") as books:
        await ask([books.model("lab:m"), books.model("lab:m"), with_limits("lab:m")])
    assert lab.began == pytest.approx([0.0, 6.0, 12.0])


async def test_another_address_has_limits_of_its_own(lab: Lab) -> None:
    settings(max_concurrency=1)
    lab.takes_s = 1.0
    names = ("lab:m", "compatible:m@http://127.0.0.1:10/v1")
    await ask([model_named(name) for name in names])
    assert lab.most_at_once == 2


def test_each_event_loop_begins_anew(lab: Lab) -> None:
    settings()
    lab.statuses = [503]
    model = model_named("lab:m")
    for _ in range(2):
        virtual_run(ask([model], REQUEST.replace(timeout_s=25.0)))
        lab.statuses = [200]
    assert len(lab.began) == 6


async def test_functions_have_limits_of_their_own(lab: Lab) -> None:
    def fails(request: CompletionRequest) -> Any:
        raise ConnectionError("down")

    models = [with_limits(fails, retries=0, when_open="fail") for _ in range(2)]
    for _ in range(5):
        await ask(models[:1])
    [first], [second] = await ask(models[:1]), await ask(models[1:])
    assert isinstance(first, ModelError)
    assert type(first) is not type(second)
