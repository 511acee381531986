"""What is told of reflections as events: begun, made, fallen back, failed, stored. Ids and numbers, no texts.

Source: SPEC R50.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from jido_ai.values import Episode, MemoryEntry, MemoryKind, Reflection

__all__ = ["ReflectionLog"]


def _silent(name: str, **data: object) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class ReflectionLog:
    """Tells of reflections.

    Attributes:
        emit: takes the name of an event and its facts, as an actor system does.
    """

    emit: Callable[..., None] = _silent

    def started(self, episode: Episode) -> None:
        """An episode is to be reflected on."""
        self.emit("reflection.started", **_facts(episode))

    def made(self, episode: Episode, reflection: Reflection) -> None:
        """There is a reflection; that diagnosis stood in for a model that failed is trouble, and told as such."""
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
        """There is none; `error` is the kind of what went wrong."""
        self.emit("reflection.failed", **_facts(episode), error=error)

    def stored(self, entries: Iterable[MemoryEntry]) -> None:
        """These entries are what a reflection left in the memory; a strategy is told as such."""
        for entry in entries:
            what = "strategy" if entry.kind is MemoryKind.PROCEDURAL else "reflection"
            self.emit(f"{what}.stored", entry=entry.id, tenant=entry.scope.tenant, importance=entry.importance)


def _facts(episode: Episode) -> dict[str, object]:
    outcome = None if episode.outcome is None else episode.outcome.value
    return {"episode": episode.id, "tenant": episode.scope.tenant, "outcome": outcome, "events": len(episode.events)}
