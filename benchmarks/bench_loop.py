"""CPU time of one pipeline run with instant components: generate, critique, (revise, critique) x 3.

Compared with plain awaits of the same components. One JSON line per measurement: size, repeats, median and
spread, in milliseconds of CPU per run.

    python benchmarks/bench_loop.py [--runs 300] [--repeats 7] [--max-ms 1.0]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
from collections.abc import Awaitable, Callable
from statistics import median
from time import process_time

from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig

PROMPT = "how would you parse a date?"
CALLS = 7


class Fast:
    """All three components in one: each revision is one tenth better and wholly different, so that no rule stops."""

    async def generate(self, prompt: str, context: RunContext) -> str:
        return "a" * 40

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        severity = 0.9 - 0.15 * "abcd".index(candidate.content[0])
        return CritiqueResult(severity=severity, issues=(f"issue of {candidate.content[0]}",), suggestions=("try",))

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return "abcd"["abcd".index(candidate.content[0]) + 1] * 40


async def bare(fast: Fast) -> None:
    """Make the same calls without an engine."""
    context = RunContext(run_id="run", prompt=PROMPT)
    candidate = Candidate(await fast.generate(PROMPT, context))
    critique = await fast.critique(candidate, context)
    for _ in range(3):
        candidate = Candidate(await fast.revise(candidate, critique, context))
        critique = await fast.critique(candidate, context)


async def cpu_ms(run: Callable[[], Awaitable[object]], runs: int) -> float:
    """Return the CPU time of one run, the mean over `runs` of them."""
    gc.collect()
    began = process_time()
    for _ in range(runs):
        await run()
    return (process_time() - began) / runs * 1e3


async def measure(runs: int, repeats: int) -> dict[str, list[float]]:
    fast = Fast()
    measured: dict[str, list[float]] = {"bare awaits": [], "pipeline": []}
    async with Pipeline(fast, fast, fast, config=LoopConfig(max_iterations=4)) as pipeline:
        result = await pipeline.run(PROMPT)
        assert result.total_iterations == 4, result
        for _ in range(repeats):  # in turns, so that a busy machine is busy for both
            measured["bare awaits"].append(await cpu_ms(lambda: bare(fast), runs))
            measured["pipeline"].append(await cpu_ms(lambda: pipeline.run(PROMPT), runs))
    return measured


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--max-ms", type=float, help="fail when the pipeline's median is above")
    options = parser.parse_args()
    measured = asyncio.run(measure(options.runs, options.repeats))
    for name, times in measured.items():
        line = {
            "benchmark": "loop",
            "case": name,
            "component_calls": CALLS,
            "runs": options.runs,
            "repeats": options.repeats,
            "cpu_ms_per_run": {"median": median(times), "min": min(times), "max": max(times)},
            "python": sys.version.split()[0],
        }
        print(json.dumps(line))
    return int(options.max_ms is not None and median(measured["pipeline"]) > options.max_ms)


if __name__ == "__main__":
    sys.exit(main())
