"""The live table of a graph's run on a terminal: one row for each node and each item of a map."""

from __future__ import annotations

import time
from typing import TextIO

from rich.console import Console, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jido_ai.cli.graph_view import COLOURS, MOST_ROWS, GraphView
from jido_ai.text.printable import printable


def drawn(view: GraphView, err: TextIO) -> Live:
    """Return a context manager that draws the nodes of `view` until it is left."""
    console = Console(file=err, highlight=False)
    return Live(console=console, get_renderable=lambda: picture_of(view), refresh_per_second=8, transient=True)


def picture_of(view: GraphView) -> RenderableType:
    """Return the table as it is now."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("node", overflow="ellipsis", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for heading in ("score", "calls", "time"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", overflow="ellipsis", no_wrap=True, style="dim")
    now = time.monotonic()
    rows = view.in_order()
    shown = (
        [(path, row) for path, row in rows if row.state in ("running", "waiting")] if len(rows) > MOST_ROWS else rows
    )
    for path, row in shown[:MOST_ROWS]:
        took = row.took_s if row.since is None else now - row.since
        table.add_row(
            escape(printable(path)),
            Text(row.state.replace("_", " "), style=COLOURS.get(row.state, "")),
            "" if row.score is None else f"{row.score:.2f}",
            str(row.calls) if row.calls else "",
            "" if took is None else f"{took:.1f} s",
            escape(printable(" ".join(row.note.split()))),
        )
    if len(rows) > len(shown):
        table.caption = f"{len(rows) - len(shown)} of {len(rows)} not shown"
    return table
