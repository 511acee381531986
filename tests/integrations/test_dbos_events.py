"""Events of a run from its journal: numbered in its order, one for a repeated line."""

from __future__ import annotations

from integration_helpers import Parts, piped

from jido_ai.integrations.dbos_events import events_in, is_end
from jido_ai.runs.summary import LOG


async def test_the_events_of_a_journal_are_the_emitted_ones() -> None:
    pipeline = piped(Parts(), memory=True)
    async with pipeline:
        emitted = [event async for event in pipeline.stream("question", run_id="r")]
        assert pipeline.memory is not None
        records = await pipeline.memory.records(LOG, key="r")
    read = events_in(records)
    assert [event["type"] for event in read] == [type(event).__name__ for event in emitted]
    assert [event["seq"] for event in read] == [event.seq for event in emitted]
    for found, event in zip(read[:-1], emitted[:-1], strict=True):
        told = event.to_map()
        assert found.keys() == told.keys()
        assert found["run_id"] == "r"
        for name in ("prompt", "lessons", "base"):
            assert found.get(name) == told.get(name)
        for name in ("candidate", "iteration"):
            if name in told:
                inner = "content" if name == "candidate" else "index"
                assert found[name][inner] == told[name][inner]
    assert is_end(read[-1])
    assert read[-1]["result"]["stop_reason"] == "accepted"


async def test_a_line_that_a_crash_repeated_is_one_event() -> None:
    pipeline = piped(Parts(), memory=True)
    async with pipeline:
        await pipeline.run("question", run_id="r")
        assert pipeline.memory is not None
        records = list(await pipeline.memory.records(LOG, key="r"))
    doubled = [record for record in records[:-1] for _ in range(2)] + records[-1:]
    assert [event["seq"] for event in events_in(doubled)] == [event["seq"] for event in events_in(records)]
