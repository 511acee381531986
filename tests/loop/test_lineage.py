"""Lines of candidates that are developed side by side."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from jido_ai.loop.convergence import best_index, score_of
from jido_ai.loop.state import best_chains, findings_of, line_of, positions_of
from jido_ai.values import Candidate, CritiqueResult, Iteration


def history_of(*scores: float, issues: list[list[str]] | None = None) -> list[Iteration]:
    found = issues or [[] for _ in scores]
    return [
        Iteration(index, Candidate(str(index), score=score), CritiqueResult(score=score, issues=found[index]))
        for index, score in enumerate(scores)
    ]


def test_a_line_is_numbered_from_zero() -> None:
    line = line_of(history_of(0.1, 0.2, 0.3, 0.4), positions_of([0, 1, 0, 1], 1))
    assert [(one.index, one.candidate.content) for one in line] == [(0, "1"), (1, "3")]


def test_the_line_with_the_best_candidate_comes_first_and_the_earlier_of_equals() -> None:
    assert best_chains(history_of(0.5, 0.9, 0.6, 0.1), [0, 1, 0, 1], best_index) == [1, 0]
    assert best_chains(history_of(0.5, 0.5, 0.5), [2, 0, 1], best_index) == [2, 0, 1]
    assert best_chains(history_of(0.5, 0.9, 0.6), [0, 1, 2], best_index, among=[0, 2]) == [2, 0]


def test_findings_carry_the_indices_of_the_whole_history() -> None:
    history = history_of(0.1, 0.2, 0.3, 0.4, issues=[["other"], ["slow", "long"], ["else"], ["long"]])
    found = findings_of(history, [0, 1, 0, 1], 3)
    assert [(one.issue.message, one.status, one.first_iteration, one.last_iteration) for one in found] == [
        ("slow", "fixed", 1, 1),
        ("long", "open", 1, 3),
    ]


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4)), min_size=1, max_size=20))
def test_every_line_is_listed_once_by_falling_score_of_its_best(steps: list[tuple[float, int]]) -> None:
    history, chains = history_of(*(score for score, _ in steps)), [chain for _, chain in steps]
    order = best_chains(history, chains, best_index)
    assert sorted(order) == sorted(set(chains))
    bests = [max(score_of(history[p]) for p in positions_of(chains, chain)) for chain in order]
    assert all(one >= other - 1e-9 for one, other in pairwise(bests))
