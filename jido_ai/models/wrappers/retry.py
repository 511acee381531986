"""The retry wrapper: repeats a call that failed for a transient reason."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from typing import TypeVar

import stamina

from jido_ai.components.time_limit import TimeLimit
from jido_ai.errors import CircuitOpenError, ModelError, ModelTimeoutError
from jido_ai.models.retry import GiveUp, RetryPolicy, is_retried, next_wait
from jido_ai.models.wrappers.wrapper import Item, Wrapper, count_billed, deadline_of, pieces, too_late, until, within
from jido_ai.protocols import LanguageModel
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.values import Completion, CompletionRequest

__all__ = ["RetryingModel"]

T = TypeVar("T")


class RetryingModel(Wrapper):
    """Repeats a call by the rules of `models.retry`; a stream only before its first piece.

    `request.timeout_s` is the limit of it all: each further try gets what is left. Retries live in three places and no
    fourth, and this is the one for calls: an error that comes out was tried as often as makes sense, has `tries` on it
    and, where it would invite another try, `retryable` False.

    Args:
        policy: how often and how long apart.
        sink: takes the events model.retried and model.gave_up.
        chance: a random number in [0, 1), for the jitter.
    """

    def __init__(
        self,
        inside: LanguageModel,
        policy: RetryPolicy | None = None,
        *,
        sink: Sink | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(inside)
        self._policy = RetryPolicy() if policy is None else policy
        self._sink: Sink = safe_sink(sink)
        self._chance = chance

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        deadline = deadline_of(request, self._policy.timeout_s)
        try:
            return await self._call(request, deadline)
        except ModelError as error:  # what goes well pays nothing for the machinery below
            failed = [error]
        return await self._repeat(partial(self._call, request, deadline), deadline, failed)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        """Yield the pieces of the text in order, and last the whole `Completion`. See `StreamingModel`."""
        deadline = deadline_of(request, self._policy.timeout_s)

        async def begin() -> tuple[Item, AsyncGenerator[Item]]:
            items = pieces(self.inside, until(request, deadline))
            items = within(items, deadline, provider=self.provider, model=self.name_of(request))
            try:
                return await anext(items), items
            except BaseException:
                await items.aclose()
                raise

        begun, failed = None, list[ModelError]()
        try:
            begun = await begin()
        except ModelError as error:
            failed.append(error)
        first, items = begun or await self._repeat(begin, deadline, failed)
        async with aclosing(items):
            yield first
            async for item in items:
                yield item

    async def _call(self, request: CompletionRequest, deadline: float) -> Completion:
        limit = TimeLimit(deadline)
        try:
            async with limit:
                return await self.inside.complete(until(request, deadline))
        except TimeoutError as error:
            if isinstance(error, ModelTimeoutError) or not limit.expired():
                raise
            raise too_late(self.provider, self.name_of(request)) from None

    async def _repeat(self, call: Callable[[], Awaitable[T]], deadline: float, failed: list[ModelError]) -> T:
        """Try again what has failed once.

        Args:
            failed: the error of the first try; taken out, so that no frame holds what holds the frame.
        """
        tries = 1
        end = GiveUp()

        def wait_after(failure: Exception) -> float | bool:
            nonlocal end
            if not isinstance(failure, _FailedTry):
                return False
            left_s = deadline - asyncio.get_running_loop().time()
            wait = next_wait(self._policy, failure.error, tries=tries, time_left_s=left_s, chance=self._chance())
            if isinstance(wait, GiveUp):
                end = wait
                return False
            count_billed(failure.error)
            self._emit("model.retried", failure.error, retry=tries, wait_s=wait)
            return wait

        try:
            attempts = self._policy.retries + 1
            async for attempt in stamina.retry_context(on=wait_after, attempts=attempts, timeout=None):
                with attempt:
                    if failed:
                        raise _FailedTry(failed.pop())
                    tries += 1
                    try:
                        return await call()
                    except ModelError as error:
                        raise _FailedTry(error) from None
        except _FailedTry as failure:
            error = failure.error
            if is_retried(error) or isinstance(error, CircuitOpenError):
                self._emit("model.gave_up", error, tries=tries)
                raise _given_up(error, tries, end.why) from error
            raise error from error.__cause__
        raise AssertionError("a try either returns or raises")

    def _emit(self, name: str, error: BaseException, **data: object) -> None:
        kind = type(error).__name__
        self._sink(TelemetryEvent(name, {"provider": self.provider, "model": self.model, "error": kind, **data}))


class _FailedTry(Exception):
    """Carries the error of a try past stamina, which logs what it repeats, and an error may quote anything."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(type(error).__name__)
        self.error = error


def _given_up(error: ModelError, tries: int, why: str) -> ModelError:
    """Return a copy of an error that must not be retried; the error itself may be raised elsewhere too."""
    kind = type(error)
    copy = kind.__new__(kind, *error.args)
    copy.args = error.args
    copy.__dict__.update(error.__dict__)
    copy.tries, copy.gave_up, copy.retryable = tries, why, False
    return copy
