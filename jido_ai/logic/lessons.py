"""What is kept once, what two lessons become, what a query asks for, and in which order it gets it."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from jido_ai.errors import ConfigurationError
from jido_ai.values import Episode, MemoryEntry, MemoryKind, MemoryQuery, Reflection, Scored

__all__ = [
    "entry_from_reflection",
    "is_expired",
    "lesson_key",
    "matches",
    "merge_lessons",
    "one_per_prompt_and_lesson",
    "rank",
    "used",
]

_LESSONS: Final = (MemoryKind.SEMANTIC, MemoryKind.PROCEDURAL)
_KEPT_EVIDENCE: Final = 100
_HALF_LIFE_DAYS: Final = 30.0
_SECONDS_PER_DAY: Final = 86_400.0


def lesson_key(entry: MemoryEntry) -> str | None:
    """Return what makes a lesson the same lesson within its scope and kind; None for what is never merged.

    It is a digest of the lesson's text (the correction, else the mistake, else the prompt), compared without regard to
    case, width of characters and blanks.
    """
    if entry.kind not in _LESSONS:
        return None
    text = next((text for text in (entry.correction, entry.mistake) if text.strip()), entry.prompt)
    normal = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return hashlib.sha256(normal.encode("utf-8", "surrogatepass")).hexdigest()


def merge_lessons(old: MemoryEntry, new: MemoryEntry) -> MemoryEntry:
    """Return the one lesson that `old` and `new`, learnt later, become.

    The older id stays. Texts, times, severity and reward are the newer ones; frequency and uses add up; importance and
    impact are the larger; tags, links and evidence are joined, evidence up to the newest 100.
    """
    return new.replace(
        id=old.id,
        importance=max(old.importance, new.importance),
        impact=max(old.impact, new.impact),
        confidence=old.confidence if new.confidence is None else new.confidence,
        reward=old.reward if new.reward is None else new.reward,
        tags=tuple(dict.fromkeys((*old.tags, *new.tags))),
        evidence=tuple(dict.fromkeys((*old.evidence, *new.evidence)))[-_KEPT_EVIDENCE:],
        links=(*old.links, *(link for link in new.links if link not in old.links)),
        frequency=old.frequency + new.frequency,
        use_count=old.use_count + new.use_count,
        success_count=old.success_count + new.success_count,
        last_used=max((used for used in (old.last_used, new.last_used) if used), default=None),
        metadata={**old.metadata, **new.metadata},
    )


def used(entry: MemoryEntry, *, success: bool, now: datetime) -> MemoryEntry:
    """Return the entry after it was applied once more."""
    return entry.replace(
        use_count=entry.use_count + 1, success_count=entry.success_count + bool(success), last_used=now
    )


def entry_from_reflection(reflection: Reflection, episode: Episode) -> MemoryEntry:
    """Return what is remembered of an attempt: what went wrong, and what to do instead.

    Raises:
        ConfigurationError: the episode names no agent.
    """
    if not episode.agent_id.strip():
        raise ConfigurationError("an episode that is remembered needs an agent_id, got a blank one")
    critique = episode.critique
    issues = "; ".join(issue.message for issue in critique.issues) if critique else ""
    error_class = reflection.error_class
    tags = dict.fromkeys((*reflection.tags, *((error_class.value,) if error_class else ())))
    about = {
        "outcome": episode.outcome and episode.outcome.value,
        "root_cause": reflection.root_cause,
        "strategy": reflection.strategy,
    }
    return MemoryEntry(
        episode.prompt,
        reflection.problem or reflection.root_cause or issues,
        reflection.lesson,
        scope=episode.scope,
        severity=critique.severity if critique else 0.5,
        reward=critique.reward if critique else None,
        importance=reflection.importance,
        confidence=reflection.confidence,
        tags=tuple(tags),
        task_type=episode.task_type,
        agent_id=episode.agent_id,
        session_id=episode.session_id,
        evidence=(episode.id,),
        source=f"reflection:{reflection.source}",
        metadata={name: value for name, value in about.items() if value},
    )


# -- queries ---------------------------------------------------------------------------------------


def is_expired(entry: MemoryEntry, now: datetime) -> bool:
    """True from the very moment it expires."""
    return entry.expires_at is not None and entry.expires_at <= now


def matches(entry: MemoryEntry, query: MemoryQuery) -> bool:
    """True when the entry passes the filters of `query`; scope, text and expiry are not looked at.

    A filter that is None or empty lets everything pass; of several tags one is enough; bounds are inclusive.
    """
    return (
        (not query.kinds or entry.kind in query.kinds)
        and (not query.tags or not set(query.tags).isdisjoint(entry.tags))
        and query.domain in (None, entry.domain)
        and query.task_type in (None, entry.task_type)
        and query.agent_id in (None, entry.agent_id)
        and query.session_id in (None, entry.session_id)
        and (query.since is None or entry.timestamp >= query.since)
        and (query.until is None or entry.timestamp <= query.until)
        and (query.min_importance is None or entry.importance >= query.min_importance)
    )


def rank(entry: MemoryEntry, similarity: float, now: datetime) -> tuple[float, float, float]:
    """Return what to sort by, largest first: 0.5 similarity + 0.3 importance + 0.2 recency, then impact, success rate.

    Recency halves every 30 days and is 1.0 for what is not older than `now`. Source: SPEC D5.
    """
    age_days = max(0.0, (now - entry.timestamp).total_seconds() / _SECONDS_PER_DAY)
    recency = 0.5 ** (age_days / _HALF_LIFE_DAYS)
    return (0.5 * similarity + 0.3 * entry.importance + 0.2 * recency, entry.impact, entry.success_rate)


def one_per_prompt_and_lesson(found: Iterable[Scored]) -> list[Scored]:
    """Keep the first entry of each prompt and the first of each lesson text, in the given order."""
    kept: list[Scored] = []
    seen: set[tuple[str, str]] = set()
    for scored in found:
        key = lesson_key(scored.entry)
        marks = {("prompt", scored.entry.prompt)}
        if key is not None:
            marks.add(("lesson", key))
        if seen.isdisjoint(marks):
            kept.append(scored)
            seen |= marks
    return kept
