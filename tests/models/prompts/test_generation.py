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


def test_the_critique_of_the_best_attempt_is_shown_and_what_only_others_had_wrong() -> None:
    told = asked(attempt(0, 0.4, "no unit", "too long"), attempt(1, 0.7, "no unit", "no source"))
    assert told.count("no unit") == 1
    assert told.index("no source") < told.index("too long") < told.index("the task")
    assert "text 0" not in told
    assert told.endswith("\n\nthe task")


def test_without_other_findings_their_block_is_left_out() -> None:
    assert "Findings in the others" not in asked(attempt(0, 0.4, "no unit"))


def test_at_most_twenty_other_findings_are_shown_and_the_rest_counted() -> None:
    told = asked(attempt(0, 0.9), attempt(1, 0.4, *(f"fault {number:03}" for number in range(25))))
    assert told.count("- fault") == 20
    assert "- and 5 more" in told


def test_lessons_come_between_the_attempts_and_the_task() -> None:
    told = asked(attempt(0, 0.4, "no unit"), lessons=(MemoryEntry("how far", "no unit given", "name the unit"),))
    assert told.index("1. no unit") < told.index("name the unit") < told.rindex("the task")
