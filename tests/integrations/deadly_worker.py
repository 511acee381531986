"""A worker process whose components end it: `python deadly_worker.py STORE PID_FILE`.

The word after "die" in a prompt says how: exit, crash or kill. "slow" waits until the file "go" lies beside the
PID file. Each line of standard output is an event.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
import sys
from pathlib import Path

from integration_helpers import CONFIG

from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.integrations import dbos_attempts
from jido_ai.integrations.dbos import worker
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.telemetry import TelemetryEvent
from jido_ai.values import Candidate, CritiqueResult

QUEUE = "deadly"
dbos_attempts._ALONE_S = 2.0


def die(how: str) -> None:
    """End this process, as a fault in a native library would."""
    match how:
        case "exit":
            os._exit(7)
        case "crash":
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            ctypes.string_at(0)
        case "kill":
            os.kill(os.getpid(), 9)
        case "interrupt":
            raise KeyboardInterrupt


class Parts:
    """Accepts "v2"; "die HOW" ends the process in the second revision, "slow" waits in the first call.

    "unlucky" ends it in each call, once.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _step(self, name: str, context: RunContext) -> None:
        """End the process if a run is unlucky and comes here for the first time."""
        mark = self._folder / name
        if context.prompt == "unlucky" and not mark.exists():
            mark.touch()
            die("exit")

    async def generate(self, prompt: str, context: RunContext) -> str:
        self._step("generate", context)
        with (self._folder / "calls").open("a") as calls:
            calls.write(f"{context.run_id}\n")
        while prompt == "slow" and not (self._folder / "go").exists():
            await asyncio.sleep(0.02)
        if prompt.startswith("at once "):
            die(prompt.rpartition(" ")[2])
        return "v0"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self._step(f"critique {candidate.content}", context)
        return CritiqueResult(severity=0.0 if candidate.content == "v2" else 0.9 - 0.2 * int(candidate.content[1:]))

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self._step(f"revise {candidate.content}", context)
        if candidate.content == "v1":
            with (self._folder / "calls").open("a") as calls:
                calls.write(f"{context.run_id} v1\n")
            if context.prompt.startswith("die "):
                die(context.prompt.rpartition(" ")[2])
        return f"v{int(candidate.content[1:]) + 1}"


async def main(store: str, folder: Path) -> None:
    def tell(event: TelemetryEvent) -> None:
        sys.stdout.write(" ".join([event.name, *(f"{name}={value}" for name, value in event.data.items())]) + "\n")
        sys.stdout.flush()

    def first(text: str) -> str:
        return text

    def deadly(text: str) -> str:
        with (folder / "calls").open("a") as calls:
            calls.write("step\n")
        die(text)
        return text

    parts = Parts(folder)
    things = {
        "answer": Pipeline(parts, parts, parts, config=CONFIG),
        "steps": Graph(
            {
                "first": StepNode(first, inputs={"text": "{how}"}),
                "second": StepNode(deadly, inputs={"text": "{first}"}),
            },
            inputs=("how",),
            output="second",
        ),
    }
    async with worker(things, store=store, queue=QUEUE, dead_after_s=1.0, poll_s=0.05, sink=tell) as one:
        await one.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2])))
