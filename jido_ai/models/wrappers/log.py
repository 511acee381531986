"""The log wrapper: requests and responses at DEBUG only, without secrets."""

from __future__ import annotations

import logging
from types import CoroutineType
from typing import Any, Final

from jido_ai.errors import message_of
from jido_ai.models.wrappers.wrapper import AroundModel
from jido_ai.text.redaction import redact
from jido_ai.values import Completion, CompletionRequest

_log: Final = logging.getLogger("jido_ai.llm")
_SHOWN_CHARS: Final = 2_000


class LoggedModel(AroundModel["str | None"]):
    """Writes requests and responses to the logger `jido_ai.llm` at DEBUG.

    Secrets of a known shape are masked, and texts cut to 2,000 characters. Keys are in headers, which no wrapper sees.
    """

    def complete(self, request: CompletionRequest) -> CoroutineType[Any, Any, Completion]:
        if not _log.isEnabledFor(logging.DEBUG):  # as a rule: then there is nothing of ours around the call
            return self.inside.complete(request)
        return super().complete(request)

    async def _begin(self, request: CompletionRequest) -> str | None:
        """Return how the log names the model; None when nothing is written."""
        if not _log.isEnabledFor(logging.DEBUG):
            return None
        name = f"{self.provider}:{self.name_of(request)}"
        for message in request.messages:
            _log.debug("%s <- %s: %s", name, message.role, _shown(message.content))
        return name

    async def _answered(self, request: CompletionRequest, state: str | None, completion: Completion) -> Completion:
        if state is not None:
            _log.debug("%s -> %s: %s", state, completion.finish_reason, _shown(completion.text))
        return completion

    async def _failed(self, request: CompletionRequest, state: str | None, error: BaseException) -> None:
        if state is not None:
            _log.debug("%s failed: %s: %s", state, type(error).__name__, _shown(message_of(error)))


def _shown(text: str) -> str:
    """Return the beginning of a text without secrets, which are searched for beyond the cut too."""
    shown = redact(text[: 2 * _SHOWN_CHARS])
    return shown if len(shown) <= _SHOWN_CHARS else shown[: _SHOWN_CHARS - 1] + "…"
