"""Quotas of tokens: runs at once and a minute, tokens and dollars a day. Pure but for its counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from jido_ai.serve.problems import Problem
from jido_ai.serve.tokens import Token

__all__ = ["Quotas"]

_MINUTE_S: Final = 60.0


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

    def spend(self, token: str, day: date, summary: Mapping[str, Any]) -> None:
        """Count the spending of a run."""
        spent = self._today(token, day)
        if spent.day == day:
            spent.tokens += int(summary.get("tokens") or 0)
            spent.dollars += float(summary.get("known_usd") or summary.get("cost_usd") or 0.0)

    def admit(self, token: Token, *, in_flight: int, now: float, day: date, until_midnight_s: float) -> None:
        """Count a new run. Raises `Problem` ("quota") if the token may start none now.

        Args:
            now: seconds of a clock that only goes forward.
            until_midnight_s: seconds until the next day in UTC.
        """
        quota = token.quota
        if quota.runs_at_once is not None and in_flight >= quota.runs_at_once:
            raise Problem(
                "quota", f"{in_flight} runs are in flight; the maximum is {quota.runs_at_once}", retry_after_s=1
            )
        spent = self._today(token.id, day)
        if quota.tokens_a_day is not None and spent.tokens >= quota.tokens_a_day:
            said = f"{spent.tokens} tokens are used today; the maximum is {quota.tokens_a_day}"
            raise Problem("quota", said, retry_after_s=until_midnight_s)
        if quota.dollars_a_day is not None and spent.dollars >= quota.dollars_a_day:
            said = f"${spent.dollars:.4f} are spent today; the maximum is ${quota.dollars_a_day:.2f}"
            raise Problem("quota", said, retry_after_s=until_midnight_s)
        if quota.runs_a_minute is None:
            return
        starts = self._starts.setdefault(token.id, deque())
        while starts and starts[0] <= now - _MINUTE_S:
            starts.popleft()
        if len(starts) >= quota.runs_a_minute:
            said = f"{len(starts)} runs were started within a minute; the maximum is {quota.runs_a_minute}"
            raise Problem("quota", said, retry_after_s=starts[0] + _MINUTE_S - now)
        starts.append(now)

    def _today(self, token: str, day: date) -> _Spent:
        spent = self._spent.get(token)
        if spent is None or spent.day < day:
            spent = self._spent[token] = _Spent(day)
        return spent
