"""Scan: the runs that a server has kept, newest first."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Final

from jido_ai.graph.orders import Key
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import SERVED, Entry, entry_in
from jido_ai.values import Scope

_PAGE: Final = 500


async def kept_runs(
    memory: ReflexionMemory, scope: Scope | None = None, *, first: int = _PAGE
) -> AsyncGenerator[tuple[int, Entry]]:
    """Yield each run once, with the row of its last line: the one that changed last comes first.

    A run that changes during the scan moves to the front: it is missing if it was not read before, and the runs that it
    pushes to the next page are not repeated.

    Args:
        scope: None is all scopes.
        first: number of runs that are read at first; then 500 at a time, since each page costs a look at all runs.

    Raises:
        StoreDamagedError: the lines of a run cannot be read.
    """
    seen: set[Key] = set()
    offset, wanted = 0, min(first, _PAGE)
    while logs := await memory.summaries(SERVED, scope=scope, offset=offset, limit=wanted):
        for log in logs:
            entry = entry_in(log)
            if entry.order.key not in seen:
                seen.add(entry.order.key)
                yield log.last.row, entry
        if len(logs) < wanted:
            return
        offset, wanted = offset + len(logs), _PAGE
