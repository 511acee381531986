"""The MCP server: its start to the first answer, CPU of a call above the library's own run, and many calls at once.

    python benchmarks/bench_mcp.py [--calls 1000] [--rounds 5]

The runs judge two candidates, keep a journal in memory and call no model. Prints one JSON line per figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from jido_ai.loop.pipeline import Pipeline
from jido_ai.mcp import create_server
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult

TASK = "Improve this text."


async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0 if candidate.content == "v1" else 0.9, issues=["it is not v1"])


async def revise(candidate: Candidate, judgement: CritiqueResult, context: RunContext) -> Candidate:
    return Candidate("v1")


async def start_to_first_answer_s(folder: str) -> float:
    arguments = ["-m", "jido_ai", "mcp", "--memory", str(Path(folder, "memory.db"))]
    began = time.perf_counter()
    async with Client(
        stdio_client(StdioServerParameters(command=sys.executable, args=arguments, cwd=folder))
    ) as client:
        await client.list_tools()
        return time.perf_counter() - began


async def library_cpu_s(calls: int) -> float:
    """Return CPU seconds per run, 64 at once."""
    slots = asyncio.Semaphore(64)
    async with Pipeline(None, critique, revise, ReflexionMemory(similarity="weighted")) as pipeline:

        async def one() -> None:
            async with slots:
                await pipeline.run(TASK, "v0")

        await one()
        began = time.process_time()
        await asyncio.gather(*(one() for _ in range(calls)))
        return (time.process_time() - began) / calls


async def mcp_cpu_s(calls: int) -> tuple[float, float, float]:
    """Return CPU seconds per call of `improve`, wall seconds of all, and MiB that the process grew by."""
    async with Client(create_server({"a": Pipeline(None, critique, revise)})) as client:

        async def one() -> Any:
            return await client.call_tool("improve", {"text": "v0"})

        await one()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, wall = time.process_time(), time.perf_counter()
        results = await asyncio.gather(*(one() for _ in range(calls)))
        cpu, wall = time.process_time() - began, time.perf_counter() - wall
        assert not any(result.is_error for result in results)
        return cpu / calls, wall, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    mib = 0.0
    starts: list[float] = []
    above: list[float] = []
    walls: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.rounds):
            starts.append(asyncio.run(start_to_first_answer_s(folder)))
            cpu, wall, grown = asyncio.run(mcp_cpu_s(args.calls))
            above.append(1000 * (cpu - asyncio.run(library_cpu_s(args.calls))))
            walls.append(wall)
            mib = grown if number == 0 else mib  # later rounds reuse what the first one took
    for name, values in (
        ("start to first answer, s", starts),
        ("CPU of a call above the library's run, ms", above),
        (f"{args.calls} calls at once, s", walls),
    ):
        low, high = min(values), max(values)
        print(json.dumps({"figure": name, "median": round(statistics.median(values), 2), "spread": [low, high]}))
    print(json.dumps({"figure": f"growth during {args.calls} calls at once, MiB", "median": round(mib, 1)}))


if __name__ == "__main__":
    main()
