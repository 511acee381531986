"""Counting by numpy: the same results as the plain way, bit for bit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="the extra numpy is not installed")

from jido_ai.memory.index.keyword_index import PLAIN, KeywordIndex
from jido_ai.memory.index.numpy_counting import NumpyCounting
from jido_ai.memory.index.similarity import measure_named

WORDS = st.frozensets(st.sampled_from("abcdefghij"), max_size=6)


@pytest.mark.parametrize("name", ["jaccard", "weighted", "overlap"])
@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(WORDS, st.booleans()), max_size=40),
    WORDS,
    st.sampled_from([0.0, 0.15, 0.5, 1.0]) | st.floats(0, 1),
    st.integers(0, 8),
    st.booleans(),
)
def test_both_ways_of_counting_find_the_same(  # noqa: PLR0917 - Hypothesis gives them by position
    name: str, rows: list[tuple[frozenset[str], bool]], asked: frozenset[str], threshold: float, k: int, compact: bool
) -> None:
    measure = measure_named(name)
    indexes = [KeywordIndex(measure, counting, large_from=0) for counting in (PLAIN, NumpyCounting())]
    for row, (words, is_removed) in enumerate(rows):
        for index in indexes:
            index.add(row, words)
            if is_removed:
                index.remove(row // 2)
    if compact:
        indexes = [index.compacted() for index in indexes]
    plain, quick = (index.search(asked | {"never seen"}, k, threshold) for index in indexes)
    assert plain == quick


def test_an_index_changes_its_arithmetic_once_it_is_large() -> None:
    numpy = NumpyCounting()
    index = KeywordIndex(measure_named("jaccard"), large_from=2)
    index.count_with(numpy)
    index.add(1, frozenset("a"))
    assert index.counting is PLAIN
    index.add(2, frozenset("a"))
    assert index.counting is numpy
    assert index.search(frozenset("a"), 5, 1.0) == [(2, 1.0), (1, 1.0)]
    index.add(3, frozenset("a"))  # nobody looks into its arrays any more: they may grow
