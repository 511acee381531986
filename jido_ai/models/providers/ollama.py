"""Ollama: its own chat API."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from typing import Any, Final, Unpack

from jido_ai.components.call_context import note_thought
from jido_ai.models.providers.access import check_base_url, check_model_name, find_key
from jido_ai.models.providers.draft import Draft, count_of
from jido_ai.models.providers.http import HttpModel, HttpOptions, ProviderSaysError, assembled
from jido_ai.models.providers.refusals import Origin
from jido_ai.models.providers.sse import LineDecoder
from jido_ai.models.providers.wire import Content, Wire, completion_of
from jido_ai.values import Completion, CompletionRequest

_PORT: Final = 11434


class _OllamaMessage(Wire):
    content: Content = None
    thinking: Any = None
    tool_calls: Any = None


class _OllamaReply(Wire):
    message: _OllamaMessage | None = None
    done: bool = False
    done_reason: Any = None
    model: Any = None
    prompt_eval_count: Any = None
    eval_count: Any = None
    error: Any = None


class OllamaModel(HttpModel):
    """A model served by Ollama.

    Args:
        name: "llama3.2", for example; `ollama pull` it first.
        base_url: None is the environment variable OLLAMA_HOST, in Ollama's own format (a host, a port or
            both), else http://127.0.0.1:11434.
        api_key: for an Ollama server behind a proxy with keys; None is OLLAMA_API_KEY, which may be missing.
        options: see `HttpOptions`.

    Raises:
        ConfigurationError: an invalid address, a blank name, or an option out of range.
        AuthenticationError: the key contains invalid characters.
    """

    _streams_lines = True

    def __init__(
        self, name: str, *, base_url: str | None = None, api_key: str | None = None, **options: Unpack[HttpOptions]
    ) -> None:
        check_model_name(name, "ollama")
        address = check_base_url(
            base_url or _host_address(os.environ.get("OLLAMA_HOST", "")),
            provider="ollama",
            hint="OLLAMA_HOST or base_url=...",
        )
        secret = find_key(api_key, os.environ, "OLLAMA_API_KEY", provider="ollama", model=name)
        super().__init__(
            origin=Origin("ollama", name, address, "OLLAMA_API_KEY or api_key=...", secret),
            path="/api/chat",
            headers={} if secret is None else {"authorization": f"Bearer {secret.reveal()}"},
            **options,
        )

    def _payload(
        self, request: CompletionRequest, model: str, *, is_stream: bool, refused: Collection[str] = ()
    ) -> dict[str, Any]:
        options: dict[str, Any] = {}
        if request.temperature is not None:
            options["temperature"] = request.temperature
        if request.top_p is not None:
            options["top_p"] = request.top_p
        if request.max_tokens is not None:
            options["num_predict"] = request.max_tokens
        if request.stop:
            options["stop"] = list(request.stop)
        if request.seed is not None:
            options["seed"] = request.seed
        payload: dict[str, Any] = {
            "model": model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "stream": is_stream,
        }
        if options:
            payload["options"] = options
        if request.schema is not None:
            payload["format"] = request.schema
        return payload

    def _read(self, body: bytes, request: CompletionRequest) -> Completion | None:
        assembler = self._assembler(request)
        if _is_lines(body):
            return assembled(assembler, LineDecoder(), body)
        assembler.feed(body)
        return assembler.completion()

    def _assembler(self, request: CompletionRequest) -> _OllamaAssembler:
        return _OllamaAssembler(is_typed=request.schema is not None)


def build_ollama(name: str, base_url: str | None) -> OllamaModel:
    """Build the model that "ollama:NAME@BASE_URL" names."""
    return OllamaModel(name, base_url=base_url)


class _OllamaAssembler:
    """Assembles an answer from one object, or from one object per line; the last one has done=true. See `Draft`."""

    def __init__(self, *, is_typed: bool) -> None:
        self.is_whole = False
        self._draft = Draft(is_typed=is_typed)

    def feed(self, data: str | bytes) -> str:
        reply, draft = _OllamaReply.of(data), self._draft
        if reply.error is not None:
            raise ProviderSaysError(reply.error)
        self.is_whole = reply.done
        draft.tell(model=reply.model, ended=reply.done_reason)
        draft.count(input=count_of(reply.prompt_eval_count), output=count_of(reply.eval_count))
        message = reply.message or _OllamaMessage()
        if message.thinking:
            note_thought(message.thinking)
            draft.think(message.thinking)
        return draft.say(message.content) + draft.call(message.tool_calls)

    def completion(self) -> Completion | None:
        return completion_of(self._draft) if self.is_whole else None


def _is_lines(body: bytes) -> bool:
    """True if a body has one object per line, as some servers send it although it was not asked for as a stream."""
    first, _, rest = body.strip().partition(b"\n")
    return first.rstrip().endswith(b"}") and bool(rest)


def _host_address(host: str) -> str:
    """Parse OLLAMA_HOST as Ollama does: scheme, host and port may each be missing.

    0.0.0.0, an address to listen on, becomes 127.0.0.1.
    """
    host = host.strip().strip("\"'")
    scheme, separator, rest = host.partition("://")
    if not separator:
        scheme, rest = "http", host
    rest = rest.rstrip("/")
    if not rest or rest.startswith(":"):
        rest = f"127.0.0.1{rest}"
    rest = re.sub(r"^0\.0\.0\.0(?=[:/]|$)", "127.0.0.1", rest)
    rest = re.sub(r"^\[::\](?=[:/]|$)", "[::1]", rest)
    if not re.search(r"(?:^[^:\[]*|\]):\d+(?:/|$)", rest) and not separator:
        rest = f"{rest}:{_PORT}"
    return f"{scheme}://{rest}"
