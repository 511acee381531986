"""RunHandle: the caller's hold on a run, which continues whether or not anyone listens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, Generic, Protocol

from typing_extensions import TypeVar

from jido_ai.actors.system import running_loop
from jido_ai.errors import ConfigurationError
from jido_ai.runs.signals import ChangeSignal

R = TypeVar("R", default=Any)
E = TypeVar("E", bound="NumberedEvent", default=Any)


class NumberedEvent(Protocol):
    """An event with its number in the run, from 1."""

    @property
    def seq(self) -> int: ...


class EventLog(Protocol[E]):
    """The events of a run, in order."""

    def append(self, event: E, /) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> E: ...


class RunHandle(Generic[R, E]):
    """A run that was started: it is neither ended nor slowed down by those that listen to it.

    Attributes:
        run_id: id of the run.
        listener: called with each event as it happens; for the owner of the run. See `follow`.
    """

    __slots__ = (
        *("__weakref__", "_cancel", "_changes", "_end", "_error", "_events", "_is_settled", "_loop", "_result"),
        *("listener", "run_id"),
    )

    def __init__(self, run_id: str, cancel: Callable[[], None], events: EventLog[E] | None = None) -> None:
        self.run_id = run_id
        self.listener: Callable[[E], object] | None = None
        self._cancel = cancel
        self._events: EventLog[E] = [] if events is None else events
        self._changes: ChangeSignal | None = None  # made by the first that waits
        self._end: ChangeSignal | None = None
        self._result: R | None = None
        self._error: Exception | None = None
        self._is_settled = False
        self._loop = asyncio.get_running_loop()

    def __repr__(self) -> str:
        return f"<RunHandle {self.run_id} {'done' if self._is_settled else 'in flight'}>"

    @property
    def is_done(self) -> bool:
        """True when the run has ended and its result is there."""
        return self._is_settled

    async def result(self) -> R:
        """Wait for the result. Cancelling this wait does not cancel the run.

        Raises:
            RunClaimedError, ActorError: the run could not be carried out.
        """
        self._check_loop()
        if not self._is_settled:
            self._end = self._end or ChangeSignal()
            await self._end.wait()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    async def events(self, after: int = 0) -> AsyncGenerator[E]:
        """Yield the run's events, past and future, until the last. Leaving early does not cancel the run.

        Args:
            after: only events with a larger `seq`; at least 0. A resumption goes on with the numbers of the run, and
                has only its own events.

        Raises:
            RunClaimedError, ActorError: the run could not be carried out.
        """
        if isinstance(after, bool) or not isinstance(after, int) or after < 0:
            raise ConfigurationError(f"after must be a whole number of at least 0, got {after!r}")
        self._check_loop()
        told = 0
        while True:
            while told < len(self._events):
                event = self._events[told]
                told += 1
                if event.seq > after:
                    yield event
            if self._is_settled:
                break
            self._changes = self._changes or ChangeSignal()
            await self._changes.wait()
        if self._error is not None:
            raise self._error

    async def cancel(self) -> None:
        """End the run soon, with its result so far. Does nothing if it has ended."""
        self._check_loop()
        if not self._is_settled:
            self._cancel()

    # -- for the pipeline --------------------------------------------------------------------------

    def follow(self, listener: Callable[[E], object]) -> None:
        """Call `listener` with each event so far, and from now on with each as it happens."""
        for number in range(len(self._events)):
            listener(self._events[number])
        self.listener = listener

    def record(self, event: E) -> None:
        """Keep an event for those that ask for it."""
        self._events.append(event)
        if self.listener is not None:
            self.listener(self._events[len(self._events) - 1])  # as the log tells it
        if self._changes is not None:
            self._changes.wake()

    def settle(self, result: R | None, error: Exception | None = None) -> None:
        """Mark the run as ended; the first call counts."""
        if not self._is_settled:
            self._result, self._error, self._is_settled = result, error, True
            for signal in (self._changes, self._end):
                if signal is not None:
                    signal.wake()

    # -- inside ------------------------------------------------------------------------------------

    def _check_loop(self) -> None:
        if running_loop() is not self._loop:
            raise ConfigurationError(
                f"run {self.run_id} belongs to another event loop; to use runs from threads, use BlockingPipeline"
            )
