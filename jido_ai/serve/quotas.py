"""Quotas of tokens: runs at once and a minute, tokens and dollars a day. Pure but for its counts.

Work is admitted only if its likely cost fits beside what is set aside for the work in flight. What it spends counts at
once, and before each call the limits of the day are checked again, so they are exceeded at most by the calls in flight.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from statistics import median
from typing import Final

from jido_ai.errors import BudgetExceededError
from jido_ai.models.spending import Spending
from jido_ai.serve.problems import Problem
from jido_ai.serve.tokens import Quota, Token
from jido_ai.values import Usage

_MINUTE_S: Final = 60.0
_SOON_S: Final = 5.0
_KNOWN_COSTS: Final = 50


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens, and US dollars as far as prices are known."""

    tokens: int = 0
    dollars: float = 0.0


@dataclass(slots=True)
class _Spent:
    day: date
    tokens: int = 0
    dollars: float = 0.0


@dataclass(slots=True)
class Quotas:
    """The use of each token since the start of the server; spending of the day also from before it."""

    _starts: dict[str, deque[float]] = field(default_factory=dict[str, "deque[float]"])
    _spent: dict[str, _Spent] = field(default_factory=dict[str, _Spent])
    _costs: dict[str, deque[Cost]] = field(default_factory=dict[str, "deque[Cost]"])
    _accounts: set[Account] = field(default_factory=set["Account"])

    def spend(self, token: str, day: date, cost: Cost) -> None:
        """Count spending; that of an earlier day than today's counts no more."""
        spent = self._today(token, day)
        if spent.day == day:
            spent.tokens += cost.tokens
            spent.dollars += cost.dollars

    def note(self, name: str, cost: Cost) -> None:
        """Remember the cost of a run of a pipeline or graph."""
        self._costs.setdefault(name, deque(maxlen=_KNOWN_COSTS)).append(cost)

    def likely(self, name: str) -> Cost:
        """Return the median cost of the last runs of a pipeline or graph; while none has ended, the most that one in
        flight has cost.
        """
        known = (
            self._costs.get(name) or [account.cost for account in self._accounts if account.name == name] or [Cost()]
        )
        pick = median if name in self._costs else max
        return Cost(round(pick([one.tokens for one in known])), pick([one.dollars for one in known]))

    def set_aside(self, token: str | None = None) -> Cost:
        """Return the cost that is set aside for work in flight and not spent yet; None: for all tokens."""
        found = [account.rest for account in self._accounts if token in (None, account.token)]
        return Cost(sum(one.tokens for one in found), sum(one.dollars for one in found))

    def open(self, account: Account) -> Account:
        """Set aside the cost of an account, until it is closed."""
        self._accounts.add(account)
        return account

    def close(self, account: Account) -> None:
        """Set nothing aside for an account any more."""
        self._accounts.discard(account)

    def refusal(self, token: str, quota: Quota, day: date) -> BudgetExceededError | None:
        """Return why no call may be made today; None if one may."""
        spent = self._today(token, day)
        if quota.tokens_a_day is not None and spent.tokens >= quota.tokens_a_day:
            return BudgetExceededError("tokens_a_day", allowed=quota.tokens_a_day, spent=spent.tokens)
        if quota.dollars_a_day is not None and spent.dollars >= quota.dollars_a_day:
            return BudgetExceededError("dollars_a_day", allowed=quota.dollars_a_day, spent=spent.dollars)
        return None

    def admit(
        self,
        token: Token,
        *,
        in_flight: int,
        now: float,
        day: date,
        until_midnight_s: float,
        need: Cost = Cost(),
    ) -> None:
        """Count new work. Raises `Problem` ("quota") if the token may start none now.

        Args:
            now: seconds of a clock that only goes forward.
            until_midnight_s: seconds until the next day in UTC.
            need: its likely cost, which must fit beside what is set aside; alone it may take all that is left.
        """
        quota = token.quota
        if quota.runs_at_once is not None and in_flight >= quota.runs_at_once:
            raise Problem(
                "quota", f"{in_flight} runs are in flight; the maximum is {quota.runs_at_once}", retry_after_s=1
            )
        spent, aside = self._today(token.id, day), self.set_aside(token.id)
        most = quota.tokens_a_day
        if most is not None and spent.tokens >= most:
            message = f"{spent.tokens} tokens are used today; the maximum is {most}"
            raise Problem("quota", message, retry_after_s=until_midnight_s)
        if most is not None and aside.tokens and spent.tokens + aside.tokens + max(need.tokens, 1) > most:
            message = f"{spent.tokens} tokens are used today, {aside.tokens} are set aside for runs in flight, and"
            raise Problem(
                "quota", f"{message} this one needs {need.tokens}; the maximum is {most}", retry_after_s=_SOON_S
            )
        usd = quota.dollars_a_day
        if usd is not None and spent.dollars >= usd:
            message = f"${spent.dollars:.4f} are spent today; the maximum is ${usd:.2f}"
            raise Problem("quota", message, retry_after_s=until_midnight_s)
        if usd is not None and aside.dollars and spent.dollars + aside.dollars + max(need.dollars, 1e-9) > usd:
            message = (
                f"${spent.dollars:.4f} are spent today, ${aside.dollars:.4f} are set aside for runs in flight, and"
            )
            raise Problem(
                "quota",
                f"{message} this one needs ${need.dollars:.4f}; the maximum is ${usd:.2f}",
                retry_after_s=_SOON_S,
            )
        if quota.runs_a_minute is None:
            return
        starts = self._starts.setdefault(token.id, deque())
        while starts and starts[0] <= now - _MINUTE_S:
            starts.popleft()
        if len(starts) >= quota.runs_a_minute:
            message = f"{len(starts)} runs were started within a minute; the maximum is {quota.runs_a_minute}"
            raise Problem("quota", message, retry_after_s=starts[0] + _MINUTE_S - now)
        starts.append(now)

    def _today(self, token: str, day: date) -> _Spent:
        spent = self._spent.get(token)
        if spent is None or spent.day < day:
            spent = self._spent[token] = _Spent(day)
        return spent


class Account(Spending):
    """The account of work that calls models: a leg of a run, a critique, a reflection.

    Its usage counts for its token at once. Calls are refused when the token has no more for today.

    Args:
        token: id of the token; "" without one.
        name: of the pipeline or graph.
        need: its likely cost, which is set aside.
        quota: the limits of the token now, which may change while the work goes on.
        today: the day in UTC.
    """

    def __init__(
        self,
        quotas: Quotas,
        token: str,
        name: str,
        need: Cost,
        *,
        quota: Callable[[str], Quota | None],
        today: Callable[[], date],
    ) -> None:
        super().__init__()
        self.token = token
        self.name = name
        self._quotas = quotas
        self._need = need
        self._quota = quota
        self._today = today

    @property
    def cost(self) -> Cost:
        """The spending so far."""
        spent = self.spent
        return Cost(spent.input_tokens + spent.output_tokens, spent.cost_usd)

    @property
    def rest(self) -> Cost:
        """The amount set aside for it, less its spending."""
        spent = self.cost
        return Cost(max(0, self._need.tokens - spent.tokens), max(0.0, self._need.dollars - spent.dollars))

    def record(self, usage: Usage) -> None:
        """Count usage, for the token too."""
        super().record(usage)
        tokens = usage.input_tokens + usage.output_tokens
        self._quotas.spend(self.token, self._today(), Cost(tokens, usage.cost_usd))

    def settle(self, total: Cost) -> None:
        """Close it; the part of its total cost that it did not see, as from before a crash, counts now."""
        seen = self.cost
        more = Cost(max(0, total.tokens - seen.tokens), max(0.0, total.dollars - seen.dollars))
        self._quotas.spend(self.token, self._today(), more)
        self.close()

    def close(self) -> None:
        """Set nothing aside for it any more."""
        self._quotas.close(self)

    def _refusal(self, calls: int, tokens: int, cost_usd: float) -> BudgetExceededError | None:
        quota = self._quota(self.token) if self.token and calls else None
        return None if quota is None else self._quotas.refusal(self.token, quota, self._today())
