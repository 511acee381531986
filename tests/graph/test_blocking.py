"""A graph for code without an event loop."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai import BlockingPipeline, ConfigurationError, Graph, GraphResult, StepNode


def upper(text: str) -> str:
    return text.upper()


def a_graph() -> Graph:
    return Graph({"a": StepNode(upper, inputs={"text": "{x}"})}, inputs=["x"], output="a")


def test_a_graph_can_be_run_streamed_and_started_without_an_event_loop() -> None:
    blocking: Any  # its types are those of a pipeline
    with BlockingPipeline(a_graph()) as blocking:
        result: Any = blocking.run({"x": "a"})
        assert type(result) is GraphResult
        assert result.output == "A"
        many: Any = blocking.run_many([{"x": "b"}, {"x": "c"}])
        assert [one.output for one in many] == ["B", "C"]
        assert [event.seq for event in blocking.stream({"x": "d"})] == [1, 2, 3, 4]
        handle: Any = blocking.start({"x": "e"})
        assert handle.result().output == "E"


def test_an_object_that_is_neither_a_pipeline_nor_a_graph_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="needs a Pipeline or a Graph"):
        BlockingPipeline(object())
