"""Bounded reading of files: never more than requested, and never blocked by a pipe."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError

CONFIG_BYTES: Final = 1 << 20
"""The most that is read of a configuration file, in bytes: 1 MiB."""

AT_ONCE: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOCTTY", 0)
"""Opens a file to be read; what is none does not block."""


class NoFileError(OSError):
    """Something other than a file has that name: a directory, a pipe, a device."""


def read_at_most(path: Path, most: int) -> bytes | None:
    """Return the content of a file; None when that is more than `most` bytes, however few of them lie on the disk.

    Raises:
        NoFileError: it is not a file. Nothing was read, and a pipe did not block.
        OSError: it is not there, or cannot be read.
    """
    return read_open(os.open(path, AT_ONCE), str(path), most)


def read_open(handle: int, name: str, most: int) -> bytes | None:
    """Return the content of an open file, and close it; otherwise as `read_at_most`."""
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise NoFileError(errno.EINVAL, "Not a regular file", name)
        if status.st_size > most:
            return None
        with open(handle, "rb", closefd=False) as file:
            data = file.read(most + 1)  # it may grow meanwhile
    finally:
        os.close(handle)
    return data if len(data) <= most else None


def read_text(path: Path, most: int) -> str:
    """Return the text of a file of at most `most` bytes. Raises `ConfigurationError`."""
    try:
        data = read_at_most(path, most)
        text = None if data is None else data.decode("utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8 text: {error.reason}") from error
    if text is None:
        raise ConfigurationError(f"{path}: larger than {most:,} bytes")
    return text
