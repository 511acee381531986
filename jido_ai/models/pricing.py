"""Prices of calls: US dollars per million tokens, input and output.

From the user's table, else the settings, else the list of genai-prices. A budget in dollars needs the price of every
model that may be called: `require_prices` checks it before a run begins.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Protocol, runtime_checkable

from jido_ai.components.component import Composed, used_by
from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import missing
from jido_ai.models.own_providers import prices_in_use
from jido_ai.values import Budget, Completion, Usage

_LIST: Final = "genai_prices"
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


class Prices:
    """Prices of calls. An unknown price is None, never zero.

    Args:
        table: (USD per million tokens in, out) by "provider:model" or just "model"; goes before the prices of the
            settings, and these before the list. "list" wants the list, and None takes it when it is installed.

    Raises:
        ConfigurationError: the table cannot be read, or the list is wanted and not installed.
    """

    def __init__(self, table: Mapping[str, tuple[float, float]] | Literal["list"] | None = None) -> None:
        has_list = importlib.util.find_spec(_LIST) is not None
        if table == "list" and not has_list:
            raise missing("genai-prices", "prices")
        if table is not None and table != "list" and not isinstance(table, Mapping):
            raise ConfigurationError(f'prices must be a table, "list" or None, got {describe(table)}')
        given: Mapping[str, tuple[float, float]] = table if isinstance(table, Mapping) else {}
        self._table = price_table({**prices_in_use(), **given})
        self._has_list = has_list
        self._list: Any = None
        self._unknown: set[tuple[str, str, str]] = set()

    async def cost(self, provider: str, base_url: str, model: str | None, usage: Usage) -> float | None:
        """Return the cost in US dollars of a usage's tokens; None if it is unknown.

        A base address that the list does not know has no price in it, whatever the model is called.
        """
        if model is None:
            return None
        names = (f"{provider}:{model}", model, f"{provider}:*")
        price = next((self._table[name] for name in names if name in self._table), None)
        if price is not None:
            return cost_usd(price, usage.input_tokens, usage.output_tokens)
        place = (provider, base_url, model)
        if not self._has_list or place in self._unknown:
            return None
        if self._list is None:
            self._list = await asyncio.to_thread(_read_list)
        tokens = self._list.Usage(input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
        where = {"provider_api_url": base_url} if base_url else {"provider_id": provider}
        try:
            return float(self._list.calc_price(tokens, model_ref=model, **where).total_price)
        except LookupError:
            self._unknown.add(place)
            return None


def _read_list() -> Any:
    """Import the list and have it look up a first price, which reads all of it: a tenth of a second."""
    price_list: Any = importlib.import_module(_LIST)
    with suppress(LookupError):
        price_list.calc_price(price_list.Usage(input_tokens=1), model_ref="gpt-4o-mini", provider_id="openai")
    return price_list


# -- known before a run ----------------------------------------------------------------------------


@runtime_checkable
class _Priced(Protocol):
    """A model that prices its calls: `LedgeredModel`, which is loaded with the models only."""

    async def has_price(self) -> bool: ...


async def require_prices(budget: Budget | None, parts: Iterable[object]) -> None:
    """Raise `ConfigurationError` if a budget in dollars cannot be kept, because a model's price is not known.

    Concerns models of `with_limits`, those given by name, and our own models over HTTP. Of other models it is not known
    whether they report a cost.

    Args:
        parts: components and models; what they use counts, too.
    """
    if budget is None or budget.max_cost_usd is None:
        return
    found = await without_price(parts)
    if found is not None:
        raise price_unknown(found.name, budget.max_cost_usd, is_bare=found.is_bare)


class Unpriced(NamedTuple):
    """A model whose price is not known.

    Attributes:
        name: as in "openai:NAME".
        is_bare: it is used without wrappers, which know prices.
    """

    name: str
    is_bare: bool


async def without_price(parts: Iterable[object]) -> Unpriced | None:
    """Return a model that is used and whose price is not known; None if there is none. See `require_prices`."""
    found: list[Any] = list(used_by(parts))
    priced = [one for one in found if isinstance(one, _Priced)]
    inside = {id(one) for one in used_by(priced)}
    for one in found:
        is_bare = hasattr(one, "on_headers") and not isinstance(one, Composed) and id(one) not in inside  # over HTTP
        if is_bare or (isinstance(one, _Priced) and not await one.has_price()):
            provider, model = getattr(one, "provider", ""), getattr(one, "model", None)
            return Unpriced(f"{provider}:{model}", is_bare)
    return None


def price_unknown(name: str, max_cost_usd: float, *, is_bare: bool = False) -> ConfigurationError:
    """Return the error for a model without a price, with both ways out.

    Args:
        is_bare: the model is used without wrappers, which know prices.
    """
    if is_bare:
        return ConfigurationError(
            f"the price of {name} is unknown, so max_cost_usd={max_cost_usd:g} cannot be kept: a model object has no "
            "prices; wrap it, with_limits(model), or name it, or limit max_calls or max_tokens instead"
        )
    return ConfigurationError(
        f"the price of {name} is unknown, so max_cost_usd={max_cost_usd:g} cannot be kept; give its price in USD per "
        f'million tokens ([prices."{name}"] with input_usd and output_usd in jido.toml, or '
        f'with_limits(..., prices={{"{name}": (in, out)}})), or limit max_calls or max_tokens instead'
    )
