"""Hosts without asyncio's event loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import pytest

from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.loop.pipeline import Pipeline, reflect
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import CritiqueResult


def judge(*_: object) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


def step(work: Coroutine[Any, Any, object]) -> None:
    """Take the first step of a coroutine, as an event loop that is not asyncio's would."""
    try:
        work.send(None)
    finally:
        work.close()


@pytest.mark.parametrize(
    "work",
    [
        lambda: Pipeline(critiquer=judge).__aenter__(),
        lambda: Pipeline(critiquer=judge, memory=True).__aenter__(),
        lambda: Graph({"a": StepNode(lambda: "x")}, output="a").__aenter__(),
        lambda: ReflexionMemory().__aenter__(),
        lambda: ActorSystem().__aenter__(),
        lambda: reflect("hi", "text", critiquer=judge),
    ],
    ids=["pipeline", "pipeline with memory", "graph", "memory", "actor system", "reflect"],
)
def test_without_an_event_loop_of_asyncio_the_error_says_so(work: Any) -> None:
    with pytest.raises(ConfigurationError, match="no asyncio event loop"):
        step(work())
