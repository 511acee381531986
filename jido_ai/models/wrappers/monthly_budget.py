"""The monthly budget: reflections stop before answers do.

From 80 % of the budget, where the ledger sends its alert, runs no longer reflect; the rest is for answers. At 100 % no
calls are made. Calls of unknown price are not in the sum; `jido cost` shows their number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jido_ai.components.component import Reopening, as_reflection, close_all, method_of
from jido_ai.errors import BudgetExceededError, ConfigurationError, describe
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.protocols import LanguageModel, RunContext
from jido_ai.values import CompletionRequest, Episode, Reflection

MONTH_DAYS: Final = 30
REFLECTIONS_STOP_AT: Final = 0.8


class MonthlyBudget:
    """A budget for 30 days.

    Args:
        ledger: the spending of this process and of others with the same store.
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
        """Return the spent share; 1.0 is the whole budget. Raises `StoreError` if the ledger cannot be read."""
        return 0.0 if self.monthly_usd is None else await self._ledger.month_usd() / self.monthly_usd

    async def require(self, below: float, what: str) -> None:
        """Raise `BudgetExceededError` if at least this share is spent."""
        if self.monthly_usd is None:
            return
        spent = await self._ledger.month_usd()
        if spent >= below * self.monthly_usd:
            note = f"of any {MONTH_DAYS} days; {what}"
            raise BudgetExceededError("monthly_usd", allowed=self.monthly_usd, spent=spent, note=note)


class MonthlyBudgetModel(AroundModel[None]):
    """Refuses every call once the monthly budget is spent.

    Raises (from calls):
        BudgetExceededError: the budget is spent.
        StoreError: the ledger cannot be read.
    """

    def __init__(self, inside: LanguageModel, budget: MonthlyBudget) -> None:
        super().__init__(inside)
        self._budget = budget

    async def _begin(self, request: CompletionRequest) -> None:
        await self._budget.require(1.0, "no more calls are made")


class ThriftyReflector(Reopening):
    """Reflects while less than 80 % of the monthly budget is spent, then refuses; runs count refusals and continue.

    Args:
        reflector: any object with the method, or a function.
    """

    def __init__(self, reflector: object, budget: MonthlyBudget) -> None:
        self._reflector = reflector
        self._reflect = method_of(reflector, "reflect")
        self._budget = budget

    async def aclose(self) -> None:
        """Close the reflector if it can be reopened."""
        await close_all((self._reflector,))

    def uses(self) -> tuple[object, ...]:
        """Return the reflector."""
        return (self._reflector,)

    async def reflect(
        self, episode: Episode, priors: Sequence[Reflection] = (), context: RunContext | None = None
    ) -> Reflection:
        """Return the lesson of an episode. Raises `BudgetExceededError` if 80 % of the budget is spent."""
        await self._budget.require(REFLECTIONS_STOP_AT, "what is left is for answers")
        return as_reflection(await self._reflect(episode, priors, context))
