"""Loops of graphs whose answers have a type: `LoopNode(output=...)` and the key `output` of graph files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import ApprovalNode, LoopNode, MapNode, StepNode
from jido_ai.testing import ScriptedModel
from jido_ai.values import CritiqueResult, LoopConfig

SCHEMA = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


class Invoice(BaseModel):
    id: int


def graph_of(model: ScriptedModel, **loop: Any) -> Graph:
    nodes = {
        "extract": LoopNode("Extract from {text}", generator=model, **loop),
        "next": StepNode(lambda number: f"next is {number + 1}", inputs={"number": "{extract.json.id}"}),
    }
    return Graph(nodes, inputs=["text"], output="next")


@pytest.mark.parametrize("output", [Invoice, SCHEMA])
async def test_a_loop_of_a_graph_repairs_its_answer_until_it_is_of_the_type(output: Any) -> None:
    model = ScriptedModel(['{"id": "x"}', '{"id": 4}'])
    async with graph_of(model, output=output, reviser=model) as graph:
        result = await graph.run({"text": "a mail"})
    assert result.output == "next is 5"


async def test_a_loop_of_a_resumed_graph_still_has_the_object_that_it_answered() -> None:
    model = ScriptedModel(['{"id": 1}', '{"id": "x"}', '{"id": 3}'])
    first = LoopNode("Extract from {text}", generator=model, output=Invoice)
    failing = LoopNode("Extract", generator=model, output=Invoice, config=LoopConfig(max_iterations=1))
    inside = Graph(
        {"loop": LoopNode("Extract from {item}", generator=model, output=Invoice)}, output="loop", inputs=["item"]
    )
    nodes = {
        "first": first,
        "wrong": replace(failing, after=["first"]),
        "each": MapNode("[1]", inside, after=["wrong"]),
        "asked": ApprovalNode("{first} {wrong} {each.texts}"),
    }
    async with Graph(nodes, inputs=["text"], output="asked", memory=True) as graph:
        waits: Any = await graph.run({"text": "a mail"}, run_id="r")
        result: Any
        for result in (waits, await graph.resume("r", decision=True), await graph.resume("r")):
            each = result.nodes["each"].items[0].nodes["loop"]
            answers = [one.result.output for one in (result.nodes["first"], result.nodes["wrong"], each)]
            assert answers == [Invoice(id=1), None, Invoice(id=3)]


async def test_critics_of_a_loop_get_the_object() -> None:
    def judge(invoice: Invoice) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if invoice.id > 3 else 0.9)

    model = ScriptedModel(['{"id": 1}', '{"id": 4}'])
    async with graph_of(model, output=Invoice, critiquer=[judge], reviser=model) as graph:
        assert (await graph.run({"text": "a mail"})).output == "next is 5"


def test_a_loop_needs_a_critiquer_or_a_type() -> None:
    with pytest.raises(ConfigurationError, match="critiquer"):
        graph_of(ScriptedModel(["a"]))
    with pytest.raises(ConfigurationError, match=r"extract\.output"):
        graph_of(ScriptedModel(["a"]), output="Invoice")


FILE = """
[graph]
output = "extract"
inputs = ["text"]

[nodes.extract]
loop = "Extract from {text}"
output = %s
"""


def file_in(folder: Path, output: str) -> Path:
    path = folder / "graph.toml"
    path.write_text(FILE % output)
    return path


@pytest.mark.parametrize("form", ["inline", "file"])
async def test_a_graph_file_names_a_schema_inline_or_beside_it(form: str, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    inline = '{ type = "object", required = ["id"], properties = { id = { type = "integer" } } }'
    path = file_in(tmp_path, inline if form == "inline" else '"schema.json"')
    model = ScriptedModel(["{}", '{"id": 4}'])
    async with Graph.from_toml(path, model=model) as graph:
        loop = graph.nodes["extract"]
        assert isinstance(loop, LoopNode)
        assert loop.output == SCHEMA


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ('"missing.json"', "missing.json"),
        ('"../schema.json"', "schema.json"),
        ('"broken.json"', "is not JSON"),
        ('"list.json"', "must be an object"),
        ('"python:kinds.Invoice"', "--trust"),
        ('{ type = "nope" }', "JSON Schema"),
        ("3", "must be a string"),
    ],
)
def test_a_wrong_schema_is_refused_with_its_place(output: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(ConfigurationError, match=rf"(?s)extract.*output.*{message}"):
        Graph.from_toml(file_in(tmp_path, output), model=ScriptedModel(["{}"]))


def test_with_trust_a_graph_file_names_a_type_of_python(tmp_path: Path) -> None:
    (tmp_path / "kinds_of_answers.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass Kind:\n    id: int\n"
    )
    path = file_in(tmp_path, '"python:kinds_of_answers.Kind"')
    graph = Graph.from_toml(path, model=ScriptedModel(["{}"]), trust=True)
    loop = graph.nodes["extract"]
    assert isinstance(loop, LoopNode)
    assert loop.output.__name__ == "Kind"
