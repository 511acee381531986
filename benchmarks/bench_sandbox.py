"""Sandbox layers: which hostile probes succeed on each, and the start-up time of each.

    python benchmarks/bench_sandbox.py [--rounds 9] [--layers none medium strong] [--probes 54]

Prints one JSON line per layer with start-up times (whole runs of the program `true`, median and spread, in ms; reach:
100 on "strong", 60 on "medium") and one per probe: its result on each layer. A layer that does not work here is left
out, and the reason is printed. The probes are bounded, but "none" lets most of them succeed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time

from sandbox_probes import LIMITS, PROBES, run_probe

from jido_ai.tools.sandbox.executor import ProcessExecutor, SandboxExecutor
from jido_ai.tools.sandbox.selftest import escapes
from jido_ai.values.tool import ToolJob

DANGEROUS_WITHOUT_A_SANDBOX = {"kill everything", "mount a file system", "write to the settings of the kernel"}


def executor_for(layer: str) -> ProcessExecutor:
    if layer == "none":
        return ProcessExecutor()
    return SandboxExecutor(layers=("strong",) if layer == "strong" else ("medium",), sandbox_limits=LIMITS)


async def start_up_ms(layer: str, rounds: int) -> list[float]:
    executor, taken = executor_for(layer), list[float]()
    await executor.run(ToolJob(argv=("true",)))  # once for the self-test and the caches
    for _ in range(rounds):
        began = time.perf_counter()
        await executor.run(ToolJob(argv=("true",)))
        taken.append((time.perf_counter() - began) * 1e3)
    return taken


async def fate(layer: str, probe: str) -> str:
    if layer == "none" and probe in DANGEROUS_WITHOUT_A_SANDBOX:
        return "not tried"
    return "got through" if (await run_probe(executor_for(layer), probe))[0] else "blocked"


async def measure(layers: list[str], rounds: int, probes: int) -> None:
    for layer in list(layers):
        why = None if layer == "none" else escapes("strong" if layer == "strong" else "medium")
        if why is not None:
            layers.remove(layer)
            print(json.dumps({"layer": layer, "does not hold": why}))
            continue
        taken = await start_up_ms(layer, rounds)
        row = {"layer": layer, "start_ms": round(statistics.median(taken), 1)}
        print(json.dumps({**row, "spread_ms": [round(min(taken), 1), round(max(taken), 1)], "rounds": rounds}))
    for probe in list(PROBES)[:probes]:
        print(json.dumps({"probe": probe, **{layer: await fate(layer, probe) for layer in layers}}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--layers", nargs="+", default=["none", "medium", "strong"])
    parser.add_argument("--probes", type=int, default=len(PROBES))
    options = parser.parse_args()
    asyncio.run(measure(options.layers, options.rounds, options.probes))


if __name__ == "__main__":
    main()
