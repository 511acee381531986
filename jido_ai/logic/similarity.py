"""How alike two texts are, and which of many stored ones are most like a given one.

Three measures, each with its own threshold: "jaccard" over keywords (0.7, the documented one), "weighted" (0.15:
stems instead of words, rare ones count more) and "overlap" (the number of shared words, at least one). `KeywordIndex`
answers exactly what a comparison with every stored text would.
"""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from typing import Final, Literal, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs] - it ships none

from jido_ai.errors import ConfigurationError, describe
from jido_ai.values import SLACK, STOP_WORDS, extract_keywords

__all__ = ["KeywordIndex", "Measure", "MeasureName", "jaccard", "measure_named", "overlap", "pieces"]

MeasureName = Literal["jaccard", "weighted", "overlap"]

_WORD: Final = re.compile(r"\w+")
_PIECE: Final = 16_384
_REMEMBERED_STEMS: Final = 65_536


def jaccard(a: Set[str], b: Set[str]) -> float:
    """Return the share of all words that both have: 1.0 for equal sets, 0.0 when either is empty."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def overlap(a: Set[str], b: Set[str]) -> int:
    """Return how many words both have."""
    return len(a & b)


# -- measures --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """What counts as a word, what a word weighs, and from which score on two texts are alike.

    Attributes:
        threshold: the default one, inclusive.
        words: text to the set of words that are compared.
        weighs: rare words weigh more than frequent ones; else each weighs 1.
        counts: the score is the number of shared words; else the share of all words, in [0, 1].
    """

    name: MeasureName
    threshold: float
    words: Callable[[str], frozenset[str]]
    weighs: bool = False
    counts: bool = False


def measure_named(name: str) -> Measure:
    """Return the measure of that name, a fresh one: "weighted" keeps the stems that it has seen.

    A "weighted" measure is used by one thread at a time.

    Raises:
        ConfigurationError: there is none of that name.
    """
    match name:
        case "jaccard":
            return Measure("jaccard", 0.7, _keywords)
        case "weighted":
            return Measure("weighted", 0.15, _stem_reader(), weighs=True)
        case "overlap":
            return Measure("overlap", 1.0, _keywords, counts=True)
        case _:
            raise ConfigurationError(f"similarity must be jaccard, weighted or overlap, got {describe(name)}")


def pieces(text: str, size: int = _PIECE, cut: re.Pattern[str] = re.compile(r"\s")) -> Iterator[str]:
    """Split `text` where `cut` matches, into pieces of `size` characters or a little more; joined they are the text.

    A regular expression holds the interpreter while it runs: piece by piece, a megabyte leaves room for others.
    """
    start = 0
    while len(text) - start > size and (found := cut.search(text, start + size)):
        yield text[start : found.end()]
        start = found.end()
    yield text[start:]


def _keywords(text: str) -> frozenset[str]:
    """Return `extract_keywords(text)`, without holding the interpreter for long."""
    if len(text) <= _PIECE:
        return extract_keywords(text)
    words = frozenset[str]().union(*map(extract_keywords, pieces(text)))
    return words - STOP_WORDS or words


def _stem_reader() -> Callable[[str], frozenset[str]]:
    """Return a function from text to its stems: NFKC, case-folded, no stop words, every number the same token.

    A text of stop words alone keeps them all.
    """
    english = cast("Callable[[str], str]", snowballstemmer.stemmer("english").stemWord)  # pyright: ignore[reportUnknownMemberType]
    stem = lru_cache(_REMEMBERED_STEMS)(english)

    def stems(text: str) -> frozenset[str]:
        words: set[str] = set()
        for piece in pieces(text):
            words.update(_WORD.findall(unicodedata.normalize("NFKC", piece).casefold()))
        return frozenset("0" if word.isnumeric() else stem(word) for word in words - STOP_WORDS or words)

    return stems


# -- the index -------------------------------------------------------------------------------------

_GONE: Final = -1
_WEIGHT_OF_ONE: Final = 1024
"""Weights are whole numbers, so that sums do not depend on the order of addition and equal sets tie exactly."""


class KeywordIndex:
    """Finds the rows whose words are most like a query's; exact, and a row is found as soon as it is added.

    A row is the number of a stored text; rows come in ascending order and newer means larger. Inside, each row has a
    slot, and each word an array of the slots that have it. Counting how often each slot occurs in the arrays of the
    query's words gives the number of shared words, all in C.

    Weights ("weighted" only) are those of the moment of the last `compacted`: scores do not drift in between.
    """

    def __init__(self, measure: Measure) -> None:
        self._measure = measure
        self._rows = array("Q")  # slot -> row
        self._sizes = array("q" if measure.weighs else "i")  # slot -> weight of all its words, or _GONE
        self._slots: dict[str, array[int]] = {}  # word -> slots, ascending
        self._gone = 0
        self._weighed = 0  # the weights are those of the first so many slots

    def __len__(self) -> int:
        return len(self._rows) - self._gone

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
        seen = bisect_left(self._slots.get(word, ()), self._weighed)
        return round(_WEIGHT_OF_ONE * (1.0 + math.log((self._weighed + 1) / (seen + 1))))

    def cost(self, words: Iterable[str]) -> int:
        """Return how many numbers a search for `words` has to count."""
        return sum(len(self._slots.get(word, ())) for word in words)

    def add(self, row: int, words: frozenset[str]) -> None:
        """Add a row that is larger than all before it.

        Raises:
            ConfigurationError: it is not larger.
        """
        if self._rows and row <= self._rows[-1]:
            raise ConfigurationError(f"rows come in ascending order, got {row} after {self._rows[-1]}")
        slot = len(self._rows)
        self._rows.append(row)
        self._sizes.append(sum(map(self.weight, words)) if self._measure.weighs else len(words))
        for word in words:
            slots = self._slots.get(word)
            if slots is None:
                slots = self._slots[word] = array("I")
            slots.append(slot)

    def remove(self, row: int) -> bool:
        """Take a row out. Return False when it was not there."""
        slot = bisect_left(self._rows, row)
        if slot == len(self._rows) or self._rows[slot] != row or self._sizes[slot] == _GONE:
            return False
        self._sizes[slot] = _GONE
        self._gone += 1
        return True

    def search(self, words: frozenset[str], k: int, threshold: float) -> list[tuple[int, float]]:
        """Return at most `k` pairs of row and score, best first, ties newest first.

        Args:
            words: what the measure made of the query. Those never seen count towards its size.
            threshold: lowest score, inclusive with a slack of 1e-9. At 0.0 also rows that share nothing are
                returned, except by "overlap", where one shared word is the least.
        """
        sizes, counts, lowest = self._sizes, self._measure.counts, threshold - SLACK
        shared = self._shared(words)
        asked = sum(map(self.weight, words))
        least = lowest if counts else lowest * asked  # no row scores more than shared / asked
        if counts:
            hits = [
                (float(common), slot) for slot, common in shared.items() if common >= least and sizes[slot] != _GONE
            ]
        else:
            hits = [
                (score, slot)
                for slot, common in shared.items()
                if common >= least
                and (size := sizes[slot]) != _GONE
                and (score := common / (asked + size - common)) >= lowest
            ]
        best = nlargest(k, hits)
        if lowest <= 0.0 and not counts and len(best) < k:
            rest = (slot for slot in range(len(sizes) - 1, -1, -1) if sizes[slot] != _GONE and slot not in shared)
            best.extend((0.0, slot) for slot, _ in zip(rest, range(k - len(best)), strict=False))
        return [(self._rows[slot], score) for score, slot in best]

    def _shared(self, words: frozenset[str]) -> Counter[int]:
        """Return, per slot, the weight of the words that it shares with `words`."""
        shared: Counter[int] = Counter()
        for word in words:
            slots = self._slots.get(word)
            if slots is None:
                continue
            if not self._measure.weighs:
                for start in range(0, len(slots), _PIECE):  # as for pieces of text: others get their turn
                    shared.update(slots[start : start + _PIECE])
                continue
            weight = self.weight(word)
            for slot in slots:
                shared[slot] += weight
        return shared

    def compacted(self) -> KeywordIndex:
        """Return an index of the same rows without what is gone, its weights those of now. This one stays as it is."""
        fresh = KeywordIndex(self._measure)
        moved = array("q")  # old slot -> new slot, or _GONE
        for row, size in zip(self._rows, self._sizes, strict=True):
            moved.append(len(fresh._rows) if size != _GONE else _GONE)
            if size != _GONE:
                fresh._rows.append(row)
                fresh._sizes.append(0 if self._measure.weighs else size)
        fresh._weighed = len(fresh._rows)
        for word, slots in self._slots.items():
            kept = array("I", [moved[slot] for slot in slots if moved[slot] != _GONE])
            if not kept:
                continue
            fresh._slots[word] = kept
            if self._measure.weighs:
                weight = fresh.weight(word)
                for slot in kept:
                    fresh._sizes[slot] += weight
        return fresh
