"""Stop rules: end the loop, or continue from another candidate; the first rule with a decision wins. Pure.

A rule is a function `(history, config) -> Decision | None`. The history holds every judged candidate in order; every
rule returns None for an empty one. Rules come before limits. A value within 1e-9 of a threshold equals it.

Source: the convergence detection of the Jido AI reflection loop, with patience, a measure of change that sees edits
instead of lengths, and falls kept apart from plateaus. SPEC.md rows J11, J12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Final

from jido_ai.critics.acceptance import History, accepted, of_output
from jido_ai.critics.findings import gone_issues, new_issues
from jido_ai.errors import ConfigurationError
from jido_ai.loop.floor import above_floor
from jido_ai.text.change import change_measure
from jido_ai.values import SLACK, Iteration, LoopConfig, Regenerate, Revise, StopReason, Verdict

Decision = Verdict | Revise | Regenerate
StopRule = Callable[[History, LoopConfig], Decision | None]


# -- scores and falls ------------------------------------------------------------------------------


def score_of(iteration: Iteration) -> float:
    """Return the effective score: the candidate's own, else its critique's."""
    own = iteration.candidate.score
    return iteration.critique.score if own is None else own


def best_index(history: Sequence[Iteration]) -> int:
    """Return the position of the highest score above the floor; ties (within 1e-9) go to the earlier.

    A candidate that cannot run ranks below all that can. The history must not be empty.
    """
    best, *others = above_floor(history)
    for index in others:
        if score_of(history[index]) > score_of(history[best]) + SLACK:
            best = index
    return best


def has_plateaued(scores: Sequence[float], *, patience: int = 1, threshold: float = 0.1) -> bool:
    """Tell whether the newest `patience` scores are all neither a gain nor a fall.

    A score is compared with the best before it. A rise of `threshold` or more is a gain, a drop of `threshold` or more
    is a fall; anything between is a standstill. With `patience` scores or fewer there is no earlier one: False.

    Args:
        scores: one per iteration, oldest first, each in [0, 1].
        patience: number of newest scores that must stand still; at least 1.
        threshold: smallest difference that is a gain or a fall, in score units, in (0, 1].

    Raises:
        ConfigurationError: `patience` or `threshold` is out of range.
    """
    if patience < 1 or not 0.0 < threshold <= 1.0:
        raise ConfigurationError(f"need patience >= 1 and threshold in (0, 1], got {patience} and {threshold}")
    if len(scores) <= patience:
        return False
    return all(_stands_still(scores, index, threshold) for index in range(len(scores) - patience, len(scores)))


def _standings(history: Sequence[Iteration]) -> list[float]:
    """Return the scores, with -1.0, below any score, for candidates below the floor or those that cannot run, unless
    none can."""
    above = set(above_floor(history))
    return [
        score_of(iteration) if position in above and not iteration.broken else -1.0
        for position, iteration in enumerate(history)
    ]


def _standing_before(history: History, index: int) -> Iteration:
    """Return the newest iteration above the floor before `index`, to measure progress against; else the one before."""
    standing = (one for one in reversed(history[:index]) if not one.broken)
    return next(standing, history[index - 1])


def _stands_still(scores: Sequence[float], index: int, threshold: float) -> bool:
    return abs(scores[index] - max(scores[:index])) < threshold - SLACK


def _is_fall(scores: Sequence[float], index: int, threshold: float) -> bool:
    return index > 0 and scores[index] <= max(scores[:index]) - threshold + SLACK


def _only_lost_findings(history: History, index: int, config: LoopConfig) -> bool:
    """Tell whether, with accept="clean", findings went and none came: a gain at any score."""
    if config.accept != "clean" or index == 0:
        return False
    before, after = _standing_before(history, index).critique, history[index].critique
    return bool(gone_issues(before, after)) and not new_issues(before, after)


# -- the documented rules, in their order ----------------------------------------------------------


def cycle(history: History, config: LoopConfig) -> Verdict | None:
    """Stop when the newest candidate equals an earlier one."""
    if not history:
        return None
    newest = history[-1]
    for earlier in history[:-1]:
        if earlier.candidate.content == newest.candidate.content:
            return Verdict(StopReason.CYCLE, {"iteration": newest.index, "equals": earlier.index})
    return None


def repairing(history: History, config: LoopConfig) -> Revise | None:
    """Continue from a revision that leaves fewer or no findings of the output type, whatever else does not improve."""
    if len(history) < 2:
        return None
    left, before = (len(of_output(one.critique)) for one in (history[-1], history[-2]))
    return Revise(len(history) - 1) if left < before else None


def regression(history: History, config: LoopConfig) -> Verdict | Revise | None:
    """Continue from the best candidate after a fall; stop after `patience` + 1 falls in a row.

    A fall is a score below the best before it by `score_threshold` or more, or a candidate below the floor, or one that
    cannot run after one that can.
    """
    scores = _standings(history)
    falls = 0
    while _is_fall(scores, len(scores) - 1 - falls, config.score_threshold):
        falls += 1
    if falls == 0:
        return None
    best = best_index(history)
    if falls <= config.patience:
        return Revise(history[best].index)
    evidence = {
        "consecutive_falls": falls,
        "patience": config.patience,
        "best_score": scores[best],
        "score": score_of(history[-1]),
        "score_threshold": config.score_threshold,
        "broken": list(history[-1].broken[:_BROKEN_SHOWN]),
    }
    return Verdict(StopReason.REGRESSION, evidence)


def minimal_change(history: History, config: LoopConfig) -> Verdict | None:
    """Stop when the newest revision changed less than `change_threshold` of the text and gained less than
    `score_threshold`, both relative to the candidate it was made from. Returns None for a first candidate.
    """
    newest = history[-1] if history else None
    if newest is None or newest.change is None or newest.gain is None or newest.broken:
        return None
    gained = newest.gain >= config.score_threshold - SLACK or _only_lost_findings(history, len(history) - 1, config)
    if gained or newest.change >= config.change_threshold - SLACK:
        return None
    evidence = {
        "change": newest.change,
        "change_threshold": config.change_threshold,
        "measured_on": _measured_on(history),
        "gain": newest.gain,
        "score_threshold": config.score_threshold,
    }
    return Verdict(StopReason.MINIMAL_CHANGE, evidence)


def severity_plateau(history: History, config: LoopConfig) -> Verdict | None:
    """Stop when each of the newest `patience` critiques has no new issue, and a severity that is not at least
    `score_threshold` lower than that of the iteration before it.
    """
    first = len(history) - config.patience
    if first < 1 or history[-1].broken:
        return None
    for index in range(first, len(history)):
        before, after = _standing_before(history, index).critique, history[index].critique
        fell = before.severity - after.severity >= config.score_threshold - SLACK
        if fell or new_issues(before, after) or _only_lost_findings(history, index, config):
            return None
    evidence = {
        "severity_before": _standing_before(history, first).critique.severity,
        "severity": history[-1].critique.severity,
        "patience": config.patience,
        "score_threshold": config.score_threshold,
        "new_issues": 0,
    }
    return Verdict(StopReason.SEVERITY_PLATEAU, evidence)


def score_plateau(history: History, config: LoopConfig) -> Verdict | None:
    """Stop when each of the newest `patience` scores is neither a gain of `score_threshold` over the best before it
    nor a fall.
    """
    scores = _standings(history)
    newest = range(len(history) - config.patience, len(history))
    if not has_plateaued(scores, patience=config.patience, threshold=config.score_threshold):
        return None
    if any(_only_lost_findings(history, index, config) for index in newest):
        return None
    evidence = {
        "scores": scores[-config.patience :],
        "best_before": list(accumulate(scores, max))[-config.patience - 1],
        "patience": config.patience,
        "score_threshold": config.score_threshold,
    }
    return Verdict(StopReason.SCORE_PLATEAU, evidence)


def oscillation(scores: Sequence[float], *, threshold: float) -> dict[str, float] | None:
    """Return the lowest and highest of the newest four scores if they rise and fall in turn, by `threshold` or more.

    None otherwise, or with fewer scores. It is not a stop rule: it explains why a run reached its limit.
    """
    steps = [later - earlier for earlier, later in pairwise(scores[-_SWINGS:])]
    swings = len(scores) >= _SWINGS and all(abs(step) >= threshold - SLACK for step in steps)
    if not swings or any(one * other > 0.0 for one, other in pairwise(steps)):
        return None
    return {"lowest": min(scores[-_SWINGS:]), "highest": max(scores[-_SWINGS:])}


_SWINGS: Final = 4
_BROKEN_SHOWN: Final = 20

DOCUMENTED_RULES: Final[tuple[StopRule, ...]] = (
    accepted,
    cycle,
    regression,
    minimal_change,
    severity_plateau,
    score_plateau,
)
"""policy="documented": the first rule with a decision wins."""


def _measured_on(history: History) -> str:
    newest = history[-1]
    parents = {iteration.candidate.id: iteration.candidate for iteration in history}
    base = parents.get(
        newest.candidate.parent_id or "", history[-2].candidate if len(history) > 1 else newest.candidate
    )
    return change_measure(base.content, newest.candidate.content)
