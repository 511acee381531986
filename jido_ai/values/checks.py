"""Checks of the types and ids that callers pass. Pure."""

from __future__ import annotations

from typing import TypeVar

from jido_ai.errors import ConfigurationError, describe

__all__ = ["checked", "checked_id"]

T = TypeVar("T")


def checked(name: str, value: object, kind: type[T]) -> T:
    """Return a value of that type. Raises `ConfigurationError` for any other."""
    if not isinstance(value, kind):
        raise ConfigurationError(f"{name} must be of type {kind.__name__}, got {describe(value)}")
    return value


def checked_id(id: object, name: str = "run_id") -> str:
    """Return an id. Raises `ConfigurationError` unless it is a string that is not blank."""
    if not isinstance(id, str) or not id.strip():
        raise ConfigurationError(f"{name} must be a string that is not blank, got {describe(id)}")
    return id
