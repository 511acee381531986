"""Model names: "openai:NAME", "anthropic:NAME@BASE_URL", ..."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, cast

from jido_ai.components.component import method_of
from jido_ai.errors import ComponentError, ConfigurationError, describe
from jido_ai.models.own_providers import build_own, providers_in_use
from jido_ai.protocols import AnyModel, LanguageModel
from jido_ai.registry import names, resolve
from jido_ai.text.redaction import redact
from jido_ai.values import Completion, CompletionRequest

_WRAPPERS: Final = "default wrappers"
"""Under this name the registry has the function that puts the default wrappers around a model."""


def split_model_name(text: str) -> tuple[str, str, str | None]:
    """Split "PROVIDER:NAME" or "PROVIDER:NAME@BASE_URL" into provider, name and base address (None when not given).

    The provider ends at the first colon, the name at the first "@" after it. Whether the provider exists and the
    address can be used is for others to say.

    Raises:
        ConfigurationError: there is no colon, or one of the parts is blank.
    """
    provider, colon, rest = text.partition(":")
    name, at, base_url = rest.partition("@")
    provider, name, base_url = provider.strip(), name.strip(), base_url.strip()
    if not colon or not provider or not name or (at and not base_url):
        raise ConfigurationError(
            f'a model is named "PROVIDER:NAME" or "PROVIDER:NAME@BASE_URL", as in "openai:gpt-4o-mini"; '
            f"got {describe(redact(text))}"
        )
    return provider, name, base_url if at else None


def check_provider(text: str) -> tuple[str, str, str | None]:
    """Return the parts of a model's name, as `split_model_name` does; nothing is built.

    Raises:
        ConfigurationError: the name is malformed, or the provider is not registered.
    """
    parts = split_model_name(text)
    known = providers()
    if parts[0] not in known:
        raise ConfigurationError(f"unknown model provider {parts[0]!r}; known are: {', '.join(known) or 'none'}")
    return parts


def model_named(text: str) -> LanguageModel:
    """Build the model that `text` names, inside of the default wrappers. Raises as `bare_model_named` does."""
    model = bare_model_named(text)
    if _WRAPPERS in names("model"):
        wrap = cast("Callable[[LanguageModel], LanguageModel]", resolve("model", _WRAPPERS))
        model = wrap(model)
    return model


def bare_model_named(text: str) -> LanguageModel:
    """Build the model that `text` names, without wrappers. Nothing is sent.

    Keys, and base addresses that are not part of the name, come from the provider's environment variables, or for a
    provider of the user's own from what the settings say of it.

    Raises:
        ConfigurationError: the name is malformed, the provider is not registered, or the address is invalid.
        AuthenticationError: the provider needs a key and there is none.
    """
    provider, name, base_url = check_provider(text)
    if provider in providers_in_use():
        return build_own(provider, name, base_url)
    build = cast("Callable[[str, str | None], LanguageModel]", resolve("model", provider))
    return build(name, base_url)


def providers() -> list[str]:
    """Return the providers that a name may begin with, those of the user's own last."""
    return [*(name for name in names("model") if name != _WRAPPERS), *providers_in_use()]


class _FunctionModel:
    """A function of a request that answers a `Completion`, as a model; a plain one runs in a thread.

    Each is a provider of its own: one that is down says nothing of the others.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        named = function
        while isinstance(named, partial):
            named = named.func
        kind = type(named)
        self.model: str = getattr(named, "__name__", kind.__name__)
        home = getattr(named, "__module__", kind.__module__)
        self.provider = f"function {home}.{getattr(named, '__qualname__', kind.__qualname__)}"
        self._call = method_of(function, "complete")

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the function's result. Raises `ComponentError` if it is not a `Completion`."""
        answer = await self._call(request)
        if not isinstance(answer, Completion):
            raise ComponentError(f"a model must return a Completion, got {describe(answer)}")
        return answer


def model_of(model: AnyModel) -> LanguageModel:
    """Return `model` itself, the one it names, or the function it is, as components take each of these.

    Raises:
        ConfigurationError: it is neither a model nor the name of one.
        AuthenticationError: see `model_named`.
    """
    if isinstance(model, str):
        return model_named(model)
    given = cast("object", model)  # callers pass anything
    if isinstance(given, type):
        raise ConfigurationError(
            f"a model must be an object, got the class {given.__name__}; use {given.__name__}(...)"
        )
    if isinstance(given, LanguageModel):
        return given
    if callable(given):
        return _FunctionModel(given)
    raise ConfigurationError(f"a model must be a LanguageModel or the name of one, got {describe(given)}")
