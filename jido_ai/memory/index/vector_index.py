"""Vector index: exact nearest-neighbour search by cosine, comparing the query with every stored vector. Pure."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from heapq import nlargest
from operator import mul
from typing import Final

from jido_ai.errors import ConfigurationError

__all__ = ["Products", "VectorIndex", "joined", "products", "unit"]

Products = Callable[["array[float]", "array[float]"], Sequence[float]]
"""Takes vectors stored back to back and one more vector; returns the dot product of each with it."""

_DIGITS: Final = 6
"""Scores are rounded to this many digits, the limit of single precision, so that equal texts score 1.0 everywhere."""


def unit(vector: Sequence[float], dimension: int) -> array[float]:
    """Return the vector scaled to length 1, in single precision. A zero vector is returned unchanged.

    Raises:
        ConfigurationError: the dimension is wrong, or an element is not finite.
    """
    if len(vector) != dimension:
        raise ConfigurationError(f"an embedding must have {dimension} numbers, got {len(vector)}")
    length = math.sqrt(sum(map(mul, vector, vector)))
    if not math.isfinite(length):
        raise ConfigurationError("an embedding must have finite numbers, got NaN or infinity")
    return array("f", [value / length for value in vector] if length else vector)


def joined(vector: array[float], other: array[float], weight: float) -> array[float]:
    """Return `vector` + `weight` * `other`, scaled to length 1."""
    return unit([a + weight * b for a, b in zip(vector, other, strict=True)], len(vector))


def products(vectors: array[float], vector: array[float]) -> list[float]:
    """Return the dot product of each of `vectors` with `vector`."""
    size = len(vector)
    return [sum(map(mul, vectors[start : start + size], vector)) for start in range(0, len(vectors), size)]


class VectorIndex:
    """Finds the rows whose vectors are nearest to a query's. Rows are added in ascending order; newer means larger.

    Args:
        dimension: numbers per vector.
        multiply: the implementation of `products`.
    """

    def __init__(self, dimension: int, multiply: Products = products) -> None:
        self._dimension = dimension
        self._multiply = multiply
        self._slots: dict[int, int] = {}  # row -> slot
        self._rows = array("Q")
        self._vectors = array("f")

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def numbers(self) -> int:
        """How many numbers a search reads."""
        return len(self._vectors)

    @property
    def is_stale(self) -> bool:
        """True if there are more than 64 slots and more than a quarter of the rows is removed."""
        return len(self._rows) > 64 and 4 * (len(self._rows) - len(self._slots)) > len(self._rows)

    def multiply_with(self, multiply: Products) -> None:
        """Use another implementation of `products` from now on."""
        self._multiply = multiply

    def add(self, row: int, vector: array[float]) -> None:
        """Add a row and its vector of length 1. An existing row is replaced."""
        self._slots[row] = len(self._rows)
        self._rows.append(row)
        self._vectors.extend(vector)

    def remove(self, row: int) -> bool:
        """Remove a row. Return False if it is not in the index."""
        return self._slots.pop(row, None) is not None

    def search(self, vector: array[float], k: int, threshold: float) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and cosine in [0, 1], nearest first, ties newest first.

        Args:
            threshold: minimum cosine, inclusive; both are rounded to six digits. A negative cosine counts as 0.0.
        """
        slots, least = self._slots, round(threshold, _DIGITS)
        hits = [
            (score, row)
            for slot, (row, product) in enumerate(zip(self._rows, self._multiply(self._vectors, vector), strict=True))
            if slots.get(row) == slot and (score := min(1.0, max(0.0, round(product, _DIGITS)))) >= least
        ]
        return [(row, score) for score, row in nlargest(k, hits)]

    def compacted(self) -> VectorIndex:
        """Return a new index without the removed rows. This one does not change."""
        fresh = VectorIndex(self._dimension, self._multiply)
        size = self._dimension
        for row, slot in sorted(self._slots.items()):
            fresh.add(row, self._vectors[slot * size : (slot + 1) * size])
        return fresh
