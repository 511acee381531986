"""Settings that a component chose by default, as distinct from its user's. Pure.

A model that refuses a default is asked without it: see `jido_ai.models.providers.refused_settings`.
"""

from __future__ import annotations

from typing import Final, cast

from jido_ai.values import CompletionRequest

DEFAULTS: Final = "defaults"
"""Key of a request's metadata: the names of those fields of the request that nobody asked for."""


class DefaultFloat(float):
    """A number that is the default of a component's argument; a caller's number is a plain float."""

    __slots__ = ()


class DefaultInt(int):
    """A whole number that is the default of a component's argument; a caller's number is a plain int."""

    __slots__ = ()


def names_of_defaults(**settings: object) -> tuple[str, ...]:
    """Return the names of the settings that were left at their defaults."""
    return tuple(name for name, value in settings.items() if isinstance(value, DefaultFloat | DefaultInt))


def settings_by_default(request: CompletionRequest) -> frozenset[str]:
    """Return the names of the request's fields that were set by default; none if the metadata is not ours."""
    names: object = request.metadata.get(DEFAULTS)
    if not isinstance(names, tuple | list | set | frozenset):
        return frozenset()
    return frozenset(name for name in cast("tuple[object, ...]", names) if isinstance(name, str))
