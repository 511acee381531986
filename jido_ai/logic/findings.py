"""Findings: issues that are known again from one iteration to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set

from jido_ai.values import CritiqueResult, Finding, Issue, Iteration

__all__ = ["gone_issues", "ledger", "new_issues"]

Key = tuple[str, int]
"""A fingerprint, and which of the issues with that fingerprint it is: two equal complaints are two findings."""


def new_issues(before: CritiqueResult, after: CritiqueResult) -> tuple[Issue, ...]:
    """Return the issues of `after` that `before` does not know, in order."""
    known = Counter(issue.fingerprint for issue in before.issues)
    fresh: list[Issue] = []
    for issue in after.issues:
        if known[issue.fingerprint] > 0:
            known[issue.fingerprint] -= 1
        else:
            fresh.append(issue)
    return tuple(fresh)


def gone_issues(before: CritiqueResult, after: CritiqueResult) -> tuple[Issue, ...]:
    """Return the issues of `before` that `after` does not know any more, in order."""
    return new_issues(after, before)


def ledger(iterations: Sequence[Iteration], best: int) -> tuple[Finding, ...]:
    """Return every finding up to the best iteration, in order of appearance, with its status there.

    Open: the best candidate has it. Regressed: it has it, and an iteration between did not. Disputed: it has it in the
    opinion of one model of a panel, while another finds nothing to act on; what others found is no matter of opinion.
    Fixed: an earlier candidate had it, the best has not. What only later, worse candidates had is not a finding about
    the result.
    """
    seen: dict[Key, list[tuple[int, Issue]]] = {}
    for iteration in iterations[: best + 1]:
        for key, issue in _keyed(iteration.critique.issues):
            seen.setdefault(key, []).append((iteration.index, issue))
    disputed = _disputed(iterations[best].critique)
    return tuple(_finding(key, sightings, iterations[best].index, disputed) for key, sightings in seen.items())


def _disputed(critique: CritiqueResult) -> set[str]:
    """Return the fingerprints of what some models of a panel complain of while others are content."""
    opinions = [part for part in critique.parts if part.source.startswith("model:")]
    if all(part.actionable for part in opinions):
        return set()
    facts = [part for part in critique.parts if not part.source.startswith("model:")]
    return _fingerprints(opinions) - _fingerprints(facts)


def _fingerprints(parts: Iterable[CritiqueResult]) -> set[str]:
    return {issue.fingerprint for part in parts for issue in part.issues}


def _keyed(issues: Iterable[Issue]) -> list[tuple[Key, Issue]]:
    counts: Counter[str] = Counter()
    keyed: list[tuple[Key, Issue]] = []
    for issue in issues:
        fingerprint = issue.fingerprint
        keyed.append(((fingerprint, counts[fingerprint]), issue))
        counts[fingerprint] += 1
    return keyed


def _finding(key: Key, sightings: Sequence[tuple[int, Issue]], best: int, disputed: Set[str]) -> Finding:
    first, (last, issue) = sightings[0][0], sightings[-1]
    if last != best:
        return Finding(issue, "fixed", first, last)
    if key[0] in disputed:
        return Finding(issue, "disputed", first, last)
    was_away = len(sightings) < last - first + 1
    return Finding(issue, "regressed" if was_away else "open", first, last)
