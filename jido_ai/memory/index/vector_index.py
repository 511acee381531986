"""Vector index: nearest-neighbour search by cosine, comparing the query with every stored vector. Pure."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from heapq import nlargest
from operator import itemgetter, mul
from typing import Final, Protocol

from jido_ai.errors import ConfigurationError
from jido_ai.text.pieces import no_turn

ROWS_PER_BLOCK: Final = 16_384
"""Vectors are kept and searched in blocks; between two blocks of a search other threads get a turn."""
_WHOLE_BLOCKS: Final = 2
_EXACT_BLOCKS: Final = 8
"""Up to 131,072 vectors a search is exact; in more it may estimate which are worth a comparison."""
_DIGITS: Final = 6
"""Scores are rounded to this many digits, the limit of single precision, so that equal texts score 1.0 everywhere."""
_ROWS_IN_A_ROW: Final = 200


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
    """Return the dot product of each of `vectors`, stored back to back, with `vector`."""
    size = len(vector)
    return [sum(map(mul, vectors[start : start + size], vector)) for start in range(0, len(vectors), size)]


class Block:
    """Up to 16,384 vectors, back to back.

    Attributes:
        alive: one byte per vector: 0 if it was removed.
        summary: a place for what a `Scan` computes once for a full block.
    """

    __slots__ = ("alive", "summary", "vectors")

    def __init__(self) -> None:
        self.vectors = array("f")
        self.alive = bytearray()
        self.summary: object = None

    @property
    def is_full(self) -> bool:
        return len(self.alive) >= ROWS_PER_BLOCK


class BlockForm(Enum):
    """A compressed form of a full block, which a search reads before it compares vectors."""

    VECTORS = "nothing: all are compared"
    CERTAIN_CODES = "codes that leave out only what is certainly worse"
    CODES = "codes that may leave out one of the best"


class Scan(Protocol):
    """The arithmetic of a search."""

    @property
    def per_ms(self) -> int:
        """Numbers read per millisecond, approximately."""
        ...

    def best(
        self, block: Block, vector: array[float], k: int, lowest: float, reading: BlockForm
    ) -> Sequence[tuple[float, int]]:
        """Return score and place of vectors of a block, in any order.

        Contains at least every vector among the `k` best of the block (and all that tie with the last of them) whose
        score, rounded to six digits, is `lowest` or more; but with `Reading.CODES` one may be missing. Removed vectors
        and lower scores may be among the others.
        """
        ...


class _PlainScan:
    """Scans without a library."""

    per_ms: int = 20_000

    def best(
        self, block: Block, vector: array[float], k: int, lowest: float, reading: BlockForm
    ) -> list[tuple[float, int]]:
        del k, reading
        scores = products(block.vectors, vector)
        return [(score, place) for place, score in enumerate(scores) if round(score, _DIGITS) >= lowest]


PLAIN_SCAN: Final[Scan] = _PlainScan()


class VectorIndex:
    """Finds the rows whose vectors are nearest to a query's. Newer rows are larger.

    Args:
        dimension: numbers per vector.
        scan: the arithmetic.
    """

    def __init__(self, dimension: int, scan: Scan = PLAIN_SCAN) -> None:
        self._dimension = dimension
        self._scan = scan
        self._blocks: list[Block] = []
        self._rows = array("Q")  # of each slot, ascending; a slot out of order repeats the row before it
        self._out_of_order: dict[int, int] = {}  # slot -> row
        self._slot_of: dict[int, int] = {}  # the other way round
        self._alive = 0

    def __len__(self) -> int:
        return self._alive

    @property
    def numbers(self) -> int:
        """The count of numbers that a search reads."""
        return len(self._rows) * self._dimension

    @property
    def scan(self) -> Scan:
        return self._scan

    @property
    def is_stale(self) -> bool:
        """True if there are more than 64 slots and more than a quarter of the rows is removed."""
        return len(self._rows) > 64 and 4 * (len(self._rows) - self._alive) > len(self._rows)

    def scan_with(self, scan: Scan) -> None:
        """Use another arithmetic from now on."""
        self._scan = scan

    def add(self, row: int, vector: array[float]) -> None:
        """Add a row and its vector of length 1. An existing row is replaced. Ascending rows need the least memory."""
        self.remove(row)
        slot, last = len(self._rows), self._rows[-1] if self._rows else -1
        if row <= last:
            self._out_of_order[slot], self._slot_of[row] = row, slot
        self._rows.append(max(row, last))
        if not self._blocks or self._blocks[-1].is_full:
            self._blocks.append(Block())
        block = self._blocks[-1]
        block.vectors.extend(vector)
        block.alive.append(1)
        self._alive += 1

    def remove(self, row: int) -> bool:
        """Remove a row. Return False if it is not in the index."""
        slot = self._slot_of.pop(row, None)
        if slot is None:
            slot = bisect_left(self._rows, row)
            if slot == len(self._rows) or self._rows[slot] != row:
                return False
        number, place = divmod(slot, ROWS_PER_BLOCK)
        was_alive, self._blocks[number].alive[place] = self._blocks[number].alive[place], 0
        self._alive -= was_alive
        return bool(was_alive)

    def search(
        self, vector: array[float], k: int, threshold: float, others_turn: Callable[[], None] = no_turn
    ) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and cosine in [0, 1], nearest first, ties newest first.

        Args:
            threshold: minimum cosine, inclusive; both are rounded to six digits. A negative cosine counts as 0.0.
            others_turn: called after each block, to release the GIL.
        """
        best: list[tuple[float, int]] = []
        lowest = round(threshold, _DIGITS) or -2.0
        reading = self._reading
        for number, block in enumerate(self._blocks):
            least = max(lowest, best[-1][0]) if len(best) >= k > 0 and best[-1][0] > 0.0 else lowest
            hits = [
                (min(1.0, max(0.0, rounded)), self._row_at(number * ROWS_PER_BLOCK + place))
                for score, place in self._scan.best(block, vector, k, least, reading)
                if (rounded := round(score, _DIGITS)) >= lowest and block.alive[place]
            ]
            best = nlargest(k, [*best, *hits])
            others_turn()
        return [(row, score) for score, row in best]

    @property
    def _reading(self) -> BlockForm:
        if len(self._blocks) <= _WHOLE_BLOCKS:
            return BlockForm.VECTORS
        return BlockForm.CERTAIN_CODES if len(self._blocks) <= _EXACT_BLOCKS else BlockForm.CODES

    def _row_at(self, slot: int) -> int:
        return self._out_of_order.get(slot, self._rows[slot])

    def compacted(self, others_turn: Callable[[], None] = no_turn) -> VectorIndex:
        """Return a new index without the removed rows. This one does not change."""
        fresh = VectorIndex(self._dimension, self._scan)
        kept = sorted(self._kept(), key=itemgetter(0)) if self._out_of_order else self._kept()
        for number, (row, vector) in enumerate(kept):
            fresh.add(row, vector)
            if number % _ROWS_IN_A_ROW == 0:
                others_turn()
        return fresh

    def _kept(self) -> Iterator[tuple[int, array[float]]]:
        size = self._dimension
        for number, block in enumerate(self._blocks):
            for place, is_alive in enumerate(block.alive):
                if is_alive:
                    row = self._row_at(number * ROWS_PER_BLOCK + place)
                    yield row, block.vectors[place * size : (place + 1) * size]

    def dismantle(self, others_turn: Callable[[], None] = no_turn) -> None:
        """Free the memory in parts. The index is empty afterwards."""
        self._alive = 0
        self._rows = array("Q")
        self._out_of_order, self._slot_of = {}, {}
        while self._blocks:
            self._blocks.pop()
            others_turn()
