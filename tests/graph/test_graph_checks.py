"""What is wrong with a graph is told at once, before anything starts, with its place and the nearest name."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai import (
    ApprovalNode,
    CheckNode,
    ChoiceNode,
    ConfigurationError,
    CritiqueResult,
    Graph,
    GraphNode,
    LoopNode,
    MapNode,
    StepNode,
)
from jido_ai.graph import Case


def step(**inputs: Any) -> StepNode:
    return StepNode(takes_all, inputs=inputs)


def takes_all(**values: Any) -> str:
    return ""


def takes_text(text: str) -> str:
    return text


def critique(candidate: object, context: object) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


WORD: dict[str, Any] = {word: word for word in ("=>", "fails", "wait", "takes_all")}
INNER = Graph({"a": step(x="{x}")}, inputs=["x"], output="a")
CHOICE = ChoiceNode([(Case("{t}", "==", "x"), "b"), (None, "c")])

WRONG: list[tuple[str, dict[str, Any], str, list[str]]] = [
    ("an unknown node", {"a": step(x="{outlin}"), "outline": step()}, "a", ["nodes.a.inputs.x", "'outline'?"]),
    ("an unknown field", {"a": step(), "b": step(x="{a.txt}")}, "b", ["nodes.b.inputs.x", "{a.txt}", "'text'?"]),
    ("a field of another kind", {"a": step(), "b": step(x="{a.score}")}, "b", ["a step node has no field 'score'"]),
    ("a field of a field", {"a": step(), "b": step(x="{a.text.x}")}, "b", ["only json"]),
    ("an unused input", {"a": step()}, "a", ["inputs", "no template uses 't'"]),
    ("an unknown output", {"draft": step(x="{t}")}, "draf", ["output", "did you mean 'draft'?"]),
    ("an input as the output", {"a": step(x="{t}")}, "t", ["output", "an input cannot be the output"]),
    ("a cycle", {"a": step(x="{c}{t}"), "b": step(x="{a}"), "c": step(x="{b}")}, "a", ["a -> b -> c -> a"]),
    ("a node that waits for itself", {"a": step(x="{a}{t}")}, "a", ["a -> a"]),
    ("an unknown after", {"a": StepNode(takes_all, after=["q"])}, "a", ["nodes.a.after", "no node 'q'"]),
    ("a fallback to itself", {"a": StepNode(takes_all, fallback="a")}, "a", ["cannot stand in for itself"]),
    (
        "a fallback that needs what failed",
        {"a": StepNode(takes_all, fallback="b"), "b": step(x="{a}")},
        "a",
        ["nodes.a.fallback", "has failed when it runs"],
    ),
    (
        "a fallback of two",
        {"a": StepNode(takes_all, fallback="c"), "b": StepNode(takes_all, fallback="c"), "c": step()},
        "a",
        ["stands in for 'a' already"],
    ),
    (
        "a fallback that waits for what waits for it",
        {
            "a": StepNode(takes_all, fallback="b"),
            "b": StepNode(takes_all, fallback="c"),
            "c": StepNode(takes_all, after=["a"]),
        },
        "a",
        ["a cycle"],
    ),
    (
        "a choice without a last case",
        {"a": ChoiceNode([(Case("{t}", "==", 1), "b")]), "b": step()},
        "a",
        ["no last case"],
    ),
    (
        "a case after the last",
        {"a": ChoiceNode([(None, "b"), (Case("{t}", "==", 1), "c")]), "b": step(), "c": step()},
        "a",
        ["nodes.a.cases[0]", "can never be chosen"],
    ),
    ("a choice of nothing", {"a": ChoiceNode([(None, "bb")]), "b": step(x="{t}")}, "b", ["nodes.a.cases[0]", "'b'?"]),
    (
        "a wrong comparison",
        {"a": ChoiceNode([(Case("{t}", WORD["=>"], 1), "b"), (None, "b")]), "b": step()},
        "a",
        ["cases[0]"],
    ),
    ("a function without a value", {"a": ChoiceNode([(bool, "b"), (None, "b")]), "b": step(x="{t}")}, "a", ["value="]),
    (
        "an output that may be skipped",
        {"a": CHOICE, "b": step(), "c": step()},
        "b",
        ["output", "skipped by the choice 'a'"],
    ),
    ("a name that is none", {"a b": step(x="{t}")}, "a b", ["'a b' is not a name"]),
    ("a node with the name of an input", {"t": step(x="{t}")}, "t", ["nodes.t", "an input of the graph has this name"]),
    ("a node named item", {"item": step(x="{t}")}, "item", ["nodes.item"]),
    ("an item outside of a map", {"a": step(x="{item}{t}")}, "a", ["only inside of a map"]),
    ("no node at all", {}, "a", ["at least one node"]),
    ("something that is no node", {"a": takes_all}, "a", ["nodes.a", "must be a node"]),
    ("a brace without an end", {"a": step(x="{t")}, "a", ["nodes.a.inputs.x", "has no end"]),
    ("an expression", {"a": step(x="{t + 1}")}, "a", ["{t + 1} is not a field"]),
    ("a keyword the function does not take", {"a": StepNode(takes_text, inputs={"txt": "{t}"})}, "a", ["'text'?"]),
    ("a keyword the function needs", {"a": StepNode(takes_text), "b": step(x="{t}")}, "a", ["needs 'text'"]),
    ("a model without a prompt", {"a": StepNode("openai:gpt-4o-mini"), "b": step(x="{t}")}, "a", ["prompt="]),
    ("a blank prompt", {"a": StepNode("openai:x", prompt=" "), "b": step(x="{t}")}, "a", ["nodes.a.prompt"]),
    ("negative retries", {"a": StepNode(takes_all, retries=-1), "b": step(x="{t}")}, "a", ["nodes.a.retries"]),
    ("no time at all", {"a": StepNode(takes_all, timeout_s=0), "b": step(x="{t}")}, "a", ["nodes.a.timeout_s"]),
    ("too large a field", {"a": StepNode(takes_all, max_field_chars=1_000_001), "b": step(x="{t}")}, "a", ["1000000"]),
    ("a loop without a generator", {"a": LoopNode("{t}", critiquer=critique)}, "a", ["nodes.a.generator"]),
    (
        "a loop without a critiquer",
        {"a": LoopNode("{t}", critiquer=None, generator=takes_all)},
        "a",
        ["nodes.a.critiquer"],
    ),
    ("a threshold above 1", {"a": CheckNode("{t}", critiquer=critique, threshold=1.5)}, "a", ["nodes.a.threshold"]),
    (
        "a check that fails when?",
        {"a": CheckNode("{t}", critiquer=critique, when=WORD["fails"])},
        "a",
        ["did you mean 'fail'?"],
    ),
    ("an approval that times out how?", {"a": ApprovalNode("{t}", on_timeout=WORD["wait"])}, "a", ["on_timeout"]),
    (
        "a map over nothing",
        {"a": MapNode("{t}", WORD["takes_all"])},
        "a",
        ["nodes.a.node", "must be a node or a Graph"],
    ),
    ("a choice in a map", {"a": MapNode("{t}", CHOICE)}, "a", ["nodes.a.node"]),
    ("a map over a graph that needs more", {"a": MapNode("{t}", INNER)}, "a", ["needs 'x'"]),
    ("a slip inside of a map", {"a": MapNode("{t}", step(x="{itm}"))}, "a", ["nodes.a.node.inputs.x"]),
    ("an input that the graph has not", {"a": GraphNode(INNER, {"x": "{t}", "z": "1"})}, "a", ["nodes.a.inputs.z"]),
    ("an input that the graph needs", {"a": GraphNode(INNER), "b": step(x="{t}")}, "a", ["the graph needs 'x'"]),
]


@pytest.mark.parametrize(("nodes", "output", "told"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_graph_is_refused(nodes: dict[str, Any], output: str, told: list[str]) -> None:
    with pytest.raises(ConfigurationError) as raised:
        Graph(nodes, inputs=["t"], output=output)
    for part in told:
        assert part in str(raised.value)


def test_all_errors_are_reported_together() -> None:
    nodes = {"a": step(x="{b.txt}"), "b": StepNode(takes_all, retries=-1, after=["q"])}
    with pytest.raises(ConfigurationError) as raised:
        Graph(nodes, inputs=["t"], output="z")
    places = [line.partition(":")[0] for line in str(raised.value).splitlines()]
    assert places == ["nodes.b.retries", "nodes.a.inputs.x", "nodes.b.after", "output"]


def test_two_nodes_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"nodes\.a: two nodes have this name"):
        Graph([("a", step()), ("a", step())], output="a")


def test_a_dead_end_is_allowed() -> None:
    assert Graph({"a": step(), "dead_end": step(x="{a}")}, output="a").output == "a"


@pytest.mark.parametrize("further", [{}, {"d": step(x="{c}")}, {"d": StepNode(takes_all, after=["c"])}])
def test_nodes_behind_a_fallback_may_run_only_when_something_fails(further: dict[str, Any]) -> None:
    nodes = {"a": StepNode(takes_all, fallback="b"), "b": step(), "c": step(x="{b}"), **further}
    assert list(Graph(nodes, inputs=[], output="a").nodes) == list(nodes)


def test_twenty_choices_in_a_row_are_checked_at_once() -> None:
    nodes: dict[str, Any] = {}
    before = "{t}"
    for number in range(20):
        nodes[f"c{number}"] = ChoiceNode([(Case(before, "==", 1), f"a{number}"), (None, f"b{number}")])
        nodes[f"a{number}"] = nodes[f"b{number}"] = step()
        nodes[f"j{number}"] = step(a=f"{{a{number}}}", b=f"{{b{number}}}")
        before = f"{{j{number}}}"
    assert Graph(nodes, inputs=["t"], output="j19").output == "j19"


def test_the_edges_between_nodes_can_be_read() -> None:
    graph = Graph(
        {"a": step(x="{t}"), "b": StepNode(takes_all, inputs={"x": "{a.lines}"}, after=["a"])}, inputs=["t"], output="b"
    )
    assert [(edge.source, edge.target, edge.kind, edge.field) for edge in graph.edges] == [
        ("t", "a", "graph_input", "{t}"),
        ("a", "b", "input", "{a.lines}"),
        ("a", "b", "after", ""),
    ]
    assert list(graph.nodes) == ["a", "b"]
