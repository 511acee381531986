"""Prices of calls: the user's table, else the settings, else the list of genai-prices."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Literal

from jido_ai.errors import ConfigurationError, describe
from jido_ai.extras import missing
from jido_ai.models.own_providers import prices_in_use
from jido_ai.models.pricing import cost_usd, price_table
from jido_ai.values import Usage

_LIST: Final = "genai_prices"


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
