"""RunDesk: accepts runs, carries out a limited number at once, and knows all of them.

A run is accepted when its first line is written. From then on it ends, whatever happens to this process: at the next
start it goes on by itself. Its id makes it idempotent.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from jido_ai.errors import (
    ActorError,
    ConfigurationError,
    NotFoundError,
    RunClaimedError,
    StoreError,
    message_of,
)
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.graph import Graph
from jido_ai.graph.questions import questions_in, still_asked
from jido_ai.graph.record import read_graph
from jido_ai.loop.events import RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.loop.record import RecordedRun
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import (
    SERVED,
    Entry,
    Key,
    Order,
    accepted_record,
    cancelling_record,
    ended_record,
    entry_of,
    going_on_record,
)
from jido_ai.serve.problems import Problem
from jido_ai.serve.scan import kept_runs
from jido_ai.serve.told import (
    EVENTS,
    Note,
    Told,
    brief,
    end_without_result,
    is_last,
    loop_of,
    mark_of,
    missing_of_graph,
    missing_of_run,
    partial_result,
    status_of,
    summary_of,
    summary_so_far,
    whole,
)
from jido_ai.serve.writer import EventWriter
from jido_ai.text.plain_json import dumped
from jido_ai.values import Scope, utc_now
from jido_ai.values.record import Record

__all__ = ["Job", "RunDesk", "Thing"]

Thing = Pipeline | Graph
_PAGE: Final = 500
_CLOSING_S: Final = 10.0
_TRY_AGAIN_S: Final = 5.0


@dataclass(slots=True, eq=False)
class Job:
    """A run that is carried out here, or waits for its turn.

    Attributes:
        notes: its events so far that are written.
        unwritten: the events after these, as they will be written. They are when somebody listens, or at the end: until
            then the run's journal has what they say, and nobody has seen their numbers.
        listeners: how many follow its events.
        marks: of all events, to leave out what comes again.
        given: number of events so far.
        legs: how often it had ended before.
        changes: of those that wait for the next event or the end.
        has_turn: it is carried out, or was.
        is_over: its end is written.
    """

    entry: Entry
    notes: list[Note] = field(default_factory=list[Note])
    unwritten: list[tuple[Note, Told]] = field(default_factory=list[tuple[Note, Told]])
    listeners: int = 0
    marks: set[Any] = field(default_factory=set[Any])
    given: int = 0
    legs: int = 0
    handle: Any = None
    task: asyncio.Task[None] | None = None
    changes: list[asyncio.Future[None]] = field(default_factory=list[Any])
    has_turn: bool = False
    is_over: bool = False
    is_elsewhere: bool = False
    is_cancelling: bool = False

    @property
    def order(self) -> Order:
        return self.entry.order

    def result(self) -> Any:
        """Return its result as JSON, partial while it runs; None before it began."""
        notes = self.all_notes()
        if not notes:
            return None
        if self.is_over:
            return notes[-1].to_map()["result"]
        return partial_result(self.order, (note.to_map() for note in notes))

    def all_notes(self) -> list[Note]:
        """Return its events so far, written or not."""
        return [*self.notes, *(note for note, _ in self.unwritten)]

    def wake(self) -> None:
        """Let those that wait look again."""
        changes, self.changes = self.changes, []
        for change in changes:
            if not change.done():
                change.set_result(None)

    async def change(self) -> None:
        """Wait for the next event or the end."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.changes.append(future)
        try:
            await future
        finally:
            if not future.done() or future.cancelled():
                self.changes = [one for one in self.changes if one is not future]


class RunDesk:
    """The runs of a server.

    Args:
        things: pipelines and graphs by name. One that is not entered is entered and left with the desk; one without a
            memory gets the desk's.
        memory: keeps the runs; open.
        max_runs: carried out at once.
        max_queue: accepted runs that wait for their turn.
        tell: called with a dotted name and facts, for logs and metrics.
    """

    def __init__(
        self,
        things: Mapping[str, Thing],
        memory: ReflexionMemory,
        *,
        max_runs: int,
        max_queue: int,
        tell: Callable[..., None],
    ) -> None:
        self.things = things
        self.memory = memory
        self._max_runs = max_runs
        self._max_queue = max_queue
        self._tell = tell
        self._jobs: dict[Key, Job] = {}
        self._accepting: dict[Key, asyncio.Future[None]] = {}
        self._slots = asyncio.Semaphore(max_runs)
        self._by_token: Counter[str] = Counter()
        self._running = 0
        self._stack = AsyncExitStack()
        self._writer: EventWriter | None = None
        self._recovery: asyncio.Task[None] | None = None
        self._is_draining = self._is_closing = False
        self.ended: Callable[[Entry], None] = lambda _: None

    # -- life --------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Start the things, and what an earlier process left unfinished."""
        for thing in self.things.values():
            if thing.running_in is None:
                if thing.memory is None:
                    thing.use_memory(self.memory)
                await self._stack.enter_async_context(thing)
        self._writer = EventWriter(self.memory, lambda error: self._tell("serve.store_failed", error=str(error)))
        self._recovery = asyncio.create_task(self._recover(), name="recovery of served runs")

    @property
    def is_draining(self) -> bool:
        """True when no new runs are accepted."""
        return self._is_draining

    def drain(self) -> None:
        """Accept no new runs from now on."""
        self._is_draining = True

    async def drained(self, timeout_s: float) -> bool:
        """Wait, for a limited time, until no run is in flight; return whether it is so."""
        self.drain()
        tasks = {job.task for job in self._jobs.values() if job.task is not None and job.has_turn}
        if tasks and timeout_s > 0:
            await asyncio.wait(tasks, timeout=timeout_s)
        return self._running == 0

    async def close(self) -> None:
        """Leave unfinished runs as they are, for the next start, and stop the things."""
        self._is_draining = self._is_closing = True
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        if self._recovery is not None:
            tasks.append(self._recovery)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for job in self._jobs.values():
            job.wake()
        if self._writer is not None and not await self._writer.close(_CLOSING_S):
            self._tell("serve.events_failed", reason="the store did not take the last events")
        await self._stack.aclose()

    async def _recover(self) -> None:
        """Carry out what was accepted and has not ended; again and again until the store answers."""
        while True:
            try:
                await self._take_up()
                return
            except (StoreError, ActorError) as error:
                self._tell("serve.recovery_failed", error=str(error))
                await asyncio.sleep(_TRY_AGAIN_S)

    async def _take_up(self) -> None:
        found = [entry async for _, entry in kept_runs(self.memory) if entry.is_open]
        for entry in reversed(found):  # oldest first
            if entry.order.key not in self._jobs:
                self._tell("serve.run_taken_up", run_id=entry.order.run_id)
                self._launch(Job(entry, is_cancelling=entry.is_cancelling), is_new=False)

    # -- accepting ---------------------------------------------------------------------------------

    @property
    def in_flight(self) -> int:
        """Number of runs that are carried out now."""
        return self._running

    @property
    def waiting(self) -> int:
        """Number of runs that wait for their turn."""
        return len(self._jobs) - self.in_flight

    def jobs(self, scope: Scope | None) -> list[Job]:
        """Return the runs in flight or waiting, newest first; None: of all scopes."""
        return [job for job in reversed(self._jobs.values()) if scope is None or job.order.scope == scope]

    def of_token(self, token: str) -> int:
        """Return how many runs of a token are in flight or wait."""
        return self._by_token[token]

    async def accept(self, order: Order, admit: Callable[[], None], *, is_fresh: bool) -> tuple[Entry, bool]:
        """Accept a run, or find the one of that id; return it, and whether it is new.

        Args:
            admit: raises if a new run is not allowed now.
            is_fresh: the id is our own, so nobody has used it.

        Raises:
            Problem: another run has this id ("conflict"); the queue is full, or the server is stopping ("busy").
        """
        self.check(order)
        key = order.key
        while (other := self._accepting.get(key)) is not None:
            await asyncio.shield(other)
        found = await self._known(order, is_fresh=is_fresh)
        if found is not None:
            return found, False
        if key in self._accepting:  # another request was quicker meanwhile
            return await self.accept(order, admit, is_fresh=is_fresh)
        self._check_has_room()
        admit()
        done = self._accepting[key] = asyncio.get_running_loop().create_future()
        try:
            [record] = await self.memory.append([accepted_record(order)])
            entry = Entry(
                order=order,
                digest=order.digest,
                status="queued",
                created_at=record.timestamp,
                updated_at=record.timestamp,
                is_open=True,
            )
            self._launch(Job(entry), is_new=True)
            return entry, True
        finally:
            del self._accepting[key]
            done.set_result(None)

    def check(self, order: Order) -> None:
        """Raise `Problem` ("impossible") if an order names nothing that is served, or lacks what it needs."""
        known = [name for name, thing in self.things.items() if isinstance(thing, Graph) == (order.kind == "graph")]
        if order.name not in known:
            raise Problem(
                "impossible",
                f"there is no {order.kind} {order.name[:100]!r}; known: {', '.join(known) or 'none'}",
                field=order.kind,
            )

    async def _known(self, order: Order, *, is_fresh: bool) -> Entry | None:
        job = self._jobs.get(order.key)
        entry = None if job is None else job.entry
        if entry is None and not is_fresh:
            entry = await self._stored(order.key)
        if entry is not None and entry.digest != order.digest:
            raise Problem(
                "conflict",
                f"run {order.run_id!r} exists and asks for something else; use another run_id",
                field="run_id",
            )
        return entry

    def _check_has_room(self) -> None:
        if self._is_draining:
            raise Problem("busy", "the server is stopping; try again at the next one", retry_after_s=5)
        if self.waiting + len(self._accepting) >= self._max_queue + max(0, self._max_runs - self.in_flight):
            raise Problem(
                "busy", f"{self.waiting} runs wait already; the maximum is {self._max_queue}", retry_after_s=5
            )

    async def _stored(self, key: Key) -> Entry | None:
        scope, run_id = key
        records = await self.memory.records(SERVED, scope=scope, key=run_id)
        return entry_of(records[0], records[-1]) if records else None

    # -- carrying out ------------------------------------------------------------------------------

    def _launch(self, job: Job, *, is_new: bool) -> None:
        self._jobs[job.order.key] = job
        self._by_token[job.order.token] += 1
        job.task = asyncio.create_task(self._carry_out(job, is_new=is_new), name=f"served run {job.order.run_id}")

    async def _carry_out(self, job: Job, *, is_new: bool) -> None:
        async with self._slots:
            if self._is_draining:
                return  # it begins at the next start
            job.has_turn = True
            self._running += 1
            try:
                await self._run(job, is_new=is_new)
            except RunClaimedError:  # another process carries it out, and tells of it
                job.is_elsewhere = True
            except Exception as error:  # noqa: BLE001 - whatever it is, whoever waits for the run must hear of it
                self._tell("serve.run_failed", run_id=job.order.run_id, error=type(error).__name__)
                self._note(job, end_without_result(job.order, type(error).__name__, message_of(error)))
            finally:
                self._running -= 1
        while not (job.is_over or job.is_elsewhere):
            await job.change()
        self._forget(job)

    async def _run(self, job: Job, *, is_new: bool) -> None:
        if not is_new:
            await self._read_told(job)
        job.handle = await self._begun(job, is_new=is_new)
        job.entry = replace(job.entry, status="running", updated_at=utc_now())
        if job.is_cancelling:
            await job.handle.cancel()
        async for event in job.handle.events():
            if self._is_closing:  # it ends because we do; the next process goes on
                await asyncio.Future()
            self._note(job, event)

    def _forget(self, job: Job) -> None:
        if self._jobs.get(job.order.key) is job:
            del self._jobs[job.order.key]
            self._by_token[job.order.token] -= 1
        job.wake()

    async def _begun(self, job: Job, *, is_new: bool) -> Any:
        """Start a run, or let it go on from its journal; return its handle."""
        order, thing = job.order, self.things.get(job.order.name)
        if thing is None or isinstance(thing, Graph) != (order.kind == "graph"):
            raise ConfigurationError(f"there is no {order.kind} {order.name!r} any more")
        decision: Any = job.entry.decision
        options: dict[str, Any] = {"scope": order.scope}
        if not is_new and thing.journal is not None and await thing.journal.has(order.run_id, order.scope):
            await self._tell_missing(job, thing)
            if decision is not None:
                decision = await self._unwritten(thing, job.entry)
            return await thing.start(resume=order.run_id, decision=decision, **options)
        if order.digest != job.entry.digest:
            raise ConfigurationError(
                "the run did not begin before the server stopped, and a secret in it was masked when it was written"
            )
        options |= {"run_id": order.run_id, "metadata": order.metadata}
        if isinstance(thing, Graph):
            return await thing.start(order.inputs, **options)
        return await thing.start(order.prompt, order.initial, **options)

    async def _unwritten(self, thing: Thing, entry: Entry) -> Any:
        """Return what is left of a decision: without what the journal got before we were stopped; None for nothing."""
        still = still_asked(entry.questions, await self.waiting_in(thing, entry.order))
        if isinstance(thing, Graph) and isinstance(entry.decision, dict):
            answers = cast("dict[str, Any]", entry.decision)
            return {path: answers[path] for path in still if path in answers} or None
        return entry.decision if still else None

    async def waiting_in(self, thing: Thing, order: Order) -> dict[str, str]:
        """Return the questions of a run that wait for a person, by node; of a pipeline "revision"."""
        if thing.journal is None:
            return {}
        return questions_in(await thing.journal.records(order.run_id, order.scope))

    async def questions(self, entry: Entry) -> list[dict[str, Any]]:
        """Return what a suspended run waits for: nodes, and the revision that a pipeline made."""
        thing, order = self.things.get(entry.order.name), entry.order
        if thing is None or thing.journal is None or not await thing.journal.has(order.run_id, order.scope):
            return []
        if isinstance(thing, Graph):
            return [{"node": node, "candidate": None} for node in await self.waiting_in(thing, order)]
        waiting = (await thing.journal.load(order.run_id, order.scope)).waiting
        return [] if waiting is None else [{"node": "revision", "candidate": dumped(waiting.candidate)}]

    async def _read_told(self, job: Job) -> None:
        """Read the events that an earlier process, or an earlier leg, has told."""
        scope, run_id = job.order.key
        records = await self.memory.records(EVENTS, scope=scope, key=run_id)
        told = await self._whole(job.order, _events_in(records))
        job.notes = [Note(event["seq"], data=event) for event in told]
        job.given = len(told)
        for event in told:
            job.marks.add(mark_of(event, job.legs))
            job.legs += is_last(event)
        job.wake()

    async def _whole(self, order: Order, events: Sequence[Told]) -> list[Told]:
        """Return stored events with their texts, from the journals of the run and its loops."""
        thing = self.things.get(order.name)
        journal = RunJournal(self.memory) if thing is None else thing.journal
        recorded: dict[str, RecordedRun | None] = {}
        for path in {loop_of(event) for event in events if event.get("brief")}:
            recorded[path] = None
            if journal is not None:
                try:
                    run_id = f"{order.run_id}/{path}" if path else order.run_id
                    recorded[path] = await journal.load(run_id, order.scope)
                except NotFoundError:
                    continue  # it was forgotten
        return [
            whole(event, recorded.get(loop_of(event)), None if loop_of(event) else order.prompt) for event in events
        ]

    async def _tell_missing(self, job: Job, thing: Thing) -> None:
        """Tell what the journal has and nobody was told."""
        assert thing.journal is not None
        order = job.order
        if isinstance(thing, Graph):
            records = await thing.journal.records(order.run_id, order.scope)
            recorded = read_graph(order.run_id, order.scope, [(one.kind, one.data) for one in records])
            started = [loop_of(note.to_map()) for note in job.notes if note.to_map()["type"] == "NodeStarted"]
            loops: dict[str, RecordedRun] = {}
            for path in dict.fromkeys([*started, *recorded.nodes]):
                try:
                    loops[path] = await thing.journal.load(f"{order.run_id}/{path}", order.scope)
                except NotFoundError:
                    continue
            missing = missing_of_graph(recorded, loops)
        else:
            missing = missing_of_run(await thing.journal.load(order.run_id, order.scope))
        for event in missing:
            data = brief(event) or event.to_map()
            if not any(mark_of(data, leg) in job.marks for leg in range(job.legs + 1)):
                self._note(job, event)

    def _note(self, job: Job, event: GraphEvent) -> None:
        """Give an event to the writer, with the end of the run if it is the last."""
        order = job.order
        note = Note(job.given + 1, event)
        data = brief(event) if self._is_journaled(order) else None
        data = note.to_map() if data is None else {**data, "seq": note.seq}
        mark = mark_of(data, job.legs)
        if mark is not None:
            if mark in job.marks:
                return
            job.marks.add(mark)
        job.given += 1
        job.unwritten.append((note, data))
        if isinstance(event, RunStopped | GraphStopped) and not event.path:
            job.legs += 1
            self._write(job, event)
        elif job.listeners or not data.get("brief"):
            self._write(job)

    def _write(self, job: Job, end: RunStopped | GraphStopped | None = None) -> None:
        """Give the unwritten events of a run to the writer, with the end of the run if it has ended."""
        order, batch = job.order, job.unwritten
        if not batch:
            return
        job.unwritten = []
        events = [data for _, data in batch]
        records = [Record(log=EVENTS, key=order.run_id, scope=order.scope, data={"events": events})]
        entry = None
        if end is not None:
            error = None if end.result.error is None else end.result.error.model_dump(mode="json")
            status, summary = status_of(end.result), summary_of(end.result)
            records.append(ended_record(order, status, error, summary))
            entry = replace(job.entry, status=status, is_open=False, error=error, summary=summary, updated_at=utc_now())

        def written(_: Sequence[Record]) -> None:
            job.notes += [note for note, _ in batch]
            if entry is not None:
                job.entry, job.is_over = entry, True
                self._forget(job)
                self.ended(entry)
            job.wake()

        assert self._writer is not None
        self._writer.write(records, written)

    def _is_journaled(self, order: Order) -> bool:
        thing = self.things.get(order.name)
        return thing is not None and thing.journal is not None

    # -- asking ------------------------------------------------------------------------------------

    async def find(self, key: Key) -> Entry:
        """Return a run. Raises `Problem` ("not-found")."""
        job = self._jobs.get(key)
        entry = job.entry if job is not None else await self._stored(key)
        if entry is None:
            raise Problem("not-found", f"there is no run {key[1][:300]!r}")
        return entry

    def current(self, entry: Entry) -> Entry:
        """Return a stored run as it is now, if it is in flight here."""
        job = self._jobs.get(entry.order.key)
        return entry if job is None else job.entry

    async def result_of(self, entry: Entry) -> Any:
        """Return the result of a run as JSON, partial while it runs; None before it began."""
        job = self._jobs.get(entry.order.key)
        if job is not None:
            return job.result()
        scope, run_id = entry.order.key
        newest = await self.memory.records(EVENTS, scope=scope, key=run_id, newest_first=True, limit=1)
        events = _events_in(newest)
        if not events or not is_last(events[-1]):
            return None
        [last] = await self._whole(entry.order, events[-1:])
        return last["result"]

    def summary_now(self, entry: Entry) -> Mapping[str, Any] | None:
        """Return the summary of a run; of one in flight as far as it is."""
        job = self._jobs.get(entry.order.key)
        if job is None or job.is_over or not (job.notes or job.unwritten):
            return entry.summary
        return summary_so_far(job.result())

    async def wait(self, key: Key, timeout_s: float | None) -> Job | None:
        """Wait, for a limited time, until a run has ended; return it if it was in flight.

        Whoever stops waiting ends nothing else.
        """
        job = self._jobs.get(key)
        if job is None:
            return None
        try:
            async with asyncio.timeout(timeout_s):
                while not (job.is_over or job.is_elsewhere or self._is_closing):
                    await job.change()
        except TimeoutError:
            pass
        return job

    async def events(self, key: Key, after: int) -> AsyncGenerator[Note]:
        """Yield the events of a run that are numbered higher than `after`, until it ends."""
        job = self._jobs.get(key)
        sent = after
        if job is not None:
            job.listeners += 1
            try:
                self._write(job)
                while not (job.is_over or job.is_elsewhere or self._is_closing) or sent < len(job.notes):
                    while sent < len(job.notes):
                        sent += 1
                        yield job.notes[sent - 1]
                    if not job.is_over:
                        await job.change()
            finally:
                job.listeners -= 1
            return
        entry = await self._stored(key)
        if entry is None:
            return
        scope, run_id = key
        row = 0
        while records := await self.memory.records(EVENTS, scope=scope, key=run_id, after=row, limit=_PAGE):
            row = records[-1].row
            for event in await self._whole(entry.order, [one for one in _events_in(records) if one["seq"] > sent]):
                sent = event["seq"]
                yield Note(sent, data=event)

    # -- deciding ----------------------------------------------------------------------------------

    async def cancel(self, key: Key) -> Entry:
        """End a run soon; one that has ended stays as it is."""
        entry = await self.find(key)
        job = self._jobs.get(key)
        if job is None:
            if entry.is_open:
                raise Problem("conflict", f"run {key[1]!r} is carried out by another process; cancel it there")
            if entry.status == "suspended":
                return await self._end_suspended(entry)
            return entry
        if not job.is_cancelling:
            job.is_cancelling = True
            await self.memory.append([cancelling_record(job.order)])
        if job.handle is not None:
            await job.handle.cancel()
        elif not job.has_turn and job.task is not None:
            job.task.cancel()
            await asyncio.wait({job.task})
            self._note(job, end_without_result(job.order, "cancelled", "it was cancelled before it began"))
            while not job.is_over:
                await job.change()
            self._forget(job)
        return job.entry

    async def _end_suspended(self, entry: Entry) -> Entry:
        summary = entry.summary
        [record] = await self.memory.append([ended_record(entry.order, "cancelled", entry.error, summary)])
        return replace(entry, status="cancelled", updated_at=record.timestamp)

    async def resume(self, key: Key, decision: object) -> Entry:
        """Let a run go on that was suspended, cancelled or failed.

        Raises:
            Problem: it runs, it is complete, or nothing waits for a decision ("conflict").
        """
        entry = await self.find(key)
        if key in self._jobs or entry.is_open:
            raise Problem("conflict", f"run {key[1]!r} is {entry.status}; there is nothing to resume")
        thing = self.things.get(entry.order.name)
        if thing is None or thing.journal is None:
            raise Problem("conflict", f"run {key[1]!r} cannot go on: {entry.order.name!r} keeps no journal")
        has_journal = await thing.journal.has(entry.order.run_id, entry.order.scope)
        waiting = await self.waiting_in(thing, entry.order) if has_journal else {}
        if decision is not None:
            _check_waits(decision, tuple(waiting), entry)
            if not isinstance(thing, Graph) and isinstance(decision, dict):
                decision = next(iter(cast("dict[str, Any]", decision).values()))
        elif waiting and entry.status == "suspended":
            raise Problem(
                "conflict", f"run {key[1]!r} waits for a decision on {', '.join(waiting)}; send one", field="decision"
            )
        elif entry.status == "completed":
            raise Problem("conflict", f"run {key[1]!r} is completed; there is nothing to resume")
        self._check_has_room()
        if key in self._accepting:
            raise Problem("conflict", f"run {key[1]!r} is being resumed by another request")
        done = self._accepting[key] = asyncio.get_running_loop().create_future()
        try:
            questions = waiting if decision is not None else {}
            [record] = await self.memory.append([going_on_record(entry.order, decision, questions)])
            entry = replace(
                entry,
                status="queued",
                is_open=True,
                is_cancelling=False,
                decision=decision,
                questions=questions,
                error=None,
                updated_at=record.timestamp,
            )
            self._launch(Job(entry), is_new=False)
            return entry
        finally:
            del self._accepting[key]
            done.set_result(None)


def _events_in(records: Sequence[Record]) -> list[Told]:
    return [event for record in records for event in record.data["events"]]


def _check_waits(decision: object, waiting: Sequence[str], entry: Entry) -> None:
    run_id = entry.order.run_id
    if not waiting:
        raise Problem("conflict", f"run {run_id!r} waits for no decision (it is {entry.status})", field="decision")
    nodes = list(cast("dict[str, Any]", decision)) if isinstance(decision, dict) else []
    if entry.order.kind == "pipeline":
        return
    for node in nodes:
        if node not in waiting:
            raise Problem(
                "conflict",
                f"{node[:100]!r} of run {run_id!r} waits for no decision; {', '.join(waiting)} does",
                field="decision",
            )
    if not nodes and len(waiting) > 1:
        raise Problem("conflict", f"several nodes wait: {', '.join(waiting)}; name one", field="decision")
