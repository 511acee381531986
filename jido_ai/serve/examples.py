"""Examples of bodies and answers in the OpenAPI document; each is valid for its schema. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

_PROMPT: Final = "What is a supervision tree?"
_TEXT: Final = "A tree of supervisors and workers: each supervisor restarts its children by its strategy."
_VALUES: Final[Mapping[str, Any]] = {
    **{"run_id": "run-1", "id": "id-1", "model": "gpt-4o-mini", "name": "answer", "day": "2026-01-01", "error": None},
    **{"prompt": _PROMPT, "content": _TEXT, "reply": _TEXT, "mistake": "the strategies had no names"},
    **{"correction": "Name the strategies before the restarts.", "source": "model:gpt-4o-mini", "kind": "pipeline"},
    **{"status": "completed", "score": 0.8, "severity": 0.2, "similarity": 0.8, "index": 0, "restarts": 0},
    **{"self": "/v1/runs/run-1", "events": "/v1/runs/run-1/events", "cancel": "/v1/runs/run-1/cancel"},
    **{"type": "urn:jido:impossible", "title": "The request can never work", "next_cursor": None},
}
"""Values of fields of that name, where their schema takes them."""


def examples_of(schema: str, pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    """Return the examples of a request; none where there is nothing that could be named."""
    match schema:
        case "RunRequest":
            orders: list[Any] = [{"pipeline": name, "prompt": _PROMPT, "run_id": "run-1"} for name in pipelines[:1]]
            return [*orders, *({"graph": graph, "inputs": {"topic": "trees"}} for graph in graphs[:1])]
        case "CritiqueRequest":
            return [{"pipeline": pipeline, "prompt": _PROMPT, "candidate": _TEXT} for pipeline in pipelines[:1]]
        case "ChatRequest":
            messages = [{"role": "user", "content": _PROMPT}]
            return [{"model": model, "messages": messages} for model in [*pipelines, *graphs][:1]]
        case "ResponseRequest":
            return [{"model": model, "input": _PROMPT} for model in [*pipelines, *graphs][:1]]
        case _:
            return list(_REQUESTS.get(schema, ()))


_REQUESTS: Final[Mapping[str, Sequence[Any]]] = {
    "ResumeRequest": ({}, {"decision": True}, {"decision": {"ask": "Another text."}}),
    "DecisionRequest": ({"decision": True}, {"decision": "Another text."}),
    "NoteRequest": ({"thumb": "up", "note": "clear, and correct"},),
    "EntryRequest": (
        {"prompt": _PROMPT, "mistake": _VALUES["mistake"], "correction": _VALUES["correction"], "tags": ["otp"]},
    ),
    "GenerateRequest": (
        {
            "tenant": "acme",
            "project": "web",
            "events": [{"type": "tool_call", "content": "DELETE FROM orders", "error": "permission denied"}],
            "outcome": "failure",
            "error": "permission denied",
            "description": "Remove old orders",
        },
    ),
}


def sample_of(schema: Mapping[str, Any], schemas: Mapping[str, Any], field: str = "", above: Sequence[str] = ()) -> Any:
    """Return a value that is valid for a schema: its first alternatives, and no list of what it is itself in.

    Args:
        schemas: all schemas, by name.
        field: whose value it is; "" for none.
        above: names of the schemas that it is in.
    """
    named = _named(schema)
    if named:
        return sample_of(schemas[named], schemas, field, (*above, named))
    usual = _VALUES.get(field)
    if "const" in schema or "enum" in schema:
        allowed = schema.get("enum", [schema.get("const")])
        return usual if usual in allowed else allowed[0]
    if "anyOf" in schema:
        parts = [part for part in schema["anyOf"] if _named(part) not in above]
        is_null = field in _VALUES and usual is None and {"type": "null"} in parts
        return None if is_null else sample_of(parts[0], schemas, field, above)
    match schema.get("type"):
        case "object":
            inside: Mapping[str, Any] = schema.get("properties", {})
            return {name: sample_of(inside[name], schemas, name, above) for name in schema.get("required", inside)}
        case "array":
            item = schema.get("items", {})
            return [] if not item or _named(item) in above else [sample_of(item, schemas, "", above)]
        case "string":
            is_time = schema.get("format") == "date-time"
            return "2026-01-01T00:00:00Z" if is_time else usual if isinstance(usual, str) else field or "text"
        case "number" | "integer" as kind:
            return usual if isinstance(usual, float if kind == "number" else int) else max(1, schema.get("minimum", 0))
        case "boolean":
            return True
        case _:
            return None


def _named(schema: Mapping[str, Any]) -> str:
    """Return the name of the schema that is referred to; "" for none."""
    return str(schema.get("$ref", "")).rpartition("/")[2]
