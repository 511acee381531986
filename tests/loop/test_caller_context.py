"""The caller's context variables: what a run calls sees them, and what it sets there nobody else sees."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextvars import Context, ContextVar, copy_context
from typing import Any

import pytest
from scripted import PROMPT, Scripted, nothing_left_behind

from jido_ai.actors.system import ActorSystem
from jido_ai.components.call_context import current_meter, metering
from jido_ai.critics.tool_critiquer import ToolCritiquer
from jido_ai.errors import ConfigurationError
from jido_ai.loop.events import RunStopped
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.spending import Spending
from jido_ai.protocols import RunContext
from jido_ai.tools.sandbox.executor import ProcessExecutor
from jido_ai.tools.tool import Tool
from jido_ai.values import (
    Candidate,
    CritiqueResult,
    Episode,
    Iteration,
    LoopConfig,
    Reflection,
    ReflectionResult,
    StopReason,
)
from jido_ai.values.tool import ToolJob, ToolRun

pytestmark = pytest.mark.virtual_clock

TENANT: ContextVar[str] = ContextVar("tenant", default="nobody")
MARK: ContextVar[str | None] = ContextVar("mark", default=None)


@pytest.fixture(autouse=True)
async def clean() -> AsyncGenerator[None]:
    async with nothing_left_behind():
        yield


class Witness:
    """All parts of a pipeline; each notes the tenant that it sees, and leaves a mark that nobody may see.

    The prompt of a run is the name of its tenant, and all candidates begin with it.

    Attributes:
        seen: the tenants that each place saw for each prompt.
        marks: the marks of others that were seen.
    """

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], set[str]] = {}
        self.calls: Counter[str] = Counter()
        self.marks: list[tuple[str, str]] = []

    def look(self, place: str, prompt: str) -> None:
        self.seen.setdefault((place, prompt), set()).add(TENANT.get())
        self.calls[place] += 1
        if (mark := MARK.get()) is not None:
            self.marks.append((place, mark))
        MARK.set(f"{place} of {prompt}")

    async def generate(self, prompt: str, context: RunContext) -> str:
        self.look("generator", prompt)
        return f"{prompt}:0"

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.look("member", context.prompt)
        return CritiqueResult(severity=0.9, issues=["wrong"])

    def critique_in_a_thread(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        assert threading.current_thread() is not threading.main_thread()
        self.look("member in a thread", context.prompt)
        return CritiqueResult(severity=0.9, issues=["wrong"])

    async def revise(self, candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        self.look("reviser", context.prompt)
        return f"{context.prompt}:{context.iteration + 1}"

    async def approve(self, revision: Candidate, iteration: Iteration, context: RunContext) -> bool:
        self.look("approve", context.prompt)
        return True

    def first_rule(self, line: Sequence[Iteration], config: LoopConfig) -> None:
        self.look("first rule", line[0].candidate.content.partition(":")[0])

    def second_rule(self, line: Sequence[Iteration], config: LoopConfig) -> None:
        self.look("second rule", line[0].candidate.content.partition(":")[0])

    def reflect(self, episode: Episode, priors: Sequence[Reflection]) -> Reflection:
        self.look("reflector", episode.prompt)
        return Reflection("a lesson")

    def pipeline(self, **arguments: Any) -> Pipeline:
        config = LoopConfig(max_iterations=3, stop_rules=(self.first_rule, self.second_rule))
        panel = [self, self.critique_in_a_thread]
        return Pipeline(self, panel, self, config=config, reflector=self.reflect, approve=self.approve, **arguments)

    def everyone_saw(self, *tenants: str) -> bool:
        """Tell whether every place saw, for each tenant's prompt, that tenant and no other."""
        return self.seen == {(place, tenant): {tenant} for place in self.calls for tenant in tenants}


PLACES = {
    "generator",
    "member",
    "member in a thread",
    "reviser",
    "approve",
    "first rule",
    "second rule",
    "reflector",
}


async def as_tenant(tenant: str, work: Callable[[], Awaitable[Any]]) -> Any:
    """Do the work in a context of its own, with the tenant in it."""
    TENANT.set(tenant)
    answer = await work()
    assert MARK.get() is None
    return answer


async def of_tenants(names: Sequence[str], work: Callable[[str], Awaitable[Any]]) -> list[Any]:
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(as_tenant(name, lambda name=name: work(name))) for name in names]
    return [task.result() for task in tasks]


async def test_each_part_of_each_run_sees_the_context_of_its_caller() -> None:
    witness, names = Witness(), [f"tenant {number}" for number in range(200)]
    TENANT.set("who entered")
    async with witness.pipeline() as pipeline:
        results: list[ReflectionResult] = await of_tenants(names, lambda name: pipeline.run(name))
    assert {result.stop_reason for result in results} == {StopReason.MAX_ITERATIONS}
    assert set(witness.calls) == PLACES
    assert witness.everyone_saw(*names)
    assert witness.marks == []
    assert (TENANT.get(), MARK.get()) == ("who entered", None)


async def test_a_run_in_a_context_of_its_own_is_seen_with_that_context() -> None:
    witness = Witness()
    context = copy_context()
    context.run(TENANT.set, "its own")
    async with witness.pipeline() as pipeline:
        await asyncio.create_task(pipeline.run("its own"), context=context)
    assert witness.everyone_saw("its own")
    assert context.get(MARK) is None


async def test_run_many_runs_in_the_context_of_its_caller() -> None:
    witness = Witness()
    async with witness.pipeline(max_concurrency=2) as pipeline:
        await as_tenant("B", lambda: pipeline.run_many([f"prompt {number}" for number in range(20)]))
        TENANT.set("who entered")
    assert set(witness.calls) == PLACES
    assert {frozenset(tenants) for tenants in witness.seen.values()} == {frozenset({"B"})}
    assert witness.marks == []


async def test_a_stream_runs_in_the_context_in_which_it_was_asked_for() -> None:
    witness = Witness()

    async def listened(name: str) -> object:
        events = pipeline.stream(name)
        TENANT.set("changed before the first event")
        return [event async for event in events][-1]

    async with witness.pipeline() as pipeline:
        last = await of_tenants(["B", "C"], listened)
    assert all(isinstance(event, RunStopped) for event in last)
    assert set(witness.calls) == PLACES
    assert witness.everyone_saw("B", "C")
    assert witness.marks == []


@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_resumed_run_continues_in_the_context_of_its_resumer(is_streamed: bool) -> None:
    witness = Witness()
    reached = asyncio.Event()

    async def wait_for_ever(prompt: str, context: RunContext) -> str:
        reached.set()
        return await asyncio.Future[str]()

    async with witness.pipeline(memory=True) as pipeline:
        broken = Pipeline(wait_for_ever, witness, memory=pipeline.memory)
        async with broken:
            run = asyncio.create_task(as_tenant("A", lambda: broken.run("B", run_id="r")))
            await reached.wait()
            await broken.cancel("r")
            assert (await run).stop_reason is StopReason.CANCELLED

        async def resumed() -> ReflectionResult:
            if not is_streamed:
                return await pipeline.resume("r")
            events = pipeline.stream_resumed("r")
            TENANT.set("changed before the first event")
            last = [event async for event in events][-1]
            assert isinstance(last, RunStopped)
            return last.result

        TENANT.set("who entered")
        result = await asyncio.create_task(as_tenant("B", resumed))
    assert result.stop_reason is StopReason.MAX_ITERATIONS
    assert set(witness.calls) == PLACES
    assert witness.everyone_saw("B")
    assert witness.marks == []


@pytest.mark.parametrize("is_async", [False, True])
async def test_observe_reflects_in_a_copy_of_the_context_of_its_caller(is_async: bool) -> None:
    witness = Witness()

    async def reflect(episode: Episode, priors: Sequence[Reflection]) -> Reflection:
        return witness.reflect(episode, priors)

    async with Pipeline(critiquer=witness, reflector=reflect if is_async else witness.reflect) as pipeline:
        await of_tenants(["B", "C"], lambda name: pipeline.observe(Episode(name, Candidate("text"))))
    assert witness.seen == {("reflector", "B"): {"B"}, ("reflector", "C"): {"C"}}
    assert witness.marks == []


async def test_parts_see_their_caller_after_a_crash_of_another_run() -> None:
    witness, crashed = Witness(), set[str]()

    async def generate(prompt: str, context: RunContext) -> str:
        if prompt not in crashed:
            crashed.add(prompt)
            raise OSError("no connection")
        return await witness.generate(prompt, context)

    names = [f"tenant {number}" for number in range(20)]
    config = LoopConfig(max_iterations=2, stop_rules=(witness.first_rule,))
    async with Pipeline(generate, witness, witness, config=config, approve=witness.approve) as pipeline:
        await of_tenants(names, lambda name: pipeline.run(name))
    assert crashed == set(names)
    assert witness.everyone_saw(*names)
    assert witness.marks == []


async def test_runs_side_by_side_and_large_critiques_see_their_caller() -> None:
    witness = Witness()

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        witness.look("critiquer", context.prompt)
        return CritiqueResult(severity=0.9, issues=[f"issue {number}" for number in range(300)])

    config = LoopConfig(max_iterations=8, candidates=3, beam=2, stop_rules=(witness.first_rule, witness.second_rule))
    async with Pipeline(witness, critique, witness, config=config, approve=witness.approve) as pipeline:
        await of_tenants(["B", "C"], lambda name: pipeline.run(name))
    assert set(witness.calls) == {"generator", "critiquer", "reviser", "approve", "first rule", "second rule"}
    assert witness.everyone_saw("B", "C")
    assert witness.marks == []


class Idle(ProcessExecutor):
    """An executor that runs nothing."""

    async def run(self, job: ToolJob) -> ToolRun:
        return ToolRun(
            exit_status=0,
            stdout=job.argv[-1],
            stderr="",
            report=None,
            truncated=False,
            duration_s=0.0,
            directory="",
            sandbox="none",
        )


async def test_the_parser_of_a_tool_sees_the_caller_of_its_run() -> None:
    seen: list[tuple[str, str]] = []
    marks: list[str | None] = []

    def parser(report: str) -> list[str]:
        seen.append((report, TENANT.get()))
        marks.append(MARK.get())
        MARK.set("parser")
        return ["wrong"]

    tools = [Tool(name, ("python", name), parser=parser) for name in ("one", "two")]
    async with Pipeline(critiquer=ToolCritiquer(tools, executor=Idle())) as pipeline:
        await of_tenants(["B", "C"], lambda name: pipeline.run(name, f"text of {name}"))
    assert {tenant for _, tenant in seen} == {"B", "C"}
    assert len(seen) == 4
    assert set(marks) == {None}


async def test_the_meter_of_a_run_is_not_the_meter_of_the_run_that_called_it() -> None:
    meters: dict[str, list[object]] = {"component": [], "elsewhere": []}
    outer = Spending()

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        assert context.meter is not outer
        meters["component"].append(current_meter.get() is context.meter)
        return CritiqueResult(severity=0.9, issues=["wrong"])

    async def revise(candidate: Candidate, critique: CritiqueResult, context: RunContext) -> str:
        return f"text {context.iteration + 1}"

    def rule(line: Sequence[Iteration], config: LoopConfig) -> None:
        meters["elsewhere"].append(current_meter.get())

    async def approve(revision: Candidate, iteration: Iteration, context: RunContext) -> bool:
        meters["elsewhere"].append(current_meter.get())
        return True

    config = LoopConfig(max_iterations=2, stop_rules=(rule,))
    async with Pipeline(None, critique, revise, config=config, approve=approve) as pipeline:
        with metering(outer):
            await pipeline.run(PROMPT, "text")
            assert current_meter.get() is outer
    assert meters == {"component": [True, True], "elsewhere": [None, None, None]}


class Value:
    """Something that a caller holds in its context."""


async def test_the_context_of_a_caller_is_released_after_its_run() -> None:
    held: ContextVar[Value | None] = ContextVar("held", default=None)
    released: list[weakref.ref[Value]] = []
    witness = Witness()

    async def call() -> None:
        value = Value()
        released.append(weakref.ref(value))
        held.set(value)
        await pipeline.run(PROMPT)

    async with witness.pipeline(memory=True) as pipeline:
        for _ in range(5):
            await asyncio.create_task(call(), context=Context())
        await asyncio.sleep(1.0)
        gc.collect()
        assert [value() for value in released] == [None] * 5


# -- another event loop ----------------------------------------------------------------------------


def in_another_loop(work: Callable[[], Awaitable[object]]) -> str:
    """Do the work in an event loop of its own; return the error."""

    async def tried() -> str:
        with pytest.raises(ConfigurationError) as caught:
            await work()
        return str(caught.value)

    return asyncio.run(tried())


async def _all(events: AsyncGenerator[Any]) -> list[Any]:
    return [event async for event in events]


USES: dict[str, Callable[[Pipeline], Awaitable[object]]] = {
    "run": lambda pipeline: pipeline.run(PROMPT),
    "run_many": lambda pipeline: pipeline.run_many([PROMPT]),
    "stream": lambda pipeline: _all(pipeline.stream(PROMPT)),
    "resume": lambda pipeline: pipeline.resume("r"),
    "stream_resumed": lambda pipeline: _all(pipeline.stream_resumed("r")),
    "observe": lambda pipeline: pipeline.observe(Episode(PROMPT, Candidate("text"))),
    "cancel": lambda pipeline: pipeline.cancel("r"),
    "enter": lambda pipeline: pipeline.__aenter__(),
    "exit": lambda pipeline: pipeline.__aexit__(None, None, None),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
async def test_use_from_another_event_loop_is_a_configuration_error(use: Callable[[Pipeline], Any]) -> None:
    script = Scripted(0.1)
    async with Pipeline(script, script, script, memory=True) as pipeline:
        said = await asyncio.to_thread(in_another_loop, lambda: use(pipeline))
        assert "BlockingPipeline" in said
        assert "event loop" in said
        assert script.calls == []
        assert (await pipeline.run(PROMPT)).accepted


async def test_a_pipeline_does_not_start_in_a_system_of_another_event_loop() -> None:
    script = Scripted(0.1)
    async with ActorSystem("elsewhere") as system:
        pipeline = Pipeline(script, script, script, system=system)
        assert "BlockingPipeline" in await asyncio.to_thread(in_another_loop, pipeline.__aenter__)
        async with pipeline:
            assert (await pipeline.run(PROMPT)).accepted


def test_a_pipeline_that_was_left_can_be_entered_in_another_event_loop() -> None:
    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0)

    pipeline = Pipeline(critiquer=critique)

    async def once() -> bool:
        async with pipeline:
            return (await pipeline.run(PROMPT, "text")).accepted

    assert asyncio.run(once())
    assert asyncio.run(once())
