"""ThingsWorker: carries out runs of pipelines and graphs by name, for any engine that distributes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, JidoError, RunClaimedError, StoreError, StoreVersionError, describe
from jido_ai.graph.graph import Graph
from jido_ai.graph.questions import REVISION, questions_in, still_asked
from jido_ai.graph.results import GraphResult
from jido_ai.integrations.graph_runs import inputs_of
from jido_ai.loop.pipeline import Pipeline
from jido_ai.telemetry import observed
from jido_ai.text.plain_json import plain
from jido_ai.text.redaction import redact, redact_values
from jido_ai.values import ErrorInfo, ReflectionResult, StopReason, utc_now
from jido_ai.values.work import WorkOrder, WorkOutcome, WorkStatus

__all__ = ["Thing", "ThingsWorker", "checked_things"]

Thing = Pipeline | Graph
_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Pauses between tries while another process owns the run, or the store is away; the last one again and again."""
_ELSEWHERE: Final = RunClaimedError.__name__
_AWAY: Final = frozenset({_ELSEWHERE, "StoreUnavailableError", "LostError"})
_OF_GRAPH: Final[dict[str, WorkStatus]] = {
    "completed": "completed",
    "partial": "completed",
    "suspended": "suspended",
    "cancelled": "cancelled",
}


def checked_things(things: object) -> dict[str, Thing]:
    """Return pipelines and graphs by name.

    Raises:
        ConfigurationError: there is none, one is neither, has a memory of its own, or is running.
    """
    if not isinstance(things, Mapping):
        raise ConfigurationError(f"things must be a mapping of names to pipelines and graphs, got {describe(things)}")
    found = cast("Mapping[object, object]", things)
    if not found:
        raise ConfigurationError("a worker needs at least one pipeline or graph")
    for name, thing in found.items():
        if not isinstance(name, str) or not name or not name.isprintable() or len(name) > 255:
            raise ConfigurationError(f"a name must be a printable text of 1 to 255 characters, got {describe(name)}")
        if not isinstance(thing, Pipeline | Graph):
            raise ConfigurationError(f"{name} must be a Pipeline or a Graph, got {describe(thing)}")
        if thing.memory is not None:
            raise ConfigurationError(f"{name} has a memory; omit it: the runs of a worker are kept in its store")
        if thing.running_in is not None:
            raise ConfigurationError(f"{name} is running; give a worker one that is not entered")
    return dict(cast("Mapping[str, Thing]", found))


class ThingsWorker:
    """Carries out runs for an engine. The engine decides where a run is carried out; the journal knows how far it is.

    The engine may give the same order again after a fault, also to another worker while the first one still works on
    it: only the owner of the run's claim makes calls and writes.

    Args:
        things: pipelines and graphs by name, entered, with a journal.
        tell: called with a dotted name and facts.
    """

    def __init__(self, things: Mapping[str, Thing], tell: Callable[..., None]) -> None:
        self._things = things
        self._tell = tell
        self._is_releasing = False
        self._flights: set[str] = set()
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def in_flight(self) -> tuple[str, ...]:
        """Ids of the runs that are carried out here, or waited for."""
        return tuple(self._flights)

    def claim(self, order: WorkOrder) -> bool:
        """Tell whether this worker can carry out an order. If not, the engine leaves it to another worker."""
        return order.name in self._things and not self._is_releasing

    async def run_or_resume(self, order: WorkOrder) -> WorkOutcome | None:
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

    async def idle(self) -> None:
        """Wait until no run is in flight."""
        await self._idle.wait()

    async def release(self) -> None:
        """Stop all runs in flight where they are, for other workers; each `run_or_resume` returns None."""
        self._is_releasing = True
        for thing in self._things.values():
            for handle in thing.runs_in_flight():
                await handle.cancel()

    async def _carried_out(self, order: WorkOrder) -> WorkOutcome | None:
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
                    return _failed(self._things[order.name], error)
                self._tell("worker.store_failed", run_id=order.run_id, error=type(error).__name__)
            except JidoError as error:
                return _failed(self._things[order.name], error)
            else:
                if self._is_releasing and _is_cancelled(result):
                    return None
                if result.error is None or result.error.kind not in _AWAY:
                    return _outcome(result)
                self._tell("worker.store_failed", run_id=order.run_id, error=result.error.kind)
            await asyncio.sleep(pause_s)
            tries += 1
        return None

    async def _once(self, order: WorkOrder) -> ReflectionResult | GraphResult:
        """Carry out a run, or its rest. A run that a worker released is recorded as cancelled and continues."""
        thing = self._things[order.name]
        answers = await _unwritten(thing, order)
        if answers:
            decision = answers if isinstance(thing, Graph) else answers[REVISION]
            return await thing.resume(order.run_id, order.scope, decision=decision)  # type: ignore[arg-type]
        kept: dict[str, Any] = {"run_id": order.run_id, "scope": order.scope}
        result: ReflectionResult | GraphResult
        if isinstance(thing, Graph):
            inputs = order.inputs if order.prompt is None else inputs_of(thing, order.prompt, None)
            result = await thing.run_or_resume(inputs, metadata=order.metadata, **kept)
        elif order.prompt is None:
            raise ConfigurationError(f"{order.name} is a pipeline: it takes a prompt, not inputs")
        else:
            result = await thing.run_or_resume(order.prompt, metadata=order.metadata, **kept)
        if _is_cancelled(result) and not self._is_releasing:
            return await thing.resume(order.run_id, order.scope)
        return result


async def _unwritten(thing: Thing, order: WorkOrder) -> dict[str, bool | str]:
    """Return the answers that the journal does not have yet, from before a fault."""
    if not order.answers or thing.journal is None:
        return {}
    asked = questions_in(await thing.journal.records(order.run_id, order.scope))
    return {path: order.answers[path] for path in still_asked(order.questions, asked) if path in order.answers}


def _until(expires_at: datetime) -> float:
    return max(0.01, (expires_at - utc_now()).total_seconds())


def _is_cancelled(result: ReflectionResult | GraphResult) -> bool:
    if isinstance(result, GraphResult):
        return result.status == "cancelled"
    return result.stop_reason is StopReason.CANCELLED


def _failed(thing: Thing, error: JidoError) -> WorkOutcome:
    kind = "graph" if isinstance(thing, Graph) else "pipeline"
    info = ErrorInfo(type(error).__name__, redact(" ".join(str(error).split())))
    return WorkOutcome(kind=kind, status="failed", reason="error", error=info)


def _outcome(result: ReflectionResult | GraphResult) -> WorkOutcome:
    if isinstance(result, GraphResult):
        output: Any = redact_values({"output": plain(result.output)})["output"]
        status = _OF_GRAPH.get(result.status, "failed")
        return WorkOutcome(kind="graph", status=status, reason=result.status, output=output, error=result.error)
    return WorkOutcome(kind="pipeline", status=_status(result), reason=result.stop_reason.value, error=result.error)


def _status(result: ReflectionResult) -> WorkStatus:
    match result.stop_reason:
        case StopReason.SUSPENDED:
            return "suspended"
        case StopReason.CANCELLED:
            return "cancelled"
        case StopReason.ERROR:
            return "failed"
        case _:
            return "completed" if result.best_candidate is not None else "failed"
