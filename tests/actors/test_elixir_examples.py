"""What the examples in Elixir's documentation do, done here: the same steps, the same results."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from actor_helpers import Call, settle

from jido_ai.actors.actor import Actor, Continue
from jido_ai.actors.child_spec import ChildSpec
from jido_ai.actors.children import StartChild, WhichChildren
from jido_ai.actors.dynamic_supervisor import DynamicSupervisor
from jido_ai.actors.exit_reason import Killed
from jido_ai.actors.outcome import Exited, Ok
from jido_ai.actors.partition_supervisor import PartitionRef, PartitionSupervisor
from jido_ai.actors.ref import ActorRef
from jido_ai.actors.registry import Registry, RegistryRef, via
from jido_ai.actors.relations import Down
from jido_ai.actors.supervisor import Supervisor
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.task import Task
from jido_ai.actors.task_supervisor import TaskSupervisor, TaskSupervisorRef
from jido_ai.errors import AlreadyRegisteredError
from jido_ai.telemetry import TelemetryEvent

pytestmark = pytest.mark.virtual_clock


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with ActorSystem(sink=quiet) as system:
        yield system


class Agent(Actor[Any]):
    """Holds a value; a function it gets is applied to it."""

    def __init__(self, value: Any) -> None:
        self.value = value

    async def on_receive(self, message: Any) -> Any:
        return message(self.value)


class Me(Actor[Any]):
    """Stands for the process at the prompt: runs what it is told, and keeps the messages in its mailbox."""

    def __init__(self) -> None:
        self.mailbox: list[Any] = []

    async def on_receive(self, message: Any) -> Any:
        if isinstance(message, Call):
            answer = message.work(self)
            return await answer if asyncio.iscoroutine(answer) else answer
        self.mailbox.append(message)
        return None


def same(value: Any) -> Any:
    return value


# -- PartitionSupervisor ---------------------------------------------------------------------------


async def test_agents_are_started_under_dynamic_supervisors_chosen_by_the_caller(system: ActorSystem) -> None:
    pool = ChildSpec(id="agents", start=DynamicSupervisor, type="supervisor")
    tree = [ChildSpec(id="pools", start=(PartitionSupervisor, (pool, 4), {}), name="pools", type="supervisor")]
    await system.spawn(Supervisor, tree)
    pools = system.whereis("pools")
    assert isinstance(pools, PartitionRef)
    me = await system.spawn(Me)
    agent = await pools.of(me).ask(StartChild(ChildSpec(id="agent", start=(Agent, ({},), {}))))
    assert await agent.ask(same) == {}
    children = [await pools.of(number).ask(WhichChildren()) for number in range(4)]
    assert [[info.ref for info in some] for some in children if some] == [[agent]]


async def test_whole_numbers_go_by_their_remainder_and_children_know_their_partition(system: ActorSystem) -> None:
    pools = await system.spawn(PartitionSupervisor, ChildSpec(id="me", start=Me), partitions=3)
    for key, expected in ((0, 0), (4, 1), (-5, 2)):
        assert await pools.of(key).ask(Call(lambda actor: actor.partition)) == expected


# -- Task.Supervisor -------------------------------------------------------------------------------


@pytest.fixture
async def tasks(system: ActorSystem) -> TaskSupervisorRef:
    return await system.spawn(TaskSupervisor, name="tasks")


async def test_a_task_is_started_and_awaited(tasks: TaskSupervisorRef) -> None:
    task = tasks.async_(lambda: "do some work")
    assert isinstance(task, Task)
    assert await task == "do some work"
    assert 1 + await tasks.async_(lambda: 1) == 2


async def test_a_server_starts_unlinked_tasks_one_at_a_time_and_hears_of_their_failures(
    system: ActorSystem, tasks: TaskSupervisorRef
) -> None:
    class Server(Actor[Any]):
        """Starts one task at a time; a second request is refused until the first is over."""

        def __init__(self) -> None:
            self.task: Task[Any] | None = None
            self.over: list[str] = []

        async def on_receive(self, message: Any) -> Any:
            match message:
                case "start" if self.task is not None:
                    return "busy"
                case "start":
                    self.task = tasks.async_nolink(work)
                    return "started"
                case Down(ref, reason) if self.task is not None and ref is self.task.ref:
                    self.over.append("failed" if reason.is_crash else await self.task)
                    self.task = None
            return self.over

    steps: list[Any] = [ValueError("boom"), "result"]

    async def work() -> Any:
        await asyncio.sleep(1)
        step = steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    server = await system.spawn(Server)
    for _ in range(2):
        assert await server.ask("start") == "started"
        assert await server.ask("start") == "busy"
        await asyncio.sleep(2)
    assert await server.ask("over") == ["failed", "result"]


async def test_the_lengths_of_strings_are_summed_over_a_stream(tasks: TaskSupervisorRef) -> None:
    strings = ["long string", "longer string", "there are many of these"]
    stream = tasks.async_stream(strings, lambda text: len(list(text)), max_concurrency=4)
    assert sum([result.value async for result in stream if isinstance(result, Ok)]) == 47


async def test_with_two_at_a_time_and_without_order_the_quickest_comes_first(
    system: ActorSystem, tasks: TaskSupervisorRef
) -> None:
    async def sleep(seconds: float) -> str:
        await asyncio.sleep(seconds)
        return str(seconds)

    began = system.now()
    stream = tasks.async_stream([1, 2, 3, 4], sleep, max_concurrency=4, ordered=False)
    assert [result async for result in stream] == [Ok("1"), Ok("2"), Ok("3"), Ok("4")]
    assert system.now() - began < 5
    stream = tasks.async_stream([3, 1, 1], sleep, max_concurrency=2)
    assert [result async for result in stream] == [Ok("3"), Ok("1"), Ok("1")]


async def test_a_few_results_are_taken_of_a_long_stream_and_no_more_is_done_than_needed(
    tasks: TaskSupervisorRef,
) -> None:
    begun: list[int] = []

    async def work(number: int) -> int:
        begun.append(number)
        return number

    taken: list[Any] = []
    async for result in tasks.async_stream(range(1, 100), work, max_concurrency=2):
        taken.append(result)
        if len(taken) == 3:
            break
    await settle()
    assert taken == [Ok(1), Ok(2), Ok(3)]
    assert len(begun) <= 3 + 2 * 2 + 1


async def test_a_task_that_takes_too_long_is_killed_and_reported_in_its_place(tasks: TaskSupervisorRef) -> None:
    async def sleep(seconds: float) -> float:
        await asyncio.sleep(seconds)
        return seconds

    stream = tasks.async_stream([0.1, 9, 0.2], sleep, max_concurrency=3, timeout_s=1, on_timeout="kill_task")
    assert [result async for result in stream] == [Ok(0.1), Exited(Killed("timeout")), Ok(0.2)]


async def test_a_task_gets_a_while_and_is_shut_down_otherwise(tasks: TaskSupervisorRef) -> None:
    async def think(seconds: float) -> str:
        await asyncio.sleep(seconds)
        return "done"

    answers: list[str] = []
    for seconds in (1, 60):
        task = tasks.async_nolink(think, seconds)
        match await task.yield_(5) or await task.shutdown():
            case Ok(result):
                answers.append(result)
            case Exited():
                answers.append("failed")
            case None:
                answers.append("no result in time")
    assert answers == ["done", "no result in time"]


# -- Registry --------------------------------------------------------------------------------------


async def test_a_process_registers_and_is_looked_up(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, keys="unique", name="unique")
    me, other = await system.spawn(Me), await system.spawn(Me)
    await me.ask(Call(lambda _: registry.register("hello", "world")))
    assert registry.lookup("hello") == ((me, "world"),)
    with pytest.raises(AlreadyRegisteredError) as error:
        registry.register("hello", "later", ref=other)
    assert error.value.ref is me
    assert registry.lookup("unknown") == ()
    assert registry.keys(me) == ("hello",) and registry.count() == 1
    await me.ask(Call(lambda _: registry.unregister("hello")))
    assert registry.lookup("hello") == () and registry.keys(me) == ()


async def test_an_agent_is_named_via_a_registry(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, keys="unique", name="agents")
    name = via("agents", "agent")
    await system.spawn(Agent, 0, name=name)
    agent = system.whereis(name)
    assert agent is not None and await agent.ask(same) == 0
    assert registry.lookup("agent") == ((agent, None),)
    with_value = await system.spawn(Agent, 0, name=via(registry, "other", "hello"))
    assert registry.lookup("other") == ((with_value, "hello"),)


async def test_a_dispatch_sends_to_all_who_registered(system: ActorSystem) -> None:
    registry = await system.spawn(Registry, keys="duplicate", partitions=4)
    me, other = await system.spawn(Me), await system.spawn(Me)
    for ref, value in ((me, 1), (other, 2)):
        registry.register("hello", value, ref=ref)

    def send(entries: tuple[tuple[ActorRef, Any], ...]) -> None:
        for ref, value in entries:
            ref.tell(("broadcast", value, "world"))

    registry.dispatch("hello", send)
    assert await me.ask(Call(lambda actor: actor.mailbox)) == [("broadcast", 1, "world")]
    assert await other.ask(Call(lambda actor: actor.mailbox)) == [("broadcast", 2, "world")]


async def test_values_of_a_dispatch_may_be_functions_to_call(system: ActorSystem) -> None:
    registry: RegistryRef = await system.spawn(Registry, keys="duplicate")
    me = await system.spawn(Me)
    done: list[str] = []
    for text in ("one", "two"):
        registry.register("jobs", done.append if text == "one" else lambda word: done.append(word.upper()), ref=me)
    registry.dispatch("jobs", lambda entries: [call("job") for _, call in entries])
    assert done == ["job", "JOB"]


# -- handle_continue -------------------------------------------------------------------------------


async def test_the_slow_part_of_a_start_runs_after_it_and_before_the_first_message(system: ActorSystem) -> None:
    class Stack(Actor[Any]):
        async def on_start(self) -> Continue:
            self.items: list[Any] = []
            return Continue("load")

        async def on_continue(self, what: Any) -> None:
            await asyncio.sleep(1)
            self.items = ["loaded"]

        async def on_receive(self, message: Any) -> Any:
            match message:
                case ("push", item):
                    self.items.append(item)
                    return Continue("audit", reply="pushed")
                case _:
                    return self.items

    stack = await system.spawn(Stack)
    assert await stack.ask("items") == ["loaded"]
    assert await stack.ask(("push", 1)) == "pushed"
    assert await stack.ask("items") == ["loaded"]  # which the audit has read anew
