"""Failures of tests that no edit of the project can fix: a missing package, no network. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_MISSING: Final = re.compile(r"ModuleNotFoundError: No module named ['\"]([\w.]+)['\"]")
_NETWORK: Final = re.compile(
    r"\b(?:ConnectionRefusedError|ConnectError|NewConnectionError|gaierror|ClientConnectorError|MaxRetryError"
    r"|ServerNotFoundError)\b|Network is unreachable|Temporary failure in name resolution"
    r"|Name or service not known|nodename nor servname|No address associated with hostname|\burlopen error\b"
    r"|requests\.exceptions\.(?:ConnectionError|ConnectTimeout|ProxyError)|Cannot assign requested address"
)


def missing_package(said: str, paths: Collection[str]) -> str | None:
    """Return the module that is missing where the tests run; None if none is, or if it is one of the project's own.

    Args:
        said: the output and the failures of the tests.
        paths: of the project's files, relative, with "/".
    """
    for name in dict.fromkeys(_MISSING.findall(said)):
        top = name.partition(".")[0]
        own = re.compile(rf"(?:^|/){re.escape(top)}(?:\.pyi?|\.pyx|/.*)$")
        if not any(own.search(path) for path in paths):
            return name
    return None


def needs_network(message: str) -> bool:
    """Tell whether a test failed because it could not reach another machine or a server."""
    return _NETWORK.search(message) is not None
