"""Garbage: when the server looks through all its objects for unreachable cycles.

With a thousand runs in flight a full collection blocks the event loop for 0.1 to 0.3 s, and Python makes one whenever
enough objects have come. A run itself leaves no cycles behind, so full collections can wait until nothing is in flight,
or `_LONGEST_S` seconds. The young generations are collected as ever.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Final

_LOOK_S: Final = 1.0
_LONGEST_S: Final = 60.0
_NEVER: Final = 1_000_000


async def collect_when_idle(in_flight: Callable[[], int]) -> None:
    """Make full collections when nothing is in flight, until cancelled. It changes the thresholds of this process."""
    loop = asyncio.get_running_loop()
    young, middle, old = gc.get_threshold()
    gc.collect()
    gc.freeze()  # what is here now stays
    gc.set_threshold(young, middle, _NEVER)
    try:
        collected_at, has_worked = loop.time(), False
        while True:
            await asyncio.sleep(_LOOK_S)
            is_busy = in_flight() > 0
            has_worked |= is_busy
            if has_worked and (not is_busy or loop.time() - collected_at >= _LONGEST_S):
                gc.collect()
                collected_at, has_worked = loop.time(), is_busy
    finally:
        gc.set_threshold(young, middle, old)
