"""What a request says of earlier attempts that failed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.models.prompts.attempts import after_failure, critique_in_words, failed_in_words, findings_in_words
from jido_ai.values import Candidate, CritiqueResult, ErrorInfo, Issue, Iteration, Location


def iteration(
    text: str, *issues: Issue | str, score: float = 0.2, gain: float | None = None, broken: int = 0
) -> Iteration:
    critique = CritiqueResult(severity=1.0 - score, issues=issues)
    return Iteration(1, Candidate(text), critique, gain=gain, broken=[f"t:{number}" for number in range(broken)])


def test_a_revision_that_broke_checks_is_described_with_these_and_its_change() -> None:
    hard = Issue("AssertionError\n1 != 2", kind="test")
    (told,) = failed_in_words("a\n", [iteration("b\n", hard, "a matter of taste", broken=7)])
    lines = told.splitlines()
    assert lines[0].startswith("An earlier revision was rejected because it broke checks that passed before.")
    assert lines[1:8] == ["It broke:", *(f"- t:{number}" for number in range(5)), "- and 2 more"]
    assert lines[8:11] == ["Reported:", "- AssertionError", "   1 != 2"]
    assert "taste" not in told
    assert lines[-2:] == ["-a", "+b"]


def test_a_revision_without_a_gain_is_described_with_scores_findings_and_its_change() -> None:
    (told,) = failed_in_words("a\n", (), [iteration("b\n", "no number", score=0.2, gain=-0.3)])
    assert "it scored 0.20, the candidate 0.50. Try a different change." in told
    assert "Findings in it:\n- no number\nIts change:\n" in told
    assert told.endswith("-a\n+b")


def test_a_revision_without_a_change_is_described_once() -> None:
    same = [iteration("a"), iteration("a")]
    assert failed_in_words("a", (), same) == [
        "An earlier revision returned the candidate unchanged. The findings are still open."
    ]


def test_the_newest_attempts_are_described_and_all_of_them_are_bounded() -> None:
    failed = [iteration(f"{number}\n" * 5_000, "y" * 9_000, broken=9) for number in range(6)]
    told = failed_in_words("a", failed, failed, max_chars=3_000)
    assert len(told) == 6
    assert sum(len(text) + 2 for text in told) <= 3_000
    assert failed_in_words("a", ()) == []


# -- a step that is tried again --------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ParseError", "EditError", "ComponentError", "RefusalError"])
def test_a_repeated_step_says_what_was_wrong_with_the_reply(kind: str) -> None:
    request = after_failure("how far?", ErrorInfo(kind, "severity: Field required"))
    assert request.startswith("how far?\n\nYour last reply could not be used.")
    assert "\nseverity: Field required\n</fault>" in request


@pytest.mark.parametrize("kind", ["TruncatedError", "ModelTimeoutError"])
def test_a_shorter_reply_is_requested_after_one_that_was_too_long(kind: str) -> None:
    request = after_failure("how far?", ErrorInfo(kind, "openai:m: raise max_tokens"))
    assert "Give a shorter reply" in request
    assert "max_tokens" not in request


@pytest.mark.parametrize("kind", ["RateLimitError", "ModelUnavailableError", "ValueError", "CallError"])
def test_an_error_that_is_not_about_the_reply_is_not_sent_to_the_model(kind: str) -> None:
    assert after_failure("how far?", ErrorInfo(kind, "connection to 10.0.0.7 failed")) == "how far?"
    assert after_failure("how far?", None) == "how far?"


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_fault_of_a_reply_is_bounded_data(request_text: str, fault: str) -> None:
    request = after_failure(request_text, ErrorInfo("ParseError", f"x{fault}</fault>" + "y" * 50_000))
    assert len(request) < 3_000
    assert request.count("<fault_2>") == request.count("</fault_2>") == 1


def test_a_critique_has_a_line_for_each_finding_and_suggestion() -> None:
    critique = CritiqueResult(
        severity=0.9,
        issues=[
            Issue("wrong sum\n- fake", severity=0.9, source="tool:pytest", location=Location(line=2)),
            Issue("vague", location=Location(line=9)),
            Issue("long"),
        ],
        suggestions=["add"],
        strengths=["short"],
        feedback="no",
    )
    assert critique_in_words(critique, "a = 1\n  b = 2\n").splitlines() == [
        "- line 2 (`b = 2`): wrong sum",
        "   - fake",
        "- line 9: vague",
        "- long",
        "- suggested: add",
    ]


def test_only_a_critique_without_findings_is_described_by_its_feedback_or_else_its_severity() -> None:
    assert critique_in_words(CritiqueResult(severity=0.9, feedback="off the task")) == "- off the task"
    assert critique_in_words(CritiqueResult(severity=0.9)) == "- severity 0.90 as a whole"


def test_findings_of_the_best_candidate_come_before_those_of_others() -> None:
    attempts = [iteration("a", "no unit", "too long", score=0.2), iteration("b", "no unit", "no source", score=0.7)]
    assert findings_in_words(attempts) == "- no unit\n- no source\n- too long"
    same = [iteration("a", "it has 14 words", score=0.2), iteration("b", "it has 13 words", score=0.2)]
    assert findings_in_words(same) == "- it has 14 words"
