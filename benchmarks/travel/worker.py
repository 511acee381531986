"""A process that runs and resumes runs as it is told: one JSON command per line on standard input, one answer each.

    python benchmarks/travel/worker.py STORE CALLS LEASE_S STEP_S

Every call of a component is appended to the file CALLS before it is made: "RUN STEP".
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

from jido_ai.errors import JidoError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig

LAST = 4


class Cut(Exception):
    """Ends a run that is to be resumed."""

    retryable = False


class Steps:
    """A generator, critiquer and reviser of numbered texts; the last one is accepted."""

    def __init__(self, calls: str, step_s: float) -> None:
        self._file = os.open(calls, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self._step_s = step_s

    async def _begin(self, step: str, context: RunContext) -> None:
        if step == context.metadata.get("cut") and len(context.metadata) == 1 and not self.resumes:
            raise Cut
        os.write(self._file, f"{context.run_id} {step}\n".encode())
        await asyncio.sleep(self._step_s)

    resumes = False

    async def generate(self, prompt: str, context: RunContext) -> str:
        await self._begin("generate", context)
        return "0"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await self._begin(f"critique{candidate.content}", context)
        return CritiqueResult(severity=0.1 if int(candidate.content) == LAST else 0.9 - 0.1 * int(candidate.content))

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        await self._begin(f"revise{candidate.content}", context)
        return str(int(candidate.content) + 1)


async def carry_out(pipeline: Pipeline, steps: Steps, command: dict[str, Any]) -> dict[str, Any]:
    """Do one command; return how it ended."""
    while time.monotonic() < command.get("at", 0.0):
        await asyncio.sleep(0)
    steps.resumes = command["do"] == "resume"
    began = time.perf_counter()
    try:
        if steps.resumes:
            result = await pipeline.resume(command["run"])
        else:
            metadata = {"cut": command["cut"]} if "cut" in command else {}
            result = await pipeline.run("count", run_id=command["run"], metadata=metadata)
    except JidoError as error:
        return {"outcome": type(error).__name__, "text": str(error)}
    kind = None if result.error is None else result.error.kind
    return {"outcome": result.stop_reason.value, "error": kind, "s": time.perf_counter() - began}


async def main(store: str, calls: str, lease_s: float, step_s: float) -> None:
    steps = Steps(calls, step_s)
    config = LoopConfig(max_iterations=10, policy="adaptive", call_price=0.0, timeout_s=600.0, step_timeout_s=300.0)
    async with Pipeline(steps, steps, steps, store, config, lease_s=lease_s) as pipeline:
        print(json.dumps({"ready": os.getpid()}), flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await carry_out(pipeline, steps, json.loads(line))), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])))
