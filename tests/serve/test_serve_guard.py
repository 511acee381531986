"""Hosts, origins, tokens, scopes, quotas, bodies: SERVING.md 1 and FAULTS 15, 18, 20, 22."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.serve import create_app
from jido_ai.serve.bodies import parsed
from jido_ai.serve.problems import Problem
from jido_ai.serve.tokens import ALL_RIGHTS, Quota, Right, add_token
from tests.serve.conftest import RUN, Stub, client_of, events_of, served, things, until

ROUTES = [
    ("POST", "/v1/runs", RUN),
    ("GET", "/v1/runs", None),
    ("GET", "/v1/runs/mine", None),
    ("GET", "/v1/runs/mine/events", None),
    ("POST", "/v1/runs/mine/cancel", None),
    ("POST", "/v1/runs/mine/resume", None),
    ("POST", "/v1/runs/mine/approvals/x", {"decision": True}),
    ("POST", "/v1/critiques", {"pipeline": "answer", "prompt": "a", "candidate": "draft 0"}),
    ("POST", "/v1/chat/completions", {"model": "answer", "messages": [{"role": "user", "content": "a"}]}),
    ("GET", "/v1/models", None),
    ("GET", "/v1/memory/search?query=a", None),
    ("GET", "/v1/memory/entries", None),
    ("POST", "/v1/memory/entries", {"prompt": "a", "correction": "b"}),
    ("DELETE", "/v1/memory/entries?id=a", None),
    ("GET", "/v1/memory/stats", None),
    ("POST", "/api/v1/reflections/generate", {"tenant": "a", "project": "b", "events": ["c"]}),
    ("GET", "/v1/tree", None),
    ("GET", "/v1/cost", None),
    ("GET", "/v1/progress", None),
    ("GET", "/v1/comparisons", None),
    ("GET", "/metrics", None),
    ("GET", "/v1/things", None),
    ("GET", "/openapi.json", None),
    ("POST", "/mcp", {}),
]


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
async def test_no_route_but_health_answers_without_a_token(
    stub: Stub, tokens: Path, method: str, path: str, body: Any
) -> None:
    add_token(tokens, tenant="a", project="b")
    async with client_of(stub, tokens=tokens, host="any.example") as client:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Basic eDp5"}):
            answer = await client.request(method, path, json=body, headers=headers)
            assert answer.status_code == 401, path
            assert "bearer" in answer.headers["www-authenticate"].lower()
        assert (await client.get("/healthz")).status_code == (await client.get("/readyz")).status_code == 200


async def test_another_tenants_run_is_404_and_the_same_id_is_two_runs(stub: Stub, tokens: Path) -> None:
    ours, theirs = (add_token(tokens, tenant=name, project="p") for name in ("ours", "theirs"))
    async with client_of(stub, tokens=tokens, token=ours) as client:
        other = {"authorization": f"Bearer {theirs}"}
        body = {**RUN, "run_id": "mine"}
        await client.post("/v1/runs?wait=30", json=body)
        for method, path, sent in ROUTES[2:7]:
            assert (await client.request(method, path, json=sent, headers=other)).status_code == 404, path
        assert (await client.get("/v1/runs", headers=other)).json()["data"] == []
        stub.gate.clear()
        both = [
            (await client.post("/v1/runs", json={**RUN, "run_id": "same", "prompt": who}, headers=headers)).json()
            for who, headers in (("us", {}), ("them", other))
        ]
        tree = (await client.get("/v1/tree", headers=other)).text
        assert "ours" not in tree
        assert "same" not in tree
        stub.gate.set()
        assert [run["prompt"] for run in both] == ["us", "them"]
        await until("completed", client, "same")
        assert (await events_of(client, "same"))[0]["prompt"] == "us"


async def test_lessons_of_another_tenant_are_neither_found_nor_forgotten(stub: Stub, tokens: Path) -> None:
    ours, theirs = (add_token(tokens, tenant=name, project="p") for name in ("ours", "theirs"))
    async with client_of(stub, tokens=tokens, token=ours) as client:
        other = {"authorization": f"Bearer {theirs}"}
        entry = (
            await client.post("/v1/memory/entries", json={"prompt": "sort a list", "correction": "use sorted"})
        ).json()
        found = (await client.get("/v1/memory/search?query=sort a list")).json()["data"]
        assert [one["entry"]["correction"] for one in found] == ["use sorted"]
        assert (await client.get("/v1/memory/search?query=sort a list", headers=other)).json()["data"] == []
        assert (await client.delete(f"/v1/memory/entries?id={entry['id']}", headers=other)).status_code == 404
        assert (await client.delete(f"/v1/memory/entries?id={entry['id']}")).json() == {"forgotten": 1}


NEEDS = [
    ("run", "POST", "/v1/runs", RUN),
    ("run", "POST", "/v1/runs/mine/cancel", None),
    ("run", "POST", "/v1/runs/mine/resume", None),
    ("run", "POST", "/v1/runs/mine/approvals/x", {"decision": True}),
    ("run", "POST", "/v1/critiques", {"pipeline": "answer", "prompt": "a", "candidate": "draft 0"}),
    ("run", "POST", "/v1/chat/completions", {"model": "answer", "messages": [{"role": "user", "content": "a"}]}),
    ("memory", "POST", "/api/v1/reflections/generate", {"tenant": "a", "project": "b", "events": ["c"]}),
    ("read", "GET", "/v1/runs", None),
    ("read", "GET", "/v1/runs/mine", None),
    ("read", "GET", "/v1/runs/mine/events", None),
    ("read", "GET", "/v1/cost", None),
    ("read", "GET", "/v1/progress", None),
    ("memory", "GET", "/v1/memory/search?query=a", None),
    ("memory", "GET", "/v1/memory/entries", None),
    ("memory", "POST", "/v1/memory/entries", {"prompt": "a"}),
    ("memory", "DELETE", "/v1/memory/entries?id=a", None),
    ("memory", "GET", "/v1/memory/stats", None),
    ("admin", "GET", "/metrics", None),
]


@pytest.mark.parametrize(("right", "method", "path", "body"), NEEDS)
async def test_a_request_without_the_right_is_403(  # noqa: PLR0917
    stub: Stub, tokens: Path, right: Right, method: str, path: str, body: Any
) -> None:
    with_it = add_token(tokens, tenant="a", project="b", rights=(right,))
    without = add_token(tokens, tenant="a", project="b", rights=tuple(one for one in ALL_RIGHTS if one != right))
    async with client_of(stub, tokens=tokens) as client:
        codes = [
            (await client.request(method, path, json=body, headers={"authorization": f"Bearer {token}"})).status_code
            for token in (with_it, without)
        ]
    assert codes[0] in (200, 202, 404)
    assert codes[1] == 403


@pytest.mark.rows("R48")
async def test_a_reflection_has_the_tenant_and_project_of_the_token(stub: Stub, tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b")
    async with client_of(stub, tokens=tokens, token=token) as client:
        body = {"tenant": "a", "project": "b", "events": ["it failed"], "error": "TimeoutError", "description": "call"}
        found = (await client.post("/api/v1/reflections/generate", json=body)).json()
        assert set(found) == {
            "reflection_id",
            "reflection_text",
            "strategy_text",
            "importance",
            "confidence",
            "tags",
        }
        refused = await client.post("/api/v1/reflections/generate", json={**body, "tenant": "c"})
        assert refused.status_code == 403
        assert (await client.post("/api/v1/reflections/generate", json={**body, "events": []})).status_code == 422


@pytest.mark.rows("R49")
@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("tenant", "t" * 255, 200),
        ("tenant", "t" * 256, 422),
        ("tenant", "", 422),
        ("project", "p" * 255, 200),
        ("project", "p" * 256, 422),
        ("events", [], 422),
        ("events", ["one"], 200),
    ],
)
async def test_a_reflection_takes_names_of_1_to_255_characters_and_at_least_one_event(
    stub: Stub, field: str, value: Any, status: int
) -> None:
    body = {"tenant": "a", "project": "b", "events": ["it failed"], field: value}
    async with client_of(stub) as client:
        assert (await client.post("/api/v1/reflections/generate", json=body)).status_code == status


@pytest.mark.rows("R49")
@pytest.mark.parametrize(("number", "status"), [(0, 422), (1, 200), (20, 200), (21, 422)])
async def test_a_search_returns_1_to_20_lessons(stub: Stub, number: int, status: int) -> None:
    async with client_of(stub) as client:
        asked = {"query": "an onion", "k": str(number)}
        assert (await client.get("/v1/memory/search", params=asked)).status_code == status


async def test_a_changed_file_of_tokens_applies_at_once(stub: Stub, tokens: Path) -> None:
    add_token(tokens, tenant="a", project="b")
    async with client_of(stub, tokens=tokens) as client:
        token = add_token(tokens, tenant="a", project="b")
        assert (await client.get("/v1/runs", headers={"authorization": f"Bearer {token}"})).status_code == 200


def test_the_file_of_tokens_contains_no_token_and_is_private(tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b")
    assert token not in tokens.read_text()
    assert tokens.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "{}x", "[]", '{"version": 9, "tokens": []}', '{"tokens": [{"id": "a"}]}'])
def test_an_invalid_file_of_tokens_is_refused_at_the_start(stub: Stub, tokens: Path, text: str) -> None:
    tokens.write_text(text)
    with pytest.raises(ConfigurationError, match="jido token new"):
        create_app(things(stub), tokens=tokens)


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "", "[::1", "169.254.169.254"]
)
@pytest.mark.parametrize(("method", "path", "body"), [*ROUTES[:2], ("GET", "/", None), ("GET", "/healthz", None)])
async def test_without_tokens_a_foreign_host_is_421(
    client: httpx.AsyncClient, method: str, path: str, body: Any, host: str
) -> None:
    assert (await client.request(method, path, json=body, headers={"host": host})).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost.evil.example", "http://localhost:1"]
)
async def test_without_tokens_a_foreign_origin_is_403(client: httpx.AsyncClient, origin: str) -> None:
    answer = await client.post("/v1/runs", json=RUN, headers={"origin": origin})
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:jido:foreign-origin")
    same = await client.post("/v1/runs", json=RUN, headers={"origin": "http://localhost"})
    assert same.status_code == 202


async def test_every_answer_has_the_headers_that_protect_a_browser(client: httpx.AsyncClient) -> None:
    for path in ("/", "/v1/runs", "/nix"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"]


# -- quotas ----------------------------------------------------------------------------------------


async def test_runs_at_once_are_limited(stub: Stub, tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(runs_at_once=2))
    stub.gate.clear()
    async with client_of(stub, tokens=tokens, token=token) as client:
        answers = [await client.post("/v1/runs", json=RUN) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [202, 202, 429]
        assert int(answers[2].headers["retry-after"]) >= 1
        stub.gate.set()
        await until("completed", client, answers[0].json()["run_id"])
        await until("completed", client, answers[1].json()["run_id"])
        assert (await client.post("/v1/runs", json=RUN)).status_code == 202


async def test_runs_per_minute_are_limited_and_a_repeated_id_costs_nothing(stub: Stub, tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(runs_a_minute=2))
    async with client_of(stub, tokens=tokens, token=token) as client:
        for _ in range(3):
            assert (await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})).status_code == 200
        assert (await client.post("/v1/runs", json=RUN)).status_code == 202
        answer = await client.post("/v1/runs", json=RUN)
        assert (answer.status_code, answer.json()["type"]) == (429, "urn:jido:quota")
        assert 1 <= int(answer.headers["retry-after"]) <= 61


async def test_the_size_of_a_body_is_limited(stub: Stub, tokens: Path) -> None:
    token = add_token(tokens, tenant="a", project="b", quota=Quota(body_bytes=500))
    async with client_of(stub, tokens=tokens, token=token) as client:
        assert (await client.post("/v1/runs", json={**RUN, "prompt": "x" * 600})).status_code == 413
        assert (await client.post("/v1/runs", json=RUN)).status_code == 202


# -- bodies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"a"',
        b"null",
        b"NaN",
        b'{"pipeline": "answer", "prompt": "a", "metadata": {"x": NaN}}',
        b'{"pipeline": "answer", "prompt": "a", "metadata": {"x": Infinity}}',
        b'{"pipeline": "answer", "pipeline": "answer", "prompt": "a"}',
        b'{"pipeline": "answer", "prompt": "a", "metadata": {"x": 1, "x": 2}}',
        b'{"pipeline": "answer", "prompt": "\\ud800"}',
        b'{"pipeline": "answer", "prompt": "a", "metadata": {"\\udfff": 1}}',
        b'{"pipeline": "answer", "prompt": "\xff"}',
        b'{"pipeline": "answer", "prompt": "a", "metadata": ' + b'{"a":' * 101 + b"1" + b"}" * 102,
        b'{"pipeline": "answer", "prompt": "a", "metadata": {"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
        b'{"pipeline": "answer", "prompt": "a", "metadata": {"a": ' + b"9" * 5_000 + b"}}",
    ],
)
async def test_a_malformed_body_is_400_and_starts_nothing(client: httpx.AsyncClient, body: bytes) -> None:
    answer = await client.post("/v1/runs", content=body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:jido:malformed"), answer.text
    assert (await client.get("/v1/runs")).json()["data"] == []


async def test_a_body_of_more_than_10_mib_is_413(client: httpx.AsyncClient) -> None:
    big = json.dumps({**RUN, "prompt": "x" * (10 << 20)}).encode()
    for headers in ({}, {"transfer-encoding": "chunked"}):
        answer = await client.post("/v1/runs", content=big, headers={"content-type": "application/json", **headers})
        assert answer.status_code == 413


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_a_body_that_is_not_json_is_415(client: httpx.AsyncClient, kind: str) -> None:
    headers = {"content-type": kind} if kind else {}
    answer = await client.post("/v1/runs", content=b"{}", headers=headers)
    assert (answer.status_code, answer.json()["type"]) == (415, "urn:jido:not-json")


async def test_another_method_is_405(client: httpx.AsyncClient) -> None:
    answer = await client.put("/v1/runs", json=RUN)
    assert (answer.status_code, answer.json()["type"]) == (405, "urn:jido:method-not-allowed")


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
JSON = st.recursive(SCALARS, lambda inside: st.lists(inside) | st.dictionaries(TEXTS, inside))


@given(JSON)
def test_every_json_object_is_read_as_json_reads_it(value: Any) -> None:
    raw = json.dumps({"a": value}).encode()
    assert parsed(raw) == json.loads(raw)


@given(st.binary(max_size=200))
def test_any_bytes_are_either_an_object_or_malformed(raw: bytes) -> None:
    try:
        read: object = parsed(raw)
    except Problem as problem:
        read = problem.kind
    assert isinstance(read, dict) or read == "malformed"


async def test_hostile_texts_are_returned_unchanged(client: httpx.AsyncClient) -> None:
    text = "<script>alert(1)</script> \u202e rtl \x00 nul \U0001f600 " + "é" * 1000
    body = {"pipeline": "answer", "prompt": text, "initial_candidate": "draft 3"}
    run = (await client.post("/v1/runs?wait=30", json=body)).json()
    assert run["prompt"] == run["result"]["prompt"] == text


async def test_no_answer_about_a_stored_run_contains_a_planted_secret(
    open_client: Callable[..., Any], stub: Stub, store: Path
) -> None:
    secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH"
    async with open_client(memory=store) as client:
        body = {**RUN, "prompt": f"my key is {secret}", "run_id": "mine"}
        await client.post("/v1/runs?wait=30", json=body)
        for path in ("/v1/runs", "/v1/runs/mine", "/v1/runs/mine/events", "/v1/memory/entries", "/v1/tree", "/metrics"):
            assert secret not in (await client.get(path)).text, path
    assert secret.encode() not in store.read_bytes()


async def test_a_client_that_sends_its_body_too_slowly_gets_408(
    monkeypatch: pytest.MonkeyPatch, client: httpx.AsyncClient
) -> None:
    monkeypatch.setattr("jido_ai.serve.answers._BODY_S", 0.05)

    async def slowly() -> Any:
        yield b'{"pipeline"'
        await asyncio.sleep(5)

    answer = await client.post("/v1/runs", content=slowly(), headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["type"]) == (408, "urn:jido:timeout")


async def test_an_unexpected_error_is_500_without_internals(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError(" ".join(["the secret", "plan"]))

    monkeypatch.setattr("jido_ai.serve.routes.runs.view_of", breaks)
    answer = await client.post("/v1/runs", json=RUN)
    assert (answer.status_code, answer.json()["type"]) == (500, "urn:jido:failed")
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    told = "".join(one.getMessage() for one in caplog.records if one.levelno > logging.DEBUG)
    assert "POST /v1/runs failed: ZeroDivisionError" in told
    assert "in breaks" in told
    assert "the secret plan" not in told


@pytest.mark.parametrize("line", [b": x", b" : x", b"no colon", b"two words: x", b"blank : x"], ids=str)
async def test_a_header_without_a_valid_name_is_400_and_the_server_stays_up(stub: Stub, line: bytes) -> None:
    async with served(stub) as address:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + line + b"\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
        writer.close()
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"{address}/healthz")).status_code == 200
