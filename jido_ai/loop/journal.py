"""RunJournal: reads the runs of pipelines back, so that they can be shown and resumed."""

from __future__ import annotations

from jido_ai.loop.record import RecordedRun, read_run
from jido_ai.runs.journal import Journal
from jido_ai.values import Scope


class RunJournal(Journal):
    """The runs in a memory."""

    async def load(self, run_id: str, scope: Scope | None = None) -> RecordedRun:
        """Return a run of a pipeline with all its finished steps.

        Args:
            scope: None looks in all scopes.

        Raises:
            NotFoundError: no such run exists, or more than one scope has it and none was given.
            StoreDamagedError: its lines cannot be read as a run.
            StoreVersionError: a newer version wrote it.
        """
        records = await self.records(run_id, scope)
        return read_run(run_id, records[0].scope, records[0].timestamp, [(one.kind, one.data) for one in records])
