"""Events of a run, read from its journal on any machine. Pure.

They are numbered in the order of the journal, from 1 without gaps, whoever asks. A line that a crash repeated is one
event. Restarts of components are not in the journal; events inside the loops of a graph are in the journals of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from jido_ai.values.record import Record

_LAST: Final = frozenset({"RunStopped", "GraphStopped"})


def events_in(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the events of a run, as `event.to_map()` has them, from the lines of its journal in order of writing."""
    events: list[dict[str, Any]] = []
    seen: set[tuple[Any, ...]] = set()
    candidates: dict[int, Mapping[str, Any]] = {}
    judged: dict[int, int] = {}
    for record in records:
        mark, event = _event_of(record, candidates, judged)
        if event is None or mark in seen:
            continue
        if event["type"] not in _LAST:
            seen.add(mark)
        head = {"type": event.pop("type"), "seq": len(events) + 1, "at": record.timestamp.isoformat()}
        events.append({**head, "run_id": record.key, **event})
    return events


def is_end(event: Mapping[str, Any]) -> bool:
    """Tell whether a run ends with an event; a resumed run has more."""
    return event["type"] in _LAST


def _event_of(
    record: Record, candidates: dict[int, Mapping[str, Any]], judged: dict[int, int]
) -> tuple[tuple[Any, ...], dict[str, Any] | None]:
    """Return the identity of an event, and the event; None for a line without one."""
    data = record.data
    match record.kind:
        case "started":
            return ("started",), {"type": "RunStarted", "prompt": data["prompt"]}
        case "lessons":
            examples = [one["id"] for one in data.get("examples", ())]
            return ("lessons",), {"type": "LessonsRetrieved", "lessons": data["lessons"], "examples": examples}
        case "candidate":
            slot, base = data["slot"], data["base"]
            candidates[slot] = {name: value for name, value in data["candidate"].items() if name != "sha256"}
            if base is None:
                return ("candidate", slot), {"type": "CandidateGenerated", "candidate": candidates[slot]}
            return ("candidate", slot), {"type": "Revised", "candidate": candidates[slot], "base": base}
        case "judged":
            slot = data["slot"]
            index = judged.setdefault(slot, len(judged))
            candidate = {**candidates.get(slot, {}), "score": data["score"]}
            kept = ("critique", "change", "gain", "duration_s", "usage")
            iteration = {"index": index, "candidate": candidate, **{name: data[name] for name in kept}}
            return ("judged", slot), {"type": "Critiqued", "iteration": iteration}
        case "reflected" if data["reflection"] is not None:
            index = data["index"]
            return ("reflected", index), {"type": "Reflected", "index": index, "reflection": data["reflection"]}
        case "stopped" if "evidence" in data:
            end = {name: data[name] for name in ("evidence", "error", "best", "duration_s")}
            return ("stopped",), {"type": "RunStopped", "result": {"stop_reason": data["reason"], **end}}
        case "graph":
            return ("graph",), {"type": "GraphStarted", "inputs": data["inputs"]}
        case "node" | "waiting":
            path = data["path"]
            status = "waiting" if record.kind == "waiting" else "failed" if data.get("error") else "done"
            result = {"name": path, "status": status, "output": data["out"], "error": data.get("error")}
            return (record.kind, path), {"type": "NodeStopped", "path": path, "result": result}
        case "stopped":
            end = {"error": data["end"], "duration_s": data["duration_s"]}
            return ("stopped",), {"type": "GraphStopped", "result": {"status": data["reason"], **end}}
        case _:
            return ("",), None
