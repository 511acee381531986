"""The adaptive policy: go on while the next revision is expected to bring more than its calls cost. Pure.

A revision can win what is missing to a perfect score, times the chance that it closes what is open; the chance follows
from the severity of the open findings and from the share of findings that revisions of this run have closed so far. It
costs the price of its calls, and what a model breaks unseen. Findings that survived two revisions are beyond the
reviser, a candidate that fell is not gone on with, and what is returned is the best by evidence.

It sees observations only: what critics reported, what calls were made. Source of the form: the model of quality as
exp(-0.45 * sum of severities) of the simulation that `benchmarks/bench_stopping.py` runs; of the constants: a coarse
search there, on seeds 901, 903 and 911, 500 to 2,000 tasks a world (docs/planning/0010). Round numbers were taken:
around them the result is flat, to 0.001.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Final

from jido_ai.critics.acceptance import History, accepted, is_broken
from jido_ai.critics.findings import identities
from jido_ai.loop.convergence import Decision, cycle, score_of
from jido_ai.loop.floor import above_floor
from jido_ai.values import SLACK, CritiqueResult, Issue, Iteration, LoopConfig, Revise, StopReason, Verdict

__all__ = ["adaptive", "best_by_evidence"]

_HARM_OF_SEVERITY: Final = 0.45
"""Share of its quality that a candidate loses per unit of severity, compounded. Given by the benchmark."""
_USUAL_FIX_RATE: Final = 0.5
_USUAL_FINDINGS: Final = 10
"""Before the first revision half of the findings are expected to go; that counts as much as having seen ten go or
stay."""
_UNSEEN_DAMAGE: Final = 0.03
"""Score that a revision by a model loses on average through errors that no critic reports."""
_TRUST_IN_TOOLS: Final = 4.0
"""How much surer a gain is when a tool reports what is wrong: it invents nothing, and sees at once what was mended."""
_SURVIVED_OPINION: Final = 2
_SURVIVED_FACT: Final = 3
"""Revisions after which a finding is beyond the reviser. What a tool or several models say is worth one more try."""
_SEVERE: Final = 0.7
"""From here on a severity is high (`CritiqueResult.severity_level`)."""


def adaptive(history: History, config: LoopConfig) -> Decision:
    """Decide: stop and return the best, or revise the newest or, after a fall, the best.

    Accepted (as `accepted` says) and come full circle (`cycle`) it stops at once. So it does, with no_expected_gain,
    when every open finding has survived two revisions (three, when a tool reports any or several models judge), and
    when the expected gain is not above the price. A fall is a score below the best by `score_threshold` or more, or a
    candidate below the floor. A verdict always picks: the accepted candidate, else `best_by_evidence`.

    The price of a revision is `call_price` for each call it takes: as many as the last one took, or, when none is known
    to have taken any, one for the reviser and one per model among the critics. Without a model nothing is paid and
    nothing breaks unseen, so it goes on while there is anything to fix. A higher price never makes it go on.
    """
    newest, best = len(history) - 1, best_by_evidence(history)
    if verdict := accepted(history, config):
        return verdict.replace(pick=newest)
    if verdict := cycle(history, config):
        return verdict.replace(pick=best)
    best_score = score_of(history[best])
    fell = is_broken(history[newest]) or score_of(history[newest]) <= best_score - config.score_threshold + SLACK
    base = best if fell else newest
    outlook = _outlook(history, base)
    gain = outlook.gain - max(0.0, best_score - score_of(history[base]))  # only what is better than the best counts
    price = outlook.calls * config.call_price + (_UNSEEN_DAMAGE if outlook.calls else 0.0)
    if gain > price + SLACK and not outlook.is_stuck:
        return Revise(base)
    evidence = {
        "expected_gain": gain,
        "price": price,
        "calls": outlook.calls,
        "call_price": config.call_price,
        "base": base,
        "score": score_of(history[base]),
        "best_score": best_score,
        "open_issues": outlook.open_issues,
        "open_severity": outlook.open_severity,
        "fix_rate": outlook.fix_rate,
        "trust": outlook.trust,
        "survived_revisions": outlook.survived,
    }
    return Verdict(StopReason.NO_EXPECTED_GAIN, evidence, pick=best)


def best_by_evidence(history: Sequence[Iteration]) -> int:
    """Return the position of the best candidate: tools before models, fewer open severe findings, then score.

    First the smallest sum of severities that tools report, then the fewest findings of high severity (0.7 or more),
    whoever reports them, then the highest score; ties (within 1e-9) to the earlier. What is below the floor is never
    the best. The history is not empty.
    """
    best, *others = above_floor(history)
    best_rank = _rank(history[best])
    for position in others:
        rank = _rank(history[position])
        differences = (value - other for value, other in zip(rank, best_rank, strict=True))
        if next((difference for difference in differences if abs(difference) > SLACK), 0.0) > 0.0:
            best, best_rank = position, rank
    return best


def _rank(iteration: Iteration) -> tuple[float, float, float]:
    critique = iteration.critique
    severe = sum(_severity(issue, critique) >= _SEVERE - SLACK for issue in critique.issues)
    return -sum(_severity(issue, critique) for issue in _facts(critique)), -severe, score_of(iteration)


# -- what a revision is expected to bring ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Outlook:
    """What speaks for and against revising a candidate.

    Attributes:
        gain: score that a revision is expected to win, before price and damage.
        fix_rate: share of the findings that a revision closes.
        trust: how much the critics' findings count: 1 for one model.
        survived: how many revisions the open finding that survived fewest has survived; 0 without any.
        is_stuck: what is open is beyond the reviser.
        calls: to models, that a revision and its critique take.
    """

    gain: float
    open_issues: int
    open_severity: float
    fix_rate: float
    trust: float
    survived: int
    is_stuck: bool
    calls: int


def _outlook(history: History, base: int) -> _Outlook:
    critique, missing = history[base].critique, 1.0 - score_of(history[base])
    numbers = identities(history)
    fix_rate = _fix_rate(history, numbers)
    models, facts = _models(critique), len(_facts(critique))
    trust = sqrt(max(1, models)) * (_TRUST_IN_TOOLS if facts else 1.0)
    severity = _open_severity(critique)
    sightings = Counter(number for of_one in numbers for number in of_one)
    survived = min((sightings[number] - 1 for number in numbers[base]), default=0)
    return _Outlook(
        gain=missing * min(1.0, trust * (1.0 - exp(-_HARM_OF_SEVERITY * fix_rate * severity))),
        open_issues=len(critique.issues),
        open_severity=severity,
        fix_rate=fix_rate,
        trust=trust,
        survived=survived,
        is_stuck=survived >= (_SURVIVED_FACT if facts or models > 1 else _SURVIVED_OPINION),
        calls=_calls(history, models),
    )


def _fix_rate(history: History, numbers: Sequence[Sequence[int]]) -> float:
    """Return the share of findings that went with a revision, in this run and in what is usual."""
    tried, gone = float(_USUAL_FINDINGS), _USUAL_FINDINGS * _USUAL_FIX_RATE
    by_id = {iteration.candidate.id: position for position, iteration in enumerate(history)}
    for position, iteration in enumerate(history):
        if position and iteration.change is not None:  # else it was made afresh, from none
            parent = by_id.get(iteration.candidate.parent_id or "", position - 1)
            tried += len(numbers[parent])
            gone += len(set(numbers[parent]) - set(numbers[position]))
    return gone / tried


def _open_severity(critique: CritiqueResult) -> float:
    """Return the sum over the issues; a critique that names none counts as one issue of its severity."""
    if not critique.issues:
        return critique.severity
    return sum(_severity(issue, critique) for issue in critique.issues)


def _severity(issue: Issue, critique: CritiqueResult) -> float:
    return critique.severity if issue.severity is None else issue.severity


def _calls(history: History, models: int) -> int:
    """Return how many calls a revision and its critique take."""
    made = [iteration.usage.calls for iteration in history if iteration.change is not None]
    if made and made[-1] > 0:
        return made[-1]
    return models + 1 if models else 0


def _members(critique: CritiqueResult) -> tuple[CritiqueResult, ...]:
    return critique.parts or (critique,)


def _models(critique: CritiqueResult) -> int:
    """Return how many of the critics are no tools."""
    return sum(not member.source.startswith("tool:") for member in _members(critique))


def _facts(critique: CritiqueResult) -> list[Issue]:
    """Return what tools report."""
    members = _members(critique)
    return [
        issue for member in members for issue in member.issues if (issue.source or member.source).startswith("tool:")
    ]
