"""A generator, critiquer and reviser that do as a test tells them, and a look at what is left behind."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult

PROMPT = "how would you parse a date?"


def text(index: int) -> str:
    """Return the text of the candidate of that number; two of them have little in common."""
    return f"{index}:" + chr(ord("a") + index % 26) * 40


def number(candidate: Candidate) -> int:
    return int(candidate.content.partition(":")[0])


class Scripted:
    """Makes candidate after candidate, and finds the severity that the script has for each.

    Attributes:
        at: what to do at a step ("generate", "critique 0", "revise 0", ...) before it is done, once.
        calls: every step that was begun, in order.
    """

    def __init__(self, *severities: float, at: dict[str, Callable[[], Awaitable[Any]]] | None = None) -> None:
        self.severities: Sequence[float] = severities or (0.9, 0.7, 0.5, 0.31)
        self.at = dict(at or {})
        self.calls: list[str] = []
        self.contexts: list[RunContext] = []
        self._judged: Counter[str] = Counter()

    async def _begin(self, step: str, context: RunContext) -> None:
        self.calls.append(step)
        self.contexts.append(context)
        self.read = [*context.lessons]
        await self.at.pop(step, _nothing)()

    def _next(self, context: RunContext) -> str:
        return text(self._judged[context.run_id])

    async def generate(self, prompt: str, context: RunContext) -> Any:
        await self._begin("generate", context)
        return self._next(context)

    async def critique(self, candidate: Candidate, context: RunContext) -> Any:
        index = number(candidate)
        await self._begin(f"critique {index}", context)
        self._judged[context.run_id] = max(self._judged[context.run_id], index + 1)
        return CritiqueResult(severity=self.severities[index], issues=[f"{chr(97 + index)} is wrong"])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> Any:
        await self._begin(f"revise {number(candidate)}", context)
        return self._next(context)


async def _nothing() -> None:
    pass


async def hang() -> None:
    await asyncio.Event().wait()


def raising(error: BaseException) -> Callable[[], Awaitable[None]]:
    async def fail() -> None:
        raise error

    return fail


@asynccontextmanager
async def nothing_left_behind() -> AsyncGenerator[None]:
    """Fail when tasks live on, or when an exception was never retrieved."""
    complaints: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    before = asyncio.all_tasks()
    yield
    await settle()
    gc.collect()
    assert not complaints
    assert asyncio.all_tasks() - before - {asyncio.current_task()} == set()


async def settle(turns: int = 20) -> None:
    """Let everything that is ready happen."""
    for _ in range(turns):
        await asyncio.sleep(0)
