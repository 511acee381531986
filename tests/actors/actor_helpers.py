"""Actors that the tests of the runtime share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jido_ai.actors.actor import Actor
from jido_ai.actors.exit_reason import ExitReason


@dataclass(frozen=True, slots=True)
class Crash:
    """Raise ValueError."""


@dataclass(frozen=True, slots=True)
class Call:
    """Run `work(actor)`; a coroutine is awaited."""

    work: Callable[[Any], Any]


class Probe(Actor[Any]):
    """Echoes, crashes and runs what it is told; keeps what it got in `log`, under its `tag`."""

    def __init__(self, log: list[Any] | None = None, tag: str = "probe") -> None:
        self.log: list[Any] = [] if log is None else log
        self.tag = tag

    async def on_start(self) -> None:
        self.log.append((self.tag, "start"))

    async def on_receive(self, message: Any) -> Any:
        match message:
            case Crash():
                raise ValueError("crashed on purpose")
            case Call(work):
                answer = work(self)
                return await answer if asyncio.iscoroutine(answer) or asyncio.isfuture(answer) else answer
            case _:
                self.log.append((self.tag, message))
                return message

    async def on_stop(self, reason: ExitReason) -> None:
        self.log.append((self.tag, "stop", reason))


class Plain(Actor[Any]):
    """Has no hooks: starts in one step."""

    async def on_receive(self, message: Any) -> Any:
        match message:
            case Crash():
                raise ValueError("crashed on purpose")
            case Call(work):
                answer = work(self)
                return await answer if asyncio.iscoroutine(answer) or asyncio.isfuture(answer) else answer
            case _:
                return message


class Stubborn(Actor[Any]):
    """Swallows every cancellation while it handles a message, until `release` is set."""

    def __init__(self, release: asyncio.Event) -> None:
        self.release = release

    async def on_receive(self, message: Any) -> Any:
        while not self.release.is_set():
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                pass
        return message


async def settle(turns: int = 20) -> None:
    """Let everything that is ready happen; takes no time."""
    for _ in range(turns):
        await asyncio.sleep(0)


def other_tasks() -> set[asyncio.Task[Any]]:
    """Return all tasks but our own."""
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]
