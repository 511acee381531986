"""What commands need beyond the core."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from jido_ai.errors import ConfigurationError

__all__ = ["needs_extra"]


@contextlib.contextmanager
def needs_extra(name: str) -> Generator[None]:
    """Raise a missing package of the block as a `ConfigurationError` that names the extra."""
    try:
        yield
    except ImportError as error:
        missing = error.name or str(error)
        raise ConfigurationError(f"{missing} is not installed; run: pip install 'jido-ai[{name}]'") from error
