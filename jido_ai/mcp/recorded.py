"""Runs in a journal, as reports: how they ended, and the questions that they wait for."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from jido_ai.errors import NotFoundError
from jido_ai.graph.graph import Graph
from jido_ai.graph.record import NodeLine, RecordedGraph, read_graph
from jido_ai.graph.results import GraphResult
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.record import RecordedRun
from jido_ai.loop.state import Pending
from jido_ai.mcp.runs import Question, RunReport, RunStatus, Thing
from jido_ai.text.plain_json import dumped
from jido_ai.values import ReflectionResult, Scope, StopReason

__all__ = ["SERVED_AS", "questions_of", "recorded_run", "report_of", "reported"]

SERVED_AS: Final = "served_as"
"""Key of a run's metadata: the name under which its pipeline or graph is served."""
Recorded = RecordedRun | RecordedGraph
_OF_GRAPH: Final[dict[str, RunStatus]] = {
    "completed": "completed",
    "partial": "completed",
    "failed": "failed",
    "suspended": "suspended",
    "cancelled": "cancelled",
}


def report_of(name: str, result: ReflectionResult | GraphResult, questions: tuple[Question, ...] = ()) -> RunReport:
    """Return the report of a run that ended."""
    if isinstance(result, GraphResult):
        status = _OF_GRAPH[result.status]
        return RunReport(
            run_id=result.run_id, kind="graph", name=name, status=status, result=result.to_map(), questions=questions
        )
    return RunReport(
        run_id=result.run_id,
        kind="pipeline",
        name=name,
        status=_status_of(result),
        result=dumped(result),
        questions=questions,
    )


def _status_of(result: ReflectionResult) -> RunStatus:
    match result.stop_reason:
        case StopReason.SUSPENDED:
            return "suspended"
        case StopReason.CANCELLED:
            return "cancelled"
        case StopReason.ERROR:
            return "failed"
        case _:
            return "completed" if result.best_candidate is not None else "failed"


async def recorded_run(journal: RunJournal, run_id: str, scope: Scope) -> Recorded | None:
    """Return a run of a pipeline or a graph; None if the journal has none of that id and scope.

    Raises:
        StoreDamagedError, StoreVersionError: it cannot be read.
    """
    try:
        records = await journal.records(run_id, scope)
    except NotFoundError:
        return None
    if any(one.kind == "graph" for one in records):
        return read_graph(run_id, records[0].scope, [(one.kind, one.data) for one in records])
    return await journal.load(run_id, scope)


async def reported(recorded: Recorded, thing: Thing | None, journal: RunJournal) -> RunReport:
    """Return the report of a run in a journal.

    Args:
        thing: graph of the run; without it a graph's run has no result.
    """
    name = str(recorded.metadata.get(SERVED_AS, ""))
    questions = await questions_of(recorded, journal)
    if isinstance(recorded, RecordedRun):
        result = recorded.result()
        if result is not None:
            return report_of(name, result, questions)
        return RunReport(run_id=recorded.run_id, kind="pipeline", name=name, status="running")
    if recorded.is_over and isinstance(thing, Graph):
        return report_of(name, await thing.resume(recorded.run_id, recorded.scope))  # nothing is called
    partial: dict[str, Any] = {
        "run_id": recorded.run_id,
        "output": None,
        "status": recorded.status,
        "nodes": {path: _node_map(line) for path, line in recorded.nodes.items()},
        "error": None if recorded.end is None else dumped(recorded.end),
    }
    status = _OF_GRAPH.get(recorded.status, "running")
    return RunReport(
        run_id=recorded.run_id, kind="graph", name=name, status=status, result=partial, questions=questions
    )


def _node_map(line: NodeLine) -> dict[str, Any]:
    status = "waiting" if line.is_waiting else "done" if line.error is None else "failed"
    error = None if line.error is None else dumped(line.error)
    return {"name": line.path, "status": status, "output": line.out, "error": error}


async def questions_of(recorded: Recorded, journal: RunJournal) -> tuple[Question, ...]:
    """Return the decisions that a run waits for; in a graph those of approval nodes and of loops."""
    if isinstance(recorded, RecordedRun):
        waiting = recorded.waiting
        return () if waiting is None else (_question_of(recorded, waiting, ""),)
    questions: list[Question] = []
    for path in recorded.waiting:
        line = recorded.nodes[path]
        if line.kind == "approval":
            text = line.out if isinstance(line.out, str) else ""
            digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
            questions.append(Question(id=f"{path}:{digest}", path=path, text=text))
        elif line.kind == "loop":
            inside = await journal.load(f"{recorded.run_id}/{path}", recorded.scope)
            if inside.waiting is not None:
                questions.append(_question_of(inside, inside.waiting, path))
    return tuple(questions)


def _question_of(recorded: RecordedRun, waiting: Pending, path: str) -> Question:
    base = None if waiting.base is None else recorded.iterations[waiting.base]
    feedback = "" if base is None else base.critique.as_feedback()
    return Question(id=f"{path}:{waiting.candidate.id}", path=path, text=waiting.candidate.content, feedback=feedback)
