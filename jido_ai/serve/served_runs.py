"""ServedRuns: accepts runs, carries out a limited number at once, and knows all of them.

A run is accepted when its first line is written. From then on it ends, whatever happens to this process: at the next
start it goes on by itself. Its id makes it idempotent.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from weakref import WeakValueDictionary

from jido_ai.argument_hints import nearest
from jido_ai.errors import ActorError, ConfigurationError, NotFoundError, RunClaimedError, StoreError, message_of
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.orders import Key, RunOrder, RunStatus, begun, kind_of, questions_of, status_of
from jido_ai.graph.results import GraphResult
from jido_ai.graph.served import Served
from jido_ai.loop.events import RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.spending import enclosing_spending
from jido_ai.runs.leases import is_gone, is_void, let_go, new_claim, owner_named, this_process
from jido_ai.runs.questions import answers_of
from jido_ai.runs.signals import OnePerKey, Turns
from jido_ai.serve.admission import Admission
from jido_ai.serve.entries import (
    Entry,
    accepted_record,
    cancelling_record,
    ended_by_day,
    ended_record,
    resumed_record,
)
from jido_ai.serve.events import EVENTS, Note, PublicEvent, brief, end_without_result, is_last
from jido_ai.serve.metrics import Metrics
from jido_ai.serve.problems import Problem
from jido_ai.serve.quotas import Account
from jido_ai.serve.recovery import events_in, events_with_texts, missing_events, stored_entry, unfinished
from jido_ai.serve.run_list import RunList
from jido_ai.serve.served_run import ServedRun
from jido_ai.serve.summaries import answer_of, summary_of, summary_so_far
from jido_ai.serve.writer import EventWriter
from jido_ai.text.plain_json import dumped
from jido_ai.values import ModelCall, utc_now
from jido_ai.values.record import Claim, Record

_PAGE: Final = 500
_CLOSING_S: Final = 10.0
_TRY_AGAIN_S: Final = 5.0
_TAKE_UP_S: Final = 10.0
_DECIDING_S: Final = 60.0
_LOOK_S: Final = 0.5  # at a run of another server


@dataclass(slots=True, weakref_slot=True, eq=False)
class _Replay:
    """The events of a run that is over, as long as somebody listens to them."""

    ended_at: datetime
    notes: list[Note]


class ServedRuns:
    """The runs of a server.

    Args:
        served: pipelines and graphs by name, running from `open` to `close`.
        memory: keeps the runs; open.
        max_runs: carried out at once.
        max_queue: accepted runs that wait for their turn.
        emit: called with a dotted name and facts, for logs and metrics.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        memory: ReflexionMemory,
        *,
        max_runs: int,
        max_queue: int,
        emit: Callable[..., None],
    ) -> None:
        self.served = served
        self.memory = memory
        self.list = RunList(memory)
        self._max_runs = max_runs
        self._max_queue = max_queue
        self._emit = emit
        self._runs: dict[Key, ServedRun] = {}
        self._changing = OnePerKey()  # by requests
        self._replays: WeakValueDictionary[Key, _Replay] = WeakValueDictionary()
        self._reading = OnePerKey()
        self._replaying = OnePerKey()
        self._arriving = 0
        self._turns = Turns(max_runs)
        self._by_token: Counter[str] = Counter()
        self._running = 0
        self._writer: EventWriter | None = None
        self._recovery: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._is_draining = self._is_closing = False
        self.admission = Admission(dict(served), None, Metrics())
        self._beside: set[asyncio.Task[Any]] = set()  # critiques and reflections, which are no runs

    # -- life --------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to carry out runs, first the ones that an earlier process left unfinished."""
        self._writer = EventWriter(self.memory, lambda error: self._emit("serve.store_failed", error=str(error)))
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
        tasks = {run.task for run in self._runs.values() if run.task is not None and run.has_turn} | self._beside
        if tasks and timeout_s > 0:
            await asyncio.wait(tasks, timeout=timeout_s)
        return self._running == 0

    async def close(self) -> None:
        """Leave unfinished runs as they are, for the next start."""
        self._is_draining = self._is_closing = True
        tasks = [*self._ending, *(run.task for run in self._runs.values() if run.task is not None)]
        if self._recovery is not None:
            tasks.append(self._recovery)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for run in self._runs.values():
            run.changed.wake()
        if self._writer is not None and not await self._writer.close(_CLOSING_S):
            self._emit("serve.events_failed", reason="the store did not take the last events")

    async def _recover(self) -> None:
        """Carry out all accepted runs that have not ended, and later those of other processes that are gone."""
        while True:
            try:
                found = await unfinished(self.memory)
            except (StoreError, ActorError) as error:
                self._emit("serve.recovery_failed", error=str(error))
                await asyncio.sleep(_TRY_AGAIN_S)
                continue
            for entry in found:
                self._take_up(entry)
            break
        while True:
            try:
                await self.list.renew()  # the first look reads all runs
                for row in self.list.open_rows():
                    if row.key not in self._runs and is_gone(row.owner):
                        await self._stored(row.key)
            except (StoreError, ActorError) as error:
                self._emit("serve.list_failed", error=str(error))
            await asyncio.sleep(_TAKE_UP_S)

    def _take_up(self, entry: Entry) -> None:
        """Carry out a run that another process, which is gone, left unfinished."""
        if entry.order.key not in self._runs and not self._is_draining:
            self._emit("serve.run_taken_up", run_id=entry.order.run_id)
            self._launch(ServedRun(entry, is_cancelling=entry.is_cancelling))

    # -- accepting ---------------------------------------------------------------------------------

    @property
    def is_writing(self) -> bool:
        """False if no event is written any more, so that no run ends."""
        return self._writer is not None and self._writer.is_running

    @property
    def in_flight(self) -> int:
        """Number of runs that are carried out now."""
        return self._running

    @property
    def waiting(self) -> int:
        """Number of runs that wait for their turn."""
        return len(self._runs) + len(self._beside) - self._running

    async def accept(self, order: RunOrder) -> Entry:
        """Accept a run, or find the one of that id.

        Raises:
            Problem: another run has this id ("conflict"); the queue is full, or the server is stopping ("busy"); its
                token may start no run now ("quota").
            ConfigurationError: it has a budget in dollars, and a model without a known price.
        """
        self.check(order)
        async with self._changing.hold(order.key):
            found = await self._known(order)
            if found is not None:
                return found
            await self.served[order.name].check_prices()
            line = accepted_record(order, this_process())
            async with self._admitted(order) as account:
                [record] = await self.memory.append([line])
            entry = Entry(
                order=order,
                digest=line.data["sha256"],
                status="queued",
                created_at=record.timestamp,
                updated_at=record.timestamp,
                is_open=True,
                owner=this_process(),
            )
            self._launch(ServedRun(entry, is_new=True, is_kept=order.is_kept, account=account))
            return entry

    def check(self, order: RunOrder) -> None:
        """Raise `Problem` ("impossible") if no pipeline or graph has the name that an order gives."""
        known = [name for name, one in self.served.items() if kind_of(one) == order.kind]
        if order.name not in known:
            raise Problem(
                "impossible",
                f"there is no {order.kind} {order.name[:100]!r}; {nearest(order.name[:100], known)}",
                field=order.kind,
            )

    async def _known(self, order: RunOrder) -> Entry | None:
        run = self._runs.get(order.key)
        entry = None if run is None else run.entry
        if entry is None and not order.is_fresh:
            entry = await self._stored(order.key)
        if entry is not None and entry.digest != order.digest:
            raise Problem(
                "conflict",
                f"run {order.run_id!r} exists and asks for something else; use another run_id",
                field="run_id",
            )
        if run is not None and order.is_kept:
            run.is_kept = True
        return entry

    @asynccontextmanager
    async def beside(self, order: RunOrder) -> AsyncGenerator[Account]:
        """Admit work that is no run, wait for its turn, and count it until it is done.

        Raises:
            Problem: there is no room for it ("busy", "quota").
        """
        task = asyncio.current_task()
        assert task is not None
        async with self._admitted(order) as account:
            self._arriving -= 1  # it waits from here
            self._beside.add(task)
            try:
                await self._turns.take(order.key)
                self._running += 1
                try:
                    yield account
                finally:
                    self._running -= 1
                    self._turns.give_back()
            finally:
                self._beside.discard(task)
                self._arriving += 1
                account.close()

    @asynccontextmanager
    async def _admitted(self, order: RunOrder) -> AsyncGenerator[Account]:
        """Count work until it is launched. Raises `Problem` ("busy", "quota") if there is no room for it."""
        await self.admission.look()
        self._check_has_room()
        account = self.admission.admit(order, self._by_token[order.token])
        self._arriving += 1
        self._by_token[order.token] += 1
        try:
            yield account
        except BaseException:
            account.close()
            raise
        finally:
            self._arriving -= 1
            self._by_token[order.token] -= 1

    def _check_has_room(self) -> None:
        if self._is_draining:
            raise Problem("busy", "the server is stopping; try again when it is back", retry_after_s=5)
        if self.waiting + self._arriving >= self._max_queue + max(0, self._max_runs - self.in_flight):
            raise Problem(
                "busy", f"{self.waiting} runs are already waiting; the maximum is {self._max_queue}", retry_after_s=5
            )

    # -- carrying out ------------------------------------------------------------------------------

    def _launch(self, run: ServedRun) -> None:
        self._runs[run.order.key] = run
        self._by_token[run.order.token] += 1
        if run.account is None:  # it was admitted before this server started
            run.account = self.admission.account(run.order)
        run.task = asyncio.create_task(self._carry_out(run), name=f"served run {run.order.run_id}")

    async def _carry_out(self, run: ServedRun) -> None:
        order = run.order
        if await self._turns.take(order.key):
            try:
                if self._is_draining:
                    return  # it begins at the next start
                await self._in_turn(run)
            finally:
                self._turns.give_back()
        elif not await self._end_in_queue(run):
            return
        await self._settled(run)
        self._forget(run)

    async def _end_in_queue(self, run: ServedRun) -> bool:
        """End a run that was cancelled before it began; return False if the store fails: it ends at the next start."""
        try:
            if not run.is_new:
                await self._restore(run)
        except (StoreError, ActorError) as error:
            self._emit("serve.store_failed", error=str(error))
            return False
        self._note(run, end_without_result(run.order, "cancelled", "it was cancelled before it began"))
        return True

    async def _in_turn(self, run: ServedRun) -> None:
        run.has_turn = True
        self._running += 1
        try:
            run.handle = await self._begun(run)
            if run.entry.owner != this_process():
                await self._own(run)
            run.entry = replace(run.entry, status="running", updated_at=utc_now())
            if run.is_cancelling or run.fault is not None:
                await run.handle.cancel()
            run.handle.follow(partial(self._hear, run))
            await run.handle.result()
            if self._is_closing:  # it ends because we do; the next process continues it
                await asyncio.Future()
        except RunClaimedError:  # another process carries it out, and writes its events
            run.is_elsewhere = True
        except Exception as error:  # noqa: BLE001 - all that wait for the run get the error
            self._emit("serve.run_failed", run_id=run.order.run_id, error=type(error).__name__)
            self._note(run, end_without_result(run.order, type(error).__name__, message_of(error)))
        finally:
            self._running -= 1

    async def _own(self, run: ServedRun) -> None:
        """Write that this process carries out a run of another one, so that no other takes it up."""
        owner, entry = this_process(), run.entry
        line = cancelling_record if entry.is_cancelling else resumed_record
        try:
            await self.memory.append([line(entry.order, entry.by_day, owner)])
        except (StoreError, ActorError) as error:
            self._emit("serve.store_failed", error=str(error))
        run.entry = replace(entry, owner=owner)

    async def _begun(self, run: ServedRun) -> Any:
        """Start a run, or continue it from its journal; return its handle."""
        order, served = run.order, self.served.get(run.order.name)
        if not run.is_new:
            await self._restore(run)
        if served is None or kind_of(served) != order.kind:
            raise ConfigurationError(f"there is no {order.kind} {order.name!r} any more")
        if not run.is_new:
            if served.journal is not None and await served.journal.has(order.run_id, order.scope):
                for event in await missing_events(served, run):
                    if not run.has(brief(event) or event.to_map()):
                        self._note(run, event)
            elif order.digest != run.entry.digest:
                raise ConfigurationError(
                    "the run did not begin before the server stopped, and a secret in it was masked when it was written"
                )
        used_up = None if run.account is None else run.account.exceeded()
        if used_up is not None and (run.is_new or served.journal is None):
            raise used_up  # a run that has a result so far is refused its first call
        inside = enclosing_spending.set(run.account)
        try:
            return await begun(served, order if order.is_fresh == run.is_new else replace(order, is_fresh=run.is_new))
        finally:
            enclosing_spending.reset(inside)

    async def _restore(self, run: ServedRun) -> None:
        scope, run_id = run.order.key
        records = await self.memory.records(EVENTS, scope=scope, key=run_id)
        run.restore(await self._with_texts(run.order, events_in(records)))

    async def _with_texts(self, order: RunOrder, events: Sequence[PublicEvent]) -> list[PublicEvent]:
        served = self.served.get(order.name)
        return await events_with_texts(RunJournal(self.memory) if served is None else served.journal, order, events)

    async def _settled(self, run: ServedRun) -> None:
        """Wait until a run has ended, here or elsewhere, or the server closes."""
        while not self._is_settled(run):
            await run.changed.wait()

    def _is_settled(self, run: ServedRun) -> bool:
        return run.is_over or run.is_elsewhere or self._is_closing

    def _forget(self, run: ServedRun) -> None:
        if run.account is not None:
            run.account.close()
        if self._runs.get(run.order.key) is run:
            del self._runs[run.order.key]
            self._by_token[run.order.token] -= 1
        run.changed.wake()

    def _hear(self, run: ServedRun, event: GraphEvent) -> None:
        if not self._is_closing:
            self._note(run, event)

    def _note(self, run: ServedRun, event: GraphEvent) -> None:
        """Give an event to the writer, with the end of the run if it is the last."""
        end = event if isinstance(event, RunStopped | GraphStopped) and not event.path else None
        if run.fault is not None:  # earlier events could not be stored
            if end is None:
                return
            event = end = _without_result(end, run.order, run.fault)
        served = self.served.get(run.order.name)
        data = run.add(event, is_journaled=served is not None and served.journal is not None)
        if data is None:
            return
        if end is not None:
            self._write(run, end)
        elif run.listeners or not data.get("brief"):
            self._write(run)

    def _write(self, run: ServedRun, end: RunStopped | GraphStopped | None = None) -> None:
        """Give the unwritten events of a run to the writer, with the end of the run if it has ended."""
        order, batch = run.order, run.unwritten
        if not batch:
            return
        run.unwritten = []
        events = [data for _, data in batch]
        records = [Record(log=EVENTS, key=order.run_id, scope=order.scope, data={"events": events})]
        ended: dict[str, Any] = {}
        if end is not None:
            error = None if end.result.error is None else end.result.error.model_dump(mode="json")
            status, summary = status_of(end.result), summary_of(end.result)
            is_abandoned = run.is_abandoned and status == "cancelled"
            by_day, new = ended_by_day(run.entry, summary, utc_now().date().isoformat())
            answer = answer_of(end.result)
            records.append(
                ended_record(order, status, error, summary, answer, by_day=by_day, is_abandoned=is_abandoned)
            )
            ended = {"status": status, "is_open": False, "error": error, "summary": summary, "by_day": by_day}
            ended |= {"new": new, "is_abandoned": is_abandoned}

        had_fault = run.fault is not None

        def written(stored: Sequence[Record]) -> None:
            run.notes += [note for note, _ in batch]
            if ended:
                run.entry, run.is_over = replace(run.entry, updated_at=stored[-1].timestamp, **ended), True
                self._forget(run)
                assert run.account is not None
                self.admission.ended(run.entry, run.account)
            run.changed.wake()

        def refused(error: Exception) -> None:
            self._emit("serve.events_refused", run_id=order.run_id, error=f"{type(error).__name__}: {error}")
            if had_fault:  # nothing of it can be stored
                written(records)
                return
            run.refuse(error)
            if end is not None:
                self._note(run, end)
            elif run.handle is not None:
                self._end_soon(run)

        assert self._writer is not None
        self._writer.write(order.key, records, written, refused)

    # -- reading -----------------------------------------------------------------------------------

    async def find(self, key: Key) -> Entry:
        """Return a run. Raises `Problem` ("not-found")."""
        run = self._runs.get(key)
        entry = run.entry if run is not None else await self._stored(key)
        if entry is None:
            raise Problem("not-found", f"there is no run {key[1][:300]!r}")
        return entry

    async def calls(self, key: Key) -> tuple[ModelCall, ...]:
        """Return the calls of models of a run so far, in the order in which they began; none before it began.

        Raises:
            Problem: there is no such run ("not-found").
        """
        served = self.served.get((await self.find(key)).order.name)
        scope, run_id = key
        try:
            if served is None:
                return await RunJournal(self.memory).calls(run_id, scope)
            return await served.calls(run_id, scope)
        except NotFoundError:
            return ()

    def current(self, entry: Entry) -> Entry:
        """Return the current state of a stored run."""
        run = self._runs.get(entry.order.key)
        return entry if run is None else run.entry

    async def result_of(self, entry: Entry) -> Any:
        """Return the result of a run as JSON, partial while it runs; None before it began."""
        run = self._runs.get(entry.order.key)
        if run is not None:
            return run.result()
        scope, run_id = entry.order.key
        newest = await self.memory.records(EVENTS, scope=scope, key=run_id, newest_first=True, limit=1)
        events = events_in(newest)
        if not events or not is_last(events[-1]):
            return None
        [last] = await self._with_texts(entry.order, events[-1:])
        return last["result"]

    def statuses(self) -> dict[Key, RunStatus]:
        """Return the current status of each run in flight."""
        return {key: run.entry.status for key, run in self._runs.items()}

    def summary_now(self, entry: Entry) -> Mapping[str, Any] | None:
        """Return the summary of a run; of one in flight, so far."""
        run = self._runs.get(entry.order.key)
        result = None if run is None or run.is_over else run.result()  # None also while its first events are written
        return entry.summary if result is None else summary_so_far(result)

    async def wait(self, key: Key, timeout_s: float | None) -> ServedRun | None:
        """Wait, for a limited time, until a run has ended; return it if it was in flight here.

        Cancelling this wait does not end the run.
        """
        run = self._runs.get(key)
        try:
            async with asyncio.timeout(timeout_s):
                if run is not None:
                    await self._settled(run)
                if run is None or run.is_elsewhere:
                    while await self._goes_on_elsewhere(key):  # noqa: ASYNC110 - only the store knows
                        await asyncio.sleep(_LOOK_S)
        except TimeoutError:
            pass
        return None if run is None or run.is_elsewhere else run

    async def _goes_on_elsewhere(self, key: Key) -> bool:
        entry = await stored_entry(self.memory, key)
        return entry is not None and entry.is_open and not self._is_closing

    async def events(self, key: Key, after: int) -> AsyncGenerator[Note]:
        """Yield the events of a run that are numbered higher than `after`, until it ends.

        Those of a run that another server carries out come when that has stored them, most of them at its end.
        """
        run = self._runs.get(key)
        sent = after
        if run is not None:
            run.listeners += 1
            try:
                self._write(run)
                while not self._is_settled(run) or sent < len(run.notes):
                    while sent < len(run.notes):
                        sent += 1
                        yield run.notes[sent - 1]
                    if not self._is_settled(run):
                        await run.changed.wait()
            finally:
                run.listeners -= 1
            if not run.is_elsewhere:
                return
        entry = await self._stored(key)
        if entry is None:
            return
        if not entry.is_open:
            replay = await self._replay(entry)
            del entry  # with the texts of the order; a listener may stay long
            for note in replay.notes:
                if note.seq > sent:
                    yield note
            return
        scope, run_id = key
        row, goes_on = 0, True
        while goes_on:
            goes_on = await self._goes_on_elsewhere(key)
            while records := await self.memory.records(EVENTS, scope=scope, key=run_id, after=row, limit=_PAGE):
                row = records[-1].row
                new = [one for one in events_in(records) if one["seq"] > sent]
                for event in await self._with_texts(entry.order, new):
                    sent = event["seq"]
                    yield Note(sent, data=event)
            if goes_on:
                await asyncio.sleep(_LOOK_S)

    async def _stored(self, key: Key) -> Entry | None:
        """Return a run as it is stored, and take it up if the process that carried it out is gone.

        A large one is read for one caller at a time.
        """
        async with self._reading.hold(key):
            entry = await stored_entry(self.memory, key)
        if entry is not None and entry.is_open and is_gone(entry.owner):
            self._take_up(entry)
        return entry

    async def _replay(self, entry: Entry) -> _Replay:
        key = entry.order.key
        async with self._replaying.hold(key):
            replay = self._replays.get(key)
            if replay is None or replay.ended_at != entry.updated_at:
                replay = self._replays[key] = _Replay(entry.updated_at, await self._stored_notes(entry))
            return replay

    async def _stored_notes(self, entry: Entry) -> list[Note]:
        scope, run_id = entry.order.key
        events: list[PublicEvent] = []
        row = 0
        while records := await self.memory.records(EVENTS, scope=scope, key=run_id, after=row, limit=_PAGE):
            row = records[-1].row
            events += events_in(records)
        return [Note(event["seq"], data=event) for event in await self._with_texts(entry.order, events)]

    async def questions(self, entry: Entry) -> list[dict[str, Any]]:
        """Return the questions that a suspended run waits for: its nodes, and the revision that a pipeline made."""
        served, order = self.served.get(entry.order.name), entry.order
        candidate = None
        if isinstance(served, Pipeline) and served.journal is not None:
            waiting = (await served.journal.load(order.run_id, order.scope)).waiting
            candidate = None if waiting is None else dumped(waiting.candidate)
        return [
            {"node": one.path, "id": one.id, "text": one.text, "note": one.note, "candidate": candidate}
            for one in await questions_of(served, order.run_id, order.scope)
        ]

    # -- deciding ----------------------------------------------------------------------------------

    async def cancel(self, key: Key) -> Entry:
        """End a run soon; does nothing if it has ended."""
        if key not in self._runs:
            async with self._changing.hold(key):
                entry = await self.find(key)
                if key not in self._runs:
                    return await self._cancelled_at_rest(entry)
        run = self._runs[key]
        if not run.is_cancelling:
            run.is_cancelling = True
            await self.memory.append([cancelling_record(run.order, run.entry.by_day, this_process())])
        if run.handle is not None:
            await run.handle.cancel()
        elif not run.has_turn and run.task is not None:
            await asyncio.sleep(0)  # a run that was just accepted waits for its turn from here
            self._turns.send_away(key)
            await asyncio.wait({run.task})
        return run.entry

    async def _cancelled_at_rest(self, entry: Entry) -> Entry:
        if entry.status == "suspended":
            async with self._deciding(entry.order.key) as claim:
                entry = await self.find(entry.order.key)
                if entry.status == "suspended":
                    if entry.order.name in self.served and not await self._asked(entry):
                        raise _continued_outside(entry)
                    ended = ended_record(entry.order, "cancelled", entry.error, entry.summary, by_day=entry.by_day)
                    [record] = await self.memory.append([ended], claim=claim)
                    return replace(entry, status="cancelled", updated_at=record.timestamp)
        if entry.is_open:
            owner = owner_named(entry.owner) if entry.owner else "another process"
            raise Problem("conflict", f"run {entry.order.run_id!r} is carried out by {owner}; cancel it there")
        return entry

    async def resume(self, key: Key, decision: object, *, is_kept: bool = True) -> Entry:
        """Continue a run that was suspended, cancelled or failed; return one that is complete as it is.

        Of many decisions on a question exactly one is taken, also if several servers have the same store.

        Args:
            decision: True, False or a text, by path or id of the question if several nodes wait; None for none.
            is_kept: see `RunOrder`.

        Raises:
            Problem: it runs, or nothing waits for a decision, or for none but another's ("conflict"); the token that
                started it may start no run now ("quota"), or the server none ("busy"). Questions stay open.
        """
        entry = await self.find(key)
        if decision is None and entry.status == "completed":
            return entry
        asked = await self._asked(entry)
        async with self._changing.hold(key), self._deciding(key) as claim:
            entry = await self.find(key)
            if key in self._runs or entry.is_open:
                raise Problem("conflict", f"run {key[1]!r} is {entry.status}; there is nothing to resume")
            served = self.served.get(entry.order.name)
            if served is None or served.journal is None:
                raise Problem("conflict", f"run {key[1]!r} cannot continue: {entry.order.name!r} keeps no journal")
            waiting = await self._asked(entry)
            answers: dict[str, Any] = {}
            if decision is not None:
                answers = _answers(decision, waiting, entry)
                if any(waiting[path] != asked.get(path) for path in answers):
                    message = f"run {key[1]!r} now waits for another decision; somebody else has decided"
                    raise Problem("conflict", message, field="decision")
            elif waiting and entry.status == "suspended":
                paths = ", ".join(waiting)
                raise Problem("conflict", f"run {key[1]!r} waits for a decision on {paths}; send one", field="decision")
            order = replace(entry.order, answers=answers, questions={path: waiting[path] for path in answers})
            async with self._admitted(order) as account:
                line = resumed_record(order, entry.by_day, this_process())
                [record] = await self.memory.append([line], claim=claim)
            entry = replace(
                entry,
                order=order,
                status="queued",
                is_open=True,
                is_cancelling=False,
                is_abandoned=False,
                error=None,
                updated_at=record.timestamp,
                owner=this_process(),
            )
            self._launch(ServedRun(entry, is_kept=is_kept, account=account))
            return entry

    # -- callers that wait -------------------------------------------------------------------------

    async def join(self, order: RunOrder) -> ServedRun | None:
        """Count the caller of an accepted order as one that waits for the answer, until `leave`.

        A run that ended because nobody waited any more goes on. Returns None for a run that is over.

        Raises:
            Problem: the run cannot go on ("conflict"), or not now ("busy", "quota").
        """
        run = self._runs.get(order.key)
        if run is not None and run.is_abandoned:
            await self._settled(run)
        if (await self.find(order.key)).is_abandoned:
            try:
                await self.resume(order.key, None, is_kept=order.is_kept)
            except Problem:
                if order.key not in self._runs:  # otherwise another caller was faster
                    raise
        run = self._runs.get(order.key)
        if run is not None:
            run.guests += 1
            run.is_kept = run.is_kept or order.is_kept
        return run

    def leave(self, run: ServedRun, *, is_gone: bool) -> None:
        """Count a caller no more, and end the run soon if it was the last one, unless the run is kept.

        Args:
            is_gone: the caller does not want the answer any more; the end of this server is no such case.
        """
        run.guests -= 1
        if not is_gone or run.guests or run.is_kept or run.is_abandoned or self._is_settled(run) or self._is_draining:
            return
        run.is_cancelling = run.is_abandoned = True
        if run.handle is not None:
            self._end_soon(run)
        elif not run.has_turn:
            self._turns.send_away(run.order.key)

    def _end_soon(self, run: ServedRun) -> None:
        task = asyncio.create_task(run.handle.cancel(), name=f"end of served run {run.order.run_id}")
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    # -- inside ------------------------------------------------------------------------------------

    async def _asked(self, entry: Entry) -> dict[str, str]:
        """Return the ids of the questions that a run waits for, by path."""
        order = entry.order
        asked = await questions_of(self.served.get(order.name), order.run_id, order.scope)
        return {one.path: one.id for one in asked}

    @asynccontextmanager
    async def _deciding(self, key: Key) -> AsyncGenerator[Claim]:
        """Keep other servers with this store from deciding on a run. Raises `Problem` ("conflict") if one does now."""
        scope, run_id = key
        claim = new_claim(f"{run_id}//decision", scope, _DECIDING_S)
        try:
            held = await self.memory.claim(claim, is_void)
            if held.token != claim.token:
                raise Problem("conflict", f"somebody else is deciding on run {run_id!r} right now", field="decision")
            try:
                yield held
            finally:
                await self.memory.release(held)
        finally:
            let_go(claim)


def _without_result(end: RunStopped | GraphStopped, order: RunOrder, error: Exception) -> RunStopped | GraphStopped:
    """Return the end of a run whose events cannot be stored: an error, and what was spent."""
    result = end_without_result(order, type(error).__name__, message_of(error)).result
    spent: dict[str, Any] = {"usage": end.result.usage, "duration_s": end.result.duration_s}
    if isinstance(result, GraphResult):
        return GraphStopped(order.run_id, replace(result, **spent))
    return RunStopped(order.run_id, result.replace(**spent))


def _continued_outside(entry: Entry) -> Problem:
    message = "was continued outside of this server; resume it without a decision to see its end"
    return Problem("conflict", f"run {entry.order.run_id!r} {message}", field="decision")


def _answers(decision: object, waiting: Mapping[str, str], entry: Entry) -> dict[str, Any]:
    """Return a decision by path. Raises `Problem` ("conflict") if nothing waits for it."""
    run_id = entry.order.run_id
    if not waiting:
        if entry.status == "suspended":
            raise _continued_outside(entry)
        raise Problem("conflict", f"run {run_id!r} waits for no decision (it is {entry.status})", field="decision")
    try:
        return answers_of(decision, waiting, run_id=run_id, status=entry.status)
    except ConfigurationError as error:
        raise Problem("conflict", message_of(error), field="decision") from error
