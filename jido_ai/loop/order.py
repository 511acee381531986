"""The order of a run's steps, and its end: both follow from the state alone, whatever happened before. Pure.

A turn: reflect on the judged attempts, retrieve the lessons when it is time, make the candidates of the round, judge
them. What is done already is left out, so a run that was cut goes on with what was in flight: a missing reflection is
made before the next revision, and a round that lacks a candidate gets it, in its place, before the others are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from jido_ai.critics.silenced import with_silenced
from jido_ai.loop.convergence import score_of
from jido_ai.loop.floor import above_floor
from jido_ai.loop.next_moves import NextMove
from jido_ai.loop.policies import Policy
from jido_ai.loop.state import Judged, Pending, RunState, Stop
from jido_ai.text.change import change
from jido_ai.values import CritiqueResult, ErrorInfo, Iteration, StopReason, Usage


def unreflected(state: RunState) -> list[int]:
    """Return the indices of the iterations that were not reflected on, nor found to need no reflection."""
    return [index for index in range(len(state.iterations)) if index not in state.reflections]


def is_time_to_recall(state: RunState, *, by_critique: bool) -> bool:
    """Tell whether memory is to be asked now: once, before the first candidate or after the first critique."""
    return state.lessons is None and by_critique == bool(state.iterations)


def missing_firsts(state: RunState, count: int) -> list[int]:
    """Return the slots of the first candidates, `count` in all, that are yet to be made."""
    if state.iterations or state.judged:
        return []
    return sorted({*range(count)}.difference([one.slot for one in state.pending]))


def missing_moves(state: RunState, moves: Sequence[NextMove]) -> list[tuple[int, NextMove]]:
    """Return the moves of the round whose candidates are yet to be made, each with its slot.

    The slots of a round are in the order of its moves.
    """
    made = {one.chain: one.slot for one in state.pending}
    start = next((made[move.chain] - n for n, move in enumerate(moves) if move.chain in made), state.next_slot)
    return [(start + n, move) for n, move in enumerate(moves) if move.chain not in made]


def unjudged(state: RunState) -> list[Pending]:
    """Return the candidates that are to be judged, in the order of their slots."""
    return [one for one in state.pending if one.slot not in state.judged]


def previous_of(state: RunState, pending: Pending) -> Iteration | None:
    """Return the iteration that a candidate was revised from, or else the one before it in its line."""
    if pending.base is not None:
        return state.iterations[pending.base]
    for iteration, origin in zip(reversed(state.iterations), reversed(state.origins), strict=True):
        if origin.chain == pending.chain:
            return iteration
    return None


def judged_of(
    pending: Pending, critique: CritiqueResult, previous: Iteration | None, duration_s: float, usage: Usage
) -> Judged:
    """Return the judgement of a candidate; findings that it only silences are open in its critique.

    Args:
        previous: as `previous_of` returns it.
    """
    candidate, edited, gain = pending.candidate, None, None
    score = critique.score if candidate.score is None else candidate.score
    if previous is not None:
        old, new, judged = previous.candidate.content, candidate.content, critique
        critique = with_silenced(judged, new, previous.critique, old)
        if critique is not judged:
            score = critique.score if candidate.score is None else min(score, score_of(previous))
        if pending.base is not None:
            edited, gain = change(old, new), score - score_of(previous)
    return Judged(pending.slot, score, critique, edited, gain, duration_s, usage)


_CUT_SHORT: Final = {StopReason.DEADLINE: "the run's time is up", StopReason.CANCELLED: "the run was cancelled"}


def best_of(end: Stop, history: Sequence[Iteration], policy: Policy) -> int | None:
    """Return the position that the stop rule picked, if it may be the best, else that of the best; None if empty."""
    if not history:
        return None
    return end.pick if end.pick in above_floor(history) else policy.best(history)


def error_of(end: Stop, best: int | None) -> ErrorInfo | None:
    """Return the error of a run that judged nothing, or was cut short; None for any other."""
    if best is None:
        details = ", ".join(f"{name} {value}" for name, value in end.evidence.items())
        why = f"{end.reason.value} ({details})" if details else end.reason.value
        return ErrorInfo(end.reason.value, f"nothing was judged before the run ended: {why}")
    if end.reason in _CUT_SHORT:
        return ErrorInfo(end.reason.value, f"{_CUT_SHORT[end.reason]}; the result holds what was judged before", "loop")
    return None


def skipped_reflections(state: RunState, is_needed: Callable[[Iteration], bool]) -> int:
    """Return the number of iterations that needed a reflection and got none."""
    unmade = [state.iterations[index] for index, reflection in state.reflections.items() if reflection is None]
    return sum(map(is_needed, unmade))
