"""The tables of workers: heartbeats, names of pipelines and graphs, hand-overs of runs, attempts, and shared limits.

A worker writes its row before it takes the first run, and renews it. The database's clock measures its silence.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import sqlalchemy as sa
import sqlalchemy.exc
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from jido_ai.errors import StoreDamagedError, StoreUnavailableError
from jido_ai.integrations.dbos_engine import postgres_engine, translated, translating
from jido_ai.integrations.dbos_orders import QueueAddress, run_of
from jido_ai.models.limits import Change, PlaceState
from jido_ai.runs.leases import is_gone

_TRIES: Final = 5
_POSTGRES_NOW: Final = "extract(epoch from clock_timestamp())"
_SQLITE_NOW: Final = "((julianday('now') - 2440587.5) * 86400.0)"


class Tables:
    """A connection to the database of either kind. All methods raise `StoreUnavailableError`.

    Attributes:
        meta: takes the tables.
        now: expression of the database's time, in seconds since 1970.
        insert: builds an INSERT that knows ON CONFLICT.
    """

    def __init__(self, place: QueueAddress) -> None:
        self._place = place
        is_file = place.schema is None
        options: dict[str, Any] = {"pool_size": 1, "max_overflow": 1}
        options["isolation_level"] = "AUTOCOMMIT"  # each change is one statement
        self._engine = (
            sa.create_engine(place.url, connect_args={"timeout": 5.0}, **options)
            if is_file
            else postgres_engine(place, **options)
        )
        self.now: Any = sa.literal_column(_SQLITE_NOW if is_file else _POSTGRES_NOW, sa.Float)
        self.insert: Any = sqlite_insert if is_file else pg_insert
        self.meta = sa.MetaData(schema=place.schema)

    def create(self) -> None:
        """Make the tables if they are not there. Several processes may do so at once."""
        for tries in range(_TRIES):
            try:
                self.meta.create_all(self._engine)
                return
            except sqlalchemy.exc.SQLAlchemyError as error:
                if tries == _TRIES - 1:
                    raise translated(error, self._place) from error

    def exists(self) -> bool:
        """Tell whether tables were made; those that newer versions have may be missing."""
        with translating(self._place):
            there = sa.inspect(self._engine)
            return any(there.has_table(table.name, schema=self._place.schema) for table in self.meta.sorted_tables)

    def run(self, statement: Any) -> int:
        """Carry out a statement that writes; return the number of rows that it changed."""
        with translating(self._place), self._engine.connect() as connection:
            return connection.execute(statement).rowcount

    def read(self, query: Any) -> Sequence[Any]:
        """Return the rows of a query."""
        with translating(self._place), self._engine.connect() as connection:
            return connection.execute(query).fetchall()

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()


MOST_ATTEMPTS: Final = 3
"""How many workers may die while they are at the same place of a run."""
_KEPT_S: Final = 7 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRow:
    """A worker as the table has it.

    Attributes:
        id: of its executor; another after each start.
        owner: its process, as in a claim.
        names: pipelines and graphs that it can carry out.
        release: version of jido_ai.
        running: runs in flight at its last sign of life.
        silent_s: seconds since then, by the database's clock.
        dead_after_s: seconds of silence after which the others take its runs.
    """

    id: str
    queue: str
    owner: str
    names: tuple[str, ...]
    release: str
    concurrency: int
    running: int = 0
    silent_s: float = 0.0
    dead_after_s: float = 10.0

    @property
    def is_silent(self) -> bool:
        """True if it gave no sign of life for too long."""
        return self.silent_s > self.dead_after_s

    @property
    def is_gone(self) -> bool:
        """True if it was a process of this machine that has ended."""
        return is_gone(self.owner)


@dataclass(frozen=True, slots=True)
class HandOver:
    """A run that was taken from a dead worker."""

    run_id: str
    from_worker: str
    by_worker: str
    seconds_ago: float


@dataclass(frozen=True, slots=True)
class BrokenRun:
    """A run whose worker died.

    Attributes:
        deaths: workers that died with it since it last got further.
        place: how far its journal was when it was last taken up; None before.
    """

    deaths: int
    place: int | None


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A run that failed because each worker that carried it out died."""

    run_id: str
    attempts: int
    seconds_ago: float


class WorkerTable(Tables):
    """The tables `jido_worker`, `jido_handover` and `jido_attempt`, beside DBOS's."""

    def __init__(self, place: QueueAddress) -> None:
        super().__init__(place)
        self._workers = sa.Table(
            "jido_worker",
            self.meta,
            sa.Column("id", sa.Text, primary_key=True),
            sa.Column("queue", sa.Text, nullable=False),
            sa.Column("owner", sa.Text, nullable=False),
            sa.Column("names", sa.Text, nullable=False),
            sa.Column("release", sa.Text, nullable=False),
            sa.Column("concurrency", sa.Integer, nullable=False),
            sa.Column("running", sa.Integer, nullable=False),
            sa.Column("dead_after_s", sa.Double, nullable=False),
            sa.Column("beat_at", sa.Double, nullable=False),
        )
        self._handovers = sa.Table(
            "jido_handover",
            self.meta,
            sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
            sa.Column("queue", sa.Text, nullable=False),
            sa.Column("run_id", sa.Text, nullable=False),
            sa.Column("from_worker", sa.Text, nullable=False),
            sa.Column("by_worker", sa.Text, nullable=False),
            sa.Column("at", sa.Double, nullable=False),
        )

        self._attempts = sa.Table(
            "jido_attempt",
            self.meta,
            sa.Column("id", sa.Text, primary_key=True),
            sa.Column("queue", sa.Text, nullable=False),
            sa.Column("deaths", sa.Integer, nullable=False),
            sa.Column("place", sa.Integer, nullable=True),
            sa.Column("last_death", sa.Text, nullable=False),
            sa.Column("last_try", sa.Text, nullable=False),
            sa.Column("is_given_up", sa.Boolean, nullable=False),
            sa.Column("changed_at", sa.Double, nullable=False),
        )

    def beat(self, row: WorkerRow) -> None:
        """Write a sign of life, and the row if it is not there. Raises `StoreUnavailableError`."""
        values: dict[str, Any] = {
            "id": row.id,
            "queue": row.queue,
            "owner": row.owner,
            "names": json.dumps(row.names),
            "release": row.release,
            "concurrency": row.concurrency,
            "running": row.running,
            "dead_after_s": row.dead_after_s,
            "beat_at": self.now,
        }
        renewed = {name: value for name, value in values.items() if name != "id"}
        statement = self.insert(self._workers).values(**values)
        self.run(statement.on_conflict_do_update(index_elements=["id"], set_=renewed))

    def remove(self, ids: Sequence[str]) -> None:
        """Remove dead workers."""
        self.run(sa.delete(self._workers).where(self._workers.c.id.in_(ids)))

    def rows(self, queue: str | None = None) -> list[WorkerRow]:
        """Return all workers that have not been removed, dead ones too."""
        table = self._workers.c
        query = sa.select(
            table.id,
            table.queue,
            table.owner,
            table.names,
            table.release,
            table.concurrency,
            table.running,
            table.dead_after_s,
            (self.now - table.beat_at).label("silent_s"),
        ).order_by(table.id)
        if queue is not None:
            query = query.where(table.queue == queue)
        return [
            WorkerRow(
                id=row.id,
                queue=row.queue,
                owner=row.owner,
                names=tuple(json.loads(row.names)),
                release=row.release,
                concurrency=row.concurrency,
                running=row.running,
                dead_after_s=row.dead_after_s,
                silent_s=float(row.silent_s),
            )
            for row in self.read(query)
        ]

    def note_handovers(self, queue: str, run_ids: Sequence[str], from_worker: str, by_worker: str) -> None:
        """Remember that runs were taken from a dead worker, for a week."""
        rows = [
            {"queue": queue, "run_id": one, "from_worker": from_worker, "by_worker": by_worker, "at": self.now}
            for one in run_ids
        ]
        for row in rows:
            self.run(sa.insert(self._handovers).values(**row))
        self.run(sa.delete(self._handovers).where(self._handovers.c.at < self.now - _KEPT_S))

    def handovers(self, queue: str | None = None, limit: int = 20) -> list[HandOver]:
        """Return the newest hand-overs first."""
        table = self._handovers.c
        ago = (self.now - table.at).label("ago")
        query = sa.select(table.run_id, table.from_worker, table.by_worker, ago).order_by(table.id.desc()).limit(limit)
        if queue is not None:
            query = query.where(table.queue == queue)
        return [HandOver(row.run_id, row.from_worker, row.by_worker, float(row.ago)) for row in self.read(query)]

    # -- attempts ----------------------------------------------------------------------------------

    def note_deaths(self, queue: str, workflow_ids: Sequence[str], worker: str) -> None:
        """Count the death of a worker for the runs that it had, once, whoever notices it.

        Before its last attempt a run may wait for its turn in a worker; that one's death is not its own.
        """
        table = self._attempts.c
        for one in workflow_ids:
            none: dict[str, Any] = {"queue": queue, "deaths": 0, "last_death": "", "last_try": "", "is_given_up": False}
            insert = self.insert(self._attempts).values(id=one, changed_at=self.now, **none)
            self.run(insert.on_conflict_do_nothing())
            is_its_own = sa.or_(table.deaths < MOST_ATTEMPTS - 1, table.last_try == worker)
            death = sa.update(self._attempts).where(table.id == one, table.last_death != worker, is_its_own)
            self.run(death.values(deaths=table.deaths + 1, last_death=worker, changed_at=self.now))
        self.run(sa.delete(self._attempts).where(table.changed_at < self.now - _KEPT_S))

    def attempt(self, workflow_id: str) -> BrokenRun | None:
        """Return the attempts of a run; None if no worker died with it."""
        table = self._attempts.c
        rows = self.read(sa.select(table.deaths, table.place).where(table.id == workflow_id))
        return BrokenRun(rows[0].deaths, rows[0].place) if rows else None

    def note_place(self, workflow_id: str, place: int) -> None:
        """Remember that a run got further: of the deaths only the newest counts."""
        self._change(workflow_id, place=place, deaths=1)

    def note_last_try(self, workflow_id: str, worker: str) -> None:
        """Remember which worker makes the last attempt; "" for none."""
        self._change(workflow_id, last_try=worker)

    def note_given_up(self, workflow_id: str) -> None:
        """Remember for a week that a run was given up."""
        self._change(workflow_id, is_given_up=True)

    def forget_attempts(self, workflow_id: str) -> None:
        """Forget the attempts of a run that ended, or got further."""
        self.run(sa.delete(self._attempts).where(self._attempts.c.id == workflow_id))

    def given_up(self, queue: str, limit: int = 20) -> list[GivenUp]:
        """Return the runs that were given up, the newest first."""
        table = self._attempts.c
        ago = (self.now - table.changed_at).label("ago")
        query = sa.select(table.id, table.deaths, ago).where(table.queue == queue, table.is_given_up)
        rows = self.read(query.order_by(table.changed_at.desc()).limit(limit))
        return [GivenUp(run_of(row.id), row.deaths, float(row.ago)) for row in rows]

    def _change(self, workflow_id: str, **values: Any) -> None:
        change = sa.update(self._attempts).where(self._attempts.c.id == workflow_id)
        self.run(change.values(changed_at=self.now, **values))


# -- limits of providers -------------------------------------------------------------------------


T = TypeVar("T")
_CHANGES: Final = 200
_PAUSE_S: Final = 0.01


class TableLimits:
    """Breakers and rate limits of providers in a table that workers share, a row for each place. See `SharedLimits`.

    A row has a version. A worker writes only if the version is the one that it read; otherwise it reads again. What
    workers can see of a place is its provider; its address is hashed, since it may contain a password.
    """

    def __init__(self, place: QueueAddress) -> None:
        self._tables = Tables(place)
        self._limits = sa.Table(
            "jido_limit",
            self._tables.meta,
            sa.Column("place", sa.Text, primary_key=True),
            sa.Column("version", sa.BigInteger, nullable=False),
            sa.Column("state", sa.Text, nullable=False),
        )
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="jido-limits")  # one, so that changes keep their order

    def create(self) -> None:
        """Make the table if it is not there. Raises `StoreUnavailableError`."""
        self._tables.create()

    async def change(self, provider: str, base_url: str, rule: Change[T]) -> T:
        """Apply a rule to the state of a place, and keep the result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._change, provider, base_url, rule)

    def close(self) -> None:
        """Carry out the changes under way, and close the connections."""
        self._thread.shutdown()
        self._tables.close()

    def _change(self, provider: str, base_url: str, rule: Change[T]) -> T:
        place = f"{provider} {hashlib.sha256(base_url.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
        table = self._limits.c
        query = sa.select(table.version, table.state, self._tables.now.label("now")).where(table.place == place)
        for _ in range(_CHANGES):
            rows = self._tables.read(query)
            if not rows:
                empty: Any = self._tables.insert(self._limits).values(place=place, version=0, state="{}")
                self._tables.run(empty.on_conflict_do_nothing())
                continue
            version, text, now = rows[0]
            before = _state_in(text, provider)
            after, told = rule(before, float(now))
            if after == before or self._wrote(place, version, after):
                return told
            time.sleep(random.uniform(0.0, _PAUSE_S))
        raise StoreUnavailableError(f"the shared limits of {provider} were changed by others {_CHANGES} times in a row")

    def _wrote(self, place: str, version: int, state: PlaceState) -> bool:
        update = sa.update(self._limits).where(self._limits.c.place == place, self._limits.c.version == version)
        return bool(self._tables.run(update.values(version=version + 1, state=json.dumps(state.to_map()))))


def _state_in(text: str, provider: str) -> PlaceState:
    try:
        return PlaceState.from_map(json.loads(text))
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise StoreDamagedError(f"the shared limits of {provider} cannot be read: {type(error).__name__}") from error
