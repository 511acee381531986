"""OpenAI: the Chat Completions API, and compatible servers."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final, Unpack, cast

from pydantic import Field
from pydantic_core import from_json, to_json

from jido_ai.components.call_context import note_thought
from jido_ai.errors import ConfigurationError
from jido_ai.models.providers.access import check_base_url, check_model_name, find_access, find_key, is_azure
from jido_ai.models.providers.draft import Draft, count_of
from jido_ai.models.providers.http import Assembler, HttpModel, HttpOptions, ProviderSaysError, assembled
from jido_ai.models.providers.refusals import Origin
from jido_ai.models.providers.refused_settings import LIMIT_NAME, STREAM_OPTIONS
from jido_ai.models.providers.schema_bounds import without_bounds
from jido_ai.models.providers.secret import Secret
from jido_ai.models.providers.sse import EventDecoder, is_event_stream
from jido_ai.models.providers.wire import Content, Wire, completion_of
from jido_ai.text.sent_schema import mapped_schema, root_of
from jido_ai.values import Completion, CompletionRequest

_KEPT: Final = frozenset({"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf"})
_SAID: Final = frozenset({"description", "title"})
_LEFT_OUT: Final = frozenset({"default", "examples", "discriminator", "deprecated", "readOnly", "writeOnly", "$schema"})
_DEFINITIONS: Final = ("$defs", "definitions")
_SCALARS: Final = frozenset({"string", "number", "integer", "boolean", "null"})


class _NotStrictError(ValueError):
    """The schema has something that strict mode does not know."""


@lru_cache(maxsize=256)
def strict_schema(schema: bytes) -> dict[str, Any] | None:
    """Return the schema as strict mode wants it; None if it has no such form. Do not change it.

    Every object has all its properties required and allows no others; those that are optional, or have a default, may
    be null. `oneOf` is `anyOf`; a reference stands alone; bounds and defaults go. No form have maps, tuples, anything
    without a type, and references to other places than definitions.

    Args:
        schema: an object, as JSON.
    """
    given = cast("dict[str, Any]", from_json(schema))
    try:
        whole = cast("dict[str, Any]", mapped_schema(without_bounds(schema), _strict))
        root = {**root_of(whole), **{name: whole[name] for name in _DEFINITIONS if name in whole}}
    except _NotStrictError:
        return None
    return root if root.get("type") == "object" and given else None


def _strict(part: dict[str, Any]) -> dict[str, Any]:
    made = _closed_or_plain(part)
    return made if part.get("default") is None else _or_null(made)  # null stands for the default, which is not sent


def _closed_or_plain(part: dict[str, Any]) -> dict[str, Any]:
    definitions = {name: part[name] for name in _DEFINITIONS if name in part}
    if "$ref" in part:
        named = str(part["$ref"])
        if named != "#" and not (named.startswith(("#/$defs/", "#/definitions/")) and named.count("/") == 2):
            raise _NotStrictError(named)
        return {"$ref": named, **definitions}
    if "oneOf" in part and "anyOf" not in part:
        part = {**{name: one for name, one in part.items() if name != "oneOf"}, "anyOf": part["oneOf"]}
    made = {name: one for name, one in part.items() if name in _KEPT | _SAID} | definitions
    if part.keys() - made.keys() - _LEFT_OUT or not made.keys() & {"type", "enum", "const", "anyOf"}:
        raise _NotStrictError
    kinds = made.get("type", ())
    kinds = {kinds} if isinstance(kinds, str) else set(cast("list[str]", kinds))
    if "array" in kinds and not isinstance(made.get("items"), dict):
        raise _NotStrictError
    if "object" in kinds or "properties" in made:
        return _closed(made)
    if kinds - _SCALARS - {"array"}:
        raise _NotStrictError
    return made


def _closed(made: dict[str, Any]) -> dict[str, Any]:
    properties = cast("dict[str, Any]", made.get("properties", {}))
    may_have_more = made.get("additionalProperties", not properties) is not False
    if (may_have_more and made.get("additionalProperties") is not None) or (may_have_more and not properties):
        raise _NotStrictError
    required = set(cast("list[str]", made.get("required", ())))
    if any(isinstance(one, bool) for one in properties.values()) or required - properties.keys():
        raise _NotStrictError
    named = {name: one if name in required else _or_null(one) for name, one in properties.items()}
    return {**made, "properties": named, "required": [*properties], "additionalProperties": False}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    is_null = kind == "null" or (isinstance(kind, list) and "null" in kind)
    if is_null or {"type": "null"} in schema.get("anyOf", ()):
        return schema
    return {"anyOf": [schema, {"type": "null"}]}


@lru_cache(maxsize=256)
def _sent_schema(schema: bytes, *, refuses_bounds: bool) -> dict[str, Any]:
    """Return a schema, as JSON, in the form of a request. Do not change it."""
    strict = strict_schema(schema)
    sent: Mapping[str, Any] = from_json(schema)
    if refuses_bounds:
        sent = without_bounds(schema) if strict is None else strict
    else:  # as it is, and called strict if that is its form
        strict = None if strict is None or without_bounds(schema) != strict else strict
    return {"name": "reply", "strict": strict is not None, "schema": sent}


_OPENAI: Final = "https://api.openai.com/v1"
_OPENAI_HOSTS: Final = ("api.openai.com", ".openai.azure.com")


class _Message(Wire):
    content: Content = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    tool_calls: Any = None


class _Choice(Wire):
    index: Any = None
    message: _Message | None = None
    delta: _Message | None = None  # of a stream
    finish_reason: str | None = None
    error: Any = None


class _Reply(Wire):
    choices: tuple[_Choice, ...] | None = Field(default=(), strict=False)
    id: Any = None
    model: Any = None
    usage: Any = None
    error: Any = None
    object: Any = None
    message: Any = None
    type: Any = None
    code: Any = None
    detail: Any = None

    def check(self) -> None:
        """Raise `ProviderSaysError` if the reply is an error, in the form of OpenAI, vLLM or FastAPI."""
        if self.error is not None:
            raise ProviderSaysError(self.error)
        if not self.choices and (self.object == "error" or self.detail is not None):
            raise ProviderSaysError({"message": self.message or self.detail, "type": self.type, "code": self.code})


class CompatibleModel(HttpModel):
    """A model on any server with OpenAI's chat completions API: llama.cpp, vLLM, LM Studio and many providers.

    Requests go to `base_url` + "/chat/completions".

    Args:
        name: the model's name on the server.
        base_url: None is the environment variable COMPATIBLE_BASE_URL, else OPENAI_BASE_URL.
        api_key: None is COMPATIBLE_API_KEY, and with the address of OPENAI_BASE_URL also OPENAI_API_KEY; it may be
            missing. OPENAI_API_KEY is never sent to an address from another source.
        options: see `HttpOptions`.

    Raises:
        ConfigurationError: a missing or invalid address, a blank name, or an option out of range.
        AuthenticationError: the key contains invalid characters.
    """

    _whole_from = _OPENAI_HOSTS

    def __init__(
        self, name: str, *, base_url: str | None = None, api_key: str | None = None, **options: Unpack[HttpOptions]
    ) -> None:
        check_model_name(name, "compatible")
        environment = os.environ
        key_name = "COMPATIBLE_API_KEY"
        address = base_url or environment.get("COMPATIBLE_BASE_URL")
        if not address:
            address = environment.get("OPENAI_BASE_URL")
            key_name = key_name if environment.get(key_name) else "OPENAI_API_KEY"
        if not address:
            raise ConfigurationError(
                f'compatible:{name}: there is no base address; write "compatible:{name}@http://HOST/v1", '
                "pass base_url=... or set COMPATIBLE_BASE_URL"
            )
        address = check_base_url(address, provider="compatible", hint="COMPATIBLE_BASE_URL or base_url=...")
        secret = find_key(api_key, environment, key_name, provider="compatible", model=name)
        super().__init__(
            origin=Origin("compatible", name, address, f"{key_name} or api_key=...", secret),
            path="/chat/completions",
            headers={} if secret is None else _key_header(address, secret),
            **options,
        )

    _limit_names = ("max_tokens", "max_completion_tokens")
    _keeps_schema: bool | None = None  # of most of these servers it is not known

    def _payload(
        self, request: CompletionRequest, model: str, *, is_stream: bool, refused: Collection[str] = ()
    ) -> dict[str, Any]:
        payload: dict[str, Any] = {
            "model": model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        }
        if request.temperature is not None:
            payload["temperature"] = request.temperature
        if request.top_p is not None:
            payload["top_p"] = request.top_p
        if request.max_tokens is not None:
            payload[self._limit_name(is_other=LIMIT_NAME in refused)] = request.max_tokens
        if request.stop:
            payload["stop"] = list(request.stop)
        if request.seed is not None:
            payload["seed"] = request.seed
        if request.schema is not None:
            schema = _sent_schema(to_json(request.schema), refuses_bounds=self._refuses_bounds)
            payload["response_format"] = {"type": "json_schema", "json_schema": schema}
        if is_stream:
            payload["stream"] = True
            if STREAM_OPTIONS not in refused:
                payload[STREAM_OPTIONS] = {"include_usage": True}
        return payload

    @property
    def _is_at_openai(self) -> bool:
        return self._url.host.endswith(_OPENAI_HOSTS)

    @property
    def _refuses_bounds(self) -> bool:
        """OpenAI's strict mode refuses bounds in a schema; other servers keep to them while they generate."""
        return self._is_at_openai

    def _limit_name(self, *, is_other: bool) -> str:
        """OpenAI's newer models reject `max_tokens`; most other servers only know that name."""
        old, new = self._limit_names
        return new if self._is_at_openai != is_other else old

    def _read(self, body: bytes, request: CompletionRequest) -> Completion | None:
        if is_event_stream(body):
            return assembled(self._assembler(request), EventDecoder(), body)
        assembler = _Assembler(is_typed=request.schema is not None)
        assembler.feed(body)
        return assembler.completion(is_whole=True)

    def _assembler(self, request: CompletionRequest) -> Assembler:
        return _Assembler(is_typed=request.schema is not None)


class OpenAIModel(CompatibleModel):
    """A model of OpenAI.

    Args:
        name: "gpt-4o-mini", for example.
        api_key: None is the environment variable OPENAI_API_KEY.
        base_url: None is OPENAI_BASE_URL, else OpenAI's own address.
        options: see `HttpOptions`.

    Raises:
        AuthenticationError: there is no key, it contains invalid characters, or it is a placeholder (allowed at other
            addresses).
        ConfigurationError: an invalid address, a blank name, or an option out of range.
    """

    def __init__(
        self, name: str, *, api_key: str | None = None, base_url: str | None = None, **options: Unpack[HttpOptions]
    ) -> None:
        origin, secret = find_access(
            "openai",
            name,
            api_key=api_key,
            base_url=base_url,
            default_url=_OPENAI,
            no_key_hint=f'; for a server that needs no key write "compatible:{name}@BASE_URL"',
        )
        HttpModel.__init__(
            self,
            origin=origin,
            path="/chat/completions",
            headers=_key_header(origin.base_url, secret),
            **options,
        )

    _keeps_schema = True

    @property
    def _refuses_bounds(self) -> bool:
        return True


def _key_header(address: str, secret: Secret) -> dict[str, str]:
    key = secret.reveal()
    return {"api-key": key} if is_azure(address) else {"authorization": f"Bearer {key}"}


def build_openai(name: str, base_url: str | None) -> OpenAIModel:
    """Build the model that "openai:NAME@BASE_URL" names."""
    return OpenAIModel(name, base_url=base_url)


def build_compatible(name: str, base_url: str | None) -> CompatibleModel:
    """Build the model that "compatible:NAME@BASE_URL" names."""
    return CompatibleModel(name, base_url=base_url)


class _Assembler:
    """Assembles a whole chat completion, or a stream of its chunks. See `Draft`."""

    def __init__(self, *, is_typed: bool) -> None:
        self.is_whole = False
        self._draft = Draft(is_typed=is_typed)
        self._refusals: list[str] = []
        self._index: object = None

    def feed(self, data: str | bytes) -> str:
        if data == "[DONE]":
            self.is_whole = True
            return ""
        reply, draft = _Reply.of(data), self._draft
        reply.check()
        draft.tell(model=reply.model, response_id=reply.id)
        if reply.usage is not None:
            draft.count(
                input=count_of(reply.usage, "prompt_tokens"),
                output=count_of(reply.usage, "completion_tokens"),
                cached=count_of(reply.usage, "prompt_tokens_details", "cached_tokens"),
                reasoning=count_of(reply.usage, "completion_tokens_details", "reasoning_tokens"),
            )
        indexed = [(count_of(choice.index), choice) for choice in reply.choices or ()]
        if indexed and self._index is None:
            self._index = min(index for index, _ in indexed)
        return "".join([self._say(choice) for index, choice in indexed if index == self._index])

    def _say(self, choice: _Choice) -> str:
        if choice.error is not None:
            raise ProviderSaysError(choice.error)
        draft, message = self._draft, choice.delta or choice.message or _Message()
        draft.tell(ended=choice.finish_reason)
        if message.refusal:
            self._refusals.append(message.refusal)
        if thoughts := message.reasoning_content or message.reasoning:
            note_thought(thoughts)
            draft.think(thoughts)
        return draft.say(message.content) + draft.call(message.tool_calls)

    def completion(self, *, is_whole: bool = False) -> Completion | None:
        draft = self._draft
        if draft.ended is None and not (is_whole and self._index is not None):
            return None
        if not is_whole:
            draft.say("")  # a stream that ended without a token is an empty answer
        if self._refusals:
            draft.tell(ended="refusal")
            if not draft.text:
                draft.say("".join(self._refusals))
        return completion_of(draft)
