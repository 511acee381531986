"""Faults of a new text that need no program to be seen: it does not parse, silences a check, or lost its code. Pure."""

from __future__ import annotations

import configparser
import json
import tomllib
from collections.abc import Callable
from typing import Final

from jido_ai.improve.blame import Damage
from jido_ai.text.file_form import BOM
from jido_ai.text.placeholders import new_placeholder
from jido_ai.text.python_tree import tree_of
from jido_ai.text.suppressions import added_suppressions, suppressions_of

_READERS: Final[dict[str, Callable[[str], object]]] = {
    ".py": tree_of, ".pyi": tree_of, ".pyw": tree_of, ".json": json.loads, ".toml": tomllib.loads,
}  # fmt: skip


def _read_ini(text: str) -> object:
    try:
        return configparser.RawConfigParser(strict=False).read_string(text)
    except configparser.Error as error:
        raise ValueError(" ".join(str(error).split())) from error


def text_faults(path: str, before: str | None, after: str) -> tuple[Damage, ...]:
    """Return the faults of a new text that the old one did not have.

    Args:
        before: None for a new file.
    """
    if before == after:
        return ()
    found = [*_parse_fault(path, before, after)]
    for name in dict.fromkeys(added_suppressions(suppressions_of(before or ""), after, before or "")):
        found.append(Damage(f"it adds a suppression: {name}", path))
    if (placeholder := new_placeholder(before or "", after, is_file=True)) is not None:
        found.append(Damage(f"it leaves {placeholder}", path))
    return tuple(found)


def can_be_read(path: str) -> bool:
    """Tell whether there is a parser for a file."""
    return _reader(path) is not None


def _reader(path: str) -> Callable[[str], object] | None:
    if path.rpartition("/")[2] in ("setup.cfg", "tox.ini", "pytest.ini", "mypy.ini"):
        return _read_ini
    return next((one for end, one in _READERS.items() if path.endswith(end)), None)


def _parse_fault(path: str, before: str | None, after: str) -> list[Damage]:
    read = _reader(path)
    if read is None or (before is not None and _fault(read, before) is not None):
        return []
    fault = _fault(read, after)
    return [] if fault is None else [Damage(f"{path} does not parse any more: {fault[0]}", path, line=fault[1])]


def _fault(read: Callable[[str], object], text: str) -> tuple[str, int | None] | None:
    """Return why a text cannot be read, and the line if it is known; None if it can."""
    try:
        read(text.removeprefix(BOM))
    except SyntaxError as error:
        return error.msg, error.lineno
    except (RecursionError, MemoryError):
        return "it is too deeply nested", None
    except (ValueError, SystemError) as error:
        return str(error)[:200], None
    return None
