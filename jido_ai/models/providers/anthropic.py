"""Anthropic: the Messages API."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Final, Unpack

from pydantic import BeforeValidator, Field
from pydantic_core import to_json

from jido_ai.components.recording import note_thought
from jido_ai.models.providers.access import find_access
from jido_ai.models.providers.http import Assembler, HttpModel, HttpOptions, ProviderSaysError, assembled
from jido_ai.models.providers.schema_bounds import without_bounds
from jido_ai.models.providers.sse import EventDecoder, is_event_stream
from jido_ai.models.providers.wire import FinishReason, Tokens, Wire, count_in, text_or_none, usage_of
from jido_ai.values import Completion, CompletionRequest, Usage

__all__ = ["AnthropicModel", "build_anthropic"]

_ANTHROPIC: Final = "https://api.anthropic.com"
_VERSION: Final = "2023-06-01"
_MAX_TOKENS: Final = 4096
_TOOL: Final = "reply"
_FINISH: Final[dict[str, FinishReason]] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
"""All other reasons, "end_turn", "stop_sequence" and "tool_use" among them, mean a complete answer."""


class _Usage(Wire):
    input_tokens: Tokens = None
    cache_creation_input_tokens: Tokens = None
    cache_read_input_tokens: Tokens = None
    output_tokens: Tokens = None
    output_tokens_details: Any = None


class _Block(Wire):
    type: str
    text: str | None = None
    input: Any = None
    name: str | None = None
    thinking: Any = None


def _blocks(content: object) -> object:
    """Return content that is one text, as compatible servers send it, as a block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


class _Reply(Wire):
    content: Annotated[tuple[_Block, ...] | None, BeforeValidator(_blocks)] = Field(default=None, strict=False)
    stop_reason: str | None = None
    id: Any = None
    model: str | None = None
    usage: _Usage | None = None
    error: Any = None


class _Delta(Wire):
    text: str | None = None
    thinking: Any = None
    partial_json: str | None = None
    stop_reason: str | None = None


class _Event(Wire):
    type: str
    message: _Reply | None = None
    delta: _Delta | None = None
    usage: _Usage | None = None
    error: Any = None


class AnthropicModel(HttpModel):
    """A model of Anthropic.

    The schema of an object is sent as a tool that the model must use, any other schema in the system prompt. The API
    has no seed, so a seed in the request is ignored. `max_tokens` is 4096 unless the request has its own.

    Args:
        name: "claude-sonnet-4-5", for example.
        api_key: None is the environment variable ANTHROPIC_API_KEY.
        base_url: None is ANTHROPIC_BASE_URL, else Anthropic's own address; with or without a final "/v1".
        options: see `HttpOptions`.

    Raises:
        AuthenticationError: there is no key, it contains invalid characters, or it is a placeholder (allowed at other
            addresses).
        ConfigurationError: an invalid address, a blank name, or an option out of range.
    """

    _whole_from = ("api.anthropic.com",)

    def __init__(
        self, name: str, *, api_key: str | None = None, base_url: str | None = None, **options: Unpack[HttpOptions]
    ) -> None:
        origin, secret = find_access("anthropic", name, api_key=api_key, base_url=base_url, default_url=_ANTHROPIC)
        super().__init__(
            origin=origin,
            path="/messages" if origin.base_url.endswith("/v1") else "/v1/messages",
            headers={"x-api-key": secret.reveal(), "anthropic-version": _VERSION},
            **options,
        )

    def _payload(
        self, request: CompletionRequest, model: str, *, is_stream: bool, refused: Collection[str] = ()
    ) -> dict[str, Any]:
        system = [message.content for message in request.messages if message.role == "system"]
        payload: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens or _MAX_TOKENS,
            "messages": [
                {"role": message.role, "content": message.content}
                for message in request.messages
                if message.role != "system"
            ],
        }
        if not payload["messages"]:  # only a system prompt: the API requires a message
            payload["messages"] = [{"role": "user", "content": system.pop()}]
        if request.schema is not None and _is_tool(request):
            schema = without_bounds(to_json(request.schema))
            payload["tools"] = [{"name": _TOOL, "description": "Give the whole answer here.", "input_schema": schema}]
            payload["tool_choice"] = {"type": "tool", "name": _TOOL}
        elif request.schema is not None:
            schema = to_json(request.schema).decode("utf-8")
            system.append(f"Answer with nothing but JSON that matches this JSON Schema:\n{schema}")
        if system:
            payload["system"] = "\n\n".join(system)
        if request.temperature is not None:
            payload["temperature"] = request.temperature
        if request.top_p is not None:
            payload["top_p"] = request.top_p
        if request.stop:
            payload["stop_sequences"] = list(request.stop)
        if is_stream:
            payload["stream"] = True
        return payload

    def _read(self, body: bytes, request: CompletionRequest) -> Completion | None:
        if is_event_stream(body):
            return assembled(self._assembler(request), EventDecoder(), body)
        reply = _Reply.of(body)
        if reply.error is not None:
            raise ProviderSaysError(reply.error)
        blocks = reply.content or ()
        for block in blocks:
            note_thought(block.thinking)
        inputs = [block.input for block in blocks if block.type == "tool_use" and block.input is not None]
        if inputs and _is_tool(request):
            text = to_json(inputs[0]).decode("utf-8")
        else:
            text = None if reply.content is None else _text(blocks)
        return _completion(text, reply.stop_reason, reply.model, _usage(reply.usage), reply.id)

    def _assembler(self, request: CompletionRequest) -> Assembler:
        return _Assembler()


def build_anthropic(name: str, base_url: str | None) -> AnthropicModel:
    """Build the model that "anthropic:NAME@BASE_URL" names."""
    return AnthropicModel(name, base_url=base_url)


class _Assembler:
    """Assembles a stream of message events."""

    def __init__(self) -> None:
        self.is_whole = False
        self._texts: list[str] = []
        self._finish: str | None = None
        self._model: str | None = None
        self._usage = _Usage()
        self._id: Any = None

    def feed(self, data: str) -> str:
        event = _Event.of(data)
        if event.error is not None:
            raise ProviderSaysError(event.error)
        if event.message is not None:  # message_start
            self._model = event.message.model
            self._id = event.message.id
            self._take(event.message.usage)
        self._take(event.usage)
        self.is_whole = event.type == "message_stop"
        if event.delta is None:
            return ""
        self._finish = event.delta.stop_reason or self._finish
        if event.delta.thinking:
            note_thought(event.delta.thinking)
        text = event.delta.text or event.delta.partial_json or ""
        self._texts.append(text)
        return text

    def completion(self) -> Completion | None:
        if not self.is_whole or self._finish is None:
            return None
        return _completion("".join(self._texts), self._finish, self._model, _usage(self._usage), self._id)

    def _take(self, usage: _Usage | None) -> None:
        """Keep the newest value of each count: the last event may only contain those that changed."""
        if usage is not None:
            counts = {name: count for name, count in usage if count is not None}
            self._usage = self._usage.model_copy(update=counts)


def _is_tool(request: CompletionRequest) -> bool:
    return request.schema is not None and request.schema.get("type") == "object"


def _text(content: tuple[_Block, ...]) -> str | None:
    """Return the joined text of all text blocks; None if one of them has none."""
    texts = [block.text for block in content if block.type == "text"]
    return None if None in texts else "".join(text for text in texts if text is not None)


def _completion(text: str | None, finish: str | None, model: str | None, usage: Usage, id: object) -> Completion | None:
    reason = _FINISH.get(finish or "end_turn", "stop")
    if text is None and reason == "stop":
        return None
    return Completion(text=text or "", model=model, usage=usage, finish_reason=reason, response_id=text_or_none(id))


def _usage(usage: _Usage | None) -> Usage:
    if usage is None:
        return usage_of(None, None)
    read = (usage.input_tokens or 0) + (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage_of(
        read,
        usage.output_tokens,
        cached=usage.cache_read_input_tokens,
        reasoning=count_in(usage.output_tokens_details, "thinking_tokens"),
    )
