"""Candidates that can be accepted, and those that cannot be used at all."""

from __future__ import annotations

import pytest

from jido_ai.critics.acceptance import accepted, is_unusable
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, LoopConfig


def judged(critique: CritiqueResult) -> Iteration:
    return Iteration(0, Candidate("x"), critique)


def with_issue(kind: str | None, source: str | None = None, of: str = "unknown") -> Iteration:
    return judged(CritiqueResult(severity=0.1, issues=[Issue("said", kind=kind, source=source)], source=of))


@pytest.mark.parametrize("kind", ["syntax", "cannot-run"])
@pytest.mark.parametrize("source", [None, "tests", "tool:compile"])
def test_a_text_that_does_not_parse_or_cannot_run_is_unusable_for_every_critic(kind: str, source: str | None) -> None:
    assert is_unusable(with_issue(kind, source))


@pytest.mark.parametrize("kind", [None, "test", "style", "timeout", "error"])
def test_other_issues_leave_a_candidate_usable_with_any_message(kind: str | None) -> None:
    assert not is_unusable(judged(CritiqueResult(severity=1.0, issues=[Issue("SyntaxError: cannot run", kind=kind)])))


def test_the_opinion_of_a_model_makes_nothing_unusable() -> None:
    assert not is_unusable(with_issue("syntax", "model:m"))
    assert not is_unusable(with_issue("syntax", None, of="model:m"))


@pytest.mark.parametrize(
    ("checks", "unusable"),
    [
        ({"t:a": "error"}, True),
        ({"t:a": "error", "t:b": "skipped"}, True),
        ({"t:a": "error", "t:b": "failed"}, False),
        ({"t:a": "error", "t:b": "passed"}, False),
        ({"t:a": "failed"}, False),
        ({"t:a": "skipped"}, False),
        ({}, False),
    ],
)
def test_a_candidate_without_a_check_that_ran_is_unusable(checks: dict[str, str], unusable: bool) -> None:
    assert is_unusable(judged(CritiqueResult(severity=0.5, checks=checks))) is unusable


def test_an_unusable_candidate_is_not_accepted_at_any_severity() -> None:
    config = LoopConfig(accept="severity", severity_threshold=1.0)
    assert accepted((with_issue("style"),), config) is not None
    assert accepted((with_issue("cannot-run"),), config) is None
