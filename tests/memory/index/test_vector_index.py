"""Nearest vectors, exactly."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index.vector_index import VectorIndex, unit

VECTORS = st.lists(st.floats(-10, 10, width=32), min_size=3, max_size=3)


def test_a_vector_is_brought_to_length_one_and_junk_is_refused() -> None:
    assert list(unit([3.0, 4.0], 2)) == pytest.approx([0.6, 0.8])
    assert list(unit([0.0, 0.0], 2)) == [0.0, 0.0]
    for junk in ([1.0], [math.nan, 1.0], [math.inf, 1.0]):
        with pytest.raises(ConfigurationError):
            unit(junk, 2)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(VECTORS, st.booleans()), max_size=20), VECTORS, st.floats(0, 1), st.integers(0, 5))
def test_the_index_finds_the_results_of_a_full_scan(
    rows: list[tuple[list[float], bool]], asked: list[float], threshold: float, k: int
) -> None:
    index, alive = VectorIndex(3), dict[int, list[float]]()
    for row, (vector, is_removed) in enumerate(rows):
        index.add(row, unit(vector, 3))
        alive[row] = list(unit(vector, 3))
        if is_removed:
            alive.pop(row // 2, None)
            index.remove(row // 2)
    query = unit(asked, 3)
    scored = [
        (row, min(1.0, max(0.0, round(sum(a * b for a, b in zip(vector, query, strict=True)), 6))))
        for row, vector in alive.items()
    ]
    wanted = sorted((one for one in scored if one[1] >= round(threshold, 6)), key=lambda one: (-one[1], -one[0]))[:k]
    for tried in (index, index.compacted()):
        found = tried.search(query, k, threshold)
        assert [score for _, score in found] == pytest.approx([score for _, score in wanted], abs=2e-6)
        assert len(tried) == len(alive)


def test_equal_vectors_score_one_and_ties_are_newest_first() -> None:
    index = VectorIndex(2)
    for row in (5, 9, 7):
        index.add(row, unit([0.3, 0.1], 2))
    assert index.search(unit([0.6, 0.2], 2), 5, 1.0) == [(9, 1.0), (7, 1.0), (5, 1.0)]
