"""The base of wrappers around a language model."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, Final, Generic, TypeVar

from jido_ai.components.call_context import current_meter
from jido_ai.components.component import Composed
from jido_ai.errors import ConfigurationError, ModelTimeoutError, describe
from jido_ai.models.providers.refusals import host_of
from jido_ai.models.retry import may_be_billed
from jido_ai.protocols import LanguageModel, StreamingModel
from jido_ai.values import Completion, CompletionRequest, Usage

_ON_THE_WAY_S: Final = 0.01
Item = str | Completion
S = TypeVar("S")


class Waits:
    """Whether calls wait before a retry and for providers that ask to wait; see `jido_ai.testing.without_waits`."""

    left_out = 0

    def of(self, seconds: float) -> float:
        """Return the seconds to wait: those given, or 0.0 while waits are left out."""
        return 0.0 if self.left_out else seconds


WAITS: Final = Waits()


class Wrapper(Composed, ABC):
    """A language model around another, with one more function.

    Attributes:
        inside: the model that is wrapped.
        provider, model, base_url: of the innermost; a model that does not say is known by its class.
    """

    def __init__(self, inside: LanguageModel) -> None:
        if not callable(getattr(inside, "complete", None)):
            raise ConfigurationError(f"a language model has a method complete(request), got {describe(inside)}")
        self.inside = inside
        self.provider: str = _text_of(inside, "provider") or type(inside).__name__
        self.model: str | None = _text_of(inside, "model")
        self.base_url: str = _text_of(inside, "base_url") or ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.inside!r})"

    @abstractmethod
    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""

    @abstractmethod
    def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        """Yield the pieces of the text in order, and last the whole `Completion`. See `StreamingModel`."""

    async def aclose(self) -> None:
        """Close the model inside, when it can be closed."""
        close: Any = getattr(self.inside, "aclose", None)
        if close is not None:
            await close()

    def uses(self) -> tuple[object, ...]:
        """Return the model inside."""
        return (self.inside,)

    def name_of(self, request: CompletionRequest) -> str | None:
        """Return the model that a request is for."""
        return request.model or self.model

    def too_late(self, request: CompletionRequest) -> ModelTimeoutError:
        """Return the error of a deadline that has passed."""
        name, host = self.name_of(request), host_of(self.base_url)
        return ModelTimeoutError("no complete answer came in time", provider=self.provider, model=name, host=host)


class AroundModel(Wrapper, Generic[S]):
    """A wrapper that does something before a call and something after it, whole answer or stream."""

    @abstractmethod
    async def _begin(self, request: CompletionRequest) -> S:
        """Prepare a call; raise to prevent it. The result is passed to `_answered` or `_failed`."""

    async def _answered(self, request: CompletionRequest, state: S, completion: Completion) -> Completion:
        """Return the answer for the caller."""
        return completion

    async def _failed(self, request: CompletionRequest, state: S, error: BaseException) -> None:
        """Note an error, a cancellation, or an abandoned stream. The error is re-raised, unless this raises another."""

    async def complete(self, request: CompletionRequest) -> Completion:
        state = await self._begin(request)
        try:
            completion = await self.inside.complete(request)
        except BaseException as error:
            await self._failed(request, state, error)
            raise
        return await self._answered(request, state, completion)

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        state = await self._begin(request)
        is_answered = False
        try:
            async with aclosing(pieces(self.inside, request)) as items:
                async for item in items:
                    if isinstance(item, Completion):
                        is_answered = True
                        yield await self._answered(request, state, item)
                    else:
                        yield item
        except BaseException as error:
            if not is_answered:
                await self._failed(request, state, error)
            raise


async def pieces(model: LanguageModel, request: CompletionRequest) -> AsyncGenerator[Item]:
    """Stream from any model: one that cannot gives its text as one piece."""
    if isinstance(model, StreamingModel):
        async with aclosing(model.stream(request)) as items:
            async for item in items:
                yield item
        return
    completion = await model.complete(request)
    if completion.text:
        yield completion.text
    yield completion


def count_billed(error: BaseException) -> None:
    """Count a failed try as one more call of the run if it may have been billed.

    Raises:
        BudgetExceededError: another call would exceed the run's budget.
    """
    meter = current_meter.get()
    if meter is not None and may_be_billed(error):
        meter.reserve().settle(Usage(calls=1, unpriced_calls=1))


def deadline_of(request: CompletionRequest, otherwise_s: float) -> float:
    """Return the deadline of a request in loop time, for all tries and waits together."""
    seconds = otherwise_s if request.timeout_s is None else request.timeout_s
    return asyncio.get_running_loop().time() + seconds


async def within(items: AsyncGenerator[Item], deadline: float, late: ModelTimeoutError) -> AsyncGenerator[Item]:
    """Yield the items, each of which must come before the deadline, and close them. Raises `late`."""
    async with aclosing(items):
        while True:
            limit = asyncio.timeout_at(deadline)
            try:
                async with limit:
                    item = await anext(items)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                if isinstance(error, ModelTimeoutError) or not limit.expired():
                    raise
                raise late from None
            yield item


def until(request: CompletionRequest, deadline: float) -> CompletionRequest:
    """Return the request with its remaining time, if it has a limit.

    The time that the wrappers take is not worth a copy: the deadline stays as it was set.
    """
    if request.timeout_s is None:
        return request
    left_s = deadline - asyncio.get_running_loop().time()
    if left_s > request.timeout_s - _ON_THE_WAY_S:
        return request
    return request.model_copy(update={"timeout_s": max(left_s, 0.001)})


def _text_of(model: object, name: str) -> str | None:
    value: object = getattr(model, name, None)
    return value if isinstance(value, str) else None
