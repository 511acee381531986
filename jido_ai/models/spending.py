"""Budgets: an account that reserves before a call and settles after it.

A call counts if it may have been billed: it was answered, or that is unknown. The reservation of a try that the
provider refused, or that never reached it, is released.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, TypeVar

from jido_ai.errors import BudgetExceededError, ConfigurationError
from jido_ai.values import SLACK, Budget, CompletionRequest, Usage

_BYTES_PER_TOKEN: Final = 3
_TOKENS_PER_MESSAGE: Final = 8
_ANSWER_TOKENS: Final = 1024


def most_usage(request: CompletionRequest) -> Usage:
    """Return the maximum usage of a call, to be reserved; without its cost.

    The estimate, one token per three bytes of UTF-8 and eight per message, is more than common tokenisers produce for
    text and code. For the answer it is `max_tokens`, or 1,024 if the request has none. A longer answer, or text in
    which every character is a token, is settled with its actual usage, so the next call is refused earlier.
    """
    return Usage(1, *_most_read_and_written(request))


def _most_read_and_written(request: CompletionRequest) -> tuple[int, int]:
    sent = sum(len(message.content.encode("utf-8", "surrogatepass")) for message in request.messages)
    read = math.ceil(sent / _BYTES_PER_TOKEN) + _TOKENS_PER_MESSAGE * len(request.messages)
    return read, _ANSWER_TOKENS if request.max_tokens is None else request.max_tokens


def most_tokens(request: CompletionRequest) -> int:
    """Return the maximum number of input and output tokens of a call: see `most_usage`."""
    return sum(_most_read_and_written(request))


# Usages as plain numbers: they are added twice per call and looked at once per run.
_Figures = tuple[int, int, int, float, int, int, int]
_NAMES: Final = (
    "calls",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "unpriced_calls",
    "input_tokens_cached",
    "reasoning_tokens",
)
_NOTHING: Final = (0, 0, 0, 0.0, 0, 0, 0)
_NO_USAGE: Final = Usage()
_Number = TypeVar("_Number", int, float)
_NO_LIMITS: Final = Budget()


def _figures(usage: Usage) -> _Figures:
    return (
        usage.calls,
        usage.input_tokens,
        usage.output_tokens,
        usage.cost_usd,
        usage.unpriced_calls,
        usage.input_tokens_cached,
        usage.reasoning_tokens,
    )


def _usage(figures: _Figures) -> Usage:
    return _NO_USAGE if figures == _NOTHING else _NO_USAGE.model_copy(update=dict(zip(_NAMES, figures, strict=True)))


def _sum(one: _Figures, other: _Figures) -> _Figures:
    """Add two usages. Raises `ConfigurationError` if the cost overflows."""
    total = (
        one[0] + other[0],
        one[1] + other[1],
        one[2] + other[2],
        one[3] + other[3],
        one[4] + other[4],
        one[5] + other[5],
        one[6] + other[6],
    )
    return total if math.isfinite(total[3]) else _figures(Usage(*total[:4]))  # raises


def _difference(one: _Figures, other: _Figures) -> _Figures:
    """Subtract a usage, at most down to nothing."""
    return (
        max(0, one[0] - other[0]),
        max(0, one[1] - other[1]),
        max(0, one[2] - other[2]),
        max(0.0, one[3] - other[3]),
        max(0, one[4] - other[4]),
        max(0, one[5] - other[5]),
        max(0, one[6] - other[6]),
    )


def _left(limit: _Number | None, taken: _Number) -> _Number | None:
    return None if limit is None else max(limit - limit, limit - taken)


class Hold:
    """The reservation for one call; a `Reservation`."""

    __slots__ = ("_outer", "_spending", "calls", "cost_usd", "tokens")

    def __init__(self, spending: Spending, calls: int, tokens: int, cost_usd: float, outer: Hold | None = None) -> None:
        self._spending: Spending | None = spending
        self._outer = outer
        self.calls = calls
        self.tokens = tokens
        self.cost_usd = cost_usd

    def settle(self, usage: Usage) -> None:
        """Replace the reservation by the actual usage. Does nothing the second time or after `release`."""
        spending, self._spending = self._spending, None
        if spending is not None:
            spending.end(self)
            if self._outer is not None:
                self._outer.release()  # the record counts there, too
            spending.record(usage)

    def release(self) -> None:
        """Cancel the reservation: nothing was spent."""
        spending, self._spending = self._spending, None
        if spending is not None:
            spending.end(self)
            if self._outer is not None:
                self._outer.release()


class Spending:
    """The account of one run, or of one model: a `Meter`.

    A reservation never makes the sum of spent and reserved amounts exceed a limit. Calls are settled with their actual
    usage, even if it is more than was reserved.

    Args:
        budget: the limits; None only counts.
        spent: earlier spending, e.g. of the same run in another process.
        lapped: the part of it that earlier laps returned.
        now: seconds of a monotonic clock; needed for `max_wall_s`, which starts now.
        outer: the account of the run that this one is part of; all usage counts there, too, and its limits apply.

    Attributes:
        entries: number of settled or recorded calls.

    Raises:
        ConfigurationError: `max_wall_s` without a clock.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        *,
        spent: Usage | None = None,
        lapped: Usage | None = None,
        now: Callable[[], float] | None = None,
        outer: Spending | None = None,
    ) -> None:
        self._outer = outer
        self.budget = _NO_LIMITS if budget is None else budget
        if self.budget.max_wall_s is not None and now is None:
            raise ConfigurationError("a budget with max_wall_s needs a clock: Spending(budget, now=...)")
        self._now = now
        self._began = 0.0 if now is None else now()
        self._spent = _NOTHING if spent is None else _figures(spent)
        self._lap = _NOTHING if lapped is None else _difference(self._spent, _figures(lapped))
        self._holds: set[Hold] = set()
        self.entries = 0
        self._has_limits = budget is not None

    @property
    def spent(self) -> Usage:
        """The sum of settled and recorded usage."""
        return _usage(self._spent)

    @property
    def set_aside(self) -> Usage:
        """The sum of open reservations; all tokens are in `input_tokens`."""
        holds = tuple(self._holds)  # the loop may ask from a thread
        return Usage(
            sum(hold.calls for hold in holds),
            sum(hold.tokens for hold in holds),
            cost_usd=math.fsum(hold.cost_usd for hold in holds),
        )

    @property
    def left(self) -> Budget:
        """The rest of the budget, less open reservations; None where there is no limit."""
        budget, spent, aside = self.budget, self.spent, self.set_aside
        wall_s = budget.max_wall_s
        if wall_s is not None and self._now is not None:
            wall_s = max(SLACK, wall_s - (self._now() - self._began))  # a budget of no time cannot be written
        return Budget(
            max_calls=_left(budget.max_calls, spent.calls + aside.calls),
            max_tokens=_left(budget.max_tokens, spent.input_tokens + spent.output_tokens + aside.input_tokens),
            max_cost_usd=_left(budget.max_cost_usd, spent.cost_usd + aside.cost_usd),
            max_wall_s=wall_s,
        )

    def reserve(self, *, calls: int = 1, tokens: int = 0, cost_usd: float = 0.0) -> Hold:
        """Reserve the maximum usage of a call.

        The reservation may use the rest of a limit exactly. A caller that does not know the number of tokens or the
        cost of a call (0) passes as long as anything is left.

        Args:
            cost_usd: infinity for an unknown price; refused under any `max_cost_usd`.

        Raises:
            BudgetExceededError: the call does not fit; nothing is reserved.
            ConfigurationError: a negative amount.
        """
        if not (calls >= 0 and tokens >= 0 and cost_usd >= 0.0):
            raise ConfigurationError(f"amounts must be at least 0, got {calls}, {tokens}, {cost_usd}")
        error = self._refusal(calls, tokens, cost_usd)
        if error is not None:
            raise error
        outer = None if self._outer is None else self._outer.reserve(calls=calls, tokens=tokens, cost_usd=cost_usd)
        hold = Hold(self, calls, tokens, cost_usd if math.isfinite(cost_usd) else 0.0, outer)
        self._holds.add(hold)
        return hold

    def record(self, usage: Usage) -> None:
        """Count usage without a reservation."""
        figures = _figures(usage)
        self.entries += 1
        self._spent = _sum(self._spent, figures)
        self._lap = _sum(self._lap, figures)
        if self._outer is not None:
            self._outer.record(usage)

    def end(self, hold: Hold) -> None:
        """Called by a hold when it is settled or released."""
        self._holds.discard(hold)

    def lap(self) -> Usage:
        """Return the usage since the last lap, and start the next lap."""
        lap, self._lap = self._lap, _NOTHING
        return _usage(lap)

    def exceeded(self) -> BudgetExceededError | None:
        """Return why even the smallest call no longer fits; None if it fits."""
        own = self._refusal(1, 0, 0.0)
        return own if own is not None or self._outer is None else self._outer.exceeded()

    def _refusal(self, calls: int, tokens: int, cost_usd: float) -> BudgetExceededError | None:
        if not self._has_limits:
            return None
        budget, spent, aside = self.budget, self.spent, self.set_aside
        sums = (
            ("max_calls", budget.max_calls, spent.calls + aside.calls, calls),
            (
                "max_tokens",
                budget.max_tokens,
                spent.input_tokens + spent.output_tokens + aside.input_tokens,
                tokens,
            ),
            ("max_cost_usd", budget.max_cost_usd, spent.cost_usd + aside.cost_usd, cost_usd),
        )
        for name, limit, taken, wanted in sums:
            if limit is None:
                continue
            if taken + wanted > limit + SLACK or (calls > 0 and wanted == 0 and taken > limit - SLACK):
                note = "the price of the model to call is unknown" if wanted == math.inf else ""
                return BudgetExceededError(name, allowed=limit, spent=taken, wanted=wanted, note=note)
        if budget.max_cost_usd is not None and spent.unpriced_calls and calls:
            note = f"{spent.unpriced_calls} calls have no known price, so the remaining budget is unknown"
            return BudgetExceededError("max_cost_usd", allowed=budget.max_cost_usd, spent=spent.cost_usd, note=note)
        if budget.max_wall_s is not None and self._now is not None and calls:
            passed = self._now() - self._began
            if passed >= budget.max_wall_s - SLACK:
                return BudgetExceededError("max_wall_s", allowed=budget.max_wall_s, spent=passed)
        return None


enclosing_spending: ContextVar[Spending | None] = ContextVar("enclosing_spending", default=None)
"""The account of the run that the next run is a part of, set by a graph for its loops; None for a run by itself."""
