"""Rules about texts, from a TOML file.

[[rules]]
must_match = "(?m)^- "            # or must_not_match, or at_least and at_most with of
message = "write a list"
severity = 0.7                    # of its issues, in [0, 1]
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from types import UnionType
from typing import Any, Final, cast

from jido_ai.argument_hints import nearest
from jido_ai.errors import ConfigurationError, describe
from jido_ai.tools.rules import Rule, has_length, must_match, must_not_match

_KEYS: Final = ("must_match", "must_not_match", "of", "at_least", "at_most", "name", "message", "severity", "kind")
_BOUNDS: Final = ("at_least", "at_most")
_TYPES: Final[Mapping[str, tuple[type | UnionType, str]]] = {
    **dict.fromkeys(_BOUNDS, (int, "a whole number")),
    **dict.fromkeys(("name", "message", "kind"), (str, "a string")),
    "severity": (int | float, "a number"),
}


def read_rules(text: str, name: str) -> tuple[Rule, ...]:
    """Return the rules of a file.

    Args:
        name: of the file, in errors.

    Raises:
        ConfigurationError: the file is not as the module says; names the rule and the key.
    """
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{name}: not TOML: {error}") from error
    tables: object = read.pop("rules", None)
    if read or not isinstance(tables, list) or not tables:
        raise ConfigurationError(f"{name}: needs [[rules]] tables, and nothing else")
    return tuple(_rule(f"{name}: rules[{n}]", table) for n, table in enumerate(cast("list[Any]", tables)))


def _rule(place: str, table: object) -> Rule:
    if not isinstance(table, Mapping):
        raise ConfigurationError(f"{place}: must be a table, got {describe(table)}")
    fields = dict(cast("Mapping[str, Any]", table))
    for key in fields:
        if key not in _KEYS:
            raise ConfigurationError(f"{place}: unknown key {key!r}; {nearest(key, _KEYS)}")
    kinds = [key for key in ("must_match", "must_not_match", "of") if key in fields]
    if len(kinds) != 1:
        raise ConfigurationError(f"{place}: needs exactly one of must_match, must_not_match and of")
    value = fields.pop(kinds[0])
    for key, given in fields.items():
        if key in _BOUNDS and kinds[0] != "of":
            raise ConfigurationError(f'{place}: {key} goes with the key "of", not with {kinds[0]}')
        kind, said = _TYPES[key]
        if not isinstance(given, kind) or isinstance(given, bool):
            raise ConfigurationError(f"{place}: {key} must be {said}, got {describe(given)}")
    try:
        if kinds[0] == "of":
            return has_length(value, **fields)
        if not isinstance(value, str):
            raise ConfigurationError(f"{kinds[0]} must be a string, got {describe(value)}")
        return (must_match if kinds[0] == "must_match" else must_not_match)(value, **fields)
    except ConfigurationError as error:
        raise ConfigurationError(f"{place}: {error}") from error
