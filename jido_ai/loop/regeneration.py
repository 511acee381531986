"""When to begin again: fresh drafts before revisions, where one model's opinion is all there is to go by. Pure.

A generator that is told what was learnt (`RunContext.attempts`) can begin again. A fresh draft keeps most of what a
revision would, and does not carry the damage of earlier revisions along; what it may win is the excess over the best
draft so far, as in Weitzman: Optimal Search for the Best Alternative (1979). It wins nothing where several models, or a
tool and a model, judge: their findings are reliable enough to revise by. Where programs judge alone, see `moves`.

The candidate that looks best is often the one that was judged too well. Three things guard against that: a finding
reported before and after a candidate, but not in it, counts by half against it, since it may have been overlooked; a
later candidate must be ahead of the first by a little; and one that is accepted although findings are reported ends
nothing unless it is the best.

The constants come from a coarse search in the simulation of `benchmarks/bench_stopping.py`, on seeds 901 and 1, 600 to
2,000 tasks per world (docs/planning/archive/0010), and are rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from statistics import NormalDist, fmean
from typing import Final

from jido_ai.critics.acceptance import History, accepted
from jido_ai.critics.findings import identities
from jido_ai.loop.adaptive import (
    HARM_OF_SEVERITY,
    UNSEEN_DAMAGE,
    adaptive,
    best_by_evidence,
    facts_of,
    models_of,
    next_revision,
    open_severity,
    severity_of,
)
from jido_ai.loop.convergence import Decision, cycle, score_of
from jido_ai.loop.floor import above_floor
from jido_ai.loop.moves import MOVES, best_move
from jido_ai.values import SLACK, CritiqueResult, Iteration, LoopConfig, Regenerate, Revise, StopReason, Verdict

_WEIGHT_OF_FINDINGS: Final = 0.3
"""Share of the reported findings in the worth of a candidate; the rest is the judge's score."""
_OVERLOOKED: Final = 0.5
"""How much a finding counts that was reported before and after a candidate, but not in it: even odds that its critic
overlooked it."""
_LEAD: Final = 0.01
"""How much more a later candidate must be worth than the first: the highest of several judgements is too high."""
_USUAL_WORTH: Final = 0.6
_USUAL_DRAFTS: Final = 4
"""The prior: drafts are worth 0.6 on average, weighted as four observed drafts."""
_SPREAD_OF_WORTH: Final = 0.17
"""Standard deviation of the worth of drafts for one prompt."""
_DRAFTS: Final = 2
"""Fresh drafts before the first revision, besides the first candidate. One more may follow a revision that fell."""
_MORE_DRAFTS: Final = 2
_OFTEN: Final = 0.3
_USUAL_AGAIN: Final = 1
_USUAL_TOLD: Final = 4
"""More drafts, where the share of findings that come again in drafts that were told of them is at least 0.3: what the
model cannot heed, it cannot mend either. The prior: one of four findings comes again."""
_TRIES: Final = 3
"""Drafts and revisions after which a finding is beyond the reviser."""
_UNSEEN_DAMAGE: Final = 0.015
"""Score that a revision loses on average through errors that no critic reports. Less than in `adaptive`: the worth
counts findings, too."""


def regenerate_or_revise(history: History, config: LoopConfig) -> Decision:
    """Return the decision: stop with the best candidate, generate a fresh one, or revise.

    Where only programs judge, it makes the move with the best chance (`moves`); where programs and models judge, it
    decides as `adaptive` does. Otherwise it stops at once when the newest candidate is accepted and nothing is reported
    against it, when the best is accepted, or when a revision closes a cycle. If a single model judged, it asks for up
    to two fresh candidates, four if they repeat what they were told of, and for one more after a revision that fell,
    while the expected excess over the best is above the price: `call_price` for each call. After a fresh candidate that
    equals an earlier one it asks for no more. Then it revises while that pays, as `adaptive` does, but from the best
    where the newest is fresh or accepted. The best is `best_by_opinion`.
    """
    if not models_of(history[-1].critique):
        return _move(history, config)
    if _has_tools(history[-1].critique):
        return adaptive(history, config)
    worths = _worths(history)
    best = _highest(history, worths)
    is_draft = history[-1].change is None
    if verdict := _accepted(history, config, best):
        return verdict
    if not is_draft and (verdict := cycle(history, config)):
        return verdict.replace(pick=best)
    is_single = models_of(history[-1].critique) == 1
    revision = next_revision(
        history,
        config,
        best,
        from_best=is_draft or accepted(history, config) is not None,
        worths=worths,
        unseen_damage=_UNSEEN_DAMAGE if is_single else UNSEEN_DAMAGE,
        tries=_TRIES,
    )
    drafts = [position for position, iteration in enumerate(history) if iteration.change is None]
    most = 1 + _DRAFTS + _MORE_DRAFTS * _comes_again(history) + (revision.fell and not is_draft) if is_single else 1
    excess = _expected_excess([worths[draft] for draft in drafts], worths[best])
    price = _calls([history[draft] for draft in drafts]) * config.call_price
    is_repeated = len({history[draft].candidate.content for draft in drafts}) < len(drafts)
    if len(drafts) < most and not is_repeated and excess > price + SLACK:
        return Regenerate()
    if revision.pays:
        return Revise(revision.base)
    evidence = {
        "drafts": len(drafts),
        "expected_excess": excess,
        "price_of_draft": price,
        "worth": worths[best],
    }
    return Verdict(StopReason.NO_EXPECTED_GAIN, revision.evidence | evidence, pick=best)


def _move(history: History, config: LoopConfig) -> Decision:
    if verdict := accepted(history, config):
        return verdict.replace(pick=len(history) - 1)
    bests = [best_by_evidence(history[: count + 1]) for count in range(len(history))]
    return best_move(history, config, bests, calls=dict.fromkeys(MOVES, 1))


def best_by_opinion(history: Sequence[Iteration]) -> int:
    """Return the position of the best candidate: `best_by_evidence`, but by worth where no tool judges.

    The worth is 0.7 times the score and 0.3 times what the findings leave of a perfect one, exp(-0.45 * sum of
    severities). A finding that was reported before and after the candidate, but not in it, counts by half. The first
    candidate is the best unless another is worth more by 0.01; ties (within 1e-9) go to the earlier. A candidate below
    the floor is never the best. The history must not be empty.
    """
    if _has_tools(history[-1].critique):
        return best_by_evidence(history)
    return _highest(history, _worths(history))


def _highest(history: Sequence[Iteration], worths: Sequence[float]) -> int:
    first, *others = above_floor(history)
    best = first
    for position in others:
        if worths[position] > worths[best] + (_LEAD if best == first else 0.0) + SLACK:
            best = position
    return best


def _accepted(history: History, config: LoopConfig, best: int) -> Verdict | None:
    """Return the verdict if the newest candidate is accepted and has no findings, or the best is accepted."""
    newest = len(history) - 1
    for pick in (best,) if history[newest].critique.has_issues else (newest, best):
        if verdict := accepted((history[pick],), config):
            return verdict.replace(pick=pick)
    return None


def _has_tools(critique: CritiqueResult) -> bool:
    return models_of(critique) < len(critique.parts or (critique,)) or bool(facts_of(critique))


def _worths(history: Sequence[Iteration]) -> list[float]:
    """Return the worth of each candidate, 0 to 1."""
    return [
        (1 - _WEIGHT_OF_FINDINGS) * score_of(iteration)
        + _WEIGHT_OF_FINDINGS * exp(-HARM_OF_SEVERITY * (open_severity(iteration.critique) + _OVERLOOKED * overlooked))
        for iteration, overlooked in zip(history, _overlooked(history), strict=True)
    ]


def _overlooked(history: Sequence[Iteration]) -> list[float]:
    """Return, for each candidate, the severity of the findings that were reported before and after it, but not in it.

    A finding has the severity of its last report before the candidate.
    """
    numbers = identities(history)
    last = {number: position for position, of_one in enumerate(numbers) for number in of_one}
    known: dict[int, float] = {}
    sums: list[float] = []
    for position, (iteration, of_one) in enumerate(zip(history, numbers, strict=True)):
        missing = known.keys() - set(of_one)
        sums.append(sum(known[number] for number in sorted(missing) if last[number] > position))
        severities = (severity_of(issue, iteration.critique) for issue in iteration.critique.issues)
        known.update(zip(of_one, severities, strict=True))
    return sums


def _comes_again(history: History) -> bool:
    """Tell whether findings come again in the fresh drafts that were told of them."""
    numbers = identities(history)
    told, again = _USUAL_TOLD, _USUAL_AGAIN
    for position, iteration in enumerate(history):
        if position and iteration.change is None:
            before = set(numbers[position - 1])
            told += len(before)
            again += len(before & set(numbers[position]))
    return again >= _OFTEN * told


def _expected_excess(drafts: Sequence[float], best: float) -> float:
    """Return how much a further draft is expected to exceed the best, counting 0 if it does not.

    Its worth is normal around the mean of the drafts so far and the prior.
    """
    mean = fmean([*drafts, *[_USUAL_WORTH] * _USUAL_DRAFTS])
    lead, normal = (mean - best) / _SPREAD_OF_WORTH, NormalDist()
    return _SPREAD_OF_WORTH * (lead * normal.cdf(lead) + normal.pdf(lead))


def _calls(drafts: Sequence[Iteration]) -> int:
    """Return how many calls a draft and its critique take: as many as the last fresh one, or one each."""
    made = drafts[-1].usage.calls if len(drafts) > 1 else 0
    return made or 2
