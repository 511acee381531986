"""The pipeline: its lifecycle and runs; killing any of its actors loses no run."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import re
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from scripted import PROMPT, Scripted, hang, nothing_left_behind, raising, settle, text

from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError, NameTakenError, NotFoundError
from jido_ai.loop.events import (
    ComponentRestarted,
    Critiqued,
    LessonsRetrieved,
    RunEvent,
    RunStarted,
    RunStopped,
)
from jido_ai.loop.pipeline import Pipeline, reflect, reflect_sync
from jido_ai.loop.reflection_loop import LoopRun, ReflectionLoop
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, MemoryEntry, Scope, StopReason

pytestmark = pytest.mark.virtual_clock

GOOD = CritiqueResult(severity=0.0)


@pytest.fixture(autouse=True)
async def clean() -> AsyncGenerator[None]:
    async with nothing_left_behind():
        yield


def piped(script: Any, **arguments: Any) -> Pipeline:
    return Pipeline(script, script, script, **arguments)


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.rows("M52", "C9")
@pytest.mark.parametrize("prompt", ["", "  \n\t", None, 3, b"prompt"])
async def test_a_blank_prompt_is_refused(prompt: Any) -> None:
    async with piped(Scripted()) as pipeline:
        with pytest.raises(ConfigurationError, match="prompt"):
            await pipeline.run(prompt)
        with pytest.raises(ConfigurationError, match="prompt"):
            await pipeline.run_many([PROMPT, prompt])
        with pytest.raises(ConfigurationError, match="prompt"):
            await anext(pipeline.stream(prompt))


async def test_a_prompt_of_more_than_ten_million_characters_is_refused_and_one_of_that_size_is_not() -> None:
    async with Pipeline(critiquer=lambda candidate, context: GOOD) as pipeline:
        with pytest.raises(ConfigurationError, match="10485761"):
            await pipeline.run("x" * (10 * 1024 * 1024 + 1), "text")
        assert (await pipeline.run("x" * 10 * 1024 * 1024, "text")).accepted


@pytest.mark.parametrize("odd", ["a\0b", "\ud800 lone", "\u202eabc", "é\u0301"])
async def test_odd_characters_go_through_unchanged(odd: str) -> None:
    result = await reflect(odd, critiquer=lambda candidate, context: GOOD, initial_candidate=odd)
    assert result.best_candidate is not None
    assert (result.prompt, result.best_candidate.content) == (odd, odd)


@pytest.mark.rows("H41")
async def test_no_generator_and_no_initial_candidate_is_refused() -> None:
    async with Pipeline(critiquer=Scripted()) as pipeline:
        with pytest.raises(ConfigurationError, match="generator"):
            await pipeline.run(PROMPT)


@pytest.mark.parametrize("initial", [3, b"text", ["text"], GOOD])
async def test_an_invalid_initial_candidate_is_refused(initial: Any) -> None:
    async with piped(Scripted()) as pipeline:
        with pytest.raises(ConfigurationError, match="initial_candidate"):
            await pipeline.run(PROMPT, initial)


@pytest.mark.rows("M52")
def test_no_critiquer_an_empty_panel_a_strange_memory_or_recall_are_refused() -> None:
    for arguments in (
        {},
        {"critiquer": []},
        {"critiquer": Scripted(), "memory": 3},
        {"critiquer": Scripted(), "recall_by": "luck"},
    ):
        with pytest.raises(ConfigurationError):
            Pipeline(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "junk"),
    [
        ("generator", 3),
        ("critiquer", "ruff"),
        ("critiquer", Scripted),
        ("reviser", 3),
        ("reflector", 3),
        ("config", {"max_iterations": 3}),
        ("system", "main"),
        ("name", 3),
        ("name", " "),
    ],
)
def test_invalid_arguments_of_a_pipeline_are_refused_by_name(name: str, junk: Any) -> None:
    with pytest.raises(ConfigurationError, match=name):
        Pipeline(**{"critiquer": Scripted(), name: junk})


@pytest.mark.parametrize(
    ("name", "junk"), [("run_id", ""), ("run_id", 3), ("scope", "tenant"), ("metadata", 3), ("metadata", "text")]
)
async def test_invalid_arguments_of_a_run_are_refused_by_name(name: str, junk: Any) -> None:
    async with piped(Scripted()) as pipeline:
        with pytest.raises(ConfigurationError, match=name):
            await pipeline.run(PROMPT, **{name: junk})


async def test_a_pipeline_that_is_not_running_refuses_runs() -> None:
    pipeline = piped(Scripted(0.0, 0.0))
    with pytest.raises(ConfigurationError, match="async with"):
        await pipeline.run(PROMPT)
    async with pipeline:
        await pipeline.run(PROMPT)
    with pytest.raises(ConfigurationError, match="async with"):
        await pipeline.run(PROMPT)


async def test_a_run_id_in_flight_is_not_taken_twice() -> None:
    script = Scripted(0.0, at={"critique 0": hang})
    async with piped(script) as pipeline:
        first = asyncio.create_task(pipeline.run(PROMPT, text(0), run_id="r"))
        second = asyncio.create_task(pipeline.run(PROMPT, text(0), run_id="r"))
        with pytest.raises(ConfigurationError, match="'r'"):
            await second
        with pytest.raises(ConfigurationError, match="'r'"):
            await anext(pipeline.stream(PROMPT, text(0), run_id="r"))
        await pipeline.cancel("r")
        assert (await first).stop_reason is StopReason.CANCELLED
        assert (await pipeline.run(PROMPT, text(0), run_id="r")).accepted


# -- ways to run -----------------------------------------------------------------------------------


@pytest.mark.rows("M32")
async def test_reflect_runs_a_whole_loop_in_one_call() -> None:
    script = Scripted(0.9, 0.0)
    result = await reflect(PROMPT, critiquer=script, reviser=script, generator=script)
    assert result.accepted
    assert (result.prompt, result.total_iterations) == (PROMPT, 2)


def test_reflect_sync_is_for_scripts() -> None:
    assert reflect_sync(PROMPT, critiquer=Scripted(0.0), initial_candidate=text(0)).accepted
    assert reflect_sync(PROMPT, text(0), critiquer=Scripted(0.0)).accepted


async def test_reflect_takes_the_arguments_of_a_pipeline_and_of_its_run() -> None:
    result = await reflect(PROMPT, text(0), critiquer=Scripted(0.0), run_id="mine", name="once", memory=True)
    assert (result.run_id, result.accepted) == ("mine", True)


async def test_run_many_refuses_one_string_instead_of_several() -> None:
    async with Pipeline(critiquer=Scripted(0.0), generator=Scripted(0.0)) as pipeline:
        with pytest.raises(ConfigurationError, match="one string"):
            await pipeline.run_many("abc")
        with pytest.raises(ConfigurationError, match="got None"):
            await pipeline.run_many(None)  # type: ignore[arg-type]


async def test_reflect_sync_in_a_running_event_loop_says_what_to_do() -> None:
    with pytest.raises(ConfigurationError, match="await reflect"):
        reflect_sync(PROMPT, critiquer=Scripted(0.0), initial_candidate=text(0))


async def test_a_list_of_critiquers_is_a_panel() -> None:
    def strict(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.8, issues=["too short"], source="strict")

    result = await reflect(PROMPT, critiquer=[Scripted(0.0), strict], initial_candidate=text(0))
    critique = result.iterations[0].critique
    assert critique.severity == 0.8
    assert len(critique.parts) == 2


@pytest.mark.rows("M32")
async def test_run_many_returns_the_results_in_the_order_of_the_prompts() -> None:
    async def generate(prompt: str, context: RunContext) -> str:
        await asyncio.sleep(10 - int(prompt))
        return prompt

    async with Pipeline(generate, lambda candidate, context: GOOD) as pipeline:
        results = await pipeline.run_many([str(number) for number in range(10)])
    assert [result.prompt for result in results] == [str(number) for number in range(10)]
    assert all(result.best_candidate and result.best_candidate.content == result.prompt for result in results)


@pytest.mark.parametrize("limit", [1, 3])
async def test_run_many_runs_at_most_max_concurrency_at_once(limit: int) -> None:
    now = most = 0

    async def generate(prompt: str, context: RunContext) -> str:
        nonlocal now, most
        now, most = now + 1, max(most, now + 1)
        await asyncio.sleep(1)
        now -= 1
        return prompt

    async with Pipeline(generate, lambda candidate, context: GOOD) as pipeline:
        await pipeline.run_many([PROMPT] * 7, max_concurrency=limit)
    assert most == limit


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "2"])
async def test_run_many_refuses_an_invalid_max_concurrency(limit: Any) -> None:
    async with piped(Scripted()) as pipeline:
        with pytest.raises(ConfigurationError, match="max_concurrency"):
            await pipeline.run_many([PROMPT], max_concurrency=limit)


async def test_run_many_without_prompts_returns_nothing() -> None:
    async with piped(Scripted()) as pipeline:
        assert await pipeline.run_many([]) == []


async def test_one_failing_run_of_many_is_a_result_like_the_others() -> None:
    async def generate(prompt: str, context: RunContext) -> str:
        if prompt == "bad":
            raise ValueError(prompt)
        return prompt

    async with Pipeline(generate, lambda candidate, context: GOOD, config=LoopConfig(step_retries=0)) as pipeline:
        results = await pipeline.run_many(["good", "bad", "better"])
    assert [result.stop_reason.value for result in results] == ["accepted", "error", "accepted"]


# -- cancelling and leaving ------------------------------------------------------------------------


@pytest.mark.rows("H42")
async def test_cancel_ends_the_run_soon_with_its_result_so_far() -> None:
    script = Scripted(0.9, at={"revise 0": hang})
    async with piped(script) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT, run_id="r"))
        while script.calls[-1:] != ["revise 0"]:
            await asyncio.sleep(0)
        await pipeline.cancel("r")
        result = await run
        assert (result.stop_reason, result.total_iterations) == (StopReason.CANCELLED, 1)
        assert (result.error and (result.error.kind, result.error.component)) == ("cancelled", "loop")
        assert result.best_candidate is not None
        with pytest.raises(NotFoundError, match="'r'"):
            await pipeline.cancel("r")


@pytest.mark.parametrize("turns", range(30))
@pytest.mark.quick_cases(10)
async def test_a_run_cancelled_at_any_moment_answers_and_leaves_nothing(turns: int) -> None:
    async with piped(Scripted(0.9, 0.7, at={"critique 1": hang})) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT, run_id="r"))
        await settle(turns + 1)
        await pipeline.cancel("r")
        result = await run
        assert result.stop_reason is StopReason.CANCELLED
        assert (result.best_candidate is None) == (result.total_iterations == 0)


@pytest.mark.parametrize("turns", range(30))
@pytest.mark.quick_cases(10)
async def test_cancelling_the_caller_at_any_moment_ends_the_run_too(turns: int) -> None:
    script = Scripted(0.9, 0.7, at={"critique 1": hang})
    async with piped(script) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT))
        await settle(turns)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        await settle()
        begun = list(script.calls)
        assert [node.children for node in pipeline.tree().walk() if node.name.endswith(".runs")] == [()]
        await settle()
        assert script.calls == begun


async def test_leaving_the_pipeline_ends_its_runs_with_their_results_so_far() -> None:
    script = Scripted(0.9, at={"revise 0": hang})
    async with piped(script) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT))
        while script.calls[-1:] != ["revise 0"]:
            await asyncio.sleep(0)
    result = await run
    assert (result.stop_reason, result.total_iterations) == (StopReason.CANCELLED, 1)


async def test_a_run_that_ends_because_the_pipeline_is_left_still_leaves_its_lesson() -> None:
    script = Scripted(0.9, 0.5, at={"revise 1": hang})
    async with ReflexionMemory() as memory:
        async with piped(script, memory=memory) as pipeline:
            run = asyncio.create_task(pipeline.run(PROMPT))
            while script.calls[-1:] != ["revise 1"]:
                await asyncio.sleep(0)
        assert len((await run).lessons_stored) == await memory.count() == 1


async def test_stopping_the_given_system_ends_the_runs_with_their_results_so_far() -> None:
    script = Scripted(0.9, at={"revise 0": hang})
    async with ActorSystem("mine") as system, piped(script, system=system) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT))
        while script.calls[-1:] != ["revise 0"]:
            await asyncio.sleep(0)
        await system.stop()
        result = await run
    assert (result.stop_reason, result.total_iterations) == (StopReason.CANCELLED, 1)


async def test_a_component_that_ignores_its_cancellation_delays_leaving_by_seconds_only() -> None:
    stop = asyncio.Event()

    async def stubborn() -> None:
        while not stop.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await stop.wait()

    script = Scripted(0.9, at={"critique 0": stubborn})
    began = asyncio.get_running_loop().time()
    async with piped(script) as pipeline:
        run = asyncio.create_task(pipeline.run(PROMPT))
        await settle()
    assert (await run).stop_reason is StopReason.CANCELLED
    assert asyncio.get_running_loop().time() - began <= 6.0
    stop.set()


async def test_a_stream_left_early_leaves_nothing_running() -> None:
    script = Scripted(0.9, 0.7, at={"critique 1": hang})
    async with piped(script) as pipeline:
        async with contextlib.aclosing(pipeline.stream(PROMPT)) as events:
            async for event in events:
                if isinstance(event, Critiqued):
                    break
        await settle()
        assert [node.children for node in pipeline.tree().walk() if node.name.endswith(".runs")] == [()]


async def test_a_stream_reports_a_cancelled_run_to_its_end() -> None:
    seen: list[RunEvent] = []
    async with piped(Scripted(0.9, at={"critique 0": hang})) as pipeline:
        async for event in pipeline.stream(PROMPT, run_id="r"):
            seen.append(event)
            if isinstance(event, RunStarted):
                await pipeline.cancel("r")
    assert isinstance(seen[-1], RunStopped)
    assert seen[-1].result.stop_reason is StopReason.CANCELLED


async def test_no_name_is_left_in_a_given_system() -> None:
    async with ActorSystem("mine") as system:
        async with piped(Scripted(0.0), system=system, name="p") as pipeline:
            names = {node.name for node in pipeline.tree().walk()}
            assert {"p", "p.components", "p.critiquer", "p.generator", "p.reviser", "p.runs"} <= names
            await pipeline.run(PROMPT)
        assert [system.whereis(name) for name in names] == [None] * len(names)
        assert system.is_running


async def test_a_name_taken_in_the_system_is_refused_and_the_first_pipeline_continues() -> None:
    async with ActorSystem("mine") as system, piped(Scripted(0.0), system=system, name="p") as first:
        with pytest.raises(NameTakenError):
            async with piped(Scripted(0.0), system=system, name="p"):
                pass
        assert (await first.run(PROMPT)).accepted


async def test_two_pipelines_share_nothing() -> None:
    one, other = Scripted(0.0), Scripted(0.0, at={"generate": raising(ValueError("crash"))})
    async with piped(one, memory=True) as first, piped(other, memory=True) as second:
        assert first.memory is not None
        assert second.memory is not None
        await first.memory.store(MemoryEntry(PROMPT, "a mistake", "a correction"))
        assert await second.memory.count() == 0
        await second.run(PROMPT)
        assert [node.restarts for node in first.tree().walk() if node.restarts] == []


async def test_two_pipelines_that_open_their_memory_at_once_can_run() -> None:
    memory = ReflexionMemory()
    first, second = (Pipeline(script, script, memory=memory) for script in (Scripted(0.0), Scripted(0.0)))
    await asyncio.gather(first.__aenter__(), second.__aenter__())
    results = await asyncio.gather(first.run(PROMPT), second.run(PROMPT))
    assert [result.accepted for result in results] == [True, True]
    await second.__aexit__(None, None, None)
    assert memory.is_open
    await first.__aexit__(None, None, None)
    assert not memory.is_open


@pytest.mark.parametrize("is_given", [True, False])
async def test_a_pipeline_refuses_to_be_entered_twice_and_continues(is_given: bool) -> None:
    async with ActorSystem("mine") as system:
        pipeline = Pipeline(critiquer=Scripted(0.0), memory=True, system=system if is_given else None)
        async with pipeline:
            with pytest.raises(ConfigurationError, match="is already running"):
                await pipeline.__aenter__()
            assert (await pipeline.run(PROMPT, text(0))).accepted


async def test_a_pipeline_can_be_entered_again_after_it_was_left() -> None:
    script = Scripted(0.0, 0.0)
    pipeline = piped(script, memory=True)
    for _ in range(2):
        async with pipeline:
            assert (await pipeline.run(PROMPT, text(0))).accepted


# -- memory ----------------------------------------------------------------------------------------


@pytest.mark.rows("H54", "M22", "M28", "C1")
async def test_lessons_are_retrieved_once_before_the_first_generation_and_reach_every_component() -> None:
    script = Scripted(0.9, 0.7, 0.1)
    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry(PROMPT, "regular expressions", "use a parser", kind="semantic"))
        async with piped(script, memory=memory) as pipeline:
            events = [event async for event in pipeline.stream(PROMPT)]
        assert [type(event) for event in events[:2]] == [RunStarted, LessonsRetrieved]
        assert sum(isinstance(event, LessonsRetrieved) for event in events) == 1
        assert {tuple(entry.id for entry in context.lessons) for context in script.contexts} == {(lesson.id,)}
        last = events[-1]
        assert isinstance(last, RunStopped)
        assert [entry.id for entry in last.result.lessons_used] == [lesson.id]
        assert (await memory.get(lesson.id)).use_count == 1


@pytest.mark.rows("H61", "M39")
@pytest.mark.parametrize(("first", "helped"), [(0.0, 1), (0.39, 1), (0.4, 1), (0.41, 0), (0.9, 0)])
async def test_a_lesson_helped_if_the_first_answer_made_with_it_is_good_or_much_better_than_its_origin(
    first: float, helped: int
) -> None:
    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry(PROMPT, "m", "c", kind="semantic", severity=0.5))
        async with piped(Scripted(first, 0.0), memory=memory) as pipeline:
            await pipeline.run(PROMPT)
        used = await memory.get(lesson.id)
        assert (used.use_count, used.success_count) == (1, helped)


@pytest.mark.parametrize(("last", "helped"), [(0.1, 1), (0.89, 0)])
async def test_a_lesson_of_a_run_with_a_given_candidate_helped_if_a_revision_gained(last: float, helped: int) -> None:
    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry(PROMPT, "m", "c", kind="semantic"))
        async with piped(Scripted(0.9, last), memory=memory) as pipeline:
            await pipeline.run(PROMPT, text(0))
        used = await memory.get(lesson.id)
        assert (used.use_count, used.success_count) == (1, helped)


async def test_lessons_can_be_retrieved_by_the_first_critique_of_a_given_candidate() -> None:
    script = Scripted(0.9, 0.1)
    async with ReflexionMemory(similarity="weighted") as memory:
        await memory.store(MemoryEntry("a is wrong", "a", "write b", kind="semantic"))
        await memory.store(MemoryEntry("something else entirely", "x", "y", kind="semantic"))
        async with piped(script, memory=memory, recall_by="critique") as pipeline:
            events = [event async for event in pipeline.stream("improve it", text(0))]
    kinds = [type(event).__name__ for event in events[:4]]
    assert kinds == ["RunStarted", "CandidateGenerated", "Critiqued", "LessonsRetrieved"]
    lessons = {call: context.lessons for call, context in zip(script.calls, script.contexts, strict=True)}
    assert lessons["critique 0"] == ()
    assert [entry.correction for entry in lessons["revise 0"]] == ["write b"]


@pytest.mark.rows("M7")
async def test_lessons_of_a_run_without_a_gain_count_as_used_without_success() -> None:
    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry(PROMPT, "m", "c", kind="semantic"))
        async with piped(Scripted(0.9, 0.89), memory=memory) as pipeline:
            await pipeline.run(PROMPT)
        used = await memory.get(lesson.id)
        assert (used.use_count, used.success_count) == (1, 0)


async def test_lessons_of_a_given_candidate_that_was_never_revised_were_not_used() -> None:
    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry(PROMPT, "m", "c", kind="semantic"))
        async with piped(Scripted(0.0), memory=memory) as pipeline:
            await pipeline.run(PROMPT, text(0))
        assert (await memory.get(lesson.id)).use_count == 0


async def test_lessons_that_no_component_looks_at_are_offered_and_not_used() -> None:
    def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.9 if context.lessons and candidate.content == "1" else 0.0, issues=["bad"])

    async with ReflexionMemory() as memory:
        lesson = await memory.store(MemoryEntry(PROMPT, "m", "c", kind="semantic"))
        async with Pipeline(lambda prompt, context: "1", judge, lambda *_: "2", memory) as pipeline:
            result = await pipeline.run(PROMPT)
        assert result.accepted
        assert [entry.id for entry in result.lessons_used] == [lesson.id]
        assert (await memory.get(lesson.id)).use_count == 0
        (first, *_) = await memory.records("episodes")
    assert first.data["metadata"]["seen"] is False


@pytest.mark.rows("R52")
async def test_a_run_never_sees_a_lesson_of_another_scope() -> None:
    async with piped(Scripted(0.9, 0.1), memory=True) as pipeline:
        await pipeline.run(PROMPT, scope=Scope("one"))
        assert (await pipeline.run(PROMPT, scope=Scope("other"))).lessons_used == ()
        assert len((await pipeline.run(PROMPT, scope=Scope("one"))).lessons_used) == 1


@pytest.mark.rows("C28", "C47")
@pytest.mark.parametrize(("last", "stored"), [(0.79, 1), (0.8, 1), (0.81, 0)])
async def test_a_lesson_is_stored_when_the_gain_is_at_least_score_threshold(last: float, stored: int) -> None:
    async with piped(Scripted(0.9, last), memory=True, config=LoopConfig(max_iterations=2)) as pipeline:
        result = await pipeline.run(PROMPT, scope=Scope("t", "p"))
        assert pipeline.memory is not None
        assert len(result.lessons_stored) == await pipeline.memory.count(Scope("t", "p")) == stored
        assert await pipeline.memory.count(Scope()) == 0


@pytest.mark.rows("H53", "M51")
async def test_a_failing_memory_loses_the_lessons_and_not_the_run(tmp_path: Path) -> None:
    memory = ReflexionMemory()
    async with piped(Scripted(0.9, 0.1), memory=memory, config=LoopConfig(step_retries=0)) as pipeline:
        await memory.close()
        result = await pipeline.run(PROMPT)
    assert result.accepted
    assert result.error is not None
    assert result.error.component == "memory"


@pytest.mark.rows("H54", "C29")
async def test_the_lesson_of_one_run_is_offered_to_the_next() -> None:
    async with piped(Scripted(0.9, 0.1), memory=True) as pipeline:
        first = await pipeline.run(PROMPT)
        second = await pipeline.run(PROMPT, run_id="second")
    assert [entry.id for entry in second.lessons_used] == [entry.id for entry in first.lessons_stored]


async def test_deadlines_do_not_depend_on_the_wall_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    async def turn_the_clock_back() -> None:
        monkeypatch.setattr(time, "time", lambda: 0.0)
        await asyncio.sleep(1)

    script = Scripted(0.9, 0.1, at={"revise 0": turn_the_clock_back})
    result = await reflect(PROMPT, critiquer=script, reviser=script, generator=script, config=LoopConfig(timeout_s=2.0))
    assert result.accepted
    assert result.duration_s == pytest.approx(1.0, abs=0.01)


# -- killing actors --------------------------------------------------------------------------------

STEPS = ["generate", "critique 0", "revise 0", "critique 1", "revise 1", "critique 2"]
VICTIMS = ["critiquer", "generator", "reviser", "memory", "memory.supervisor", "components", "runs", "top", "the run"]


def find(pipeline: Pipeline, system: ActorSystem, victim: str) -> ActorRef:
    """Return the running actor that a test wants to kill."""
    if victim == "the run":
        (child,) = system.whereis("p.runs").cell.actor.children()  # type: ignore[union-attr]
        return child.ref
    if victim.startswith("memory"):
        memory = next(node for node in pipeline.tree().walk() if "MemoryActor" in (c.kind for c in node.children))
        (actor,) = (child for child in system._root.children() if str(child.ref) == memory.name)  # type: ignore[union-attr]
        return actor.ref if victim == "memory.supervisor" else next(iter(actor.cell.actor.children())).ref
    ref = system.whereis("p" if victim == "top" else f"p.{victim}")
    assert ref is not None
    return ref


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.quick_cases(14)
async def test_killing_any_one_actor_at_any_step_does_not_lose_the_run(victim: str, step: str) -> None:
    async with ActorSystem("mine") as system:

        async def kill() -> None:
            find(pipeline, system, victim).kill()
            await asyncio.sleep(0)

        script = Scripted(0.9, 0.7, 0.1, at={step: kill})
        async with piped(script, system=system, name="p", memory=True) as pipeline:
            result = await asyncio.wait_for(pipeline.run(PROMPT), 100)
            assert (result.stop_reason, result.total_iterations, result.error) == (StopReason.ACCEPTED, 3, None)
            assert len(result.lessons_stored) == 1
            assert [call for call in STEPS if call not in script.calls] == []
            assert len(script.calls) <= len(STEPS) + 1
            again = await pipeline.run(PROMPT, text(2))
            assert again.accepted, "and the pipeline is as good as before"
        assert system.tree().children == ()


@pytest.mark.parametrize("victim", VICTIMS)
@pytest.mark.parametrize("kind", [RunStarted, LessonsRetrieved, Critiqued])
@pytest.mark.quick_cases(9)
async def test_killing_any_one_actor_between_two_steps_does_not_lose_the_run(victim: str, kind: type) -> None:
    async with ActorSystem("mine") as system, piped(Scripted(0.9, 0.7, 0.1), system=system, name="p", memory=True) as p:
        events: list[RunEvent] = []
        async for event in p.stream(PROMPT):
            if isinstance(event, kind) and not any(isinstance(earlier, kind) for earlier in events):
                find(p, system, victim).kill()
            events.append(event)
    last = events[-1]
    assert isinstance(last, RunStopped)
    assert last.result.accepted
    assert sum(isinstance(event, RunStarted) for event in events) == 1
    judged = [event.iteration.index for event in events if isinstance(event, Critiqued)]
    assert judged == list(range(last.result.total_iterations)), "each once, in order"


async def test_a_killed_component_is_reported_as_restarted() -> None:
    async with ActorSystem("mine") as system:

        async def kill() -> None:
            find(pipeline, system, "critiquer").kill()
            await asyncio.sleep(0)

        async with piped(Scripted(0.0, at={"critique 0": kill}), system=system, name="p") as pipeline:
            events = [event async for event in pipeline.stream(PROMPT)]
    (restarted,) = (event for event in events if isinstance(event, ComponentRestarted))
    assert (restarted.component, restarted.attempt) == ("critiquer", 1)
    assert re.search("Killed", restarted.error)


async def test_ten_runs_survive_kills_all_over_the_tree() -> None:
    config = LoopConfig(max_iterations=9)
    async with ActorSystem("mine") as system, piped(_Slow(), system=system, name="p", config=config) as pipeline:
        runs = asyncio.create_task(pipeline.run_many([PROMPT] * 10))
        for victim in ("critiquer", "components", "runs", "reviser", "critiquer", "top"):
            await asyncio.sleep(1.5)
            find(pipeline, system, victim).kill()
        results = await runs
    assert [result.stop_reason for result in results] == [StopReason.ACCEPTED] * 10


class _Slow(Scripted):
    async def _begin(self, step: str, context: RunContext) -> None:
        await asyncio.sleep(2)

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        await asyncio.sleep(2)
        self._judged[context.run_id] += 1
        return CritiqueResult(severity=max(0.0, 0.9 - int(candidate.content[0]) / 5))


async def test_a_pipeline_below_a_system_with_other_actors_leaves_them_alone() -> None:
    from jido_ai.actors.actor import Actor

    class Idle(Actor[object]):
        async def on_receive(self, message: object) -> object:
            return message

    async with ActorSystem("mine") as system:
        idle = await system.spawn(ChildSpec(id="idle", start=Idle, name="idle"))
        async with piped(Scripted(0.0), system=system):
            pass
        assert await idle.ask("still there") == "still there"


async def test_many_runs_leave_no_growing_data_behind() -> None:
    def everything() -> int:
        gc.collect()
        return sum(isinstance(thing, ReflectionLoop | LoopRun | Candidate | ActorRef) for thing in gc.get_objects())

    async with Pipeline(lambda prompt, context: "text", _fine) as pipeline:
        await pipeline.run_many([PROMPT] * 10)
        await asyncio.sleep(200)  # the time limits of all asks are over
        before = everything()
        await pipeline.run_many([PROMPT] * 100)
        await asyncio.sleep(200)
        assert everything() <= before + 5
        assert pipeline.runs_in_flight() == ()
        assert not any(host.tasks for host in pipeline._hosts)


async def _fine(candidate: Candidate, context: RunContext) -> CritiqueResult:
    if context.run_id[-1] in "0123":
        raise ValueError("some fail")
    return GOOD


def test_the_benchmark_of_the_loop_still_runs() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "bench_loop.py"
    command = [sys.executable, script, "--runs", "2", "--repeats", "2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=True)
    bare, engine = (json.loads(line) for line in done.stdout.splitlines())
    assert (bare["case"], engine["case"], engine["component_calls"]) == ("bare awaits", "pipeline", 7)
    assert 0.0 < bare["cpu_ms_per_run"]["median"] < engine["cpu_ms_per_run"]["median"]


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_given_closed_memory_is_opened_and_closed_and_an_open_one_stays_open(is_open: bool) -> None:
    memory = ReflexionMemory()
    if is_open:
        await memory.open()
    async with Pipeline(critiquer=Scripted(0.0), memory=memory) as pipeline:
        assert memory.is_open
        result = await pipeline.run(PROMPT, text(0))
        assert result.error is None
    assert memory.is_open is is_open
    await memory.close()
