"""RunWorker: carries out runs of pipelines and graphs by name, for any engine that distributes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from jido_ai.errors import ConfigurationError, JidoError, RunClaimedError, StoreError, StoreVersionError
from jido_ai.graph.orders import RunOrder, RunOutcome, arguments_of, kind_of, open_decision, recorded_run, status_of
from jido_ai.graph.record import RecordedGraph, stopped_line
from jido_ai.graph.results import GraphResult
from jido_ai.graph.served import Served, checked_served
from jido_ai.loop.adaptive import best_by_evidence
from jido_ai.loop.convergence import best_index
from jido_ai.loop.record import RecordedRun, line_of
from jido_ai.loop.state import Stopped
from jido_ai.runs.journal import Line, record_of
from jido_ai.runs.leases import claimed, is_void, let_go, new_claim
from jido_ai.runs.summary import LOG
from jido_ai.telemetry import observed
from jido_ai.text.plain_json import plain
from jido_ai.text.redaction import redact, redact_values
from jido_ai.values import ErrorInfo, ReflectionResult, StopReason, utc_now
from jido_ai.values.record import Record

__all__ = ["RunWorker", "checked_for_worker"]

_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Pauses between tries while another process owns the run, or the store is away; the last one again and again."""
_NEWEST: Final = 100
"""Journals of runs in which those of a graph's loops are looked for: the newest ones."""
_AGAIN: Final = frozenset({"resumed", "graph_resumed", "stopped"})
"""Kinds of lines that a run may have again and again without getting further."""
_ELSEWHERE: Final = RunClaimedError.__name__
_AWAY: Final = frozenset({_ELSEWHERE, "StoreUnavailableError", "LostError"})


def checked_for_worker(things: object, is_store: Callable[[str], bool]) -> dict[str, Served]:
    """Return pipelines and graphs by name.

    Args:
        is_store: tells whether the address of a memory is that of the workers' store.

    Raises:
        ConfigurationError: there is none, one is neither, has a memory elsewhere, or is running.
    """
    found = checked_served(things)
    if not found:
        raise ConfigurationError("a worker needs at least one pipeline or graph")
    for name, one in found.items():
        if one.memory is not None and (one.memory.address is None or not is_store(one.memory.address)):
            raise ConfigurationError(
                f"{name} has a memory other than the store of the worker, which keeps its runs; omit it, or give "
                "the address of the store"
            )
        if one.running_in is not None:
            raise ConfigurationError(f"{name} is running; give a worker one that is not entered")
    return found


class RunWorker:
    """Carries out runs for an engine. The engine decides where a run is carried out; the journal knows how far it is.

    The engine may give the same order again after a fault, also to another worker while the first one still works on
    it: only the owner of the run's claim makes calls and writes.

    Args:
        served: pipelines and graphs by name, entered, with a journal.
        tell: called with a dotted name and facts.
    """

    def __init__(self, served: Mapping[str, Served], tell: Callable[..., None]) -> None:
        self._served = served
        self._tell = tell
        self._is_releasing = False
        self._flights: set[str] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def in_flight(self) -> tuple[str, ...]:
        """Ids of the runs that are carried out here, or waited for."""
        return tuple(self._flights)

    def claim(self, order: RunOrder) -> bool:
        """Tell whether this worker can carry out an order. If not, the engine leaves it to another worker."""
        return order.name in self._served and not self._is_releasing

    async def run_or_resume(self, order: RunOrder) -> RunOutcome | None:
        """Carry out a run to its end, from where its journal ends; None leaves it to another worker.

        A run that another process owns is waited for. Cancelling this cancels the run.
        """
        self._flights.add(order.run_id)
        self._idle.clear()
        try:
            return await observed("order", self._carried_out(order), order=order)
        finally:
            self._flights.discard(order.run_id)
            if not self._flights:
                self._idle.set()

    async def place(self, order: RunOrder) -> int:
        """Return how far a run has come: the number of different steps in its journal, those of its loops included.

        Raises:
            StoreError: the journal cannot be read.
        """
        journal = self._served[order.name].journal
        if journal is None:
            return 0
        newest = await journal.memory.summaries(LOG, scope=order.scope, limit=_NEWEST)
        loops = [log.last.key for log in newest if log.last.key.startswith(f"{order.run_id}/")]
        lines = [await journal.memory.records(LOG, scope=order.scope, key=key) for key in (order.run_id, *loops)]
        return sum(len({_step_of(record) for record in records if record.kind not in _AGAIN}) for records in lines)

    async def give_up(self, order: RunOrder, error: ErrorInfo) -> RunOutcome | None:
        """End a run as failed, with the steps of its journal; return None if it has its result or waits for a person.

        Raises:
            RunClaimedError: it is in flight.
            StoreError: the journal cannot be read or written.
        """
        served = self._served[order.name]
        try:
            is_failed = await give_up(served, order, error)
        except StoreError as fault:
            if type(fault).__name__ in _AWAY or isinstance(fault, StoreVersionError):
                raise
            is_failed = True  # nobody can read its journal
        return _failed_with(served, error) if is_failed else None

    async def idle(self) -> None:
        """Wait until no run is in flight."""
        await self._idle.wait()

    async def release(self) -> None:
        """Stop all runs in flight where they are, for other workers; each `run_or_resume` returns None."""
        self._is_releasing = True
        for one in self._served.values():
            for handle in one.runs_in_flight():
                await handle.cancel()

    async def _carried_out(self, order: RunOrder) -> RunOutcome | None:
        tries = 0
        while not self._is_releasing:
            pause_s = _PAUSES_S[min(tries, len(_PAUSES_S) - 1)]
            try:
                result = await self._once(order)
            except RunClaimedError as error:
                self._tell("worker.run_is_elsewhere", run_id=order.run_id, owner=error.owner)
                pause_s = min(pause_s, _until(error.expires_at))
            except StoreVersionError:
                return None  # a newer version wrote it
            except StoreError as error:
                if type(error).__name__ not in _AWAY:
                    return _failed(self._served[order.name], error)
                self._tell("worker.store_failed", run_id=order.run_id, error=type(error).__name__)
            except JidoError as error:
                return _failed(self._served[order.name], error)
            else:
                if self._is_releasing and status_of(result) == "cancelled":
                    return None
                if result.error is None or result.error.kind not in _AWAY:
                    return _outcome(result)
                self._tell("worker.store_failed", run_id=order.run_id, error=result.error.kind)
            await asyncio.sleep(pause_s)
            tries += 1
        return None

    async def _once(self, order: RunOrder) -> ReflectionResult | GraphResult:
        """Carry out a run, or the rest of it. One that a worker released is recorded as cancelled, and is continued."""
        served: Any = self._served[order.name]
        decision = await open_decision(served, order)
        if decision is not None:
            return await served.resume(order.run_id, order.scope, decision=decision)
        arguments = arguments_of(served, order)
        kept: dict[str, Any] = {"run_id": order.run_id, "scope": order.scope, "metadata": order.metadata}
        result: ReflectionResult | GraphResult = await served.run_or_resume(*arguments, **kept)
        if status_of(result) == "cancelled" and not self._is_releasing:
            return await served.resume(order.run_id, order.scope)
        return result


def _step_of(line: Record) -> tuple[str, ...]:
    return line.kind, *(str(line.data.get(name)) for name in ("slot", "index", "path"))


def _until(expires_at: datetime) -> float:
    return max(0.01, (expires_at - utc_now()).total_seconds())


def _failed(served: Served, error: JidoError) -> RunOutcome:
    return _failed_with(served, ErrorInfo(type(error).__name__, redact(" ".join(str(error).split()))))


def _failed_with(served: Served, error: ErrorInfo) -> RunOutcome:
    return RunOutcome(kind=kind_of(served), status="failed", reason="error", error=error)


def _outcome(result: ReflectionResult | GraphResult) -> RunOutcome:
    if isinstance(result, GraphResult):
        output: Any = redact_values({"output": plain(result.output)})["output"]
        status = status_of(result)
        return RunOutcome(kind="graph", status=status, reason=result.status, output=output, error=result.error)
    reason = result.stop_reason.value
    return RunOutcome(kind="pipeline", status=status_of(result), reason=reason, error=result.error)


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
