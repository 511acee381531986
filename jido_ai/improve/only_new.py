"""Only what is new: findings in changed lines, and those that are not in a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Final

from jido_ai.critics.tool_critiquer import score_of_issues, worst_of
from jido_ai.protocols import Critiquer, RunContext
from jido_ai.text.change import lines_of
from jido_ai.values import Candidate, CritiqueResult, Issue

_ALWAYS: Final = frozenset({"test", "cannot-run", "timeout", "syntax"})
"""Kinds of findings that are about the whole file."""


class ChangedLines:
    """The lines of a file that changed, also in later versions of it.

    Args:
        text: the file as it is.
        rows: the changed rows in it, from 1.
    """

    def __init__(self, text: str, rows: frozenset[int]) -> None:
        self._text, self._rows = text, rows
        self._known: dict[str, frozenset[int]] = {text: rows}

    def covers(self, text: str, first: int, last: int) -> bool:
        """Tell whether one of these rows of a version changed; rows that differ from the file did, too."""
        rows = self._of(text)
        return any(row in rows for row in range(first, last + 1))

    def _of(self, text: str) -> frozenset[int]:
        if text not in self._known:
            before, after = lines_of(self._text), lines_of(text)
            rows = set(range(1, len(after) + 1))
            for block in SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks():
                same = (n for n in range(block.size) if block.a + n + 1 not in self._rows)
                rows.difference_update(block.b + n + 1 for n in same)
            self._known[text] = frozenset(rows)
        return self._known[text]


class OnlyNew:
    """A critiquer that leaves out the findings of another one that are old.

    Args:
        inner: the other one.
        lines: the changed lines; None: all.
        known: the number of known findings, by fingerprint.

    Attributes:
        left_out: the number of findings left out of the latest critique.
    """

    def __init__(self, inner: Critiquer, lines: ChangedLines | None, known: Mapping[str, int]) -> None:
        self._inner, self._lines, self._known = inner, lines, known
        self.name = getattr(inner, "name", "")
        self.left_out = 0

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        """Return the critique with what is new only."""
        critique = await self._inner.critique(candidate, context)
        text = candidate.content.removeprefix("\ufeff")
        left = Counter(self._known)
        kept: list[Issue] = []
        for issue in critique.issues:
            if left[issue.fingerprint] > 0:
                left[issue.fingerprint] -= 1
            elif self._is_new(text, issue):
                kept.append(issue)
        self.left_out = len(critique.issues) - len(kept)
        if not self.left_out:
            return critique
        return critique.model_copy(
            update={"issues": tuple(kept), "severity": worst_of(kept), "score": score_of_issues(kept)}
        )

    def _is_new(self, text: str, issue: Issue) -> bool:
        place = issue.location
        if self._lines is None or issue.kind in _ALWAYS or place is None or place.line is None:
            return True
        return self._lines.covers(text, place.line, place.end_line or place.line)
