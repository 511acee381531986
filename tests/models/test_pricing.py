"""Prices: US dollars per million tokens, and never an invented one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jido_ai.errors import ConfigurationError
from jido_ai.models.pricing import Price, cost_usd, price_table, priced
from jido_ai.values import Usage

tokens = st.integers(0, 10**9)


@pytest.mark.rows("C36")
def test_the_cost_is_tokens_times_the_price_of_a_million() -> None:
    assert cost_usd(Price(1.0, 5.0), 700, 200) == pytest.approx(0.0017)  # 0.001 and 0.005 per thousand


@given(tokens, tokens, tokens, tokens)
def test_costs_add_up(a: int, b: int, c: int, d: int) -> None:
    price = Price(3.0, 15.0)
    assert cost_usd(price, a + c, b + d) == pytest.approx(cost_usd(price, a, b) + cost_usd(price, c, d))


def test_an_unknown_price_is_counted_but_has_no_cost() -> None:
    usage = Usage(2, 10, 5)
    assert priced(usage, None) == Usage(2, 10, 5, 0.0, unpriced_calls=2)
    assert priced(usage, 0.0) == usage  # a price of zero is known


@pytest.mark.parametrize("pair", [(1.0,), 3, None, (-1.0, 2.0), (1.0, float("nan")), (True, 1.0), ("1", "2")])
def test_a_price_that_cannot_be_read_is_refused(pair: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"gpt|price"):
        price_table({"gpt": pair})
