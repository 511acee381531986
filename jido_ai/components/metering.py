"""Metering: the current run's budget, available to code that it calls.

A component reserves at `context.meter` before it asks a model. The wrappers between the component and the provider see
only requests; they reserve here what only they know, such as a price, or a retry of a call that may have been billed.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from jido_ai.protocols import Meter

current_meter: ContextVar[Meter | None] = ContextVar("current_meter", default=None)
"""Set by the component's actor for each call of a component; None outside of a run."""


@contextmanager
def metering(meter: Meter | None) -> Generator[None]:
    """Charge calls inside of the `with` block to `meter`."""
    token = current_meter.set(meter)
    try:
        yield
    finally:
        current_meter.reset(token)
