"""`POST /api/v1/reflections/generate` with the body of its source, and the attempt that it records."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai.learning.history import learning_progress
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import Episode, EventType, Scope
from tests.serve.conftest import Stub, client_of

GENERATE = "/api/v1/reflections/generate"
BODY: dict[str, Any] = {
    "tenant_id": "tenant-123",
    "project_id": "web",
    "session_id": "s-1",
    "task_description": "Database query",
    "task_goal": "Retrieve all orders",
    "events": [
        {"event_type": "tool_call", "content": "SELECT", "tool_name": "sql", "timestamp": "2026-01-02T03:04:05"},
        {
            "event_type": "error_event",
            "content": "Query timeout after 30 seconds",
            "event_id": "e-2",
            "timestamp": "2026-01-02T03:04:35+00:00",
            "metadata": {"rows": 9},
            "error": {"message": "30 s are over"},
        },
    ],
    "outcome": "failure",
    "error": {"error_category": "timeout_error", "error_message": "Query timeout", "context": {"limit": 30}},
    "related_memory_ids": ["m-1"],
}
SCOPE = Scope("tenant-123", "web")


async def generated(stub: Stub, memory: ReflexionMemory, body: Any) -> tuple[Any, Episode]:
    async with client_of(stub, memory=memory) as client:
        answer = await client.post(GENERATE, json=body)
        assert answer.status_code == 200, answer.text
        (record,) = await memory.records("episodes", scope=SCOPE)
    return answer.json(), Episode.model_validate(record.data)


@pytest.mark.rows("R48", "R2")
async def test_the_body_of_the_source_is_taken_and_the_attempt_recorded(stub: Stub) -> None:
    async with ReflexionMemory() as memory:
        told, episode = await generated(stub, memory, BODY)
        assert (episode.prompt, episode.goal, episode.session_id) == ("Database query", "Retrieve all orders", "s-1")
        assert episode.metadata["related_memory_ids"] == ["m-1"]
        assert episode.metadata["error"] == BODY["error"]
        call, error = episode.events
        assert (call.type, call.tool_name) == (EventType.TOOL_CALL, "sql")
        assert call.timestamp.isoformat() == "2026-01-02T03:04:05+00:00"
        assert (error.id, error.metadata, error.error) == ("e-2", {"rows": 9}, "30 s are over")
        entry = await memory.get(told["reflection_id"], scope=SCOPE)
        assert entry.correction == told["reflection_text"]
        assert "timeout" in told["tags"]
        assert (await learning_progress(memory, "", SCOPE)).total_attempts == 1


async def test_a_lesson_is_not_made_of_an_unknown_cause(stub: Stub) -> None:
    async with ReflexionMemory() as memory:
        unclear = {**BODY, "error": "it is odd", "events": ["hm"]}
        told, episode = await generated(stub, memory, unclear)
        assert told["reflection_id"] == episode.id
        assert await memory.list_entries(SCOPE) == []


@pytest.mark.parametrize("event", [{"timestamp": "yesterday"}, {"metadata": "no object"}])
async def test_a_field_of_an_event_that_cannot_be_read_is_refused(stub: Stub, event: Any) -> None:
    async with client_of(stub) as client:
        answer = await client.post(GENERATE, json={"events": [{"type": "tool_call", "content": "x", **event}]})
    assert answer.status_code == 422
    assert next(iter(event)) in answer.text
