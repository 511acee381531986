"""Prices of calls: US dollars per million tokens, input and output. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from jido_ai.errors import ConfigurationError
from jido_ai.values import Completion, Usage

_PER: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens, in US dollars.

    Raises:
        ConfigurationError: negative, infinite or no number.
    """

    input_usd: float
    output_usd: float

    def __post_init__(self) -> None:
        for usd in (self.input_usd, self.output_usd):
            if isinstance(usd, bool) or not 0.0 <= usd < math.inf:
                raise ConfigurationError(f"a price must be a number of at least 0 USD per million tokens, got {usd!r}")


def price_table(prices: Mapping[str, tuple[float, float]]) -> dict[str, Price]:
    """Read a user's table: "provider:model" or just "model", and the prices of a million tokens in and out.

    Raises:
        ConfigurationError: an entry is not a pair of numbers of at least 0.
    """
    table: dict[str, Price] = {}
    for name, pair in prices.items():
        try:
            input_usd, output_usd = pair
            table[name] = Price(input_usd, output_usd)
        except (TypeError, ValueError) as error:
            raise ConfigurationError(
                f"the price of {name!r} must be (USD per million tokens in, out), got {pair!r}"
            ) from error
    return table


def cost_usd(price: Price, input_tokens: int, output_tokens: int) -> float:
    """Return the cost of that many tokens."""
    return (input_tokens * price.input_usd + output_tokens * price.output_usd) / _PER


def priced(usage: Usage, cost: float | None) -> Usage:
    """Return the usage with its cost; with None, an unknown price, its calls become `unpriced_calls`, at no cost."""
    if cost is None:
        return usage.model_copy(update={"cost_usd": 0.0, "unpriced_calls": usage.calls})
    return usage.model_copy(update={"cost_usd": cost, "unpriced_calls": 0})


def usage_of(completion: Completion) -> Usage:
    """Return the usage of a call: one call at least, whose cost is unknown unless the model tells it."""
    told = completion.usage
    if not told.calls and not completion.is_cached:  # it was a call, though the model does not say so
        return told + Usage(calls=1, unpriced_calls=0 if told.cost_usd else 1)
    if "cost_usd" not in told.model_fields_set and not told.unpriced_calls:
        return priced(told, None)
    return told
