"""RunJournal: what runs wrote down, and the runs that can be read back and gone on with.

It lives in the logs of a `ReflexionMemory`: the same store, the same one writer, the same redaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from jido_ai.errors import NotFoundError
from jido_ai.loop.claims import claimed, is_void
from jido_ai.loop.record import Line, RecordedRun, read_run
from jido_ai.loop.run_summary import LOG, RunSummary, summary_of
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import Claim, Record
from jido_ai.values import Scope

__all__ = ["RunJournal", "RunLines", "RunSummary"]


class RunLines:
    """Writes the lines of one run; a `LoopJournal`."""

    def __init__(self, memory: ReflexionMemory, run_id: str, scope: Scope) -> None:
        self._memory = memory
        self._run_id = run_id
        self._scope = scope

    async def write(self, *lines: Line) -> None:
        """Write lines, all or none; durable when this returns."""
        await self._memory.append(
            [Record(log=LOG, key=self._run_id, kind=kind, scope=self._scope, data=data) for kind, data in lines]
        )


class RunJournal:
    """Reads the runs that a memory keeps.

    Args:
        memory: open while the journal is used.
    """

    def __init__(self, memory: ReflexionMemory) -> None:
        self._memory = memory

    def lines(self, run_id: str, scope: Scope) -> RunLines:
        """Return where a run writes."""
        return RunLines(self._memory, run_id, scope)

    async def claim(self, claim: Claim) -> Claim:
        """Keep or renew a claim and return it as it is kept.

        Raises:
            RunClaimedError: somebody else is at that run.
        """
        holder = await self._memory.claim(claim, is_void)
        if holder.token != claim.token:
            raise claimed(holder)
        return holder

    async def release(self, claim: Claim) -> None:
        """Remove a claim; nothing happens when it does not hold."""
        await self._memory.release(claim)

    async def has(self, run_id: str, scope: Scope) -> bool:
        """Tell whether there is a run of that id."""
        return bool(await self._memory.records(LOG, scope=scope, key=run_id, limit=1))

    async def load(self, run_id: str, scope: Scope | None = None) -> RecordedRun:
        """Return a run, with all that it had finished.

        Args:
            scope: None looks in all of them.

        Raises:
            NotFoundError: there is no such run, or in more than one scope when none was given.
            StoreDamagedError: its lines make no run.
            StoreVersionError: a newer version wrote it.
        """
        records = await self.records(run_id, scope)
        return read_run(run_id, records[0].scope, records[0].timestamp, [(one.kind, one.data) for one in records])

    async def records(self, run_id: str, scope: Scope | None = None) -> Sequence[Record]:
        """Return the lines of a run as they were written, in order. Raises `NotFoundError`, as `load` does."""
        records = await self._memory.records(LOG, scope=scope, key=run_id)
        scopes = {f"{record.scope.tenant}/{record.scope.project}" for record in records}
        if not records:
            raise NotFoundError(f"no run {run_id!r} in the journal")
        if len(scopes) > 1:
            raise NotFoundError(f"several scopes have a run {run_id!r}: {', '.join(sorted(scopes))}; say which")
        return records

    async def list(self, scope: Scope | None = None, *, limit: int | None = 20, offset: int = 0) -> list[RunSummary]:
        """Return runs, the one that wrote last first."""
        found = await self._memory.summaries(LOG, scope=scope, limit=limit, offset=offset)
        return [summary_of(log) for log in found]

    async def forget(self, run_id: str, scope: Scope | None = None) -> int:
        """Remove a run and return how many lines went. Raises `NotFoundError`, as `load` does."""
        records = await self.records(run_id, scope)
        return await self._memory.drop_records(LOG, scope=records[0].scope, key=run_id)
