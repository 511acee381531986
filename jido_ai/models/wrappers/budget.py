"""The budget wrapper: refuses a call that would exceed a budget, before it is made."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from types import CoroutineType
from typing import Any

from jido_ai.components.metering import current_meter
from jido_ai.errors import BudgetExceededError, ConfigurationError
from jido_ai.models.retry import may_be_billed
from jido_ai.models.spending import Hold, Spending, most_usage
from jido_ai.models.wrappers.prices import Prices
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.protocols import LanguageModel, Meter, Reservation
from jido_ai.values import Budget, Completion, CompletionRequest, Usage

__all__ = ["BudgetedModel"]


@dataclass(slots=True)
class _Held:
    """What is set aside for one call: of the run's money, and of this model's budget."""

    of_run: Reservation | None = None
    own: Hold | None = None

    def release(self) -> None:
        for held in (self.of_run, self.own):
            if held is not None:
                held.release()


class BudgetedModel(AroundModel["_Held | None"]):
    """Reserves each call before it is made, and settles it after: at the budget of this model, and at the run's meter.

    Of a run only the money is reserved here, since only here the price is known; the call and its tokens are the
    component's to reserve. What may have been billed although no answer came counts as the most it can have taken.

    Args:
        prices: what a call costs.
        budget: of this model, for all runs together; None has no limit. Its `max_wall_s` begins with the first call.

    Raises (when asked):
        BudgetExceededError: the call does not fit.
        ConfigurationError: there is a limit in US dollars and the model's price is unknown.
    """

    def __init__(self, inside: LanguageModel, prices: Prices, budget: Budget | None = None) -> None:
        super().__init__(inside)
        self._prices = prices
        self._budget = budget
        self._spending: Spending | None = None

    @property
    def spent(self) -> Usage:
        """What this model has spent of its budget."""
        return Usage() if self._spending is None else self._spending.spent

    def complete(self, request: CompletionRequest) -> CoroutineType[Any, Any, Completion]:
        """Return the whole answer. See `LanguageModel`."""
        if self._budget is None and _limited_meter() is None:  # then there is nothing of ours around the call
            return self.inside.complete(request)
        return super().complete(request)

    async def _begin(self, request: CompletionRequest) -> _Held | None:
        """Set aside what the call may take."""
        meter = _limited_meter()
        if self._budget is None and meter is None:
            return None
        most = most_usage(request)
        cost = await self._prices.cost(self.provider, self.base_url, self.name_of(request), most)
        cost = math.inf if cost is None else cost
        held = _Held()
        try:
            if meter is not None:
                held.of_run = meter.reserve(calls=0, cost_usd=cost)
            if self._budget is not None:
                if self._spending is None:
                    self._spending = Spending(self._budget, now=asyncio.get_running_loop().time)
                held.own = self._spending.reserve(tokens=most.input_tokens + most.output_tokens, cost_usd=cost)
        except BudgetExceededError as error:
            held.release()
            if error.limit != "max_cost_usd" or math.isfinite(cost):
                raise
            name = f"{self.provider}:{self.name_of(request)}"
            raise ConfigurationError(
                f"the price of {name} is unknown, so max_cost_usd={error.allowed:g} cannot be kept; give "
                f'prices={{"{name}": (USD per million tokens in, out)}}, or no limit of money'
            ) from error
        return held

    async def _answered(self, request: CompletionRequest, state: _Held | None, completion: Completion) -> Completion:
        if state is not None:
            if state.own is not None:
                state.own.settle(completion.usage)
            state.release()
        return completion

    async def _failed(self, request: CompletionRequest, state: _Held | None, error: BaseException) -> None:
        if state is not None:
            if state.own is not None and may_be_billed(error):
                state.own.settle(Usage(1, state.own.tokens, cost_usd=state.own.cost_usd))
            state.release()


def _limited_meter() -> Meter | None:
    """Return the run's meter, unless it has no limit that we could tell it of."""
    meter = current_meter.get()
    return None if isinstance(meter, Spending) and meter.budget.max_cost_usd is None else meter
