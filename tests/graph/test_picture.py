"""Pictures of graphs: everything is in them, nothing overlaps, and no text breaks out."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jido_ai import ApprovalNode, ChoiceNode, Graph, StepNode
from jido_ai.errors import ConfigurationError
from jido_ai.graph import Case
from jido_ai.graph.picture import _WIDTH, _box
from jido_ai.graph.picture_layout import NodeBox, layout_of

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "graphs"
SVG = "{http://www.w3.org/2000/svg}"


def example(name: str) -> Graph:
    return Graph.from_toml(EXAMPLES / f"{name}.toml")


@pytest.mark.parametrize("name", ["talk", "translation", "approval", "code_change"])
def test_a_picture_has_every_node_every_input_and_every_arrow(name: str) -> None:
    graph = example(name)
    root = ElementTree.fromstring(graph.draw("svg"))
    shown = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "name"]
    assert sorted(map(str, shown)) == sorted((*graph.inputs, *graph.nodes))
    arrows = [element for element in root.iter(f"{SVG}path") if "arrow" in element.get("class", "")]
    joined = {(edge.source, edge.target, edge.kind.removeprefix("graph_")) for edge in graph.edges}
    assert len(arrows) == len(joined)
    text, mermaid = graph.draw("text"), graph.draw("mermaid")
    for node in graph.nodes:
        assert node in text
        assert node in mermaid
    assert len(re.findall(r" (-->|==>|-\.->)", mermaid)) == len(joined)


@pytest.mark.parametrize("kind", ["loop", "step", "check", "approval", "graph"])
@pytest.mark.parametrize("state", ["done 0.90", "not reached", "12 of 15 done"])
def test_the_kind_and_the_state_of_a_map_fit_beside_each_other_in_its_box(kind: str, state: str) -> None:
    box = ElementTree.fromstring(_box(NodeBox("a", 0, 0.0), f"map of {kind}s", "map", state))
    (shown,) = (element.text for element in box.iter("text") if element.get("class") == "kind")
    assert shown == f"{kind}s"
    widths = 5.9 * len(shown) + 6.4 * len(state.removesuffix(" done"))  # of a mean letter at 11.5 px, plain and bold
    assert 16 + widths + 6 + 14 <= _WIDTH


@pytest.mark.parametrize("name", ["talk", "translation", "approval", "code_change"])
def test_no_two_boxes_of_a_picture_overlap_and_arrows_point_to_the_right(name: str) -> None:
    layout = layout_of(example(name).plan)
    for one, other in combinations(layout.places.values(), 2):
        assert one.layer != other.layer or abs(one.row - other.row) >= 1.0
    for _, way in layout.ways:
        assert [place.layer for place in way] == list(range(way[0].layer, way[-1].layer + 1))


async def test_a_picture_of_a_run_is_coloured_by_the_outcome_of_its_nodes() -> None:
    def fail() -> str:
        raise ValueError("no")

    nodes: dict[str, Any] = {
        "good": StepNode(lambda: "a"),
        "bad": StepNode(fail),
        "after": StepNode(lambda x: x, inputs={"x": "{bad}"}),
        "pick": ChoiceNode([(Case("{good}", "==", "b"), "never"), (None, "ask")]),
        "never": StepNode(lambda: "c", after=["good"]),
        "ask": ApprovalNode("{good}"),
    }
    graph = Graph(nodes, output="good", memory=True)
    async with graph:
        result = await graph.run()
    root = ElementTree.fromstring(graph.draw("svg", result))
    classes = {
        element.find(f"{SVG}text").text: element.get("class")  # type: ignore[union-attr]
        for element in root.iter(f"{SVG}g")
    }
    states = {"good": "done", "bad": "failed", "after": "not_reached", "never": "skipped", "ask": "waiting"}
    for name, state in states.items():
        assert state in str(classes[name]).split()
        assert f":::{state}" in next(line for line in graph.draw("mermaid", result).splitlines() if f'"{name}<' in line)
    assert "output" in str(classes["good"]).split()
    assert "✗ bad" in graph.draw("text", result)


def test_foreign_text_stays_text_in_a_picture() -> None:
    odd = '{a}"><script>alert(1)</script>'
    graph = Graph({"x": ChoiceNode([(Case("{a}", "==", odd), "y"), (None, "z")]), "y": ApprovalNode("{a}"),
                   "z": ApprovalNode("{a}")}, inputs=["a"], output="x")  # fmt: skip
    svg = graph.draw("svg")
    assert "<script>" not in svg
    ElementTree.fromstring(svg)
    assert "<script>" not in graph.draw("mermaid")


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="the form of a picture is text, mermaid, svg; got 'png'"):
        example("talk").draw("png")  # type: ignore[arg-type]
