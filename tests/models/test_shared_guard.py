"""Guards of several processes that share their limits."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any, TypeVar

import pytest

from jido_ai.errors import CircuitOpenError, ModelUnavailableError, RateLimitError, StoreUnavailableError
from jido_ai.models.guard import Guard, GuardLimits
from jido_ai.models.limits import BreakerRules, Change, PlaceState
from jido_ai.models.providers.headers import RateLimits
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import ScriptedModel
from jido_ai.values import CompletionRequest, Message

pytestmark = pytest.mark.virtual_clock

T = TypeVar("T")
REQUEST = CompletionRequest((Message("user", "hello"),), timeout_s=200.0)
DOWN = ModelUnavailableError("down", provider="p", model="m", status=503)
LIMITS = GuardLimits(breaker=BreakerRules(failures=2, probe_every_s=30.0))


def now() -> float:
    return asyncio.get_running_loop().time()


class Shared:
    """States of places, as a store keeps them; each change takes a millisecond."""

    def __init__(self) -> None:
        self.states: dict[tuple[str, str], PlaceState] = {}
        self.changes = 0
        self.is_away = False
        self.used_by = AsyncExitStack()  # not left: the processes share for as long as the test runs

    async def change(self, provider: str, base_url: str, rule: Change[T]) -> T:
        await asyncio.sleep(0.001)
        if self.is_away:
            raise StoreUnavailableError("the database is away")
        self.changes += 1
        before = self.states.get((provider, base_url), PlaceState())
        self.states[provider, base_url], told = rule(before, now())
        return told


class Provider:
    """Is down until a time, and keeps the times of calls."""

    def __init__(self, down_until: float = 0.0) -> None:
        self.down_until = down_until
        self.calls: list[float] = []

    async def answer(self, request: CompletionRequest) -> Any:
        self.calls.append(now())
        await asyncio.sleep(0.1)
        return DOWN if now() < self.down_until else "ok"


def unshared(provider: Provider, limits: GuardLimits = LIMITS, **options: Any) -> GuardedModel:
    return GuardedModel(ScriptedModel(provider.answer, provider="p", model="m"), Guard(), limits, **options)


async def a_worker(provider: Provider, shared: Shared, limits: GuardLimits = LIMITS, **options: Any) -> GuardedModel:
    """Return the model of one process; it shares for as long as the loop runs."""
    model = unshared(provider, limits, **options)
    await shared.used_by.enter_async_context(model.guard.sharing(shared))
    return model


async def test_a_provider_that_failed_one_worker_is_not_called_by_the_others() -> None:
    provider, shared = Provider(down_until=1e9), Shared()
    one, other = [await a_worker(provider, shared, when_open="fail") for _ in range(2)]
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            await one.complete(REQUEST)
    await asyncio.sleep(0.01)  # the end of a call is written behind it
    with pytest.raises(CircuitOpenError, match="failed 2 times in a row; the next probe is in 30"):
        await other.complete(REQUEST)
    assert len(provider.calls) == 2


async def test_one_probe_of_all_workers_finds_the_provider_back_and_all_continue() -> None:
    provider, shared = Provider(down_until=15.0), Shared()
    events: list[TelemetryEvent] = []
    workers = [await a_worker(provider, shared, sink=events.append) for _ in range(4)]
    answers = await asyncio.gather(*(worker.complete(REQUEST) for worker in workers))
    assert [answer.text for answer in answers] == ["ok"] * 4
    late = sorted(at for at in provider.calls if at > 15.0)
    assert late[0] == pytest.approx(30.0, abs=1.0)
    assert all(at >= late[0] + 0.1 for at in late[1:])
    assert late[-1] < 32.0
    told = [event.name for event in events if event.name != "model.held"]
    assert told == ["provider.failed", "provider.recovered"]


async def test_workers_share_the_requests_per_minute() -> None:
    provider, shared = Provider(), Shared()
    limits = GuardLimits(requests_per_minute=20)
    workers = [await a_worker(provider, shared, limits) for _ in range(4)]
    await asyncio.gather(*(worker.complete(REQUEST) for worker in workers for _ in range(10)))
    starts = sorted(provider.calls)
    assert len(starts) == 40
    assert max(sum(start <= at < start + 59.9 for at in starts) for start in starts) == 20


async def test_a_pause_requested_from_one_worker_holds_the_others() -> None:
    provider, shared = Provider(), Shared()
    busy = RateLimitError("slow down", provider="p", model="m", status=429, retry_after_s=20.0)
    first = await a_worker(provider, shared)
    first.inside = ScriptedModel([busy], provider="p", model="m")
    other = await a_worker(provider, shared)
    with pytest.raises(RateLimitError):
        await first.complete(REQUEST)
    await asyncio.sleep(0.01)
    await other.complete(REQUEST)
    assert 20.0 <= provider.calls[0] < 21.0


async def test_a_call_that_is_cancelled_as_the_probe_lets_the_next_one_go() -> None:
    provider, shared = Provider(down_until=15.0), Shared()
    one, other = [await a_worker(provider, shared) for _ in range(2)]
    calls = [asyncio.create_task(one.complete(REQUEST)) for _ in range(2)]
    await asyncio.sleep(30.3)  # one of them is the probe
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    assert (await other.complete(REQUEST)).text == "ok"
    assert now() < 62.0


async def test_nothing_is_called_while_the_limits_cannot_be_read() -> None:
    provider, shared = Provider(), Shared()
    model = await a_worker(provider, shared)
    shared.is_away = True
    with pytest.raises(ModelUnavailableError, match="limits that workers share are out of reach: the database is away"):
        await model.complete(REQUEST)
    assert provider.calls == []
    shared.is_away = False
    assert (await model.complete(REQUEST)).text == "ok"


async def test_a_call_while_all_is_well_costs_one_look() -> None:
    provider, shared = Provider(), Shared()
    model = await a_worker(provider, shared)
    for _ in range(5):
        await model.complete(REQUEST)
    assert shared.changes == 5


async def test_the_limit_of_concurrent_calls_is_per_worker() -> None:
    provider, shared = Provider(), Shared()
    workers = [await a_worker(provider, shared, GuardLimits(max_concurrency=1)) for _ in range(2)]
    await asyncio.gather(*(worker.complete(REQUEST) for worker in workers for _ in range(2)))
    assert [round(at, 1) for at in provider.calls] == [0.0, 0.0, 0.1, 0.1]


async def test_a_guard_that_no_longer_shares_keeps_its_own_limits() -> None:
    provider, shared = Provider(down_until=1e9), Shared()
    model = unshared(provider, when_open="fail")
    async with model.guard.sharing(shared):
        pass
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            await model.complete(REQUEST)
    with pytest.raises(CircuitOpenError):
        await model.complete(REQUEST)
    assert shared.changes == 0


async def test_a_worker_that_ends_leaves_another_in_its_process_the_store() -> None:
    provider, first, second = Provider(), Shared(), Shared()
    model = unshared(provider)
    async with model.guard.sharing(first):
        async with model.guard.sharing(second):
            await model.complete(REQUEST)
        await model.complete(REQUEST)
    assert (first.changes, second.changes) == (1, 1)


async def test_a_limit_that_headers_report_as_used_up_holds_the_other_workers() -> None:
    provider, shared = Provider(), Shared()
    one, other = [await a_worker(provider, shared) for _ in range(2)]
    one.on_headers(RateLimits(requests_limit=10, requests_remaining=0, requests_reset_s=60.0))
    await asyncio.sleep(0.01)
    await other.complete(REQUEST)
    assert 6.0 <= provider.calls[0] < 6.6
