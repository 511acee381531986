"""A call whose actor is killed is answered at once, wherever it is on its way."""

from __future__ import annotations

import asyncio

import pytest

from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.testing import virtual_run
from jido_ai.values import Candidate, CritiqueResult, StopReason


class Slow:
    max_concurrency = 1

    async def generate(self, prompt: str, context: RunContext) -> str:
        await asyncio.sleep(1.0)
        return "x"


async def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult.no_issues()


async def killed_after(turns: int) -> tuple[float, set[StopReason]]:
    loop = asyncio.get_running_loop()
    async with Pipeline(Slow(), judge, name="slow") as pipeline:
        runs = [asyncio.ensure_future(pipeline.run(f"question {n}")) for n in range(2)]
        for _ in range(turns):
            await asyncio.sleep(0)
        pipeline._refs["generator"].kill()
        results = await asyncio.gather(*runs)
        return loop.time(), {result.stop_reason for result in results}


@pytest.mark.parametrize("turns", range(12))
def test_a_call_that_waits_while_its_actor_is_killed_is_made_again_at_once(turns: int) -> None:
    seconds, reasons = virtual_run(killed_after(turns))
    assert reasons == {StopReason.ACCEPTED}
    assert seconds < 5.0  # not step_timeout_s later
