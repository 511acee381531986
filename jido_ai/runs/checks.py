"""Checks of what callers pass to a pipeline, a graph and their runs, and of its size. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from jido_ai.errors import ConfigurationError, describe
from jido_ai.memory import intake
from jido_ai.text.large_json import size_of
from jido_ai.text.plain_json import dumped
from jido_ai.values import MOST_LEVELS, Scope, is_too_deep
from jido_ai.values.base import Value
from jido_ai.values.checks import checked, checked_id

_DEFAULT_SCOPE: Final = Scope()


def checked_whole(name: str, limit: object) -> int | None:
    """Return a limit. Raises `ConfigurationError` unless it is None or a whole number of at least 1."""
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ConfigurationError(f"{name} must be None or a whole number of at least 1, got {describe(limit)}")
    return limit


def checked_seconds(name: str, value: object) -> float:
    """Return a time. Raises `ConfigurationError` unless it is finite and more than 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise ConfigurationError(f"{name} must be a number of seconds above 0, got {describe(value)}")
    return float(value)


def checked_run_id(run_id: object) -> str | None:
    """Return an id. Raises `ConfigurationError` unless it is None or a string that is not blank."""
    return None if run_id is None else checked_id(run_id)


def checked_metadata(metadata: object) -> dict[str, Any]:
    """Return a copy of the metadata, empty for None. Raises `ConfigurationError` if it is nested too deep."""
    if metadata is None:
        return {}
    copied: dict[str, Any] = dict(checked("metadata", metadata, Mapping))  # pyright: ignore[reportUnknownArgumentType] - a caller's
    if is_too_deep(copied):
        raise ConfigurationError(f"metadata is nested deeper than {MOST_LEVELS} levels")
    return copied


def checked_scope(scope: object) -> Scope:
    """Return a scope, the default one for None. Raises `ConfigurationError` for anything else."""
    return _DEFAULT_SCOPE if scope is None else checked("scope", scope, Scope)


_BYTES_OF_A_CHARACTER: Final = 6
_BYTES_AROUND: Final = 2_000
"""What a line says beside the value."""


def too_large(what: str, value: object, instead: str) -> str | None:
    """Return a sentence if a value has more bytes as JSON than a line of the journal may have; None if it fits.

    Args:
        what: its name and verb, such as "the output has".
        instead: how to do without it.
    """
    most = intake.MOST_LINE_BYTES
    few = most // _BYTES_OF_A_CHARACTER
    if size_of(value, few) <= few:
        return None
    fields = dumped(value) if isinstance(value, Value) else value
    size = len(json.dumps(fields, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass"))
    if size <= most - _BYTES_AROUND:
        return None
    return f"{what} {size:,} bytes as JSON, too much for a line of the journal, which has {most:,}: {instead}"
