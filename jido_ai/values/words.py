"""Keywords: the words of a text that carry meaning, in any language. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from jido_ai.errors import ConfigurationError, describe

__all__ = ["STOP_WORDS", "all_words", "extract_keywords"]


_WORDS_ONLY: Final = (
    bytes(ord(chr(byte).lower()) if chr(byte).isalnum() or chr(byte) in "_+#" else ord(" ") for byte in range(128)) * 2
)
"""Maps ASCII to lower-case letters, digits, "_", "+" and "#"; everything else becomes a space. Repeated, because a byte
table has 256 entries."""
_UNSPACED: Final = (
    r"\u0e01-\u0e4e"  # Thai
    r"\u0e81-\u0ece\u0edc-\u0edf"  # Lao
    r"\u1000-\u103f\u1050-\u108f\u109a-\u109f\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"  # Myanmar
    r"\u1780-\u17d3\u17d7\u17dc\u17dd"  # Khmer
    r"\u3005-\u3007\u3021-\u302d\u3031-\u3035\u3038-\u303c\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    r"\U00020000-\U000323af"
    r"\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\U0001aff0-\U0001b16f"  # Hiragana, Katakana
)
"""Letters and marks of the scripts that are written without spaces."""
_MARK: Final = r"[^\w+#]"
"""In a text that `_CLEAN` cleaned, what is no letter and no digit and yet part of a word."""
_WORD: Final = re.compile(rf"(?:\w(?:\w|{_MARK})*)?[^\W\d_]{_MARK}*[+#]++(?![a-z])|\w(?:\w|{_MARK})*")
"""A word, with the signs that end it behind a letter: "c++", "c#", but "a" and "b" in "a+b"."""
_ASCII_WORD: Final = re.compile(r"\w*[a-z][+#]++(?![a-z])|\w+")
_RUN: Final = re.compile(rf"([{_UNSPACED}](?:[{_UNSPACED}]|{_MARK})*)")
_CLUSTER: Final = re.compile(rf"\w{_MARK}*")
_LETTER: Final = re.compile(r"\w")
STOP_WORDS: Final = frozenset(
    """a an the is are was were be been being have has had do does did will would could should may might must shall can
    need what how when where why who which that this these those and or but if then else so because although though
    while since until for of with by from to in on at as into through during before after above below between under
    again further once here there all both each few more most other some such nor only own same than too very
    just""".split()  # noqa: SIM905 - ninety-one quoted words are harder to check against the specification
)
"""The 91 stop words. "no" and "not" carry meaning and are not among them (SPEC J14)."""


def all_words(text: str) -> frozenset[str]:
    """Return the words of `extract_keywords`, including stop words.

    What is ASCII, most of most texts, is split with a byte table, in a third of the time of a regular expression:
    reading words takes half of the time to load an index. No word goes beyond white space.
    """
    if text.isascii():
        return _ascii_words(text)
    chunks = text.split()
    plain = " ".join(chunk for chunk in chunks if chunk.isascii())
    return _ascii_words(plain).union(_words_of_any_script(" ".join(chunk for chunk in chunks if not chunk.isascii())))


def _ascii_words(text: str) -> frozenset[str]:
    clean = text.encode().translate(_WORDS_ONLY).decode()
    if "+" not in clean and "#" not in clean:
        return frozenset(clean.split())
    chunks = frozenset(clean.split())
    signed = [chunk for chunk in chunks if "+" in chunk or "#" in chunk]
    return chunks.difference(signed).union(_ASCII_WORD.findall(" ".join(signed)))


def _words_of_any_script(text: str) -> Iterator[str]:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.translate(_VISIBLE)).casefold())
    for chunk in folded.translate(_CLEAN).split():
        for word in _WORD.findall(chunk):
            if _RUN.search(word) is None:
                yield word
            else:
                yield from _bigrams(word)


def _bigrams(word: str) -> Iterator[str]:
    """Yield the parts of a word: pairs of neighbouring characters of a run without spaces, other parts as they are."""
    for place, part in enumerate(_RUN.split(word)):
        clusters = _CLUSTER.findall(part) if place % 2 else [part] if _LETTER.search(part) else []
        if len(clusters) == 1 and clusters[0]:
            yield clusters[0]
        yield from map("".join, pairwise(clusters))


class _ByCharacter(dict[int, str | None]):
    """A table for `str.translate` that asks for each character once."""

    def __init__(self, becomes: Callable[[str], str | None]) -> None:
        self._becomes = becomes

    def __missing__(self, code: int) -> str | None:
        self[code] = found = self._becomes(chr(code))
        return found


_VISIBLE: Final = _ByCharacter(lambda one: None if unicodedata.category(one) == "Cf" else one)
_POINTS: Final = re.compile("[\u064b-\u0652\u0670\u05b0-\u05c7]")
"""Vowel marks of Arabic and points of Hebrew, which most texts leave out."""


def _cleaned(one: str) -> str | None:
    if _POINTS.match(one):
        return None
    return one if one.isalnum() or one in "_+#" or unicodedata.category(one)[0] == "M" else " "


_CLEAN: Final = _ByCharacter(_cleaned)


def extract_keywords(text: str) -> frozenset[str]:
    """Return the words of `text`, compatibility-normalised (NFKC) and case-folded, minus the stop words.

    A word is letters, digits and underscores with their marks; "+" and "#" behind a letter at its end belong to it
    ("c++", "c#"); a sign alone is no word. Invisible format characters, vowel marks of Arabic and points of Hebrew are
    left out. Scripts without spaces (Han, Hiragana, Katakana, Thai, Lao,
    Khmer, Myanmar) give pairs of neighbouring characters.

    A text with only stop words keeps them all; a text without words gives the empty set. No stemming (SPEC J14).

    Raises:
        ConfigurationError: `text` is not a str.
    """
    if not isinstance(text, str):
        raise ConfigurationError(f"text must be a str, got {describe(text)}")
    words = all_words(text)
    return words - STOP_WORDS or words
