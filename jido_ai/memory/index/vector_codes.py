"""Codes of a block of vectors, in fewer bytes, to find out which vectors are worth a comparison. With faiss (extra
`semantic`).

`ByteCodes`: whole numbers, a byte each, a quarter of the size. How far their cosines are off at most is known, so what
they leave out is certainly worse. `ProductCodes` (Jégou, Douze and Schmid, 2011): each pair of numbers is one of 16
typical pairs, 4 bits, a sixteenth of the size. How far they are off is only measured.
"""

from __future__ import annotations

import importlib
from typing import Any, Final, NamedTuple

from jido_ai.extras import missing

_BITS: Final = 4
_MEASURED: Final = 32
"""So many vectors of a block are searched for in it, to learn how far estimates are off."""
_SHARE: Final = 0.9999
_LARGEST: Final = 127.0
_AT_ONCE: Final = 2_048
_ROUNDING: Final = 2.0**-22
"""A few times the relative error of one operation in single precision."""


class Estimates(NamedTuple):
    """The largest estimates of the cosines of a block with a query.

    Attributes:
        scores: the estimates, largest first.
        places: of their vectors.
        error: no cosine is larger than its estimate by more; of product codes one in 10,000 is.
    """

    scores: Any
    places: Any
    error: float


class ByteCodes:
    """The codes of a block with a byte for each number.

    Args:
        vectors: rows of length 1 or 0.

    Raises:
        ConfigurationError: faiss or numpy is not installed.
    """

    __slots__ = ("_distance", "_index", "_np", "_scale")

    def __init__(self, vectors: Any) -> None:
        self._np, faiss = _libraries()
        size = vectors.shape[1]
        kind = faiss.ScalarQuantizer.QT_8bit_direct_signed
        self._index = faiss.IndexScalarQuantizer(size, kind, faiss.METRIC_INNER_PRODUCT)
        self._scale = self._scale_of(vectors)
        self._distance = 0.0
        for start in range(0, len(vectors), _AT_ONCE):  # a part at a time needs no second copy of all
            whole, distance = self._rounded(vectors[start : start + _AT_ONCE], self._scale)
            self._index.add(whole)
            self._distance = max(self._distance, distance)

    def best(self, asked: Any, count: int) -> Estimates:
        """Return the `count` largest estimates.

        With q and x for query and vector, p and y for what their bytes stand for: qx - py = (q - p)x + p(x - y), which
        is at most |q - p| + |p| |x - y| (Cauchy and Schwarz).
        """
        scale = self._scale_of(asked)
        whole, distance = self._rounded(asked.reshape(1, -1), scale)
        scores, places = _search(self._index, whole, count)
        error = distance + (1.0 + distance) * self._distance + asked.size * _ROUNDING
        return Estimates(scores[0] * (scale * self._scale), places[0], error)

    def _scale_of(self, vectors: Any) -> Any:
        """Return the value of the whole number 1 when the largest number of the vectors is 127."""
        return self._np.float32(self._np.abs(vectors).max() / _LARGEST) or self._np.float32(1.0)

    def _rounded(self, vectors: Any, scale: Any) -> tuple[Any, float]:
        """Return the vectors in whole numbers, and the largest distance between a vector and its rounding."""
        np = self._np
        whole = np.rint(vectors / scale)
        rest = vectors - whole * scale
        return whole, float(np.sqrt(np.einsum("ij,ij->i", rest, rest).max()))


class ProductCodes:
    """The product codes of a block; `ProductQuantizer` makes them.

    Attributes:
        error: see `Estimates`; measured in 32 searches for vectors of the block.
    """

    __slots__ = ("_index", "_scale", "error")

    def __init__(self, index: Any, scale: float, error: float) -> None:
        self._index = index
        self._scale = scale
        self.error = error

    def best(self, asked: Any, count: int) -> Estimates | None:
        """Return the `count` largest estimates; None if there are fewer."""
        scores, places = _search(self._index, asked.reshape(1, -1), count)
        return Estimates(scores[0] * self._scale, places[0], self.error) if places.min() >= 0 else None


class ProductQuantizer:
    """Makes product codes. The typical pairs are those of the first block, until they do not suit a later one.

    Raises:
        ConfigurationError: faiss or numpy is not installed.
    """

    def __init__(self) -> None:
        self._np, self._faiss = _libraries()
        self._typical: Any = None

    def codes(self, vectors: Any) -> ProductCodes | None:
        """Return the codes of `vectors`; None if half of them are zero, or if no estimate can be made.

        Args:
            vectors: rows of length 1 or 0, an even number of columns.
        """
        chosen = self._np.flatnonzero(vectors.any(axis=1))
        if 2 * len(chosen) <= len(vectors):
            return None
        if self._typical is None:
            size = vectors.shape[1]
            self._typical = self._faiss.IndexPQFastScan(size, size // 2, _BITS, self._faiss.METRIC_INNER_PRODUCT)
            self._typical.train(vectors)
        made = self._measured(vectors, chosen[:: max(1, len(chosen) // _MEASURED)])
        if made is None:
            self._typical = None
        return made

    def _measured(self, vectors: Any, chosen: Any) -> ProductCodes | None:
        np = self._np
        index = self._faiss.clone_index(self._typical)
        index.add(vectors)
        found, places = index.search(vectors[chosen], len(vectors))
        if places.min() < 0:
            return None
        estimates = np.empty_like(found)
        np.put_along_axis(estimates, places, found, axis=1)
        of_itself = float(estimates[np.arange(len(chosen)), chosen].mean())
        if of_itself <= 0.0:
            return None
        scale = np.float32(1.0 / of_itself)  # codes are shorter than their vectors
        short = np.quantile(vectors[chosen] @ vectors.T - estimates * scale, _SHARE)
        return ProductCodes(index, scale, max(0.0, float(short)))


def _search(index: Any, asked: Any, count: int) -> tuple[Any, Any]:
    """Search with one thread: several would wait for those of numpy, three times as long as the search takes."""
    _, faiss = _libraries()
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        return index.search(asked, count)
    finally:
        faiss.omp_set_num_threads(threads)


def _libraries() -> tuple[Any, Any]:
    """Return numpy and faiss."""
    try:
        return importlib.import_module("numpy"), importlib.import_module("faiss")
    except ImportError as error:
        raise missing("faiss", "semantic") from error
