"""Promotion: causes and tags that several attempts share become lessons. Pure.

Idempotent. Source: SPEC R43, R44, R62.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from jido_ai.learning.consolidation import cause_key, extract_lessons, lessons_by_tag
from jido_ai.learning.decay import touched_at, undecayed
from jido_ai.learning.maintenance_report import MaintenanceConfig
from jido_ai.memory.evidence import counted_together
from jido_ai.memory.lessons import lesson_key
from jido_ai.values import Episode, MemoryEntry, MemoryKind

CAUSES: Final = "causes"
"""In the metadata of a lesson: the row of the newest attempt that it includes, by the digest of the cause."""
DREAM_TAG: Final = "dream"
_TAG: Final = "tag"
_CLIPPED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Promotion:
    """A lesson to store.

    Attributes:
        into: id of a stored lesson to extend with this one, as `reinforce` does; None stores a new lesson.
        instead_of: id of the entry that it replaces.
    """

    lesson: MemoryEntry
    into: str | None = None
    instead_of: str | None = None


def read_episode(data: Mapping[str, Any]) -> Episode:
    """Return a logged episode without its events, its candidate cut to 20,000 characters.

    Raises:
        ConfigurationError: the data is not an episode.
    """
    short = {**data, "events": ()}
    candidate: object = short.get("candidate")
    if isinstance(candidate, dict):
        fields = cast("dict[str, object]", candidate)
        content = fields.get("content")
        if isinstance(content, str) and len(content) > _CLIPPED:
            short["candidate"] = {**fields, "content": content[:_CLIPPED]}
    return Episode.model_validate(short)


def promotions_from_causes(
    entries: Sequence[MemoryEntry], attempts: Sequence[tuple[int, Episode]], now: datetime
) -> list[Promotion]:
    """Return the lessons from root causes that several attempts share (SPEC H56).

    Each cause has one lesson, whose text does not change. Later attempts extend it; metadata["causes"] keeps the row of
    the newest attempt it includes, by a digest of the cause.

    Args:
        entries: of one scope.
        attempts: of that scope, oldest first, each with its row in the log.
    """
    holders: dict[str, MemoryEntry] = {}
    texts: dict[str, MemoryEntry] = {}
    for entry in entries:
        for cause in causes_of(entry):
            holders.setdefault(cause, entry)
        if entry.kind is MemoryKind.SEMANTIC:
            texts.setdefault(lesson_key(entry) or "", entry)
    known: dict[str, set[str]] = {}
    for row, episode in attempts:
        key = cause_key(episode.reflection.root_cause) if episode.reflection else ""
        holder = holders.get(digest_of(key))
        if holder is not None and (row <= causes_of(holder)[digest_of(key)] or episode.id in holder.evidence):
            known.setdefault(key, set()).add(episode.id)
    newest = max((row for row, _ in attempts), default=0)
    promotions: list[Promotion] = []
    for found in extract_lessons(
        [episode for _, episode in attempts], {cause: frozenset(ids) for cause, ids in known.items()}
    ):
        cause = digest_of(cause_key(str(found.metadata["root_cause"])))
        lesson = found.replace(timestamp=now, metadata={**found.metadata, CAUSES: {cause: newest}})
        text = lesson_key(lesson) or ""
        holder = holders.get(cause) or texts.get(text)
        promotions.append(Promotion(lesson, holder and holder.id))
        if holder is None:
            holders[cause] = texts[text] = lesson
    return promotions


def reinforce(entry: MemoryEntry, more: MemoryEntry, now: datetime, config: MaintenanceConfig) -> MemoryEntry:
    """Return a lesson extended by further attempts; the lesson itself if it includes them already.

    The text stays. Evidence is joined, frequencies are added, importance and impact are the larger ones.
    """
    before, after = causes_of(entry), causes_of(more)
    if all(before.get(cause, -1) >= row for cause, row in after.items()):
        return entry
    first, since, _ = undecayed(entry, now)
    one = entry.replace(
        impact=max(entry.impact, more.impact),
        metadata={**more.metadata, **entry.metadata, CAUSES: latest(before, after)},
        **counted_together(entry, more),
    )
    return touched_at(one, max(first, more.importance), max(since, more.timestamp), now, config)


def promotions_from_tags(entries: Sequence[MemoryEntry], now: datetime) -> list[Promotion]:
    """Return the summaries of entries that share a tag (SPEC R62).

    Each tag has one summary. It is replaced when there is new evidence, unless it has helped. No summary is made if a
    lesson already has the entries as its evidence or has the same text. Dreams are summaries and are left out.

    Args:
        entries: of one scope, newest first.
    """
    lessons = [entry for entry in entries if entry.kind is MemoryKind.SEMANTIC]
    made = {str(entry.metadata[_TAG]): entry for entry in reversed(lessons) if _TAG in entry.metadata}
    said = {lesson_key(entry) for entry in lessons}
    covered = [frozenset(entry.evidence) for entry in lessons]
    promotions: list[Promotion] = []
    for summary in lessons_by_tag([entry for entry in entries if DREAM_TAG not in entry.tags]):
        (tag,) = summary.tags
        old, text = made.get(tag), lesson_key(summary)
        if any(seen.issuperset(summary.evidence) for seen in covered) or not (summary.mistake or summary.correction):
            continue
        if old is not None and old.success_count:
            continue
        if text in said and (old is None or text != lesson_key(old)):
            continue
        new = summary.replace(timestamp=now, metadata={_TAG: tag})
        if old is not None:
            new = new.replace(id=old.id, use_count=old.use_count, last_used=old.last_used, links=old.links)
        promotions.append(Promotion(new, instead_of=old and old.id))
        said.add(text)
        covered.append(frozenset(new.evidence))
    return promotions


def causes_of(entry: MemoryEntry) -> dict[str, int]:
    """Return the row of the newest attempt that a lesson includes, by the digest of the cause."""
    noted: object = entry.metadata.get(CAUSES)
    if not isinstance(noted, dict):
        return {}
    causes = cast("dict[str, object]", noted)
    return {cause: row for cause, row in causes.items() if isinstance(row, int)}


def latest(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {cause: max(one.get(cause, 0), other.get(cause, 0)) for cause in (*one, *other)}


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
