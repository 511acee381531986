"""One suite for every language model: real servers in the forms they speak, stand-ins for the rest, and doubles."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import aclosing
from pathlib import Path

import pytest
from model_servers.llama_server import llama_server
from model_servers.stand_in import StandIn

from jido_ai.errors import AuthenticationError, BadRequestError, ContextLengthError, ModelTimeoutError
from jido_ai.models.pricing import Prices
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel, OpenAIModel
from jido_ai.models.wrappers.budget import BudgetedModel
from jido_ai.models.wrappers.cache import CachedModel
from jido_ai.models.wrappers.guarded import GuardedModel
from jido_ai.models.wrappers.ledger import CostLedger, LedgeredModel
from jido_ai.models.wrappers.replay import RecordingModel, ReplayModel
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.models.wrappers.with_limits import LoggedModel, with_limits
from jido_ai.models.wrappers.wrapper import Wrapper
from jido_ai.protocols import LanguageModel, StreamingModel
from jido_ai.testing import ScriptedModel
from jido_ai.values import Budget, Completion, CompletionRequest, Message

KEY = "k-41cf7e"
SCHEMA = {
    "type": "object",
    "properties": {
        "score": {"type": "integer", "minimum": 0, "maximum": 10},
        "verdict": {"enum": ["accept", "revise"]},
    },
    "required": ["score", "verdict"],
    "additionalProperties": False,
}
TALK = (Message("system", "be brief"), Message("user", "hi"), Message("assistant", "ho"), Message("user", "go on"))


def asking(**options: object) -> CompletionRequest:
    return CompletionRequest(TALK, **{"max_tokens": 12, "seed": 5, **options})


REQUESTS = (asking(), asking(schema=SCHEMA, max_tokens=200), asking(temperature=0.0, stop=("e",)))


def answer(request: CompletionRequest) -> str:
    return '{"score": 7, "verdict": "accept"}' if request.schema else "well then"


@pytest.fixture(scope="session")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Generator[str]:
    """Give the address of llama.cpp's own server."""
    pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    with llama_server(tmp_path_factory.mktemp("llama"), KEY) as url:
        yield url


@pytest.fixture(scope="session")
def stand_in() -> Generator[StandIn]:
    with StandIn(KEY) as running:
        yield running


Build = Callable[[pytest.FixtureRequest, Path], Awaitable[LanguageModel]]


async def on_llama(kind: type[HttpModel], path: str, request: pytest.FixtureRequest) -> HttpModel:
    return kind("tiny", api_key=KEY, base_url=request.getfixturevalue("llama") + path, timeout_s=30.0)  # type: ignore[call-arg]


async def on_stand_in(kind: type[HttpModel], path: str, request: pytest.FixtureRequest) -> HttpModel:
    return kind("served", api_key=KEY, base_url=request.getfixturevalue("stand_in").url + path, timeout_s=30.0)  # type: ignore[call-arg]


async def replay(path: Path) -> ReplayModel:
    recorder = RecordingModel(ScriptedModel(answer), path / "talk.jsonl")
    for request in REQUESTS:
        await recorder.complete(request)
    return ReplayModel(path / "talk.jsonl")


async def recording(path: Path) -> RecordingModel:
    return RecordingModel(ScriptedModel(answer), path / "talk.jsonl")


async def scripted() -> ScriptedModel:
    return ScriptedModel(answer)


async def around(wrapper: Callable[[LanguageModel], LanguageModel]) -> LanguageModel:
    return wrapper(ScriptedModel(answer))


async def wrapped_on_llama(request: pytest.FixtureRequest) -> LanguageModel:
    return with_limits(await on_llama(OpenAIModel, "/v1", request), cache=True)


MODELS: dict[str, Build] = {
    "openai on llama.cpp": lambda request, _: on_llama(OpenAIModel, "/v1", request),
    "compatible on llama.cpp": lambda request, _: on_llama(CompatibleModel, "/v1", request),
    "anthropic on llama.cpp": lambda request, _: on_llama(AnthropicModel, "", request),
    "openai on a stand-in": lambda request, _: on_stand_in(OpenAIModel, "/v1", request),
    "anthropic on a stand-in": lambda request, _: on_stand_in(AnthropicModel, "", request),
    "ollama on a stand-in": lambda request, _: on_stand_in(OllamaModel, "", request),
    "recording": lambda _, path: recording(path),
    "replay": lambda _, path: replay(path),
    "scripted": lambda _, __: scripted(),
    "cached": lambda _, __: around(CachedModel),
    "retrying": lambda _, __: around(RetryingModel),
    "guarded": lambda _, __: around(GuardedModel),
    "budgeted": lambda _, __: around(lambda model: BudgetedModel(model, Prices(), Budget(max_calls=1_000))),
    "ledgered": lambda _, __: around(lambda model: LedgeredModel(model, Prices(), CostLedger())),
    "logged": lambda _, __: around(LoggedModel),
    "with_limits": lambda _, __: around(lambda model: with_limits(model, cache=True)),
    "wrapped, over llama.cpp": lambda request, _: wrapped_on_llama(request),
}
NO_SCHEMA = {
    "anthropic on llama.cpp"
}  # it does not make the tiny model use a tool, which is how Anthropic's form does it


@pytest.fixture(params=MODELS)
async def model(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[StreamingModel]:
    made = await MODELS[request.param](request, tmp_path)
    assert isinstance(made, StreamingModel)
    yield made
    if isinstance(made, HttpModel | Wrapper):
        await made.aclose()


@pytest.mark.parametrize("request_", REQUESTS, ids=["plain", "schema", "stop"])
async def test_a_completion_has_text_usage_and_a_reason(model: LanguageModel, request_: CompletionRequest) -> None:
    before = request_.model_copy(deep=True)
    completion = await model.complete(request_)
    assert isinstance(completion, Completion)
    assert completion.finish_reason in ("stop", "length")
    assert completion.usage.calls == 1
    assert completion.usage.input_tokens > 0
    assert completion.usage.cost_usd == 0.0
    assert request_ == before


async def test_an_answer_keeps_to_the_schema(model: LanguageModel, request: pytest.FixtureRequest) -> None:
    if request.node.callspec.params["model"] in NO_SCHEMA:
        pytest.skip("this server cannot")
    for completion in [await model.complete(REQUESTS[1])]:
        found = json.loads(completion.text)
        assert set(found) == {"score", "verdict"}
        assert found["verdict"] in ("accept", "revise")


@pytest.mark.parametrize("request_", REQUESTS, ids=["plain", "schema", "stop"])
async def test_the_pieces_of_a_stream_make_the_text_of_its_completion(
    model: StreamingModel, request_: CompletionRequest
) -> None:
    *pieces, last = [piece async for piece in model.stream(request_)]
    assert isinstance(last, Completion)
    assert all(isinstance(piece, str) and piece for piece in pieces)
    assert "".join(str(piece) for piece in pieces) == last.text
    assert last.usage.calls == 1


async def test_a_stream_may_be_left_at_any_time(model: StreamingModel) -> None:
    async with aclosing(model.stream(REQUESTS[1])) as answering:
        async for _ in answering:
            break
    assert isinstance(await model.complete(REQUESTS[0]), Completion)


async def test_many_calls_at_once_are_all_answered(model: LanguageModel) -> None:
    completions = await asyncio.gather(*(model.complete(REQUESTS[0]) for _ in range(20)))
    assert all(completion.usage.calls == 1 for completion in completions)


async def test_calls_and_streams_follow_each_other(model: StreamingModel) -> None:
    for _ in range(3):
        assert isinstance(await model.complete(REQUESTS[0]), Completion)
        assert isinstance([piece async for piece in model.stream(REQUESTS[0])][-1], Completion)


# -- what only those that are asked over HTTP can be held to ----------------------------------------

HTTP = [name for name in MODELS if " on " in name]


@pytest.mark.parametrize("model", HTTP, indirect=True)
async def test_a_text_cut_at_max_tokens_says_so(model: LanguageModel) -> None:
    for seed in range(20):  # one token in sixty is an end of its own, and not every form has a seed
        completion = await model.complete(asking(max_tokens=2, seed=seed))
        if completion.finish_reason != "stop":
            break
    assert completion.finish_reason == "length"
    assert completion.usage.output_tokens == 2


@pytest.mark.parametrize("model", HTTP, indirect=True)
async def test_the_time_limit_of_a_request_holds(model: StreamingModel) -> None:
    with pytest.raises(ModelTimeoutError):
        await model.complete(asking(timeout_s=1e-6))
    with pytest.raises(ModelTimeoutError):
        await anext(model.stream(asking(timeout_s=1e-6)))
    assert isinstance(await model.complete(REQUESTS[0]), Completion)


@pytest.mark.parametrize("model", HTTP, indirect=True)
async def test_a_prompt_that_the_model_cannot_accept_is_reported(model: LanguageModel) -> None:
    with pytest.raises(ContextLengthError, match="shorten the prompt"):
        await model.complete(CompletionRequest((Message("user", "a " * 20_000),), max_tokens=2))


@pytest.mark.parametrize("model", HTTP, indirect=True)
async def test_requests_that_cannot_be_encoded_are_rejected_and_others_are_sent(model: LanguageModel) -> None:
    with pytest.raises(BadRequestError, match=r"message 1 has half a surrogate pair at character 2"):
        await model.complete(CompletionRequest((Message("user", "no\ud800"),), max_tokens=2))
    odd = CompletionRequest((Message("user", "null \0, right to left \u202e, beyond \U0001f600"),), max_tokens=2)
    assert isinstance(await model.complete(odd), Completion)


@pytest.mark.parametrize("name", [name for name in HTTP if "openai" in name or "anthropic" in name])
async def test_a_wrong_key_is_refused(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    right = await MODELS[name](request, tmp_path)
    assert isinstance(right, HttpModel)
    async with type(right)(right.model, api_key="k-wrong", base_url=right.base_url) as model:  # type: ignore[call-arg]
        with pytest.raises(AuthenticationError, match="API_KEY") as caught:
            await model.complete(REQUESTS[0])
    assert "k-wrong" not in str(caught.value)
