"""Findings: the identity of issues across iterations."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.critics.findings import gone_issues, identities, ledger, new_issues
from jido_ai.values import Candidate, CritiqueResult, Issue, Iteration, Location

names = st.lists(st.sampled_from("abcd"), max_size=6)


def critique(names: list[str] | str, **more: object) -> CritiqueResult:
    return CritiqueResult(severity=0.5, issues=list(names), **more)  # type: ignore[arg-type]


def history(*found: list[str] | str) -> list[Iteration]:
    return [Iteration(index, Candidate("x", score=0.5), critique(names)) for index, names in enumerate(found)]


def told(iterations: list[Iteration], best: int) -> list[tuple[str, str, int, int]]:
    findings = ledger(iterations, best)
    return [(f.issue.message, f.status, f.first_iteration, f.last_iteration) for f in findings]


def test_new_issues_are_listed_in_order() -> None:
    assert [issue.message for issue in new_issues(critique("ab"), critique("cbd"))] == ["c", "d"]


def test_gone_issues_are_listed_in_order() -> None:
    assert [issue.message for issue in gone_issues(critique("abc"), critique("b"))] == ["a", "c"]


def test_a_second_equal_complaint_is_a_new_issue() -> None:
    assert [issue.message for issue in new_issues(critique("a"), critique("aa"))] == ["a"]


@pytest.mark.rows("J18")
def test_a_moved_or_slightly_reworded_issue_is_not_new() -> None:
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


def test_an_issue_of_the_best_candidate_is_open() -> None:
    assert told(history("a", "a"), 1) == [("a", "open", 0, 1)]


def test_an_issue_that_the_best_candidate_no_longer_has_is_fixed() -> None:
    assert told(history("ab", "b"), 1) == [("a", "fixed", 0, 0), ("b", "open", 0, 1)]


@pytest.mark.rows("J18")
def test_a_fixed_issue_that_returns_is_regressed() -> None:
    assert told(history("a", "", "a"), 2) == [("a", "regressed", 0, 2)]


def test_an_issue_only_of_later_worse_candidates_is_not_a_finding() -> None:
    assert told(history("a", "ab"), 0) == [("a", "open", 0, 0)]


def test_one_of_two_equal_findings_can_be_fixed() -> None:
    assert told(history("aa", "a"), 1) == [("a", "open", 0, 1), ("a", "fixed", 0, 0)]


def panel(*parts: CritiqueResult) -> list[Iteration]:
    issues = [issue for part in parts for issue in part.issues]
    judged = CritiqueResult(severity=0.5, issues=issues, parts=parts)
    return [Iteration(0, Candidate("x", score=0.5), judged)]


@pytest.mark.rows("J18")
def test_an_issue_of_one_model_that_another_does_not_report_is_disputed() -> None:
    content = CritiqueResult(severity=0.0, source="model:b")
    assert told(panel(critique("a", source="model:a"), content), 0) == [("a", "disputed", 0, 0)]


def test_issues_that_models_agree_on_are_not_disputed() -> None:
    models = (critique("a", source="model:a"), critique("b", source="model:b"))
    assert {finding.status for finding in ledger(panel(*models), 0)} == {"open"}


def test_a_finding_of_a_tool_is_never_disputed() -> None:
    content = CritiqueResult(severity=0.0, source="model:b")
    facts = (critique("a", source="tool:ruff"), critique("a", source="model:a"), content)
    assert {finding.status for finding in ledger(panel(*facts), 0)} == {"open"}
    assert {f.status for f in ledger(panel(critique("a", source="model:a"), content.replace(source="tool:x")), 0)} == {
        "open"
    }


@given(st.lists(names, min_size=1, max_size=5), st.data())
def test_the_ledger_has_every_sighting_up_to_the_best_candidate_whose_issues_are_open(
    found: list[list[str]], data: st.DataObject
) -> None:
    best = data.draw(st.integers(0, len(found) - 1))
    findings = ledger(history(*found), best)
    assert Counter(f.issue.message for f in findings if f.status != "fixed") == Counter(found[best])
    assert {f.issue.message for f in findings} == {name for names in found[: best + 1] for name in names}
    for finding in findings:
        assert finding.first_iteration <= finding.last_iteration <= best
        assert (finding.status == "fixed") == (finding.last_iteration < best)


# -- wording ---------------------------------------------------------------------------------------


def is_known_again(before: Issue, after: Issue, *anchors: tuple[Issue, Issue]) -> bool:
    """Tell whether `after` matches `before`; anchors are findings with equal words, before and after."""
    one = CritiqueResult(severity=0.5, issues=[*(old for old, _ in anchors), before])
    other = CritiqueResult(severity=0.5, issues=[*(new for _, new in anchors), after])
    assert len(new_issues(one, other)) == len(gone_issues(one, other))
    return not new_issues(one, other)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The summary omits the budget figures", "The summary omits the budget"),
        ("Off-by-one error in the loop bound", "An off-by-one error in the loop bounds"),
        ("No source is given for the claim about prices", "The answer gives no source for the claim about prices"),
        ("`total_count` is used before it is set", "total_count is used before it is set here"),
        ("The function does not handle an empty list", "The function doesn't handle an empty list."),
        ("It cannot be read and it isn't tested at all", "It can’t be read and it is not tested at all"),
    ],
)
def test_a_slightly_reworded_finding_of_a_model_is_the_same(before: str, after: str) -> None:
    assert is_known_again(Issue(before, source="model:m"), Issue(after, source="model:m"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a is wrong", "b is wrong"),
        ("The introduction is much too long for a letter", "The conclusion is much too long for a letter"),
        ("The function `load` has no docstring at all", "The function `save` has no docstring at all"),
        ("the variable item_one is never used", "the variable item_two is never used"),
        ("call to parse() may fail", "call to parser() may fail"),
        ("prices increase in the second table", "prices decrease in the second table"),
    ],
)
def test_findings_about_different_names_are_different(before: str, after: str) -> None:
    assert not is_known_again(Issue(before, source="model:m"), Issue(after, source="model:m"))


def test_a_reworded_finding_of_a_tool_is_another_finding() -> None:
    before, after = "the summary omits the budget figures", "the summary omits the budget"
    assert not is_known_again(Issue(before, source="tool:x"), Issue(after, source="tool:x"))


@pytest.mark.parametrize("other", [{"source": "model:n"}, {"rule": "other"}, {"kind": "other"}])
def test_reworded_findings_match_only_within_a_source_and_a_rule_or_kind(other: dict[str, str]) -> None:
    before = Issue("The summary omits the budget figures", source="model:m")
    assert not is_known_again(before, before.replace(message="The summary omits the budget", **other))


@pytest.mark.parametrize(("line", "is_near"), [(20, True), (30, True), (31, False), (10, True), (9, False)])
def test_reworded_findings_match_only_within_ten_lines(line: int, is_near: bool) -> None:
    before = Issue("The loop over the rows never ends", location=Location("a.py", 20))
    after = Issue("The loop over the rows never ends here", location=Location("a.py", line))
    assert is_known_again(before, after) == is_near


def test_the_distance_in_lines_is_counted_from_the_moved_finding() -> None:
    def at(message: str, line: int) -> Issue:
        return Issue(message, location=Location("a.py", line))

    moved = (at("imports are not sorted", 5), at("imports are not sorted", 105))
    before, after = at("The loop over the rows never ends", 20), at("The loop over the rows never ends here", 120)
    assert is_known_again(before, after, moved)
    assert not is_known_again(before, after)
    below = (at("no newline at the end", 90), at("no newline at the end", 190))
    assert not is_known_again(before, after, below), "what is below did not move it"


def test_identities_survive_absence_and_rewording_and_occur_once_per_iteration() -> None:
    said = [["The summary omits the budget figures"], ["x"], ["The summary omits the budget", "x", "x"]]
    assert identities(history(*said)) == ((0,), (1,), (0, 1, 2))


@given(st.lists(names, max_size=6))
def test_identities_of_equal_words_agree_with_bags(found: list[list[str]]) -> None:
    iterations = history(*found)
    told = identities(iterations)
    words = {number: issue.message for one, numbers in zip(iterations, told, strict=True)
             for number, issue in zip(numbers, one.critique.issues, strict=True)}  # fmt: skip
    for one, numbers in zip(iterations, told, strict=True):
        assert len(set(numbers)) == len(numbers)
        assert [words[number] for number in numbers] == [issue.message for issue in one.critique.issues]
    most = Counter[str]()
    for bag in found:
        most |= Counter(bag)
    assert Counter(words.values()) == most


few_words = ["the", "loop", "never", "ends", "summary", "omits", "budget", "x_1", "y_2", "not"]
words = st.lists(st.sampled_from(few_words), max_size=8).map(" ".join)


@given(st.lists(words, max_size=6), st.lists(words, max_size=6))
def test_every_issue_is_either_known_or_gone(before: list[str], after: list[str]) -> None:
    one, other = critique(before), critique(after)
    new, gone = new_issues(one, other), gone_issues(one, other)
    assert len(after) - len(new) == len(before) - len(gone)
    assert not {issue.fingerprint for issue in new} & {issue.fingerprint for issue in gone}
    assert new_issues(one, one) == gone_issues(one, one) == ()


def test_comparing_a_thousand_reworded_issues_is_bounded() -> None:
    many = [critique([f"complaint {chr(0x4E00 + n)} of reader {start}" for n in range(1000)]) for start in "ab"]
    assert len(new_issues(*many)) == 1000
