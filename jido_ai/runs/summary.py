"""A recorded run in one line. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from jido_ai.models.prompts.template import without_tags
from jido_ai.values import Scope
from jido_ai.values.record import LogName, LogSummary

__all__ = ["LOG", "NOTES", "RunSummary", "summary_of"]

LOG: Final = "journal"
"""The log of a memory that runs write to."""
NOTES: Final[LogName] = "notes"
"""The log of what people noted on runs; the newest line of a run counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run in one line.

    Attributes:
        prompt: without the tags of data blocks.
        status: its stop reason, or "interrupted" without one (it may also be in flight elsewhere).
        steps: number of lines written.
    """

    run_id: str
    scope: Scope
    prompt: str
    status: str
    steps: int
    started_at: datetime
    last_at: datetime


def summary_of(log: LogSummary) -> RunSummary:
    """Return the summary of a run, from the first and the last line it wrote."""
    return RunSummary(
        run_id=log.key,
        scope=log.scope,
        prompt=without_tags(str(log.first.data.get("prompt", ""))),
        status=str(log.last.data.get("reason", "?")) if log.last.kind == "stopped" else "interrupted",
        steps=log.records,
        started_at=log.first.timestamp,
        last_at=log.last.timestamp,
    )
