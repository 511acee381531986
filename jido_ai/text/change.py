"""Change: the share of a text that was edited, and the places. Pure."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from io import StringIO
from typing import Final, Literal

from rapidfuzz.distance import Indel

__all__ = ["CHARACTER_LIMIT", "LINE_LIMIT", "ChangeMeasure", "change", "change_measure", "lines_of", "unified_diff"]

CHARACTER_LIMIT: Final = 16_384
"""Longest text, in characters, that is compared character by character: the exact distance costs the square."""

LINE_LIMIT: Final = 4_096
"""Most lines that are compared in order; above, lines are counted without regard to their order."""

_QUICK_LIMIT: Final = 4_096
"""Longest text that is left to rapidfuzz, which keeps every other thread waiting: a few milliseconds here."""

ChangeMeasure = Literal["characters", "lines", "bag of lines"]


_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")


def lines_of(text: str) -> list[str]:
    """Return the lines, each with its line feed, as `patch` and editors count them: a form feed ends none."""
    return _LINE.findall(text)


def unified_diff(before: str, after: str) -> str:
    """Return the real difference of two texts, line ends included; "" when they are equal."""
    lines = difflib.unified_diff(lines_of(before), lines_of(after), "before", "after", lineterm="")
    return "\n".join(line.removesuffix("\n") for line in lines)


def change_measure(before: str, after: str) -> ChangeMeasure:
    """Return which of the measures `change` uses for two texts."""
    if max(len(before), len(after)) <= CHARACTER_LIMIT:
        return "characters"
    return "lines" if max(before.count("\n"), after.count("\n")) < LINE_LIMIT else "bag of lines"


def change(before: str, after: str) -> float:
    """Return the share of two texts that was inserted or deleted, in [0, 1]: 0 for equal, 1 for nothing in common.

    (inserted + deleted) / (sum of both lengths), in characters. Up to 16,384 characters it is exact; above, whole lines
    count as inserted or deleted, weighted by their length. Two empty texts are equal. Symmetric.

    Large texts cost up to a few hundred milliseconds, of which no other thread waits for more than about ten.
    """
    if before == after:
        return 0.0
    before, after = sorted((before, after))  # of several longest common subsequences the same one, whichever is first
    total = len(before) + len(after)
    match change_measure(before, after):
        case "characters":
            kept = _kept_characters(before, after)
        case "lines":
            kept = _kept_lines(before, after)
        case "bag of lines":
            common = _bag_of_lines(before) & _bag_of_lines(after)
            kept = sum(len(line) * times for line, times in common.items())
    return (total - 2 * kept) / total


def _kept_characters(before: str, after: str) -> int:
    """Return the length of a longest common subsequence.

    Source: Hyyrö, "Bit-parallel LCS-length computation revisited" (2004), with Python's integers as bit vectors.
    """
    if max(len(before), len(after)) <= _QUICK_LIMIT:
        return (len(before) + len(after) - Indel.distance(before, after)) // 2
    places: dict[str, int] = {}
    for index, character in enumerate(before):
        places[character] = places.get(character, 0) | (1 << index)
    every = free = (1 << len(before)) - 1
    for character in after:
        found = free & places.get(character, 0)
        free = ((free + found) | (free - found)) & every
    return len(before) - free.bit_count()


def _kept_lines(before: str, after: str) -> int:
    """Return how many characters are in lines that a longest common subsequence keeps."""
    left, right = lines_of(before), lines_of(after)
    return sum(
        len(line)
        for block in Indel.opcodes(left, right)
        if block.tag == "equal"
        for line in left[block.src_start : block.src_end]
    )


def _bag_of_lines(text: str) -> Counter[str]:
    # The generator looks as if it did nothing, but lets other threads in; Counter(StringIO(text)) would not.
    return Counter(line for line in StringIO(text, newline="\n"))
