"""What a generator is told when a run begins again."""

from __future__ import annotations

from jido_ai.models.prompts.generation import GenerationPrompt
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, MemoryEntry


def attempt(index: int, score: float, *issues: str) -> Iteration:
    critique = CritiqueResult(severity=0.6, issues=[Issue(text) for text in issues])
    return Iteration(index, Candidate(f"text {index}", score=score), critique)


def asked(*attempts: Iteration, lessons: tuple[MemoryEntry, ...] = ()) -> str:
    return GenerationPrompt.of().messages("the task", lessons, attempts)[-1].content


def test_a_first_candidate_is_asked_for_with_the_prompt_alone() -> None:
    assert asked() == "the task"


def test_earlier_findings_are_shown_after_the_task_and_the_candidates_are_not() -> None:
    told = asked(attempt(0, 0.4, "no unit", "too long"), attempt(1, 0.7, "no unit", "no source"))
    assert told.count("no unit") == 1
    assert told.index("the task") < told.index("no unit") < told.index("no source") < told.index("too long")
    assert "text 0" not in told
    assert told.splitlines()[-1].startswith("Write the answer")


def test_at_most_twenty_other_findings_are_shown_and_the_rest_counted() -> None:
    told = asked(attempt(0, 0.9), attempt(1, 0.4, *(f"fault {letter}" for letter in "abcdefghijklmnopqrstuvwxy")))
    assert told.count("- fault") == 20
    assert "- and 5 more" in told


def test_the_findings_come_last_with_lessons() -> None:
    told = asked(attempt(0, 0.4, "no unit"), lessons=(MemoryEntry("how far", "no unit given", "name the unit"),))
    assert told.index("- name the unit") < told.index("\n\nthe task\n\n") < told.index("- no unit")


def test_with_lessons_alone_earlier_answers_are_not_mentioned() -> None:
    told = asked(lessons=(MemoryEntry("how far", "no unit given", "name the unit"),))
    assert "earlier answers" not in told and "- name the unit (Origin: episodic, loop)\n</lessons>" in told


def test_the_task_stands_behind_the_lessons_without_the_prompts_that_they_came_from() -> None:
    told = asked(lessons=(MemoryEntry("how far", "no unit given", "name the unit"), MemoryEntry("q", "too long", "")))
    assert "how far" not in told and "no unit" not in told
    assert told.index("- name the unit (") < told.index("\n- too long (") < told.index("</lessons>\n\nthe task")


def test_a_template_without_the_prompt_or_the_findings_gets_them_at_its_end() -> None:
    prompt = GenerationPrompt.of(template="Advice:\n$lessons")
    told = prompt.messages("the task", (MemoryEntry("q", "m", "c"),), (attempt(0, 0.4, "no unit"),))[-1].content
    assert told.index("Advice:") < told.index("the task") < told.index("- no unit")


def test_a_template_of_the_callers_own_asks_for_a_plain_draft_too() -> None:
    prompt = GenerationPrompt.of(template="In French, please.\n\n$prompt\n\nAdvice:\n$lessons\n\n$findings")
    assert prompt.messages("the task", ())[-1].content == "In French, please.\n\nthe task"
