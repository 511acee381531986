"""Listeners that are idle, stalled or gone hold up neither the run nor each other."""

from __future__ import annotations

import asyncio

import httpx

from tests.serve.conftest import RUN, Stub, served, until

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _listener(address: str, run_id: str) -> Connection:
    host, _, port = address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=8 << 20)
    writer.write(f"GET /v1/runs/{run_id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    return reader, writer


async def _streams(client: httpx.AsyncClient) -> float:
    lines = (await client.get("/metrics")).text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith("jido_event_streams "))


async def test_stalled_and_vanished_listeners_do_not_keep_the_others_from_the_end(stub: Stub) -> None:
    stub.gate.clear()
    async with served(stub) as address, httpx.AsyncClient(base_url=address) as client:
        body = {**RUN, "prompt": "p" * 100_000}
        run_id = (await client.post("/v1/runs", json=body)).json()["run_id"]
        listeners = await asyncio.gather(*(_listener(address, run_id) for _ in range(60)))
        for _, writer in listeners[20:40]:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _, writer in listeners[40:]:
            writer.transport.abort()
        stub.gate.set()
        await until("completed", client, run_id)
        texts = await asyncio.gather(*(reader.readuntil(b"\r\n0\r\n\r\n") for reader, _ in listeners[:20]))
        assert all(b"event: RunStopped" in text for text in texts)
        for _, writer in listeners[:40]:
            writer.transport.abort()
        while await _streams(client):
            await asyncio.sleep(0.01)
        assert (await client.get("/healthz")).status_code == 200
