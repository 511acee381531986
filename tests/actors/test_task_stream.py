"""Streams of tasks: order, limits, back-pressure, crashes, timeouts, and what happens when one leaves early."""

from __future__ import annotations

import asyncio
import gc
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

import pytest
from actor_helpers import Call, other_tasks, settle
from hypothesis import given, settings
from hypothesis.strategies import booleans, integers, lists, sampled_from

from jido_ai.actors.actor import Actor
from jido_ai.actors.children import CountChildren
from jido_ai.actors.exit_reason import Crashed, Killed, Normal, Shutdown
from jido_ai.actors.outcome import Exited, Ok
from jido_ai.actors.system import ActorSystem
from jido_ai.actors.task_supervisor import TaskSupervisor, TaskSupervisorRef
from jido_ai.errors import (
    ActorDeadError,
    AskTimeoutError,
    CallCycleError,
    CallError,
    ConfigurationError,
    MaxChildrenError,
)
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import virtual_run

pytestmark = pytest.mark.virtual_clock


def quiet(_: TelemetryEvent) -> None:
    """Take an event and say nothing."""


@pytest.fixture
async def system() -> AsyncIterator[ActorSystem]:
    async with ActorSystem(sink=quiet) as system:
        yield system


@pytest.fixture
async def tasks(system: ActorSystem) -> TaskSupervisorRef:
    return await system.spawn(TaskSupervisor)


async def nap(seconds: float) -> float:
    await asyncio.sleep(seconds)
    return seconds


async def double(number: int) -> int:
    return 2 * number


async def fails_on_two(number: int) -> int:
    await asyncio.sleep(0)
    if number == 2:
        raise ValueError("failed on purpose")
    return number


async def forever(_: object) -> None:
    await asyncio.Event().wait()


async def later(items: Any) -> AsyncIterator[Any]:
    for item in items:
        await asyncio.sleep(0)
        yield item


class Source(Iterator[int]):
    """Endless numbers; counts how many were taken."""

    def __init__(self) -> None:
        self.taken = 0

    def __next__(self) -> int:
        self.taken += 1
        return self.taken


class Caller(Actor[Any]):
    def __init__(self, *, trap_exit: bool = False) -> None:
        self.trap_exit = trap_exit

    async def on_receive(self, message: Any) -> Any:
        return await message.work(self) if isinstance(message, Call) else message


async def active(tasks: TaskSupervisorRef) -> int:
    return (await tasks.ask(CountChildren())).active


# -- results ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 100])
@pytest.mark.parametrize("most", [1, 3, 200])
async def test_results_come_in_the_order_of_the_items(
    tasks: TaskSupervisorRef, is_async: bool, count: int, most: int
) -> None:
    items: Any = later(range(count)) if is_async else range(count)
    results = [result async for result in tasks.async_stream(items, double, max_concurrency=most)]
    assert results == [Ok(2 * number) for number in range(count)]
    assert await active(tasks) == 0


@pytest.mark.parametrize("is_async", [False, True])
async def test_unordered_results_come_as_they_arrive(tasks: TaskSupervisorRef, is_async: bool) -> None:
    naps: Any = [3.0, 1.0, 2.0, 0.5]
    stream = tasks.async_stream(later(naps) if is_async else naps, nap, max_concurrency=3, ordered=False)
    assert [result async for result in stream] == [Ok(1.0), Ok(0.5), Ok(2.0), Ok(3.0)]


async def test_a_plain_function_serves_too(tasks: TaskSupervisorRef) -> None:
    assert [result async for result in tasks.async_stream("abc", str.upper, max_concurrency=2)] == [
        Ok("A"),
        Ok("B"),
        Ok("C"),
    ]


@given(
    naps=lists(integers(0, 5), max_size=12),
    most=integers(1, 5),
    ordered=booleans(),
    kind=sampled_from(["sync", "async"]),
)
@settings(max_examples=60, deadline=None)
def test_every_item_has_one_result_and_no_more_than_the_limit_run(
    naps: list[int], most: int, ordered: bool, kind: str
) -> None:
    async def main() -> None:
        running: list[int] = [0, 0]

        async def work(pair: tuple[int, int]) -> int:
            running[0] += 1
            running[1] = max(running)
            await asyncio.sleep(pair[1])
            running[0] -= 1
            return pair[0]

        async with ActorSystem(sink=quiet) as system:
            tasks = await system.spawn(TaskSupervisor)
            items: Any = list(enumerate(naps))
            stream = tasks.async_stream(
                later(items) if kind == "async" else items, work, max_concurrency=most, ordered=ordered, timeout_s=None
            )
            values = [result.value async for result in stream if isinstance(result, Ok)]
        assert (values if ordered else sorted(values)) == list(range(len(naps)))
        assert running[1] <= most

    virtual_run(main())


# -- back-pressure ---------------------------------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("is_async", [True, False])
async def test_a_slow_reader_holds_up_the_items(tasks: TaskSupervisorRef, ordered: bool, is_async: bool) -> None:
    source = Source()
    stream = tasks.async_stream(later(source) if is_async else source, double, max_concurrency=3, ordered=ordered)
    assert source.taken == 0  # nothing happens before it is iterated over
    for given_out in range(1, 20):
        await anext(stream)
        await settle()
        assert source.taken <= given_out + 2 * 3 + 1
    await stream.aclose()


@pytest.mark.parametrize("is_async", [True, False])
async def test_a_slow_first_task_holds_up_the_items_too(tasks: TaskSupervisorRef, is_async: bool) -> None:
    source = Source()
    gate = asyncio.Event()

    async def first_is_slow(number: int) -> int:
        if number == 1:
            await gate.wait()
        return number

    stream = tasks.async_stream(later(source) if is_async else source, first_is_slow, max_concurrency=4)
    first = asyncio.ensure_future(anext(stream))
    await settle(100)
    assert not first.done() and 4 < source.taken <= 2 * 4 + 1
    gate.set()
    assert await first == Ok(1)
    assert [(await anext(stream)) for _ in range(5)] == [Ok(number) for number in range(2, 7)]
    await stream.aclose()


async def test_a_slow_source_holds_up_no_results(tasks: TaskSupervisorRef) -> None:
    async def items() -> AsyncIterator[int]:
        yield 1
        yield 2
        await asyncio.Event().wait()

    stream = tasks.async_stream(items(), double, max_concurrency=5)
    assert [await anext(stream), await anext(stream)] == [Ok(2), Ok(4)]
    await stream.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


# -- crashes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
async def test_without_links_a_crash_is_an_item_and_not_an_end(tasks: TaskSupervisorRef, ordered: bool) -> None:
    stream = tasks.async_stream_nolink(range(5), fails_on_two, max_concurrency=2, ordered=ordered)
    results = [result async for result in stream]
    (crash,) = [result for result in results if isinstance(result, Exited)]
    assert isinstance(crash.reason, Crashed) and isinstance(crash.reason.error, ValueError)
    assert [result for result in results if isinstance(result, Ok)] == [Ok(number) for number in (0, 1, 3, 4)]
    if ordered:
        assert results[2] is crash


async def test_without_links_a_crash_harms_no_caller(system: ActorSystem, tasks: TaskSupervisorRef) -> None:
    caller = await system.spawn(Caller)

    async def collect(_: Any) -> list[Any]:
        return [result async for result in tasks.async_stream_nolink(range(4), fails_on_two, max_concurrency=2)]

    assert [type(result) for result in await caller.ask(Call(collect))] == [Ok, Ok, Exited, Ok]
    assert caller.is_alive


@pytest.mark.parametrize("traps", [True, False])
async def test_a_linked_crash_takes_the_caller_along_unless_it_traps_exits(
    system: ActorSystem, tasks: TaskSupervisorRef, traps: bool
) -> None:
    caller = await system.spawn(Caller, trap_exit=traps)

    async def collect(_: Any) -> list[Any]:
        return [result async for result in tasks.async_stream(range(4), fails_on_two, max_concurrency=2)]

    asked = caller.ask(Call(collect))
    if traps:
        assert [type(result) for result in await asked] == [Ok, Ok, Exited, Ok]
        assert caller.is_alive
    else:
        with pytest.raises(ActorDeadError) as error:
            await asked
        assert isinstance(error.value.reason, Crashed) and isinstance(error.value.reason.error, ValueError)
        await settle()
        assert await active(tasks) == 0


async def test_a_linked_crash_outside_of_actors_is_raised_and_stops_the_others(tasks: TaskSupervisorRef) -> None:
    async def work(number: int) -> int:
        return await fails_on_two(number) if number == 2 else await forever(number)  # type: ignore[func-returns-value, return-value]

    with pytest.raises(CallError, match="work crashed on int") as error:
        async for _ in tasks.async_stream(range(9), work, max_concurrency=4):
            pass
    assert isinstance(error.value.__cause__, ValueError)
    assert await active(tasks) == 0


async def test_a_task_that_is_stopped_from_outside_is_an_item_without_links(tasks: TaskSupervisorRef) -> None:
    ends = [Normal(), Shutdown(), None]
    refs: list[Any] = []

    async def work(_: int) -> None:
        await forever(0)

    stream = tasks.async_stream_nolink(range(3), work, max_concurrency=3, timeout_s=None)
    pending = asyncio.ensure_future(anext(stream))
    await settle()
    refs = list(tasks.cell.actor.plain)  # type: ignore[attr-defined]  # pyright: ignore
    for ref, end in zip(refs, ends, strict=True):
        if end is None:
            ref.kill()
        else:
            await ref.stop(end)
    results = [await pending, *[result async for result in stream]]
    assert results == [Exited(Normal()), Exited(Shutdown()), Exited(Killed())]


# -- timeouts --------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["async_stream", "async_stream_nolink"])
async def test_kill_task_makes_an_item_of_a_task_that_takes_too_long(
    system: ActorSystem, tasks: TaskSupervisorRef, method: str
) -> None:
    caller = await system.spawn(Caller)

    async def collect(_: Any = None) -> list[Any]:
        stream = getattr(tasks, method)([1, 8, 2], nap, max_concurrency=2, on_timeout="kill_task")
        return [result async for result in stream]

    expected = [Ok(1), Exited(Killed("timeout")), Ok(2)]
    began = system.now()
    for results in (await collect(), await caller.ask(Call(collect), timeout_s=None)):
        assert results == expected
        assert "timeout" in repr(results[1])
    assert system.now() - began < 11
    assert caller.is_alive and await active(tasks) == 0


@pytest.mark.parametrize("method", ["async_stream", "async_stream_nolink"])
async def test_exit_raises_when_a_task_takes_too_long_and_stops_the_others(
    system: ActorSystem, tasks: TaskSupervisorRef, method: str
) -> None:
    results: list[Any] = []
    began = system.now()
    with pytest.raises(AskTimeoutError, match=r"nap did not answer float within 2\.5 s"):
        async for result in getattr(tasks, method)([1.0, 100.0, 200.0], nap, max_concurrency=3, timeout_s=2.5):
            results.append(result)
    assert results == [Ok(1.0)]
    assert 2.5 <= system.now() - began < 3
    assert await active(tasks) == 0


async def test_the_limit_is_five_seconds_for_each_task_by_default(tasks: TaskSupervisorRef) -> None:
    assert [result async for result in tasks.async_stream([4.9] * 6, nap, max_concurrency=2)] == [Ok(4.9)] * 6
    with pytest.raises(TimeoutError):
        async for _ in tasks.async_stream([5.1], nap, max_concurrency=1):
            pass
    stream = tasks.async_stream([100], nap, max_concurrency=1, timeout_s=None)
    assert [result async for result in stream] == [Ok(100)]


# -- leaving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [True, False])
async def test_leaving_the_loop_stops_the_tasks_and_takes_no_more_items(
    tasks: TaskSupervisorRef, is_async: bool
) -> None:
    source = Source()
    stopped: list[int] = []

    async def work(number: int) -> int:
        if number > 1:
            try:
                await forever(number)
            finally:
                stopped.append(number)
        return number

    before = other_tasks()
    async for result in tasks.async_stream(later(source) if is_async else source, work, max_concurrency=3):
        assert result == Ok(1)
        await settle()
        break
    taken = source.taken
    await settle()
    assert sorted(stopped) == [2, 3, 4][: len(stopped)] and len(stopped) >= 2
    assert source.taken == taken
    assert await active(tasks) == 0
    assert other_tasks() == before


async def test_aclose_waits_for_the_end_of_the_tasks(system: ActorSystem, tasks: TaskSupervisorRef) -> None:
    log: list[Any] = []

    async def work(number: int) -> int:
        if number == 0:
            return 0
        try:
            await forever(number)
        finally:
            await asyncio.sleep(2)
            log.append(number)
        return 1

    async with aclosing(tasks.async_stream(range(3), work, max_concurrency=3)) as stream:
        assert await anext(stream) == Ok(0)
        await settle()
    assert log == [1, 2]
    assert await active(tasks) == 0


async def test_an_error_in_the_loop_stops_the_tasks(tasks: TaskSupervisorRef) -> None:
    with pytest.raises(ZeroDivisionError):
        async for _ in tasks.async_stream(itertools.count(), double, max_concurrency=3):
            1 / 0  # noqa: B018
    gc.collect()
    await settle()
    assert await active(tasks) == 0


async def test_the_end_of_the_caller_stops_the_tasks_even_without_links(
    system: ActorSystem, tasks: TaskSupervisorRef
) -> None:
    caller = await system.spawn(Caller)
    kept: list[Any] = []

    async def begin(_: Any) -> None:
        stream = tasks.async_stream_nolink(itertools.count(), forever, max_concurrency=3, timeout_s=None)
        kept.append(stream)
        await anext(stream)

    caller.tell(Call(begin))
    await settle()
    assert await active(tasks) == 3
    caller.kill()
    await settle()
    assert await active(tasks) == 0


async def test_a_cancelled_wait_loses_no_result(tasks: TaskSupervisorRef) -> None:
    stream = tasks.async_stream([3, 1], nap, max_concurrency=2)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await anext(stream)
    assert [result async for result in stream] == [Ok(3), Ok(1)]


async def test_two_readers_at_once_are_refused(tasks: TaskSupervisorRef) -> None:
    stream = tasks.async_stream([1], nap, max_concurrency=1)
    first = asyncio.ensure_future(anext(stream))
    await settle()
    with pytest.raises(RuntimeError, match="another task is already waiting"):
        await anext(stream)
    assert await first == Ok(1)


# -- the items and the supervisor ------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [True, False])
@pytest.mark.parametrize("ordered", [True, False])
async def test_an_error_of_the_items_is_raised_after_the_results_before_it(
    tasks: TaskSupervisorRef, is_async: bool, ordered: bool
) -> None:
    def broken() -> Iterator[int]:
        yield 1
        yield 2
        raise LookupError("no more")

    results: list[Any] = []
    with pytest.raises(LookupError, match="no more"):
        async for result in tasks.async_stream(
            later(broken()) if is_async else broken(), double, max_concurrency=5, ordered=ordered
        ):
            results.append(result)
    assert results == [Ok(2), Ok(4)]
    assert tasks.is_alive and await active(tasks) == 0


@pytest.mark.parametrize("is_async", [True, False])
async def test_the_end_of_the_supervisor_is_an_error_of_the_stream(system: ActorSystem, is_async: bool) -> None:
    tasks = await system.spawn(TaskSupervisor)
    source = Source()
    stream = tasks.async_stream_nolink(
        later(source) if is_async else source, forever, max_concurrency=2, timeout_s=None
    )
    pending = asyncio.ensure_future(anext(stream))
    await settle()
    await tasks.stop()
    results: list[Any] = [await pending]
    with pytest.raises(ActorDeadError):
        async for result in stream:
            results.append(result)
    assert results == [Exited(Shutdown())] * 2
    with pytest.raises(ActorDeadError):
        async for _ in tasks.async_stream([1], double, max_concurrency=1):
            pass


async def test_fewer_children_than_tasks_are_an_error(system: ActorSystem) -> None:
    tasks = await system.spawn(TaskSupervisor, max_children=2)
    assert len([1 async for _ in tasks.async_stream(range(5), double, max_concurrency=2)]) == 5
    for items in (range(9), later(range(9))):
        with pytest.raises(MaxChildrenError):
            async for result in tasks.async_stream(items, nap, max_concurrency=3):
                assert result in (Ok(0), Ok(1))
        assert await active(tasks) == 0


async def test_a_task_that_asks_the_actor_that_iterates_is_refused(
    system: ActorSystem, tasks: TaskSupervisorRef
) -> None:
    caller = await system.spawn(Caller)

    async def ask_back(_: int) -> Any:
        try:
            return await caller.ask("hello")
        except CallCycleError as error:
            return type(error)

    async def collect(_: Any) -> list[Any]:
        return [result async for result in tasks.async_stream(range(3), ask_back, max_concurrency=2)]

    assert await caller.ask(Call(collect)) == [Ok(CallCycleError)] * 3


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"max_concurrency": 0}, "max_concurrency"),
        ({"max_concurrency": True}, "max_concurrency"),
        ({"max_concurrency": 1.5}, "max_concurrency"),
        ({"timeout_s": -1}, "timeout_s"),
        ({"timeout_s": "5"}, "timeout_s"),
        ({"on_timeout": "ignore"}, "on_timeout"),
        ({"items": 5}, "items"),
        ({"fn": None}, "fn"),
    ],
)
async def test_a_wrong_argument_of_a_stream_is_refused_at_once(
    tasks: TaskSupervisorRef, change: dict[str, Any], named: str
) -> None:
    arguments: dict[str, Any] = {"items": [1], "fn": double, "max_concurrency": 2, **change}
    with pytest.raises(ConfigurationError, match=named):
        tasks.async_stream(**arguments)
    assert await active(tasks) == 0
