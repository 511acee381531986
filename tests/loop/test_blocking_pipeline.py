"""A pipeline for code without an event loop: one thread, the same results, errors and context."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, assert_type, cast

import pytest

from jido_ai.errors import ComponentError, ConfigurationError
from jido_ai.graph.graph import Graph
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.events import RunStopped
from jido_ai.loop.pipeline import Pipeline
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, ModelCall, ReflectionResult, StopReason

TENANT: ContextVar[str] = ContextVar("tenant", default="none")


async def generate(prompt: str, context: RunContext) -> str:
    await asyncio.sleep(0)
    return f"{prompt} for {TENANT.get()}"


def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


def new() -> BlockingPipeline:
    return BlockingPipeline(Pipeline(generate, critique))


def text_of(result: Any) -> str:
    assert result.stop_reason is StopReason.ACCEPTED
    return cast("str", result.best_candidate.content)


def test_a_blocking_pipeline_runs_one_prompt_or_many_and_streams() -> None:
    with new() as blocking:
        assert text_of(blocking.run("one")) == "one for none"
        assert [text_of(result) for result in blocking.run_many(["a", "b"])] == ["a for none", "b for none"]
        events = list(blocking.stream("two"))
    last = events[-1]
    assert isinstance(last, RunStopped)
    assert text_of(last.result) == "two for none"
    assert len(events) > 2


@pytest.mark.parametrize("kind", [Pipeline, Graph])
def test_every_public_method_that_takes_an_event_loop_is_there(kind: type) -> None:
    found = inspect.getmembers(kind, lambda one: inspect.iscoroutinefunction(one) or inspect.isasyncgenfunction(one))
    names = {name for name, _ in found if not name.startswith("_")} | {"stream", "stream_resumed", "handle"}
    assert {name for name in names if not callable(getattr(BlockingPipeline, name, None))} == set()


def test_calls_prices_and_verdicts_are_there_without_an_event_loop() -> None:
    with BlockingPipeline(Pipeline(generate, critique, memory=True)) as blocking:
        assert_type(blocking.run("q", run_id="r"), ReflectionResult[Any])
        assert assert_type(blocking.calls("r"), tuple[ModelCall, ...]) == ()
        assert assert_type(blocking.critique("q", "text"), CritiqueResult).severity == 0.0
        assert blocking.check_prices() is None
        assert blocking.questions("r") == ()


def test_components_see_the_context_of_the_calling_thread() -> None:
    def ask(tenant: str) -> str:
        TENANT.set(tenant)
        streamed = list(blocking.stream("s"))[-1]
        assert isinstance(streamed, RunStopped)
        return f"{text_of(blocking.run('q'))}, {text_of(streamed.result)}"

    with new() as blocking, ThreadPoolExecutor(4) as threads:
        tenants = [f"t{number}" for number in range(12)]
        assert list(threads.map(ask, tenants)) == [f"q for {one}, s for {one}" for one in tenants]


def test_without_a_with_statement_it_starts_on_first_use_and_ends_on_close() -> None:
    before = threading.active_count()
    blocking = new()
    assert threading.active_count() == before
    assert text_of(blocking.run("q")) == "q for none"
    blocking.close()
    blocking.close()
    assert threading.active_count() == before
    with pytest.raises(ConfigurationError, match="is closed"):
        blocking.run("q")


async def test_it_works_beside_a_running_event_loop() -> None:
    with new() as blocking:
        assert text_of(blocking.run("q")) == "q for none"


def test_leaving_a_stream_early_cancels_its_run() -> None:
    cancelled = threading.Event()

    async def wait(candidate: Candidate, context: RunContext) -> CritiqueResult:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return CritiqueResult(severity=0.0)

    with BlockingPipeline(Pipeline(generate, wait)) as blocking:
        events = blocking.stream("q")
        next(events)
        next(events)
        cast("Any", events).close()
        assert cancelled.wait(10)


def test_an_error_while_entering_is_raised_and_a_failed_run_is_a_result() -> None:
    with pytest.raises(ConfigurationError, match="needs a Pipeline or a Graph, got"):
        BlockingPipeline(cast("Pipeline", object()))
    pipeline = Pipeline(generate, critique)
    with BlockingPipeline(pipeline), pytest.raises(ConfigurationError):
        BlockingPipeline(pipeline).run("q")

    def fails(prompt: str, context: RunContext) -> str:
        raise ComponentError("no luck")

    with BlockingPipeline(Pipeline(fails, critique)) as blocking:
        result = blocking.run("q")
    assert result.stop_reason is StopReason.ERROR


def test_a_component_that_uses_its_own_pipeline_is_refused_and_nothing_hangs() -> None:
    async def asks_itself(prompt: str, context: RunContext) -> str:
        blocking.run("again")
        return "never"

    with BlockingPipeline(Pipeline(asks_itself, critique)) as blocking:
        result = blocking.run("q")
    assert result.error is not None
    assert "would wait for itself" in result.error.message


FORKED = """
import os, sys, threading
from jido_ai import BlockingPipeline, CritiqueResult, Pipeline
from jido_ai.errors import ConfigurationError

def pipeline():
    return BlockingPipeline(Pipeline(lambda *_: "text", lambda *_: CritiqueResult(severity=0.0)))

used, unused = pipeline(), pipeline()
assert used.run("hi").accepted
child = os.fork()
if child == 0:
    said = []
    for call in (lambda: used.run("hi"), lambda: used.run_many(["a"]), lambda: list(used.stream("a"))):
        try:
            call()
        except ConfigurationError as error:
            said.append(str(error))
    used.close()
    ok = len(said) == 3 and all("fork" in one for one in said) and unused.run("hi").accepted
    unused.close()
    os._exit(0 if ok else 1)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert used.run("again").accepted
used.close()
sys.exit(status)
"""


def test_a_forked_process_must_make_a_pipeline_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
