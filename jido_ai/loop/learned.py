"""The lessons of a run: one value, from its state alone. Pure.

A run may end, be resumed and end again, or die while its memory learns. Each time the whole of it is told again, and
memory folds it by evidence (`memory.evidence`): the run, the iteration and the kind. So it does not matter how often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jido_ai.loop.examples import helped as examples_helped
from jido_ai.loop.examples import knows, were_shown
from jido_ai.loop.lesson import helped_from_the_start, lesson_of, was_worth_it
from jido_ai.loop.moves import as_record, tallies_of
from jido_ai.loop.state import RunState
from jido_ai.memory.evidence import learned_id
from jido_ai.values import Episode, Iteration, LoopConfig, MemoryEntry, MemoryKind, Scope


@dataclass(frozen=True, slots=True)
class Learned:
    """The lessons of a run, and all else that memory learns from it.

    Attributes:
        lesson: of the run as a whole; None if it taught nothing.
        uses: the lessons and examples that it was shown, and whether they helped.
        episodes: its attempts, each with its reflection.
        moves: how its moves ended, and the model that made them; None if nobody wants to know.
        accepted: the iteration that was good enough; None if none was.
        is_known: a program or a person says so.
        was_told: something of this run may be in memory already.
    """

    lesson: MemoryEntry | None
    uses: tuple[tuple[MemoryEntry, bool], ...]
    episodes: tuple[Episode, ...]
    moves: tuple[str | None, Mapping[str, Any]] | None = None
    accepted: Iteration | None = None
    is_known: bool = False
    was_told: bool = False


def learned_of(
    state: RunState,
    best: int,
    *,
    prompt: str,
    run_id: str,
    scope: Scope,
    config: LoopConfig,
    by_critique: bool,
    is_given: bool,
    were_seen: bool,
    task_type: str | None,
    episodes: Sequence[Episode],
    best_of: Callable[[Sequence[Iteration]], int] | None = None,
    is_accepted: bool = False,
    was_told: bool = False,
) -> Learned:
    """Return the lessons of a run that has judged something.

    Args:
        prompt: in the user's words.
        by_critique: lessons were searched by the first critique.
        is_given: the caller gave the first candidate.
        were_seen: a component has looked at the lessons.
        best_of: ranks, where the moves are to be kept.
    """
    history = state.iterations
    helped = was_worth_it(history, best, score_threshold=config.score_threshold)
    from_the_start = not is_given and not by_critique
    shown = (state.lessons or ()) if were_seen and (from_the_start or len(history) > 1) else ()
    uses = [(lesson, helped_from_the_start(lesson, history, config) if from_the_start else helped) for lesson in shown]
    if were_shown(state):
        uses += [(example, examples_helped(history, config)) for example in state.examples]
    lesson = None
    if helped:
        lesson = lesson_of(
            history,
            best,
            prompt=prompt,
            run_id=run_id,
            scope=scope,
            by_critique=by_critique,
            task_type=task_type,
            reflections=state.reflections,
        )
    moves = None
    if best_of is not None and len(history) > 1:
        bests = [best_of(history[: count + 1]) for count in range(len(history))]
        moves = history[0].candidate.model, as_record(tallies_of(history, bests))
    return Learned(
        None if lesson is None else lesson.model_copy(update={"id": learned_id(run_id, MemoryKind.SEMANTIC)}),
        tuple(uses),
        tuple(episodes),
        moves,
        history[best] if is_accepted else None,
        is_accepted and (knows(history[best].critique) or state.origins[best].slot in state.approved),
        was_told,
    )
