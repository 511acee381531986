"""The private part of DBOS that workers need, and nothing else: giving runs back, and making tables through an engine.

DBOS recovers the workflows of another executor only through its own service, and makes its tables only through an
engine of its own, which prepares statements. `tests/integrations/test_dbos_private.py` fails if the functions move.
"""

# The package is optional, and its types are missing where this is checked.
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportGeneralTypeIssues=false, reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dbos import DBOS, DBOSPortableJSONSerializer
from dbos._recovery import recover_pending_workflows
from dbos._sys_db import SystemDatabase
from dbos._utils import INTERNAL_QUEUE_NAME


def hand_over(dbos: DBOS, executor_ids: Sequence[str]) -> list[str]:
    """Put the unfinished runs of these executors back into their queue; return the ids of the runs. Blocks.

    DBOS changes a row only while one of these executors holds it, so two workers may do this at once.
    """
    handles = recover_pending_workflows(dbos, list(executor_ids))
    return [handle.get_workflow_id() for handle in handles]


def hand_over_one(dbos: DBOS, run_id: str, executor_id: str) -> bool:
    """Put one run that an executor has begun back into its queue; return whether it had it. Blocks."""
    return dbos._sys_db.reenqueue_for_recovery(run_id, [executor_id], INTERNAL_QUEUE_NAME)


def stop_dequeuing(dbos: DBOS) -> None:
    """Take no more runs from the queue; runs in flight continue."""
    for event in dbos.background_thread_stop_events:
        event.set()


def migrate(engine: Any, schema: str) -> None:
    """Make DBOS's tables in PostgreSQL, or bring them up to date, through an engine of SQLAlchemy. Blocks."""
    tables = SystemDatabase.create(
        system_database_url=str(engine.url),
        engine_kwargs={},
        engine=engine,
        schema=schema,
        serializer=DBOSPortableJSONSerializer(),
        executor_id=None,
    )
    try:
        tables.run_migrations()
    finally:
        tables.destroy()
