"""Runs that travel: a finished node is not done again, a loop goes on inside, approvals wait for decisions."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from jido_ai import (
    SUSPEND,
    ApprovalNode,
    Candidate,
    CheckNode,
    ChoiceNode,
    ConfigurationError,
    CritiqueResult,
    Graph,
    GraphNode,
    GraphResult,
    LoopConfig,
    LoopNode,
    MapNode,
    NotFoundError,
    Pipeline,
    ReflexionMemory,
    RunClaimedError,
    RunContext,
    Scope,
    StepNode,
)
from jido_ai.graph import Case
from jido_ai.runs.leases import let_go, new_claim


def suspend(*arguments: Any) -> Any:
    return SUSPEND


def joined(one: Any, two: Any) -> str:
    return f"{one} {two}"


def upper(text: str, context: RunContext) -> str:
    return text.upper()


def a_draft(prompt: str, context: RunContext) -> str:
    return "draft"


def a_revision(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
    return "revised"


def take(a: Any) -> Any:
    return a


class World:
    """What the nodes call, with every call noted; at the call of that number the run is given up."""

    def __init__(self, stop_at: int = -1) -> None:
        self.calls: list[str] = []
        self.stop_at = stop_at
        self.graph: Graph | None = None

    async def call(self, name: str) -> None:
        if len(self.calls) == self.stop_at:
            self.stop_at = -1
            assert self.graph is not None
            await asyncio.sleep(3600)  # until the run is abandoned
        self.calls.append(name)


def graph(world: World, memory: Any, **options: Any) -> Graph:
    async def step(name: str, **values: Any) -> str:
        await world.call(name)
        return f"{name}({','.join(map(str, values.values()))})"

    async def fails() -> str:
        await world.call("fails")
        raise ValueError("always")

    async def generate(prompt: str, context: RunContext) -> str:
        await world.call("generate")
        return "draft"

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        await world.call(f"critique {candidate.content}")
        good = "revised revised" in candidate.content
        return CritiqueResult(severity=0.0 if good else 0.9, issues=() if good else [f"not {candidate.content}"])

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        await world.call(f"revise {candidate.content}")
        return f"revised {candidate.content}"

    inner = Graph({"in": StepNode(step, inputs={"name": "in", "a": "{item}"})}, inputs=["item"], output="in")
    nodes = {
        "first": StepNode(step, inputs={"name": "first", "a": "{topic}"}),
        "loop": LoopNode(
            "Write {first}",
            generator=generate,
            critiquer=critique,
            reviser=revise,
            config=LoopConfig(max_iterations=4, score_threshold=0.01, change_threshold=0.0, patience=4),
        ),
        "check": CheckNode("{loop}", critiquer=critique),
        "choice": ChoiceNode([(Case("{check.score}", ">", 0.5), "good"), (None, "bad")]),
        "good": StepNode(step, inputs={"name": "good", "a": "{loop.score}"}),
        "bad": StepNode(step, inputs={"name": "bad", "a": "{loop}"}),
        "map": MapNode("{items}", StepNode(step, inputs={"name": "map", "i": "{index}"}), max_concurrency=1),
        "sub": MapNode("{items}", inner, max_concurrency=1),
        "fails": StepNode(fails, fallback="instead"),
        "instead": StepNode(step, inputs={"name": "instead"}),
        "end": StepNode(
            step, inputs={"name": "end"} | {name: f"{{{name}}}" for name in ("good", "bad", "map", "sub", "fails")}
        ),
    }
    made = Graph(nodes, inputs=["topic", "items"], output="end", memory=memory, **options)
    world.graph = made
    return made


INPUTS = {"topic": "t", "items": ["x", "y"]}


def told(result: GraphResult) -> object:
    return (
        result.status,
        result.output,
        {name: (node.status, node.output, node.score, node.stop_reason) for name, node in result.nodes.items()},
    )


LOOP = ("first", "generate", "critique", "revise", "good", "bad")
BRANCHES = (LOOP, ("map",), ("in",), ("fails", "instead"), ("end",))


def last_of_each_branch(calls: list[str]) -> Counter[str]:
    """The calls that may have been in flight, or not yet in the journal, when the run was given up."""
    return Counter(
        ours[-1] for branch in BRANCHES if (ours := [call for call in calls if call.split(" ")[0] in branch])
    )


async def test_a_run_abandoned_at_any_call_ends_the_same_and_repeats_no_finished_call(tmp_path: Path) -> None:
    world = World()
    async with graph(world, tmp_path / "whole.db") as whole:
        expected = told(await whole.run(INPUTS, run_id="r"))
        over = told(await whole.resume("r"))
    assert over == expected
    assert world.calls.count("generate") == 1
    for stop_at in range(len(world.calls)):
        memory = tmp_path / f"{stop_at}.db"
        half = World(stop_at)
        async with graph(half, memory) as first:
            run = asyncio.create_task(first.run(INPUTS, run_id="r"))
            while len(half.calls) < stop_at or half.stop_at >= 0:
                await asyncio.sleep(0.001)
            while first.runs_in_flight() and len(half.calls) < len(world.calls) - 1:  # let the others end
                before = len(half.calls)
                await asyncio.sleep(0.02)
                if len(half.calls) == before:
                    break
            run.cancel()
            await asyncio.wait({run})
        rest = World()
        async with graph(rest, memory) as second:
            assert told(await second.run_or_resume(INPUTS, run_id="r")) == expected, f"given up at call {stop_at}"
            again = told(await second.run_or_resume(INPUTS, run_id="r"))
        assert again == expected
        made = Counter(half.calls + rest.calls)
        assert not Counter(world.calls) - made, f"given up at call {stop_at}"
        assert not made - Counter(world.calls) - last_of_each_branch(half.calls), f"given up at call {stop_at}"


# -- approvals ---------------------------------------------------------------------------------------


def approvals(memory: Any) -> Graph:
    nodes = {
        "one": ApprovalNode("{t}!"),
        "two": MapNode("{items}", ApprovalNode("{item}", approve=suspend)),
        "end": StepNode(joined, inputs={"one": "{one}", "two": "{two}"}),
    }
    return Graph(nodes, inputs=["t", "items"], output="end", memory=memory)


async def test_a_suspended_run_continues_with_the_decisions_and_keeps_them(tmp_path: Path) -> None:
    async with approvals(tmp_path / "m.db") as first:
        result = await first.run({"t": "t", "items": ["a"]}, run_id="r")
        assert (result.status, result.nodes["one"].status, result.nodes["two"].items[0].status) == (
            "suspended",
            "waiting",
            "waiting",
        )
    async with approvals(tmp_path / "m.db") as second:
        with pytest.raises(ConfigurationError, match="several nodes wait"):
            await second.resume("r", decision=True)
        with pytest.raises(ConfigurationError, match="did you mean 'one'"):
            await second.resume("r", decision={"on": True})
        result = await second.resume("r", decision={"one": True})
        assert (result.status, result.nodes["one"].output) == ("suspended", "t!")
    async with approvals(tmp_path / "m.db") as third:
        result = await third.resume("r", decision="mine")
        assert (result.status, result.output) == ("completed", "t! ['mine']")
        with pytest.raises(ConfigurationError, match="waits for no decision"):
            await third.resume("r", decision=True)
        assert (await third.resume("r")).output == "t! ['mine']"


async def test_a_refused_approval_fails_its_branch(tmp_path: Path) -> None:
    async with Graph({"a": ApprovalNode("{t}")}, inputs=["t"], output="a", memory=tmp_path / "m.db") as one:
        await one.run({"t": "x"}, run_id="r")
        result = await one.resume("r", decision=False)
    assert result.status == "failed"
    assert result.error is not None
    assert result.error.kind == "refused"


async def test_approve_given_for_a_run_answers_every_approval() -> None:
    async with Graph({"a": ApprovalNode("{t}")}, inputs=["t"], output="a") as one:
        result = await one.run({"t": "x"}, approve=upper)
    assert result.output == "X"


async def test_a_loop_that_waits_for_a_person_suspends_the_graph_and_gets_the_decision(tmp_path: Path) -> None:
    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0 if candidate.content == "revised" else 0.9)

    def make() -> Graph:
        loop = LoopNode(
            "x {t}",
            generator=a_draft,
            critiquer=critique,
            reviser=a_revision,
            approve=suspend,
        )
        return Graph({"l": loop}, inputs=["t"], output="l", memory=tmp_path / "m.db")

    async with make() as first:
        assert (await first.run({"t": "x"}, run_id="r")).status == "suspended"
    async with make() as second:
        result = await second.resume("r", decision=True)
    assert (result.status, result.output) == ("completed", "revised")


# -- what cannot be resumed --------------------------------------------------------------------------


async def test_a_run_that_cannot_be_resumed_says_why(tmp_path: Path) -> None:
    async with Graph({"a": StepNode(lambda: "a")}, output="a") as none:
        with pytest.raises(ConfigurationError, match="no journal"):
            await none.resume("r")
    async with graph(World(), tmp_path / "m.db") as one:
        with pytest.raises(NotFoundError):
            await one.resume("r")
        await one.run(INPUTS, run_id="r")
        with pytest.raises(ConfigurationError, match="pipeline"):
            await one.resume("r/loop")
        with pytest.raises(ConfigurationError, match="other inputs"):
            await one.run_or_resume({**INPUTS, "topic": "u"}, run_id="r")


async def test_the_newer_run_counts_if_a_pipeline_and_a_graph_share_an_id() -> None:
    async with ReflexionMemory() as memory:
        pipeline = Pipeline(a_draft, lambda candidate: CritiqueResult(severity=0.0), memory=memory)
        step = Graph({"n": StepNode(take, inputs={"a": "{x}"})}, inputs=["x"], output="n", memory=memory)
        async with pipeline, step:
            await pipeline.run("a prompt", run_id="same")
            assert (await step.run({"x": "1"}, run_id="same")).output == "1"
            with pytest.raises(ConfigurationError, match="is the run of a graph"):
                await pipeline.resume("same")
            assert (await pipeline.run("a prompt", run_id="same")).accepted
            with pytest.raises(ConfigurationError, match="is the run of a pipeline"):
                await step.resume("same")
            assert (await pipeline.resume("same")).accepted


async def test_a_failed_run_tries_its_failed_nodes_again(tmp_path: Path) -> None:
    calls: list[str] = []

    def step(name: str) -> str:
        calls.append(name)
        if name == "b" and calls.count("b") == 1:
            raise OSError("once")
        return name

    nodes = {"a": StepNode(step, inputs={"name": "a"}), "b": StepNode(step, inputs={"name": "b"}, after=["a"])}
    async with Graph(nodes, output="b", memory=tmp_path / "m.db") as one:
        assert (await one.run({}, run_id="r")).status == "failed"
        assert (await one.resume("r")).output == "b"
    assert calls == ["a", "b", "b"]


async def test_a_run_in_flight_is_claimed(tmp_path: Path) -> None:
    going = asyncio.Event()
    async with ReflexionMemory(str(tmp_path / "m.db")) as memory:
        nodes = {"a": StepNode(going.wait)}
        async with Graph(nodes, output="a", memory=memory) as one, Graph(nodes, output="a", memory=memory) as other:
            handle = await one.start({}, run_id="r")
            for again in (one.run({}, run_id="r"), other.run({}, run_id="r"), other.resume("r")):
                with pytest.raises((RunClaimedError, NotFoundError)):
                    await again
            going.set()
            assert (await handle.result()).status == "completed"


# -- handles -----------------------------------------------------------------------------------------


async def test_a_handle_gives_all_events_to_every_listener_at_any_time() -> None:
    going = asyncio.Event()
    nodes = {"a": StepNode(going.wait), "b": StepNode(take, inputs={"a": "{a}"})}
    async with Graph(nodes, output="b") as one:
        handle = await one.start({}, run_id="r")
        assert one.handle("r") is handle
        assert one.runs_in_flight() == (handle,)
        going.set()
        result = await handle.result()
        events = [event async for event in handle.events()]
        later = [event async for event in one.handle("r").events(after=2)]
        assert [event.seq for event in events] == [1, 2, 3, 4, 5, 6]
        assert later == events[2:]
        assert events[-1].result is result  # type: ignore[union-attr]  # pyright: ignore[reportAttributeAccessIssue]
        await handle.cancel()
        assert one.runs_in_flight() == ()
        del handle
        with pytest.raises(NotFoundError):
            one.handle("r")


async def test_numbers_of_events_continue_when_a_run_is_resumed(tmp_path: Path) -> None:
    async with Graph({"a": ApprovalNode("{t}")}, inputs=["t"], output="a", memory=tmp_path / "m.db") as one:
        first = [event async for event in one.stream({"t": "x"}, run_id="r")]
        second = [event async for event in one.stream_resumed("r", decision=True)]
    assert second[0].seq > first[-2].seq
    assert [event.seq for event in second] == list(range(second[0].seq, second[0].seq + len(second)))


async def test_a_graph_inside_a_graph_suspends_and_continues(tmp_path: Path) -> None:
    def make() -> Graph:
        inner = Graph(
            {"ask": ApprovalNode("{x}"), "b": StepNode(take, inputs={"a": "{ask}"})}, inputs=["x"], output="b"
        )
        return Graph({"g": GraphNode(inner, {"x": "{t}"})}, inputs=["t"], output="g", memory=tmp_path / "m.db")

    async with make() as first:
        result = await first.run({"t": "x"}, run_id="r")
    assert (result.status, result.nodes["g"].status) == ("suspended", "waiting")
    async with make() as second:
        result = await second.resume("r", decision={"g/ask": "yes"})
    assert (result.status, result.output) == ("completed", "yes")


async def test_a_run_that_was_cancelled_inside_a_loop_continues_there(tmp_path: Path) -> None:
    revising = asyncio.Event()
    calls: list[str] = []

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        calls.append(f"critique {candidate.content}")
        return CritiqueResult(severity=0.0 if candidate.content == "revised" else 0.9)

    async def slow(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        revising.set()
        await asyncio.Event().wait()
        return ""

    def make(reviser: Any) -> Graph:
        loop = LoopNode("x {t}", generator=a_draft, critiquer=critique, reviser=reviser)
        return Graph({"l": loop}, inputs=["t"], output="l", memory=tmp_path / "m.db")

    async with make(slow) as first:
        handle = await first.start({"t": "x"}, run_id="r")
        await revising.wait()
        await first.cancel("r")
        assert (await handle.result()).status == "cancelled"
        assert (await first.run_or_resume({"t": "x"}, run_id="r")).status == "cancelled"
    async with make(a_revision) as second:
        assert (await second.resume("r")).output == "revised"
    assert calls == ["critique draft", "critique revised"]


@pytest.mark.parametrize("kind", ["a node", "a node with a stand-in", "an item", "an item that may fail", "a map"])
async def test_nothing_stands_in_for_what_was_at_work_when_a_cancelled_run_is_read_again(
    kind: str, tmp_path: Path
) -> None:
    has_begun = asyncio.Event()

    async def endless(text: object) -> str:
        has_begun.set()
        await asyncio.Event().wait()
        return ""

    step = StepNode(endless, inputs={"text": "{item}"})
    nodes = {
        "a node": {"a": StepNode(endless, inputs={"text": "{t}"}, fallback="instead")},
        "a node with a stand-in": {
            "a": StepNode(endless, inputs={"text": "{t}"}, fallback="b"),
            "b": StepNode(lambda: "instead"),
        },
        "an item": {"a": MapNode("{t}", replace(step, fallback="instead"))},
        "an item that may fail": {"a": MapNode("{t}", step, on_error="skip")},
        "a map": {"a": MapNode("{t}", step, fallback="instead")},
    }[kind]
    nodes["end"] = StepNode(lambda text: text, inputs={"text": "{a}"})
    async with Graph(nodes, inputs=["t"], output="end", memory=tmp_path / "m.db") as one:
        handle = await one.start({"t": ["x", "y"]}, run_id="r")
        await has_begun.wait()
        await one.cancel("r")
        before = await handle.result()
        again = await one.run_or_resume({"t": ["x", "y"]}, run_id="r")
    states = [{name: node.status for name, node in result.nodes.items()} for result in (before, again)]
    assert (again.status, again.output, states[1]) == ("cancelled", None, states[0])


async def test_a_run_with_a_secret_masked_in_its_journal_does_not_continue(tmp_path: Path) -> None:
    key = "sk-" + "a1B2" * 10
    nodes = {"a": StepNode(lambda: f"key {key}"), "b": ApprovalNode("{a}")}
    async with Graph(nodes, output="b", memory=tmp_path / "m.db") as one:
        assert (await one.run({}, run_id="r")).status == "suspended"
        with pytest.raises(ConfigurationError, match="masked a secret"):
            await one.resume("r", decision=True)


async def test_a_caller_that_is_cancelled_at_any_moment_leaves_no_claim() -> None:
    for passes in count():
        async with ReflexionMemory() as memory:
            async with Graph({"one": StepNode(take, inputs={"a": "1"})}, output="one", memory=memory) as one:
                run = asyncio.ensure_future(one.run_or_resume(run_id="r"))
                for _ in range(passes):
                    await asyncio.sleep(0)
                is_over = run.done()
                run.cancel()
                await asyncio.wait({run})
            mine = new_claim("r", Scope(), 60.0)
            let_go(mine)
            assert (await memory.claim(mine, lambda _: False)).token == mine.token, passes
        if is_over:
            assert passes > 10
            return
