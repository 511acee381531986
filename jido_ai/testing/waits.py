"""without_waits(): retries of model calls without their pauses."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from jido_ai.models.wrappers.wrapper import WAITS

__all__ = ["without_waits"]


@contextmanager
def without_waits() -> Generator[None]:
    """Leave out the waits before retries of model calls, and those that providers ask for, in the whole process.

    Calls are tried as often as otherwise, and errors and events tell the waits that were left out. Rate limits, circuit
    breakers and time limits hold as before.
    """
    WAITS.left_out += 1
    try:
        yield
    finally:
        WAITS.left_out -= 1
