"""Runs in a journal, as reports: how they ended, and the questions that they wait for."""

from __future__ import annotations

from typing import Any, Final

from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import Recorded, RunStatus, status_of
from jido_ai.graph.record import NodeLine
from jido_ai.graph.results import GraphResult
from jido_ai.graph.served import Served
from jido_ai.loop.record import RecordedRun
from jido_ai.mcp.runs import RunReport
from jido_ai.runs.questions import Question
from jido_ai.text.plain_json import dumped
from jido_ai.values import ReflectionResult

SERVED_AS: Final = "served_as"
"""Key of a run's metadata: the name under which its pipeline or graph is served."""
_STATUSES: Final[dict[str, RunStatus]] = {
    "completed": "completed",
    "partial": "completed",
    "failed": "failed",
    "suspended": "suspended",
    "cancelled": "cancelled",
}
"""Of a recorded run of a graph; one that is interrupted goes on."""


def report_of(name: str, result: ReflectionResult | GraphResult, questions: tuple[Question, ...] = ()) -> RunReport:
    """Return the report of a run that ended."""
    return RunReport(
        run_id=result.run_id,
        kind="graph" if isinstance(result, GraphResult) else "pipeline",
        name=name,
        status=status_of(result),
        result=result.to_map() if isinstance(result, GraphResult) else dumped(result),
        questions=questions,
    )


async def reported(recorded: Recorded, served: Served | None) -> RunReport:
    """Return the report of a run in a journal.

    Args:
        served: graph of the run; without it a graph's run has no result.
    """
    name = str(recorded.metadata.get(SERVED_AS, ""))
    questions = recorded.questions
    if isinstance(recorded, RecordedRun):
        result = recorded.result()
        if result is not None:
            return report_of(name, result, questions)
        return RunReport(run_id=recorded.run_id, kind="pipeline", name=name, status="running")
    if recorded.is_over and isinstance(served, Graph):
        return report_of(name, await served.resume(recorded.run_id, recorded.scope))  # nothing is called
    partial: dict[str, Any] = {
        "run_id": recorded.run_id,
        "output": None,
        "status": recorded.status,
        "nodes": {path: _node_map(line) for path, line in recorded.nodes.items()},
        "error": None if recorded.end is None else dumped(recorded.end),
    }
    return RunReport(
        run_id=recorded.run_id,
        kind="graph",
        name=name,
        status=_STATUSES.get(recorded.status, "running"),
        result=partial,
        questions=questions,
    )


def _node_map(line: NodeLine) -> dict[str, Any]:
    status = "waiting" if line.is_waiting else "done" if line.error is None else "failed"
    error = None if line.error is None else dumped(line.error)
    return {"name": line.path, "status": status, "output": line.out, "error": error}
