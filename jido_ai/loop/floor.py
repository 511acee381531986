"""The floor: a check that the first candidate passed must pass in every later one, whatever the score. Pure.

A candidate below the floor is never the best, never accepted, and never revised. Only yes-or-no checks count: the text
parses, the module imports, a test passes, the type checker reports no error. The number and severity of findings
affect the score, not the floor. A candidate that does not parse or cannot run ranks below every other, even if it is
the first one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jido_ai.critics.acceptance import is_unusable
from jido_ai.critics.findings import new_issues
from jido_ai.text.python_tree import reads_as
from jido_ai.values import CritiqueResult, Issue, Iteration

_CHECKED: Final = frozenset({"syntax", "import", "cannot-run", "timeout", "test"})
"""Kinds of findings that fail a yes-or-no check."""
_BLOCKED: Final = frozenset({"syntax", "cannot-run", "timeout"})
"""Kinds of findings that prevent further checks."""
_TYPE_CHECKERS: Final = frozenset({"tool:mypy", "tool:pyright", "tool:basedpyright"})
_MOST_NAMED: Final = 1_000
_LONGEST_NAME: Final = 300


def broken_checks(first: CritiqueResult, later: CritiqueResult) -> tuple[str, ...]:
    """Return the names of the checks that the first critique passed and the later one does not, in order.

    They are read from `checks`. For tools without checks, a finding of kind syntax, import, test, timeout or
    cannot-run, or an error of a type checker, counts if the first critique did not have it. If the first critique
    could not be made (its candidate did not parse, the tool could not run), such a finding breaks nothing. The
    opinions of models never break a check. At most 1,000 names are returned.
    """
    named = [name for name, end in first.checks.items() if end == "passed" and later.checks.get(name) != "passed"]
    known = {*first.checks, *later.checks}
    found = [_name(issue) for issue in _news(first, later) if not _is_named(issue, known)]
    return tuple(dict.fromkeys((*named, *found)))[:_MOST_NAMED]


def above_floor(history: Sequence[Iteration]) -> list[int]:
    """Return the positions of the iterations that may be the best.

    These are the ones above the floor that can run (`is_unusable`); if there is none, those above the floor; else all.
    Where one of them is a Python program, those that do not parse as Python are left out, whatever their critics say.
    """
    if len(history) == 1:
        return [0]
    usable = [position for position, one in enumerate(history) if not (one.broken or is_unusable(one))]
    usable = usable or [position for position, one in enumerate(history) if not one.broken] or [*range(len(history))]
    if len(usable) == 1:
        return usable
    kinds = [reads_as(history[position].candidate.content) for position in usable]
    if "program" not in kinds:
        return usable
    return [position for position, kind in zip(usable, kinds, strict=True) if kind != "other"]


def _news(first: CritiqueResult, later: CritiqueResult) -> Iterator[Issue]:
    if any(issue.kind == "syntax" for issue in first.issues):
        return  # nothing could be checked
    blocked = {issue.source for issue in first.issues if issue.kind in _BLOCKED}
    checked = [issue for issue in later.issues if _is_check(issue)]
    if not checked:
        return
    failed = {(issue.source, issue.rule) for issue in first.issues if issue.kind == "test"}
    before = first.model_copy(update={"issues": tuple(filter(_is_check, first.issues))})
    for issue in new_issues(before, later.model_copy(update={"issues": tuple(checked)})):
        failed_before = issue.kind == "test" and (issue.source, issue.rule) in failed  # it may have another message now
        if issue.source not in blocked and not failed_before:
            yield issue


def _is_check(issue: Issue) -> bool:
    source = issue.source or ""
    if source in _TYPE_CHECKERS and issue.kind == "error":
        return True
    return issue.kind in _CHECKED and (source.startswith("tool:") or source == "tests")


def _is_named(issue: Issue, known: set[str]) -> bool:
    """Tell whether the checks of its tool already cover the issue, or tests in general."""
    tool = (issue.source or "").removeprefix("tool:")
    if issue.kind in ("test", "syntax"):
        return any(name == tool or name.startswith(f"{tool}:") for name in known)
    return False


def _name(issue: Issue) -> str:
    tool = (issue.source or "").removeprefix("tool:")
    said = issue.rule if issue.kind == "test" and issue.rule else " ".join(issue.message.split())
    return f"{tool}:{said}"[:_LONGEST_NAME]
