"""The meter of the run that a piece of work is done for, known to whatever it calls.

A component reserves at `context.meter` before it asks a model. What lies between the component and the provider sees
only requests; for what only it knows, such as a price, or a second try after one that may have been billed, it reserves
here.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from jido_ai.protocols import Meter

__all__ = ["current_meter", "metering"]

current_meter: ContextVar[Meter | None] = ContextVar("current_meter", default=None)
"""Set by the component's actor for each call of a component; None outside of a run."""


@contextmanager
def metering(meter: Meter | None) -> Generator[None]:
    """Let what is called inside of the `with` block count at `meter`."""
    token = current_meter.set(meter)
    try:
        yield
    finally:
        current_meter.reset(token)
