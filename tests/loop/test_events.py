"""Events: their numbers, their times, and their form as JSON."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from scripted import PROMPT, Scripted, raising

from jido_ai.loop.events import (
    CandidateGenerated,
    Critiqued,
    LessonsRetrieved,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.pipeline import Pipeline
from jido_ai.values import Candidate, CritiqueResult, MemoryEntry


async def events(script: Any, run_id: str = "run-1", **parts: Any) -> list[RunEvent]:
    async with Pipeline(script, script, script, **parts) as pipeline:
        return [event async for event in pipeline.stream(PROMPT, run_id=run_id)]


@pytest.mark.virtual_clock
async def test_events_are_numbered_from_1_without_gaps_in_every_run() -> None:
    script = Scripted(0.9, 0.7, 0.1, at={"critique 1": raising(ValueError("oops"))})  # a restart is an event as well
    seen = await events(script)
    assert [event.seq for event in seen] == list(range(1, len(seen) + 1))
    assert isinstance(seen[-1], RunStopped)
    again = await events(Scripted(0.1), "run-2")
    assert [event.seq for event in again] == list(range(1, len(again) + 1))


async def test_an_event_has_the_aware_time_at_which_it_was_made() -> None:
    before = datetime.now(UTC)
    seen = await events(Scripted(0.9, 0.1))
    assert before <= seen[0].at
    assert [event.at for event in seen] == sorted(event.at for event in seen)
    assert seen[-1].at <= datetime.now(UTC)
    assert {event.at.utcoffset() for event in seen} == {timedelta()}


@pytest.mark.virtual_clock
async def test_the_map_of_every_event_is_json_with_the_name_of_its_class() -> None:
    script = Scripted(0.9, 0.1, at={"critique 1": raising(ValueError("oops"))})
    for event in await events(script, memory=True):
        told = event.to_map()
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert (told["type"], told["run_id"], told["seq"]) == (type(event).__name__, "run-1", event.seq)
        assert datetime.fromisoformat(told["at"]) == event.at


def test_the_map_describes_metadata_that_json_cannot_represent() -> None:
    odd = Candidate("a", metadata={"object": object, "nan": float("nan"), "set": {1}})
    told = CandidateGenerated("run-1", odd).to_map()
    json.dumps(told, allow_nan=False)
    assert told["candidate"]["content"] == "a"
    assert told["candidate"]["metadata"]["set"] == [1]


def test_the_map_of_retrieved_lessons_lists_them() -> None:
    told = LessonsRetrieved("run-1", (MemoryEntry(PROMPT, correction="Check dates."),)).to_map()
    assert [lesson["correction"] for lesson in told["lessons"]] == ["Check dates."]


def test_equality_of_events_ignores_number_and_time_and_pickling_keeps_them() -> None:
    one, other = RunStarted("run-1", "a"), RunStarted("run-1", "a", seq=7, at=datetime(2026, 1, 1, tzinfo=UTC))
    assert one == other
    assert hash(one) == hash(other)
    again = pickle.loads(pickle.dumps(other))
    assert (again.seq, again.at) == (other.seq, other.at)


@pytest.mark.virtual_clock
async def test_the_map_of_a_critique_holds_the_whole_iteration() -> None:
    seen = await events(Scripted(0.9, 0.1))
    critiqued = next(event for event in seen if isinstance(event, Critiqued))
    told = critiqued.to_map()["iteration"]
    assert CritiqueResult.model_validate(told["critique"]) == critiqued.critique
