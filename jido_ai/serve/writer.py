"""EventWriter: writes the events of all runs of a server, in batches, and lets those that listen know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from jido_ai.errors import ActorError, StoreError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values.record import Record

__all__ = ["EventWriter"]

_MOST_AT_ONCE: Final = 500
_PAUSES_S: Final = (0.05, 0.2, 1.0, 5.0)
"""Pauses between tries while the store fails; the last one again and again."""

Batch = tuple[Sequence[Record], Callable[[Sequence[Record]], None]]


class EventWriter:
    """One task that writes all records since the last write: a hundred runs cost one write, not a hundred.

    Args:
        tell: called with the error of each failed write.
    """

    def __init__(self, memory: ReflexionMemory, tell: Callable[[Exception], None]) -> None:
        self._memory = memory
        self._tell = tell
        self._waiting: list[Batch] = []
        self._has_work = asyncio.Event()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._task = asyncio.create_task(self._run(), name="events of served runs")

    def write(self, records: Sequence[Record], written: Callable[[Sequence[Record]], None]) -> None:
        """Write records soon, all or none, after those given before; `written` gets them as they were stored."""
        self._waiting.append((records, written))
        self._is_idle.clear()
        self._has_work.set()

    async def flush(self) -> None:
        """Wait until everything given so far is written."""
        await self._is_idle.wait()

    async def close(self, timeout_s: float) -> bool:
        """Write the waiting records, for a limited time, and end. Return whether all are written."""
        try:
            async with asyncio.timeout(timeout_s):
                await self.flush()
        except TimeoutError:
            pass
        self._task.cancel()
        await asyncio.wait({self._task})
        return not self._waiting

    async def _run(self) -> None:
        while True:
            await self._has_work.wait()
            batch = self._next()
            stored = await self._stored([record for records, _ in batch for record in records])
            self._waiting = self._waiting[len(batch) :]
            begin = 0
            for records, written in batch:
                written(stored[begin : begin + len(records)])
                begin += len(records)
            if not self._waiting:
                self._has_work.clear()
                self._is_idle.set()

    def _next(self) -> list[Batch]:
        batch: list[Batch] = []
        count = 0
        for one in self._waiting:
            count += len(one[0])
            if batch and count > _MOST_AT_ONCE:
                break
            batch.append(one)
        return batch

    async def _stored(self, records: Sequence[Record]) -> Sequence[Record]:
        tries = 0
        while True:
            try:
                return await self._memory.append(records)
            except (StoreError, ActorError) as error:
                self._tell(error)
                await asyncio.sleep(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])
                tries += 1
