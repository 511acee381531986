"""The cost ledger: one row for each try, by day, label, provider and model; in memory or in a store. And its budget.

From 80 % of a monthly budget the ledger sends its alert, and runs no longer reflect; the rest is for answers. At 100 %
no calls are made. Calls of unknown price are not in the sum; `jido cost` shows their number.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, Protocol

from jido_ai.components.component import used_by
from jido_ai.errors import BudgetExceededError, ConfigurationError, JidoError, StoreError, describe
from jido_ai.models.pricing import Prices, priced
from jido_ai.models.retry import may_be_billed
from jido_ai.models.spending import Spending
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.protocols import LanguageModel
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.text.numbers import is_number
from jido_ai.values import Completion, CompletionRequest, Scope, Usage, new_id, utc_now
from jido_ai.values.record import LogName, Record

MONTH_DAYS: Final = 30
REFLECTIONS_STOP_AT: Final = 0.8
_PAGE: Final = 1_000
_MOST_WAITING: Final = 10_000
_WRITE_S: Final = 5.0
_LATE_ROWS: Final = 32
"""Rows of other processes that may become visible after a later one."""
_UNREPORTED: Final = Usage(1, unpriced_calls=1)
"""The usage of a call whose model reports none."""


class LedgerStore(Protocol):
    """The methods of a store that a ledger uses, as in `MemoryStore`."""

    async def append(self, records: list[Record]) -> list[Record]: ...

    async def records(
        self,
        log: LogName,
        *,
        scope: Scope | None = None,
        key: str | None = None,
        kind: str | None = None,
        after: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[Record]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """Calls, tokens and cost of one day, label, provider and model.

    Attributes:
        day: in UTC.
    """

    day: date
    label: str
    provider: str
    model: str


@dataclass(slots=True)
class _Month:
    """The cost of the records in a store, of 30 days up to a day.

    Attributes:
        seen_to: row of the last record.
        seen: rows and ids of the last records, which a look may find again.
    """

    day: date
    cost_usd: float = 0.0
    seen_to: int = 0
    seen: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, record: Record) -> None:
        """Count a record once, also if an interrupted write was repeated."""
        id_: Any = record.data["id"]
        if id_ in self.seen or record.row <= self.seen_to - _LATE_ROWS:
            return
        self.cost_usd += record.data["cost_usd"]
        self.seen[id_] = record.row
        self.seen_to = max(self.seen_to, record.row)
        if len(self.seen) > 2 * _LATE_ROWS:
            self.seen = {one: row for one, row in self.seen.items() if row > self.seen_to - _LATE_ROWS}


class CostLedger:
    """Adds up the cost of calls and warns when a monthly budget is nearly spent.

    With a store, every try is a record in its log "ledger" with key = the day and kind = "call", and records of other
    processes count too. Errors of the store never fail a call: unwritten records (the newest 10,000) are
    written with the next one, or by `flush`. Without a store, the sums are kept in memory.

    Args:
        store: an open store.
        monthly_usd: budget for 30 days; None is no limit. At 80 % the event `ledger.budget_alert` goes to the sink,
            once until the sum drops below 80 % again. What is to stop then calls `require`.
        sink: receives events.

    Attributes:
        store, monthly_usd: as given.

    Source: daily rows, the sum of 30 days, the alert at 80 % (SPEC C35 to C37), the budget that stops reflection
    (X-C11); USD only.
    """

    def __init__(
        self, store: LedgerStore | None = None, *, monthly_usd: float | None = None, sink: Sink | None = None
    ) -> None:
        if monthly_usd is not None and (not is_number(monthly_usd) or monthly_usd <= 0.0):
            raise ConfigurationError(f"monthly_usd must be above 0 and finite, got {describe(monthly_usd)}")
        if store is not None and not all(callable(getattr(store, name, None)) for name in ("append", "records")):
            raise ConfigurationError(f"store must have the methods append and records, got {describe(store)}")
        self.store = store
        self.monthly_usd = monthly_usd
        self._sink: Sink = safe_sink(sink)
        self._sums: dict[tuple[date, str, str, str], Spending] = {}  # by day, label, provider and model
        self._waiting: list[Record] = []
        self._lock: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None
        self._is_alerted = False
        self._month = _Month(date.min)

    async def record(
        self, usage: Usage, *, provider: str, model: str | None, label: str = "", error: str | None = None
    ) -> None:
        """Add one try.

        Args:
            error: the name of the error it ended with.

        Raises:
            ConfigurationError: `usage` is not a `Usage`, or a name is not a text; nothing was recorded.
        """
        if not isinstance(usage, Usage):
            raise ConfigurationError(f"usage must be a Usage, got {describe(usage)}")
        for name, text in (("provider", provider), ("model", model or ""), ("label", label), ("error", error or "")):
            if not isinstance(text, str):
                raise ConfigurationError(f"{name} must be a string, got {describe(text)}")
        now = utc_now()
        if self.store is None:
            row = (now.date(), label, provider, model or "")
            sum_ = self._sums.get(row)
            if sum_ is None:
                sum_ = self._sums[row] = Spending()
            sum_.record(usage)
        else:
            data = {"id": new_id("call"), "label": label, "provider": provider, "model": model or "", "error": error}
            figures = usage.model_dump(mode="json")
            day = now.date().isoformat()
            self._waiting.append(Record(log="ledger", key=day, kind="call", data=data | figures, timestamp=now))
            del self._waiting[:-_MOST_WAITING]
            await self.flush()
        if usage.cost_usd > 0.0 and self.monthly_usd is not None:
            await self._look_at_month(self.monthly_usd)

    async def flush(self) -> None:
        """Write the pending records. If that fails, they stay pending, and an event reports it."""
        if self.store is None or not self._waiting:
            return
        async with self._turn():
            batch = list(self._waiting)
            if not batch:
                return
            try:
                async with asyncio.timeout(_WRITE_S):
                    await self.store.append(batch)
            except (JidoError, TimeoutError) as error:
                data = {"error": type(error).__name__, "waiting": len(self._waiting)}
                self._sink(TelemetryEvent("ledger.failed", data))
                return
            written = {record.data["id"] for record in batch}
            self._waiting = [record for record in self._waiting if record.data["id"] not in written]

    async def rows(
        self, since: date | None = None, until: date | None = None, label: str | None = None
    ) -> dict[LedgerRow, Usage]:
        """Return the sums by day, label, provider and model, the days in order.

        Args:
            since, until: days in UTC, both inclusive; None means no bound.
            label: None is all labels.

        Raises:
            ConfigurationError: a bound is not a date (a datetime is not one).
            StoreError: the store cannot be read.
        """
        for name, day in (("since", since), ("until", until)):
            if day is not None and (not isinstance(day, date) or isinstance(day, datetime)):
                raise ConfigurationError(f"{name} must be a date or None, got {describe(day)}")
        sums: dict[LedgerRow, Usage] = defaultdict(Usage)
        if self.store is None:
            for (day, label_, provider, model), sum_ in self._sums.items():
                sums[LedgerRow(day=day, label=label_, provider=provider, model=model)] = sum_.spent
        else:
            seen: set[str] = set()
            found = [record async for record in self._records(self.store, since, until)]
            for record in (*found, *self._waiting):
                data: Any = record.data
                if data["id"] not in seen:  # an interrupted write may have been repeated
                    seen.add(data["id"])
                    day = date.fromisoformat(record.key)
                    row = LedgerRow(day=day, label=data["label"], provider=data["provider"], model=data["model"])
                    sums[row] += Usage.model_validate({name: data[name] for name in Usage.model_fields if name in data})
        return {
            row: sums[row]
            for row in sorted(sums, key=lambda row: (row.day, row.label, row.provider, row.model))
            if (since is None or row.day >= since)
            and (until is None or row.day <= until)
            and label in (None, row.label)
        }

    async def spent(self, since: date | None = None, until: date | None = None, label: str | None = None) -> Usage:
        """Return the sum of `rows`, for callers that stop reflecting before the budget is spent."""
        return sum((await self.rows(since, until, label)).values(), Usage())

    async def month_usd(self) -> float:
        """Return the cost of the last 30 days of all processes with this store, as far as prices are known.

        It is rounded to a billionth of a dollar: ten calls for 0.1 cost 1.0. Only records that are new since the last
        look are read.

        Raises:
            StoreError: the store cannot be read.
        """
        today = utc_now().date()
        first = today - timedelta(days=MONTH_DAYS - 1)
        if self.store is None:
            return round((await self.spent(first)).cost_usd, 9)
        if self._month.day != today:
            self._month = _Month(today)
        month = self._month
        async for record in self._records(self.store, first, None, after=month.seen_to - _LATE_ROWS):
            month.add(record)
        waiting = (one.data for one in self._waiting if one.data["id"] not in month.seen)
        return round(month.cost_usd + math.fsum(one["cost_usd"] for one in waiting), 9)

    async def share(self) -> float:
        """Return the spent share of the monthly budget; 1.0 is all of it. Raises `StoreError` as `month_usd`."""
        return 0.0 if self.monthly_usd is None else await self.month_usd() / self.monthly_usd

    async def require(self, below: float = 1.0, what: str = "no more calls are made") -> None:
        """Raise `BudgetExceededError` if at least this share of the monthly budget is spent."""
        if self.monthly_usd is None:
            return
        spent = await self.month_usd()
        if spent >= below * self.monthly_usd:
            note = f"of any {MONTH_DAYS} days; {what}"
            raise BudgetExceededError("monthly_usd", allowed=self.monthly_usd, spent=spent, note=note)

    async def _records(
        self, store: LedgerStore, since: date | None, until: date | None, *, after: int = 0
    ) -> AsyncGenerator[Record]:
        """Yield the records in the store; those that wait are not among them."""
        after = max(0, after)
        while True:
            page = await store.records(
                "ledger",
                kind="call",
                after=after,
                since=None if since is None else datetime.combine(since, time.min, UTC),
                until=None if until is None else datetime.combine(until, time.max, UTC),
                limit=_PAGE,
            )
            for record in page:
                yield record
            if len(page) < _PAGE:
                break
            after = page[-1].row

    async def _look_at_month(self, monthly_usd: float) -> None:
        """Send the alert when the monthly budget is nearly spent."""
        try:
            spent = await self.month_usd()
        except StoreError as error:
            self._sink(TelemetryEvent("ledger.failed", {"error": type(error).__name__}))
            return
        is_much = spent >= REFLECTIONS_STOP_AT * monthly_usd
        if is_much and not self._is_alerted:
            self._sink(TelemetryEvent("ledger.budget_alert", {"spent_usd": spent, "monthly_usd": monthly_usd}))
        self._is_alerted = is_much

    def _turn(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._lock is None or self._lock[0] is not loop:
            self._lock = (loop, asyncio.Lock())
        return self._lock[1]


class LedgeredModel(AroundModel[None]):
    """Prices and records every try. The usage of an answer includes its cost.

    A failed try is recorded with the `usage` attribute of its error; without one it is a call of unknown price if it
    may have been billed, else no call.

    Args:
        prices: prices of calls; a call without a known price counts in `unpriced_calls`.
        ledger: records the tries; None only prices them.
        label: label of the records, unless the request has `metadata["label"]`.

    Attributes:
        ledger: as given.
        besides: a ledger that also records the tries if the first has no store, whose budget stops calls, and the label
            of records without one; None by default. See `persistent_ledger`.
    """

    def __init__(
        self, inside: LanguageModel, prices: Prices, ledger: CostLedger | None = None, *, label: str = ""
    ) -> None:
        super().__init__(inside)
        self._prices = prices
        self.ledger = ledger
        self._label = label
        self.besides: tuple[CostLedger, str] | None = None

    async def has_price(self) -> bool:
        """Tell whether the price of the model is known."""
        return await self._prices.cost(self.provider, self.base_url, self.model, Usage(1, 1, 1)) is not None

    async def _begin(self, request: CompletionRequest) -> None:
        if self.besides is not None:
            await self.besides[0].require()

    async def _answered(self, request: CompletionRequest, state: None, completion: Completion) -> Completion:
        reported = completion.usage if "usage" in completion.model_fields_set else _UNREPORTED
        usage = await self._priced(request, reported, completion.model)
        await self._record(request, usage)
        return completion if usage is completion.usage else completion.model_copy(update={"usage": usage})

    async def _failed(self, request: CompletionRequest, state: None, error: BaseException) -> None:
        if isinstance(error, Exception):
            usage: object = getattr(error, "usage", None)
            if not isinstance(usage, Usage):
                usage = _UNREPORTED if may_be_billed(error) else Usage()
            paid = await self._priced(request, usage, None)
            await self._record(request, paid, error=type(error).__name__)

    async def _priced(self, request: CompletionRequest, usage: Usage, model: str | None) -> Usage:
        if usage.cost_usd > 0.0 or not usage.calls:
            return usage  # the provider reports the cost, or nothing was sent
        is_told = usage.unpriced_calls == usage.calls and usage.input_tokens + usage.output_tokens > 0
        if usage.unpriced_calls and not is_told:
            return usage  # unknown: no tokens, or only some of the calls have a price
        asked_for = self.name_of(request)
        cost = await self._prices.cost(self.provider, self.base_url, asked_for, usage)
        if cost is None and model not in (None, asked_for):
            cost = await self._prices.cost(self.provider, self.base_url, model, usage)
        return usage if cost is None and is_told else priced(usage, cost)

    async def _record(self, request: CompletionRequest, usage: Usage, *, error: str | None = None) -> None:
        ledgers, usual = [] if self.ledger is None else [self.ledger], self._label
        if self.besides is not None:
            ledger, label_besides = self.besides
            usual = usual or label_besides
            if self.ledger is None or self.ledger.store is None:
                ledgers.append(ledger)
        label: object = request.metadata.get("label")
        for ledger in ledgers:
            await ledger.record(
                usage,
                provider=self.provider,
                model=self.name_of(request),
                label=label if isinstance(label, str) else usual,
                error=error,
            )


class MonthlyBudgetModel(AroundModel[None]):
    """Refuses every call once the monthly budget of a ledger is spent.

    Raises (from calls):
        BudgetExceededError: the budget is spent.
        StoreError: the ledger cannot be read.
    """

    def __init__(self, inside: LanguageModel, ledger: CostLedger) -> None:
        super().__init__(inside)
        self._ledger = ledger

    async def _begin(self, request: CompletionRequest) -> None:
        await self._ledger.require()


@asynccontextmanager
async def persistent_ledger(
    parts: Mapping[str, Iterable[object]],
    store: LedgerStore,
    *,
    monthly_usd: float | None = None,
    sink: Sink | None = None,
) -> AsyncGenerator[CostLedger]:
    """Record the costs of the models among `parts` in a store while the block runs. Yields the ledger.

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
    models: list[LedgeredModel] = []
    for label, components in parts.items():
        for model in used_by(components):
            if isinstance(model, LedgeredModel) and model.ledger is not None and model.besides is None:
                model.besides = ledger, label
                models.append(model)
    try:
        yield ledger
    finally:
        for model in models:
            model.besides = None
        await ledger.flush()
