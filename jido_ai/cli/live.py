"""What commands that run a loop have in common: live progress, an orderly Ctrl-C, what it took, why it stopped."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from jido_ai.cli.wording import counted, taken
from jido_ai.errors import JidoError
from jido_ai.loop.events import (
    CandidateGenerated,
    ComponentRestarted,
    Critiqued,
    LessonsRetrieved,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.pipeline import Pipeline
from jido_ai.text.printable import printable
from jido_ai.values import Usage

__all__ = ["LiveView", "interruptible"]

_NAME_CHARS: Final = 12
"""Of a run's name, at least so much is shown on the narrowest terminal."""
_LEAST: Final = {"gain": 5, "cost": 7}
"""What "+0.38" and "$0.0123" take; other columns are as wide as their heading."""
_MANY: Final = 10
"""Of more runs than this only those are shown that are at work."""
_WIDE: Final = 60
"""Columns are set further apart on terminals of so many columns and more."""


@contextlib.contextmanager
def interruptible(pipeline: Pipeline, run_ids: Iterable[str]) -> Generator[asyncio.Event]:
    """Let Ctrl-C end the runs, which then report the best so far; a second one ends at once."""
    loop = asyncio.get_running_loop()
    interrupted = asyncio.Event()
    endings: set[asyncio.Task[None]] = set()
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def restore() -> None:
        for number, handler in usual.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def end() -> None:
        if interrupted.is_set():
            restore()
            signal.raise_signal(signal.SIGINT)
            return
        interrupted.set()
        for run_id in run_ids:
            task = loop.create_task(_cancel(pipeline, run_id))
            endings.add(task)
            task.add_done_callback(endings.discard)

    # Not `loop.add_signal_handler`: it takes the pipe away that `ends_when_interrupted` reads.
    for number in usual:
        signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(end))
    try:
        yield interrupted
    finally:
        restore()


async def _cancel(pipeline: Pipeline, run_id: str) -> None:
    with contextlib.suppress(JidoError):  # it has not begun, or is over already
        await pipeline.cancel(run_id)


@dataclass(slots=True)
class _Row:
    """What the live view knows of one run."""

    doing: str
    since: float | None = field(default_factory=time.monotonic)
    iterations: int = 0
    severity: float | None = None
    gain: float | None = None
    issues: int | None = None
    usage: Usage | None = None

    def turn_to(self, doing: str) -> None:
        """Note what it does from now on."""
        self.doing, self.since = doing, time.monotonic()


class LiveView:
    """Live progress on standard error: a table on a terminal, plain lines elsewhere.

    What a run does now comes with how long it has been at it.

    Args:
        names: of the runs, each with what it waits for while it is judged, as in "judging with ruff".
        noun: what the runs are, for the table's head.
        waiting: what a run does before anything is known of it.
        is_quiet: show nothing.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        err: TextIO,
        *,
        noun: str = "file",
        waiting: str = "waiting",
        is_quiet: bool = False,
    ) -> None:
        self._console = Console(file=err, highlight=False, quiet=is_quiet)
        self._noun = noun
        self._waiting = waiting
        self._live: Live | None = None
        self._note = ""
        self._over = 0
        self.begin(names)

    def begin(self, names: Mapping[str, str]) -> None:
        """Take the runs, when they were not known at first."""
        self._judging = dict(names)
        self._rows = {name: _Row(self._waiting) for name in names}
        self._over = 0

    def note(self, text: str) -> None:
        """Say what is done for all runs together."""
        self._note = printable(text)
        if self._live is None:
            self._console.print(Text(self._note), soft_wrap=True)

    @contextlib.contextmanager
    def live(self) -> Generator[None]:
        """Show progress inside of the `with` block."""
        if not self._console.is_terminal or self._console.quiet:
            yield
            return
        with Live(console=self._console, get_renderable=self._table, refresh_per_second=8, transient=True) as live:
            self._live = live
            yield

    def show(self, name: str, event: RunEvent) -> None:
        """Take one event of a run."""
        row = self._rows[name]
        line = self._change(self._judging[name], row, event)
        is_over = isinstance(event, RunStopped)
        self._over += is_over
        total = len(self._rows)
        if self._live is not None or not line or (total > _MANY and not is_over):
            return
        head = f"{self._over} of {total}: " if total > 1 and is_over else ""
        self._console.print(Text(printable(f"{head}{name}: {line}")), soft_wrap=True)

    def _change(self, judging: str, row: _Row, event: RunEvent) -> str | None:
        happened: object = event  # there may be kinds of events that are not shown
        match happened:
            case RunStarted() | LessonsRetrieved(lessons=()):
                return None
            case CandidateGenerated():
                row.turn_to(judging)
                return None
            case Revised(base=base):
                row.turn_to(judging)
                return f"revised iteration {base}, {judging}"
            case LessonsRetrieved(lessons=lessons):
                return f"{counted(len(lessons), 'lesson')} of earlier runs appl{'y' if len(lessons) != 1 else 'ies'}"
            case Critiqued(iteration=iteration):
                row.turn_to("revising")
                row.iterations = iteration.index + 1
                row.severity, row.gain = iteration.critique.severity, iteration.gain
                row.issues = len(iteration.critique.issues)
                if iteration.usage != Usage():
                    row.usage = iteration.usage + (row.usage or Usage())
                gain = "" if iteration.gain is None else f", gain {iteration.gain:+.2f}"
                cost = "" if row.usage is None else f"; {taken(row.usage)}"
                severity = f"severity {row.severity:.2f}"
                return f"iteration {iteration.index}: {severity}, {counted(row.issues, 'open issue')}{gain}{cost}"
            case ComponentRestarted(component=component, error=error):
                return f"{component} failed and was restarted: {error}"
            case RunStopped(result=result):
                row.doing, row.since = result.stop_reason.value, None
                return f"stopped: {result.stop_reason.value}"
            case _:
                return None

    def _table(self) -> RenderableType:
        shown = {name: row for name, row in self._rows.items() if row.since is not None and row.doing != self._waiting}
        shown = dict(list(shown.items())[:_MANY]) if len(self._rows) > _MANY else self._rows
        lines: list[RenderableType] = []
        if len(self._rows) > 1:
            lines.append(Text(f"{self._over} of {len(self._rows)} {self._noun}s", style="bold"))
        if shown:
            lines.append(self._table_of(shown))
        if self._note:
            lines.append(Text(self._note, style="dim"))
        return Group(*lines)

    def _table_of(self, rows: Mapping[str, _Row]) -> Table:
        gap = 2 if self._console.width >= _WIDE else 1
        table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, gap, 0, 0))
        has_usage = any(row.usage is not None for row in rows.values())
        shortest = min(_NAME_CHARS, max(map(len, rows), default=0))
        table.add_column(self._noun, overflow="ellipsis", no_wrap=True, min_width=shortest)
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
    """Return the cost for a column: a "?" where nobody knows it, a "+" behind what is only a part of it."""
    if usage.unpriced_calls >= max(1, usage.calls):
        return "?"
    return f"${usage.cost_usd:.4f}{'+' if usage.unpriced_calls else ''}"
