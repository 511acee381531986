"""A supervisor restarts a crashed child and those that depend on it; refs stay valid.

$ python examples/02_supervised_restart.py
store crashed: disk on fire
running: log (restarts 0), store (restarts 1), cache (restarts 1)
store answers: again
"""

from __future__ import annotations

import asyncio
import logging

from jido_ai.actors import Actor, ActorSystem, CallError, ChildSpec, Supervisor


class Worker(Actor[str]):
    async def on_receive(self, message: str) -> str:
        if message == "burn":
            raise RuntimeError("disk on fire")
        return message


async def main() -> None:
    logging.getLogger("jido_ai").setLevel(logging.ERROR)  # the crash is intended
    async with ActorSystem() as system:
        children = [ChildSpec(id=name, start=Worker, name=name) for name in ("log", "store", "cache")]
        await system.spawn(Supervisor, children, strategy="rest_for_one")
        store = system.whereis("store")
        assert store is not None
        try:
            await store.ask("burn")
        except CallError as error:
            print(f"store crashed: {error.__cause__}")
        answer = await store.ask("again", when_restarting="wait")
        restarts = {node.name: node.restarts for node in system.tree().walk()}
        print("running: " + ", ".join(f"{name} (restarts {restarts[name]})" for name in ("log", "store", "cache")))
        print(f"store answers: {answer}")


if __name__ == "__main__":
    asyncio.run(main())
