"""Errors of other clients' models as `ModelError`s, for retries and the breaker."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from jido_ai.errors import ModelError
from jido_ai.models.retry import passing_failure
from jido_ai.models.wrappers.wrapper import Item, Wrapper, pieces
from jido_ai.values import Completion, CompletionRequest, utc_now

__all__ = ["ForeignModel"]


class ForeignModel(Wrapper):
    """Wraps a model from another library: translates its temporary errors to `ModelError`s; see `passing_failure`.

    Other errors pass unchanged and are not retried.
    """

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the whole answer. See `LanguageModel`."""
        try:
            return await self.inside.complete(request)
        except Exception as error:
            known = self._known(error, request)
            if known is None:
                raise
            raise known from error

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[Item]:
        """Yield the pieces of the text in order, and last the whole `Completion`. See `StreamingModel`."""
        try:
            async with aclosing(pieces(self.inside, request)) as items:
                async for item in items:
                    yield item
        except Exception as error:
            known = self._known(error, request)
            if known is None:
                raise
            raise known from error

    def _known(self, error: Exception, request: CompletionRequest) -> ModelError | None:
        return passing_failure(error, provider=self.provider, model=self.name_of(request), now=utc_now())
