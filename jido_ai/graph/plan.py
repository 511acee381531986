"""The plan of a graph: its nodes with their templates parsed and their names resolved. Pure.

`plan.nodes` are in an order in which every node comes after those it waits for; `plan.edges` are what joins them. A
nested graph and the node of a map have plans of their own below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from jido_ai.graph.nodes import (
    ApprovalNode,
    Case,
    CheckNode,
    ChoiceNode,
    LoopNode,
    MapNode,
    Node,
    StepNode,
)
from jido_ai.graph.template import Field, Template

ITEM_NAMES: Final = ("item", "index")
"""Fields inside of a map; no node may have these names."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A connection of two nodes.

    Attributes:
        source: a node, or a graph input (kind "graph_input").
        field: as the template has it, "{outline.lines}", for the kinds "input" and "graph_input"; else "".
        kind: "input" and "graph_input" of a template; "after"; "choice" from a choice to a node that it can name;
            "fallback" from a node to the one that stands in for it.
    """

    source: str
    target: str
    kind: Literal["graph_input", "input", "after", "choice", "fallback"]
    field: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """One keyword of a call: a template, or a constant.

    Attributes:
        source: index of the node whose output it is, if the template is that alone; else -1.
    """

    name: str
    template: Template | None
    constant: Any = None
    source: int = -1


class PlanNode:
    """One node of a plan.

    Attributes:
        index: its position in the plan.
        path: static path, as in "sub/draft" or "sections"; names its actor.
        inputs: positions of the nodes that its templates and `after` name, each once.
        controllers: positions of the choices that can name it.
        owner: position of the node that it stands in for; -1 for none.
        standby: position of the node that stands in for it; -1 for none.
        text: its fallback text, if it has one.
        consumers: positions of the nodes that wait for it.
        templates: by place: "prompt", "initial", "text", "over", "value", "show", "cases[0]".
        bindings: keywords of a step or of a nested graph.
        targets: of a choice: the names of its cases, in order.
        each: the node of a map; a graph there counts as a `GraphNode`.
        plan: of a nested graph.
        host: does its work while the graph is running.
        is_plain: only its inputs decide whether it runs.
    """

    __slots__ = (
        "bindings",
        "cases",
        "consumers",
        "controllers",
        "each",
        "host",
        "index",
        "inputs",
        "is_plain",
        "kind",
        "name",
        "owner",
        "path",
        "plan",
        "spec",
        "standby",
        "targets",
        "templates",
        "text",
        "waits",
    )

    def __init__(self, name: str, path: str, spec: Node) -> None:
        self.index = -1
        self.name = name
        self.path = path
        self.spec = spec
        self.kind = spec.kind
        self.inputs: tuple[int, ...] = ()
        self.controllers: tuple[int, ...] = ()
        self.owner = -1
        self.standby = -1
        self.text: str | None = None
        self.consumers: tuple[int, ...] = ()
        self.waits = 0
        self.templates: dict[str, Template] = {}
        self.bindings: tuple[Binding, ...] = ()
        self.cases: tuple[tuple[Template | Callable[[Any], object] | None, Case | None, str], ...] = ()
        self.targets: tuple[str, ...] = ()
        self.each: PlanNode | None = None
        self.plan: Plan | None = None
        self.host: Any = None
        self.is_plain = True

    def __repr__(self) -> str:
        return f"<PlanNode {self.path} ({self.kind})>"

    @property
    def fields(self) -> tuple[tuple[str, Field], ...]:
        """Return the fields of its templates with their places, those of the node of a map included."""
        own = [(place, field) for place, template in self.templates.items() for field in template.fields]
        for binding in self.bindings:
            if binding.template is not None:
                own += [(f"inputs.{binding.name}", field) for field in binding.template.fields]
        for number, (shown, _, _) in enumerate(self.cases):
            if isinstance(shown, Template):
                own += [(f"cases[{number}]", field) for field in shown.fields]
        if self.each is not None:
            own += [(f"node.{place}", field) for place, field in self.each.fields if field.name not in ITEM_NAMES]
        return tuple(own)


class Plan:
    """The nodes of one graph; see the module.

    Attributes:
        nodes: in an order in which every node comes after those it waits for.
        index: position by name.
        names: in the order of the author.
        inputs: names of the graph's inputs.
        trusted: those of them that stand in prompts as they are.
        output: position of the output node.
        behind: by position, the positions of all nodes that wait for it directly or through others, as a bit mask.
        waits: by position, the number of nodes that it waits for.
        roots: positions of the nodes that wait for nothing.
        holds_others: there is a map or a nested graph.
    """

    __slots__ = (
        "behind",
        "edges",
        "holds_others",
        "index",
        "inputs",
        "names",
        "nodes",
        "output",
        "roots",
        "trusted",
        "waits",
    )

    def __init__(
        self,
        nodes: Sequence[PlanNode],
        names: Sequence[str],
        inputs: tuple[str, ...],
        output: str,
        edges: tuple[Edge, ...],
        *,
        trusted: tuple[str, ...] = (),
    ) -> None:
        self.nodes = tuple(nodes)
        self.names = tuple(names)
        self.inputs = inputs
        self.trusted = trusted
        self.index = {node.name: index for index, node in enumerate(self.nodes)}
        self.output = self.index[output]
        self.edges = edges
        self._wire()
        self.behind = self._descendants()
        self.waits = [node.waits for node in self.nodes]
        self.holds_others = any(node.kind in ("map", "graph") for node in self.nodes)
        self.roots = tuple(node.index for node in self.nodes if node.waits == 0)

    def _wire(self) -> None:
        consumers: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            node.index = index
            node.inputs = self._sources(node, ("input", "after"))
            node.controllers = self._sources(node, ("choice",))
            owners = self._sources(node, ("fallback",))
            if owners:
                node.owner = owners[0]
                self.nodes[owners[0]].standby = index
            node.is_plain = not node.controllers and not owners
            waits = dict.fromkeys((*node.inputs, *node.controllers, *owners))
            node.waits = len(waits)
            for source in waits:
                consumers[source].append(index)
            node.bindings = tuple([self._resolved(binding) for binding in node.bindings])
        for node in self.nodes:
            node.consumers = tuple(consumers[node.index])

    def _sources(self, node: PlanNode, kinds: tuple[str, ...]) -> tuple[int, ...]:
        names = dict.fromkeys(edge.source for edge in self.edges if edge.target == node.name and edge.kind in kinds)
        return tuple(self.index[name] for name in names)

    def _resolved(self, binding: Binding) -> Binding:
        lone = None if binding.template is None else binding.template.lone
        if lone is None or lone.path or lone.name not in self.index:
            return binding
        return Binding(binding.name, binding.template, source=self.index[lone.name])

    def _descendants(self) -> tuple[int, ...]:
        behind = [0] * len(self.nodes)
        for node in reversed(self.nodes):
            following = set(node.consumers)
            owner = node.owner
            while owner >= 0:  # what needs that node gets this one's output
                following.update(self.nodes[owner].consumers)
                owner = self.nodes[owner].owner
            for consumer in following:
                if consumer > node.index:
                    behind[node.index] |= behind[consumer] | 1 << consumer
        return tuple(behind)


def constant_or_template(name: str, value: object, parse: Callable[[object], Template]) -> Binding:
    """Return the binding of a keyword: a text is a template, anything else a constant."""
    return Binding(name, parse(value)) if isinstance(value, str) else Binding(name, None, value)


def template_places(spec: Node) -> Mapping[str, object]:
    """Return the templates of a node as they are written, by place; without inputs and cases."""
    match spec:
        case LoopNode():
            return _given(prompt=spec.prompt, initial=spec.initial)
        case StepNode():
            return _given(prompt=spec.prompt)
        case CheckNode():
            return {"text": spec.text}
        case MapNode():
            return {"over": spec.over}
        case ChoiceNode():
            return _given(value=spec.value)
        case ApprovalNode():
            return {"show": spec.show}
        case _:
            return {}


def _given(**templates: object) -> Mapping[str, object]:
    return {place: template for place, template in templates.items() if template is not None}
