"""Results of a run, made from its frames and jobs. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from jido_ai.graph.job import Frame, Job, MapRun
from jido_ai.graph.output import JudgedOutput, Several, value_of
from jido_ai.graph.plan import Plan
from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.graph.rules import STATUS_OF, THERE, State, run_status
from jido_ai.values import ErrorInfo, ReflectionResult, Usage

_NO_NODES: Final[Mapping[str, NodeResult]] = {}
_NO_USAGE: Final = Usage()
Clock = tuple[datetime, float]
"""The same moment as a time and on the event loop's clock."""


def walk(job: Job) -> Iterator[Job]:
    """Yield a job and all jobs inside of it."""
    yield job
    for inner in _inside(job):
        yield from walk(inner)


def walk_frame(frame: Frame) -> Iterator[Job]:
    """Yield all jobs of a frame."""
    for job in frame.jobs:
        if job is not None:
            yield from walk(job)


def _inside(job: Job) -> Iterator[Job]:
    if job.inner is not None:
        yield from (one for one in job.inner.jobs if one is not None)


def first_error(frame: Frame) -> ErrorInfo | None:
    """Return the error of the first node that failed, in the order of the plan."""
    return next((job.error for job in frame.jobs if job is not None and job.state is State.FAILED), None)


def _node_results(frame: Frame, clock: Clock) -> dict[str, NodeResult]:
    """Return the results of all nodes of a frame, in the order of the author."""
    plan = frame.plan
    return {name: result_at(frame, plan.index[name], clock) for name in plan.names}


def result_at(frame: Frame, index: int, clock: Clock) -> NodeResult:
    """Return the result of a node, which may not have run."""
    job = frame.jobs[index]
    if job is not None:
        return node_result(job, clock)
    cause = frame.causes.get(index)
    return NodeResult(
        frame.plan.nodes[index].name,
        STATUS_OF[frame.states[index]],
        skipped_by=None if cause is None else frame.plan.nodes[cause].name,
    )


def node_result(job: Job, clock: Clock) -> NodeResult:
    """Return the result of a node or of an item that has run."""
    inner = job.inner
    result = job.result
    is_judged = type(job.out) is JudgedOutput or type(job.out) is Several
    return NodeResult(
        job.node.name if job.parent is None else f"{job.parent.job.node.name}[{job.number}]",
        STATUS_OF[job.state],
        value_of(job.out) if job.state in THERE else None,
        _score(job.out) if is_judged and job.state in THERE else None,
        result.stop_reason.value if isinstance(result, ReflectionResult) else None,
        result,
        job.error,
        job.attempts,
        _NO_USAGE if inner is None and job.account is None else _usage(job),
        clock[0] + timedelta(seconds=job.began - clock[1]),
        max(0.0, job.ended - job.began),
        None,
        tuple([node_result(one, clock) for one in inner.jobs if one is not None]) if type(inner) is MapRun else (),
        _node_results(inner, clock) if type(inner) is Frame else _NO_NODES,
        job.warnings,
    )


def _usage(job: Job) -> Usage:
    return sum((one.spent for one in walk(job)), _NO_USAGE)


def _score(out: Any) -> float | None:
    """Return how good an output is: of several, the worst, if all are judged."""
    if isinstance(out, JudgedOutput):
        return None if out.critique is None else out.critique.score
    if isinstance(out, Several) and out.outputs:
        scores = [_score(output) for output in out.outputs]
        known = [score for score in scores if score is not None]
        return min(known) if len(known) == len(scores) else None
    return None


def unbegun_result(run_id: str, plan: Plan, usage: Usage, end: ErrorInfo | None) -> GraphResult:
    """Return the result of a run that never began."""
    nodes = {name: NodeResult(name, "not_reached") for name in plan.names}
    status = "cancelled" if end is not None and end.kind == "cancelled" else "failed"
    return GraphResult(run_id, None, status, nodes, usage, 0.0, end)


def result_of(
    run_id: str,
    root: Frame,
    clock: Clock,
    *,
    usage: Usage,
    end: ErrorInfo | None,
    duration_s: float,
    fault: ErrorInfo | None,
) -> GraphResult:
    """Return the result of a run.

    Args:
        end: why it was ended early; None if it was not.
        fault: why its newest journal lines are not written; the error of a run that has no other.
    """
    plan = root.plan
    has_output = root.states[plan.output] in THERE
    is_rough = plan.holds_others or not root.is_smooth
    status = run_status(
        has_output=has_output,
        has_failure=end is not None
        or (is_rough and any(job.state in (State.FAILED, State.STOOD_IN) for job in walk_frame(root))),
        is_waiting=is_rough and any(job.state is State.WAITING for job in walk_frame(root)),
        is_cancelled=end is not None and end.kind == "cancelled",
    )
    error = None if has_output else end or first_error(root)
    return GraphResult(
        run_id,
        value_of(root.outs[plan.output]) if has_output else None,
        status,
        _node_results(root, clock),
        usage,
        duration_s,
        error if status in ("failed", "cancelled") else fault,
    )
