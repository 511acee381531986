"""Origins: which pages of other sites a server answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.serve import create_app
from jido_ai.serve.tokens import add_token
from tests.serve.conftest import Stub, client_of, things

APP = "https://app.example"


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def token_in(tokens: Path) -> str:
    return add_token(tokens, tenant="acme", project="web")


def preflight(origin: str, method: str = "POST", headers: str = "authorization, content-type") -> dict[str, str]:
    return {
        "origin": origin,
        "access-control-request-method": method,
        "access-control-request-headers": headers,
    }


@pytest.mark.parametrize("path", ["/v1/runs", "/v1/chat/completions", "/v1/memory/entries", "/healthz", "/mcp"])
@pytest.mark.parametrize("origin", [APP, "http://localhost:3000"])
async def test_pages_of_allowed_origins_may_ask_with_a_token(stub: Stub, tokens: Path, path: str, origin: str) -> None:
    token = token_in(tokens)
    async with client_of(stub, tokens=tokens, allowed_origins=[APP, "http://localhost:3000"]) as client:
        asked = await client.options(path, headers=preflight(origin, headers="authorization, idempotency-key"))
        assert asked.status_code == 200
        assert asked.headers["access-control-allow-origin"] == origin
        assert "POST" in asked.headers["access-control-allow-methods"]
        allowed = asked.headers["access-control-allow-headers"].lower()
        assert "authorization" in allowed
        assert "idempotency-key" in allowed
        headers = {"origin": origin, "authorization": f"Bearer {token}"}
        answer = await client.get("/v1/runs", headers=headers)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, origin)
        assert "origin" in answer.headers["vary"].lower()
        refused = await client.get("/v1/runs", headers={"origin": origin})  # the page may read why
        assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, origin)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "https://app.example.evil.example", "http://app.example", "null"]
)
async def test_pages_of_other_origins_get_no_permission(stub: Stub, tokens: Path, origin: str) -> None:
    token = token_in(tokens)
    async with client_of(stub, tokens=tokens, allowed_origins=[APP]) as client:
        asked = await client.options("/v1/runs", headers=preflight(origin))
        assert "access-control-allow-origin" not in asked.headers
        answer = await client.get("/v1/runs", headers={"origin": origin, "authorization": f"Bearer {token}"})
        assert "access-control-allow-origin" not in answer.headers


async def test_no_origin_is_allowed_unless_it_is_named(stub: Stub, tokens: Path) -> None:
    token_in(tokens)
    async with client_of(stub, tokens=tokens) as client:
        asked = await client.options("/v1/runs", headers=preflight(APP))
    assert asked.status_code == 401
    assert "access-control-allow-origin" not in asked.headers


@pytest.mark.parametrize(
    "origins", [["*"], ["https://*.example"], ["app.example"], [f"{APP}/"], [f"{APP}/page"], ["null"], [""], [7], APP]
)
def test_an_origin_is_a_scheme_a_host_and_a_port_without_a_wildcard(stub: Stub, tokens: Path, origins: Any) -> None:
    token_in(tokens)
    with pytest.raises(ConfigurationError, match="allowed_origins"):
        create_app(things(stub), tokens=tokens, allowed_origins=origins)


def test_origins_need_tokens(stub: Stub) -> None:
    with pytest.raises(ConfigurationError, match="allowed_origins need tokens"):
        create_app(things(stub), allowed_origins=[APP])
