"""A queue keeps each text as it is, or refuses it before anything starts, and does the same on every store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="dbos is not installed: make test-integrations")

from integration_helpers import CONFIG, Parts

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.graph.orders import RunOutcome
from jido_ai.integrations.dbos import WorkClient, client, worker
from jido_ai.integrations.dbos_orders import outcome_map, outcome_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.values import ErrorInfo, Scope

NUL = "before\0after"
HALF = "half \ud83d of a character"


def halved(text: str) -> str:
    if text == "fail":
        raise ValueError(HALF)
    return f"{text} {HALF} {NUL}"


@pytest.fixture(params=["postgres", "sqlite"])
async def work(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[WorkClient]:
    """Return a client of a queue with a worker."""
    store = request.getfixturevalue("postgres") if request.param == "postgres" else str(tmp_path / "runs.db")
    parts = Parts()
    things: dict[str, Any] = {
        "answer": Pipeline(parts, parts, parts, config=CONFIG),
        "echo": Graph({"echo": StepNode(halved, inputs={"text": "{text}"})}, inputs=("text",), output="echo"),
    }
    async with worker(things, store=store, queue="work"), client(store=store, queue="work") as work:
        yield work


async def test_a_prompt_with_u0000_is_carried_out_and_comes_back_as_it_was(work: WorkClient) -> None:
    result = await work.result(await work.submit("answer", NUL, metadata={NUL: NUL}), timeout_s=30.0)
    assert (result.prompt, result.error) == (NUL, None)


async def test_inputs_and_outputs_with_u0000_and_lone_surrogates_come_back_as_they_were(work: WorkClient) -> None:
    result = await work.result(await work.submit("echo", inputs={"text": NUL}), timeout_s=30.0)
    assert (result.output, result.status) == (f"{NUL} {HALF} {NUL}", "completed")


async def test_the_error_of_a_run_may_have_a_lone_surrogate(work: WorkClient) -> None:
    result = await work.result(await work.submit("echo", inputs={"text": "fail"}), timeout_s=30.0)
    assert result.status == "failed"
    assert HALF in result.error.message


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"prompt": HALF}, "prompt"),
        ({"inputs": {"text": [HALF]}}, "inputs"),
        ({"prompt": "x", "metadata": {"a": HALF}}, "metadata"),
        ({"prompt": "x", "scope": Scope(HALF)}, "tenant"),
        ({"prompt": "x", "scope": Scope("t", HALF)}, "project"),
        ({"prompt": "x", "scope": Scope(NUL)}, "tenant"),
        ({"prompt": "x", "run_id": NUL}, "run_id"),
        ({"prompt": "x", "run_id": HALF}, "run_id"),
        ({"prompt": "x", "run_id": " "}, "run_id"),
        ({"prompt": "x", "run_id": 7}, "run_id"),
        ({"prompt": " "}, "prompt"),
        ({"prompt": 7}, "prompt"),
        ({"inputs": "text"}, "inputs"),
        ({"prompt": "x", "metadata": "text"}, "metadata"),
        ({"prompt": "x", "scope": "tenant"}, "scope"),
        ({"prompt": "x", "priority": "first"}, "priority"),
    ],
)
async def test_submit_refuses_a_field_that_a_queue_cannot_hold_by_its_name(
    work: WorkClient, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(ConfigurationError, match=field):
        await work.submit("answer", **given)
    view = await work.view()
    assert (view.waiting, view.running) == (0, 0)


@pytest.mark.parametrize("run_id", [None, "", " ", 7, NUL, HALF, "x" * 256])
async def test_every_method_refuses_an_id_that_no_run_of_a_queue_can_have(work: WorkClient, run_id: Any) -> None:
    for call in (work.status(run_id), work.result(run_id), work.cancel(run_id), work.resume(run_id, True)):
        with pytest.raises(ConfigurationError, match="run_id"):
            await call
    with pytest.raises(ConfigurationError, match="run_id"):
        await anext(work.events(run_id))


def test_an_outcome_is_readable_as_before_unless_it_has_a_lone_surrogate() -> None:
    plain = RunOutcome(kind="graph", status="failed", reason="failed", error=ErrorInfo("ValueError", NUL))
    assert outcome_map(plain)["reason"] == "failed"
    for one in (plain, RunOutcome(kind="graph", status="completed", reason="completed", output={HALF: [HALF]})):
        assert outcome_of(outcome_map(one)) == one
