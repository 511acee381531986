"""Silenced findings, hidden by a suppression instead of a repair; they stay open. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from jido_ai.critics.findings import gone_issues
from jido_ai.text.suppressions import added_suppressions, suppressions_of
from jido_ai.values import SLACK, CritiqueResult, Issue, Outcome

_KEY: Final = "suppressions"
_MOST_NAMED: Final = 20


def with_silenced(critique: CritiqueResult, text: str, before: CritiqueResult, old_text: str) -> CritiqueResult:
    """Return the critique of a text with the findings that the text silences instead of fixing.

    If the text has a suppression that the old one has not (`text.suppressions`), each issue of `before` that is gone is
    an issue again, unless it was that the old text does not parse; where `before` has no issues, a better score becomes
    one. So are the issues that were silenced earlier, as long as their suppression is still there; one that silences
    nothing yet counts as new. The severity is at least that of these issues. The score is not above the one of `before`
    if the suppression is new, or no other issue is gone. `metadata["suppressions"]` has "added", their names; "before",
    the suppressions before they were added; and "silenced", the fingerprints of the issues. A suggestion tells the
    reviser.

    Args:
        before, old_text: the candidate that the text was revised from, or that came before it.
    """
    if not suppressions_of(text):
        return critique
    old = suppressions_of(old_text)
    noted: dict[str, Any] = before.metadata.get(_KEY) or {"before": old, "silenced": ()}
    added = added_suppressions(noted["before"], text, old_text)[:_MOST_NAMED]
    if not added:
        return critique
    is_new = not noted["silenced"] or bool(added_suppressions(old, text, old_text))
    named = ", ".join(dict.fromkeys(added))
    if is_new and not before.issues and critique.severity < before.severity - SLACK:
        hidden = Issue(f"added a suppression ({named}), which repairs nothing", severity=before.severity)
        before = before.model_copy(update={"issues": (hidden,)})
    found = _with_gone(critique, before, None if is_new else noted["silenced"])
    note = {
        "added": list(added),
        "before": [list(one) for one in noted["before"]],
        "silenced": [issue.fingerprint for issue in gone_issues(found, critique)],
    }
    return found.model_copy(
        update={
            "metadata": {**found.metadata, _KEY: note},
            "suggestions": (*found.suggestions, f"Remove the suppression ({named}) and fix the cause."),
            "score": min(found.score, before.score) if is_new or not gone_issues(before, found) else found.score,
        }
    )


def _with_gone(critique: CritiqueResult, before: CritiqueResult, only: Collection[str] | None) -> CritiqueResult:
    """Return the critique, and its parts, with the issues of `before` that are gone.

    Args:
        only: the fingerprints of those that count; None: all do.
    """
    gone = [
        issue
        for issue in gone_issues(before, critique)
        if issue.kind != "syntax" and (only is None or issue.fingerprint in only)
    ]
    if not gone:
        return critique
    parts = {part.source: part for part in before.parts}
    severities = [before.severity if issue.severity is None else issue.severity for issue in gone]
    severity = max(critique.severity, *severities)
    return critique.model_copy(
        update={
            "issues": (*critique.issues, *gone),
            "severity": severity,
            "score": _score(critique, before, severity, severities),
            "reward": None if critique.reward is None else min(critique.reward, 1.0 - 2.0 * severity),
            "outcome": before.outcome if critique.outcome is Outcome.SUCCESS else critique.outcome,
            "parts": tuple(
                _with_gone(part, parts[part.source], only) if part.source in parts else part for part in critique.parts
            ),
        }
    )


def _score(critique: CritiqueResult, before: CritiqueResult, severity: float, severities: Sequence[float]) -> float:
    """Return the score with more issues: counted as `ToolCritiquer` does if it was, else no more than 1 - severity."""
    if _is_counted(critique) and _is_counted(before):
        return 1.0 / (1.0 / critique.score + sum(severities))
    return min(critique.score, 1.0 - severity)


def _is_counted(critique: CritiqueResult) -> bool:
    total = sum(issue.severity or 0.0 for issue in critique.issues)
    return abs(critique.score * (1.0 + total) - 1.0) < SLACK
