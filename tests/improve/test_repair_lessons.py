"""Lessons of repaired tests."""

from __future__ import annotations

from dataclasses import replace

from jido_ai.improve.repair.repair_choice import Measured
from jido_ai.improve.repair.repairs import Choice, FailingTest, Repaired, TestRepairs
from jido_ai.improve.repair_lessons import repair_lessons
from jido_ai.values import MemoryEntry, Scope

SCOPE = Scope(project="shop")
FAILING = (FailingTest("test_fees.py::test_fee_is_capped", "assert 200.0 == 10"),)
MAX_TO_MIN = Repaired(
    (Choice("fees.py", 3, "return max(amount, 10)", "return min(amount, 10)", "..."),),
    ("test_fees.py::test_fee_is_capped",),
    "",
    Measured(12, 14),
    21,
    1,
    "call",
)


def lessons(*repairs: Repaired) -> list[MemoryEntry]:
    return list(repair_lessons(TestRepairs(FAILING, 1, repairs), SCOPE))


def test_a_repair_is_a_lesson_in_general_terms_about_the_test_in_words() -> None:
    (lesson,) = lessons(MAX_TO_MIN)
    assert lesson.prompt == "failing test: fee is capped"
    assert lesson.correction.startswith("When a test finds a wrong number, try `min` instead of `max`")
    assert "amount" not in lesson.correction
    assert (lesson.tags, lesson.scope, lesson.task_type) == (("failure:AssertionError:number",), SCOPE, "improve")


def test_a_repair_that_a_person_must_choose_teaches_nothing() -> None:
    assert lessons(replace(MAX_TO_MIN, doubt="several edits pass")) == []


def test_an_edit_without_general_terms_teaches_nothing() -> None:
    edit = Choice("fees.py", 3, "return 'open'", "return 'closed' + name()", "...")
    assert lessons(replace(MAX_TO_MIN, choices=(edit,))) == []
