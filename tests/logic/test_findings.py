"""Findings: issues that are known again from one iteration to the next."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from jido_ai.logic.findings import gone_issues, ledger, new_issues
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, Location

names = st.lists(st.sampled_from("abcd"), max_size=6)


def critique(names: list[str] | str, **more: object) -> CritiqueResult:
    return CritiqueResult(severity=0.5, issues=list(names), **more)  # type: ignore[arg-type]


def history(*found: list[str] | str) -> list[Iteration]:
    return [Iteration(index, Candidate("x", score=0.5), critique(names)) for index, names in enumerate(found)]


def told(iterations: list[Iteration], best: int) -> list[tuple[str, str, int, int]]:
    findings = ledger(iterations, best)
    return [(f.issue.message, f.status, f.first_iteration, f.last_iteration) for f in findings]


def test_new_issues_are_those_the_one_before_does_not_know_in_order() -> None:
    assert [issue.message for issue in new_issues(critique("ab"), critique("cbd"))] == ["c", "d"]


def test_gone_issues_are_those_the_one_after_does_not_know_in_order() -> None:
    assert [issue.message for issue in gone_issues(critique("abc"), critique("b"))] == ["a", "c"]


def test_a_second_equal_complaint_is_a_new_issue() -> None:
    assert [issue.message for issue in new_issues(critique("a"), critique("aa"))] == ["a"]


def test_an_issue_that_moved_or_whose_wording_changed_a_little_is_not_new() -> None:
    before = CritiqueResult(
        severity=0.5, issues=[Issue("`os` imported but unused, line 3", rule="F401", location=Location("a.py", 3))]
    )
    after = CritiqueResult(
        severity=0.5,
        issues=[Issue("'OS'  imported but unused, line 17", rule="F401", location=Location("a.py", 17, 2))],
    )
    assert new_issues(before, after) == gone_issues(before, after) == ()


@given(names, names)
def test_new_and_gone_are_the_two_differences_of_the_bags(before: list[str], after: list[str]) -> None:
    new = Counter(issue.message for issue in new_issues(critique(before), critique(after)))
    gone = Counter(issue.message for issue in gone_issues(critique(before), critique(after)))
    assert new == Counter(after) - Counter(before)
    assert gone == Counter(before) - Counter(after)


def test_what_the_best_has_is_open() -> None:
    assert told(history("a", "a"), 1) == [("a", "open", 0, 1)]


def test_what_the_best_has_no_more_is_fixed() -> None:
    assert told(history("ab", "b"), 1) == [("a", "fixed", 0, 0), ("b", "open", 0, 1)]


def test_what_was_fixed_and_came_back_is_regressed() -> None:
    assert told(history("a", "", "a"), 2) == [("a", "regressed", 0, 2)]


def test_what_only_later_worse_candidates_had_is_no_finding() -> None:
    assert told(history("a", "ab"), 0) == [("a", "open", 0, 0)]


def test_two_equal_complaints_are_two_findings_of_which_one_can_be_fixed() -> None:
    assert told(history("aa", "a"), 1) == [("a", "open", 0, 1), ("a", "fixed", 0, 0)]


def panel(*parts: CritiqueResult) -> list[Iteration]:
    issues = [issue for part in parts for issue in part.issues]
    judged = CritiqueResult(severity=0.5, issues=issues, parts=parts)
    return [Iteration(0, Candidate("x", score=0.5), judged)]


def test_what_one_model_complains_of_while_another_is_content_is_disputed() -> None:
    content = CritiqueResult(severity=0.0, source="model:b")
    assert told(panel(critique("a", source="model:a"), content), 0) == [("a", "disputed", 0, 0)]


def test_what_models_agree_on_is_not_disputed() -> None:
    models = (critique("a", source="model:a"), critique("b", source="model:b"))
    assert {finding.status for finding in ledger(panel(*models), 0)} == {"open"}


def test_what_a_tool_found_is_not_disputed_whoever_is_content() -> None:
    content = CritiqueResult(severity=0.0, source="model:b")
    facts = (critique("a", source="tool:ruff"), critique("a", source="model:a"), content)
    assert {finding.status for finding in ledger(panel(*facts), 0)} == {"open"}
    assert {f.status for f in ledger(panel(critique("a", source="model:a"), content.replace(source="tool:x")), 0)} == {
        "open"
    }


@given(st.lists(names, min_size=1, max_size=5), st.data())
def test_the_ledger_holds_every_sighting_up_to_the_best_and_its_open_ones_are_the_bests_issues(
    found: list[list[str]], data: st.DataObject
) -> None:
    best = data.draw(st.integers(0, len(found) - 1))
    findings = ledger(history(*found), best)
    assert Counter(f.issue.message for f in findings if f.status != "fixed") == Counter(found[best])
    assert {f.issue.message for f in findings} == {name for names in found[: best + 1] for name in names}
    for finding in findings:
        assert finding.first_iteration <= finding.last_iteration <= best
        assert (finding.status == "fixed") == (finding.last_iteration < best)
