"""What a refusal of a provider is, by status, code and words, and how often the call is then tried."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from model_servers.wire import Form, form_of, refused

from jido_ai.errors import (
    AuthenticationError,
    BadRequestError,
    ContextLengthError,
    ModelError,
    ModelNotFoundError,
    ModelUnavailableError,
    QuotaError,
    RateLimitError,
)
from jido_ai.models.providers.anthropic import AnthropicModel
from jido_ai.models.providers.http import HttpModel
from jido_ai.models.providers.ollama import OllamaModel
from jido_ai.models.providers.openai import OpenAIModel
from jido_ai.models.retry import RetryPolicy
from jido_ai.models.wrappers.retry import RetryingModel
from jido_ai.values import CompletionRequest, Message

pytestmark = pytest.mark.virtual_clock

FORMS: tuple[Form, ...] = ("openai", "anthropic", "ollama")
REQUEST = CompletionRequest((Message("user", "hello"),))


class Refusing(httpx.AsyncBaseTransport):
    """Refuses every request with the same answer."""

    def __init__(self, status: int, message: str = "no", code: str = "") -> None:
        self.answer = (status, message, code)
        self.requests = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.requests += 1
        status, message, code = self.answer
        return httpx.Response(status, json=refused(form_of(request.url.path), message, code=code))


async def refusal(form: Form, refusing: Refusing) -> ModelError:
    kinds: dict[Form, Any] = {"openai": OpenAIModel, "anthropic": AnthropicModel, "ollama": OllamaModel}
    model: HttpModel = kinds[form]("m", api_key="k", base_url="http://127.0.0.1:9/v1", transport=refusing)
    with pytest.raises(ModelError) as caught:
        await RetryingModel(model, RetryPolicy(retries=4), sink=lambda _: None).complete(REQUEST)
    return caught.value


@pytest.mark.rows("C30")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("status", "kind", "tries"),
    [
        *((status, ModelUnavailableError, 5) for status in (408, 409, 425, 500, 502, 503, 504, 520, 529)),
        (429, RateLimitError, 5),
        (400, BadRequestError, 1),
        (401, AuthenticationError, 1),
        (402, QuotaError, 1),
        (403, AuthenticationError, 1),
        (404, ModelNotFoundError, 1),
        (413, ContextLengthError, 1),
        (418, BadRequestError, 1),
        (422, BadRequestError, 1),
    ],
)
async def test_a_status_sets_the_error_and_whether_to_try_again(
    form: Form, status: int, kind: type[ModelError], tries: int
) -> None:
    refusing = Refusing(status)
    error = await refusal(form, refusing)
    assert type(error) is kind
    assert (error.status, refusing.requests) == (status, tries)


TOLD: list[tuple[int, str, str, type[ModelError]]] = [
    (429, "You exceeded your current quota", "insufficient_quota", QuotaError),
    (400, "Your credit balance is too low to access the API", "", QuotaError),
    (429, "insufficient balance", "", QuotaError),
    (400, "This model's maximum context length is 4097 tokens", "context_length_exceeded", ContextLengthError),
    (400, "prompt is too long: 210000 tokens > 200000 maximum", "", ContextLengthError),
    (500, "the input is larger than the available context size", "", ContextLengthError),
    (400, "The model `m` does not exist", "", ModelNotFoundError),
    (404, "model 'm' not found", "", ModelNotFoundError),
]


@pytest.mark.parametrize(
    ("form", "status", "message", "code", "kind"),
    [(form, *told) for form in FORMS for told in TOLD if form != "ollama" or not told[2]],  # whose errors have no code
)
async def test_words_and_codes_override_the_status_and_are_not_tried_again(
    form: Form, status: int, message: str, code: str, kind: type[ModelError]
) -> None:
    refusing = Refusing(status, message, code)
    assert type(await refusal(form, refusing)) is kind
    assert refusing.requests == 1
