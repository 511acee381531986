"""Estimated cosines."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai.memory.index.vector_codes import ByteCodes, ProductQuantizer

np = pytest.importorskip("numpy")
pytest.importorskip("faiss")


def directions(rows: int, size: int, seed: int) -> Any:
    made = np.random.default_rng(seed).normal(size=(rows, size)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def first_codes() -> Any:
    """Return the codes of 4,096 directions, which take seconds to make, and what made them."""
    quantizer = ProductQuantizer()
    return quantizer, quantizer.codes(directions(4096, 64, 7))


@pytest.mark.slow
def test_estimates_fall_short_of_cosines_by_more_than_the_error_in_hardly_any_case(first_codes: Any) -> None:
    vectors = directions(4096, 64, 7)
    codes = first_codes[1]
    assert codes is not None
    assert 0.0 < codes.error < 0.25
    for asked in directions(20, 64, 8):
        found = codes.best(asked, len(vectors))
        assert found is not None
        estimates, places = found.scores, found.places
        assert sorted(places.tolist()) == list(range(len(vectors)))
        assert (np.diff(estimates) <= 0.0).all()
        assert ((vectors @ asked)[places] - estimates > codes.error).mean() <= 0.001


@pytest.mark.slow
def test_vectors_of_a_later_block_are_estimated_with_the_typical_pairs_of_the_first(first_codes: Any) -> None:
    quantizer = first_codes[0]
    later = directions(4096, 64, 9)
    codes = quantizer.codes(later)
    assert codes is not None
    found = codes.best(later[11], 1)
    assert found is not None
    assert found.places.tolist() == [11]


@pytest.mark.slow
def test_a_block_of_zeros_or_of_equal_vectors_does_not_affect_later_blocks() -> None:
    vectors = directions(4096, 64, 7)
    mostly_zero = np.where(np.arange(4096)[:, None] < 2000, vectors, np.float32(0.0))
    quantizer = ProductQuantizer()
    assert quantizer.codes(mostly_zero) is None
    quantizer.codes(np.repeat(vectors[:1], 4096, axis=0))
    quantizer.codes(vectors)
    codes = quantizer.codes(vectors)
    assert codes is not None
    assert codes.error < 0.25


def test_the_zero_vector_has_no_estimates(first_codes: Any) -> None:
    codes = first_codes[1]
    assert codes is not None
    assert codes.best(np.zeros(64, np.float32), 5) is None


@pytest.mark.parametrize("size", [3, 64, 384])
def test_no_cosine_is_larger_than_that_of_its_bytes_by_more_than_the_error(size: int) -> None:
    vectors = directions(4096, size, 7)
    vectors[:100] = 0.0
    codes = ByteCodes(vectors)
    for asked in [
        *directions(20, size, 8),
        vectors[200],
        np.zeros(size, np.float32),
        np.eye(size, dtype=np.float32)[0],
    ]:
        estimates = codes.best(asked, len(vectors))
        assert sorted(estimates.places.tolist()) == list(range(len(vectors)))
        assert (np.diff(estimates.scores) <= 0.0).all()
        assert estimates.error < 0.05
        assert ((vectors @ asked)[estimates.places] - estimates.scores <= estimates.error).all()


def test_bytes_beside_one_large_number_have_a_larger_known_error() -> None:
    vectors = directions(4096, 384, 7)
    vectors[0] = np.eye(384, dtype=np.float32)[0]
    codes = ByteCodes(vectors)
    found = codes.best(vectors[5], 4096)
    assert found.error > 0.04
    assert ((vectors @ vectors[5])[found.places] - found.scores <= found.error).all()
    zeros = ByteCodes(np.zeros((10, 4), np.float32)).best(np.ones(4, np.float32) / 2, 10)
    assert zeros.scores.tolist() == [0.0] * 10
