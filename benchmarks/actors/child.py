"""Measures in a process of its own and prints one JSON line. Started by `run.py`.

    python benchmarks/actors/child.py round|memory|growth|threads LOOP [RUNTIME]

`round` takes short slices of deque, ours and queue in turn, so that a noisy machine disturbs all alike, and gives the
median slice of each and the median of their ratios. Sizes are multiplied by the environment's SCALE.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import statistics
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import behaviours
from drivers import cpu_s, driver

SCALE = float(os.environ.get("SCALE", "1"))
RUNTIMES = ("deque", "ours", "queue")
Slice = Callable[[], Awaitable[float]]  # returns how long one operation took, in microseconds
Plan = Callable[[Any], AsyncGenerator[dict[str, float]]]


def size(full: int, least: int = 1) -> int:
    return max(least, int(full * SCALE))


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


#: how many actors there are when growth is measured: a thousand, and ten times as many up to the environment's ACTORS
CROWDS = [size(10**power) for power in range(3, len(os.environ.get("ACTORS", "100000")))]


# -- one round -------------------------------------------------------------------------------------


async def asks(runtime: Any) -> AsyncGenerator[dict[str, float]]:
    """One caller, one actor: without and with a timeout. Anchors have none, so the same loop is their anchor twice."""
    actor = await runtime.spawn(behaviours.echo(runtime.base))
    count = size(2_000)

    async def plain() -> None:
        if runtime.is_ours:  # written out: a dict of keywords would cost what is to be measured
            for number in range(count):
                await actor.ask(number, timeout_s=None)
        else:
            for number in range(count):
                await actor.ask(number)

    async def limited() -> None:
        for number in range(count):
            await actor.ask(number)  # ours: with its default timeout of 5 s

    while True:
        yield {"ask": await cpu_s(plain()) / count * 1e6, "ask_timeout": await cpu_s(limited()) / count * 1e6}


async def crowd(runtime: Any) -> AsyncGenerator[dict[str, float]]:
    """1,000 callers, 100 actors."""
    kind = behaviours.echo(runtime.base)
    actors = [await runtime.spawn(kind) for _ in range(100)]
    callers, each = size(1_000, 100), 10

    async def caller(target: Any) -> None:
        if runtime.is_ours:
            for number in range(each):
                await target.ask(number, timeout_s=None)
        else:
            for number in range(each):
                await target.ask(number)

    while True:
        work = asyncio.gather(*(caller(actors[index % 100]) for index in range(callers)))
        yield {"ask_crowd": await cpu_s(work) / (callers * each) * 1e6}


async def tells(runtime: Any) -> AsyncGenerator[dict[str, float]]:
    kind, count = behaviours.counter(runtime.base), size(30_000)
    while True:
        done = asyncio.get_running_loop().create_future()
        target = await runtime.spawn(kind, count, done)
        began = process_time()
        for number in range(count):
            target.tell(number)
        await done
        yield {"tell": (process_time() - began) / count * 1e6}
        await runtime.stop_each([target])


async def ring(runtime: Any) -> AsyncGenerator[dict[str, float]]:
    """1,000 actors, each telling the next."""
    members, hops, kind = size(1_000, 10), size(10_000), behaviours.node(runtime.base)
    nodes = [await runtime.spawn(kind) for _ in range(members)]
    while True:
        done = asyncio.get_running_loop().create_future()
        for index, one in enumerate(nodes):
            await one.ask((nodes[(index + 1) % members], done))
        began = process_time()
        nodes[0].tell(hops)
        await done
        yield {"ring": (process_time() - began) / hops * 1e6}


async def lives(runtime: Any) -> AsyncGenerator[dict[str, float]]:
    """Spawn (started and answering) and stop: one by one, many at a time, and by one that stands above them."""
    kind, closing, count = behaviours.echo(runtime.base), behaviours.closing(runtime.base), size(10_000)
    while True:
        took = await life(runtime, kind, count)
        actors = [await runtime.spawn(kind) for _ in range(count)]
        gc.collect()
        took["stop_crowd"] = await cpu_s(runtime.stop_crowd(actors)) / count * 1e6
        del actors
        stop = await runtime.tree(kind, count)
        gc.collect()
        took["stop_tree"] = await cpu_s(stop()) / count * 1e6
        actors = [await runtime.spawn(closing) for _ in range(count)]
        gc.collect()
        took["stop_closing"] = await cpu_s(runtime.stop_each(actors)) / count * 1e6
        yield took


async def life(runtime: Any, kind: type, count: int) -> dict[str, float]:
    """Return what a spawn and a stop cost, each awaited before the next."""
    gc.collect()
    began = process_time()
    actors = [await runtime.spawn(kind) for _ in range(count)]
    if runtime.is_ours:
        await asyncio.gather(*[actor.ask(1, timeout_s=None) for actor in actors])
    else:
        await asyncio.gather(*[actor.ask(1) for actor in actors])
    spawned = process_time() - began
    gc.collect()
    return {"spawn": spawned / count * 1e6, "stop": await cpu_s(runtime.stop_each(actors)) / count * 1e6}


async def restarts(runtime: Any) -> AsyncGenerator[dict[str, float]]:
    """From the message that crashes it to the first answer of the next incarnation, by the clock on the wall."""
    current, incarnation = await runtime.supervised(behaviours.crashy(runtime.base))
    while True:
        taken: list[float] = []
        for _ in range(size(100, 20)):
            before, target = incarnation(), current()
            began = perf_counter()
            target.tell("die")
            while incarnation() is before:
                await asyncio.sleep(0)
            await current().ask("again")
            taken.append((perf_counter() - began) * 1e6)
        yield {"restart": statistics.median(taken), "restart_p99": sorted(taken)[int(len(taken) * 0.99) - 1]}


PLANS: tuple[tuple[Plan, int], ...] = ((asks, 11), (crowd, 9), (tells, 7), (ring, 9), (lives, 2), (restarts, 3))


async def one_round() -> dict[str, dict[str, float]]:
    """Return for each figure the microseconds of each runtime, and `share`: ours by deque, slice by slice."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # the anchors' crashes
    figures: dict[str, dict[str, float]] = {}
    async with AsyncExitStack() as stack:
        runtimes = [await stack.enter_async_context(driver(name)) for name in RUNTIMES]
        for plan, slices in PLANS:
            plans = [plan(runtime) for runtime in runtimes]
            rows: dict[str, dict[str, list[float]]] = {}
            for number in range(slices + 1):
                order = list(zip(RUNTIMES, plans, strict=True))
                for name, steps in order if number % 2 else reversed(order):
                    for figure, value in (await anext(steps)).items():
                        rows.setdefault(figure, {}).setdefault(name, []).append(value)
            for steps in plans:
                await steps.aclose()
            for figure, taken in rows.items():
                warm = {name: values[1:] for name, values in taken.items()}  # the first slice warms up
                figures[figure] = {name: statistics.median(values) for name, values in warm.items()}
                figures[figure]["share"] = statistics.median(
                    mine / anchor for mine, anchor in zip(warm["ours"], warm["deque"], strict=True)
                )
    return figures


# -- memory, growth, threads -----------------------------------------------------------------------


async def memory(name: str) -> dict[str, float]:
    """Resident bytes per idle actor that has answered once."""
    async with driver(name) as runtime:
        kind, count = behaviours.echo(runtime.base), size(50_000)  # Python takes memory by the MiB
        gc.collect()
        before = resident_bytes()
        actors = [await runtime.spawn(kind) for _ in range(count)]
        for actor in actors:  # one by one: what many replies at once leave free would be counted as used
            await actor.ask(1)
        gc.collect()
        return {"idle_bytes": (resident_bytes() - before) / count}


async def growth(name: str, collector: bool) -> dict[str, dict[int, float]]:
    """Microseconds per actor for spawn, stop, restart and look-up, by size; with or without the collector."""
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    figures: dict[str, dict[int, float]] = {"spawn": {}, "stop": {}, "restart": {}, "lookup": {}}
    async with driver(name) as runtime:
        kind = behaviours.echo(runtime.base)
        if not collector:
            gc.disable()
        for count in CROWDS:
            for figure, value in (await life(runtime, kind, count)).items():
                figures[figure][count] = value
        if collector:
            for count in CROWDS:
                async with driver(name) as crowded:  # its own names
                    find = await crowded.named(kind, count)
                    began = process_time()
                    for index in range(count):
                        find(index)
                    figures["lookup"][count] = (process_time() - began) / count * 1e6
                    steps = restarts(crowded)  # with that crowd beside it
                    await anext(steps)
                    figures["restart"][count] = (await anext(steps))["restart"]
                    await steps.aclose()
    return {figure: values for figure, values in figures.items() if values}


async def threads() -> dict[str, float]:
    """Asks per second of a ThreadActor and of `asyncio.to_thread(pykka_ref.ask)`, in turn, by the clock on the wall."""
    import pykka

    from jido_ai.actors import ActorSystem, ThreadActor

    class Theirs(pykka.ThreadingActor):
        use_daemon_thread = True

        def on_receive(self, message: Any) -> Any:
            return message

    class Mine(ThreadActor[Any]):
        def on_receive(self, message: Any) -> Any:
            return message

    figures: dict[str, list[float]] = {"ours": [], "to_thread": [], "share": [], "ours_crowd": []}
    count = size(300, 20)
    theirs = Theirs.start()
    async with ActorSystem() as system:
        mine = await system.spawn(Mine)
        for number in range(size(9, 2)):
            began = perf_counter()
            for index in range(count):
                await mine.ask(index, timeout_s=None)
            ours = count / (perf_counter() - began)
            began = perf_counter()
            for index in range(count):
                await asyncio.to_thread(theirs.ask, index)
            anchor = count / (perf_counter() - began)
            if number:  # the first warms up
                figures["ours"].append(ours)
                figures["to_thread"].append(anchor)
                figures["share"].append(ours / anchor)
        for _ in range(size(9, 2)):  # afterwards: a crowd spreads the threads over the cores, and there they stay
            began = perf_counter()
            await asyncio.gather(*(mine.ask(index, timeout_s=None) for index in range(1_000)))
            figures["ours_crowd"].append(1_000 / (perf_counter() - began))
    theirs.stop()
    return {name: statistics.median(values) for name, values in figures.items()}


def pykka_alone() -> dict[str, float]:
    """pykka's ThreadingActor, driven from the main thread: microseconds, and bytes per idle actor."""
    import pykka

    class Echo(pykka.ThreadingActor):
        use_daemon_thread = True

        def on_receive(self, message: Any) -> Any:
            return message

    figures: dict[str, float] = {}
    actor, count = Echo.start(), size(3_000)

    def took(began: float, operations: int) -> float:
        return (perf_counter() - began) / operations * 1e6

    began = perf_counter()
    for number in range(count):
        actor.ask(number)
    figures["ask"] = figures["ask_timeout"] = took(began, count)
    began = perf_counter()
    for number in range(count * 4):
        actor.tell(number)
    actor.ask(0)
    figures["tell"] = took(began, count * 4)
    many = size(1_000)
    memory, began = resident_bytes(), perf_counter()
    actors = [Echo.start() for _ in range(many)]
    for one in actors:
        one.ask(1)
    figures["spawn"] = took(began, many)
    figures["idle_bytes"] = (resident_bytes() - memory) / many
    began = perf_counter()
    for one in actors:
        one.stop()
    figures["stop"] = took(began, many)
    pykka.ActorRegistry.stop_all()
    return figures


def main() -> None:
    what, loop, *rest = sys.argv[1:]
    if what == "pykka":
        print(json.dumps(pykka_alone()))
        return
    works: dict[str, Callable[[], Any]] = {
        "round": one_round,
        "memory": lambda: memory(rest[0]),
        "growth": lambda: growth(rest[0], collector=True),
        "growth-uncollected": lambda: growth(rest[0], collector=False),
        "threads": threads,
    }
    work = works[what]()
    if loop == "uvloop":
        import uvloop

        figures = uvloop.run(work)
    else:
        figures = asyncio.run(work)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
