"""A model refuses a setting: one that nobody asked for is left out, one of the user's is an error."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from model_servers.fault_server import FaultServer
from model_servers.wire import Form, begin, end, form_of, piece, reason, whole

from jido_ai.critics.llm_critiquer import LLMCritiquer
from jido_ai.errors import BadRequestError, ContextLengthError, ModelError
from jido_ai.models.defaults import DEFAULTS
from jido_ai.models.llm_generator import LLMGenerator
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel, OpenAIModel
from jido_ai.models.providers.refusals import ErrorBody
from jido_ai.models.providers.refused_settings import refused_setting
from jido_ai.protocols import RunContext
from jido_ai.values import Candidate, Completion, CompletionRequest, Message

SCHEMA = {"type": "object", "properties": {}}
ALL = ("temperature", "max_tokens", "seed", "schema", "top_p", "stop")
FULL = CompletionRequest(
    (Message("user", "hello"),),
    temperature=0.3,
    max_tokens=50,
    stop=("END",),
    seed=1,
    schema=SCHEMA,
    metadata={DEFAULTS: ALL},
    top_p=0.5,
)
EXPLICIT = FULL.replace(metadata={})
CONTEXT = RunContext(run_id="r", prompt="p")
TEMPERATURE = {
    "message": "Unsupported value: 'temperature' does not support 0.3 with this model. Only 1 is supported.",
    "type": "invalid_request_error",
    "param": "temperature",
    "code": "unsupported_value",
}
OTHER_NAME = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
)


def names_in(body: dict[str, Any]) -> set[str]:
    return {*body, *body.get("options", {})}


class Picky(httpx.AsyncBaseTransport):
    """Answers well, unless the first rule that fits has an error: rules by the name of a setting in the body."""

    def __init__(self, rules: dict[str, object], status: int = 400, text: str = "{}") -> None:
        self.rules = rules
        self.status = status
        self.text = text
        self.asked: list[dict[str, Any]] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(await request.aread())
        self.asked.append(body)
        for name, error in self.rules.items():
            if name in names_in(body):
                return httpx.Response(self.status, json=error if isinstance(error, list) else {"error": error})
        form = form_of(request.url.path)
        if not body.get("stream"):
            return httpx.Response(200, json=whole(form, self.text))
        events = (*begin(form), piece(form, self.text), *reason(form), *end(form))
        kind = "application/x-ndjson" if form == "ollama" else "text/event-stream"
        return httpx.Response(200, content=b"".join(events), headers={"content-type": kind})

    def sent(self, name: str) -> list[bool]:
        """Tell, for each request, whether a setting was in it."""
        return [name in names_in(body) for body in self.asked]


def model(picky: Picky, form: Form = "openai") -> HttpModel:
    kinds: dict[Form, Any] = {"openai": CompatibleModel, "anthropic": AnthropicModel, "ollama": OllamaModel}
    return kinds[form]("m", api_key="k", base_url="http://127.0.0.1:9/v1", transport=picky)


async def complete(asked: HttpModel, request: CompletionRequest) -> Completion:
    return await asked.complete(request)


async def stream(asked: HttpModel, request: CompletionRequest) -> Completion:
    last = [piece async for piece in asked.stream(request)][-1]
    assert isinstance(last, Completion)
    return last


Ask = Callable[[HttpModel, CompletionRequest], Any]


@pytest.mark.parametrize("ask", [complete, stream])
@pytest.mark.parametrize("status", [400, 422])
@pytest.mark.parametrize(
    "case",
    [
        ("openai", "temperature", TEMPERATURE, "temperature"),
        ("openai", "temperature", "temperature is deprecated for this model", "temperature"),
        ("openai", "seed", {"message": "Unrecognized request argument supplied: seed"}, "seed"),
        ("openai", "top_p", {"message": "Unsupported parameter: 'top_p' is not supported with this model."}, "top_p"),
        ("openai", "stop", {"message": "'stop' is not supported with this model.", "param": "stop"}, "stop"),
        ("anthropic", "top_p", {"message": "top_p: not supported by this model"}, "top_p"),
        ("openai", "response_format", {"message": "This response_format type is unavailable now"}, "schema"),
        ("openai", "response_format", "This model does not support response format `json_schema`", "schema"),
        ("openai", "response_format", {"message": "no", "param": "response_format.json_schema"}, "schema"),
        ("openai", "response_format", [{"error": {"message": "Unknown name 'x' at 'response_schema'"}}], "schema"),
        ("openai", "response_format", "failed to parse grammar", "schema"),
        ("openai", "max_tokens", {"message": "max_tokens is too large: 50", "param": "max_tokens"}, "max_tokens"),
        ("anthropic", "temperature", {"message": "temperature: not supported by this model"}, "temperature"),
        ("anthropic", "tools", {"message": "tool_choice: may not force a tool with thinking"}, "schema"),
        ("ollama", "format", "json: cannot unmarshal object into field ChatRequest.format of type string", "schema"),
        ("ollama", "temperature", "invalid option: temperature", "temperature"),
    ],
)
async def test_a_default_refused_by_the_model_is_left_out_and_remembered(
    ask: Ask, status: int, case: tuple[Form, str, object, str]
) -> None:
    form, name, error, dropped = case
    picky = Picky({name: error}, status)
    asked = model(picky, form)
    for _ in range(2):
        completion = await ask(asked, FULL)
        assert (completion.text, completion.dropped) == ("{}", (dropped,))
    assert picky.sent(name) == [True, False, False]
    first, second, third = map(names_in, picky.asked)
    assert first - ({"tools", "tool_choice"} if name == "tools" else {name}) == second == third


@pytest.mark.parametrize("ask", [complete, stream])
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("temperature", TEMPERATURE),
        ("seed", "Unrecognized request argument supplied: seed"),
        ("response_format", "This response_format type is unavailable now"),
        ("max_tokens", "max_tokens must be below 40"),
    ],
)
async def test_a_refused_setting_of_the_user_is_still_an_error(ask: Ask, name: str, error: object) -> None:
    picky = Picky({name: error})
    with pytest.raises(BadRequestError):
        await ask(model(picky), EXPLICIT)
    assert picky.sent(name) == [True]


async def test_a_default_limit_that_does_not_fit_the_context_is_left_out() -> None:
    said = "maximum context length is 60 tokens, you requested 70 (20 in the messages, 50 in the completion)"
    assert (await model(Picky({"max_tokens": said})).complete(FULL)).dropped == ("max_tokens",)
    with pytest.raises(ContextLengthError):
        await model(Picky({"max_tokens": said})).complete(EXPLICIT)


async def test_remembered_refusals_change_no_setting_of_the_user() -> None:
    picky = Picky({"temperature": TEMPERATURE})
    asked = model(picky)
    await asked.complete(FULL)
    with pytest.raises(BadRequestError):
        await asked.complete(EXPLICIT)
    assert (await asked.complete(FULL.replace(temperature=None))).dropped == ()


async def test_a_refusal_is_remembered_for_one_model_and_one_object() -> None:
    picky = Picky({"temperature": TEMPERATURE})
    first, second = model(picky), model(picky)
    for asked, request in ((first, FULL), (first, FULL.replace(model="other")), (second, FULL), (first, FULL)):
        await asked.complete(request)
    assert picky.sent("temperature") == [True, False] * 3 + [False]


async def test_several_settings_are_left_out_one_after_the_other() -> None:
    unavailable = "This response_format type is unavailable now"
    picky = Picky({"response_format": unavailable, "temperature": TEMPERATURE, "max_tokens": OTHER_NAME})
    completion = await model(picky).complete(FULL)
    assert completion.dropped == ("schema", "temperature")
    assert len(picky.asked) == 4
    assert picky.asked[-1]["max_completion_tokens"] == 50


@pytest.mark.parametrize("request_of", [FULL, EXPLICIT])
async def test_the_limit_is_sent_under_its_other_name(request_of: CompletionRequest) -> None:
    picky = Picky({"max_tokens": {"message": OTHER_NAME, "param": "max_tokens", "code": "unsupported_parameter"}})
    asked = model(picky)
    for _ in range(2):
        assert (await asked.complete(request_of)).dropped == ()
    assert [body.get("max_completion_tokens") for body in picky.asked] == [None, 50, 50]


async def test_an_old_server_behind_openais_name_gets_the_old_name() -> None:
    picky = Picky({"max_completion_tokens": "Unrecognized request argument supplied: max_completion_tokens"})
    await OpenAIModel("m", api_key="k", transport=picky).complete(FULL)
    assert [body.get("max_tokens") for body in picky.asked] == [None, 50]


async def test_a_limit_that_is_refused_under_both_names_is_left_out() -> None:
    picky = Picky({"max_tokens": OTHER_NAME, "max_completion_tokens": OTHER_NAME})
    assert (await model(picky).complete(FULL)).dropped == ("max_tokens",)
    with pytest.raises(BadRequestError):
        await model(picky).complete(EXPLICIT)


async def test_a_stream_is_asked_for_without_its_usage_if_the_server_does_not_know_how() -> None:
    picky = Picky({"stream_options": "unknown field stream_options"})
    asked = model(picky)
    for _ in range(2):
        assert (await stream(asked, EXPLICIT)).dropped == ("stream_options",)
    assert picky.sent("stream_options") == [True, False, False]
    assert (await asked.complete(EXPLICIT)).dropped == ("stream_options",), "it is put together from a stream"


async def test_anthropic_gets_its_own_limit_in_place_of_a_default_only_once() -> None:
    picky = Picky({"max_tokens": "max_tokens: 50 > 40, the maximum for this model"})
    with pytest.raises(BadRequestError):
        await model(picky, "anthropic").complete(FULL)
    assert [body["max_tokens"] for body in picky.asked] == [50, 4096]
    with pytest.raises(BadRequestError):
        await model(picky, "anthropic").complete(FULL.replace(max_tokens=4096))
    assert len(picky.asked) == 3


async def test_a_prompt_without_room_for_the_limit_is_sent_without_it_but_the_limit_is_kept() -> None:
    picky = Picky({"max_tokens": "max_tokens is too large: the maximum context length is 60 tokens, the prompt has 20"})
    asked = model(picky)
    assert (await asked.complete(FULL)).dropped == ("max_tokens",)
    picky.rules = {}
    assert (await asked.complete(FULL)).dropped == ()
    with pytest.raises(ContextLengthError):
        await model(Picky({"model": "the maximum context length is 60 tokens"})).complete(FULL)


@pytest.mark.parametrize(
    "error",
    [
        "it is Tuesday",
        {"message": "temperature is mentioned", "param": "messages"},
        {"message": "presence_penalty is not supported", "param": "presence_penalty"},
        None,
    ],
)
async def test_an_error_about_something_else_is_not_asked_again(error: object) -> None:
    picky = Picky({"messages": error})
    with pytest.raises(BadRequestError):
        await model(picky).complete(FULL)
    assert len(picky.asked) == 1


async def test_a_server_that_refuses_everything_is_not_asked_for_ever() -> None:
    picky = Picky({"messages": "no temperature, no seed, no max_tokens, no response_format"})
    asked = model(picky)
    for _ in range(2):
        with pytest.raises(BadRequestError):
            await asked.complete(FULL)
    assert len(picky.asked) == 10  # nothing is remembered of what did not help


@pytest.mark.parametrize("status", [401, 404, 429, 500, 503])
async def test_another_status_is_no_reason_to_leave_anything_out(status: int) -> None:
    picky = Picky({"temperature": TEMPERATURE}, status)
    with pytest.raises(ModelError):
        await model(picky).complete(FULL)
    assert len(picky.asked) == 1


async def test_the_first_of_a_list_of_invalid_settings_is_named() -> None:
    detail = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
    for error in ({"detail": detail}, {"message": {"detail": detail}}, {"error": {"message": {"detail": detail}}}):

        def refuse(request: httpx.Request, error: object = error) -> httpx.Response:
            body = json.loads(request.content)
            return httpx.Response(422, json=error) if "seed" in body else httpx.Response(200, json=whole("openai"))

        asked = CompatibleModel("m", base_url="http://host/v1", transport=httpx.MockTransport(refuse))
        assert (await asked.complete(FULL)).dropped == ("seed",)


async def test_many_calls_at_once_all_succeed() -> None:
    picky = Picky({"temperature": TEMPERATURE})
    asked = model(picky)
    completions = await asyncio.gather(*(asked.complete(FULL) for _ in range(5)))
    assert {completion.dropped for completion in completions} == {("temperature",)}


@pytest.mark.parametrize("defaults", [None, "temperature", 7, [7], {"temperature": 1}])
async def test_metadata_of_another_kind_makes_nothing_a_default(defaults: object) -> None:
    picky = Picky({"temperature": TEMPERATURE})
    with pytest.raises(BadRequestError):
        await model(picky).complete(FULL.replace(metadata={DEFAULTS: defaults}))


def test_the_first_named_setting_that_was_sent_counts() -> None:
    error = ErrorBody(message="seed and temperature are not supported")
    assert refused_setting(error, {"temperature": 0.3}, FULL) == "temperature"
    assert refused_setting(error, {"temperature": 0.3, "seed": 1}, FULL) == "seed"
    assert refused_setting(error, {"model": "m"}, FULL) is None


# -- components ------------------------------------------------------------------------------------


async def test_a_generator_omits_its_own_temperature_and_says_so() -> None:
    picky = Picky({"temperature": TEMPERATURE}, text="fine")
    (candidate,) = await LLMGenerator(model(picky)).generate("p", CONTEXT)
    assert candidate.content == "fine"
    assert candidate.metadata["dropped"] == ["temperature"]
    assert "temperature" not in candidate.metadata
    several = await LLMGenerator(model(picky), 3).generate("p", CONTEXT)
    assert [one.content for one in several] == ["fine"] * 3


@pytest.mark.parametrize("temperature", [0.7, (0.7, 0.7), 0.3])
async def test_a_generator_keeps_the_temperature_that_its_user_set(temperature: Any) -> None:
    with pytest.raises(BadRequestError):
        await LLMGenerator(model(Picky({"temperature": TEMPERATURE})), temperature=temperature).generate("p", CONTEXT)


async def test_a_critiquer_reads_its_verdict_from_a_model_that_takes_no_schema() -> None:
    rules: dict[str, object] = {
        "response_format": {"message": "This response_format type is unavailable now"},
        "temperature": TEMPERATURE,
    }
    verdict = 'Here it is:\n{"issues": [], "suggestions": [], "severity": 0.0, "feedback": "fine"}'
    critique = await LLMCritiquer(model(Picky(rules, text=verdict))).critique(Candidate("x"), CONTEXT)
    assert critique.severity == 0.0
    assert critique.metadata["dropped"] == ["schema", "temperature"]


@pytest.mark.parametrize("form", ["openai", "anthropic", "ollama"])
async def test_refused_settings_are_left_out_over_real_connections(form: Form) -> None:
    kinds: dict[Form, Any] = {"openai": CompatibleModel, "anthropic": AnthropicModel, "ollama": OllamaModel}
    with FaultServer() as server:
        async with kinds[form]("refuses-temperature", base_url=server.base_url(form), api_key="k") as asked:
            for _ in range(2):
                (candidate,) = await LLMGenerator(asked).generate("p", CONTEXT)
                assert candidate.content == "fine"
        assert len(server.calls) == 3
