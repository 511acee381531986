"""Throughput with 1, 2 and 4 workers, and the cost of a run on a worker over a direct one.

    python benchmarks/workers/throughput.py --runs 400 --repeats 3

Runs without delay have six steps that are answered at once: they measure the machinery, on as many cores as there are.
Runs with delay have six calls of 200 ms each; they should scale with the workers.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time

from model import CALLS_OF_A_RUN, Model
from processes import HERE, at_work, cluster

from jido_ai.integrations.dbos import WorkClient


async def timed(work: WorkClient, mark: str, runs: int) -> float:
    """Return the seconds from the first submission to the last end."""
    began = time.perf_counter()
    ids = [f"{mark}-{number}" for number in range(runs)]
    for start in range(0, runs, 50):
        await asyncio.gather(*(work.submit("count", "count", one) for one in ids[start : start + 50]))
    while True:
        view = await work.view()
        if view.waiting + view.running == 0:
            return time.perf_counter() - began
        await asyncio.sleep(0.2)


async def scaled(server: object, label: str, delay_s: float, runs: int, repeats: int, **options: object) -> None:
    """Print the throughput with 1, 2 and 4 workers."""
    one = 0.0
    for count in (1, 2, 4):
        store = server.address(f"s_{label.replace(' ', '_')}_{count}")  # type: ignore[attr-defined]
        async with Model(delay_s) as model, at_work(store, model.port if delay_s else 0, count, **options) as (_, work):
            await timed(work, "warm", 8)
            rates = []
            for repeat in range(repeats):
                rates.append(runs * (count if delay_s else 1) / await timed(
                    work, f"r{repeat}", runs * (count if delay_s else 1)
                ))  # fmt: skip
        best = statistics.median(rates)
        one = one or best
        print(
            f"{label:9} {count} workers: {best:7.1f} runs/s ({min(rates):.1f} to {max(rates):.1f}), "
            f"{best / one / count:.0%} of linear",
            flush=True,
        )


def direct(store: str, runs: int, concurrency: int) -> float:
    command = [sys.executable, str(HERE / "working.py"), store, "q", "0", "--direct", str(runs)]
    done = subprocess.run(
        [*command, "--concurrency", str(concurrency)], capture_output=True, text=True, check=True, timeout=600
    )
    return float(done.stdout.split()[-1])


async def cost(server: object, at_once: int, runs: int, repeats: int) -> None:
    """Print what a run takes directly and on one worker, with the same journal, so many at once."""
    address = server.address  # type: ignore[attr-defined]
    plain = [direct(address(f"d{at_once}_{n}"), runs, at_once) / runs * 1000 for n in range(repeats)]
    queued = []
    async with at_work(address(f"c{at_once}"), 0, 1, concurrency=at_once, poll=0.01) as (_, work):
        await timed(work, "warm", 8)
        for repeat in range(repeats):
            await submit_all(work, f"c{repeat}", runs)
            queued.append(await drained(work) * 1000)
    for label, found in (("direct", plain), ("queued", queued)):
        middle = statistics.median(found)
        print(f"{label}, {at_once} at once: {middle:.1f} ms a run ({min(found):.1f} to {max(found):.1f})", flush=True)


async def measure(options: argparse.Namespace) -> None:
    print(f"{os.cpu_count()} cores, {CALLS_OF_A_RUN} calls a run, {options.repeats} repeats, median (least to most)")
    with cluster() as server:
        for at_once in (1, 8) if "cost" in options.only else ():
            await cost(server, at_once, options.runs, options.repeats)
        if "plain" in options.only:
            await scaled(server, "no delay", 0.0, options.runs, options.repeats, concurrency=8, poll=0.02)
        if "delayed" in options.only:
            await scaled(server, "200 ms", 0.2, options.delayed, options.repeats, concurrency=4)


async def submit_all(work: WorkClient, mark: str, runs: int) -> None:
    for start in range(0, runs, 50):
        await asyncio.gather(
            *(work.submit("count", "count", f"{mark}-{n}") for n in range(start, min(runs, start + 50)))
        )


async def drained(work: WorkClient) -> float:
    """Return the seconds that each run still in the queue takes."""
    began, first = time.perf_counter(), await work.view()
    left = first.waiting + first.running
    while (view := await work.view()).waiting + view.running:
        await asyncio.sleep(0.2)
    return (time.perf_counter() - began) / max(1, left)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--delayed", type=int, default=8, help="runs of each worker with calls of 200 ms")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=("cost", "plain", "delayed"), default=("cost", "plain", "delayed"))
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
