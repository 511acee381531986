"""`jido improve`: shows progress, and prints the report and the table of rules."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import typer

from jido_ai.cli.live import LiveView
from jido_ai.improve.outcome import ImproveOptions, Output
from jido_ai.improve.report import ImproveReport
from jido_ai.improve.report_text import ReportLine
from jido_ai.improve.screening import Prepared, nothing_to_do, prepare
from jido_ai.loop.events import RunEvent, RunStopped
from jido_ai.telemetry import TelemetryEvent, waiting_line
from jido_ai.text.printable import printable
from jido_ai.text.wording import plain

if TYPE_CHECKING:
    from jido_ai.loop.record import RecordedRun

_STYLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "bold": {"bold": True},
    "dim": {"dim": True},
    **{colour: {"fg": colour} for colour in ("green", "red", "yellow", "cyan")},
}
_DIFF_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}


def improve(options: ImproveOptions, out: TextIO, err: TextIO, recorded: RecordedRun | None = None) -> int:
    """Improve files, or resume a recorded run, and print the report; return the exit status.

    Raises:
        JidoError: see `improve.improve`.
    """
    ready = asyncio.run(prepare(options, is_resumed=recorded is not None))
    report = nothing_to_do(ready, options) if not ready.found.sources else _improved(options, err, recorded, ready)
    for line in report.lines:
        _print(line, out)
    err.writelines(f"{message}\n" for message in report.messages)
    return report.status


def _improved(options: ImproveOptions, err: TextIO, recorded: RecordedRun | None, ready: Prepared) -> ImproveReport:
    """Improve the files that need it."""
    from jido_ai.cli.live import interruptible  # noqa: PLC0415
    from jido_ai.improve.improve import improve as improve_files  # noqa: PLC0415

    view = ImproveProgress(err, verbosity=options.verbosity, only_judges=options.output == "check")
    return asyncio.run(improve_files(options, view, interruptible, recorded, ready))


def resume_improve(
    recorded: RecordedRun, memory: Path | str, out: TextIO, err: TextIO, *, output: Output, as_json: bool
) -> int:
    """Resume a recorded run of `jido improve`; return the exit status."""
    from jido_ai.improve.improve import resumed_options  # noqa: PLC0415

    return improve(resumed_options(recorded, memory, output=output, as_json=as_json), out, err, recorded)


def _print(line: ReportLine, out: TextIO) -> None:
    if line.style != "diff":
        typer.echo(_styled(line.head, line.style) + line.text, out)
    elif out.isatty():
        for row in printable(line.head).splitlines():
            typer.echo(_styled(row, _DIFF_STYLES.get(row[:1], "")), out)
    else:
        out.write(line.head)


def _styled(text: str, style: str) -> str:
    return typer.style(text, **_STYLES[style]) if style else text


_CLEAR: Final = "\r\x1b[K"


class ImproveProgress:
    """Shows how far the work is.

    Args:
        verbosity: above 0, every step has a line of its own, also where there is no terminal; below 0 nothing is shown.
        only_judges: nothing is revised.
    """

    def __init__(self, err: TextIO, *, verbosity: int, only_judges: bool) -> None:
        self._err = err
        self._steps = LiveView({}, err, only_judges=only_judges) if verbosity > 0 else None
        self._is_shown = verbosity == 0 and err.isatty()
        self._over, self._total = 0, 0

    def begin(self, names: Mapping[str, str]) -> None:
        """Take the names of all files."""
        self._over, self._total = 0, len(names)
        if self._steps is not None:
            self._steps.begin(names)

    def note(self, text: str) -> None:
        """Show a step that concerns all files."""
        self._draw(text)
        if self._steps is not None:
            self._steps.note(text)

    def show(self, name: str, event: RunEvent) -> None:
        """Take one event of a file's run."""
        self._over += isinstance(event, RunStopped)
        self._draw(f"{self._over} of {self._total} files: {name}")
        if self._steps is not None:
            self._steps.show(name, event)

    def waits(self, event: TelemetryEvent) -> None:
        """Tell of a wait for a model."""
        line = waiting_line(event)
        if line is not None:
            self.note(line)

    @contextlib.contextmanager
    def live(self) -> Generator[None]:
        """Remove the line at the end of the `with` block."""
        try:
            yield
        finally:
            if self._is_shown:
                self._err.write(_CLEAR)
                self._err.flush()

    def _draw(self, text: str) -> None:
        if self._is_shown:
            width = max(20, shutil.get_terminal_size().columns - 1)
            self._err.write(_CLEAR + printable(plain(text))[:width])
            self._err.flush()
