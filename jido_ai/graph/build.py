"""Building a plan: names are resolved, everything is checked, and all faults are reported at once. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any, Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, describe
from jido_ai.graph.nodes import AnyGraph, Case, ChoiceNode, GraphNode, MapNode, Node, StepNode
from jido_ai.graph.output import FIELDS, ITEM_FIELDS
from jido_ai.graph.plan import (
    ITEM_NAMES,
    Binding,
    Edge,
    Plan,
    PlanNode,
    constant_or_template,
    template_places,
)
from jido_ai.graph.rules import State, decide
from jido_ai.graph.settings import faults_of
from jido_ai.graph.template import FIELD_NAME, Field, Template, parse_template

_NO_NAME: Final = "{} is not a name: use letters, digits, _ and -, and do not begin with a digit"


def plan_of(nodes: object, inputs: object, output: object, *, prefix: str = "", trusted: object = ()) -> Plan:
    """Return the plan of a graph.

    Args:
        nodes: a mapping of names to nodes, or pairs of them.
        inputs: names of the graph's inputs.
        output: name of the output node.
        prefix: path of the graph inside of another one, "" or ending in "/".
        trusted: names of the inputs that stand in prompts as they are.

    Raises:
        ConfigurationError: names everything that is wrong, one line each: the place, what is wrong, the nearest name.
    """
    return _Builder(nodes, inputs, output, prefix, trusted).plan()


class _Builder:
    def __init__(self, nodes: object, inputs: object, output: object, prefix: str, trusted: object) -> None:
        self.faults: list[str] = []
        self.refused: set[object] = set()  # names that were told, so those who use them are not
        self.prefix = prefix
        self.inputs = self._names("inputs", inputs)
        self.trusted = self._names("trusted", trusted)
        for name in self.trusted:
            if name not in self.inputs and name not in self.refused:
                self.fault("trusted", f"the graph has no input {name!r}; {nearest(name, self.inputs)}")
        self.specs = self._checked_nodes(nodes)
        self.output = output
        self.edges: list[Edge] = []
        self.used: set[str] = set()
        self.nodes: dict[str, PlanNode] = {}

    def plan(self) -> Plan:
        for name, spec in self.specs.items():
            self.nodes[name] = self._node(name, f"{self.prefix}{name}", spec, f"nodes.{name}")
        for node in self.nodes.values():
            self._join(node)
        self._check_fallbacks()
        self._check_output()
        self._refuse_if_faulty()
        ordered = self._in_order()
        self._check_used()
        self._refuse_if_faulty()
        output = cast("str", self.output)
        plan = Plan(ordered, list(self.specs), self.inputs, output, tuple(self.edges), trusted=self.trusted)
        self._check_reach(plan)
        self._refuse_if_faulty()
        return plan

    def fault(self, place: str, what: str) -> None:
        self.faults.append(f"{place}: {what}")

    def _refuse_if_faulty(self) -> None:
        if self.faults:
            raise ConfigurationError("\n".join(dict.fromkeys(self.faults)))

    # -- names -------------------------------------------------------------------------------------

    def _names(self, place: str, given: object) -> tuple[str, ...]:
        if isinstance(given, str) or not isinstance(given, Iterable):
            self.fault(place, f"must be a sequence of names, got {describe(given)}")
            return ()
        names: list[str] = []
        for name in cast("Iterable[object]", given):
            if not isinstance(name, str) or FIELD_NAME.fullmatch(name) is None:
                self.fault(place, _NO_NAME.format(describe(name)))
                self.refused.add(name if isinstance(name, str) else "")
            elif name in names:
                self.fault(place, f"{name!r} is given twice")
            else:
                names.append(name)
        return tuple(names)

    def _checked_nodes(self, nodes: object) -> dict[str, Node]:
        if isinstance(nodes, Mapping):
            pairs: Iterable[Any] = cast("Mapping[Any, Any]", nodes).items()
        elif isinstance(nodes, Iterable) and not isinstance(nodes, str):
            pairs = cast("Iterable[Any]", nodes)
        else:
            self.fault("nodes", f"must be a mapping of names to nodes, got {describe(nodes)}")
            return {}
        found: dict[str, Node] = {}
        for pair in pairs:
            if not isinstance(pair, tuple | list) or len(cast("Sequence[object]", pair)) != 2:
                self.fault("nodes", f"must be pairs of a name and a node, got {describe(cast('object', pair))}")
                continue
            name, spec = cast("tuple[object, object]", pair)
            if not isinstance(name, str) or FIELD_NAME.fullmatch(name) is None:
                self.fault("nodes", _NO_NAME.format(describe(name)))
            elif name in found:
                self.fault(f"nodes.{name}", "two nodes have this name")
            elif name in self.inputs:
                self.fault(f"nodes.{name}", "an input of the graph has this name, too")
            elif name in ITEM_NAMES:
                self.fault(f"nodes.{name}", f"{{{name}}} is a field inside of a map; choose another name")
            elif not isinstance(spec, Node) or not spec.kind:
                self.fault(f"nodes.{name}", f"must be a node, such as StepNode(...), got {describe(spec)}")
            else:
                found[name] = spec
            if isinstance(name, str) and name not in found:
                self.refused.add(name)
        if not found and not self.faults:
            self.fault("nodes", "a graph needs at least one node")
        return found

    # -- one node ----------------------------------------------------------------------------------

    def _node(self, name: str, path: str, spec: Node, place: str) -> PlanNode:
        node = PlanNode(name, path, spec)
        settings = faults_of(spec)
        for where, what in settings:
            self.fault(f"{place}.{where}", what)
        wrong = {where for where, _ in settings}
        for where, source in template_places(spec).items():
            template = self._parsed(f"{place}.{where}", source)
            if template is not None:
                node.templates[where] = replace(template, trusted=frozenset(self.trusted))
        if isinstance(spec, StepNode | GraphNode) and "inputs" not in wrong:
            node.bindings = tuple(self._bindings(place, spec.inputs))
        if isinstance(spec, ChoiceNode) and "cases" not in wrong:
            self._cases(node, spec, place)
        if isinstance(spec, MapNode):
            self._each(node, spec, path, place)
        if isinstance(spec, GraphNode):
            self._inner(node, spec.graph, path, place)
        return node

    def _parsed(self, place: str, source: object) -> Template | None:
        try:
            return parse_template(source)
        except ConfigurationError as error:
            self.fault(place, str(error))
            return None

    def _bindings(self, place: str, inputs: Mapping[str, Any]) -> Iterable[Binding]:
        for name, value in inputs.items():
            try:
                yield constant_or_template(name, value, parse_template)
            except ConfigurationError as error:
                self.fault(f"{place}.inputs.{name}", str(error))

    def _cases(self, node: PlanNode, spec: ChoiceNode, place: str) -> None:
        cases: list[Any] = []
        for number, pair in enumerate(spec.cases):
            if not isinstance(pair, tuple | list) or len(pair) != 2 or not isinstance(pair[1], str):  # pyright: ignore[reportUnnecessaryIsInstance,reportUnnecessaryComparison] - callers pass anything
                continue
            case, target = pair
            if isinstance(case, Case):
                template = self._parsed(f"{place}.cases[{number}]", case.value)
                cases.append((template, case, target))
            else:
                cases.append((case, None, target))
        node.cases = tuple(cases)
        node.targets = tuple(target for _, _, target in cases)

    def _each(self, node: PlanNode, spec: MapNode, path: str, place: str) -> None:
        inner: object = spec.node
        if isinstance(inner, ChoiceNode):
            self.fault(
                f"{place}.node",
                "a choice inside a map has no nodes to choose from; put the choice and its nodes into a Graph",
            )
        elif isinstance(inner, Node) and inner.kind:
            if inner.after:
                self.fault(f"{place}.node.after", "belongs to the map: after=")
            if isinstance(inner.fallback, str) and inner.fallback in self.specs:
                self.fault(
                    f"{place}.node.fallback", "must be a string inside a map; a node can stand in for the whole map"
                )
            node.each = self._node(node.name, path, inner, f"{place}.node")
            node.each.text = inner.fallback
        elif is_graph(inner):
            graph = cast("AnyGraph", inner)
            others = [name for name in graph.inputs if name not in ITEM_NAMES]
            if others:
                self.fault(
                    f"{place}.node",
                    f"a map gives its graph the inputs item and index, but this graph needs {others[0]!r}; "
                    "use GraphNode(graph, inputs={...})",
                )
                return
            wrapped = GraphNode(graph, {name: f"{{{name}}}" for name in graph.inputs})
            node.each = self._node(node.name, path, wrapped, f"{place}.node")
        else:
            self.fault(f"{place}.node", f"must be a node or a Graph, got {describe(inner)}")

    def _inner(self, node: PlanNode, graph: object, path: str, place: str) -> None:
        if not is_graph(graph):
            self.fault(f"{place}.graph", f"must be a Graph, got {describe(graph)}")
            return
        inner = cast("AnyGraph", graph)
        try:
            node.plan = plan_of(inner.nodes, inner.inputs, inner.output, prefix=f"{path}/", trusted=inner.trusted)
        except ConfigurationError as error:  # it was checked when it was made
            self.fault(place, str(error))
            return
        given = [binding.name for binding in node.bindings]
        unknown = [name for name in given if name not in inner.inputs]
        for name in unknown:
            self.fault(f"{place}.inputs.{name}", f"the graph has no such input; {nearest(name, inner.inputs)}")
        for name in inner.inputs:
            if name not in given and not unknown and isinstance(getattr(node.spec, "inputs", {}), Mapping):
                self.fault(f"{place}.inputs", f"the graph needs {name!r}: inputs={{{name!r}: ...}}")

    # -- what joins them ---------------------------------------------------------------------------

    def _join(self, node: PlanNode) -> None:
        name, place = node.name, f"nodes.{node.name}"
        for where, field in node.fields:
            self._join_field(node, f"{place}.{where}", field)
        self._check_items(node, place, inside=False)
        for other in _names(node.spec.after):
            if self._is_node(f"{place}.after", other):
                self.edges.append(Edge(other, name, "after"))
        for number, target in enumerate(node.targets):
            if self._is_node(f"{place}.cases[{number}]", target):
                self.edges.append(Edge(name, target, "choice"))
        fallback: object = node.spec.fallback
        if isinstance(fallback, str):
            self._join_fallback(node, fallback, place)

    def _is_node(self, place: str, name: str) -> bool:
        if name in self.nodes:
            return True
        if name in self.refused:
            return False
        self.fault(place, f"there is no node {name!r}; {nearest(name, list(self.nodes))}")
        return False

    def _join_field(self, node: PlanNode, place: str, field: Field) -> None:
        if field.name in self.inputs:
            self.used.add(field.name)
            self.edges.append(Edge(field.name, node.name, "graph_input", str(field)))
            self._check_path(place, field, ITEM_FIELDS, "an input")
        elif field.name in self.nodes:
            self.edges.append(Edge(field.name, node.name, "input", str(field)))
            source = self.nodes[field.name]
            self._check_path(place, field, _fields_of(source), f"a {source.kind} node")
        elif field.name not in ITEM_NAMES and field.name not in self.refused:
            known = [*self.nodes, *self.inputs]
            self.fault(place, f"{field} names neither a node nor an input; {nearest(field.name, known)}")

    def _check_path(self, place: str, field: Field, known: Iterable[str], what: str) -> None:
        names = sorted(known)
        if field.path and field.path[0] not in names:
            self.fault(place, f"{field}: {what} has no field {field.path[0]!r}; {nearest(field.path[0], names)}")
        elif len(field.path) > 1 and field.path[0] != "json":
            self.fault(place, f"{field}: only json has fields of its own")

    def _check_items(self, node: PlanNode, place: str, *, inside: bool) -> None:
        """Check the fields {item} and {index}: they are there inside of a map."""
        fields = list(node.fields)
        if node.each is not None:
            self._check_items(node.each, f"{place}.node", inside=True)
            fields = [(where, field) for where, field in fields if not where.startswith("node.")]
        for where, field in fields:
            if field.name not in ITEM_NAMES or (field.name in self.inputs and not inside):
                continue
            if not inside:
                self.fault(f"{place}.{where}", f"{field} is there only inside of a map")
            elif field.name not in self.inputs:
                self._check_path(f"{place}.{where}", field, ITEM_FIELDS, "an item")

    def _join_fallback(self, node: PlanNode, fallback: str, place: str) -> None:
        if fallback in self.nodes:
            if fallback == node.name:
                self.fault(f"{place}.fallback", "a node cannot stand in for itself")
            else:
                self.edges.append(Edge(node.name, fallback, "fallback"))
            return
        node.text = fallback

    def _check_fallbacks(self) -> None:
        owners: dict[str, str] = {}
        for edge in self.edges:
            if edge.kind != "fallback":
                continue
            place = f"nodes.{edge.source}.fallback"
            if edge.target in owners:
                self.fault(
                    place, f"{edge.target!r} stands in for {owners[edge.target]!r} already; a node can do so for one"
                )
            owners.setdefault(edge.target, edge.source)
            if any(
                one.target == edge.target and one.source == edge.source and one.kind != "fallback" for one in self.edges
            ):
                self.fault(place, f"{edge.target!r} needs {edge.source!r}, which has failed when it runs")

    def _check_output(self) -> None:
        if not isinstance(self.output, str):
            self.fault("output", f"must be the name of a node, got {describe(self.output)}")
        elif self.output not in self.nodes and self.output not in self.refused and self.nodes:
            hint = (
                "an input cannot be the output"
                if self.output in self.inputs
                else nearest(self.output, list(self.nodes))
            )
            self.fault("output", f"there is no node {self.output!r}; {hint}")

    def _check_used(self) -> None:
        for name in self.inputs:
            if name not in self.used:
                self.fault("inputs", f"no template uses {name!r}")

    # -- the whole ---------------------------------------------------------------------------------

    def _in_order(self) -> list[PlanNode]:
        """Return the nodes, each after those it waits for; equal ones in the order of the author."""
        stands_in = {edge.source: edge.target for edge in self.edges if edge.kind == "fallback"}
        waits: dict[str, dict[str, None]] = {name: {} for name in self.nodes}
        for edge in self.edges:
            if edge.kind == "graph_input":
                continue
            waits[edge.target][edge.source] = None
            standby = None if edge.kind == "fallback" else stands_in.get(edge.source)
            passed: set[str] = set()
            while standby is not None and standby not in passed:  # whoever needs a node waits for its fallbacks, too
                waits[edge.target][standby] = None
                passed.add(standby)
                standby = stands_in.get(standby)
        sorter = TopologicalSorter(waits)
        try:
            sorter.prepare()
        except CycleError as error:
            cycle = " -> ".join(cast("list[str]", error.args[1]))
            self.fault("nodes", f"a cycle: {cycle}; use a LoopNode for what repeats")
            return list(self.nodes.values())
        place = {name: number for number, name in enumerate(self.nodes)}
        ordered: list[str] = []
        while sorter.is_active():
            ready = sorted(sorter.get_ready(), key=place.__getitem__)
            ordered += ready
            sorter.done(*ready)
        return [self.nodes[name] for name in ordered]

    def _check_reach(self, plan: Plan) -> None:
        reach = reach_of(plan)
        for index in reach.never_run:
            self.fault(
                f"nodes.{plan.nodes[index].name}", "can never run: whatever is chosen, one of its inputs is skipped"
            )
        if reach.skipped_by >= 0:
            cause = plan.nodes[reach.skipped_by]
            what = "the choice" if cause.kind == "choice" else "the success of"
            self.fault(
                "output",
                f"{self.output!r} may be skipped by {what} {cause.name!r}; join its branches in a node after them",
            )


def _names(after: object) -> list[str]:
    if isinstance(after, str) or not isinstance(after, Iterable):
        return []
    return [name for name in cast("Iterable[object]", after) if isinstance(name, str)]


def is_graph(value: object) -> bool:
    """Tell whether a value is a graph, by what it has."""
    return not isinstance(value, Node) and all(
        hasattr(value, name) for name in ("nodes", "inputs", "output", "config", "plan")
    )


def _fields_of(source: PlanNode) -> frozenset[str]:
    """Return the fields that a node's output can have; a nested graph has those of its output node."""
    if source.kind == "graph" and source.plan is not None:
        return _fields_of(source.plan.nodes[source.plan.output])
    return FIELDS[source.kind]


# -- reach -----------------------------------------------------------------------------------------


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
