"""Journal lines of the jobs of a run. Pure."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from jido_ai.graph.job import Job
from jido_ai.graph.output import JudgedOutput, value_of
from jido_ai.graph.record import NodeLine, node_line
from jido_ai.graph.report import Clock
from jido_ai.runs.questions import question_id


def line_of(job: Job, clock: Clock, now: float, events: int) -> tuple[str, dict[str, Any]]:
    """Return the line of a job that has ended.

    Args:
        now: on the event loop's clock.
        events: number of events that the run has emitted.
    """
    is_loop = job.node.kind == "loop"  # which has a journal of its own
    is_judged = isinstance(job.out, JudgedOutput) and not is_loop and not job.is_waiting
    line = NodeLine(
        job.path,
        job.node.kind,
        None if is_loop or job.error is not None else value_of(job.out),
        job.out.critique if is_judged else None,
        job.error,
        job.is_waiting,
        job.attempts,
        clock[0] + timedelta(seconds=job.began - clock[1]),
        now - job.began,
        job.spent,
        job.warnings,
        question_id(job.path, job.args) if job.node.kind == "approval" and job.args is not None else "",
    )
    return node_line(line, events)
