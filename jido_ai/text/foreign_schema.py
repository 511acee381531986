"""JSON Schemas that a caller sent: judging by one takes bounded time. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, cast

from pydantic_core import SchemaError, SchemaValidator, core_schema

from jido_ai.errors import ConfigurationError

_MOST_CHARS: Final = 100_000
_MOST_PARTS: Final = 20_000
_VALUES: Final = frozenset({"const", "enum", "default", "examples"})
_NAMED: Final = frozenset({"properties", "$defs", "definitions", "dependentSchemas"})


class LinearPattern:
    """A regular expression that is searched in time linear in the text."""

    def __init__(self, pattern: str) -> None:
        self._validator = SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))

    def occurs_in(self, text: str) -> bool:
        """Tell whether a part of the text matches."""
        return self._validator.isinstance_python(text)


@lru_cache(maxsize=256)
def linear_pattern(pattern: str) -> LinearPattern | None:
    """Return a pattern; None if it is not a regular expression, or needs backtracking, as look-around does."""
    try:
        return LinearPattern(pattern)
    except SchemaError:
        return None


def check_foreign_schema(schema: Mapping[str, Any]) -> None:
    """Raise `ConfigurationError` if judging by a schema may take long, or is not possible: a reference leads nowhere.

    Its text has at most 100,000 characters; with each local reference replaced by its definition it has at most 20,000
    parts. Patterns are searched in linear time, so look-around and back-references are refused, and so is
    "patternProperties".
    """
    if len(json.dumps(schema)) > _MOST_CHARS:
        raise ConfigurationError(f"the schema is longer than {_MOST_CHARS:,} characters")
    sizes: dict[str, int] = {}
    try:
        size = _size(schema, schema, sizes)
    except RecursionError:
        size = _MOST_PARTS + 1
    if size > _MOST_PARTS:
        raise ConfigurationError(f"the schema has more than {_MOST_PARTS:,} parts when its references are resolved")
    from jido_ai.text.json_schema import check_references  # noqa: PLC0415 - slow to load

    check_references(schema)


def _size(part: object, root: Mapping[str, Any], sizes: dict[str, int]) -> int:
    """Return the number of parts; a reference to a part that is being counted is one."""
    if isinstance(part, list):
        return sum(_size(one, root, sizes) for one in cast("list[object]", part))
    if not isinstance(part, Mapping):
        return 0
    fields = cast("Mapping[str, object]", part)
    _check_patterns(fields)
    count = 1
    for name, one in fields.items():
        if name == "$ref" and isinstance(one, str):
            if one not in sizes:
                sizes[one] = 1
                sizes[one] = sum(_size(found, root, sizes) for found in _referred(one, root))
            count += sizes[one]
        elif name in _NAMED and isinstance(one, Mapping):
            count += sum(_size(inside, root, sizes) for inside in cast("Mapping[str, object]", one).values())
        elif name not in _VALUES:
            count += _size(one, root, sizes)
    return count


def _referred(pointer: str, root: Mapping[str, Any]) -> Iterator[object]:
    if not pointer.startswith("#"):
        return
    found: object = root
    for step in pointer.removeprefix("#").split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        found = cast("Mapping[str, object]", found).get(key) if isinstance(found, Mapping) else None
    yield found


def _check_patterns(fields: Mapping[str, object]) -> None:
    if isinstance(fields.get("patternProperties"), Mapping):
        raise ConfigurationError("patternProperties are not supported; name the properties")
    pattern = fields.get("pattern")
    if isinstance(pattern, str) and linear_pattern(pattern) is None:
        raise ConfigurationError(
            f"the pattern {pattern[:100]!r} is not supported: it is not a regular expression, or has look-around or "
            "back-references"
        )
