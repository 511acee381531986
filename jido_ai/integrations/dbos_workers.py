"""The table of workers: heartbeats, names of pipelines and graphs, and the runs that were handed over. It blocks.

A worker writes its row before it takes the first run, and renews it. The database's clock measures its silence.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from jido_ai.integrations.dbos_orders import Place
from jido_ai.integrations.dbos_tables import Tables
from jido_ai.runs.claims import is_gone

__all__ = ["HandOver", "WorkerRow", "WorkerTable"]

_HANDOVERS_KEPT_S: Final = 7 * 86_400.0


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


class WorkerTable(Tables):
    """The tables `jido_worker` and `jido_handover`, beside DBOS's."""

    def __init__(self, place: Place) -> None:
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
        self.run(sa.delete(self._handovers).where(self._handovers.c.at < self.now - _HANDOVERS_KEPT_S))

    def handovers(self, queue: str | None = None, limit: int = 20) -> list[HandOver]:
        """Return the newest hand-overs first."""
        table = self._handovers.c
        ago = (self.now - table.at).label("ago")
        query = sa.select(table.run_id, table.from_worker, table.by_worker, ago).order_by(table.id.desc()).limit(limit)
        if queue is not None:
            query = query.where(table.queue == queue)
        return [HandOver(row.run_id, row.from_worker, row.by_worker, float(row.ago)) for row in self.read(query)]
