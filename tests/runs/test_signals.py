"""Tasks wait for a change, and for each other at one key."""

from __future__ import annotations

import asyncio

import pytest

from jido_ai.runs.signals import ChangeSignal, OnePerKey


async def test_a_change_wakes_all_that_wait_and_nobody_twice() -> None:
    signal, woken = ChangeSignal(), 0

    async def wait() -> None:
        nonlocal woken
        await signal.wait()
        woken += 1

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(wait()) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        await asyncio.wait({tasks[0]})
        signal.wake()
        signal.wake()
    assert woken == 2


async def test_a_change_before_the_wait_does_not_end_it() -> None:
    signal = ChangeSignal()
    signal.wake()
    task = asyncio.create_task(signal.wait())
    await asyncio.sleep(0)
    assert not task.done()
    signal.wake()
    await task


async def test_one_task_at_a_time_holds_a_key_and_other_keys_are_free() -> None:
    keys, order = OnePerKey(), list[str]()
    leave = asyncio.Event()

    async def hold(key: str, name: str) -> None:
        async with keys.hold(key):
            order.append(f"{name} in")
            await leave.wait()
            order.append(f"{name} out")

    async with asyncio.TaskGroup() as group:
        for key, name in (("a", "first"), ("a", "second"), ("a", "third"), ("b", "other")):
            group.create_task(hold(key, name))
        await asyncio.sleep(0)
        assert order == ["first in", "other in"]
        assert "a" in keys
        leave.set()
    assert order[2:] == ["first out", "other out", "second in", "second out", "third in", "third out"]
    assert "a" not in keys


async def test_a_failure_or_a_cancelled_wait_leaves_the_key_free() -> None:
    keys = OnePerKey()
    with pytest.raises(RuntimeError):
        async with keys.hold("a"):
            task = asyncio.create_task(_hold(keys))
            await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task})
            raise RuntimeError
    assert "a" not in keys
    await _hold(keys)


async def _hold(keys: OnePerKey) -> None:
    async with keys.hold("a"):
        pass
