"""Comparison of a judged candidate with the one before it: its score, change and gain. Pure."""

from __future__ import annotations

from jido_ai.critics.silenced import with_silenced
from jido_ai.loop.convergence import score_of
from jido_ai.loop.state import Judged, Pending, RunState
from jido_ai.text.change import change
from jido_ai.values import CritiqueResult, Iteration, Usage


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
