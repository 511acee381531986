"""Kill -9 of workers at random, and restarts of PostgreSQL, under runs that are submitted twice each.

    python benchmarks/workers/kills.py --runs 500 --kills 200 --restarts 20 --seed 7

Prints what became of the runs. Status 1 if a run was lost, done twice, or a finished call was made again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter

from model import CALLS_OF_A_RUN, Model
from processes import Workers, at_work, cluster

from jido_ai.errors import StoreUnavailableError
from jido_ai.integrations.dbos import WorkClient
from jido_ai.memory.reflexion_memory import ReflexionMemory


async def until(call, *, limit_s: float = 300.0):
    """Return what a call returns, tried again while the database is away."""
    end = time.monotonic() + limit_s
    while True:
        try:
            return await call()
        except StoreUnavailableError:
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.05)


async def submit(work: WorkClient, numbers: range) -> None:
    for number in numbers:
        for _ in range(2):
            await until(lambda number=number: work.submit("count", f"count {number}", f"run-{number}"))


def faults(
    calls: list[tuple[float, int, str]], killed: dict[int, float], restarts: list[tuple[float, float]]
) -> list[str]:
    """Return what is wrong with the calls of a run: one made again that had ended, or without a kill or restart."""
    wrong = []
    newest: dict[str, tuple[float, int]] = {}
    for index, (at, pid, step) in enumerate(calls):
        before = newest.get(step)
        if before is not None:
            began, owner = before
            if calls[index - 1][2] != step:
                wrong.append(f"{step} again after {calls[index - 1][2]}")
            was_killed = began <= killed.get(owner, -1.0) + 0.5 and killed.get(owner, -1.0) <= at
            was_restarted = any(began - 0.5 <= end and start <= at for start, end in restarts)
            if not was_killed and not was_restarted:
                wrong.append(f"{step} again, and nobody was killed")
        newest[step] = (at, pid)
    return wrong


async def measure(options: argparse.Namespace) -> int:
    rng = random.Random(options.seed)
    killed: dict[int, float] = {}
    restarts: list[tuple[float, float]] = []
    began = time.monotonic()
    with cluster() as server:
        store = server.address("kills")
        async with (
            Model(options.delay_ms / 1000) as model,
            at_work(store, model.port, options.workers, concurrency=options.concurrency) as (workers, work),
        ):
            first = min(options.runs, options.workers * options.concurrency * 2)
            submitted = first
            await submit(work, range(first))
            for kill in range(options.kills):
                await asyncio.sleep(rng.uniform(0.0, options.every_s))
                number = rng.randrange(options.workers)
                killed[workers.kill(number)] = time.monotonic()
                workers.start(number)
                if options.restarts and (kill + 1) % max(1, options.kills // options.restarts) == 0:
                    start = time.monotonic()
                    await asyncio.to_thread(server.restart)
                    restarts.append((start, time.monotonic()))
                await wait_for(workers, number)
                upto = first + (options.runs - first) * (kill + 1) // options.kills
                await submit(work, range(submitted, upto))
                submitted = upto
                print(f"\r{kill + 1} kills, {len(restarts)} restarts, {submitted} runs", end="", file=sys.stderr)
            await submit(work, range(submitted, options.runs))
            results = []
            for number in range(options.runs):
                name = f"run-{number}"
                results.append(await until(lambda name=name: work.result(name, timeout_s=300.0)))
            view = await until(work.view)
            logs = Counter(line.split()[0] for line in workers.logs().splitlines() if line.startswith("worker."))
        async with ReflexionMemory(store) as memory:
            ends = Counter(one.key for one in await memory.records("journal") if one.kind == "stopped")
        calls = model.calls
    lost = sum(result.stop_reason != "accepted" or result.best_candidate is None for result in results)
    unfinished = options.runs - len(results)
    twice = sum(count > 1 for count in ends.values()) + sum(f"run-{n}" not in ends for n in range(options.runs))
    wrong = {run: found for run, made in calls.items() if (found := faults(made, killed, restarts))}
    total = sum(map(len, calls.values()))
    again = total - options.runs * CALLS_OF_A_RUN
    most = max(Counter((run, step) for run, made in calls.items() for _, _, step in made).values())
    print(f"\n{options.runs} runs, {options.workers} workers of {options.concurrency}, {len(killed)} kills, "
          f"{len(restarts)} restarts of PostgreSQL; seed {options.seed}; {time.monotonic() - began:.0f} s")  # fmt: skip
    print(f"runs that did not end           {unfinished}   (reach 0)")
    print(f"runs that ended otherwise       {lost}   (reach 0)")
    print(f"runs without one end            {twice}   (reach 0)")
    print(f"runs with a needless call       {len(wrong)}   (reach 0)")
    print(f"calls                           {total}, {again} of them again ({again / max(1, len(killed)):.2f} a kill), "
          f"one call at most {most} times")  # fmt: skip
    print(f"hand-overs kept                 {len(view.handovers)}; events {dict(logs)}")
    for run, found in list(wrong.items())[:5]:
        print(run, found, calls[run], file=sys.stderr)
    return int(unfinished + lost + twice + len(wrong) > 0)


async def wait_for(workers: Workers, number: int) -> None:
    """Wait until a worker works; one that met the restart of the database is started again, as a service would."""
    while True:
        try:
            await workers.started(number)
            return
        except RuntimeError:
            workers.processes.pop(number)
            workers.start(number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--restarts", type=int, default=2)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--delay-ms", type=float, default=300.0)
    parser.add_argument("--every-s", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=7)
    sys.exit(asyncio.run(measure(parser.parse_args())))


if __name__ == "__main__":
    main()
