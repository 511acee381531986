"""A store that fails under a server: callers get 503 without paths, /readyz says so, and the log has the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import StoreFullError, StoreUnavailableError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from tests.serve.conftest import RUN, Stub, client_of

WRITES = [
    ("POST", "/v1/runs", RUN),
    ("POST", "/v1/memory/entries", {"prompt": "a", "correction": "b"}),
]


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_file_that_is_removed_makes_the_server_not_ready(
    stub: Stub, store: Path, replaced: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with client_of(stub, memory=store) as client:
        assert (await client.post("/v1/runs?wait=30", json=RUN)).status_code == 200
        assert (await client.get("/readyz")).status_code == 200
        for one in store.parent.glob("memory.db*"):
            one.unlink()
        if replaced:
            store.write_bytes(b"")
        for method, path, body in [*WRITES, ("GET", "/readyz", None)]:
            answer = await client.request(method, path, json=body)
            assert (answer.status_code, answer.json()["type"]) == (503, "urn:jido:store-failed"), path
            assert str(store) not in answer.text
        assert (await client.get("/healthz")).status_code == 200
    assert f"POST /v1/runs: StoreUnavailableError: {store} was moved, removed or replaced" in caplog.text


@pytest.mark.parametrize("kind", [StoreFullError, StoreUnavailableError])
async def test_a_store_that_takes_no_more_is_503_until_it_does(
    stub: Stub, kind: type[Exception], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: Any, **__: Any) -> Any:
        raise kind("no space left for /srv/place/of/the.db")

    async with client_of(stub) as client:
        with monkeypatch.context() as patched:
            for name in ("append", "store"):
                patched.setattr(ReflexionMemory, name, fail)
            for method, path, body in WRITES:
                answer = await client.request(method, path, json=body)
                assert answer.status_code == 503, path
                assert int(answer.headers["retry-after"]) > 0
                assert "/srv" not in answer.text
        for method, path, body in WRITES:
            assert (await client.request(method, path, json=body)).status_code < 300
    assert "/srv/place/of/the.db" in caplog.text


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate, gzip"])
async def test_a_compressed_body_is_415(stub: Stub, coding: str) -> None:
    async with client_of(stub) as client:
        head = {"content-type": "application/json", "content-encoding": coding}
        answer = await client.post("/v1/runs", content=b"\x1f\x8b\x08\x00", headers=head)
        assert answer.status_code == 415
        assert coding in answer.json()["detail"]
        assert (await client.post("/v1/runs", json=RUN, headers={"content-encoding": "identity"})).status_code == 202
