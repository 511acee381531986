"""Retries: how often, after how long, until when, and what comes out in the end. FAULTS 7."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from jido_ai.components.call_context import metering
from jido_ai.errors import (
    AuthenticationError,
    BudgetExceededError,
    CircuitOpenError,
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    QuotaError,
    RateLimitError,
    ReplyError,
)
from jido_ai.models.guard import Guard
from jido_ai.models.providers.headers import read_retry_after
from jido_ai.models.retry import RetryPolicy
from jido_ai.models.spending import Spending
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import ScriptedModel, without_waits
from jido_ai.values import Budget, Completion, CompletionRequest, Message

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "hello"),))
WHO: dict[str, Any] = {"provider": "openai", "model": "m"}
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def down(status: int | None = 503) -> ModelError:
    return ModelUnavailableError("down", **WHO, status=status)


def now() -> float:
    return asyncio.get_running_loop().time()


def retrying(
    *replies: Any, chance: float = 0.5, sink: Any = None, **policy: Any
) -> tuple[RetryingModel, ScriptedModel]:
    model = ScriptedModel(replies)
    return RetryingModel(model, RetryPolicy(**policy), chance=lambda: chance, sink=sink or (lambda _: None)), model


@pytest.mark.rows("C30")
async def test_the_error_with_the_number_of_tries_follows_four_retries_after_1_2_4_and_8_seconds() -> None:
    model, script = retrying(*[down()] * 5)
    with pytest.raises(ModelUnavailableError, match=r"openai:m: down \(gave up after 5 tries\)") as caught:
        await model.complete(REQUEST)
    assert now() == 15.0
    assert len(script.requests) == 5
    assert (caught.value.tries, caught.value.retryable, caught.value.status) == (5, False, 503)


async def test_without_waits_a_call_is_tried_as_often_and_at_once() -> None:
    asks = RateLimitError("slow down", provider="openai", model="m", retry_after_s=30.0)
    model = with_limits(ScriptedModel([down(), asks, down(), asks, "yes"]), guard=Guard())
    with without_waits():
        assert (await model.complete(REQUEST)).text == "yes"
        assert now() == 0.0
    again = with_limits(ScriptedModel([down(), "yes"]), guard=Guard())
    assert (await again.complete(REQUEST)).text == "yes"
    assert now() > 0.0


async def test_giving_up_does_not_change_an_error_that_is_raised_elsewhere_too() -> None:
    same = down()
    model, script = retrying(*[same] * 10)
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            await model.complete(REQUEST)
    assert len(script.requests) == 10
    assert same.retryable


@pytest.mark.rows("C31")
@pytest.mark.parametrize(("chance", "total_s"), [(0.0, 12.0), (0.999999, 18.0)])
async def test_jitter_makes_12_to_18_seconds_of_the_15(chance: float, total_s: float) -> None:
    model, _ = retrying(*[down()] * 5, chance=chance)
    with pytest.raises(ModelUnavailableError):
        await model.complete(REQUEST)
    assert now() == pytest.approx(total_s, abs=0.01)


async def test_a_late_answer_is_the_answer() -> None:
    model, script = retrying(down(), RateLimitError("later", **WHO), ModelTimeoutError("late", **WHO), "at last")
    assert (await model.complete(REQUEST)).text == "at last"
    assert (now(), len(script.requests)) == (7.0, 4)


@pytest.mark.parametrize(
    "error",
    [
        AuthenticationError("no", **WHO, status=401),
        QuotaError("no money", **WHO, status=429),
        ReplyError("html", **WHO),
    ],
    ids=repr,
)
async def test_a_lasting_error_is_raised_at_once_unchanged(error: ModelError) -> None:
    model, script = retrying(error)
    with pytest.raises(type(error)) as caught:
        await model.complete(REQUEST)
    assert caught.value is error
    assert (now(), len(script.requests), error.retryable) == (0.0, 1, type(error).retryable)


async def test_a_call_refused_by_an_open_breaker_is_not_tried_again() -> None:
    model, _ = retrying(CircuitOpenError("open", **WHO, retry_after_s=20.0))
    with pytest.raises(CircuitOpenError) as caught:
        await model.complete(REQUEST)
    assert (caught.value.retryable, caught.value.retry_after_s) == (False, 20.0)


# -- FAULTS 7: what a provider asks to wait --------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "waited_s"),
    [
        ("1", 1.0),
        ("30", 30.0),
        ("60", 60.0),
        ("0", 1.0),  # our own wait
        ("garbage", 1.0),
        ("-5", 1.0),
        ("1e400", 1.0),
        (format_datetime(NOW + timedelta(seconds=45), usegmt=True), 45.0),
        (format_datetime(NOW - timedelta(seconds=45), usegmt=True), 1.0),
    ],
)
async def test_the_wait_requested_by_a_429_is_kept(header: str, waited_s: float) -> None:
    asked_s = read_retry_after({"retry-after": header}, NOW)
    model, _ = retrying(RateLimitError("later", **WHO, status=429, retry_after_s=asked_s), "ok")
    await model.complete(REQUEST)
    assert now() == waited_s


@pytest.mark.parametrize("header", ["3600", format_datetime(NOW + timedelta(hours=1), usegmt=True)])
async def test_a_requested_wait_beyond_the_cap_is_given_up_at_once_with_the_wait(header: str) -> None:
    asked_s = read_retry_after({"retry-after": header}, NOW)
    model, script = retrying(RateLimitError("later", **WHO, status=429, retry_after_s=asked_s))
    with pytest.raises(RateLimitError, match="asked to wait 3600 s") as caught:
        await model.complete(REQUEST)
    assert (now(), len(script.requests)) == (0.0, 1)
    assert (caught.value.retry_after_s, caught.value.retryable) == (3_600.0, False)


async def test_a_requested_wait_past_the_deadline_is_given_up_at_once() -> None:
    model, _ = retrying(RateLimitError("later", **WHO, retry_after_s=30.0))
    with pytest.raises(RateLimitError, match=r"20\.0 s are left \(asked to wait 30 s\)"):
        await model.complete(REQUEST.replace(timeout_s=20.0))
    assert now() == 0.0


# -- the deadline ----------------------------------------------------------------------------------


async def test_the_timeout_of_a_request_limits_all_tries_and_each_gets_the_remaining_time() -> None:
    async def slow(_: CompletionRequest) -> Any:
        await asyncio.sleep(4.0)
        return down()

    model, script = retrying(slow, slow, slow, slow)
    with pytest.raises(ModelError) as caught:
        await model.complete(REQUEST.replace(timeout_s=10.0))
    assert [request.timeout_s for request in script.requests] == [10.0, 5.0]
    assert now() == 9.0  # after the second a wait of two seconds would reach the deadline
    assert (caught.value.tries, caught.value.retryable) == (2, False)


async def test_a_model_that_never_answers_is_ended_by_the_deadline() -> None:
    async def hang(_: CompletionRequest) -> Any:
        await asyncio.Event().wait()

    model, _ = retrying(hang, timeout_s=50.0)
    with pytest.raises(ModelTimeoutError) as caught:
        await model.complete(REQUEST)
    assert (now(), caught.value.retryable) == (50.0, False)


async def test_a_cancelled_call_is_not_tried_again() -> None:
    async def hang(_: CompletionRequest) -> Any:
        await asyncio.Event().wait()

    model, script = retrying(hang)
    task = asyncio.create_task(model.complete(REQUEST))
    await asyncio.sleep(1.0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(script.requests) == 1


# -- streams ---------------------------------------------------------------------------------------


async def test_a_stream_is_tried_again_before_its_first_piece_only() -> None:
    model, script = retrying(down(), "two words", ("a", down()))
    items = [item async for item in model.stream(REQUEST)]
    assert items[:2] == ["two ", "words"]
    assert isinstance(items[2], Completion)
    seen: list[object] = []
    with pytest.raises(ModelUnavailableError) as caught:
        async for item in model.stream(REQUEST):
            seen.append(item)
    assert (seen, caught.value.retryable) == (["a"], True)
    assert len(script.requests) == 3


async def test_a_stream_that_stops_between_two_pieces_is_ended_by_the_deadline() -> None:
    class Stuck:
        async def complete(self, request: CompletionRequest) -> Completion:
            raise NotImplementedError

        async def stream(self, request: CompletionRequest) -> Any:
            yield "a"
            await asyncio.Event().wait()

    seen: list[object] = []
    with pytest.raises(ModelTimeoutError):
        async for item in RetryingModel(Stuck()).stream(REQUEST.replace(timeout_s=7.0)):
            seen.append(item)
    assert (seen, now()) == (["a"], 7.0)


# -- events and the run's meter --------------------------------------------------------------------


@pytest.mark.rows("C34")
async def test_events_tell_of_every_retry_and_of_giving_up() -> None:
    seen: list[TelemetryEvent] = []
    model, _ = retrying(down(), down(), down(), sink=seen.append, retries=2)
    with pytest.raises(ModelUnavailableError):
        await model.complete(REQUEST)
    assert [(event.name, event.data.get("retry"), event.data["error"]) for event in seen] == [
        ("model.retried", 1, "ModelUnavailableError"),
        ("model.retried", 2, "ModelUnavailableError"),
        ("model.gave_up", None, "ModelUnavailableError"),
    ]
    assert {name: seen[0].data[name] for name in ("provider", "model", "host", "reason", "tries")} == {
        **{"provider": "scripted", "model": "scripted", "host": ""},
        **{"reason": down().message, "tries": 3},
    }


async def test_a_try_after_one_that_may_have_been_billed_is_another_call_of_the_run() -> None:
    model, script = retrying(down(), ModelTimeoutError("late", **WHO), ModelTimeoutError("late", **WHO), "never")
    meter = Spending(Budget(max_calls=2))
    mine = meter.reserve()
    with metering(meter), pytest.raises(BudgetExceededError):
        await model.complete(REQUEST)
    mine.release()
    assert meter.spent.calls == 1
    assert len(script.requests) == 3


async def test_a_log_line_for_each_wait_has_the_message_without_keys_the_wait_and_the_try(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = f"the provider answered with status 500: 'internal; key sk-{'a1B2' * 10}'"
    model, _ = retrying(*[ModelUnavailableError(said, **WHO)] * 5, retries=1)
    with pytest.raises(ModelUnavailableError):
        await RetryingModel(model.inside, RetryPolicy(retries=1), chance=lambda: 0.5).complete(REQUEST)
    (line, last) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert line.startswith("scripted:scripted: the provider answered with status 500: 'internal; key ")
    assert line.endswith("; waiting 1.0 s, try 2 of 2")
    assert last.startswith("model.gave_up")
    assert "a1B2a1B2" not in caplog.text
