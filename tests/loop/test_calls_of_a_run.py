"""Python calls of a run, built-in functions included: they do not depend on the load of the machine."""

from __future__ import annotations

import cProfile
import json
import pstats
import subprocess
import sys
from pathlib import Path

import pytest

from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig

WARM_RUNS = 25
RUNS = 5
MOST = {
    "nothing": {"classes": 32, "files": 44, "functions": 285, "calls": 540},
    "memory": {"classes": 60, "files": 82, "functions": 670, "calls": 2_000},
}
"""What `benchmarks/run_shape.py` counts in a run of two iterations."""


async def draft(prompt: str, context: RunContext) -> str:
    return "one two three"


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    count = candidate.content.count("x")
    return CritiqueResult(severity=max(0.0, 0.9 - 0.3 * count), issues=[f"more {count}"] if count < 3 else [])


async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return candidate.content + " x" + "y" * candidate.content.count("x")


@pytest.mark.virtual_clock  # timers that fire on a busy machine count, too
@pytest.mark.parametrize(("has_memory", "most"), [(False, 2_350), (True, 6_500)], ids=["nothing kept", "memory"])
async def test_a_run_of_eight_calls_makes_a_bounded_number_of_python_calls(has_memory: bool, most: int) -> None:
    profile = cProfile.Profile()
    config = LoopConfig(max_iterations=4)
    async with Pipeline(draft, judge, revise, memory=has_memory or None, config=config) as pipeline:
        for number in range(WARM_RUNS):
            await pipeline.run(f"make it longer {number % 7}")
        with profile:
            results = [await pipeline.run(f"make it longer {number}") for number in range(RUNS)]
    assert [len(result.iterations) for result in results] == [4] * RUNS
    calls: int = vars(pstats.Stats(profile))["total_calls"]
    assert calls / RUNS < most


def test_a_run_leads_its_reader_through_a_bounded_number_of_classes_and_files() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "run_shape.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    shapes = {row["kept"]: row for row in map(json.loads, done.stdout.splitlines())}
    for kept, most in MOST.items():
        met = {name: shapes[kept][name] for name in most}
        assert all(met[name] <= most[name] for name in most), met
