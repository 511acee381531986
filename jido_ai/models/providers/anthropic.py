"""Anthropic: the Messages API."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Final, Unpack

from pydantic import BeforeValidator, Field
from pydantic_core import to_json

from jido_ai.components.call_context import note_thought
from jido_ai.models.providers.access import find_access
from jido_ai.models.providers.draft import Draft, count_of
from jido_ai.models.providers.http import Assembler, HttpModel, HttpOptions, ProviderSaysError, assembled
from jido_ai.models.providers.schema_bounds import without_bounds
from jido_ai.models.providers.sse import EventDecoder, is_event_stream
from jido_ai.models.providers.wire import Wire, completion_of
from jido_ai.values import Completion, CompletionRequest

_ANTHROPIC: Final = "https://api.anthropic.com"
_VERSION: Final = "2023-06-01"
_MAX_TOKENS: Final = 4096
_TOOL: Final = "reply"


class _Block(Wire):
    type: str
    text: str | None = None
    input: Any = None
    name: str | None = None
    thinking: Any = None


def _blocks(content: object) -> object:
    """Return content that is one text, as compatible servers send it, as a block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


class _AnthropicReply(Wire):
    content: Annotated[tuple[_Block, ...] | None, BeforeValidator(_blocks)] = Field(default=None, strict=False)
    stop_reason: Any = None
    id: Any = None
    model: Any = None
    usage: Any = None
    error: Any = None


class _Delta(Wire):
    text: str | None = None
    thinking: Any = None
    partial_json: str | None = None
    stop_reason: str | None = None


class _SentEvent(Wire):
    type: str
    message: _AnthropicReply | None = None
    delta: _Delta | None = None
    usage: Any = None
    index: Any = None
    content_block: _Block | None = None
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
        assembler = _AnthropicAssembler(is_typed=_is_tool(request))
        assembler.take(_AnthropicReply.of(body))
        return assembler.completion()

    def _assembler(self, request: CompletionRequest) -> Assembler:
        return _AnthropicAssembler(is_typed=_is_tool(request))


def build_anthropic(name: str, base_url: str | None) -> AnthropicModel:
    """Build the model that "anthropic:NAME@BASE_URL" names."""
    return AnthropicModel(name, base_url=base_url)


class _AnthropicAssembler:
    """Assembles a whole message, or a stream of its events. See `Draft`."""

    def __init__(self, *, is_typed: bool) -> None:
        self.is_whole = False
        self._draft = Draft(is_typed=is_typed)

    def feed(self, data: str) -> str:
        event = _SentEvent.of(data)
        if event.error is not None:
            raise ProviderSaysError(event.error)
        self.is_whole = event.type == "message_stop"
        if self.is_whole:
            self._draft.say("")  # a stream that ended without a token is an empty answer
        text = ""
        if event.message is not None:  # message_start
            self._tell(event.message)
        self._count(event.usage)
        if event.content_block is not None:
            text = self._take(event.content_block, event.index)
        if event.delta is not None:
            self._draft.tell(ended=event.delta.stop_reason)
            self._think(event.delta.thinking)
            text += self._draft.say(event.delta.text)
            text += self._call(event.delta.partial_json, event.index)
        return text

    def take(self, reply: _AnthropicReply) -> None:
        """Take a whole message."""
        if reply.error is not None:
            raise ProviderSaysError(reply.error)
        self.is_whole = True
        self._tell(reply)
        for index, block in enumerate(reply.content or ()):
            self._take(block, index)

    def completion(self) -> Completion | None:
        return completion_of(self._draft) if self.is_whole else None

    def _tell(self, reply: _AnthropicReply) -> None:
        self._draft.tell(model=reply.model, response_id=reply.id, ended=reply.stop_reason)
        self._count(reply.usage)

    def _count(self, usage: object) -> None:
        """Take counts: the last event may only contain those that changed."""
        read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        self._draft.count(
            input=sum(count_of(usage, name) for name in read),
            output=count_of(usage, "output_tokens"),
            cached=count_of(usage, "cache_read_input_tokens"),
            reasoning=count_of(usage, "output_tokens_details", "thinking_tokens"),
        )

    def _take(self, block: _Block, index: object) -> str:
        self._think(block.thinking)
        if block.type == "tool_use":  # in a stream, the input is empty here as a rule
            return self._call(block.input or None, index)
        return self._draft.say(block.text) if block.type == "text" else ""

    def _call(self, arguments: object, index: object) -> str:
        return self._draft.call([{"index": index, "function": {"arguments": arguments}}])

    def _think(self, thoughts: object) -> None:
        if thoughts:
            note_thought(thoughts)
            self._draft.think(thoughts)


def _is_tool(request: CompletionRequest) -> bool:
    return request.schema is not None and request.schema.get("type") == "object"
