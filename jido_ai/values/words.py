"""Keywords: the words of a text that carry meaning. Pure."""

from __future__ import annotations

import re
from typing import Final

from jido_ai.errors import ConfigurationError, describe

__all__ = ["STOP_WORDS", "all_words", "extract_keywords"]


_WORD: Final = re.compile(r"\w+")
_WORDS_ONLY: Final = bytes(ord(chr(byte).lower()) if _WORD.match(chr(byte)) else ord(" ") for byte in range(128)) * 2
"""Maps ASCII to lower-case letters, digits and underscores; everything else becomes a space. Repeated, because a byte
table has 256 entries."""
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

    ASCII texts, the most frequent ones, are split with a byte table, in a third of the time of a regular expression:
    reading words takes half of the time to load an index.
    """
    if text.isascii():
        return frozenset(text.encode().translate(_WORDS_ONLY).decode().split())
    return frozenset(_WORD.findall(text.casefold()))


def extract_keywords(text: str) -> frozenset[str]:
    """Return the case-folded Unicode words of `text`, digits and underscores kept, minus the stop words.

    A text with only stop words keeps them all; a text without words gives the empty set. No stemming (SPEC J14).

    Raises:
        ConfigurationError: `text` is not a str.
    """
    if not isinstance(text, str):
        raise ConfigurationError(f"text must be a str, got {describe(text)}")
    words = all_words(text)
    return words - STOP_WORDS or words
