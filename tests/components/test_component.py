"""One component as an actor: what may be one, what it may answer, how it fails, and whom that concerns."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import signal
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from typing import Any
from unittest.mock import AsyncMock

import pytest
from scripted import PROMPT, Scripted, hang, nothing_left_behind, raising, settle, text

from jido_ai.components.component import ends_the_process, method_of
from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.loop.pipeline import Pipeline, reflect_sync
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, CritiqueResult, LoopConfig, ReflectionResult, StopReason

pytestmark = pytest.mark.virtual_clock

ONCE = LoopConfig(max_iterations=1)
QUICK = LoopConfig(max_iterations=2, step_retries=1, step_timeout_s=10.0)


@pytest.fixture(autouse=True)
async def clean() -> AsyncGenerator[None]:
    async with nothing_left_behind():
        yield


def judge(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.5)


async def run(critiquer: object, generator: object = None, reviser: object = None, **config: Any) -> ReflectionResult:
    async with Pipeline(generator, critiquer, reviser, config=QUICK.replace(**config)) as pipeline:
        return await pipeline.run(PROMPT, None if generator else text(0))


# -- what is a component ---------------------------------------------------------------------------


@pytest.mark.rows("R60")
@pytest.mark.parametrize(
    ("name", "call", "given", "expected"),
    [
        ("generate", lambda prompt: prompt, ("p", "context"), "p"),
        ("critique", lambda candidate: candidate, ("c", "context"), "c"),
        ("revise", lambda candidate, critique: candidate + critique, ("c", "k", "context"), "ck"),
        ("revise", lambda candidate: candidate, ("c", "k", "context"), "c"),
        ("reflect", lambda episode: episode, ("e", "priors", "context"), "e"),
        ("critique", lambda *given: len(given), ("c", "context"), 2),
        ("critique", lambda candidate, context=None: context, ("c", "context"), "context"),
    ],
)
async def test_a_function_of_each_role_may_take_fewer_arguments(
    name: str, call: Any, given: tuple[str, ...], expected: Any
) -> None:
    async def later(*arguments: Any) -> Any:
        return call(*arguments)

    assert await method_of(call, name)(*given) == expected
    assert await method_of(functools.wraps(call)(later), name)(*given) == expected


@pytest.mark.parametrize("call", [lambda: "", lambda a, b, c: "", lambda candidate, *, wanted: ""])
def test_a_function_that_takes_other_arguments_is_refused_before_a_run(call: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"must take \(candidate, context\)"):
        method_of(call, "critique", "critiquer")


async def test_a_plain_function_is_a_component() -> None:
    assert (await run(judge)).total_iterations == 1


async def test_an_async_function_is_a_component() -> None:
    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=0.0)

    assert (await run(critique)).accepted


async def test_a_partial_of_an_async_function_is_a_component() -> None:
    async def critique(severity: float, candidate: Candidate, context: RunContext) -> CritiqueResult:
        return CritiqueResult(severity=severity)

    assert (await run(functools.partial(critique, 0.0))).accepted


async def test_an_object_with_a_plain_method_is_a_component() -> None:
    class Judge:
        def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            return CritiqueResult(severity=0.0)

    assert (await run(Judge())).accepted


async def test_an_object_whose_call_is_async_is_a_component() -> None:
    class Judge:
        async def __call__(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            return CritiqueResult(severity=0.0)

    assert (await run(Judge())).accepted


async def test_a_plain_function_that_returns_an_awaitable_is_a_component() -> None:
    script = Scripted(0.0)
    assert (await run(lambda candidate, context: script.critique(candidate, context))).accepted


async def test_an_object_that_has_every_attribute_is_a_component() -> None:
    critiquer, generator, reviser = AsyncMock(), AsyncMock(), AsyncMock()
    generator.generate.return_value = "first"
    critiquer.critique.return_value = CritiqueResult(severity=0.9)
    reviser.revise.return_value = "second"
    async with Pipeline(generator, critiquer, reviser, config=LoopConfig(max_iterations=2)) as pipeline:
        result = await pipeline.run("Say something")
    assert [iteration.candidate.content for iteration in result.iterations] == ["first", "second"], result.error


@pytest.mark.parametrize("junk", [42, object(), "ruff", Candidate])
def test_anything_else_is_refused_before_anything_starts(junk: object) -> None:
    with pytest.raises(ConfigurationError, match="critique"):
        Pipeline(critiquer=junk)


async def test_the_result_has_the_first_of_several_errors() -> None:
    async def fail(why: str) -> None:
        raise ValueError(why)

    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        async with asyncio.TaskGroup() as group:
            for number in range(5):
                group.create_task(fail(f"reason {number}"))
        return CritiqueResult(severity=0.0)

    error = (await run(critique, step_retries=0)).error
    assert error is not None
    assert "ValueError: reason 0; ValueError: reason 1; ValueError: reason 2" in error.message
    assert "reason 3" not in error.message


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "2"])
def test_an_invalid_max_concurrency_is_rejected(limit: object) -> None:
    script = Scripted()
    script.max_concurrency = limit  # type: ignore[attr-defined]
    with pytest.raises(ConfigurationError, match="max_concurrency"):
        Pipeline(critiquer=script)


async def test_plain_functions_run_on_threads_and_do_not_block_the_loop() -> None:
    threads: list[threading.Thread] = []

    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        threads.append(threading.current_thread())
        return CritiqueResult(severity=0.0)

    await run(critique)
    assert threads[0] is not threading.main_thread()


async def test_any_number_of_plain_functions_that_wait_for_each_other_all_run() -> None:
    barrier = threading.Barrier(64, timeout=30)

    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        barrier.wait()
        return CritiqueResult(severity=0.0)

    async with Pipeline(critiquer=critique, generator=lambda prompt, context: "text", config=ONCE) as pipeline:
        results = await pipeline.run_many([PROMPT] * 64)
    assert all(result.accepted for result in results)


# -- nonsense --------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [None, 0.5, {"severity": 0.5}, "fine", float("nan"), CritiqueResult])
async def test_an_invalid_critique_is_an_error_after_the_retries(answer: object) -> None:
    asked = 0

    def critique(candidate: Candidate, context: RunContext) -> object:
        nonlocal asked
        asked += 1
        return answer

    result = await run(critique)
    assert result.stop_reason is StopReason.ERROR
    assert result.error is not None
    assert (result.error.kind, result.error.component) == ("ComponentError", "critiquer")
    assert result.best_candidate is None
    assert result.iterations == ()
    assert asked == 2


@pytest.mark.parametrize("answer", [None, 3, [], ["text", 3], b"text", {"content": "x"}])
async def test_an_invalid_generation_is_an_error(answer: object) -> None:
    result = await run(judge, generator=lambda prompt, context: answer)
    assert result.error is not None
    assert result.error.component == "generator"


@pytest.mark.rows("H52", "C9")
@pytest.mark.parametrize("answer", [None, 3, "", " \n", ["text"], Candidate("")])
async def test_an_invalid_or_blank_revision_is_an_error_that_keeps_the_judged_candidates(answer: object) -> None:
    result = await run(judge, reviser=lambda candidate, critique, context: answer)
    assert result.error is not None
    assert (result.stop_reason, result.error.component) == (StopReason.ERROR, "reviser")
    assert result.best_candidate is not None
    assert result.best_candidate.content == text(0)


async def test_invalid_values_are_described_briefly_whatever_their_size() -> None:
    result = await run(lambda candidate, context: "x" * 1_000_000)
    assert result.error is not None
    assert len(result.error.message) <= 2_000


@pytest.mark.parametrize("usage", ["many", {"calls": -1}, 3])
async def test_an_unreadable_usage_is_an_invalid_answer(usage: object) -> None:
    result = await run(lambda candidate, context: CritiqueResult(severity=0.5, metadata={"usage": usage}))
    assert result.error is not None
    assert (result.stop_reason, result.error.component) == (StopReason.ERROR, "critiquer")
    assert "usage" in result.error.message


# -- failures --------------------------------------------------------------------------------------


class Worst(BaseException):
    """Not even an Exception."""


class Broken(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


FAULTS: list[Callable[[], BaseException]] = [
    lambda: ValueError("oops"),
    lambda: SystemExit(3),
    lambda: asyncio.CancelledError(),
    lambda: TimeoutError(),
    lambda: StopIteration("stop"),
    lambda: RecursionError(),
    Worst,
    Broken,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault()).__name__)
async def test_a_component_that_raises_once_is_asked_again(fault: Callable[[], BaseException]) -> None:
    script = Scripted(0.0, at={"critique 0": raising(fault())})
    assert (await run(script)).accepted
    assert script.calls == ["critique 0", "critique 0"]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault()).__name__)
async def test_a_plain_function_that_raises_once_is_asked_again(fault: Callable[[], BaseException]) -> None:
    faults = [fault()]

    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        if faults:
            raise faults.pop()
        return CritiqueResult(severity=0.0)

    assert (await run(critique)).accepted


async def test_sys_exit_in_a_component_is_an_error_of_the_run_and_not_the_end_of_the_program() -> None:
    def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        sys.exit(3)

    result = await run(critique)
    assert result.error is not None
    assert "SystemExit(3)" in result.error.message


@pytest.mark.parametrize(
    ("handler", "error", "is_meant"),
    [
        (signal.default_int_handler, KeyboardInterrupt(), True),
        (signal.SIG_IGN, KeyboardInterrupt(), False),
        (print, KeyboardInterrupt(), False),
        (signal.default_int_handler, SystemExit(), False),
        (signal.SIG_IGN, GeneratorExit(), True),
    ],
)
def test_keyboard_interrupt_is_a_crash_of_the_component_where_the_process_handles_interrupts(
    handler: object, error: BaseException, is_meant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _: handler)
    assert ends_the_process(error) is is_meant


async def test_a_component_that_raises_keyboard_interrupt_is_asked_again_as_after_other_crashes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_IGN)
    script = Scripted(0.0, at={"critique 0": raising(KeyboardInterrupt())})
    assert (await run(script)).accepted
    assert script.calls == ["critique 0", "critique 0"]


async def test_an_error_that_is_not_retryable_ends_the_run_at_once() -> None:
    class RefusedKeyError(JidoError):
        retryable = False

    script = Scripted(at={"critique 0": raising(RefusedKeyError("the key was refused"))})
    result = await run(script, step_retries=5)
    assert script.calls == ["critique 0"]
    assert result.error is not None
    assert (result.error.kind, result.error.message) == ("RefusedKeyError", "the key was refused")


async def test_a_secret_in_an_exception_reaches_neither_the_result_nor_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "jido_ai")
    key = "sk-" + "a1B2c3D4" * 4
    script = Scripted(at={"critique 0": raising(ValueError(f"401 for key {key}"))})
    result = await run(script, step_retries=0)
    assert "401" in result.model_dump_json()
    assert key not in result.model_dump_json()
    assert "401" in caplog.text
    assert key not in caplog.text


@pytest.mark.rows("M29")
async def test_a_hanging_call_is_cancelled_after_step_timeout_s_and_the_step_is_tried_again() -> None:
    ended: list[float] = []

    async def hang_and_tell() -> None:
        try:
            await hang()
        finally:
            ended.append(asyncio.get_running_loop().time())

    script = Scripted(0.0, at={"critique 0": hang_and_tell})
    async with Pipeline(critiquer=script, config=QUICK) as pipeline:
        assert (await pipeline.run(PROMPT, text(0))).accepted
        await asyncio.sleep(100)
        assert ended == [pytest.approx(10.0, abs=0.1)]


async def test_a_component_that_always_hangs_ends_the_run_with_an_error() -> None:
    async def critique(candidate: Candidate, context: RunContext) -> CritiqueResult:
        await hang()
        raise AssertionError

    result = await run(critique)
    assert result.error is not None
    assert (result.stop_reason, result.error.kind) == (StopReason.ERROR, "AskTimeoutError")
    assert result.error.message == "the critiquer did not answer within step_timeout_s=10"
    assert result.duration_s == pytest.approx(20.0, abs=0.2)


def test_a_plain_function_that_never_returns_delays_neither_the_run_nor_the_end_of_the_loop() -> None:
    never = threading.Event()
    config = LoopConfig(step_timeout_s=0.05, step_retries=0)
    result = reflect_sync(
        PROMPT, critiquer=lambda candidate, context: never.wait(), initial_candidate=text(0), config=config
    )
    never.set()
    assert result.error is not None
    assert result.error.kind == "AskTimeoutError"


async def test_the_outcome_of_a_call_is_ignored_after_its_time_limit() -> None:
    async def swallows() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            await hang()

    script = Scripted(0.0, at={"critique 0": swallows})
    result = await run(script)
    assert result.accepted
    assert script.calls == ["critique 0", "critique 0"]
    assert result.total_iterations == 1


# -- who is concerned ------------------------------------------------------------------------------


async def test_a_crash_in_one_run_does_not_disturb_the_call_of_another_in_flight() -> None:
    go = asyncio.Event()
    script = Scripted(0.0, 0.0, at={"critique 0": go.wait})
    async with Pipeline(critiquer=script, config=LoopConfig(step_retries=0)) as pipeline:
        slow = asyncio.create_task(pipeline.run(PROMPT, text(0)))
        while script.calls != ["critique 0"]:
            await asyncio.sleep(0)
        script.at["critique 1"] = raising(ValueError("crash"))
        crashed = await pipeline.run(PROMPT, text(1))
        go.set()
        result = await slow
    assert crashed.stop_reason is StopReason.ERROR
    assert result.accepted
    assert script.calls == ["critique 0", "critique 1"]


@pytest.mark.parametrize("turns", range(12))
async def test_a_call_waiting_behind_a_crashed_one_is_made(turns: int) -> None:
    gate = asyncio.Event()

    async def crash() -> None:
        await gate.wait()
        await settle(turns)
        raise ValueError("crash")

    script = Scripted(0.9, 0.0, at={"generate": gate.wait, "critique 1": crash})
    async with Pipeline(script, script, config=LoopConfig(step_retries=0, severity_threshold=1.0)) as pipeline:
        fine = asyncio.create_task(pipeline.run(PROMPT))
        crashed = asyncio.create_task(pipeline.run(PROMPT, text(1)))
        await settle()
        gate.set()
        assert (await crashed).stop_reason is StopReason.ERROR
        assert (await fine).accepted
    assert script.calls.count("critique 0") == 1


async def test_crashes_of_many_runs_never_reach_the_runs_beside_them() -> None:
    async def poisoned(candidate: Candidate, context: RunContext) -> CritiqueResult:
        await asyncio.sleep(0)
        if "poison" in context.prompt:
            raise ValueError("poison")
        return CritiqueResult(severity=0.0)

    prompts = ["poison" if index % 3 == 0 else "fine" for index in range(120)]
    config = LoopConfig(step_retries=0)
    async with Pipeline(lambda prompt, context: "text", poisoned, config=config) as pipeline:
        results = await pipeline.run_many(prompts)
    reasons = {prompt: {r.stop_reason.value for r in results if r.prompt == prompt} for prompt in set(prompts)}
    assert reasons == {"poison": {"error"}, "fine": {"accepted"}}


async def test_a_slow_step_of_one_run_never_delays_another() -> None:
    go = asyncio.Event()
    script = Scripted(0.0, 0.0, at={"critique 0": go.wait})
    async with Pipeline(critiquer=script) as pipeline:
        slow = asyncio.create_task(pipeline.run(PROMPT, text(0)))
        await settle()
        assert (await pipeline.run(PROMPT, text(1))).accepted
        assert not slow.done()
        go.set()
        await slow


async def test_max_concurrency_bounds_the_calls_at_once() -> None:
    now = most = 0

    class Judge:
        max_concurrency = 3

        async def critique(self, candidate: Candidate, context: RunContext) -> CritiqueResult:
            nonlocal now, most
            now += 1
            most = max(most, now)
            await asyncio.sleep(1)
            now -= 1
            return CritiqueResult(severity=0.0)

    async with Pipeline(lambda prompt, context: "text", Judge()) as pipeline:
        results = await pipeline.run_many([PROMPT] * 10)
    assert all(result.accepted for result in results)
    assert most == 3


async def test_a_crash_frees_its_place_under_max_concurrency() -> None:
    script = Scripted(0.0, at={"critique 0": raising(ValueError("crash"))})
    script.max_concurrency = 1  # type: ignore[attr-defined]
    assert (await run(script)).accepted


async def test_the_actor_is_restarted_clean_after_a_crash() -> None:
    script = Scripted(0.0, at={"critique 0": raising(ValueError("crash"))})
    async with Pipeline(critiquer=script) as pipeline:
        await pipeline.run(PROMPT, text(0))
        node = next(node for node in pipeline.tree().walk() if node.name.endswith(".critiquer"))
    assert (node.status, node.restarts) == ("running", 1)
