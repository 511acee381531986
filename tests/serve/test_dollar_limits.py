"""A token's dollars a day are kept or refused: with a model without a known price the server does not start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jido_ai import Graph, LLMGenerator, LoopNode, Pipeline
from jido_ai.errors import ConfigurationError
from jido_ai.models import with_limits
from jido_ai.models.names import bare_model_named
from jido_ai.serve.tokens import Quota, add_token
from tests.serve.conftest import Stub, client_of

UNKNOWN = "compatible:unknown-model@http://127.0.0.1:9/v1"
TABLE = {"compatible:unknown-model": (1.0, 2.0)}


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def _limited(tokens: Path) -> str:
    return add_token(tokens, tenant="a", project="b", quota=Quota(dollars_a_day=5.0))


def _using(model: Any, where: str) -> dict[str, Any]:
    stub = Stub()
    if where == "graph":
        return {
            "it": Graph(
                {"loop": LoopNode("{t}", generator=model, critiquer=stub, reviser=stub)}, inputs=["t"], output="loop"
            )
        }
    return {"it": Pipeline(model, stub, stub) if where == "generator" else Pipeline(stub, model, stub)}


@pytest.mark.parametrize("where", ["generator", "critic", "graph"])
async def test_a_server_with_a_model_of_unknown_price_does_not_start(tokens: Path, where: str) -> None:
    _limited(tokens)
    with pytest.raises(ConfigurationError, match=r"dollars_a_day=5.*unknown-model.*'it'.*input_usd"):
        async with client_of(Stub(), things=_using(UNKNOWN, where), tokens=tokens):
            pass


async def test_a_model_object_of_unknown_price_is_refused_too(tokens: Path) -> None:
    _limited(tokens)
    bare = bare_model_named(UNKNOWN)
    with pytest.raises(ConfigurationError, match="wrap it, with_limits"):
        async with client_of(Stub(), things=_using(LLMGenerator(bare), "generator"), tokens=tokens):
            pass


async def test_with_a_known_price_it_starts(tokens: Path) -> None:
    token = _limited(tokens)
    model = with_limits(UNKNOWN, prices=TABLE)
    async with client_of(Stub(), things=_using(model, "generator"), tokens=tokens, token=token) as client:
        assert (await client.get("/v1/things")).status_code == 200


async def test_without_a_limit_in_dollars_no_price_is_needed(tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(tokens_a_day=100))
    async with client_of(Stub(), things=_using(UNKNOWN, "generator"), tokens=tokens, token=token) as client:
        assert (await client.get("/v1/things")).status_code == 200


async def test_a_limit_of_a_token_that_came_later_is_checked_before_a_run(tokens: Path) -> None:
    add_token(tokens, tenant="a", project="b")
    async with client_of(Stub(), things=_using(UNKNOWN, "generator"), tokens=tokens) as client:
        later = {"authorization": f"Bearer {_limited(tokens)}"}
        answer = await client.post("/v1/runs", json={"pipeline": "it", "prompt": "p"}, headers=later)
    assert answer.status_code == 422
    assert "dollars_a_day=5" in answer.json()["detail"]
