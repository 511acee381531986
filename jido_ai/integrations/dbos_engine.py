"""DBOS in this process: one workflow with one step for each run, and the queue that they come from. It blocks.

All functions are called in threads without an event loop: DBOS's own async functions replace the default executor of
the event loop that calls them, and shut it down with themselves.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import sqlalchemy as sa
import sqlalchemy.exc
from dbos import DBOS, DBOSClient, DBOSConfig, DBOSPortableJSONSerializer
from dbos import error as dbos_error

from jido_ai.errors import ConfigurationError, StoreUnavailableError
from jido_ai.integrations.dbos_orders import QueueAddress
from jido_ai.integrations.dbos_private import hand_over, hand_over_one, migrate, stop_dequeuing

APP: Final = "jido"
VERSION: Final = "jido-1"
"""All workers of a store share it, whatever their release, and leave rows of another version alone. It changes only
when rows can no longer be read."""
WORKFLOW: Final = "jido_run"
FAILURES: Final = (sqlalchemy.exc.SQLAlchemyError, dbos_error.DBOSException, OSError)
"""What a database that refuses or is away raises through DBOS."""
_UNPREPARED: Final = {"prepare_threshold": None}
"""A pooler gives each transaction another session of the server, which knows no statements prepared before."""
_TRIES: Final = 5
_SETTLING_S: Final = 5.0
_PENDING_SHOWN: Final = 10_000
_one_per_process = threading.Lock()

Work = Callable[[str, Mapping[str, Any]], Coroutine[Any, Any, Mapping[str, Any] | None]]


def translated(error: Exception, place: QueueAddress) -> StoreUnavailableError:
    """Return the `StoreError` for a database error, without its statements and addresses."""
    cause = getattr(error, "orig", None) or error
    said = " ".join(str(cause).split())[:200] if isinstance(error, sqlalchemy.exc.DBAPIError) else type(cause).__name__
    where = "the queue's database" if place.schema is None else f"the queue's database (schema {place.schema})"
    return StoreUnavailableError(f"cannot use {where}: {said}")


@contextmanager
def translating(place: QueueAddress) -> Generator[None]:
    """Raise failures of the database inside of the `with` block as `StoreUnavailableError`."""
    try:
        yield
    except FAILURES as error:
        raise translated(error, place) from error


def migrated(place: QueueAddress) -> None:
    """Make DBOS's tables, or bring them up to date. Several processes may do so at once.

    Raises:
        StoreUnavailableError: the database cannot be reached, or refuses it.
    """
    for tries in range(_TRIES):
        try:
            _migrate(place)
            return
        except FAILURES as error:
            if tries == _TRIES - 1 or isinstance(error, sqlalchemy.exc.OperationalError):
                raise translated(error, place) from error
            threading.Event().wait(0.2 * (tries + 1))  # another process is at the same tables


def _migrate(place: QueueAddress) -> None:
    if place.schema is None:
        DBOS.migrate(place.url)
        return
    engine = postgres_engine(place, pool_size=2, max_overflow=0)
    try:
        migrate(engine, place.schema)
    finally:
        engine.dispose()


def postgres_engine(place: QueueAddress, **options: Any) -> sa.Engine:
    """Return an engine of SQLAlchemy that may have a pooler such as pgbouncer before the server."""
    url = place.url.replace("postgresql://", "postgresql+psycopg://", 1)
    return sa.create_engine(url, connect_args=dict(_UNPREPARED), pool_pre_ping=True, **options)


class Client(DBOSClient):
    """Submits and reads runs outside of a worker. Raises `StoreUnavailableError`."""

    def __init__(self, place: QueueAddress) -> None:
        self._owned = None if place.schema is None else postgres_engine(place, pool_size=2, max_overflow=0)
        with translating(place):
            super().__init__(
                system_database_url=place.url,
                system_database_engine=self._owned,
                dbos_system_schema=place.schema or "dbos",
                serializer=DBOSPortableJSONSerializer(),
                application_name=APP,
                retry_connection_errors=True,
                system_database_pool_size=2,
            )

    def destroy(self) -> None:
        super().destroy()
        if self._owned is not None:
            self._owned.dispose()


class Engine:
    """DBOS as an executor of one queue. There is one in a process.

    Args:
        executor_id: unique to this incarnation of the worker.
        concurrency: runs at once here.
        per_tenant: runs at once of one tenant, on all workers together; None is no limit.
        poll_s: pause between two looks at the queue.
        work: carries out a run in `loop`; None hands it back.
    """

    def __init__(
        self,
        place: QueueAddress,
        queue: str,
        executor_id: str,
        work: Work,
        loop: asyncio.AbstractEventLoop,
        *,
        concurrency: int,
        per_tenant: int | None,
        poll_s: float,
    ) -> None:
        self._place = place
        self._queue = queue
        self._executor_id = executor_id
        self._work = work
        self._loop = loop
        self._limits: dict[str, Any] = {"worker_concurrency": concurrency, "partition_concurrency": per_tenant}
        self._poll_s = poll_s
        self._dbos: DBOS | None = None
        self._is_stopping = self._is_first = False
        self._left: set[str] = set()

    def start(self) -> None:
        """Take runs from now on.

        Raises:
            ConfigurationError: this process already has a worker.
            StoreUnavailableError: the database cannot be reached.
        """
        if not _one_per_process.acquire(blocking=False):
            raise ConfigurationError("this process already has a worker, and DBOS allows one; start another process")
        self._is_first = True
        config = DBOSConfig(
            name=APP,
            system_database_url=self._place.url,
            dbos_system_schema=self._place.schema or "dbos",
            executor_id=self._executor_id,
            application_version=VERSION,
            serializer=DBOSPortableJSONSerializer(),
            use_listen_notify=False,
            sys_db_pool_size=5,
            run_migrations=False,
            log_level="ERROR",
            db_engine_kwargs=None if self._place.schema is None else {"connect_args": dict(_UNPREPARED)},
        )
        try:
            with translating(self._place):
                self._dbos = DBOS(config=config)
                DBOS.workflow(name=WORKFLOW, max_recovery_attempts=None)(_workflow_of(self._step))
                DBOS.listen_queues([self._queue])
                self._register_queue()
                DBOS.launch()
        except BaseException:
            self.stop()
            raise

    def _register_queue(self) -> None:
        """Write the queue's limits; the newest worker's count for all. Before the launch, which looks for queues."""
        client = Client(self._place)
        try:
            client.register_queue(
                self._queue, polling_interval_sec=self._poll_s, on_conflict="always_update", **self._limits
            )
        finally:
            client.destroy()

    async def _step(self, workflow_id: str, data: dict[str, Any]) -> dict[str, Any]:
        """Carry out a run in the worker's event loop, in which its pipelines live."""
        outcome = None
        if not self._is_stopping:
            future = asyncio.run_coroutine_threadsafe(self._work(workflow_id, data), self._loop)
            outcome = await asyncio.wrap_future(future)
        if outcome is not None:
            return dict(outcome)
        if self._is_stopping:
            self._left.add(workflow_id)
        else:
            await asyncio.to_thread(hand_over_one, self._dbos, workflow_id, self._executor_id)
        raise asyncio.CancelledError  # DBOS records nothing, so the run is still to be done

    def hand_over(self, executor_ids: Sequence[str]) -> list[str]:
        """Put the runs of dead workers back into the queue; return the workflows. Raises `StoreUnavailableError`."""
        assert self._dbos is not None
        with translating(self._place):
            return hand_over(self._dbos, executor_ids)

    def take_no_more(self) -> None:
        """Take no new runs from now on; runs in flight continue."""
        self._is_stopping = True
        if self._dbos is not None:
            stop_dequeuing(self._dbos)

    def hand_back(self) -> list[str]:
        """Put this worker's unfinished runs back into the queue; return their ids."""
        end = time.monotonic() + _SETTLING_S
        while set(self.holders().get(self._executor_id, ())) - self._left and time.monotonic() < end:
            time.sleep(0.02)  # DBOS writes their outcomes
        return self.hand_over([self._executor_id])

    def holders(self) -> dict[str, list[str]]:
        """Return the ids of the runs that have begun and not ended, by executor."""
        found: dict[str, list[str]] = {}
        with translating(self._place):
            rows = DBOS.list_workflows(
                status="PENDING", queue_name=self._queue, load_input=False, load_output=False, limit=_PENDING_SHOWN
            )
        for row in rows:
            if row.executor_id is not None:
                found.setdefault(row.executor_id, []).append(row.workflow_id)
        return found

    def stop(self) -> None:
        """Take nothing more, and end DBOS's threads. Unfinished runs stay with this executor."""
        self._is_stopping = True
        if self._is_first:
            DBOS.destroy(destroy_registry=True)
            self._dbos, self._is_first = None, False
            _one_per_process.release()


def _workflow_of(work: Callable[[str, dict[str, Any]], Coroutine[Any, Any, dict[str, Any]]]) -> Any:
    """Return the workflow of a run. DBOS marks the functions it is given, so each engine makes its own."""

    @DBOS.step(name="run_or_resume", preemptible=True)
    async def step(workflow_id: str, data: dict[str, Any]) -> dict[str, Any]:
        return await work(workflow_id, data)

    async def run(data: dict[str, Any]) -> dict[str, Any]:
        workflow_id = DBOS.workflow_id
        assert workflow_id is not None
        return await step(workflow_id, data)

    return run
