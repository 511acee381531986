"""ProductCodes: a block of vectors in a sixteenth of its size, to estimate cosines with. With faiss (extra `semantic`).

Product quantization (Jégou, Douze and Schmid, 2011): each pair of numbers becomes one of 16 typical pairs, 4 bits.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from jido_ai.errors import ConfigurationError

__all__ = ["ProductCodes", "ProductQuantizer"]

_BITS: Final = 4
_MEASURED: Final = 32
"""So many vectors of a block are searched for in it, to learn how far estimates are off."""
_SHARE: Final = 0.9999


class ProductCodes:
    """The codes of a block.

    Attributes:
        error: one estimate in 10,000 falls short of the cosine by more, in 32 searches for vectors of the block.
    """

    __slots__ = ("_index", "_scale", "error")

    def __init__(self, index: Any, scale: float, error: float) -> None:
        self._index = index
        self._scale = scale
        self.error = error

    def best(self, asked: Any, count: int) -> tuple[Any, Any] | None:
        """Return the `count` largest estimates, largest first, and the places of their vectors; None if it has none."""
        estimates, places = self._index.search(asked.reshape(1, -1), count)
        return (estimates[0] * self._scale, places[0]) if places.min() >= 0 else None


class ProductQuantizer:
    """Makes the codes of blocks. The typical pairs are those of the first block, until they do not suit a later one.

    Raises:
        ConfigurationError: faiss or numpy is not installed.
    """

    def __init__(self) -> None:
        try:
            self._np: Any = importlib.import_module("numpy")
            self._faiss: Any = importlib.import_module("faiss")
        except ImportError as error:
            raise ConfigurationError("faiss is not installed: pip install 'jido-ai[semantic]'") from error
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
