"""Batches: the entries that are stored in one turn of the event loop go to the memory actor together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from jido_ai.actors.exit_reason import Crashed, Killed
from jido_ai.actors.ref import ActorRef, Ask
from jido_ai.errors import ActorDeadError, ConfigurationError, StoreError, StoreUnavailableError
from jido_ai.memory.intake import Intake
from jido_ai.values import MemoryEntry

Kept = asyncio.Future[MemoryEntry | None]
"""The future of one entry; None asks its caller to send it again, alone."""
KeptEntries = Sequence[MemoryEntry | ConfigurationError | StoreError]
"""The outcome of each entry of a batch."""

_CHECKED_TOGETHER: Final = 16
"""Entries checked together; if one of them needs its own check, all are checked again one by one."""
_TURN_S: Final = 0.004
"""Maximum time for checking entries in one turn of the event loop."""
_LARGEST_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class StoreAll(Ask[KeptEntries | None]):
    """Store entries together, as `BatchStore.add_all` does, in one transaction if the store has transactions.

    Answers with the outcome of each, once they are durable. None: an unexpected error of one entry made the batch fail;
    send them one by one. Only for a memory whose store is a `BatchStore`, without an audit log.

    Attributes:
        begun: receives the store's future once the store has accepted the entries. If the actor dies meanwhile, the
            future has their outcome.
    """

    entries: tuple[MemoryEntry, ...]
    begun: list[asyncio.Future[KeptEntries]] = field(default_factory=list["asyncio.Future[KeptEntries]"], compare=False)


class Arrivals:
    """Collects entries, checks them together, which is cheaper, and sends them to the actor."""

    def __init__(self, intake: Intake, timeout_s: float) -> None:
        self._intake = intake
        self._timeout_s = timeout_s
        self._entries: list[MemoryEntry] = []
        self._waiting: list[Kept] = []  # the future of each

    def add(self, actor: ActorRef, entry: MemoryEntry, done: Kept) -> None:
        """Send the entry after this turn of the event loop, with the others that arrive in it."""
        if not self._entries:
            asyncio.get_running_loop().call_soon(self._send_arrived, actor, context=Context())
        self._entries.append(entry)
        self._waiting.append(done)

    def _send_arrived(self, actor: ActorRef) -> None:
        loop = asyncio.get_running_loop()
        batch, waiting = list[MemoryEntry](), list[Kept]()
        over = loop.time() + _TURN_S
        while self._entries and len(batch) < _LARGEST_BATCH:
            count = min(_CHECKED_TOGETHER, _LARGEST_BATCH - len(batch))
            some, self._entries = self._entries[:count], self._entries[count:]
            theirs, self._waiting = self._waiting[:count], self._waiting[count:]
            taken, refused = self._intake.entries(some)
            if refused:
                _settle([theirs[place] for place in refused], list(refused.values()))
                theirs = [done for place, done in enumerate(theirs) if place not in refused]
            batch += taken
            waiting += theirs
            if loop.time() > over:
                break
        if self._entries:
            loop.call_soon(self._send_arrived, actor, context=Context())
        if batch:
            self.send(actor, batch, waiting)

    def send(self, actor: ActorRef, entries: Sequence[MemoryEntry], waiting: Sequence[Kept]) -> None:
        """Send entries as one message; each future in `waiting` gets the outcome of its entry."""
        try:
            message = StoreAll(tuple(entries))
            answer = asyncio.ensure_future(actor.ask(message, timeout_s=self._timeout_s, when_restarting="wait"))
        except Exception as error:  # noqa: BLE001 - passed to the callers, who would wait forever
            _settle(waiting, [error] * len(waiting))
        else:
            answer.add_done_callback(partial(_share, waiting, message, self._timeout_s))


def _share(
    waiting: Sequence[Kept],
    message: StoreAll,
    timeout_s: float,
    answer: asyncio.Future[KeptEntries | None],
) -> None:
    """Give each waiting caller the outcome of its entry; None asks the caller to send it again, alone.

    If the actor died after passing the entries to the store, wait for the store's outcome: a lesson sent again would
    count twice.
    """
    error = asyncio.CancelledError() if answer.cancelled() else answer.exception()
    outcomes: Sequence[MemoryEntry | BaseException | None]
    if isinstance(error, ActorDeadError) and isinstance(error.reason, Crashed | Killed):
        if message.begun:
            late = StoreUnavailableError(
                f"the store did not answer within {timeout_s:g} s; the entries may still be stored"
            )
            timer = answer.get_loop().call_later(timeout_s, _settle, waiting, [late] * len(waiting))
            message.begun[0].add_done_callback(partial(_share_late, waiting, timer))
            return
        outcomes = [None] * len(waiting)
    elif error is not None:
        outcomes = [error] * len(waiting)
    else:
        outcomes = answer.result() or [None] * len(waiting)
    _settle(waiting, outcomes)


def _share_late(waiting: Sequence[Kept], timer: asyncio.TimerHandle, kept: asyncio.Future[KeptEntries]) -> None:
    timer.cancel()
    error = asyncio.CancelledError() if kept.cancelled() else kept.exception()
    if isinstance(error, StoreError | asyncio.CancelledError):
        _settle(waiting, [error] * len(waiting))
    else:  # an unexpected error, and nothing was stored: each is sent again, alone
        _settle(waiting, [None] * len(waiting) if error else kept.result())


def _settle(waiting: Sequence[Kept], outcomes: Sequence[MemoryEntry | BaseException | None]) -> None:
    for done, outcome in zip(waiting, outcomes, strict=True):
        if done.done():  # its caller has gone
            continue
        if isinstance(outcome, BaseException):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)
