"""Relative paths that cannot leave their directory. Pure."""

from __future__ import annotations

import re
from typing import Final

from jido_ai.errors import ConfigurationError, describe

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_MOST_OF_PART: Final = 255
_MOST_BYTES: Final = 2_048
_HALF = re.compile(r"[\ud800-\udc7f\udd00-\udfff]")  # the others stand for bytes that are no UTF-8
_DRIVE = re.compile(r"[A-Za-z]:")


def relative_path(path: str) -> str:
    """Return `path` when it names a file below the directory it is joined to, whatever that directory is.

    Checks the text only: `files.below` opens what it names.

    Raises:
        ConfigurationError: it is not a string, is empty or absolute, has a drive letter, a backslash, a control
            character, half of a surrogate pair, an empty part, "." or "..", or more than 255 bytes in a part or 2,048
            together, or begins with "-" (a program would read it as an option).
    """
    fault = _fault(path)
    if fault:
        raise ConfigurationError(f"need a relative path inside the directory, got {describe(path)}: {fault}")
    return path


def _fault(path: str) -> str | None:
    if not isinstance(path, str):
        return "it is not a string"
    if not path:
        return "it is empty"
    if _CONTROL.search(path):
        return "it has a control character"
    if _HALF.search(path):
        return "it has a character that no file name can have"
    if "\\" in path or _DRIVE.match(path):
        return "it is a Windows path"
    if path.startswith("/"):
        return "it is absolute"
    if path.startswith("-"):
        return "it reads like an option"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return 'it has an empty part, "." or ".."'
    raw = path.encode("utf-8", "surrogateescape")
    if len(raw) > _MOST_BYTES or max(map(len, raw.split(b"/"))) > _MOST_OF_PART:
        return f"it is longer than a file system takes: {_MOST_OF_PART} bytes a part, {_MOST_BYTES:,} together"
    return None
