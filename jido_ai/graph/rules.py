"""The rules of a run: which nodes run, are skipped or are not reached, and what the run's status is. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final

from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.results import GraphStatus, NodeStatus


class State(IntEnum):
    """Where a node of a run is."""

    PENDING = 0  # waits for others
    RUNNING = 1
    STANDBY = 2  # failed, and its fallback node has yet to end
    DONE = 3
    STOOD_IN = 4  # failed, with the output of its fallback
    FAILED = 5
    SKIPPED = 6
    WAITING = 7  # for a person
    NOT_REACHED = 8


THERE: Final = frozenset({State.DONE, State.STOOD_IN})
"""The output is there."""
MISSING: Final = frozenset({State.FAILED, State.WAITING, State.NOT_REACHED})
"""There is no output, and no choice was the reason."""
STATUS_OF: Final[Mapping[int, NodeStatus]] = {
    State.PENDING: "not_reached",
    State.RUNNING: "not_reached",
    State.STANDBY: "failed",
    State.DONE: "done",
    State.STOOD_IN: "failed",
    State.FAILED: "failed",
    State.SKIPPED: "skipped",
    State.WAITING: "waiting",
    State.NOT_REACHED: "not_reached",
}

Decision = tuple[State, int]
"""RUNNING, NOT_REACHED or SKIPPED; for the last also the position of the node that caused it, else -1."""
_RUN: Final[Decision] = (State.RUNNING, -1)
_NOT_REACHED: Final[Decision] = (State.NOT_REACHED, -1)


def decide(
    plan: Plan, node: PlanNode, states: Sequence[int], causes: Mapping[int, int], chosen: Mapping[int, str]
) -> Decision:
    """Decide what becomes of a node, once all nodes that it waits for have ended (or stand by for it).

    - A fallback runs only when the node that it stands in for has failed; else that node skips it.
    - A node that a choice could have named and did not is skipped by the choice, or by what skipped the choice.
    - A node with an input that failed, was refused or waits is not reached.
    - A node with a skipped input is skipped by the same choice, unless it is a join: another of its inputs is there and
      lies behind that choice, too, or that choice named the node itself.

    Args:
        states: of all nodes, by position.
        causes: of each skipped node, the position of the node that caused it.
        chosen: of each choice that is done, the name it chose.
    """
    if node.owner >= 0:
        owner = states[node.owner]
        if owner == State.DONE:
            return State.SKIPPED, node.owner
        if owner == State.SKIPPED:
            return State.SKIPPED, causes[node.owner]
        if owner != State.STANDBY:
            return _NOT_REACHED
    named_by = [choice for choice in node.controllers if chosen.get(choice) == node.name]
    if node.controllers and not named_by:
        return _not_named(node, states, causes)
    if any(states[index] in MISSING for index in node.inputs):
        return _NOT_REACHED
    there = [index for index in node.inputs if states[index] in THERE] + named_by
    for index in node.inputs:
        if states[index] != State.SKIPPED:
            continue
        cause = causes[index]
        is_choice = plan.nodes[cause].kind == "choice"
        is_join = any(plan.behind[cause] >> one & 1 or (one == cause and not is_choice) for one in there)
        if not is_join and cause not in named_by:
            return State.SKIPPED, cause
    return _RUN


def _not_named(node: PlanNode, states: Sequence[int], causes: Mapping[int, int]) -> Decision:
    if any(states[choice] in MISSING or states[choice] == State.STOOD_IN for choice in node.controllers):
        return _NOT_REACHED  # that choice might have named it
    first = next((choice for choice in node.controllers if states[choice] == State.DONE), -1)
    return State.SKIPPED, first if first >= 0 else causes[node.controllers[0]]


def run_status(*, has_output: bool, has_failure: bool, is_waiting: bool, is_cancelled: bool) -> GraphStatus:
    """Return the status of a run that has ended.

    Args:
        has_failure: something failed or was refused, anywhere; also an item that its map left out.
        is_waiting: a node waits for a person.
    """
    if is_cancelled:
        return "cancelled"
    if is_waiting:
        return "suspended"
    if not has_output:
        return "failed"
    return "partial" if has_failure else "completed"
