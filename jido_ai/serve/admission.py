"""Admission: whether work that may call models is taken on, and what it costs, whichever door it comes through."""

from __future__ import annotations

import time
from contextlib import aclosing
from datetime import date, datetime, timedelta

from jido_ai.errors import ConfigurationError
from jido_ai.graph.orders import RunOrder
from jido_ai.graph.served import Served
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.models.pricing import without_price
from jido_ai.models.wrappers.ledger import CostLedger
from jido_ai.serve.entries import Entry
from jido_ai.serve.metrics import Metrics
from jido_ai.serve.problems import Problem
from jido_ai.serve.quotas import Account, Cost, Quotas
from jido_ai.serve.scan import besides, kept_runs
from jido_ai.serve.tokens import Quota, Token, TokenFile
from jido_ai.values import utc_now

_SOON_S = 5.0


class Admission:
    """Admits runs, critiques and reflections of a server.

    Attributes:
        month: the budget for 30 days; None before the server runs.
    """

    def __init__(self, served: dict[str, Served], tokens: TokenFile | None, metrics: Metrics) -> None:
        self.quotas = Quotas()
        self.month: CostLedger | None = None
        self._served = served
        self._tokens = tokens
        self._metrics = metrics
        self._month_usd = 0.0

    async def look(self) -> None:
        """Read the cost of the last 30 days. Raises `StoreError`."""
        if self.month is not None and self.month.monthly_usd is not None:
            self._month_usd = await self.month.share() * self.month.monthly_usd

    def admit(self, order: RunOrder, in_flight: int) -> Account:
        """Return the open account of new work, or of work that goes on; its likely cost is set aside.

        Args:
            in_flight: work of the same token, in flight or waiting.

        Raises:
            Problem: its token may start none now, or the budget of the month does not suffice ("quota").
        """
        need = self._need_of(order.name)
        self._check_month(need)
        token = None if self._tokens is None else self._tokens.token_named(order.token)
        if token is not None:
            now = utc_now()
            self.quotas.admit(
                token,
                in_flight=in_flight,
                now=time.monotonic(),
                day=now.date(),
                until_midnight_s=_until_midnight(now),
                need=need,
            )
        return self.account(order)

    def account(self, order: RunOrder) -> Account:
        """Return the open account of work that was admitted before this server started."""
        need = self._need_of(order.name)
        return self.quotas.open(Account(self.quotas, order.token, order.name, need, quota=self._quota_of, today=_today))

    def ended(self, entry: Entry, account: Account) -> None:
        """Settle a run that has ended, for now. The account saw the calls of this process only."""
        new = entry.new
        self._metrics.ended(entry, new)
        cost = Cost(new["tokens"], new["known_usd"])
        account.settle(cost)
        if entry.status == "completed":
            self.quotas.note(entry.order.name, cost)

    async def count_today(self, memory: ReflexionMemory) -> None:
        """Count today's spending of the tokens before this start."""
        today = utc_now().date()
        async with aclosing(kept_runs(memory)) as runs:
            async for _, entry in runs:
                if entry.updated_at.date() < today:
                    break
                spent = entry.by_day.get(today.isoformat())
                if spent is not None:
                    self.quotas.spend(entry.order.token, today, Cost(spent["tokens"], spent["known_usd"]))
        for one in await besides(memory, today):
            self.quotas.spend(one["token_id"], today, Cost(one["tokens"], one["known_usd"]))

    def _check_month(self, need: Cost) -> None:
        if self.month is None or self.month.monthly_usd is None:
            return
        most, spent, aside = self.month.monthly_usd, self._month_usd, self.quotas.set_aside().dollars
        # Past the maximum, a run is accepted and ends with "budget", which tells its caller more.
        if spent < most and aside and spent + aside + max(need.dollars, 1e-9) > most:
            message = (
                f"${spent:.4f} are spent in 30 days, ${aside:.4f} are set aside for runs in flight, and this one needs"
            )
            raise Problem("quota", f"{message} ${need.dollars:.4f}; the maximum is ${most:.2f}", retry_after_s=_SOON_S)

    def _need_of(self, name: str) -> Cost:
        """Return the likely cost of work: the budget of its run, else those of its loops, or what earlier ones cost."""
        likely = self.quotas.likely(name)
        served = self._served.get(name)
        if served is None:
            return likely
        run = served.config.budget
        loops = [one for one, _ in served.budgets() if one is not None and one is not run]
        tokens = max(likely.tokens, sum(loop.max_tokens or 0 for loop in loops))
        dollars = max(likely.dollars, sum(loop.max_cost_usd or 0.0 for loop in loops))
        if run is None:
            return Cost(tokens, dollars)
        return Cost(
            tokens if run.max_tokens is None else run.max_tokens,
            dollars if run.max_cost_usd is None else run.max_cost_usd,
        )

    def _quota_of(self, id_: str) -> Quota | None:
        token = None if self._tokens is None else self._tokens.token_named(id_)
        return None if token is None else token.quota


def _today() -> date:
    return utc_now().date()


def _until_midnight(now: datetime) -> float:
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (tomorrow - now).total_seconds()


async def check_dollars(token: Token, name: str, served: Served) -> None:
    """Raise `ConfigurationError` if a token has a limit in dollars and the price of a model is not known."""
    most = token.quota.dollars_a_day
    found = None if most is None else await without_price(served.uses())
    if most is not None and found is not None:
        mend = (
            "a model object has no prices; wrap it, with_limits(model), or name it"
            if found.is_bare
            else f'give its price in USD per million tokens ([prices."{found.name}"] with input_usd and output_usd in '
            "jido.toml)"
        )
        raise ConfigurationError(
            f"the token {token.id} has dollars_a_day={most:g}, which cannot be kept: the price of {found.name}, which "
            f"{name!r} uses, is unknown; {mend}, or limit --tokens-a-day instead"
        )
