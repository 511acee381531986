"""Events of runs as a server keeps and sends them: numbered, without doubles, and complete after a crash. Pure.

A server numbers the events of a run itself, from 1 without gaps, in the order in which they came; an event is sent only
after it was written. Of an event whose text the run's journal has, only a brief form is written: its number, its time
and its subject. After a crash a run continues from its journal: events that it emits again are left out, and events of
steps that were finished before the crash, and not written yet, are added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final

from jido_ai.graph.events import GraphEvent, GraphStopped, NodeStopped, placed
from jido_ai.graph.orders import RunOrder, node_result, result_without_run
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult
from jido_ai.loop.events import (
    CandidateGenerated,
    Critiqued,
    LessonsRetrieved,
    ModelCalled,
    Reflected,
    Revised,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.record import RecordedRun
from jido_ai.serve.told_errors import told_result
from jido_ai.text.plain_json import dumped
from jido_ai.values import ErrorInfo, ModelCall

EVENTS: Final = "events"
_LAST: Final = frozenset({"RunStopped", "GraphStopped"})
_ONCE: Final = frozenset({"RunStarted", "GraphStarted", "LessonsRetrieved", "NodeStarted", "NodeStopped"})
_BY_CANDIDATE: Final = frozenset({"CandidateGenerated", "Revised"})
_TEXTS_OF_CALLS: Final = frozenset({"messages", "reply", "thoughts", "parameters", "tries"})
"""They are at `GET /v1/runs/{id}/calls`."""
_STEPS: Final = {"generator": 0, "reviser": 0, "critiquer": 1, "reflector": 2}
"""The order of the steps of an iteration, by the role of their component."""
PublicEvent = Mapping[str, Any]
"""An event as JSON."""


def is_last(event: PublicEvent) -> bool:
    """Tell whether a run ends with an event; one that is resumed has more of them."""
    return event["type"] in _LAST and not event.get("path")


@dataclass(slots=True)
class Note:
    """One event of a run in flight.

    Attributes:
        event: the event itself, if it is one of this process.
        data: as JSON, with its number; made of the event when it is first needed.
        frames: the same as a server-sent event, as it is and as it is told to a token; all listeners share them.
    """

    seq: int
    event: GraphEvent | None = None
    data: PublicEvent | None = None
    frames: dict[bool, bytes] = field(default_factory=dict[bool, bytes])

    def to_map(self) -> PublicEvent:
        """Return it as JSON."""
        if self.data is None:
            assert self.event is not None
            self.data = {**self.event.to_map(), "seq": self.seq}
        return self.data

    def frame(self, *, is_told: bool) -> bytes:
        """Return it as a server-sent event in ASCII.

        Args:
            is_told: without the texts of foreign exceptions.
        """
        found = self.frames.get(is_told)
        if found is None:
            event = self.to_map()
            text = json.dumps(told_result(event) if is_told else event, separators=(",", ":"))
            found = self.frames[is_told] = f"id: {self.seq}\nevent: {event['type']}\ndata: {text}\n\n".encode()
        return found


def brief(event: GraphEvent) -> dict[str, Any] | None:
    """Return the brief form of an event whose text is in the journal of its run; None for any other."""
    data: dict[str, Any] = {"type": type(event).__name__, "run_id": event.run_id, "at": event.at.isoformat()}
    if event.path:
        data["path"] = event.path
    match event:
        case RunStarted():
            pass
        case LessonsRetrieved(examples=examples):
            data["examples"] = list(examples)
        case ModelCalled(call=call):
            data["call"] = {name: value for name, value in dumped(call).items() if name not in _TEXTS_OF_CALLS}
        case CandidateGenerated(candidate=candidate):
            data["candidate"] = {"id": candidate.id}
        case Revised(candidate=candidate, base=base):
            data["candidate"], data["base"] = {"id": candidate.id}, base
        case Critiqued(iteration=iteration):
            data["iteration"] = {"index": iteration.index}
        case Reflected(index=index):
            data["index"] = index
        case RunStopped():
            data["result"] = None
        case _:
            return None
    return {**data, "brief": True}


def loop_of(event: PublicEvent) -> str:
    """Return the path of the loop that an event belongs to; "" for the run itself."""
    return str(event.get("path", "")).partition("/iteration ")[0]


def whole(event: PublicEvent, recorded: RecordedRun | None, prompt: str | None) -> PublicEvent:
    """Return an event with its text, from the journal of its run; unchanged if the journal does not have it (any more).

    Args:
        prompt: of the run, if it is known without the journal.
    """
    if not event.get("brief"):
        return event
    data = {name: value for name, value in event.items() if name != "brief"}
    if event["type"] == "RunStarted":
        return {**data, "prompt": recorded.prompt if prompt is None and recorded is not None else prompt}
    if recorded is None:
        return data
    match event["type"]:
        case "LessonsRetrieved":
            return {**data, "lessons": [dumped(lesson) for lesson in recorded.lessons or ()]}
        case "CandidateGenerated" | "Revised":
            known = [iteration.candidate for iteration in recorded.iterations] + [
                one.candidate for one in recorded.pending
            ]
            made = next((one for one in known if one.id == event["candidate"]["id"]), None)
            return data if made is None else {**data, "candidate": dumped(made.model_copy(update={"score": None}))}
        case "Critiqued" if event["iteration"]["index"] < len(recorded.iterations):
            index: int = event["iteration"]["index"]
            return {**data, "iteration": dumped(recorded.iterations[index].model_copy(update={"revised": False}))}
        case "Reflected":
            reflection = recorded.reflections.get(event["index"])
            return {**data, "reflection": None if reflection is None else dumped(reflection)}
        case "RunStopped":
            result = recorded.result()
            return {**data, "result": None if result is None else dumped(result)}
        case _:
            return data


def mark_of(event: PublicEvent, leg: int) -> tuple[Any, ...] | None:
    """Return the identity that an event shares with its repetition; None for an event that may come several times.

    Args:
        leg: how often the run had ended before.
    """
    kind, path = event["type"], loop_of(event)
    if kind in _ONCE or kind in _LAST:
        return kind, path, leg
    if kind in _BY_CANDIDATE:
        return "made", event["candidate"]["id"]
    if kind == "Critiqued":
        return kind, path, event["iteration"]["index"]
    if kind == "Reflected":
        return kind, path, event["index"]
    if kind == "ModelCalled":
        return kind, event["call"]["seq"], event["call"]["started"]
    return None


# -- after a crash ---------------------------------------------------------------------------------


def missing_of_run(recorded: RecordedRun, calls: Sequence[ModelCall] = (), path: str = "") -> list[GraphEvent]:
    """Return the events of the steps that a run's journal has, in order.

    Args:
        calls: all of the run, or of its graph; each comes before the event of its step.
        path: of the loop, in a graph.
    """
    run_id = recorded.run_id
    steps: list[tuple[tuple[int, int], RunEvent]] = [((-1, 0), RunStarted(run_id, recorded.prompt))]
    if recorded.lessons is not None:
        steps.append(((-1, 0), LessonsRetrieved(run_id, recorded.lessons, recorded.examples_used)))
    steps += [
        ((call.iteration, _STEPS.get(call.role, 1)), ModelCalled(run_id, call)) for call in calls if call.path == path
    ]
    known = {iteration.candidate.id: iteration.index for iteration in recorded.iterations}
    for iteration in recorded.iterations:
        index, base = iteration.index, known.get(iteration.candidate.parent_id or "")
        made = CandidateGenerated(run_id, iteration.candidate)
        steps.append(((index, 0), made if base is None else Revised(run_id, iteration.candidate, base)))
        steps.append(((index, 1), Critiqued(run_id, iteration)))
        reflection = recorded.reflections.get(index)
        if reflection is not None:
            steps.append(((index, 2), Reflected(run_id, index, reflection)))
    made = [CandidateGenerated(run_id, one.candidate) for one in recorded.pending if one.base is None]
    steps += [((len(recorded.iterations), 0), one) for one in made]
    end = recorded.result() if path else None
    if end is not None:
        steps.append(((len(recorded.iterations), 3), RunStopped(run_id, end)))
    events = [event for _, event in sorted(steps, key=itemgetter(0))]
    return [placed(event, path) if path else event for event in events]


def missing_of_graph(
    recorded: RecordedGraph, loops: Mapping[str, RecordedRun], calls: Sequence[ModelCall] = ()
) -> list[GraphEvent]:
    """Return the events of the steps that a graph's journal, and those of its loops by path, have."""
    events: list[GraphEvent] = []
    for path, run in loops.items():
        events += missing_of_run(run, calls, path)
    events += [placed(ModelCalled(recorded.run_id, call), call.path) for call in calls if call.path not in loops]
    for path, line in recorded.nodes.items():
        if line.is_waiting:
            continue
        run = loops.get(path)
        node = node_result(line, None if run is None else run.result())
        events.append(NodeStopped(recorded.run_id, node, path=path))
    return events


def end_without_result(order: RunOrder, kind: str, message: str) -> GraphStopped | RunStopped:
    """Return the last event of a run that could not be carried out at all; the kind "cancelled" is its reason, too."""
    result = result_without_run(order, ErrorInfo(kind, message), is_cancelled=kind == "cancelled")
    return GraphStopped(order.run_id, result) if isinstance(result, GraphResult) else RunStopped(order.run_id, result)
