"""Watchdog of a worker: sends its heartbeat, and takes over the runs of dead workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from jido_ai.errors import ActorError, StoreError
from jido_ai.integrations.dbos_attempts import Attempts
from jido_ai.integrations.dbos_engine import Engine
from jido_ai.integrations.dbos_orders import run_of
from jido_ai.integrations.dbos_workers import WorkerRow, WorkerTable

InThread = Callable[..., Awaitable[Any]]


def dead_among(holders: dict[str, list[str]], rows: list[WorkerRow], me: str, *, judges_silence: bool) -> list[str]:
    """Return the dead executors that still have runs.

    An executor without a row is gone, and so is one whose process ended on this machine, or that was silent for too
    long.

    Args:
        judges_silence: False for a worker that was not there itself: it was stopped, or the database was away, and
            then the others could not be heard.
    """
    living = {me} | {row.id for row in rows if not row.is_gone and not (judges_silence and row.is_silent)}
    return [executor for executor in holders if executor not in living]


class RunWatchdog:
    """Renews a worker's row and hands over the runs of dead workers, several times per `dead_after_s`.

    Args:
        row: the worker's, with its limits.
        running: returns the number of its runs in flight.
        in_thread: runs a blocking function.
        tell: called with a dotted name and facts.
    """

    def __init__(  # noqa: PLR0917
        self,
        row: WorkerRow,
        table: WorkerTable,
        engine: Engine,
        attempts: Attempts,
        running: Callable[[], int],
        in_thread: InThread,
        tell: Callable[..., None],
    ) -> None:
        self._row = row
        self._table = table
        self._engine = engine
        self._attempts = attempts
        self._running = running
        self._in_thread = in_thread
        self._tell = tell
        self._pause_s = row.dead_after_s / 5
        self._heard_since = self._last = time.monotonic()

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            await asyncio.sleep(self._pause_s)
            try:
                await self._beat()
                await self._in_thread(self._take_over)
                await self._attempts.acquit()
            except (StoreError, ActorError) as error:
                self._tell("worker.watchdog_failed", error=type(error).__name__)

    async def _beat(self) -> None:
        await self._in_thread(self._table.beat, replace(self._row, running=self._running()))
        now = time.monotonic()
        if now - self._last > 2 * self._pause_s + 1.0:
            self._heard_since = now
        self._last = now

    def _take_over(self) -> None:
        rows, holders = self._table.rows(self._row.queue), self._engine.holders()
        judges = time.monotonic() - self._heard_since >= self._row.dead_after_s
        for executor in dead_among(holders, rows, self._row.id, judges_silence=judges):
            self._table.note_deaths(self._row.queue, holders[executor], executor)
            run_ids = self._engine.hand_over([executor])
            if run_ids:
                self._tell("worker.handed_over", worker=executor, runs=len(run_ids))
                self._table.note_handovers(self._row.queue, [*map(run_of, run_ids)], executor, self._row.id)
        others = [row for row in rows if row.id not in holders and row.id != self._row.id]
        gone = [row.id for row in others if row.is_gone or (judges and row.is_silent)]
        if gone:
            self._table.remove(gone)
