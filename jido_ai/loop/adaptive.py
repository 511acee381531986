"""The adaptive policy: continue while a revision is expected to gain more than its calls cost. Pure.

The expected gain is the score still missing, times the chance that a revision closes the open findings. That chance
follows from the severity of the open findings and the share of findings that this run's revisions have closed so far.
The price is the cost of the calls plus the unseen damage that a model causes. A finding that survives two revisions is
beyond the reviser. A candidate that fell is not revised. The result is the best candidate by evidence.

The policy sees observations only: the critics' reports and the calls made. Sources: the form is the quality model
exp(-0.45 * sum of severities) of the simulation in `benchmarks/bench_stopping.py`; the constants come from a coarse
search there, on seeds 901, 903 and 911, 500 to 2,000 tasks per world (decision 0010), and are rounded: the result
is flat around them, to 0.001.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any, Final

from jido_ai.critics.acceptance import History, accepted
from jido_ai.critics.findings import identities
from jido_ai.loop.convergence import Decision, cycle, score_of
from jido_ai.loop.floor import above_floor
from jido_ai.values import SLACK, CritiqueResult, Issue, Iteration, LoopConfig, Revise, StopReason, Verdict

HARM_OF_SEVERITY: Final = 0.45
"""Share of its quality that a candidate loses per unit of severity, compounded. Source: the benchmark."""
_USUAL_FIX_RATE: Final = 0.5
_USUAL_FINDINGS: Final = 10
"""The prior: half of the findings are expected to go with a revision, weighted as ten observed findings."""
UNSEEN_DAMAGE: Final = 0.03
"""Score that a revision by a model loses on average through errors that no critic reports."""
_TRUST_IN_TOOLS: Final = 4.0
"""How much more certain a gain is when a tool reports the findings: tools invent nothing and see every fix."""
_SURVIVED_OPINION: Final = 2
_SURVIVED_FACT: Final = 3
"""Revisions after which a finding is beyond the reviser. Findings of tools or several models get one more try."""
_PROGRAMS: Final = frozenset({"tests", "deterministic"})
_SEVERE: Final = 0.7
"""Severities from here on are high (`CritiqueResult.severity_level`)."""


def adaptive(history: History, config: LoopConfig) -> Decision:
    """Return the decision: stop with the best candidate, or revise the newest or, after a fall, the best.

    It stops at once when the newest candidate is accepted or closes a cycle (`finished`). It stops with
    no_expected_gain when every open finding has survived two revisions (three if a tool reports any or several models
    judge), or when the expected gain is not above the price. A fall is a score below the best by `score_threshold` or
    more, or a candidate below the floor. A verdict always has a pick: the accepted candidate, else `best_by_evidence`.

    The price of a revision is `call_price` for each call it takes: as many as the last revision took or, if none is
    known, one for the reviser and one per model among the critics. Without models the price and the unseen damage are
    0, so it continues while anything is left to fix. A higher price never prolongs a run.
    """
    best = best_by_evidence(history)
    if verdict := finished(history, config, best):
        return verdict
    revision = next_revision(history, config, best)
    if revision.pays:
        return Revise(revision.base)
    return Verdict(StopReason.NO_EXPECTED_GAIN, revision.evidence, pick=best)


def finished(history: History, config: LoopConfig, best: int) -> Verdict | None:
    """Return the verdict if the newest candidate is accepted or closes a cycle; `best` is picked for a cycle.

    Where a tool reports findings and a model revises, an equal candidate ends nothing: it was one more try, and the
    next one varies more (`RunContext.repeats`).
    """
    if verdict := accepted(history, config):
        return verdict.replace(pick=len(history) - 1)
    may_vary = history[-1].usage.calls > 0 and facts_of(history[-1].critique)
    if not may_vary and (verdict := cycle(history, config)):
        return verdict.replace(pick=best)
    return None


@dataclass(frozen=True, slots=True)
class NextRevision:
    """The revision that would come next, and whether it is worth its price.

    Attributes:
        base: position of the candidate to revise.
        fell: the newest candidate is worse than the best by `score_threshold` or more, or below the floor.
        pays: the expected gain is above the price, and the open findings are not beyond the reviser.
        evidence: the figures.
    """

    base: int
    fell: bool
    pays: bool
    evidence: dict[str, Any]


def next_revision(
    history: History,
    config: LoopConfig,
    best: int,
    *,
    from_best: bool = False,
    worths: Sequence[float] | None = None,
    unseen_damage: float = UNSEEN_DAMAGE,
    tries: int = _SURVIVED_OPINION,
) -> NextRevision:
    """Weigh the next revision: of the newest candidate or, after a fall, of the best.

    Args:
        best: position of the best candidate.
        from_best: revise the best even if the newest did not fall.
        worths: the value of each candidate, in score units; None: its score.
        unseen_damage: score that a revision by a model loses through errors that no critic reports.
        tries: revisions, and fresh candidates, after which a single model's finding is beyond the reviser.
    """
    worths = [score_of(iteration) for iteration in history] if worths is None else worths
    newest = len(history) - 1
    fell = bool(history[newest].broken) or worths[newest] <= worths[best] - config.score_threshold + SLACK
    base = best if fell or from_best else newest
    outlook = _outlook(history, base, tries)
    gain = outlook.gain - max(0.0, worths[best] - worths[base])  # only a gain over the best counts
    price = outlook.calls * config.call_price + (unseen_damage if outlook.calls else 0.0)
    evidence = {
        "expected_gain": gain,
        "price": price,
        "calls": outlook.calls,
        "call_price": config.call_price,
        "base": base,
        "score": score_of(history[base]),
        "best_score": score_of(history[best]),
        "open_issues": outlook.open_issues,
        "open_severity": outlook.open_severity,
        "fix_rate": outlook.fix_rate,
        "trust": outlook.trust,
        "survived_revisions": outlook.survived,
    }
    return NextRevision(base, fell, gain > price + SLACK and not outlook.is_stuck, evidence)


def best_by_evidence(history: Sequence[Iteration]) -> int:
    """Return the position of the best candidate: tools before models, fewer open severe findings, then score.

    The order: the smallest sum of severities that tools report, then the fewest findings of high severity (0.7 or
    more) from any source, then the highest score; ties (within 1e-9) go to the earlier. A candidate below the floor is
    never the best. The history must not be empty.
    """
    best, *others = above_floor(history)
    for position in others:
        if is_better(history[position], history[best]):
            best = position
    return best


def is_better(one: Iteration, other: Iteration) -> bool:
    """Tell whether a candidate ranks above another in the order of `best_by_evidence`, both above the floor."""
    differences = (value - than for value, than in zip(_rank(one), _rank(other), strict=True))
    return next((difference for difference in differences if abs(difference) > SLACK), 0.0) > 0.0


def _rank(iteration: Iteration) -> tuple[float, float, float]:
    critique = iteration.critique
    severe = sum(severity_of(issue, critique) >= _SEVERE - SLACK for issue in critique.issues)
    return -sum(severity_of(issue, critique) for issue in facts_of(critique)), -severe, score_of(iteration)


# -- expected gain of a revision -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Outlook:
    """The case for and against revising a candidate.

    Attributes:
        gain: expected gain in score, before price and damage.
        fix_rate: share of the findings that a revision closes.
        trust: weight of the critics' findings; 1 for one model.
        survived: smallest number of revisions that an open finding has survived; 0 without open findings.
        is_stuck: the open findings are beyond the reviser.
        calls: calls to models that a revision and its critique take.
    """

    gain: float
    open_issues: int
    open_severity: float
    fix_rate: float
    trust: float
    survived: int
    is_stuck: bool
    calls: int


def _outlook(history: History, base: int, tries: int) -> _Outlook:
    critique, missing = history[base].critique, 1.0 - score_of(history[base])
    numbers = identities(history)
    fix_rate = _fix_rate(history, numbers)
    models, facts = models_of(critique), len(facts_of(critique))
    trust = sqrt(max(1, models)) * (_TRUST_IN_TOOLS if facts else 1.0)
    severity = open_severity(critique)
    sightings = Counter(number for of_one in numbers for number in of_one)
    survived = min((sightings[number] - 1 for number in numbers[base]), default=0)
    return _Outlook(
        gain=missing * min(1.0, trust * (1.0 - exp(-HARM_OF_SEVERITY * fix_rate * severity))),
        open_issues=len(critique.issues),
        open_severity=severity,
        fix_rate=fix_rate,
        trust=trust,
        survived=survived,
        is_stuck=survived >= (_SURVIVED_FACT if facts or models > 1 else tries),
        calls=_calls(history, models),
    )


def _fix_rate(history: History, numbers: Sequence[Sequence[int]]) -> float:
    """Return the share of findings that revisions, and fresh candidates, close, from this run and the prior."""
    tried, gone = float(_USUAL_FINDINGS), _USUAL_FINDINGS * _USUAL_FIX_RATE
    by_id = {iteration.candidate.id: position for position, iteration in enumerate(history)}
    for position, iteration in enumerate(history):
        if position:
            parent = by_id.get(iteration.candidate.parent_id or "", position - 1)
            tried += len(numbers[parent])
            gone += len(set(numbers[parent]) - set(numbers[position]))
    return gone / tried


def open_severity(critique: CritiqueResult) -> float:
    """Return the sum over the issues; a critique without issues counts as one issue of its severity."""
    if not critique.issues:
        return critique.severity
    return sum(severity_of(issue, critique) for issue in critique.issues)


def severity_of(issue: Issue, critique: CritiqueResult) -> float:
    """Return the severity of an issue: its own, else that of its critique."""
    return critique.severity if issue.severity is None else issue.severity


def _calls(history: History, models: int) -> int:
    """Return how many calls a revision and its critique take."""
    made = [iteration.usage.calls for iteration in history if iteration.change is not None]
    if made and made[-1] > 0:
        return made[-1]
    return models + 1 if models else 0


def models_of(critique: CritiqueResult) -> int:
    """Return how many of the critics are models, or unknown; one whose findings are all a program's is a program."""
    return sum(not _is_program(member) for member in critique.parts or (critique,))


def _is_program(critique: CritiqueResult) -> bool:
    return is_program(critique.source) or bool(critique.issues and len(facts_of(critique)) == len(critique.issues))


def is_program(source: str | None) -> bool:
    """Tell whether a source of findings is a program: a tool, a suite of tests, rules."""
    return source is not None and (source.startswith(("tool:", "rule:")) or source in _PROGRAMS)


def facts_of(critique: CritiqueResult) -> list[Issue]:
    """Return the issues that programs report."""
    members = critique.parts or (critique,)
    return [issue for member in members for issue in member.issues if is_program(issue.source or member.source)]
