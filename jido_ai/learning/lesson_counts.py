"""Counts of a lesson: the runs that it was offered to, shown in and used by, and how they ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Protocol

from jido_ai.learning.history import read_attempts
from jido_ai.learning.progress import (
    VerifiedLearning,
    applied_in,
    results_of_runs,
    shown_in,
    succeeded,
    verified_learning,
)
from jido_ai.memory.trials import TRIALS, paused_in, trial_key, trials_in
from jido_ai.values import Episode, MemoryEntry, Scope
from jido_ai.values.record import LogName, Record

_NEWEST: Final = 2_000
_NOTHING: Final = VerifiedLearning(0, 0, None, None, None, None, None)


class RecordReader(Protocol):
    """A memory or a store, as far as its logs go."""

    async def records(
        self, log: LogName, *, scope: Scope | None, key: str | None = None, newest_first: bool, limit: int | None
    ) -> list[Record]: ...


@dataclass(frozen=True, slots=True)
class LessonCounts:
    """Counts of the runs that had a lesson.

    Attributes:
        offered: runs whose context had it.
        shown: runs of these in which a component put it into a prompt, or read it.
        used: runs of these that applied an operator that it names, or cited it.
        offered_succeeded, shown_succeeded, used_succeeded: how many of these runs succeeded.
        compared: runs that were shown it, against runs of the same task types that were not.
        paused: entries of its kind are not shown to runs of its task type for now, because they hurt.
    """

    offered: int = 0
    offered_succeeded: int = 0
    shown: int = 0
    shown_succeeded: int = 0
    used: int = 0
    used_succeeded: int = 0
    compared: VerifiedLearning = _NOTHING
    paused: bool = False


def lesson_counts(results: Sequence[Episode], ids: Iterable[str]) -> dict[str, LessonCounts]:
    """Return the counts of lessons.

    Args:
        results: one attempt per run, of one scope: see `results_of_runs`.
        ids: of the lessons.
    """
    offers: dict[str, list[Episode]] = {}
    for one in results:
        for id in dict.fromkeys(one.memories_used):
            offers.setdefault(id, []).append(one)
    counts: dict[str, LessonCounts] = {}
    for id in ids:
        offered = offers.get(id)
        if offered is None:
            counts[id] = LessonCounts()
            continue
        shown = [one for one in offered if id in shown_in(one)]
        used = [one for one in shown if id in applied_in(one)]
        types = {one.task_type for one in shown}
        alike = (one for one in results if one.task_type in types)
        counts[id] = LessonCounts(
            offered=len(offered),
            offered_succeeded=sum(map(succeeded, offered)),
            shown=len(shown),
            shown_succeeded=sum(map(succeeded, shown)),
            used=len(used),
            used_succeeded=sum(map(succeeded, used)),
            compared=verified_learning(alike, with_lesson=id),
        )
    return counts


async def counts_of(memory: RecordReader, entries: Iterable[MemoryEntry]) -> dict[tuple[Scope, str], LessonCounts]:
    """Return the counts of entries, from the newest 2,000 attempts of each scope, by scope and id.

    A run that had a lesson which was merged into another one later had that one.
    """
    lessons: list[tuple[Scope, str]] = []
    heirs: dict[tuple[Scope, str], str] = {}
    kinds: dict[tuple[Scope, str | None], list[MemoryEntry]] = {}
    for entry in entries:
        lessons.append((entry.scope, entry.id))
        kinds.setdefault((entry.scope, entry.task_type), []).append(entry)
        heirs |= heirs_of(entry)
    counts = await counts_by_id(memory, lessons, heirs)
    for (scope, task_type), alike in kinds.items():
        newest = await memory.records(TRIALS, scope=scope, key=trial_key(task_type), newest_first=True, limit=1)
        paused = paused_in(trials_in(newest))
        for entry in alike if paused else ():
            if ("examples" if entry.is_example else "lessons") in paused:
                counts[scope, entry.id] = replace(counts[scope, entry.id], paused=True)
    return counts


def heirs_of(entry: MemoryEntry) -> dict[tuple[Scope, str], str]:
    """Return the id of an entry by scope and id of each one that was merged into it."""
    return {(entry.scope, link.id): entry.id for link in entry.links if link.type == "merged"}


async def counts_by_id(
    memory: RecordReader, lessons: Iterable[tuple[Scope, str]], heirs: Mapping[tuple[Scope, str], str]
) -> dict[tuple[Scope, str], LessonCounts]:
    """Return the same of lessons that are known by scope and id.

    Args:
        heirs: see `heirs_of`.
    """
    scopes: dict[Scope, list[str]] = {}
    for scope, id in lessons:
        scopes.setdefault(scope, []).append(id)
    found: dict[tuple[Scope, str], LessonCounts] = {}
    for scope, ids in scopes.items():
        newest_first = await memory.records("episodes", scope=scope, newest_first=True, limit=_NEWEST)
        episodes = dict(await read_attempts(newest_first[::-1]))
        results = results_of_runs(sorted(episodes.values(), key=lambda episode: episode.timestamp))
        here = {id: heir for (place, id), heir in heirs.items() if place == scope}
        if here:
            results = [_of_heirs(one, here) for one in results]
        found |= {(scope, id): counts for id, counts in lesson_counts(results, ids).items()}
    return found


def _of_heirs(result: Episode, heirs: Mapping[str, str]) -> Episode:
    """Return a run's attempt with the ids of surviving lessons in place of those that were merged into them."""
    used, applied = ([heirs.get(id, id) for id in ids] for ids in (result.memories_used, applied_in(result)))
    return result.replace(memories_used=used, metadata={**result.metadata, "applied": applied})


def counts_in_words(counts: LessonCounts) -> str:
    """Say how often a lesson was shown and with what success; that it helped only if chance does not explain it."""
    if counts.paused:
        return f"paused: such entries hurt runs of this task type; {counts_in_words(replace(counts, paused=False))}"
    if not counts.offered:
        return "not offered to a run yet"
    runs = "1 run" if counts.offered == 1 else f"{counts.offered:,} runs"
    if not counts.shown:
        return f"offered to {runs}, and no component looked at it"
    used = f", used in {counts.used:,}" if counts.used else ""
    compared = counts.compared
    said = (
        f"shown in {counts.shown:,} of {runs}{used}; {counts.shown_succeeded:,} of {counts.shown:,} succeeded with it"
    )
    others = compared.without_lessons
    if not others:
        return f"{said}; no run of the kind without it to compare with"
    without = f"{said}, {round(others * (compared.rate_without or 0.0)):,} of {others:,} without it"
    if compared.low is None or compared.high is None or compared.verdict == "not shown":
        return f"{without}: too few to tell"
    how = "helped" if compared.verdict == "better" else "hurt"
    return f"{without}: {how} ({100 * compared.low:+.0f} to {100 * compared.high:+.0f} points, 95 % interval)"


def counts_map(counts: LessonCounts) -> Mapping[str, Any]:
    """Return the counts as JSON."""
    compared = {**asdict(counts.compared), "verdict": counts.compared.verdict}
    return {**asdict(counts), "compared": compared, "in_words": counts_in_words(counts)}
