"""Summaries of runs, and the results so far of runs in flight, as a server shows them. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from jido_ai.graph.orders import RunOrder
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.serve.events import PublicEvent, loop_of
from jido_ai.serve.run_rows import MOST_SEARCHED
from jido_ai.values import Candidate, ReflectionResult
from jido_ai.values.model_call import failed_free


def summary_of(result: ReflectionResult | GraphResult) -> dict[str, Any]:
    """Return the summary of a result."""
    usage = result.usage
    summary: dict[str, Any] = {
        "calls": usage.calls,
        "failed_calls": failed_free(result.calls),
        "tokens": usage.input_tokens + usage.output_tokens,
        **_cost(usage.cost_usd, usage.unpriced_calls),
        "duration_s": result.duration_s,
    }
    if isinstance(result, GraphResult):
        loops = list(_loops_of(result.nodes.values()))
        scores = [node.score for node in result.nodes.values() if node.score is not None]
        iterations = sum(len(loop.iterations) for loop in loops)
        score = scores[-1] if scores else None
        return {"stop_reason": result.status, "score": score, "severity": None, "iterations": iterations, **summary}
    best = result.best_candidate
    judged = [
        iteration.critique.severity
        for iteration in result.iterations
        if best is not None and iteration.candidate.id == best.id
    ]
    return {
        "stop_reason": result.stop_reason.value,
        "score": None if best is None else best.score,
        "severity": judged[-1] if judged else None,
        "iterations": len(result.iterations),
        **summary,
    }


def answer_of(result: ReflectionResult | GraphResult) -> str | None:
    """Return the beginning of the answer, as it is searched; None without one."""
    answer: object = result.output if isinstance(result, GraphResult) else result.answer
    if answer is None:
        return None
    text = answer.content if isinstance(answer, Candidate) else answer
    return (text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str))[:MOST_SEARCHED]


def _cost(known_usd: float, unpriced_calls: int) -> dict[str, Any]:
    """Return the cost; `cost_usd` is None if it is only partly known."""
    return {"cost_usd": None if unpriced_calls else known_usd, "known_usd": known_usd, "unpriced_calls": unpriced_calls}


def _loops_of(nodes: Iterable[NodeResult]) -> Iterator[ReflectionResult]:
    for node in nodes:
        if isinstance(node.result, ReflectionResult):
            yield node.result
        yield from _loops_of(node.items)
        yield from _loops_of(node.nodes.values())


def summary_so_far(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the summary of a partial result; see `partial_result`."""
    usage = result["usage"]
    summary: dict[str, Any] = {
        "stop_reason": None,
        "score": None,
        "severity": None,
        "calls": usage["calls"],
        "failed_calls": 0,
        "tokens": usage["input_tokens"] + usage["output_tokens"],
        **_cost(usage["cost_usd"], usage["unpriced_calls"]),
        "duration_s": result["duration_s"],
    }
    if "nodes" in result:
        nodes: Mapping[str, Any] = result["nodes"]
        scores = [node["score"] for node in nodes.values() if node.get("score") is not None]
        count = sum(_iterations_of(node) for node in nodes.values())
        return {**summary, "score": scores[-1] if scores else None, "iterations": count}
    best, iterations = result["best_candidate"], result["iterations"]
    judged = [
        iteration["critique"]
        for iteration in iterations
        if best is not None and iteration["candidate"]["id"] == best["id"]
    ]
    return {
        **summary,
        "score": None if best is None else best["score"],
        "severity": judged[-1]["severity"] if judged else None,
        "iterations": len(iterations),
    }


def _iterations_of(node: Mapping[str, Any]) -> int:
    inside: Mapping[str, Any] = node.get("result") or {}
    return len(inside.get("iterations", ()))


def partial_result(order: RunOrder, events: Iterable[PublicEvent]) -> dict[str, Any]:
    """Return the result so far of a run in flight, without a `stop_reason`; the status of a graph is "running"."""
    return _partial_graph(order, events) if order.kind == "graph" else _partial_run(order, events)


def _partial_run(order: RunOrder, events: Iterable[PublicEvent]) -> dict[str, Any]:
    iterations: list[Any] = []
    lessons: Sequence[Any] = ()
    examples: Sequence[str] = ()
    reflections: list[Any] = []
    unjudged: Any = None
    for event in events:
        match event["type"]:
            case "CandidateGenerated":
                unjudged = event["candidate"]
            case "Critiqued":
                iterations.append(event["iteration"])
            case "LessonsRetrieved":
                lessons, examples = event["lessons"], event.get("examples", ())
            case "Reflected":
                reflections.append(event["reflection"])
            case _:
                pass
    judged = [iteration for iteration in iterations if not iteration["broken"]]
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
        "usage": _sum([iteration["usage"] for iteration in iterations]),
        "duration_s": sum(iteration["duration_s"] for iteration in iterations),
        "reflections": reflections,
        "reflections_skipped": 0,
        "unjudged": None if iterations else unjudged,
        "examples_used": list(examples),
        "held_out": False,
    }


def _partial_graph(order: RunOrder, events: Iterable[PublicEvent]) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for event in events:
        path = loop_of(event)
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
