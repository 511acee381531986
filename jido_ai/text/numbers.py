"""What counts as a number. Pure."""

from __future__ import annotations

import sys
from typing import Final, TypeGuard

__all__ = ["is_number"]

_MOST: Final = sys.float_info.max


def is_number(value: object) -> TypeGuard[int | float]:
    """True for a finite float, and an int that a float can hold: to reckon with a larger one fails; a bool is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST <= value <= _MOST
