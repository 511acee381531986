"""The retry wrapper: repeats a call that failed for a transient reason."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from copy import copy
from functools import partial
from typing import Final, TypeVar

from jido_ai.components.call_context import current_call
from jido_ai.components.time_limit import TimeLimit, waiting_for_model
from jido_ai.errors import CircuitOpenError, ModelError, ModelTimeoutError
from jido_ai.models.providers.refusals import host_of
from jido_ai.models.retry import GiveUp, RetryPolicy, is_retried, next_wait
from jido_ai.models.wrappers.wrapper import WAITS, Item, Wrapper, count_billed, deadline_of, pieces, until, within
from jido_ai.protocols import LanguageModel
from jido_ai.telemetry import Sink, TelemetryEvent, safe_sink
from jido_ai.text.redaction import redact
from jido_ai.values import Completion, CompletionRequest

T = TypeVar("T")
_SHOWN_CHARS: Final = 300
_ASKS: Final = "; it asks to wait "
"""How an error tells of the wait that a provider asks for; see `models.providers.refusals`."""


class RetryingModel(Wrapper):
    """Repeats a call by the rules of `models.retry`; a stream only before its first piece.

    `request.timeout_s` is the limit of it all: each further try gets what is left. Retries live in three places and no
    fourth, and this is the one for calls: an error that comes out was tried as often as makes sense, has `tries` on it
    and, where it would invite another try, `retryable` False.

    Args:
        policy: how often and how long apart.
        sink: takes the events model.retried and model.gave_up, which tell the reason, the wait and the try.
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
        deadline = deadline_of(request, self._policy.timeout_s)
        with waiting_for_model():
            try:
                return await self._call(request, deadline)
            except ModelError as error:  # what goes well pays nothing for the machinery below
                failed = [error]
            return await self._repeat(partial(self._call, request, deadline), request, deadline, failed)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        deadline = deadline_of(request, self._policy.timeout_s)

        async def begin() -> tuple[Item, AsyncGenerator[Item]]:
            items = pieces(self.inside, until(request, deadline))
            items = within(items, deadline, self.too_late(request))
            try:
                return await anext(items), items
            except BaseException:
                await items.aclose()
                raise

        begun, failed = None, list[ModelError]()
        with waiting_for_model():
            try:
                begun = await begin()
            except ModelError as error:
                failed.append(error)
            first, items = begun or await self._repeat(begin, request, deadline, failed)
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
            raise self.too_late(request) from None

    async def _repeat(
        self,
        call: Callable[[], Awaitable[T]],
        request: CompletionRequest,
        deadline: float,
        failed: list[ModelError],
    ) -> T:
        """Repeat a call that has failed once.

        Args:
            failed: the error of the first try; taken out, so that no frame holds what holds the frame.
        """
        tries, error = 1, failed.pop()
        try:
            while True:
                left_s = deadline - asyncio.get_running_loop().time()
                wait_s = next_wait(self._policy, error, tries=tries, time_left_s=left_s, chance=self._chance())
                if isinstance(wait_s, GiveUp):
                    break
                count_billed(error)
                recorded = current_call.get()
                if recorded is not None:
                    recorded.tried(error, wait_s)
                self._emit("model.retried", request, error, retry=tries, wait_s=wait_s)
                await asyncio.sleep(WAITS.of(wait_s))
                tries += 1
                try:
                    return await call()
                except ModelError as again:
                    error = again
            if not is_retried(error) and not isinstance(error, CircuitOpenError):
                raise error
            self._emit("model.gave_up", request, error)
            last = copy(error)  # the error itself may be raised elsewhere too
            last.tries, last.retryable = tries, False
            why = wait_s.why.partition(", and ")[2] if _ASKS in error.message else ""  # it is not said twice
            last.gave_up = why or wait_s.why or (f"after {tries} tries" if tries > 1 else "")
            raise last from error
        finally:
            del error

    def _emit(self, name: str, request: CompletionRequest, error: ModelError, **data: object) -> None:
        facts = {
            "provider": self.provider,
            "model": self.name_of(request),
            "host": host_of(self.base_url),
            "error": type(error).__name__,
            "reason": redact(error.message.partition(_ASKS)[0][: 10 * _SHOWN_CHARS])[:_SHOWN_CHARS],
            "tries": self._policy.retries + 1,
        }
        self._sink(TelemetryEvent(name, {**facts, **data}))
