"""Learning progress of a task type, and whether lessons helped. Pure.

Source: the learning progress of the MCP server's reflexion design (SPEC M33 to M39), which names the figures but gives
no formulas; the formulas are from SPEC.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Final, cast

from jido_ai.memory.effect import newcombe
from jido_ai.reflection.diagnosis import classify_error
from jido_ai.values import SLACK, Episode, ErrorClass, LearningProgress, MemoryEntry, Outcome

_RECENT: Final = 5
_MEDIUM: Final = 20
_PLATEAU: Final = 0.05
_LESSONS: Final = 3
_LOOKED_AT: Final = 10
_PERSISTENT: Final = 3
_FOCUS: Final = 3


def trend(scores: Sequence[float]) -> float:
    """Return the mean of the later half minus the mean of the earlier half, in [-1, 1]; 0.0 below two scores.

    The middle one of an odd count belongs to neither half (SPEC M36).
    """
    half = len(scores) // 2
    if half == 0:
        return 0.0
    return max(-1.0, min(1.0, fmean(scores[-half:]) - fmean(scores[:half])))


def plateau_length(scores: Sequence[float]) -> int:
    """Return the number of newest attempts in a plateau; 0 without one.

    Scores are in a plateau while both the absolute trend of five in a row (SPEC M37) and their standard deviation are
    below 0.05.
    """
    length = 0
    while len(scores) - length >= _RECENT:
        newest = scores[len(scores) - length - _RECENT : len(scores) - length]
        if max(abs(trend(newest)), pstdev(newest)) >= _PLATEAU - SLACK:
            break
        length += 1
    return length + _RECENT - 1 if length else 0


def succeeded(episode: Episode) -> bool:
    """True if an attempt's outcome is a success or, without an outcome, its severity is below 0.3."""
    if episode.outcome is not None:
        return episode.outcome is Outcome.SUCCESS
    return episode.critique is not None and episode.critique.severity < 0.3 - SLACK


def is_given(episode: Episode) -> bool:
    """True if the caller gave the candidate: no attempt was made."""
    return episode.metadata.get("given") is True


def shown_in(episode: Episode) -> tuple[str, ...]:
    """Return the ids of the lessons and examples that a component looked at, of those that were offered."""
    examples, seen = _examples_in(episode), episode.metadata.get("seen") is not False
    return tuple(id for id in episode.memories_used if examples.get(id, seen))


def _examples_in(episode: Episode) -> Mapping[str, bool]:
    noted: object = episode.metadata.get("examples")
    return cast("Mapping[str, bool]", noted) if isinstance(noted, Mapping) else {}


def applied_in(episode: Episode) -> tuple[str, ...]:
    """Return the ids of the lessons that an attempt applied or cited."""
    noted: object = episode.metadata.get("applied")
    ids = cast("Sequence[object]", noted) if isinstance(noted, list | tuple) else ()
    return tuple(id for id in ids if isinstance(id, str))


def run_of(episode: Episode) -> str:
    """Return a name of the run that an episode belongs to; one of its own if it belongs to none."""
    run = episode.metadata.get("run_id")
    return f"run {run}" if isinstance(run, str) else f"episode {episode.id}"


def results_of_runs(episodes: Iterable[Episode]) -> list[Episode]:
    """Return one attempt per run, its best one, in the order of the runs' last attempts.

    First drafts that a later attempt of the same run improves are not failures, so a run counts once: it succeeded if
    one of its attempts did, and used the lessons that any of them used. A candidate that the caller gave is no attempt:
    a run without an attempt, such as that of a file without findings, is left out. An episode of no run counts by
    itself.

    Args:
        episodes: oldest first.
    """
    runs: dict[str, list[Episode]] = {}
    for episode in episodes:
        if not is_given(episode):
            run = run_of(episode)
            runs[run] = [*runs.pop(run, []), episode]
    return [_result_of(attempts) for attempts in runs.values()]


def _result_of(attempts: Sequence[Episode]) -> Episode:
    best = max(attempts, key=lambda one: (succeeded(one), one.critique.score if one.critique else 0.0))
    used = tuple(dict.fromkeys(id for one in attempts for id in one.memories_used))
    applied = tuple(dict.fromkeys(id for one in attempts for id in applied_in(one)))
    examples = {id: any(_examples_in(one).get(id) for one in attempts) for one in attempts for id in _examples_in(one)}
    if (used, applied, examples) == (best.memories_used, applied_in(best), _examples_in(best)):
        return best
    return best.replace(memories_used=used, metadata={**best.metadata, "applied": applied, "examples": examples})


def learning_progress(
    task_type: str, episodes: Sequence[Episode], lessons: Iterable[MemoryEntry] = ()
) -> LearningProgress:
    """Return the learning progress of a task type.

    Args:
        episodes: all of that type, oldest first; one for each run, as `results_of_runs` returns them.
        lessons: the stored lessons of that type.
    """
    scores = [episode.critique.score for episode in episodes if episode.critique is not None]
    steps = [abs(later - earlier) for earlier, later in pairwise(scores)]
    plateau = plateau_length(scores)
    return LearningProgress(
        task_type,
        total_attempts=len(episodes),
        success_rate=fmean(map(succeeded, episodes)) if episodes else 0.0,
        average_score=fmean(scores) if scores else 0.0,
        improvement_trend=trend(scores),
        recent_trend=trend(scores[-_RECENT:]),
        medium_trend=trend(scores[-_MEDIUM:]),
        last_improvement=scores[-1] - scores[-2] if len(scores) > 1 else None,
        plateau=plateau > 0,
        plateau_attempts=plateau,
        volatility=fmean(steps) if steps else 0.0,
        key_lessons=_key_lessons(lessons),
        persistent_issues=_persistent_issues(episodes[-_LOOKED_AT:]),
        next_focus_areas=_focus_areas(episodes[-_LOOKED_AT:]),
    )


def _key_lessons(lessons: Iterable[MemoryEntry]) -> tuple[str, ...]:
    """Return the texts of the lessons with the most helpful uses (success rate x uses)."""
    helpful = [lesson for lesson in lessons if lesson.success_count and lesson.correction.strip()]
    helpful.sort(key=lambda lesson: (lesson.success_count, lesson.success_rate), reverse=True)
    return tuple(dict.fromkeys(lesson.correction for lesson in helpful))[:_LESSONS]


def _persistent_issues(episodes: Sequence[Episode]) -> tuple[str, ...]:
    counts: Counter[str] = Counter()
    for episode in episodes:
        counts.update(_complaints(episode))
    return tuple(name for name, count in counts.most_common() if count >= _PERSISTENT)


def _complaints(episode: Episode) -> set[str]:
    """Return the issues of a failed attempt: its error class and the root cause from the reflection."""
    if succeeded(episode):
        return set()
    found: set[str] = set()
    reflection = episode.reflection
    error_class = reflection.error_class if reflection else None
    if error_class is None and episode.error:
        error_class = classify_error(episode.error)
    if error_class is not None and error_class is not ErrorClass.UNKNOWN:
        found.add(error_class.value)
    if reflection is not None and reflection.source == "llm" and reflection.root_cause.strip():
        found.add(" ".join(reflection.root_cause.split()))
    return found


def _focus_areas(episodes: Sequence[Episode]) -> tuple[str, ...]:
    scores: dict[str, list[float]] = {}
    for episode in episodes:
        for name, score in (episode.critique.criterion_scores if episode.critique else {}).items():
            scores.setdefault(name, []).append(score)
    means = sorted((fmean(values), name) for name, values in scores.items())
    return tuple(name for mean, name in means if mean < 1.0 - SLACK)[:_FOCUS]


# -- did it help -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VerifiedLearning:
    """Comparison of attempts with and without lessons.

    Attributes:
        with_lessons, without_lessons: number of attempts of each group.
        rate_with, rate_without: share of them that succeeded, in [0, 1]; None without attempts.
        difference: `rate_with` - `rate_without`, in [-1, 1]; None if one is None.
        low, high: bounds of `difference` at the given confidence; they include 0 if the difference is not significant.
        verdict: "better", "worse", or "not shown".
    """

    with_lessons: int
    without_lessons: int
    rate_with: float | None
    rate_without: float | None
    difference: float | None
    low: float | None
    high: float | None

    @property
    def verdict(self) -> str:
        """Return "better" if the interval is above 0, "worse" if it is below 0, else "not shown"."""
        if self.low is not None and self.low > 0.0:
            return "better"
        return "worse" if self.high is not None and self.high < 0.0 else "not shown"


def verified_learning(
    episodes: Iterable[Episode], *, confidence: float = 0.95, with_lesson: str | None = None
) -> VerifiedLearning:
    """Compare attempts that were shown a lesson with those that were not.

    It shows correlation, not causation: what `effect` tells of runs that were held out shows that.

    Args:
        confidence: of the interval, in (0, 1).
        with_lesson: the id of the lesson; None is any.
    """
    groups: dict[bool, list[bool]] = {True: [], False: []}
    for episode in episodes:
        shown = shown_in(episode)
        groups[bool(shown) if with_lesson is None else with_lesson in shown].append(succeeded(episode))
    used, unused = groups[True], groups[False]
    rate_with = fmean(used) if used else None
    rate_without = fmean(unused) if unused else None
    if rate_with is None or rate_without is None:
        return VerifiedLearning(len(used), len(unused), rate_with, rate_without, None, None, None)
    low, high = newcombe(sum(used), len(used), sum(unused), len(unused), confidence)
    return VerifiedLearning(len(used), len(unused), rate_with, rate_without, rate_with - rate_without, low, high)
