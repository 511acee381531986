"""Merging: equivalent lessons become one, contradicting ones are linked. Pure.

Idempotent. Source: SPEC M46.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from jido_ai.learning.consolidation import absorb, contradictions, similar_lessons
from jido_ai.learning.decay import touched_at, undecayed
from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.learning.promotion import CAUSES, causes_of, latest
from jido_ai.memory.lessons import is_kept
from jido_ai.text.pieces import no_turn
from jido_ai.values import MemoryEntry, MemoryKind


def find_duplicates(
    entries: Sequence[MemoryEntry], others_turn: Callable[[], None] = no_turn
) -> list[tuple[MemoryEntry, MemoryEntry]]:
    """Return pairs of equivalent lessons, the older first. The newer of a pair is in no other pair.

    Args:
        entries: of one scope, newest first.
        others_turn: called often.
    """
    oldest_first = [entry for entry in reversed(entries) if entry.kind is not MemoryKind.META and not is_kept(entry)]
    pairs = similar_lessons(oldest_first, others_turn=others_turn)
    return [(oldest_first[older], oldest_first[newer]) for older, newer in pairs]


def merge(older: MemoryEntry, newer: MemoryEntry, now: datetime, config: MaintenanceConfig) -> MemoryEntry:
    """Return `older` merged with the equivalent lesson `newer`; `older` itself if it was merged before.

    As `absorb`; the importance is the larger one before decay, and decays from the later of both last uses.
    """
    if any((link.id, link.type) == (newer.id, "merged") for link in older.links):
        return older
    (first, since, _), (other, later, _) = undecayed(older, now), undecayed(newer, now)
    one = absorb(older, newer)
    causes = latest(causes_of(older), causes_of(newer))
    if causes:
        one = one.replace(metadata={**one.metadata, CAUSES: causes})
    return touched_at(one, max(first, other), max(since, later), now, config)


def contradicting(entries: Sequence[MemoryEntry]) -> list[tuple[str, str]]:
    """Return the missing "contradicts" links between entries: pairs of ids, in both directions."""
    ties: list[tuple[str, str]] = []
    for one, other in contradictions(entries):
        for at, to in ((entries[one], entries[other]), (entries[other], entries[one])):
            if not any((link.id, link.type) == (to.id, "contradicts") for link in at.links):
                ties.append((at.id, to.id))
    return ties
