"""Actors of other projects, for comparison: autogen-core and xoscar. Prints one JSON line.

    python benchmarks/actors/others.py autogen|xoscar

Neither has supervision; autogen-core cannot stop one agent, so that figure is missing there.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

SCALE = float(os.environ.get("SCALE", "1"))


def size(full: int) -> int:
    return max(1, int(full * SCALE))


async def each_us(count: int, work: Callable[[int], Awaitable[object]]) -> float:
    """Await `work(number)` for each number and return the microseconds that one took."""
    began = perf_counter()
    for number in range(count):
        await work(number)
    return (perf_counter() - began) / count * 1e6


@dataclass
class Number:
    value: int


async def autogen() -> dict[str, float]:
    from autogen_core import AgentId, MessageContext, RoutedAgent, SingleThreadedAgentRuntime, message_handler

    def typed(method: Any) -> Any:  # the library reads the types when it runs, and ours are kept as text
        method.__annotations__.update({"message": Number, "ctx": MessageContext, "return": Number})
        return method

    class Mirror(RoutedAgent):
        def __init__(self) -> None:
            super().__init__("answers with what it got")

        @message_handler
        @typed
        async def answer(self, message: Number, ctx: MessageContext) -> Number:
            return message

    runtime = SingleThreadedAgentRuntime()
    await Mirror.register(runtime, "mirror", Mirror)
    runtime.start()
    one = AgentId("mirror", "one")
    await runtime.send_message(Number(0), one)
    ask = await each_us(size(3_000), lambda number: runtime.send_message(Number(number), one))
    spawn = await each_us(
        size(3_000), lambda number: runtime.send_message(Number(0), AgentId("mirror", f"many-{number}"))
    )
    await runtime.stop()
    return {"ask_per_s": 1e6 / ask, "spawn_us": spawn}


async def xoscar() -> dict[str, float]:
    import xoscar as mo

    class Mirror(mo.Actor):
        async def answer(self, message: int) -> int:
            return message

        async def hear(self, message: int) -> None:
            pass

    pool = await mo.create_actor_pool("127.0.0.1:0", n_process=0)
    address = pool.external_address
    one = await mo.create_actor(Mirror, address=address)
    await one.answer(0)
    ask = await each_us(size(10_000), one.answer)
    tell = await each_us(size(10_000), one.hear.tell)
    many = []

    async def spawn(_: int) -> None:
        many.append(await mo.create_actor(Mirror, address=address))
        await many[-1].answer(1)

    spawned = await each_us(size(3_000), spawn)
    stopped = await each_us(len(many), lambda index: mo.destroy_actor(many[index]))
    await pool.stop()
    return {"ask_per_s": 1e6 / ask, "tell_per_s": 1e6 / tell, "spawn_us": spawned, "stop_us": stopped}


def main() -> None:
    logging.disable(logging.CRITICAL)
    work = {"autogen": autogen, "xoscar": xoscar}[sys.argv[1]]
    print(json.dumps({name: round(value, 2) for name, value in asyncio.run(work()).items()}))


if __name__ == "__main__":
    main()
