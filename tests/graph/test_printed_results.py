"""A result of a graph prints as a few lines, and as a table in a notebook; so does a tree of actors."""

from __future__ import annotations

from typing import Any

from jido_ai import CheckNode, CritiqueResult, Graph, StepNode
from jido_ai.actors import Actor, ActorSystem


async def test_the_result_of_a_graph_prints_each_node_the_output_and_how_it_ended() -> None:
    def judge(*_: object) -> CritiqueResult:
        return CritiqueResult(severity=0.25)

    nodes: dict[str, Any] = {
        "draft": StepNode(lambda: "a <b>text</b>\nof two lines"),
        "check": CheckNode("{draft}", critiquer=judge),
    }
    async with Graph(nodes, output="draft") as graph:
        result = await graph.run()
    assert str(result).splitlines() == [
        "draft: done",
        "check: done 0.75",
        "output: a <b>text</b> of two lines",
        "completed; 0 calls, 0 tokens in, 0 out, $0.0000",
    ]
    assert "<td>check</td><td>done</td><td>0.75</td>" in result._repr_html_()


async def test_a_notebook_shows_a_tree_of_actors_as_it_is_drawn() -> None:
    class Idle(Actor[Any]):
        async def on_receive(self, message: object) -> None:
            """Take it."""

    async with ActorSystem() as system:
        await system.spawn(Idle, name="a<b")
        html = system.tree()._repr_html_()
    assert html.startswith("<pre>actors")
    assert "a&lt;b" in html
