"""A worker process, or a direct run of the same pipeline for comparison.

    python benchmarks/workers/working.py STORE QUEUE PORT [--concurrency N] [--dead-after S] [--lease S] [--direct RUNS]

Every step of a run is a call of the model at PORT; with PORT 0 steps are answered at once. Events go to standard
output.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from typing import Any

import aiohttp
from model import LAST

from jido_ai.integrations.dbos import worker
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.telemetry import TelemetryEvent
from jido_ai.values import Candidate, CritiqueResult, LoopConfig

CONFIG = LoopConfig(
    max_iterations=LAST + 2, change_threshold=0.0, score_threshold=0.01, severity_threshold=0.1,
    timeout_s=3600.0, step_timeout_s=600.0,
)  # fmt: skip


class Steps:
    """A generator, critic and reviser of numbered texts, each a call of the model."""

    def __init__(self, port: int) -> None:
        self._url = f"http://127.0.0.1:{port}/"
        self._port = port
        self._session: aiohttp.ClientSession | None = None

    async def _ask(self, step: str, text: str, context: RunContext) -> str:
        if not self._port:
            return text
        if self._session is None:
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        asked = {"run": context.run_id, "pid": os.getpid(), "step": step, "text": text}
        async with self._session.post(self._url, json=asked) as answer:
            return (await answer.json())["text"]

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def generate(self, prompt: str, context: RunContext) -> str:
        return await self._ask("generate", "0", context)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        number = int(await self._ask(f"critique {candidate.content}", candidate.content, context))
        return CritiqueResult(severity=0.0 if number == LAST else 0.9 - 0.15 * number)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return await self._ask(f"revise {candidate.content}", str(int(candidate.content) + 1), context)


def tell(event: TelemetryEvent) -> None:
    print(event.name, *(f"{name}={value}" for name, value in event.data.items()), flush=True)


async def direct(pipeline: Pipeline, store: str, runs: int, concurrency: int) -> None:
    """Time runs without a queue, with the same journal."""
    from jido_ai.memory.reflexion_memory import ReflexionMemory

    async with ReflexionMemory(store) as memory:
        pipeline.use_memory(memory)
        async with pipeline:
            await pipeline.run("count", run_id="warm up")
            turns = asyncio.Semaphore(concurrency)

            async def one(number: int) -> None:
                async with turns:
                    await pipeline.run_or_resume("count", run_id=f"direct-{number}")

            began = time.perf_counter()
            await asyncio.gather(*map(one, range(runs)))
            print(time.perf_counter() - began, flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("queue")
    parser.add_argument("port", type=int)
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--dead-after", type=float, default=2.0)
    parser.add_argument("--lease", type=float, default=30.0)
    parser.add_argument("--poll", type=float, default=0.1)
    parser.add_argument("--direct", type=int, default=0)
    options = parser.parse_args()
    steps = Steps(options.port)
    pipeline: Any = Pipeline(steps, steps, steps, config=CONFIG, lease_s=options.lease)
    if options.direct:
        await direct(pipeline, options.store, options.direct, options.concurrency)
        await steps.close()
        return
    async with worker(
        {"count": pipeline},
        store=options.store,
        queue=options.queue,
        concurrency=options.concurrency,
        dead_after_s=options.dead_after,
        poll_s=options.poll,
        sink=tell,
    ) as one:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, one.stop)
        await one.wait()
    await steps.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
