"""Whole numbers, packed one behind the other, that grow without ever taking long over it. Pure."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from mmap import ACCESS_COPY, mmap
from typing import Final, Literal

__all__ = ["GrowingArray"]

_SHORT: Final = 32_768
_MOVED_AT_ONCE: Final = 16


class GrowingArray:
    """An array to whose end numbers come one at a time, and from which none goes.

    An `array` that has no room left copies itself in one call, which no other thread can interrupt: four milliseconds
    at 600,000 rows, and more with each row. So what is long lies in memory that is reserved ahead (the system provides
    a page of it when it is first written), and is moved to a larger one some numbers at a time, by each that comes.

    Args:
        kind: "Q" for 8 bytes without sign, "q" for 8 and "i" for 4 bytes with one.
        expected: so many numbers will come soon: room for them is reserved at once.

    Attributes:
        numbers: they are its first `len(self)` elements; what lies behind is no number of ours. To be read, and asked
            for anew after each `append`.
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
        """Return all of them and nothing else: for C, which looks at them as they are."""
        return self.numbers if isinstance(self.numbers, array) else self.numbers[: self._used]

    def piece(self, start: int, end: int) -> list[int]:
        """Return the numbers from `start` up to `end`, which is none of them."""
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
        """Append some: as many as may be written in one step."""
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
        """Change one of them; `at` is not negative."""
        self.numbers[at] = number
        if self._ahead is not None and at < self._moved:
            self._ahead[at] = number

    def _reserved(self, room: int) -> memoryview:
        memory = mmap(-1, room * array(self._kind).itemsize, access=ACCESS_COPY)  # no file: nothing but memory
        return memoryview(memory).cast(self._kind)

    def _move_some(self, numbers: memoryview, used: int) -> None:
        """Move on. It begins when an eighth of the room is left, of which it takes half."""
        if self._ahead is None:
            self._ahead, self._moved = self._reserved(2 * self._room), 0
        start = self._moved
        end = self._moved = min(start + _MOVED_AT_ONCE, used + 1)
        self._ahead[start:end] = numbers[start:end]

    def _move_house(self) -> None:
        if self._ahead is None:  # from an array, and that is short
            self._ahead = self._reserved(4 * _SHORT)
            self._ahead[: self._used] = memoryview(self.numbers)
        self.numbers, self._ahead, self._moved = self._ahead, None, 0
        self._room = len(self.numbers)
