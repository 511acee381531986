"""TaskSupervisor.async_stream and Registry beside what one writes by hand on asyncio.

    python benchmarks/actors/tasks.py [--rounds 7] [--small]

- stream: 10,000 coroutines that do nothing, 100 at a time; anchor: an asyncio.Semaphore in an asyncio.TaskGroup.
- dispatch: one message to 1,000 subscribers; anchor: a loop of `tell` over a list of their refs.
- lookup: one key of 10,000 in a unique registry, in microseconds.

The two sides of a round run in turn; printed are the medians of CPU time and of the ratios, with their range. No seed.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import platform
import statistics
from collections.abc import Awaitable, Callable
from time import process_time
from typing import Any

from jido_ai.actors import Actor, ActorSystem, Registry, TaskSupervisor


async def nothing(item: int) -> int:
    return item


async def cpu_s(work: Callable[[], Awaitable[Any]]) -> float:
    gc.collect()
    began = process_time()
    await work()
    return process_time() - began


async def in_turn(
    rounds: int, ours: Callable[[], Awaitable[Any]], anchor: Callable[[], Awaitable[Any]]
) -> tuple[list[float], list[float]]:
    """Return the seconds of both in each round; the first round warms up."""
    pairs: list[tuple[float, float]] = []
    for number in range(rounds + 1):
        if number % 2:
            mine, bare = await cpu_s(ours), await cpu_s(anchor)
        else:
            bare, mine = await cpu_s(anchor), await cpu_s(ours)
        pairs.append((mine, bare))
    return [mine for mine, _ in pairs[1:]], [bare for _, bare in pairs[1:]]


async def stream(system: ActorSystem, rounds: int, count: int, ordered: bool) -> tuple[list[float], list[float]]:
    tasks = await system.spawn(TaskSupervisor)

    async def ours() -> None:
        done = 0
        async for _ in tasks.async_stream(range(count), nothing, max_concurrency=100, ordered=ordered):
            done += 1
        assert done == count

    async def anchor() -> None:
        room = asyncio.Semaphore(100)

        async def one(item: int) -> int:
            async with room:
                return await nothing(item)

        async with asyncio.TaskGroup() as group:
            running = [group.create_task(one(item)) for item in range(count)]
        assert len([task.result() for task in running]) == count

    return await in_turn(rounds, ours, anchor)


class Subscriber(Actor[int]):
    async def on_receive(self, message: int) -> None:
        pass


async def dispatch(system: ActorSystem, rounds: int, count: int, times: int) -> tuple[list[float], list[float]]:
    registry = await system.spawn(Registry, "duplicate")
    refs = [await system.spawn(Subscriber) for _ in range(count)]
    for ref in refs:
        registry.register("news", ref=ref)

    async def settle() -> None:
        for _ in range(3):
            await asyncio.sleep(0)

    def send(entries: tuple[tuple[Any, Any], ...]) -> None:
        for ref, _ in entries:
            ref.tell(1)

    async def ours() -> None:
        for _ in range(times):
            registry.dispatch("news", send)
        await settle()

    async def anchor() -> None:
        for _ in range(times):
            for ref in refs:
                ref.tell(1)
        await settle()

    return await in_turn(rounds, ours, anchor)


async def lookup(system: ActorSystem, rounds: int, count: int) -> tuple[list[float], list[float]]:
    registry = await system.spawn(Registry)
    ref = await system.spawn(Subscriber)
    for key in range(count):
        registry.register(key, ref=ref)
    table = dict.fromkeys(range(count), ((ref, None),))

    async def ours() -> None:
        find = registry.lookup
        for key in range(count):
            find(key)

    async def anchor() -> None:
        for key in range(count):
            table.get(key)

    return await in_turn(rounds, ours, anchor)


async def main(rounds: int, scale: float) -> None:
    count = int(10_000 * scale)
    print(
        f"{rounds} rounds; Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; "
        f"{count} items and keys; no seed\n"
    )
    print(f"| figure | anchor, us | ours, us | share | spread | reach | reached |\n|{'---|' * 7}")
    async with ActorSystem() as system:
        for name, (ours, anchor), each, most in (
            ("stream, ordered", await stream(system, rounds, count, True), count, 1.5),
            ("stream, unordered", await stream(system, rounds, count, False), count, 1.5),
            (
                "dispatch, each",
                await dispatch(system, rounds, 1_000, int(20 * scale) + 1),
                1_000 * (int(20 * scale) + 1),
                1.3,
            ),
            ("lookup", await lookup(system, rounds, count), count, None),
        ):
            shares = sorted(mine / bare for mine, bare in zip(ours, anchor, strict=True))
            mine, bare = (statistics.median(times) / each * 1e6 for times in (ours, anchor))
            share = statistics.median(shares)
            reached = mine <= 0.5 if most is None else share <= most
            reach = "<= 0.50 us" if most is None else f"<= {most:.2f} x"
            print(
                f"| {name} | {bare:.2f} | {mine:.2f} | {share:.2f} | {shares[0]:.2f} .. {shares[-1]:.2f} | {reach} | "
                f"{'yes' if reached else 'NO'} |"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--small", action="store_true", help="one round at a hundredth of the size: does it still run?")
    options = parser.parse_args()
    asyncio.run(main(1 if options.small else options.rounds, 0.01 if options.small else 1.0))
