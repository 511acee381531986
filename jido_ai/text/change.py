"""Change: the share of a text that was edited, and the places. Pure."""

from __future__ import annotations

import difflib
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import repeat
from typing import Final, Literal

CHARACTER_LIMIT: Final = 16_384
"""Longest text, in characters, that is compared character by character: the exact distance costs the square."""

LINE_LIMIT: Final = 4_096
"""Most lines that are compared in order; above, lines are counted without regard to their order."""

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
    """Return the length of a longest common subsequence."""
    start, end = _common_ends(before, after)
    if start + end in (len(before), len(after)):  # one is in the other
        return start + end
    rows = _free(before[start : len(before) - end], after[start : len(after) - end])
    every = (1 << (len(before) - start - end)) - 1
    return len(before) - (deque(rows, 1).pop() & every).bit_count()


def _kept_lines(before: str, after: str) -> int:
    """Return how many characters are in lines that a longest common subsequence keeps."""
    left, right = lines_of(before), lines_of(after)
    start, end = _common_ends(left, right)
    kept = left[:start] + left[len(left) - end :]
    left, right = left[start : len(left) - end], right[start : len(right) - end]
    rows = list(_free(left, right))
    row, column = len(right), len(left)
    while row and column:
        bit = 1 << (column - 1)
        if rows[row] & bit:
            column -= 1
        elif row > 1 and not rows[row - 1] & bit:
            row -= 1
        else:
            row, column = row - 1, column - 1
            kept.append(left[column])
    return sum(map(len, kept))


def _common_ends(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Return how long the common beginning is, and the common end of the rest."""
    most = min(len(before), len(after))
    start = next((at for at in range(most) if before[at] != after[at]), most)
    end = next((at for at in range(most - start) if before[-1 - at] != after[-1 - at]), most - start)
    return start, end


def _free(before: Sequence[str], after: Sequence[str]) -> Iterator[int]:
    """Yield, for each beginning of `after`, the places of `before` at which a longest common subsequence does not grow.

    Each is a bit vector, whose bits above the length of `before` mean nothing. Source: Hyyrö, "Bit-parallel LCS-length
    computation revisited" (2004), with Python's integers.
    """
    places: dict[str, int] = {}
    for index, one in enumerate(before):
        places[one] = places.get(one, 0) | (1 << index)
    every = free = (1 << len(before)) - 1
    yield free
    both = {one: (mask, every ^ mask) for one, mask in places.items()}
    for mask, others in map(both.get, after, repeat((0, every))):
        free = (free + (free & mask)) | (free & others)
        yield free


def _bag_of_lines(text: str) -> Counter[str]:
    # The generator looks as if it did nothing, but lets other threads in; Counter(StringIO(text)) would not.
    return Counter(line for line in StringIO(text, newline="\n"))
