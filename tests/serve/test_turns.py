"""A crowd of requests, and full garbage collections, do not hold up the event loop."""

from __future__ import annotations

import asyncio
import gc
import itertools

import pytest

from jido_ai.serve.guard import BodyTurns
from jido_ai.serve.server import collect_when_idle

pytestmark = pytest.mark.virtual_clock


async def test_only_a_few_callers_begin_per_pass_of_the_event_loop_in_order_of_arrival() -> None:
    turns, begun = BodyTurns(most=4), list[int]()

    async def caller(number: int) -> None:
        await turns.take()
        begun.append(number)

    callers = [asyncio.create_task(caller(number)) for number in range(100)]
    counts = [0]
    while len(begun) < 100:
        await asyncio.sleep(0)
        counts.append(len(begun))
    assert begun == list(range(100))
    assert max(after - before for before, after in itertools.pairwise(counts)) <= 4
    await asyncio.gather(*callers)


async def test_a_cancelled_caller_takes_no_turn() -> None:
    turns = BodyTurns(most=1)
    callers = [asyncio.create_task(turns.take()) for _ in range(5)]
    await asyncio.sleep(0)
    callers[2].cancel()
    async with asyncio.timeout(1):
        ended = await asyncio.gather(*callers, return_exceptions=True)
    assert [type(one) for one in ended] == [type(None), type(None), asyncio.CancelledError, type(None), type(None)]


async def test_a_lone_caller_does_not_wait() -> None:
    turns, passes = BodyTurns(most=1), 0
    for _ in range(3):
        taken = asyncio.create_task(turns.take())
        while not taken.done():
            await asyncio.sleep(0)
            passes += 1
        await asyncio.sleep(0)
    assert passes == 3


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the times at which a full collection is asked for."""
    times: list[float] = []
    real = gc.collect

    def collect(generation: int = 2) -> int:
        times.append(asyncio.get_running_loop().time())
        return real(0)

    monkeypatch.setattr("jido_ai.serve.server.gc.collect", collect)
    return times


async def test_garbage_is_collected_when_nothing_is_in_flight(collections: list[float]) -> None:
    thresholds, in_flight = gc.get_threshold(), 3
    start = asyncio.get_running_loop().time()
    task = asyncio.create_task(collect_when_idle(lambda: in_flight))
    try:
        await asyncio.sleep(30.5)
        assert [at - start for at in collections] == [0]  # the first, before it works
        assert gc.get_threshold()[2] > 1_000 * thresholds[2]
        in_flight = 0
        await asyncio.sleep(20)
        assert [at - start for at in collections] == pytest.approx([0, 31])  # once, then nothing has worked
        in_flight = 1
        await asyncio.sleep(150)
        assert [at - start for at in collections] == pytest.approx([0, 31, 91, 151])  # busy for long: each minute
    finally:
        task.cancel()
        await asyncio.wait([task])
    assert gc.get_threshold() == thresholds
