"""Chaos: 10,000 supervised actors, 1,000 random kills a second, while callers ask. Nothing may hang, leak or be left.

    python benchmarks/actors/chaos.py [--actors 10000] [--kills 1000] [--seconds 60] [--callers 100] [--seed 7]

Every ask must end in a reply, an error or a timeout, in its time; every monitor gives exactly one Down. Afterwards
nothing may be left: no task, name, monitor or deadline, no object of the runtime, and memory must have stayed flat.
Prints one JSON line; exit status 1 when something went wrong or was left.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jido_ai.actors import Actor, ActorRef, ActorSystem, Backoff, ChildSpec, Down, JidoError, Supervisor

GROUP = 100
ASK_LIMIT_S = 1.0
LATE_S = 5.0  # how long after its limit an ask may end on a busy machine, before it counts as hanging


class Worker(Actor):
    """Answers; on a poisoned message it crashes, on a slow one it takes longer than its asker waits."""

    async def on_receive(self, message: Any) -> Any:
        if message == "crash":
            raise RuntimeError("poison")
        await asyncio.sleep(2 * ASK_LIMIT_S if message == "slow" else 0)
        return message


class Watcher(Actor):
    """Monitors whom it is told to, and counts."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally

    async def on_receive(self, message: Any) -> None:
        if isinstance(message, Down):
            self.tally.downs += 1
        elif isinstance(message, ActorRef):
            handle = self.monitor(message)
            self.tally.monitors += 1
            if self.tally.monitors % 3 == 0:  # taken back again, whether it has ended meanwhile or not
                await asyncio.sleep(0)
                self.demonitor(handle)
                self.tally.demonitored += 1


@dataclass(slots=True)
class Tally:
    """What was counted while it went on."""

    begun: int = 0
    slowest_s: float = 0.0
    monitors: int = 0
    demonitored: int = 0
    downs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    memory: list[float] = field(default_factory=list)


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


async def call(refs: list[ActorRef], rng: random.Random, until: float, tally: Tally) -> None:
    loop = asyncio.get_running_loop()
    while (began := loop.time()) < until:
        patient, chance = rng.random() < 0.5, rng.random()
        message = "crash" if chance < 0.01 else "slow" if chance < 0.011 else began
        tally.begun += 1
        try:
            answer = await rng.choice(refs).ask(
                message, timeout_s=ASK_LIMIT_S, when_restarting="wait" if patient else "fail"
            )
        except JidoError as error:
            tally.outcomes[type(error).__name__] += 1
        else:
            tally.outcomes["reply" if answer == message else "WRONG REPLY"] += 1
        tally.slowest_s = max(tally.slowest_s, loop.time() - began)


async def watch(refs: list[ActorRef], watchers: list[ActorRef], rng: random.Random, until: float) -> None:
    """Have a few random actors monitored all the time."""
    loop = asyncio.get_running_loop()
    while loop.time() < until:
        for watcher in watchers:
            watcher.tell(rng.choice(refs))
        await asyncio.sleep(0.02)


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


def objects_of_the_runtime() -> Counter[str]:
    """Count the living objects of classes of jido_ai.actors."""
    gc.collect()
    kinds: list[type] = [type(thing) for thing in gc.get_objects()]
    return Counter(kind.__name__ for kind in kinds if kind.__module__.startswith("jido_ai.actors"))


async def chaos(options: argparse.Namespace) -> dict[str, Any]:
    rng, tally = random.Random(options.seed), Tally()
    loop = asyncio.get_running_loop()
    faults: list[object] = []  # what a task or a callback raised and nobody took
    loop.set_exception_handler(lambda _, fault: faults.append(fault))
    async with ActorSystem("chaos") as system:
        watchers = [await system.spawn(Watcher, tally) for _ in range(10)]
        await system.spawn(tree(options.actors))
        found = [system.whereis(f"worker-{number}") for number in range(options.actors)]
        refs = [ref for ref in found if ref is not None]
        group_names = [f"group-{number}" for number in range((options.actors + GROUP - 1) // GROUP)]
        groups = [ref for name in group_names if (ref := system.whereis(name)) is not None]
        tasks_before = len(asyncio.all_tasks())
        until = loop.time() + options.seconds
        async with asyncio.TaskGroup() as group:
            killer = group.create_task(kill(refs, groups, rng, options.kills, until))
            group.create_task(watch_memory(tally.memory, until))
            group.create_task(watch(refs, watchers, random.Random(rng.random()), until))
            for _ in range(options.callers):
                group.create_task(call(refs, random.Random(rng.random()), until, tally))
        answering = await asyncio.gather(
            *(ref.ask("still there", timeout_s=10.0, when_restarting="wait") for ref in refs), return_exceptions=True
        )
        await asyncio.sleep(0.1)
        tasks_grown = len(asyncio.all_tasks()) - tasks_before  # one task for each actor, as before
        restarts = sum(node.restarts for node in system.tree().walk())
        for ref in (*groups, *refs):  # all that is monitored ends now, and each monitor that is left gives its Down
            ref.kill()
        for watcher in watchers:
            await watcher.ask("nothing waits before this")
        monitors_open = tally.monitors - tally.demonitored - tally.downs
        names = [*group_names, *(f"worker-{number}" for number in range(options.actors))]
    settled = tally.memory[len(tally.memory) // 3 :]  # the first third is warming up
    return {
        "actors": options.actors,
        "seconds": options.seconds,
        "seed": options.seed,
        "kills": killer.result(),
        "restarts": restarts,
        "asks": tally.begun,
        "asks_without_an_end": tally.begun - tally.outcomes.total(),
        "slowest_ask_s": round(tally.slowest_s, 3),
        "outcomes": dict(sorted(tally.outcomes.items())),
        "monitors": tally.monitors,
        "downs": tally.downs,
        "monitors_open": monitors_open,
        "answering_afterwards": sum(answer == "still there" for answer in answering),
        "tasks_grown": tasks_grown,
        "names_left": sum(system.whereis(name) is not None for name in names),
        "tasks_left": len(asyncio.all_tasks()) - 1,
        "deadlines_left": len(system.asks.lanes) + len(system.stops.lanes),
        "faults": len(faults),
        "memory_mib": [round(value, 1) for value in (settled[0], max(settled), settled[-1])],
    }


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """Return the row, with what of the runtime is still in memory once everything is over."""
    before = objects_of_the_runtime()
    row = await chaos(options)
    await asyncio.sleep(0)  # the event loop lets go of what woke us
    return {**row, "objects_left": dict(objects_of_the_runtime() - before)}


def is_clean(row: dict[str, Any]) -> bool:
    """Tell whether nothing was left and nothing went wrong: memory within a tenth, too."""
    first, _, last = row["memory_mib"]
    left = ("names_left", "tasks_left", "tasks_grown", "monitors_open", "deadlines_left", "faults")
    return (
        not any(row[what] for what in (*left, "objects_left", "asks_without_an_end"))
        and "WRONG REPLY" not in row["outcomes"]
        and row["slowest_ask_s"] <= ASK_LIMIT_S + LATE_S
        and row["answering_afterwards"] == row["actors"]
        and last <= first * 1.1
    )


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
