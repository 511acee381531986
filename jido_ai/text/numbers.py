"""The check for a number. Pure."""

from __future__ import annotations

import sys
from typing import Final, TypeGuard

_MOST: Final = sys.float_info.max


def is_number(value: object) -> TypeGuard[int | float]:
    """True for a finite float, and for an int that a float can hold. False for a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -_MOST <= value <= _MOST
