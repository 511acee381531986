"""The events of a run inside of a server's request; the run ends with their iteration."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from functools import partial

from jido_ai.graph.events import GraphEvent
from jido_ai.graph.results import GraphResult
from jido_ai.integrations.common import Life, advance
from jido_ai.loop.pipeline import Approve
from jido_ai.runs.questions import Decision
from jido_ai.values import ReflectionResult


async def progress(
    life: Life,
    prompt: str | None,
    *,
    run_id: str | None = None,
    approve: Approve | None = None,
    decision: Decision | None = None,
) -> AsyncGenerator[GraphEvent | ReflectionResult | GraphResult]:
    """Yield the events of a run, and last its result. Closing the generator ends the run. See `advance`."""
    queue: asyncio.Queue[GraphEvent | None] = asyncio.Queue()
    here = asyncio.get_running_loop()
    emit = partial(here.call_soon_threadsafe, queue.put_nowait)
    work = partial(advance, life.pipeline, prompt, run_id=run_id, approve=approve, decision=decision, emit=emit)
    task = asyncio.create_task(life.run(work), name="jido-progress")
    task.add_done_callback(lambda _: emit(None))
    try:
        while (event := await queue.get()) is not None:
            yield event
        yield await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
