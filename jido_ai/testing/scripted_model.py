"""ScriptedModel: a language model that returns scripted replies."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from typing import Any, cast

from jido_ai.errors import ConfigurationError
from jido_ai.values import Completion, CompletionRequest, Usage

__all__ = ["ScriptedModel", "ScriptedReply"]

ScriptedReply = (
    str
    | Completion
    | BaseException
    | tuple[str | BaseException, ...]
    | Callable[[CompletionRequest], "ScriptedReply | Awaitable[ScriptedReply]"]
)
"""A text, a whole completion, an error to raise, pieces (an error among them breaks the stream there), or a function
of the request, plain or async, that returns one of these."""


class ScriptedModel:
    """A language model that returns scripted replies, one per call.

    A text becomes a `Completion` whose usage is one call, and a token per word of the messages and of the text.

    Args:
        replies: one per call, in order; or one function for all calls.
        provider, model, base_url: the identity that it reports.

    Attributes:
        requests: all requests, in order, those of failed calls included.

    Raises (when called):
        ConfigurationError: the script has no more replies.
    """

    def __init__(
        self,
        replies: Iterable[ScriptedReply] | Callable[[CompletionRequest], Any],
        *,
        provider: str = "scripted",
        model: str = "scripted",
        base_url: str = "",
    ) -> None:
        self._replies = iter(cast("Iterable[ScriptedReply]", [])) if callable(replies) else iter(replies)
        self._always = replies if callable(replies) else None
        self.provider = provider
        self.model = model
        self.base_url = base_url
        self.requests: list[CompletionRequest] = []

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return, or raise, the next reply of the script."""
        reply = await self._next(request)
        return reply if isinstance(reply, Completion) else self._completion(request, _joined(reply))

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[str | Completion]:
        """Yield the pieces of the next reply of the script; a text is one piece per word."""
        reply = await self._next(request)
        text = reply.text if isinstance(reply, Completion) else reply
        for piece in _pieces(text) if isinstance(text, str) else text:
            if isinstance(piece, BaseException):
                raise piece
            yield piece
        yield reply if isinstance(reply, Completion) else self._completion(request, _joined(reply))

    async def _next(self, request: CompletionRequest) -> str | Completion | tuple[str | BaseException, ...]:
        self.requests.append(request)
        reply: Any = next(self._replies, None) if self._always is None else self._always
        if reply is None:
            raise ConfigurationError(f"the scripted model has no reply for call {len(self.requests)}")
        while callable(reply):
            reply = reply(request)
            if inspect.isawaitable(reply):
                reply = await reply
        if isinstance(reply, BaseException):
            raise reply
        return cast("str | Completion | tuple[str | BaseException, ...]", reply)

    def _completion(self, request: CompletionRequest, text: str) -> Completion:
        read = sum(len(message.content.split()) for message in request.messages)
        return Completion(text, model=request.model or self.model, usage=Usage(1, read, len(text.split()), 0.0))


def _joined(reply: str | tuple[str | BaseException, ...]) -> str:
    if isinstance(reply, str):
        return reply
    for piece in reply:
        if isinstance(piece, BaseException):
            raise piece
    return "".join(cast("tuple[str, ...]", reply))


def _pieces(text: str) -> list[str]:
    words = text.split(" ")
    return [word + " " for word in words[:-1]] + ([words[-1]] if words[-1] else [])
