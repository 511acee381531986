"""GraphLog: the events of a run, made when somebody reads them.

While a run goes on only references are kept, so that a run that nobody listens to pays for no event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

from jido_ai.graph.events import GraphEvent, GraphStarted, GraphStopped, NodeStarted, NodeStopped, NodeWarned, placed
from jido_ai.graph.job import Frame, Job
from jido_ai.graph.report import Clock, node_result, result_at
from jido_ai.graph.results import GraphResult
from jido_ai.loop.events import RunEvent

Entry = tuple[Any, Any, float]
"""What it is about, what more is needed, and when, on the event loop's clock.

A job that started (None), ended (True) or was warned (the message); a frame in which a node ended (its position); an
event of a loop (its path); the inputs of a run that started; the result of one that stopped."""


class GraphLog:
    """An `EventLog` of a run.

    Args:
        after: number of the last event that the run emitted before, in another process for example.

    Attributes:
        clock: set when the run begins.
    """

    __slots__ = ("_after", "_entries", "_run_id", "clock")

    def __init__(self, run_id: str, after: int = 0) -> None:
        self._run_id = run_id
        self._after = after
        self._entries: list[Entry | GraphStopped] = []
        self.clock: Clock | None = None

    @property
    def last(self) -> int:
        """The number of the newest event."""
        return self._after + len(self._entries)

    def append(self, entry: Any, /) -> None:
        """Add an `Entry`; or the event that ends a run whose result was known."""
        self._entries.append(entry)

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, index: int, /) -> GraphEvent:
        entry = self._entries[index]
        if isinstance(entry, GraphStopped):
            return entry
        about, more, time = entry
        event = self._event(about, more)
        assert self.clock is not None
        at = event.at if isinstance(more, str) and not isinstance(about, Job) else None
        return replace(
            event,
            seq=self._after + index + 1,
            at=at or self.clock[0] + timedelta(seconds=time - self.clock[1]),
        )

    def _event(self, about: Any, more: Any) -> GraphEvent:
        clock = self.clock
        assert clock is not None
        match cast("object", about):
            case Job() as job if more is None:
                return NodeStarted(self._run_id, path=job.path)
            case Job() as job if more is True:
                return NodeStopped(self._run_id, node_result(job, clock), path=job.path)
            case Job() as job:
                return NodeWarned(self._run_id, more, path=job.path)
            case Frame() as frame:
                position = cast("int", more)
                path = frame.prefix + frame.plan.nodes[position].name
                return NodeStopped(self._run_id, result_at(frame, position, clock), path=path)
            case GraphResult():
                return GraphStopped(self._run_id, cast("GraphResult", about))
            case Mapping():
                return GraphStarted(self._run_id, cast("Mapping[str, Any]", about))
            case _:
                return placed(cast("RunEvent", about), more)
