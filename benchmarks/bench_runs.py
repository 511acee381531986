"""Ten thousand runs in one process on trivial components: wall time, CPU and memory per run.

Each case runs in its own process, so that its peak memory is its own. The components answer after a pause, as a model
would, so that as many runs as allowed are in flight together. One JSON line per case: size, repeats, median and spread.

    python benchmarks/bench_runs.py [--runs 10000] [--repeats 5] [--pause-s 0.05]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import time
from statistics import median

from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig

CASES = {"all at once": None, "1,000 at a time": 1000, "100 at a time": 100}


class Slow:
    """All three components in one: one revision is made and accepted, each step after a pause."""

    def __init__(self, pause_s: float) -> None:
        self.pause_s = pause_s

    async def generate(self, prompt: str, context: RunContext) -> str:
        await asyncio.sleep(self.pause_s)
        return "a" * 40

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await asyncio.sleep(self.pause_s)
        return CritiqueResult(severity=0.0 if candidate.content.startswith("b") else 0.9)

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        await asyncio.sleep(self.pause_s)
        return "b" * 40


async def one_case(runs: int, pause_s: float, max_concurrency: int | None) -> dict[str, float]:
    slow = Slow(pause_s)
    config = LoopConfig(timeout_s=3600.0, step_timeout_s=600.0)
    async with Pipeline(slow, slow, slow, config=config, max_concurrency=max_concurrency) as pipeline:
        await pipeline.run("warm up")
        before_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, cpu = time.perf_counter(), time.process_time()
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(is_accepted(pipeline, number)) for number in range(runs)]
        wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu
        assert all(task.result() for task in tasks), "a run was not accepted"
    peak_kib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib
    return {"wall_s": wall_s, "cpu_ms_per_run": cpu_s / runs * 1e3, "peak_kib_per_run": peak_kib / runs}


async def is_accepted(pipeline: Pipeline, number: int) -> bool:
    """Do a run and drop its result, as a service does that has sent it on."""
    return (await pipeline.run(f"prompt {number}")).accepted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pause-s", type=float, default=0.05)
    parser.add_argument("--case", choices=list(CASES), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.case is not None:
        print(json.dumps(asyncio.run(one_case(options.runs, options.pause_s, CASES[options.case]))))
        return 0
    measured: dict[str, list[dict[str, float]]] = {case: [] for case in CASES}
    command = [sys.executable, __file__, "--runs", str(options.runs), "--pause-s", str(options.pause_s), "--case"]
    for _ in range(options.repeats):  # in turns, so that a busy machine is busy for all
        for case in CASES:
            done = subprocess.run([*command, case], capture_output=True, text=True, check=True)
            measured[case].append(json.loads(done.stdout))
    for case, rows in measured.items():
        line: dict[str, object] = {"case": case, "runs": options.runs, "repeats": options.repeats}
        for name in rows[0]:
            values = [row[name] for row in rows]
            line[name] = round(median(values), 3)
            line[f"{name}_spread"] = [round(min(values), 3), round(max(values), 3)]
        print(json.dumps(line))
    return 0


if __name__ == "__main__":
    sys.exit(main())
