"""What every runtime under test must run: the same handlers, whatever delivers the messages."""

from __future__ import annotations

import asyncio
from typing import Any


def echo(base: type) -> type:
    class Echo(base):
        async def on_receive(self, message: Any) -> Any:
            return message

    return Echo


def closing(base: type) -> type:
    """An echo with something to close at its end; the anchors never call it."""

    class Closing(echo(base)):
        async def on_stop(self, reason: Any) -> None:
            pass

    return Closing


def counter(base: type) -> type:
    class Counter(base):
        def __init__(self, total: int, done: asyncio.Future[None]) -> None:
            self.count, self.total, self.done = 0, total, done

        async def on_receive(self, message: Any) -> None:
            self.count += 1
            if self.count == self.total:
                self.done.set_result(None)

    return Counter


def node(base: type) -> type:
    class Node(base):
        next: Any
        done: asyncio.Future[None]

        async def on_receive(self, message: Any) -> None:
            if isinstance(message, tuple):
                self.next, self.done = message
            elif message == 0:
                self.done.set_result(None)
            else:
                self.next.tell(message - 1)

    return Node


def crashy(base: type) -> type:
    class Crashy(base):
        async def on_receive(self, message: Any) -> Any:
            if message == "die":
                raise RuntimeError("die")
            return message

    return Crashy
