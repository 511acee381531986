"""Addresses: HEAD, a trailing slash, and a server under a prefix."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from jido_ai.serve import create_app
from tests.serve.conftest import RUN, Stub, served, things

GETS = [
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/",
    "/observer/app.js",
    "/v1/runs",
    "/v1/models",
    "/v1/things",
    "/v1/things/talk/picture",
    "/v1/tree",
    "/v1/queues",
    "/v1/cost",
    "/v1/progress",
    "/v1/memory/stats",
    "/v1/memory/entries",
    "/v1/memory/search?query=a",
    "/v1/runs/r1",
    "/v1/runs/r1/calls",
    "/v1/runs/r1/events",
]


async def with_run(client: httpx.AsyncClient) -> None:
    await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "r1"})


@pytest.mark.parametrize("path", GETS)
async def test_head_is_answered_wherever_get_is(client: httpx.AsyncClient, path: str) -> None:
    await with_run(client)
    head, got = await client.head(path), await client.get(path)
    assert (head.status_code, got.status_code) == (200, 200)
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]


async def test_head_has_the_status_of_get_and_is_not_there_for_a_post(client: httpx.AsyncClient) -> None:
    assert (await client.head("/v1/runs/nothing")).status_code == 404
    assert (await client.head("/v1/runs?limit=0")).status_code == 422
    refused = await client.head("/v1/critiques")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert "HEAD" in (await client.put("/v1/tree")).headers["allow"]


async def test_head_of_the_events_of_a_run_in_flight_ends_at_once_over_a_socket(stub: Stub) -> None:
    stub.gate.clear()
    async with served(stub) as address, httpx.AsyncClient(base_url=address) as client:
        await client.post("/v1/runs", json={**RUN, "run_id": "r1"})
        assert (await client.head("/v1/runs/r1/events")).status_code == 200
        assert (await client.head("/v1/runs/r1")).headers["content-length"] != "0"
        assert (await client.get("/healthz")).json() == {"status": "ok"}  # on the same connection
        stub.gate.set()


@pytest.mark.parametrize("path", [one for one in GETS if one != "/" and "?" not in one])
async def test_a_trailing_slash_changes_nothing(client: httpx.AsyncClient, path: str) -> None:
    await with_run(client)
    assert (await client.get(f"{path}/")).status_code == 200


async def test_a_trailing_slash_changes_nothing_for_posts_and_queries(client: httpx.AsyncClient) -> None:
    run = await client.post("/v1/runs/?wait=30", json={**RUN, "run_id": "a"})
    assert (run.status_code, run.json()["run_id"]) == (200, "a")
    assert (await client.get("/v1/runs/?limit=1")).json()["figures"]["runs"] == 1
    assert (await client.post("/v1/runs/a/cancel/")).status_code == 200
    assert (await client.get("/v1/runs/a%2F")).status_code == 404  # a slash in an id is none at the end of an address


async def prefixed(kind: str, app: Any) -> httpx.AsyncClient:
    if kind == "mounted":
        outer = Starlette(routes=[Mount("/team/jido", app)])
        return httpx.AsyncClient(transport=httpx.ASGITransport(outer), base_url="http://localhost/team/jido")
    transport = httpx.ASGITransport(app, root_path="/team/jido")
    prefix = "/team/jido" if kind == "kept by the proxy" else ""
    return httpx.AsyncClient(transport=transport, base_url=f"http://localhost{prefix}")


@pytest.mark.parametrize("kind", ["mounted", "kept by the proxy", "left out by the proxy"])
async def test_everything_works_under_a_prefix(stub: Stub, kind: str) -> None:
    app = create_app(things(stub))
    client = await prefixed(kind, app)
    async with app.router.lifespan_context(app), client:
        made = await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "r1"})
        assert made.status_code == 200
        here = "/team/jido/v1/runs/r1"
        assert made.json()["links"] == {"self": here, "events": f"{here}/events", "cancel": f"{here}/cancel"}
        assert made.headers["location"] == here
        assert (await client.get("/v1/runs")).json()["data"][0]["links"]["self"] == here
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        page = await client.get("/")
        assert page.status_code == 200
        assert 'src="observer/app.js"' in page.text  # relative to the page
        assert '="/' not in page.text
        assert (await client.get("/observer/app.js")).status_code == 200
        assert (await client.get("/openapi.json")).json()["servers"] == [{"url": "/team/jido"}]
        assert (await client.get("/v1/models/")).status_code == 200


async def test_health_and_page_are_open_under_a_prefix_with_tokens_and_nothing_else(stub: Stub, tmp_path: Any) -> None:
    from jido_ai.serve.tokens import add_token

    tokens = tmp_path / "tokens.json"
    add_token(tokens, tenant="a", project="b")
    app = create_app(things(stub), tokens=tokens)
    client = await prefixed("mounted", app)
    async with app.router.lifespan_context(app), client:
        open_ones = [(await client.get(path)).status_code for path in ("/healthz", "/readyz", "/", "/observer/app.js")]
        assert open_ones == [200] * 4
        closed = [(await client.get(path)).status_code for path in ("/v1/runs", "/v1/models", "/metrics", "/mcp")]
        assert closed == [401] * 4
        wrong = (await client.get("/v1/models")).json()
        assert "error" in wrong  # in OpenAI's form, behind its door
