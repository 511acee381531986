"""A pipeline behind an AG-UI route, asked over HTTP without a network."""

from __future__ import annotations

import pytest
from integration_helpers import Parts, piped

pytest.importorskip("ag_ui", reason="ag-ui-protocol is not installed: make test-integrations")


from frameworks.ag_ui import asked, text_of

from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore


async def test_a_blocking_pipeline_can_replace_a_pipeline() -> None:
    with BlockingPipeline(piped()) as blocking:
        events = await asked(blocking)
    assert text_of(events) == "v3"


@pytest.mark.parametrize(
    ("theirs", "mine"), [("t", "u"), ("t:r1", "t"), ("t", "t:r1"), ("t%3Ar1", "t:r1"), ("t/1", "t"), ("", "t")]
)
async def test_an_interrupt_of_another_thread_is_refused_and_changes_nothing(theirs: str, mine: str) -> None:
    parts = Parts()
    async with piped(parts, memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        events = await asked(pipeline, thread_id=theirs, approve=True)
        (interrupt,) = events[-1]["outcome"]["interrupts"]
        calls = list(parts.calls)
        entry = {"interrupt_id": interrupt["id"], "status": "resolved", "payload": "yes"}
        refused = await asked(pipeline, thread_id=mine, run_id="r2", approve=True, resume=[entry])
        assert refused[-1]["type"] == "RUN_ERROR"
        assert "not one of this thread" in refused[-1]["message"]
        assert parts.calls == calls
        events = await asked(pipeline, thread_id=theirs, run_id="r2", approve=True, resume=[entry])
    assert events[-1]["outcome"]["interrupts"][0]["metadata"]["revision"] == "v2", "it still waited"


@pytest.mark.parametrize("name", ["", "#0", "x#0", "agui:t:r1", "agui:t:r1#", "agui:t:r1#x", "agui:t:r1#7"])
async def test_an_unknown_interrupt_is_an_error_event(name: str) -> None:
    entry = {"interrupt_id": name, "status": "resolved", "payload": "yes"}
    async with piped(memory=ReflexionMemory(store=InProcessStore())) as pipeline:
        await asked(pipeline, approve=True)
        for entries in ([entry], [entry, entry]):
            events = await asked(pipeline, run_id="r2", approve=True, resume=entries)
            assert events[-1]["type"] == "RUN_ERROR"
