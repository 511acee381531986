"""Giving up a run that nothing can carry out: it fails, with the results that its journal has."""

from __future__ import annotations

from jido_ai.graph.orders import RunOrder, recorded_run
from jido_ai.graph.record import RecordedGraph, stopped_line
from jido_ai.graph.results import GraphResult
from jido_ai.graph.served import Served
from jido_ai.loop.adaptive import best_by_evidence
from jido_ai.loop.convergence import best_index
from jido_ai.loop.record import RecordedRun, line_of
from jido_ai.loop.state import Stopped
from jido_ai.runs.journal import Line, record_of
from jido_ai.runs.leases import claimed, is_void, let_go, new_claim
from jido_ai.values import ErrorInfo, StopReason

_CLAIM_S = 30.0


async def give_up(served: Served, order: RunOrder, error: ErrorInfo) -> bool:
    """Write in the journal that a run has failed, if it does not say there how it ended. Nothing is called.

    Returns:
        False if the run has its result, or waits for a person.

    Raises:
        RunClaimedError: the run is in flight, here or in another process.
        StoreError: the journal cannot be read or written.
    """
    journal = served.journal
    if journal is None:
        return True
    claim = new_claim(order.run_id, order.scope, _CLAIM_S)
    try:
        holder = await journal.memory.claim(claim, is_void)
        if holder.token != claim.token:
            raise claimed(holder)
        recorded = await recorded_run(journal, order.run_id, order.scope)
        if recorded is not None and recorded.status == "interrupted":
            line = record_of(_last_line(recorded, error), holder)
            await journal.memory.append([line], claim=holder, release=True)
            return True
        await journal.memory.release(holder)
        return recorded is None or not (recorded.is_over or recorded.status == "suspended")
    finally:
        let_go(claim)


def _last_line(recorded: RecordedRun | RecordedGraph, error: ErrorInfo) -> Line:
    if isinstance(recorded, RecordedGraph):
        return stopped_line(GraphResult(recorded.run_id, None, "failed", {}), error, recorded.events + 1)
    is_adaptive = recorded.config.get("policy") == "adaptive" and not recorded.has_own_rules
    best = best_by_evidence if is_adaptive else best_index
    stopped = Stopped(
        reason=StopReason.ERROR,
        evidence={},
        error=error,
        best=best(recorded.iterations) if recorded.iterations else None,
        lessons_stored=(),
        duration_s=0.0,
        events=recorded.events + 1,
    )
    return line_of(stopped, recorded.spent)
