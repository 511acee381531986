"""Cancelled pipelines leave nothing behind: anyio cancels a task again at every await, as Starlette and FastAPI do."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from jido_ai.actors.system import ActorSystem
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.integrations.common import Life
from jido_ai.loop.pipeline import Pipeline, reflect
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="descriptors are counted in /proc")


class Host:
    """Runs that never end by themselves, and the number of those that have begun.

    Attributes:
        begun: set by every component that waits.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.begun = asyncio.Event()
        self.memories = 0

    def memory(self) -> str:
        self.memories += 1
        return str(self.folder / f"{self.memories}.db")

    async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
        self.begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def pipeline(self) -> None:
        async with Pipeline(None, self.critique, memory=self.memory()) as pipeline:
            await pipeline.run("a question", "an answer")

    async def call(self) -> None:
        await reflect("a question", "an answer", critiquer=self.critique, memory=self.memory())

    async def graph(self) -> None:
        async def wait(text: str) -> str:
            await self.critique(cast("Any", text), cast("Any", None))
            return text

        node = StepNode(wait, inputs={"text": "{text}"})
        async with Graph({"wait": node}, inputs=["text"], output="wait", memory=self.memory()) as graph:
            await graph.run({"text": "a question"})

    async def lessons(self) -> None:
        async with ReflexionMemory(self.memory()):
            self.begun.set()
            await asyncio.Event().wait()

    async def half_read_stream(self) -> None:
        async with Pipeline(None, self.critique, memory=self.memory()) as pipeline:
            async for _ in pipeline.stream("a question", "an answer"):
                await self.begun.wait()
                await asyncio.Event().wait()

    async def started(self) -> None:
        async with Pipeline(None, self.critique, memory=self.memory()) as pipeline:
            await (await pipeline.start("a question", "an answer")).result()


WORK = ["pipeline", "call", "graph", "lessons", "half_read_stream", "started"]


def left() -> tuple[list[str], list[str]]:
    """Return the open files of databases and the threads, but for those of the event loop's pool."""
    for thread in threading.enumerate():
        if "_connection_worker" in thread.name:
            thread.join(timeout=5.0)  # a closed connection tells so just before its thread ends
    files: list[str] = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            files.append(str(descriptor.readlink()))
        except OSError:
            continue
    threads = [thread.name for thread in threading.enumerate() if not thread.name.startswith("pool")]
    return sorted(name for name in files if ".db" in name), sorted(threads)


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    with ThreadPoolExecutor(2, thread_name_prefix="pool") as pool:
        asyncio.get_running_loop().set_default_executor(pool)
        before = left()
        yield Host(tmp_path)
    assert left() == before  # now that the pool has ended what it had begun


async def anyio_scope(work: Callable[[], Awaitable[None]], host: Host) -> None:
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            await host.begun.wait()
            scope.cancel()


async def anyio_task_group(work: Callable[[], Awaitable[None]], host: Host) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(work)
        await host.begun.wait()
        group.cancel_scope.cancel()


async def cancelled_once(work: Callable[[], Awaitable[None]], host: Host) -> None:
    task = asyncio.ensure_future(work())
    await host.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def cancelled_again_and_again(work: Callable[[], Awaitable[None]], host: Host) -> None:
    task = asyncio.ensure_future(work())
    await host.begun.wait()
    while not task.done():
        task.cancel()
        await asyncio.sleep(0)
    assert task.cancelled()


async def asyncio_timeout(work: Callable[[], Awaitable[None]], host: Host) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(None) as limit:
            running = asyncio.get_running_loop()

            async def expire() -> None:
                await host.begun.wait()
                limit.reschedule(running.time())

            expiring = asyncio.ensure_future(expire())
            await work()
    await expiring


WAYS = [anyio_scope, anyio_task_group, cancelled_once, cancelled_again_and_again, asyncio_timeout]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("work", WORK)
async def test_cancelled_work_leaves_no_descriptor_and_no_thread(
    host: Host, work: str, way: Callable[[Callable[[], Awaitable[None]], Host], Awaitable[None]]
) -> None:
    await way(getattr(host, work), host)


async def test_ten_pipelines_that_anyio_cancels_at_once_leave_nothing(host: Host) -> None:
    async with anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(host.pipeline)
        await host.begun.wait()
        group.cancel_scope.cancel()


@pytest.mark.parametrize("awaits", [1, 2, 3, 5, 8, 13, 21, 34, 55, 89])
async def test_a_pipeline_that_is_cancelled_while_it_opens_leaves_nothing(host: Host, awaits: int) -> None:
    with anyio.CancelScope() as scope:

        async def cancel() -> None:
            for _ in range(awaits):
                await asyncio.sleep(0)
            scope.cancel()

        cancelling = asyncio.ensure_future(cancel())
        await host.pipeline()
    await cancelling


def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult.from_issues([])


async def step(text: str) -> str:
    return text


OPENED: dict[str, Callable[[], AbstractAsyncContextManager[Any]]] = {
    "pipeline": lambda: Pipeline(None, critique, memory=True),
    "graph": lambda: Graph({"a": StepNode(step, inputs={"text": "{text}"})}, inputs=["text"], output="a", memory=True),
    "memory": ReflexionMemory,
    "actor system": ActorSystem,
    "framework": lambda: Life(Pipeline(None, critique, memory=True)),
}


@pytest.mark.parametrize("what", OPENED)
async def test_opening_cancelled_at_any_await_leaves_no_task(what: str) -> None:
    entered, awaits = asyncio.Event(), 0

    async def enter() -> None:
        async with OPENED[what]():
            entered.set()
            await asyncio.Event().wait()

    while not entered.is_set():
        awaits += 1
        opening = asyncio.ensure_future(enter())
        for _ in range(awaits):
            await asyncio.sleep(0)
        opening.cancel()
        await asyncio.wait({opening})
        left = asyncio.all_tasks() - {cast("asyncio.Task[Any]", asyncio.current_task())}
        assert not left, f"cancelled at await {awaits}"


async def test_an_actor_system_that_is_cancelled_while_it_stops_has_stopped() -> None:
    system = ActorSystem()
    with anyio.CancelScope() as scope:
        async with system:
            scope.cancel()
    assert not system.is_running
