"""Events as values, and the sinks that take them.

Shells, supervisors and adapters emit; pure code never does. An event has a dotted name (`actor.restarted`),
numbers with their unit in the key (`duration_s`) and ids. Prompts and candidates are not event data.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from jido_ai.errors import describe

__all__ = ["LoggingSink", "Sink", "TelemetryEvent"]

_WARNINGS = ("crashed", "gave_up", "failed", "blocked", "abandoned", "error", "high_water")


@dataclass(frozen=True, slots=True)
class TelemetryEvent:
    """Something that happened.

    Attributes:
        name: dotted and past tense: `actor.started`, `loop.stopped`, `store.opened`.
        data: ids and numbers; units are in the keys (`duration_s`).
    """

    name: str
    data: Mapping[str, object] = field(default_factory=dict[str, object])


class Sink(Protocol):
    """Takes events. It must be quick, and it must not raise; one that does is dropped and reported once."""

    def __call__(self, event: TelemetryEvent, /) -> None: ...


class LoggingSink:
    """Writes each event as one record of `logging`, below the logger `jido_ai`.

    Events whose name tells of trouble (crashed, gave_up, failed, ...) are warnings, all others DEBUG.
    """

    def __init__(self, logger: str = "jido_ai") -> None:
        self._logger = logging.getLogger(logger)

    def __call__(self, event: TelemetryEvent, /) -> None:
        level = logging.WARNING if event.name.rpartition(".")[2] in _WARNINGS else logging.DEBUG
        if self._logger.isEnabledFor(level):
            facts = " ".join(f"{key}={describe(value)}" for key, value in event.data.items())
            self._logger.log(level, "%s %s", event.name, facts)
