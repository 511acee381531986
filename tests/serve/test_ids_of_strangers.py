"""Ids that callers choose, at every door: each is taken or refused with a reason, and nothing else happens."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hostile_texts import HOSTILE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.graph.orders import fault_of_run_id
from jido_ai.integrations.dbos_orders import checked_run_id
from tests.serve.conftest import RUN, Stub, client_of

ODD = (
    *HOSTILE,
    *("", " ", ".", "..", "../x", "../../etc/passwd", "/etc/passwd", "a/b", "a%2Fb", "%2e%2e", "a\\b", "a//b", "ask/0"),
    *("run//decision", "sections[0]", "ask:1", "-1", "0", "1e999", "9" * 400, "x" * 256, "~", "*", "?a=b", "#f", "a;b"),
    *(
        "null",
        "true",
        "{}",
        "[]",
        "resp_",
        "resp_x",
        "run_x",
        "\ufeff",
        "e\u0301",
        "\U0001f600",
        "\t",
        "a\x00b",
        "\udcff",
    ),
)
ids = st.one_of(
    st.sampled_from(ODD),
    st.text(st.characters(), max_size=12),
    st.text("./\\%~:[]{}?#&=_ -0aA\x00\n\u202e", max_size=8),
    st.binary(max_size=6).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
)


async def answers(client: httpx.AsyncClient, id_: str) -> AsyncGenerator[tuple[str, httpx.Response]]:
    """Send an id through every door that takes one; yield the door's name and the answer."""
    text = quote(id_.encode("utf-8", "surrogatepass"), safe="")
    for door in ("", "/events", "/calls"):
        yield f"GET {door}", await client.get(f"/v1/runs/{text}{door}")
    for door, body in (("/cancel", None), ("/resume", {"decision": {id_: True}}), ("/notes", {"note": id_})):
        yield f"POST {door}", await _post(client, f"/v1/runs/{text}{door}", body)
    yield "node", await _post(client, f"/v1/runs/mine/approvals/{text}", {"decision": True})
    yield "question", await _post(client, "/v1/runs/mine/resume", {"decision": {id_: True}})
    yield "run", await _post(client, "/v1/runs?wait=20", {**RUN, "run_id": id_})
    yield "graph", await _post(client, "/v1/runs?wait=20", {"graph": "line", "inputs": {"topic": "t"}, "run_id": id_})
    yield "name", await _post(client, "/v1/runs", {"pipeline": id_, "prompt": "p"})
    chat: dict[str, Any] = {"model": "answer", "messages": [{"role": "user", "content": "p"}]}
    yield "chat", await _post(client, "/v1/chat/completions", {**chat, "metadata": {"run_id": id_}})
    yield "model", await _post(client, "/v1/chat/completions", {**chat, "model": id_})
    key = id_.encode("utf-8", "surrogatepass").translate(None, b"\r\n\x00")
    yield "key", await client.post("/v1/runs", json=RUN, headers={b"idempotency-key": key})
    yield "session", await client.post("/mcp", json={}, headers={b"mcp-session-id": key})
    for path in ("/v1/responses/", "/v1/models/"):
        yield path, await client.get(f"{path}{text}")
    yield "entry", await client.delete(f"/v1/memory/entries?id={text}")
    for name in ("cursor", "pipeline", "q", "tenant"):
        yield name, await client.get(f"/v1/runs?{name}={text}")
    yield "last event", await client.get("/v1/runs/mine/events", headers={b"last-event-id": key})


async def _post(client: httpx.AsyncClient, path: str, body: Any) -> httpx.Response:
    content = b"" if body is None else json.dumps(body).encode()
    return await client.post(path, content=content, headers={"content-type": "application/json"})


async def check(found: list[str], folder: Path) -> None:
    """Try ids at all doors of a new server whose store lies in a folder."""
    async with client_of(Stub(), memory=str(folder / "memory.db")) as client:
        begun = {"graph": "talk", "inputs": {"topic": "t"}, "run_id": "mine"}
        assert (await client.post("/v1/runs?wait=20", json=begun)).json()["status"] == "suspended"
        for id_ in found:
            async for door, answer in answers(client, id_):
                assert answer.status_code < 500, (door, id_, answer.text)
                assert "Traceback" not in answer.text, (door, id_)
                if door in ("run", "graph") and fault_of_run_id(id_) is not None:
                    assert answer.status_code in (400, 422), (door, id_, answer.text)
                if door == "run" and answer.status_code == 200:
                    assert answer.json()["run_id"] == id_
        assert (await client.get("/v1/runs/mine")).json()["status"] == "suspended"
    assert {one.name.partition("-")[0] for one in folder.iterdir()} == {"memory.db"}


async def test_every_door_takes_or_refuses_the_odd_ids_of_a_list(tmp_path: Path) -> None:
    await check([one.format(id=1) if one.startswith("</") else one for one in ODD[::4]], tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(300)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ids, min_size=1, max_size=6))
async def test_no_id_of_a_caller_is_an_error_of_the_server_or_leaves_a_file(
    tmp_path_factory: pytest.TempPathFactory, found: list[str]
) -> None:
    await check(found, tmp_path_factory.mktemp("store"))


@given(ids)
def test_the_queue_takes_no_id_that_the_server_refuses(found: str) -> None:
    if fault_of_run_id(found) is not None:
        with pytest.raises(ConfigurationError, match="run_id"):
            checked_run_id(found)
