"""EventWriter: writes the events of all runs of a server, in batches, and lets those that listen know."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from typing import Final, NamedTuple

from jido_ai.errors import ActorError, StoreError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values.record import Record

_MOST_AT_ONCE: Final = 500
_PAUSES_S: Final = (0.05, 0.2, 1.0, 5.0)
"""Pauses between tries while the store fails; the last one again and again."""


class _RecordBatch(NamedTuple):
    key: Hashable
    records: Sequence[Record]
    written: Callable[[Sequence[Record]], None]
    refused: Callable[[Exception], None]


class EventWriter:
    """One task that writes all records since the last write: a hundred runs cost one write, not a hundred.

    Args:
        tell: called with the error of each failed write.
    """

    def __init__(self, memory: ReflexionMemory, tell: Callable[[Exception], None]) -> None:
        self._memory = memory
        self._tell = tell
        self._waiting: list[_RecordBatch] = []
        self._has_work = asyncio.Event()
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._task = asyncio.create_task(self._run(), name="events of served runs")

    @property
    def is_running(self) -> bool:
        """False if nothing is written any more."""
        return not self._task.done()

    def write(
        self,
        key: Hashable,
        records: Sequence[Record],
        written: Callable[[Sequence[Record]], None],
        refused: Callable[[Exception], None],
    ) -> None:
        """Write records soon, all or none, after those given before.

        Args:
            key: groups records that make no sense one without the other.
            written: gets them as they were stored.
            refused: gets the error if these, or earlier ones with this key, can never be stored.
        """
        self._waiting.append(_RecordBatch(key, records, written, refused))
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
        alone = 0  # batches to write one by one, as one of them can never be stored
        while True:
            await self._has_work.wait()
            batches = self._waiting[:1] if alone else self._next()
            alone = max(0, alone - 1)
            try:
                stored = await self._stored([record for batch in batches for record in batch.records])
            except Exception as error:  # noqa: BLE001 - given to the owner of the records
                if len(batches) == 1:
                    self._refuse(batches[0].key, error)
                else:
                    alone = len(batches)
            else:
                self._have_written(batches, stored)
            if not self._waiting:
                self._has_work.clear()
                self._is_idle.set()

    def _have_written(self, batches: Sequence[_RecordBatch], stored: Sequence[Record]) -> None:
        self._waiting = self._waiting[len(batches) :]
        begin = 0
        for batch in batches:
            batch.written(stored[begin : begin + len(batch.records)])
            begin += len(batch.records)

    def _refuse(self, key: Hashable, error: Exception) -> None:
        """Drop all that waits with a key."""
        dropped = [one for one in self._waiting if one.key == key]
        self._waiting = [one for one in self._waiting if one.key != key]
        for one in dropped:
            one.refused(error)

    def _next(self) -> list[_RecordBatch]:
        batch: list[_RecordBatch] = []
        count = 0
        for one in self._waiting:
            count += len(one.records)
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
