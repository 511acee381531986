"""What calls cost, told; and a month's money, of which reflections get less than answers."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jido_ai.cli.cost import show_costs
from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import BudgetExceededError, ConfigurationError
from jido_ai.learning.cost_report import cost_report
from jido_ai.loop.books import ThriftyReflector
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.wrappers.ledger import CostLedger, MonthlyBudgetModel
from jido_ai.reflection.reflector import Reflector
from jido_ai.testing import ScriptedModel
from jido_ai.values import CompletionRequest, Episode, Message, Usage, utc_now
from jido_ai.values.record import Record

REQUEST = CompletionRequest((Message("user", "hello"),))


@pytest.fixture
async def memory() -> AsyncIterator[ReflexionMemory]:
    async with ReflexionMemory() as memory:
        yield memory


async def spend(memory: ReflexionMemory, usd: float, *, days_ago: int = 0, label: str = "", **more: Any) -> None:
    """Write a row as a ledger does."""
    at = utc_now() - timedelta(days=days_ago)
    usage = Usage(1, 700, 200, usd, **{name: more.pop(name) for name in ("unpriced_calls",) if name in more})
    data = {"id": f"{at.timestamp()}-{usd}-{label}", "label": label, "provider": "p", "model": "m", "error": None}
    data |= usage.model_dump(mode="json") | more
    await memory.append([Record(log="ledger", key=at.date().isoformat(), kind="call", data=data, timestamp=at)])


def shown(report: dict[str, Any], *, as_json: bool = False) -> str:
    out = io.StringIO()
    show_costs(report, out, as_json=as_json)
    return out.getvalue()


# -- the report ------------------------------------------------------------------------------------


@pytest.mark.rows("C37")
async def test_rows_are_by_day_within_the_days_asked_for_and_the_month_is_30_days(memory: ReflexionMemory) -> None:
    for days_ago in (0, 1, 6, 7, 29, 30):
        await spend(memory, 0.5, days_ago=days_ago)
    report = await cost_report(memory, days=7)
    assert [row["day"] for row in report["rows"]] == [
        (utc_now().date() - timedelta(days=ago)).isoformat() for ago in (6, 1, 0)
    ]
    assert (report["total"]["cost_usd"], report["month"]["cost_usd"]) == (1.5, 2.5)
    text = shown(report)
    assert "700" in text
    assert "30 days: $2.5000" in text


@pytest.mark.parametrize(("by", "names"), [("label", ["judge", "writer", ""]), ("model", ["q:m", "p:m"])])
async def test_labels_and_models_are_sorted_by_cost(memory: ReflexionMemory, by: Any, names: list[str]) -> None:
    await spend(memory, 0.1, label="")
    await spend(memory, 0.2, label="writer")
    await spend(memory, 0.3, label="judge", provider="q")
    await spend(memory, 0.2, label="judge", provider="q")
    report = await cost_report(memory, by=by)
    assert [row[by] for row in report["rows"]] == names


async def test_an_unknown_price_is_shown_as_unknown_and_not_as_zero(memory: ReflexionMemory) -> None:
    await spend(memory, 0.0, unpriced_calls=1, label="a")
    report = await cost_report(memory, by="label")
    assert "price unknown" in shown(report)
    assert json.loads(shown(report, as_json=True))["total"]["cost_usd"] is None
    await spend(memory, 0.25, label="a")
    text = shown(await cost_report(memory, by="label"))
    assert "30 days: at least $0.2500, plus 1 call of unknown price" in text


@pytest.mark.rows("C37")
@pytest.mark.parametrize(
    ("usd", "alert", "told"),
    [
        (0.79, False, "; the budget is $1.00, 79% of it is spent"),
        (0.8, True, "no longer reflected on, but answers are still given"),
        (1.0, True, "no longer reflected on, and answers are refused"),
    ],
)
async def test_the_alert_begins_at_80_percent_of_the_budget(
    memory: ReflexionMemory, usd: float, alert: bool, told: str
) -> None:
    await spend(memory, usd)
    report = await cost_report(memory, budget_usd=1.0)
    assert report["month"]["alert"] is alert
    assert told in shown(report)


async def test_a_month_without_calls_is_stated_plainly(memory: ReflexionMemory) -> None:
    assert shown(await cost_report(memory)) == "no calls in the last 30 days\n30 days: $0.0000\n"


async def test_a_label_cannot_steer_the_terminal(memory: ReflexionMemory) -> None:
    await spend(memory, 0.1, label="\x1b[31m[bold]x")
    text = shown(await cost_report(memory, by="label"))
    assert "\x1b" not in text
    assert "[bold]x" in text


# -- the budget ------------------------------------------------------------------------------------


def budget_with(memory: ReflexionMemory, monthly_usd: float | None = 1.0) -> CostLedger:
    return CostLedger(memory, monthly_usd=monthly_usd)


@pytest.mark.rows("C38")
@given(st.floats(0, 2))
@settings(max_examples=25, deadline=None)
async def test_reflections_stop_before_answers(usd: float) -> None:
    async with ReflexionMemory() as memory:
        await spend(memory, usd)
        budget = budget_with(memory)
        reflects = answers = True
        try:
            await ThriftyReflector(Reflector(), budget).reflect(Episode("p", error="ValueError: x"))
        except BudgetExceededError:
            reflects = False
        try:
            await MonthlyBudgetModel(ScriptedModel(["hello"]), budget).complete(REQUEST)
        except BudgetExceededError:
            answers = False
    assert reflects == (usd < 0.8)
    assert answers == (usd < 1.0)


async def test_a_run_continues_without_reflections_and_counts_them(memory: ReflexionMemory) -> None:
    await spend(memory, 0.9)
    budget = budget_with(memory)
    critique = json.dumps({"issues": ["wrong"], "suggestions": [], "severity": 0.9, "feedback": ""})
    model = MonthlyBudgetModel(ScriptedModel(["an answer", critique]), budget)
    reflector = ThriftyReflector(Reflector(), budget)
    async with Pipeline(LLMGenerator(model), LLMCritiquer(model), reflector=reflector) as pipeline:
        result = await pipeline.run("a question")
    assert (result.total_iterations, result.reflections, result.reflections_skipped) == (1, (), 1)


async def test_no_call_is_made_once_the_budget_is_spent_and_the_run_says_why(memory: ReflexionMemory) -> None:
    await spend(memory, 1.5)
    inside = ScriptedModel(["an answer"])
    model = MonthlyBudgetModel(inside, budget_with(memory))
    async with Pipeline(LLMGenerator(model), LLMCritiquer(model)) as pipeline:
        result = await pipeline.run("a question")
    assert (result.stop_reason, inside.requests) == ("budget", [])
    assert result.evidence["limit"] == "monthly_usd"


async def test_without_a_budget_nothing_is_refused(memory: ReflexionMemory) -> None:
    await spend(memory, 1_000.0)
    budget = budget_with(memory, None)
    assert (await MonthlyBudgetModel(ScriptedModel(["hello"]), budget).complete(REQUEST)).text == "hello"
    assert await budget.share() == 0.0


async def test_spending_of_this_process_counts_at_once(memory: ReflexionMemory) -> None:
    budget = budget_with(memory)
    assert await budget.share() == 0.0
    await budget.record(Usage(1, 1, 1, 0.9), provider="p", model="m")
    assert await budget.share() == pytest.approx(0.9)


@pytest.mark.parametrize("usd", [0.0, -1.0, float("nan"), float("inf")])
async def test_an_invalid_budget_is_rejected(memory: ReflexionMemory, usd: float) -> None:
    with pytest.raises(ConfigurationError, match="monthly_usd must be above 0"):
        budget_with(memory, usd)
