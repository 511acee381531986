"""The anchors: the least that is a mailbox on asyncio, by hand. No guarantees, no errors, no ends but a stop message.

`DequeActor` is what asyncio can do: a task, a deque, a bare future to sleep on. `QueueActor` is what one writes first.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

STOP = object()


class DequeActor:
    """One task and one deque."""

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.box: deque[tuple[Any, asyncio.Future[Any] | None]] = deque()
        self.sleeper: asyncio.Future[None] | None = None
        self.task = self.loop.create_task(self.live())

    def tell(self, message: Any) -> None:
        self.box.append((message, None))
        sleeper = self.sleeper
        if sleeper is not None:
            self.sleeper = None
            sleeper.set_result(None)

    def ask(self, message: Any) -> asyncio.Future[Any]:
        reply = self.loop.create_future()
        self.box.append((message, reply))
        sleeper = self.sleeper
        if sleeper is not None:
            self.sleeper = None
            sleeper.set_result(None)
        return reply

    async def live(self) -> None:
        box, receive, new_future = self.box, self.on_receive, self.loop.create_future
        while True:
            while box:
                message, reply = box.popleft()
                if message is STOP:
                    reply.set_result(None)
                    return
                answer = await receive(message)
                if reply is not None and not reply.done():
                    reply.set_result(answer)
            self.sleeper = sleeper = new_future()
            await sleeper

    async def on_receive(self, message: Any) -> Any:
        raise TypeError("an anchor's behaviour is missing")


class QueueActor:
    """One task and one asyncio.Queue."""

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.queue: asyncio.Queue[tuple[Any, asyncio.Future[Any] | None]] = asyncio.Queue()
        self.task = self.loop.create_task(self.live())

    def tell(self, message: Any) -> None:
        self.queue.put_nowait((message, None))

    def ask(self, message: Any) -> asyncio.Future[Any]:
        reply = self.loop.create_future()
        self.queue.put_nowait((message, reply))
        return reply

    async def live(self) -> None:
        while True:
            message, reply = await self.queue.get()
            if message is STOP:
                reply.set_result(None)
                return
            answer = await self.on_receive(message)
            if reply is not None and not reply.done():
                reply.set_result(answer)

    async def on_receive(self, message: Any) -> Any:
        raise TypeError("an anchor's behaviour is missing")


class Restarter:
    """The smallest supervisor there can be: one child, started again when its task ends."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make
        self.child: Any = None
        self.begin()

    def begin(self) -> None:
        self.child = child = self.make()
        child.start()
        child.task.add_done_callback(self.again)

    def again(self, task: asyncio.Task[None]) -> None:
        task.exception()
        self.begin()
