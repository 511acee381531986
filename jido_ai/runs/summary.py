"""A recorded run in one line. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from jido_ai.text.plain_prompt import asked_of
from jido_ai.values import Scope
from jido_ai.values.record import LogName, LogSummary
from jido_ai.values.result_text import one_line, table_of

LOG: Final = "journal"
"""The log of a memory that runs write to."""
NOTES: Final[LogName] = "notes"
"""The log of what people noted on runs; the newest line of a run counts."""
OF_RUNS: Final[tuple[LogName, ...]] = ("calls", NOTES, "served", "events")
"""The other logs with lines of runs, by their ids; removed with the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run in one line.

    Attributes:
        prompt: as the user asked it: without the tags of data blocks and without a conversation before it.
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

    def __str__(self) -> str:
        return f"{self.run_id}  {self.status}  {self.started_at:%Y-%m-%d %H:%M}  {one_line(self.prompt)}"

    def _repr_html_(self) -> str:
        row = (self.run_id, one_line(self.prompt), self.status, str(self.steps), f"{self.started_at:%Y-%m-%d %H:%M}")
        return table_of(("run", "prompt", "status", "steps", "started"), [row])


def summary_of(log: LogSummary) -> RunSummary:
    """Return the summary of a run, from the first and the last line it wrote."""
    return RunSummary(
        run_id=log.key,
        scope=log.scope,
        prompt=asked_of(str(log.first.data.get("prompt", "")), _metadata_of(log)),
        status=str(log.last.data.get("reason", "?")) if log.last.kind == "stopped" else "interrupted",
        steps=log.records,
        started_at=log.first.timestamp,
        last_at=log.last.timestamp,
    )


def _metadata_of(log: LogSummary) -> Mapping[str, Any]:
    metadata: object = log.first.data.get("metadata")
    return cast("Mapping[str, Any]", metadata) if isinstance(metadata, Mapping) else {}
