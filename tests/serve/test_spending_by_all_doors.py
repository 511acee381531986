"""The load of benchmarks/serve/spending.py: no door spends more than the limit and one call of each run in flight."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from jido_ai import Budget

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks" / "serve"))

spending: Any = importlib.import_module("spending")  # the benchmarks are no package
BUDGET = Budget(max_cost_usd=spending.RUN_COST)


@pytest.mark.parametrize("door", spending.DOORS)
async def test_requests_at_once_with_budgets_spend_no_more_than_the_limit_at_any_door(
    door: str, tmp_path: Path
) -> None:
    found = await spending.load([spending.DOORS[door]] * 12, budget=BUDGET, folder=tmp_path)
    if door == "reflections" or door.startswith("MCP"):  # without a budget; or a tool takes a part of it
        assert found.is_held
    else:
        assert found.spent <= spending.LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("case", spending.CASES)
async def test_60_requests_by_all_doors_spend_the_limit_and_one_call_of_each_run_in_flight_at_most(
    case: str, tmp_path: Path
) -> None:
    asks = (list(spending.DOORS.values()) * 4)[:60]
    found = await spending.load(asks, folder=tmp_path, **spending.CASES[case])
    assert found.is_held
    assert found.spent > 0.0


async def test_critiques_that_waited_are_refused_as_past_the_quota(tmp_path: Path) -> None:
    found = await spending.load([spending.DOORS["critiques"]] * 6, budget=None, folder=tmp_path, max_runs=1)
    assert found.statuses == {200: 3, 429: 3}
