"""Decay: importance halves without use, and entries that never helped are removed. Pure.

Idempotent. Source: SPEC M44, M45, R33, R45.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.memory.importance import DECAY, decay_note
from jido_ai.memory.lessons import is_kept, lifetime
from jido_ai.values import SLACK, MemoryEntry, MemoryKind

_SECONDS_PER_DAY: Final = 86_400.0


def decayed(entry: MemoryEntry, now: datetime, config: MaintenanceConfig) -> MemoryEntry:
    """Return the entry with its current importance; the same object if nothing changes.

    The importance halves every `half_life_days` in which the entry is neither stored again nor used, down to `floor`,
    in steps of whole days; a use restores it. Lessons that ever helped, META entries and those of a person do not
    decay. If something else sets the importance, decay restarts from that value. The result depends only on the times
    and on the original importance, which metadata["decay"] keeps, not on how often this function is applied.
    """
    if entry.kind is MemoryKind.META or is_kept(entry):
        return entry
    first, since, is_noted = undecayed(entry, now)
    faded = first
    if not entry.success_count:
        halvings = max(0, (now - since).days) / config.half_life_days
        faded = max(min(first, config.floor), first * 0.5**halvings)
    if is_noted and abs(faded - entry.importance) <= SLACK:
        return entry
    return _noted(entry, first, faded, since)


def has_outlived(entry: MemoryEntry, now: datetime, retention_days: float) -> bool:
    """True if an entry never helped and was unused for at least the lifetime of its importance.

    The importance before decay counts. META entries never outlive it.
    """
    if entry.success_count or entry.kind is MemoryKind.META or is_kept(entry):
        return False
    first, since, _ = undecayed(entry, now)
    return (now - since).total_seconds() >= lifetime(retention_days, first) * _SECONDS_PER_DAY


def undecayed(entry: MemoryEntry, now: datetime) -> tuple[float, datetime, bool]:
    """Return the original importance, the start of the decay, and True if metadata needs no update."""
    touched = entry.timestamp if entry.last_used is None else max(entry.timestamp, entry.last_used)
    note = decay_note(entry)
    if note is None:
        return entry.importance, touched, True
    first, last, noted = note
    since = max(noted, touched)
    if abs(entry.importance - last) <= SLACK:
        return first, since, True
    return entry.importance, (touched if touched > noted else now), False


def _noted(entry: MemoryEntry, first: float, importance: float, since: datetime) -> MemoryEntry:
    note = {"from": first, "to": importance, "since": since.isoformat()}
    return entry.replace(importance=importance, metadata={**entry.metadata, DECAY: note})


def touched_at(
    entry: MemoryEntry, first: float, since: datetime, now: datetime, config: MaintenanceConfig
) -> MemoryEntry:
    """Return the entry as if it had been stored at `since` with importance `first`."""
    return decayed(_noted(entry, first, first, since), now, config)
