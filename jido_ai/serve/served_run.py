"""ServedRun: a run that a server carries out, or that waits for its turn, with its numbered events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from jido_ai.graph.events import GraphEvent
from jido_ai.graph.orders import RunOrder
from jido_ai.loop.events import ModelCalled
from jido_ai.runs.signals import ChangeSignal
from jido_ai.serve.entries import Entry
from jido_ai.serve.events import Note, PublicEvent, brief, is_last, mark_of, whole
from jido_ai.serve.quotas import Account
from jido_ai.serve.summaries import partial_result


@dataclass(slots=True, eq=False)
class ServedRun:
    """A run in flight, or one that waits.

    Attributes:
        is_new: it was just accepted, so neither a journal nor events of it can exist.
        notes: its events so far that are written.
        unwritten: the events after these, as they will be written. They are when somebody listens, or at the end: until
            then the run's journal has them, and nobody has seen their numbers.
        listeners: number of open streams of its events.
        marks: of all events, to leave out repetitions.
        count: number of events so far.
        legs: how often it had ended before.
        changed: the next event, or the end.
        has_turn: it is carried out, or was.
        is_over: its end is written.
        is_elsewhere: another process carries it out.
        fault: why some of its events can never be stored; it ends with this error.
        guests: number of callers that wait for the answer, and without whom a run that is not kept ends.
        is_kept: it goes on without them.
        is_abandoned: it ends because the last of them is gone.
        account: counts what it spends.
    """

    entry: Entry
    is_new: bool = False
    is_cancelling: bool = False
    notes: list[Note] = field(default_factory=list[Note])
    unwritten: list[tuple[Note, PublicEvent]] = field(default_factory=list[tuple[Note, PublicEvent]])
    listeners: int = 0
    marks: set[Any] = field(default_factory=set[Any])
    count: int = 0
    legs: int = 0
    handle: Any = None
    task: asyncio.Task[None] | None = None
    changed: ChangeSignal = field(default_factory=ChangeSignal)
    has_turn: bool = False
    is_over: bool = False
    is_elsewhere: bool = False
    fault: Exception | None = None
    guests: int = 0
    is_kept: bool = True
    is_abandoned: bool = False
    account: Account | None = None

    @property
    def order(self) -> RunOrder:
        return self.entry.order

    def result(self) -> Any:
        """Return its result as JSON, partial while it runs; None before it began."""
        notes = [*self.notes, *(note for note, _ in self.unwritten)]
        if not notes:
            return None
        if self.is_over:
            return notes[-1].to_map()["result"]
        return partial_result(self.order, (note.to_map() for note in notes))

    def restore(self, events: Sequence[PublicEvent]) -> None:
        """Take over the events that an earlier process, or an earlier leg, has written."""
        self.notes = [Note(event["seq"], data=event) for event in events]
        self.count = len(events)
        for event in events:
            self.marks.add(mark_of(event, self.legs))
            self.legs += is_last(event)
        self.changed.wake()

    def has(self, event: PublicEvent) -> bool:
        """Tell whether an event of any leg repeats one that is there."""
        return any(mark_of(event, leg) in self.marks for leg in range(self.legs + 1))

    def refuse(self, fault: Exception) -> None:
        """Forget the events that are not written: they can never be."""
        self.fault = fault
        self.unwritten, self.count = [], len(self.notes)

    def add(self, event: GraphEvent, *, is_journaled: bool) -> PublicEvent | None:
        """Number an event, and return it as it will be written; None if it repeats an earlier one.

        Args:
            is_journaled: the run's journal has the texts.
        """
        note = Note(self.count + 1, event)
        is_call = isinstance(event, ModelCalled)
        data: PublicEvent | None = brief(event) if is_journaled or is_call else None
        data = note.to_map() if data is None else {**data, "seq": note.seq}
        if is_call:  # a stream has no prompts
            note.event, note.data = None, whole(data, None, None)
        mark = mark_of(data, self.legs)
        if mark is not None:
            if mark in self.marks:
                return None
            self.marks.add(mark)
        self.count += 1
        self.legs += is_last(data)
        self.unwritten.append((note, data))
        return data
