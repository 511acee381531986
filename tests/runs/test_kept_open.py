"""A context manager is kept open in a task of its own, whoever opens and closes it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from jido_ai.errors import ActorError
from jido_ai.runs.kept_open import KeptOpen


class Door:
    """Notes in which tasks it was entered and left.

    Attributes:
        fails: the next entering fails.
    """

    def __init__(self) -> None:
        self.entered: list[asyncio.Task[object] | None] = []
        self.left: list[asyncio.Task[object] | None] = []
        self.fails = False

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[None]:
        await asyncio.sleep(0)
        if self.fails:
            raise OSError("locked")
        self.entered.append(asyncio.current_task())
        yield
        self.left.append(asyncio.current_task())


async def test_it_is_entered_once_and_left_in_the_same_task() -> None:
    door = Door()
    kept = KeptOpen(door.opened)
    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(kept.open())
    assert len(door.entered) == 1
    await asyncio.create_task(kept.close())
    assert door.left == door.entered != [asyncio.current_task()]


async def test_it_can_be_opened_again_after_it_was_closed() -> None:
    door = Door()
    kept = KeptOpen(door.opened)
    for _ in range(2):
        await kept.open()
        await kept.close()
    await kept.close()
    assert len(door.entered) == len(door.left) == 2


async def test_an_error_reaches_all_that_open_it_and_the_next_one_tries_again() -> None:
    door = Door()
    door.fails = True
    kept = KeptOpen(door.opened)
    results = await asyncio.gather(kept.open(), kept.open(), return_exceptions=True)
    assert [type(one) for one in results] == [OSError, OSError]
    door.fails = False
    await kept.open()
    await kept.close()
    assert len(door.left) == 1


async def test_a_cancelled_caller_does_not_stop_the_others_from_entering() -> None:
    door = Door()
    kept = KeptOpen(door.opened)
    first, second = asyncio.create_task(kept.open()), asyncio.create_task(kept.open())
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert len(door.entered) == 1
    await kept.close()


def test_it_is_opened_anew_in_another_event_loop() -> None:
    door = Door()
    kept = KeptOpen(door.opened)
    asyncio.run(kept.open())
    asyncio.run(kept.open())
    assert len(door.entered) == 2


async def test_an_error_of_leaving_reaches_the_one_that_closes_it() -> None:
    @asynccontextmanager
    async def broken() -> AsyncGenerator[None]:
        yield
        raise OSError("stuck")

    kept = KeptOpen(broken)
    await kept.open()
    with pytest.raises(OSError, match="stuck"):
        await kept.close()


async def test_closing_while_it_is_entered_cancels_the_entering_and_tells_who_waits() -> None:
    never = asyncio.Event()

    @asynccontextmanager
    async def stuck() -> AsyncGenerator[None]:
        await never.wait()
        yield

    kept = KeptOpen(stuck)
    waiting = [asyncio.create_task(kept.open()) for _ in range(2)]
    await asyncio.sleep(0)
    await asyncio.wait_for(kept.close(), 5)
    for one in waiting:
        with pytest.raises(ActorError, match="closed before it was open"):
            await one


async def test_it_can_be_opened_after_an_entering_was_cut_off() -> None:
    door = Door()
    kept = KeptOpen(door.opened)
    first = asyncio.create_task(kept.open())
    await asyncio.sleep(0)
    await kept.close()
    await asyncio.wait({first})
    await kept.open()
    await kept.close()
    assert len(door.entered) == len(door.left) == 1
