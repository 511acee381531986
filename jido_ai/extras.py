"""Libraries of the extras: one error says which extra to install."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from functools import cache
from importlib.util import find_spec

from jido_ai.errors import ConfigurationError

__all__ = ["missing", "needs_extra", "require"]


def missing(package: str, extra: str) -> ConfigurationError:
    """Return the error for a package that is not installed."""
    return ConfigurationError(f"{package} is not installed: pip install 'jido-ai[{extra}]'")


@contextlib.contextmanager
def needs_extra(name: str) -> Generator[None]:
    """Raise an ImportError of the block as a `ConfigurationError` that names the extra."""
    try:
        yield
    except ImportError as error:
        raise missing(error.name or str(error), name) from error


@cache  # of success only
def require(extra: str, *modules: str) -> None:
    """Raise `ConfigurationError` if one of the modules cannot be found; none is imported."""
    for module in modules:
        try:
            found = find_spec(module)
        except ImportError:  # its parent is not there
            found = None
        if found is None:
            raise missing(module, extra)
