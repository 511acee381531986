"""The budget around a model: reserved before each call, settled after, and never passed by calls at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.components.call_context import metering
from jido_ai.errors import BudgetExceededError, ConfigurationError, ModelTimeoutError, RateLimitError
from jido_ai.models.pricing import Prices
from jido_ai.models.spending import Spending
from jido_ai.models.wrappers.budget import BudgetedModel
from jido_ai.models.wrappers.ledger import LedgeredModel
from jido_ai.testing import ScriptedModel, virtual_run
from jido_ai.values import Budget, Completion, CompletionRequest, Message, Usage

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "x" * 30),), max_tokens=82)  # 10 + 8 tokens in, 82 out
PRICES = Prices({"known": (1e4, 1e4)})  # a cent per token: the call takes 1.00 at most


def budgeted(replies: Any, budget: Budget | None, *, model: str = "known") -> tuple[BudgetedModel, ScriptedModel]:
    script = ScriptedModel(replies, provider="p", model=model)
    return BudgetedModel(LedgeredModel(script, PRICES), PRICES, budget), script


def answer(tokens: int = 50) -> Completion:
    return Completion("ok", usage=Usage(1, tokens - 10, 10))


async def slowly(_: CompletionRequest) -> Completion:
    await asyncio.sleep(1.0)
    return answer()


async def ends(model: BudgetedModel, number: int, request: CompletionRequest = REQUEST) -> list[Any]:
    return await asyncio.gather(*(model.complete(request) for _ in range(number)), return_exceptions=True)


@pytest.mark.parametrize(
    ("budget", "at_once", "in_all"),
    [
        (Budget(max_calls=3), 3, 3),
        (Budget(max_tokens=350), 3, 6),  # reserved by the hundred, settled by fifty: 150 went, 2 more fit, then 1
        (Budget(max_cost_usd=3.5), 3, 6),
    ],
)
async def test_concurrent_calls_are_limited_by_their_maximum_and_later_ones_by_the_actual_usage(
    budget: Budget, at_once: int, in_all: int
) -> None:
    model, script = budgeted(slowly, budget)
    found = await ends(model, 10)
    assert [type(end) for end in found] == [Completion] * at_once + [BudgetExceededError] * (10 - at_once)
    for _ in range(10):
        await ends(model, 1)
    assert len(script.requests) == model.spent.calls == in_all


async def test_a_model_without_a_price_is_refused_before_the_call_where_money_is_limited() -> None:
    model, script = budgeted(["ok"], Budget(max_cost_usd=1.0), model="unknown")
    with pytest.raises(ConfigurationError, match=r'the price of p:unknown is unknown.*prices=\{"p:unknown"'):
        await model.complete(REQUEST)
    assert not script.requests


@pytest.mark.parametrize("limit", [Budget(max_cost_usd=0.5), Budget(max_cost_usd=5.0)])
async def test_the_budget_of_a_run_is_kept_if_the_price_is_known(limit: Budget) -> None:
    model, script = budgeted(slowly, None)
    meter = Spending(limit)
    with metering(meter):
        found = await ends(model, 10)
    assert len(script.requests) == [type(end) for end in found].count(Completion) == int(limit.max_cost_usd or 0.0)
    assert meter.set_aside == meter.spent == Usage()  # to count the call is the component's part


async def test_a_run_with_a_limit_of_money_and_a_model_without_a_price_is_refused_before_the_call() -> None:
    model, script = budgeted(["ok", "ok"], None, model="unknown")
    with (
        metering(Spending(Budget(max_cost_usd=1.0))),
        pytest.raises(ConfigurationError, match=r"the price of .* is unknown"),
    ):
        await model.complete(REQUEST)
    with metering(Spending(Budget(max_calls=1))):
        await model.complete(REQUEST)
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("error", "spent"),
    [
        (RateLimitError("later", provider="p"), Usage()),
        (ModelTimeoutError("late", provider="p"), Usage(1, 100, cost_usd=1.0)),
    ],
)
async def test_a_refused_call_is_refunded_and_one_that_may_be_billed_counts_in_full(error: Any, spent: Usage) -> None:
    model, _ = budgeted([error], Budget(max_calls=5))
    await ends(model, 1)
    assert model.spent == spent


async def test_a_cancelled_call_counts_and_a_stream_is_settled() -> None:
    async def hang(_: CompletionRequest) -> Any:
        await asyncio.Event().wait()

    model, _ = budgeted([hang, answer()], Budget(max_calls=2))
    task = asyncio.create_task(model.complete(REQUEST))
    await asyncio.sleep(1.0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert model.spent.calls == 1
    assert len([item async for item in model.stream(REQUEST)]) == 2
    assert (model.spent.calls, model.spent.output_tokens) == (2, 10)
    with pytest.raises(BudgetExceededError):
        await anext(model.stream(REQUEST))


async def test_a_call_refused_by_one_budget_is_refunded_by_the_other() -> None:
    model, _ = budgeted(slowly, Budget(max_calls=0))
    meter = Spending(Budget(max_cost_usd=5.0))
    with metering(meter):
        assert [type(end) for end in await ends(model, 3)] == [BudgetExceededError] * 3
    assert meter.set_aside == Usage()


async def test_no_call_is_made_after_the_wall_time() -> None:
    model, _ = budgeted(lambda _: "ok", Budget(max_wall_s=10.0))
    await model.complete(REQUEST)
    await asyncio.sleep(10.0)
    with pytest.raises(BudgetExceededError, match="max_wall_s"):
        await model.complete(REQUEST)


@settings(max_examples=40, deadline=None)
@given(
    budget=st.builds(
        Budget,
        max_calls=st.none() | st.integers(0, 6),
        max_tokens=st.none() | st.integers(0, 700),
        max_cost_usd=st.none() | st.integers(0, 28).map(lambda quarters: quarters / 4),
    ),
    calls=st.lists(
        st.tuples(st.floats(0.0, 5.0), st.integers(10, 100), st.sampled_from(["ok", "busy", "late"])), max_size=15
    ),
)
def test_calls_at_once_never_pass_the_budget(budget: Budget, calls: list[tuple[float, int, str]]) -> None:
    made = 0

    async def main() -> Usage:
        def script(_: CompletionRequest) -> Any:
            nonlocal made
            made += 1
            delay_s, tokens, end = calls[made - 1]
            made_now = {"ok": answer(tokens), "busy": RateLimitError("later", provider="p")}

            async def reply(_: CompletionRequest) -> Any:
                await asyncio.sleep(delay_s)
                return made_now.get(end, ModelTimeoutError("late", provider="p"))

            return reply

        model, _ = budgeted(script, budget)

        async def later(delay_s: float) -> None:
            await asyncio.sleep(delay_s)
            await ends(model, 1)

        await asyncio.gather(*(later(index % 4) for index in range(len(calls))))
        return model.spent

    spent = virtual_run(main())
    assert spent.calls <= (made if budget.max_calls is None else budget.max_calls)
    assert budget.max_tokens is None or spent.input_tokens + spent.output_tokens <= budget.max_tokens
    assert budget.max_cost_usd is None or spent.cost_usd <= budget.max_cost_usd + 1e-9
