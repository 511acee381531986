"""Answering: who answers the requests of components in this context instead of their models; see `jido compare`."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol

from jido_ai.protocols import LanguageModel
from jido_ai.values import Completion, CompletionRequest


class Answering(Protocol):
    """Stands between components and their models."""

    async def complete(self, model: LanguageModel, request: CompletionRequest) -> Completion:
        """Return the answer to a request to a model: its own, or a kept one. Raises as `LanguageModel.complete`."""
        ...


answering: ContextVar[Answering | None] = ContextVar("answering", default=None)
"""Set around runs whose calls are shared and kept; None: each model answers itself."""
