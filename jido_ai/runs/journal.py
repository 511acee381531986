"""Journal: the lines that runs wrote, in a log of a `ReflexionMemory`: the same store, writer and redaction."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from jido_ai.actors.to_its_end import to_its_end
from jido_ai.errors import NotFoundError, RunClaimedError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.call_lines import CALLS, calls_in, is_of_path
from jido_ai.runs.call_log import CallLog
from jido_ai.runs.leases import Lease, owner_named
from jido_ai.runs.summary import LOG, OF_RUNS, RunSummary, summary_of
from jido_ai.values import ModelCall, Scope
from jido_ai.values.checks import checked_id
from jido_ai.values.record import Claim, LogName, Record

Line = tuple[str, Mapping[str, Any] | bytes]
"""Kind and data of a journal line; the data may be JSON already."""

_ENDING_S: Final = 5.0
_STARTS: Final = ("started", "graph")
"""Kinds of the first lines of runs."""


class LineWriter(Protocol):
    """Receives the lines of the journal as a run finishes its steps."""

    async def write(self, *lines: Line, is_last: bool = False) -> None: ...


class RunLines:
    """Writes the lines of one run; a `LineWriter`. Without the run's claim nothing is written.

    Args:
        calls: of models; those that have ended since are written with the next lines.
    """

    def __init__(self, memory: ReflexionMemory, lease: Lease, calls: CallLog | None = None) -> None:
        self._memory = memory
        self._lease = lease
        self._calls = calls
        self._written: tuple[Line, ...] = ()  # although their writer was cancelled
        self._turns = asyncio.Lock()  # a killed writer ends its write before its successor's

    async def write(self, *lines: Line, is_last: bool = False) -> None:
        """Write lines, all or none; they are durable when this returns.

        A writer that is cancelled waits for the end of the write, for a limited time. Lines that it wrote, and that it
        therefore sends again, are left out.

        Args:
            is_last: also release the run.

        Raises:
            RunClaimedError: another process took over the run, because this one gave no sign of life for too long.
        """
        async with self._turns:
            await self._write(lines, is_last=is_last)

    async def _write(self, lines: tuple[Line, ...], *, is_last: bool) -> None:
        claim = await self._lease.claim()
        lines = _without(lines, self._written)
        records = [record_of(line, claim) for line in lines]
        if self._calls is not None and self._calls.masking is not None:
            await self._calls.settled()
        calls = [] if self._calls is None else self._calls.take()
        if not (records or calls or is_last):
            return
        kept: list[Record] = []

        async def write() -> None:
            kept[:] = await self._memory.append([*records, *calls], claim=claim, release=is_last)

        try:
            await (write() if self._memory.is_prompt else to_its_end(write(), within_s=_ENDING_S))
        except BaseException as error:
            if kept:
                self._written = (*self._written, *lines)
                raise
            if self._calls is not None:
                self._calls.put_back(calls)
            if not isinstance(error, RunClaimedError):
                raise
            lost = error
            if not (is_last and not lost.owner and await self._is_written(lines[-1])):
                raise RunClaimedError(lost.run_id, owner_named(lost.owner), lost.expires_at) from None
        self._lease.is_released = is_last

    async def _is_written(self, line: Line) -> bool:
        """Tell whether a line is the newest of the run: its write was repeated, because the memory's actor died."""
        claim = self._lease.unstored
        newest = await self._memory.records(LOG, scope=claim.scope, key=claim.run_id, newest_first=True, limit=1)
        last = record_of(line, claim)
        return any(
            one.kind == last.kind and one.data.get("duration_s") == last.data.get("duration_s") for one in newest
        )


def record_of(line: Line, claim: Claim) -> Record:
    """Return a line as a record of the claimed run."""
    kind, data = line
    if isinstance(data, bytes):
        return Record.written(data, log=LOG, key=claim.run_id, kind=kind, scope=claim.scope)
    return Record(log=LOG, key=claim.run_id, kind=kind, scope=claim.scope, data=data)


class PatientLines:
    """Writes the lines of one run; lines that could not be written are written with the next ones.

    Attributes:
        error: why the newest lines are not written; None when all are.
    """

    def __init__(self, lines: LineWriter) -> None:
        self._lines = lines
        self._owed: tuple[Line, ...] = ()
        self.error: Exception | None = None

    async def write(self, *lines: Line, is_last: bool = False) -> None:
        """Write lines after those that are owed. Raises what the writer raises; then all of them are owed.

        What is owed already, as its writer was killed, is not written twice.
        """
        self._owed = (*self._owed, *_without(lines, self._owed))
        if not self._owed:
            return
        try:
            await self._lines.write(*self._owed, is_last=is_last)
        except Exception as error:
            self.error = error
            raise
        self._owed, self.error = (), None

    def withdraw(self, lines: Sequence[Line]) -> None:
        """Owe these lines no more."""
        self._owed, self.error = _without(self._owed, lines), None


def _without(lines: Sequence[Line], others: Sequence[Line]) -> tuple[Line, ...]:
    return tuple([line for line in lines if not any(line is one for one in others)]) if others else tuple(lines)


class Journal:
    """The lines of the runs in a memory.

    Args:
        memory: must be open while the journal is used.
    """

    def __init__(self, memory: ReflexionMemory) -> None:
        self.memory = memory

    def lines(self, lease: Lease, calls: CallLog | None = None) -> RunLines:
        """Return the writer for the run of a lease and its calls of models."""
        return RunLines(self.memory, lease, calls)

    async def has(self, run_id: str, scope: Scope) -> bool:
        """Tell whether a run of that id exists."""
        return bool(await self.memory.records(LOG, scope=scope, key=checked_id(run_id), limit=1))

    async def records(self, run_id: str, scope: Scope | None = None) -> Sequence[Record]:
        """Return the lines of a run in the order of writing, since it last started under its id.

        Args:
            scope: None looks in all scopes.

        Raises:
            NotFoundError: no such run exists, or more than one scope has it and none was given.
        """
        lines = await self._lines(LOG, run_id, scope)
        starts = [index for index, line in enumerate(lines) if line.kind in _STARTS]
        return lines[starts[-1] :] if starts else lines

    async def _lines(self, log: LogName, run_id: str, scope: Scope | None) -> Sequence[Record]:
        records = await self.memory.records(log, scope=scope, key=checked_id(run_id))
        scopes = {f"{record.scope.tenant}/{record.scope.project}" for record in records}
        if not records:
            raise NotFoundError(f"no run {run_id!r} in the journal")
        if len(scopes) > 1:
            raise NotFoundError(
                f"several scopes have a run {run_id!r}: {', '.join(sorted(scopes))}; give one as scope="
            )
        return records

    async def calls(
        self, run_id: str, scope: Scope | None = None, *, after: int = 0, limit: int | None = None
    ) -> tuple[ModelCall, ...]:
        """Return the written calls of models of a run, in the order in which they began.

        Args:
            scope: None looks in all scopes.
            after: only calls with a higher `seq`.
            limit: how many at most; None is no limit.

        Raises:
            NotFoundError: no such run exists, or more than one scope has it and none was given.
            StoreDamagedError: a call cannot be read.
        """
        scope = (await self.records(run_id, None))[0].scope if scope is None else scope
        records, path = await self.call_lines(run_id, scope), ""
        if not records:
            await self.records(run_id, scope)
            root, _, path = run_id.partition("/")  # those of a loop are kept with the run of its graph
            records = await self.call_lines(root, scope)
        calls = [call for call in calls_in(records) if call.seq > after and is_of_path(call, path)]
        return tuple(calls[:limit])

    async def call_lines(self, run_id: str, scope: Scope) -> Sequence[Record]:
        """Return the lines of the calls of models of a run, in the order of writing; none for an unknown run."""
        checked_id(run_id)
        after = 0  # a run that starts over under its old id has none of the old calls
        for kind in _STARTS:
            begun = await self.memory.records(LOG, scope=scope, key=run_id, kind=kind, newest_first=True, limit=1)
            after = max(after, *(line.row for line in begun), 0)
        return await self.memory.records(CALLS, scope=scope, key=run_id, after=after)

    async def list(self, scope: Scope | None = None, *, limit: int | None = 20, offset: int = 0) -> list[RunSummary]:
        """Return runs, most recently written first."""
        found = await self.memory.summaries(LOG, scope=scope, limit=limit, offset=offset)
        return [summary_of(log) for log in found]

    async def forget(self, run_id: str, scope: Scope | None = None) -> int:
        """Remove a run with its calls, notes and loops, and the lines of a server on it.

        Returns:
            The number of its lines in the journal; 0 for a run that a server accepted and that never began.

        Raises:
            NotFoundError: as `records` does.
        """
        try:
            lines = await self._lines(LOG, run_id, scope)
        except NotFoundError:
            lines = await self._lines("served", run_id, scope)
        of, gone = lines[0].scope, 0
        is_graph = any(line.kind == "graph" for line in lines)
        for key in [*(await self._loops_of(run_id, of) if is_graph else ()), run_id]:
            for log in OF_RUNS:
                await self.memory.drop_records(log, scope=of, key=key)
            gone += await self.memory.drop_records(LOG, scope=of, key=key)
        return gone

    async def _loops_of(self, run_id: str, scope: Scope) -> Sequence[str]:
        """Return the ids under which the loops of a graph have their lines."""
        found = await self.memory.summaries(LOG, scope=scope)
        return [log.last.key for log in found if log.last.key.startswith(f"{run_id}/")]
