"""Lessons of a run: the lesson to store, and the choice of lessons to offer. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, cast

from jido_ai.critics.acceptance import accepted
from jido_ai.critics.findings import gone_issues
from jido_ai.loop.convergence import score_of
from jido_ai.loop.edit_lesson import edits_in_words
from jido_ai.memory.lessons import diverse
from jido_ai.reflection.failure_kind import failure_tags
from jido_ai.values import (
    SLACK,
    CritiqueResult,
    Issue,
    Iteration,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    Scope,
    Scored,
)

__all__ = [
    "by_usefulness",
    "helped_from_the_start",
    "lesson_of",
    "offered",
    "recall_text",
    "was_worth_it",
    "within_tokens",
]

_MOST_ISSUES: Final = 20
_TEXT_CHARS: Final = 2_000
_USES_TO_JUDGE: Final = 5
_LEAST_SUCCESS: Final = 0.2
_CLEARLY_LESS: Final = 0.8
_CHARS_PER_TOKEN: Final = 4
_BY_RULE: Final = "targeted"
"""Name of the reviser whose reasoning only names rules."""


def recall_text(prompt: str, critique: CritiqueResult | None) -> str:
    """Return the text to search memory for: the prompt, and the first critique's findings (paths, rules, messages)."""
    if critique is None or not critique.issues:
        return prompt
    lines = dict.fromkeys(_name(issue) for issue in critique.issues[:_MOST_ISSUES])
    return "\n".join([prompt, *lines])


def was_worth_it(history: Sequence[Iteration], best: int, *, score_threshold: float) -> bool:
    """Tell whether the best candidate beats the first by `score_threshold` or more."""
    return score_of(history[best]) - score_of(history[0]) >= score_threshold - SLACK


def helped_from_the_start(lesson: MemoryEntry, history: Sequence[Iteration], config: LoopConfig) -> bool:
    """Tell whether a lesson that a first candidate was made with helped.

    It helped if such a candidate was good enough, or better than the one that the lesson came from: its severity lower
    by `score_threshold` or more. Gains of revisions do not count, because revisers have a critique to work from.
    """
    firsts = [one for one in history if one.gain is None]
    return any(
        accepted((one,), config) is not None
        or lesson.severity - one.critique.severity >= config.score_threshold - SLACK
        for one in firsts
    )


def by_usefulness(found: Sequence[Scored]) -> list[Scored]:
    """Return the retrieved entries, most useful first: by similarity x (successes + 1) / (uses + 2)."""
    return sorted(found, key=_worth, reverse=True)


def _worth(scored: Scored) -> float:
    return scored.similarity * _promise(scored.entry)


def offered(found: Sequence[Scored], k: int) -> list[Scored]:
    """Return at most `k` of the retrieved entries to offer to a run, best first.

    The worth of an entry is as in `by_usefulness`. An entry that was used five times or more and helped in less than a
    fifth of them is not offered (SPEC M50). One that failed more often than it helped is offered only when nothing
    better exists, and then alone: all lessons of a run share its outcome, so alone it is judged by itself. The others
    are chosen for worth and diversity (`diverse`). The promise of an entry is (successes + 1) / (uses + 2); an unused
    entry is not doubted. If a used entry among the chosen ones has less than four fifths of the highest promise among
    them, it is offered alone for the same reason: good lessons would hide that it is wrong.
    """
    useful = [scored for scored in by_usefulness(found) if not _has_failed(scored.entry)]
    useful = [scored for scored in useful if not _is_doubted(scored.entry)] or useful[:1]
    best = max((_worth(scored) for scored in useful), default=0.0) or 1.0
    chosen = diverse([(scored, _worth(scored) / best) for scored in useful], k)
    enough = _CLEARLY_LESS * max((_promise(scored.entry) for scored in chosen if scored.entry.use_count), default=0.0)
    suspects = (scored for scored in chosen if scored.entry.use_count and _promise(scored.entry) < enough - SLACK)
    return list(islice(suspects, 1)) or chosen


def _promise(entry: MemoryEntry) -> float:
    return (entry.success_count + 1) / (entry.use_count + 2)


def _is_doubted(entry: MemoryEntry) -> bool:
    return 2 * entry.success_count < entry.use_count


def _has_failed(entry: MemoryEntry) -> bool:
    return entry.use_count >= _USES_TO_JUDGE and entry.success_rate < _LEAST_SUCCESS - SLACK


def within_tokens(lessons: Sequence[MemoryEntry], tokens: int | None) -> tuple[MemoryEntry, ...]:
    """Return the first lessons that fit into `tokens` tokens together, at four characters per token.

    The first lesson is always included: prompts cut a text that is too long. None is no limit.

    Source: SPEC R37, R38.
    """
    if tokens is None:
        return tuple(lessons)
    room = _CHARS_PER_TOKEN * tokens
    kept: list[MemoryEntry] = []
    for lesson in lessons:
        room -= len(lesson.prompt) + len(lesson.mistake) + len(lesson.correction)
        if kept and room < 0:
            break
        kept.append(lesson)
    return tuple(kept)


def lesson_of(
    history: Sequence[Iteration], best: int, *, prompt: str, run_id: str, scope: Scope, by_critique: bool
) -> MemoryEntry | None:
    """Return the lesson of a successful run: the first candidate's mistake and the correction.

    The correction is the reviser's reasoning; without one the first critique's suggestions, or the findings that are
    gone. The reasoning of repairs by rule only names the rules: there it is the edits (`edits_in_words`). Returns None
    if these changed nothing but the layout: such a run teaches nothing.
    """
    first, last = history[0], history[best]
    fixed = gone_issues(first.critique, last.critique) or first.critique.issues
    names = list(dict.fromkeys(_name(issue) for issue in fixed[:_MOST_ISSUES]))
    if _is_by_rule(history, best):
        how = edits_in_words(first.candidate.content, last.candidate.content, fixed)
        if not how:
            return None
    else:
        how = last.candidate.reasoning or "; ".join(first.critique.suggestions) or _what_helped(names, first, last)
    gain = max(0.0, min(1.0, score_of(last) - score_of(first)))
    return MemoryEntry(
        prompt=recall_text(prompt, first.critique) if by_critique else prompt,
        mistake=("\n".join(names) or first.critique.feedback or "the first candidate was weaker")[:_TEXT_CHARS],
        correction=how[:_TEXT_CHARS],
        kind=MemoryKind.SEMANTIC,
        scope=scope,
        severity=first.critique.severity,
        importance=max(0.3, first.critique.severity),
        impact=gain,
        tags=tuple(dict.fromkeys([*_tags(fixed), *failure_tags(fixed), *_made_by(history, best)])),
        evidence=(run_id,),
    )


def _is_by_rule(history: Sequence[Iteration], best: int) -> bool:
    """True if every revision from the first to the best candidate was a repair by rule: it lists what it fixed."""
    made = {one.candidate.id: one.candidate for one in history}
    candidate = history[best].candidate
    while candidate.id != history[0].candidate.id:
        if candidate.metadata.get("reviser") != _BY_RULE or "fixed" not in candidate.metadata:
            return False
        parent = made.get(candidate.parent_id or "")
        if parent is None:
            return False
        candidate = parent
    return best > 0


def _tags(issues: Iterable[Issue]) -> Iterator[str]:
    return (issue.rule or issue.kind or "" for issue in issues if issue.rule or issue.kind)


def _made_by(history: Sequence[Iteration], best: int) -> Iterator[str]:
    """Yield the tags that revisers gave to the revisions between the first and the best candidate."""
    made = {one.candidate.id: one.candidate for one in history}
    candidate = history[best].candidate
    while candidate is not None:
        tags: object = candidate.metadata.get("tags")
        if isinstance(tags, list | tuple):
            yield from (tag for tag in cast("Sequence[object]", tags) if isinstance(tag, str))
        candidate = made.get(candidate.parent_id or "")


def _what_helped(names: Sequence[str], first: Iteration, last: Iteration) -> str:
    if names:
        return f"What helped: repair {', '.join(names)}"
    return f"The revision scored {score_of(last):.2f} instead of {score_of(first):.2f}"


def _name(issue: Issue) -> str:
    rule = issue.rule or issue.kind
    return f"{rule}: {issue.message}" if rule else issue.message
