"""A result prints as a few lines, and as a table in a notebook."""

from __future__ import annotations

from jido_ai import CritiqueResult, reflect_sync
from jido_ai.values import Candidate, ReflectionResult


def judged(*contents: str, issues: int = 1) -> ReflectionResult:
    left = list(contents[1:])

    def judge(candidate: Candidate, _: object) -> CritiqueResult:
        found = [f"issue {n} of {candidate.content}" for n in range(issues)]
        return CritiqueResult(severity=0.9 if left else 0.0, issues=found if left else [])

    return reflect_sync("task", initial_candidate=contents[0], critiquer=judge, reviser=lambda *_: left.pop(0))


def test_a_result_prints_each_candidate_with_its_issues_and_why_the_run_ended() -> None:
    assert str(judged("first", "second")).splitlines() == [
        "1. severity 0.90  first",
        "   - issue 0 of first",
        "2. severity 0.00  second",
        "accepted; 0 calls, 0 tokens in, 0 out, $0.0000",
    ]


def test_a_long_answer_and_many_issues_are_cut_and_control_characters_are_not_printed() -> None:
    lines = str(judged("a" * 10_000 + "\x1b[2J", "b\x1b[2J\nc", issues=5)).splitlines()
    assert max(map(len, lines)) < 140
    assert "   - and 2 more" in lines
    assert lines[-2].endswith("b?[2J c")


def test_a_notebook_shows_a_table_in_which_every_text_is_escaped() -> None:
    html = judged("<b>bold</b>", "plain")._repr_html_()
    assert "&lt;b&gt;bold" in html
    assert "<b>" not in html
    assert html.count("<tr>") == 3


def test_the_best_candidate_is_named_if_it_is_not_the_last() -> None:
    result = reflect_sync(
        "task",
        initial_candidate="good",
        critiquer=lambda candidate, _: CritiqueResult(severity=0.4 if candidate.content == "good" else 0.95),
        reviser=lambda *_: "something else",
    )
    assert str(result).splitlines()[-1].split(";")[0].endswith(", the best is 1")
