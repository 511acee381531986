"""Values as JSON, with any metadata; other objects become a short description. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, Final, cast

from pydantic_core import PydanticSerializationError, SchemaSerializer

from jido_ai.errors import describe
from jido_ai.values import MOST_LEVELS, Value

_LEVELS: Final = MOST_LEVELS + 16
"""A value holds others, whose metadata may be as deep as any."""


def dumped(value: Value) -> dict[str, Any]:
    """Return all fields of a value in a form for JSON; `model_validate` reads them back."""
    return value.model_dump(mode="json", fallback=describe)


def written(serializer: SchemaSerializer, value: object) -> bytes:
    """Return a value as JSON, by its serializer; what JSON cannot represent is described in words."""
    try:
        return serializer.to_json(value, by_alias=True, fallback=describe)
    except PydanticSerializationError:  # lone surrogates
        fields = serializer.to_python(value, mode="json", by_alias=True, fallback=describe)
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def plain(value: object, levels: int = _LEVELS) -> object:
    """Return lists for tuples and sets, texts for keys, "nan" and "inf" for such numbers, descriptions for objects.

    Values below `levels` are described, too.
    """
    match value:
        case None | bool() | int():
            return value
        case float():
            return value if isfinite(value) else str(value)
        case str():
            return str(value)
        case Mapping() if levels > 0:
            fields = cast("Mapping[object, object]", value)
            return {str(name): plain(inner, levels - 1) for name, inner in fields.items()}
        case list() | tuple() | set() | frozenset() if levels > 0:
            return [plain(inner, levels - 1) for inner in cast("Sequence[object]", value)]
        case _:
            return describe(value)
