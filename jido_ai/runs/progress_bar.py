"""A bar on standard error that says how many of many are done, on a terminal and in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

Told = Callable[[int, int], object]
"""Called with the number of those done and of all."""
_WIDTH: Final = 24


def teller(progress: bool | Told) -> Told | None:
    """Return the function to tell: the caller's, a bar for True, None for False."""
    if progress is True:
        return show
    return progress or None


def show(done: int, total: int) -> None:
    """Draw the bar anew; it ends its line when all are done."""
    full = _WIDTH * done // max(1, total)
    end = "\n" if done >= total else ""
    sys.stderr.write(f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done} of {total}{end}")
    sys.stderr.flush()
