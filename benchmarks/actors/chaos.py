"""Chaos: 10,000 supervised actors, 1,000 random kills a second, while callers ask. Nothing may hang, leak or be left.

    python benchmarks/actors/chaos.py [--actors 10000] [--kills 1000] [--seconds 60] [--callers 100] [--seed 7]

Every ask must end in a reply, an error or a timeout. Prints one JSON line; exit status 1 when something was left.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import logging
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from jido_ai.actors import Actor, ActorRef, ActorSystem, Backoff, ChildSpec, JidoError, Supervisor
from jido_ai.actors.cell import Cell

GROUP = 100


class Worker(Actor):
    """Answers; on a poisoned message it crashes."""

    async def on_receive(self, message: Any) -> Any:
        if message == "crash":
            raise RuntimeError("poison")
        await asyncio.sleep(0)
        return message


def resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def tree(actors: int) -> ChildSpec:
    """Return supervisors of 100 workers each, all restarting for ever."""
    for_ever = {"max_restarts": 10**9, "max_seconds": 1.0}
    at_once = Backoff(base_s=0.0)
    groups = [
        ChildSpec(
            id=f"group-{group}",
            start=(
                Supervisor,
                (
                    [
                        ChildSpec(id=f"w{i}", start=Worker, name=f"worker-{group * GROUP + i}", backoff=at_once)
                        for i in range(min(GROUP, actors - group * GROUP))
                    ],
                ),
                for_ever,
            ),
            type="supervisor",
            name=f"group-{group}",
            backoff=at_once,
        )
        for group in range((actors + GROUP - 1) // GROUP)
    ]
    return ChildSpec(id="top", start=(Supervisor, (groups,), for_ever), type="supervisor")


async def call(refs: list[ActorRef], rng: random.Random, until: float, outcomes: Counter[str]) -> None:
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        patient = rng.random() < 0.5
        message = "crash" if rng.random() < 0.01 else loop.time()
        try:
            answer = await rng.choice(refs).ask(message, timeout_s=1.0, when_restarting="wait" if patient else "fail")
        except JidoError as error:
            outcomes[type(error).__name__] += 1
        else:
            outcomes["reply" if answer == message else "WRONG REPLY"] += 1


async def kill(refs: list[ActorRef], groups: list[ActorRef], rng: random.Random, rate: int, until: float) -> int:
    """Kill `rate` actors a second; one in a thousand kills takes a whole supervisor."""
    loop, kills, began = asyncio.get_running_loop(), 0, asyncio.get_running_loop().time()
    while (now := loop.time()) < until:
        while kills < (now - began) * rate:
            rng.choice(groups if rng.random() < 0.001 else refs).kill()
            kills += 1
        await asyncio.sleep(0.005)
    return kills


async def watch_memory(samples: list[float], until: float) -> None:
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        await asyncio.sleep(0.5)
        samples.append(resident_mib())


async def chaos(options: argparse.Namespace) -> dict[str, Any]:
    rng, outcomes, memory = random.Random(options.seed), Counter[str](), list[float]()
    async with ActorSystem("chaos") as system:
        await system.spawn(tree(options.actors))
        found = [system.whereis(f"worker-{number}") for number in range(options.actors)]
        refs = [ref for ref in found if ref is not None]
        names = [f"group-{number}" for number in range((options.actors + GROUP - 1) // GROUP)]
        groups = [ref for name in names if (ref := system.whereis(name)) is not None]
        until = asyncio.get_running_loop().time() + options.seconds
        async with asyncio.TaskGroup() as group:
            killer = group.create_task(kill(refs, groups, rng, options.kills, until))
            group.create_task(watch_memory(memory, until))
            for _ in range(options.callers):
                group.create_task(call(refs, random.Random(rng.random()), until, outcomes))
        answering = await asyncio.gather(
            *(ref.ask("still there", timeout_s=5.0, when_restarting="wait") for ref in refs), return_exceptions=True
        )
        restarts = sum(node.restarts for node in system.tree().walk())
    kills = killer.result()
    names_left = sum(system.whereis(f"worker-{number}") is not None for number in range(options.actors))
    tasks_left = len(asyncio.all_tasks()) - 1
    answered = sum(answer == "still there" for answer in answering)
    settled = memory[len(memory) // 3 :]  # the first third is warming up
    return {
        "actors": options.actors,
        "seconds": options.seconds,
        "seed": options.seed,
        "kills": kills,
        "restarts": restarts,
        "asks": sum(outcomes.values()),
        "outcomes": dict(sorted(outcomes.items())),
        "answering_afterwards": answered,
        "names_left": names_left,
        "tasks_left": tasks_left,
        "memory_mib": [round(value, 1) for value in (settled[0], max(settled), settled[-1])],
    }


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """Return the row, with how many actors are still in memory once everything is over."""
    row = await chaos(options)
    gc.collect()
    return {**row, "cells_left": sum(isinstance(thing, Cell) for thing in gc.get_objects())}


def is_clean(row: dict[str, Any]) -> bool:
    """Tell whether nothing was left and nothing went wrong: memory within a tenth, too."""
    first, _, last = row["memory_mib"]
    left = row["names_left"] + row["tasks_left"] + row["cells_left"] + row["outcomes"].get("WRONG REPLY", 0)
    return left == 0 and row["answering_afterwards"] == row["actors"] and last <= first * 1.1


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--actors", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--callers", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    logging.getLogger("jido_ai").setLevel(logging.CRITICAL)  # the crashes are meant
    began = time.perf_counter()
    row = asyncio.run(run(options))
    clean = is_clean(row)
    print(json.dumps({**row, "wall_s": round(time.perf_counter() - began, 1), "clean": clean}))
    sys.exit(0 if clean else 1)


if __name__ == "__main__":
    main()
