"""Values as JSON, whatever their metadata holds: what JSON has no word for is described in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, cast

from jido_ai.errors import describe
from jido_ai.values import Value

__all__ = ["dumped", "plain"]


def dumped(value: Value) -> dict[str, Any]:
    """Return all fields of a value, fit for JSON; `model_validate` reads them back."""
    return cast("dict[str, Any]", plain(value.model_dump(mode="json", fallback=describe)))


def plain(value: object) -> object:
    """Return lists for tuples and sets, texts for keys, "nan" and "inf" for such numbers, descriptions for objects."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if isfinite(value) else str(value)
        case str():
            return str(value)
        case Mapping():
            return {str(name): plain(inner) for name, inner in cast("Mapping[object, object]", value).items()}
        case list() | tuple() | set() | frozenset():
            return [plain(inner) for inner in cast("Sequence[object]", value)]
        case _:
            return describe(value)
