"""The events of runs as a server keeps and sends them: numbering, doubles, what is missing after a crash, and what they
say of a run that goes on. Pure.

A server numbers the events of a run itself, from 1 without gaps, in the order in which it wrote them; an event is sent
only after it was written. After a crash a run goes on from its journal: what it tells again is left out, and what it
finished but had not told yet is added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from jido_ai.graph.events import GraphStopped, NodeStopped
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.loop.events import (
    CandidateGenerated,
    Critiqued,
    LessonsRetrieved,
    Reflected,
    Revised,
    RunEvent,
    RunStopped,
)
from jido_ai.loop.record import RecordedRun
from jido_ai.serve.entries import Order, Status
from jido_ai.values import ErrorInfo, ReflectionResult, StopReason

__all__ = [
    "EVENTS",
    "end_without_result",
    "is_last",
    "mark_of",
    "missing_of_graph",
    "missing_of_run",
    "partial_result",
    "status_of",
    "summary_of",
]

EVENTS: Final = "events"
_LAST: Final = frozenset({"RunStopped", "GraphStopped"})
_ONCE: Final = frozenset({"RunStarted", "GraphStarted", "LessonsRetrieved", "NodeStarted", "NodeStopped"})
_BY_CANDIDATE: Final = frozenset({"CandidateGenerated", "Revised"})
Told = Mapping[str, Any]
"""An event as JSON."""


def is_last(event: Told) -> bool:
    """Tell whether a run ends with an event; one that goes on after it has more."""
    return event["type"] in _LAST and not event.get("path")


def mark_of(event: Told, leg: int) -> tuple[Any, ...] | None:
    """Return what an event and its repetition have in common; None for an event that may come several times.

    Args:
        leg: how often the run had ended before.
    """
    kind, path = event["type"], str(event.get("path", "")).partition("/iteration ")[0]
    if kind in _ONCE or kind in _LAST:
        return kind, path, leg
    if kind in _BY_CANDIDATE:
        return "made", event["candidate"]["id"]
    if kind == "Critiqued":
        return kind, path, event["iteration"]["index"]
    if kind == "Reflected":
        return kind, path, event["index"]
    return None


# -- after a crash ---------------------------------------------------------------------------------


def missing_of_run(recorded: RecordedRun, path: str = "") -> list[Told]:
    """Return the events of the steps that a run's journal has, in order."""
    run_id = recorded.run_id
    events: list[RunEvent] = []
    if recorded.lessons is not None:
        events.append(LessonsRetrieved(run_id, recorded.lessons))
    known = {iteration.candidate.id: iteration.index for iteration in recorded.iterations}
    for iteration in recorded.iterations:
        base = known.get(iteration.candidate.parent_id or "")
        if base is None:
            events.append(CandidateGenerated(run_id, iteration.candidate))
        else:
            events.append(Revised(run_id, iteration.candidate, base))
        events.append(Critiqued(run_id, iteration))
        reflection = recorded.reflections.get(iteration.index)
        if reflection is not None:
            events.append(Reflected(run_id, iteration.index, reflection))
    for pending in recorded.pending:
        if pending.base is None:
            events.append(CandidateGenerated(run_id, pending.candidate))
    return [{**event.to_map(), **({"path": path} if path else {})} for event in events]


def missing_of_graph(recorded: RecordedGraph, loops: Mapping[str, RecordedRun]) -> list[Told]:
    """Return the events of the steps that a graph's journal, and those of its loops by path, have."""
    events: list[Told] = []
    for path, run in loops.items():
        events += missing_of_run(run, path)
    for path, line in recorded.nodes.items():
        if line.is_waiting:
            continue
        run = loops.get(path)
        result = None if run is None else run.result()
        best = None if result is None else result.best_candidate
        node = NodeResult(
            name=path,
            status="failed" if line.error is not None else "done",
            output=line.out if best is None else best.content,
            score=line.critique.score if line.critique is not None else (None if best is None else best.score),
            stop_reason=None if result is None else result.stop_reason.value,
            result=result or line.critique,
            error=line.error,
            attempts=line.attempts,
            usage=line.usage if result is None else result.usage,
            started=line.started,
            duration_s=line.duration_s,
            warnings=line.warnings,
        )
        events.append(NodeStopped(recorded.run_id, node, path=path).to_map())
    return events


def end_without_result(order: Order, kind: str, message: str) -> Told:
    """Return the last event of a run that could not be carried out at all."""
    error = ErrorInfo(kind, message)
    if order.kind == "graph":
        return GraphStopped(order.run_id, GraphResult(order.run_id, None, "failed", {}, error=error)).to_map()
    result = ReflectionResult(
        run_id=order.run_id,
        prompt=order.prompt or "",
        best_candidate=None,
        iterations=(),
        findings=(),
        stop_reason=StopReason.ERROR,
        error=error,
    )
    return RunStopped(order.run_id, result).to_map()


# -- what they say ---------------------------------------------------------------------------------


def status_of(order: Order, result: Mapping[str, Any]) -> Status:
    """Return the status of a run that ended with a result."""
    if order.kind == "graph":
        return "completed" if result["status"] == "partial" else result["status"]
    match result["stop_reason"]:
        case "suspended":
            return "suspended"
        case "cancelled":
            return "cancelled"
        case "error":
            return "failed"
        case _:
            return "completed" if result["best_candidate"] is not None else "failed"


def summary_of(order: Order, result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result in few words."""
    usage: Mapping[str, Any] = result.get("usage") or {}
    summary: dict[str, Any] = {
        "stop_reason": None,
        "score": None,
        "severity": None,
        "iterations": 0,
        "calls": usage.get("calls", 0),
        "tokens": usage.get("input_tokens", 0) + usage.get("output_tokens", 0),
        "cost_usd": usage.get("cost_usd", 0.0),
        "duration_s": result.get("duration_s", 0.0),
    }
    if order.kind == "graph":
        nodes: Mapping[str, Any] = result.get("nodes") or {}
        scores = [node["score"] for node in nodes.values() if node.get("score") is not None]
        count = sum(_iterations_of(node) for node in nodes.values())
        stop = result.get("status")
        return {**summary, "stop_reason": stop, "score": scores[-1] if scores else None, "iterations": count}
    best: Mapping[str, Any] = result.get("best_candidate") or {}
    iterations: Sequence[Any] = result.get("iterations") or ()
    judged = [one["critique"] for one in iterations if one["candidate"]["id"] == best.get("id")]
    return {
        **summary,
        "stop_reason": result.get("stop_reason"),
        "score": best.get("score"),
        "severity": judged[-1]["severity"] if judged else None,
        "iterations": len(iterations),
    }


def _iterations_of(node: Mapping[str, Any]) -> int:
    inside: Mapping[str, Any] = node.get("result") or {}
    return len(inside.get("iterations", ()))


def partial_result(order: Order, events: Iterable[Told]) -> dict[str, Any]:
    """Return the result so far of a run that goes on; its `stop_reason` (status of a graph) is still open."""
    return _partial_graph(order, events) if order.kind == "graph" else _partial_run(order, events)


def _partial_run(order: Order, events: Iterable[Told]) -> dict[str, Any]:
    iterations: list[Any] = []
    lessons: Sequence[Any] = ()
    reflections: list[Any] = []
    for event in events:
        match event["type"]:
            case "Critiqued":
                iterations.append(event["iteration"])
            case "LessonsRetrieved":
                lessons = event["lessons"]
            case "Reflected":
                reflections.append(event["reflection"])
            case _:
                pass
    judged = [one for one in iterations if not one["broken"]]
    best = max(judged, key=lambda one: (one["candidate"]["score"] or 0.0, -one["index"]), default=None)
    return {
        "run_id": order.run_id,
        "prompt": order.prompt,
        "best_candidate": None if best is None else best["candidate"],
        "iterations": iterations,
        "findings": [],
        "stop_reason": None,
        "converged": False,
        "evidence": {},
        "error": None,
        "lessons_used": lessons,
        "lessons_stored": [],
        "usage": _sum([one["usage"] for one in iterations]),
        "duration_s": sum(one["duration_s"] for one in iterations),
        "reflections": reflections,
        "reflections_skipped": 0,
    }


def _partial_graph(order: Order, events: Iterable[Told]) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for event in events:
        path = str(event.get("path", "")).partition("/iteration ")[0]
        match event["type"]:
            case "NodeStarted":
                nodes[path] = {"name": path, "status": "running", "output": None, "score": None, "result": None}
            case "NodeStopped":
                nodes[path] = event["result"]
            case "Critiqued" if nodes.get(path, {}).get("status") == "running":
                node = nodes[path]
                before: list[Any] = [] if node["result"] is None else node["result"]["iterations"]
                score = event["iteration"]["candidate"]["score"]
                nodes[path] = {**node, "score": score, "result": {"iterations": [*before, event["iteration"]]}}
            case _:
                pass
    usages = [node["usage"] for path, node in nodes.items() if "usage" in node and "/" not in path and "[" not in path]
    return {
        "run_id": order.run_id,
        "output": None,
        "status": "running",
        "nodes": nodes,
        "usage": _sum(usages),
        "duration_s": 0.0,
        "error": None,
    }


def _sum(usages: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    total: dict[str, Any] = {"calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0, "unpriced_calls": 0}
    for usage in usages:
        for name in total:
            total[name] += usage.get(name, 0)
    return total
