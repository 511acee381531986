"""Overviews of the comparisons that a memory has."""

from __future__ import annotations

from typing import Any, Final

from jido_ai.comparing.answers import COMPARED
from jido_ai.memory.reflexion_memory import ReflexionMemory

RESULT: Final = "result"
_READ_PER_ONE: Final = 5
"""A comparison that was continued has several; the newest counts."""


async def overviews(memory: ReflexionMemory, limit: int = 20) -> list[dict[str, Any]]:
    """Return the newest comparisons, newest first: `Comparison.overview`, with `run_id` and `at`."""
    records = await memory.records(COMPARED, kind=RESULT, newest_first=True, limit=_READ_PER_ONE * limit)
    newest: dict[str, dict[str, Any]] = {}
    for record in records:
        newest.setdefault(record.key, {"run_id": record.key, "at": record.timestamp.isoformat(), **record.data})
    return list(newest.values())[:limit]
