"""Work that ends properly although its caller is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import anyio
import pytest

from jido_ai.actors.to_its_end import to_its_end
from jido_ai.errors import StoreError
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult

pytestmark = pytest.mark.virtual_clock


async def fail(after_s: float = 1.0) -> None:
    await asyncio.sleep(after_s)
    raise ValueError("disk full")


async def cancelled_after(work: Any, after_s: float) -> asyncio.CancelledError:
    """Await the work in a task that is cancelled after that time; return the error of the task."""
    task = asyncio.ensure_future(work)
    await asyncio.sleep(after_s)
    task.cancel()
    with pytest.raises(asyncio.CancelledError) as raised:
        await task
    return raised.value


async def test_without_a_cancellation_the_result_or_the_error_is_that_of_the_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert await to_its_end(asyncio.sleep(1.0, "done")) == "done"
    with pytest.raises(ValueError, match="disk full"):
        await to_its_end(fail())
    assert not caplog.records


async def test_an_error_after_a_cancellation_is_logged_and_is_the_cause(caplog: pytest.LogCaptureFixture) -> None:
    error = await cancelled_after(to_its_end(fail()), 0.5)
    assert repr(error.__cause__) == "ValueError('disk full')"
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == "cleanup.failed work='fail' error='ValueError'"


async def test_work_that_ends_well_after_a_cancellation_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    error = await cancelled_after(to_its_end(asyncio.sleep(1.0)), 0.5)
    assert error.__cause__ is None
    assert not caplog.records


async def test_an_error_while_cancelled_work_cleans_up_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def open_it() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await fail()

    async def close_it() -> None:
        raise AssertionError("it was never open")

    error = await cancelled_after(to_its_end(open_it(), undo=close_it), 0.5)
    assert repr(error.__cause__) == "ValueError('disk full')"
    assert "cleanup.failed" in caplog.text


@pytest.mark.parametrize("closing", [asyncio.sleep, fail])
async def test_a_resource_opened_in_spite_of_a_cancellation_is_closed_again(
    closing: Any, caplog: pytest.LogCaptureFixture
) -> None:
    closed: list[bool] = []

    async def open_it() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(1.0)

    async def close_it() -> None:
        closed.append(True)
        await closing(1.0)

    error = await cancelled_after(to_its_end(open_it(), undo=close_it), 0.5)
    assert closed == [True]
    assert repr(error.__cause__) == ("ValueError('disk full')" if closing is fail else "None")
    assert ("cleanup.failed" in caplog.text) == (closing is fail)


async def test_a_resource_opened_as_the_cancellation_arrives_is_closed_again() -> None:
    closed: list[bool] = []

    async def open_it() -> None:
        task.cancel()

    async def close_it() -> None:
        closed.append(True)

    task = asyncio.ensure_future(to_its_end(open_it(), undo=close_it))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed == [True]


async def test_work_that_takes_too_long_is_logged_as_abandoned_and_so_is_its_late_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def stubborn() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await fail()

    await cancelled_after(to_its_end(stubborn(), within_s=3.0), 0.5)
    (record,) = caplog.records
    assert record.getMessage().startswith("cleanup.abandoned work=")
    assert record.getMessage().endswith("stubborn' limit_s=3.0")
    await asyncio.sleep(2.0)
    assert "cleanup.failed" in caplog.records[-1].getMessage()
    assert len(caplog.records) == 2


async def test_the_error_of_a_future_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    future = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(1.0, future.set_exception, ValueError("gone"))
    error = await cancelled_after(to_its_end(future), 0.5)
    assert repr(error.__cause__) == "ValueError('gone')"
    assert "error='ValueError'" in caplog.text


class BadStore:
    """A memory's store whose closing fails; everything else is that of a store in this process."""

    def __init__(self) -> None:
        from jido_ai.memory.stores.in_process import InProcessStore

        self._store = InProcessStore()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def close(self) -> None:
        await self._store.close()
        raise StoreError("the last page was not written")


@pytest.mark.parametrize("way", ["memory", "pipeline"])
async def test_an_error_in_closing_is_logged_when_anyio_has_cancelled_the_caller(
    way: str, caplog: pytest.LogCaptureFixture
) -> None:
    begun = asyncio.Event()

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        begun.set()
        await asyncio.Event().wait()
        raise AssertionError

    async def memory() -> None:
        async with ReflexionMemory(store=BadStore()):
            begun.set()
            await asyncio.Event().wait()

    async def pipeline() -> None:
        async with Pipeline(None, critique, memory=ReflexionMemory(store=BadStore())) as host:
            await host.run("a question", "an answer")

    async with anyio.create_task_group() as group:
        group.start_soon(memory if way == "memory" else pipeline)
        await begun.wait()
        group.cancel_scope.cancel()
    told = [record.getMessage() for record in caplog.records if "cleanup" in record.getMessage()]
    assert len(told) == 1
    assert "error='StoreError'" in told[0]


async def test_an_error_in_closing_without_a_cancellation_is_raised() -> None:
    with pytest.raises(StoreError, match="last page"):
        async with ReflexionMemory(store=BadStore()):
            pass
