"""The places of the values in a JSON text. Pure."""

from __future__ import annotations

import json
import re
from typing import Final

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_BLANK: Final = re.compile(r"[ \t\r\n]*")
_SCALAR: Final = re.compile(r"[^\s,\]}]+")

Path = tuple[str | int, ...]
"""The place of a value in a JSON text: keys and indexes, outermost first."""


def value_spans(text: str) -> dict[Path, tuple[int, int]]:
    """Return where in the text each value is, by its path. The text parses; of keys that come twice the last counts."""
    found: dict[Path, tuple[int, int]] = {}

    def skip(at: int) -> int:
        return _end(_BLANK, text, at)

    def value(path: Path, at: int) -> int:
        start = skip(at)
        if text[start] == "{":
            end = members(path, start + 1)
        elif text[start] == "[":
            end = elements(path, start + 1)
        else:
            end = _end(_STRING if text[start] == '"' else _SCALAR, text, start)
        found[path] = (start, end)
        return end

    def members(path: Path, at: int) -> int:
        at = skip(at)
        while text[at] != "}":
            key_end = _end(_STRING, text, at)
            key: str = json.loads(text[at:key_end])
            at = skip(value((*path, key), skip(key_end) + 1))
            at = skip(at + 1) if text[at] == "," else at
        return at + 1

    def elements(path: Path, at: int) -> int:
        at, index = skip(at), 0
        while text[at] != "]":
            at, index = skip(value((*path, index), at)), index + 1
            at = skip(at + 1) if text[at] == "," else at
        return at + 1

    value((), 0)
    return found


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    if match is None:
        raise ValueError(f"no JSON at {at}")
    return match.end()
