"""Which of many stored vectors point in the direction of a given one: exact, by comparing with each of them. Pure."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from heapq import nlargest
from operator import mul
from typing import Final

from jido_ai.errors import ConfigurationError

__all__ = ["Products", "VectorIndex", "products", "unit"]

Products = Callable[["array[float]", "array[float]"], Sequence[float]]
"""From vectors that lie one behind the other, and one vector, to the scalar product of each with it."""

_DIGITS: Final = 6
"""Scores are rounded: single precision has no more digits, and equal texts are to score 1.0 on every machine."""


def unit(vector: Sequence[float], dimension: int) -> array[float]:
    """Return the vector at length 1, in single precision; one of zeros stays what it is.

    Raises:
        ConfigurationError: it has another dimension, or something in it is no finite number.
    """
    if len(vector) != dimension:
        raise ConfigurationError(f"an embedding must have {dimension} numbers, got {len(vector)}")
    length = math.sqrt(sum(map(mul, vector, vector)))
    if not math.isfinite(length):
        raise ConfigurationError("an embedding must be of finite numbers")
    return array("f", [value / length for value in vector] if length else vector)


def products(vectors: array[float], vector: array[float]) -> list[float]:
    """Return the scalar product of each of `vectors` with `vector`."""
    size = len(vector)
    return [sum(map(mul, vectors[start : start + size], vector)) for start in range(0, len(vectors), size)]


class VectorIndex:
    """Finds the rows whose vectors are nearest to a query's. Rows come in ascending order, newer means larger.

    Args:
        dimension: how many numbers a vector has.
        multiply: another way to compute `products`.
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
        """How many numbers a search has to look at."""
        return len(self._vectors)

    @property
    def is_stale(self) -> bool:
        """True when more than a quarter is gone."""
        return len(self._rows) > 64 and 4 * (len(self._rows) - len(self._slots)) > len(self._rows)

    def multiply_with(self, multiply: Products) -> None:
        """Use another way to compute products from now on."""
        self._multiply = multiply

    def add(self, row: int, vector: array[float]) -> None:
        """Add a row and its vector, which has length 1; a row that is there already is replaced."""
        self._slots[row] = len(self._rows)
        self._rows.append(row)
        self._vectors.extend(vector)

    def remove(self, row: int) -> bool:
        """Take a row out. Return False when it was not there."""
        return self._slots.pop(row, None) is not None

    def search(self, vector: array[float], k: int, threshold: float) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and cosine in [0, 1], nearest first, ties newest first.

        Args:
            threshold: lowest cosine, inclusive; both are rounded to six digits. What points away counts as 0.0.
        """
        slots, least = self._slots, round(threshold, _DIGITS)
        hits = [
            (score, row)
            for slot, (row, product) in enumerate(zip(self._rows, self._multiply(self._vectors, vector), strict=True))
            if slots.get(row) == slot and (score := min(1.0, max(0.0, round(product, _DIGITS)))) >= least
        ]
        return [(row, score) for score, row in nlargest(k, hits)]

    def compacted(self) -> VectorIndex:
        """Return an index of the same rows without what is gone. This one stays as it is."""
        fresh = VectorIndex(self._dimension, self._multiply)
        size = self._dimension
        for row, slot in sorted(self._slots.items()):
            fresh.add(row, self._vectors[slot * size : (slot + 1) * size])
        return fresh
