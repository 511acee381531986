"""Private files and directories: readable by their owner only."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path


def make_private_file(path: Path) -> None:
    """Make an empty file of mode 0600; one that is there already stays as it is. Raises `OSError`."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0), 0o600))
    except FileExistsError:
        return


def make_private_directory(path: Path) -> None:
    """Make a directory, and those above it that are missing, of mode 0700; what is there stays. Raises `OSError`."""
    missing = [one for one in (path, *path.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    if not path.is_dir():
        path.mkdir()  # it is there and no directory: let the system say so


def readable_by_others(paths: Iterable[Path]) -> list[Path]:
    """Return the paths whose mode lets others read or write them; missing files are left out."""
    if os.name != "posix":
        return []
    found: list[Path] = []
    for path in paths:
        try:
            mode = path.stat().st_mode
        except OSError:
            continue
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            found.append(path)
    return found
