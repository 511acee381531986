"""Comparison of a judged candidate with the one before it: its score, change and gain. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from jido_ai.critics.silenced import with_silenced
from jido_ai.loop.convergence import score_of
from jido_ai.text.change import change
from jido_ai.values import Candidate, CritiqueResult, Iteration

__all__ = ["Comparison", "compared"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate's score and critique; for a revision also its change and gain, as in `Iteration`."""

    score: float
    critique: CritiqueResult
    change: float | None = None
    gain: float | None = None


def compared(
    candidate: Candidate, critique: CritiqueResult, base: Iteration | None, previous: Iteration | None
) -> Comparison:
    """Return the comparison; findings that the candidate only silences are open in its critique.

    Args:
        base: the iteration that it was revised from; None for a fresh one.
        previous: the base, else the iteration before it in its line.
    """
    score, judged = critique.score if candidate.score is None else candidate.score, critique
    if previous is not None:
        critique = with_silenced(judged, candidate.content, previous.critique, previous.candidate.content)
        if critique is not judged:
            score = critique.score if candidate.score is None else min(score, score_of(previous))
    if base is None:
        return Comparison(score, critique)
    return Comparison(score, critique, change(base.candidate.content, candidate.content), score - score_of(base))
