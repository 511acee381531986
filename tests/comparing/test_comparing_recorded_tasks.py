"""Tasks made of recorded runs."""

from __future__ import annotations

import pytest

from jido_ai.comparing.recorded_tasks import tasks_from_runs
from jido_ai.comparing.task_file import tasks_in, text_of_tasks
from jido_ai.errors import ConfigurationError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.serve.entries import note_record
from jido_ai.values import Candidate, CritiqueResult, Scope

JUDGE = "openai:gpt-4o-mini"


async def answer(prompt: str, context: object) -> str:
    return f"the answer to {prompt}"


async def good(candidate: Candidate, context: object) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def recorded(memory: ReflexionMemory, *runs: tuple[str, str], scope: Scope | None = None) -> None:
    async with Pipeline(answer, good, memory=memory) as pipeline:
        for run_id, prompt in runs:
            await pipeline.run(prompt, run_id=run_id, scope=scope)


async def test_thumbs_become_labels_and_the_newest_note_counts() -> None:
    async with ReflexionMemory() as memory:
        await recorded(memory, ("one", "first?"), ("two", "second?"), ("three", "third?"))
        await memory.append(
            [
                note_record(Scope(), "one", "down", ""),
                note_record(Scope(), "one", "up", "short and right"),
                note_record(Scope(), "two", "down", "it is rude"),
            ]
        )
        found = {task.prompt: task for task in await tasks_from_runs(memory, judge=JUDGE)}
    assert list(found) == ["second?", "first?", "third?"]
    families = [task.metadata["family"] for task in found.values()]
    assert families == ["thumb down", "thumb up", "no thumb"]
    [up], [down], [none] = (found[prompt].checks for prompt in ("first?", "second?", "third?"))
    assert (up.kind, up.model) == ("judge", JUDGE)
    assert "approved" in up.value and "short and right" in up.value and "the answer to first?" in up.value
    assert "rejected" in down.value and "it is rude" in down.value and "the answer to second?" in down.value
    assert "the answer to" not in none.value
    assert found["first?"].metadata["run_id"] == "one"


async def test_the_tasks_can_be_written_to_a_file_of_their_own() -> None:
    async with ReflexionMemory() as memory:
        await recorded(memory, ("one", "first?"))
        tasks = await tasks_from_runs(memory, judge=JUDGE)
    assert tasks_in(text_of_tasks(tasks)) == tasks


async def test_a_prompt_asked_often_is_one_task_and_its_run_with_a_thumb_counts() -> None:
    async with ReflexionMemory() as memory:
        await recorded(memory, ("one", "same?"), ("two", "same?"), ("three", "same?"))
        await memory.append([note_record(Scope(), "two", "up", "")])
        [task] = await tasks_from_runs(memory, judge=JUDGE)
    assert (task.id, task.metadata["thumb"]) == ("run-two", "up")


async def test_runs_can_be_chosen_by_scope_thumb_and_number() -> None:
    async with ReflexionMemory() as memory:
        await recorded(memory, ("one", "first?"), ("two", "second?"), scope=Scope("acme", "shop"))
        await recorded(memory, ("three", "third?"))
        await recorded(memory, ("four", "fourth?"), scope=Scope("comparison", "own"))
        await memory.append([note_record(Scope("acme", "shop"), "one", "up", "")])
        everything = await tasks_from_runs(memory, judge=JUDGE)
        of_acme = await tasks_from_runs(memory, judge=JUDGE, scope=Scope("acme", "shop"))
        liked = await tasks_from_runs(memory, judge=JUDGE, thumbs=["up"])
        one = await tasks_from_runs(memory, judge=JUDGE, limit=1)
    assert {task.prompt for task in everything} == {"first?", "second?", "third?"}
    assert {task.prompt for task in of_acme} == {"first?", "second?"}
    assert [task.prompt for task in liked] == ["first?"]
    assert len(one) == 1


async def test_more_runs_than_one_page_are_all_read() -> None:
    async with ReflexionMemory() as memory:
        await recorded(memory, *((f"run{number}", f"question {number}?") for number in range(130)))
        assert len(await tasks_from_runs(memory, judge=JUDGE, limit=500)) == 130


async def test_an_empty_journal_has_no_tasks_and_wrong_arguments_are_refused() -> None:
    async with ReflexionMemory() as memory:
        assert await tasks_from_runs(memory, judge=JUDGE) == ()
        for wrong in ({"limit": 0}, {"thumbs": ["sideways"]}, {"thumbs": []}):
            with pytest.raises(ConfigurationError):
                await tasks_from_runs(memory, judge=JUDGE, **wrong)  # type: ignore[arg-type]
