"""Queues as a server shows them whose memory is the workers' store."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from dbos import DBOSClient
from integration_helpers import piped

from jido_ai.errors import StoreUnavailableError
from jido_ai.integrations.dbos import client, worker
from jido_ai.serve.state import Queues


@pytest.mark.parametrize("kind", ["postgres", "sqlite"])
async def test_queues_are_shown_with_their_workers(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    store = request.getfixturevalue("postgres") if kind == "postgres" else str(tmp_path / "runs.db")
    things = {"answer": piped()}
    async with (
        worker(things, store=store, queue="work", concurrency=3) as one,
        client(store=store, queue="work") as work,
    ):
        await work.result(await work.submit("answer", "question"), timeout_s=60.0)
        await work.submit("answer", "question", priority=1)
        queues = Queues(store)
        (queue,) = await queues.look()
        again = await queues.look()
        await queues.close()
    assert again == [queue]
    (shown,) = queue["workers"]
    assert (queue["name"], queue["handovers"], queue["given_up"]) == ("work", [], [])
    assert queue["waiting"] + queue["running"] <= 1
    assert (shown["id"], shown["status"], shown["concurrency"], shown["names"]) == (one.id, "running", 3, ["answer"])


async def test_a_run_that_a_worker_takes_between_two_reads_counts_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = str(tmp_path / "runs.db")
    reading = DBOSClient.list_workflows

    def read_then_taken(self: DBOSClient, **asked: Any) -> Any:
        rows = reading(self, **asked)
        with sqlite3.connect(f"{store}.queue") as db:
            db.execute("UPDATE workflow_status SET status = 'PENDING'")
        return rows

    async with worker({"answer": piped()}, store=store, queue="work"):
        pass
    async with client(store=store, queue="work") as work:
        await work.submit("answer", "question")
        monkeypatch.setattr(DBOSClient, "list_workflows", read_then_taken)
        first, then = await work.view(), await work.view()
    assert (first.waiting, first.running, then.waiting, then.running) == (1, 0, 0, 1)


async def test_the_queue_of_workers_of_an_earlier_version_is_shown(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    async with worker({"answer": piped()}, store=store, queue="work"):
        pass
    with sqlite3.connect(f"{store}.queue") as db:
        db.execute("DROP TABLE jido_attempt")
    (queue,) = await Queues(store).look()
    assert (queue["name"], queue["given_up"]) == ("work", [])


async def test_a_memory_without_workers_has_no_queues_and_gets_no_tables(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    assert await Queues(str(store)).look() == []
    assert list(tmp_path.iterdir()) == []


async def test_an_unreachable_database_is_an_error() -> None:
    queues = Queues("postgresql://nobody:secret@127.0.0.1:1/jido")
    with pytest.raises(StoreUnavailableError) as error:
        await queues.look()
    assert "secret" not in str(error.value)
