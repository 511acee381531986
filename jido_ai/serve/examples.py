"""Examples of bodies and answers in the OpenAPI document; each is valid for its schema. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from jido_ai.serve.entries import links_of
from jido_ai.text.plain_json import dumped
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Iteration,
    MemoryEntry,
    MemoryKind,
    Message,
    ModelCall,
    ReflectionResult,
    Scope,
    StopReason,
    Usage,
)

_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
_PROMPT: Final = "What is a supervision tree?"
_TEXT: Final = "A tree of supervisors and workers: each supervisor restarts its children by its strategy."
_LESSON: Final = "Name the strategies before the restarts."


def examples_of(name: str, pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    """Return the examples of a schema; none where there is nothing that could be named."""
    make = _EXAMPLES.get(name)
    return [] if make is None else make(pipelines, graphs)


def _critique() -> CritiqueResult:
    return CritiqueResult(severity=0.2, issues=["the strategies have no names"], source="model:gpt")


def _candidate() -> Candidate:
    return Candidate(_TEXT, id="candidate_1", score=0.8, timestamp=_AT)


def _lesson() -> dict[str, Any]:
    return dumped(
        MemoryEntry(
            _PROMPT,
            "the strategies had no names",
            _LESSON,
            id="memory_1",
            kind=MemoryKind.SEMANTIC,
            scope=Scope("acme", "web"),
            timestamp=_AT,
            tags=("otp",),
            source="http",
        )
    )


def _result() -> dict[str, Any]:
    return dumped(
        ReflectionResult(
            run_id="run-1",
            prompt=_PROMPT,
            best_candidate=_candidate(),
            iterations=(Iteration(index=0, candidate=_candidate(), critique=_critique()),),
            findings=(),
            stop_reason=StopReason.ACCEPTED,
        )
    )


_SUMMARY: Final = {
    "stop_reason": "accepted",
    "score": 0.8,
    "severity": 0.2,
    "iterations": 1,
    "calls": 2,
    "failed_calls": 0,
    "tokens": 260,
    "cost_usd": 0.0004,
    "known_usd": 0.0004,
    "unpriced_calls": 0,
    "duration_s": 1.5,
}
_SUMS: Final = {"runs": 1, "calls": 2, "tokens": 260, "cost_usd": 0.0004, "known_usd": 0.0004, "unpriced_calls": 0}


def _run(name: str) -> dict[str, Any]:
    return {
        "run_id": "run-1",
        "kind": "pipeline",
        "name": name,
        "status": "completed",
        "prompt": _PROMPT,
        "initial_candidate": None,
        "metadata": None,
        "result": _result(),
        "summary": _SUMMARY,
        "error": None,
        "notes": None,
        "created_at": "2026-01-01T00:00:00+00:00",
        "updated_at": "2026-01-01T00:00:02+00:00",
        "links": links_of("run-1"),
    }


def _call() -> dict[str, Any]:
    return dumped(
        ModelCall(
            run_id="run-1",
            seq=1,
            role="generator",
            model="gpt-4o-mini",
            host="api.openai.com",
            messages=(Message("user", _PROMPT),),
            reply=_TEXT,
            finish_reason="stop",
            usage=Usage(calls=1, input_tokens=20, output_tokens=110),
            started=_AT,
            duration_s=0.9,
        )
    )


def _orders(pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    made: list[Any] = [{"pipeline": pipelines[0], "prompt": _PROMPT, "run_id": "run-1"}] if pipelines else []
    return [*made, *([{"graph": graphs[0], "inputs": {"topic": "trees"}}] if graphs else [])]


def _first(pipelines: Sequence[str], graphs: Sequence[str]) -> str:
    return next(iter((*pipelines, *graphs)), "answer")


def _things(pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    about = {"kind": "pipeline", "inputs": ["prompt"], "max_iterations": 3, "severity_threshold": 0.3}
    return [{"data": [{"name": name, **about} for name in pipelines[:1]]}]


def _chats(pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    named = [*pipelines, *graphs][:1]
    return [{"model": name, "messages": [{"role": "user", "content": _PROMPT}]} for name in named]


def _completions(pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    message = {"role": "assistant", "content": _TEXT}
    return [
        {
            "id": "chatcmpl-run-1",
            "object": "chat.completion",
            "created": 1_767_225_600,
            "model": _first(pipelines, graphs),
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 20, "completion_tokens": 110, "total_tokens": 130},
            "jido": {"run_id": "run-1", "stop_reason": "accepted", "iterations": 1, "score": 0.8, "open_issues": []},
        }
    ]


def _inputs(pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    return [{"model": name, "input": _PROMPT} for name in [*pipelines, *graphs][:1]]


def _responses(pipelines: Sequence[str], graphs: Sequence[str]) -> list[Any]:
    part: dict[str, Any] = {"type": "output_text", "text": _TEXT, "annotations": [], "logprobs": []}
    message: dict[str, Any] = {
        "id": "msg_run-1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    return [
        {
            "id": "resp_run-1",
            "object": "response",
            "created_at": 1_767_225_600,
            "status": "completed",
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "max_output_tokens": None,
            "model": _first(pipelines, graphs),
            "output": [message],
            "parallel_tool_calls": False,
            "previous_response_id": None,
            "store": True,
            "temperature": None,
            "text": {"format": {"type": "text"}},
            "tool_choice": "none",
            "tools": [],
            "top_p": None,
            "truncation": "disabled",
            "usage": {"input_tokens": 20, "output_tokens": 110, "total_tokens": 130},
            "metadata": {},
            "jido": {"run_id": "run-1", "stop_reason": "accepted", "iterations": 1, "score": 0.8, "open_issues": []},
        }
    ]


def _always(*examples: Any) -> Callable[[Sequence[str], Sequence[str]], list[Any]]:
    return lambda _, __: [*examples]


_EXAMPLES: Final[Mapping[str, Callable[[Sequence[str], Sequence[str]], list[Any]]]] = {
    "RunRequest": _orders,
    "ResumeRequest": _always({}, {"decision": True}, {"decision": {"ask": "Another text."}}),
    "DecisionRequest": _always({"decision": True}, {"decision": "Another text."}),
    "NoteRequest": _always({"thumb": "up", "note": "clear, and correct"}),
    "CritiqueRequest": lambda pipelines, _: [
        {"pipeline": name, "prompt": _PROMPT, "candidate": _TEXT} for name in pipelines[:1]
    ],
    "EntryRequest": _always(
        {"prompt": _PROMPT, "mistake": "the strategies had no names", "correction": _LESSON, "tags": ["otp"]}
    ),
    "GenerateRequest": _always(
        {
            "tenant": "acme",
            "project": "web",
            "events": [{"type": "tool_call", "content": "DELETE FROM orders", "error": "permission denied"}],
            "outcome": "failure",
            "error": "permission denied",
            "description": "Remove old orders",
        }
    ),
    "ChatRequest": _chats,
    "ResponseRequest": _inputs,
    "Response": _responses,
    "ChatCompletion": _completions,
    "Models": lambda pipelines, graphs: [
        {
            "object": "list",
            "data": [{"id": _first(pipelines, graphs), "object": "model", "created": 0, "owned_by": "jido"}],
        }
    ],
    "Run": lambda pipelines, _: [_run(_first(pipelines, ()))],
    "Runs": lambda pipelines, _: [
        {
            "data": [_run(_first(pipelines, ()))],
            "next_cursor": None,
            "figures": {"runs": 1, "failed": 0, "error_rate": 0.0, "p50_s": 1.5, "p95_s": 1.5},
        }
    ],
    "ReflectionResult": lambda _, __: [_result()],
    "CritiqueResult": lambda _, __: [dumped(_critique())],
    "MemoryEntry": lambda _, __: [_lesson()],
    "ModelCall": lambda _, __: [_call()],
    "Calls": lambda _, __: [{"data": [_call()], "next_cursor": None}],
    "Found": lambda _, __: [{"data": [{"entry": _lesson(), "similarity": 0.8}], "counts": {}}],
    "Entries": lambda _, __: [{"data": [_lesson()], "next_cursor": None, "counts": {}}],
    "Forgotten": _always({"forgotten": 1}),
    "Stats": _always(
        {
            "entries": 1,
            "kinds": {"semantic": 1},
            "uses": 0,
            "successes": 0,
            "conflicts": 0,
            "scope": {"tenant": "acme", "project": "web"},
        }
    ),
    "GeneratedReflection": _always(
        {
            "reflection_id": "memory_1",
            "reflection_text": "Ask for the right to delete before the call.",
            "strategy_text": None,
            "importance": 0.7,
            "confidence": 0.6,
            "tags": ["permission"],
        }
    ),
    "Problem": _always(
        {
            "type": "urn:jido:impossible",
            "title": "The request can never work",
            "status": 422,
            "detail": "prompt: the field is missing",
            "field": "prompt",
        }
    ),
    "OpenAIError": _always(
        {
            "error": {
                "message": "the model 'gpt-9' does not exist",
                "type": "invalid_request_error",
                "param": "model",
                "code": "model_not_found",
            }
        }
    ),
    "Model": lambda pipelines, graphs: [
        {"id": _first(pipelines, graphs), "object": "model", "created": 0, "owned_by": "jido"}
    ],
    "Health": _always({"status": "ok"}),
    "Ready": lambda pipelines, graphs: [
        {
            "status": "ok",
            "store": "ok",
            "models": {"gpt-4o-mini": "ok"},
            "things": {_first(pipelines, graphs): "running"},
        }
    ],
    "Things": _things,
    "Summary": _always(_SUMMARY),
    "Tree": _always(
        {
            "name": "jido serve",
            "kind": "server",
            "status": "running",
            "restarts": 0,
            "mailbox": 0,
            "messages": 0,
            "children": [],
        }
    ),
    "Queues": _always({"data": []}),
    "Comparisons": _always(
        {
            "data": [
                {
                    "run_id": "compare_1",
                    "at": "2026-01-01T00:00:00+00:00",
                    "recommendation": "self-refine is better than single, at 3 times the calls.",
                    "baseline": "single",
                    "tasks": 20,
                    "rows": [{"strategy": "single", "solved": 12}, {"strategy": "self-refine", "solved": 15}],
                    "remarks": ["20 tasks are few."],
                    "lost": [{"strategy": "self-refine", "tasks": [{"id": "7", "prompt": _PROMPT}], "of": 1}],
                }
            ]
        }
    ),
    "Cost": lambda pipelines, graphs: [
        {
            "days": 30,
            "by_day": [{"day": "2026-01-01", **_SUMS}],
            "by_name": [{"name": _first(pipelines, graphs), **_SUMS}],
            "total": _SUMS,
        }
    ],
    "Progress": _always({"task_types": [], "memory": [], "verified": {}, "unreadable": 0, "reflection": {}}),
}
