"""OpenAPI schemas of bodies and answers. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from pydantic import TypeAdapter

from jido_ai.serve.bodies import (
    ENTRY_FIELDS,
    ChatMessage,
    ChatRequest,
    CritiqueRequest,
    DecisionRequest,
    GenerateRequest,
    NoteRequest,
    ResponseRequest,
    ResumeRequest,
    RunRequest,
)
from jido_ai.serve.entries import STATUSES
from jido_ai.serve.examples import examples_of, sample_of
from jido_ai.serve.field_texts import FIELD_TEXTS
from jido_ai.values import CritiqueResult, Iteration, MemoryEntry, ModelCall, ReflectionResult

_REF: Final = "#/components/schemas/{model}"
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_TIME: Final = {"type": "string", "format": "date-time"}
_ATTRIBUTE: Final = re.compile(r"^    (?P<names>\w+(?:, \w+)*): (?P<text>.*(?:\n        .*)*)", re.MULTILINE)
_NO_SCHEMAS: Final = frozenset({"default", "enum", "required", "example", "examples", "const"})
_ANY: Final[dict[str, Any]] = {}
_REQUESTS: Final = (
    RunRequest,
    ResumeRequest,
    DecisionRequest,
    NoteRequest,
    CritiqueRequest,
    GenerateRequest,
    ChatMessage,
    ChatRequest,
    ResponseRequest,
)
_VALUES: Final = (ReflectionResult, MemoryEntry, CritiqueResult, Iteration, ModelCall)


def components(names: tuple[Sequence[str], Sequence[str]]) -> dict[str, Any]:
    """Return all schemas by name: each with a title of its own, and a description of every field.

    Args:
        names: of the pipelines, and of the graphs.
    """
    pipelines, graphs = names
    schemas: dict[str, Any] = {}
    for model in _REQUESTS:
        _add(schemas, model.__name__, TypeAdapter(model).json_schema(ref_template=_REF))
    for kind in _VALUES:
        schema = TypeAdapter(kind).json_schema(mode="serialization", ref_template=_REF)
        _add(schemas, kind.__name__, schema)
    schemas["EntryRequest"] = _entry_request(schemas["MemoryEntry"])
    run = schemas["RunRequest"]["properties"]
    run["pipeline"], run["graph"] = _maybe(_one_of(pipelines)), _maybe(_one_of(graphs))
    schemas["CritiqueRequest"]["properties"]["pipeline"] = _one_of(pipelines)
    for request in ("ChatRequest", "ResponseRequest"):
        schemas[request]["properties"]["model"] = _one_of([*pipelines, *graphs])
    schemas["PartialReflectionResult"] = _partial(schemas["ReflectionResult"])
    schemas = json.loads(json.dumps({**schemas, **_ANSWERS}))  # so that no two fields share a schema
    for name, schema in schemas.items():
        _complete(name, schema)
        schema.pop("example", None)
        schema.pop("examples", None)
    answers = {*_ANSWERS, *(kind.__name__ for kind in _VALUES)}
    for name, schema in schemas.items():
        is_answer = name in answers
        examples = [sample_of(schema, schemas)] if is_answer else examples_of(name, pipelines, graphs)
        if examples:
            schema["examples"] = examples
    return schemas


def _add(schemas: dict[str, Any], name: str, schema: dict[str, Any]) -> None:
    schemas.update(schema.pop("$defs", {}))
    schemas[name] = schema


def _one_of(names: Sequence[str]) -> dict[str, Any]:
    """Return the schema of a name; without any there is nothing to name."""
    return {"type": "string", "enum": [*names]} if names else {"type": "string", "description": "There is none."}


def _entry_request(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of a lesson in a request: without the fields that the server sets itself."""
    properties = {name: entry["properties"][name] for name in ENTRY_FIELDS}
    properties["prompt"] = {**properties["prompt"], "minLength": 1}
    properties["kind"] = {**properties["kind"], "default": "semantic"}
    return {
        "type": "object",
        "description": "A lesson to remember.",
        "properties": properties,
        "required": ["prompt"],
        "additionalProperties": False,
    }


def _complete(name: str, schema: dict[str, Any]) -> None:
    """Give a schema its name as its title, and each field in it a description; titles of fields are left out."""
    text, _, about = str(schema.get("description", "")).partition("\n\nAttributes:")
    told = _attributes(about)
    if text:
        schema["description"] = " ".join(text.split())
    if "$ref" not in schema:
        schema["title"] = name
    for part in _parts_of(schema):
        if part is not schema:
            part.pop("title", None)
        for field, inside in part.get("properties", {}).items():
            known = FIELD_TEXTS.get(f"{name}.{field}") or told.get(field) or FIELD_TEXTS.get(field)
            if "description" not in inside and known is not None:
                inside["description"] = known


def _parts_of(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield a schema and all schemas inside of it."""
    if isinstance(schema, list):
        for one in cast("list[Any]", schema):
            yield from _parts_of(one)
    elif isinstance(schema, dict):
        part = cast("dict[str, Any]", schema)
        yield part
        for key, inside in part.items():
            if key == "properties":
                yield from _parts_of(list(inside.values()))
            elif key not in _NO_SCHEMAS:
                yield from _parts_of(inside)


def _attributes(text: str) -> dict[str, str]:
    """Return the descriptions in the "Attributes:" of a docstring, by field."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        words = " ".join(match["text"].split())
        for name in match["names"].split(", "):
            found[name] = words[:1].upper() + words[1:]
    return found


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
    calls={**_COUNT, "description": "Those that may have been billed."},
    failed_calls={**_COUNT, "description": "Further ones that failed and cost nothing."},
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
            "description": "Partial while the run continues: stop_reason (status of a graph) is still open then.",
        },
        "waiting": {
            **_list(_object(node=_TEXT, id=_TEXT, text=_TEXT, note=_TEXT, candidate=_maybe(_named("Candidate")))),
            "description": "Of a suspended run that is read by itself, what a person is asked: the node or 'revision', "
            "the id of the question, the text to approve, and why it is asked again, if it is.",
        },
        "summary": _maybe(_named("Summary")),
        "error": _maybe(_ERROR),
        "notes": {
            **_maybe(_object(thumb=_maybe({"type": "string", "enum": ["up", "down"]}), note=_TEXT, at=_TIME)),
            "description": "A person's opinion.",
        },
        "created_at": _TIME,
        "updated_at": _TIME,
        "links": _object(self=_TEXT, events=_TEXT, cancel=_TEXT),
    },
    "required": ["run_id", "kind", "name", "status", "result", "error", "created_at", "updated_at", "links"],
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
            "description": "Of all runs that match, on all pages; error_rate: failed of failed and completed.",
        },
    ),
    "Calls": _object(data=_list(_named("ModelCall")), next_cursor=_maybe(_TEXT)),
    "Summary": _SUMMARY,
    "GraphResult": _GRAPH_RESULT,
    "Found": _object(data=_list(_object(entry=_named("MemoryEntry"), similarity=_NUMBER)), counts={"type": "object"}),
    "Entries": _object(data=_list(_named("MemoryEntry")), next_cursor=_maybe(_TEXT), counts={"type": "object"}),
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
        reflection_text=_TEXT,
        strategy_text=_maybe(_TEXT),
        importance=_NUMBER,
        confidence=_NUMBER,
        tags=_list(_TEXT),
    ),
    "Model": _object(id=_TEXT, object=_TEXT, created=_COUNT, owned_by=_TEXT),
    "Models": _object(object=_TEXT, data=_list(_named("Model"))),
    "ChatCompletion": _object(
        id=_TEXT,
        object=_TEXT,
        created=_COUNT,
        model=_TEXT,
        choices=_list(_CHOICE),
        usage={"type": "object"},
        jido={"type": "object"},
    ),
    "Response": _object(
        id=_TEXT,
        object=_TEXT,
        created_at=_COUNT,
        status={
            "type": "string",
            "enum": ["queued", "in_progress", "completed", "incomplete", "failed", "cancelled"],
        },
        error=_maybe(_object(code=_TEXT, message=_TEXT)),
        incomplete_details=_maybe(_object(reason=_TEXT)),
        instructions=_maybe(_TEXT),
        max_output_tokens=_maybe(_COUNT),
        model=_TEXT,
        output=_list({"type": "object"}),
        parallel_tool_calls={"type": "boolean"},
        previous_response_id=_maybe(_TEXT),
        store={"type": "boolean"},
        temperature=_maybe(_NUMBER),
        text={"type": "object"},
        tool_choice=_TEXT,
        tools=_list({"type": "object"}),
        top_p=_maybe(_NUMBER),
        truncation=_TEXT,
        usage=_maybe({"type": "object"}),
        metadata={"type": "object"},
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
                **_object(name=_TEXT, kind={"type": "string", "enum": ["pipeline", "graph"]}, inputs=_list(_TEXT)),
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
                        status={"type": "string", "enum": ["running", "silent", "gone"]},
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
    "Comparisons": _object(
        data=_list(
            _object(
                run_id=_TEXT,
                at=_TEXT,
                recommendation=_TEXT,
                baseline=_TEXT,
                tasks=_COUNT,
                rows=_list({"type": "object"}),
                remarks=_list(_TEXT),
                lost=_list(
                    _object(strategy=_TEXT, tasks=_list(_object(id=_TEXT, prompt=_TEXT)), of=_COUNT),
                ),
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
        memory=_list({"type": "object"}),
        verified={"type": "object"},
        unreadable=_COUNT,
        reflection={"type": "object"},
    ),
}
