"""LoopRuns: the runs of a pipeline, each one work of a `ReflectionLoop`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

from jido_ai.components.readings import typed_result
from jido_ai.errors import ConfigurationError
from jido_ai.loop.calls import LoopParts
from jido_ai.loop.events import RunEvent, RunStopped
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.options import RunRequest
from jido_ai.loop.record import RecordedRun, read_run
from jido_ai.loop.reflection_loop import LoopRun
from jido_ai.runs.call_log import RecordCalls
from jido_ai.runs.leases import Leases
from jido_ai.runs.service import ActiveRun, RunService
from jido_ai.runs.signals import Turns
from jido_ai.text.output_type import OutputType
from jido_ai.values import ReflectionResult, StopReason
from jido_ai.values.record import Record

Run = ActiveRun[RunRequest, RecordedRun, ReflectionResult[Any], RunEvent]


class LoopRuns(RunService[RunRequest, RecordedRun, ReflectionResult[Any], RunEvent]):
    """See `RunService`.

    Args:
        parts_of: returns the parts for a run.
        output: the type of the answers; None for texts.
    """

    kind: ClassVar[Literal["pipeline", "graph"]] = "pipeline"

    def __init__(
        self,
        name: str,
        journal: RunJournal | None,
        leases: Leases | None,
        record_calls: RecordCalls,
        *,
        parts_of: Callable[[Run], LoopParts],
        turns: Turns | None,
        leaving_s: float,
        output: OutputType[Any] | None = None,
    ) -> None:
        super().__init__(name, journal, leases, record_calls, turns=turns, leaving_s=leaving_s)
        self._parts_of = parts_of
        self._output = output

    async def new_work(self, run: Run) -> LoopRun:
        outer = run.request.outer_calls
        run.calls = await self.call_log(run) if outer is None else outer[0]
        return LoopRun(run.request, self._parts_of(run), run.handle.record, run.recorded, run.calls)

    def read(self, run_id: str, records: list[Record]) -> RecordedRun:
        first = records[0]
        lines = [(one.kind, one.data) for one in records]
        return read_run(run_id, first.scope, first.timestamp, lines, to_continue=True)

    def continues(self, request: RunRequest, recorded: RecordedRun) -> bool:
        """Return False for a run that is over, or that waits for a person while nobody can be asked."""
        if request.decision is not None:
            if recorded.waiting is None:
                raise ConfigurationError(
                    f"run {recorded.run_id!r} waits for no decision (it is {recorded.status}); nothing was changed"
                )
            return True
        waits = recorded.status == StopReason.SUSPENDED and request.approve is None
        return not (recorded.is_over or waits)

    def check_undecided(self, request: RunRequest, before: RecordedRun, now: RecordedRun) -> None:
        asked, waits = before.waiting, now.waiting
        if request.decision is not None and asked and waits and asked.candidate.id != waits.candidate.id:
            raise ConfigurationError(
                f"revision {asked.candidate.id} of run {request.run_id!r} has been decided in the meantime; "
                "nothing was changed"
            )

    async def result_of(self, recorded: RecordedRun) -> ReflectionResult:
        result = recorded.result()
        assert result is not None
        result = result.model_copy(update={"calls": await self.readable_calls(recorded.run_id, recorded.scope)})
        return await typed_result(result, self._output)

    def stopped(self, run_id: str, result: ReflectionResult, seq: int) -> RunEvent:
        return RunStopped(run_id, result, seq=seq)
