"""The monthly budget: reflections stop before answers do.

From 80 % of the budget on, where the ledger raises its alert, attempts are no longer reflected on; what is left is for
answers. At 100 % no call is made. Calls of unknown price are not in the sum: they are counted, and told (`jido cost`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jido_ai.components.component import Reopening, as_reflection, close_all, method_of
from jido_ai.errors import BudgetExceededError, ConfigurationError, describe
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.protocols import LanguageModel, RunContext
from jido_ai.values import Completion, CompletionRequest, Episode, Reflection

__all__ = ["MONTH_DAYS", "REFLECTIONS_STOP_AT", "MonthlyBudget", "MonthlyBudgetModel", "ThriftyReflector"]

MONTH_DAYS: Final = 30
REFLECTIONS_STOP_AT: Final = 0.8


class MonthlyBudget:
    """What may be spent in any 30 days.

    Args:
        ledger: counts what is spent, by this process and by others with the same store.
        monthly_usd: above 0; None is no limit.

    Raises:
        ConfigurationError: `monthly_usd` is out of range.

    Source: SPEC C37 (the sum of 30 days, the alert at 80 %), X-C11 (the budget stops reflection).
    """

    def __init__(self, ledger: CostLedger, monthly_usd: float | None) -> None:
        if monthly_usd is not None and not 0.0 < monthly_usd < float("inf"):
            raise ConfigurationError(f"monthly_usd must be above 0 and finite, got {describe(monthly_usd)}")
        self.monthly_usd = monthly_usd
        self._ledger = ledger

    async def share(self) -> float:
        """Return how much of it is spent; 1.0 is all. Raises `StoreError` when the ledger cannot be read."""
        return 0.0 if self.monthly_usd is None else await self._ledger.month_usd() / self.monthly_usd

    async def require(self, below: float, what: str) -> None:
        """Raise `BudgetExceededError` unless less than that share is spent."""
        if self.monthly_usd is None:
            return
        spent = await self._ledger.month_usd()
        if spent >= below * self.monthly_usd:
            note = f"of any {MONTH_DAYS} days; {what}"
            raise BudgetExceededError("monthly_usd", allowed=self.monthly_usd, spent=spent, note=note)


class MonthlyBudgetModel(AroundModel[None]):
    """Refuses every call once the month's money is spent.

    Raises (when asked):
        BudgetExceededError: it is.
        StoreError: the ledger cannot be read.
    """

    def __init__(self, inside: LanguageModel, budget: MonthlyBudget) -> None:
        super().__init__(inside)
        self._budget = budget

    async def _begin(self, request: CompletionRequest) -> None:
        await self._budget.require(1.0, "no more calls are made")

    async def _answered(self, request: CompletionRequest, state: None, completion: Completion) -> Completion:
        return completion

    async def _failed(self, request: CompletionRequest, state: None, error: BaseException) -> None:
        """Nothing was set aside."""


class ThriftyReflector(Reopening):
    """Reflects while less than 80 % of the month's money is spent; then it refuses, which a run counts and passes over.

    Args:
        reflector: any object with the method, or a function.
    """

    def __init__(self, reflector: object, budget: MonthlyBudget) -> None:
        self._reflector = reflector
        self._reflect = method_of(reflector, "reflect")
        self._budget = budget

    async def aclose(self) -> None:
        """Close the reflector if it opens again when it is used."""
        await close_all((self._reflector,))

    async def reflect(
        self, episode: Episode, priors: Sequence[Reflection] = (), context: RunContext | None = None
    ) -> Reflection:
        """Return what the episode teaches. Raises `BudgetExceededError` when no money is left for it."""
        await self._budget.require(REFLECTIONS_STOP_AT, "what is left is for answers")
        return as_reflection(await self._reflect(episode, priors, context))
