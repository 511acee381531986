"""Under trio every way to start work says that asyncio is not running; a thread of trio is the way out."""

from __future__ import annotations

import gc
import threading
import warnings
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jido_ai.actors.actor import Actor
from jido_ai.actors.system import ActorSystem
from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.pipeline import Pipeline, reflect, reflect_sync
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, Episode, MemoryEntry, MemoryQuery

trio = pytest.importorskip("trio", reason="trio is not installed")


def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


def upper(text: str) -> str:
    return text.upper()


def pipeline(memory: Any = True) -> Pipeline:
    return Pipeline(lambda prompt, context: prompt, critique, memory=memory)


def graph() -> Graph:
    return Graph({"a": StepNode(upper, inputs={"text": "{x}"})}, inputs=["x"], output="a", memory=True)


async def entered(host: Any) -> None:
    async with host:
        raise AssertionError


def starts(folder: Path) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Return every way to begin with what has not been entered."""
    return {
        "pipeline": lambda: entered(pipeline()),
        "graph": lambda: entered(graph()),
        "memory": lambda: entered(ReflexionMemory()),
        "memory file": lambda: entered(ReflexionMemory(folder / "lessons.db")),
        "memory.open": lambda: ReflexionMemory().open(),
        "memory.close": lambda: ReflexionMemory().close(),
        "system": lambda: entered(ActorSystem()),
        "system.start": lambda: ActorSystem().start(),
        "run": lambda: pipeline().run("q"),
        "run_many": lambda: pipeline().run_many(["q"]),
        "graph.run_many": lambda: graph().run_many([{"x": "q"}]),
        "reflect": lambda: reflect("q", "a", critiquer=critique),
        "reflect with a memory": lambda: reflect("q", "a", critiquer=critique, memory=True),
    }


def elsewhere(host: Pipeline) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Return calls of a pipeline that runs in an event loop of another thread, and of its memory and system."""
    memory = host.memory
    assert memory is not None
    return {
        "run": lambda: host.run("q"),
        "run_many": lambda: host.run_many(["q"]),
        "start": lambda: host.start("q"),
        "stream": lambda: anext(host.stream("q")),
        "resume": lambda: host.resume("r"),
        "observe": lambda: host.observe(Episode(agent_id="a", prompt="p")),
        "critique": lambda: host.critique("q", "a"),
        "exit": lambda: host.__aexit__(None, None, None),
        "store": lambda: memory.store(MemoryEntry("q")),
        "store a long entry": lambda: memory.store(MemoryEntry("q" * 9_000)),
        "retrieve": lambda: memory.retrieve_similar("q"),
        "retrieve by a long text": lambda: memory.retrieve_similar("q w" * 90_000),
        "query": lambda: memory.query(MemoryQuery()),
        "append": lambda: memory.append([]),
        "close": lambda: memory.close(),
        "spawn": lambda: host._system.spawn(Actor[Any]),
        "system.stop": lambda: host._system.stop(),
    }


def refused_under_trio(calls: dict[str, Callable[[], Awaitable[Any]]]) -> None:
    async def main() -> None:
        for name, call in calls.items():
            with pytest.raises(ConfigurationError) as raised:
                await call()
            said = str(raised.value)
            assert "BlockingPipeline" in said or "not running" in said, name

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a coroutine that was never awaited
        trio.run(main)
        gc.collect()


def test_under_trio_nothing_starts_and_the_error_says_why(tmp_path: Path) -> None:
    threads = threading.active_count()
    refused_under_trio(starts(tmp_path))
    assert threading.active_count() == threads
    assert not list(tmp_path.iterdir())


def test_under_trio_the_calls_of_a_pipeline_in_another_thread_are_refused(tmp_path: Path) -> None:
    host = pipeline(ReflexionMemory(tmp_path / "lessons.db"))
    with BlockingPipeline(host) as blocking:
        blocking.run("q", "a")
        refused_under_trio(elsewhere(host))
        assert blocking.run("q", "a").accepted


def test_under_trio_reflect_sync_is_refused_as_under_asyncio() -> None:
    async def main() -> None:
        with pytest.raises(ConfigurationError, match="event loop of trio is running here"):
            reflect_sync("q", "a", critiquer=critique)

    trio.run(main)


def test_a_thread_of_trio_runs_reflect_sync_and_a_blocking_pipeline() -> None:
    async def main() -> None:
        result = await trio.to_thread.run_sync(partial(reflect_sync, "q", "a", critiquer=critique))
        assert result.accepted
        with BlockingPipeline(pipeline()) as blocking:
            assert (await trio.to_thread.run_sync(blocking.run, "q")).accepted

    trio.run(main)


def test_after_trio_reflect_sync_runs_again() -> None:
    trio.run(trio.sleep, 0)
    assert reflect_sync("q", "a", critiquer=critique).accepted
