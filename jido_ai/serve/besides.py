"""Besides: the cost of calls that belong to no run, as of critiques and reflections, kept in the log "ledger"."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import Scope, Usage
from jido_ai.values.record import Record

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
