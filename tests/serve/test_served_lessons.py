"""Lessons of served runs: the user's words, the kind of the task, and no other run's lessons."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from jido_ai import (
    Candidate,
    CritiqueResult,
    Graph,
    GraphNode,
    LoopNode,
    MemoryEntry,
    Pipeline,
    ReflexionMemory,
    RunContext,
)
from tests.serve.conftest import Stub, client_of

TOPICS = ("bees", "kites", "rain")
TEMPLATES = {"explain": "Explain {topic} to a child", "facts": "List three facts on {topic}"}


class Pupil:
    """Writes a poor text, then a good one, and learns the same about its topic each time.

    Attributes:
        together: runs that wait for each other before their first text.
        offered: prompts of the lessons that the runs of a topic had.
    """

    def __init__(self, together: int = 1) -> None:
        self.barrier = asyncio.Barrier(together)
        self.offered: dict[str, list[str]] = {}

    async def generate(self, _prompt: str, context: RunContext) -> str:
        await self.barrier.wait()
        self.offered[topic_of(context)] = [lesson.prompt for lesson in context.lessons]
        return "poor"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        is_good = candidate.content == "good"
        found = [] if is_good else [f"the text never says how big {topic_of(context)} can be"]
        return CritiqueResult(severity=0.0 if is_good else 0.9, issues=found)

    async def revise(self, *_: object) -> str:
        return "good"


def topic_of(context: RunContext) -> str:
    return topic_in(context.prompt)


def topic_in(text: str) -> str:
    return next(topic for topic in TOPICS if topic in text)


def graph_of(node: str, pupil: Pupil, **options: Any) -> Graph:
    loop = LoopNode(TEMPLATES[node], generator=pupil, critiquer=pupil, reviser=pupil)
    return Graph({node: loop}, inputs=["topic"], output=node, **options)


async def ask(client: httpx.AsyncClient, model: str, *messages: str, **more: Any) -> None:
    said = [{"role": "system" if one.startswith("You") else "user", "content": one} for one in messages]
    answer = await client.post("/v1/chat/completions", json={"model": model, "messages": said, **more})
    assert answer.status_code == 200, answer.text


async def kept_in(memory: ReflexionMemory) -> set[tuple[str, str | None]]:
    return {(one.prompt, one.task_type) for one in await memory.list_entries(None)}


@pytest.mark.parametrize(
    ("before", "more", "task_type"),
    [
        ((), {}, "answer"),
        (("You are brief.",), {}, "answer"),
        (("You are brief.", "Hello"), {"stream": True}, "answer"),
        ((), {"metadata": {"task_type": "nature"}}, "nature"),
    ],
)
async def test_the_door_stores_the_last_message_and_the_model_as_the_kind_of_task(
    stub: Stub, before: tuple[str, ...], more: dict[str, Any], task_type: str
) -> None:
    async with ReflexionMemory() as memory, client_of(stub, memory=memory) as client:
        await ask(client, "answer", *before, "What is a tree?", **more)
        assert await kept_in(memory) == {("What is a tree?", task_type)}


@pytest.mark.parametrize("node", TEMPLATES)
async def test_a_loop_in_a_graph_stores_its_template_filled_in_plainly_and_its_name(node: str) -> None:
    topic = "bees\n<note>\nsmall ones\n</note>"  # a block of the user's own stays
    async with ReflexionMemory() as memory, graph_of(node, Pupil(), memory=memory) as graph:
        await graph.run({"topic": topic})
        assert await kept_in(memory) == {(TEMPLATES[node].format(topic=topic), node)}


async def test_runs_at_the_same_time_keep_their_own_lessons_and_are_offered_no_others(stub: Stub) -> None:
    pupil = Pupil(together=3)
    things = {node: graph_of(node, pupil) for node in TEMPLATES}
    things |= {"talk": Pipeline(pupil, pupil, pupil)}
    wanted = {
        (TEMPLATES["explain"].format(topic="bees"), "explain"),
        (TEMPLATES["facts"].format(topic="kites"), "facts"),
        ("Why does rain fall?", "talk"),
    }
    async with ReflexionMemory() as memory, client_of(stub, memory=memory, things=things) as client:
        for _ in range(2):
            async with asyncio.TaskGroup() as runs:
                runs.create_task(ask(client, "explain", "bees"))
                runs.create_task(ask(client, "facts", "kites"))
                runs.create_task(ask(client, "talk", "You are brief.", "Why does rain fall?"))
        assert await kept_in(memory) == wanted
        lessons = [entry for entry in await memory.list_entries(None) if not entry.is_example]
        assert [lesson.frequency for lesson in lessons] == [2, 2, 2]
    own = {topic_in(prompt): [prompt] for prompt, _ in wanted}
    assert pupil.offered == own


async def test_the_sums_of_the_memory_are_those_of_its_lessons() -> None:
    pupil = Pupil()
    pipeline = Pipeline(pupil, pupil, pupil, learn_from="nothing")
    async with ReflexionMemory() as memory:
        await memory.store(MemoryEntry("Explain bees to a child", "", "say how big bees can be"))
        async with client_of(Stub(), things={"default": pipeline}, memory=memory) as client:
            for _ in range(2):
                await ask(client, "default", "Explain bees to a child")
            stats = (await client.get("/v1/memory/stats")).json()
            entries = (await client.get("/v1/memory/entries")).json()
    counts = entries["counts"].values()
    assert stats["uses"] == sum(one["shown"] for one in counts) > 0
    assert stats["successes"] == sum(one["shown_succeeded"] for one in counts) > 0


@pytest.mark.parametrize("kind", ["pipeline", "graph", "graph in a graph"])
async def test_a_thumb_up_keeps_the_answer_as_an_example_and_a_thumb_down_forgets_it(kind: str) -> None:
    def opinion(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0, source="model:m")

    loop = LoopNode("Name {fruit}", generator=lambda *_: "apple", critiquer=opinion)
    thing: Any = Graph({"name": loop}, inputs=["fruit"], output="name")
    if kind == "pipeline":
        thing = Pipeline(lambda *_: "apple", opinion)
    elif kind == "graph in a graph":
        thing = Graph({"in": GraphNode(thing, inputs={"fruit": "{fruit}"})}, inputs=["fruit"], output="in")
    body = {"pipeline": "it", "prompt": "Name a"} if kind == "pipeline" else {"graph": "it", "inputs": {"fruit": "a"}}
    async with ReflexionMemory() as memory, client_of(Stub(), things={"it": thing}, memory=memory) as client:
        run = (await client.post("/v1/runs?wait=30", json=body)).json()
        assert run["status"] == "completed", run
        kept: list[list[str]] = []
        for thumb in (None, "up", "down"):
            if thumb is not None:
                await client.post(f"/v1/runs/{run['run_id']}/notes", json={"thumb": thumb})
            kept.append([one.answer for one in await memory.list_entries(None) if one.is_example])
    assert kept == [[], ["apple"], []]


async def test_a_thumb_up_keeps_nothing_where_the_pipeline_learns_from_nothing() -> None:
    pipeline = Pipeline(lambda *_: "apple", lambda *_: CritiqueResult(severity=0.0), learn_from="nothing")
    async with ReflexionMemory() as memory, client_of(Stub(), things={"it": pipeline}, memory=memory) as client:
        run = (await client.post("/v1/runs?wait=30", json={"pipeline": "it", "prompt": "Name a"})).json()
        await client.post(f"/v1/runs/{run['run_id']}/notes", json={"thumb": "up"})
        assert await memory.count() == 0
