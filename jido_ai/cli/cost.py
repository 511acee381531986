"""The work of `jido cost`: cost by day, label or model, and how much of the monthly budget is spent."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Literal, TextIO

from rich.table import Table

from jido_ai.cli.memory_place import open_memory
from jido_ai.cli.pictures import console_for
from jido_ai.cli.settings import load_settings
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.wrappers.ledger import CostLedger, LedgerRow
from jido_ai.models.wrappers.monthly_budget import MONTH_DAYS, REFLECTIONS_STOP_AT
from jido_ai.text.printable import printable
from jido_ai.values import Usage, utc_now

__all__ = ["Grouping", "cost_report", "show_costs", "show_costs_of"]

Grouping = Literal["day", "label", "model"]


async def cost_report(
    memory: ReflexionMemory, *, days: int = MONTH_DAYS, by: Grouping = "day", budget_usd: float | None = None
) -> dict[str, Any]:
    """Return the cost of calls: one row per day, label or model, and the sum of 30 days with the budget.

    Args:
        memory: open; its log "ledger" is read.
        days: so many days in UTC, today included.
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


def show_costs_of(memory: str | None, out: TextIO, *, days: int, by: Grouping, as_json: bool) -> None:
    """Read the ledger of a memory and print it."""
    budget_usd = load_settings().monthly_budget_usd

    async def read() -> dict[str, Any]:
        async with open_memory(memory) as known:
            return await cost_report(known, days=days, by=by, budget_usd=budget_usd)

    show_costs(asyncio.run(read()), out, as_json=as_json)


def show_costs(report: Mapping[str, Any], out: TextIO, *, as_json: bool) -> None:
    """Print the result of `cost_report`."""
    if as_json:
        out.write(json.dumps(report, indent=2) + "\n")
        return
    console = console_for(out)
    if report["rows"]:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(report["by"], no_wrap=True)
        for column in ("calls", "tokens in", "tokens out"):
            table.add_column(column, justify="right", no_wrap=True)
        table.add_column("cost", no_wrap=True)
        for row in (*report["rows"], {report["by"]: "all", **report["total"]}):
            counts = (f"{row[name]:,}" for name in ("calls", "input_tokens", "output_tokens"))
            table.add_row(printable(str(row[report["by"]]) or "-"), *counts, _in_words(row))
        console.print(table)
    else:
        console.print(f"no calls in the last {report['days']} days")
    month = report["month"]
    console.print(f"{MONTH_DAYS} days: {_in_words(month)}{_of_budget(month)}")
    if month["alert"]:
        told = "no answer is asked for either" if month["share"] >= 1.0 else "answers still are asked for"
        console.print(f"the month's money is nearly spent: attempts are no longer reflected on, {told}")


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


def _in_words(figures: Mapping[str, Any]) -> str:
    unpriced = figures["unpriced_calls"]
    if not unpriced:
        return f"${figures['known_usd']:.4f}"
    if unpriced >= figures["calls"]:
        return "price unknown" if figures["calls"] else "nothing"
    calls = "1 call" if unpriced == 1 else f"{unpriced:,} calls"
    return f"at least ${figures['known_usd']:.4f}, plus {calls} of unknown price"


def _of_budget(month: Mapping[str, Any]) -> str:
    if month["budget_usd"] is None:
        return ""
    return f"; the budget is ${month['budget_usd']:.2f}, {month['share']:.0%} of it is spent"
