"""NumpyScan: vector search with numpy, and in large indexes with faiss (the extra `semantic`).

With faiss a block is read as codes first, a sixteenth of the memory traffic; the vectors that may be among the best are
then compared in single precision.
"""

from __future__ import annotations

import importlib
from array import array
from typing import Any, Final

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index.product_codes import ProductCodes, ProductQuantizer
from jido_ai.memory.index.vector_index import Block

__all__ = ["NumpyScan"]

_SLACK: Final = 2e-6
"""Rounding to six digits, twice."""
_CANDIDATES: Final = (64, 512)
"""So many best estimates of a block are looked at; all vectors are compared if more may be among the best."""
_MORE: Final = 8
"""The limit is the `k`-th score of so many more than `k`, since some were removed or are estimated too high."""
_NO_CODES: Final = "no codes"


class NumpyScan:
    """Scans with numpy, and with faiss if it is installed. One search at a time.

    Raises:
        ConfigurationError: numpy is not installed.
    """

    per_ms: int = 2_000_000

    def __init__(self) -> None:
        try:
            self._np: Any = importlib.import_module("numpy")  # Any: see NumpyCounting
        except ImportError as error:
            raise ConfigurationError("numpy is not installed: pip install 'jido-ai[numpy]'") from error
        self._quantizer: ProductQuantizer | None = None
        self._knows_quantizer = False

    def best(
        self, block: Block, vector: array[float], k: int, lowest: float, *, estimates: bool
    ) -> list[tuple[float, int]]:
        np = self._np
        asked = np.frombuffer(vector, np.float32)
        vectors = np.frombuffer(block.vectors, np.float32).reshape(-1, len(vector))
        codes = self._codes(block, vectors) if estimates and k > 0 else None
        places = None if codes is None else self._estimated(codes, block, vectors, asked, k=k, lowest=lowest)
        if places is None:
            scores = vectors @ asked
            places = np.flatnonzero(scores >= lowest - _SLACK)
            scores = scores[places]
        else:
            scores = vectors[places] @ asked
        if len(places) > k > 0:
            is_near = scores >= self._last(scores, places, block, k) - 2.0 * _SLACK
            scores, places = scores[is_near], places[is_near]
        return list(zip(scores.tolist(), places.tolist(), strict=True))

    def _codes(self, block: Block, vectors: Any) -> ProductCodes | None:
        """Return the codes of a block; None if it still grows or there can be none."""
        if not block.is_full or vectors.shape[1] % 2:
            return None
        if not self._knows_quantizer:
            self._knows_quantizer = True
            try:
                self._quantizer = ProductQuantizer()
            except ConfigurationError:
                self._quantizer = None  # numpy alone does it too, only slower
        if self._quantizer is not None and block.summary is None:
            block.summary = self._quantizer.codes(vectors) or _NO_CODES
        return block.summary if isinstance(block.summary, ProductCodes) else None

    def _estimated(
        self, codes: ProductCodes, block: Block, vectors: Any, asked: Any, *, k: int, lowest: float
    ) -> Any | None:
        """Return the places of the vectors whose estimates are good enough; None if there are too many."""
        for count in _CANDIDATES:
            found = codes.best(asked, count)
            if found is None:
                return None
            estimates, places = found
            first = places[: k + _MORE]
            enough = max(lowest, self._last(vectors[first] @ asked, first, block, k)) - codes.error - _SLACK
            if estimates[-1] < enough:
                return places[estimates >= enough]
        return None

    def _last(self, scores: Any, places: Any, block: Block, k: int) -> float:
        """Return the `k`-th best score of a vector that was not removed; -2 if all may count: below 0 they all tie."""
        np = self._np
        alive = scores[np.frombuffer(block.alive, bool)[places]]
        last = float(np.partition(alive, len(alive) - k)[len(alive) - k]) if len(alive) >= k else 0.0
        return last if last > 0.0 else -2.0
