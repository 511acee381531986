"""Which nodes can run, and which can be skipped, whatever the choices are. Pure.

The nodes are walked in order. A situation is what the choices so far have made of the nodes that later ones still look
at; situations that are equal in that are one, so the number of choices alone does not make many of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from jido_ai.graph.plan import Plan, PlanNode
from jido_ai.graph.rules import State, decide

_MOST_SITUATIONS: Final = 5_000


@dataclass(frozen=True, slots=True)
class Reach:
    """The possible outcomes of the nodes of a plan if none fails.

    Attributes:
        never_run: positions of nodes that are skipped whatever the choices are; fallbacks do not count.
        skipped_by: of the output, the position of a node that can skip it; -1 if none can.
    """

    never_run: tuple[int, ...] = ()
    skipped_by: int = -1


@dataclass(frozen=True, slots=True)
class _Fate:
    """The outcome of a node: it ran, and chose a name; or it was skipped by a node."""

    chose: str | None = None
    cause: int = -1


_Situation = tuple[tuple[int, _Fate], ...]
_RAN: Final = _Fate()


def reach_of(plan: Plan) -> Reach:
    """Return the possible outcomes of the nodes; none for a plan with more than 5,000 situations at a time."""
    needed_until = [max((*node.consumers, node.index)) for node in plan.nodes]
    needed_until[plan.output] = len(plan.nodes)
    ran: set[int] = set()
    situations: set[_Situation] = {()}
    for node in plan.nodes:
        following: set[_Situation] = set()
        for situation in situations:
            for fate in _fates(plan, node, dict(situation)):
                if fate.cause < 0:
                    ran.add(node.index)
                kept = [one for one in situation if needed_until[one[0]] > node.index]
                if needed_until[node.index] > node.index:
                    kept.append((node.index, fate))
                following.add(tuple(kept))
        if len(following) > _MOST_SITUATIONS:
            return Reach()
        situations = following
    causes = (fate.cause for situation in situations for index, fate in situation if index == plan.output)
    never = [node.index for node in plan.nodes if node.index not in ran and not _may_wait_for_a_fallback(plan, node)]
    return Reach(tuple(never), max(causes, default=-1))


def _fates(plan: Plan, node: PlanNode, situation: dict[int, _Fate]) -> list[_Fate]:
    states = [State.PENDING] * len(plan.nodes)
    causes: dict[int, int] = {}
    chosen: dict[int, str] = {}
    for index, fate in situation.items():
        states[index] = State.DONE if fate.cause < 0 else State.SKIPPED
        if fate.cause >= 0:
            causes[index] = fate.cause
        if fate.chose is not None:
            chosen[index] = fate.chose
    state, cause = decide(plan, node, states, causes, chosen)
    if state is State.SKIPPED:
        return [_Fate(cause=cause)]
    if node.kind == "choice":
        return [_Fate(chose=target) for target in dict.fromkeys(node.targets)]
    return [_RAN]


def _may_wait_for_a_fallback(plan: Plan, node: PlanNode) -> bool:
    """Tell whether a fallback comes before the node: then it runs only when something fails."""
    return any(
        other.owner >= 0 and (other.index == node.index or plan.behind[other.index] >> node.index & 1)
        for other in plan.nodes
    )
