"""Steps of a run, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any

from jido_ai.loop.state import Stop
from jido_ai.values import StopReason

Step = Coroutine[Any, Any, Stop | None]


def side_by_side(steps: Sequence[Step]) -> Step:
    """Take steps concurrently; return the first `Stop`, which cancels the others unless it only waits for a person."""
    return steps[0] if len(steps) == 1 else _group(steps)


async def _group(steps: Sequence[Step]) -> Stop | None:
    async def taken(step: Step) -> Stop | None:
        stop = await step
        if stop is not None and stop.reason is not StopReason.SUSPENDED:
            raise _Stopped(stop)
        return stop

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(taken(step)) for step in steps]
    except ExceptionGroup as errors:
        error = errors.exceptions[0]
        if isinstance(error, _Stopped):
            return error.stop
        raise error from None
    return next((stop for task in tasks if (stop := task.result()) is not None), None)


class _Stopped(Exception):
    """Cancels the other steps of a group."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop
