"""Reflection events: begun, made, fallen back, failed, stored. They carry ids and numbers, no texts.

Source: SPEC R50.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jido_ai.values import Episode, MemoryEntry, MemoryKind, Reflection


def _silent(name: str, **data: object) -> None:
    """Discard the event."""


@dataclass(frozen=True, slots=True)
class ReflectionLog:
    """Emits events about reflections.

    Attributes:
        emit: takes the name of an event and its data, as in an actor system.
    """

    emit: Callable[..., None] = _silent

    def started(self, episode: Episode) -> None:
        """Report that reflection on an episode starts."""
        self.emit("reflection.started", **_facts(episode))

    def made(self, episode: Episode, reflection: Reflection) -> None:
        """Report a reflection; one by diagnosis after the model failed is reported as a fallback."""
        self.emit(
            "reflection.made",
            **_facts(episode),
            importance=reflection.importance,
            confidence=reflection.confidence,
            source=reflection.source,
            has_strategy=bool((reflection.strategy or "").strip()),
        )
        why: object = reflection.metadata.get("fell_back")
        if isinstance(why, str):
            self.emit("reflection.fell_back", **_facts(episode), error=why.partition(":")[0])

    def failed(self, episode: Episode, error: str) -> None:
        """Report that there is no reflection; `error` is the kind of failure."""
        self.emit("reflection.failed", **_facts(episode), error=error)

    def stored(self, entries: Iterable[MemoryEntry]) -> None:
        """Report the entries that a reflection stored in memory; strategies are reported as such."""
        for entry in entries:
            what = "strategy" if entry.kind is MemoryKind.PROCEDURAL else "reflection"
            self.emit(f"{what}.stored", entry=entry.id, tenant=entry.scope.tenant, importance=entry.importance)


def _facts(episode: Episode) -> dict[str, object]:
    outcome = None if episode.outcome is None else episode.outcome.value
    return {"episode": episode.id, "tenant": episode.scope.tenant, "outcome": outcome, "events": len(episode.events)}
