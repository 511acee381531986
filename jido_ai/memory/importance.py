"""Importance of an attempt for the memory. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from jido_ai.errors import ConfigurationError
from jido_ai.values import Outcome

__all__ = ["IMPORTANCE_OF", "importance_of"]

IMPORTANCE_OF: Final[Mapping[Outcome, float]] = {
    Outcome.ERROR: 0.8,
    Outcome.FAILURE: 0.7,
    Outcome.TIMEOUT: 0.6,
    Outcome.PARTIAL: 0.5,
    Outcome.SUCCESS: 0.3,
}
"""Importance by outcome (SPEC R59); 0.5 for all other outcomes."""


def importance_of(outcome: Outcome | None, hint: float | None = None) -> float:
    """Return the importance of an attempt, in [0, 1]: the hint, clamped, else the value for its outcome, else 0.5.

    Raises:
        ConfigurationError: `hint` is NaN.
    """
    if hint is not None:
        if math.isnan(hint):
            raise ConfigurationError("importance must be a number in [0, 1], got NaN")
        return min(1.0, max(0.0, hint))
    return IMPORTANCE_OF.get(outcome, 0.5) if outcome is not None else 0.5
