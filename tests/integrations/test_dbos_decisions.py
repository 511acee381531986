"""Suspended runs of a queue: a person answers from any machine, and any worker goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from integration_helpers import Parts, graphed, piped

from jido_ai import SUSPEND
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.integrations.dbos import WorkClient, client, worker
from jido_ai.integrations.dbos_orders import resumptions_of, run_of, workflow_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.values import StopReason

LIMIT_S = 60.0


def asking(parts: Parts | None = None) -> Pipeline:
    """Return a pipeline that asks a person about each revision."""
    return piped(parts, approve=lambda *_: SUSPEND)


async def at_rest(work: WorkClient, run_id: str) -> Any:
    """Return the result of a run that has ended or waits."""
    return await work.result(run_id, timeout_s=LIMIT_S)


@pytest.mark.parametrize("kind", ["postgres", "sqlite"])
async def test_a_revision_is_decided_from_elsewhere(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    store = request.getfixturevalue("postgres") if kind == "postgres" else str(tmp_path / "runs.db")
    async with worker({"answer": asking()}, store=store, queue="work"), client(store=store, queue="work") as work:
        run_id = await work.submit("answer", "question")
        assert (await at_rest(work, run_id)).stop_reason is StopReason.SUSPENDED
        before = [event["seq"] async for event in work.events(run_id)]
        await work.resume(run_id, True)
        assert (await at_rest(work, run_id)).stop_reason is StopReason.SUSPENDED  # for the next revision
        await work.resume(run_id, "v3")
        result = await at_rest(work, run_id)
        after = [event async for event in work.events(run_id, after=before[-1])]
        with pytest.raises(ConfigurationError, match="waits for no decision"):
            await work.resume(run_id, True)
        assert await work.status(run_id) == "completed"
    assert result.best_candidate.content == "v3"
    assert [event["seq"] for event in after] == list(range(before[-1] + 1, before[-1] + 1 + len(after)))
    assert after[-1]["result"]["stop_reason"] == result.stop_reason.value


async def test_a_later_worker_continues_with_the_decision(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    async with client(store=store, queue="work") as work:
        async with worker({"answer": asking()}, store=store, queue="work"):
            await at_rest(work, await work.submit("answer", "question", "mine"))
        await work.resume("mine", "v3")
        assert await work.status("mine") == "queued"
        parts = Parts()
        async with worker({"answer": asking(parts)}, store=store, queue="work"):
            result = await at_rest(work, "mine")
    assert result.accepted
    assert parts.calls == ["critique v3"]


async def test_a_repeated_answer_counts_once_and_a_different_one_is_refused(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    async with client(store=store, queue="work") as work:
        async with worker({"answer": asking()}, store=store, queue="work"):
            await at_rest(work, await work.submit("answer", "question", "mine"))
        await asyncio.gather(*(work.resume("mine", "v3") for _ in range(3)))
        with pytest.raises(ConfigurationError, match="is queued and waits for no decision"):
            await work.resume("mine", False)
        assert (await work.view()).waiting == 1


async def test_decisions_name_nodes_of_a_graph_by_path(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    talk = worker({"talk": graphed(asks=True)}, store=store, queue="work")
    async with talk, client(store=store, queue="work") as work:
        run_id = await work.submit("talk", inputs={"task": "question"})
        assert (await at_rest(work, run_id)).status == "suspended"
        with pytest.raises(ConfigurationError, match=r"'scond' waits for no decision; .*first"):
            await work.resume(run_id, {"scond": True})
        await work.resume(run_id, {"first": "v9"})
        assert (await at_rest(work, run_id)).nodes["first"].output == "v9"
        await work.resume(run_id, True)
        result = await at_rest(work, run_id)
    assert (result.status, result.output) == ("completed", "v9!")


async def test_an_unknown_or_waiting_run_accepts_no_decision(tmp_path: Path) -> None:
    async with client(store=str(tmp_path / "runs.db"), queue="work") as work:
        with pytest.raises(NotFoundError):
            await work.resume("mine", True)
        await work.submit("answer", "question", "mine")
        with pytest.raises(ConfigurationError, match="is queued and waits for no decision"):
            await work.resume("mine", True)
        with pytest.raises(ConfigurationError, match="must not end like"):
            await work.submit("answer", "question", "mine#resumed-3")


def test_the_ids_of_runs_and_workflows_are_distinguished() -> None:
    for run_id in ("mine", "mine#resumed-", "a#resumed-1 b"):
        for number in (0, 1, 12):
            assert (run_of(workflow_of(run_id, number)), resumptions_of(workflow_of(run_id, number))) == (
                run_id,
                number,
            )
