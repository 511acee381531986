"""How each runtime under test is driven: the same calls, and nothing between them and the runtime that costs time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import process_time
from typing import Any

from mailboxes import STOP, DequeActor, QueueActor, Restarter


class Anchor:
    """A bare mailbox."""

    is_ours = False

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

    async def stop_each(self, actors: list[Any]) -> None:
        """Stop one after the other and hold on to none: to free what has ended is part of a stop."""
        while actors:
            await actors.pop().ask(STOP)

    async def stop_crowd(self, actors: list[Any]) -> None:
        await asyncio.gather(*[actor.ask(STOP) for actor in actors])

    async def tree(self, kind: type, count: int) -> Callable[[], Any]:
        """Start `count` actors that can be stopped together; return what stops them."""
        actors = [await self.spawn(kind) for _ in range(count)]
        return lambda: self.stop_crowd(actors)

    async def supervised(self, kind: type) -> tuple[Callable[[], Any], Callable[[], Any]]:
        """Start one that is restarted; return what gives its address and what tells its incarnations apart."""
        restarter = Restarter(kind)
        return (lambda: restarter.child), (lambda: restarter.child.task)

    async def named(self, kind: type, count: int) -> Callable[[int], Any]:
        """Start `count` named actors; return what looks one up."""
        names: dict[str, Any] = {}
        for index in range(count):
            names[f"n{index}"] = await self.spawn(kind)
        return lambda index: names.get(f"n{index}")


class Ours:
    """jido_ai.actors."""

    is_ours = True

    def __init__(self) -> None:
        from jido_ai.actors import Actor, ActorSystem

        logging.getLogger("jido_ai").setLevel(logging.CRITICAL)  # thousands of meant crashes
        self.base = Actor
        self.system = ActorSystem()
        self.spawn = self.system.spawn
        self._supervised = 0

    async def __aenter__(self) -> Ours:
        await self.system.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.system.stop()

    async def stop_each(self, actors: list[Any]) -> None:
        while actors:
            await actors.pop().stop()

    async def stop_crowd(self, actors: list[Any]) -> None:
        await asyncio.gather(*[actor.stop() for actor in actors])

    async def tree(self, kind: type, count: int) -> Callable[[], Any]:
        from jido_ai.actors import ChildSpec, DynamicSupervisor, StartChild

        supervisor = await self.spawn(DynamicSupervisor)
        for _ in range(count):
            await supervisor.ask(StartChild(ChildSpec(id="child", start=kind, restart="temporary")))
        return lambda: supervisor.stop(timeout_s=60.0)

    async def supervised(self, kind: type) -> tuple[Callable[[], Any], Callable[[], Any]]:
        from jido_ai.actors import Backoff, ChildSpec, Supervisor

        self._supervised += 1
        name = f"crashy-{self._supervised}"
        spec = ChildSpec(id="crashy", start=kind, name=name, backoff=Backoff(base_s=0.0))
        await self.spawn(Supervisor, [spec], max_restarts=10**9)
        ref = self.system.whereis(name)
        incarnations = [ref.cell]

        def incarnation() -> Any:  # the last one that lived: between two lives there is none
            if ref.is_alive:
                incarnations[0] = ref.cell
            return incarnations[0]

        return (lambda: ref), incarnation

    async def named(self, kind: type, count: int) -> Callable[[int], Any]:
        for index in range(count):
            await self.spawn(kind, name=f"n{index}")
        return lambda index: self.system.whereis(f"n{index}")


def driver(runtime: str) -> Any:
    """Return the driver of "deque", "queue" or "ours"."""
    return Ours() if runtime == "ours" else Anchor(DequeActor if runtime == "deque" else QueueActor)


async def cpu_s(work: Any) -> float:
    """Await `work` and return the CPU time of this process that it took: the same as time, on a machine with rest."""
    began = process_time()
    await work
    return process_time() - began
