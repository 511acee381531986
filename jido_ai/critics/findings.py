"""Findings: the identity of issues across iterations. Pure.

Two issues are the same finding if their fingerprints are equal. This suffices for tools, whose wording is stable. A
model rephrases: two of its issues are also the same if they have the same source, rule or kind, and file, name the same
things, are worded similarly, and are close to each other after the edits between them are accounted for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from jido_ai.text.change import change
from jido_ai.values import STOP_WORDS, CritiqueResult, Finding, Issue, Iteration, fingerprint_of

_ALIKE: Final = 85.0
"""Least similarity, in 0..100, at which two wordings mean the same. Of a dozen pairs that differ in one significant
word ("the introduction is too long", "the conclusion ..."), the most similar scored 84."""
_NEAR_LINES: Final = 10
"""Maximum distance, in lines, between the expected and the reported line of a finding."""
_MOST_COMPARISONS: Final = 1_000
"""Some milliseconds of comparing wordings; beyond this only equal fingerprints count."""
_FINDING: Final = Finding(Issue("?"), "open", 0, 0)
_LONGEST_MESSAGE: Final = 1_000
_ALIKE_WORDS: Final = 80.0
"""The same for words: "gives" and "given" are this similar, "increase" and "decrease" score 75."""
_WORD: Final = re.compile(r"\w+")
_FILLERS: Final = frozenset(word for word in STOP_WORDS if len(word) > 1)
"""A single letter may be a name."""
_NOT: Final = re.compile(r"n['’]t\b|(?<=\bcan)not\b", re.IGNORECASE)
"""As in "doesn't", "cannot"; this apostrophe does not open a quoted name."""
_NAMES: Final = re.compile(r"[`'\"‘“«]([^`'\"‘’“”«»]+)[`'\"’”»]|\b(\w*_\w+|\w+(?=\())")


def new_issues(before: CritiqueResult, after: CritiqueResult) -> tuple[Issue, ...]:
    """Return the issues of `after` that are not in `before`, in order. Equal issues count separately."""
    again = _known_again(_read(before.issues), _read(after.issues))
    return tuple(issue for index, issue in enumerate(after.issues) if index not in again)


def gone_issues(before: CritiqueResult, after: CritiqueResult) -> tuple[Issue, ...]:
    """Return the issues of `before` that are no longer in `after`, in order."""
    left = set(_known_again(_read(before.issues), _read(after.issues)).values())
    return tuple(issue for index, issue in enumerate(before.issues) if index not in left)


def identities(iterations: Iterable[Iteration]) -> tuple[tuple[int, ...], ...]:
    """Return, for every iteration, a number for each of its issues; equal numbers mean the same finding.

    Numbers are assigned in order of appearance, from 0. A finding that disappears and returns keeps its number; its
    latest wording is compared. A number occurs at most once per iteration.
    """
    known: list[_Read] = []
    result: list[tuple[int, ...]] = []
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
        result.append(tuple(numbers))
    return tuple(result)


def ledger(iterations: Sequence[Iteration], best: int) -> tuple[Finding, ...]:
    """Return every finding up to the best iteration, in order of appearance, with its status there.

    Open: the best candidate has it. Regressed: the best candidate has it, but an iteration in between did not.
    Disputed: one model of a panel reports it and another reports nothing to act on; findings of tools are never
    disputed. Fixed: an earlier candidate had it, the best does not. Findings of later, worse candidates are left out.
    """
    up_to_best = iterations[: best + 1]
    seen: dict[int, list[tuple[int, Issue]]] = {}
    for iteration, numbers in zip(up_to_best, identities(up_to_best), strict=True):
        for number, issue in zip(numbers, iteration.critique.issues, strict=True):
            seen.setdefault(number, []).append((iteration.index, issue))
    disputed = disputed_issues(iterations[best].critique.parts)
    return tuple(_finding(sightings, iterations[best].index, disputed) for sightings in seen.values())


def disputed_issues(parts: Sequence[CritiqueResult]) -> set[str]:
    """Return the fingerprints of the issues that some models of a panel report while others report none."""
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
    return _FINDING.model_copy(update=found)  # valid by construction, so not checked again


# -- matching issues -------------------------------------------------------------------------------


_Read = tuple[str, Issue]
"""An issue and its fingerprint."""


def _read(issues: Iterable[Issue]) -> list[_Read]:
    return [(_fingerprint(issue), issue) for issue in issues]


def _known_again(known: Sequence[_Read], issues: Sequence[_Read]) -> dict[int, int]:
    """Return which of `issues` match which of `known`, by position; each is matched at most once."""
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
    """Match the remaining issues with the remaining known ones by their wording."""
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
    """Tell whether the issue may come from a model, whose wording changes."""
    return not (issue.source or "").startswith("tool:") and len(issue.message) <= _LONGEST_MESSAGE


def _most_alike(
    issue: Issue, known: Sequence[Issue], rivals: Sequence[int], shifts: Mapping[str, _Shifts]
) -> int | None:
    """Return the rival worded most like the issue, the earlier one on a tie; None if none is similar."""
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
    """Tell whether two messages name the same things, if both name any, and no significant word of one was replaced by
    a quite different word in the other."""
    if one.names and other.names and one.names != other.names:
        return False
    fewer, more = sorted((one.words - other.words, other.words - one.words), key=len)
    return all(any(_ratio(word, replaced) >= _ALIKE_WORDS for replaced in more) for word in fewer)


def _ratio(one: str, other: str) -> float:
    return 100.0 * (1.0 - change(one, other))


_Shifts = tuple[tuple[int, int], ...]
"""Per file: old line numbers, ascending, each with the shift of the text at that line."""


def _shifts(known: Sequence[Issue], issues: Sequence[Issue], again: Mapping[int, int]) -> dict[str, _Shifts]:
    """Return, by file, the shifts of the findings that are matched for certain."""
    moved: dict[str, set[tuple[int, int]]] = {}
    for index, same in again.items():
        now, then = _line(issues[index]), _line(known[same])
        if now is not None and then is not None:
            moved.setdefault(_path(issues[index]), set()).add((then, now - then))
    return {path: tuple(sorted(shifts)) for path, shifts in moved.items()}


def _is_near(issue: Issue, other: Issue, shifts: Mapping[str, _Shifts]) -> bool:
    """Tell whether the issue is near the expected line of the other; an issue without a line is near every line."""
    now, then = _line(issue), _line(other)
    if now is None or then is None:
        return True
    of_file = shifts.get(_path(issue), ())
    above = bisect_right(of_file, then, key=lambda shift: shift[0])  # only edits above it move it
    shift = of_file[above - 1][1] if above else 0
    return abs(now - then - shift) <= _NEAR_LINES


def _line(issue: Issue) -> int | None:
    return issue.location.line if issue.location else None


# Cached: a history is read again after every iteration.


def _fingerprint(issue: Issue) -> str:
    if len(issue.message) > _LONGEST_MESSAGE:
        return issue.fingerprint
    return _remembered(issue.source, issue.rule or issue.kind, _path(issue), issue.message)


_remembered = lru_cache(maxsize=2048)(fingerprint_of)


@lru_cache(maxsize=2048)
def _likeness(message: str, other: str) -> float:
    """Return the similarity of two wordings, in 0..100; 0.0 if they do not mean the same."""
    one, two = _wording(message), _wording(other)
    shared = (one.letters & two.letters).total()  # no more can be kept, and this is quick
    if 200.0 * shared < _ALIKE * (len(one.in_order) + len(two.in_order)):
        return 0.0
    likeness = _ratio(one.in_order, two.in_order)
    return likeness if likeness >= _ALIKE and _mean_the_same(one, two) else 0.0


@dataclass(frozen=True, slots=True)
class _Wording:
    """A parsed message: its words, sorted, so that only the choice of words counts, and their letters; its significant
    words; and the names in it: `quoted`, with_underscores, called()."""

    in_order: str
    letters: Counter[str]
    words: frozenset[str]
    names: frozenset[str]


@lru_cache(maxsize=2048)
def _wording(message: str) -> _Wording:
    message = _NOT.sub(" not", message)
    words = _WORD.findall(message.casefold())
    names = frozenset("".join(found) for found in _NAMES.findall(message))
    in_order = " ".join(sorted(words))
    return _Wording(in_order, Counter(in_order), frozenset(words) - _FILLERS, names)
