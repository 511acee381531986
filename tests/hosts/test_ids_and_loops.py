"""What a host may pass by mistake is refused with one error, and what a run kept is freed with its last handle."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from jido_ai.errors import ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.graph.nodes import StepNode
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.runs.handle import RunHandle
from jido_ai.values import Candidate, CritiqueResult

NO_TEXTS: list[Any] = [None, "", "  ", "\n", 3, b"run"]


async def generate(prompt: str, context: RunContext) -> str:
    return prompt


def upper(text: str) -> str:
    return text.upper()


def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def fail(candidate: Candidate, context: RunContext) -> CritiqueResult:
    raise ValueError("no")


async def wait(candidate: Candidate, context: RunContext) -> CritiqueResult:
    await asyncio.Event().wait()
    raise AssertionError


def pipeline() -> Pipeline:
    return Pipeline(generate, critique, memory=True)


def graph() -> Graph:
    return Graph({"a": StepNode(upper, inputs={"text": "{x}"})}, inputs=["x"], output="a", memory=True)


def calls_of(host: Any, bad: Any, given: Any) -> dict[str, Any]:
    return {
        "resume": lambda: host.resume(bad),
        "stream_resumed": lambda: anext(host.stream_resumed(bad)),
        "run_or_resume": lambda: host.run_or_resume(given, run_id=bad),
        "cancel": lambda: host.cancel(bad),
        "calls": lambda: host.calls(bad),
        **({} if bad is None else {"run": lambda: host.run(given, run_id=bad)}),
        **({} if bad is None else {"start": lambda: host.start(resume=bad)}),
    }


@pytest.mark.parametrize("bad", NO_TEXTS, ids=repr)
@pytest.mark.parametrize("make", [pipeline, graph])
async def test_an_id_that_is_blank_or_no_text_is_refused(make: Any, bad: Any) -> None:
    async with make() as host:
        for name, call in calls_of(host, bad, "q" if make is pipeline else {"x": "q"}).items():
            with pytest.raises(ConfigurationError, match="run_id must be a text that is not blank"):
                await call()
            assert not host.runs_in_flight(), name
        with pytest.raises(ConfigurationError, match="run_id"):
            host.handle(bad)


@pytest.mark.parametrize("bad", NO_TEXTS, ids=repr)
async def test_a_prompt_that_is_blank_or_no_text_is_refused(bad: Any) -> None:
    async with pipeline() as host:
        for call in (host.run, host.start, lambda prompt: anext(host.stream(prompt))):
            with pytest.raises(ConfigurationError, match="prompt must be a text that is not blank"):
                await call(bad)
        with pytest.raises(ConfigurationError, match="prompt must be a text that is not blank"):
            await host.run_many(["a", bad])


@pytest.mark.parametrize("bad", ["", " ", 3, b"yes"], ids=repr)
async def test_a_decision_that_is_blank_or_none_of_its_types_is_refused(bad: Any) -> None:
    async with pipeline() as host:
        await host.run("q", "a", run_id="one")
        with pytest.raises(ConfigurationError, match="decision must"):
            await host.resume("one", decision=bad)


@pytest.mark.parametrize("critic", [critique, fail, wait])
async def test_the_events_of_a_run_are_freed_with_its_last_handle(critic: Any) -> None:
    async def ended(handle: Any) -> None:
        async for _ in handle.events():
            break  # not read to the end
        if critic is wait:
            await handle.cancel()
        await handle.result()

    async with Pipeline(None, critic, memory=True) as host:
        for _ in range(6):
            await ended(await host.start("q", "a"))
        await host.run("q", "a") if critic is not wait else None
        kept = 6
        for _ in range(1000):  # until the last actor has ended
            await asyncio.sleep(0)
            kept = sum(isinstance(one, RunHandle) for one in gc.get_objects())
            if not kept:
                break
            gc.collect()
        assert not kept


async def test_under_another_kind_of_event_loop_the_error_says_so() -> None:
    host = pipeline()
    coroutine = host.__aenter__()
    with pytest.raises(ConfigurationError, match="no event loop of asyncio"):
        await asyncio.to_thread(coroutine.send, None)  # as trio does: no loop of asyncio runs there
