"""A step of a run is stopped when nothing happens in it, not when a model takes long."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from jido_ai.components.time_limit import waiting_for_model
from jido_ai.errors import ModelTimeoutError, ModelUnavailableError, RateLimitError
from jido_ai.loop.events import ComponentRestarted, RunEvent
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.protocols import RunContext
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import ScriptedModel
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, ReflectionResult, StopReason

pytestmark = pytest.mark.virtual_clock

CONFIG = LoopConfig(max_iterations=1, timeout_s=600.0, step_timeout_s=60.0, step_retries=0)


async def content(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def run(generator: Any, config: LoopConfig = CONFIG) -> tuple[ReflectionResult, float]:
    began = asyncio.get_running_loop().time()
    async with Pipeline(generator, content, config=config) as pipeline:
        result = await pipeline.run("hi")
        return result, asyncio.get_running_loop().time() - began


def answers_after(seconds: float) -> ScriptedModel:
    async def reply(_: object) -> str:
        await asyncio.sleep(seconds)
        return "an answer"

    return ScriptedModel(reply)


async def test_a_model_may_take_longer_than_a_step_up_to_its_own_limit() -> None:
    result, _ = await run(LLMGenerator(answers_after(110.0)))
    assert (result.stop_reason, result.error) == (StopReason.ACCEPTED, None)
    result, took_s = await run(LLMGenerator(answers_after(130.0)))
    assert result.error is not None
    assert (result.error.kind, result.error.component) == ("ModelTimeoutError", "generator")
    assert result.error.message == "scripted:scripted: the model did not answer in 120 s"
    assert took_s == pytest.approx(120.0)


async def test_a_component_that_hangs_beside_its_model_is_stopped() -> None:
    async def asks_and_hangs(prompt: str, context: RunContext) -> str:
        with waiting_for_model():
            await asyncio.sleep(100.0)
        await asyncio.sleep(1_000.0)
        return "too late"

    result, took_s = await run(asks_and_hangs)
    assert result.error is not None
    assert (result.error.kind, took_s) == ("AskTimeoutError", pytest.approx(160.0))
    assert "the generator did not answer within step_timeout_s=60" in result.error.message


async def test_a_step_waits_for_the_slower_of_two_concurrent_models() -> None:
    async def asks_two(prompt: str, context: RunContext) -> str:
        async def wait(seconds: float) -> None:
            with waiting_for_model():
                await asyncio.sleep(seconds)

        await asyncio.gather(wait(30.0), wait(100.0))
        await asyncio.sleep(50.0)
        return "in time"

    assert (await run(asks_two))[0].error is None


async def test_the_time_limit_of_the_run_applies_while_waiting_for_a_model() -> None:
    config = CONFIG.replace(timeout_s=90.0)
    result, took_s = await run(LLMGenerator(answers_after(500.0)), config)
    assert (result.stop_reason, took_s) == (StopReason.DEADLINE, pytest.approx(90.0))


async def test_waits_between_tries_and_for_the_provider_do_not_count_as_hanging() -> None:
    busy = RateLimitError("too many requests", provider="p", model="m", retry_after_s=50.0)
    model = ScriptedModel([busy, busy, "an answer"], provider="p", model="m")
    result, took_s = await run(LLMGenerator(with_limits(model), timeout_s=300.0))
    assert (result.error, took_s) == (None, pytest.approx(100.0))


async def test_a_wait_in_a_run_inside_of_a_component_counts_for_the_outer_step_too() -> None:
    async def asks_a_pipeline(prompt: str, context: RunContext) -> str:
        async with Pipeline(LLMGenerator(answers_after(110.0)), content, config=CONFIG) as inner:
            result = await inner.run(prompt)
        assert result.best_candidate is not None
        return result.best_candidate.content

    result, _ = await run(asks_a_pipeline)
    assert result.error is None


@pytest.mark.parametrize(
    "failure",
    [
        ModelTimeoutError("the model did not answer in 120 s", provider="p", model="m", host="box:80"),
        ModelUnavailableError("status 500: 'internal'", provider="p", model="m", host="box:80"),
    ],
)
async def test_a_failure_of_a_model_is_reported_as_such_and_crashes_no_actor(failure: Exception) -> None:
    seen: list[TelemetryEvent] = []
    happened: list[RunEvent] = []
    generator = LLMGenerator(ScriptedModel([failure, "an answer"]))
    config = CONFIG.replace(step_retries=1)
    async with Pipeline(generator, content, config=config, sink=seen.append) as pipeline:
        async for event in pipeline.stream("hi"):
            happened.append(event)
    assert [event.name for event in seen if "crashed" in event.name or "restarted" in event.name] == []
    (again,) = [event for event in happened if isinstance(event, ComponentRestarted)]
    assert (again.component, again.attempt) == ("generator", 1)
    assert again.error == str(failure)


async def test_any_other_failure_restarts_the_actor() -> None:
    seen: list[TelemetryEvent] = []
    calls: list[str] = []

    async def fails_once(prompt: str, context: RunContext) -> str:
        calls.append(prompt)
        if len(calls) == 1:
            raise ValueError("a bug")
        return "an answer"

    config = CONFIG.replace(step_retries=1)
    async with Pipeline(fails_once, content, config=config, sink=seen.append) as pipeline:
        assert (await pipeline.run("hi")).error is None
    assert "actor.crashed" in [event.name for event in seen]


@pytest.mark.parametrize("message", ["internal", "the server had an error"])
async def test_a_provider_that_is_always_down_is_reported_with_its_last_failure(message: str) -> None:
    waits: list[TelemetryEvent] = []
    down = ModelUnavailableError(f"status 500: '{message}'", provider="p", model="m", host="box:80", status=500)
    model = ScriptedModel(lambda _: down, provider="p", model="m", base_url="http://box:80/v1")
    result, _ = await run(LLMGenerator(with_limits(model, sink=waits.append)))
    assert result.error is not None
    assert result.error.message == f"p:m at box:80: status 500: '{message}' (gave up after 5 tries)"
    told = [event.data["reason"] for event in waits if event.name in ("model.retried", "model.held")]
    assert told == [f"status 500: '{message}'"] * len(told)
    assert len(told) >= 4, "the waits before the four further tries"
