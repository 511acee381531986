"""Findings that a suppression hides: they stay open in the critique."""

from __future__ import annotations

import json

import pytest

from jido_ai.critics.silenced import with_silenced
from jido_ai.values import CritiqueResult, Issue, Outcome

OLD = "def one(x=[]):\n    return x\n"
NEW = OLD.replace(":\n", ":  # noqa: B006\n")
B006 = Issue("mutable default", rule="B006", severity=0.4, kind="warning", source="tool:ruff")
E501 = Issue("line too long", rule="E501", severity=0.2, kind="style", source="tool:ruff")
CLEAN = CritiqueResult.no_issues()


def of_tools(*issues: Issue) -> CritiqueResult:
    """Judge as `ToolCritiquer` does, with one part."""
    severities = [issue.severity or 0.0 for issue in issues]
    told = {"severity": max(severities, default=0.0), "score": 1.0 / (1.0 + sum(severities)), "issues": issues}
    part = CritiqueResult(**told, source="tool:ruff")  # type: ignore[arg-type]
    return CritiqueResult(**told, source="tool:ruff+compile", parts=(part,))  # type: ignore[arg-type]


def test_a_finding_hidden_by_a_new_suppression_counts_as_open_everywhere() -> None:
    before = of_tools(B006)
    kept = with_silenced(of_tools(), NEW, before, OLD)
    assert (kept.issues, kept.severity, kept.score) == (before.issues, before.severity, before.score)
    assert kept.parts[0].issues == (B006,)
    assert kept.parts[0].score == pytest.approx(before.score)
    noted = kept.metadata["suppressions"]
    assert noted == {"added": ["noqa: B006"], "before": [], "silenced": [B006.fingerprint]}
    json.dumps(noted)
    assert kept.suggestions == ("Remove the suppression (noqa: B006) and fix the cause.",)


def test_without_a_new_suppression_the_critique_is_the_same_object() -> None:
    after = of_tools()
    assert with_silenced(after, "def one(x=()):\n    return x\n", of_tools(B006), OLD) is after
    assert with_silenced(after, NEW, of_tools(B006), NEW) is after


def test_only_gone_findings_are_opened_again() -> None:
    new = Issue("undefined name", rule="F821", severity=0.7, source="tool:ruff")
    syntax = Issue("does not parse", kind="syntax", severity=1.0, source="tool:ruff")
    kept = with_silenced(of_tools(new), NEW, of_tools(B006, syntax, E501), OLD)
    assert kept.issues == (new, B006, E501)
    assert kept.severity == 0.7


def test_a_finding_stays_open_as_long_as_its_suppression_is_there() -> None:
    first = of_tools(B006, E501)
    second = with_silenced(of_tools(), NEW, first, OLD)
    third = with_silenced(of_tools(), f"{NEW}\n", second, NEW)
    assert set(third.issues) == {B006, E501}
    repaired = with_silenced(of_tools(), "def one(x=()):\n    return x\n", third, f"{NEW}\n")
    assert repaired.issues == ()


def test_an_added_suppression_still_counts_when_it_becomes_narrower_or_moves() -> None:
    wide = NEW.replace("noqa: B006", "noqa")
    second = with_silenced(of_tools(), wide, of_tools(B006), OLD)
    third = with_silenced(of_tools(), NEW, second, wide)
    fourth = with_silenced(of_tools(), f"# a note\n{NEW}", third, NEW)
    assert second.issues == third.issues == fourth.issues == (B006,)
    assert third.metadata["suppressions"]["added"] == ["noqa: B006"]


def test_a_suppression_that_silences_nothing_at_first_is_remembered() -> None:
    misplaced = f"{OLD}\ny = 1  # noqa: B006\n"
    second = with_silenced(of_tools(B006), misplaced, of_tools(B006), OLD)
    assert second.issues == (B006,)
    third = with_silenced(of_tools(), f"{NEW}\ny = 1\n", second, misplaced)
    assert third.issues == (B006,)


def test_progress_on_other_findings_counts_while_a_silenced_finding_stays_open() -> None:
    first = of_tools(B006, E501)
    second = with_silenced(of_tools(E501), NEW, first, OLD)
    third = with_silenced(of_tools(), f"{NEW}\n", second, NEW)
    assert third.issues == (B006,)
    assert second.score < third.score < 1.0
    assert third.score == pytest.approx(of_tools(B006).score)


def test_silencing_findings_is_no_gain() -> None:
    first = CritiqueResult(severity=0.4, score=0.3, issues=[B006], source="tool:own")
    second = with_silenced(CritiqueResult(severity=0.0, source="tool:own"), NEW, first, OLD)
    third = with_silenced(CritiqueResult(severity=0.0, source="tool:own"), f"{NEW}\n", second, NEW)
    assert (second.score, third.score) == (0.3, 0.3)


def test_a_critic_that_only_gives_a_score_is_not_deceived_either() -> None:
    before = CritiqueResult(score=0.5)
    second = with_silenced(CritiqueResult(score=1.0, outcome=Outcome.SUCCESS), NEW, before, OLD)
    assert (second.severity, second.score, second.outcome) == (0.5, 0.5, None)
    assert second.issues[0].message == "added a suppression (noqa: B006), which repairs nothing"
    third = with_silenced(CLEAN, f"{NEW}\n", second, NEW)
    assert third.severity == 0.5


def test_a_fresh_text_with_suppressions_is_no_better_by_the_opinion_of_a_model_either() -> None:
    opinion = Issue("mutable default", severity=None, source="model:m")
    before = CritiqueResult(severity=0.6, issues=[opinion], source="model:m", reward=-0.2)
    kept = with_silenced(CritiqueResult(severity=0.0, source="model:m", reward=1.0), NEW, before, OLD)
    assert (kept.issues, kept.severity, kept.score) == ((opinion,), 0.6, pytest.approx(0.4))
    assert kept.reward == pytest.approx(-0.2)


def test_a_skipped_test_is_a_suppression_too() -> None:
    before = CritiqueResult(severity=0.9, issues=[Issue("test_a failed", kind="test", source="tests")])
    text = "import pytest\n\n\ndef test_a():\n    assert 0\n"
    kept = with_silenced(CLEAN, text.replace("def", "@pytest.mark.xfail\ndef"), before, text)
    assert kept.issues == before.issues


def test_a_suppression_that_moved_to_the_line_with_the_finding_silences_it_until_it_goes() -> None:
    old = f"y = 1  # noqa\n{OLD}"
    moved = f"y = 1\n{OLD.replace(':', ':  # noqa', 1)}"
    second = with_silenced(of_tools(), moved, of_tools(B006), old)
    third = with_silenced(of_tools(), f"{moved}\n", second, moved)
    assert second.issues == third.issues == (B006,)
    assert with_silenced(of_tools(), old.replace("[]", "()"), third, f"{moved}\n").issues == ()
