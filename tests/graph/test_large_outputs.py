"""Outputs that no line of the journal can hold fail their node before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from jido_ai import (
    ApprovalNode,
    Candidate,
    CheckNode,
    ConfigurationError,
    CritiqueResult,
    Graph,
    MapNode,
    ReflexionMemory,
    RunContext,
    StepNode,
)
from jido_ai.memory import intake

LIMIT = 20_000


@pytest.fixture(autouse=True)
def small_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST_LINE_BYTES", LIMIT)


def memory() -> ReflexionMemory:
    return ReflexionMemory(max_text_bytes=LIMIT)


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.5, metadata={"all": "x" * 2 * LIMIT})


@pytest.mark.parametrize("kind", ["text", "value", "check"])
async def test_a_large_output_fails_its_node_with_a_sentence_and_is_not_made_again(kind: str) -> None:
    made: list[str] = []

    def large(x: str) -> Any:
        made.append(x)
        return "x" * 2 * LIMIT if kind == "text" else ["x"] * LIMIT

    big = CheckNode("{t}", critiquer=judge) if kind == "check" else StepNode(large, inputs={"x": "{t}"})
    nodes = {
        "big": big,
        "ask": ApprovalNode("{t}?"),
        "end": StepNode(lambda x, y: x, inputs={"x": "{ask}", "y": "{big}"}),
    }
    async with memory() as kept, Graph(nodes, inputs=["t"], output="end", memory=kept) as graph:
        first = await graph.run({"t": "go"}, run_id="r")
        assert (first.status, first.nodes["ask"].status) == ("suspended", "waiting")
        second = await graph.resume("r", decision=True)
    error = second.nodes["big"].error
    assert error is not None
    assert (second.status, error.kind, error.component) == ("failed", "ComponentError", "big")
    assert error.message.startswith("the output has ")
    assert made == ([] if kind == "check" else ["go"])


async def test_a_large_item_of_a_map_may_be_skipped() -> None:
    each = StepNode(lambda x: "x" * (2 * LIMIT if x == "2" else 10), inputs={"x": "{item}"})
    nodes = {"all": MapNode("{t}", each, on_error="skip")}
    async with memory() as kept, Graph(nodes, inputs=["t"], output="all", memory=kept) as graph:
        result = await graph.run({"t": ["1", "2", "3"]}, run_id="r")
        assert (result.status, result.output) == ("partial", ["x" * 10] * 2)
        assert (await graph.resume("r")).output == result.output


async def test_a_run_whose_own_lines_are_too_large_ends_with_a_sentence() -> None:
    nodes = {"end": StepNode(lambda x: "done", inputs={"x": "{t}"})}
    async with memory() as kept, Graph(nodes, inputs=["t"], output="end", memory=kept) as graph:
        result = await graph.run({"t": ["x" * LIMIT]}, run_id="r")
        assert result.error is not None
        assert (result.status, result.error.kind) == ("failed", "ConfigurationError")


@pytest.mark.slow
@pytest.mark.parametrize("size", [20, 70])
async def test_a_step_may_return_megabytes_up_to_the_limit(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    nodes = {"end": StepNode(lambda x: "x" * (size << 20), inputs={"x": "{t}"})}
    async with Graph(nodes, inputs=["t"], output="end", memory=tmp_path / "m.db") as graph:
        assert (await graph.run({"t": "go"})).status == ("completed" if size == 20 else "failed")
        with pytest.raises(ConfigurationError, match="the inputs have 73,400,329 bytes"):
            await graph.run({"t": "x" * (70 << 20)})


async def test_a_graph_without_a_journal_cannot_wait_for_a_person() -> None:
    nodes = {
        "ask": ApprovalNode("{t}"),
        "late": ApprovalNode("{t}", approve=lambda *_: None, timeout_s=0.01),
        "end": StepNode(lambda x: x, inputs={"x": "{ask}"}),
    }
    async with Graph(nodes, inputs=["t"], output="end") as graph:
        result = await graph.run({"t": "x"})
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.kind == "ConfigurationError"
    assert "give the graph a memory" in result.error.message


async def test_a_fallback_of_one_word_may_look_like_the_name_of_a_node() -> None:
    def broken(x: str) -> str:
        raise ValueError(x)

    nodes = {
        "one": StepNode(broken, inputs={"x": "{t}"}, fallback="none"),
        "two": StepNode(lambda x: x, inputs={"x": "{one}"}),
    }
    async with Graph(nodes, inputs=["t"], output="two") as graph:
        assert (await graph.run({"t": "x"})).output == "none"
