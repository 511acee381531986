"""Runs of a `Graph` inside of a framework: the question of a node that waits for a person, and a summary."""

from __future__ import annotations

from typing import Any

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.orders import DRAFT, recorded_run
from jido_ai.graph.record import RecordedGraph
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.loop.journal import RunJournal
from jido_ai.values import ReflectionResult, Scope

__all__ = ["first_waiting", "graph_question", "graph_summary"]


async def graph_question(graph: Graph, result: GraphResult, scope: Scope | None = None) -> dict[str, Any]:
    """Return the question of a suspended run for a person, JSON-ready: of several nodes that wait, the first.

    "node" is its path, "revision" the text to approve; the other keys are those of the question of a pipeline.
    """
    recorded = await _recorded(graph, result.run_id, scope)
    question: dict[str, Any] = {
        "type": "approval",
        "run_id": result.run_id,
        "prompt": "",
        "revision": None,
        "revision_id": None,
        "best": None,
        "feedback": "",
    }
    if recorded is None or not recorded.waiting:
        return question
    path = recorded.waiting[0]
    prompts = [value for name, value in recorded.inputs.items() if name != DRAFT]
    question |= {"prompt": prompts[0] if len(prompts) == 1 else dict(recorded.inputs), "node": path}
    text = recorded.nodes[path].out
    if text is None and graph.memory is not None:  # a loop, with a journal of its own
        loop = await RunJournal(graph.memory).load(f"{result.run_id}/{path}", scope)
        text = None if loop.waiting is None else loop.waiting.candidate.content
    return question | {"revision": text}


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
    return own + [loop for one in (*node.items, *node.nodes.values()) for loop in _loops(one)]


async def first_waiting(graph: Graph, run_id: str, scope: Scope | None) -> str:
    """Return the path of the first node that waits for a person. Raises `ConfigurationError` if none does."""
    recorded = await _recorded(graph, run_id, scope)
    if recorded is None or not recorded.waiting:
        raise ConfigurationError(f"run {run_id!r} waits for no decision")
    return recorded.waiting[0]


async def _recorded(graph: Graph, run_id: str, scope: Scope | None) -> RecordedGraph | None:
    recorded = None if graph.memory is None else await recorded_run(RunJournal(graph.memory), run_id, scope or Scope())
    return recorded if isinstance(recorded, RecordedGraph) else None
