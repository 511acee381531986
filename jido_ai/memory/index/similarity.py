"""Similarity measures for texts. Pure.

Three measures, each with its own default threshold: "jaccard" over keywords (0.7), "weighted" (0.15: stems instead of
words, rare ones count more) and "overlap" (the number of shared words, at least one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.text.pieces import PIECE, pieces
from jido_ai.values import STOP_WORDS, all_words, extract_keywords

MeasureName = Literal["jaccard", "weighted", "overlap"]

_REMEMBERED_STEMS: Final = 65_536
"""Kept in a dict of strings, which the garbage collector does not track; an `lru_cache` blocks it for 15 ms."""
_REMEMBERED_TEXTS: Final = 256
_SHORT: Final = 1_000


def jaccard(a: Iterable[str], b: Iterable[str]) -> float:
    """Return the Jaccard similarity: shared words / all words. 1.0 for equal sets, 0.0 if either is empty.

    A string is replaced by its keywords.
    """
    a, b = _words(a), _words(b)
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def _words(words: Iterable[str]) -> Set[str]:
    if isinstance(words, str):
        return extract_keywords(words)
    return words if isinstance(words, Set) else frozenset(words)


def overlap(a: Set[str], b: Set[str]) -> int:
    """Return the number of shared words."""
    return len(a & b)


# -- measures --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """A similarity measure: how words are extracted and weighted, and the score from which two texts are similar.

    Attributes:
        threshold: the default threshold, inclusive.
        words: extracts the set of words to compare from a text.
        weighs: True: rare words weigh more than frequent ones. False: each word weighs 1.
        counts: True: the score is the number of shared words. False: it is their share of all words, in [0, 1].
    """

    name: MeasureName
    threshold: float
    words: Callable[[str], frozenset[str]]
    weighs: bool = False
    counts: bool = False


def measure_named(name: str) -> Measure:
    """Return a new measure of the given name.

    A "weighted" measure caches stems, so only one thread at a time may use it.

    Raises:
        ConfigurationError: unknown name.
    """
    match name:
        case "jaccard":
            return Measure("jaccard", 0.7, _keywords)
        case "weighted":
            return Measure("weighted", 0.15, _stem_reader(), weighs=True)
        case "overlap":
            return Measure("overlap", 1.0, _keywords, counts=True)
        case _:
            raise ConfigurationError(
                "similarity must be auto, jaccard, weighted, overlap, minilm, static or embedding, "
                f"got {describe(name)}"
            )


def _keywords(text: str) -> frozenset[str]:
    """Return `extract_keywords(text)` without holding the GIL for long."""
    words = _all_words(text)
    return words - STOP_WORDS or words


def _all_words(text: str) -> frozenset[str]:
    if len(text) <= _SHORT:
        return _words_of_short(text)
    return all_words(text) if len(text) <= PIECE else frozenset[str]().union(*map(all_words, pieces(text)))


_words_of_short = lru_cache(_REMEMBERED_TEXTS)(all_words)  # merged lessons bring their earlier prompts again


def _stem_reader() -> Callable[[str], frozenset[str]]:
    """Return a function that extracts stems: NFKC, case-folded, without stop words, every number the same token.

    A text that consists of stop words only keeps them.
    """
    import snowballstemmer  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs] - 15 ms, for all languages; no stubs

    english = cast("Callable[[str], str]", snowballstemmer.stemmer("english").stemWord)  # pyright: ignore[reportUnknownMemberType]

    known: dict[str, str] = {}

    def stems(text: str) -> frozenset[str]:
        words = _all_words(text)
        words = words - STOP_WORDS or words
        new = words.difference(known)
        if len(known) + len(new) > _REMEMBERED_STEMS:
            known.clear()
            new = words
        for word in new:
            known[word] = "0" if word.isnumeric() else english(word)
        return frozenset(map(known.__getitem__, words))

    return stems
