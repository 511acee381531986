"""A critique as text for the agent that tries again. Pure."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["bounded", "feedback_text"]

_MARK = "\n… (cut: {} more characters)"


def feedback_text(issues: Iterable[str], suggestions: Iterable[str], feedback: str | None) -> str:
    """Return the parts that are not blank under a heading each, issues and suggestions as lists; "" if all are blank.

    Further lines of an issue or suggestion are indented below its first.
    """
    parts = [_listed("Issues", issues), _listed("Suggestions", suggestions)]
    if feedback and feedback.strip():
        parts.append(f"Feedback:\n{feedback.strip()}")
    return "\n\n".join(part for part in parts if part)


def _listed(heading: str, items: Iterable[str]) -> str:
    lines = ["- " + "\n  ".join(item.strip().splitlines()) for item in items if item.strip()]
    return "\n".join([f"{heading}:", *lines]) if lines else ""


def bounded(text: str, max_chars: int) -> str:
    """Return `text` in at most `max_chars` characters, at least 1; a cut shows the number of omitted ones.

    It is cut after a whole line if that keeps at least half of the room. Where the number does not fit, "…" stands
    alone at the end.
    """
    if len(text) <= max_chars:
        return text
    room = max_chars - len(_MARK.format(len(text)))
    if room <= 0:
        return text[: max_chars - 1] + "…"
    kept = text[:room]
    end = kept.rfind("\n")
    if end >= room // 2 > 0:
        kept = kept[:end]
    return kept + _MARK.format(len(text) - len(kept))
