"""A bit of everything that a host must allow: runs, streams, handles, cancellations, graphs, lessons."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from jido_ai.actors.system import ActorSystem
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import MapNode, StepNode
from jido_ai.loop.pipeline import Pipeline, reflect
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, MemoryEntry, StopReason

__all__ = ["Waiting", "critique", "fast_pipeline", "open_databases", "work"]


def generate(prompt: str, context: RunContext) -> str:
    return prompt


def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


def upper(text: str) -> str:
    return text.upper()


def fast_pipeline(**options: Any) -> Pipeline:
    """Return a pipeline whose runs end at once; a component runs in a thread, as a blocking client of a model does."""
    return Pipeline(generate, critique, **options)


class Waiting:
    """Judges never; `begun` is set when it is asked, `ended` when its call ends."""

    def __init__(self) -> None:
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()
        raise AssertionError


def open_databases() -> list[str]:
    """Return the open files of memories in this process; none where descriptors cannot be listed."""
    return [str(one.readlink()) for one in Path("/proc/self/fd").glob("*") if ".db" in os.path.realpath(one)]


async def work(folder: Path) -> None:
    """Do a bit of everything; leave no task behind."""
    before = asyncio.all_tasks()
    memory = str(folder / "lessons.db")
    async with fast_pipeline(memory=memory) as pipeline:
        assert (await pipeline.run("one", run_id="one")).accepted
        assert [result.accepted for result in await pipeline.run_many(["a", "b", "c"])] == [True] * 3
        names = [type(event).__name__ async for event in pipeline.stream("streamed")]
        assert (names[0], names[-1]) == ("RunStarted", "RunStopped")
        assert (await pipeline.resume("one")).accepted
        assert (await (await pipeline.start("started")).result()).accepted
    waiting = Waiting()
    async with Pipeline(None, waiting.critique, memory=memory) as pipeline:
        handle = await pipeline.start("cancelled", "an answer")
        await waiting.begun.wait()
        await handle.cancel()
        assert (await handle.result()).stop_reason is StopReason.CANCELLED
    assert (await reflect("q", "a", critiquer=critique)).accepted
    nodes = {"each": MapNode("{x}", StepNode(upper, inputs={"text": "{item}"}))}
    async with Graph(nodes, inputs=["x"], output="each") as graph:
        result = await graph.run({"x": '["a", "b"]'})
        assert [item.output for item in result.nodes["each"].items] == ["A", "B"]
    async with ReflexionMemory(memory) as lessons:
        await lessons.store(MemoryEntry("a prompt", "a mistake", "a lesson"))
        assert len(await lessons.retrieve_similar("a prompt")) == 1
    async with ActorSystem() as system:
        assert system.tree().status == "running"
    await asyncio.sleep(0)
    assert asyncio.all_tasks() <= before
    assert open_databases() == []
