"""Events of a graph's run: frozen values in order; `GraphStopped` is the last. Pure.

In between come the events of the loops (`jido_ai.loop.events`), each with the `path` of its node: "outline",
"sections[3]"; those about one iteration name it, too: "sections[3]/iteration 2".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from jido_ai.graph.results import GraphResult, NodeResult
from jido_ai.loop.events import BaseEvent, Critiqued, Reflected, RunEvent

__all__ = ["GraphEvent", "GraphStarted", "GraphStopped", "NodeStarted", "NodeStopped", "NodeWarned", "placed"]


@dataclass(frozen=True, slots=True)
class GraphStarted(BaseEvent):
    """A run of a graph started."""

    run_id: str
    inputs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NodeStarted(BaseEvent):
    """A node, or an item of a map, started."""

    run_id: str


@dataclass(frozen=True, slots=True)
class NodeWarned(BaseEvent):
    """A field of a node's prompt was too long and was cut."""

    run_id: str
    message: str


@dataclass(frozen=True, slots=True)
class NodeStopped(BaseEvent):
    """A node, or an item of a map, ended; also one that was skipped or not reached."""

    run_id: str
    result: NodeResult


@dataclass(frozen=True, slots=True)
class GraphStopped(BaseEvent):
    """The run ended."""

    run_id: str
    result: GraphResult


GraphEvent = GraphStarted | NodeStarted | NodeWarned | NodeStopped | GraphStopped | RunEvent


def placed(event: RunEvent, path: str) -> RunEvent:
    """Return an event of a loop with its place in the graph."""
    match event:
        case Critiqued(iteration=iteration):
            return replace(event, path=f"{path}/iteration {iteration.index}")
        case Reflected(index=index):
            return replace(event, path=f"{path}/iteration {index}")
        case _:
            return replace(event, path=path)
