"""Counts of the runs that a lesson was offered to, shown in and used by."""

from __future__ import annotations

from typing import Any

from jido_ai.learning.lesson_counts import counts_in_words, counts_map, counts_of, lesson_counts
from jido_ai.learning.maintenance import maintain
from jido_ai.learning.progress import results_of_runs
from jido_ai.loop.memory import remember
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.protocols import RunContext
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, Episode, MemoryEntry, Outcome


def run(number: int, success: bool, *lessons: str, task_type: str = "fix", **metadata: Any) -> Episode:
    outcome = Outcome.SUCCESS if success else Outcome.FAILURE
    return Episode("p", id=f"e{number}", task_type=task_type, outcome=outcome, memories_used=lessons, metadata=metadata)


def test_offered_shown_and_used_runs_are_counted_each_with_its_successes() -> None:
    runs = [
        run(1, True, "l", applied=["l"]),
        run(2, False, "l"),
        run(3, True, "l", seen=False),
        run(4, False),
        run(5, True, task_type="other"),
    ]
    counts = lesson_counts(runs, ["l", "never"])
    one = counts["l"]
    assert (one.offered, one.offered_succeeded) == (3, 2)
    assert (one.shown, one.shown_succeeded) == (2, 1)
    assert (one.used, one.used_succeeded) == (1, 1)
    assert (one.compared.with_lessons, one.compared.without_lessons) == (2, 2)  # a run that did not look had none
    assert counts_in_words(one) == (
        "shown in 2 of 3 runs, used in 1; 1 of 2 succeeded with it, 1 of 2 without it: too few to tell"
    )
    assert counts_in_words(counts["never"]) == "not offered to a run yet"


def test_an_example_is_shown_in_the_runs_that_made_a_sample_with_it_whatever_became_of_the_lessons() -> None:
    first = run(1, False, "l", "e", run_id="r", seen=False, examples={"e": False})
    second = run(2, True, "l", "e", run_id="r", seen=False, examples={"e": True})
    other = run(3, True, "l", "e", run_id="q", examples={"e": False})
    counts = lesson_counts(results_of_runs([first, second, other]), ["l", "e"])
    assert [(counts[id].offered, counts[id].shown, counts[id].shown_succeeded) for id in ("l", "e")] == [
        (2, 1, 1),
        (2, 1, 1),
    ]


async def test_the_counts_of_an_example_include_the_run_that_was_shown_it() -> None:
    async with ReflexionMemory(similarity="weighted") as memory:
        generator = LLMGenerator(ScriptedModel(["three", "four"]))
        async with Pipeline(generator, lambda *_: CritiqueResult(severity=0.0), None, memory, holdout=0) as pipeline:
            await pipeline.run("name 3 red fruits in a list")
            result = await pipeline.run("name 4 red fruits in a list")
        (entry,) = [one for one in await memory.list_entries(None) if one.id in result.examples_used]
        (counts,) = (await counts_of(memory, [entry])).values()
    assert (counts.offered, counts.shown, counts.shown_succeeded) == (1, 1, 1)


def test_a_lesson_helped_or_hurt_only_if_chance_does_not_explain_it() -> None:
    for good, verdict in ((True, "helped"), (False, "hurt")):
        runs = [run(n, good, "l") for n in range(20)] + [run(n, not good) for n in range(20, 40)]
        counts = lesson_counts(runs, ["l"])["l"]
        assert f": {verdict} (" in counts_in_words(counts)
        assert counts_map(counts)["compared"]["verdict"] == ("better" if good else "worse")


def test_without_another_run_of_the_kind_there_is_no_comparison() -> None:
    counts = lesson_counts([run(1, True, "l"), run(2, False, task_type="other")], ["l"])["l"]
    assert counts_in_words(counts).endswith("no run of the kind without it to compare with")


async def test_a_lesson_that_no_component_looked_at_is_never_said_to_have_helped() -> None:
    def judge(candidate: Candidate, _context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if "good" in candidate.content else 0.9, issues=["bad"])

    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry("write it", "m", "c", kind="semantic"))
        async with Pipeline(lambda *_: "poor", judge, lambda *_: "good", memory) as pipeline:
            await pipeline.run("write it")
        counts = (await counts_of(memory, [lesson]))[lesson.scope, lesson.id]
    assert (counts.offered, counts.shown) == (1, 0)
    assert counts_in_words(counts) == "offered to 1 run, and no component looked at it"


async def test_a_citation_of_a_lesson_is_a_use() -> None:
    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        assert [*context.lessons]
        return CritiqueResult(severity=0.0, feedback="as lesson 1 says")

    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry("write it", "m", "c", kind="semantic"))
        async with Pipeline(lambda *_: "good", judge, None, memory) as pipeline:
            await pipeline.run("write it")
        counts = (await counts_of(memory, [lesson]))[lesson.scope, lesson.id]
    assert (counts.offered, counts.shown, counts.used) == (1, 1, 1)


async def test_a_run_that_had_a_lesson_counts_for_the_one_that_the_lesson_was_merged_into() -> None:
    async with ReflexionMemory() as memory:
        stored = [
            await memory.store(
                MemoryEntry(f"sort a list of numbers, please{end}", "m", f"use sorted{end}", kind="semantic")
            )
            for end in ("", ".", "!")
        ]
        runs = [run(n, True, one.id, applied=[one.id]) for n, one in enumerate(stored)]
        await remember(memory, [*runs, run(3, False)])
        assert (await maintain(memory)).merged == 2
        (kept,) = await memory.list_entries()
        counts = (await counts_of(memory, [kept]))[kept.scope, kept.id]
    assert (counts.offered, counts.shown, counts.used) == (3, 3, 3)
    assert (counts.compared.with_lessons, counts.compared.without_lessons) == (3, 1)
