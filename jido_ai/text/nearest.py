"""Hints for a name that is unknown. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

_LONGEST_LISTED: Final = 12


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the nearest of the known names as a hint, or all of them if none is near."""
    near = get_close_matches(name, known, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    shown = [repr(one) for one in known[:_LONGEST_LISTED]]
    more = f", and {len(known) - _LONGEST_LISTED} more" if len(known) > _LONGEST_LISTED else ""
    return f"known: {', '.join(shown)}{more}" if shown else "there are none"
