"""Reports on how attempts develop by task type, and whether lessons help, from a memory's records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from jido_ai.errors import NotFoundError
from jido_ai.learning.history import attempts_of, lessons_of
from jido_ai.learning.progress import (
    VerifiedLearning,
    is_given,
    learning_progress,
    results_of_runs,
    run_of,
    succeeded,
    verified_learning,
)
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.trials import TRIALS, Trial, memory_table, trial_key, trials_in
from jido_ai.reflection.evaluation import reward_of, trigger_statistics
from jido_ai.values import Episode, LearningProgress, Scope
from jido_ai.values.record import Record

_PAGE: Final = 1_000


@dataclass(frozen=True, slots=True)
class TypeProgress:
    """One task type. A run counts as one attempt: see `results_of_runs`.

    Attributes:
        scores: of each attempt, oldest first, and whether it succeeded; None where nobody judged.
        runs_without_attempt: runs that only judged what they were given.
    """

    progress: LearningProgress
    scores: tuple[tuple[float | None, bool], ...]
    runs_without_attempt: int = 0


@dataclass(frozen=True, slots=True)
class ProgressReport:
    """All task types, the one with the newest attempt first.

    Attributes:
        unreadable: records of the log that are no episodes.
        memory: whether memory helps, by runs that were held out: see `memory_table`.
        rewards: of everything that was made and judged, oldest first; where none was given, what the score says.
    """

    types: tuple[TypeProgress, ...]
    verified: VerifiedLearning
    unreadable: int = 0
    rewards: tuple[float, ...] = ()
    memory: tuple[Mapping[str, Any], ...] = ()


async def progress_report(
    memory: ReflexionMemory, scope: Scope | str | None = None, task_type: str | None = None
) -> ProgressReport:
    """Return how the attempts that a memory has recorded develop.

    Args:
        memory: open; its log "episodes" is read. Of an episode that is there twice the last one counts.
        scope: None is the default one; a text is a tenant, all of whose projects count.
        task_type: only this one; "" are the attempts that name none.

    Raises:
        NotFoundError: there is no attempt of that type.
    """
    whose = scope or Scope()
    one = whose if isinstance(whose, Scope) else None
    episodes, unreadable = await attempts_of(memory, one, task_type)
    episodes = [episode for episode in episodes if one is not None or episode.scope.tenant == whose]
    if task_type is not None and not episodes:
        place = f"{one.tenant}/{one.project}" if one is not None else f"{whose}/*"
        raise NotFoundError(f"no attempt of the task type {task_type!r} is recorded in {place}")
    by_type: dict[str, list[Episode]] = {}
    for episode in reversed(episodes):  # so that the newest names its type first
        by_type.setdefault(episode.task_type or "", []).append(episode)
    types: list[TypeProgress] = []
    for name, newest_first in by_type.items():
        attempts = results_of_runs(newest_first[::-1])
        lessons = await lessons_of(memory, dict.fromkeys(one.scope for one in newest_first), name, attempts)
        scores = tuple((one.critique and one.critique.score, succeeded(one)) for one in attempts)
        idle = {run_of(one) for one in newest_first} - {run_of(one) for one in newest_first if not is_given(one)}
        types.append(TypeProgress(learning_progress(name, attempts, lessons), scores, len(idle)))
    made = [one for one in episodes if not is_given(one)]
    rewards = tuple(reward_of(one.critique) for one in made if one.critique is not None)
    table = tuple(memory_table(await _trials_of(memory, whose, task_type)))
    return ProgressReport(tuple(types), verified_learning(results_of_runs(episodes)), unreadable, rewards, table)


async def _trials_of(memory: ReflexionMemory, whose: Scope | str, task_type: str | None) -> list[Trial]:
    """Return the trials of a scope, or of all scopes of a tenant, oldest first."""
    one = whose if isinstance(whose, Scope) else None
    key = None if task_type is None else trial_key(task_type)
    records: list[Record] = []
    after = 0
    while page := await memory.records(TRIALS, scope=one, key=key, after=after, limit=_PAGE):
        records += [record for record in page if one is not None or record.scope.tenant == whose]
        after = page[-1].row
    return trials_in(records)


def report_map(report: ProgressReport) -> Mapping[str, Any]:
    """Return a report as JSON."""
    return {
        "task_types": [
            {
                **one.progress.model_dump(mode="json"),
                "scores": [score for score, _ in one.scores],
                "runs_without_attempt": one.runs_without_attempt,
            }
            for one in report.types
        ],
        "memory": list(report.memory),
        "verified": {**asdict(report.verified), "verdict": report.verified.verdict},
        "unreadable": report.unreadable,
        "reflection": trigger_statistics(report.rewards),
    }
