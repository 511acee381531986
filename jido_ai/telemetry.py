"""Events as values, and the sinks that receive them.

Actors, supervisors and files that do I/O emit events; pure code never does. An event has a dotted name
(`actor.restarted`), numbers with the unit in the key (`duration_s`), and ids. Events contain no prompts or candidates.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Protocol

from jido_ai.errors import ConfigurationError, describe

__all__ = ["LoggingSink", "Sink", "TelemetryEvent", "safe_sink"]

_WARNINGS = ("crashed", "gave_up", "failed", "fell_back", "blocked", "abandoned", "error", "high_water")


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
    """Receives events. A sink must be quick and must not raise; one that raises is dropped and reported once."""

    def __call__(self, event: TelemetryEvent, /) -> None: ...


class LoggingSink:
    """Writes each event as one `logging` record to the logger `jido_ai`.

    Events that report a failure by name (crashed, gave_up, failed, ...) are warnings, all others DEBUG.
    """

    def __init__(self, logger: str = "jido_ai") -> None:
        self._logger = logging.getLogger(logger)

    def __call__(self, event: TelemetryEvent, /) -> None:
        level = logging.WARNING if event.name.rpartition(".")[2] in _WARNINGS else logging.DEBUG
        if self._logger.isEnabledFor(level):
            facts = " ".join(f"{key}={describe(value)}" for key, value in event.data.items())
            _log(self._logger, level, "%s %s", event.name, facts)


def safe_sink(sink: Sink | None) -> Sink:
    """Return a sink that never raises: the log for None. A sink that raises is reported once and replaced by the log.

    Raises:
        ConfigurationError: `sink` is not callable, or is async.
    """
    if sink is None:
        return LoggingSink()
    if type(sink) in (LoggingSink, _SafeSink):  # subclasses may raise
        return sink
    if not callable(sink):
        raise ConfigurationError(f"sink must be callable with an event, got {describe(sink)}")
    if iscoroutinefunction(sink) or iscoroutinefunction(type(sink).__call__):
        raise ConfigurationError(f"sink must be a plain function, got the async {describe(sink)}")
    return _SafeSink(sink)


class _SafeSink:
    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def __call__(self, event: TelemetryEvent, /) -> None:
        sink = self._sink
        try:
            sink(event)
        except KeyboardInterrupt:  # from the user
            raise
        except BaseException:  # noqa: BLE001 - foreign code: its errors must not reach the emitter
            self._sink = LoggingSink()
            text = "the event sink %s raised and is not used again"
            _log(logging.getLogger("jido_ai"), logging.ERROR, text, describe(sink), exc_info=True)
            self._sink(event)


def _log(logger: logging.Logger, level: int, text: str, *facts: str, exc_info: bool = False) -> None:
    """Write a record. Handlers and filters are foreign code, too: their errors go to standard error."""
    try:
        logger.log(level, text, *facts, exc_info=exc_info)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - as above
        if sys.stderr is not None:  # pyright: ignore[reportUnnecessaryComparison] - None in a program without a console
            with suppress(OSError, ValueError):  # a broken pipe, or closed
                sys.stderr.write(f"jido_ai: a logging handler raised {describe(error)}; lost: {text % facts}\n")
