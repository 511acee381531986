"""Runs of a `Graph` inside of a framework: a prompt as its inputs, questions of its approval nodes, a summary."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Any, Final

from jido_ai.errors import ConfigurationError
from jido_ai.graph.decisions import Decision
from jido_ai.graph.events import GraphEvent, GraphStopped
from jido_ai.graph.graph import Graph
from jido_ai.graph.record import RecordedGraph, read_graph
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.loop.journal import RunJournal
from jido_ai.values import ReflectionResult, Scope

__all__ = ["advance_graph", "check_inputs", "graph_question", "graph_summary", "inputs_of"]

_DRAFT: Final = "draft"


def check_inputs(graph: Graph, *, judges: bool = False) -> None:
    """Check that a prompt, and a draft if there is one, can be the inputs of a graph.

    Args:
        judges: there is always a draft.

    Raises:
        ConfigurationError: the graph has other inputs.
    """
    others = [name for name in graph.inputs if name != _DRAFT]
    given = ", ".join(graph.inputs) or "none"
    if len(others) > 1:
        raise ConfigurationError(
            f"a graph is given a prompt, and may have the input {_DRAFT!r}; its inputs are {given}"
        )
    if judges and _DRAFT not in graph.inputs:
        raise ConfigurationError(f"a graph that judges a draft needs the input {_DRAFT!r}; its inputs are {given}")


def inputs_of(graph: Graph, prompt: str, draft: str | None) -> dict[str, str]:
    """Return the inputs of a run: the draft under "draft", if the graph has such an input, the prompt under the other.

    Without a draft, the input "draft" is empty.

    Raises:
        ConfigurationError: the graph has other inputs, or none for the draft.
    """
    check_inputs(graph, judges=draft is not None)
    return {name: (draft or "") if name == _DRAFT else prompt for name in graph.inputs}


async def advance_graph(
    graph: Graph,
    inputs: Mapping[str, Any],
    *,
    run_id: str | None = None,
    scope: Scope | None = None,
    approve: Callable[..., object] | None = None,
    decision: Decision | None = None,
    emit: Callable[[GraphEvent], object] | None = None,
) -> GraphResult:
    """Run, or continue the run of that id if the journal has one, and pass its events on.

    Args:
        approve: asked by every approval node; None: each asks by its own `approve`, or suspends the run.
        decision: answers the first node that waits.
        emit: called with each event, in the event loop.

    Raises:
        ConfigurationError: a node waits for a person, and the graph has no journal to keep the run in.
        JidoError: as `Graph.run` and `Graph.resume`.
    """
    is_known = run_id is not None and graph.memory is not None
    if is_known and decision is None and run_id is not None and graph.memory is not None:
        is_known = await RunJournal(graph.memory).has(run_id, scope or Scope())
    events: AsyncGenerator[GraphEvent]
    if is_known and run_id is not None:
        answers = None if decision is None else {await _first_waiting(graph, run_id, scope): decision}
        events = graph.stream_resumed(run_id, scope, decision=answers, approve=approve)
    else:
        events = graph.stream(inputs, run_id=run_id, scope=scope, approve=approve)
    result: GraphResult | None = None
    async with aclosing(events):
        async for event in events:
            if emit is not None:
                emit(event)
            if isinstance(event, GraphStopped):
                result = event.result
    assert result is not None
    if result.status == "suspended" and graph.memory is None:
        raise ConfigurationError("a node waits for a person, which needs a journal: give the graph a memory")
    return result


async def graph_question(graph: Graph, result: GraphResult, scope: Scope | None = None) -> dict[str, Any]:
    """Return the question to a person about a suspended run, JSON-ready: of the first node that waits.

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
    prompts = [value for name, value in recorded.inputs.items() if name != _DRAFT]
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


async def _first_waiting(graph: Graph, run_id: str, scope: Scope | None) -> str:
    recorded = await _recorded(graph, run_id, scope)
    if recorded is None or not recorded.waiting:
        raise ConfigurationError(f"run {run_id!r} waits for no decision")
    return recorded.waiting[0]


async def _recorded(graph: Graph, run_id: str, scope: Scope | None) -> RecordedGraph | None:
    if graph.memory is None or not await RunJournal(graph.memory).has(run_id, scope or Scope()):
        return None
    records = await RunJournal(graph.memory).records(run_id, scope)
    return read_graph(run_id, records[0].scope, [(one.kind, one.data) for one in records])
