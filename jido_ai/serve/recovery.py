"""Recovery: runs that an earlier process left unfinished, and their events, from the store and the journals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jido_ai.errors import NotFoundError
from jido_ai.graph.events import GraphEvent
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import Key, RunOrder
from jido_ai.graph.record import read_graph
from jido_ai.graph.served import Served
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.record import RecordedRun
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.runs.summary import NOTES
from jido_ai.serve.entries import SERVED, Entry, entry_of, note_in
from jido_ai.serve.events import PublicEvent, loop_of, missing_of_graph, missing_of_run, whole
from jido_ai.serve.scan import kept_runs
from jido_ai.serve.served_run import ServedRun
from jido_ai.values.record import Record


async def unfinished(memory: ReflexionMemory) -> list[Entry]:
    """Return the accepted runs that have not ended, oldest first."""
    return [entry async for _, entry in kept_runs(memory) if entry.is_open][::-1]


async def stored_entry(memory: ReflexionMemory, key: Key) -> Entry | None:
    """Return a run that was accepted; None if there is none."""
    scope, run_id = key
    records = await memory.records(SERVED, scope=scope, key=run_id)
    return entry_of(records[0], records[-1]) if records else None


async def stored_note(memory: ReflexionMemory, key: Key) -> dict[str, Any] | None:
    """Return the note of a person on a run; None without one."""
    scope, run_id = key
    records = await memory.records(NOTES, scope=scope, key=run_id, newest_first=True, limit=1)
    return note_in(records[0]) if records else None


def events_in(records: Sequence[Record]) -> list[PublicEvent]:
    """Return the events of lines of the log "events"."""
    return [event for record in records for event in record.data["events"]]


async def events_with_texts(
    journal: RunJournal | None, order: RunOrder, events: Sequence[PublicEvent]
) -> list[PublicEvent]:
    """Return stored events with their texts, from the journals of the run and its loops."""
    recorded = {
        path: await _recorded(journal, order, path)
        for path in {loop_of(event) for event in events if event.get("brief")}
    }
    return [whole(event, recorded.get(loop_of(event)), None if loop_of(event) else order.prompt) for event in events]


async def missing_events(served: Served, run: ServedRun) -> list[GraphEvent]:
    """Return the events of steps that the journal has, and that no client has received."""
    order, journal = run.order, served.journal
    assert journal is not None
    calls = await journal.calls(order.run_id, order.scope)
    if not isinstance(served, Graph):
        return missing_of_run(await journal.load(order.run_id, order.scope), calls)
    records = await journal.records(order.run_id, order.scope)
    recorded = read_graph(order.run_id, order.scope, [(record.kind, record.data) for record in records])
    started = [loop_of(note.to_map()) for note in run.notes if note.to_map()["type"] == "NodeStarted"]
    loops = {path: await _recorded(journal, order, path) for path in dict.fromkeys([*started, *recorded.nodes])}
    return missing_of_graph(recorded, {path: loop for path, loop in loops.items() if loop is not None}, calls)


async def _recorded(journal: RunJournal | None, order: RunOrder, path: str) -> RecordedRun | None:
    """Return the run of a pipeline, or of the loop at a path of a graph; None if the journal does not have it."""
    if journal is None:
        return None
    try:
        return await journal.load(f"{order.run_id}/{path}" if path else order.run_id, order.scope)
    except NotFoundError:
        return None  # it is no loop, or was forgotten
