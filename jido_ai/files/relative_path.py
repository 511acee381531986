"""Relative paths that cannot leave their directory. Pure."""

from __future__ import annotations

import re

from jido_ai.errors import ConfigurationError, describe

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DRIVE = re.compile(r"[A-Za-z]:")


def relative_path(path: str) -> str:
    """Return `path` when it names a file below the directory it is joined to, whatever that directory is.

    Checks the text only: links must be checked when it is opened.

    Raises:
        ConfigurationError: it is not a string, is empty or absolute, has a drive letter, a backslash, a control
            character, an empty part, "." or "..", or begins with "-" (a program would read it as an option).
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
    if "\\" in path or _DRIVE.match(path):
        return "it is a Windows path"
    if path.startswith("/"):
        return "it is absolute"
    if path.startswith("-"):
        return "it reads like an option"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return 'it has an empty part, "." or ".."'
    return None
