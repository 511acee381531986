"""Unusual forms of an answer, whole and streamed: they are read, or fail with the error that is meant."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from model_servers.wire import Form, begin, end, piece, reason, sse, whole

from jido_ai.errors import (
    AuthenticationError,
    ModelError,
    ModelUnavailableError,
    QuotaError,
    RateLimitError,
    RefusalError,
    ReplyError,
)
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel
from jido_ai.models.retry import RetryPolicy
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.values import Completion, CompletionRequest, Message

FORMS: tuple[Form, ...] = ("openai", "anthropic", "ollama")
KINDS: dict[Form, Any] = {"openai": CompatibleModel, "anthropic": AnthropicModel, "ollama": OllamaModel}
HELLO = CompletionRequest((Message("user", "hello"),))
WITH_SCHEMA = HELLO.replace(schema={"type": "object"})
ARGUMENTS = '{"score": 7}'


class Answering(httpx.AsyncBaseTransport):
    """Answers every request alike: an object as JSON, a list as a stream of the form."""

    def __init__(self, form: Form, answer: object, status: int = 200) -> None:
        kind = "application/json"
        if isinstance(answer, list):
            kind = "application/x-ndjson" if form == "ollama" else "text/event-stream"
            lines = [json.dumps(one).encode() + b"\n" if form == "ollama" else sse(one) for one in answer]
            answer = b"".join(lines)
        self.content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.kind, self.status = kind, status
        self.requests = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.requests += 1
        return httpx.Response(self.status, content=self.content, headers={"content-type": self.kind})


def model(form: Form, transport: Answering) -> HttpModel:
    return KINDS[form]("m", api_key="k", base_url="http://127.0.0.1:9/v1", transport=transport)


async def answered(
    form: Form, answer: object, request: CompletionRequest = HELLO, *, status: int = 200
) -> Completion | ModelError:
    """Return the answer to a request, streamed if it is a list of events; an error as a value."""
    asked = model(form, Answering(form, answer, status))
    try:
        if not isinstance(answer, list):
            return await asked.complete(request)
        pieces = [one async for one in asked.stream(request)]
    except ModelError as error:
        return error
    last = pieces[-1]
    assert isinstance(last, Completion)
    assert last.text == "".join(str(one) for one in pieces[:-1])
    return last


def text_of(answer: Completion | ModelError) -> str:
    assert isinstance(answer, Completion), answer
    return answer.text


def openai(**message: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}]}


def deltas(*given: Any) -> list[dict[str, Any]]:
    chunks: list[dict[str, Any]] = [{"choices": [{"delta": delta}]} for delta in given]
    return [*chunks, {"choices": [{"delta": {}, "finish_reason": "stop"}]}]


def lines(*messages: Any) -> list[dict[str, Any]]:
    return [*({"message": message, "done": False} for message in messages), {"done": True, "done_reason": "stop"}]


THOUGHTS = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}


# -- text ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("openai", openai(content=[THOUGHTS, {"type": "text", "text": "hello"}])),
        ("openai", openai(content=["hel", {"type": "output_text", "text": "lo"}, {"type": "image_url"}])),
        ("openai", deltas({"content": [THOUGHTS]}, {"content": [{"type": "text", "text": "hel"}]}, {"content": "lo"})),
        ("openai", openai(content="hello", reasoning_content="hm", reasoning="hm", reasoning_details=[1])),
        ("openai", deltas({"content": None, "reasoning_content": "hm"}, {"reasoning": "hm"}, {"content": "hello"})),
        ("openai", deltas(None, {"content": "hello"}, None)),
        ("openai", [{"choices": None}, *deltas({"content": "hello"})]),
        ("anthropic", {"content": [THOUGHTS, {"type": "text", "text": "hello"}], "stop_reason": "end_turn"}),
        ("anthropic", {"content": "hello", "stop_reason": "end_turn"}),
        ("ollama", {"message": {"content": [THOUGHTS, {"type": "text", "text": "hello"}]}, "done": True}),
        ("ollama", {"message": {"content": "hello", "thinking": "hm"}, "done": True}),
        ("ollama", lines({"content": None, "thinking": "hm"}, {"content": [{"type": "text", "text": "hello"}]}, None)),
    ],
)
async def test_the_text_is_read_without_thoughts(form: Form, answer: object) -> None:
    assert text_of(await answered(form, answer)) == "hello"


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("openai", openai(content=[THOUGHTS])),
        ("openai", openai(content=None, reasoning_content="hm")),
        ("ollama", {"message": {"content": "", "thinking": "hm"}, "done": True}),
        ("ollama", {"message": {"content": None, "thinking": "hm"}, "done": True}),
        ("anthropic", {"content": [THOUGHTS], "stop_reason": "end_turn"}),
    ],
)
async def test_an_answer_of_nothing_but_thoughts_is_blank(form: Form, answer: object) -> None:
    assert text_of(await answered(form, answer)) == ""


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("openai", openai(content=[{"type": "image_url", "image_url": "x"}])),
        ("openai", openai(content=None)),
        ("openai", {"choices": [{"message": None, "finish_reason": "stop"}]}),
        ("openai", {"choices": None}),
        ("openai", openai(content=7)),
        ("anthropic", {"content": None, "stop_reason": "end_turn"}),
        ("ollama", {"message": None, "done": True}),
    ],
)
async def test_an_answer_without_a_text_or_a_reason_is_an_error(form: Form, answer: object) -> None:
    assert isinstance(await answered(form, answer), ReplyError)


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("openai", {"choices": [{"message": None, "finish_reason": "content_filter"}]}),
        ("openai", {"choices": [{"finish_reason": "content_filter"}]}),
        ("openai", [{"choices": [{"delta": None, "finish_reason": "content_filter"}]}]),
        ("ollama", {"message": None, "done": True, "done_reason": "content_filter"}),
    ],
)
async def test_a_null_message_may_have_been_filtered(form: Form, answer: object) -> None:
    completion = await answered(form, answer)
    assert isinstance(completion, Completion)
    assert (completion.text, completion.finish_reason) == ("", "filter")


async def test_null_content_of_anthropic_may_be_a_refusal() -> None:
    completion = await answered("anthropic", {"content": None, "stop_reason": "refusal"})
    assert isinstance(completion, Completion)
    assert completion.finish_reason == "refusal"


# -- the answer in a tool call -----------------------------------------------------------------------


def call(arguments: object, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"type": "function", "function": {"name": "reply", "arguments": arguments}, **more}]}


CALLS: list[tuple[Form, object]] = [
    ("openai", openai(content=None, **call(ARGUMENTS))),
    ("openai", openai(content=" \n", **call({"score": 7}))),
    ("openai", deltas({"content": None, **call("", index=0)}, call('{"score"', index=0), call(": 7}", index=0))),
    ("ollama", {"message": {"content": "", **call({"score": 7})}, "done": True}),
    ("ollama", lines({"content": "", **call(ARGUMENTS)})),
]


@pytest.mark.parametrize(("form", "answer"), CALLS)
async def test_the_arguments_of_a_tool_call_are_the_answer_to_a_schema(form: Form, answer: object) -> None:
    assert json.loads(text_of(await answered(form, answer, WITH_SCHEMA))) == {"score": 7}


@pytest.mark.parametrize(("form", "answer"), CALLS)
async def test_without_a_schema_a_tool_call_is_no_answer(form: Form, answer: object) -> None:
    completion = await answered(form, answer)
    assert isinstance(completion, ReplyError) or not completion.text.strip()


@pytest.mark.parametrize("calls", [None, [], {}, ["x"], [{}], [{"function": None}], [{"function": {"arguments": 7}}]])
async def test_a_text_takes_precedence_over_a_tool_call(calls: object) -> None:
    assert text_of(await answered("openai", openai(content="{}", tool_calls=calls), WITH_SCHEMA)) == "{}"
    assert text_of(await answered("openai", openai(content="{}", **call(ARGUMENTS)), WITH_SCHEMA)) == "{}"
    events = deltas({"content": "{}"}, {"tool_calls": calls}, call(ARGUMENTS, index=0))
    assert text_of(await answered("openai", events, WITH_SCHEMA)) == "{}"
    assert text_of(await answered("ollama", lines({"content": "{}"}, call(ARGUMENTS)), WITH_SCHEMA)) == "{}"


# -- counts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("told", "tokens"), [(3.0, 3), (2.5, 3), (3, 3), (0.0, 0), (-3, 0), (-1.5, 0), (None, 0), (1e3, 1_000)]
)
async def test_a_count_may_be_a_fraction_and_a_negative_one_is_ignored(
    form: Form, told: float | None, tokens: int
) -> None:
    names = {"openai": "prompt_tokens", "anthropic": "input_tokens", "ollama": "prompt_eval_count"}
    answer = whole(form)
    answer.get("usage", answer)[names[form]] = told
    completion = await answered(form, answer)
    assert isinstance(completion, Completion)
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (tokens, 2)


async def test_a_stream_may_count_in_fractions() -> None:
    usage = {"prompt_tokens": 3.0, "completion_tokens": -1, "prompt_tokens_details": {"cached_tokens": 2.0}}
    completion = await answered("openai", [*deltas({"content": "hi"}), {"choices": [], "usage": usage}])
    assert isinstance(completion, Completion)
    counted = completion.usage
    assert (counted.input_tokens, counted.output_tokens, counted.input_tokens_cached) == (3, 0, 2)


# -- bodies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("status", [200, 201, 202])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
async def test_another_good_status_or_a_byte_order_mark_changes_nothing(form: Form, status: int, mark: bytes) -> None:
    body = mark + json.dumps(whole(form)).encode()
    assert text_of(await answered(form, body, status=status)) == "fine"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\r\n"])
async def test_an_unrequested_stream_is_read(form: Form, mark: bytes) -> None:
    events = (*begin(form), piece(form, "fi"), piece(form, "ne"), *reason(form), *end(form))
    assert text_of(await answered(form, mark + b"".join(events))) == "fine"


async def test_an_object_of_several_lines_is_one_answer() -> None:
    assert text_of(await answered("ollama", json.dumps(whole("ollama"), indent=2).encode())) == "fine"


async def test_an_error_at_the_end_of_lines_is_an_error() -> None:
    body = piece("ollama", "half") + b'{"error": "the runner has died"}\n'
    assert isinstance(await answered("ollama", body), ModelUnavailableError)


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.virtual_clock
@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": 429}, RateLimitError),
        ({"code": "429", "message": "slow down"}, RateLimitError),
        ({"message": "slow down", "type": "rate_limit_exceeded"}, RateLimitError),
        ({"status": "RESOURCE_EXHAUSTED"}, RateLimitError),
        ({"code": 502, "message": "Provider disconnected"}, ModelUnavailableError),
        ("it broke", ModelUnavailableError),
    ],
)
@pytest.mark.parametrize("part", ["message", "delta"])
async def test_an_error_inside_a_choice_is_that_error_and_tried_again(
    error: object, kind: type[ModelError], part: str
) -> None:
    choice = {part: {"content": "half"}, "finish_reason": "error", "error": error}
    answer = [{"choices": [choice]}] if part == "delta" else {"choices": [choice]}
    transport = Answering("openai", answer)
    retrying = RetryingModel(model("openai", transport), RetryPolicy(retries=2), sink=lambda _: None)
    with pytest.raises(kind):
        await retrying.complete(HELLO)
    assert transport.requests == 3


def waiting(delay: object) -> dict[str, Any]:
    details = [{"@type": "Help"}, "junk", {"@type": "RetryInfo", "retryDelay": delay}]
    return {"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": details}}


@pytest.mark.parametrize(
    ("delay", "seconds"),
    [("2s", 2.0), ("1.5s", 1.5), ("0.250s", 0.25), (3, 3.0), ("soon", None), ("-2s", None), (None, None), ([], None)],
)
async def test_the_details_of_an_error_give_the_wait(delay: object, seconds: float | None) -> None:
    bodies: list[tuple[object, int]] = [
        (waiting(delay), 429),
        (json.dumps([waiting(delay)]).encode(), 429),
        (b"\xef\xbb\xbf" + json.dumps(waiting(delay)).encode(), 429),
        (waiting(delay), 200),
        ([waiting(delay)], 200),
    ]
    for body, status in bodies:
        error = await answered("openai", body, status=status)
        assert isinstance(error, RateLimitError)
        assert error.retry_after_s == seconds


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "error",
    [
        "Your chosen model requires moderation and your input was flagged",
        "Rejected under our content policy.",
        "The response was filtered due to the prompt triggering our content management policy.",
        "The request was moderated",
    ],
)
@pytest.mark.parametrize("status", [400, 403])
async def test_a_text_that_moderation_refused_is_a_refusal(form: Form, error: str, status: int) -> None:
    assert isinstance(await answered(form, {"error": {"message": error}}, status=status), RefusalError)


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation", "moderation", "moderation_blocked"])
async def test_a_code_of_moderation_is_enough(code: str) -> None:
    for status in (200, 400, 403):
        for error in ({"code": code, "message": "no"}, {"type": code}):
            assert isinstance(await answered("openai", {"error": error}, status=status), RefusalError)


@pytest.mark.parametrize(
    "message",
    [
        "this key may not use that model",
        "Your account has been flagged for unusual activity",
        "The key has no access to the moderation endpoint",
        "You may not use the moderations API",
    ],
)
async def test_a_refused_key_is_not_moderation(message: str) -> None:
    error = await answered("openai", {"error": {"message": message}}, status=403)
    assert isinstance(error, AuthenticationError)


@pytest.mark.parametrize(
    "body",
    [
        {"object": "error", "message": "no money", "code": "insufficient_quota"},
        {"message": "no money", "type": "insufficient_quota"},
        {"error": {"message": None, "code": "insufficient_quota"}},
    ],
)
async def test_an_error_is_read_with_or_without_an_object_around_it(body: object) -> None:
    assert isinstance(await answered("openai", body, status=429), QuotaError)
