"""Lessons of a run: the lesson to store, and the choice of lessons to offer. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, cast

from jido_ai.critics.acceptance import is_accepted
from jido_ai.critics.findings import gone_issues
from jido_ai.loop.convergence import score_of
from jido_ai.loop.edit_lesson import failure_in_words, repair_in_words
from jido_ai.loop.moves import SAMPLES
from jido_ai.memory.lessons import diverse, one_per_prompt_and_lesson
from jido_ai.reflection.failure_kind import failure_tags
from jido_ai.values import (
    SLACK,
    Candidate,
    CritiqueResult,
    Issue,
    Iteration,
    LoopConfig,
    MemoryEntry,
    MemoryKind,
    Reflection,
    Scope,
    Scored,
    extract_keywords,
)

_MOST_ISSUES: Final = 20
_TEXT_CHARS: Final = 2_000
_USES_TO_JUDGE: Final = 5
_LEAST_SUCCESS: Final = 0.2
_CLEARLY_LESS: Final = 0.8
_CHARS_PER_TOKEN: Final = 4
_BY_RULE: Final = "targeted"
"""Name of the reviser whose reasoning only names rules."""


def recall_text(prompt: str, critique: CritiqueResult | None) -> str:
    """Return the text to search memory for: the prompt, and the first critique's findings in words, each once.

    Findings that teach nothing are left out if there are others.
    """
    if critique is None or not critique.issues:
        return prompt
    telling = [issue for issue in critique.issues if not _teaches_nothing(issue)] or critique.issues
    lines = dict.fromkeys(_in_words(issue) for issue in telling[:_MOST_ISSUES])
    return "\n".join([*([prompt] if prompt.strip() else []), *lines])


def _in_words(issue: Issue) -> str:
    """Return a finding as a person would say it: a failing test by its name, anything else by its message."""
    if issue.kind != "test" or not issue.rule:
        return issue.message
    name = issue.rule.partition("[")[0].rpartition("::")[2].removesuffix(".py")
    if " " not in name:
        name = name.rpartition("/")[2].rpartition(".")[2]
    return f"{_FAILING}: {' '.join(name.removeprefix('test').replace('_', ' ').split()) or issue.rule}"


def shares_only_our_words(text: str, prompt: str) -> bool:
    """True if all that two texts of `recall_text` have in common is that a test fails."""
    shared = extract_keywords(text) & extract_keywords(prompt)
    return bool(shared) and shared <= _OUR_WORDS


_FAILING: Final = "failing test"
_OUR_WORDS: Final = frozenset(_FAILING.split())


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
        is_accepted(one, config) or lesson.severity - one.critique.severity >= config.score_threshold - SLACK
        for one in firsts
    )


def by_usefulness(found: Sequence[Scored]) -> list[Scored]:
    """Return the retrieved entries, most useful first: by similarity x (successes + 1) / (uses + 2)."""
    return sorted(found, key=_worth, reverse=True)


def _worth(scored: Scored) -> float:
    return scored.similarity * _promise(scored.entry)


def offered(found: Sequence[Scored], k: int, alike: Sequence[Scored] = ()) -> list[Scored]:
    """Return at most `k` of the retrieved entries to offer to a run, best first, and those of `alike` after them.

    The worth of an entry is as in `by_usefulness`. An entry that was used five times or more and helped in less than a
    fifth of them is not offered (SPEC M50). One that failed more often than it helped, perhaps at tasks that it is not
    for, is offered only when it is clearly more similar than all better ones, and then alone: all lessons of a run
    share its outcome, so alone it is judged by itself. The others are chosen for worth and diversity (`diverse`). The
    promise of an entry is (successes + 1) / (uses + 2); an unused entry is not doubted. If a used entry among the
    chosen ones has less than four fifths of the highest promise among them, it is offered alone for the same reason:
    good lessons would hide that it is wrong.

    Args:
        alike: entries from the same kinds of failing tests, under the same rules: a doubted one only if there is no
            other.
    """
    useful = [scored for scored in by_usefulness(found) if not _has_failed(scored.entry)]
    sound = [scored for scored in useful if not _is_doubted(scored.entry)]
    nearest = max((scored.similarity for scored in sound), default=-1.0)
    for scored in useful:
        if _is_doubted(scored.entry) and _CLEARLY_LESS * scored.similarity > nearest + SLACK:
            return [scored]
    best = max((_worth(scored) for scored in sound), default=0.0) or 1.0
    chosen = diverse([(scored, _worth(scored) / best) for scored in sound], k)
    others = [scored for scored in alike if not _has_failed(scored.entry)]
    sure = [scored for scored in others if not _is_doubted(scored.entry)]
    chosen = one_per_prompt_and_lesson((*chosen, *sure)) or others[:1]
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
    history: Sequence[Iteration],
    best: int,
    *,
    prompt: str,
    run_id: str,
    scope: Scope,
    by_critique: bool,
    task_type: str | None = None,
    reflections: Mapping[int, Reflection | None] | None = None,
) -> MemoryEntry | None:
    """Return the lesson of a successful run; None if it teaches nothing that helps with another task.

    The mistake is what was found in the first candidate and is gone. The correction is the newest lesson that a model
    drew from the attempts, else the reviser's explanation, else the first critique's suggestions, else blank; of an
    edit that tests vouch for, the edit in general terms. Layout, unused names and repairs by rule, which are the same
    each time, teach nothing, and neither does a better score without a word about why, or a finding that a fresh sample
    does not have by luck.

    Args:
        task_type: kind of the task.
        reflections: on the iterations, by index.
    """
    first, last = history[0], history[best]
    fixed = gone_issues(first.critique, last.critique) or first.critique.issues
    telling = [issue for issue in fixed if not _teaches_nothing(issue)]
    line = _line(history, best)
    if (fixed and not telling) or (line and all(_is_by_rule(one) for one in line)):
        return None
    how = (
        _reflected(reflections or {}, best)
        or _edit_of(line, first, telling)
        or _explained(line)
        or (_in_a_row(first.critique.suggestions) if telling else "")
    )
    is_luck = best > 0 and last.candidate.metadata.get("move") in SAMPLES  # nobody had told it what was wrong
    if not how and (is_luck or not _is_said(telling, first.critique)):
        return None
    found_by = dict.fromkeys(issue.source for issue in telling if issue.source)
    return MemoryEntry(
        prompt=recall_text(prompt, first.critique) if by_critique else prompt,
        mistake=("\n".join(_named(telling)) or first.critique.feedback or "")[:_TEXT_CHARS],
        correction=how[:_TEXT_CHARS],
        kind=MemoryKind.SEMANTIC,
        scope=scope,
        task_type=task_type,
        severity=first.critique.severity,
        importance=max(0.3, first.critique.severity),
        impact=max(0.0, min(1.0, score_of(last) - score_of(first))),
        tags=tuple(dict.fromkeys([*_tags(telling), *failure_tags(telling), *_made_by(line)])),
        evidence=(run_id,),
        metadata={
            **({"found_by": list(found_by)} if found_by else {}),
            **({"repairs": repairs} if (repairs := [*_repairs(line)]) else {}),
        },
    )


# -- where the words of a lesson come from ---------------------------------------------------------

_LAYOUT: Final = re.compile(
    r"[EW][1-5]\d{2}|I\d{3}|F401|F811|F841|COM8\d{2}|Q\d{3}|D2\d{2}|ERA001|ARG\d{3}|B007|RUF059|RUF100|"
    r"W061[1-4]|C03\d{2}|unformatted|layout|unused\S*|reportUnused\w*|isort|black",
    re.IGNORECASE,
)
"""Rules and kinds of findings about layout and unused names."""
_LEAST_WORDS: Final = 3
_SENTENCE_CHARS: Final = 150
_COUNTED: Final = re.compile(r", and there (?:is|are) \d+$")
"""What a rule about a length says of one answer."""
_NAME: Final = re.compile(r"[\w.:/@-]+")
"""A rule's name; one without a name of its own is called by its pattern, which says nothing to a reader."""
_OF_ONE_TASK: Final = ("test", "timeout", "cannot-run")
"""Kinds of findings that tell the values of one task: no advice for another."""


def _teaches_nothing(issue: Issue) -> bool:
    return issue.rule == "format" or _LAYOUT.fullmatch(issue.rule or issue.kind or "") is not None


def _line(history: Sequence[Iteration], best: int) -> list[Candidate]:
    """Return the revisions from the first candidate, which is left out, to the best one, newest first."""
    made = {one.candidate.id: one.candidate for one in history}
    candidate: Candidate | None = history[best].candidate
    line: list[Candidate] = []
    while candidate is not None and candidate.id != history[0].candidate.id and len(line) < len(history):
        line.append(candidate)
        candidate = made.get(candidate.parent_id or "")
    return line


def _is_by_rule(candidate: Candidate) -> bool:
    return candidate.metadata.get("reviser") == _BY_RULE and "fixed" in candidate.metadata


def _reflected(reflections: Mapping[int, Reflection | None], best: int) -> str:
    """Return the newest lesson that a model drew from an attempt before the best one."""
    before = (reflections.get(index) for index in range(best, -1, -1))
    drawn = (one.lesson.strip() for one in before if one is not None and one.source == "llm")
    return next(filter(None, drawn), "")


def _edit_of(line: Sequence[Candidate], first: Iteration, fixed: Sequence[Issue]) -> str:
    """Return the edit that tests vouch for, in general terms; "" without one."""
    kinds = [tag.partition(":")[2] for tag in failure_tags(fixed)]
    for place, candidate in enumerate(line):
        operator = candidate.metadata.get("operator")
        if candidate.metadata.get("vouched_by") != "tests" or not isinstance(operator, str):
            continue
        failure = candidate.metadata.get("failure")
        kind = failure if isinstance(failure, str) else kinds[0] if kinds else "AssertionError"
        before = line[place + 1] if place + 1 < len(line) else first.candidate
        told = repair_in_words(kind, before.content, candidate.content)
        return told or f"When a test finds {failure_in_words(kind)}, try an edit of the kind '{operator}'."
    return ""


def _repairs(line: Sequence[Candidate]) -> Iterator[dict[str, str]]:
    """Yield the edits that tests vouch for, for a search that tries them first."""
    names = ("operator", "failure", "before", "after")
    for candidate in line:
        if candidate.metadata.get("vouched_by") != "tests":
            continue
        texts = {name: text for name in names if isinstance(text := candidate.metadata.get(name), str)}
        if len(texts) == len(names):
            yield {name: text[:_TEXT_CHARS] for name, text in texts.items()}


def _explained(line: Sequence[Candidate]) -> str:
    """Return the newest explanation of a reviser that is more than a rule's name or two, or the changed words."""
    told = (one.reasoning or "" for one in line if not _is_by_rule(one) and not _is_a_diff(one))
    return next((text for text in told if len(text.split()) >= _LEAST_WORDS), "")


def _is_a_diff(candidate: Candidate) -> bool:
    """True if the reasoning repeats the changes as `'OLD' -> 'NEW'`: computed, not explained by a model."""
    changes: object = candidate.metadata.get("changes_made")
    told = cast("Sequence[object]", changes) if isinstance(changes, list | tuple) else ()
    return any(isinstance(one, str) and one.startswith(("'", '"')) and " -> " in one for one in told)


def _is_said(telling: Sequence[Issue], critique: CritiqueResult) -> bool:
    """Tell whether the findings, or else a feedback of one sentence, say something for other tasks.

    A longer feedback is a comment on this answer.
    """
    if telling:
        return any(issue.kind not in _OF_ONE_TASK for issue in telling)
    said = " ".join((critique.feedback or "").split()).rstrip(".")
    return 0 < len(said) <= _SENTENCE_CHARS and ". " not in said


def _in_a_row(texts: Iterable[str]) -> str:
    """Return the first texts as one, each once."""
    return "; ".join(dict.fromkeys(filter(None, (text.strip().rstrip(".") for text in islice(texts, _MOST_ISSUES)))))


def _named(issues: Iterable[Issue]) -> list[str]:
    """Return the names of the first findings, each once."""
    return list(dict.fromkeys(_name(issue) for issue in islice(issues, _MOST_ISSUES)))


def _tags(issues: Iterable[Issue]) -> Iterator[str]:
    return (issue.rule or issue.kind or "" for issue in issues if issue.rule or issue.kind)


def _made_by(line: Iterable[Candidate]) -> Iterator[str]:
    """Yield the tags that revisers gave to their revisions."""
    for candidate in line:
        yield from _given_tags(candidate)


def _given_tags(candidate: Candidate) -> Iterator[str]:
    tags: object = candidate.metadata.get("tags")
    if isinstance(tags, list | tuple):
        yield from (tag for tag in cast("Sequence[object]", tags) if isinstance(tag, str))


def _name(issue: Issue) -> str:
    if issue.kind == "test":
        return _in_words(issue)
    name = next((one for one in (issue.rule, issue.kind) if one and _NAME.fullmatch(one)), None)
    said = _COUNTED.sub("", issue.message)
    return f"{name}: {said}" if name else said
