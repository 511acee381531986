"""OpenAPI schemas of bodies and answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pydantic import TypeAdapter

from jido_ai.serve.bodies import (
    ChatMessage,
    ChatRequest,
    CritiqueRequest,
    DecisionRequest,
    EntryRequest,
    GenerateRequest,
    NoteRequest,
    ResumeRequest,
    RunRequest,
)
from jido_ai.serve.entries import STATUSES
from jido_ai.values import CritiqueResult, Iteration, MemoryEntry, ModelCall, ReflectionResult

__all__ = ["components"]

_REF: Final = "#/components/schemas/{model}"
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_TIME: Final = {"type": "string", "format": "date-time"}
_ANY: Final[dict[str, Any]] = {}
_REQUESTS: Final = (
    RunRequest,
    ResumeRequest,
    DecisionRequest,
    NoteRequest,
    CritiqueRequest,
    EntryRequest,
    GenerateRequest,
    ChatMessage,
    ChatRequest,
)


def components(names: tuple[Sequence[str], Sequence[str]]) -> dict[str, Any]:
    """Return all schemas by name.

    Args:
        names: of the pipelines, and of the graphs.
    """
    pipelines, graphs = names
    schemas: dict[str, Any] = {}
    for model in _REQUESTS:
        _add(schemas, model.__name__, TypeAdapter(model).json_schema(ref_template=_REF))
    for kind in (ReflectionResult, MemoryEntry, CritiqueResult, Iteration, ModelCall):
        schema = TypeAdapter(kind).json_schema(mode="serialization", ref_template=_REF)
        _add(schemas, kind.__name__, schema)
    run = schemas["RunRequest"]["properties"]
    run["pipeline"], run["graph"] = {"enum": [*pipelines, None]}, {"enum": [*graphs, None]}
    schemas["CritiqueRequest"]["properties"]["pipeline"] = {"enum": [*pipelines]}
    schemas["ChatRequest"]["properties"]["model"] = {"enum": [*pipelines, *graphs]}
    schemas["PartialReflectionResult"] = _partial(schemas["ReflectionResult"])
    return {**schemas, **_ANSWERS}


def _add(schemas: dict[str, Any], name: str, schema: dict[str, Any]) -> None:
    schemas.update(schema.pop("$defs", {}))
    schemas[name] = schema


def _partial(whole: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of the result of a run that has not ended: its stop reason is still open."""
    properties = {**whole["properties"], "stop_reason": {"type": "null"}, "usage": {"type": "object"}}
    return {**whole, "title": "PartialReflectionResult", "properties": properties}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def _named(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


_ERROR: Final = _object(kind=_TEXT, message=_TEXT, component=_maybe(_TEXT))
_GRAPH_RESULT: Final = _object(
    run_id=_TEXT, output=_ANY, status=_TEXT, nodes={"type": "object"}, usage={"type": "object"}, error=_maybe(_ERROR)
)
_COST: Final = {**_maybe(_NUMBER), "description": "Null if it is not known, or only a part of it: see known_usd."}
_SUMMARY: Final = _object(
    stop_reason=_maybe(_TEXT),
    score=_maybe(_NUMBER),
    severity=_maybe(_NUMBER),
    iterations=_COUNT,
    calls=_COUNT,
    tokens=_COUNT,
    cost_usd=_COST,
    known_usd=_NUMBER,
    unpriced_calls=_COUNT,
    duration_s=_NUMBER,
)
_RUN: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "run_id": _TEXT,
        "kind": {"type": "string", "enum": ["pipeline", "graph"]},
        "name": _TEXT,
        "status": {"type": "string", "enum": list(STATUSES)},
        "prompt": {**_TEXT, "description": "Of a pipeline."},
        "inputs": {"type": "object", "description": "Of a graph."},
        "initial_candidate": _maybe(_TEXT),
        "metadata": _maybe({"type": "object"}),
        "result": {
            "anyOf": [
                _named("ReflectionResult"),
                _named("PartialReflectionResult"),
                _named("GraphResult"),
                {"type": "null"},
            ],
            "description": "Partial while the run goes on: stop_reason (status of a graph) is still open then.",
        },
        "waiting": {
            **_list(_object(node=_TEXT, candidate=_maybe(_named("Candidate")))),
            "description": "Of a suspended run that is read by itself: the nodes that wait for a decision.",
        },
        "summary": _maybe(_named("Summary")),
        "error": _maybe(_ERROR),
        "notes": {
            **_maybe(_object(thumb={"enum": ["up", "down", None]}, note=_TEXT, at=_TIME)),
            "description": "A person's opinion.",
        },
        "created_at": _TIME,
        "updated_at": _TIME,
        "links": _object(self=_TEXT, events=_TEXT, cancel=_TEXT),
    },
    "required": ["run_id", "kind", "name", "status", "result", "error", "created_at", "updated_at", "links"],
    "example": {
        "run_id": "run-1",
        "kind": "pipeline",
        "name": "answer",
        "status": "queued",
        "prompt": "What is a supervision tree?",
        "initial_candidate": None,
        "metadata": None,
        "result": None,
        "summary": None,
        "error": None,
        "notes": None,
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": "2026-01-01T00:00:00+00:00",
        "links": {"self": "/v1/runs/run-1", "events": "/v1/runs/run-1/events", "cancel": "/v1/runs/run-1/cancel"},
    },
}
_SUMS: Final = _object(
    runs=_COUNT, calls=_COUNT, tokens=_COUNT, cost_usd=_COST, known_usd=_NUMBER, unpriced_calls=_COUNT
)
_TREE: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "name": _TEXT,
        "kind": _TEXT,
        "status": _TEXT,
        "restarts": _COUNT,
        "reason": {**_TEXT, "description": "Why it was restarted last."},
        "mailbox": _COUNT,
        "messages": {**_COUNT, "description": "Handled since it last started."},
        "count": {**_COUNT, "description": "Of the children, also where they are not shown."},
        "children": _list(_named("Tree")),
    },
    "required": ["name", "kind", "status", "restarts", "mailbox", "messages", "children"],
}
_CHOICE: Final = _object(index=_COUNT, message={"type": "object"}, finish_reason=_TEXT)
_ANSWERS: Final[dict[str, Any]] = {
    "Problem": {
        "type": "object",
        "properties": {
            "type": {**_TEXT, "description": "Stable; urn:jido:KIND."},
            "title": _TEXT,
            "status": _COUNT,
            "detail": _TEXT,
            "field": {**_TEXT, "description": "Of the request, if one is to blame."},
        },
        "required": ["type", "title", "status", "detail"],
    },
    "OpenAIError": _object(error=_object(message=_TEXT, type=_TEXT, param=_maybe(_TEXT), code=_maybe(_TEXT))),
    "Run": _RUN,
    "Runs": _object(
        data=_list(_named("Run")),
        next_cursor=_maybe(_TEXT),
        figures={
            **_object(
                runs=_COUNT,
                failed=_COUNT,
                error_rate=_maybe(_NUMBER),
                p50_s=_maybe(_NUMBER),
                p95_s=_maybe(_NUMBER),
            ),
            "description": "Of all runs that fit, on all pages; error_rate: failed of failed and completed.",
        },
    ),
    "Calls": _object(data=_list(_named("ModelCall")), next_cursor=_maybe(_TEXT)),
    "Summary": _SUMMARY,
    "GraphResult": _GRAPH_RESULT,
    "Critique": {
        "type": "object",
        "description": "A CritiqueResult with its score, and whether the pipeline would accept it.",
        "properties": {"severity": _NUMBER, "score": _NUMBER, "accepted": {"type": "boolean"}},
        "required": ["severity", "score", "accepted"],
    },
    "Found": _object(data=_list(_object(entry=_named("MemoryEntry"), similarity=_NUMBER)), counts={"type": "object"}),
    "Entries": _object(data=_list(_named("MemoryEntry")), next_cursor=_maybe(_TEXT), counts={"type": "object"}),
    "Entry": _named("MemoryEntry"),
    "Forgotten": _object(forgotten=_COUNT),
    "Stats": _object(
        entries=_COUNT,
        kinds={"type": "object", "additionalProperties": _COUNT},
        uses=_COUNT,
        successes=_COUNT,
        conflicts=_COUNT,
        scope=_object(tenant=_TEXT, project=_TEXT),
    ),
    "GeneratedReflection": _object(
        reflection_id=_TEXT,
        text=_TEXT,
        strategy=_maybe(_TEXT),
        importance=_NUMBER,
        confidence=_NUMBER,
        tags=_list(_TEXT),
    ),
    "Models": _object(object=_TEXT, data=_list(_object(id=_TEXT, object=_TEXT, created=_COUNT, owned_by=_TEXT))),
    "ChatCompletion": _object(
        id=_TEXT,
        object=_TEXT,
        created=_COUNT,
        model=_TEXT,
        choices=_list(_CHOICE),
        usage={"type": "object"},
        jido={"type": "object"},
    ),
    "Health": _object(status=_TEXT),
    "Ready": _object(
        status=_TEXT,
        store=_TEXT,
        models={"type": "object", "additionalProperties": _TEXT},
        things={"type": "object", "additionalProperties": _TEXT},
    ),
    "Things": _object(
        data=_list(
            {
                **_object(name=_TEXT, kind={"enum": ["pipeline", "graph"]}, inputs=_list(_TEXT)),
                "description": "A graph has nodes, and edges: pairs of a source and a target. A pipeline has limits.",
            }
        )
    ),
    "Tree": _TREE,
    "Queues": _object(
        data=_list(
            _object(
                name=_TEXT,
                waiting=_COUNT,
                running=_COUNT,
                workers=_list(
                    _object(
                        id=_TEXT,
                        status={"enum": ["running", "silent", "gone"]},
                        running=_COUNT,
                        concurrency=_COUNT,
                        release=_TEXT,
                        names=_list(_TEXT),
                        silent_s=_NUMBER,
                    )
                ),
                handovers=_list(_object(run_id=_TEXT, **{"from": _TEXT}, by=_TEXT, seconds_ago=_COUNT)),
                given_up=_list(_object(run_id=_TEXT, attempts=_COUNT, seconds_ago=_COUNT)),
            )
        )
    ),
    "Cost": _object(
        days=_COUNT,
        by_day=_list({**_SUMS, "properties": {"day": _TEXT, **_SUMS["properties"]}}),
        by_name=_list({**_SUMS, "properties": {"name": _TEXT, **_SUMS["properties"]}}),
        total=_SUMS,
    ),
    "Progress": _object(
        task_types=_list({"type": "object"}),
        verified={"type": "object"},
        unreadable=_COUNT,
        reflection={"type": "object"},
    ),
}
