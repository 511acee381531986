"""Consolidation: lessons by root cause and by tag, equivalent and contradicting lessons. Pure.

Source: the wisdom of HelixAgent's reflexion (SPEC H55 to H60), the consolidation of the MCP server (M46) and of the
reflective memory (R62).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from jido_ai.memory.evidence import KEPT_EVIDENCE, counted_together, joined_runs
from jido_ai.memory.index.similarity import jaccard
from jido_ai.memory.lessons import KEPT_PROMPTS, knows_cause, prompts_of
from jido_ai.models.prompts.reflection import errors_of
from jido_ai.text.pieces import no_turn
from jido_ai.values import Episode, ErrorClass, Link, MemoryEntry, MemoryKind, Reflection, extract_keywords

_LEAST_GROUP: Final = 2


# -- lessons by root cause -------------------------------------------------------------------------


def extract_lessons(
    episodes: Sequence[Episode], known: Mapping[str, frozenset[str]] | None = None
) -> list[MemoryEntry]:
    """Return one lesson per root cause that at least two episodes of a scope share, in order of first appearance.

    Causes are compared without case, character width and whitespace. Episodes without a reflection or a (known) root
    cause are skipped. The text comes from the reflection with the highest confidence, ties to the newer.

    Args:
        episodes: oldest first.
        known: ids of the episodes that a lesson already includes, by cause, as `cause_key` returns it. A lesson without
            new episodes is not returned; in a lesson with new ones only those are counted.
    """
    groups: dict[tuple[str, str, str], list[tuple[Episode, Reflection]]] = {}
    for episode in episodes:
        reflection = episode.reflection
        if reflection is not None and reflection.root_cause.strip() and knows_cause(reflection):
            key = (episode.scope.tenant, episode.scope.project, cause_key(reflection.root_cause))
            groups.setdefault(key, []).append((episode, reflection))
    lessons: list[MemoryEntry] = []
    for (_, _, cause), group in groups.items():
        before = (known or {}).get(cause, frozenset())
        new = [episode for episode, _ in group if episode.id not in before]
        if len(group) >= _LEAST_GROUP and new:
            lessons.append(_lesson(group, new))
    return lessons


def cause_key(cause: str) -> str:
    """Return a root cause in normal form: case, character width and whitespace are ignored."""
    return " ".join(unicodedata.normalize("NFKC", cause).casefold().split())


def _lesson(group: Sequence[tuple[Episode, Reflection]], new: Sequence[Episode]) -> MemoryEntry:
    episodes = [episode for episode, _ in group]
    best = max(enumerate(reflection for _, reflection in group), key=lambda pair: (pair[1].confidence, pair[0]))[1]
    pattern = best.root_cause.strip()
    newest = episodes[-1]
    types = {episode.task_type for episode in episodes}
    return MemoryEntry(
        newest.prompt,
        pattern,
        best.lesson,
        kind=MemoryKind.SEMANTIC,
        scope=newest.scope,
        severity=max((episode.critique.severity for episode in episodes if episode.critique), default=0.5),
        importance=max(reflection.importance for _, reflection in group),
        confidence=best.confidence,
        impact=impact_of(episodes),
        domain=infer_domain(episodes),
        task_type=types.pop() if len(types) == 1 else None,
        tags=extract_tags(pattern),
        frequency=len(new),
        evidence=tuple(episode.id for episode in new)[-KEPT_EVIDENCE:],
        source="consolidation",
        metadata={"root_cause": pattern},
    )


def impact_of(episodes: Iterable[Episode]) -> float:
    """Return the impact of the reflections on a cause, in [0, 1].

    It is the sum of the rises of the reflections' confidence from one attempt of a session (or of an agent, without a
    session) to the next, divided by the number of such pairs; 0.0 without pairs (SPEC H57).
    """
    sessions: dict[str, list[tuple[int, float]]] = {}
    for episode in episodes:
        if episode.reflection is not None:
            of_one = sessions.setdefault(episode.session_id or f"agent {episode.agent_id}", [])
            of_one.append((episode.attempt, episode.reflection.confidence))
    rises = [
        later - earlier
        for attempts in sessions.values()
        for (_, earlier), (_, later) in pairwise(sorted(attempts, key=lambda pair: pair[0]))
    ]
    return min(1.0, sum(rise for rise in rises if rise > 0.0) / len(rises)) if rises else 0.0


_SIGNALS: Final[Mapping[str, tuple[str, ...]]] = {
    "code": ("func ", "return ", "package ", "import ", "class ", "def ", "var ", "const "),
    "testing": ("test", "assert", "expect", "mock", "coverage", "fail"),
    "architecture": ("interface", "module", "service", "layer", "pattern", "decouple", "dependency"),
    "concurrency": ("goroutine", "mutex", "channel", "deadlock", "race", "concurrent", "sync"),
    "performance": ("latency", "throughput", "memory", "cpu", "benchmark", "optimize", "cache"),
}
# Match at the start of words only: else "traceback" contains "race", and "async" contains "sync".
_DOMAIN: Final = {
    domain: re.compile("|".join(rf"(?<!\w){re.escape(word)}" for word in words)) for domain, words in _SIGNALS.items()
}


def infer_domain(episodes: Iterable[Episode]) -> str:
    """Return the domain of a cause: code, testing, architecture, concurrency or performance.

    Each episode gives a domain one point if a word in the candidate, the error or the critique begins with one of its
    signal words. The domain with the most points wins; on ties or without points the first in that order (SPEC H58).
    """
    points: Counter[str] = Counter()
    for episode in episodes:
        texts = (episode.candidate.content if episode.candidate else "", *errors_of(episode))
        text = "\n".join(texts).lower()
        points.update(domain for domain, signal in _DOMAIN.items() if signal.search(text))
    return max(_SIGNALS, key=lambda domain: points[domain])


_EDGES: Final = ".,;:!?\"'()[]{}"
_NO_TAGS: Final = frozenset(
    """the and for with that this from are was were been being have has had does did but not you all can her his its
    may our out who how than too very just about into over such also which each other""".split()  # noqa: SIM905
)
_MOST_TAGS: Final = 20


def extract_tags(pattern: str) -> tuple[str, ...]:
    """Return the words of a pattern to use as tags, in order of first appearance, at most 20.

    Lower case, punctuation stripped from the ends, longer than two characters, without 42 stop words (SPEC H59, H11).
    """
    words = (word.strip(_EDGES) for word in pattern.lower().split())
    tags = dict.fromkeys(word for word in words if len(word) > 2 and word not in _NO_TAGS)
    return tuple(tags)[:_MOST_TAGS]


# -- equivalent lessons ----------------------------------------------------------------------------

_SIMILAR: Final = 0.9


def similar_lessons(
    entries: Sequence[MemoryEntry], *, threshold: float = _SIMILAR, others_turn: Callable[[], None] = no_turn
) -> list[tuple[int, int]]:
    """Return pairs of indices of equivalent entries, the older first. Each newer entry is in at most one pair.

    Entries are equivalent if they have the same scope, kind and task type, and the Jaccard similarity of both their
    prompts and their texts is at least `threshold`. Episodes are never equivalent (SPEC M46).

    Args:
        entries: oldest first.
        threshold: in (0, 1], inclusive.
        others_turn: called for each entry read and each entry freed, to release the GIL.
    """
    pairs: list[tuple[int, int]] = []
    kept: dict[tuple[str, str, str, str | None], list[tuple[int, _Words]]] = {}
    for index, entry in enumerate(entries):
        if entry.kind is MemoryKind.EPISODIC:
            continue
        others_turn()
        others = kept.setdefault((entry.scope.tenant, entry.scope.project, entry.kind.value, entry.task_type), [])
        words = (extract_keywords(entry.prompt), extract_keywords(_said(entry)))
        older = next((other for other, theirs in others if _are_alike(theirs, words, threshold - 1e-9)), None)
        if older is None:
            others.append((index, words))
        else:
            pairs.append((older, index))
    for others in kept.values():
        while others:  # freeing a million words at once blocks other threads
            others.pop()
            others_turn()
    return pairs


_Words = tuple[frozenset[str], frozenset[str]]


def _are_alike(one: _Words, other: _Words, threshold: float) -> bool:
    """True if both prompts and texts are at least `threshold` similar. The sizes alone exclude most pairs."""
    return all(
        min(len(a), len(b)) >= threshold * max(len(a), len(b)) and jaccard(a, b) >= threshold
        for a, b in zip(one, other, strict=True)
    )


def _likeness(one: str, other: str) -> float:
    return jaccard(extract_keywords(one), extract_keywords(other))


def _said(entry: MemoryEntry) -> str:
    return f"{entry.mistake}\n{entry.correction}" if entry.mistake or entry.correction else entry.prompt


def absorb(older: MemoryEntry, newer: MemoryEntry) -> MemoryEntry:
    """Return `older` merged with the equivalent `newer`; texts and id are those of `older`.

    Evidence is joined, uses and frequencies are added, importance and impact are the larger, and a link of type
    "merged" keeps the id of `newer` (SPEC M46).
    """
    links = dict.fromkeys((*older.links, *newer.links, Link(newer.id, "merged")))
    prompts = list(dict.fromkeys((*prompts_of(older), *prompts_of(newer))))[:KEPT_PROMPTS]
    metadata = older.metadata if len(prompts) < 2 else {**older.metadata, "prompts": prompts}
    return older.replace(
        importance=max(older.importance, newer.importance),
        impact=max(older.impact, newer.impact),
        tags=tuple(dict.fromkeys((*older.tags, *newer.tags))),
        links=tuple(link for link in links if link.id != older.id),
        metadata=joined_runs(metadata, older, newer),
        **counted_together(older, newer),
    )


# -- contradicting lessons -------------------------------------------------------------------------

_SAME_MISTAKE: Final = 0.6
_OTHER_WORDS: Final = 0.3
_ENOUGH_USES: Final = 3


def contradictions(entries: Sequence[MemoryEntry]) -> list[tuple[int, int]]:
    """Return pairs of indices of lessons that contradict each other, the helpful one first.

    Two lessons of one scope contradict each other if their mistakes are similar (0.6 or more), their corrections are
    not (0.3 or less), each was used at least three times, and one helped in more than half of its uses, the other in
    less.
    """
    lessons = [
        (index, entry)
        for index, entry in enumerate(entries)
        if entry.kind in (MemoryKind.SEMANTIC, MemoryKind.PROCEDURAL) and entry.use_count >= _ENOUGH_USES
    ]
    good = [(index, entry) for index, entry in lessons if entry.success_rate > 0.5]
    bad = [(index, entry) for index, entry in lessons if entry.success_rate < 0.5]
    return [
        (index, other)
        for index, entry in good
        for other, opposed in bad
        if entry.scope == opposed.scope
        and _likeness(entry.mistake or entry.prompt, opposed.mistake or opposed.prompt) >= _SAME_MISTAKE
        and _likeness(entry.correction, opposed.correction) <= _OTHER_WORDS
    ]


# -- lessons by tag --------------------------------------------------------------------------------

_TAG_GROUP: Final = 5
_LOOKED_AT: Final = 100
_NOISE: Final = 0.2
_GATE_FROM: Final = 3
_POINTS: Final = 5


def lessons_by_tag(entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    """Return one summary per tag that at least five of the newest hundred episodic entries of a scope have.

    Entries with an importance below 0.2 are left out if more than three others remain (SPEC R62). The text is composed
    without a model; the same entries give the same text, so it is not stored twice.

    Args:
        entries: of one scope, newest first.
    """
    groups: dict[str, list[MemoryEntry]] = {}
    episodic = [entry for entry in entries if entry.kind is MemoryKind.EPISODIC][:_LOOKED_AT]
    for entry in episodic:
        for tag in entry.tags:
            groups.setdefault(tag, []).append(entry)
    summaries: list[MemoryEntry] = []
    for tag, group in groups.items():
        if len(group) < _TAG_GROUP or tag == ErrorClass.UNKNOWN:  # they have nothing in common
            continue
        loud = [entry for entry in group if entry.importance >= _NOISE - 1e-9]
        kept = loud if len(loud) > _GATE_FROM else group
        summaries.append(_summary(tag, kept))
    return summaries


def _summary(tag: str, group: Sequence[MemoryEntry]) -> MemoryEntry:
    mistakes, corrections = (
        "; ".join(text for text, _ in Counter(text for text in texts if text.strip()).most_common(_POINTS))
        for texts in ([entry.mistake for entry in group], [entry.correction for entry in group])
    )
    return MemoryEntry(
        f"{tag}: what {len(group)} attempts have in common",
        mistakes,
        corrections,
        kind=MemoryKind.SEMANTIC,
        scope=group[0].scope,
        importance=max(entry.importance for entry in group),
        severity=max(entry.severity for entry in group),
        tags=(tag,),
        frequency=len(group),
        evidence=tuple(dict.fromkeys(one for entry in group for one in (entry.evidence or (entry.id,))))[
            :KEPT_EVIDENCE
        ],
        source="consolidation",
    )
