"""Errors of other clients' models as `ModelError`s, for retries and the breaker."""

from __future__ import annotations

from jido_ai.models.retry import passing_failure
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.values import CompletionRequest, utc_now


class ForeignModel(AroundModel[None]):
    """Wraps a model from another library: translates its temporary errors to `ModelError`s; see `passing_failure`.

    Other errors pass unchanged and are not retried.
    """

    async def _begin(self, request: CompletionRequest) -> None:
        """Do nothing: only failures concern it."""

    async def _failed(self, request: CompletionRequest, state: None, error: BaseException) -> None:
        if isinstance(error, Exception):
            model = self.name_of(request)
            known = passing_failure(error, provider=self.provider, model=model, now=utc_now())
            if known is not None:
                raise known from error
