"""Events as values, the sinks that receive them, and the one place where a tracer hooks in.

Actors, supervisors and files that do I/O emit events; pure code never does. An event has a dotted name
(`actor.restarted`), numbers with the unit in the key (`duration_s`), and ids. Events contain no prompts or candidates.

An `Observer` also sees when a piece of work begins and ends. There is none by default, and then nothing is done.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any, Final, Literal, Protocol, TypeVar
from weakref import WeakSet

from jido_ai.errors import ConfigurationError, describe, name_at

T = TypeVar("T")

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

    Events that report a failure by name (crashed, gave_up, failed, ...) and waits for a model are warnings, all others
    DEBUG. Messages of exceptions may quote prompts, so a warning has their kinds, component and run; a second record,
    at DEBUG, has the messages. An event with a traceback has it below its line.
    """

    def __init__(self, logger: str = "jido_ai") -> None:
        self._logger = logging.getLogger(logger)

    def __call__(self, event: TelemetryEvent, /) -> None:
        line = waiting_line(event)
        if line is not None:
            _log(self._logger, logging.WARNING, "%s", line)
            return
        level = logging.WARNING if event.name.rpartition(".")[2] in _WARNINGS else logging.DEBUG
        if level > logging.DEBUG and self._logger.isEnabledFor(level):
            facts = _without_messages(event.data)
            _log(self._logger, level, "%s %s", event.name, _line(facts))
            if facts == event.data:
                return
        if self._logger.isEnabledFor(logging.DEBUG):
            _log(self._logger, logging.DEBUG, "%s %s", event.name, _line(event.data))


def _line(facts: Mapping[str, object]) -> str:
    told = " ".join(f"{key}={describe(value)}" for key, value in facts.items() if key != "traceback")
    return f"{told}\n{facts['traceback']}" if "traceback" in facts else told


def _without_messages(data: Mapping[str, object]) -> dict[str, object]:
    """Return the facts of an event with kinds in the place of exceptions, and where these come from."""
    facts: dict[str, object] = {}
    for key, value in data.items():
        error = value if isinstance(value, BaseException) else getattr(value, "error", None)
        if not isinstance(error, BaseException):
            facts[key] = value
            continue
        cause = error.__cause__
        facts[key] = type(error).__name__ if cause is None else f"{type(error).__name__} from {type(cause).__name__}"
        for name in ("component", "run_id"):
            found: object = getattr(error, name, None)
            if found is not None:
                facts.setdefault(name, found)
    return facts


def waiting_line(event: TelemetryEvent) -> str | None:
    """Return a sentence for an event that tells of a wait for a model; None for any other event.

    As in "openai:gpt-4o-mini at api.openai.com: too many requests; waiting 2.0 s, try 2 of 5".
    """
    if event.name not in ("model.retried", "model.held"):
        return None
    data: Mapping[str, Any] = event.data
    wait_s, retry = data.get("wait_s"), data.get("retry")
    wait = "waiting" if wait_s is None else f"waiting {wait_s:.1f} s"
    which = "" if retry is None else f", try {retry + 1} of {data['tries']}"
    return f"{name_at(data['provider'], data['model'], data['host'])}: {data['reason']}; {wait}{which}"


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


# -- the observer ----------------------------------------------------------------------------------

Work = Literal["order", "run", "graph", "queue", "agent", "model", "tool", "search", "upsert", "delete"]
"""The kinds of work that an observer sees."""


class Observed(Protocol):
    """A piece of work under way."""

    def end(self, outcome: object = None, error: BaseException | None = None) -> None:
        """Note the end, with the result or the error. Called once, in the context that `begin` was called in."""
        ...


class Observer(Protocol):
    """Sees the work of the whole process. Its methods must be quick and must not raise."""

    def begin(self, work: Work, facts: Mapping[str, Any]) -> Observed:
        """Note the beginning of a piece of work; what begins in this context until its end is a part of it."""
        ...

    def happened(self, name: str, facts: Mapping[str, Any]) -> None:
        """Note an event: "restarted" (of a run), "lesson.used", "model.called", or the name of a `TelemetryEvent`."""
        ...

    def trace(self) -> Mapping[str, str] | None:
        """Return the ids of the work that is under way in this context, to be linked to later; None without any."""
        ...


class _HasTree(Protocol):
    """An actor system."""

    name: str

    def tree(self) -> Any: ...


class _Observing:
    """Who observes this process.

    Attributes:
        observer: None by default.
        systems: the actor systems of the pipelines and graphs that were entered.
    """

    __slots__ = ("observer", "systems")

    def __init__(self) -> None:
        self.observer: Observer | None = None
        self.systems: WeakSet[_HasTree] = WeakSet()


OBSERVING: Final = _Observing()


def observed(work: Work, call: Awaitable[T], **facts: object) -> Awaitable[T]:
    """Return `call`, watched by the observer if there is one. It must be awaited at once."""
    observer = OBSERVING.observer
    return call if observer is None else _watched(observer, work, call, facts)


async def _watched(observer: Observer, work: Work, call: Awaitable[T], facts: Mapping[str, object]) -> T:
    step = observer.begin(work, facts)
    try:
        outcome = await call
    except BaseException as error:
        step.end(error=error)
        raise
    step.end(outcome)
    return outcome
