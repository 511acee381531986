"""Importance of an attempt for the memory. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import Final, cast

from jido_ai.errors import ConfigurationError
from jido_ai.values import SLACK, MemoryEntry, Outcome

DECAY: Final = "decay"
"""Key in the metadata of a faded entry: its importance before and after, and since when it fades."""
RETENTION: Final = "retention"
"""Key in the metadata of an entry: the time at which it expires because of `retention_days`."""

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


def unfaded(entry: MemoryEntry) -> float:
    """Return the importance that an entry had before it faded."""
    note = decay_note(entry)
    return entry.importance if note is None or abs(entry.importance - note[1]) > SLACK else note[0]


def decay_note(entry: MemoryEntry) -> tuple[float, float, datetime] | None:
    """Return the original and the last written importance and the start of the decay; None without a valid note."""
    note: object = entry.metadata.get(DECAY)
    if not isinstance(note, dict):
        return None
    fields = cast("dict[str, object]", note)
    first, last, since = fields.get("from"), fields.get("to"), fields.get("since")
    if not (_is_share(first) and _is_share(last) and isinstance(since, str)):
        return None
    try:
        time = datetime.fromisoformat(since)
    except ValueError:
        return None
    return None if time.tzinfo is None else (cast("float", first), cast("float", last), time)


def spared(entry: MemoryEntry) -> MemoryEntry:
    """Return the entry without the expiry that `retention_days` gave it; one of the caller's own stays."""
    if entry.expires_at is None or entry.metadata.get(RETENTION) != entry.expires_at.isoformat():
        return entry
    metadata = {name: value for name, value in entry.metadata.items() if name != RETENTION}
    return entry.replace(expires_at=None, metadata=metadata)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0
