"""Live progress of runs, and Ctrl-C that ends them in order; for commands that run a loop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TextIO

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
from jido_ai.runs.runnable import Runnable
from jido_ai.telemetry import TelemetryEvent, waiting_line
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted, taken
from jido_ai.values import StopReason, Usage

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

MANY_RUNS: Final = 10
"""If there are more runs, only the active ones are shown."""
_NAME_CHARS: Final = 12
"""At least this much of a run's name is shown, on the narrowest terminal too."""
_LEAST: Final = {"gain": 5, "cost": 7}
"""The width of "+0.38" and "$0.0123"; other columns are as wide as their heading."""
_WIDE: Final = 60
"""Terminals of this width and more have more space between columns."""


@contextlib.contextmanager
def interruptible(runs: Runnable[Any, Any, Any, Any], run_ids: Iterable[str]) -> Generator[asyncio.Event]:
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
            task = loop.create_task(_cancel(runs, run_id))
            endings.add(task)
            task.add_done_callback(endings.discard)

    # Not `loop.add_signal_handler`: it takes the pipe away that `ends_when_interrupted` reads.
    for number in usual:
        signal.signal(number, lambda _number, _frame: loop.call_soon_threadsafe(end))
    try:
        yield interrupted
    finally:
        restore()


async def _cancel(runs: Runnable[Any, Any, Any, Any], run_id: str) -> None:
    with contextlib.suppress(JidoError):  # it has not begun, or is over already
        await runs.cancel(run_id)


@dataclass(slots=True)
class LiveRow:
    """The state of one run in the live view."""

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
        waiting: the activity shown for a run before its first event.
        only_judges: nothing is revised: a run that is over was checked.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        err: TextIO,
        *,
        noun: str = "file",
        waiting: str = "waiting",
        only_judges: bool = False,
    ) -> None:
        self._err = err
        self._only_judges = only_judges
        self.noun = noun
        self.waiting = waiting
        self._is_drawn = False
        self.last_note = ""
        self._told_of_wait = ""
        self.over = 0
        self.begin(names)

    def begin(self, names: Mapping[str, str]) -> None:
        """Take the runs, when they were not known at first."""
        self._judging = dict(names)
        self.rows = {name: LiveRow(self.waiting) for name in names}
        self.over = 0

    def waits(self, event: TelemetryEvent) -> None:
        """Tell of a wait for a model; a sink of events."""
        line = waiting_line(event)
        if line is not None:
            self.note(line)
            self._told_of_wait = self.last_note

    def note(self, text: str) -> None:
        """Show the progress of all runs together."""
        self.last_note = printable(text)
        self._print(self.last_note)

    @contextlib.contextmanager
    def live(self) -> Generator[None]:
        """Show progress inside of the `with` block."""
        if not self._err.isatty():
            yield
            return
        from rich.console import Console  # noqa: PLC0415
        from rich.live import Live  # noqa: PLC0415

        console = Console(file=self._err, highlight=False)
        picture = partial(picture_of, self, console)
        with Live(console=console, get_renderable=picture, refresh_per_second=8, transient=True):
            self._is_drawn = True
            yield

    def show(self, name: str, event: RunEvent) -> None:
        """Take one event of a run."""
        if self.last_note == self._told_of_wait:
            self.last_note = ""  # the wait is over
        row = self.rows[name]
        line = self._change(self._judging[name], row, event)
        is_over = isinstance(event, RunStopped)
        self.over += is_over
        total = len(self.rows)
        if not line or (total > MANY_RUNS and not is_over):
            return
        head = f"{self.over} of {total}: " if total > 1 and is_over else ""
        self._print(printable(f"{head}{name}: {line}"))

    def _print(self, line: str) -> None:
        if not self._is_drawn:
            self._err.write(line + "\n")
            self._err.flush()

    def _change(self, judging: str, row: LiveRow, event: RunEvent) -> str | None:
        happened: object = event  # there may be kinds of events that are not shown
        match happened:
            case RunStarted() | LessonsRetrieved(lessons=()):
                return None
            case CandidateGenerated():
                row.turn_to(judging)
                return f"wrote a new draft, {judging}" if row.iterations else None
            case Revised(base=base):
                row.turn_to(judging)
                return f"revised iteration {base + 1}, {judging}"
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
                cost = "" if row.usage is None else f"; {taken(row.usage, is_so_far=True)}"
                severity = f"severity {row.severity:.2f}"
                return f"iteration {iteration.index + 1}: {severity}, {counted(row.issues, 'open issue')}{gain}{cost}"
            case ComponentRestarted(component=component, error=error):
                return f"{component} failed, trying again: {error}"
            case RunStopped(result=result):
                reason = result.stop_reason
                if self._only_judges and reason in (StopReason.ACCEPTED, StopReason.MAX_ITERATIONS):
                    row.doing, row.since = "checked", None
                    return "checked"
                row.doing, row.since = reason.value, None
                return f"stopped: {reason.value}"
            case _:
                return None


def picture_of(view: LiveView, console: Console) -> RenderableType:
    """Return the table as it is now, for a console of that width."""
    from rich.console import Group  # noqa: PLC0415 - what draws takes 60 ms to load
    from rich.text import Text  # noqa: PLC0415

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
    from rich.markup import escape  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

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
