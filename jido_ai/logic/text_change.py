"""How much of a text was edited."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal

from rapidfuzz.distance import Indel

__all__ = ["CHARACTER_LIMIT", "LINE_LIMIT", "ChangeMeasure", "change", "change_measure"]

CHARACTER_LIMIT: Final = 16_384
"""Longest text, in characters, that is compared character by character: the exact distance costs the square."""

LINE_LIMIT: Final = 16_384
"""Most lines that are compared in order; above, lines are counted without regard to their order."""

ChangeMeasure = Literal["characters", "lines", "bag of lines"]


def change_measure(before: str, after: str) -> ChangeMeasure:
    """Return which of the measures `change` uses for two texts."""
    if max(len(before), len(after)) <= CHARACTER_LIMIT:
        return "characters"
    return "lines" if max(before.count("\n"), after.count("\n")) < LINE_LIMIT else "bag of lines"


def change(before: str, after: str) -> float:
    """Return the share of two texts that was inserted or deleted, in [0, 1]: 0 for equal, 1 for nothing in common.

    (inserted + deleted) / (sum of both lengths), in characters. Up to 16,384 characters it is exact; above, whole lines
    count as inserted or deleted, weighted by their length. Two empty texts are equal. Symmetric.
    """
    total = len(before) + len(after)
    if before == after:
        return 0.0
    match change_measure(before, after):
        case "characters":
            return Indel.normalized_distance(before, after)
        case "lines":
            kept = _kept_in_order(before.splitlines(keepends=True), after.splitlines(keepends=True))
        case "bag of lines":
            common = Counter(before.splitlines(keepends=True)) & Counter(after.splitlines(keepends=True))
            kept = sum(len(line) * times for line, times in common.items())
    return (total - 2 * kept) / total


def _kept_in_order(before: list[str], after: list[str]) -> int:
    """Return how many characters are in lines that a longest common subsequence keeps."""
    return sum(
        len(line)
        for block in Indel.opcodes(before, after)
        if block.tag == "equal"
        for line in before[block.src_start : block.src_end]
    )
