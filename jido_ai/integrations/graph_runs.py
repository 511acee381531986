"""Runs of a `Graph` inside of a framework: the question of a node that waits for a person, and a summary."""

from __future__ import annotations

from typing import Any

from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import DRAFT, recorded_run
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.values import ReflectionResult, Scope


async def graph_question(graph: Graph, run_id: str, scope: Scope | None = None) -> dict[str, Any]:
    """Return the question of a suspended run for a person, JSON-ready: of several nodes that wait, the first.

    "node" is its path, "revision" the text to approve, "note" why it is asked again; the other keys are those of the
    question of a pipeline.
    """
    question: dict[str, Any] = {
        "type": "approval",
        "run_id": run_id,
        "id": None,
        "prompt": "",
        "revision": None,
        "revision_id": None,
        "best": None,
        "feedback": "",
    }
    recorded = None
    if graph.journal is not None:
        recorded = await recorded_run(graph.journal, run_id, scope or Scope())
    if not isinstance(recorded, RecordedGraph) or not recorded.questions:
        return question
    asked = recorded.questions[0]
    prompts = [value for name, value in recorded.inputs.items() if name != DRAFT]
    prompt = prompts[0] if len(prompts) == 1 else dict(recorded.inputs)
    told = {"id": asked.id, "prompt": prompt, "node": asked.path, "revision": asked.text, "note": asked.note}
    return question | told


def graph_summary(result: GraphResult) -> dict[str, Any]:
    """Return how a run ended, JSON-ready and small, with the keys of the summary of a pipeline's run.

    "stop_reason" is the status, "iterations" and "open_issues" are those of all loops, "score" that of the output.
    """
    loops = [loop for node in result.nodes.values() for loop in _loops(node)]
    last = (node for node in reversed(list(result.nodes.values())) if node.output is result.output is not None)
    shown = next(last, None)
    return {
        "run_id": result.run_id,
        "stop_reason": result.status,
        "converged": result.status == "completed",
        "iterations": sum(loop.total_iterations for loop in loops),
        "score": None if shown is None else shown.score,
        "open_issues": [issue.message for loop in loops for issue in loop.open_issues],
        "usage": result.usage.model_dump(mode="json"),
    }


def _loops(node: NodeResult) -> list[ReflectionResult]:
    own = [node.result] if isinstance(node.result, ReflectionResult) else []
    return own + [loop for item in (*node.items, *node.nodes.values()) for loop in _loops(item)]
