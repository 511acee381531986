"""Reflections of an attempt: the parts of the attempt that they read, and the parts of them that are kept."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jido_ai.learning.maintenance import maintain
from jido_ai.learning.progress import plateau_length
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.exchange import read_entries, turn_row
from jido_ai.memory.lessons import merge_lessons
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.prompts.reflection import ReflectionPrompt, read_reflection
from jido_ai.reflection.diagnosis import classify_error, diagnose
from jido_ai.reflection.reflector import Reflector
from jido_ai.testing import ScriptedModel
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Episode,
    ErrorClass,
    Event,
    EventType,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    Outcome,
    Reflection,
)

FALLBACK = Reflection("fallback", source="fallback")


# -- replies ---------------------------------------------------------------------------------------


@pytest.mark.rows("C12")
def test_a_reply_without_labels_is_the_lesson() -> None:
    text = "The answer was too dense.\nNext time use plain words and one example."
    read = read_reflection(text, FALLBACK)
    assert read.lesson == "The answer was too dense. Next time use plain words and one example."
    assert (read.source, read.raw) == ("llm", text)


@pytest.mark.rows("C12")
async def test_a_reply_in_prose_is_stored_as_the_lesson() -> None:
    said = "Plain words and one short example would have made it clear."
    async with Pipeline(
        memory=True, critiquer=lambda c, x: CritiqueResult(severity=0.0), reflector=Reflector(ScriptedModel([said]))
    ) as pipeline:
        await pipeline.observe(Episode("explain a monad", outcome=Outcome.FAILURE))
        assert pipeline.memory is not None
        assert [one.correction for one in await pipeline.memory.list_entries()] == [said]


@pytest.mark.rows("C11", "C12")
def test_labels_may_have_a_dash_and_a_problem_alone_is_no_reason_to_lose_the_reply() -> None:
    dashed = read_reflection("problem - it was dense\nlesson - use plain words", FALLBACK)
    assert (dashed.problem, dashed.lesson) == ("it was dense", "use plain words")
    alone = read_reflection("Problem: the answer was far too dense for a beginner", FALLBACK)
    assert alone.problem == "the answer was far too dense for a beginner"
    assert "too dense" in alone.lesson


@pytest.mark.rows("H21", "R16")
@pytest.mark.parametrize(
    ("given", "read"),
    [
        (1.05, 1.0),
        (1.5, 1.0),
        (1.999, 1.0),
        (2, 0.02),
        (8.5, 0.085),
        (85, 0.85),
        (101, 1.0),
        (-1, 0.0),
        ("9/10", 0.9),
        ("4 out of 5", 0.8),
        ("0,8", 0.8),
        (".7", 0.7),
        ("0.8 (fairly sure)", 0.8),
        ("80 %", 0.8),
        ("150%", 1.0),
        ("1.2", 1.0),
        ("1/0", 0.5),
        ("high", 0.5),
        ("1.2.3", 0.5),
    ],
)
def test_numbers_are_read_as_people_write_them(given: object, read: float) -> None:
    reply = json.dumps({"lesson": "l", "confidence": given, "importance": given})
    reflection = read_reflection(reply, FALLBACK)
    assert (reflection.confidence, reflection.importance) == (pytest.approx(read), pytest.approx(read))


# -- the trace -------------------------------------------------------------------------------------


@pytest.mark.rows("R1", "R11")
async def test_an_error_event_without_an_error_is_read() -> None:
    event = Event(EventType.ERROR_EVENT, "Query timeout after 30 seconds")
    reflection = await Reflector().reflect(Episode("fetch", events=(event,), outcome=Outcome.FAILURE))
    assert reflection.error_class is ErrorClass.TIMEOUT
    assert "Query timeout after 30 seconds" in reflection.lesson


@pytest.mark.rows("R1")
async def test_an_attempt_that_timed_out_is_of_that_class_whatever_its_text() -> None:
    episode = Episode("fetch", error="Query execution exceeded 30s limit", outcome=Outcome.TIMEOUT)
    reflection = await Reflector().reflect(episode)
    assert (reflection.error_class, reflection.tags) == (ErrorClass.TIMEOUT, ("timeout",))


async def test_errors_in_the_trace_of_a_success_were_overcome() -> None:
    event = Event(EventType.ERROR_EVENT, "IndexError: x")
    reflection = await Reflector().reflect(Episode("p", events=(event,), outcome=Outcome.SUCCESS))
    assert "IndexError" not in reflection.lesson


@pytest.mark.rows("H24", "H31")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("type mismatch: int vs string", "type"),
        ("cannot convert string to int", "type"),
        ("compilation failed", "compile"),
        ("values do not match: mismatch", "assertion"),
    ],
)
def test_classes_of_failures_are_found_by_their_names(text: str, kind: str) -> None:
    assert classify_error(text) == kind


# -- lessons that teach ----------------------------------------------------------------------------


async def _attempts(memory: ReflexionMemory, *texts: str) -> None:
    async with Pipeline(critiquer=lambda c, x: CritiqueResult(severity=0.0), memory=memory, reflector=True) as pipeline:
        for text in texts:
            await pipeline.observe(Episode("p " + text, error=text, outcome=Outcome.FAILURE, task_type="t"))


async def test_an_unknown_cause_teaches_nothing() -> None:
    async with ReflexionMemory() as memory:
        await _attempts(memory, "it is odd", "no idea", "a riddle", "hm", "nothing known")
        assert await memory.list_entries() == []
        assert len(await memory.records("episodes")) == 5
        await maintain(memory)
        lessons = await memory.list_entries()
        assert not [one for one in lessons if "unknown" in f"{one.mistake}{one.correction}{one.prompt}"]
        await _attempts(memory, "IndexError: list index out of range")
        assert [one for one in await memory.list_entries() if "list index out of range" in one.correction]


async def test_the_finding_of_a_critic_is_the_lesson_where_the_cause_is_unknown() -> None:
    seen: list[list[str]] = []

    def revise(candidate: Candidate, critique: CritiqueResult, context: Any) -> str:
        seen.append([lesson.correction for lesson in context.lessons])
        return candidate.content + "!"

    def critic(candidate: Candidate, context: Any) -> CritiqueResult:
        return CritiqueResult(severity=0.9, issues=["say it in miles"])

    async with Pipeline(None, critic, revise, True, LoopConfig(max_iterations=4), reflector=True) as pipeline:
        await pipeline.run("p", "text")
        assert pipeline.memory is not None
        stored = {entry.correction for entry in await pipeline.memory.list_entries()}
    first = "say it in miles"
    again = f"{first} The earlier advice was not enough: try something else."
    assert seen[0] == [first]
    assert stored == {first, again}


def test_reflections_do_not_nest() -> None:
    priors: list[Reflection] = []
    for number in range(4):
        priors.append(diagnose([f"IndexError: {number}"], priors))
    assert priors[-1].lesson.count("not enough") == 1
    assert "IndexError: 3" in priors[-1].lesson
    assert "IndexError: 2" not in priors[-1].lesson


# -- what is kept ----------------------------------------------------------------------------------

RICH = Reflection(
    "lesson",
    insights=("reads are cached",),
    knowledge_gaps=("the size of the cache",),
    applicability=("slow queries",),
)


@pytest.mark.rows("M14", "M17")
async def test_insights_gaps_and_applicability_are_kept_and_reach_the_next_prompt() -> None:
    async with ReflexionMemory() as memory:
        entry = await memory.store_reflection(RICH, Episode("p"))
    lists = {name: list(getattr(RICH, name)) for name in ("insights", "knowledge_gaps", "applicability")}
    assert {name: entry.metadata[name] for name in lists} == lists
    row = turn_row(Episode("p", reflection=RICH))
    assert {name: row["reflections"][0][name] for name in lists} == lists
    asked = ReflectionPrompt.of().messages(Episode("p"), [RICH])[-1].content
    assert all(text in asked for texts in lists.values() for text in texts)


async def test_warnings_about_a_reply_are_kept_with_its_lesson() -> None:
    model = ScriptedModel(['{"lesson": "Use plain words", "importance": "high"}'])
    reflection = await Reflector(model).reflect(Episode("p", outcome="failure"))
    async with ReflexionMemory() as memory:
        entry = await memory.store_reflection(reflection, Episode("p"))
    assert entry.metadata["warnings"] == reflection.metadata["warnings"] != []


@pytest.mark.rows("H15", "H17", "H18")
async def test_test_results_of_a_run_reach_the_next_prompt_and_the_row() -> None:
    results = [{"name": "test_a", "passed": False, "output": "got 3", "error": "AssertionError"}]

    def critic(candidate: Candidate, context: Any) -> CritiqueResult:
        return CritiqueResult(severity=0.9, issues=["test_a failed"], metadata={"test_results": results})

    model = ScriptedModel(["Lesson: compare the values first"] * 2)
    async with (
        ReflexionMemory() as memory,
        Pipeline(None, critic, None, memory, LoopConfig(max_iterations=1), reflector=Reflector(model)) as pipeline,
    ):
        await pipeline.run("p", "text")
        (record,) = await memory.records("episodes")
    row = turn_row(Episode.model_validate(record.data))
    assert row["test_results"] == results
    assert "got 3" in model.requests[0].messages[-1].content


@pytest.mark.rows("H1", "H13")
def test_import_keeps_the_reflection_code_and_results_of_an_episode() -> None:
    reflection = {"root_cause": "c", "what_went_wrong": "w", "what_to_change_next": "use a set"}
    attempt = {"turn_id": "t1", "attempt_number": 3, "code": "x = 1", "test_results": {"test_a": {"passed": False}}}
    told = {"task_description": "p", "agent_id": "a", "improvement": "", "reflection": reflection, **attempt}
    (entry,) = read_entries(json.dumps({"episodes": [told], "max_size": 9})).entries
    assert (entry.mistake, entry.correction) == ("w", "use a set")
    assert {name: entry.metadata[name] for name in attempt} == attempt
    assert entry.metadata["reflection"] == reflection


def test_a_lesson_that_faded_gets_its_importance_back_when_it_is_learned_again() -> None:
    note = {"from": 0.8, "to": 0.2, "since": "2026-01-01T00:00:00+00:00"}
    old = MemoryEntry("p", "", "l", kind=MemoryKind.SEMANTIC, importance=0.2, metadata={"decay": note})
    assert merge_lessons(old, MemoryEntry("q", "", "l", kind=MemoryKind.SEMANTIC, importance=0.5)).importance == 0.8
    assert merge_lessons(old, MemoryEntry("q", "", "l", kind=MemoryKind.SEMANTIC, importance=0.9)).importance == 0.9


@pytest.mark.rows("M37")
def test_scores_that_jump_are_no_plateau() -> None:
    assert plateau_length([0.0, 1.0] * 4) == 0
    assert plateau_length([0.4, 0.6] * 4) == 0
    assert plateau_length([0.5, 0.52] * 4) == 8
