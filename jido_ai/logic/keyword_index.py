"""Which of many stored texts share most with a given one: an inverted index that answers exactly.

The arithmetic over its arrays is a `Counting`: the plain one of this file needs nothing, an adapter brings one that is
quicker on large indexes. All give the same results, bit for bit: weights are whole numbers, a score is one division.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from itertools import repeat
from operator import add
from typing import Final, Protocol

from jido_ai.errors import ConfigurationError
from jido_ai.logic.similarity import Measure
from jido_ai.logic.vector_index import products
from jido_ai.values import SLACK

__all__ = ["GONE", "PLAIN", "Counting", "KeywordIndex", "Snapshot"]

GONE: Final = -1
"""The size of a slot whose row was removed."""
_WEIGHT_OF_ONE: Final = 1024
"""Weights are whole numbers, so that sums do not depend on the order of addition and equal sets tie exactly."""
_AT_ONCE: Final = 16_384
"""Numbers that one call into C may count: it holds the interpreter, and others want their turn."""
_ROWS_AT_ONCE: Final = 2_048
_WORDS_AT_ONCE: Final = 1_000
_LARGE: Final = 10_000


class Counting(Protocol):
    """The arithmetic of an index.

    Attributes:
        per_ms: how many numbers it counts in about a millisecond.
    """

    @property
    def per_ms(self) -> int: ...

    def best(
        self,
        lists: Sequence[tuple[array[int], int]],
        sizes: array[int],
        *,
        asked: int,
        k: int,
        lowest: float,
        counts: bool,
        weighs: bool,
    ) -> list[tuple[int, float]]:
        """Return at most `k` pairs of slot and score, best first, ties by the larger slot.

        Args:
            lists: ascending slots and the weight of the word that all of them have; a slot that is in none of the lists
                is never returned.
            sizes: weight of all words of each slot, or `GONE`.
            asked: weight of all words of the query.
            lowest: the least score that is returned; shared / (asked + size - shared), or shared if `counts`.
            weighs: some weight is not 1.
        """
        ...

    def kept(self, slots: array[int], moved: array[int]) -> array[int]:
        """Return `moved[slot]` of each slot that has not gone there (`GONE`), in the same order."""
        ...

    def add_weight(self, sizes: array[int], slots: array[int], weight: int) -> None:
        """Add `weight` to the size of each of `slots`, none of which occurs twice."""
        ...

    def products(self, vectors: array[float], vector: array[float]) -> Sequence[float]:
        """Return the scalar product of each of `vectors`, which lie one behind the other, with `vector`."""
        ...


class _Plain:
    """Counts with what Python brings. Piece by piece: a call into C is never long."""

    per_ms: int = 8_000

    def best(
        self,
        lists: Sequence[tuple[array[int], int]],
        sizes: array[int],
        *,
        asked: int,
        k: int,
        lowest: float,
        counts: bool,
        weighs: bool,
    ) -> list[tuple[int, float]]:
        shared = _weigh(lists) if weighs else _count(lists)
        least = math.ceil(lowest if counts else lowest * asked)  # no slot scores more than shared / asked
        if counts:
            hits = [(float(common), slot) for slot, common in shared.items() if common >= least and sizes[slot] != GONE]
        else:
            hits = [
                (score, slot)
                for slot, common in shared.items()
                if common >= least
                and (size := sizes[slot]) != GONE
                and (score := common / (asked + size - common)) >= lowest
            ]
        return [(slot, score) for score, slot in nlargest(k, hits)]

    def kept(self, slots: array[int], moved: array[int]) -> array[int]:
        return array("I", [new for slot in slots if (new := moved[slot]) != GONE])

    def add_weight(self, sizes: array[int], slots: array[int], weight: int) -> None:
        for slot in slots:
            sizes[slot] += weight

    def products(self, vectors: array[float], vector: array[float]) -> list[float]:
        return products(vectors, vector)


PLAIN: Final[Counting] = _Plain()


def _count(lists: Iterable[tuple[array[int], int]]) -> Counter[int]:
    shared: Counter[int] = Counter()
    for slots, _ in lists:
        for start in range(0, len(slots), _AT_ONCE):
            shared.update(slots[start : start + _AT_ONCE])
    return shared


def _weigh(lists: Iterable[tuple[array[int], int]]) -> dict[int, int]:
    shared: dict[int, int] = {}
    for slots, weight in lists:
        for start in range(0, len(slots), _AT_ONCE):
            some = slots[start : start + _AT_ONCE]  # each slot once: what `get` sees is not yet changed by this list
            shared.update(zip(some, map(add, map(shared.get, some, repeat(0)), repeat(weight)), strict=True))
    return shared


class Snapshot:
    """What `KeywordIndex.compacted` works from while the index goes on growing: its first slots, as they are now."""

    def __init__(self, rows: array[int], sizes: array[int], words: list[str], slots: list[array[int]]) -> None:
        self.rows = rows
        self.sizes = sizes
        self.words = words
        self.slots = slots


class KeywordIndex:
    """Finds the rows whose words are most like a query's; exact, and a row is found as soon as it is added.

    A row is the number of a stored text; rows come in ascending order and newer means larger. Inside, each row has a
    slot, and each word an array of the slots that have it. Counting how often each slot occurs in the arrays of the
    query's words gives the number of shared words, all in C.

    Weights ("weighted" only) are those of the moment of the last `compacted`: scores do not drift in between. One
    thread at a time may use it: an array cannot grow while another thread looks at it.

    Args:
        large: what counts from `large_from` slots on.
    """

    def __init__(self, measure: Measure, large: Counting = PLAIN, *, large_from: int = _LARGE) -> None:
        self._measure = measure
        self._large = large
        self._large_from = large_from
        self._rows = array("Q")  # slot -> row
        self._sizes = array("q" if measure.weighs else "i")  # slot -> weight of all its words, or GONE
        self._slots: dict[str, array[int]] = {}  # word -> slots, ascending
        self._weights: dict[str, int] = {}  # of words in the index, as far as they were asked for
        self._gone = 0
        self._weighed = 0  # the weights are those of the first so many slots

    def __len__(self) -> int:
        return len(self._rows) - self._gone

    @property
    def counting(self) -> Counting:
        """What counts at its present size."""
        return self._large if self.is_large else PLAIN

    @property
    def is_large(self) -> bool:
        """True when it has reached the size from which on another arithmetic pays."""
        return len(self._rows) >= self._large_from

    def count_with(self, large: Counting) -> None:
        """Count with `large` from now on, as soon as the index is large."""
        self._large = large

    @property
    def is_stale(self) -> bool:
        """True when `compacted` pays: a quarter is gone, or the weights are those of less than half of the rows."""
        slots = len(self._rows)
        outgrown = self._measure.weighs and slots > 2 * self._weighed + 16
        return outgrown or (slots > 64 and self._gone * 4 > slots)

    def weight(self, word: str) -> int:
        """Return what a word weighs: 1, or for "weighted" more the rarer it is, also when it was never seen."""
        if not self._measure.weighs:
            return 1
        weight = self._weights.get(word)
        if weight is None:
            slots = self._slots.get(word)
            seen = 0 if slots is None else bisect_left(slots, self._weighed)
            weight = round(_WEIGHT_OF_ONE * (1.0 + math.log((self._weighed + 1) / (seen + 1))))
            if slots is not None:
                self._weights[word] = weight
        return weight

    def cost(self, words: Iterable[str]) -> int:
        """Return how many numbers a search for `words` has to look at."""
        counts = sum(len(self._slots.get(word, ())) for word in words)
        return counts if self.counting is PLAIN else counts + len(self._rows)

    def add(self, row: int, words: frozenset[str]) -> None:
        """Add a row that is larger than all before it.

        Raises:
            ConfigurationError: it is not larger.
        """
        rows, known = self._rows, self._slots
        if rows and row <= rows[-1]:
            raise ConfigurationError(f"rows come in ascending order, got {row} after {rows[-1]}")
        slot = len(rows)
        rows.append(row)
        self._sizes.append(sum(map(self.weight, words)) if self._measure.weighs else len(words))
        for word in words:
            slots = known.get(word)
            if slots is None:
                slots = known[word] = array("I")
            slots.append(slot)

    def remove(self, row: int) -> bool:
        """Take a row out. Return False when it was not there."""
        slot = bisect_left(self._rows, row)
        if slot == len(self._rows) or self._rows[slot] != row or self._sizes[slot] == GONE:
            return False
        self._sizes[slot] = GONE
        self._gone += 1
        return True

    def search(self, words: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and score, best first, ties newest first.

        Args:
            words: what the measure made of the query. Those never seen count towards its size.
            threshold: lowest score, inclusive with a slack of 1e-9. At 0.0 also rows that share nothing are
                returned, except by "overlap", where one shared word is the least.
        """
        measure, rows, known, lowest = self._measure, self._rows, self._slots, threshold - SLACK
        if measure.weighs:
            lists = [(slots, self.weight(word)) for word in words if (slots := known.get(word)) is not None]
        else:
            lists = [(slots, 1) for word in words if (slots := known.get(word)) is not None]
        best = self.counting.best(
            lists,
            self._sizes,
            asked=sum(map(self.weight, words)) if measure.weighs else len(words),
            k=k,
            lowest=lowest,
            counts=measure.counts,
            weighs=measure.weighs,
        )
        if lowest <= 0.0 and not measure.counts and len(best) < k:
            found = {slot for slot, _ in best}
            rest = (slot for slot in range(len(rows) - 1, -1, -1) if self._sizes[slot] != GONE and slot not in found)
            best.extend((slot, 0.0) for slot, _ in zip(rest, range(k - len(best)), strict=False))
        return [(rows[slot], score) for slot, score in best]

    def snapshot(self) -> Snapshot:
        """Return what `compacted` needs, quickly; the index may then be changed again."""
        return Snapshot(self._rows[:], self._sizes[:], list(self._slots), list(self._slots.values()))  # no pairs: 20 ms

    def dismantle(self, others_turn: Callable[[], None]) -> None:
        """Give its memory back piece by piece, calling `others_turn` between; it is never used again."""
        while self._slots:
            others_turn()
            for _ in range(min(_WORDS_AT_ONCE, len(self._slots))):
                self._slots.popitem()

    def compacted(
        self, snapshot: Snapshot | None = None, others_turn: Callable[[], None] = lambda: None
    ) -> KeywordIndex:
        """Return an index of the rows of the snapshot without what is gone, its weights those of then.

        Only the snapshot is read, so that another thread may do this while the index is used; what came and went since
        has to be told to the new one.

        Args:
            others_turn: called again and again, before each piece of work that is short.
        """
        old = self.snapshot() if snapshot is None else snapshot
        fresh = KeywordIndex(self._measure, self._large, large_from=self._large_from)
        counting = self._large if len(old.rows) >= self._large_from else PLAIN
        moved = array("q")  # old slot -> new slot, or GONE
        for start in range(0, len(old.rows), _ROWS_AT_ONCE):
            others_turn()
            some = slice(start, start + _ROWS_AT_ONCE)
            for row, size in zip(old.rows[some], old.sizes[some], strict=True):
                moved.append(len(fresh._rows) if size != GONE else GONE)
                if size != GONE:
                    fresh._rows.append(row)
                    fresh._sizes.append(0 if self._measure.weighs else size)
        fresh._weighed = len(fresh._rows)
        for word, slots in zip(old.words, old.slots, strict=True):
            others_turn()
            kept = counting.kept(slots[: bisect_left(slots, len(moved))], moved)
            if kept:
                fresh._slots[word] = kept
                if self._measure.weighs:
                    counting.add_weight(fresh._sizes, kept, fresh.weight(word))
        return fresh
