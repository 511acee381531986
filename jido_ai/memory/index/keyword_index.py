"""Which of many stored texts share most with a given one: an inverted index that answers exactly. Pure.

The arithmetic over its arrays is a `Counting`: the plain one of this file needs nothing, an adapter brings one that is
quicker on large indexes. All give the same results, bit for bit: weights are whole numbers, a score is one division.
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
from jido_ai.memory.index.growing_array import GrowingArray
from jido_ai.memory.index.similarity import Measure
from jido_ai.memory.index.vector_index import products
from jido_ai.text.pieces import no_turn
from jido_ai.values import SLACK

__all__ = ["GONE", "PLAIN", "Counting", "KeywordIndex", "Numbers", "Slots"]

Slots = bytearray | memoryview
"""Ascending slots, 4 bytes each, as this machine has them. No object of it counts in a collection, an `array` does."""
Numbers = Union["array[int]", memoryview]
"""Numbers packed one behind the other, which can be changed."""

GONE: Final = -1
"""The size of a slot whose row was removed."""
_WEIGHT_OF_ONE: Final = 1024
"""Weights are whole numbers, so that sums do not depend on the order of addition and equal sets tie exactly."""
_AT_ONCE: Final = 8_192
"""Numbers that one call into C may count: it holds the interpreter, and others want their turn."""
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
        per_ms: how many numbers it counts in about a millisecond.
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
            lists: ascending slots and the weight of the word that all of them have; a slot that is in none of the lists
                is never returned.
            sizes: weight of all words of each slot, or `GONE`.
            asked: weight of all words of the query.
            lowest: the least score that is returned; shared / (asked + size - shared), or shared if `counts`.
            weighs: some weight is not 1.
            others_turn: called about every millisecond, if that is not done within one.
        """
        ...

    def kept(self, slots: Slots, moved: Numbers) -> bytearray:
        """Return `moved[slot]` of each slot that has not gone there (`GONE`), in the same order."""
        ...

    def add_weight(self, sizes: Numbers, slots: Slots, weight: int) -> None:
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

    def products(self, vectors: array[float], vector: array[float]) -> list[float]:
        return products(vectors, vector)


PLAIN: Final[Counting] = _Plain()


def _numbers(slots: Slots) -> Iterator[array[int]]:
    """Yield the slots, some at a time, as arrays: as a list they would push all else out of the processor's cache."""
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
        for some in _numbers(slots):  # each slot once: what `get` sees is not yet changed by this list
            others_turn()
            shared.update(zip(some, map(add, map(shared.get, some, repeat(0)), repeat(weight)), strict=True))
    return shared


class _Words:
    """The slots of each word: a table of the words that came first, and many of the others; none takes long to grow."""

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
        """Add a slot, larger than all before it, to each of `words`."""
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
        """Return the table that has or is to have a word that is not in the first one."""
        if len(self._first) < _WORDS_IN_FIRST:
            return self._first
        if not self._others:
            self._others = [{} for _ in range(_TABLES)]
        return self._others[hash(word) % _TABLES]

    def pairs(self) -> Iterator[tuple[str, bytearray]]:
        """Yield all that are there when it begins, also while another thread adds: none ever goes."""
        for table in (self._first, *self._others):
            yield from zip(list(table), list(table.values()), strict=False)  # no list of pairs: a collection visits it

    def dismantle(self, others_turn: Callable[[], None]) -> None:
        for table in (self._first, *self._others):
            while table:
                others_turn()
                for _ in range(min(_WORDS_AT_ONCE, len(table))):
                    table.popitem()


class KeywordIndex:
    """Finds the rows whose words are most like a query's; exact, and a row is found as soon as it is added.

    A row is the number of a stored text; rows come in ascending order and newer means larger. Inside, each row has a
    slot, and each word the slots that have it, packed. Counting how often each slot occurs among those of the query's
    words gives the number of shared words, all in C. No step takes longer when it grows, and a collection of the
    interpreter finds some hundred objects in it, whatever its size.

    Weights ("weighted" only) are those of the moment of the last `compacted`: scores do not drift in between. One
    thread at a time may use it: slots cannot come while another thread looks at them. `compacted` is the exception.

    Args:
        large: what counts from `large_from` slots on.
    """

    def __init__(self, measure: Measure, large: Counting = PLAIN, *, large_from: int = _LARGE) -> None:
        self._measure = measure
        self._large = large
        self._large_from = large_from
        self._rows = GrowingArray("Q")  # slot -> row
        self._sizes = GrowingArray("q" if measure.weighs else "i")  # slot -> weight of all its words, or GONE
        self._words = _Words()
        self._weights: dict[str, int] = {}  # of words in the index, as far as they were asked for
        self._gone = 0
        self._weighed = 0  # the weights are those of the first so many slots

    def __len__(self) -> int:
        return len(self._rows) - self._gone

    @property
    def slots(self) -> int:
        """How many slots it has, those included whose rows have gone."""
        return len(self._rows)

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
            slots = self._words.get(word)
            seen = 0 if slots is None else bisect_left(memoryview(slots).cast("I"), self._weighed)
            weight = round(_WEIGHT_OF_ONE * (1.0 + math.log((self._weighed + 1) / (seen + 1))))
            if slots is not None and len(self._weights) < _WEIGHTS_IN_MIND:
                self._weights[word] = weight
        return weight

    def cost(self, words: Iterable[str]) -> int:
        """Return how many numbers a search for `words` has to look at."""
        counts = sum(len(self._words.get(word) or b"") for word in words) // _BYTES_A_SLOT
        return counts if self.counting is PLAIN else counts + len(self._rows)

    def add(self, row: int, words: frozenset[str]) -> None:
        """Add a row that is larger than all before it.

        Raises:
            ConfigurationError: it is not larger.
        """
        rows = self._rows
        slot = len(rows)
        if slot and row <= rows[slot - 1]:
            raise ConfigurationError(f"rows come in ascending order, got {row} after {rows[-1]}")
        rows.append(row)
        self._sizes.append(sum(map(self.weight, words)) if self._measure.weighs else len(words))
        self._words.add(words, slot)

    def add_all(self, rows: Sequence[int], words: Sequence[frozenset[str]]) -> None:
        """Do the same for some rows that follow each other, more quickly.

        Raises:
            ConfigurationError: one is not larger; then none was added.
        """
        slot, newest = len(self._rows), self._rows[-1] if self._rows else -1
        for row in rows:
            if row <= newest:
                raise ConfigurationError(f"rows come in ascending order, got {row} after {newest}")
            newest = row
        self._rows.extend(rows)
        if self._measure.weighs:
            self._sizes.extend([sum(map(self.weight, some)) for some in words])
        else:
            self._sizes.extend(list(map(len, words)))
        for each in words:
            self._words.add(each, slot)
            slot += 1

    def remove(self, row: int) -> bool:
        """Take a row out. Return False when it was not there."""
        slot = bisect_left(self._rows.numbers, row, 0, len(self._rows))
        if slot == len(self._rows) or self._rows[slot] != row or self._sizes[slot] == GONE:
            return False
        self._sizes[slot] = GONE
        self._gone += 1
        return True

    def search(
        self, words: frozenset[str], k: int, threshold: float, others_turn: Callable[[], None] = no_turn
    ) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and score, best first, ties newest first.

        Args:
            words: what the measure made of the query. Those never seen count towards its size.
            threshold: lowest score, inclusive with a slack of 1e-9. At 0.0 also rows that share nothing are
                returned, except by "overlap", where one shared word is the least.
            others_turn: called about every millisecond.
        """
        measure, rows, known, lowest = self._measure, self._rows.numbers, self._words, threshold - SLACK
        if measure.weighs:
            lists = [(slots, self.weight(word)) for word in words if (slots := known.get(word)) is not None]
        else:
            lists = [(slots, 1) for word in words if (slots := known.get(word)) is not None]
        sizes = self._sizes.view()
        best = self.counting.best(
            lists,
            sizes,
            asked=sum(map(self.weight, words)) if measure.weighs else len(words),
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
        """Give its memory back piece by piece, calling `others_turn` between; it is never used again."""
        self._words.dismantle(others_turn)
        for held in ("_rows", "_sizes"):
            others_turn()
            setattr(self, held, GrowingArray("Q"))

    def compacted(self, slots: int | None = None, others_turn: Callable[[], None] = no_turn) -> KeywordIndex:
        """Return an index of its rows without what is gone, its weights those of now.

        Another thread may do this while this one adds and removes. Then give it the number of slots of a moment: what
        was added since is not in the new index, what was removed since may be; both have to be told to the new one.

        Args:
            slots: only the first so many; None is all of them.
            others_turn: called again and again, before each piece of work that is short.
        """
        slots = len(self._rows) if slots is None else slots
        fresh = KeywordIndex(self._measure, self._large, large_from=self._large_from)
        fresh._rows, fresh._sizes = GrowingArray("Q", slots), GrowingArray("q" if self._measure.weighs else "i", slots)
        counting = self._large if slots >= self._large_from else PLAIN
        moved = GrowingArray("q", slots)  # old slot -> new slot, or GONE
        for start in range(0, slots, _ROWS_AT_ONCE):
            others_turn()
            end = min(start + _ROWS_AT_ONCE, slots)
            sizes = self._sizes.piece(start, end)
            alive = [size != GONE for size in sizes]
            new = count(len(fresh._rows))
            moved.extend([next(new) if is_alive else GONE for is_alive in alive])
            fresh._rows.extend(list(compress(self._rows.piece(start, end), alive)))
            fresh._sizes.extend([0] * sum(alive) if self._measure.weighs else list(compress(sizes, alive)))
        fresh._weighed = len(fresh._rows)
        goal, sizes = moved.view(), fresh._sizes.view()
        for word, all_slots in self._words.pairs():
            others_turn()
            some = memoryview(all_slots[:]).cast("I")  # a copy, made in one step: it may grow while we look at it
            kept = counting.kept(some[: bisect_left(some, slots)], goal)
            if kept:
                fresh._words.put(word, kept)
                if self._measure.weighs:
                    counting.add_weight(sizes, kept, fresh.weight(word))
        return fresh
