"""Many runs: memory that ended runs leave behind, and runs a second when many are under way with an SQLite file.

Each figure is a process of its own. The runs are those of `run_cost.py`: a draft, four judgements and three revisions
of plain functions. One JSON line each: what 10,000 ended runs add to the resident memory, in bytes a run, with nothing
kept and with a memory in the process; and runs a second of 1,000 at once with an SQLite file, beside LangGraph with
AsyncSqliteSaver, if it is installed.

    python benchmarks/many_runs.py [--runs 10000] [--at-once 1000]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib.util
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from run_cost import ROUNDS, graph_of, pipeline_of

WARM_RUNS = 500


def resident_bytes() -> int:
    """Return the resident memory of the process."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096


async def left_behind(kept: str, runs: int) -> dict[str, object]:
    """Return what ended runs add to the memory of the process."""
    async with pipeline_of(True if kept == "memory" else None) as pipeline:
        for number in range(WARM_RUNS):
            await pipeline.run(f"a text, number {number % 7}")
        before = resident_bytes()
        for number in range(runs):
            await pipeline.run(f"a text, number {number % 7}")
        added = resident_bytes() - before
    return {"what": "memory of ended runs", "kept": kept, "of": "jido_ai", "runs": runs, "bytes_a_run": added // runs}


async def at_once(who: str, runs: int, folder: Path) -> dict[str, object]:
    """Return how many runs a second end when all begin at once."""
    prompts = [f"a text, number {number % 7}" for number in range(runs)]
    if who == "jido_ai":
        async with pipeline_of(str(folder / "memory.db")) as pipeline:
            await pipeline.run_many(prompts[:20])
            began, cpu = perf_counter(), process_time()
            results = await pipeline.run_many(prompts)
        assert all(len(result.iterations) == ROUNDS for result in results)
    else:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        async with AsyncSqliteSaver.from_conn_string(str(folder / "checkpoints.db")) as saver:
            app = graph_of().compile(checkpointer=saver)

            async def run(number: int) -> Any:
                config = {"configurable": {"thread_id": str(number)}}
                return await app.ainvoke({"prompt": prompts[number % runs], "judged": []}, config=config)

            await asyncio.gather(*[run(runs + number) for number in range(20)])
            began, cpu = perf_counter(), process_time()
            await asyncio.gather(*map(run, range(runs)))
    wall, cpu_ms = perf_counter() - began, (process_time() - cpu) * 1000 / runs
    figures = {"runs_a_second": round(runs / wall, 1), "cpu_ms_a_run": round(cpu_ms, 2)}
    return {"what": "runs at once", "kept": "file", "of": who, "runs": runs, **figures}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=1_000)
    parser.add_argument("--only", nargs=2, metavar=("WHO", "WHAT"), help="measure once, here")
    options = parser.parse_args()
    if options.only:
        who, what = options.only
        with tempfile.TemporaryDirectory() as folder:
            work = at_once(who, options.at_once, Path(folder)) if what == "file" else left_behind(what, options.runs)
            print(json.dumps(asyncio.run(work)))
        return
    figures = [("jido_ai", "nothing"), ("jido_ai", "memory"), ("jido_ai", "file"), ("langgraph", "file")]
    for who, what in figures:
        if importlib.util.find_spec(who) is not None:
            sizes = ["--runs", str(options.runs), "--at-once", str(options.at_once)]
            subprocess.run([sys.executable, __file__, *sizes, "--only", who, what], check=True)


if __name__ == "__main__":
    main()
