"""Nearest vectors: exactly, and nearly in large indexes."""

from __future__ import annotations

import math
import sys
from array import array
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index.numpy_scan import NumpyScan
from jido_ai.memory.index.vector_index import PLAIN_SCAN, ROWS_PER_BLOCK, VectorIndex, unit

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


def test_numpy_finds_exactly_what_the_plain_scan_finds() -> None:
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(7)
    size, rows = 16, ROWS_PER_BLOCK + 700
    made = rng.normal(size=(rows, size))
    made[5] = made[ROWS_PER_BLOCK + 5] = made[17]  # ties, in two blocks
    plain, quick = VectorIndex(size), VectorIndex(size, NumpyScan())
    for row, vector in enumerate(made.tolist()):
        for index in (plain, quick):
            index.add(row, unit(vector, size))
    for row in rng.choice(rows, 500, replace=False).tolist():
        assert plain.remove(row) == quick.remove(row)
    for number, (k, threshold) in enumerate(
        [(1, 0.0), (5, 0.0), (5, 0.9), (40, 0.3), (rows, 0.5), (5, -0.0), (0, 0.1)]
    ):
        asked = unit(made[17].tolist() if number % 2 else rng.normal(size=size).tolist(), size)
        found, wanted = quick.search(asked, k, threshold), plain.search(asked, k, threshold)
        assert [score for _, score in found] == pytest.approx([score for _, score in wanted], abs=2e-6)
        scores = [score for _, score in wanted]
        if len(set(scores)) == len(scores):
            assert [row for row, _ in found] == [row for row, _ in wanted]
    tied = [row for row, score in quick.search(unit(made[17].tolist(), size), 5, 0.999999)]
    assert (
        tied
        == sorted(tied, reverse=True)
        == [row for row, _ in plain.search(unit(made[17].tolist(), size), 5, 0.999999)]
    )


def many(size: int, seed: int = 7, *, blocks: int = 8) -> Any:
    """Vectors of length 1, more than are searched exactly. Like a text's: sums of a few of 3,000 common directions."""
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(seed)
    pieces = rng.normal(size=(3000, size)).astype(np.float32)
    made = np.zeros((blocks * ROWS_PER_BLOCK + 900, size), np.float32)
    for _ in range(8):
        made += pieces[np.minimum(rng.zipf(1.3, len(made)), len(pieces)) - 1]
    made += 0.3 * rng.normal(size=made.shape).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def filled(vectors: Any) -> VectorIndex:
    index = VectorIndex(vectors.shape[1], NumpyScan())
    for row, vector in enumerate(vectors):
        index.add(row, array("f", vector.tobytes()))
    return index


def brute_force(vectors: Any, asked: Any, k: int, threshold: float, removed: Any = ()) -> list[tuple[int, float]]:
    scores = (vectors @ asked).round(6).clip(0.0, 1.0)
    scores[list(removed)] = -1.0
    rows = (-scores[::-1]).argsort(kind="stable")[:k]
    found = [(len(scores) - 1 - row, round(float(scores[len(scores) - 1 - row]), 6)) for row in rows.tolist()]
    return [hit for hit in found if hit[1] >= threshold]


@pytest.mark.parametrize("size", [16, 48, 15], ids=["few numbers", "more numbers", "an odd number: no codes"])
@pytest.mark.slow
def test_a_large_index_finds_99_of_100_nearest_vectors_with_exact_scores(size: int) -> None:
    pytest.importorskip("faiss")
    vectors = many(size)
    index = filled(vectors)
    rng = pytest.importorskip("numpy").random.default_rng(8)
    removed = set(rng.choice(len(vectors), 20_000, replace=False).tolist())
    for row in removed:
        index.remove(row)
    right = wanted = 0
    for k, threshold in [(5, 0.0)] * 20 + [(5, 0.8)] * 5 + [(40, 0.3)] * 5 + [(3000, 0.0), (0, 0.0)]:
        asked = vectors[int(rng.integers(len(vectors)))] + 0.5 * vectors[int(rng.integers(len(vectors)))]
        asked = asked / (asked @ asked) ** 0.5
        found = index.search(array("f", asked.tobytes()), k, threshold)
        expected = brute_force(vectors, asked, k, threshold, removed)
        assert len(found) == len(expected)
        assert not removed & dict(found).keys()
        assert [score for _, score in found] == pytest.approx(
            [max(0.0, float(vectors[row] @ asked)) for row, _ in found], abs=2e-6
        )
        wanted += len(expected)
        right += sum(score >= expected[-1][1] - 2e-6 for _, score in found)
    assert right >= 0.99 * wanted


@pytest.mark.parametrize("size", [3, 48])
def test_an_index_of_up_to_131072_is_searched_exactly_although_it_reads_codes(size: int) -> None:
    pytest.importorskip("faiss")
    vectors = many(size, blocks=3)
    vectors[5:2000] = vectors[3]  # more near vectors than codes are looked at
    index = filled(vectors)
    rng = pytest.importorskip("numpy").random.default_rng(8)
    removed = set(rng.choice(len(vectors), 5_000, replace=False).tolist())
    for row in removed:
        index.remove(row)
    for k, threshold in [(1, 0.0), (5, 0.0), (5, 0.9), (40, 0.3), (600, 0.2), (5, -0.0)] * 4:
        asked = vectors[int(rng.integers(len(vectors)))] + 0.5 * vectors[int(rng.integers(len(vectors)))]
        asked = asked / (asked @ asked) ** 0.5
        found = index.search(array("f", asked.tobytes()), k, threshold)
        expected = brute_force(vectors, asked, k, threshold, removed)
        assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=2e-6)
        assert not removed & dict(found).keys()


def test_an_index_that_grows_beyond_131072_changes_its_codes() -> None:
    pytest.importorskip("faiss")
    vectors = many(16)
    index, asked = filled(vectors[: 5 * ROWS_PER_BLOCK]), array("f", vectors[40_000].tobytes())
    assert index.search(asked, 1, 0.0) == [(40_000, 1.0)]
    for row in range(5 * ROWS_PER_BLOCK, len(vectors)):
        index.add(row, array("f", vectors[row].tobytes()))
    assert index.search(asked, 1, 0.0) == [(40_000, 1.0)]
    assert index.search(array("f", vectors[-1].tobytes()), 1, 0.0) == [(len(vectors) - 1, 1.0)]


def test_a_large_index_gives_equal_vectors_newest_first() -> None:
    pytest.importorskip("faiss")
    vectors = many(16)
    vectors[100:1200] = vectors[3]  # more of one block than are estimated
    vectors[ROWS_PER_BLOCK * 3 + 7] = vectors[3]
    index = filled(vectors)
    index.remove(1199)
    found = index.search(array("f", vectors[3].tobytes()), 4, 0.0)
    assert found == [(ROWS_PER_BLOCK * 3 + 7, 1.0), (1198, 1.0), (1197, 1.0), (1196, 1.0)]


def test_a_large_index_handles_replaced_vectors_and_zero_vectors() -> None:
    pytest.importorskip("faiss")
    vectors = many(16)
    vectors[5 : ROWS_PER_BLOCK + 5] = 0.0
    index = filled(vectors)
    asked = array("f", vectors[9 * 1000 + 40_000].tobytes())
    row = index.search(asked, 1, 0.0)[0][0]
    index.add(row, array("f", (-vectors[row]).tobytes()))
    assert index.search(asked, 1, 0.0)[0] == brute_force(vectors, vectors[row], 2, 0.0)[1]
    zero = array("f", bytes(4 * 16))
    assert index.search(zero, 2, 0.0) == [(len(vectors) - 1, 0.0), (len(vectors) - 2, 0.0)]
    assert index.search(zero, 2, 0.1) == []


def test_without_faiss_a_large_index_is_searched_with_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = many(16)
    monkeypatch.setitem(sys.modules, "faiss", None)
    found = filled(vectors).search(array("f", vectors[70_000].tobytes()), 5, 0.0)
    expected = brute_force(vectors, vectors[70_000], 5, 0.0)
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=2e-6)
    assert found[0][0] == 70_000


@pytest.mark.parametrize("scan", [PLAIN_SCAN, "numpy"], ids=["plain", "numpy"])
def test_scores_below_zero_count_as_zero_and_tie(scan: object) -> None:
    if scan == "numpy":
        pytest.importorskip("numpy")
        scan = NumpyScan()
    index = VectorIndex(2, scan)  # type: ignore[arg-type]
    for row, vector in enumerate([[-0.1, 1.0], [-1.0, 0.0], [-0.5, 1.0]]):
        index.add(row, unit(vector, 2))
    assert index.search(unit([1.0, 0.0], 2), 2, 0.0) == [(2, 0.0), (1, 0.0)]


def test_rows_may_be_added_out_of_order_replaced_and_removed() -> None:
    index = VectorIndex(2)
    for row, vector in ((5, [1, 0]), (9, [0, 1]), (7, [1, 1]), (9, [1, 0]), (5, [0, 1])):
        index.add(row, unit(vector, 2))
    assert len(index) == 3
    for tried in (index, index.compacted()):
        assert [row for row, _ in tried.search(unit([1, 0], 2), 5, 0.1)] == [9, 7]
        assert [row for row, _ in tried.search(unit([0, 1], 2), 5, 0.1)] == [5, 7]
    assert index.remove(9)
    assert not index.remove(9)
    assert not index.remove(6)
    assert [row for row, _ in index.search(unit([1, 0], 2), 5, 0.1)] == [7]


def test_a_search_gives_others_a_turn_after_each_block_and_dismantling_too() -> None:
    turns = list[None]()
    index = VectorIndex(1)
    for row in range(2 * ROWS_PER_BLOCK + 1):
        index.add(row, array("f", [1.0]))
    index.search(array("f", [1.0]), 1, 0.5, lambda: turns.append(None))
    assert len(turns) == 3
    index.dismantle(lambda: turns.append(None))
    assert (len(turns), len(index), index.numbers) == (6, 0, 0)
