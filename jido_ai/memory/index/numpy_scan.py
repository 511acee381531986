"""NumpyScan: vector search with numpy; with numkong (the extra `semantic`) faster, with the same results.

With numkong a full block is read as 8-bit integers first: a third of the memory traffic. The error of such a score has
a bound, so every vector that may be among the best is known; only those are compared in single precision.
"""

from __future__ import annotations

import importlib
from array import array
from dataclasses import dataclass, replace
from typing import Any, Final

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index.vector_index import Block

__all__ = ["NumpyScan"]

_SLACK: Final = 2e-6
"""Rounding to six digits, twice."""
_ROWS_AT_ONCE: Final = 512


@dataclass(frozen=True, slots=True)
class _Summary:
    """Vectors in 8 bits.

    Attributes:
        numbers: one row of integers in [-127, 127] per vector; packed for `dots_packed` if they are those of a block.
        scales: what to multiply each row by to get its vector.
        error: the largest distance between a vector and its row times its scale.
    """

    numbers: Any
    scales: Any
    error: float


class NumpyScan:
    """Scans with numpy, and with numkong if it is installed. One search at a time.

    Args:
        in_bytes: read full blocks as 8-bit integers first, if numkong is installed.

    Raises:
        ConfigurationError: numpy is not installed.
    """

    per_ms: int = 2_000_000

    def __init__(self, *, in_bytes: bool = True) -> None:
        try:
            self._np: Any = importlib.import_module("numpy")  # Any: see NumpyCounting
        except ImportError as error:
            raise ConfigurationError("numpy is not installed: pip install 'jido-ai[numpy]'") from error
        try:
            self._kong: Any = importlib.import_module("numkong") if in_bytes else None
        except ImportError:
            self._kong = None
        self._asked: tuple[array[float], _Summary] | None = None  # the newest query, in 8 bits

    def best(self, block: Block, vector: array[float], k: int, lowest: float) -> list[tuple[float, int]]:
        np = self._np
        asked = np.frombuffer(vector, np.float32)
        vectors = np.frombuffer(block.vectors, np.float32).reshape(-1, len(vector))
        if self._kong is None or not block.is_full:
            scores = vectors @ asked
            places = self._near(scores, block, 0.0, k=k, lowest=lowest)
            scores = scores[places]
        else:
            places = self._near(*self._scores_in_bytes(block, vectors, vector), k=k, lowest=lowest)
            scores = vectors[places] @ asked
        return list(zip(scores.tolist(), places.tolist(), strict=True))

    def _scores_in_bytes(self, block: Block, vectors: Any, vector: array[float]) -> tuple[Any, Block, float]:
        """Return the scores of a block and by how much they may be wrong."""
        np = self._np
        if not isinstance(block.summary, _Summary):
            made = self._summary(vectors)
            block.summary = replace(made, numbers=self._kong.dots_pack(made.numbers, "int8"))
        if self._asked is None or self._asked[0] is not vector:
            self._asked = vector, self._summary(np.frombuffer(vector, np.float32).reshape(1, -1))
        rows, asked = block.summary, self._asked[1]
        scores = np.asarray(self._kong.dots_packed(asked.numbers, rows.numbers)).ravel().astype(np.float32)
        scores *= rows.scales
        scores *= asked.scales[0]
        return scores, block, rows.error + asked.error * (1.0 + rows.error)

    def _near(self, scores: Any, block: Block, error: float, *, k: int, lowest: float) -> Any:
        """Return the places of all vectors that may be among the `k` best, if their scores are wrong by `error`."""
        np = self._np
        error += _SLACK
        places = np.flatnonzero(scores >= lowest - error)
        if len(places) > k > 0:
            good = scores[places]
            alive = good[np.frombuffer(block.alive, bool)[places]]
            if len(alive) > k:
                last = float(np.partition(alive, len(alive) - k)[len(alive) - k])
                if last - 2.0 * error > 0.0:  # scores below 0 count as 0: they all tie
                    places = places[good >= last - 2.0 * error]
        return places

    def _summary(self, vectors: Any) -> _Summary:
        np = self._np
        numbers, scales, error = np.empty(vectors.shape, np.int8), np.ones(len(vectors), np.float32), 0.0
        for start in range(0, len(vectors), _ROWS_AT_ONCE):  # the intermediate results are four times as large
            some = vectors[start : start + _ROWS_AT_ONCE]
            largest = np.abs(some).max(axis=1) / np.float32(127)
            scale = np.where(largest > 0, largest, np.float32(1))
            rounded = np.rint(some / scale[:, None])
            error = max(error, float(np.linalg.norm(some - rounded * scale[:, None], axis=1).max()))
            numbers[start : start + _ROWS_AT_ONCE], scales[start : start + _ROWS_AT_ONCE] = rounded, scale
        return _Summary(numbers, scales, error)
