"""Findings: issues that are known again from one iteration to the next. Pure.

Two issues are the same finding when their fingerprints are equal; that is all a tool needs, whose words do not change.
A model says the same thing in other words: two of its complaints are also the same when they are of one source, one
rule or kind and one file, name the same things, are worded alike, and stand near each other once the edits between are
allowed for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz.fuzz import ratio

from jido_ai.values import STOP_WORDS, CritiqueResult, Finding, Issue, Iteration, fingerprint_of

__all__ = ["disputed_issues", "gone_issues", "identities", "ledger", "new_issues"]

_ALIKE: Final = 85.0
"""Similarity of two wordings, of 100, from which on they say the same: the highest of a dozen pairs that differ in one
word which matters ("the introduction is too long", "the conclusion ...") was 84."""
_NEAR_LINES: Final = 10
"""So many lines may lie between where a finding should be now and where it is reported."""
_MOST_COMPARISONS: Final = 1_000
"""About a millisecond of comparing wordings; beyond it only equal fingerprints count."""
_FINDING: Final = Finding(Issue("?"), "open", 0, 0)
_LONGEST_MESSAGE: Final = 1_000
_ALIKE_WORDS: Final = 80.0
"""The same for words: "gives" and "given" are that much alike, "increase" and "decrease" 75."""
_WORD: Final = re.compile(r"\w+")
_FILLERS: Final = frozenset(word for word in STOP_WORDS if len(word) > 1)
"""A single letter may be the name of something."""
_NOT: Final = re.compile(r"n['’]t\b|(?<=\bcan)not\b", re.IGNORECASE)
"""Of "doesn't", "cannot"; its apostrophe opens no name."""
_NAMES: Final = re.compile(r"[`'\"‘“«]([^`'\"‘’“”«»]+)[`'\"’”»]|\b(\w*_\w+|\w+(?=\())")


def new_issues(before: CritiqueResult, after: CritiqueResult) -> tuple[Issue, ...]:
    """Return the issues of `after` that `before` does not know, in order. Of equal complaints each is one."""
    again = _known_again(_read(before.issues), _read(after.issues))
    return tuple(issue for index, issue in enumerate(after.issues) if index not in again)


def gone_issues(before: CritiqueResult, after: CritiqueResult) -> tuple[Issue, ...]:
    """Return the issues of `before` that `after` does not know any more, in order."""
    left = set(_known_again(_read(before.issues), _read(after.issues)).values())
    return tuple(issue for index, issue in enumerate(before.issues) if index not in left)


def identities(iterations: Iterable[Iteration]) -> tuple[tuple[int, ...], ...]:
    """Return, for every iteration, a number for each of its issues; equal numbers are the same finding.

    Numbers are given in order of appearance, from 0. A finding keeps its number when it is away for a while, and is
    compared as it was worded last. No number comes twice in one iteration.
    """
    known: list[_Read] = []
    told: list[tuple[int, ...]] = []
    for iteration in iterations:
        issues = _read(iteration.critique.issues)
        again = _known_again(known, issues)
        numbers: list[int] = []
        for index, issue in enumerate(issues):
            if index in again:
                known[again[index]] = issue
            else:
                known.append(issue)
            numbers.append(again.get(index, len(known) - 1))
        told.append(tuple(numbers))
    return tuple(told)


def ledger(iterations: Sequence[Iteration], best: int) -> tuple[Finding, ...]:
    """Return every finding up to the best iteration, in order of appearance, with its status there.

    Open: the best candidate has it. Regressed: it has it, and an iteration between did not. Disputed: it has it in the
    opinion of one model of a panel, while another finds nothing to act on; what others found is no matter of opinion.
    Fixed: an earlier candidate had it, the best has not. What only later, worse candidates had is not a finding about
    the result.
    """
    told = iterations[: best + 1]
    seen: dict[int, list[tuple[int, Issue]]] = {}
    for iteration, numbers in zip(told, identities(told), strict=True):
        for number, issue in zip(numbers, iteration.critique.issues, strict=True):
            seen.setdefault(number, []).append((iteration.index, issue))
    disputed = disputed_issues(iterations[best].critique.parts)
    return tuple(_finding(sightings, iterations[best].index, disputed) for sightings in seen.values())


def disputed_issues(parts: Sequence[CritiqueResult]) -> set[str]:
    """Return the fingerprints of what some models of a panel complain of while others are content."""
    opinions = [part for part in parts if part.source.startswith("model:")]
    if all(part.actionable for part in opinions):
        return set()
    facts = [part for part in parts if not part.source.startswith("model:")]
    return _fingerprints(opinions) - _fingerprints(facts)


def _fingerprints(parts: Iterable[CritiqueResult]) -> set[str]:
    return {issue.fingerprint for part in parts for issue in part.issues}


def _finding(sightings: Sequence[tuple[int, Issue]], best: int, disputed: Set[str]) -> Finding:
    first, (last, issue) = sightings[0][0], sightings[-1]
    if last != best:
        status = "fixed"
    elif issue.fingerprint in disputed:
        status = "disputed"
    else:
        was_away = len(sightings) < last - first + 1
        status = "regressed" if was_away else "open"
    found = {"issue": issue, "status": status, "first_iteration": first, "last_iteration": last}
    return _FINDING.model_copy(update=found)  # there is nothing to check


# -- knowing an issue again ------------------------------------------------------------------------


_Read = tuple[str, Issue]
"""An issue and its fingerprint."""


def _read(issues: Iterable[Issue]) -> list[_Read]:
    return [(_fingerprint(issue), issue) for issue in issues]


def _known_again(known: Sequence[_Read], issues: Sequence[_Read]) -> dict[int, int]:
    """Return which of `issues` (by position) is which of `known`; no one of either twice."""
    waiting: dict[str, list[int]] = {}
    for index in range(len(known) - 1, -1, -1):
        waiting.setdefault(known[index][0], []).append(index)
    again: dict[int, int] = {}
    for index, (fingerprint, _) in enumerate(issues):
        if same := waiting.get(fingerprint):
            again[index] = same.pop()
    if len(again) < len(issues):
        left = sorted(index for same in waiting.values() for index in same)
        again |= _reworded([issue for _, issue in known], [issue for _, issue in issues], left, again)
    return again


def _reworded(
    known: Sequence[Issue], issues: Sequence[Issue], left: Iterable[int], again: Mapping[int, int]
) -> dict[int, int]:
    """Return which of the issues that are not known again is which of the known that are left, in other words."""
    found: dict[int, int] = {}
    missing = [index for index, issue in enumerate(issues) if index not in again and _is_opinion(issue)]
    left = [index for index in left if _is_opinion(known[index])]
    if missing and left and len(missing) * len(left) <= _MOST_COMPARISONS:
        shifts = _shifts(known, issues, again)
        by_topic: dict[_Topic, list[int]] = {}
        for index in left:
            by_topic.setdefault(_topic(known[index]), []).append(index)
        for index in missing:
            rivals = by_topic.get(_topic(issues[index]), [])
            same = _most_alike(issues[index], known, rivals, shifts)
            if same is not None:
                found[index] = same
                rivals.remove(same)
    return found


def _is_opinion(issue: Issue) -> bool:
    """Tell whether a model may have said it, in words that change."""
    return not (issue.source or "").startswith("tool:") and len(issue.message) <= _LONGEST_MESSAGE


def _most_alike(
    issue: Issue, known: Sequence[Issue], rivals: Sequence[int], shifts: Mapping[str, _Shifts]
) -> int | None:
    """Return which rival is worded most like the issue, the earlier of equals, if any is."""
    best, best_likeness = None, 0.0
    for index in rivals:
        if _is_near(issue, known[index], shifts):
            likeness = _likeness(issue.message, known[index].message)
            if likeness > best_likeness:
                best, best_likeness = index, likeness
    return best


_Topic = tuple[str | None, str | None, str]


def _topic(issue: Issue) -> _Topic:
    return issue.source, issue.rule or issue.kind, _path(issue)


def _path(issue: Issue) -> str:
    return (issue.location.path if issue.location else None) or ""


def _mean_the_same(one: _Wording, other: _Wording) -> bool:
    """Tell whether two messages name the same things, if both name any, and no word that matters in one has given way
    to a quite different word in the other."""
    if one.names and other.names and one.names != other.names:
        return False
    fewer, more = sorted((one.words - other.words, other.words - one.words), key=len)
    return all(any(ratio(word, replaced) >= _ALIKE_WORDS for replaced in more) for word in fewer)


_Shifts = tuple[tuple[int, int], ...]
"""Of one file: old lines, ascending, and by how much what stood there has moved."""


def _shifts(known: Sequence[Issue], issues: Sequence[Issue], again: Mapping[int, int]) -> dict[str, _Shifts]:
    """Return, by file, how the findings that are known for certain have moved."""
    moved: dict[str, set[tuple[int, int]]] = {}
    for index, same in again.items():
        now, then = _line(issues[index]), _line(known[same])
        if now is not None and then is not None:
            moved.setdefault(_path(issues[index]), set()).add((then, now - then))
    return {path: tuple(sorted(shifts)) for path, shifts in moved.items()}


def _is_near(issue: Issue, other: Issue, shifts: Mapping[str, _Shifts]) -> bool:
    """Tell whether the issue is where the other should be by now; what has no line is everywhere."""
    now, then = _line(issue), _line(other)
    if now is None or then is None:
        return True
    of_file = shifts.get(_path(issue), ())
    above = bisect_right(of_file, then, key=lambda shift: shift[0])  # what moved it was above it
    shift = of_file[above - 1][1] if above else 0
    return abs(now - then - shift) <= _NEAR_LINES


def _line(issue: Issue) -> int | None:
    return issue.location.line if issue.location else None


# What was read is remembered: a history is read again after every iteration.


def _fingerprint(issue: Issue) -> str:
    if len(issue.message) > _LONGEST_MESSAGE:
        return issue.fingerprint
    return _remembered(issue.source, issue.rule or issue.kind, _path(issue), issue.message)


_remembered = lru_cache(maxsize=2048)(fingerprint_of)


@lru_cache(maxsize=2048)
def _likeness(message: str, other: str) -> float:
    """Return how alike two messages are worded, of 100; 0.0 when they do not say the same."""
    one, two = _wording(message), _wording(other)
    likeness = ratio(one.in_order, two.in_order, score_cutoff=_ALIKE)
    return likeness if likeness and _mean_the_same(one, two) else 0.0


@dataclass(frozen=True, slots=True)
class _Wording:
    """A message, read: its words in alphabetical order, so that only the choice of words counts; those that matter;
    and what it names: `quoted`, with_underscores, called()."""

    in_order: str
    words: frozenset[str]
    names: frozenset[str]


@lru_cache(maxsize=2048)
def _wording(message: str) -> _Wording:
    message = _NOT.sub(" not", message)
    words = _WORD.findall(message.casefold())
    names = frozenset("".join(found) for found in _NAMES.findall(message))
    return _Wording(" ".join(sorted(words)), frozenset(words) - _FILLERS, names)
