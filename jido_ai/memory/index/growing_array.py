"""GrowingArray: a packed array of integers that grows without long pauses. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from mmap import ACCESS_COPY, mmap
from typing import Final, Literal

_SHORT: Final = 32_768
_MOVED_AT_ONCE: Final = 16


class GrowingArray:
    """An append-only array of integers whose elements can be changed but not removed.

    A full `array` copies itself in one call that no other thread can interrupt: 4 ms at 600,000 rows, and longer with
    each row. A long GrowingArray therefore lives in memory reserved in advance (the system provides each page on first
    write) and moves to a larger block a few numbers per append.

    Args:
        kind: "Q" for unsigned 8-byte, "q" for signed 8-byte, "i" for signed 4-byte integers.
        expected: reserve room for this many numbers at once.

    Attributes:
        numbers: the first `len(self)` elements are the array's; the rest is unused. Read it again after each `append`.
    """

    __slots__ = ("_ahead", "_kind", "_moved", "_room", "_used", "numbers")

    def __init__(self, kind: Literal["Q", "q", "i"], expected: int = 0) -> None:
        self._kind: Literal["Q", "q", "i"] = kind
        self._used = 0
        self._ahead: memoryview | None = None  # the larger memory, while numbers are moved to it
        self._moved = 0
        self._room = _SHORT
        self.numbers: array[int] | memoryview = array(kind)
        if expected * 5 // 4 > _SHORT:
            self._room = expected * 5 // 4
            self.numbers = self._reserved(self._room)

    def __len__(self) -> int:
        return self._used

    def __getitem__(self, at: int) -> int:
        return self.numbers[at if at >= 0 else self._used + at]

    def view(self) -> array[int] | memoryview:
        """Return exactly the array's numbers, for use by C code."""
        return self.numbers if isinstance(self.numbers, array) else self.numbers[: self._used]

    def piece(self, start: int, end: int) -> list[int]:
        """Return the numbers from `start` up to, not including, `end`."""
        return self.numbers[start : min(end, self._used)].tolist()

    def append(self, number: int) -> None:
        used = self._used
        if used >= self._room:
            self._move_house()
        numbers = self.numbers
        if isinstance(numbers, array):
            numbers.append(number)
        else:
            numbers[used] = number
            if used >= self._room - (self._room >> 3):
                self._move_some(numbers, used)
        self._used = used + 1

    def extend(self, numbers: Sequence[int]) -> None:
        """Append several numbers: as many as may be written in one step."""
        used = self._used
        end = used + len(numbers)
        if end <= self._room and isinstance(self.numbers, array):
            self.numbers.extend(numbers)
            self._used = end
        elif end < self._room - (self._room >> 3):
            self.numbers[used:end] = array(self._kind, numbers)
            self._used = end
        else:  # about to move
            for number in numbers:
                self.append(number)

    def __setitem__(self, at: int, number: int) -> None:
        """Replace the number at index `at`, which must not be negative."""
        self.numbers[at] = number
        if self._ahead is not None and at < self._moved:
            self._ahead[at] = number

    def _reserved(self, room: int) -> memoryview:
        memory = mmap(-1, room * array(self._kind).itemsize, access=ACCESS_COPY)  # anonymous memory, no file
        return memoryview(memory).cast(self._kind)

    def _move_some(self, numbers: memoryview, used: int) -> None:
        """Move a few more numbers. Moving begins when an eighth of the room is left and takes half of that."""
        if self._ahead is None:
            self._ahead, self._moved = self._reserved(2 * self._room), 0
        start = self._moved
        end = self._moved = min(start + _MOVED_AT_ONCE, used + 1)
        self._ahead[start:end] = numbers[start:end]

    def _move_house(self) -> None:
        if self._ahead is None:  # still an `array`, which is short
            self._ahead = self._reserved(4 * _SHORT)
            self._ahead[: self._used] = memoryview(self.numbers)
        self.numbers, self._ahead, self._moved = self._ahead, None, 0
        self._room = len(self.numbers)
