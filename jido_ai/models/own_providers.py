"""Providers and prices of the user's own, from the settings: which ones are in use, and the models that they have."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from importlib import import_module
from typing import Any, Final

from jido_ai.config import Provider, Settings
from jido_ai.errors import AuthenticationError, ConfigurationError
from jido_ai.protocols import LanguageModel
from jido_ai.registry import names

_CLASSES: Final = {
    "anthropic": "anthropic:AnthropicModel",
    "compatible": "openai:CompatibleModel",
    "ollama": "ollama:OllamaModel",
    "openai": "openai:OpenAIModel",
}
_NEEDS_KEY: Final = ("anthropic", "openai")
Prices = Mapping[str, tuple[float, float]]
_in_use: ContextVar[tuple[Mapping[str, Provider], Prices] | None] = ContextVar("providers_in_use", default=None)


def use_providers(settings: Settings) -> None:
    """Use these providers and prices for models made from now on in this context, and no others.

    Raises:
        ConfigurationError: a provider has a name that is registered.
    """
    known = names("model") if settings.providers else ()
    for name in settings.providers:
        if name in known:
            raise ConfigurationError(f"providers.{name}: the name is taken by a registered provider; use another one")
    prices = {name: one.pair for name, one in settings.prices.items()}
    prices |= {f"{name}:*": one.price.pair for name, one in settings.providers.items() if one.price is not None}
    _in_use.set((settings.providers, prices))


def providers_in_use() -> Mapping[str, Provider]:
    """Return the user's own providers, by name."""
    in_use = _in_use.get()
    return {} if in_use is None else in_use[0]


def prices_in_use() -> Prices:
    """Return the user's own prices: by "PROVIDER:MODEL", "MODEL", or "PROVIDER:*" for all models of a provider."""
    in_use = _in_use.get()
    return {} if in_use is None else in_use[1]


def sends_key(provider: str) -> bool:
    """Tell whether a model of a built-in provider sends a key of the environment to an address in its name.

    "openai" and "anthropic" always need one, the others send one that is set.
    """
    return provider in _NEEDS_KEY or (
        provider in _CLASSES and bool(os.environ.get(f"{provider.upper()}_API_KEY", "").strip())
    )


def build_own(name: str, model: str, base_url: str | None) -> LanguageModel:
    """Build a model of a provider of the user's own. Nothing is sent.

    Raises:
        ConfigurationError: the model's name has an address, or the variable with the address, or with the proxy, is not
            set or invalid.
        AuthenticationError: the variable with the key is not set.
    """
    from jido_ai.models.providers.access import check_base_url  # noqa: PLC0415 - loads an HTTP client

    own = providers_in_use()[name]
    place = f"[providers.{name}]"
    if base_url is not None:
        raise ConfigurationError(f"{name}:{model}: the address of {name} is in {place}; write {name}:{model}")
    module, _, kind = _CLASSES[own.kind].partition(":")
    cls: Any = getattr(import_module(f"jido_ai.models.providers.{module}"), kind)
    address, hint = own.base_url, f"base_url of {place}"
    if own.base_url_env is not None:
        address, hint = _said_by(own.base_url_env, "address", name, model), own.base_url_env
    proxy = own.proxy if own.proxy_env is None else _said_by(own.proxy_env, "proxy", name, model)
    if address is not None:
        address = check_base_url(address, provider=name, hint=hint)
    key = None if address is None else ""  # with an address of its own, no key of another provider is sent
    if own.api_key_env is not None:
        key = os.environ.get(own.api_key_env, "")
        if not key.strip():
            raise AuthenticationError(
                f"there is no key; set {own.api_key_env}, which {place} names", provider=name, model=model
            )
    elif address is not None and own.kind in _NEEDS_KEY:
        raise ConfigurationError(
            f"{name}:{model}: {place} of kind {own.kind!r} needs api_key_env, the variable with the key"
        )
    built: Any = cls(model, base_url=address, api_key=key, enforces_schema=own.enforces_schema, proxy=proxy)
    return built.called(name, own.api_key_env)


def _said_by(variable: str, what: str, name: str, model: str) -> str:
    """Return the value of an environment variable. Raises `ConfigurationError` if it is not set."""
    if not (value := os.environ.get(variable, "").strip()):
        raise ConfigurationError(
            f"{name}:{model}: [providers.{name}] has its {what} from {variable}, which is not set; set it"
        )
    return value
