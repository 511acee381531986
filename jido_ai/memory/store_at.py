"""Choose the store for a path or an address."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import cast

from jido_ai.errors import ConfigurationError, describe
from jido_ai.memory.store import MemoryStore
from jido_ai.registry import resolve
from jido_ai.text.redaction import redact


def store_at(path: str | os.PathLike[str] | None) -> MemoryStore:
    """Return the store for a memory. It is not open yet.

    Args:
        path: a file name for SQLite, an address such as postgresql://HOST/NAME, or None for an in-process store.

    Raises:
        ConfigurationError: `path` is neither a path nor an address, or no store is registered for the address.
    """
    if path is None:
        return cast("Callable[[], MemoryStore]", resolve("store", "memory"))()
    address = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if address == ":memory:":
        raise ConfigurationError("path must be a file name or an address; for a memory without a file, pass None")
    if not isinstance(address, str) or not address.strip() or "\0" in address:
        raise ConfigurationError(f"path must be a file name, an address or None, got {redact(describe(path))}")
    scheme, is_address, _ = address.partition("://")
    if is_address and scheme in ("memory", "sqlite"):
        raise ConfigurationError(f"{scheme}:// is not a store address; pass a file path, or None for in-process")
    store = resolve("store", scheme if is_address else "sqlite")
    return cast("Callable[[str], MemoryStore]", store)(address)
