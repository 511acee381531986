"""Meta entries: knowledge about learning itself. Pure.

Source: SPEC M40.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from jido_ai.learning.progress import learning_progress, results_of_runs
from jido_ai.values import SLACK, Episode, LearningProgress, MemoryEntry, MemoryKind, Scope

_LESSONS: Final = (MemoryKind.SEMANTIC, MemoryKind.PROCEDURAL)
_LEAST_ATTEMPTS: Final = 5
_STANDS_STILL: Final = 0.05


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
    for task_type, found in types.items():
        attempts = results_of_runs(found)
        if len(attempts) < _LEAST_ATTEMPTS:
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
