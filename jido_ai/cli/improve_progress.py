"""The progress of `jido improve`: one line on a terminal, nothing elsewhere, and with `-v` a line for each step."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Generator, Mapping
from typing import Final, TextIO

from jido_ai.cli.live import LiveView
from jido_ai.loop.events import RunEvent, RunStopped
from jido_ai.telemetry import TelemetryEvent, waiting_line
from jido_ai.text.printable import printable
from jido_ai.text.wording import plain

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
