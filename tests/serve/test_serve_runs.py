"""Runs over HTTP: one sentence of SERVING.md 1 each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.serve.entries import SERVED, entry_in, resumed_record
from jido_ai.values import Completion, CritiqueResult, Usage
from tests.serve.conftest import FIRST, RUN, Stub, events_of, until


async def test_a_run_is_accepted_with_202_its_id_and_links(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/runs", json=RUN)
    run = answer.json()
    assert answer.status_code == 202
    assert answer.headers["location"] == run["links"]["self"] == f"/v1/runs/{run['run_id']}"
    assert run["status"] in ("queued", "running")
    assert set(run["links"]) == {"self", "events", "cancel"}


async def test_wait_answers_200_with_the_result_when_it_is_there_in_time(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/runs?wait=30", json=RUN)
    run = answer.json()
    assert (answer.status_code, run["status"], run["kind"], run["name"]) == (200, "completed", "pipeline", "answer")
    assert run["result"]["stop_reason"] == "accepted"
    assert [one["index"] for one in run["result"]["iterations"]] == [0, 1, 2, 3]
    assert run["summary"]["score"] == run["result"]["best_candidate"]["score"]


async def test_wait_answers_202_when_the_run_takes_longer(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    answer = await client.post("/v1/runs?wait=0.05", json=RUN)
    assert (answer.status_code, answer.json()["status"]) == (202, "running")
    stub.gate.set()


async def test_a_graph_takes_inputs_and_gives_its_output(client: httpx.AsyncClient) -> None:
    run = (await client.post("/v1/runs?wait=30", json={"graph": "line", "inputs": {"topic": "trees"}})).json()
    assert (run["status"], run["kind"], run["inputs"]) == ("completed", "graph", {"topic": "trees"})
    assert run["result"]["output"].startswith("draft 3")
    assert "prompt" not in run


@pytest.mark.parametrize("key", ["run_id", "Idempotency-Key"])
async def test_a_repeated_id_returns_the_same_run(client: httpx.AsyncClient, stub: Stub, key: str) -> None:
    body = {**RUN, "run_id": "mine"} if key == "run_id" else RUN
    headers = {} if key == "run_id" else {key: "a key / with anything"}
    answers = await asyncio.gather(*(client.post("/v1/runs?wait=30", json=body, headers=headers) for _ in range(20)))
    answers.append(await client.post("/v1/runs?wait=30", json=body, headers=headers))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["run_id"] for answer in answers}) == 1
    assert sum("critique draft 0" in one for one in stub.seen) == 1


async def test_the_same_id_with_another_body_is_409(client: httpx.AsyncClient) -> None:
    await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})
    for other in ({"prompt": "another"}, {"initial_candidate": "draft 1"}, {"metadata": {"a": 1}}):
        answer = await client.post("/v1/runs", json={**RUN, "run_id": "mine", **other})
        assert answer.status_code == 409, other
        assert answer.json()["type"] == "urn:jido:conflict"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"pipeline": "nix", "prompt": "a"}, "pipeline"),
        ({"graph": "nix", "inputs": {}}, "graph"),
        ({"pipeline": "line", "prompt": "a"}, "pipeline"),
        ({"prompt": "a"}, "pipeline"),
        ({"pipeline": "answer", "graph": "line", "prompt": "a"}, "pipeline"),
        ({"pipeline": "answer"}, "prompt"),
        ({"pipeline": "answer", "prompt": " "}, "prompt"),
        ({"pipeline": "answer", "prompt": 1}, "prompt"),
        ({"pipeline": "answer", "prompt": "a", "inputs": {}}, "inputs"),
        ({"graph": "line", "inputs": {"topik": "a"}}, "inputs"),
        ({"graph": "line"}, "inputs"),
        ({"graph": "line", "inputs": {"topic": "a"}, "prompt": "a"}, "prompt"),
        ({"pipeline": "answer", "prompt": "a", "model": "openai:x@http://evil"}, "model"),
        ({"pipeline": "answer", "prompt": "a", "run_id": "a/b"}, "run_id"),
        ({"pipeline": "answer", "prompt": "a", "run_id": ".."}, "run_id"),
        ({"pipeline": "answer", "prompt": "a", "run_id": "x" * 256}, "run_id"),
        ({"pipeline": "answer", "prompt": "a", "run_id": "a\nb"}, "run_id"),
        ({"pipeline": "answer", "prompt": "a", "run_id": ""}, "run_id"),
        ({"pipeline": "answer", "prompt": "a", "metadata": []}, "metadata"),
        (
            {"pipeline": "answer", "prompt": "a", "metadata": {"a": [[[[]]]] * 1} | {"b": {}}, "initial_candidate": 3},
            "initial_candidate",
        ),
    ],
)
async def test_a_request_that_can_never_work_is_422_and_names_the_field(
    client: httpx.AsyncClient, body: dict[str, Any], field: str
) -> None:
    answer = await client.post("/v1/runs", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["field"]) == (422, field), problem
    assert answer.headers["content-type"] == "application/problem+json"
    assert (await client.get("/v1/runs")).json()["data"] == [], "nothing was started"


async def test_events_are_numbered_without_gaps_and_end_with_run_stopped(client: httpx.AsyncClient) -> None:
    run = (await client.post("/v1/runs", json=RUN)).json()
    events = await events_of(client, run["run_id"])
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["iteration"]["index"] for event in events if event["type"] == "Critiqued"] == [0, 1, 2, 3]
    assert (events[0]["type"], events[-1]["type"]) == ("RunStarted", "RunStopped")
    assert events[-1]["result"]["stop_reason"] == "accepted"


@pytest.mark.parametrize("when", ["live", "after"])
async def test_a_stream_continues_after_the_last_event_id_without_a_gap_or_a_double(
    client: httpx.AsyncClient, when: str
) -> None:
    run = (await client.post(f"/v1/runs?wait={0 if when == 'live' else 30}", json=RUN)).json()
    whole = await events_of(client, run["run_id"])
    for last in range(len(whole) + 1):
        assert [event["seq"] for event in await events_of(client, run["run_id"], last)] == [
            event["seq"] for event in whole[last:]
        ]


async def test_events_of_a_finished_run_are_the_same_as_live(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    run = (await client.post("/v1/runs", json=RUN)).json()
    following = asyncio.create_task(events_of(client, run["run_id"]))
    await asyncio.sleep(0.05)
    stub.gate.set()
    live = await following
    await until("completed", client, run["run_id"])
    assert await events_of(client, run["run_id"]) == live


@pytest.mark.parametrize("kind", ["pipeline", "graph"])
async def test_a_running_run_shows_its_result_so_far(client: httpx.AsyncClient, stub: Stub, kind: str) -> None:
    body = RUN if kind == "pipeline" else {"graph": "line", "inputs": {"topic": "trees"}}
    stub.gate.clear()
    run = (await client.post("/v1/runs", json=body)).json()
    await until("running", client, run["run_id"])
    for _ in range(100):
        shown = (await client.get(f"/v1/runs/{run['run_id']}")).json()
        if shown["result"] is not None:
            break
        await asyncio.sleep(0.01)
    key = "stop_reason" if kind == "pipeline" else "status"
    assert shown["result"][key] in (None, "running")
    stub.gate.set()
    await until("completed", client, run["run_id"])


async def test_a_running_run_shows_the_text_that_is_not_judged_yet(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    run = (await client.post("/v1/runs", json=RUN)).json()
    result: dict[str, Any] = {}
    for _ in range(2_000):
        result = (await client.get(f"/v1/runs/{run['run_id']}")).json()["result"] or {}
        if result.get("unjudged"):
            break
    assert (result["unjudged"]["content"], result["best_candidate"]) == (FIRST, None)
    stub.gate.set()
    ended = await until("completed", client, run["run_id"])
    assert ended["result"]["unjudged"] is None


async def test_a_failing_component_fails_the_run_with_its_error(client: httpx.AsyncClient) -> None:
    body = {"pipeline": "answer", "prompt": "a", "initial_candidate": "broken"}
    run = (await client.post("/v1/runs?wait=30", json=body)).json()
    assert run["status"] == "failed"
    assert run["error"]["component"] == "critiquer"
    assert "the critic broke" in run["error"]["message"]


async def test_the_list_has_pages_filters_and_a_search(client: httpx.AsyncClient) -> None:
    for number in range(5):
        await client.post("/v1/runs?wait=30", json={**RUN, "prompt": f"Question {number}", "run_id": f"run-{number}"})
    await client.post("/v1/runs?wait=30", json={"pipeline": "answer", "prompt": "b", "initial_candidate": "broken"})
    ids: list[str] = []
    cursor = ""
    while True:
        page = (await client.get(f"/v1/runs?limit=2{cursor}")).json()
        ids += [run["run_id"] for run in page["data"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert len(ids) == len(set(ids)) == 6
    assert ids[1:] == [f"run-{number}" for number in (4, 3, 2, 1, 0)], "the newest first"

    async def found(query: str) -> list[str]:
        return [run["run_id"] for run in (await client.get(f"/v1/runs?{query}")).json()["data"]]

    assert await found("q=question 3") == ["run-3"]
    assert await found("q=RUN-2") == ["run-2"]
    assert len(await found("status=failed")) == 1
    assert await found("status=queued") == []
    light = (await client.get("/v1/runs?results=false")).json()["data"]
    assert all(run["result"] is None and run["summary"]["iterations"] for run in light if run["status"] == "completed")


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1001", "limit=x", "status=nix", "cursor=x", "results=maybe", "limit=²"]
)
async def test_a_wrong_parameter_is_422(client: httpx.AsyncClient, query: str) -> None:
    answer = await client.get(f"/v1/runs?{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, query.partition("=")[0])


async def test_cancel_ends_a_run_with_its_result_so_far(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    run = (await client.post("/v1/runs", json=RUN)).json()
    await until("running", client, run["run_id"])
    answer = await client.post(f"/v1/runs/{run['run_id']}/cancel")
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    assert (await events_of(client, run["run_id"]))[-1]["result"]["stop_reason"] == "cancelled"


async def test_a_run_that_waits_for_its_turn_can_be_cancelled(open_client: Callable[..., Any], stub: Stub) -> None:
    stub.gate.clear()
    async with open_client(max_runs=1) as client:
        first = (await client.post("/v1/runs", json=RUN)).json()
        second = (await client.post("/v1/runs", json=RUN)).json()
        await until("running", client, first["run_id"])
        assert (await client.post(f"/v1/runs/{second['run_id']}/cancel")).json()["status"] == "cancelled"
        stub.gate.set()
        await until("completed", client, first["run_id"])
        assert (await events_of(client, second["run_id"]))[-1]["type"] == "RunStopped"


async def test_a_cancelled_run_can_be_resumed_and_its_events_continue(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    run = (await client.post("/v1/runs", json=RUN)).json()
    await until("running", client, run["run_id"])
    await client.post(f"/v1/runs/{run['run_id']}/cancel")
    stub.gate.set()
    answer = await client.post(f"/v1/runs/{run['run_id']}/resume?wait=30")
    assert (answer.status_code, answer.json()["status"]) == (200, "completed")
    events = await events_of(client, run["run_id"])
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert sum(event["type"] == "RunStopped" for event in events) == 2


async def test_one_of_several_concurrent_resume_requests_is_accepted(client: httpx.AsyncClient, stub: Stub) -> None:
    run = (await client.post("/v1/runs?wait=30", json={**RUN, "pipeline": "asks"})).json()
    path = f"/v1/runs/{run['run_id']}/resume"
    before = stub.seen.count("revise draft 0")
    answers = await asyncio.gather(*(client.post(path, json={"decision": True}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [202, 409, 409, 409]
    await until("suspended", client, run["run_id"])
    assert stub.seen.count("revise draft 0") == before


async def test_a_resumed_run_that_is_cancelled_in_the_queue_keeps_the_numbers_of_its_events(
    open_client: Callable[..., Any], stub: Stub
) -> None:
    async with open_client(max_runs=1) as client:
        run = (await client.post("/v1/runs?wait=30", json={**RUN, "pipeline": "asks"})).json()
        stub.gate.clear()
        other = (await client.post("/v1/runs", json=RUN)).json()
        await until("running", client, other["run_id"])
        path = f"/v1/runs/{run['run_id']}"
        assert (await client.post(f"{path}/resume", json={"decision": True})).json()["status"] == "queued"
        assert (await client.post(f"{path}/cancel")).json()["status"] == "cancelled"
        stub.gate.set()
        events = await events_of(client, run["run_id"])
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert [event["type"] for event in events].count("RunStopped") == 2


@pytest.mark.parametrize("way", ["resume", "approvals"])
async def test_a_waiting_revision_is_decided_over_http(client: httpx.AsyncClient, way: str) -> None:
    run = (await client.post("/v1/runs?wait=30", json={**RUN, "pipeline": "asks"})).json()
    assert run["status"] == "suspended"
    path = f"/v1/runs/{run['run_id']}/" + ("resume" if way == "resume" else "approvals/revision")
    answers = [True, "draft 3 by hand"]
    for decision in answers:
        answer = await client.post(f"{path}?wait=30", json={"decision": decision})
        assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "completed"
    assert answer.json()["result"]["best_candidate"]["content"] == "draft 3 by hand"
    late = await client.post(path, json={"decision": True})
    assert (late.status_code, late.json()["type"]) == (409, "urn:jido:conflict")


async def test_a_node_of_a_graph_is_approved_by_its_path(client: httpx.AsyncClient) -> None:
    run = (await client.post("/v1/runs?wait=30", json={"graph": "talk", "inputs": {"topic": "trees"}})).json()
    assert run["status"] == "suspended"
    here = f"/v1/runs/{run['run_id']}/approvals"
    assert (await client.post(f"{here}/nix", json={"decision": True})).status_code == 409
    assert (await client.post(f"{here}/ask", json={"decision": 3})).status_code == 422
    answer = await client.post(f"{here}/ask?wait=30", json={"decision": "so be it"})
    assert answer.json()["result"]["output"] == "final: so be it"
    assert (await client.post(f"{here}/ask", json={"decision": True})).status_code == 409


async def test_an_unknown_run_is_404_everywhere(client: httpx.AsyncClient) -> None:
    for method, path, body in (
        ("GET", "", None),
        ("GET", "/events", None),
        ("POST", "/cancel", None),
        ("POST", "/resume", None),
        ("POST", "/approvals/x", {"decision": True}),
    ):
        answer = await client.request(method, f"/v1/runs/nix{path}", json=body)
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:jido:not-found"), path


async def test_a_candidate_is_judged_with_the_critics_of_a_pipeline(client: httpx.AsyncClient, stub: Stub) -> None:
    answer = await client.post("/v1/critiques", json={"pipeline": "answer", "prompt": "a", "candidate": FIRST})
    found = answer.json()
    assert (answer.status_code, found["severity"]) == (200, 0.9)
    assert CritiqueResult.model_validate(found).score == pytest.approx(0.1)
    assert [issue["message"] for issue in found["issues"]] == ["issue of 0"]
    assert not [one for one in stub.seen if one.startswith("revise")]
    missing = await client.post("/v1/critiques", json={"pipeline": "line", "prompt": "a", "candidate": "b"})
    assert (missing.status_code, missing.json()["field"]) == (422, "pipeline")


async def test_an_abandoned_request_ends_only_its_own_waiting(client: httpx.AsyncClient, stub: Stub) -> None:
    stub.gate.clear()
    waiting = asyncio.create_task(client.post("/v1/runs?wait=60", json={**RUN, "run_id": "mine"}))
    await until_there(client, "mine")
    waiting.cancel()
    await asyncio.wait({waiting})
    stub.gate.set()
    assert (await until("completed", client, "mine"))["result"]["stop_reason"] == "accepted"


async def until_there(client: httpx.AsyncClient, run_id: str) -> None:
    while (await client.get(f"/v1/runs/{run_id}")).status_code == 404:
        await asyncio.sleep(0.01)


async def test_the_cost_of_a_runs_model_is_in_the_ledger_and_a_monthly_budget_is_obeyed(
    open_client: Callable[..., Any], stub: Stub
) -> None:
    model = with_limits(lambda _: Completion("good", "m", Usage(1, 1_000, 1_000)), prices={"m": (100.0, 200.0)})
    one = {"one": Pipeline(LLMGenerator(model), lambda candidate, context: CritiqueResult(severity=0.0))}
    async with open_client(things=one, monthly_usd=0.5) as client:
        ends = [
            (await client.post("/v1/runs?wait=20", json={"pipeline": "one", "prompt": "p"})).json() for _ in range(3)
        ]
        assert [end["status"] for end in ends[:2]] == ["completed", "completed"], ends
        assert ends[2]["result"]["error"]["kind"] == "budget", ends[2]
        (row,) = (await client.get("/v1/cost")).json()["commands"]["rows"]
    assert (row["calls"], row["cost_usd"]) == (2, pytest.approx(0.6))


async def test_a_run_beyond_the_queue_is_refused_with_503_and_none_is_lost(
    open_client: Callable[..., Any], stub: Stub
) -> None:
    stub.gate.clear()
    async with open_client(max_runs=2, max_queue=3) as client:
        answers = [await client.post("/v1/runs", json=RUN) for _ in range(7)]
        assert [answer.status_code for answer in answers] == [202] * 5 + [503] * 2
        assert int(answers[-1].headers["retry-after"]) > 0
        stub.gate.set()
        for answer in answers[:5]:
            await until("completed", client, answer.json()["run_id"])


async def test_unfinished_runs_continue_by_themselves_at_the_next_start(
    open_client: Callable[..., Any], stub: Stub, store: Path
) -> None:
    stub.gate.clear()
    async with open_client(memory=store, max_runs=2) as client:
        for number in range(4):
            await client.post("/v1/runs", json={**RUN, "run_id": f"run-{number}"})
        graph = {"graph": "line", "inputs": {"topic": "t"}, "run_id": "graph"}
        await client.post("/v1/runs", json=graph)
        await until("running", client, "run-0")
    stub.gate.set()
    again = Stub()
    from tests.serve.conftest import client_of

    async with client_of(again, memory=store) as client:
        for run_id in ("run-0", "run-1", "run-2", "run-3", "graph"):
            run = await until("completed", client, run_id)
            events = await events_of(client, run_id)
            assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
            judged = [event["iteration"]["index"] for event in events if event["type"] == "Critiqued"]
            assert judged == [0, 1, 2, 3]
            assert run["result"] is not None


async def test_a_run_of_an_earlier_start_is_found_listed_and_idempotent(
    open_client: Callable[..., Any], stub: Stub, store: Path
) -> None:
    async with open_client(memory=store) as client:
        before = (await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})).json()
        told = await events_of(client, "mine")
    calls = len(stub.seen)
    async with open_client(memory=store, things=_fresh(stub)) as client:
        after = (await client.post("/v1/runs?wait=30", json={**RUN, "run_id": "mine"})).json()
        assert after["result"] == before["result"]
        assert await events_of(client, "mine") == told
        assert [run["run_id"] for run in (await client.get("/v1/runs")).json()["data"]] == ["mine"]
    assert len(stub.seen) == calls, "nothing was called again"


def _fresh(stub: Stub) -> Any:
    from tests.serve.conftest import things

    return things(stub)


async def test_without_a_lifespan_the_first_request_starts_everything(stub: Stub) -> None:
    from jido_ai.serve.app import create_app, state_of
    from tests.serve.conftest import things

    app = create_app(things(stub))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        assert (await client.post("/v1/runs?wait=30", json=RUN)).json()["status"] == "completed"
    await state_of(app).close()


async def test_a_decision_made_before_a_stop_does_not_answer_a_later_question(
    open_client: Callable[..., Any], stub: Stub, store: Path
) -> None:
    async with open_client(memory=store) as client:
        run = (await client.post("/v1/runs?wait=30", json={**RUN, "pipeline": "asks"})).json()
    async with ReflexionMemory(store) as memory:
        (log,) = await memory.summaries(SERVED)
        order = replace(entry_in(log).order, answers={"revision": True}, questions={"revision": "another one"})
        earlier = resumed_record(order)  # and then it was killed
        await memory.append([earlier])
    before = len(stub.seen)
    async with open_client(memory=store, things=_fresh(stub)) as client:
        run = await until("suspended", client, run["run_id"])
    assert stub.seen[before:] == []
