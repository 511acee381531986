"""The budget wrapper: refuses calls that would exceed a budget."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from types import CoroutineType
from typing import Any

from jido_ai.components.call_context import current_meter
from jido_ai.errors import BudgetExceededError
from jido_ai.models.pricing import Prices, price_unknown
from jido_ai.models.retry import may_be_billed
from jido_ai.models.spending import Hold, Spending, most_usage
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.protocols import LanguageModel, Meter, Reservation
from jido_ai.values import Budget, Completion, CompletionRequest, Usage


@dataclass(slots=True)
class _Held:
    """The reservations for one call: in the run's budget and in this model's budget."""

    of_run: Reservation | None = None
    own: Hold | None = None

    def release(self) -> None:
        for held in (self.of_run, self.own):
            if held is not None:
                held.release()


class BudgetedModel(AroundModel["_Held | None"]):
    """Reserves the cost of each call and settles it afterwards, in this model's budget and in the run's meter.

    In the run's meter only money is reserved, because only this wrapper knows the price; components reserve calls and
    tokens. A call without an answer that may have been billed counts with its maximum cost.

    Args:
        prices: prices of calls.
        budget: for all calls of this model, in all runs; None is no limit. `max_wall_s` starts with the first call.

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
        """The spending of this model."""
        return Usage() if self._spending is None else self._spending.spent

    def complete(self, request: CompletionRequest) -> CoroutineType[Any, Any, Completion]:
        if self._budget is None and _limited_meter() is None:  # without reservations
            return self.inside.complete(request)
        return super().complete(request)

    async def _begin(self, request: CompletionRequest) -> _Held | None:
        """Reserve the maximum usage of a call."""
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
            raise price_unknown(f"{self.provider}:{self.name_of(request)}", error.allowed) from error
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
    """Return the run's meter; None if it has no limit that concerns a cost."""
    meter = current_meter.get()
    return None if isinstance(meter, Spending) and meter.budget.max_cost_usd is None else meter
