"""An actor owns its state, handles one message at a time, and is reached only through its ref.

$ python examples/01_hello_actor.py
12
CallError: counter crashed on str: Crashed(error=RuntimeError('no such message: jump'))
alive: False
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from jido_ai.actors import Actor, ActorSystem, Ask, CallError


@dataclass(frozen=True)
class Increment(Ask[int]):
    by: int = 1


class Counter(Actor[Increment | str]):
    def __init__(self, start: int = 0) -> None:
        self.value = start

    async def on_receive(self, message: Increment | str) -> int:
        match message:
            case Increment(by):
                self.value += by
                return self.value
            case other:
                raise RuntimeError(f"no such message: {other}")


async def main() -> None:
    async with ActorSystem() as system:
        counter = await system.spawn(Counter, 10, name="counter")
        print(await counter.ask(Increment(by=2)))
        try:
            await counter.ask("jump")
        except CallError as error:
            print(f"CallError: {error}")
        print(f"alive: {counter.is_alive}")


if __name__ == "__main__":
    asyncio.run(main())
