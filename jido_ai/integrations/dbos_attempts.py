"""Attempts: a run that ends the process of each worker that takes it is given up after some of them.

The watchdog counts the workers that died with a run. The count begins again when the run's journal has got further, so
a run that is merely unlucky goes on. A worker makes one last attempt at a time, so a run that was only in flight beside
the culprit ends well. After half a minute the next one begins, and the first is no longer blamed.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from jido_ai.errors import ActorError, RunClaimedError, StoreError
from jido_ai.graph.orders import RunOrder, RunOutcome
from jido_ai.integrations.dbos_engine import Engine
from jido_ai.integrations.dbos_orders import run_of
from jido_ai.integrations.dbos_workers import MOST_ATTEMPTS, WorkerRow, WorkerTable
from jido_ai.integrations.worker import RunWorker
from jido_ai.values import ErrorInfo

_ALONE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class _LastAttempt:
    workflow_id: str
    order: RunOrder
    place: int
    began: float


class Attempts:
    """Carries out the runs of a worker, and gives up those that killed too many.

    Args:
        worker: id of this worker.
        in_thread: runs a blocking function.
        tell: called with a dotted name and facts.
    """

    def __init__(
        self,
        table: WorkerTable,
        runs: RunWorker,
        worker: str,
        in_thread: Callable[..., Awaitable[Any]],
        tell: Callable[..., None],
    ) -> None:
        self._table = table
        self._runs = runs
        self._worker = worker
        self._in_thread = in_thread
        self._tell = tell
        self._last: _LastAttempt | None = None

    async def carry_out(self, workflow_id: str, order: RunOrder) -> RunOutcome | None:
        """Carry out a run, or the rest of it; None leaves it to another worker, or for later."""
        try:
            deaths, place = await self._so_far(workflow_id, order)
            if deaths >= MOST_ATTEMPTS:
                outcome = await self._given_up(workflow_id, order, deaths)
                if outcome is not None:
                    return outcome
            elif deaths == MOST_ATTEMPTS - 1:
                before = self._last
                if before is not None and time.monotonic() - before.began < _ALONE_S:
                    return None
                self._last = _LastAttempt(workflow_id, order, place, time.monotonic())
                if before is not None:
                    await self._in_thread(self._table.note_last_try, before.workflow_id, "")
                await self._in_thread(self._table.note_last_try, workflow_id, self._worker)
        except (StoreError, ActorError, RunClaimedError) as error:
            self._tell("worker.store_failed", run_id=order.run_id, error=type(error).__name__)
            self._is_over(workflow_id)
            return None
        try:
            outcome = await self._runs.run_or_resume(order)
        finally:
            self._is_over(workflow_id)
        if deaths:
            await self._note_end(workflow_id, order, is_over=outcome is not None)
        return outcome

    async def _so_far(self, workflow_id: str, order: RunOrder) -> tuple[int, int]:
        """Return how many workers died at the place where the run is, and that place; 0, 0 if none died with it."""
        attempt = await self._in_thread(self._table.attempt, workflow_id)
        if attempt is None:
            return 0, 0
        place = await self._runs.place(order)
        if place == attempt.place:
            return attempt.deaths, place
        await self._in_thread(self._table.note_place, workflow_id, place)
        return 1, place

    async def _note_end(self, workflow_id: str, order: RunOrder, *, is_over: bool) -> None:
        try:
            if is_over:
                await self._in_thread(self._table.forget_attempts, workflow_id)
            else:
                await self._in_thread(self._table.note_last_try, workflow_id, "")
        except StoreError as error:  # a row is left, which goes after a week
            self._tell("worker.store_failed", run_id=order.run_id, error=type(error).__name__)

    async def acquit(self) -> None:
        """Let another run make its last attempt if the one that does has got further.

        Raises:
            StoreError, ActorError: the store cannot be reached.
        """
        last = self._last
        if last is not None and await self._runs.place(last.order) != last.place:
            await self._in_thread(self._table.forget_attempts, last.workflow_id)
            self._is_over(last.workflow_id)

    def _is_over(self, workflow_id: str) -> None:
        if self._last is not None and self._last.workflow_id == workflow_id:
            self._last = None

    async def _given_up(self, workflow_id: str, order: RunOrder, deaths: int) -> RunOutcome | None:
        error = ErrorInfo(
            "worker_died",
            f"{deaths} workers ended, one after another, at the same place of this run; its journal has the rest",
        )
        outcome = await self._runs.give_up(order, error)
        if outcome is None:
            return None  # it was over
        await self._in_thread(self._table.note_given_up, workflow_id)
        self._tell("worker.gave_up", run_id=order.run_id, name=order.name, attempts=deaths)
        return outcome


# -- the watchdog --------------------------------------------------------------------------------


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
