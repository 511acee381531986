"""The work of `jido cost`: cost by day, label or model, and how much of the monthly budget is spent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, TextIO

from rich.table import Table

from jido_ai.cli.memory_place import open_memory
from jido_ai.cli.pictures import console_for
from jido_ai.learning.cost_report import Grouping, cost_report
from jido_ai.loop.settings import load_settings
from jido_ai.models.wrappers.ledger import MONTH_DAYS
from jido_ai.text.printable import printable


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
        message = "and answers are refused" if month["share"] >= 1.0 else "but answers are still given"
        console.print(f"the monthly budget is nearly spent: attempts are no longer reflected on, {message}")


def _in_words(figures: Mapping[str, Any]) -> str:
    unpriced = figures["unpriced_calls"]
    if not unpriced:
        return f"${figures['known_usd']:.4f}"
    if unpriced >= figures["calls"]:
        return "price unknown" if figures["calls"] else "nothing"
    calls = f"{'1 call' if unpriced == 1 else f'{unpriced:,} calls'} of unknown price"
    return f"at least ${figures['known_usd']:.4f}, plus {calls}" if figures["known_usd"] else calls


def _of_budget(month: Mapping[str, Any]) -> str:
    if month["budget_usd"] is None:
        return ""
    return f"; the budget is ${month['budget_usd']:.2f}, {month['share']:.0%} of it is spent"
