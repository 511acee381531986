"""Whatever actor of a graph is killed, at whatever message: the run ends the same."""

from __future__ import annotations

from typing import Any

import pytest

from jido_ai import (
    Candidate,
    CheckNode,
    ChoiceNode,
    CritiqueResult,
    Graph,
    GraphConfig,
    GraphResult,
    LoopNode,
    MapNode,
    RunContext,
    StepNode,
)
from jido_ai.actors import ActorSystem
from jido_ai.graph import Case
from jido_ai.graph.events import GraphStopped
from jido_ai.graph.work import GraphRun, GraphWork

pytestmark = pytest.mark.virtual_clock


async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0 if "revised" in candidate.content else 0.9)


async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return f"revised {candidate.content}"


async def generate(prompt: str, context: RunContext) -> str:
    return "draft"


async def join(**values: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


async def fail() -> str:
    raise ValueError("always")


def graph(system: ActorSystem) -> Graph:
    nodes = {
        "loop": LoopNode("Write on {topic}", generator=generate, critiquer=critique, reviser=revise),
        "check": CheckNode("{loop}", critiquer=critique),
        "choice": ChoiceNode([(Case("{check.score}", ">=", 0.5), "good"), (None, "bad")]),
        "good": StepNode(join, inputs={"text": "{loop}"}),
        "bad": StepNode(join, inputs={"text": "{loop}"}),
        "map": MapNode("{items}", StepNode(join, inputs={"item": "{item}", "index": "{index}"}), max_concurrency=2),
        "broken": StepNode(fail, retries=1, fallback="mended"),
        "mended": StepNode(join, inputs={"x": "{topic}"}),
        "end": StepNode(join, inputs={name: f"{{{name}}}" for name in ("good", "bad", "map", "broken")}),
    }
    return Graph(nodes, inputs=["topic", "items"], output="end", name="g", system=system)


INPUTS = {"topic": "kills", "items": ["a", "b", "c"]}


def told(result: GraphResult) -> object:
    return (
        result.status,
        result.output,
        {name: (node.status, node.output, node.score, node.attempts) for name, node in result.nodes.items()},
    )


async def undisturbed() -> object:
    async with ActorSystem() as system, graph(system) as one:
        return told(await one.run(INPUTS))


ACTORS = [
    "g.check",
    "g.choice",
    "g.good",
    "g.map",
    "g.map.each",
    "g.broken",
    "g.mended",
    "g.end",
    "g.loop",
    "g.loop.critiquer",
    "g.loop.reviser",
    "g.runs",
]


@pytest.mark.parametrize("name", ACTORS)
async def test_the_result_is_the_same_if_any_actor_is_killed_at_any_event(name: str) -> None:
    expected = await undisturbed()
    killed_at = 0
    while True:
        async with ActorSystem() as system, graph(system) as one:
            events = 0
            result = None
            async for event in one.stream(INPUTS):
                if events == killed_at:
                    ref = system.whereis(name)
                    if ref is not None:
                        ref.kill()
                events += 1
                result = getattr(event, "result", None)
        assert isinstance(result, GraphResult)
        assert told(result) == expected, f"killed at event {killed_at}"
        if killed_at >= events:
            return
        killed_at += 1


async def test_the_result_is_the_same_if_the_actor_of_a_run_is_killed_at_any_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = await undisturbed()
    advance = GraphWork.advance
    receive = GraphRun.on_receive
    killed_at = steps = 0

    async def kill_before(self: GraphRun, message: Any) -> None:
        nonlocal steps
        steps += 1
        if steps == killed_at:
            self.ref.kill()
            return
        await receive(self, message)

    def kill_after(self: GraphWork, count: int) -> None:
        nonlocal steps
        advance(self, count)
        steps += 1
        if steps == killed_at:
            assert self.ref is not None
            self.ref.kill()

    monkeypatch.setattr(GraphRun, "on_receive", kill_before)
    monkeypatch.setattr(GraphWork, "advance", kill_after)
    while True:
        steps = 0
        killed_at += 1
        async with ActorSystem() as system, graph(system) as one:
            assert told(await one.run(INPUTS)) == expected, f"killed at step {killed_at}"
        if steps < killed_at:
            return


async def test_a_step_running_when_its_actor_was_killed_is_called_again() -> None:
    calls = 0

    async def step() -> str:
        nonlocal calls
        calls += 1
        if calls == 1:
            ref = system.whereis("k.a")
            assert ref is not None
            ref.kill()
        return f"call {calls}"

    async with ActorSystem() as system, Graph({"a": StepNode(step)}, output="a", name="k", system=system) as one:
        result = await one.run()
    assert (result.output, result.nodes["a"].attempts) == ("call 2", 1)


async def test_a_temporary_node_is_not_restarted_and_its_calls_fail() -> None:
    async def step() -> str:
        ref = system.whereis("k.a")
        assert ref is not None
        ref.kill()
        return ""

    node = StepNode(step, restart="temporary")
    async with ActorSystem() as system, Graph({"a": node}, output="a", name="k", system=system) as one:
        results = [await one.run(), await one.run()]
    for result in results:
        assert result.nodes["a"].error is not None
        assert result.nodes["a"].error.kind == "ActorDeadError"


@pytest.mark.parametrize("strategy", ["one_for_all", "rest_for_one"])
async def test_the_strategy_of_the_group_decides_which_nodes_restart_and_the_run_ends_the_same(strategy: Any) -> None:
    async def last(text: str) -> str:
        if not killed:
            killed.append(True)
            ref = system.whereis("k.a")
            assert ref is not None
            ref.kill()
        return text

    killed: list[bool] = []
    nodes = {"a": StepNode(lambda: "a"), "b": StepNode(last, inputs={"text": "{a}"})}
    config = GraphConfig(strategy=strategy)
    async with ActorSystem() as system, Graph(nodes, output="b", name="k", system=system, config=config) as one:
        assert (await one.run()).output == "a"
        assert (await one.run()).output == "a"


async def test_a_node_with_a_restart_intensity_of_its_own_is_restarted_by_its_own_supervisor() -> None:
    calls = 0

    async def step() -> str:
        nonlocal calls
        calls += 1
        if calls <= 3:
            ref = system.whereis("k.a")
            assert ref is not None
            ref.kill()
        return f"call {calls}"

    node = StepNode(step, max_restarts=1, max_seconds=60.0)
    async with ActorSystem() as system, Graph({"a": node}, output="a", name="k", system=system) as one:
        assert "k.a.supervisor" in [at.name for at in one.tree().walk()]
        assert (await one.run()).output == "call 4"


async def test_a_stream_of_a_graph_that_gave_up_ends_with_the_failed_result() -> None:
    config = GraphConfig(max_restarts=0)
    nodes = {"a": StepNode(lambda: "a")}
    async with ActorSystem() as system, Graph(nodes, output="a", name="k", system=system, config=config) as one:
        node, top = system.whereis("k.a"), system.whereis("k")
        assert node is not None
        assert top is not None
        node.kill()
        await system.wait_down(top)
        events = [event async for event in one.stream()]
    assert isinstance(events[-1], GraphStopped)
    assert events[-1].result.status == "failed"
