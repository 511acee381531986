"""Runs that are held out: nothing remembered is shown to them, and they show whether memory helps."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from io import StringIO
from typing import Any

import pytest

from jido_ai.cli.progress import show_progress
from jido_ai.learning import Check, Task, compare
from jido_ai.learning.lesson_counts import counts_in_words, counts_of
from jido_ai.learning.progress_report import progress_report, report_map
from jido_ai.loop.events import MemoryPaused
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.trials import KINDS, RECENT_RUNS, Trial, decision_of, is_due, is_held_out, share_of, trials_in
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, MemoryEntry, MemoryKind, ReflectionResult, Scope

PROMPT = "parse the date in a line of text"
LESSON = MemoryEntry(PROMPT, "", "name the zone", kind=MemoryKind.SEMANTIC, use_count=900, success_count=900)
EXAMPLE = MemoryEntry(PROMPT + " quickly", answer="2026-01-02")


class Writer:
    """Writes an answer that is good with or without what is remembered.

    Attributes:
        shown: the lessons and examples of each call.
    """

    def __init__(self, *, is_good: Any = lambda has_lessons: True) -> None:
        self.is_good = is_good
        self.shown: list[tuple[int, int]] = []

    async def generate(self, prompt: str, context: RunContext) -> str:
        self.shown.append((len(list(context.lessons)), len(list(context.examples))))
        return "good" if self.is_good(bool(self.shown[-1][0])) else "bad"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "good" else 0.9, source="model:critic")


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        await memory.store(LESSON)
        await memory.store(EXAMPLE)
        yield memory


async def run(memory: ReflexionMemory, writer: Writer, *ids: str, **options: Any) -> list[ReflectionResult[Any]]:
    metadata = options.pop("metadata", None)
    config = options.pop("config", LoopConfig(max_iterations=1))
    async with Pipeline(writer, writer, None, memory, config, **options) as pipeline:
        return [await pipeline.run(PROMPT, run_id=id, metadata=metadata) for id in ids]


async def test_a_run_that_is_held_out_is_shown_nothing_and_the_journal_has_what_it_would_have_been_shown(
    memory: ReflexionMemory,
) -> None:
    writer = Writer()
    (held,) = await run(memory, writer, "a", holdout=1.0)
    (shown,) = await run(memory, writer, "b", holdout=0.0)
    assert (held.held_out, shown.held_out) == (True, False)
    assert writer.shown == [(0, 0), (1, 1)]
    assert (held.lessons_used, held.examples_used) == ((), ())
    lines = {one.kind: one.data for one in await memory.records("journal", key="a")}
    assert [one["correction"] or one["answer"] for one in lines["lessons"]["withheld"]] == [
        "name the zone",
        "2026-01-02",
    ]


async def test_the_draw_follows_from_the_id_and_the_share_alone(memory: ReflexionMemory) -> None:
    ids = [f"run-{number}" for number in range(30)]
    first = [one.held_out for one in await run(memory, Writer(), *ids, holdout=0.3)]
    second = [one.held_out for one in await run(memory, Writer(), *[*ids], holdout=0.3, name="other")]
    assert first == second == [is_held_out(id, 0.3) for id in ids]
    assert any(first) and not all(first)
    drawn = [is_held_out(f"run-{number}", 0.1) for number in range(5_000)]
    assert sum(drawn) / len(drawn) == pytest.approx(0.1, abs=0.02)
    assert all(is_held_out(id, 0.5) for id in ids if is_held_out(id, 0.3))


async def test_by_default_a_tenth_is_held_out_once_20_runs_of_a_task_type_have_ended(memory: ReflexionMemory) -> None:
    drawn = [id for number in range(600) if is_held_out(id := f"run-{number}", 0.1)]
    results = await run(memory, Writer(), *drawn[:22], metadata={"task_type": "dates"})
    assert [one.held_out for one in results] == [False] * RECENT_RUNS + [True, True]
    (other,) = await run(memory, Writer(), drawn[30], metadata={"task_type": "times"})
    assert not other.held_out
    async with Pipeline(Writer(), Writer(), None, memory, LoopConfig(max_iterations=1)) as pipeline:
        elsewhere = await pipeline.run(PROMPT, run_id=drawn[31], scope=Scope("t", "p"), metadata={"task_type": "dates"})
        assert not elsewhere.held_out
        for id in drawn[32:52]:  # nothing is found for them, and they count as runs that ended all the same
            await pipeline.run("bake some bread", run_id=id, metadata={"task_type": "loaves"})
        assert (await pipeline.run("bake some bread", run_id=drawn[52], metadata={"task_type": "loaves"})).held_out
    kept = next(f"run-{number}" for number in range(600) if not is_held_out(f"run-{number}", 0.1))
    (shown,) = await run(memory, Writer(), kept, metadata={"task_type": "dates"})
    assert not shown.held_out


async def test_a_run_that_continues_stays_held_out(memory: ReflexionMemory) -> None:
    class Broken(Writer):
        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            raise RuntimeError("down")

    config = LoopConfig(max_iterations=1, step_retries=0)
    (first,) = await run(memory, Broken(), "a", holdout=1.0, config=config)
    assert first.error is not None
    writer = Writer()
    async with Pipeline(writer, writer, None, memory, config, holdout=0.0) as pipeline:
        result = await pipeline.resume("a")
    assert result.held_out
    assert result.accepted
    assert writer.shown == []


async def test_only_runs_for_which_something_was_found_count(memory: ReflexionMemory) -> None:
    ids = [f"run-{number}" for number in range(20)]
    await run(memory, Writer(), *ids, holdout=0.5)
    async with Pipeline(Writer(), Writer(), None, memory, LoopConfig(max_iterations=1), holdout=0.5) as pipeline:
        for id in ids:
            await pipeline.run("bake some bread", run_id=f"other {id}")
    lessons, examples = report_map(await progress_report(memory))["memory"]
    held = sum(is_held_out(id, 0.5) for id in ids)
    assert (lessons["of"], examples["of"]) == KINDS == ("lessons", "examples")
    for row in (lessons, examples):
        assert (row["with"]["runs"], row["without"]["runs"]) == (20 - held, held)


async def test_progress_tells_the_fields_of_the_contract(memory: ReflexionMemory) -> None:
    ids = [f"run-{number}" for number in range(40)]
    writer = Writer(is_good=lambda has_lessons: has_lessons)
    config = LoopConfig(max_iterations=2)
    await run(memory, writer, *ids, holdout=0.5, metadata={"task_type": "dates"}, config=config)
    report = await progress_report(memory)
    table = json.loads(json.dumps(report_map(report)))["memory"]
    assert [(row["task_type"], row["of"]) for row in table] == [
        (None, "lessons"),
        (None, "examples"),
        ("dates", "lessons"),
        ("dates", "examples"),
    ]
    row, held = table[2], sum(is_held_out(id, 0.5) for id in ids)
    assert row["with"] == {"runs": 40 - held, "passed": 40 - held, "calls": 1.0}
    assert row["without"] == {"runs": held, "passed": 0, "calls": None}
    assert (row["difference"], row["verdict"], row["more_runs"], row["paused"]) == (1.0, "helps", None, False)
    assert 0.0 < row["low"] < row["high"] <= 1.0
    assert row["text"].startswith("helps (+100 points, ")
    out = StringIO()
    show_progress(report, out, as_json=False)
    assert row["text"] in " ".join(out.getvalue().split())


async def test_a_memory_that_hurts_is_paused_told_and_tried_again(memory: ReflexionMemory) -> None:
    writer, paused, shown = Writer(is_good=lambda has_lessons: not has_lessons), [], []
    async with Pipeline(writer, writer, None, memory, LoopConfig(max_iterations=1), holdout=0.5) as pipeline:
        for number in range(130):
            id, before = f"run-{number}", len(writer.shown)
            async for event in pipeline.stream(PROMPT, run_id=id, metadata={"task_type": "dates"}):
                if isinstance(event, MemoryPaused):
                    paused.append((number, event.task_type, event.of))
            if not is_held_out(id, 0.5):
                shown.append((number, writer.shown[before]))
            if number == 60:
                table = report_map(await progress_report(memory))["memory"]
                assert [row["paused"] for row in table] == [True] * 4
                assert table[0]["verdict"] == "hurts"
                entries = [one.replace(task_type="dates") for one in await memory.list_entries()]
                counts = await counts_of(memory, entries)
                assert all(counts_in_words(one).startswith("paused: ") for one in counts.values())
    assert paused == [(49, "dates", "lessons"), (49, "dates", "examples")]
    assert {counts for number, counts in shown if number <= 49 or number >= 100} == {(1, 1)}
    assert {counts for number, counts in shown if 50 <= number < 100} == {(0, 0)}


async def test_runs_of_a_comparison_are_never_held_out(memory: ReflexionMemory) -> None:
    writer = Writer()
    async with Pipeline(writer, writer, None, memory, LoopConfig(max_iterations=1), holdout=1.0) as pipeline:
        tasks = [Task(f"{PROMPT} {number}", [Check.contains("good")]) for number in range(2)]
        await compare(tasks, {"a": pipeline, "b": pipeline})
        records = await memory.records("trials")
    assert records
    assert not [one for one in trials_in(records) if one.held_out]


async def test_a_run_that_ends_twice_counts_once(memory: ReflexionMemory) -> None:
    class Cut(Writer):
        async def revise(self, *_: object) -> str:
            raise RuntimeError("down")

    writer = Cut(is_good=lambda has_lessons: False)
    config = LoopConfig(max_iterations=2, step_retries=0)
    async with Pipeline(writer, writer, writer, memory, config) as pipeline:
        await pipeline.run(PROMPT, run_id="a")
        await pipeline.resume("a")
    (record,) = await memory.records("trials")
    assert record.data["counted"] == {"lessons": 1, "examples": 1}


# -- the rules -------------------------------------------------------------------------------------


def trial(number: int, *, held_out: bool = False, passed: bool = True, last: Trial | None = None) -> Trial:
    found = ("lessons",)
    return Trial(f"run-{number}", None, held_out, found, (), passed, 1 if passed else None).after(last)


def test_looks_are_at_50_100_200_400_runs() -> None:
    last, looks = None, []
    for number in range(1, 900):
        last = trial(number, last=last)
        looks += [number] if is_due(last, "lessons") else []
    assert looks == [50, 100, 200, 400, 800]


def test_a_pause_needs_a_99_percent_interval() -> None:
    def decided(passed_with: int) -> bool:
        last, trials = None, []
        for number in range(50):
            held_out = number % 2 == 0
            passed = number // 2 < (20 if held_out else passed_with)
            last = trial(number, held_out=held_out, passed=passed, last=last)
            trials.append(last)
        assert last is not None
        return bool(decision_of(last, trials)[1])

    assert decided(10)
    assert not decided(13)  # 95 % would do


def test_a_share_is_what_the_pipeline_says_or_a_tenth_later() -> None:
    recent = [trial(number) for number in range(RECENT_RUNS)]
    assert (share_of(None, recent[1:]), share_of(None, recent)) == (0.0, 0.1)
    assert (share_of(0.5, []), share_of(0.0, recent)) == (0.5, 0.0)
