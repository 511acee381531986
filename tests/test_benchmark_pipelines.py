"""The benchmark of pipelines still runs, at a small size."""

from __future__ import annotations

import json

import pytest
from test_benchmarks import run


@pytest.mark.slow
def test_pipelines_are_measured_beside_bare_loops_that_make_the_same_calls() -> None:
    rows = [json.loads(line) for line in run("bench_pipelines.py", "--small", "--modes", "alone").splitlines()]
    medians = {(row["median of"], row["calls"]): row for row in rows if "median of" in row}
    names = {"ours", "ours, wrapped", "bare httpx on aiohttp", "bare aiohttp", "bare httpx"}
    assert {(name, calls) for name in names for calls in (7, 8)} == medians.keys()
    assert all(row["alone_cpu_ms_times_bare"] > 0 for row in medians.values())
