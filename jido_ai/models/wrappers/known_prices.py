"""A budget in dollars needs the price of every model that may be called: checked before a run begins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, runtime_checkable

from jido_ai.components.component import Composed, used_by
from jido_ai.errors import ConfigurationError
from jido_ai.values import Budget


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
