"""A persistent ledger: records the costs of the models of served pipelines and graphs in a memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager

from jido_ai.components.component import used_by
from jido_ai.models.wrappers.ledger import CostLedger, LedgeredModel, LedgerStore
from jido_ai.models.wrappers.monthly_budget import MonthlyBudget
from jido_ai.telemetry import Sink


class _Bookkeeper:
    """A `Bookkeeper` with a monthly budget."""

    def __init__(self, ledger: CostLedger, label: str, budget: MonthlyBudget) -> None:
        self.ledger = ledger
        self.label = label
        self._budget = budget

    async def require(self) -> None:
        """See `Bookkeeper`."""
        await self._budget.require(1.0, "no more calls are made")


@asynccontextmanager
async def persistent_ledger(
    parts: Mapping[str, Iterable[object]],
    store: LedgerStore,
    *,
    monthly_usd: float | None = None,
    sink: Sink | None = None,
) -> AsyncGenerator[MonthlyBudget]:
    """Record the costs of the models among `parts` in a store while the block runs. Yields the monthly budget.

    Concerns models that have a cost ledger: those of `with_limits` and those given by name. One whose ledger has a
    store keeps to that; its calls are not recorded twice.

    Args:
        parts: components and models by the label of their calls, as `uses()` of pipelines and graphs returns them.
        monthly_usd: once this is spent in 30 days, calls raise `BudgetExceededError`; None is no limit.
        sink: receives the ledger's events.

    Raises:
        ConfigurationError: `monthly_usd` is out of range.
    """
    ledger = CostLedger(store, monthly_usd=monthly_usd, sink=sink)
    budget = MonthlyBudget(ledger, monthly_usd)
    models: list[LedgeredModel] = []
    for label, components in parts.items():
        bookkeeper = _Bookkeeper(ledger, label, budget)
        for model in used_by(components):
            if isinstance(model, LedgeredModel) and model.ledger is not None and model.bookkeeper is None:
                model.bookkeeper = bookkeeper
                models.append(model)
    try:
        yield budget
    finally:
        for model in models:
            model.bookkeeper = None
        await ledger.flush()
