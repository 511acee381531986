"""Workers on DBOS: a run is carried out once, wherever, and nothing is lost when a worker dies."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from integration_helpers import CONFIG, Parts
from postgres_cluster import Cluster

from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import LoopNode, StepNode
from jido_ai.graph.orders import RunOrder
from jido_ai.integrations import dbos_orders
from jido_ai.integrations.dbos import WorkClient, client, worker
from jido_ai.integrations.dbos_orders import is_at, map_of, order_of, place_of
from jido_ai.integrations.worker import RunWorker
from jido_ai.learning.cost_report import cost_report
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.protocols import RunContext
from jido_ai.telemetry import OBSERVING, TelemetryEvent
from jido_ai.values import Completion, CritiqueResult, Scope, StopReason, Usage


@pytest.fixture(params=["postgres", "pgbouncer", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of each store that a queue can have."""
    fixtures = {"postgres": "postgres", "pgbouncer": "pooled_postgres"}
    return request.getfixturevalue(fixtures[request.param]) if request.param in fixtures else str(tmp_path / "runs.db")


def pipeline(parts: Parts | None = None) -> Pipeline:
    parts = parts or Parts()
    return Pipeline(parts, parts, parts, config=CONFIG)


@asynccontextmanager
async def at_work(things: dict[str, Any], store: str, **options: Any) -> AsyncGenerator[WorkClient]:
    """Start a worker of the queue "work", and a client."""
    async with worker(things, store=store, queue="work", **options), client(store=store, queue="work") as work:
        yield work


def loud(text: str) -> str:
    return text.upper()


def graph() -> Graph:
    parts = Parts()
    nodes = {
        "draft": LoopNode("{topic} for {reader}", generator=parts, critiquer=parts, reviser=parts, config=CONFIG),
        "loud": StepNode(loud, inputs={"text": "{draft}"}),
    }
    return Graph(nodes, inputs=("topic", "reader"), output="loud")


async def test_a_submitted_run_ends_like_a_direct_one(store: str) -> None:
    async with pipeline() as direct:
        expected = await direct.run("question")
    async with at_work({"answer": pipeline()}, store) as work:
        run_id = await work.submit("answer", "question")
        result = await work.result(run_id, timeout_s=30.0)
        assert await work.status(run_id) == "completed"
    assert (result.run_id, result.prompt) == (run_id, "question")
    assert result.best_candidate is not None
    assert expected.best_candidate is not None
    assert result.best_candidate.content == expected.best_candidate.content == "v3"
    assert (result.stop_reason, len(result.iterations)) == (expected.stop_reason, len(expected.iterations))


async def test_a_graph_gets_its_inputs_by_name(store: str) -> None:
    async with at_work({"talk": graph()}, store) as work:
        run_id = await work.submit("talk", inputs={"topic": "dates", "reader": "Ada"})
        result = await work.result(run_id, timeout_s=30.0)
        kinds = [event["type"] async for event in work.events(run_id)]
    assert (result.status, result.output) == ("completed", "V3")
    assert result.nodes["loud"].output == "V3"
    assert kinds == ["GraphStarted", "NodeStopped", "NodeStopped", "GraphStopped"]


async def test_the_cost_of_a_workers_models_is_in_the_ledger_of_the_store(tmp_path: Path) -> None:
    model = with_limits(lambda _: Completion("v3", "m", Usage(1, 1_000, 1_000)), prices={"m": (100.0, 200.0)})
    parts, store = Parts(), str(tmp_path / "runs.db")
    one = Pipeline(LLMGenerator(model), parts, parts, config=CONFIG)
    async with at_work({"one": one}, store, monthly_usd=0.2) as work:
        results = [await work.result(await work.submit("one", "count up"), timeout_s=30.0) for _ in range(2)]
    assert [result.error and result.error.kind for result in results] == [None, "budget"]
    async with ReflexionMemory(store) as memory:
        (row,) = (await cost_report(memory, days=1, by="label"))["rows"]
    assert (row["label"], row["calls"], row["cost_usd"]) == ("one", 1, pytest.approx(0.3))


class Traced:
    """An observer that sees all work as a part of one trace."""

    def trace(self) -> Mapping[str, str]:
        return {"trace_id": "1" * 32, "span_id": "2" * 16}


def test_the_trace_of_the_submitter_travels_with_the_order() -> None:
    order = RunOrder(run_id="r", name="answer", prompt="question", trace=Traced().trace())
    assert order_of("r", json.loads(json.dumps(map_of(order)))) == order
    assert order_of("r", {**map_of(order), "trace": ["no", "ids"]}) == replace(order, trace=None)


async def test_a_repeated_id_starts_one_run(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts()
    async with at_work({"answer": pipeline(parts)}, store) as work:
        ids = await asyncio.gather(*(work.submit("answer", "question", "mine") for _ in range(5)))
        await work.result("mine", timeout_s=30.0)
        assert await work.submit("answer", "question", "mine") == "mine"
        await work.result("mine", timeout_s=30.0)
        with pytest.raises(ConfigurationError, match="asks for something else"):
            await work.submit("answer", "another question", "mine")
        with monkeypatch.context() as patch:
            patch.setattr(OBSERVING, "observer", Traced())
            assert await work.submit("answer", "question", "mine") == "mine"
    assert ids == ["mine"] * 5
    assert parts.calls.count("generate") == 1


async def test_a_run_can_be_submitted_without_a_worker_and_waits_for_one(store: str) -> None:
    async with client(store=store, queue="work") as work:
        run_id = await work.submit("answer", "question")
        assert await work.status(run_id) == "queued"
        assert (await work.view()).waiting == 1
        async with worker({"answer": pipeline()}, store=store, queue="work"):
            result = await work.result(run_id, timeout_s=30.0)
        assert result.stop_reason is StopReason.ACCEPTED
        view = await work.view()
        assert (view.waiting, view.running, view.workers) == (0, 0, ())


async def test_an_unknown_name_is_refused_with_the_nearest_one(store: str) -> None:
    async with at_work({"answer": pipeline()}, store) as work:
        with pytest.raises(ConfigurationError, match="did you mean 'answer'"):
            await work.submit("anser", "question")
        for wrong in (work.result, work.status, work.cancel):
            with pytest.raises(NotFoundError, match="no run 'other'"):
                await wrong("other")


async def test_a_run_that_waits_is_cancelled_before_it_starts(store: str) -> None:
    parts = Parts()
    async with client(store=store, queue="work") as work:
        run_id = await work.submit("answer", "question")
        await work.cancel(run_id)
        async with worker({"answer": pipeline(parts)}, store=store, queue="work"):
            after = await work.submit("answer", "next")
            await work.result(after, timeout_s=30.0)
            result = await work.result(run_id, timeout_s=30.0)
        kinds = [event["type"] async for event in work.events(run_id)]
    assert result.stop_reason is StopReason.CANCELLED
    assert kinds == ["RunStopped"]
    assert "question" not in parts.seen


async def test_a_run_in_flight_is_cancelled_from_elsewhere(store: str) -> None:
    parts = Parts(hold=asyncio.Event())
    async with at_work({"answer": pipeline(parts)}, store) as work:
        run_id = await work.submit("answer", "question")
        await asyncio.wait_for(parts.begun.wait(), 30.0)
        await work.cancel(run_id)
        result = await work.result(run_id, timeout_s=30.0)
        async with asyncio.timeout(30.0):
            while parts.in_flight:
                await asyncio.sleep(0.01)
        assert await work.status(run_id) == "cancelled"
    assert result.stop_reason is StopReason.CANCELLED


async def test_events_are_numbered_without_gaps_and_follow_a_run_in_flight(store: str) -> None:
    parts = Parts(hold=asyncio.Event())
    async with at_work({"answer": pipeline(parts)}, store) as work:
        run_id = await work.submit("answer", "question")
        seen: list[dict[str, Any]] = []
        async for event in work.events(run_id):
            seen.append(event)
            if event["type"] == "Critiqued":
                assert parts.hold is not None
                parts.hold.set()
        again = [event async for event in work.events(run_id, after=3)]
    assert [event["seq"] for event in seen] == list(range(1, len(seen) + 1))
    assert [event["type"] for event in seen[:3]] == ["RunStarted", "LessonsRetrieved", "CandidateGenerated"]
    assert seen[-1]["result"]["stop_reason"] == "accepted"
    assert again == seen[3:]


async def test_a_failed_run_has_its_error_and_the_worker_takes_the_next(store: str) -> None:
    class Broken(Parts):
        async def generate(self, prompt: str, context: RunContext) -> Any:
            if prompt == "broken":
                raise ValueError("no")
            return await super().generate(prompt, context)

    async with at_work({"answer": pipeline(Broken())}, store) as work:
        broken, fine = [await work.submit("answer", prompt) for prompt in ("broken", "fine")]
        result = await work.result(broken, timeout_s=30.0)
        assert result.stop_reason is StopReason.ERROR
        assert result.error is not None
        assert await work.status(broken) == "failed"
        assert (await work.result(fine, timeout_s=30.0)).stop_reason is StopReason.ACCEPTED


async def test_inputs_for_a_pipeline_fail_the_run_with_that_reason(store: str) -> None:
    async with at_work({"answer": pipeline()}, store) as work:
        run_id = await work.submit("answer", inputs={"topic": "dates"})
        kinds = [event["result"] async for event in work.events(run_id)]
    assert kinds[0]["status"] == "failed"
    assert "takes a prompt" in kinds[0]["error"]["message"]


async def test_a_run_of_another_tenant_keeps_to_its_scope(store: str) -> None:
    async with at_work({"answer": pipeline()}, store, per_tenant=1) as work:
        ids = [await work.submit("answer", f"q{n}", scope=Scope(f"tenant{n % 2}")) for n in range(6)]
        for run_id in ids:
            assert (await work.result(run_id, timeout_s=30.0)).stop_reason is StopReason.ACCEPTED


async def test_a_lower_number_goes_first(store: str) -> None:
    parts = Parts()
    async with client(store=store, queue="work") as work:
        ids = [await work.submit("answer", f"q{n}", priority=n) for n in (3, 1, 2)]
        async with worker({"answer": pipeline(parts)}, store=store, queue="work", concurrency=1):
            for run_id in ids:
                await work.result(run_id, timeout_s=30.0)
    assert list(parts.seen) == ["q1", "q2", "q3"]


@pytest.mark.parametrize("role", ["generator", "step of a graph"])
async def test_a_plain_function_runs_on_beside_the_next_run_after_a_cancellation(tmp_path: Path, role: str) -> None:
    begun, go_on, ended = threading.Event(), threading.Event(), list[str]()

    def plain(text: str) -> str:
        if text == "first":
            begun.set()
            go_on.wait(30.0)
        ended.append(text)
        return text

    thing: Any = Pipeline(plain, lambda *_: CritiqueResult(severity=0.0))
    if role == "step of a graph":
        thing = Graph({"s": StepNode(plain, inputs={"text": "{prompt}"})}, inputs=["prompt"], output="s")
    async with at_work({"answer": thing}, str(tmp_path / "runs.db"), concurrency=1) as work:
        ids = [await work.submit("answer", prompt) for prompt in ("first", "second")]
        assert await asyncio.to_thread(begun.wait, 30.0)
        await work.cancel(ids[0])
        await work.result(ids[1], timeout_s=30.0)
        assert ended == ["second"]
        go_on.set()


async def test_runs_that_a_draining_worker_does_not_finish_continue_in_the_next(store: str) -> None:
    parts, after = Parts(hold=asyncio.Event()), Parts()
    async with client(store=store, queue="work") as work:
        run_id = await work.submit("answer", "question")
        async with worker({"answer": pipeline(parts)}, store=store, queue="work", drain_s=0.0):
            await asyncio.wait_for(parts.begun.wait(), 30.0)
        assert await work.status(run_id) == "queued"
        async with worker({"answer": pipeline(after)}, store=store, queue="work"):
            result = await work.result(run_id, timeout_s=30.0)
    assert result.stop_reason is StopReason.ACCEPTED
    assert parts.calls.count("generate") == 1
    assert "generate" not in after.calls


async def test_a_worker_leaves_an_order_of_a_newer_version_and_a_name_that_it_does_not_know(tmp_path: Path) -> None:
    from jido_ai.integrations.dbos_orders import map_of, order_of

    order = RunOrder(run_id="r", name="newer", prompt="question")
    assert order_of("r", map_of(order)) == order
    answering = replace(order, answers={"revision": True}, questions={"revision": "cand-1"})
    assert order_of("r", map_of(answering)) == answering
    assert map_of(answering)["version"] > map_of(order)["version"], "workers that know no answers leave it alone"
    assert order_of("r", {**map_of(order), "version": 3}) is None
    assert not RunWorker({"answer": pipeline()}, lambda *_, **__: None).claim(order)
    store = str(tmp_path / "runs.db")
    async with client(store=store, queue="work") as work:
        newer, known = await work.submit("newer", "question"), await work.submit("answer", "question")
        async with worker({"answer": pipeline()}, store=store, queue="work"):
            await work.result(known, timeout_s=30.0)
        assert await work.status(newer) == "queued"
        async with worker({"newer": pipeline()}, store=store, queue="work"):
            assert (await work.result(newer, timeout_s=30.0)).stop_reason is StopReason.ACCEPTED


async def test_a_worker_leaves_a_run_whose_journal_a_newer_version_wrote(tmp_path: Path) -> None:
    from jido_ai.runs.summary import LOG
    from jido_ai.values.record import Record

    things = {"answer": pipeline()}
    async with ReflexionMemory(tmp_path / "runs.db") as memory:
        await memory.append([Record(log=LOG, key="newer", kind="started", scope=Scope(), data={"version": 2})])
        things["answer"].use_memory(memory)
        async with things["answer"]:
            hands = RunWorker(things, lambda *_, **__: None)
            order = RunOrder(run_id="newer", name="answer", prompt="question")
            assert await hands.run_or_resume(order) is None
            assert [one.kind for one in await memory.records(LOG, key="newer")] == ["started"]


async def test_a_process_has_one_worker(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    async with worker({"answer": pipeline()}, store=store, queue="work"):
        with pytest.raises(ConfigurationError, match="already has a worker"):
            async with worker({"answer": pipeline()}, store=store, queue="other"):
                pass
        async with client(store=store, queue="work") as work:
            run_id = await work.submit("answer", "question")
            assert (await work.result(run_id, timeout_s=30.0)).accepted


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"store": "mysql://host/db"}, "postgresql://"),
        ({"store": ":memory:"}, "postgresql://"),
        ({"store": None}, "postgresql://"),
        ({"queue": ""}, "queue must be"),
        ({"queue": "_dbos_internal"}, "queue must be"),
        ({"concurrency": 0}, "concurrency"),
        ({"concurrency": True}, "concurrency"),
        ({"per_tenant": 0}, "per_tenant"),
        ({"drain_s": -1.0}, "drain_s"),
        ({"dead_after_s": 0}, "dead_after_s"),
        ({"poll_s": float("nan")}, "poll_s"),
        ({"things": {}}, "at least one"),
        ({"things": {"answer": "gpt"}}, "Pipeline or a Graph"),
    ],
)
async def test_wrong_arguments_are_refused_before_anything_starts(
    wrong: dict[str, Any], says: str, tmp_path: Path
) -> None:
    given = {"things": {"answer": pipeline()}, "store": str(tmp_path / "runs.db"), "queue": "work"} | wrong
    with pytest.raises(ConfigurationError, match=says):
        async with worker(given.pop("things"), **given):
            pass
    assert not list(tmp_path.iterdir())


async def test_a_pipeline_with_a_memory_of_its_own_is_refused(tmp_path: Path) -> None:
    parts = Parts()
    own = Pipeline(parts, parts, parts, str(tmp_path / "own.db"))
    with pytest.raises(ConfigurationError, match="has a memory"):
        async with worker({"answer": own}, store=str(tmp_path / "runs.db"), queue="work"):
            pass


async def test_a_pipeline_whose_memory_is_the_store_of_the_worker_is_accepted(store: str) -> None:
    parts = Parts()
    async with ReflexionMemory(store) as memory:
        things = {
            "by_address": Pipeline(parts, parts, parts, store, config=CONFIG),
            "open": Pipeline(parts, parts, parts, memory, config=CONFIG),
            "none": pipeline(),
            "graph": Graph(
                {"loud": StepNode(loud, inputs={"text": "{text}"})}, inputs=("text",), output="loud", memory=store
            ),
        }
        async with at_work(things, store) as work:
            for name in things:
                asked: dict[str, Any] = {"inputs": {"text": "x"}} if name == "graph" else {"prompt": "question"}
                result = await work.result(await work.submit(name, run_id=name, **asked), timeout_s=30.0)
                assert result.error is None
        assert memory.is_open
        assert {one.run_id for one in await RunJournal(memory).list(limit=None)} == {*things}


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("postgresql://u@db/jido", "postgres://u@db/jido?schema=jido_ai", True),
        ("postgresql://u@db/jido", "postgresql://u@db/other", False),
        ("postgresql://u@db/jido", "postgresql://u@db/jido?schema=other", False),
        ("postgresql://u@db/jido", "runs.db", False),
        ("runs.db", "./runs.db", True),
        ("runs.db", "other/runs.db", False),
        ("runs.db", "redis://db", False),
    ],
)
def test_addresses_of_the_same_store_are_recognised(one: str, other: str, is_same: bool) -> None:
    assert is_at(place_of(one), other) is is_same


@pytest.mark.parametrize(
    ("python", "sqlite", "is_fine"),
    [((3, 11, 7), (3, 40, 1), True), ((3, 12, 1), (3, 40, 1), False), ((3, 13, 0), (3, 42, 0), True)],
)
def test_a_file_with_an_sqlite_that_is_too_old_for_dbos_is_refused_with_both_ways_out(
    monkeypatch: pytest.MonkeyPatch, python: tuple[int, ...], sqlite: tuple[int, ...], is_fine: bool
) -> None:
    monkeypatch.setattr(dbos_orders, "sys", SimpleNamespace(version_info=python))
    version = ".".join(map(str, sqlite))
    monkeypatch.setattr(dbos_orders, "sqlite3", SimpleNamespace(sqlite_version_info=sqlite, sqlite_version=version))
    if is_fine:
        assert place_of("runs.sqlite").schema is None
    else:
        with pytest.raises(ConfigurationError, match=r"SQLite 3\.40\.1 with Python 3\.12\. .*PostgreSQL"):
            place_of("runs.sqlite")
    assert place_of("postgresql://db/jido").schema is not None


async def test_a_worker_emits_events(tmp_path: Path) -> None:
    told: list[TelemetryEvent] = []
    async with worker({"answer": pipeline()}, store=str(tmp_path / "r.db"), queue="work", sink=told.append) as one:
        assert one.in_flight == ()
    assert [event.name for event in told] == ["worker.started", "worker.stopped"]
    assert told[0].data["worker"] == one.id


async def test_a_worker_and_its_watchdog_survive_an_unreachable_database(
    postgres: str, postgres_cluster: Cluster
) -> None:
    told: list[TelemetryEvent] = []
    async with at_work({"answer": pipeline()}, postgres, dead_after_s=1.0, sink=told.append) as work:
        await asyncio.to_thread(postgres_cluster.stop)
        try:
            async with asyncio.timeout(30.0):
                while "worker.watchdog_failed" not in {event.name for event in told}:
                    await asyncio.sleep(0.05)
        finally:
            await asyncio.to_thread(postgres_cluster.start)
        run_id = await work.submit("answer", "question")
        assert (await work.result(run_id, timeout_s=30.0)).stop_reason is StopReason.ACCEPTED
        async with asyncio.timeout(30.0):
            while (await work.view()).workers[0].is_silent:
                await asyncio.sleep(0.05)
