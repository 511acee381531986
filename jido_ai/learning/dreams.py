"""Dreams: reflections on recent important memories. Pure.

Source: SPEC R41, R42.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.learning.promotion import DREAM_TAG, digest_of
from jido_ai.memory.lessons import entries_from_reflection
from jido_ai.values import SLACK, Episode, Event, EventType, MemoryEntry, MemoryKind, Outcome, Reflection


def select_for_dream(entries: Sequence[MemoryEntry], now: datetime, config: MaintenanceConfig) -> list[MemoryEntry]:
    """Return the episodic memories for a dream, oldest first; none if too few, or none is new (SPEC R41, R42).

    The most important ones of the lookback period, ties to the newer; without dreams and memories of earlier dreams.

    Args:
        entries: of one scope, newest first.
    """
    dreams = [entry for entry in entries if DREAM_TAG in entry.tags]
    dreamt = {id for entry in dreams for id in entry.evidence}
    last = max((entry.timestamp for entry in dreams if entry.evidence), default=None)
    fresh = [
        entry
        for entry in entries
        if entry.kind is MemoryKind.EPISODIC
        and DREAM_TAG not in entry.tags
        and entry.id not in dreamt
        and entry.importance >= config.dream_importance - SLACK
        and 0.0 <= (now - entry.timestamp).total_seconds() <= config.dream_lookback_s
    ]
    chosen = sorted(fresh, key=lambda entry: entry.importance, reverse=True)[: config.dream_most]
    if len(chosen) < config.dream_least or (last is not None and all(entry.timestamp <= last for entry in fresh)):
        return []
    return sorted(chosen, key=lambda entry: entry.timestamp)


def dream_of(memories: Sequence[MemoryEntry], now: datetime) -> Episode:
    """Return an episode for the reflector: the memories as the events of an attempt with a partial outcome."""
    mistakes = Counter(entry.mistake for entry in memories if entry.mistake.strip()).most_common(1)
    return Episode(
        f"What {len(memories)} memories of one day have in common",
        id=f"dream_{digest_of(' '.join(entry.id for entry in memories))}",
        scope=memories[0].scope,
        goal="a lesson that would have helped in most of them",
        outcome=Outcome.PARTIAL,
        error=mistakes[0][0] if mistakes else None,
        events=tuple(
            Event(EventType.SYSTEM_EVENT, _as_event(entry), id=entry.id, timestamp=entry.timestamp)
            for entry in memories
        ),
        timestamp=now,
    )


def _as_event(entry: MemoryEntry) -> str:
    parts = (("", entry.prompt), ("Mistake: ", entry.mistake), ("Correction: ", entry.correction))
    return "\n".join(f"{label}{text}" for label, text in parts if text.strip())


def dream_entries(reflection: Reflection, episode: Episode) -> list[MemoryEntry]:
    """Return the entries for a dream: the reflection's, with the tag "dream" and the memories as evidence."""
    return [
        entry.replace(
            tags=tuple(dict.fromkeys((DREAM_TAG, *entry.tags))),
            evidence=tuple(event.id for event in episode.events),
            timestamp=episode.timestamp,
        )
        for entry in entries_from_reflection(reflection, episode)
    ]
