"""Bodies, parameters and ids: each that can never work is refused, and all others are taken whole."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from jido_ai import CritiqueResult
from jido_ai.values import MemoryEntry
from tests.serve.conftest import RUN, Stub, until

JSON = {"content-type": "application/json"}
GENERATE = "/api/v1/reflections/generate"
ENTRY = {
    "prompt": "Delete old orders",
    "mistake": "no right to delete",
    "correction": "ask for the right first",
    "id": "memory_mine",
    "kind": "procedural",
    "severity": 0.9,
    "importance": 0.8,
    "confidence": 0.7,
    "reward": -0.5,
    "tags": ["orders", "rights"],
    "domain": "shop",
    "task_type": "sql",
    "agent_id": "agent 7",
    "session_id": "session 1",
    "timestamp": "2026-01-01T00:00:00Z",
    "expires_at": "2999-01-01T00:00:00Z",
    "frequency": 3,
    "impact": 0.25,
    "use_count": 4,
    "success_count": 2,
    "last_used": "2026-01-02T00:00:00Z",
    "evidence": ["run-1"],
    "links": [{"id": "memory_other", "type": "similar", "strength": 0.5}],
    "metadata": {"a": [1, {"b": None}]},
    "answer": "DELETE FROM orders WHERE age > 365",
}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400 + ".0", "NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/runs", '{"pipeline": "answer", "prompt": "a", "metadata": {"x": [%s]}}'),
        ("/v1/runs", '{"graph": "talk", "inputs": {"topic": %s}}'),
        ("/v1/memory/entries", '{"prompt": "a", "importance": %s}'),
        (GENERATE, '{"events": [{"content": %s}]}'),
        ("/v1/critiques", '{"pipeline": "answer", "prompt": "a", "candidate": %s}'),
    ],
)
async def test_a_number_that_is_no_json_number_or_too_large_is_400(
    client: httpx.AsyncClient, path: str, body: str, number: str
) -> None:
    answer = await client.post(path, content=body % number, headers=JSON)
    assert (answer.status_code, answer.json()["type"]) == (400, "urn:jido:malformed")


@pytest.mark.parametrize("run_id", ["", " ", "   ", "a\nb", "a\x00", "a/b", "..", "x" * 256, "\u200b", 7])
async def test_a_run_id_that_cannot_name_a_run_is_422(client: httpx.AsyncClient, run_id: Any) -> None:
    answer = await client.post("/v1/runs", json={**RUN, "run_id": run_id})
    assert (answer.status_code, answer.json().get("field")) == (422, "run_id")


@pytest.mark.parametrize("key", ["", " ", "\t", "x" * 256])
async def test_an_idempotency_key_that_is_blank_or_too_long_is_422(client: httpx.AsyncClient, key: str) -> None:
    answer = await client.post("/v1/runs", json=RUN, headers={"idempotency-key": key})
    assert (answer.status_code, answer.json().get("field")) == (422, "Idempotency-Key")


@pytest.mark.parametrize("run_id", ["a", " a ", "x" * 255, "ä b", "日本", "a\\b", "%2F", "a.b", "?#&"])
async def test_any_other_printable_run_id_names_a_run(client: httpx.AsyncClient, run_id: str) -> None:
    made = await client.post("/v1/runs?wait=30", json={**RUN, "run_id": run_id})
    assert (made.status_code, made.json()["run_id"]) == (200, run_id)
    again = await client.get(made.json()["links"]["self"])
    assert again.json()["run_id"] == run_id


@pytest.mark.parametrize("levels", [10, 60])
async def test_metadata_may_be_deep_up_to_its_limit(client: httpx.AsyncClient, levels: int) -> None:
    inside: Any = 1
    for _ in range(levels):
        inside = {"a": inside}
    answer = await client.post("/v1/runs?wait=30", json={**RUN, "run_id": f"deep-{levels}", "metadata": inside})
    assert (answer.status_code, answer.json()["metadata"]) == (200, inside)


@pytest.mark.parametrize(("levels", "status"), [(70, 422), (98, 422), (110, 400)])
async def test_deeper_metadata_is_refused_with_the_limit(client: httpx.AsyncClient, levels: int, status: int) -> None:
    inside: Any = 1
    for _ in range(levels):
        inside = {"a": inside}
    answer = await client.post("/v1/runs", json={**RUN, "metadata": inside})
    assert answer.status_code == status
    assert "64 levels" in answer.json()["detail"] or status == 400


async def test_an_entry_keeps_every_field_but_those_of_the_server(client: httpx.AsyncClient) -> None:
    assert set(ENTRY) == set(MemoryEntry.model_fields) - {"scope", "source"}
    answer = await client.post("/v1/memory/entries", json=ENTRY)
    assert answer.status_code == 200, answer.text
    stored = MemoryEntry.model_validate(answer.json())
    assert stored == MemoryEntry.model_validate({**ENTRY, "scope": stored.scope, "source": "http"})
    listed = (await client.get("/v1/memory/entries")).json()["data"]
    assert [MemoryEntry.model_validate(one) for one in listed] == [stored]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("scope", {"tenant": "b", "project": "c"}),
        ("source", "loop"),
        ("prompt", ""),
        ("prompt", "  "),
        ("prompt", 7),
        ("kind", "nonsense"),
        ("severity", 1.5),
        ("reward", -2),
        ("tags", "one"),
        ("use_count", -1),
        ("success_count", 5),
        ("expires_at", "tomorrow"),
        ("links", [{"id": "a", "type": "nonsense"}]),
        ("metadata", []),
        ("nonsense", 1),
    ],
)
async def test_an_entry_with_a_field_that_cannot_be_is_422(
    client: httpx.AsyncClient, field: str, value: object
) -> None:
    answer = await client.post("/v1/memory/entries", json={**ENTRY, field: value})
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:jido:impossible")
    assert field in answer.json()["detail"]


@pytest.mark.parametrize("decision", [3, 1.5, [True], {"ask": 3}, {"ask": None}])
@pytest.mark.parametrize(("path", "allowed"), [("resume", "dictionary"), ("approvals/ask", "string")])
async def test_an_error_in_a_field_of_several_types_names_the_field_and_every_type(
    client: httpx.AsyncClient, path: str, allowed: str, decision: object
) -> None:
    answer = (await client.post(f"/v1/runs/any/{path}", json={"decision": decision})).json()
    assert (answer["status"], answer["field"]) == (422, "decision")
    assert "valid boolean, or a valid string" in answer["detail"]
    assert isinstance(decision, dict) or allowed in answer["detail"]


async def test_an_entry_needs_a_prompt_and_nothing_else(client: httpx.AsyncClient) -> None:
    assert (await client.post("/v1/memory/entries", json={"mistake": "a"})).json()["field"] == "prompt"
    kept = await client.post("/v1/memory/entries", json={"prompt": "a"})
    assert (kept.status_code, kept.json()["kind"], kept.json()["source"]) == (200, "semantic", "http")


async def test_a_critique_reads_back_as_a_critique_result(client: httpx.AsyncClient) -> None:
    body = {"pipeline": "answer", "prompt": "a", "candidate": "draft 1"}
    found = CritiqueResult.model_validate((await client.post("/v1/critiques", json=body)).json())
    assert (found.severity, [issue.message for issue in found.issues]) == (0.7, ["issue of 1"])


@pytest.mark.parametrize(
    ("outcome", "status"), [("failure", 200), ("SUCCESS", 200), (None, 200), ("nonsense", 422), ("", 422), (7, 422)]
)
async def test_an_unknown_outcome_of_an_episode_is_422(client: httpx.AsyncClient, outcome: object, status: int) -> None:
    answer = await client.post(GENERATE, json={"events": ["a"], "outcome": outcome})
    assert answer.status_code == status
    if status == 422:
        assert answer.json()["field"] == "outcome"
    else:
        keys = ["reflection_id", "reflection_text", "strategy_text", "importance", "confidence", "tags"]
        assert list(answer.json()) == keys


@pytest.mark.parametrize(
    ("event", "status"),
    [
        ("a text", 200),
        ({"type": "tool_call", "content": "a"}, 200),
        ({"event_type": "error_event", "content": "a", "error": "b", "event_id": "e1"}, 200),
        ({"content": {"a": 1}}, 200),
        ({"type": "nonsense", "content": "a"}, 422),
        ({"event_type": "nonsense"}, 422),
        ({"type": 7}, 422),
        ({"type": ["tool_call"]}, 422),
    ],
)
async def test_an_unknown_type_of_an_event_is_422(client: httpx.AsyncClient, event: object, status: int) -> None:
    answer = await client.post(GENERATE, json={"events": ["first", event], "outcome": "failure"})
    assert answer.status_code == status
    if status == 422:
        assert answer.json()["field"] == "events.1"


@pytest.mark.parametrize("most", ["max_results", "top_k", "k"])
@pytest.mark.parametrize("least", ["threshold", "min_similarity"])
async def test_a_search_takes_its_limits_by_either_name(client: httpx.AsyncClient, most: str, least: str) -> None:
    for number in range(4):
        body = {"prompt": f"sort the list {'of numbers ' * number}", "correction": f"lesson {number}"}
        await client.post("/v1/memory/entries", json=body)
    found = (await client.get(f"/v1/memory/search?query=sort+the+list&{most}=2&{least}=0.1")).json()["data"]
    assert len(found) == 2
    alike = (await client.get(f"/v1/memory/search?query=sort+the+list&{least}=0.95")).json()["data"]
    assert [one["entry"]["correction"] for one in alike] == ["lesson 0"]
    for wrong in (f"{most}=0", f"{most}=21", f"{most}=x", f"{least}=2", f"{least}=nan", f"{least}=x"):
        answer = await client.get(f"/v1/memory/search?query=a&{wrong}")
        assert (answer.status_code, answer.json()["field"]) == (422, wrong.partition("=")[0])


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/healthz"),
        ("GET", "/readyz"),
        ("GET", "/metrics"),
        ("GET", "/v1/runs"),
        ("POST", "/v1/runs"),
        ("GET", "/v1/runs/r1"),
        ("GET", "/v1/runs/r1/events"),
        ("GET", "/v1/runs/r1/calls"),
        ("POST", "/v1/runs/r1/cancel"),
        ("POST", "/v1/runs/r1/resume"),
        ("POST", "/v1/runs/r1/notes"),
        ("POST", "/v1/runs/r1/approvals/a"),
        ("POST", "/v1/critiques"),
        ("GET", "/v1/things"),
        ("GET", "/v1/tree"),
        ("GET", "/v1/cost"),
        ("GET", "/v1/progress"),
        ("GET", "/v1/queues"),
        ("GET", "/v1/memory/stats"),
        ("GET", "/v1/memory/search"),
        ("GET", "/v1/memory/entries"),
        ("POST", "/v1/memory/entries"),
        ("DELETE", "/v1/memory/entries"),
        ("POST", GENERATE),
    ],
)
async def test_an_unknown_query_parameter_is_422_and_named(client: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, path, params={"nonsense": "1"})
    assert (answer.status_code, answer.json()["field"]) == (422, "nonsense")


async def test_a_finished_run_is_resumed_to_its_result(client: httpx.AsyncClient) -> None:
    for body in ({**RUN, "run_id": "r1"}, {"graph": "line", "inputs": {"topic": "a"}, "run_id": "g1"}):
        made = (await client.post("/v1/runs?wait=30", json=body)).json()
        for sent in (None, {}, {"decision": None}):
            again = await client.post(f"/v1/runs/{body['run_id']}/resume?wait=5", json=sent)
            assert (again.status_code, again.json()["result"]) == (200, made["result"])
        refused = await client.post(f"/v1/runs/{body['run_id']}/resume", json={"decision": True})
        assert refused.status_code == 409  # nobody waits for it


async def test_the_times_of_a_run_are_the_same_in_every_answer(client: httpx.AsyncClient, stub: Stub) -> None:
    for number in range(8):
        made = (await client.post("/v1/runs?wait=30", json={**RUN, "run_id": f"r{number}"})).json()
        read = (await client.get(f"/v1/runs/r{number}")).json()
        listed = (await client.get("/v1/runs?limit=1")).json()["data"][0]
        noted = (await client.post(f"/v1/runs/r{number}/notes", json={"note": "a"})).json()
        times = {(one["created_at"], one["updated_at"]) for one in (made, read, listed, noted)}
        assert len(times) == 1


async def test_runs_of_the_same_instant_have_one_order_without_a_gap_on_pages_of_any_size(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncio
    from datetime import UTC, datetime

    class OneInstant(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:
            return datetime(2026, 1, 1, tzinfo=UTC)

    monkeypatch.setattr("jido_ai.values.base.datetime", OneInstant)
    ids = [f"r{number:02}" for number in range(23)]
    await asyncio.gather(*(client.post("/v1/runs", json={**RUN, "run_id": one}) for one in reversed(ids)))
    for one in ids:
        await until("completed", client, one)
    for sort in ("", "&sort=created_at"):
        for size in (1, 4, 23):
            found: list[str] = []
            cursor = ""
            while True:
                page = (await client.get(f"/v1/runs?limit={size}{sort}{cursor}")).json()
                found += [run["run_id"] for run in page["data"]]
                if page["next_cursor"] is None:
                    break
                cursor = f"&cursor={page['next_cursor']}"
            assert found == ids, (sort, size)
