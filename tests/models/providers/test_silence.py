"""How long a model may be silent, and that a slow one may finish."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
from model_servers.wire import Form, begin, end, form_of, piece, reason, sse, whole

from jido_ai.errors import BadRequestError, ModelError, ModelTimeoutError
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel
from jido_ai.values import Completion, CompletionRequest, Message

HI = CompletionRequest((Message("user", "hi"),))
FORMS: tuple[Form, ...] = ("openai", "anthropic", "ollama")
pytestmark = pytest.mark.virtual_clock


class Slow(httpx.AsyncBaseTransport):
    """Sends bytes, and sleeps for the numbers between them.

    Args:
        kind: the content type; None is that of a stream in the request's form.
        head_s: before the beginning of the response.
    """

    def __init__(self, *parts: bytes | float, kind: str | None = None, head_s: float = 0.0) -> None:
        self.parts = parts
        self.kind = kind
        self.head_s = head_s
        self.asked: list[dict[str, Any]] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(json.loads(await request.aread()))
        await asyncio.sleep(self.head_s)
        usual = "application/x-ndjson" if form_of(request.url.path) == "ollama" else "text/event-stream"
        kind = usual if self.kind is None else self.kind
        return httpx.Response(200, headers={"content-type": kind}, stream=_Parts(self.parts))


class _Parts(httpx.AsyncByteStream):
    def __init__(self, parts: tuple[bytes | float, ...]) -> None:
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            if isinstance(part, bytes):
                yield part
            else:
                await asyncio.sleep(part)


def model_of(form: Form, transport: httpx.AsyncBaseTransport, **options: Any) -> HttpModel:
    build: dict[Form, Callable[..., HttpModel]] = {
        "openai": CompatibleModel,
        "anthropic": AnthropicModel,
        "ollama": OllamaModel,
    }
    return build[form]("m", api_key="a-key-of-tests", base_url="http://box:8080/v1", transport=transport, **options)


def answer(form: Form, *parts: bytes | float, first_s: float = 0.0) -> list[bytes | float]:
    """Return a stream that is sound but for its pace."""
    return [*begin(form), first_s, *parts, *reason(form), *end(form)]


def tokens(form: Form, count: int, every_s: float) -> list[bytes | float]:
    return [part for _ in range(count) for part in (every_s, piece(form, "x"))]


async def ended(model: HttpModel, request: CompletionRequest = HI) -> tuple[Completion | ModelError, float]:
    """Return what became of a call, and after how many seconds."""
    began = asyncio.get_running_loop().time()
    outcome: Completion | ModelError
    try:
        outcome = await model.complete(request)
    except ModelError as error:
        outcome = error
    return outcome, asyncio.get_running_loop().time() - began


@pytest.mark.parametrize("form", FORMS)
async def test_a_model_that_keeps_sending_may_take_any_time(form: Form) -> None:
    slow = Slow(*answer(form, *tokens(form, 40, every_s=29.0), first_s=90.0))
    outcome, took_s = await ended(model_of(form, slow))
    assert isinstance(outcome, Completion), outcome
    assert (outcome.text, outcome.finish_reason) == ("x" * 40, "stop")
    assert (outcome.usage.input_tokens, outcome.usage.output_tokens, outcome.usage.calls) == (3, 2, 1)
    assert took_s > 1_000.0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("head_s", [0.0, 100.0])
async def test_a_model_that_does_not_begin_is_given_up_after_two_minutes(form: Form, head_s: float) -> None:
    outcome, took_s = await ended(model_of(form, Slow(*answer(form, first_s=500.0), head_s=head_s)))
    assert isinstance(outcome, ModelTimeoutError)
    provider = "compatible" if form == "openai" else form
    assert str(outcome) == f"{provider}:m at box:8080: the model did not answer in 120 s"
    assert took_s == pytest.approx(120.0)


@pytest.mark.parametrize("form", FORMS)
async def test_a_model_that_falls_silent_is_given_up_after_half_a_minute(form: Form) -> None:
    slow = Slow(*answer(form, *tokens(form, 3, every_s=4.0), 500.0, piece(form, "late")))
    outcome, took_s = await ended(model_of(form, slow))
    assert isinstance(outcome, ModelTimeoutError)
    assert outcome.message == "no token for 30 s after 12 s"
    assert took_s == pytest.approx(42.0)


@pytest.mark.parametrize(
    ("form", "sign"),
    [
        ("openai", b": keep-alive\n\n"),
        ("openai", sse({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})),
        ("anthropic", sse({"type": "ping"}, "ping")),
        ("anthropic", b'event: ping\ndata: {"type": "ping"}\n\n'),
        ("ollama", piece("ollama", "")),
        ("ollama", b"\n"),
    ],
)
async def test_an_event_without_a_part_of_the_answer_counts_as_silence(form: Form, sign: bytes) -> None:
    signs = [part for _ in range(100) for part in (10.0, sign)]
    before, _ = await ended(model_of(form, Slow(*answer(form, *signs))))
    assert isinstance(before, ModelTimeoutError) and before.message == "the model did not answer in 120 s"
    between, _ = await ended(model_of(form, Slow(*answer(form, piece(form, "x"), *signs))))
    assert isinstance(between, ModelTimeoutError) and between.message == "no token for 30 s after 0 s"


@pytest.mark.parametrize(
    ("form", "thought"),
    [
        ("openai", sse({"choices": [{"index": 0, "delta": {"reasoning_content": "hm"}}]})),
        ("openai", sse({"choices": [{"index": 0, "delta": {"content": None, "reasoning": "hm"}}]})),
        ("anthropic", sse({"type": "content_block_delta", "index": 0, "delta": {"thinking": "hm"}})),
        ("ollama", json.dumps({"message": {"content": "", "thinking": "hm"}, "done": False}).encode() + b"\n"),
    ],
)
async def test_reasoning_is_a_sign_of_life(form: Form, thought: bytes) -> None:
    thoughts = [part for _ in range(30) for part in (20.0, thought)]
    outcome, took_s = await ended(model_of(form, Slow(*answer(form, *thoughts, piece(form, "well")))))
    assert isinstance(outcome, Completion), outcome
    assert (outcome.text, took_s) == ("well", pytest.approx(600.0))


async def test_both_limits_are_options() -> None:
    parts = answer("openai", *tokens("openai", 3, every_s=4.0))
    outcome, _ = await ended(model_of("openai", Slow(*parts), silence_s=3.0))
    assert isinstance(outcome, ModelTimeoutError) and outcome.message == "no token for 3 s after 4 s"
    outcome, _ = await ended(model_of("openai", Slow(*parts), first_token_s=3.0))
    assert isinstance(outcome, ModelTimeoutError) and outcome.message == "the model did not answer in 3 s"


@pytest.mark.parametrize("form", FORMS)
async def test_a_limit_of_the_whole_call_applies_to_an_active_stream(form: Form) -> None:
    for request, options in ((HI, {"timeout_s": 20.0}), (HI.replace(timeout_s=20.0), {})):
        talking = Slow(*answer(form, *tokens(form, 100, every_s=1.0)))
        outcome, took_s = await ended(model_of(form, talking, **options), request)
        assert isinstance(outcome, ModelTimeoutError)
        assert (outcome.message, took_s) == ("the answer was not complete in 20 s", pytest.approx(20.0))
    for request_s in (None, 30.0, 20.0, 286.0):  # within a run, a request has the time that is left of it
        slow = model_of(form, Slow(*answer(form, first_s=100.0)), timeout_s=20.0)
        outcome, took_s = await ended(slow, HI.replace(timeout_s=request_s))
        assert isinstance(outcome, ModelTimeoutError) and took_s == pytest.approx(20.0)
    outcome, took_s = await ended(
        model_of(form, Slow(*answer(form, first_s=100.0)), timeout_s=20.0), HI.replace(timeout_s=5.0)
    )
    assert took_s == pytest.approx(5.0)
    outcome, _ = await ended(model_of(form, Slow(*answer(form, first_s=100.0)), timeout_s=20.0))
    assert isinstance(outcome, ModelTimeoutError) and outcome.message == "the model did not answer in 20 s"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8"])
async def test_an_answer_in_one_piece_has_the_time_limit_of_a_first_token(form: Form, kind: str) -> None:
    said = json.dumps(whole(form, "fine")).encode()
    outcome, _ = await ended(model_of(form, Slow(60.0, said[:9], 50.0, said[9:], kind=kind)))
    assert isinstance(outcome, Completion) and outcome.text == "fine"
    outcome, _ = await ended(model_of(form, Slow(60.0, said[:9], 70.0, said[9:], kind=kind)))
    assert isinstance(outcome, ModelTimeoutError) and outcome.message == "the model did not answer in 120 s"


@pytest.mark.parametrize("kind", ["", "text/plain", "application/octet-stream", "text/event-stream"])
@pytest.mark.parametrize("form", ["openai", "anthropic"])
async def test_an_answer_without_a_known_type_is_recognised_by_its_beginning(form: Form, kind: str) -> None:
    for parts in (answer(form, piece(form, "fine")), [b"\n \n", json.dumps(whole(form, "fine"), indent=1).encode()]):
        outcome, _ = await ended(model_of(form, Slow(*parts, kind=kind)))
        assert isinstance(outcome, Completion), outcome
        assert outcome.text == "fine"


async def test_a_silent_provider_ends_a_stream_but_a_slow_reader_does_not() -> None:
    parts = [*begin("openai"), piece("openai", "a"), 20.0, piece("openai", "b"), 500.0]
    items = model_of("openai", Slow(*parts)).stream(HI)
    assert await anext(items) == "a"
    await asyncio.sleep(300.0)
    assert await anext(items) == "b"
    with pytest.raises(ModelTimeoutError, match="compatible:m at box:8080: no token for 30 s"):
        await anext(items)


class Refuses(httpx.AsyncBaseTransport):
    """Refuses streams, and answers whole."""

    def __init__(self, message: str) -> None:
        self.message = message
        self.asked: list[bool] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        is_stream = bool(json.loads(await request.aread()).get("stream"))
        self.asked.append(is_stream)
        if is_stream:
            return httpx.Response(400, json={"error": {"message": self.message, "param": "stream"}})
        return httpx.Response(200, json=whole(form_of(request.url.path)))


@pytest.mark.parametrize(
    "message", ["Your organization must be verified to stream this model.", "Extra inputs: stream_options"]
)
async def test_a_server_that_refuses_streams_is_asked_for_whole_answers_from_then_on(message: str) -> None:
    server = Refuses(message)
    model = model_of("openai", server)
    for _ in range(2):
        assert (await model.complete(HI)).text == "fine"
    assert server.asked == [True, False, False]


async def test_another_refusal_is_not_asked_again() -> None:
    server = Refuses("temperature must be at most 2")
    with pytest.raises(BadRequestError, match="temperature"):
        await model_of("openai", server).complete(HI)
    assert server.asked == [True]
