"""The guard wrapper: checks breaker, rate limits and concurrency before each call."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Final

from jido_ai.components.time_limit import waiting_for_model
from jido_ai.errors import ConfigurationError, ModelError, ModelTimeoutError
from jido_ai.models.guard import GUARD, Guard, GuardLimits, Pass, ProviderAddress, WhenOpen
from jido_ai.models.limits import Outcome
from jido_ai.models.providers.headers import RateLimits
from jido_ai.models.providers.refusals import host_of
from jido_ai.models.retry import RetryPolicy, is_outage
from jido_ai.models.spending import most_tokens
from jido_ai.models.wrappers.wrapper import WAITS, Item, Wrapper, count_billed, deadline_of, pieces, until
from jido_ai.protocols import LanguageModel
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.values import Completion, CompletionRequest

_WAITED_FOR_S: Final = 60.0
_TOLD_S: Final = 1.0
_MAY_BE_THE_REQUEST: Final = 500
"""The status of a provider that is up, and fails: perhaps at this request each time."""
_End = tuple[Outcome, float]
_UNKNOWN: Final[_End] = ("unknown", 0.0)


class GuardedModel(Wrapper):
    """A circuit breaker for each model; rate limits and a limit of calls at once for all models of the same place.

    One wrapper for the three, because a call passes them together: it asks the guard once. While the breaker is open a
    call waits for the probe, or is the probe, within its own deadline; one that failed with the breaker open waits on
    and is made again once the provider is back, which counts as no retry. One that failed with status 500 does not: the
    request itself may be the cause. With when_open="fail" it fails at once.

    Args:
        guard: the state; by default the one that all models share.
        limits: see `GuardLimits`.
        when_open: "wait" or "fail".
        timeout_s: the deadline of a request that has none.
        sink: takes the event model.held for each wait of a second or more; by default the log.
    """

    def __init__(
        self,
        inside: LanguageModel,
        guard: Guard | None = None,
        limits: GuardLimits | None = None,
        *,
        when_open: WhenOpen = "wait",
        timeout_s: float = RetryPolicy().timeout_s,
        sink: Sink | None = None,
    ) -> None:
        super().__init__(inside)
        if when_open not in ("wait", "fail"):
            raise ConfigurationError(f'when_open must be "wait" or "fail", got {when_open!r}')
        self.guard = GUARD if guard is None else guard
        self._limits = GuardLimits() if limits is None else limits
        self._when_open: WhenOpen = when_open
        self._timeout_s = timeout_s
        self._place = ProviderAddress(self.provider, self.base_url)
        self._host = host_of(self.base_url)
        self._sink: Sink = safe_sink(sink)

    def on_headers(self, limits: RateLimits) -> None:
        """Apply the rate limits in a response's headers; for the provider's `on_headers`."""
        self.guard.said(self._place, limits, sink=self._sink)

    async def complete(self, request: CompletionRequest) -> Completion:
        deadline = deadline_of(request, self._timeout_s)
        while True:
            pass_ = await self._enter(request, deadline)
            failure: ModelError | None = None
            outcome, asked_s = _UNKNOWN
            try:
                completion = await self.inside.complete(until(request, deadline))
                outcome = "answered"
                return completion
            except ModelError as error:
                outcome, asked_s = _end_of(error)
                failure = error
            finally:
                self.guard.leave(pass_, outcome, hold_s=WAITS.of(asked_s), failure=failure, sink=self._sink)
            assert failure is not None, "a call returns or fails"
            if not await self._is_worth_waiting(pass_, failure, outcome, asked_s):
                raise failure
            count_billed(failure)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        deadline = deadline_of(request, self._timeout_s)
        has_begun = False
        while True:
            pass_ = await self._enter(request, deadline)
            failure: ModelError | None = None
            outcome, asked_s = _UNKNOWN
            try:
                async with aclosing(pieces(self.inside, until(request, deadline))) as items:
                    async for item in items:
                        has_begun = True
                        yield item
                outcome = "answered"
                return
            except ModelError as error:
                outcome, asked_s = _end_of(error)
                failure = error
            finally:
                self.guard.leave(pass_, outcome, hold_s=WAITS.of(asked_s), failure=failure, sink=self._sink)
            assert failure is not None, "a call returns or fails"
            if has_begun or not await self._is_worth_waiting(pass_, failure, outcome, asked_s):
                raise failure
            count_billed(failure)

    async def _enter(self, request: CompletionRequest, deadline: float) -> Pass:
        loop = asyncio.get_running_loop()
        tokens = most_tokens(request) if self._limits.tokens_per_minute is not None else 0
        name = self.name_of(request)
        pass_ = self.guard.enter_now(self._place, self._limits, tokens=tokens, model=name or "")
        if pass_ is not None:
            return pass_
        try:
            with waiting_for_model():
                async with asyncio.timeout_at(deadline):
                    return await self.guard.enter(
                        self._place,
                        self._limits,
                        tokens=tokens,
                        when_open=self._when_open,
                        time_left_s=max(0.0, deadline - loop.time()),
                        on_wait=partial(self._waits, name),
                        model=name or "",
                    )
        except ModelError as error:
            error.model, error.host = name, self._host
            raise
        except TimeoutError:
            raise ModelTimeoutError(
                "the call's turn did not come in time: the limits on requests, tokens or calls at once are too low",
                provider=self.provider,
                model=name,
                host=self._host,
            ) from None

    def _waits(self, model: str | None, why: str, wait_s: float) -> None:
        """Emit an event for a wait; infinity is until a probe is answered."""
        if wait_s < _TOLD_S:
            return
        facts = {"provider": self.provider, "model": model, "host": self._host, "reason": why}
        wait = {} if wait_s == math.inf else {"wait_s": wait_s}
        self._sink(TelemetryEvent("model.held", {**facts, **wait}))

    async def _is_worth_waiting(self, pass_: Pass, failure: ModelError, outcome: Outcome, asked_s: float) -> bool:
        """True if a failed call should wait with the others until the provider is back."""
        if outcome != "outage" or self._when_open == "fail" or asked_s > _WAITED_FOR_S:
            return False
        if failure.status == _MAY_BE_THE_REQUEST:
            return False
        return self._limits.breaker is not None and await self.guard.is_open(pass_)


def _end_of(error: ModelError) -> _End:
    """Return how a call ended that failed, and the seconds that the provider asks to wait."""
    return "outage" if is_outage(error) else "answered", getattr(error, "retry_after_s", None) or 0.0
