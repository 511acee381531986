"""The verdict on a patch, hunk by hunk. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class HunkVerdict:
    """The verdict on one hunk: a run of changed lines, or a whole file that is new, deleted or renamed.

    Attributes:
        line: of the old text, from 1.
        group: hunks with the same number need each other.
        reason: why it is rejected; None if it is kept.
        added, removed: how many lines.
        note: why it is kept although it was rejected at first.
        checked: what judged it: "syntax", "names" (and other rules that read the text), "import", "types", "tests".
        unchecked: why no program could judge it; None if one did, or none is needed.
    """

    path: str
    line: int
    group: int
    added: int
    removed: int
    reason: str | None = None
    note: str | None = None
    checked: tuple[str, ...] = ()
    unchecked: str | None = None

    @property
    def state(self) -> str:
        """Return kept, rejected or unchecked."""
        return "rejected" if self.reason is not None else "kept" if self.unchecked is None else "unchecked"

    @property
    def is_kept(self) -> bool:
        """True if it breaks nothing."""
        return self.reason is None


@dataclass(frozen=True, slots=True)
class PatchVerdict:
    """The verdict on a patch.

    Attributes:
        kept, rejected: patches; both apply to the project, and the rejected one also after the kept one, except hunks
            that fit nowhere.
        texts: new text of each file that the kept hunks change; None for a file that they delete.
        before: the old texts of these files; None for a file that was not there.
        unchecked: checks that could not be made, and why.
        checks: how often the project was checked.
    """

    hunks: tuple[HunkVerdict, ...]
    kept: str
    rejected: str
    texts: Mapping[str, str | None]
    before: Mapping[str, str | None]
    unchecked: tuple[str, ...] = ()
    checks: int = 0
    modes: Mapping[str, str] = field(default_factory=dict[str, str])
