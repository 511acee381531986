"""Rules for lessons: deduplication, merging, query filters and ranking. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Final, Literal, cast

from jido_ai.errors import ConfigurationError
from jido_ai.memory.evidence import counted_together, joined_runs, learned_id
from jido_ai.memory.examples import SCHEMA, normal_prompt
from jido_ai.memory.importance import spared, unfaded
from jido_ai.memory.index.similarity import jaccard
from jido_ai.text.plain_prompt import plain_prompt
from jido_ai.values import (
    SLACK,
    Episode,
    ErrorClass,
    Link,
    MemoryEntry,
    MemoryKind,
    MemoryQuery,
    Reflection,
    Scored,
    extract_keywords,
)

LESSON_KINDS: Final = (MemoryKind.SEMANTIC, MemoryKind.PROCEDURAL)
KEPT_PROMPTS: Final = 5
MADE_AS: Final = "made_as"
"""Key in the metadata of an edited lesson: the `lesson_key` of the words that a run gave it."""
BY_A_PERSON: Final = "person"
"""Source of the entries that a person wrote or edited."""
PUT: Final = "store"
"""Source of the entries that were put under a key, as into a store of values."""
KEPT_SOURCES: Final = frozenset((BY_A_PERSON, PUT))
_LIFETIMES: Final = {"low": 0.5, "medium": 1.0, "high": 2.0, "critical": 5.0}
_HALF_LIFE_DAYS: Final = 30.0


def lesson_key(entry: MemoryEntry) -> str | None:
    """Return the key by which lessons of one scope and kind are merged; None for entries that are never merged.

    The key is a digest of the lesson's text, and of its task type if it has one. The text is the correction, else the
    mistake, else the prompt. Case, character width and whitespace of the text do not matter. Of lessons that somebody
    put there as they are (`is_kept`) only those have a key that a run had made before a person edited them: that of the
    words at that time, so that what a run learns again does not come back beside them. Examples are merged by their
    prompts and the type of their answers.
    """
    if entry.kind not in LESSON_KINDS:
        return None
    if entry.is_example:
        return _digest(f"example\0{entry.metadata.get(SCHEMA)}\0{normal_prompt(entry.prompt)}")
    if is_kept(entry):
        made_as: object = entry.metadata.get(MADE_AS)
        return made_as if entry.source == BY_A_PERSON and isinstance(made_as, str) else None
    text = _lesson_text(entry) or entry.prompt
    return _digest(text if entry.task_type is None else f"{entry.task_type}\0{text}")


def is_kept(entry: MemoryEntry) -> bool:
    """True for an entry that a person wrote or edited, or put under a key: its words stay, it never fades or goes."""
    return entry.source in KEPT_SOURCES


def rewritten(entry: MemoryEntry, **words: str) -> MemoryEntry:
    """Return the entry in a person's words.

    Args:
        words: `mistake` and `correction`, or of an example its `answer`, whose counts begin anew.
    """
    key, entry = lesson_key(entry), spared(entry)
    if entry.is_example:
        return entry.replace(**words, source=BY_A_PERSON, use_count=0, success_count=0, last_used=None)
    metadata = entry.metadata if key is None else {**entry.metadata, MADE_AS: key}
    return entry.replace(**words, source=BY_A_PERSON, metadata=metadata)


def prompts_of(entry: MemoryEntry) -> tuple[str, ...]:
    """Return the prompts that a lesson was learned from, at most five, the newest first."""
    earlier: object = entry.metadata.get("prompts")
    texts = cast("list[object]", earlier) if isinstance(earlier, list) else []
    kept = [text for text in texts if isinstance(text, str)]
    return tuple(dict.fromkeys((entry.prompt, *kept)))[:KEPT_PROMPTS]


def found_by(kind: str, prompt: str, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts by which an entry is found, apart from its prompt: each is compared with a query on its own.

    A lesson that was merged is found by each of its kept prompts; wisdom (semantic and meta entries) also by its
    pattern, its lesson, its tags together and its domain.

    Args:
        fields: of the entry, by name.
    """
    metadata: object = fields.get("metadata")
    earlier: object = cast("Mapping[str, object]", metadata).get("prompts") if isinstance(metadata, Mapping) else None
    prompts = cast("list[object]", earlier)[:KEPT_PROMPTS] if isinstance(earlier, list) else []
    texts = [one for one in prompts if isinstance(one, str)]
    if kind in _WISDOM:
        said = (
            fields.get("mistake"),
            fields.get("correction"),
            " ".join(fields.get("tags") or ()),
            fields.get("domain"),
        )
        texts += [one for one in said if one and not one.isspace()]
    return tuple(one for one in dict.fromkeys(texts) if one != prompt)


_WISDOM: Final = frozenset((MemoryKind.SEMANTIC, MemoryKind.META))


def _lesson_text(entry: MemoryEntry) -> str | None:
    """Return the correction, else the mistake; None if both are blank."""
    return entry.correction if entry.correction.strip() else entry.mistake if entry.mistake.strip() else None


def _digest(text: str) -> str:
    """Return a digest that ignores case, character width and whitespace."""
    return _digest_of(normal_prompt(text))


def _digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def result_marks(entry: MemoryEntry) -> tuple[str, ...]:
    """Return the marks by which search results are deduplicated: two with the same mark are not both found.

    There is one result per lesson text, normalised as in `lesson_key`, whatever the kind. Episodes are also one per
    prompt, compared exactly, and so are entries without a text. An example is marked by its prompt, normalised.
    """
    if entry.is_example:
        return ("example:" + normal_prompt(entry.prompt),)
    text = _lesson_text(entry)
    marks = () if text is None else ("lesson:" + normal_prompt(text),)
    return marks if marks and entry.kind is not MemoryKind.EPISODIC else ("prompt:" + entry.prompt, *marks)


def short_marks(entry: MemoryEntry) -> tuple[str, ...]:
    """Return the marks as digests, to be kept for many entries."""
    return tuple(map(_digest_of, result_marks(entry)))


def cleaned(entry: MemoryEntry) -> MemoryEntry:
    """Return an entry of an earlier version with its prompt in the user's words; the same object if nothing changes.

    The lesson of a graph's loop also gets the loop's name as its task type, from the run that it was learned from.
    """
    prompt = plain_prompt(entry.prompt)
    if prompt == entry.prompt or not prompt.strip():
        return entry
    node = next((found[1] for run in entry.evidence if (found := _NODE.search(run))), None)
    return entry.replace(prompt=prompt, task_type=entry.task_type or node)


_NODE: Final = re.compile(r"/([^/\[\]]+)(?:\[\d+\])*$")


def merge_lessons(old: MemoryEntry, new: MemoryEntry) -> MemoryEntry:
    """Return `old` and the later lesson `new`, merged into one.

    The older id stays. Texts, times, severity and reward are the newer ones, or those that a person edited; frequency
    and uses are added, but for what both have the evidence of (`evidence.counted_together`); importance (before it
    faded) and impact are the larger; tags, links and evidence are joined, evidence limited to the newest 100. If the
    prompts differ, metadata["prompts"] keeps the newest five. An edit replaces the entry.
    """
    if old.id == new.id and is_kept(new):
        return new
    if old.is_example:
        return _merged_examples(old, new)
    metadata = {**old.metadata, **new.metadata}
    prompts = tuple(dict.fromkeys((*prompts_of(new), *prompts_of(old))))[:KEPT_PROMPTS]
    if len(prompts) > 1:
        metadata["prompts"] = list(prompts)
    words = old if is_kept(old) and not is_kept(new) else new
    merged = words.model_copy(
        update={
            "id": old.id,
            "importance": max(unfaded(old), unfaded(new)),
            "impact": max(old.impact, new.impact),
            "confidence": old.confidence if new.confidence is None else new.confidence,
            "reward": old.reward if new.reward is None else new.reward,
            "tags": tuple(dict.fromkeys((*old.tags, *new.tags))),
            "links": (*old.links, *[link for link in new.links if link not in old.links]),
            "metadata": joined_runs(metadata, old, new),
            **counted_together(old, new),
        }
    )
    return spared(merged) if merged.success_count else merged


def _merged_examples(old: MemoryEntry, new: MemoryEntry) -> MemoryEntry:
    """Return the newer of two examples for a prompt, or that of a person; counts belong to an answer."""
    if is_kept(old) and not is_kept(new):
        return old
    if old.answer != new.answer or (old.id == new.id and not new.evidence):
        return new
    merged = new.model_copy(
        update={
            "id": old.id,
            "importance": max(old.importance, new.importance),
            "metadata": joined_runs(new.metadata, old, new),
            **counted_together(old, new),
        }
    )
    return spared(merged) if merged.success_count else merged


def linked(entry: MemoryEntry, link: Link) -> MemoryEntry:
    """Return the entry with the link added. A link of the same type to the same entry is replaced.

    Raises:
        ConfigurationError: the link points to the entry itself.
    """
    if link.id == entry.id:
        raise ConfigurationError(f"an entry cannot be linked to itself: {link.id}")
    others = (old for old in entry.links if (old.id, old.type) != (link.id, link.type))
    return entry.replace(links=(*others, link))


def unlinked(entry: MemoryEntry, ids: Set[str]) -> MemoryEntry:
    """Return the entry without its links to `ids`; the same object if it has none.

    What was merged into it stays linked: its runs count for this one.
    """
    links = tuple([link for link in entry.links if link.id not in ids or link.type == "merged"])
    return entry if len(links) == len(entry.links) else entry.replace(links=links)


# -- importance ------------------------------------------------------------------------------------


def importance_label(importance: float) -> Literal["low", "medium", "high", "critical"]:
    """Return "critical" from 0.8, "high" from 0.6, "medium" from 0.3, else "low". Source: SPEC R30."""
    if importance >= 0.8 - SLACK:
        return "critical"
    if importance >= 0.6 - SLACK:
        return "high"
    return "medium" if importance >= 0.3 - SLACK else "low"


def lifetime(retention_days: float, importance: float) -> float:
    """Return how many days an entry is kept: `retention_days` x 0.5 for low, 1 medium, 2 high, 5 critical importance.

    Source: SPEC M45.
    """
    return retention_days * _LIFETIMES[importance_label(importance)]


# -- reflections -----------------------------------------------------------------------------------


FINDING: Final = "finding"
"""Key in the metadata of a reflection without a model: what a critic found, where the cause is unknown."""


def knows_cause(reflection: Reflection) -> bool:
    """False if a reflection was made without a model and the cause is unknown: its cause is the same each time."""
    return reflection.source != "fallback" or reflection.error_class is not ErrorClass.UNKNOWN


def teaches(reflection: Reflection) -> bool:
    """False if a reflection knows neither a cause nor a finding of a critic: its advice is the same each time."""
    return knows_cause(reflection) or FINDING in reflection.metadata


def entries_from_reflection(reflection: Reflection, episode: Episode) -> tuple[MemoryEntry, ...]:
    """Return the memory entries for an attempt: the episode, and its strategy, if any, as a lesson.

    The strategy is procedural, has the tag "strategy" and 1.1
    times the importance, at most 1.0. Source: SPEC R22-R24.
    """
    first = entry_from_reflection(reflection, episode)
    if not (reflection.strategy or "").strip():
        return (first,)
    strategy = first.replace(
        id=learned_id(episode.id, MemoryKind.PROCEDURAL),
        kind=MemoryKind.PROCEDURAL,
        correction=reflection.strategy,
        importance=min(1.0, 1.1 * first.importance),
        tags=(*first.tags, *(() if "strategy" in first.tags else ("strategy",))),
        links=(Link(first.id, "outcome"),),
    )
    return (first, strategy)


def entry_from_reflection(reflection: Reflection, episode: Episode) -> MemoryEntry:
    """Return the memory entry for an attempt: its mistake and the correction.

    Raises:
        ConfigurationError: the episode's agent_id is blank.
    """
    if not episode.agent_id.strip():
        raise ConfigurationError("an episode needs an agent_id to be stored in memory, got a blank one")
    critique = episode.critique
    issues = "; ".join(issue.message for issue in critique.issues) if critique else ""
    error_class = reflection.error_class if reflection.error_class is not ErrorClass.UNKNOWN else None
    tags = dict.fromkeys((*reflection.tags, *((error_class.value,) if error_class else ())))
    about = {
        "outcome": episode.outcome and episode.outcome.value,
        "root_cause": reflection.root_cause,
        "strategy": reflection.strategy,
        "error_class": error_class and error_class.value,
        "event_count": len(episode.events),
        "insights": list(reflection.insights),
        "knowledge_gaps": list(reflection.knowledge_gaps),
        "applicability": list(reflection.applicability),
        "warnings": reflection.metadata.get("warnings"),
    }
    return MemoryEntry(
        episode.prompt,
        reflection.problem or reflection.root_cause or issues,
        reflection.lesson,
        id=learned_id(episode.id, MemoryKind.EPISODIC),
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
    """True at `expires_at` and later; False without it."""
    return entry.expires_at is not None and entry.expires_at <= now


def matches(entry: MemoryEntry, query: MemoryQuery) -> bool:
    """True if the entry passes the filters of `query`. Scope, text and expiry are not checked.

    A filter that is None or empty passes everything; one matching tag is enough; bounds are inclusive.
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
        and (query.min_importance is None or entry.importance >= query.min_importance - SLACK)
    )


def rank(entry: MemoryEntry, similarity: float, now: datetime) -> tuple[float, float, float]:
    """Return the sort key, largest first: 0.5 similarity + 0.3 importance + 0.2 recency, then impact, success rate.

    Recency is 1.0 for entries not older than `now` and halves every 30 days; only whole days count. Source: SPEC D5.
    """
    recency = 0.5 ** (_days_old(entry, now) / _HALF_LIFE_DAYS)
    return (0.5 * similarity + 0.3 * entry.importance + 0.2 * recency, entry.impact, entry.success_rate)


def nearest_first(found: Iterable[Scored], now: datetime) -> list[Scored]:
    """Sort entries by similarity; equally similar ones by impact, success rate, whole days of age, and as they were."""
    return sorted(
        found,
        key=lambda one: (
            -one.similarity,
            -one.entry.impact,
            -one.entry.success_rate,
            _days_old(one.entry, now),
        ),
    )


def _days_old(entry: MemoryEntry, now: datetime) -> int:
    return max(0, (now - entry.timestamp).days)


def one_per_prompt_and_lesson(found: Iterable[Scored]) -> list[Scored]:
    """Keep the first entry of each prompt and the first of each lesson text, in the given order."""
    kept: list[Scored] = []
    seen: set[str] = set()
    for scored in found:
        marks = set(result_marks(scored.entry))
        if seen.isdisjoint(marks):
            kept.append(scored)
            seen |= marks
    return kept


def diverse(found: Sequence[tuple[Scored, float]], k: int, *, relevance: float = 0.7) -> list[Scored]:
    """Return at most `k` good and diverse entries, selected by maximal marginal relevance.

    Each step selects the entry with the highest relevance x worth - (1 - relevance) x similarity to the most similar
    selected entry. Similarity is the Jaccard similarity of the keywords of all texts. Of two entries with a
    "contradicts" link only the first selected is returned.

    Args:
        found: entries and their worth, in [0, 1].
        relevance: in [0, 1]; at 1.0 only worth counts.
    """
    waiting: list[tuple[Scored, float, frozenset[str]]]
    waiting = [(scored, worth, _all_keywords(scored.entry)) for scored, worth in found]
    nearest = [0.0 for _ in waiting]
    chosen: list[Scored] = []
    while waiting and len(chosen) < k:
        marks = [
            relevance * worth - (1.0 - relevance) * near for (_, worth, _), near in zip(waiting, nearest, strict=True)
        ]
        at = max(range(len(marks)), key=marks.__getitem__)  # the first of equals
        taken, _, words = waiting.pop(at)
        nearest.pop(at)
        chosen.append(taken)
        kept = [index for index, (scored, _, _) in enumerate(waiting) if not _contradict(taken.entry, scored.entry)]
        nearest = [max(nearest[index], jaccard(words, waiting[index][2])) for index in kept]
        waiting = [waiting[index] for index in kept]
    return chosen


def _all_keywords(entry: MemoryEntry) -> frozenset[str]:
    return extract_keywords("\n".join((entry.prompt, entry.mistake, entry.correction)))


def _contradict(one: MemoryEntry, other: MemoryEntry) -> bool:
    return any(link.type == "contradicts" and link.id == other.id for link in one.links) or any(
        link.type == "contradicts" and link.id == one.id for link in other.links
    )
