"""What commands that run a loop have in common: live progress, an orderly Ctrl-C, what it took, why it stopped."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jido_ai.components.pipeline import Pipeline
from jido_ai.components.run_events import (
    CandidateGenerated,
    ComponentRestarted,
    Critiqued,
    LessonsRetrieved,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.errors import JidoError
from jido_ai.logic.prompt_template import printable
from jido_ai.values import StopReason, Usage

__all__ = ["EXPLAINED", "LiveView", "interruptible", "money", "taken"]

EXPLAINED: Final[Mapping[StopReason, str]] = {
    StopReason.ACCEPTED: "it is good enough",
    StopReason.CYCLE: "a revision came back to an earlier text",
    StopReason.REGRESSION: "revisions made it worse",
    StopReason.MINIMAL_CHANGE: "the last revision changed and gained too little",
    StopReason.SEVERITY_PLATEAU: "the worst finding stays",
    StopReason.SCORE_PLATEAU: "the score stands still",
    StopReason.NO_EXPECTED_GAIN: "going on would not pay",
    StopReason.DECLINED: "no reviser knows how to repair what is left",
    StopReason.MAX_ITERATIONS: "the limit of iterations is reached",
    StopReason.BUDGET: "the budget is used up",
    StopReason.DEADLINE: "the time is over",
    StopReason.CANCELLED: "it was interrupted",
    StopReason.ERROR: "a component failed",
}


def taken(usage: Usage) -> str:
    """Return what model calls took, for people; a price that nobody knows is said to be unknown."""
    calls = f"{usage.calls} model call{'s' if usage.calls != 1 else ''}"
    return f"{calls}, {usage.input_tokens:,} tokens in, {usage.output_tokens:,} out, {money(usage)}"


def money(usage: Usage) -> str:
    """Return the cost; of calls without a known price only that it is unknown."""
    if not usage.unpriced_calls:
        return f"${usage.cost_usd:.4f}"
    if usage.unpriced_calls >= usage.calls:
        return "cost unknown"
    return f"${usage.cost_usd:.4f} and {usage.unpriced_calls} calls of unknown cost"


@contextlib.contextmanager
def interruptible(pipeline: Pipeline, run_ids: Iterable[str]) -> Generator[asyncio.Event]:
    """Let Ctrl-C end the runs, which then report the best so far; a second one ends at once."""
    loop = asyncio.get_running_loop()
    interrupted = asyncio.Event()
    endings: set[asyncio.Task[None]] = set()

    def end() -> None:
        if interrupted.is_set():
            loop.remove_signal_handler(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            return
        interrupted.set()
        for run_id in run_ids:
            task = loop.create_task(_cancel(pipeline, run_id))
            endings.add(task)
            task.add_done_callback(endings.discard)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    try:
        yield interrupted
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


async def _cancel(pipeline: Pipeline, run_id: str) -> None:
    with contextlib.suppress(JidoError):  # it has not begun, or is over already
        await pipeline.cancel(run_id)


@dataclass(slots=True)
class _Row:
    """What the live view knows of one run."""

    doing: str
    iterations: int = 0
    severity: float | None = None
    gain: float | None = None
    issues: int | None = None
    usage: Usage | None = None


class LiveView:
    """Live progress on standard error: a table on a terminal, plain lines elsewhere.

    Args:
        names: of the runs, each with what it waits for while it is judged, as in "judging with ruff".
        noun: what the runs are, for the table's head.
        waiting: what a run does before anything is known of it.
    """

    def __init__(self, names: Mapping[str, str], err: TextIO, *, noun: str = "file", waiting: str = "waiting") -> None:
        self._console = Console(file=err, highlight=False)
        self._judging = dict(names)
        self._rows = {name: _Row(waiting) for name in names}
        self._noun = noun
        self._live: Live | None = None

    @contextlib.contextmanager
    def live(self) -> Generator[None]:
        """Show progress inside of the `with` block."""
        if not self._console.is_terminal:
            yield
            return
        with Live(console=self._console, get_renderable=self._table, refresh_per_second=8, transient=True) as live:
            self._live = live
            yield

    def show(self, name: str, event: RunEvent) -> None:
        """Take one event of a run."""
        row = self._rows[name]
        line = self._change(self._judging[name], row, event)
        if self._live is None and line:
            self._console.print(Text(printable(f"{name}: {line}")), soft_wrap=True)

    def _change(self, judging: str, row: _Row, event: RunEvent) -> str | None:
        happened: object = event  # there may be kinds of events that are not shown
        match happened:
            case RunStarted() | LessonsRetrieved(lessons=()):
                return None
            case CandidateGenerated():
                row.doing = judging
                return None
            case Revised(base=base):
                row.doing = judging
                return f"revised iteration {base}, {judging}"
            case LessonsRetrieved(lessons=lessons):
                return f"{len(lessons)} lessons of earlier runs apply"
            case Critiqued(iteration=iteration):
                row.doing, row.iterations = "revising", iteration.index + 1
                row.severity, row.gain = iteration.critique.severity, iteration.gain
                row.issues = len(iteration.critique.issues)
                if iteration.usage != Usage():
                    row.usage = iteration.usage + (row.usage or Usage())
                gain = "" if iteration.gain is None else f", gain {iteration.gain:+.2f}"
                cost = "" if row.usage is None else f"; {taken(row.usage)}"
                severity = f"severity {row.severity:.2f}"
                return f"iteration {iteration.index}: {severity}, {row.issues} open issues{gain}{cost}"
            case ComponentRestarted(component=component, error=error):
                return f"{component} failed and was restarted: {error}"
            case RunStopped(result=result):
                row.doing = result.stop_reason.value
                return f"stopped: {result.stop_reason.value}"
            case _:
                return None

    def _table(self) -> Table:
        table = Table(box=None, pad_edge=False, header_style="dim")
        has_usage = any(row.usage is not None for row in self._rows.values())
        headings = [self._noun, "iteration", "severity", "open", "gain", *(["tokens", "cost"] if has_usage else []), ""]
        for heading in headings:
            table.add_column(heading, justify="left" if heading in (self._noun, "") else "right")
        for name, row in self._rows.items():
            usage = row.usage or Usage()
            spent = [f"{usage.input_tokens + usage.output_tokens:,}", money(usage)] if has_usage else []
            table.add_row(
                escape(name),
                str(row.iterations) if row.iterations else "",
                "" if row.severity is None else f"{row.severity:.2f}",
                "" if row.issues is None else str(row.issues),
                "" if row.gain is None else f"{row.gain:+.2f}",
                *spent,
                f"[dim]{escape(row.doing)}[/]",
            )
        return table
