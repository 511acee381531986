"""Keyword index: an inverted index that finds the stored texts most similar to a query, exactly. Pure.

A `Counting` does the arithmetic over the index's arrays. The one in this file uses the standard library only; an
adapter provides a faster one for large indexes. All give bit-identical results: weights are whole numbers, and a score
is one division.
"""

from __future__ import annotations

import math
import sys
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nlargest
from itertools import compress, count, islice, repeat
from operator import add
from typing import Final, Protocol, Union

from jido_ai.errors import ConfigurationError
from jido_ai.memory.index.similarity import Measure
from jido_ai.text.pieces import no_turn
from jido_ai.values import SLACK

Slots = bytearray | memoryview
"""Ascending slots, 4 bytes each, in native byte order. The garbage collector visits an `array`, but not these."""
Numbers = Union["array[int]", memoryview]
"""A mutable, packed sequence of numbers."""

GONE: Final = -1
"""The size of a slot whose row was removed."""
_WEIGHT_OF_ONE: Final = 1024
"""Weights are whole numbers, so that sums do not depend on the order of addition and equal sets tie exactly."""
_AT_ONCE: Final = 8_192
"""Numbers counted by one call into C. The call holds the GIL, so it must be short."""
_HITS_IN_HAND: Final = 32_768
_ROWS_AT_ONCE: Final = 1_024
_WORDS_AT_ONCE: Final = 1_000
_WORDS_IN_FIRST: Final = 20_000
_TABLES: Final = 64
_WEIGHTS_IN_MIND: Final = 16_384
_BYTES_A_SLOT: Final = 4
_LARGE: Final = 10_000


class Counting(Protocol):
    """The arithmetic of an index.

    Attributes:
        per_ms: numbers counted per millisecond, approximately.
    """

    @property
    def per_ms(self) -> int: ...

    def best(
        self,
        lists: Sequence[tuple[Slots, int]],
        sizes: Numbers,
        *,
        asked: int,
        k: int,
        lowest: float,
        counts: bool,
        weighs: bool,
        others_turn: Callable[[], None] = no_turn,
    ) -> list[tuple[int, float]]:
        """Return at most `k` pairs of slot and score, best first, ties by the larger slot.

        Args:
            lists: one pair per word of the query: the ascending slots that contain it, and its weight. Slots in none
                of the lists are never returned.
            sizes: total weight of the words of each slot, or `GONE`.
            asked: total weight of the words of the query.
            lowest: minimum score; the score is shared / (asked + size - shared), or shared if `counts`.
            weighs: True if some weight is not 1.
            others_turn: called about every millisecond during longer searches, to release the GIL.
        """
        ...

    def kept(self, slots: Slots, moved: Numbers) -> bytearray:
        """Return `moved[slot]` for each slot where it is not `GONE`, in the same order."""
        ...

    def add_weight(self, sizes: Numbers, slots: Slots, weight: int) -> None:
        """Add `weight` to the size of each slot. `slots` has no duplicates."""
        ...


class _Plain:
    """Counts with the standard library, in pieces, so that no call into C is long."""

    per_ms: int = 8_000

    def best(
        self,
        lists: Sequence[tuple[Slots, int]],
        sizes: Numbers,
        *,
        asked: int,
        k: int,
        lowest: float,
        counts: bool,
        weighs: bool,
        others_turn: Callable[[], None] = no_turn,
    ) -> list[tuple[int, float]]:
        shared = _weigh(lists, others_turn) if weighs else _count(lists, others_turn)
        least = math.ceil(lowest if counts else lowest * asked)  # no slot scores more than shared / asked
        items, hits = iter(shared.items()), list[tuple[float, int]]()
        for _ in range(0, len(shared), _AT_ONCE):
            others_turn()
            some = islice(items, _AT_ONCE)
            if counts:
                hits += [(float(common), slot) for slot, common in some if common >= least and sizes[slot] != GONE]
            else:
                hits += [
                    (score, slot)
                    for slot, common in some
                    if common >= least
                    and (size := sizes[slot]) != GONE
                    and (score := common / (asked + size - common)) >= lowest
                ]
            if len(hits) > max(_HITS_IN_HAND, 4 * k):
                hits = nlargest(k, hits)
        return [(slot, score) for score, slot in nlargest(k, hits)]

    def kept(self, slots: Slots, moved: Numbers) -> bytearray:
        kept = bytearray()
        for some in _numbers(slots):
            kept += array("I", [new for slot in some if (new := moved[slot]) != GONE])
        return kept

    def add_weight(self, sizes: Numbers, slots: Slots, weight: int) -> None:
        for some in _numbers(slots):
            for slot in some:
                sizes[slot] += weight


PLAIN: Final[Counting] = _Plain()


def _numbers(slots: Slots) -> Iterator[array[int]]:
    """Yield the slots in pieces, as arrays: one large list would evict everything else from the CPU cache."""
    packed = memoryview(slots).cast("B")
    for start in range(0, len(packed), _BYTES_A_SLOT * _AT_ONCE):
        some = array("I")
        some.frombytes(packed[start : start + _BYTES_A_SLOT * _AT_ONCE])
        yield some


def _count(lists: Iterable[tuple[Slots, int]], others_turn: Callable[[], None]) -> Counter[int]:
    shared: Counter[int] = Counter()
    for slots, _ in lists:
        for some in _numbers(slots):
            others_turn()
            shared.update(some)
    return shared


def _weigh(lists: Iterable[tuple[Slots, int]], others_turn: Callable[[], None]) -> dict[int, int]:
    shared: dict[int, int] = {}
    for slots, weight in lists:
        for some in _numbers(slots):  # each slot occurs once per list, so `get` sees the value from before this list
            others_turn()
            shared.update(zip(some, map(add, map(shared.get, some, repeat(0)), repeat(weight)), strict=True))
    return shared


class _Words:
    """The slots of each word: one table for the first words and many for the rest; none is slow to resize."""

    __slots__ = ("_first", "_others")

    def __init__(self) -> None:
        self._first: dict[str, bytearray] = {}
        self._others: list[dict[str, bytearray]] = []

    def get(self, word: str) -> bytearray | None:
        slots = self._first.get(word)
        return self._table_of_new(word).get(word) if slots is None else slots

    def put(self, word: str, slots: bytearray) -> None:
        """Add a word that is not there yet."""
        self._table_of_new(word)[word] = slots

    def add(self, words: Iterable[str], slot: int) -> None:
        """Add a slot to each of `words`. The slot must be larger than all before it."""
        packed, first = slot.to_bytes(_BYTES_A_SLOT, sys.byteorder), self._first
        for word in words:
            slots = first.get(word)
            if slots is None:
                table = self._table_of_new(word)
                slots = table.get(word)
                if slots is None:
                    table[word] = bytearray(packed)
                    continue
            slots += packed

    def _table_of_new(self, word: str) -> dict[str, bytearray]:
        """Return the table for a word that is not in the first table."""
        if len(self._first) < _WORDS_IN_FIRST:
            return self._first
        if not self._others:
            self._others = [{} for _ in range(_TABLES)]
        return self._others[hash(word) % _TABLES]

    def pairs(self) -> Iterator[tuple[str, bytearray]]:
        """Yield all pairs present at the start. Another thread may add meanwhile; words are never removed."""
        for table in (self._first, *self._others):
            yield from zip(list(table), list(table.values()), strict=False)  # the GC would visit a list of pairs

    def dismantle(self, others_turn: Callable[[], None]) -> None:
        for table in (self._first, *self._others):
            while table:
                others_turn()
                for _ in range(min(_WORDS_AT_ONCE, len(table))):
                    table.popitem()


def _best_of_each(found: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return the first pair of each row."""
    best: dict[int, float] = {}
    for row, score in found:
        best.setdefault(row, score)
    return list(best.items())


class KeywordIndex:
    """Finds the rows whose words are most similar to a query's. Exact; a row can be found as soon as it is added.

    A row is the number of a stored entry; rows are added in ascending order, so a newer row is larger. A row that is
    added several times in succession has several texts; the best of them counts. Internally each text has a slot, and
    each word has a packed list of the slots that contain it. The number of words that a text shares with the query is
    the number of times its slot occurs in the lists of the query's words; C code does the counting.
    Adding a row takes the same time at any size, and the garbage collector tracks only some hundred objects.

    Weights ("weighted" only) are computed by `compacted` and do not change until the next one, so scores do not drift.
    Not thread-safe: the arrays cannot grow while another thread reads them. Only `compacted` may run in another thread.

    Args:
        large: the arithmetic from `large_from` slots on.
    """

    def __init__(self, measure: Measure, large: Counting = PLAIN, *, large_from: int = _LARGE) -> None:
        self._measure = measure
        self._large = large
        self._large_from = large_from
        self._rows = array("Q")  # slot -> row
        self._sizes = array("q" if measure.weighs else "i")  # slot -> weight of all its words, or GONE
        self._words = _Words()
        self._weights: dict[str, int] = {}  # of words in the index, as far as they were asked for
        self._gone = 0
        self._further = 0  # slots with a further text of the row before
        self._weighed = 0  # the weights are those of the first so many slots

    def __len__(self) -> int:
        return len(self._rows) - self._gone

    @property
    def slots(self) -> int:
        """Number of slots, including those of removed rows."""
        return len(self._rows)

    @property
    def counting(self) -> Counting:
        """The arithmetic used at the current size."""
        return self._large if self.is_large else PLAIN

    @property
    def is_large(self) -> bool:
        """True at or above the size at which `large` is used."""
        return len(self._rows) >= self._large_from

    def count_with(self, large: Counting) -> None:
        """Use `large` from now on whenever the index is large."""
        self._large = large

    @property
    def is_stale(self) -> bool:
        """True when `compacted` pays: a quarter of the rows is removed, or the weights cover less than half of them."""
        slots = len(self._rows)
        outgrown = self._measure.weighs and slots > 2 * self._weighed + 16
        return outgrown or (slots > 64 and self._gone * 4 > slots)

    def weight(self, word: str) -> int:
        """Return the weight of a word: 1, or for "weighted" more the rarer the word is. Unknown words weigh most."""
        if not self._measure.weighs:
            return 1
        weight = self._weights.get(word)
        if weight is None:
            slots = self._words.get(word)
            seen = 0 if slots is None else bisect_left(memoryview(slots).cast("I"), self._weighed)
            weight = round(_WEIGHT_OF_ONE * (1.0 + math.log((self._weighed + 1) / (seen + 1))))
            if slots is not None and len(self._weights) < _WEIGHTS_IN_MIND:
                self._weights[word] = weight
        return weight

    def _size(self, words: frozenset[str]) -> int:
        """Return the weight of all of them."""
        if not self._measure.weighs:
            return len(words)
        return sum(map(self.weight, words)) if self._weighed else _WEIGHT_OF_ONE * len(words)

    def cost(self, words: Iterable[str]) -> int:
        """Return how many numbers a search for `words` reads."""
        counts = sum(len(self._words.get(word) or b"") for word in words) // _BYTES_A_SLOT
        return counts if self.counting is PLAIN else counts + len(self._rows)

    def add(self, row: int, words: frozenset[str]) -> None:
        """Add a row, or a further text of the newest row.

        Raises:
            ConfigurationError: the row is smaller than one before it.
        """
        rows = self._rows
        slot = len(rows)
        if slot and row <= rows[slot - 1]:
            if row < rows[slot - 1]:
                raise ConfigurationError(f"rows must be added in ascending order, got {row} after {rows[-1]}")
            self._further += 1
        rows.append(row)
        self._sizes.append(self._size(words))
        self._words.add(words, slot)

    def add_all(self, rows: Sequence[int], words: Sequence[frozenset[str]]) -> None:
        """Add several rows in ascending order; faster than `add` for each.

        Raises:
            ConfigurationError: a row is smaller than the one before it; none is added.
        """
        slot, newest, further = len(self._rows), self._rows[-1] if self._rows else -1, 0
        for row in rows:
            if row <= newest:
                if row < newest:
                    raise ConfigurationError(f"rows must be added in ascending order, got {row} after {newest}")
                further += 1
            newest = row
        self._further += further
        self._rows.extend(rows)
        self._sizes.extend(map(self._size, words))
        for each in words:
            self._words.add(each, slot)
            slot += 1

    def remove(self, row: int) -> bool:
        """Remove a row. Return False if it is not in the index."""
        slot = bisect_left(self._rows, row, 0, len(self._rows))
        if slot == len(self._rows) or self._rows[slot] != row or self._sizes[slot] == GONE:
            return False
        while slot < len(self._rows) and self._rows[slot] == row:
            self._sizes[slot] = GONE
            self._gone += 1
            slot += 1
        return True

    def search(
        self, words: frozenset[str], k: int, threshold: float, others_turn: Callable[[], None] = no_turn
    ) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and score, best first, ties newest first.

        Args:
            words: the words of the query, as the measure extracts them. Unknown words count towards its size.
            threshold: minimum score, inclusive, with a slack of 1e-9. At 0.0 rows that share no word are returned
                too, except with "overlap", which needs at least one shared word.
            others_turn: called about every millisecond, to release the GIL.
        """
        wanted = k
        while True:
            found = self._search(words, wanted, threshold, others_turn)
            best = _best_of_each(found) if self._further else found
            if len(best) >= k or len(found) < wanted:
                return best[:k]
            wanted *= 4

    def _search(
        self, words: frozenset[str], k: int, threshold: float, others_turn: Callable[[], None]
    ) -> list[tuple[int, float]]:
        """Do as `search`, with a row for each of its texts."""
        measure, rows, known, lowest = self._measure, self._rows, self._words, threshold - SLACK
        if measure.weighs:
            lists = [(slots, self.weight(word)) for word in words if (slots := known.get(word)) is not None]
        else:
            lists = [(slots, 1) for word in words if (slots := known.get(word)) is not None]
        sizes = self._sizes
        best = self.counting.best(
            lists,
            sizes,
            asked=self._size(words),
            k=k,
            lowest=lowest,
            counts=measure.counts,
            weighs=measure.weighs,
            others_turn=others_turn,
        )
        if lowest <= 0.0 and not measure.counts and len(best) < k:
            found = {slot for slot, _ in best}
            rest = (slot for slot in range(len(sizes) - 1, -1, -1) if sizes[slot] != GONE and slot not in found)
            best.extend((slot, 0.0) for slot, _ in zip(rest, range(k - len(best)), strict=False))
        return [(rows[slot], score) for slot, score in best]

    def dismantle(self, others_turn: Callable[[], None]) -> None:
        """Free the memory piece by piece, calling `others_turn` between pieces. The index cannot be used afterwards."""
        self._words.dismantle(others_turn)
        for held in ("_rows", "_sizes"):
            others_turn()
            setattr(self, held, array("Q"))

    def compacted(self, slots: int | None = None, others_turn: Callable[[], None] = no_turn) -> KeywordIndex:
        """Return a new index without the removed rows and with current weights.

        This may run in another thread while rows are added and removed here. Pass the number of slots at the start:
        rows added later are not in the new index, rows removed later may be; apply both changes to the new index.

        Args:
            slots: copy only this many of the first slots; None copies all.
            others_turn: called before each short piece of work, to release the GIL.
        """
        slots = len(self._rows) if slots is None else slots
        fresh = KeywordIndex(self._measure, self._large, large_from=self._large_from)
        counting = self._large if slots >= self._large_from else PLAIN
        moved = array("q")  # old slot -> new slot, or GONE
        for start in range(0, slots, _ROWS_AT_ONCE):
            others_turn()
            end = min(start + _ROWS_AT_ONCE, slots)
            sizes = self._sizes[start:end]
            alive = [size != GONE for size in sizes]
            new = count(len(fresh._rows))
            moved.extend(next(new) if is_alive else GONE for is_alive in alive)
            fresh._rows.extend(compress(self._rows[start:end], alive))
            fresh._sizes.extend([0] * sum(alive) if self._measure.weighs else compress(sizes, alive))
        fresh._weighed = len(fresh._rows)
        fresh._further = self._further
        sizes = fresh._sizes
        for word, all_slots in self._words.pairs():
            others_turn()
            some = memoryview(all_slots[:]).cast("I")  # an atomic copy: the original may grow meanwhile
            kept = counting.kept(some[: bisect_left(some, slots)], moved)
            if kept:
                fresh._words.put(word, kept)
                if self._measure.weighs:
                    counting.add_weight(sizes, kept, fresh.weight(word))
        return fresh
