"""Mailboxes: envelopes, the queues they wait in, and the rules for a full queue.

A mailbox is a plain `collections.deque` of envelopes. Two others have the same `append`: `BoundedQueue`, and
`DeadLetters`, which takes a dead actor's place in its ref, so that sending needs no test for being alive.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from jido_ai.actors.exit_reason import NoProc
from jido_ai.errors import ActorDeadError, ConfigurationError, MailboxFullError, describe

_PRUNE_ABOVE: Final = 64

Envelope = tuple[Any, "asyncio.Future[Any] | None", object]
"""The message; for an ask also the future of its reply and the `ActorRef` it was sent to.

A tell has None for both: a tuple of plain values is soon left alone by the garbage collector, and a long queue of tells
is a third faster for it. Messages of the runtime in a bounded mailbox have a ref but no reply.
"""


@dataclass(frozen=True, slots=True)
class Bounded:
    """A mailbox with room for `capacity` waiting messages; the one being handled is not counted.

    Attributes:
        capacity: at least 1.
        when_full: "raise" refuses `tell` and `ask` with `MailboxFullError`; "wait" refuses `tell` and lets `ask` wait
            for room; `offer` waits under both. "drop_oldest" makes room, and an ask that is dropped fails with
            `MailboxFullError`.
    """

    capacity: int
    when_full: Literal["raise", "wait", "drop_oldest"] = "raise"

    def __post_init__(self) -> None:
        if isinstance(self.capacity, bool) or not isinstance(self.capacity, int) or self.capacity < 1:
            raise ConfigurationError(f"capacity must be a whole number of at least 1, got {describe(self.capacity)}")
        when_full = cast("object", self.when_full)
        if not isinstance(when_full, str) or when_full not in ("raise", "wait", "drop_oldest"):
            raise ConfigurationError(f'when_full must be "raise", "wait" or "drop_oldest", got {describe(when_full)}')


class BoundedQueue(deque[Envelope]):
    """A deque of envelopes with a limit on what senders may add.

    Messages of the runtime (a Down, an Exit, a message to oneself) take no room and are never dropped.

    Attributes:
        dropped: number of messages dropped by "drop_oldest".
    """

    __slots__ = ("_bound", "_leading", "_owner", "_prune_at", "_room", "_unbounded", "dropped")

    def __init__(self, bound: Bounded, owner: str) -> None:
        super().__init__()
        self._bound = bound
        self._owner = owner
        self._room: deque[tuple[Envelope, asyncio.Future[None] | None]] = deque()
        self._prune_at = _PRUNE_ABOVE
        self._unbounded = 0  # number of messages of the runtime
        self._leading = 0  # a lower bound of the messages before the oldest one of a sender
        self.dropped = 0

    @property
    def drops_when_full(self) -> bool:
        """True when there is always room, as the oldest message makes it."""
        return self._bound.when_full == "drop_oldest"

    @property
    def waiting_for_room(self) -> int:
        """The number of waiting asks and offers; expired ones may still be counted."""
        return len(self._room)

    def append(self, envelope: Envelope, /) -> None:
        """Add an envelope, or apply `when_full`."""
        if len(self) - self._unbounded < self._bound.capacity and not self._room:
            super().append(envelope)
            return
        if self._bound.when_full == "drop_oldest":
            self._drop_oldest()
            super().append(envelope)
        elif self._bound.when_full == "wait" and envelope[1] is not None:
            self._wait(envelope, None)
        else:
            raise MailboxFullError(self._owner, self._bound.capacity)

    def wait_for_room(self, envelope: Envelope, admitted: asyncio.Future[None]) -> None:
        """Add the envelope when there is room, and set `admitted` then; a cancelled `admitted` withdraws it."""
        if len(self) - self._unbounded < self._bound.capacity and not self._room:
            super().append(envelope)
            admitted.set_result(None)
        else:
            self._wait(envelope, admitted)

    def add_unbounded(self, envelope: Envelope) -> None:
        """Add an envelope of the runtime: no reply, but a ref."""
        self._unbounded += 1
        super().append(envelope)

    def add_first(self, envelope: Envelope) -> None:
        """Add an envelope of the runtime before all others."""
        self._unbounded += 1
        self._leading += 1
        super().appendleft(envelope)

    def popleft(self) -> Envelope:
        """Remove the oldest envelope and admit waiting senders."""
        envelope = super().popleft()
        if self._unbounded:
            if self._leading:
                self._leading -= 1
            if envelope[1] is None and envelope[2] is not None:
                self._unbounded -= 1
        if self._room:
            self.let_in()
        return envelope

    def let_in(self) -> None:
        """Admit waiting envelopes while there is room."""
        while self._room and len(self) - self._unbounded < self._bound.capacity:
            waiting, admitted = self._room.popleft()
            if _has_given_up((waiting, admitted)):
                continue
            super().append(waiting)
            if admitted is not None:
                admitted.set_result(None)

    def drain(self, on_waiting: Callable[[asyncio.Future[Any]], None]) -> None:
        """Pass each future that still waits for room to `on_waiting`; called when the actor has ended."""
        for (_, reply, _), admitted in self._room:
            gate = admitted if admitted is not None else reply
            if gate is not None and not gate.done():
                on_waiting(gate)
        self._room.clear()

    def _wait(self, envelope: Envelope, admitted: asyncio.Future[None] | None) -> None:
        """Queue an envelope for room. Now and then, remove waits that were cancelled or have expired."""
        if len(self._room) >= self._prune_at:
            self._room = deque(entry for entry in self._room if not _has_given_up(entry))
            self._prune_at = max(_PRUNE_ABOVE, 2 * len(self._room))
        self._room.append((envelope, admitted))

    def _drop_oldest(self) -> None:
        place = self._leading
        while self[place][1] is None and self[place][2] is not None:  # of the runtime
            place += 1
        self._leading = place
        reply = self[place][1]
        del self[place]
        self.dropped += 1
        if reply is not None and not reply.done():
            reply.set_exception(MailboxFullError(self._owner, self._bound.capacity))


def _has_given_up(entry: tuple[Envelope, asyncio.Future[None] | None]) -> bool:
    (_, reply, _), admitted = entry
    gate = admitted if admitted is not None else reply
    return gate is not None and gate.done()


class DeadLetters:
    """Replaces the mailbox of a dead actor: asks fail at once, tells are dropped and counted."""

    __slots__ = ("_count",)

    def __init__(self, count: Callable[[], None]) -> None:
        self._count = count

    def append(self, envelope: Envelope, /) -> None:
        """Refuse an envelope."""
        _, reply, ref = envelope
        if reply is None:
            self._count()
        elif not reply.done():
            reply.set_exception(ActorDeadError(NoProc(), str(ref)))

    def __len__(self) -> int:
        return 0


Mailbox = deque[Envelope] | DeadLetters
