"""RunList: the runs that a server has kept, as rows in memory to filter and sort, up to date with the store's log.

A row is some hundred bytes and the text that is searched; what is shown is read from the store, so a run that was
removed from it is shown no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from jido_ai.errors import StoreDamagedError
from jido_ai.graph.orders import Key, RunStatus
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.summary import NOTES
from jido_ai.serve.entries import SERVED, Entry, note_in
from jido_ai.serve.recovery import stored_entry
from jido_ai.serve.run_rows import Place, RunQuery, RunRow, cursor_at, figures_of, page_of, row_after

_LINES: Final = 500
_FEW: Final = 500
_AT_ONCE: Final = 50


class RunList:
    """The list of runs.

    Args:
        memory: keeps the runs; open.
    """

    def __init__(self, memory: ReflexionMemory) -> None:
        self._memory = memory
        self._rows: dict[Key, RunRow] = {}
        self._notes: dict[Key, Mapping[str, Any] | None] = {}
        self._read_to = {SERVED: 0, NOTES: 0}
        self._reading = asyncio.Lock()

    async def renew(self) -> None:
        """Read the lines that were written since the last time, by this process or others."""
        async with self._reading:
            while lines := await self._memory.records(SERVED, after=self._read_to[SERVED], limit=_LINES):
                for line in lines:
                    key = (line.scope, line.key)
                    try:
                        row = row_after(self._rows.get(key), line)
                    except (LookupError, TypeError, ValueError) as error:
                        message = f"what the server kept of run {line.key!r} cannot be read: {error!r}"
                        raise StoreDamagedError(message) from error
                    if row is not None:
                        self._rows[key] = row
                self._read_to[SERVED] = lines[-1].row
                if len(lines) < _LINES:
                    break
            while lines := await self._memory.records(NOTES, after=self._read_to[NOTES], limit=_LINES):
                self._notes.update(((line.scope, line.key), note_in(line)) for line in lines)
                self._read_to[NOTES] = lines[-1].row
                if len(lines) < _LINES:
                    break

    def open_rows(self) -> list[RunRow]:
        """Return the runs that had not ended at the last look."""
        return [row for row in self._rows.values() if row.status == "queued"]

    async def page(
        self, query: RunQuery, after: Place | None, limit: int, now: Mapping[Key, RunStatus]
    ) -> tuple[list[Entry], str | None, dict[str, Any]]:
        """Return the runs of a page, the cursor of the next one, and the figures of the whole list.

        Args:
            now: current status of the runs in flight.
        """
        await self.renew()
        while True:
            rows = list(self._rows.values())
            look = (_looked, rows, now, query, after, limit)
            found, figures = await asyncio.to_thread(*look) if len(rows) > _FEW else _looked(*look[1:])
            shown = found[:limit]
            entries: list[Entry | None] = []
            for first in range(0, len(shown), _AT_ONCE):
                some = shown[first : first + _AT_ONCE]
                entries += await asyncio.gather(*(stored_entry(self._memory, row.key) for row in some))
            gone = [row.key for row, entry in zip(shown, entries, strict=True) if entry is None]
            if not gone:
                cursor = cursor_at(query, shown[-1]) if len(found) > limit else None
                return [entry for entry in entries if entry is not None], cursor, figures
            for key in gone:
                self._rows.pop(key, None)
                self._notes.pop(key, None)

    def note_of(self, key: Key) -> Mapping[str, Any] | None:
        """Return the note on a run as of the last look; None if there is none."""
        return self._notes.get(key)


def _looked(
    rows: list[RunRow], now: Mapping[Key, RunStatus], query: RunQuery, after: Place | None, limit: int
) -> tuple[list[RunRow], dict[str, Any]]:
    fitting, found = page_of(rows, now, query, after, limit + 1)
    return found, figures_of(fitting, now)
