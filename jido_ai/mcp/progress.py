"""Progress of a run in words, for the notifications of a call. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jido_ai.graph.graph import Graph
from jido_ai.graph.served import Served


def total_of(served: Served | None) -> float | None:
    """Return the maximum number of iterations of a run; None if it is unknown."""
    return None if served is None or isinstance(served, Graph) else float(served.config.max_iterations)


class Progress:
    """Counts the steps of one run.

    Attributes:
        steps: judged candidates and finished nodes so far.
    """

    def __init__(self) -> None:
        self.steps = 0

    def words_for(self, event: Mapping[str, Any]) -> str | None:
        """Return the words for an event, and count it; None for one that is no step."""
        path = event.get("path", "")
        match event["type"]:
            case "Critiqued":
                self.steps += 1
                return _critiqued(event["iteration"], str(path).partition("/iteration ")[0])
            case "NodeStopped" if path:
                self.steps += 1
                return f"{path}: {event['result']['status']}"
            case _:
                return None


def _critiqued(iteration: Mapping[str, Any], path: str) -> str:
    critique = iteration["critique"]
    count = len(critique["issues"])
    issues = "1 issue" if count == 1 else f"{count} issues"
    where = f"{path}: " if path else ""
    return (
        f"{where}iteration {iteration['index'] + 1}: score {critique['score']:.2f}, "
        f"severity {critique['severity']:.2f}, {issues}"
    )
