"""What real servers say, beyond what their pages say: why an answer ended, counts, calls, thoughts, roles, proxies."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_servers.wire import Form, sse

from jido_ai.errors import ConfigurationError, ContextLengthError, ModelError, ModelNotFoundError, ModelUnavailableError
from jido_ai.loop.pipeline import reflect
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.providers.access import proxy_of
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.draft import Draft, HalfCharacters, count_of, halves_kept
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel, OpenAIModel
from jido_ai.protocols import RunContext
from jido_ai.values import Completion, CompletionRequest, Message

KINDS: dict[Form, Any] = {"openai": CompatibleModel, "anthropic": AnthropicModel, "ollama": OllamaModel}
HELLO = CompletionRequest((Message("system", "Be brief."), Message("user", "hello")))
TYPED = HELLO.replace(schema={"type": "object"})
ONE = '{"a": 1}'
Reply = Callable[[dict[str, Any]], tuple[int, object]]


def model(form: Form, reply: Reply, base_url: str = "http://127.0.0.1:9/v1") -> Any:
    def handle(request: httpx.Request) -> httpx.Response:
        status, body = reply(json.loads(request.content))
        if not isinstance(body, list):
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            return httpx.Response(status, content=content, headers={"content-type": "application/json"})
        if form == "ollama":
            text = b"".join(json.dumps(one).encode() + b"\n" for one in body)
            return httpx.Response(status, content=text, headers={"content-type": "application/x-ndjson"})
        text = b"".join(one if isinstance(one, bytes) else sse(one) for one in body)
        return httpx.Response(status, content=text, headers={"content-type": "text/event-stream"})

    return KINDS[form]("m", api_key="k", base_url=base_url, transport=httpx.MockTransport(handle))


async def answered(form: Form, body: object, request: CompletionRequest = HELLO, status: int = 200) -> Completion:
    """Return the answer, which says the same in a stream."""
    asked = model(form, lambda _: (status, body))
    whole = await asked.complete(request)
    pieces = [one async for one in asked.stream(request)]
    assert pieces[-1] == whole
    return whole


def whole(form: Form, text: str | None = "half of", ended: object = None, usage: object = None, **more: Any) -> Any:
    if form == "openai":
        choice = {"index": 0, "message": {"content": text, **more}, "finish_reason": ended or "stop"}
        return {"choices": [choice], "usage": usage}
    if form == "anthropic":
        blocks = more.get("blocks") or [{"type": "text", "text": text}]
        return {"type": "message", "content": blocks, "stop_reason": ended or "end_turn", "usage": usage}
    message = {"content": text, **more}
    return {
        "message": message,
        "done": True,
        "done_reason": ended or "stop",
        **(usage if isinstance(usage, dict) else {}),
    }


def delta(ended: str | None = None, usage: object = None, index: int = 0, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": index, "delta": fields, "finish_reason": ended}], "usage": usage}


def call(arguments: object, **more: Any) -> dict[str, Any]:
    return {"function": {"arguments": arguments}, **more}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, **fields}


# -- why an answer ended ---------------------------------------------------------------------------


@pytest.mark.parametrize("form", KINDS)
@pytest.mark.parametrize(
    ("word", "reason"),
    [("model_length", "length"), ("MAX_TOKENS", "length"), ("incomplete", "length"), ("sensitive", "filter"),
     ("SAFETY", "filter"), ("PROHIBITED_CONTENT", "filter"), ("refusal", "refusal"), ("eos", "stop")],
)  # fmt: skip
async def test_an_answer_ended_as_the_words_of_its_server_say(form: Form, word: str, reason: str) -> None:
    completion = await answered(form, whole(form, ended=word))
    assert (completion.finish_reason, completion.ended_by) == (reason, None)


@pytest.mark.parametrize("form", KINDS)
@pytest.mark.parametrize("word", ["insufficient_system_resource", "network_error", "unload", "error", "abort"])
async def test_an_answer_that_the_server_could_not_finish_is_a_failure_to_try_again(form: Form, word: str) -> None:
    with pytest.raises(ModelUnavailableError, match=word):
        await answered(form, whole(form, ended=word))


async def test_an_unknown_finish_reason_is_in_the_metadata() -> None:
    generator = LLMGenerator(model("openai", lambda _: (200, whole("openai", "fine", ended="vibes"))))
    (candidate,) = await generator.generate("hello", RunContext("r", "hello"))
    assert (candidate.content, candidate.metadata["ended_by"]) == ("fine", "vibes")


# -- counts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("last", [{"prompt_tokens": 0, "completion_tokens": 0}, {}, None, [], {"prompt_tokens": "x"}])
async def test_the_usage_of_a_stream_never_shrinks(last: object) -> None:
    first = {"prompt_tokens": 30, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 4}}
    usage = (await answered("openai", [delta(content="hi", usage=first), delta("stop", last)])).usage
    assert (usage.input_tokens, usage.output_tokens, usage.input_tokens_cached) == (30, 20, 4)


@pytest.mark.parametrize("form", KINDS)
@pytest.mark.parametrize(("told", "read"), [("3", 3), ("many", 0), ([], 0), (True, 0), (1e300, 2**53)])
async def test_counts_that_are_no_numbers_lose_no_reply(form: Form, told: object, read: int) -> None:
    names = {"openai": "prompt_tokens", "anthropic": "input_tokens", "ollama": "prompt_eval_count"}
    completion = await answered(form, whole(form, "paid", usage={names[form]: told}))
    assert (completion.text, completion.usage.input_tokens) == ("paid", read)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_any_count_is_a_whole_number_in_range(told: object) -> None:
    assert 0 <= count_of({"n": told}, "n") <= 2**53


# -- tool calls and thoughts as answers --------------------------------------------------------------

USE = {"type": "tool_use", "input": {"a": 1}}
_START = event("message_start", message={"content": [], "model": "m"})
_END = [event("message_delta", delta={"stop_reason": "tool_use"}), event("message_stop")]


def block(index: int, given: object = None, **more: Any) -> dict[str, Any]:
    return event("content_block_start", index=index, content_block={"type": "tool_use", "input": given or {}, **more})


def part(index: int, text: str) -> dict[str, Any]:
    return event("content_block_delta", index=index, delta={"type": "input_json_delta", "partial_json": text})


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("openai", [delta(tool_calls=[call(ONE, index=0, id="x")]), delta(tool_calls=[call("{}", index=0, id="y")])]),
        ("openai", [delta(tool_calls=[call(ONE, id="x")]), delta(tool_calls=[call("{}", id="y")])]),
        ("openai", [delta(tool_calls=[call(ONE, index=1, id="x")])]),
        ("openai", [*[delta(tool_calls=[call(text, index=0, id=text)]) for text in (ONE[:4], ONE[4:])]]),
        ("openai", [delta(tool_calls=[call("", index=0)]), delta(tool_calls=[call(ONE, index=0)])]),
        ("openai", [delta(content="I will call it."), delta(tool_calls=[call(ONE, index=0)])]),
        ("openai", whole("openai", "I will call it.", tool_calls=[call({"a": 1})])),
        ("openai", whole("openai", None, tool_calls=[call(ONE, index=0), call("{}", index=1)])),
        ("openai", whole("openai", None, tool_calls=[call(ONE), call("{}", id="y")])),
        ("ollama", whole("ollama", "I will call it.", tool_calls=[call({"a": 1})])),
        ("anthropic", [_START, block(0), part(0, ONE), block(1), part(1, "{}"), *_END]),
        ("anthropic", [_START, block(0, {"a": 1}), *_END]),
        ("anthropic", whole("anthropic", blocks=[{"type": "text", "text": "So:"}, USE])),
        ("openai", whole("openai", None, reasoning_content=ONE)),
        ("openai", whole("openai", " ", reasoning=ONE)),
        ("openai", [delta(reasoning_content=ONE[:3]), delta(reasoning_content=ONE[3:])]),
        ("ollama", whole("ollama", "", thinking=ONE)),
        ("anthropic", whole("anthropic", blocks=[{"type": "thinking", "thinking": ONE}])),
    ],
)  # fmt: skip
async def test_an_answer_to_a_schema_is_found_where_servers_put_it(form: Form, body: Any) -> None:
    if form == "openai" and isinstance(body, list):
        body = [*body, delta("stop"), b"data: [DONE]\n\n"]
    assert json.loads((await answered(form, body, TYPED)).text) == {"a": 1}


THOUGHTS: dict[Form, dict[str, Any]] = {
    "openai": {"reasoning_content": "Let me see."},
    "anthropic": {"blocks": [{"type": "thinking", "thinking": "Let me see."}]},
    "ollama": {"thinking": "Let me see."},
}


@pytest.mark.parametrize(
    ("form", "body"),
    [(form, whole(form, "", **fields)) for form, fields in THOUGHTS.items()]
    + [("openai", whole("openai", "<think>Let me see.</think>"))],
)
@pytest.mark.parametrize("output", [int, dict[str, int]])
async def test_an_answer_of_nothing_but_thoughts_is_said_to_be_that(form: Form, body: object, output: Any) -> None:
    asked: list[str] = []

    def reply(payload: dict[str, Any]) -> tuple[int, object]:
        asked.append(json.dumps(payload))
        return 200, body

    result = await reflect("1 + 1?", generator=model(form, reply), output=output)
    assert result.error is not None
    assert "only thoughts" in result.error.message
    assert ["only thoughts" in one for one in asked[:2]] == [False, True]


async def test_thoughts_are_no_answer_without_a_schema_or_beside_one() -> None:
    assert (await answered("openai", whole("openai", "", reasoning_content=ONE))).text == ""
    assert (await answered("openai", whole("openai", "{}", reasoning_content=ONE), TYPED)).text == "{}"
    assert (await answered("openai", whole("openai", "", reasoning_content="hm {"), TYPED)).text == ""


async def test_the_choice_with_the_lowest_index_is_the_answer() -> None:
    parts = [delta(content=text, index=index) for index, text in ((0, "The cat "), (1, "A dog "), (0, "sat."))]
    assert (await answered("openai", [*parts, delta("stop"), delta("stop", index=1)])).text == "The cat sat."
    choices = [{"index": index, "message": {"content": str(index)}, "finish_reason": "stop"} for index in (1, 0)]
    assert (await answered("openai", {"choices": choices})).text == "0"


# -- half characters -------------------------------------------------------------------------------


def half(text: str) -> bytes:
    return b'data: {"choices":[{"index":0,"delta":{"content":"' + text.encode() + b'"}}]}\n\n'


@pytest.mark.parametrize(
    ("parts", "text"),
    [(["done \\ud83d", "\\ude00!"], "done \U0001f600!"), (["done \\uD83D", "!"], "done \ufffd!"),
     (["\\ude00 done \\ud83d"], "\ufffd done \ufffd"), (["\\\\ud83d \\ud83d\\ude00"], "\\ud83d \U0001f600")],
)  # fmt: skip
async def test_the_halves_of_a_character_are_joined_and_one_alone_is_replaced(parts: list[str], text: str) -> None:
    asked = model("openai", lambda _: (200, [*map(half, parts), delta("stop")]))
    *pieces, completion = [one async for one in asked.stream(HELLO)]
    assert "".join(pieces) == text
    assert completion.text == text


@given(st.text(), st.integers(0, 50))
def test_a_text_cut_anywhere_in_utf_16_comes_back_whole(text: str, at: int) -> None:
    units = text.encode("utf-16-le")
    halves = HalfCharacters()
    cut = [units[: 2 * at], units[2 * at :]]
    sent = [json.dumps(one.decode("utf-16-le", "surrogatepass")) for one in cut]
    came = "".join(halves.take(json.loads(halves_kept(one))) for one in sent) + halves.rest()
    assert came == text or any(one >= "\U0010f800" for one in text)


# -- errors, roles, addresses ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "kind", "words"),
    [
        (
            200,
            {"object": "error", "message": "model m does not exist", "code": 404},
            ModelNotFoundError,
            "not exist",
        ),
        (200, {"detail": "model not loaded"}, ModelUnavailableError, "model not loaded"),
        (200, [{"object": "error", "message": "engine is dead", "code": 500}], ModelUnavailableError, "engine is dead"),
        (
            400,
            {"error": {"message": "litellm.ContextWindowExceededError: prompt too long"}},
            ContextLengthError,
            "longer",
        ),
    ],
)
async def test_an_error_object_is_an_error_whatever_its_form(
    status: int, body: object, kind: type[ModelError], words: str
) -> None:
    with pytest.raises(kind, match=words):
        await answered("openai", body, status=status)


@pytest.mark.parametrize(
    ("status", "words"),
    [(400, "System role not supported"), (500, "Conversation roles must alternate user/assistant/user/assistant/..."),
     (422, "Only user and assistant roles are supported!"), (400, "Developer instruction is not enabled for m")],
)  # fmt: skip
async def test_a_model_without_a_system_role_is_asked_without_it_from_then_on(status: int, words: str) -> None:
    asked: list[list[tuple[str, str]]] = []

    def reply(payload: dict[str, Any]) -> tuple[int, object]:
        asked.append([(one["role"], one["content"]) for one in payload["messages"]])
        if any(one["role"] == "system" for one in payload["messages"]):
            return status, {"error": {"message": words}}
        return 200, whole("openai", "4")

    gemma = model("openai", reply)
    for _ in range(2):
        completion = await gemma.complete(HELLO)
        assert (completion.text, completion.dropped) == ("4", ())
    assert asked == [[("system", "Be brief."), ("user", "hello")], *[[("user", "Be brief.\n\nhello")]] * 2]
    with pytest.raises(ModelError):  # the same words about something else
        await model("openai", lambda _: (status, {"error": {"message": words}})).complete(
            CompletionRequest((Message("user", "hello"),))
        )


@pytest.mark.parametrize("kind", [CompatibleModel, OpenAIModel])
async def test_a_classic_address_of_azure_keeps_its_version_and_gets_its_header(kind: Any) -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=whole("openai", "4"))

    address = "https://x.openai.azure.com/openai/deployments/m?api-version=2024-10-21"
    asked = kind("m", api_key="0123456789abcdef", base_url=address, transport=httpx.MockTransport(handle))
    await asked.complete(HELLO)
    url = "https://x.openai.azure.com/openai/deployments/m/chat/completions?api-version=2024-10-21"
    assert (str(seen[0].url), seen[0].headers["api-key"]) == (url, "0123456789abcdef")
    assert "authorization" not in seen[0].headers
    for query in ("?key=secret", "?api-version=1&key=secret", "?"):
        with pytest.raises(ConfigurationError, match="query"):
            kind("m", api_key="0123456789abcdef", base_url=address.partition("?")[0] + query)


@pytest.mark.parametrize(
    ("address", "environment", "proxy"),
    [
        ("http://llm.corp.example/v1", {"http_proxy": "http://proxy:3128"}, "http://proxy:3128"),
        ("https://llm.corp.example/v1", {"HTTPS_PROXY": "proxy:3128"}, "http://proxy:3128"),
        ("https://llm.corp.example/v1", {"all_proxy": "http://proxy:3128"}, "http://proxy:3128"),
        ("https://llm.corp.example/v1", {"https_proxy": "http://proxy", "no_proxy": ".corp.example"}, ""),
        ("https://llm.corp.example/v1", {"http_proxy": "http://proxy:3128"}, ""),
        ("http://127.0.0.1:8000/v1", {"http_proxy": "http://proxy:3128"}, ""),
        ("http://localhost:8000/v1", {"http_proxy": "http://proxy:3128"}, ""),
    ],
)
def test_the_environment_says_which_proxy_an_address_needs(
    address: str, environment: dict[str, str], proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(httpx.URL(address), None).rstrip("/") == proxy
    assert proxy_of(httpx.URL(address), "") == ""
    given = "" if "no_proxy" in environment else "http://own:1"
    assert proxy_of(httpx.URL(address), "http://own:1").rstrip("/") == given


async def test_a_proxy_that_cannot_be_reached_is_named_without_its_password() -> None:
    through = CompatibleModel("m", base_url="http://llm.corp.invalid/v1", proxy="http://me:hunter2@127.0.0.1:9")
    with pytest.raises(ModelUnavailableError, match=r"the proxy 127\.0\.0\.1:9: .*NO_PROXY") as caught:
        await through.complete(HELLO)
    assert "hunter2" not in f"{caught.value} {through!r} {vars(through)}"
    await through.aclose()
    with pytest.raises(ConfigurationError, match="a proxy is http") as refused:
        CompatibleModel("m", base_url="http://llm.corp.invalid/v1", proxy="socks5://me:hunter2@x")
    assert "hunter2" not in str(refused.value)


def test_a_draft_without_a_word_is_empty() -> None:
    assert Draft(is_typed=True).is_empty
