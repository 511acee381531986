"""What is sent to a provider, to whom, and over which connections."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import gc
import json
import logging
import pickle
import re
import time
from collections.abc import AsyncIterator, Callable, Generator
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Any
from weakref import ReferenceType, ref

import aiohttp
import httpx
import pytest
from hypothesis import given, settings
from hypothesis.strategies import text
from model_servers.fault_server import FaultServer
from model_servers.wire import form_of, whole

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ConfigurationError,
    ContextLengthError,
    ModelError,
    ModelUnavailableError,
)
from jido_ai.loop.pipeline import Pipeline
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.names import bare_model_named
from jido_ai.models.providers import connections as llm_connections
from jido_ai.models.providers.access import check_base_url
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.headers import RateLimits
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel, OpenAIModel
from jido_ai.models.providers.secret import Secret
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, Completion, CompletionRequest, CritiqueResult, Message

KEY = "planted-7c1f09b2-key"
HI = CompletionRequest((Message("user", "hi"),))
VARIABLES = (
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "COMPATIBLE_API_KEY", "COMPATIBLE_BASE_URL"),
    *("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OLLAMA_HOST", "OLLAMA_API_KEY"),
)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def server() -> Generator[FaultServer]:
    with FaultServer() as running:
        yield running


class Hosted(CompatibleModel):
    """A model of a large service, which is asked for answers in one piece."""

    _whole_from = ("127.0.0.1",)


class Wiretap(httpx.AsyncBaseTransport):
    """Keeps the requests, and answers well."""

    def __init__(self, headers: dict[str, str] | None = None) -> None:
        self.requests: list[httpx.Request] = []
        self.headers = headers or {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.requests.append(request)
        return httpx.Response(200, json=whole(form_of(request.url.path)), headers=self.headers)

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.requests[-1].content)


# -- addresses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        (" http://127.0.0.1:8000/v1/ ", "http://127.0.0.1:8000/v1"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("HTTP://Host", "http://host"),
    ],
)
def test_a_base_address_is_kept_without_its_last_slash(given: str, kept: str) -> None:
    assert check_base_url(given, provider="p", hint="X") == kept


@pytest.mark.parametrize(
    "address",
    [
        *(
            "",
            " ",
            "localhost:8000",
            "ftp://host",
            "file:///etc/passwd",
            "http://",
            "https:///v1",
            "http:host",
            "http://my host/v1",
            "http://a<b>/v1",
            "//host",
        ),
        *("http://host:99999", "http://host:port", "http://[::1", "http://ho\nst", "gopher://x", "unix:///run/x"),
        *("http://host?a=b", "http://host#f", "http://host/v1?", "http://user@host", "http://user:swordfish@host"),
    ],
)
def test_an_invalid_address_is_refused_before_anything_is_sent(address: str) -> None:
    with pytest.raises(ConfigurationError, match="base address") as caught:
        check_base_url(address, provider="openai", hint="OPENAI_BASE_URL or base_url=...")
    assert "swordfish" not in str(caught.value)
    if address.strip():
        with pytest.raises(ConfigurationError, match="base address"):
            OpenAIModel("gpt", api_key=KEY, base_url=address)


@given(text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_address_is_http_or_refused(address: str) -> None:
    try:
        kept = check_base_url(address, provider="p", hint="X")
    except ConfigurationError:
        return
    assert kept.startswith(("http://", "https://"))


def test_an_address_in_a_name_overrides_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, variable in (("openai", "OPENAI"), ("anthropic", "ANTHROPIC"), ("compatible", "COMPATIBLE")):
        monkeypatch.setenv(f"{variable}_BASE_URL", "http://variable/v1")
        monkeypatch.setenv(f"{variable}_API_KEY", KEY)
        by_variable = bare_model_named(f"{provider}:m")
        by_name = bare_model_named(f"{provider}:m@http://named/v1")
        assert isinstance(by_variable, HttpModel)
        assert isinstance(by_name, HttpModel)
        assert (by_variable.base_url, by_name.base_url) == ("http://variable/v1", "http://named/v1")


@pytest.mark.parametrize(
    ("variable", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:9999", "http://127.0.0.1:9999"),
        (":9999", "http://127.0.0.1:9999"),
        ("box", "http://box:11434"),
        ("box:80", "http://box:80"),
        ("https://box", "https://box"),
        ("http://box:1234/", "http://box:1234"),
        ("[::]:9999", "http://[::1]:9999"),
        ("[::1]", "http://[::1]:11434"),
    ],
)
def test_ollamas_host_is_read_as_ollama_reads_it(variable: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", variable)
    assert httpx.URL(OllamaModel("m").base_url) == httpx.URL(address)


def test_a_compatible_server_needs_an_address() -> None:
    with pytest.raises(ConfigurationError, match=r"compatible:m: there is no base address; write .compatible:m@http"):
        CompatibleModel("m")


async def test_a_transport_given_by_the_caller_gets_the_host_and_the_length() -> None:
    for base, host in (
        ("http://host/v1", "host"),
        ("http://host:80/v1", "host"),
        ("http://[::1]:8080/v1", "[::1]:8080"),
    ):
        tap = Wiretap()
        await CompatibleModel("m", base_url=base, transport=tap).complete(FULL)
        (request,) = tap.requests
        assert request.headers["host"] == host
        assert request.headers["content-length"] == str(len(request.content))
        assert request.headers["accept-encoding"] == "gzip"  # what else may come is not unpacked


@pytest.mark.parametrize("base", ["http://host", "http://host/v1", "http://host/v1/"])
async def test_anthropics_address_may_end_in_v1(base: str) -> None:
    tap = Wiretap()
    await AnthropicModel("m", api_key=KEY, base_url=base, transport=tap).complete(HI)
    assert tap.requests[0].url == "http://host/v1/messages"


# -- keys ------------------------------------------------------------------------------------------


@pytest.mark.rows("C48")
@pytest.mark.parametrize(("provider", "name"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_reported_before_anything_is_sent(
    provider: str, name: str, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is not None:
        monkeypatch.setenv(name, value)
    with pytest.raises(
        AuthenticationError, match=rf"{provider}:m: there is no key; set {name} or pass api_key"
    ) as caught:
        bare_model_named(f"{provider}:m")
    assert (caught.value.provider, caught.value.model) == (provider, "m")


@pytest.mark.rows("C48")
@pytest.mark.parametrize(("provider", "name"), [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")])
@pytest.mark.parametrize(
    "value",
    ["sk-...", "your-api-key-here", "YOUR_OPENAI_KEY", "changeme", "<key>", "sk-xxxxxxxx", "sk-your-key"],
)
def test_a_placeholder_is_no_key_at_the_providers_own_address(
    provider: str, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(AuthenticationError, match=f"{provider}:m: the key is a placeholder.*{name}") as caught:
        bare_model_named(f"{provider}:m")
    assert value not in str(caught.value)
    bare_model_named(f"{provider}:m@http://127.0.0.1:9/v1")  # where any key may do


@pytest.mark.parametrize("value", ["sk-proj-Ab3_xYourS-9dKeyT0", "test", "dummy", "EMPTY", "sk-test", "fake-key"])
def test_a_key_that_resembles_a_placeholder_is_sent(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", value)
    model = bare_model_named("openai:m")
    assert isinstance(model, OpenAIModel)
    assert ("authorization", f"Bearer {value}") in model._headers()


@pytest.mark.parametrize("key", ["two\nlines", "with space", "schlüssel", "a\0b"])
def test_a_key_that_no_header_can_carry_is_refused_without_a_quote(key: str) -> None:
    with pytest.raises(AuthenticationError, match="printable ASCII") as caught:
        OpenAIModel("m", api_key=key)
    assert key not in str(caught.value)


async def test_a_line_break_after_a_key_is_not_part_of_it() -> None:
    tap = Wiretap()
    await OpenAIModel("m", api_key=f"{KEY}\n", transport=tap).complete(HI)
    assert tap.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_the_key_of_openai_is_sent_only_to_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    tap = Wiretap()
    await CompatibleModel("m", base_url="http://other/v1", transport=tap).complete(HI)
    await OllamaModel("m", transport=tap).complete(HI)
    assert not [request for request in tap.requests if "authorization" in request.headers]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://own/v1")
    await CompatibleModel("m", transport=tap).complete(HI)
    assert tap.requests[-1].headers["authorization"] == f"Bearer {KEY}"


def test_no_key_shows_in_a_model(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for model in (OpenAIModel("m", api_key=KEY), AnthropicModel("m", api_key=KEY), OllamaModel("m", api_key=KEY)):
        assert KEY not in repr(model)
        assert KEY not in str(vars(model))
    assert KEY not in caplog.text


@pytest.mark.parametrize("act", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_secret_cannot_be_pickled_or_copied(act: Callable[[Secret], object]) -> None:
    with pytest.raises(TypeError, match=r"^a secret cannot be pickled or copied$"):
        act(Secret(KEY))


async def test_no_key_is_logged_by_a_call(server: FaultServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with OpenAIModel("fine", api_key=KEY, base_url=server.base_url()) as model:
        await model.complete(HI)
        with pytest.raises(ModelError):
            await model.complete(HI.replace(model="key-refused"))
    assert KEY not in caplog.text


# -- what is sent ----------------------------------------------------------------------------------

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
FULL = CompletionRequest(
    (Message("system", "one"), Message("system", "two"), Message("user", "hi"), Message("assistant", "ho")),
    temperature=0.5,
    top_p=0.75,
    max_tokens=7,
    stop=("x", "y"),
    seed=3,
    schema=SCHEMA,
    metadata={"run": "secret of the caller"},
)


async def test_openai_gets_only_known_parameters() -> None:
    tap = Wiretap()
    await OpenAIModel("gpt", api_key=KEY, transport=tap).complete(FULL)
    assert tap.requests[0].url == "https://api.openai.com/v1/chat/completions"
    assert tap.body == {
        "model": "gpt",
        "messages": [{"role": message.role, "content": message.content} for message in FULL.messages],
        "temperature": 0.5,
        "top_p": 0.75,
        "max_completion_tokens": 7,
        "stop": ["x", "y"],
        "seed": 3,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
    }


async def test_other_servers_get_max_tokens_by_the_old_name() -> None:
    tap = Wiretap()
    await CompatibleModel("m", base_url="http://host/v1", transport=tap).complete(FULL)
    assert tap.requests[0].url == "http://host/v1/chat/completions"
    assert tap.body["max_tokens"] == 7
    assert "max_completion_tokens" not in tap.body


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {}}, "required": [], "additionalProperties": False},
        {"type": "object", "properties": {"a": {}}, "required": ["a"]},
        {**SCHEMA, "properties": {"a": {"anyOf": [{"type": "object"}]}}},
    ],
)
async def test_a_schema_that_openai_would_refuse_as_strict_is_not_called_so(schema: dict[str, Any]) -> None:
    tap = Wiretap()
    await OpenAIModel("gpt", api_key=KEY, transport=tap).complete(HI.replace(schema=schema))
    assert tap.body["response_format"]["json_schema"]["strict"] is False


BOUNDED = {**SCHEMA, "properties": {"a": {"type": "string", "maxLength": 9, "pattern": "x"}}, "minProperties": 1}


@pytest.mark.parametrize(
    ("build", "place", "schema"),
    [
        (lambda tap: OpenAIModel("m", api_key=KEY, transport=tap), "openai", SCHEMA),
        (lambda tap: OpenAIModel("m", api_key=KEY, base_url="http://host/v1", transport=tap), "openai", SCHEMA),
        (lambda tap: CompatibleModel("m", base_url="https://x.openai.azure.com/v1", transport=tap), "openai", SCHEMA),
        (lambda tap: CompatibleModel("m", base_url="http://host/v1", transport=tap), "openai", BOUNDED),
        (lambda tap: AnthropicModel("m", api_key=KEY, transport=tap), "anthropic", SCHEMA),
        (lambda tap: OllamaModel("m", transport=tap), "ollama", BOUNDED),
    ],
)
async def test_bounds_in_a_schema_are_sent_to_servers_that_accept_them(
    build: Callable[[Wiretap], HttpModel], place: str, schema: dict[str, Any]
) -> None:
    tap = Wiretap()
    await build(tap).complete(HI.replace(schema=BOUNDED))
    match place:
        case "openai":
            assert tap.body["response_format"]["json_schema"] == {"name": "reply", "strict": True, "schema": schema}
        case "anthropic":
            assert tap.body["tools"][0]["input_schema"] == schema
        case _:
            assert tap.body["format"] == schema


@pytest.mark.parametrize(
    ("build", "asked"),
    [
        (OpenAIModel, {"stream": True, "stream_options": {"include_usage": True}}),
        (AnthropicModel, {"stream": True}),
        (OllamaModel, {"stream": True}),
    ],
)
async def test_a_stream_is_requested_with_its_usage(build: Callable[..., HttpModel], asked: dict[str, Any]) -> None:
    wire = Wiretap()
    model = build("m", api_key=KEY, base_url="http://127.0.0.1:9/v1", transport=wire)
    await model.complete(HI)
    assert {name: wire.body[name] for name in asked} == asked
    async for _ in model.stream(HI):
        pass
    assert {name: wire.body[name] for name in asked} == asked


async def test_openai_and_anthropic_are_asked_for_whole_answers_and_other_servers_are_not() -> None:
    for build in (OpenAIModel, AnthropicModel):
        wire = Wiretap()
        await build("m", api_key=KEY, transport=wire).complete(HI)
        assert "stream" not in wire.body
        await build("m", api_key=KEY, base_url="http://gateway.example/v1", transport=wire).complete(HI)
        assert wire.body["stream"] is True


async def test_anthropic_gets_the_system_prompt_separately_and_the_schema_as_a_tool() -> None:
    tap = Wiretap()
    await AnthropicModel("claude", api_key=KEY, transport=tap).complete(FULL)
    request = tap.requests[0]
    assert (request.headers["x-api-key"], request.headers["anthropic-version"]) == (KEY, "2023-06-01")
    body = tap.body
    assert body["system"] == "one\n\ntwo"
    assert [message["role"] for message in body["messages"]] == ["user", "assistant"]
    assert (body["max_tokens"], body["stop_sequences"]) == (7, ["x", "y"])
    assert (body["temperature"], body["top_p"]) == (0.5, 0.75)
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert body["tool_choice"] == {"type": "tool", "name": "reply"}
    assert "seed" not in body


async def test_anthropic_gets_a_schema_that_is_not_an_object_in_words() -> None:
    tap = Wiretap()
    await AnthropicModel("claude", api_key=KEY, transport=tap).complete(HI.replace(schema={"type": "array"}))
    assert tap.body["system"].endswith('{"type":"array"}')
    assert "tools" not in tap.body


async def test_ollama_gets_its_own_names() -> None:
    tap = Wiretap()
    await OllamaModel("llama", transport=tap).complete(FULL)
    assert tap.requests[0].url == "http://127.0.0.1:11434/api/chat"
    options = {"temperature": 0.5, "top_p": 0.75, "num_predict": 7, "stop": ["x", "y"], "seed": 3}
    assert tap.body["options"] == options
    assert tap.body["format"] == SCHEMA
    assert tap.body["stream"] is True


@pytest.mark.parametrize(
    "build",
    [
        lambda tap: OpenAIModel("m", api_key=KEY, transport=tap),
        lambda tap: AnthropicModel("m", api_key=KEY, transport=tap),
        lambda tap: OllamaModel("m", transport=tap),
    ],
)
async def test_a_request_may_name_another_model_and_never_an_address(build: Callable[[Wiretap], HttpModel]) -> None:
    tap = Wiretap()
    model = build(tap)
    await model.complete(HI.replace(model="other", metadata={"base_url": "http://evil", "api_key": "x"}))
    assert tap.body["model"] == "other"
    assert tap.requests[0].url.host == httpx.URL(model.base_url).host
    assert "evil" not in str(tap.requests[0].headers) + tap.requests[0].content.decode()


# -- prompts that cannot go out --------------------------------------------------------------------


async def test_ten_megabytes_are_refused_before_anything_is_sent() -> None:
    tap = Wiretap()
    model = OpenAIModel("m", api_key=KEY, transport=tap)
    for prompt in ("x" * 10_000_000, "\0" * 2_000_000):  # each NUL is six bytes on the wire
        with pytest.raises(ContextLengthError, match=r"openai:m: .*max_bytes=8388608; shorten the prompt"):
            await model.complete(CompletionRequest((Message("user", prompt),)))
    assert not tap.requests


@pytest.mark.parametrize("place", [0, 1])
async def test_half_a_surrogate_pair_is_refused_with_its_place(place: int) -> None:
    messages = [Message("system", "fine"), Message("user", "fine")]
    messages[place] = Message("user", "abc\udfff")
    with pytest.raises(
        BadRequestError, match=rf"openai:m: .*message {place + 1} has half a surrogate pair at character 3"
    ):
        await OpenAIModel("m", api_key=KEY, transport=Wiretap()).complete(CompletionRequest(tuple(messages)))


async def test_a_value_that_json_cannot_represent_is_refused() -> None:
    circle: dict[str, Any] = {"type": "object"}
    circle["properties"] = {"a": circle}
    with pytest.raises(BadRequestError, match="cannot be sent"):
        await OpenAIModel("m", api_key=KEY, transport=Wiretap()).complete(HI.replace(schema={"default": object()}))
    with pytest.raises(ConfigurationError, match="nested deeper than 64 levels"):
        HI.replace(schema=circle)


async def test_odd_characters_arrive_as_they_are() -> None:
    tap = Wiretap()
    odd = "nul \0 rtl \u202e astral \U0001f600 line \u2028 \x7f"
    await OpenAIModel("m", api_key=KEY, transport=tap).complete(CompletionRequest((Message("user", odd),)))
    assert tap.body["messages"][0]["content"] == odd


@pytest.mark.parametrize(
    "options", [{"timeout_s": 0}, {"timeout_s": float("nan")}, {"max_bytes": -1}, {"max_connections": True}]
)
def test_an_option_out_of_range_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="must be a number above 0"):
        OpenAIModel("m", api_key=KEY, **options)


@pytest.mark.parametrize("name", ["", "  ", None, 7])
def test_a_blank_name_is_refused(name: Any) -> None:
    for kind in (OpenAIModel, CompatibleModel, AnthropicModel, OllamaModel):
        with pytest.raises(ConfigurationError, match="name of a model must be a string"):
            kind(name)


# -- connections -----------------------------------------------------------------------------------


async def test_models_of_one_address_share_connections_until_the_last_lets_go(server: FaultServer) -> None:
    before = server.handshakes
    first = Hosted("fine", base_url=server.base_url())
    second = Hosted("fine", base_url=server.base_url())
    for model in (first, second, first):
        await model.complete(HI)
    assert server.handshakes == before + 1
    await first.aclose()
    await second.complete(HI)
    assert server.handshakes == before + 1
    await second.aclose()
    assert not llm_connections._shared[asyncio.get_running_loop()]
    await first.complete(HI)
    assert server.handshakes == before + 2
    await first.aclose()
    await first.aclose()


async def _content(candidate: Candidate, context: RunContext) -> CritiqueResult:
    return CritiqueResult(severity=0.0)


async def test_a_pipeline_closes_the_models_that_its_components_made_and_no_other(server: FaultServer) -> None:
    given = CompatibleModel("fine", base_url=server.base_url())
    made = LLMGenerator(f"compatible:fine@{server.base_url()}")
    for generator, stays_open in ((made, False), (made, False), (LLMGenerator(given), True)):
        async with Pipeline(generator, _content) as pipeline:
            assert (await pipeline.run("hi")).error is None
        assert bool(llm_connections._shared[asyncio.get_running_loop()]) is stays_open
    await given.aclose()


def test_unclosed_models_are_closed_with_the_loop(server: FaultServer) -> None:
    model = CompatibleModel("fine", base_url=server.base_url())
    for _ in range(2):
        assert isinstance(asyncio.run(model.complete(HI)), Completion)
        gc.collect()  # would warn of what is left open, and warnings are errors
    assert not any(llm_connections._shared.values())


async def test_no_more_connections_are_open_than_allowed(server: FaultServer) -> None:
    before = server.handshakes
    async with Hosted("fine", base_url=server.base_url(), max_connections=3) as model:
        await asyncio.gather(*(model.complete(HI) for _ in range(30)))
    assert server.handshakes <= before + 3


async def test_a_request_that_meets_a_closed_connection_is_sent_again_and_no_other() -> None:
    answers, requests = [[True], [True, False], [True], [False]], list[int]()  # by connection: whether each is answered
    ended = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine = answers[len(requests)]
        requests.append(0)
        number = len(requests) - 1
        with contextlib.suppress(asyncio.IncompleteReadError):
            for is_answered in mine:
                head = await reader.readuntil(b"\r\n\r\n")
                found = re.search(rb"content-length: (\d+)", head.lower())
                assert found is not None
                await reader.readexactly(int(found[1]))
                requests[number] += 1
                if is_answered:
                    body = json.dumps(whole("openai")).encode()
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n")
                    writer.write(b"content-length: %d\r\n\r\n%b" % (len(body), body))
                    await writer.drain()
            if mine == [True]:  # closes when the next request is on its way
                await reader.readuntil(b"\r\n\r\n")
        writer.close()
        if number == len(answers) - 1:
            ended.set()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as running:
        port = running.sockets[0].getsockname()[1]
        async with CompatibleModel("m", base_url=f"http://127.0.0.1:{port}/v1") as model:
            for _ in range(3):
                assert (await model.complete(HI)).text == "fine"
            with pytest.raises(ModelUnavailableError, match="was lost"):  # a new connection, which closes, too
                await model.complete(HI)
        await ended.wait()
    assert requests == [1, 2, 1, 1]


async def test_a_proxy_of_the_environment_is_not_used(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with CompatibleModel("fine", base_url=server.base_url()) as model:
        assert isinstance(await model.complete(HI), Completion)


async def test_a_transport_of_the_caller_stays_open(server: FaultServer) -> None:
    async with httpx.AsyncHTTPTransport() as transport:
        async with CompatibleModel("fine", base_url=server.base_url(), transport=transport) as model:
            await model.complete(HI)
        async with CompatibleModel("fine", base_url=server.base_url(), transport=transport) as model:
            assert isinstance(await model.complete(HI), Completion)
            for fault in ("reset-at-once", "half-an-answer", "not-http"):
                with pytest.raises(ModelError):
                    await model.complete(HI.replace(model=fault))


async def test_limits_in_headers_are_passed_on() -> None:
    heard: list[RateLimits] = []
    tap = Wiretap({"x-ratelimit-remaining-requests": "7", "x-ratelimit-reset-requests": "1.5s"})
    await OpenAIModel("m", api_key=KEY, transport=tap, on_headers=heard.append).complete(HI)
    await OpenAIModel("m", api_key=KEY, transport=Wiretap(), on_headers=heard.append).complete(HI)
    assert heard == [RateLimits(requests_remaining=7, requests_reset_s=1.5)]


async def test_a_listener_for_headers_that_raises_leaves_no_connection_behind(server: FaultServer) -> None:
    def refuse(limits: RateLimits) -> None:
        raise LookupError("no")

    class Body(httpx.AsyncByteStream):
        is_closed = False

        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"{}"

        async def aclose(self) -> None:
            self.is_closed = True

    body = Body()
    answer = httpx.Response(200, headers={"x-ratelimit-remaining-requests": "7"}, stream=body)
    transport = httpx.MockTransport(lambda _: answer)
    model = OpenAIModel("m", api_key=KEY, transport=transport, on_headers=refuse)
    with pytest.raises(LookupError):
        await model.complete(HI)
    assert body.is_closed


async def test_a_connection_keeps_no_reference_to_the_call_that_opened_it(server: FaultServer) -> None:
    class Run:
        pass

    run_of: ContextVar[Run] = ContextVar("run_of")

    async def call(model: CompatibleModel) -> ReferenceType[Run]:
        run = Run()
        run_of.set(run)
        await model.complete(HI)
        return ref(run)

    async with Hosted("fine", base_url=server.base_url()) as model:
        await model.complete(HI)
        before = server.handshakes
        _, run = await asyncio.gather(model.complete(HI), call(model))  # each a task; the second opens a connection
        assert server.handshakes == before + 1
        await asyncio.sleep(0)  # the loop lets go of the tasks
        gc.collect()
        assert run() is None


async def test_a_connection_that_opens_as_its_call_is_cancelled_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    may_open, closed = asyncio.Event(), list[bool]()

    async def opened(*_: object) -> object:
        await may_open.wait()
        return SimpleNamespace(close=lambda: closed.append(True))

    monkeypatch.setattr(aiohttp.TCPConnector, "_create_connection", opened)
    async with CompatibleModel("fine", base_url="http://127.0.0.1:9") as model:
        call = asyncio.create_task(model.complete(HI))
        for _ in range(5):
            await asyncio.sleep(0)
        may_open.set()
        await asyncio.sleep(0)  # it opens; who waits for it has not heard of it
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert closed == [True]


async def test_the_event_loop_continues_while_a_large_prompt_is_sent(server: FaultServer) -> None:
    stops: list[float] = []

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0)
            stops.append(time.perf_counter() - began)

    async with CompatibleModel("fine", base_url=server.base_url()) as model, asyncio.TaskGroup() as group:
        watching = group.create_task(watch())
        large = CompletionRequest((Message("user", "x" * 7_000_000),))
        assert isinstance(await model.complete(large), Completion)
        watching.cancel()
    assert len(stops) > 3
