"""Whatever a provider does: a typed error or a valid answer, within the deadline, and never the key."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Generator

import pytest
from model_servers.fault_server import FAULTS, STREAM_FAULTS, FaultServer
from model_servers.outcomes import STREAM, WHOLE
from model_servers.wire import Form

from jido_ai.components.component import text_of
from jido_ai.errors import (
    ModelError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import CompatibleModel, OpenAIModel
from jido_ai.values import Completion, CompletionRequest, Message

KEY = "planted-7c1f09b2-key"
FORMS: tuple[Form, ...] = ("openai", "anthropic", "ollama")
TIMES = {"openai": 20, "anthropic": 5, "ollama": 5}


@pytest.fixture(scope="module")
def server() -> Generator[FaultServer]:
    with FaultServer() as running:
        yield running


def model_of(server: FaultServer, form: Form, **options: object) -> HttpModel:
    kinds = {"openai": OpenAIModel, "anthropic": AnthropicModel, "ollama": OllamaModel}
    return kinds[form](
        "fine", api_key=KEY, base_url=server.base_url(form), **{"timeout_s": 30.0, "max_bytes": 1024 * 1024, **options}
    )


def asking(fault: str, expected: object = None) -> CompletionRequest:
    """Return a request that lets the server act out a fault; one that ends by its time limit has little time."""
    size = 7_000_000 if fault == "early-refusal" else 5
    limit = {"timeout_s": 0.4} if expected is ModelTimeoutError else {}
    return CompletionRequest((Message("user", "x" * size),), model=fault, **limit)


async def whole(model: HttpModel, request: CompletionRequest) -> object:
    """Return what comes of a call, an error as a value; fail when it takes for ever."""
    async with asyncio.timeout(60):
        try:
            return await model.complete(request)
        except ModelError as error:
            return error


async def streamed(model: HttpModel, request: CompletionRequest) -> object:
    pieces: list[str] = []
    async with asyncio.timeout(60):
        try:
            async for piece in model.stream(request):
                if isinstance(piece, Completion):
                    assert piece.text == "".join(pieces)
                    return piece
                pieces.append(piece)
        except ModelError as error:
            return error
    raise AssertionError("the stream ended without a completion")


def all_that_an_error_shows(error: BaseException) -> str:
    """Return its texts, its causes', and the local variables of all frames, as a crash reporter sees them."""
    return "".join([*traceback.TracebackException.from_exception(error, capture_locals=True).format(), repr(error)])


def check(outcome: object, expected: type | tuple[type, ...], form: Form, fault: str) -> None:
    assert isinstance(outcome, expected), outcome
    if isinstance(outcome, ModelError):
        assert (outcome.provider, outcome.model) == (form, fault)
        assert len(str(outcome)) < 1000
        shown = all_that_an_error_shows(outcome)
        assert KEY not in shown
        assert KEY not in repr(vars(outcome))


def test_every_fault_has_its_expectation() -> None:
    assert WHOLE.keys() == FAULTS.keys()
    assert STREAM.keys() == STREAM_FAULTS.keys()
    assert len(FAULTS) + len(STREAM_FAULTS) >= 26


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", WHOLE)
@pytest.mark.parametrize("is_streamed", [True, False])
async def test_a_fault_is_a_typed_error_or_a_valid_answer(
    server: FaultServer, fault: str, form: Form, is_streamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_streamed:
        monkeypatch.setattr(HttpModel, "_whole_from", "127.0.0.1")
        monkeypatch.delattr(CompatibleModel, "_whole_from")
        monkeypatch.delattr(AnthropicModel, "_whole_from")
    is_large = fault == "early-refusal"
    size = 8 * 1024 * 1024 if is_large else 1024 * 1024
    async with model_of(server, form, max_bytes=size) as model:
        times = 2 if is_large else TIMES[form]
        for outcome in await asyncio.gather(*(whole(model, asking(fault, WHOLE[fault])) for _ in range(times))):
            check(outcome, WHOLE[fault], form, fault)
        assert isinstance(await whole(model, asking("fine")), Completion), "the connections are spoilt"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", STREAM)
async def test_an_answer_that_is_assembled_from_a_stream_with_a_fault_is_a_typed_error_or_valid(
    server: FaultServer, fault: str, form: Form
) -> None:
    async with model_of(server, form) as model:
        for outcome in await asyncio.gather(*(whole(model, asking(fault, STREAM[fault])) for _ in range(TIMES[form]))):
            check(outcome, STREAM[fault], form, fault)
        assert isinstance(await whole(model, asking("fine")), Completion), "the connections are spoilt"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("fault", STREAM)
async def test_a_stream_with_a_fault_ends_in_a_typed_error_or_a_valid_answer(
    server: FaultServer, fault: str, form: Form
) -> None:
    async with model_of(server, form) as model:
        for outcome in await asyncio.gather(
            *(streamed(model, asking(fault, STREAM[fault])) for _ in range(TIMES[form]))
        ):
            check(outcome, STREAM[fault], form, fault)
        assert isinstance(await streamed(model, asking("fine")), Completion), "the connections are spoilt"


@pytest.mark.parametrize(
    ("fault", "retry_after_s"),
    [
        ("rate-limited", 7.0),
        ("rate-limited-until", 30.0),
        ("rate-limited-garbage", None),
        ("rate-limited-negative", None),
        ("overloaded", 3.0),
        ("waits-in-the-body", 2.0),
    ],
)
async def test_the_wait_is_the_one_given_by_the_provider(
    server: FaultServer, fault: str, retry_after_s: float | None
) -> None:
    async with model_of(server, "openai") as model:
        error = await whole(model, asking(fault))
    assert isinstance(error, RateLimitError | ModelUnavailableError)
    assert error.retry_after_s == retry_after_s


async def test_a_redirect_is_not_followed(server: FaultServer) -> None:
    async with model_of(server, "openai") as model:
        await whole(model, asking("redirects"))
    assert not [call for call in server.calls if call.path.endswith("stolen")]


async def test_no_cookie_is_sent_back(server: FaultServer) -> None:
    async with model_of(server, "openai") as model:
        await whole(model, asking("sets-a-cookie"))
        await whole(model, asking("fine"))
    assert "cookie" not in server.calls[-1].headers


async def test_a_cut_text_is_marked_as_cut(server: FaultServer) -> None:
    for form in FORMS:
        async with model_of(server, form) as model:
            completion = await whole(model, asking("cut-by-length"))
        assert isinstance(completion, Completion)
        assert completion.finish_reason == "length"


async def test_a_call_that_is_cancelled_leaves_nothing_behind(server: FaultServer) -> None:
    async with model_of(server, "openai") as model:
        for act in (whole, streamed):
            call = asyncio.ensure_future(act(model, asking("stalls" if act is streamed else "hangs")))
            seen = len(server.calls)
            while len(server.calls) == seen:
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
        assert isinstance(await whole(model, asking("fine")), Completion)


async def test_a_stream_may_be_left_early(server: FaultServer) -> None:
    async with model_of(server, "openai") as model:
        answer = model.stream(asking("stalls"))
        assert await anext(answer) == "half"
        await answer.aclose()
        assert isinstance(await whole(model, asking("fine")), Completion)


async def test_an_html_page_as_answer_suggests_to_check_the_address(server: FaultServer) -> None:
    async with model_of(server, "openai") as model:
        error = await whole(model, asking("login-page"))
    assert f"no JSON: expected value at line 1 column 1; is the base address {model.base_url} right?" in str(error)


async def test_a_refused_key_names_the_variable_it_came_from(server: FaultServer) -> None:
    async with model_of(server, "openai") as model:
        error = await whole(model, asking("key-refused"))
    assert text_of(error).endswith("check OPENAI_API_KEY or api_key=...")  # type: ignore[arg-type]


async def test_an_unreachable_host_is_named_with_a_remedy() -> None:
    async with OpenAIModel("gpt", api_key=KEY, base_url="http://127.0.0.1:9/v1") as model:
        error = await whole(model, asking("fine"))
    assert isinstance(error, ModelUnavailableError)
    assert "openai:fine at 127.0.0.1:9: cannot reach http://127.0.0.1:9/v1" in str(error)
    assert "is the server running" in str(error)
    assert KEY not in all_that_an_error_shows(error)
