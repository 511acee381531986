"""Baselines: files of known findings, so that only new ones are reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

from jido_ai.errors import ConfigurationError, JidoError
from jido_ai.files.bounded_read import NoFileError, read_at_most
from jido_ai.files.replacement import write_whole
from jido_ai.values import Issue

_MOST_BYTES: Final = 64 * 1024 * 1024
_VERSION: Final = 1


def baseline_of(path: Path) -> dict[str, Counter[str]]:
    """Return the known findings in a file that `write_baseline` wrote: numbers by path and fingerprint.

    Raises:
        ConfigurationError: it cannot be read, or is no such file.
    """
    try:
        raw = read_at_most(path, _MOST_BYTES)
    except (OSError, NoFileError) as error:
        raise ConfigurationError(
            f"--baseline {path}: it cannot be read: {error}; write it with --write-baseline {path}"
        ) from error
    try:
        told: Any = json.loads(raw or b"")
        if told["version"] != _VERSION:
            raise ValueError(f"its version is {told['version']!r}")
        files = cast("dict[str, dict[str, dict[str, Any]]]", told["files"])
        return {
            name: Counter({print_: int(about["count"]) for print_, about in found.items()})
            for name, found in files.items()
        }
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ConfigurationError(
            f"--baseline {path}: not a baseline of version {_VERSION} ({error}); write it with --write-baseline {path}"
        ) from error


def write_baseline(path: Path, found: Sequence[tuple[str, Issue]]) -> None:
    """Write findings, each with the path of its file, as known. Raises `JidoError` if the file cannot be written."""
    files: dict[str, dict[str, dict[str, Any]]] = {}
    for name, issue in sorted(found, key=lambda one: (one[0], one[1].rule or "", one[1].message, one[1].fingerprint)):
        here = files.setdefault(name, {})
        about = here.setdefault(issue.fingerprint, {"count": 0, "rule": issue.rule, "message": issue.message[:200]})
        about["count"] += 1
    try:
        write_whole(path, (json.dumps({"version": _VERSION, "files": files}, indent=1) + "\n").encode())
    except OSError as error:
        raise JidoError(f"{path}: cannot be written: {error.strerror}; name another --write-baseline") from error
