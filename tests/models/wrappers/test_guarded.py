"""Breaker, rate limits and calls at once: what a provider in trouble, and one that is not, gets to see. FAULTS 6."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any

import pytest

from jido_ai.errors import (
    BadRequestError,
    CircuitOpenError,
    ConfigurationError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from jido_ai.models.guard import GUARD, Guard, GuardLimits
from jido_ai.models.providers.headers import RateLimits
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.telemetry import TelemetryEvent, waiting_line
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest, Message

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "hello"),), timeout_s=100.0)
DOWN = ModelUnavailableError("down", provider="p", model="m", status=503)


def now() -> float:
    return asyncio.get_running_loop().time()


class Provider:
    """Is down for a while, and keeps the time of every call."""

    def __init__(self, down_until: float = 0.0, takes_s: float = 0.0) -> None:
        self.down_until = down_until
        self.takes_s = takes_s
        self.calls: list[float] = []
        self.at_once = self.most_at_once = 0

    def model(self, name: str = "m", provider: str = "p", base_url: str = "http://here") -> ScriptedModel:
        return ScriptedModel(self.answer, provider=provider, model=name, base_url=base_url)

    async def answer(self, request: CompletionRequest) -> Any:
        self.calls.append(now())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.takes_s)
        finally:
            self.at_once -= 1
        return DOWN if now() < self.down_until else "ok"


@pytest.fixture(params=["own", "common"])
def guard(request: pytest.FixtureRequest) -> Guard:
    return Guard() if request.param == "own" else GUARD


async def together(calls: Sequence[Awaitable[Any]]) -> list[Any]:
    return await asyncio.gather(*calls, return_exceptions=True)


async def times(model: GuardedModel, number: int, request: CompletionRequest = REQUEST) -> list[Any]:
    """Make that many calls one after the other; return answers and errors."""
    return [(await together([model.complete(request)]))[0] for _ in range(number)]


# -- the breaker -----------------------------------------------------------------------------------


@pytest.mark.rows("C40")
async def test_five_failures_open_the_breaker_and_the_fifth_call_waits_for_the_provider(guard: Guard) -> None:
    provider = Provider(down_until=70.0)
    model = GuardedModel(provider.model(), guard)
    assert [type(end) for end in await times(model, 4)] == [ModelUnavailableError] * 4
    assert (await model.complete(REQUEST)).text == "ok"
    assert provider.calls == [0.0] * 5 + [30.0, 60.0, 90.0]


async def test_while_the_breaker_is_open_all_calls_wait_for_the_answer_of_one_probe(guard: Guard) -> None:
    provider = Provider(down_until=20.0, takes_s=1.0)
    models = [GuardedModel(provider.model(), guard) for _ in range(3)]
    ends = await together([models[index % 3].complete(REQUEST) for index in range(30)])
    assert len([end for end in ends if isinstance(end, Completion)]) == 26, ends
    assert len([end for end in ends if isinstance(end, ModelUnavailableError)]) == 4  # before it opened
    assert provider.calls == [0.0] * 30 + [31.0] + [32.0] * 25


async def test_in_the_failing_mode_a_call_fails_at_once_with_the_time_of_the_next_probe(guard: Guard) -> None:
    seen: list[TelemetryEvent] = []
    model = GuardedModel(Provider(down_until=10.0).model(), guard, when_open="fail", sink=seen.append)
    assert [type(end) for end in await times(model, 5)] == [ModelUnavailableError] * 5
    await asyncio.sleep(12.0)
    with pytest.raises(CircuitOpenError, match=r"p:m at here: down; .*5 times in a row; the .* in 18\.0 s") as caught:
        await model.complete(REQUEST)
    assert caught.value.retry_after_s == 18.0
    await asyncio.sleep(18.0)
    assert (await model.complete(REQUEST)).text == "ok"
    names = [event.name for event in seen if event.name.startswith("provider.")]
    assert names == ["provider.failed", "provider.recovered"]


async def test_a_call_whose_deadline_is_before_the_next_probe_does_not_wait_for_it(guard: Guard) -> None:
    model = GuardedModel(Provider(down_until=1e6).model(), guard)
    await times(model, 4)
    with pytest.raises(CircuitOpenError):
        await model.complete(REQUEST.replace(timeout_s=29.0))
    assert now() == 0.0


async def test_a_refusal_is_an_answer_and_a_busy_provider_is_not_down(guard: Guard) -> None:
    errors = [BadRequestError("no", provider="p"), RateLimitError("later", provider="p")]
    script = ScriptedModel([*[DOWN] * 4, errors[0], *[DOWN] * 4, errors[1], *[DOWN] * 4, "ok"], provider="p")
    ends = await times(GuardedModel(script, guard), 15)
    assert len(script.requests) == 15
    assert ends[-1].text == "ok"


async def test_another_address_provider_and_model_have_breakers_of_their_own(guard: Guard) -> None:
    down, up = Provider(down_until=1e6), Provider()
    await times(GuardedModel(down.model(), guard, when_open="fail"), 6)
    for other in (up.model(base_url="http://there"), up.model(provider="q"), up.model("other")):
        assert (await GuardedModel(other, guard, when_open="fail").complete(REQUEST)).text == "ok"
    with pytest.raises(CircuitOpenError):
        await GuardedModel(up.model(), guard, when_open="fail").complete(REQUEST)


async def test_a_request_for_another_model_passes_the_breaker_of_the_usual_one(guard: Guard) -> None:
    provider = Provider(down_until=1e6)
    model = GuardedModel(provider.model(), guard, when_open="fail")
    await times(model, 6)
    provider.down_until = 0.0
    assert (await model.complete(REQUEST.replace(model="other"))).text == "ok"
    with pytest.raises(CircuitOpenError, match="p:m at here: down"):
        await model.complete(REQUEST)


async def test_a_probe_that_is_cancelled_does_not_keep_the_others_out(guard: Guard) -> None:
    provider = Provider(down_until=10.0)
    model = GuardedModel(provider.model(), guard)
    await times(model, 4)
    await together([model.complete(REQUEST.replace(timeout_s=20.0))])  # opens it
    provider.takes_s = 1_000.0
    first = asyncio.create_task(model.complete(REQUEST))
    await asyncio.sleep(35.0)
    second = asyncio.create_task(model.complete(REQUEST))
    await asyncio.sleep(1.0)
    first.cancel()
    provider.takes_s = 0.0
    assert (await second).text == "ok"
    assert provider.calls[-2:] == [30.0, 60.0]


async def test_a_stream_passes_and_is_not_restarted_once_it_has_begun(guard: Guard) -> None:
    script = ScriptedModel(["two words", *[DOWN] * 4, ("a", DOWN)], provider="p")
    model = GuardedModel(script, guard)
    assert [item async for item in model.stream(REQUEST)][:2] == ["two ", "words"]
    await times(model, 4)
    seen: list[object] = []
    with pytest.raises(ModelUnavailableError):
        async for item in model.stream(REQUEST):
            seen.append(item)
    assert seen == ["a"]


async def test_all_calls_to_a_provider_wait_as_long_as_it_asks(guard: Guard) -> None:
    later = RateLimitError("later", provider="p", retry_after_s=20.0)
    script = ScriptedModel([later, "ok"], provider="p")
    with pytest.raises(RateLimitError):
        await GuardedModel(script, guard).complete(REQUEST)
    await GuardedModel(script, guard).complete(REQUEST)
    assert now() == 20.0


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 7, 60])
async def test_no_minute_has_more_requests_than_the_limit(limit: int, guard: Guard) -> None:
    provider = Provider()
    model = GuardedModel(provider.model(), guard, GuardLimits(requests_per_minute=limit))
    number = 2 * limit + 3
    await together([model.complete(REQUEST.replace(timeout_s=10_000.0)) for _ in range(number)])
    calls = provider.calls
    assert len(calls) == number
    assert max(sum(start <= time < start + 60.0 - 1e-6 for time in calls) for start in calls) <= limit
    assert calls[-1] <= 60.0 * number / limit * 1.12  # and not many fewer


async def test_no_minute_has_many_more_tokens_than_the_limit_and_large_calls_get_their_turn(guard: Guard) -> None:
    provider = Provider()
    model = GuardedModel(provider.model(), guard, GuardLimits(tokens_per_minute=6_000))
    small = REQUEST.replace(max_tokens=90, timeout_s=10_000.0)  # 100 tokens
    large = REQUEST.replace(max_tokens=8_990, timeout_s=10_000.0)  # 9,000
    await together([model.complete(request) for request in (small, large, *[small] * 30)])
    assert provider.calls[1] >= 80.0  # it takes a minute and a half
    assert provider.calls[1] < provider.calls[2]  # first come, first served
    assert provider.calls[-1] == pytest.approx((9_000 + 31 * 100 - 600) / 5_401 * 60.0, rel=0.02)


async def test_no_more_calls_run_at_once_than_the_limit_and_a_cancelled_one_makes_room(guard: Guard) -> None:
    provider = Provider(takes_s=1.0)
    model = GuardedModel(provider.model(), guard, GuardLimits(max_concurrency=3))
    tasks = [asyncio.create_task(model.complete(REQUEST)) for _ in range(12)]
    await asyncio.sleep(0.5)
    for task in (tasks[0], tasks[5]):  # one is inside, one waits
        task.cancel()
    ends = await together(tasks)
    assert provider.most_at_once == 3
    assert len([end for end in ends if isinstance(end, Completion)]) == 10
    assert now() == pytest.approx(4.0)


async def test_a_call_refused_by_an_open_breaker_frees_its_slot(guard: Guard) -> None:
    provider = Provider(down_until=10.0)
    model = GuardedModel(provider.model(), guard, GuardLimits(max_concurrency=1), when_open="fail")
    assert [type(end) for end in (await times(model, 8))[5:]] == [CircuitOpenError] * 3
    await asyncio.sleep(30.0)
    assert (await model.complete(REQUEST)).text == "ok"


@pytest.mark.parametrize("steps", range(8))
async def test_a_call_cancelled_in_the_moment_of_its_turn_frees_the_turn(steps: int, guard: Guard) -> None:
    provider = Provider(takes_s=1.0)
    model = GuardedModel(provider.model(), guard, GuardLimits(max_concurrency=1))
    first, second = (asyncio.create_task(model.complete(REQUEST)) for _ in range(2))
    await first
    for _ in range(steps):
        await asyncio.sleep(0)
    second.cancel()
    await together([second])
    assert (await model.complete(REQUEST)).text == "ok"


async def test_a_turn_that_does_not_come_in_time_is_a_timeout(guard: Guard) -> None:
    provider = Provider(takes_s=50.0)
    model = GuardedModel(provider.model(), guard, GuardLimits(max_concurrency=1))
    first = asyncio.create_task(model.complete(REQUEST))
    await asyncio.sleep(0)
    with pytest.raises(ModelTimeoutError, match="turn"):
        await model.complete(REQUEST.replace(timeout_s=10.0))
    assert now() == 10.0
    await first


async def test_models_with_equal_limits_share_them_and_others_have_their_own(guard: Guard) -> None:
    provider = Provider(takes_s=1.0)
    one, two = (GuardedModel(provider.model(name), guard, GuardLimits(max_concurrency=2)) for name in "ab")
    other = GuardedModel(provider.model("c"), guard, GuardLimits(max_concurrency=1))
    await together([model.complete(REQUEST) for model in [one, two, other] * 4])
    assert provider.most_at_once == 3


async def test_headers_of_an_exhausted_limit_delay_the_next_call(guard: Guard) -> None:
    provider = Provider()
    model = GuardedModel(provider.model(), guard)
    await model.complete(REQUEST)
    model.on_headers(RateLimits(requests_limit=10, requests_remaining=0, requests_reset_s=60.0))
    await model.complete(REQUEST)
    model.on_headers(RateLimits(tokens_remaining=0, tokens_reset_s=100.0, requests_remaining=5))
    await model.complete(REQUEST)
    model.on_headers(RateLimits(requests_remaining=1, requests_reset_s=60.0))
    await model.complete(REQUEST)
    assert provider.calls == [0.0, 6.0, 16.0, 16.0]


@pytest.mark.parametrize("limits", [{"requests_per_minute": 0}, {"tokens_per_minute": 1.5}, {"max_concurrency": True}])
def test_invalid_limits_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        GuardLimits(**limits)


# -- what is told ----------------------------------------------------------------------------------


async def test_an_open_breaker_names_the_failure_that_opened_it_without_keys(guard: Guard) -> None:
    key = "sk-" + "a1B2" * 10
    down = ModelUnavailableError(f"status 503: '{key}'", provider="p", model="m", host="here", status=503)
    first = GuardedModel(ScriptedModel([down] * 5, provider="p", model="m", base_url="http://here"), guard)
    for _ in range(4):
        with pytest.raises(ModelUnavailableError):
            await first.complete(REQUEST)
    with pytest.raises(CircuitOpenError, match="p:m at here: status 503: ") as caught:
        await first.complete(REQUEST.replace(timeout_s=20.0))  # opens it, and the first probe would be too late
    assert (caught.value.status, key in str(caught.value)) == (503, False)
    again = ScriptedModel([], provider="p", model="m", base_url="http://here")
    with pytest.raises(CircuitOpenError, match=r"p:m at here: status 503: ") as caught:
        await GuardedModel(again, guard, when_open="fail").complete(REQUEST)
    assert (caught.value.model, caught.value.host) == ("m", "here")


async def test_a_failure_is_forgotten_once_the_provider_has_answered(guard: Guard) -> None:
    model = GuardedModel(Provider(down_until=10.0).model(), guard, when_open="fail")
    await times(model, 5)
    await asyncio.sleep(40.0)
    assert (await model.complete(REQUEST)).text == "ok"


async def test_a_wait_of_a_second_or_more_is_reported_with_its_reason(guard: Guard) -> None:
    seen: list[TelemetryEvent] = []
    provider = Provider(down_until=40.0)
    model = GuardedModel(provider.model(), guard, sink=seen.append)
    await times(model, 4)
    assert (await model.complete(REQUEST)).text == "ok"  # the fifth failure opens it
    assert [
        (event.name, event.data["reason"], event.data["wait_s"]) for event in seen if event.name == "model.held"
    ] == [
        ("model.held", "down", 30.0),
        ("model.held", "down", 30.0),
    ]
    assert waiting_line(seen[1]) == "p:m at here: down; waiting 30.0 s"


async def test_a_pause_requested_by_the_provider_is_distinguished_from_a_limit_of_ours(guard: Guard) -> None:
    seen: list[TelemetryEvent] = []
    asked = RateLimitError("too many requests", provider="p", model="m", retry_after_s=7.0)
    model = GuardedModel(ScriptedModel([asked, "ok"], provider="p", model="m"), guard, sink=seen.append)
    with pytest.raises(RateLimitError):
        await model.complete(REQUEST)
    await model.complete(REQUEST)
    limits = GuardLimits(requests_per_minute=1)
    slow = GuardedModel(ScriptedModel(["a", "b"], provider="q", model="m"), guard, limits, sink=seen.append)
    await slow.complete(REQUEST)
    await slow.complete(REQUEST)
    assert [(event.data["reason"], event.data["wait_s"]) for event in seen if event.name == "model.held"] == [
        ("the provider asks to wait", 7.0),
        ("our limit on requests or tokens per minute is reached", 60.0),
    ]
