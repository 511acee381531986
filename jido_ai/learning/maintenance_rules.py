"""Maintenance rules: decay, retention, merging, lessons from many attempts, dreams, learning progress. Pure.

`jido_ai.learning.maintenance` reads the entries, applies these rules and writes the results. The rules are idempotent:
applied to their own results they change nothing.

Source: SPEC M40, M44 to M46, R33, R41 to R47 and R62.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal, cast

from pydantic import AwareDatetime, Field, model_validator

from jido_ai.learning.consolidation import (
    absorb,
    cause_key,
    contradictions,
    extract_lessons,
    lessons_by_tag,
    similar_lessons,
)
from jido_ai.learning.progress import learning_progress
from jido_ai.memory.lessons import entries_from_reflection, lesson_key, lifetime
from jido_ai.text.pieces import no_turn
from jido_ai.values import (
    SLACK,
    Count,
    Episode,
    ErrorInfo,
    Event,
    EventType,
    LearningProgress,
    Line,
    MemoryEntry,
    MemoryKind,
    NotNegative,
    Outcome,
    Positive,
    Reflection,
    Scope,
    Unit,
    Value,
)

__all__ = [
    "Gained",
    "MaintenanceConfig",
    "MaintenanceReport",
    "contradicting",
    "decayed",
    "dream_entries",
    "dream_of",
    "gained_from_causes",
    "gained_from_tags",
    "grown",
    "has_outlived",
    "meta_entries",
    "one_of_two",
    "read_episode",
    "saying_the_same",
    "to_dream_of",
]

_DECAY: Final = "decay"
_CAUSES: Final = "causes"
_TAG: Final = "tag"
_DREAM: Final = "dream"
_LESSONS: Final = (MemoryKind.SEMANTIC, MemoryKind.PROCEDURAL)
_KEPT_EVIDENCE: Final = 100
_SECONDS_PER_DAY: Final = 86_400.0
_CLIPPED: Final = 20_000
_ATTEMPTS_TO_TELL: Final = 5
_STANDS_STILL: Final = 0.05

Days = Annotated[float, Field(strict=True, gt=0.0, le=100_000.0)]
Retention = Annotated[float, Field(strict=True, ge=1.0, le=365.0, allow_inf_nan=False)]
"""SPEC M6."""


# -- configuration and report ----------------------------------------------------------------------


class MaintenanceConfig(Value):
    """Settings of a round of maintenance.

    Attributes:
        mode: "lite" or "full", which also dreams; "lite" by default.
        retention_days: entries unused for this many days, 1 to 365, are removed, unless they ever helped: half as many
            days for low importance, twice for high, five times for critical (SPEC M45). None removes expired entries
            only.
        half_life_days: days without use after which the importance has halved, unless the entry ever helped; 30 by
            default (SPEC R45).
        floor: decay does not reduce the importance below this; 0.05 by default.
        episode_days: days to keep episodes in the log; 90 by default, None keeps them.
        journal_days: days to keep the steps of stopped runs in the journal; 30 by default, None keeps them. Interrupted
            runs are always kept.
        dream_lookback_s: maximum age in seconds of memories in a dream; a day by default. This and the next three: SPEC
            R42.
        dream_importance: their minimum importance; 0.6 by default.
        dream_most, dream_least: maximum number of memories in a dream, and the minimum for a dream; 20 and 3.
        dream_timeout_s: timeout of the reflection in seconds; 120 by default.
    """

    mode: Literal["lite", "full"] = "lite"
    retention_days: Retention | None = None
    half_life_days: Days = 30.0
    floor: Unit = 0.05
    episode_days: Days | None = 90.0
    journal_days: Days | None = 30.0
    dream_lookback_s: Positive = _SECONDS_PER_DAY
    dream_importance: Unit = 0.6
    dream_most: Line = 20
    dream_least: Line = 3
    dream_timeout_s: Positive = 120.0

    @model_validator(mode="after")
    def _can_dream(self) -> MaintenanceConfig:
        if self.dream_least > self.dream_most:
            raise ValueError(f"dream_least must be at most dream_most, got {self.dream_least} and {self.dream_most}")
        return self


class MaintenanceReport(Value):
    """The results of a round of maintenance, as counts.

    Attributes:
        scope: the scope; None means all scopes.
        scopes, entries, episodes: number read.
        expired, pruned: entries removed because they expired, or were unused for too long.
        decayed: entries whose importance changed.
        lessons: lessons created or extended from a root cause that several episodes share.
        summaries: lessons created or replaced from a tag that several entries have.
        merged: lessons removed because an older one says the same.
        contradictions: links added between lessons that contradict each other.
        dreams: reflections on recent important memories.
        meta: entries created about learning progress.
        episodes_dropped, runs_dropped: episodes and runs removed from the logs.
        failures: number of operations that failed; the others were done.
        errors: the first hundred failures; `component` names the step and the scope.
    """

    started_at: AwareDatetime
    mode: Literal["lite", "full"] = "lite"
    scope: Scope | None = None
    duration_s: NotNegative = 0.0
    scopes: Count = 0
    entries: Count = 0
    episodes: Count = 0
    expired: Count = 0
    pruned: Count = 0
    decayed: Count = 0
    lessons: Count = 0
    summaries: Count = 0
    merged: Count = 0
    contradictions: Count = 0
    dreams: Count = 0
    meta: Count = 0
    episodes_dropped: Count = 0
    runs_dropped: Count = 0
    failures: Count = 0
    errors: tuple[ErrorInfo, ...] = ()

    @property
    def changes(self) -> int:
        """Return the total number of changes."""
        done = (self.expired, self.pruned, self.decayed, self.lessons, self.summaries, self.merged)
        made = (self.contradictions, self.dreams, self.meta, self.episodes_dropped, self.runs_dropped)
        return sum(done) + sum(made)


# -- decay and retention ---------------------------------------------------------------------------


def decayed(entry: MemoryEntry, now: datetime, config: MaintenanceConfig) -> MemoryEntry:
    """Return the entry with its current importance; the same object if nothing changes.

    The importance halves every `half_life_days` in which the entry is neither stored again nor used, down to `floor`,
    in steps of whole days; a use restores it. Lessons that ever helped and META entries do not decay. If something else
    sets the importance, decay restarts from that value. The result depends only on the times and on the original
    importance, which metadata["decay"] keeps, not on how often this function is applied.
    """
    if entry.kind is MemoryKind.META:
        return entry
    first, since, is_noted = _undecayed(entry, now)
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
    if entry.success_count or entry.kind is MemoryKind.META:
        return False
    first, since, _ = _undecayed(entry, now)
    return (now - since).total_seconds() >= lifetime(retention_days, first) * _SECONDS_PER_DAY


def _undecayed(entry: MemoryEntry, now: datetime) -> tuple[float, datetime, bool]:
    """Return the original importance, the start of the decay, and True if metadata needs no update."""
    touched = entry.timestamp if entry.last_used is None else max(entry.timestamp, entry.last_used)
    note = _note_of(entry)
    if note is None:
        return entry.importance, touched, True
    first, last, noted = note
    since = max(noted, touched)
    if abs(entry.importance - last) <= SLACK:
        return first, since, True
    return entry.importance, (touched if touched > noted else now), False


def _note_of(entry: MemoryEntry) -> tuple[float, float, datetime] | None:
    """Return the original and the last written importance and the start of the decay; None without a valid note."""
    note: object = entry.metadata.get(_DECAY)
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


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def _noted(entry: MemoryEntry, first: float, importance: float, since: datetime) -> MemoryEntry:
    note = {"from": first, "to": importance, "since": since.isoformat()}
    return entry.replace(importance=importance, metadata={**entry.metadata, _DECAY: note})


def _touched(
    entry: MemoryEntry, first: float, since: datetime, now: datetime, config: MaintenanceConfig
) -> MemoryEntry:
    """Return the entry as if it had been stored at `since` with importance `first`."""
    return decayed(_noted(entry, first, first, since), now, config)


# -- merging and contradictions --------------------------------------------------------------------


def saying_the_same(
    entries: Sequence[MemoryEntry], others_turn: Callable[[], None] = no_turn
) -> list[tuple[MemoryEntry, MemoryEntry]]:
    """Return pairs of equivalent lessons, the older first. The newer of a pair is in no other pair.

    Args:
        entries: of one scope, newest first.
        others_turn: called often.
    """
    oldest_first = [entry for entry in reversed(entries) if entry.kind is not MemoryKind.META]
    pairs = similar_lessons(oldest_first, others_turn=others_turn)
    return [(oldest_first[older], oldest_first[newer]) for older, newer in pairs]


def one_of_two(older: MemoryEntry, newer: MemoryEntry, now: datetime, config: MaintenanceConfig) -> MemoryEntry:
    """Return `older` merged with the equivalent lesson `newer`; `older` itself if it was merged before.

    As `absorb`; the importance is the larger one before decay, and decays from the later of both last uses.
    """
    if any((link.id, link.type) == (newer.id, "merged") for link in older.links):
        return older
    (first, since, _), (other, later, _) = _undecayed(older, now), _undecayed(newer, now)
    one = absorb(older, newer)
    causes = _latest(_causes_of(older), _causes_of(newer))
    if causes:
        one = one.replace(metadata={**one.metadata, _CAUSES: causes})
    return _touched(one, max(first, other), max(since, later), now, config)


def contradicting(entries: Sequence[MemoryEntry]) -> list[tuple[str, str]]:
    """Return the missing "contradicts" links between entries: pairs of ids, in both directions."""
    ties: list[tuple[str, str]] = []
    for one, other in contradictions(entries):
        for at, to in ((entries[one], entries[other]), (entries[other], entries[one])):
            if not any((link.id, link.type) == (to.id, "contradicts") for link in at.links):
                ties.append((at.id, to.id))
    return ties


# -- lessons from many attempts --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gained:
    """A lesson to store.

    Attributes:
        into: id of a stored lesson to extend with this one, as `grown` does; None stores a new lesson.
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


def gained_from_causes(
    entries: Sequence[MemoryEntry], attempts: Sequence[tuple[int, Episode]], now: datetime
) -> list[Gained]:
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
        for cause in _causes_of(entry):
            holders.setdefault(cause, entry)
        if entry.kind is MemoryKind.SEMANTIC:
            texts.setdefault(lesson_key(entry) or "", entry)
    known: dict[str, set[str]] = {}
    for row, episode in attempts:
        key = cause_key(episode.reflection.root_cause) if episode.reflection else ""
        holder = holders.get(_digest(key))
        if holder is not None and (row <= _causes_of(holder)[_digest(key)] or episode.id in holder.evidence):
            known.setdefault(key, set()).add(episode.id)
    newest = max((row for row, _ in attempts), default=0)
    gained: list[Gained] = []
    for found in extract_lessons(
        [episode for _, episode in attempts], {cause: frozenset(ids) for cause, ids in known.items()}
    ):
        cause = _digest(cause_key(str(found.metadata["root_cause"])))
        lesson = found.replace(timestamp=now, metadata={**found.metadata, _CAUSES: {cause: newest}})
        text = lesson_key(lesson) or ""
        holder = holders.get(cause) or texts.get(text)
        gained.append(Gained(lesson, holder and holder.id))
        if holder is None:
            holders[cause] = texts[text] = lesson
    return gained


def grown(entry: MemoryEntry, more: MemoryEntry, now: datetime, config: MaintenanceConfig) -> MemoryEntry:
    """Return a lesson extended by further attempts; the lesson itself if it includes them already.

    The text stays. Evidence is joined, frequencies are added, importance and impact are the larger ones.
    """
    before, after = _causes_of(entry), _causes_of(more)
    if all(before.get(cause, -1) >= row for cause, row in after.items()):
        return entry
    first, since, _ = _undecayed(entry, now)
    one = entry.replace(
        frequency=entry.frequency + more.frequency,
        impact=max(entry.impact, more.impact),
        evidence=tuple(dict.fromkeys((*entry.evidence, *more.evidence)))[-_KEPT_EVIDENCE:],
        metadata={**more.metadata, **entry.metadata, _CAUSES: _latest(before, after)},
    )
    return _touched(one, max(first, more.importance), max(since, more.timestamp), now, config)


def gained_from_tags(entries: Sequence[MemoryEntry], now: datetime) -> list[Gained]:
    """Return the summaries of entries that share a tag (SPEC R62).

    Each tag has one summary. It is replaced when there is new evidence, unless it has helped. No summary is made if a
    lesson already has the entries as its evidence or has the same text. Dreams are summaries and are left out.

    Args:
        entries: of one scope, newest first.
    """
    lessons = [entry for entry in entries if entry.kind is MemoryKind.SEMANTIC]
    made = {str(entry.metadata[_TAG]): entry for entry in reversed(lessons) if _TAG in entry.metadata}
    said = {lesson_key(entry) for entry in lessons}
    told = [frozenset(entry.evidence) for entry in lessons]
    gained: list[Gained] = []
    for summary in lessons_by_tag([entry for entry in entries if _DREAM not in entry.tags]):
        (tag,) = summary.tags
        old, text = made.get(tag), lesson_key(summary)
        if any(seen.issuperset(summary.evidence) for seen in told) or not (summary.mistake or summary.correction):
            continue
        if old is not None and old.success_count:
            continue
        if text in said and (old is None or text != lesson_key(old)):
            continue
        new = summary.replace(timestamp=now, metadata={_TAG: tag})
        if old is not None:
            new = new.replace(id=old.id, use_count=old.use_count, last_used=old.last_used, links=old.links)
        gained.append(Gained(new, instead_of=old and old.id))
        said.add(text)
        told.append(frozenset(new.evidence))
    return gained


def _causes_of(entry: MemoryEntry) -> dict[str, int]:
    """Return the row of the newest attempt that a lesson includes, by the digest of the cause."""
    noted: object = entry.metadata.get(_CAUSES)
    if not isinstance(noted, dict):
        return {}
    causes = cast("dict[str, object]", noted)
    return {cause: row for cause, row in causes.items() if isinstance(row, int)}


def _latest(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {cause: max(one.get(cause, 0), other.get(cause, 0)) for cause in (*one, *other)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


# -- dreams ----------------------------------------------------------------------------------------


def to_dream_of(entries: Sequence[MemoryEntry], now: datetime, config: MaintenanceConfig) -> list[MemoryEntry]:
    """Return the episodic memories for a dream, oldest first; none if there are too few (SPEC R41, R42).

    The most important ones of the lookback period, ties to the newer; without dreams and memories of earlier dreams.

    Args:
        entries: of one scope, newest first.
    """
    dreamt = {id for entry in entries if _DREAM in entry.tags for id in entry.evidence}
    fresh = [
        entry
        for entry in entries
        if entry.kind is MemoryKind.EPISODIC
        and _DREAM not in entry.tags
        and entry.id not in dreamt
        and entry.importance >= config.dream_importance - SLACK
        and 0.0 <= (now - entry.timestamp).total_seconds() <= config.dream_lookback_s
    ]
    chosen = sorted(fresh, key=lambda entry: entry.importance, reverse=True)[: config.dream_most]
    if len(chosen) < config.dream_least:
        return []
    return sorted(chosen, key=lambda entry: entry.timestamp)


def dream_of(memories: Sequence[MemoryEntry], now: datetime) -> Episode:
    """Return an episode for the reflector: the memories as the events of an attempt with a partial outcome."""
    mistakes = Counter(entry.mistake for entry in memories if entry.mistake.strip()).most_common(1)
    return Episode(
        f"What {len(memories)} memories of one day have in common",
        id=f"dream_{_digest(' '.join(entry.id for entry in memories))}",
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
    """Return the entries for a dream: those of a reflection, with the tag "dream" and the memories as evidence."""
    return [
        entry.replace(
            tags=tuple(dict.fromkeys((_DREAM, *entry.tags))),
            evidence=tuple(event.id for event in episode.events),
            timestamp=episode.timestamp,
        )
        for entry in entries_from_reflection(reflection, episode)
    ]


# -- learning progress -----------------------------------------------------------------------------


def meta_entries(
    entries: Sequence[MemoryEntry], episodes: Sequence[Episode], scope: Scope, now: datetime
) -> list[MemoryEntry]:
    """Return one entry for each task type whose plateau state or trend direction has changed.

    The trend is up, down, or level if its absolute value is below 0.05. At least five critiqued attempts are needed
    (SPEC M40).

    Args:
        entries: of that scope, newest first, including the previous META entries.
        episodes: of that scope, oldest first.
    """
    types: dict[str, list[Episode]] = {}
    for episode in episodes:
        if episode.task_type and episode.critique is not None:
            types.setdefault(episode.task_type, []).append(episode)
    made: list[MemoryEntry] = []
    for task_type, attempts in types.items():
        if len(attempts) < _ATTEMPTS_TO_TELL:
            continue
        ours = [entry for entry in entries if entry.task_type == task_type]
        progress = learning_progress(task_type, attempts, [entry for entry in ours if entry.kind in _LESSONS])
        last = next((entry for entry in ours if entry.kind is MemoryKind.META), None)
        state = _state_of(progress)
        if last is None or any(last.metadata.get(name) != value for name, value in state.items()):
            made.append(_meta_entry(progress, state, scope, now))
    return made


def _state_of(progress: LearningProgress) -> dict[str, object]:
    trend = progress.improvement_trend
    level = abs(trend) < _STANDS_STILL - SLACK
    return {"plateau": progress.plateau, "direction": "level" if level else ("up" if trend > 0.0 else "down")}


def _meta_entry(progress: LearningProgress, state: Mapping[str, object], scope: Scope, now: datetime) -> MemoryEntry:
    issues, focus = "; ".join(progress.persistent_issues), ", ".join(progress.next_focus_areas)
    helped = "; ".join(progress.key_lessons)
    said = [
        f"After {progress.total_attempts} judged attempts the trend is {state['direction']} "
        f"({progress.improvement_trend:+.2f}), the mean score {progress.average_score:.2f}.",
        f"The last {progress.plateau_attempts} attempts changed almost nothing." if progress.plateau else "",
        f"What helped: {helped}." if helped else "",
        f"To work on: {focus}." if focus else "",
    ]
    return MemoryEntry(
        f"How learning goes at {progress.task_type}",
        issues,
        " ".join(part for part in said if part),
        kind=MemoryKind.META,
        scope=scope,
        task_type=progress.task_type,
        tags=("learning",),
        timestamp=now,
        source="maintenance",
        metadata={
            **state,
            "attempts": progress.total_attempts,
            "success_rate": progress.success_rate,
            "average_score": progress.average_score,
            "trend": progress.improvement_trend,
        },
    )
