"""Measures one runtime on one event loop, in a process of its own, and prints one JSON line. Started by `run.py`."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import statistics
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import perf_counter as clock
from typing import Any

import behaviours
from mailboxes import STOP, DequeActor, QueueActor, Restarter

SCALE = float(os.environ.get("SCALE", "1"))


def size(full: int, least: int = 1) -> int:
    return max(least, int(full * SCALE))


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Anchor:
    """How an anchor is driven."""

    def __init__(self, base: type) -> None:
        self.base = base

    async def __aenter__(self) -> Anchor:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def spawn(self, kind: type, *args: Any) -> Any:
        actor = kind(*args)
        actor.start()
        return actor

    async def stop_all(self, actors: list[Any]) -> None:
        await asyncio.gather(*[actor.ask(STOP) for actor in actors])

    def ask_plain(self, actor: Any) -> Callable[[Any], Awaitable[Any]]:
        return actor.ask

    async def supervised(self, kind: type) -> tuple[Callable[[], Any], Callable[[], Any]]:
        restarter = Restarter(kind)
        return (lambda: restarter.child), (lambda: restarter.child.task)


class Ours:
    """How jido_ai.actors is driven."""

    def __init__(self) -> None:
        from jido_ai.actors import Actor, ActorSystem

        logging.getLogger("jido_ai").setLevel(logging.CRITICAL)  # thousands of meant crashes
        self.base = Actor
        self.system = ActorSystem()
        self.supervised_so_far = 0

    async def __aenter__(self) -> Ours:
        await self.system.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.system.stop()

    async def spawn(self, kind: type, *args: Any) -> Any:
        return await self.system.spawn(kind, *args)

    async def stop_all(self, actors: list[Any]) -> None:
        await asyncio.gather(*[actor.stop() for actor in actors])

    async def stop_together(self, kind: type, count: int) -> float:
        """Return the seconds it takes to stop a supervisor with `count` children."""
        from jido_ai.actors import ChildSpec, DynamicSupervisor, StartChild

        supervisor = await self.system.spawn(DynamicSupervisor)
        for _ in range(count):
            await supervisor.ask(StartChild(ChildSpec(id="child", start=kind, restart="temporary")))
        began = clock()
        await supervisor.stop(timeout_s=60.0)
        return clock() - began

    async def supervised(self, kind: type) -> tuple[Callable[[], Any], Callable[[], Any]]:
        from jido_ai.actors import Backoff, ChildSpec, Supervisor

        self.supervised_so_far += 1
        name = f"crashy-{self.supervised_so_far}"
        spec = ChildSpec(id="crashy", start=kind, name=name, backoff=Backoff(base_s=0.0))
        await self.system.spawn(Supervisor, [spec], max_restarts=10**9)
        ref = self.system.whereis(name)
        return (lambda: ref), (lambda: ref.cell)


async def measure(runtime: Any) -> dict[str, float]:
    figures: dict[str, float] = {}
    async with runtime:
        await asks(runtime, figures)
        await tells(runtime, figures)
        await lives(runtime, figures, size(10_000), "")
        await ring(runtime, figures)
        await restarts(runtime, figures)
    return figures


async def asks(runtime: Any, figures: dict[str, float]) -> None:
    kind, ours = behaviours.echo(runtime.base), isinstance(runtime, Ours)
    actor = await runtime.spawn(kind)
    for number in range(500):
        await actor.ask(number)
    count = size(20_000)
    began = clock()
    if ours:  # written out: a dict of keywords would cost what is to be measured
        for number in range(count):
            await actor.ask(number, timeout_s=None)
    else:
        for number in range(count):
            await actor.ask(number)
    figures["ask_per_s"] = count / (clock() - began)
    began = clock()
    for number in range(count):
        await actor.ask(number)  # ours: with its default timeout of 5 s
    figures["ask_timeout_per_s"] = count / (clock() - began)
    actors = [await runtime.spawn(kind) for _ in range(100)]
    per_caller = size(20)

    async def caller(index: int) -> None:
        target = actors[index % 100]
        if ours:
            for number in range(per_caller):
                await target.ask(number, timeout_s=None)
        else:
            for number in range(per_caller):
                await target.ask(number)

    began = clock()
    await asyncio.gather(*(caller(index) for index in range(1000)))
    figures["ask_crowd_per_s"] = 1000 * per_caller / (clock() - began)


async def tells(runtime: Any, figures: dict[str, float]) -> None:
    count, done = size(200_000), asyncio.get_running_loop().create_future()
    target = await runtime.spawn(behaviours.counter(runtime.base), count, done)
    began = clock()
    for number in range(count):
        target.tell(number)
    await done
    figures["tell_per_s"] = count / (clock() - began)


async def lives(runtime: Any, figures: dict[str, float], count: int, suffix: str) -> None:
    kind = behaviours.echo(runtime.base)
    gc.collect()
    memory, began = resident_bytes(), clock()
    actors = [await runtime.spawn(kind) for _ in range(count)]
    await asyncio.gather(*[actor.ask(1) for actor in actors])
    figures["spawn_us" + suffix] = (clock() - began) / count * 1e6
    gc.collect()
    figures["idle_bytes" + suffix] = (resident_bytes() - memory) / count
    began = clock()
    await runtime.stop_all(actors)
    figures["stop_each_us" + suffix] = figures["stop_us" + suffix] = (clock() - began) / count * 1e6
    if isinstance(runtime, Ours):
        del actors
        gc.collect()
        figures["stop_us" + suffix] = await runtime.stop_together(kind, count) / count * 1e6


async def ring(runtime: Any, figures: dict[str, float]) -> None:
    members, laps, done = size(1000, 10), size(100, 2), asyncio.get_running_loop().create_future()
    nodes = [await runtime.spawn(behaviours.node(runtime.base)) for _ in range(members)]
    for index, one in enumerate(nodes):
        await one.ask((nodes[(index + 1) % members], done))
    began = clock()
    nodes[0].tell(members * laps)
    await done
    figures["ring_hops_per_s"] = members * laps / (clock() - began)


async def restarts(runtime: Any, figures: dict[str, float]) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    current, incarnation = await runtime.supervised(behaviours.crashy(runtime.base))
    taken: list[float] = []
    for _ in range(size(300, 20)):
        before, target = incarnation(), current()
        began = clock()
        target.tell("die")
        while incarnation() is before:
            await asyncio.sleep(0)
        await current().ask("again")
        taken.append((clock() - began) * 1e6)
    figures["restart_us"] = statistics.median(taken)
    figures["restart_p99_us"] = sorted(taken)[int(len(taken) * 0.99) - 1]


async def growth(runtime: Any) -> dict[str, float]:
    """Spawn, stop, restart and look-up at three sizes: each must cost the same per actor."""
    figures: dict[str, float] = {}
    async with runtime:
        for count in (size(1_000), size(10_000), size(100_000)):
            await lives(runtime, figures, count, f"_at_{count}")
            named = [await runtime.system.spawn(behaviours.echo(runtime.base), name=f"n{i}") for i in range(count)]
            began = clock()
            for index in range(count):
                runtime.system.whereis(f"n{index}")
            figures[f"whereis_us_at_{count}"] = (clock() - began) / count * 1e6
            await restarts(runtime, figures)  # with a crowd beside it
            figures[f"restart_us_at_{count}"] = figures.pop("restart_us")
            figures.pop("restart_p99_us")
            await runtime.stop_all(named)
    return figures


def pykka_threads() -> dict[str, float]:
    """pykka's ThreadingActor, driven from the main thread; sizes a tenth, since each actor is a thread."""
    import pykka

    class Echo(pykka.ThreadingActor):
        def on_receive(self, message: Any) -> Any:
            return message

    figures: dict[str, float] = {}
    actor = Echo.start()
    count = size(5_000)
    began = clock()
    for number in range(count):
        actor.ask(number)
    figures["ask_per_s"] = figures["ask_timeout_per_s"] = count / (clock() - began)
    began = clock()
    for number in range(count * 4):
        actor.tell(number)
    actor.ask(0)
    figures["tell_per_s"] = count * 4 / (clock() - began)
    many = size(1_000)
    memory, began = resident_bytes(), clock()
    actors = [Echo.start() for _ in range(many)]
    for one in actors:
        one.ask(1)
    figures["spawn_us"] = (clock() - began) / many * 1e6
    figures["idle_bytes"] = (resident_bytes() - memory) / many
    began = clock()
    for one in actors:
        one.stop()
    figures["stop_us"] = (clock() - began) / many * 1e6
    pykka.ActorRegistry.stop_all()
    return figures


def main() -> None:
    runtime, loop, what = sys.argv[1:4]
    if runtime == "pykka":
        figures = pykka_threads()
    else:
        driver = {"ours": Ours, "deque": lambda: Anchor(DequeActor), "queue": lambda: Anchor(QueueActor)}[runtime]()
        work = growth if what == "growth" else measure
        if loop == "uvloop":
            import uvloop

            figures = uvloop.run(work(driver))
        else:
            figures = asyncio.run(work(driver))
    print(json.dumps({"runtime": runtime, "loop": loop, **figures}))


if __name__ == "__main__":
    main()
