"""Django: async and sync views, and a client that leaves; prints what came."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.http import HttpRequest, HttpResponse
from django.test import AsyncClient
from django.urls import path
from host_work import Waiting, critique, fast_pipeline, open_databases, work

from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline, reflect_sync

FOLDER = Path(sys.argv[1])
blocking = BlockingPipeline(fast_pipeline(memory=True))
waiting = Waiting()


async def asynchronous(request: HttpRequest) -> HttpResponse:
    await work(FOLDER)
    return HttpResponse("done")


def synchronous(request: HttpRequest) -> HttpResponse:
    accepted = [blocking.run("q").accepted, reflect_sync("q", "a", critiquer=critique).accepted]
    return HttpResponse(str(accepted))


async def endless(request: HttpRequest) -> HttpResponse:
    async with Pipeline(None, waiting.critique, memory=str(FOLDER / "left.db")) as pipeline:
        await pipeline.run("q", "a")
    return HttpResponse("never")


urlpatterns = [path("async", asynchronous), path("sync", synchronous), path("endless", endless)]


async def leave() -> None:
    """Ask for the endless view, and leave while it waits."""
    messages = iter([{"type": "http.request", "body": b""}])

    async def receive() -> dict[str, Any]:
        for message in messages:
            return message
        await waiting.begun.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "method": "GET", "path": "/endless", "headers": [], "query_string": b""}
    await get_asgi_application()(scope, receive, send)


async def main() -> None:
    client = AsyncClient()
    for name in ("async", "sync"):
        answer = await client.get(f"/{name}")
        print(name, answer.status_code, answer.content.decode())
    await leave()
    print("left", waiting.ended.is_set(), open_databases())


settings.configure(SECRET_KEY="s", ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], LOGGING_CONFIG=None)
django.setup()
asyncio.run(main())
blocking.close()
