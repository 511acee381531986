"""NumpyScan: vector search with numpy, and in large indexes with faiss (the extra `semantic`).

With faiss a block is read as codes first, a quarter or a sixteenth of the memory traffic; the vectors that may be among
the best are then compared in single precision.
"""

from __future__ import annotations

import importlib
from array import array
from dataclasses import dataclass
from typing import Any, Final

from jido_ai.errors import ConfigurationError
from jido_ai.extras import missing
from jido_ai.memory.index.vector_codes import ByteCodes, ProductCodes, ProductQuantizer
from jido_ai.memory.index.vector_index import Block, BlockForm

_SLACK: Final = 2e-6
"""Rounding to six digits, twice."""
_CANDIDATES: Final = (64, 512)
"""So many best estimates of a block are looked at; all vectors are compared if more may be among the best."""
_MORE: Final = 8
"""The limit is the `k`-th score of so many more than `k`, since some were removed or are estimated too high."""

_Codes = ByteCodes | ProductCodes


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
            raise missing("numpy", "numpy") from error
        self._has_faiss = True
        self._quantizer: ProductQuantizer | None = None

    def best(
        self, block: Block, vector: array[float], k: int, lowest: float, reading: BlockForm
    ) -> list[tuple[float, int]]:
        np = self._np
        asked = np.frombuffer(vector, np.float32)
        vectors = np.frombuffer(block.vectors, np.float32).reshape(-1, len(vector))
        codes = self._codes(block, vectors, reading) if k > 0 else None
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

    def _codes(self, block: Block, vectors: Any, reading: BlockForm) -> _Codes | None:
        """Return the codes of a block; None if none are wanted, it still grows, or there can be none."""
        if reading is BlockForm.VECTORS or not block.is_full or not self._has_faiss:
            return None
        if not isinstance(block.summary, _Summary) or block.summary.reading is not reading:
            block.summary = None  # frees the codes of the other kind before these are made
            try:
                block.summary = _Summary(reading, self._made(vectors, reading))
            except ConfigurationError:  # numpy alone does it too, only slower
                self._has_faiss = False
                return None
        return block.summary.codes

    def _made(self, vectors: Any, reading: BlockForm) -> _Codes | None:
        if reading is BlockForm.CERTAIN_CODES:
            return ByteCodes(vectors)
        self._quantizer = self._quantizer or ProductQuantizer()
        return None if vectors.shape[1] % 2 else self._quantizer.codes(vectors)

    def _estimated(self, codes: _Codes, block: Block, vectors: Any, asked: Any, *, k: int, lowest: float) -> Any | None:
        """Return the places of the vectors whose estimates are good enough; None if there are too many."""
        for count in _CANDIDATES:
            found = codes.best(asked, count)
            if found is None:
                return None
            first = found.places[: k + _MORE]
            enough = max(lowest, self._last(vectors[first] @ asked, first, block, k)) - found.error - _SLACK
            if found.scores[-1] < enough:
                return found.places[found.scores >= enough]
        return None

    def _last(self, scores: Any, places: Any, block: Block, k: int) -> float:
        """Return the `k`-th best score of a vector that was not removed; -2 if all may count: below 0 they all tie."""
        np = self._np
        alive = scores[np.frombuffer(block.alive, bool)[places]]
        last = float(np.partition(alive, len(alive) - k)[len(alive) - k]) if len(alive) >= k else 0.0
        return last if last > 0.0 else -2.0


@dataclass(frozen=True, slots=True)
class _Summary:
    """The codes of a block, for one way of reading; None if there can be none."""

    reading: BlockForm
    codes: _Codes | None
