"""The report on a patch: lines for people, JSON, and SARIF. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from jido_ai.improve.patch_verdict import HunkVerdict, PatchVerdict
from jido_ai.improve.sarif import sarif_log
from jido_ai.text.printable import printable
from jido_ai.text.wording import counted
from jido_ai.values import Issue, Location

VERSION: Final = 1
"""Version of the JSON report; a field may be added without a new one."""
_RULES: Final = (
    ("suppression", "adds a suppression"),
    ("placeholder", "it leaves the placeholder"),
    ("empty-body", "it leaves the empty body"),
    ("syntax", "does not parse any more"),
    ("old-python", "no longer compiles on"),
    ("old-python", ", and the project declares"),
    ("undefined-name", "is not defined any more"),
    ("import", "cannot be imported any more"),
    ("public-name", " any more"),
    ("test", " fails"),
    ("needs", "it needs another hunk"),
    ("needs", "every hunk that uses it"),
    ("no-time", "there was no time"),
    ("outside", "not a path in the project"),
    ("outside", "a link"),
    ("outside", "is a link"),
    ("outside", "not a file of the project"),
    ("binary", "a binary file"),
)


def rule_of(reason: str) -> str:
    """Return a short name for the kind of a reason: "import", "test", "context" and others."""
    if "test" in reason and reason.startswith(("the tests", "tests")):
        return "test"
    return next((rule for rule, words in _RULES if words in reason), "context")


def patch_status(verdict: PatchVerdict, *, strict: bool = False) -> int:
    """Return the exit status: 0 if everything is kept, 1 if something is rejected; `strict`: 3 if some is unchecked."""
    if not all(hunk.is_kept for hunk in verdict.hunks):
        return 1
    return 3 if strict and any(hunk.unchecked is not None for hunk in verdict.hunks) else 0


def patch_lines(verdict: PatchVerdict, *, verbosity: int = 0) -> list[str]:
    """Return the lines of the report: rejected hunks with their reasons, with `verbosity` 1 the kept ones, the counts.

    Args:
        verbosity: -1 for the last line alone.
    """
    lines: list[str] = []
    for hunk in verdict.hunks if verbosity >= 0 else ():
        if not hunk.is_kept:
            lines.append(f"rejected  {_place(hunk)} {_size(hunk)}: {printable(hunk.reason or '')}")
        elif hunk.unchecked is not None:
            lines.append(f"unchecked {_place(hunk)} {_size(hunk)}: {printable(hunk.unchecked)}")
        elif verbosity > 0 or hunk.note is not None:
            lines.append(f"kept      {_place(hunk)} {_size(hunk)}" + (f": {hunk.note}" if hunk.note else ""))
    return [*lines, summary_line(verdict)]


def summary_line(verdict: PatchVerdict) -> str:
    """Return the counts in one line."""
    if not verdict.hunks:
        return "no hunks: there is nothing to check"
    states = Counter(hunk.state for hunk in verdict.hunks)
    files = counted(len({hunk.path for hunk in verdict.hunks}), "file")
    unchecked = f", {states['unchecked']} unchecked" if states["unchecked"] else ""
    told = f"{states['kept']} kept, {states['rejected']} rejected{unchecked}"
    return f"{counted(len(verdict.hunks), 'hunk')} in {files}: {told}"


def _place(hunk: HunkVerdict) -> str:
    return f"{printable(hunk.path)}:{hunk.line}"


def _size(hunk: HunkVerdict) -> str:
    return f"(+{hunk.added} -{hunk.removed})"


def patch_json(verdict: PatchVerdict, *, written: Sequence[str] = ()) -> dict[str, Any]:
    """Return the report as JSON, with a version and a summary.

    Args:
        written: the files that were written.
    """
    rejected = [hunk for hunk in verdict.hunks if not hunk.is_kept]
    return {
        "version": VERSION,
        "summary": {
            "hunks": len(verdict.hunks),
            "kept": len(verdict.hunks) - len(rejected),
            "rejected": len(rejected),
            "unchecked": sum(hunk.unchecked is not None for hunk in verdict.hunks if hunk.is_kept),
            "files": len({hunk.path for hunk in verdict.hunks}),
            "reasons": dict(sorted(Counter(rule_of(hunk.reason or "") for hunk in rejected).items())),
            "checks": verdict.checks,
        },
        "hunks": [_hunk(hunk) for hunk in verdict.hunks],
        "kept": verdict.kept,
        "rejected": verdict.rejected,
        "unchecked": list(verdict.unchecked),
        "written": list(written),
    }


def _hunk(hunk: HunkVerdict) -> dict[str, Any]:
    found: dict[str, Any] = {
        "file": hunk.path,
        "line": hunk.line,
        "added": hunk.added,
        "removed": hunk.removed,
        "group": hunk.group,
        "kept": hunk.is_kept,
        "state": hunk.state,
        "checked": list(hunk.checked),
    }
    if hunk.unchecked is not None:
        found["unchecked"] = hunk.unchecked
    if hunk.reason is not None:
        found |= {"rule": rule_of(hunk.reason), "reason": hunk.reason}
    return found | ({"note": hunk.note} if hunk.note is not None else {})


def patch_sarif(verdict: PatchVerdict, *, version: str) -> dict[str, Any]:
    """Return the rejected and the unchecked hunks as a SARIF log.

    Args:
        version: of this package.
    """
    found: list[tuple[str, Issue]] = []
    for hunk in sorted(verdict.hunks, key=lambda one: one.state):
        if hunk.reason is not None:
            message, severity, rule = f"hunk rejected: {hunk.reason}", 0.5, rule_of(hunk.reason)
        elif hunk.unchecked is not None:
            message, severity, rule = f"hunk that nothing judged: {hunk.unchecked}", 0.2, "unchecked"
        else:
            continue
        place = Location(path=hunk.path, line=hunk.line)
        issue = Issue(message=message, severity=severity, rule=f"gate/{rule}", source="gate", location=place)
        found.append((hunk.path.lstrip("/"), issue))
    return sarif_log(found, version=version)
