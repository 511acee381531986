"""A time limit leaves what is inside to a tighter one around it, unless that could not end it."""

import asyncio

import pytest

from jido_ai.components.time_limit import TimeLimit

pytestmark = pytest.mark.virtual_clock


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_a_time_limit_interrupts_at_its_deadline() -> None:
    began, limit = now(), TimeLimit(now() + 3.0)
    with pytest.raises(TimeoutError):
        async with limit:
            await asyncio.sleep(10.0)
    assert limit.expired()
    assert now() == pytest.approx(began + 3.0)


@pytest.mark.parametrize(("outer_s", "inner_s", "ends_inner"), [(3.0, 3.0, False), (2.0, 3.0, False), (3.0, 2.0, True)])
async def test_the_outer_of_two_equal_limits_interrupts(outer_s: float, inner_s: float, ends_inner: bool) -> None:
    began = now()
    outer, inner = TimeLimit(began + outer_s), TimeLimit(began + inner_s)
    with pytest.raises(TimeoutError):
        async with outer, inner:
            await asyncio.sleep(10.0)
    assert (outer.expired(), inner.expired()) == (not ends_inner, ends_inner)
    assert now() == pytest.approx(began + min(outer_s, inner_s))


async def test_a_time_limit_in_its_own_task_interrupts_by_itself() -> None:
    began = now()

    async def inside() -> None:
        async with TimeLimit(began + 5.0):
            await asyncio.sleep(10.0)

    async with TimeLimit(began + 4.0):
        task = asyncio.ensure_future(inside())  # with a copy of our context
        await asyncio.sleep(1.0)
    with pytest.raises(TimeoutError):
        await task
    assert now() == pytest.approx(began + 5.0)


async def test_an_inner_limit_interrupts_again_after_the_outer_has_ended() -> None:
    began = now()
    async with TimeLimit(began + 1.0):
        pass
    with pytest.raises(TimeoutError):
        async with TimeLimit(began + 2.0):
            await asyncio.sleep(10.0)


async def test_a_limit_during_cleanup_does_not_rely_on_one_that_has_already_interrupted() -> None:
    began = now()
    inner = TimeLimit(began + 2.0)
    with pytest.raises(TimeoutError):
        async with TimeLimit(began + 1.0):
            try:
                await asyncio.sleep(10.0)
            finally:
                async with inner:
                    await asyncio.sleep(10.0)
    assert inner.expired()
    assert now() == pytest.approx(began + 2.0)


async def test_a_past_deadline_interrupts_at_the_first_wait() -> None:
    began, limit = now(), TimeLimit(now() - 1.0)
    with pytest.raises(TimeoutError):
        async with TimeLimit(began + 5.0), limit:
            await asyncio.sleep(10.0)
    assert limit.expired()
    assert now() == began


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_cancellation_from_outside_at_the_same_moment_is_not_swallowed(is_first: bool) -> None:
    async def work() -> None:
        async with TimeLimit(now() + 3.0), TimeLimit(now() + 3.0):
            await asyncio.sleep(10.0)

    loop, began = asyncio.get_running_loop(), now()
    handles: list[asyncio.TimerHandle] = []

    def cancel_at_three() -> None:
        handles.append(loop.call_at(began + 3.0, lambda: task.cancel()))

    if is_first:
        cancel_at_three()
    task = asyncio.create_task(work())
    await asyncio.sleep(0)
    if not is_first:
        cancel_at_three()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert task.cancelled()
