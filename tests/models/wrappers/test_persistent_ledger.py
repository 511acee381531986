"""What models of pipelines and graphs cost is kept in a memory while they are served, and a monthly budget obeyed."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from jido_ai.errors import BudgetExceededError, ConfigurationError
from jido_ai.learning.cost_report import cost_report
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.ledger import CostLedger, persistent_ledger
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.protocols import LanguageModel
from jido_ai.values import Completion, CompletionRequest, Message, Usage

REQUEST = CompletionRequest([Message("user", "a question")])


class Model:
    provider = "stub"
    model = "m"

    async def complete(self, request: CompletionRequest) -> Completion:
        return Completion("an answer", "m", Usage(1, 1_000, 1_000))


def priced(**options: Any) -> LanguageModel:
    """Return a model whose calls cost 0.3 USD each."""
    return with_limits(Model(), prices={"m": (100.0, 200.0)}, **options)


async def labels(memory: ReflexionMemory) -> dict[str, int]:
    return {row["label"]: row["calls"] for row in (await cost_report(memory, days=1, by="label"))["rows"]}


async def test_calls_are_recorded_by_the_name_of_the_user_of_the_model_while_it_is_served() -> None:
    one, other, shared = priced(), priced(label="mine"), priced()
    parts = {"a": [LLMGenerator(one), shared], "b": [other, shared]}
    async with ReflexionMemory() as memory:
        async with persistent_ledger(parts, memory):
            for model in (one, other, shared, shared):
                await model.complete(REQUEST)
        await one.complete(REQUEST)
        assert await labels(memory) == {"a": 3, "mine": 1}
        total = (await cost_report(memory, days=1, by="label"))["total"]
    assert total["known_usd"] == pytest.approx(1.2)


async def test_an_own_ledger_still_counts_and_one_with_a_store_does_not_count_twice() -> None:
    async with ReflexionMemory() as memory:
        mine, stored = CostLedger(), CostLedger(memory)
        models = [priced(ledger=mine), priced(ledger=stored), priced(ledger=False)]
        async with persistent_ledger({"a": models}, memory):
            for model in models:
                await model.complete(REQUEST)
        assert sum(usage.calls for usage in (await mine.rows()).values()) == 1
        assert await labels(memory) == {"a": 2}, "not that of the model without a ledger"


async def test_once_the_monthly_budget_is_spent_no_call_is_made() -> None:
    model = priced()
    async with ReflexionMemory() as memory:
        async with persistent_ledger({"a": [model]}, memory, monthly_usd=0.5):
            for _ in range(2):
                await model.complete(REQUEST)
            with pytest.raises(BudgetExceededError, match="monthly_usd"):
                await model.complete(REQUEST)
        async with persistent_ledger({"a": [model]}, memory, monthly_usd=0.5):  # as after a restart
            with pytest.raises(BudgetExceededError, match="no more calls are made"):
                await model.complete(REQUEST)
        assert await labels(memory) == {"a": 2}


async def test_ten_calls_for_a_tenth_of_the_monthly_budget_spend_it() -> None:
    model = with_limits(Model(), prices={"m": (50.0, 50.0)})
    async with ReflexionMemory() as memory, persistent_ledger({"a": [model]}, memory, monthly_usd=1.0):
        for _ in range(10):
            await model.complete(REQUEST)
        with pytest.raises(BudgetExceededError, match="monthly_usd"):
            await model.complete(REQUEST)


@pytest.mark.parametrize("is_file", [False, True])
async def test_spending_of_another_process_counts_for_the_monthly_budget_at_once(is_file: bool, tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db") if is_file else None
    one, other = priced(), priced()
    async with ReflexionMemory(path) as memory, ReflexionMemory(path) if is_file else nullcontext(memory) as beside:
        async with (
            persistent_ledger({"a": [one]}, memory, monthly_usd=1.0),
            persistent_ledger({"b": [other]}, beside, monthly_usd=1.0),
        ):
            for _ in range(2):
                await one.complete(REQUEST)
                await other.complete(REQUEST)
            for model in (one, other):
                with pytest.raises(BudgetExceededError, match=r"1\.2"):
                    await model.complete(REQUEST)
        assert await labels(memory) == {"a": 2, "b": 2}


async def test_a_month_of_many_calls_is_added_up_once_each() -> None:
    async with ReflexionMemory() as memory:
        ledgers = [CostLedger(memory), CostLedger(memory)]
        for number in range(200):
            await ledgers[number % 2].record(Usage(1, 1, 1, cost_usd=0.25), provider="p", model="m")
            if number % 3 == 0:
                found = await asyncio.gather(*(one.month_usd() for one in (*ledgers, *ledgers)))
                assert set(found) == {0.25 * (number + 1)}


async def test_an_invalid_budget_is_refused_and_nothing_is_stored() -> None:
    model = priced()
    async with ReflexionMemory() as memory:
        with pytest.raises(ConfigurationError, match="monthly_usd"):
            async with persistent_ledger({"a": [model]}, memory, monthly_usd=0.0):
                pass
        await model.complete(REQUEST)
        assert await labels(memory) == {}
