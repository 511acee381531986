"""A critique as text for the agent that tries again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.values import CritiqueResult, Issue, Location

texts = st.text(max_size=60)


def test_issues_come_most_severe_first_with_places_then_suggestions_and_feedback() -> None:
    critique = CritiqueResult(
        severity=0.5,
        issues=(
            Issue("style", severity=0.1),
            Issue("as severe as the critique", location=Location(line=3)),
            Issue("does not parse", severity=0.9, location=Location("src/a.py", 3, 5), rule="E999"),
            Issue("also at 0.5", severity=0.5, location=Location(line=4, column=2)),
        ),
        suggestions=("close the bracket",),
        feedback="Nearly there.",
    )
    assert critique.as_feedback() == (
        "Issues:\n"
        "- src/a.py:3:5: does not parse (E999)\n"
        "- line 3: as severe as the critique\n"
        "- line 4, column 2: also at 0.5\n"
        "- style\n"
        "\n"
        "Suggestions:\n"
        "- close the bracket\n"
        "\n"
        "Feedback:\n"
        "Nearly there."
    )


def test_a_critique_without_words_has_an_empty_feedback() -> None:
    assert CritiqueResult.no_issues().as_feedback() == ""
    assert CritiqueResult(severity=1.0, suggestions=(" ",), feedback="\n").as_feedback() == ""


def test_further_lines_of_an_issue_are_indented_below_its_first() -> None:
    assert CritiqueResult(severity=1.0, issues=("one\ntwo",)).as_feedback() == "Issues:\n- one\n  two"


def test_a_cut_is_visible_and_keeps_whole_lines_and_the_most_severe_issue() -> None:
    issues = [Issue(f"issue {number}", severity=number / 1000) for number in range(1000)]
    told = CritiqueResult(severity=1.0, issues=issues).as_feedback()
    assert len(told) <= 2000
    *lines, mark = told.splitlines()
    assert lines[:2] == ["Issues:", "- issue 999"]
    assert all(line == f"- issue {999 - index}" for index, line in enumerate(lines[1:]))
    whole = CritiqueResult(severity=1.0, issues=issues).as_feedback(10**6)
    assert mark == f"… (cut: {len(whole) - len(told) + len(mark) + 1} more characters)"


@given(
    st.lists(texts, max_size=8),
    st.lists(texts, max_size=4),
    st.none() | texts,
    st.integers(1, 200),
)
def test_feedback_is_never_longer_than_asked_and_cut_only_if_it_must_be(
    issues: list[str], suggestions: list[str], feedback: str | None, max_chars: int
) -> None:
    critique = CritiqueResult(severity=1.0, issues=issues, suggestions=suggestions, feedback=feedback)
    whole, told = critique.as_feedback(10**6), critique.as_feedback(max_chars)
    assert len(told) <= max_chars
    assert told == whole if len(whole) <= max_chars else "…" in told


@pytest.mark.parametrize("max_chars", [0, -1, 1.5, True, "9", None])
def test_a_limit_below_1_or_that_is_no_whole_number_is_refused(max_chars: Any) -> None:
    with pytest.raises(ConfigurationError, match="max_chars"):
        CritiqueResult.no_issues().as_feedback(max_chars)
