"""Deadlines: never early, at most one tick late, and nothing is kept of what was answered."""

from __future__ import annotations

import asyncio
import gc
import math
import weakref
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import floats, integers, lists, tuples

from jido_ai.actors.deadlines import TICK_S, Deadlines, check_timeout
from jido_ai.errors import ConfigurationError
from jido_ai.testing import virtual_run


@pytest.mark.parametrize("timeout_s", [-1, -0.001, math.nan, math.inf, "5", True])
def test_a_timeout_below_0_or_not_a_number_is_refused(timeout_s: Any) -> None:
    with pytest.raises(ConfigurationError):
        check_timeout(timeout_s)


@pytest.mark.parametrize("timeout_s", [None, 0, 0.0, 5])
def test_none_and_0_are_timeouts(timeout_s: float | None) -> None:
    check_timeout(timeout_s)


@settings(max_examples=150, deadline=None)
@given(lists(tuples(floats(0, 3), integers(0, 40), floats(0, 5)), min_size=1, max_size=40))
def test_every_wait_ends_not_early_and_at_most_a_tick_late_and_only_if_it_is_not_done(
    waits: list[tuple[float, int, float]],
) -> None:
    ended: dict[int, float] = {}
    answered: dict[int, float] = {}
    began: dict[int, float] = {}

    async def main() -> None:
        loop = asyncio.get_running_loop()
        deadlines: Deadlines[int] = Deadlines(
            loop,
            lambda items: [item for item in items if item not in answered],
            lambda item, _: ended.update({item: loop.time()}),
        )

        def begin(item: int, timeout_s: float) -> None:
            began[item] = loop.time()
            deadlines.watch(item, timeout_s)

        for item, (at, twentieths, answer) in enumerate(waits):
            loop.call_at(at, begin, item, twentieths / 20)
            if item % 2:
                loop.call_at(
                    at + answer,
                    lambda item=item: answered.setdefault(item, loop.time()) if item not in ended else None,
                )
        await asyncio.sleep(20)
        assert not deadlines.lanes  # nothing waits, so nothing is kept, and no timer runs

    virtual_run(main())
    for item, (_, twentieths, _) in enumerate(waits):
        if item in ended:
            late_s = ended[item] - began[item] - twentieths / 20
            assert -1e-9 <= late_s <= TICK_S + 1e-9
            assert item not in answered
        else:
            assert item in answered


def test_answered_items_are_released_long_before_their_deadline() -> None:
    async def main() -> None:
        done: set[int] = set()
        deadlines: Deadlines[int] = Deadlines(
            asyncio.get_running_loop(), lambda items: [item for item in items if item not in done], lambda *_: None
        )
        lane = deadlines.open_lane(3600.0)
        for batch in range(100):
            for item in range(batch * 100, batch * 100 + 100):
                deadlines.watch(item, 3600.0)
            await asyncio.sleep(0.05)
            done.update(range(batch * 100, batch * 100 + 100))
        await asyncio.sleep(0.05)
        held = sum(len(items) for _, items in lane._sealed)
        assert held <= 2048
        deadlines.close()

    virtual_run(main())


@pytest.mark.virtual_clock
async def test_a_dropped_lane_leaves_no_timer() -> None:
    done: set[int] = set()

    def expire(item: int, timeout_s: float) -> None:
        raise AssertionError(item, timeout_s)

    deadlines: Deadlines[int] = Deadlines(
        asyncio.get_running_loop(), lambda items: [item for item in items if item not in done], expire
    )
    deadlines.watch(1, 3600.0)
    await asyncio.sleep(2 * TICK_S)  # it is sealed, and due in an hour
    done.add(1)
    deadlines.watch(2, 3600.0)
    done.add(2)
    await asyncio.sleep(4 * TICK_S)
    assert not deadlines.lanes
    gone = weakref.ref(expire)
    del deadlines, expire
    gc.collect()
    assert gone() is None
