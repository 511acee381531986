"""Runs that a queue holds for workers, and how they ended. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from jido_ai.values.run import ErrorInfo
from jido_ai.values.scope import Scope

__all__ = ["WorkOrder", "WorkOutcome", "WorkStatus"]

WorkStatus = Literal["queued", "running", "suspended", "completed", "failed", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOrder:
    """A run that a queue holds until a worker carries it out.

    Attributes:
        run_id: names the run in the queue and in the journal.
        name: of the pipeline or graph, as the workers know it.
        prompt: of a pipeline's run, or of a graph's with one input; None with `inputs`.
        inputs: of a graph's run, by name.
        answers: a person's decisions with which a suspended run continues, by path: True, False or a text; of a
            pipeline's run the path is "revision".
        questions: marks of the questions that `answers` answer, by path.
        trace: ids of the submitter's work, if it was observed; see `telemetry.Observer.trace`.
    """

    run_id: str
    name: str
    prompt: str | None = None
    inputs: Mapping[str, Any] | None = None
    scope: Scope = field(default_factory=Scope)
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    answers: Mapping[str, bool | str] = field(default_factory=dict[str, "bool | str"])
    questions: Mapping[str, str] = field(default_factory=dict[str, str])
    trace: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOutcome:
    """How a run ended on a worker; the journal has the rest.

    Attributes:
        reason: stop reason of a pipeline's run, status of a graph's.
        output: of a graph's run, with secrets masked; None for a pipeline's, whose journal has its text.
    """

    kind: Literal["pipeline", "graph"]
    status: WorkStatus
    reason: str
    output: Any = None
    error: ErrorInfo | None = None
