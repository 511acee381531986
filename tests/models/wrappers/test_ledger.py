"""The ledger: every try by day, label, provider and model; prices known, of the user's, and unknown."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from jido_ai.errors import (
    ConfigurationError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
    RefusalError,
    ReplyError,
    StoreUnavailableError,
)
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.models.pricing import Prices
from jido_ai.models.wrappers import ledger as llm_ledger
from jido_ai.models.wrappers.ledger import CostLedger, LedgeredModel, LedgerRow
from jido_ai.telemetry import TelemetryEvent
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest, Message, Usage
from jido_ai.values.record import Record

pytestmark = pytest.mark.virtual_clock

REQUEST = CompletionRequest((Message("user", "hello"),))
TODAY = date(2026, 3, 10)
PRICES = {"m": (1.0, 5.0)}
SPENT = Usage(1, 700, 200)  # 0.0017 at these prices


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    days = [datetime.combine(TODAY, datetime.min.time(), UTC)]
    monkeypatch.setattr(llm_ledger, "utc_now", lambda: days[0])
    return days


@pytest.fixture(params=["process", "store"])
def ledger(request: pytest.FixtureRequest) -> CostLedger:
    return CostLedger(InProcessStore() if request.param == "store" else None)


def model(replies: Sequence[Any], ledger: CostLedger | None, prices: Any = PRICES, **more: Any) -> LedgeredModel:
    who = {"provider": more.pop("provider", "p"), "model": more.pop("model", "m"), "base_url": more.pop("base_url", "")}
    return LedgeredModel(ScriptedModel(replies, **who), Prices(prices), ledger, **more)


def answer(usage: Usage = SPENT) -> Completion:
    return Completion("ok", usage=usage)


@pytest.mark.rows("C35")
async def test_rows_are_summed_by_day_label_provider_and_model(ledger: CostLedger, clock: list[datetime]) -> None:
    for label in ("a", "a", "b"):
        await model([answer()], ledger, label=label).complete(REQUEST)
    clock[0] += timedelta(days=1)
    await model([answer()], ledger, label="a").complete(REQUEST.replace(metadata={"label": "c"}))
    rows = await ledger.rows()
    assert [(row.day, row.label, usage.calls) for row, usage in rows.items()] == [
        (TODAY, "a", 2),
        (TODAY, "b", 1),
        (TODAY + timedelta(days=1), "c", 1),
    ]
    assert {(row.provider, row.model) for row in rows} == {("p", "m")}
    spent = await ledger.spent()
    assert (spent.calls, spent.input_tokens, spent.output_tokens) == (4, 2_800, 800)
    assert spent.cost_usd == pytest.approx(4 * 0.0017)


@pytest.mark.rows("C37")
@pytest.mark.parametrize(
    ("since", "until", "label", "calls"),
    [(0, 0, None, 1), (1, 2, None, 2), (None, 1, None, 2), (2, None, None, 1), (0, 2, "odd", 1), (3, None, None, 0)],
)
async def test_spending_is_queried_by_days_and_label(
    *, since: int | None, until: int | None, label: str | None, calls: int, ledger: CostLedger, clock: list[datetime]
) -> None:
    for day in range(3):
        await ledger.record(SPENT, provider="p", model="m", label="odd" if day % 2 else "even")
        clock[0] += timedelta(days=1)
    days = [None if bound is None else TODAY + timedelta(days=bound) for bound in (since, until)]
    assert (await ledger.spent(*days, label)).calls == calls


@pytest.mark.rows("C36")
async def test_an_answer_comes_back_with_its_cost() -> None:
    completion = await model([answer()], None).complete(REQUEST)
    assert completion.usage == SPENT.model_copy(update={"cost_usd": pytest.approx(0.0017)})
    [*_, last] = [item async for item in model([answer()], None).stream(REQUEST)]
    assert isinstance(last, Completion)
    assert last.usage.cost_usd == pytest.approx(0.0017)


@pytest.mark.parametrize("reply", [answer(), Completion("a model that does not say what it took")])
async def test_an_unknown_price_stays_unknown(reply: Completion, ledger: CostLedger) -> None:
    completion = await model([reply], ledger, {}, model="nobody-knows").complete(REQUEST)
    assert (completion.usage.calls, completion.usage.cost_usd, completion.usage.unpriced_calls) == (1, 0.0, 1)
    assert (await ledger.spent()).unpriced_calls == 1


async def test_a_cost_given_by_the_provider_is_used() -> None:
    usage = Usage(1, 10, 10, cost_usd=0.25)
    assert (await model([answer(usage)], None).complete(REQUEST)).usage == usage


async def test_a_failed_try_is_recorded_with_its_usage_if_known() -> None:
    store = InProcessStore()
    ledger = CostLedger(store)
    billed = ReplyError("no text", provider="p")
    billed.usage = SPENT  # type: ignore[attr-defined]
    failing = model([ModelUnavailableError("down", provider="p"), billed], ledger)
    for _ in range(2):
        await asyncio.gather(failing.complete(REQUEST), return_exceptions=True)
    records = await store.records("ledger")
    assert [(record.data["error"], record.data["calls"]) for record in records] == [
        ("ModelUnavailableError", 0),
        ("ReplyError", 1),
    ]
    assert (await ledger.spent()).cost_usd == pytest.approx(0.0017)
    assert (records[0].key, records[0].kind) == ("2026-03-10", "call")


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (ModelTimeoutError("late", provider="p"), 1),
        (RefusalError("no", provider="p"), 1),
        (RateLimitError("wait", provider="p"), 0),
        (ModelUnavailableError("down", provider="p"), 0),
    ],
)
async def test_a_failed_try_without_usage_is_a_call_of_unknown_price_if_it_may_have_been_billed(
    error: Exception, calls: int, ledger: CostLedger
) -> None:
    await asyncio.gather(model([error], ledger).complete(REQUEST), return_exceptions=True)
    assert await ledger.spent() == Usage(calls, unpriced_calls=calls)


class Failing(InProcessStore):
    """Cannot be written to for a while; loses no record it took, not even one whose writer gave up."""

    broken: Any = None

    async def append(self, records: Sequence[Record]) -> list[Record]:
        if self.broken is StoreUnavailableError:
            raise StoreUnavailableError("gone")
        done = await super().append(records)
        if self.broken is not None:
            await asyncio.sleep(self.broken)
        return done


@pytest.mark.rows("C34")
@pytest.mark.parametrize("broken", [StoreUnavailableError, 60.0])
async def test_a_failing_or_hanging_store_fails_no_call_and_loses_or_repeats_no_record(broken: Any) -> None:
    seen: list[TelemetryEvent] = []
    store = Failing()
    ledger = CostLedger(store, sink=seen.append)
    store.broken = broken
    assert (await model([answer()], ledger).complete(REQUEST)).text == "ok"
    assert [event.name for event in seen] == ["ledger.failed"]
    assert (await ledger.spent()).calls == 1
    store.broken = None
    await model([answer()], ledger).complete(REQUEST)
    assert (await ledger.spent()).calls == 2
    assert (await CostLedger(store).spent()).calls == 2


async def test_many_calls_at_once_are_all_recorded() -> None:
    store = InProcessStore()
    ledger = CostLedger(store)
    await asyncio.gather(*(model([answer()], ledger).complete(REQUEST) for _ in range(1_200)))
    assert (await ledger.spent()).calls == len(await store.records("ledger")) == 1_200


@pytest.mark.rows("C37")
async def test_an_alert_comes_once_at_four_fifths_of_the_monthly_budget_until_spending_is_below_again(
    ledger: CostLedger, clock: list[datetime]
) -> None:
    seen: list[TelemetryEvent] = []
    ledger = CostLedger(ledger.store, monthly_usd=10.0, sink=seen.append)
    for cost in (4.0, 3.9, 0.1, 1.0):
        await ledger.record(Usage(1, cost_usd=cost), provider="p", model="m")
        clock[0] += timedelta(days=1)
    assert [(event.name, event.data["spent_usd"]) for event in seen] == [("ledger.budget_alert", pytest.approx(8.0))]
    clock[0] += timedelta(days=40)
    await ledger.record(Usage(1, cost_usd=1.0), provider="p", model="m")
    await ledger.record(Usage(1, cost_usd=8.0), provider="p", model="m")
    assert len(seen) == 2


@pytest.mark.parametrize("store", ["memory.db", 5, object()])
def test_an_object_that_cannot_keep_records_is_no_store_of_costs(store: Any) -> None:
    with pytest.raises(ConfigurationError, match="append and records"):
        CostLedger(store)


@pytest.mark.parametrize(
    ("junk", "named"),
    [
        ({"usage": "x"}, "usage"),
        ({"usage": None}, "usage"),
        ({"provider": ["p"]}, "provider"),
        ({"label": {}}, "label"),
    ],
)
async def test_an_invalid_try_is_refused_and_not_recorded(junk: Any, named: str, ledger: CostLedger) -> None:
    with pytest.raises(ConfigurationError, match=f"^{named} must be"):
        await ledger.record(**{"usage": Usage(1), "provider": "p", "model": "m", **junk})
    assert await ledger.rows() == {}


@pytest.mark.parametrize("day", ["2026-03-10", 5, datetime(2026, 3, 10, tzinfo=UTC)])
async def test_rows_are_queried_by_dates(day: Any, ledger: CostLedger) -> None:
    await ledger.record(Usage(1), provider="p", model="m")
    with pytest.raises(ConfigurationError, match="since must be a date"):
        await ledger.rows(day)
    with pytest.raises(ConfigurationError, match="until must be a date"):
        await ledger.spent(until=day)


@pytest.mark.parametrize("usd", [0.0, -1.0, float("nan"), float("inf"), "10", True])
def test_an_invalid_monthly_budget_is_refused(usd: Any) -> None:
    with pytest.raises(ConfigurationError, match="monthly_usd"):
        CostLedger(monthly_usd=usd)


# -- prices ----------------------------------------------------------------------------------------


async def test_the_list_finds_a_model_by_provider_and_by_address() -> None:
    usage = Usage(1, 1_000_000, 100_000)
    by_name = await Prices().cost("openai", "", "gpt-4o-mini", usage)
    assert by_name == await Prices().cost("openai", "https://api.openai.com/v1", "gpt-4o-mini", usage)
    assert by_name == pytest.approx(0.21)
    assert LedgerRow.__slots__


@pytest.mark.parametrize(
    ("provider", "base_url", "model"),
    [
        ("openai", "", "nobody-knows"),
        ("openai", "http://localhost:8080/v1", "gpt-4o-mini"),
        ("nobody", "", "m"),
        ("p", "", None),
    ],
)
async def test_a_model_not_on_the_list_has_no_price(provider: str, base_url: str, model: str | None) -> None:
    prices = Prices()
    for _ in range(2):
        assert await prices.cost(provider, base_url, model, SPENT) is None


async def test_the_table_of_the_user_overrides_the_list_and_the_provider_overrides_the_model() -> None:
    prices = Prices({"gpt-4o-mini": (1.0, 1.0), "openai:gpt-4o-mini": (0.0, 0.0)})
    assert await prices.cost("openai", "", "gpt-4o-mini", SPENT) == 0.0
    assert await prices.cost("other", "", "gpt-4o-mini", SPENT) == pytest.approx(0.0009)


async def test_the_price_list_is_imported_and_read_on_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def calc_price(usage: Any, **where: str) -> Any:
        threads.append(threading.current_thread())
        return SimpleNamespace(total_price=2.5)

    listed = SimpleNamespace(Usage=SimpleNamespace, calc_price=calc_price)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: listed)
    monkeypatch.setitem(sys.modules, "genai_prices", listed)
    prices = Prices()
    assert [await prices.cost("openai", "", "m", SPENT) for _ in range(2)] == [2.5, 2.5]
    assert [thread is threading.main_thread() for thread in threads] == [False, True, True]  # the first reads it all


async def test_the_table_works_without_the_list_and_the_missing_list_names_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert await Prices(PRICES).cost("openai", "", "gpt-4o-mini", SPENT) is None
    assert await Prices(PRICES).cost("openai", "", "m", SPENT) is not None
    with pytest.raises(ConfigurationError, match=r"jido-ai\[prices\]"):
        Prices("list")
    with pytest.raises(ConfigurationError):
        Prices("lists")  # type: ignore[arg-type]
