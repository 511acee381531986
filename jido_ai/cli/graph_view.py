"""Live progress of a graph's run: a table of its nodes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TextIO

from jido_ai.graph.events import GraphEvent, NodeStarted, NodeStopped, NodeWarned
from jido_ai.graph.results import NodeResult
from jido_ai.loop.events import Critiqued
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

_MOST_ROWS: Final = 30
_ROOT: Final = re.compile(r"[\[/]")
""""sections[3]" and "sub/draft" belong to "sections" and "sub"."""
_COLOURS: Final[Mapping[str, str]] = {
    "done": "green",
    "failed": "red",
    "running": "cyan",
    "cancelled": "yellow",
    "waiting": "yellow",
    "skipped": "dim",
    "not_reached": "dim",
}


@dataclass(slots=True)
class NodeRow:
    """The view's data on one node or item; a node that has not begun has no state."""

    state: str = ""
    score: float | None = None
    calls: int = 0
    since: float | None = None
    took_s: float | None = None
    note: str = ""


def outcome_of(result: NodeResult) -> str:
    """Return the outcome of a node, in a few words."""
    parts = [_state_of(result).replace("_", " ")]
    if result.stop_reason is not None:
        parts.append(result.stop_reason)
    if result.score is not None:
        parts.append(f"score {result.score:.2f}")
    if result.usage.calls:
        parts.append(counted(result.usage.calls, "call"))
    if result.attempts > 1:
        parts.append(f"{result.attempts} tries")
    if result.duration_s >= 0.05:
        parts.append(f"{result.duration_s:.1f} s")
    if result.error is not None and result.error.kind != "cancelled":
        parts.append(f"{result.error.kind}: {' '.join(result.error.message.split())}")
    return ", ".join(parts)


def _state_of(result: NodeResult) -> str:
    """Return the status of a node for people: what was cancelled has not failed."""
    is_cancelled = result.status == "failed" and result.error is not None and result.error.kind == "cancelled"
    return "cancelled" if is_cancelled else result.status


class GraphView:
    """Takes the events of one run and shows them on standard error."""

    def __init__(self, names: tuple[str, ...], err: TextIO) -> None:
        self._err = err
        self._is_drawn = False
        self.rows = {name: NodeRow() for name in names}

    @contextlib.contextmanager
    def live(self) -> Generator[None]:
        """Show progress inside of the `with` block."""
        if not self._err.isatty():
            yield
            return
        from rich.console import Console  # noqa: PLC0415
        from rich.live import Live  # noqa: PLC0415

        console = Console(file=self._err, highlight=False)
        picture = partial(picture_of, self)
        with Live(console=console, get_renderable=picture, refresh_per_second=8, transient=True):
            self._is_drawn = True
            yield

    def in_order(self) -> list[tuple[str, NodeRow]]:
        """Return the rows: each node, and below it its items and inner nodes."""
        order = {name: number for number, name in enumerate(self.rows)}
        return sorted(self.rows.items(), key=lambda row: (order.get(_ROOT.split(row[0], 1)[0], 0), order[row[0]]))

    def show(self, event: GraphEvent) -> None:
        """Take one event."""
        match event:
            case NodeStarted(path=path):
                row = self.rows.setdefault(path, NodeRow())
                row.state, row.since = "running", time.monotonic()
            case NodeStopped(path=path, result=result):
                row = self.rows.setdefault(path, NodeRow())
                row.state, row.score, row.calls = _state_of(result), result.score, result.usage.calls
                row.took_s, row.since = result.duration_s, None
                row.note = result.stop_reason or ("" if result.error is None else result.error.message)
                self._print(f"{path}: {outcome_of(result)}")
            case NodeWarned(path=path, message=message):
                self._print(f"{path}: {message}")
            case Critiqued(path=path, iteration=iteration):
                node, where = path.rpartition("/iteration ")[0], iteration.index + 1
                row = self.rows.setdefault(node, NodeRow())
                row.score, row.note = iteration.candidate.score, f"iteration {where}"
                self._print(f"{node}: iteration {where}, severity {iteration.critique.severity:.2f}")
            case _:
                pass

    def _print(self, line: str) -> None:
        if not self._is_drawn:
            self._err.write(printable(line) + "\n")
            self._err.flush()


def picture_of(view: GraphView) -> RenderableType:
    """Return the table as it is now."""
    from rich.markup import escape  # noqa: PLC0415 - what draws takes 60 ms to load
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("node", overflow="ellipsis", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for heading in ("score", "calls", "time"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", overflow="ellipsis", no_wrap=True, style="dim")
    now = time.monotonic()
    rows = view.in_order()
    shown = (
        [(path, row) for path, row in rows if row.state in ("running", "waiting")] if len(rows) > _MOST_ROWS else rows
    )
    for path, row in shown[:_MOST_ROWS]:
        took = row.took_s if row.since is None else now - row.since
        table.add_row(
            escape(printable(path)),
            Text(row.state.replace("_", " "), style=_COLOURS.get(row.state, "")),
            "" if row.score is None else f"{row.score:.2f}",
            str(row.calls) if row.calls else "",
            "" if took is None else f"{took:.1f} s",
            escape(printable(" ".join(row.note.split()))),
        )
    if len(rows) > len(shown):
        table.caption = f"{len(rows) - len(shown)} of {len(rows)} not shown"
    return table
