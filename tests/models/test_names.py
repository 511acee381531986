"""Models by name."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import text

from jido_ai.errors import CircuitOpenError, ComponentError, ConfigurationError, ModelUnavailableError
from jido_ai.models.guard import Guard
from jido_ai.models.names import model_named, model_of, split_model_name
from jido_ai.models.wrappers.with_limits import with_limits
from jido_ai.testing import ScriptedModel
from jido_ai.values import Completion, CompletionRequest, Message


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("openai:gpt-4o-mini", ("openai", "gpt-4o-mini", None)),
        ("ollama:llama3.2:1b", ("ollama", "llama3.2:1b", None)),
        ("compatible:org/name@http://127.0.0.1:8000/v1", ("compatible", "org/name", "http://127.0.0.1:8000/v1")),
        ("openai:m@https://user:word@host", ("openai", "m", "https://user:word@host")),
        (" openai : m ", ("openai", "m", None)),
    ],
)
def test_a_name_is_provider_name_and_perhaps_an_address(text: str, parts: tuple[str, str, str | None]) -> None:
    assert split_model_name(text) == parts


@pytest.mark.parametrize(
    "text", ["", "gpt-4o", "openai:", ":m", "openai:@http://x", "openai:m@", "openai: @x", "  :  "]
)
def test_a_name_with_a_part_missing_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError, match="PROVIDER:NAME"):
        split_model_name(text)


@given(text())
@settings(max_examples=200, deadline=None)
def test_any_name_is_split_or_refused(text: str) -> None:
    try:
        provider, name, base_url = split_model_name(text)
    except ConfigurationError:
        return
    assert provider
    assert name
    assert base_url is None or base_url


def test_an_unknown_provider_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="unknown model provider 'opnai'"):
        model_named("opnai:gpt-4o")


def test_a_refusal_does_not_show_a_key_in_the_name() -> None:
    with pytest.raises(ConfigurationError) as caught:
        split_model_name("sk-" + "a1b2c3d4" * 4)
    assert "a1b2c3d4" not in str(caught.value)


async def _answers(request: CompletionRequest) -> Completion:
    return Completion(request.messages[0].content.upper())


@pytest.mark.parametrize("function", [_answers, lambda request: Completion(request.messages[0].content.upper())])
async def test_a_function_of_a_request_is_a_model(function: Any) -> None:
    answer = await model_of(function).complete(CompletionRequest((Message("user", "hi"),)))
    assert answer == Completion("HI")


async def test_a_failing_function_does_not_affect_another() -> None:
    async def down(request: CompletionRequest) -> Completion:
        raise ConnectionError("down")

    guard = Guard()
    failing, partly, fine = (
        with_limits(one, guard=guard, retries=0, when_open="fail", sink=lambda _: None)
        for one in (down, partial(down), _answers)
    )
    for _ in range(5):
        with pytest.raises(ModelUnavailableError):
            await failing.complete(CompletionRequest((Message("user", "hi"),)))
    with pytest.raises(CircuitOpenError, match=r"function .*test_names\.test_.*\.down:"):
        await partly.complete(CompletionRequest((Message("user", "hi"),)))
    assert (await fine.complete(CompletionRequest((Message("user", "hi"),)))).text == "HI"


async def test_a_function_that_does_not_return_a_completion_is_an_error() -> None:
    with pytest.raises(ComponentError, match="must return a Completion"):
        await model_of(lambda request: "text").complete(CompletionRequest((Message("user", "hi"),)))  # type: ignore[arg-type]


def test_a_value_that_is_not_a_model_is_rejected() -> None:
    with pytest.raises(ConfigurationError, match="a LanguageModel or the name of one"):
        model_of(42)  # type: ignore[arg-type]


def test_a_class_is_not_a_model_with_any_methods() -> None:
    for junk in (ScriptedModel, Completion):
        with pytest.raises(ConfigurationError, match=f"must be an object, got the class {junk.__name__}"):
            model_of(junk)  # type: ignore[arg-type]
