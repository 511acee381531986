"""Long texts in pieces, so that other threads get the interpreter in between. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

PIECE: Final = 16_384
"""Characters that one call of a regular expression may take on: about a millisecond."""


def no_turn() -> None:
    """Do nothing: for short work, or work on a thread of its own."""


def pieces(text: str, size: int = PIECE, cut: re.Pattern[str] = re.compile(r"\s")) -> Iterator[str]:
    """Split `text` where `cut` matches, into pieces of `size` characters or a little more; joined they are the text.

    A regular expression holds the interpreter while it runs: piece by piece, a megabyte leaves room for others.
    """
    start = 0
    while len(text) - start > size and (found := cut.search(text, start + size)):
        yield text[start : found.end()]
        start = found.end()
    yield text[start:]
