"""Readiness: a server is ready while the addresses of its models take connections."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator

import httpx
import pytest

from jido_ai import (
    CheckNode,
    Graph,
    LLMCritiquer,
    LLMGenerator,
    LLMReviser,
    LoopNode,
    MapNode,
    PanelCritiquer,
    Pipeline,
    StepNode,
)
from jido_ai.models import Completion, CompletionRequest
from jido_ai.serve import create_app, reachable
from jido_ai.serve.reachable import addresses
from tests.serve.conftest import Stub


class Model:
    """A model that is never asked."""

    provider = "stub"

    def __init__(self, name: str, base_url: str) -> None:
        self.model = name
        self.base_url = base_url

    async def complete(self, request: CompletionRequest) -> Completion:
        raise AssertionError("a probe asks no model")


@pytest.fixture
async def there() -> AsyncGenerator[str]:
    """The address of something that takes connections."""
    connected: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: connected.append(writer), "127.0.0.1", 0)
    async with server:
        yield f"http://user:secret@127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        for writer in connected:
            writer.close()


@pytest.fixture
def gone() -> str:
    """An address that refuses connections."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


async def ready(thing: Pipeline | Graph) -> httpx.Response:
    app = create_app({"it": thing})
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as one,
    ):
        return await one.get("/readyz")


async def test_a_server_is_ready_while_its_models_take_connections(there: str) -> None:
    one, two, three = (Model(name, there) for name in ("one", "two", "three"))
    panel = PanelCritiquer([LLMCritiquer(one), LLMCritiquer(two)])
    answer = await ready(Pipeline(LLMGenerator(three), panel, LLMReviser(one)))
    assert answer.status_code == 200
    assert answer.json()["models"] == {"one": "ok", "two": "ok", "three": "ok"}


@pytest.mark.parametrize("where", ["loop", "step", "check", "map"])
async def test_a_graph_with_a_model_that_refuses_connections_is_not_ready(there: str, gone: str, where: str) -> None:
    here, away = Model("here", there), Model("away", gone)
    nodes = {
        "loop": LoopNode("{t}", critiquer=LLMCritiquer(away if where == "loop" else here), initial="draft"),
        "step": StepNode(away if where == "step" else here, prompt="{loop}"),
        "check": CheckNode("{step}", critiquer=LLMCritiquer(away if where == "check" else here)),
        "map": MapNode("{items}", StepNode(away if where == "map" else here, prompt="{item}")),
    }
    answer = await ready(Graph(nodes, inputs=["t", "items"], output="check"))
    assert answer.status_code == 503
    assert answer.json()["type"] == "urn:jido:model-unreachable"
    assert "cannot connect to away" in answer.json()["detail"]
    assert gone not in answer.text


async def test_models_without_an_address_or_with_a_wrong_one_are_not_checked(gone: str) -> None:
    def function(request: CompletionRequest) -> str:
        return "an answer"

    thing = Pipeline(LLMGenerator(function), LLMCritiquer(Model("wrong", "http://[")), LLMReviser(Model("none", "")))
    assert (await ready(thing)).status_code == 200
    assert addresses([Model("tls", "https://a.example/v1"), Model("plain", "http://a.example"), gone]) == {
        ("tls", "https://a.example/v1"): ("a.example", 443),
        ("plain", "http://a.example"): ("a.example", 80),
    }


async def test_a_model_given_by_name_is_checked(gone: str) -> None:
    stub = Stub()
    answer = await ready(Pipeline(f"compatible:small@{gone}/v1", stub, stub))
    assert answer.status_code == 503
    assert "cannot connect to small" in answer.json()["detail"]


async def test_a_server_is_ready_again_when_its_model_is(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachable, "_KEPT_S", 0.0)
    pipeline = Pipeline(LLMGenerator(Model("one", gone)), Stub(), Stub())
    app = create_app({"it": pipeline})
    statuses: list[int] = []
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client,
    ):
        statuses.append((await client.get("/readyz")).status_code)
        async with await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", _port(gone)):
            statuses.append((await client.get("/readyz")).status_code)
        statuses.append((await client.get("/readyz")).status_code)
    assert statuses == [503, 200, 503]


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])
