"""The changes that a run's edits made, in words that help in another file. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from jido_ai.values import Issue

__all__ = ["edits_in_words"]

_MOST_EDITS: Final = 5
_MOST_LINES: Final = 3
_LINE_CHARS: Final = 100
_MOST_TEXT_LINES: Final = 5_000


@dataclass(frozen=True, slots=True)
class _Edit:
    """Lines that replace others. `start` is the number of the first old line, from 1."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def is_layout(self) -> bool:
        """True if only blanks and line breaks differ."""
        return "".join("".join(self.old).split()) == "".join("".join(self.new).split())

    def concerns(self, issue: Issue) -> bool:
        line = issue.location.line if issue.location else None
        return line is not None and self.start <= line < self.start + max(1, len(self.old))


def edits_in_words(before: str, after: str, fixed: Sequence[Issue]) -> str:
    """Return one line per edit that is more than layout: the findings it fixed, the edit, and where it was.

    At most five edits, the first three lines of each, 100 characters of a line. "" if only the layout differs, or if
    a text has more than 5,000 lines.

    Args:
        fixed: the findings that are gone; those with a line in `before` are named beside the edit of that line.
    """
    edits = [edit for edit in _edits(before, after) if not edit.is_layout]
    return "\n".join(_in_words(edit, fixed) for edit in edits[:_MOST_EDITS])


def _edits(before: str, after: str) -> Iterator[_Edit]:
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > _MOST_TEXT_LINES:
        return
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _Edit(start + 1, tuple(old[start:end]), tuple(new[new_start:new_end]))


def _in_words(edit: _Edit, fixed: Sequence[Issue]) -> str:
    mine = [issue for issue in fixed if edit.concerns(issue)]
    names = "; ".join(dict.fromkeys(f"{issue.rule or issue.kind or ''} {issue.message}".strip() for issue in mine))
    path = next((issue.location.path for issue in mine if issue.location and issue.location.path), None)
    where = f"{path}, line {edit.start}" if path else f"line {edit.start}"
    old, new = _quoted(edit.old), _quoted(edit.new)
    change = f"replace {old} by {new}" if old and new else f"remove {old}" if old else f"insert {new}"
    return f"{names}: {change} ({where})" if names else f"{change} ({where})"


def _quoted(lines: Sequence[str]) -> str:
    """Return the first lines that are not blank, in backticks."""
    told = [line.strip() for line in lines if line.strip()]
    more = f" and {len(told) - _MOST_LINES} more lines" if len(told) > _MOST_LINES else ""
    return " / ".join(f"`{line[:_LINE_CHARS]}`" for line in told[:_MOST_LINES]) + more
