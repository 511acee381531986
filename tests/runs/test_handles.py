"""Handles: a run that was started goes on whoever listens."""

from __future__ import annotations

import asyncio
import gc
import threading
from contextlib import aclosing
from typing import Any

import pytest
from scripted import PROMPT, Scripted, hang, text

from jido_ai import SUSPEND, RunHandle
from jido_ai.errors import ConfigurationError, NotFoundError, RunClaimedError
from jido_ai.loop.blocking_pipeline import BlockingPipeline
from jido_ai.loop.events import Critiqued, RunStarted, RunStopped
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.values import LoopConfig, StopReason

SEVERITIES = (0.9, 0.7, 0.5, 0.1)
CONFIG = LoopConfig(max_iterations=4, timeout_s=600.0)


def piped(script: Scripted, memory: Any = None, **options: Any) -> Pipeline:
    return Pipeline(script, script, script, memory, CONFIG, **options)


class Gate:
    """Holds a run at a step until `open`."""

    def __init__(self, step: str = "critique 1") -> None:
        self.reached, self.open = asyncio.Event(), asyncio.Event()
        self.script = Scripted(*SEVERITIES, at={step: self._wait})

    async def _wait(self) -> None:
        self.reached.set()
        await self.open.wait()


async def test_a_started_run_has_a_handle_with_its_result() -> None:
    async with piped(Scripted(*SEVERITIES)) as pipeline:
        handle = await pipeline.start(PROMPT, run_id="r")
        assert isinstance(handle, RunHandle)
        assert (handle.run_id, handle.is_done) == ("r", False)
        result = await handle.result()
        assert result.accepted
        assert handle.is_done
        assert await handle.result() is result


async def test_cancelling_a_listener_ends_the_listening_alone() -> None:
    gate = Gate()
    async with piped(gate.script) as pipeline:
        handle = await pipeline.start(PROMPT)
        waiting = asyncio.ensure_future(handle.result())
        listening = asyncio.ensure_future(anext(handle.events(after=1000)))
        await gate.reached.wait()
        for task in (waiting, listening):
            task.cancel()
        await asyncio.wait({waiting, listening})
        assert waiting.cancelled()
        assert listening.cancelled()
        assert not handle._changes.waiting
        gate.open.set()
        assert (await handle.result()).accepted


async def test_events_can_be_asked_for_again_after_any_of_them_during_the_run_and_after_it() -> None:
    gate = Gate()
    async with piped(gate.script) as pipeline:
        handle = await pipeline.start(PROMPT)
        live = asyncio.ensure_future(collected(handle))
        await gate.reached.wait()
        early = [event.seq async for event in until(handle, 3)]
        gate.open.set()
        whole = await live
    assert early == [1, 2, 3]
    assert [event.seq for event in whole] == list(range(1, len(whole) + 1))
    assert isinstance(whole[0], RunStarted)
    assert isinstance(whole[-1], RunStopped)
    for after in range(len(whole) + 2):
        assert [event async for event in handle.events(after)] == whole[after:]


async def collected(handle: RunHandle) -> list[Any]:
    return [event async for event in handle.events()]


async def until(handle: RunHandle, seq: int) -> Any:
    async for event in handle.events():
        yield event
        if event.seq == seq:
            return


@pytest.mark.parametrize("after", [-1, True, 1.5, "2"])
async def test_events_after_a_value_that_is_not_a_number_are_refused(after: Any) -> None:
    async with piped(Scripted(*SEVERITIES)) as pipeline:
        handle = await pipeline.start(PROMPT)
        with pytest.raises(ConfigurationError, match="after must be a whole number of at least 0"):
            await anext(handle.events(after))


async def test_cancel_ends_the_run_with_its_result_so_far_and_does_nothing_after_the_end() -> None:
    gate = Gate()
    async with piped(gate.script) as pipeline:
        handle = await pipeline.start(PROMPT)
        await gate.reached.wait()
        await handle.cancel()
        result = await handle.result()
        assert (result.stop_reason, result.total_iterations) == (StopReason.CANCELLED, 1)
        await handle.cancel()
        assert await handle.result() is result


async def test_runs_in_flight_and_their_handles_are_found_by_id_however_they_began() -> None:
    gate = Gate()
    async with piped(gate.script, max_concurrency=1) as pipeline:
        assert pipeline.runs_in_flight() == ()
        run = asyncio.ensure_future(pipeline.run(PROMPT, run_id="one"))
        await gate.reached.wait()
        waiting = await pipeline.start(PROMPT, run_id="two")  # for its turn
        assert [handle.run_id for handle in pipeline.runs_in_flight()] == ["one", "two"]
        assert pipeline.handle("two") is waiting
        handle = pipeline.handle("one")
        assert [type(event) for event in (await asyncio.gather(*[anext(handle.events())]))] == [RunStarted]
        gate.open.set()
        assert await handle.result() == await run
        await waiting.cancel()
        await waiting.result()
        assert pipeline.runs_in_flight() == ()


async def test_a_handle_can_be_found_while_it_is_held_and_no_longer() -> None:
    async with piped(Scripted(*SEVERITIES)) as pipeline:
        handle = await pipeline.start(PROMPT, run_id="r")
        await handle.result()
        assert pipeline.handle("r") is handle
        del handle
        for _ in range(5):
            await asyncio.sleep(0)  # its task ends
        gc.collect()
        with pytest.raises(NotFoundError, match="no run 'r' is in flight; runs in flight: none"):
            pipeline.handle("r")
        await pipeline.run(PROMPT, run_id="plain")
        with pytest.raises(NotFoundError):
            pipeline.handle("plain")


@pytest.mark.parametrize("journal", [True, False])
async def test_an_id_in_flight_is_refused_to_a_second_start_at_once(journal: bool) -> None:
    gate = Gate()
    async with piped(gate.script, True, journal=journal) as pipeline:
        handle = await pipeline.start(PROMPT, run_id="r")
        with pytest.raises(RunClaimedError if journal else ConfigurationError, match="in flight"):
            await pipeline.start(PROMPT, run_id="r")
        gate.open.set()
        assert (await handle.result()).accepted


async def test_a_resumption_can_be_started_and_continues_the_numbers_of_events() -> None:
    script = Scripted(*SEVERITIES)
    async with piped(script, True) as pipeline:
        first = await pipeline.start(PROMPT, run_id="r", approve=lambda *_: SUSPEND)
        result = await first.result()
        assert result.stop_reason is StopReason.SUSPENDED
        last = [event.seq async for event in first.events()][-1]
        second = await pipeline.start(resume="r", decision=True)
        events = [event async for event in second.events()]
        assert [event.seq for event in events] == list(range(last + 1, last + 1 + len(events)))
        assert (await second.result()).accepted
        over = await pipeline.start(resume="r")  # nothing is left to do
        assert over.is_done
        assert [type(event) for event in [event async for event in over.events()]] == [RunStopped]
        assert (await over.result()).accepted
        with pytest.raises(ConfigurationError, match="resume= continues a run as it was"):
            await pipeline.start(PROMPT, resume="r")


async def test_closing_the_pipeline_ends_started_runs_with_their_results() -> None:
    gate = Gate()
    async with piped(gate.script, True) as pipeline:
        handle = await pipeline.start(PROMPT)
        await gate.reached.wait()
    assert handle.is_done
    result = await handle.result()
    assert (result.stop_reason, result.total_iterations) == (StopReason.CANCELLED, 1)


async def test_a_caller_that_is_cancelled_leaves_the_result_to_other_holders_and_the_id_to_others() -> None:
    store = InProcessStore()
    gate = Gate("revise 1")
    async with ReflexionMemory(store=store) as memory, piped(gate.script, memory) as pipeline:
        run = asyncio.ensure_future(pipeline.run(PROMPT, run_id="r"))
        await gate.reached.wait()
        handle = pipeline.handle("r")
        run.cancel()
        await asyncio.wait({run})
        result = await handle.result()
        assert (result.stop_reason, result.total_iterations) == (StopReason.CANCELLED, 2)
        kinds = [record.kind for record in await memory.records("journal", key="r")]
        assert kinds[-1] == "stopped"  # it was written before the run was released
        assert (await pipeline.resume("r")).accepted


@pytest.mark.parametrize("how", ["run", "stream"])
async def test_a_run_that_its_caller_left_is_ready_for_the_next_caller(how: str) -> None:
    gate = Gate("revise 1")
    async with ReflexionMemory() as memory, piped(gate.script, memory) as pipeline:
        if how == "run":
            run = asyncio.ensure_future(pipeline.run(PROMPT, run_id="r"))
            await gate.reached.wait()
            run.cancel()
            await asyncio.wait({run})
        else:
            async with aclosing(pipeline.stream(PROMPT, run_id="r")) as events:
                async for event in events:
                    if isinstance(event, Critiqued) and event.iteration.index == 1:
                        break
        left = await pipeline.run_or_resume(PROMPT, run_id="r")
        assert (left.stop_reason, left.total_iterations) == (StopReason.CANCELLED, 2)
        gate.open.set()
        assert (await pipeline.resume("r")).accepted


async def test_a_handle_works_only_in_its_event_loop() -> None:
    gate = Gate()
    async with piped(gate.script) as pipeline:
        handle = await pipeline.start(PROMPT)
        errors: list[BaseException] = []

        def elsewhere() -> None:
            for use in (handle.result, handle.cancel, lambda: anext(handle.events())):
                try:
                    asyncio.run(awaited(use()))
                except ConfigurationError as error:
                    errors.append(error)

        thread = threading.Thread(target=elsewhere)
        thread.start()
        await asyncio.to_thread(thread.join)
        assert ["BlockingPipeline" in str(error) for error in errors] == [True] * 3
        gate.open.set()


async def awaited(work: Any) -> Any:
    return await work


# -- run_or_resume ---------------------------------------------------------------------------------


async def test_run_or_resume_runs_once_and_then_returns_the_result() -> None:
    script = Scripted(*SEVERITIES)
    async with piped(script, True) as pipeline:
        first = await pipeline.run_or_resume(PROMPT, run_id="r")
        calls = list(script.calls)
        assert first.accepted
        assert await pipeline.run_or_resume(PROMPT, run_id="r") == first
        assert script.calls == calls


@pytest.mark.parametrize("end", ["cancelled", "max_iterations", "declined"])
async def test_run_or_resume_calls_nothing_for_a_run_that_is_over_or_was_cancelled(end: str) -> None:
    gate = Gate("critique 2")
    async with piped(gate.script, True) as pipeline:
        options: dict[str, Any] = {"approve": lambda *_: False} if end == "declined" else {}
        handle = await pipeline.start(PROMPT, run_id="r", **options)
        if end == "cancelled":
            await gate.reached.wait()
            await handle.cancel()
        gate.open.set()
        gate.script.severities = (0.9, 0.8, 0.7, 0.65)
        first = await handle.result()
        calls = list(gate.script.calls)
        again = await pipeline.run_or_resume(PROMPT, run_id="r")
        assert (again.stop_reason, again.total_iterations) == (first.stop_reason, first.total_iterations)
        assert gate.script.calls == calls
        if end == "cancelled":
            assert (await pipeline.resume("r")).stop_reason is not StopReason.CANCELLED


async def test_run_or_resume_continues_a_run_that_was_interrupted_or_ended_by_an_error() -> None:
    async with ReflexionMemory() as memory:

        class Broken(Exception):
            retryable = False

        async def fail() -> None:
            raise Broken

        script = Scripted(*SEVERITIES, at={"critique 2": fail})
        async with piped(script, memory) as pipeline:
            first = await pipeline.run(PROMPT, run_id="r")
            assert first.stop_reason is StopReason.ERROR
            done = await pipeline.run_or_resume(PROMPT, run_id="r")
            assert done.accepted
            assert script.calls.count("critique 0") == script.calls.count("generate") == 1
            lines = await memory.records("journal", key="r")
            await memory.drop_records("journal", key="r")
            await memory.append([line for line in lines if line.kind not in ("stopped", "resumed")][:-1])
            again = await pipeline.run_or_resume(PROMPT, run_id="r")
            assert again.accepted
            assert script.calls.count("critique 0") == 1


@pytest.mark.parametrize(("prompt", "candidate"), [("another", None), (PROMPT, text(0)), ("another", text(0))])
async def test_another_request_under_the_same_id_is_refused(prompt: str, candidate: str | None) -> None:
    script = Scripted(*SEVERITIES)
    async with piped(script, True) as pipeline:
        await pipeline.run_or_resume(PROMPT, run_id="r")
        calls = list(script.calls)
        with pytest.raises(ConfigurationError, match="has another prompt or initial candidate"):
            await pipeline.run_or_resume(prompt, candidate, run_id="r")
        assert script.calls == calls


async def test_the_same_request_is_recognised_although_the_journal_masks_its_secret() -> None:
    prompt = f"Why is sk-{'a1B2' * 12} refused?"
    async with piped(Scripted(*SEVERITIES), True) as pipeline:
        first = await pipeline.run_or_resume(prompt, run_id="r")
        assert (await pipeline.run_or_resume(prompt, run_id="r")).best_candidate == first.best_candidate
        with pytest.raises(ConfigurationError, match="another prompt"):
            await pipeline.run_or_resume(prompt.replace("a1", "b2"), run_id="r")


async def test_without_a_journal_run_or_resume_is_refused() -> None:
    async with piped(Scripted(*SEVERITIES)) as pipeline:
        with pytest.raises(ConfigurationError, match="no journal"):
            await pipeline.run_or_resume(PROMPT, run_id="r")


async def test_one_of_many_concurrent_calls_of_run_or_resume_runs() -> None:
    store = InProcessStore()
    scripts = [Scripted(*SEVERITIES) for _ in range(5)]

    async def one(script: Scripted) -> Any:
        async with ReflexionMemory(store=store) as memory, piped(script, memory) as pipeline:
            return await pipeline.run_or_resume(PROMPT, run_id="r")

    outcomes = await asyncio.gather(*map(one, scripts), return_exceptions=True)
    assert all(isinstance(outcome, RunClaimedError) or outcome.accepted for outcome in outcomes)
    calls = [call for script in scripts for call in script.calls]
    assert sorted(set(calls)) == sorted(calls)


# -- without an event loop -------------------------------------------------------------------------


def test_a_blocking_pipeline_starts_runs_and_asks_their_handles() -> None:
    script = Scripted(*SEVERITIES)
    with BlockingPipeline(piped(script, True)) as blocking:
        handle = blocking.start(PROMPT, run_id="r", approve=lambda *_: SUSPEND)
        assert handle.result().stop_reason is StopReason.SUSPENDED
        assert [type(event) for event in handle.events()][-1] is RunStopped
        assert handle.is_done
        assert blocking.resume("r", decision=True).accepted
        assert blocking.run_or_resume(PROMPT, run_id="r").accepted
        seen = list(blocking.stream_resumed("r"))
        assert isinstance(seen[-1], RunStopped)
        assert blocking.runs_in_flight() == ()
        with pytest.raises(NotFoundError):
            blocking.handle("unknown")


def test_a_run_started_without_an_event_loop_can_be_cancelled() -> None:
    script = Scripted(*SEVERITIES, at={"critique 1": hang})
    with BlockingPipeline(piped(script)) as blocking:
        handle = blocking.start(PROMPT, run_id="r")
        for event in handle.events():
            if isinstance(event, Critiqued):
                assert blocking.handle("r").run_id == "r"
                assert [one.run_id for one in blocking.runs_in_flight()] == ["r"]
                handle.cancel()
        assert handle.result().stop_reason is StopReason.CANCELLED


@pytest.mark.parametrize("is_followed_from_the_start", [True, False])
async def test_a_follower_of_a_run_hears_each_event_once_also_those_before(is_followed_from_the_start: bool) -> None:
    gate = Gate()
    async with piped(gate.script) as pipeline:
        handle = await pipeline.start(PROMPT)
        heard: list[Any] = []
        if is_followed_from_the_start:
            handle.follow(heard.append)
        await gate.reached.wait()
        if not is_followed_from_the_start:
            handle.follow(heard.append)
            assert isinstance(heard[0], RunStarted)
        gate.open.set()
        await handle.result()
        assert heard == [event async for event in handle.events()]
        assert isinstance(heard[-1], RunStopped)
