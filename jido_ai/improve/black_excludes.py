"""The paths that a project's configuration of black leaves out. Pure."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

_KEYS: Final = ("exclude", "extend-exclude", "force-exclude")
_MOST_CHARS: Final = 2_000
_SLOW: Final = re.compile(r"[+*}]\)?[+*{]|[+*}][^()]*\)[+*{]")
"""Repeated repetitions, with which a search may take for ever."""


def black_excludes(pyproject: str) -> tuple[re.Pattern[str], ...]:
    """Return the patterns, to be searched in "/" and the path in the project; those that cannot be used are left out.

    Args:
        pyproject: text of pyproject.toml.
    """
    if "[tool.black]" not in pyproject:
        return ()
    try:
        table: Any = tomllib.loads(pyproject.removeprefix("\ufeff"))["tool"]["black"]
        given = [table.get(key) for key in _KEYS]
    except (tomllib.TOMLDecodeError, LookupError, TypeError, AttributeError, RecursionError):
        return ()
    found: list[re.Pattern[str]] = []
    for text in given:
        if not isinstance(text, str) or not text.strip() or len(text) > _MOST_CHARS or _SLOW.search(text):
            continue
        try:
            found.append(re.compile(f"(?x){text}" if "\n" in text else text))
        except re.error:
            continue
    return tuple(found)
