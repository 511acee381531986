"""What counts as a number."""

from __future__ import annotations

import math

__all__ = ["is_number"]


def is_number(value: object) -> bool:
    """True for an int or a finite float, of any size; a bool is no number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -math.inf < value < math.inf
