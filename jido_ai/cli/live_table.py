"""The live table on a terminal: one row for each active run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jido_ai.cli.live import MANY_RUNS, LiveRow, LiveView
from jido_ai.text.printable import printable
from jido_ai.values import Usage

_NAME_CHARS: Final = 12
"""At least this much of a run's name is shown, on the narrowest terminal too."""
_LEAST: Final = {"gain": 5, "cost": 7}
"""The width of "+0.38" and "$0.0123"; other columns are as wide as their heading."""
_WIDE: Final = 60
"""Terminals of this width and more have more space between columns."""


def drawn(view: LiveView, err: TextIO) -> Live:
    """Return a context manager that draws the runs of `view` until it is left."""
    console = Console(file=err, highlight=False)
    return Live(console=console, get_renderable=lambda: picture_of(view, console), refresh_per_second=8, transient=True)


def picture_of(view: LiveView, console: Console) -> RenderableType:
    """Return the table as it is now, for a console of that width."""
    rows = view.rows
    shown: Mapping[str, LiveRow] = rows
    if len(rows) > MANY_RUNS:
        active = [(name, row) for name, row in rows.items() if row.since is not None and row.doing != view.waiting]
        shown = dict(active[:MANY_RUNS])
    lines: list[RenderableType] = []
    if len(rows) > 1:
        lines.append(Text(f"{view.over} of {len(rows)} {view.noun}s", style="bold"))
    if shown:
        lines.append(_table(shown, view.noun, 2 if console.width >= _WIDE else 1))
    if view.last_note:
        lines.append(Text(view.last_note, style="dim"))
    return Group(*lines)


def _table(rows: Mapping[str, LiveRow], noun: str, gap: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, gap, 0, 0))
    has_usage = any(row.usage is not None for row in rows.values())
    shortest = min(_NAME_CHARS, max(map(len, rows), default=0))
    table.add_column(noun, overflow="ellipsis", no_wrap=True, min_width=shortest)
    for heading in ("judged", "severity", "open", "gain", *(("tokens", "cost") if has_usage else ())):
        table.add_column(heading, justify="right", no_wrap=True, min_width=_LEAST.get(heading, len(heading)))
    table.add_column("", overflow="ellipsis", no_wrap=True, style="dim")
    now = time.monotonic()
    for name, row in rows.items():
        usage = row.usage or Usage()
        spent = [f"{usage.input_tokens + usage.output_tokens:,}", _in_short(usage)] if has_usage else []
        table.add_row(
            escape(printable(name)),
            str(row.iterations) if row.iterations else "",
            "" if row.severity is None else f"{row.severity:.2f}",
            "" if row.issues is None else str(row.issues),
            "" if row.gain is None else f"{row.gain:+.2f}",
            *spent,
            escape(row.doing if row.since is None else f"{row.doing}, {now - row.since:.0f} s"),
        )
    return table


def _in_short(usage: Usage) -> str:
    """Return the cost for a column: "?" if it is unknown, with a "+" if only a part of it is known."""
    if usage.unpriced_calls >= max(1, usage.calls):
        return "?"
    return f"${usage.cost_usd:.4f}{'+' if usage.unpriced_calls else ''}"
