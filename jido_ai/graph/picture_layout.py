"""Where the nodes of a picture stand: layers by the longest way to them, and few crossings. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from jido_ai.graph.nodes import Case
from jido_ai.graph.plan import Plan, PlanNode

_SWEEPS = 4


@dataclass(frozen=True, slots=True)
class Arrow:
    """A connection of two nodes in a picture: all edges of one kind between them.

    Attributes:
        label: the fields of the templates, or the condition of a case.
    """

    source: str
    target: str
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class NodeBox:
    """Where something stands: its layer from 0, and its row in that layer.

    Attributes:
        name: of a node or input; "" for a place that a long arrow passes.
    """

    name: str
    layer: int
    row: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A picture without sizes and colours.

    Attributes:
        places: of inputs and nodes, by name.
        ways: for each arrow the places it goes through, both ends included.
        layers, rows: their numbers.
    """

    places: dict[str, NodeBox]
    ways: tuple[tuple[Arrow, tuple[NodeBox, ...]], ...]
    layers: int
    rows: int


def layout_of(plan: Plan) -> Layout:
    """Return the layout of a plan."""
    arrows = _arrows(plan)
    layer = _layers(plan, arrows)
    chains = [_chain(arrow, layer, number) for number, arrow in enumerate(arrows)]
    columns: list[list[str]] = [[] for _ in range(1 + max(layer.values(), default=0))]
    for name, level in layer.items():
        columns[level].append(name)
    for arrow, chain in zip(arrows, chains, strict=True):
        for level, stop in enumerate(chain[1:-1], layer[arrow.source] + 1):
            columns[level].append(stop)
    links = [(one, other) for chain in chains for one, other in itertools.pairwise(chain)]
    _untangle(columns, links)
    rows = max(map(len, columns), default=1)
    places = {
        stop: NodeBox("" if stop.startswith("\0") else stop, level, row + (rows - len(column)) / 2)
        for level, column in enumerate(columns)
        for row, stop in enumerate(column)
    }
    ways = tuple((arrow, tuple(places[stop] for stop in chain)) for arrow, chain in zip(arrows, chains, strict=True))
    return Layout({name: places[name] for name in layer}, ways, len(columns), rows)


def _arrows(plan: Plan) -> list[Arrow]:
    found: dict[tuple[str, str, str], list[str]] = {}
    for edge in plan.edges:
        label = edge.field.strip("{}").partition(".")[2] if edge.kind in ("input", "graph_input") else ""
        kind = "input" if edge.kind == "graph_input" else edge.kind
        labels = found.setdefault((edge.source, edge.target, kind), [])
        if edge.kind == "choice":
            label = _condition(plan.nodes[plan.index[edge.source]], edge.target)
        if label and label not in labels:
            labels.append(label)
    return [Arrow(source, target, kind, ", ".join(labels)) for (source, target, kind), labels in found.items()]


def _condition(choice: PlanNode, target: str) -> str:
    words = [
        "else"
        if case is None and shown is None
        else f"{case.comparison} {case.than}"
        if isinstance(case, Case)
        else "if"
        for shown, case, name in choice.cases
        if name == target
    ]
    return " or ".join(dict.fromkeys(words))


def _layers(plan: Plan, arrows: Sequence[Arrow]) -> dict[str, int]:
    layer = dict.fromkeys(plan.inputs, 0)
    sources: dict[str, list[str]] = {}
    for arrow in arrows:
        sources.setdefault(arrow.target, []).append(arrow.source)
    for node in plan.nodes:  # in an order in which every node comes after those it waits for
        layer[node.name] = 1 + max((layer.get(source, -1) for source in sources.get(node.name, ())), default=-1)
    return layer


def _chain(arrow: Arrow, layer: dict[str, int], number: int) -> list[str]:
    """Return the stops of an arrow: one in each layer between its ends."""
    between = range(layer[arrow.source] + 1, layer[arrow.target])
    return [arrow.source, *(f"\0{number}.{level}" for level in between), arrow.target]


def _untangle(columns: list[list[str]], links: Sequence[tuple[str, str]]) -> None:
    """Sort each column by the mean position of its neighbours, forwards and backwards."""
    before: dict[str, list[str]] = {}
    after: dict[str, list[str]] = {}
    for one, other in links:
        before.setdefault(other, []).append(one)
        after.setdefault(one, []).append(other)
    for sweep in range(_SWEEPS):
        forwards = sweep % 2 == 0
        order = range(1, len(columns)) if forwards else range(len(columns) - 2, -1, -1)
        for level in order:
            neighbours = before if forwards else after
            fixed = columns[level - 1 if forwards else level + 1]
            position = {stop: row / max(1, len(fixed)) for row, stop in enumerate(fixed)}
            own = {stop: row / max(1, len(columns[level])) for row, stop in enumerate(columns[level])}
            columns[level].sort(key=lambda stop: _mean(stop, neighbours, position, own))


def _mean(stop: str, neighbours: dict[str, list[str]], position: dict[str, float], own: dict[str, float]) -> float:
    known = [position[one] for one in neighbours.get(stop, ()) if one in position]
    return sum(known) / len(known) if known else own[stop]
