"""Access: the base address and the key of a provider, from arguments and the environment."""

from __future__ import annotations

import os
import re
import urllib.request
from collections.abc import Mapping
from typing import Any, Final

import httpx

from jido_ai.config import is_here
from jido_ai.errors import AuthenticationError, ConfigurationError, describe
from jido_ai.models.providers.refusals import Origin
from jido_ai.models.providers.secret import Secret, is_placeholder
from jido_ai.text.redaction import redact

_VERSION: Final = re.compile(r"\?api-version=[A-Za-z0-9.-]{1,40}")
"""The only query that an address may have: Azure's."""
PROXY_HINT: Final = "HTTPS_PROXY, HTTP_PROXY, proxy=... or the proxy of [providers.NAME]"
"""Where the address of a proxy comes from."""


def find_access(
    provider: str,
    name: str,
    *,
    api_key: str | None,
    base_url: str | None,
    default_url: str,
    no_key_hint: str = "",
) -> tuple[Origin, Secret]:
    """Return address and key of a model whose provider needs a key.

    Args:
        provider: names the environment variables, as in OPENAI_BASE_URL and OPENAI_API_KEY.
        name: the model's name.
        api_key, base_url: None reads the environment variable. At `default_url` placeholders for a key are rejected.
        no_key_hint: added to the error if there is no key.

    Raises:
        AuthenticationError: there is no key, it is a placeholder, or it contains invalid characters.
        ConfigurationError: the address or the model's name is invalid.
    """
    check_model_name(name, provider)
    address_name, key_name = f"{provider.upper()}_BASE_URL", f"{provider.upper()}_API_KEY"
    address = check_base_url(
        base_url or os.environ.get(address_name) or default_url,
        provider=provider,
        hint=f"{address_name} or base_url=...",
    )
    secret = find_key(
        api_key,
        os.environ,
        key_name,
        provider=provider,
        model=name,
        may_be_placeholder=address != default_url,
    )
    if secret is None:
        raise missing_key(key_name, provider=provider, model=name, otherwise=no_key_hint)
    return Origin(provider, name, address, f"{key_name} or api_key=...", secret), secret


def check_base_url(base_url: str, *, provider: str, hint: str) -> str:
    """Return the base address without a final slash.

    Args:
        hint: the source of the address, as in "OPENAI_BASE_URL or base_url=...".

    Raises:
        ConfigurationError: not an http or https address, or it has a user, a query or a fragment. A password is not
            quoted.
    """
    try:
        url = httpx.URL(base_url.strip())
        port_is_fine = url.port is None or 0 < url.port < 2**16
    except (httpx.InvalidURL, ValueError, TypeError, AttributeError):
        url, port_is_fine = None, False
    if url is not None and url.userinfo:
        raise ConfigurationError(
            f"{provider}: a base address must not have a user or a password; pass the key as api_key=..."
        )
    host = "" if url is None else url.host
    has_odd_host = "%" in host and ":" not in host  # a blank, for example; IPv6 zones have a "%"
    if url is None or url.scheme not in ("http", "https") or not host or has_odd_host or not port_is_fine:
        raise ConfigurationError(
            f'{provider}: a base address is http:// or https:// and a host, as in "http://127.0.0.1:8000/v1", got '
            f"{describe(redact(str(base_url)))}; fix it after the @ of the model's name, or set {hint}"
        )
    query = url.query and f"?{url.query.decode('ascii', 'replace')}"
    if "#" in base_url or ("?" in base_url and not (query and _VERSION.fullmatch(query))):
        raise ConfigurationError(
            f"{provider}: a base address must not have a query or a fragment, but for Azure's ?api-version=...; "
            f"fix {hint}"
        )
    return str(url).rstrip("/")


def is_azure(address: str) -> bool:
    """True for Azure's classic addresses, .../openai/deployments/NAME?api-version=..., which want another header."""
    return "/openai/deployments/" in httpx.URL(address).path


def proxy_of(url: httpx.URL, proxy: object) -> str:
    """Return the address of the proxy for a request; "" if it needs none.

    Args:
        proxy: as given; None asks the environment (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY). A host that NO_PROXY names
            needs none in any case.

    Raises:
        ConfigurationError: it is no address of http or https. A password is not quoted.
    """
    system: Any = urllib.request  # whose types miss the functions that ask the environment alone
    found: dict[str, str] = system.getproxies_environment()
    if proxy is None:
        proxy = "" if is_here(str(url)) else found.get(url.scheme) or found.get("all") or ""
    if proxy == "" or system.proxy_bypass_environment(url.netloc.decode("ascii"), found):
        return ""
    try:
        there = httpx.URL(str(proxy) if "://" in str(proxy) else f"http://{proxy}")
    except (httpx.InvalidURL, ValueError):
        there = None
    if there is None or there.scheme not in ("http", "https") or not there.host:
        raise ConfigurationError(
            f"a proxy is http:// or https:// and a host, as in http://proxy.example:3128; fix {PROXY_HINT}, or name "
            "the host in NO_PROXY"
        )
    return str(there)


def check_model_name(name: object, provider: str) -> None:
    """Raise `ConfigurationError` unless `name` is a string that is not blank."""
    if not isinstance(name, str) or not name.strip():
        raise ConfigurationError(
            f"{provider}: the name of a model must be a string that is not blank, got {describe(name)}"
        )


def find_key(
    api_key: str | None,
    environment: Mapping[str, str],
    name: str,
    *,
    provider: str,
    model: str,
    may_be_placeholder: bool = True,
) -> Secret | None:
    """Return `api_key`, else the environment variable `name`, else None.

    Args:
        may_be_placeholder: False rejects placeholders from examples (SPEC C48).

    Raises:
        AuthenticationError: the key is a placeholder or contains invalid characters. It is not quoted.
    """
    text = environment.get(name, "") if api_key is None else api_key
    if not text.strip():
        return None
    if not may_be_placeholder and is_placeholder(text):
        raise AuthenticationError(
            f"the key is a placeholder, as in an example; put a real one in {name} or api_key=...",
            provider=provider,
            model=model,
        )
    try:
        return Secret(text)
    except ValueError as error:
        raise AuthenticationError(
            f"the key cannot be sent: {error}; check {name} or api_key=...", provider=provider, model=model
        ) from None


def missing_key(name: str, *, provider: str, model: str, otherwise: str = "") -> AuthenticationError:
    """Return the error for a missing key."""
    return AuthenticationError(
        f"there is no key; set {name} or pass api_key=...{otherwise}", provider=provider, model=model
    )
