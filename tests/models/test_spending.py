"""Spending: what is spent and set aside never passes a limit, and every figure is the sum of what was settled."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from jido_ai.errors import BudgetExceededError, ConfigurationError
from jido_ai.models.spending import Hold, Spending, most_tokens
from jido_ai.values import Budget, CompletionRequest, Message, Usage


@pytest.mark.parametrize(
    ("budget", "amount"),
    [
        (Budget(max_calls=2), {"calls": 1}),
        (Budget(max_tokens=20), {"tokens": 10}),
        (Budget(max_cost_usd=0.2), {"cost_usd": 0.1}),
    ],
)
def test_a_call_that_fits_exactly_is_allowed_and_the_next_refused(budget: Budget, amount: dict[str, Any]) -> None:
    spending = Spending(budget)
    spending.reserve(**amount)
    spending.reserve(**amount)
    with pytest.raises(BudgetExceededError) as caught:
        spending.reserve(**amount)
    name = next(iter(budget.model_dump(exclude_none=True)))
    assert (caught.value.limit, caught.value.allowed) == (name, getattr(budget, name))
    assert caught.value.retryable is False
    assert f"may take {next(iter(amount.values()))}" in str(caught.value)


def test_an_unknown_amount_is_allowed_while_anything_is_left() -> None:
    spending = Spending(Budget(max_tokens=10))
    spending.reserve().settle(Usage(1, 5, 4))
    spending.reserve().settle(Usage(1, 5, 4))
    assert spending.spent == Usage(2, 10, 8)  # what was settled is what it was
    with pytest.raises(BudgetExceededError):
        spending.reserve()


def test_a_released_reservation_is_available_again_and_an_end_counts_once() -> None:
    spending = Spending(Budget(max_calls=1))
    first = spending.reserve()
    first.release()
    first.settle(Usage(1))
    assert spending.spent == Usage()
    second = spending.reserve()
    second.settle(Usage(1))
    second.settle(Usage(1))
    second.release()
    assert spending.spent == Usage(1)
    assert spending.set_aside == Usage()


def test_a_call_of_unknown_price_is_refused_only_under_a_limit_of_money() -> None:
    Spending(Budget(max_calls=3)).reserve(cost_usd=math.inf)
    with pytest.raises(BudgetExceededError, match="price"):
        Spending(Budget(max_cost_usd=1e9)).reserve(cost_usd=math.inf)


def test_after_a_call_without_a_price_no_limit_of_money_can_be_kept() -> None:
    spending = Spending(Budget(max_cost_usd=1.0))
    spending.reserve().settle(Usage(1, 5, 5, unpriced_calls=1))
    with pytest.raises(BudgetExceededError, match="1 calls have no known price"):
        spending.reserve()


def test_no_call_is_started_after_the_wall_time() -> None:
    clock = [100.0]
    spending = Spending(Budget(max_wall_s=5.0), now=lambda: clock[0])
    clock[0] = 104.0
    hold = spending.reserve()
    clock[0] = 105.0
    with pytest.raises(BudgetExceededError) as caught:
        spending.reserve()
    assert (caught.value.limit, caught.value.spent) == ("max_wall_s", 5.0)
    hold.settle(Usage(1))  # one that has begun is counted all the same
    assert spending.spent.calls == 1


def test_wall_time_needs_a_clock_and_amounts_are_at_least_zero() -> None:
    with pytest.raises(ConfigurationError, match="clock"):
        Spending(Budget(max_wall_s=1.0))
    for amount in ({"calls": -1}, {"tokens": -1}, {"cost_usd": -0.1}, {"cost_usd": math.nan}):
        with pytest.raises(ConfigurationError):
            Spending().reserve(**amount)


def test_a_lap_is_the_spending_since_the_last_one() -> None:
    spending = Spending(spent=Usage(7))
    spending.record(Usage(1))
    spending.reserve().settle(Usage(2))
    assert spending.lap() == Usage(3)
    assert spending.lap() == Usage()
    assert spending.spent == Usage(10)


@given(st.lists(st.text(max_size=50), min_size=1, max_size=4), st.none() | st.integers(1, 5_000))
def test_more_text_and_a_longer_answer_never_take_fewer_tokens(texts: list[str], max_tokens: int | None) -> None:
    def tokens(texts: list[str], max_tokens: int | None) -> int:
        messages = tuple(Message("user", text) for text in texts)
        return most_tokens(CompletionRequest(messages, max_tokens=max_tokens))

    assert tokens([*texts, "more"], max_tokens) > tokens(texts, max_tokens) >= (max_tokens or 1024)


def test_a_token_per_three_bytes_and_eight_per_message_are_reserved() -> None:
    request = CompletionRequest((Message("system", "abc"), Message("user", "größer")), max_tokens=10)
    assert most_tokens(request) == 4 + 2 * 8 + 10  # 11 bytes


class Account(RuleBasedStateMachine):
    """Any order of reserving, settling within what was set aside, and releasing."""

    def __init__(self) -> None:
        super().__init__()
        self.budget = Budget(max_calls=7, max_tokens=1_000, max_cost_usd=2.0)
        self.spending = Spending(self.budget)
        self.holds: list[Hold] = []
        self.settled = Usage()

    @rule(calls=st.integers(0, 3), tokens=st.integers(0, 400), cost=st.integers(0, 8))
    def reserve(self, calls: int, tokens: int, cost: int) -> None:
        with contextlib.suppress(BudgetExceededError):
            self.holds.append(self.spending.reserve(calls=calls, tokens=tokens, cost_usd=cost / 8))

    @rule(index=st.integers(0, 9), share=st.integers(0, 4))
    def settle(self, index: int, share: int) -> None:
        if index < len(self.holds):
            hold = self.holds.pop(index)
            used = Usage(hold.calls, hold.tokens * share // 4, cost_usd=hold.cost_usd * share / 4)
            hold.settle(used)
            self.settled += used

    @rule(index=st.integers(0, 9))
    def release(self, index: int) -> None:
        if index < len(self.holds):
            self.holds.pop(index).release()

    @invariant()
    def no_limit_is_passed(self) -> None:
        spent, aside = self.spending.spent, self.spending.set_aside
        assert spent == self.settled
        assert spent.calls + aside.calls <= 7
        assert spent.input_tokens + spent.output_tokens + aside.input_tokens <= 1_000
        assert spent.cost_usd + aside.cost_usd <= 2.0 + 1e-9
        assert aside.calls == sum(hold.calls for hold in self.holds)


Account.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
TestAccount = Account.TestCase
