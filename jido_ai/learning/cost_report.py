"""Cost of model calls by day, label or model, and how much of the monthly budget is spent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, Literal

from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import MONTH_DAYS, REFLECTIONS_STOP_AT, CostLedger, LedgerRow
from jido_ai.values import Usage, utc_now

Grouping = Literal["day", "label", "model"]


async def cost_report(
    memory: ReflexionMemory, *, days: int = MONTH_DAYS, by: Grouping = "day", budget_usd: float | None = None
) -> dict[str, Any]:
    """Return the cost of calls: one row per day, label or model, and the sum of 30 days with the budget.

    Args:
        memory: open; its log "ledger" is read.
        days: number of days in UTC, including today.
        budget_usd: of 30 days.
    """
    ledger = CostLedger(memory)
    today = utc_now().date()
    rows = await ledger.rows(since=today - timedelta(days=days - 1))
    month = await ledger.spent(today - timedelta(days=MONTH_DAYS - 1))
    share = None if budget_usd is None else month.cost_usd / budget_usd
    return {
        "days": days,
        "by": by,
        "rows": [{by: name, **_figures(usage)} for name, usage in _grouped(rows, by).items()],
        "total": _figures(sum(rows.values(), Usage())),
        "month": {
            **_figures(month),
            "budget_usd": budget_usd,
            "share": share,
            "alert": share is not None and share >= REFLECTIONS_STOP_AT,
        },
    }


async def costs_of_commands(
    memory: ReflexionMemory, *, days: int = MONTH_DAYS, but: Collection[str] = ()
) -> list[dict[str, Any]]:
    """Return the cost of calls by day and label.

    Args:
        but: labels that are left out: the names of what a server runs, whose runs are counted elsewhere.
    """
    rows = await CostLedger(memory).rows(since=utc_now().date() - timedelta(days=days - 1))
    sums: defaultdict[tuple[str, str], Usage] = defaultdict(Usage)
    for row, usage in rows.items():
        if row.label not in but:
            sums[row.day.isoformat(), row.label] += usage
    return [
        {"day": day, "label": label, "tokens": usage.input_tokens + usage.output_tokens, **_figures(usage)}
        for (day, label), usage in sums.items()
    ]


def _grouped(rows: Mapping[LedgerRow, Usage], by: Grouping) -> dict[str, Usage]:
    """Return the sums: days in order, others by cost, the dearest first."""
    sums: defaultdict[str, Usage] = defaultdict(Usage)
    for row, usage in rows.items():
        name = row.day.isoformat() if by == "day" else row.label if by == "label" else f"{row.provider}:{row.model}"
        sums[name] += usage
    if by == "day":
        return dict(sums)
    return dict(sorted(sums.items(), key=lambda item: (-item[1].cost_usd, -item[1].calls, item[0])))


def _figures(usage: Usage) -> dict[str, Any]:
    """Return a usage for people and programs; `cost_usd` is null if it is only partly known."""
    figures = usage.model_dump()
    return {**figures, "cost_usd": None if usage.unpriced_calls else usage.cost_usd, "known_usd": usage.cost_usd}
