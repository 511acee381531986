"""More than one machine: DBOS carries runs to workers, the journal knows how far each is.

    async with worker({"answer": pipeline}, store="postgresql://db/jido", queue="work") as one:
        await one.wait()

    async with client(store="postgresql://db/jido", queue="work") as work:
        run_id = await work.submit("answer", "how would you parse a date?")
        result = await work.result(run_id)

A run is one workflow of DBOS, whose id is the run's. It has one step: carry out what the journal does not have yet. A
worker that dies gives its runs back; the next one repeats only the calls that were in flight.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import AsyncGenerator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import Any
from uuid import uuid4

from jido_ai.errors import ConfigurationError, StoreError, describe
from jido_ai.extras import missing
from jido_ai.graph.orders import RunOutcome
from jido_ai.graph.served import Served, keep_running
from jido_ai.integrations.worker import RunWorker, checked_for_worker
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.guard import GUARD
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.runs.leases import let_go, new_claim
from jido_ai.telemetry import OBSERVING, Sink, TelemetryEvent, safe_sink
from jido_ai.values import Scope

try:
    from jido_ai.integrations.dbos_attempts import Attempts, RunWatchdog
    from jido_ai.integrations.dbos_client import WorkClient
    from jido_ai.integrations.dbos_engine import Client, Engine, migrated
    from jido_ai.integrations.dbos_orders import (
        QueueAddress,
        checked_queue,
        is_at,
        order_of,
        outcome_map,
        place_of,
        run_of,
    )
    from jido_ai.integrations.dbos_workers import HandOver, TableLimits, WorkerRow, WorkerTable
except ImportError as error:
    raise missing(error.name or "dbos", "dbos") from error

__all__ = ["HandOver", "RunningWorker", "WorkClient", "WorkerRow", "client", "worker"]

_HAND_BACK_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Pauses before a run that this worker cannot carry out goes back into the queue; the last one again and again."""

_RELEASING_S = 10.0


class RunningWorker:
    """A worker that takes runs.

    Attributes:
        id: of this incarnation, as other workers and `jido doctor` show it.
    """

    def __init__(self, id: str, runs: RunWorker, attempts: Attempts) -> None:
        self.id = id
        self._runs = runs
        self._attempts = attempts
        self._ends = asyncio.Event()
        self._refused: dict[str, int] = {}

    @property
    def in_flight(self) -> tuple[str, ...]:
        """Ids of the runs that are carried out here."""
        return self._runs.in_flight

    async def wait(self) -> None:
        """Wait until `stop` is called."""
        await self._ends.wait()

    def stop(self) -> None:
        """Let `wait` return; leaving the `async with` then drains the worker."""
        self._ends.set()

    async def carry_out(self, workflow_id: str, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Carry out a run of the queue; return its outcome, or None to leave it to another worker."""
        run_id = run_of(workflow_id)
        order = order_of(run_id, data)
        outcome: RunOutcome | None = None
        if order is not None and self._runs.claim(order):
            outcome = await self._attempts.carry_out(workflow_id, order)
        if outcome is not None:
            self._refused.pop(run_id, None)
            return outcome_map(outcome)
        tries = self._refused[run_id] = self._refused.get(run_id, -1) + 1
        if not self._ends.is_set():
            await asyncio.sleep(_HAND_BACK_S[min(tries, len(_HAND_BACK_S) - 1)])
        return None


@asynccontextmanager
async def worker(
    things: Mapping[str, Served],
    *,
    store: str | os.PathLike[str],
    queue: str,
    concurrency: int = 4,
    per_tenant: int | None = None,
    drain_s: float = 30.0,
    dead_after_s: float = 10.0,
    poll_s: float = 0.1,
    share_limits: bool = False,
    monthly_usd: float | None = None,
    sink: Sink | None = None,
) -> AsyncGenerator[RunningWorker]:
    """Carry out the runs of a queue until the block is left. There is one worker in a process.

    Args:
        things: pipelines and graphs by the names under which runs are submitted, not entered; without memories, or with
            memories at `store`. Their `lease_s` is how long another machine waits for the run of a worker that fell
            silent.
        store: postgresql://..., or an SQLite file for the workers of one machine. It keeps journals, lessons and the
            queue: its tables are in the schema "SCHEMA_dbos", or in the file "STORE.queue".
        queue: made if it is not there.
        concurrency: runs at once on each worker, at least 1. The newest worker's value counts for all of the queue.
        per_tenant: runs at once of one tenant on all workers together, at least 1; None is no limit. As `concurrency`.
        drain_s: seconds that runs in flight get when the block is left; then they stop where they are, and another
            worker goes on. At least 0.
        dead_after_s: seconds of silence after which the others take over a worker's runs; more than 0. A process that
            ended on the same machine is noticed at once.
        poll_s: pause between two looks at the queue, more than 0.
        share_limits: the workers of a store share circuit breakers and limits per minute of each provider, and the
            pauses that it asks for. Concerns models with `with_limits` around them, as those given by name have. Adds a
            look at the database to each call.
        monthly_usd: limit for the calls of any 30 days, above 0; None is no limit. Calls of models with a cost ledger,
            as those given by name have, are recorded in the store, by the name of the pipeline or graph. What the
            others with this store spend counts, too.
        sink: receives events: worker.started, .handed_over, .gave_up, .run_is_elsewhere, .store_failed, .stopped.

    Raises:
        ConfigurationError: an argument can never work, dbos is not installed, or this process has a worker.
        StoreError: the store cannot be opened.
    """
    place, name = place_of(store), checked_queue(queue)
    checked = checked_for_worker(things, partial(is_at, place))
    _check_limits(concurrency, per_tenant, drain_s, dead_after_s, poll_s, monthly_usd=monthly_usd)
    tell = _teller(safe_sink(sink), name)
    claim = new_claim("worker", Scope(), dead_after_s)
    executor_id = f"{platform.node()}-{os.getpid()}-{uuid4().hex[:12]}"
    row = WorkerRow(
        id=executor_id,
        queue=name,
        owner=claim.owner,
        names=tuple(checked),
        release=version("jido-ai"),
        concurrency=concurrency,
        dead_after_s=dead_after_s,
    )
    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(4, thread_name_prefix="jido-worker")
    in_thread = partial(_in_thread, loop, threads)
    async with AsyncExitStack() as stack:
        stack.callback(let_go, claim)
        stack.callback(threads.shutdown, wait=False)
        memory = ReflexionMemory(place.store)
        await stack.enter_async_context(keep_running(checked, memory, monthly_usd=monthly_usd, sink=sink))
        await in_thread(migrated, place)
        table = WorkerTable(place)
        stack.callback(table.close)
        await in_thread(table.create)
        await in_thread(table.beat, row)
        if share_limits:
            await _share_limits(stack, checked, place, in_thread)
        hands = RunWorker(checked, tell)
        attempts = Attempts(table, hands, executor_id, in_thread, tell)
        running = RunningWorker(executor_id, hands, attempts)
        engine = Engine(
            place,
            name,
            executor_id,
            running.carry_out,
            loop,
            concurrency=concurrency,
            per_tenant=per_tenant,
            poll_s=poll_s,
        )
        await in_thread(engine.start)
        watchdog = RunWatchdog(row, table, engine, attempts, lambda: len(hands.in_flight), in_thread, tell)
        watching = asyncio.create_task(watchdog.run(), name="watchdog of a worker")
        tell("worker.started", worker=executor_id, queue=name, things=len(checked))
        try:
            yield running
        finally:
            running.stop()
            watching.cancel()
            await asyncio.wait({watching})
            await asyncio.shield(_drained(engine, hands, drain_s, in_thread, tell))
            try:
                await in_thread(table.remove, [executor_id])
            except StoreError as error:
                tell("worker.row_left", worker=executor_id, error=type(error).__name__)
            tell("worker.stopped", worker=executor_id)


@asynccontextmanager
async def client(*, store: str | os.PathLike[str], queue: str) -> AsyncGenerator[WorkClient]:
    """Submit runs to the workers of a queue, and follow them, from any machine.

    Args:
        store, queue: as of the workers.

    Raises:
        ConfigurationError: an argument can never work, or dbos is not installed.
        StoreError: the store cannot be opened.
    """
    place, name = place_of(store), checked_queue(queue)
    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(4, thread_name_prefix="jido-client")
    in_thread = partial(_in_thread, loop, threads)
    async with AsyncExitStack() as stack:
        stack.callback(threads.shutdown, wait=False)
        memory = await stack.enter_async_context(ReflexionMemory(place.store))
        await in_thread(migrated, place)
        table = WorkerTable(place)
        stack.callback(table.close)
        await in_thread(table.create)
        submits = await in_thread(Client, place)
        stack.push_async_callback(in_thread, submits.destroy)
        yield WorkClient(submits, name, memory, table, place, in_thread)


def _teller(emit: Sink, queue: str) -> Callable[..., None]:
    """Return a function that passes an event's name and facts to the sink and the observer."""

    def tell(event: str, **facts: object) -> None:
        emit(TelemetryEvent(event, facts))
        if OBSERVING.observer is not None:
            OBSERVING.observer.happened(event, {"queue": queue, **facts})

    return tell


async def _share_limits(
    stack: AsyncExitStack, served: Mapping[str, Served], place: QueueAddress, in_thread: Any
) -> None:
    """Let the guards of all models share their limits through the store, until the stack is left."""
    limits = TableLimits(place)
    stack.push_async_callback(in_thread, limits.close)
    await in_thread(limits.create)
    parts = [part for one in served.values() for part in one.uses()]
    for guard in {GUARD, *(part.guard for part in parts if isinstance(part, GuardedModel))}:
        await stack.enter_async_context(guard.sharing(limits))


async def _in_thread(loop: asyncio.AbstractEventLoop, threads: ThreadPoolExecutor, work: Any, *args: Any) -> Any:
    return await loop.run_in_executor(threads, work, *args)


async def _drained(engine: Engine, hands: RunWorker, drain_s: float, in_thread: Any, tell: Any) -> None:
    """Take no new runs, let those in flight end for a while, and leave the rest to the other workers."""
    engine.take_no_more()
    try:
        if not await _ended(hands, drain_s):
            await hands.release()
            await _ended(hands, _RELEASING_S)
        async with asyncio.timeout(_RELEASING_S):
            await in_thread(engine.hand_back)
    except (TimeoutError, StoreError) as error:  # the watchdogs of the others find what is left
        tell("worker.left_runs", error=type(error).__name__)
    finally:
        await in_thread(engine.stop)


async def _ended(hands: RunWorker, limit_s: float) -> bool:
    """Wait, for a limited time, until no run is in flight; return whether it is so."""
    try:
        async with asyncio.timeout(limit_s):
            await hands.idle()
    except TimeoutError:
        return False
    return True


def _check_limits(
    concurrency: object,
    per_tenant: object,
    drain_s: object,
    dead_after_s: object,
    poll_s: object,
    *,
    monthly_usd: float | None,
) -> None:
    CostLedger(monthly_usd=monthly_usd)  # checks it
    for what, value in (("concurrency", concurrency), ("per_tenant", per_tenant)):
        if what == "per_tenant" and value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ConfigurationError(f"{what} must be a whole number of at least 1, got {describe(value)}")
    for what, value, least in (
        ("drain_s", drain_s, True),
        ("dead_after_s", dead_after_s, False),
        ("poll_s", poll_s, False),
    ):
        is_number = not isinstance(value, bool) and isinstance(value, int | float) and value < float("inf")
        if not is_number or not (value > 0 or (least and value == 0)):  # type: ignore[operator]
            raise ConfigurationError(f"{what} must be a number of seconds, got {describe(value)}")
