"""A model on loopback that answers after a while and notes each call: when, by which process, for which step."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass, field

from aiohttp import web

LAST = 2
"""The number of the text that the critic accepts: generate, then judge and revise twice, then judge."""
CALLS_OF_A_RUN = 2 * LAST + 2


@dataclass
class Model:
    """The server. `calls` has, by run, the calls as they began: (seconds, pid, step)."""

    delay_s: float
    calls: dict[str, list[tuple[float, int, str]]] = field(default_factory=lambda: defaultdict(list))
    port: int = 0
    _runner: web.AppRunner | None = None

    async def __aenter__(self) -> Model:
        app = web.Application()
        app.router.add_post("/", self._answer)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.Response:
        asked = await request.json()
        self.calls[asked["run"]].append((time.monotonic(), asked["pid"], asked["step"]))
        await asyncio.sleep(self.delay_s)
        return web.json_response({"text": asked["text"]})
