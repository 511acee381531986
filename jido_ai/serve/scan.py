"""Records that a server has kept: its runs, newest first, and the cost of calls that belong to no run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

from jido_ai.graph.orders import Key
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import SERVED, Entry, entry_in
from jido_ai.values import Scope, Usage
from jido_ai.values.record import Record

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


_KIND: Final = "beside"


def beside_counts(usage: Usage) -> dict[str, Any]:
    """Return a usage as the counts of a summary."""
    return {
        "calls": usage.calls,
        "tokens": usage.input_tokens + usage.output_tokens,
        "known_usd": usage.cost_usd,
        "unpriced_calls": usage.unpriced_calls,
    }


def beside_record(scope: Scope, token: str, name: str, day: date, usage: Usage) -> Record:
    """Return the line of a critique or a reflection.

    Args:
        name: of the pipeline, or "reflections".
    """
    data = {"token_id": token, "name": name, **beside_counts(usage)}
    return Record(log="ledger", key=day.isoformat(), kind=_KIND, scope=scope, data=data)


async def besides(memory: ReflexionMemory, since: date, scope: Scope | None = None) -> list[Mapping[str, Any]]:
    """Return the costs of critiques and reflections since a day, each with its `day`."""
    begin = datetime.combine(since, time.min, UTC)
    found = await memory.records("ledger", scope=scope, kind=_KIND, since=begin)
    return [{**one.data, "day": one.key} for one in found]
