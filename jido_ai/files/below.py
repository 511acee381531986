"""Files below a directory, by names that strangers chose: no name and no link leads out of it.

Each folder of a name is opened in the one above it, and never through a link, so nothing that changes meanwhile leads
elsewhere either.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from jido_ai.errors import ConfigurationError, describe
from jido_ai.files.bounded_read import AT_ONCE, NoFileError, read_open
from jido_ai.files.relative_path import relative_path
from jido_ai.files.replacement import DIRECTORY, NEW, replace_in

_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)


def create_below(root: Path, name: str, data: bytes, *, mode: int = 0o666) -> None:
    """Make a file that was not there, with the folders above it; the umask applies to `mode`.

    Raises:
        ConfigurationError: the name is not one of a file below the directory. Nothing was opened.
        OSError: something of that name is there, a folder is a link or a file, or it cannot be written.
    """
    with (
        _folder_of(root, name, makes=True) as (folder, last),
        os.fdopen(os.open(last, NEW, mode, dir_fd=folder), "wb") as file,
    ):
        file.write(data)


def replace_below(
    root: Path,
    name: str,
    data: bytes,
    *,
    mode: int | None = None,
    durable: bool = True,
    check: Callable[[], None] | None = None,
) -> None:
    """Make `data` the content of a file in one step, as `write_whole` does, with the folders above it.

    Raises:
        ConfigurationError: as for `create_below`.
        OSError: a folder is a link or a file, or the file cannot be written. What was there is left as it was.
    """
    with _folder_of(root, name, makes=True) as (folder, last):
        replace_in(folder, last, data, mode=mode, durable=durable, check=check)


def remove_below(root: Path, name: str) -> None:
    """Remove a file or a link; one that is not there is no error. Raises as `replace_below` does."""
    with suppress(FileNotFoundError), _folder_of(root, name) as (folder, last):
        os.unlink(last, dir_fd=folder)


def read_below(root: Path, name: str, most: int) -> bytes | None:
    """Return the content of a file that is no link; None when that is more than `most` bytes.

    Raises:
        ConfigurationError: as for `create_below`.
        OSError: it is not there, cannot be read, or is or lies behind a link; `NoFileError`: it is not a file.
    """
    with _folder_of(root, name) as (folder, last):
        return read_open(os.open(last, AT_ONCE | _NO_LINK, dir_fd=folder), name, most)


def set_executable_below(root: Path, name: str, *, executable: bool) -> None:
    """Make a file executable for those who may read it, or for nobody. Raises as `read_below` does."""
    with _folder_of(root, name) as (folder, last):
        handle = os.open(last, AT_ONCE | _NO_LINK, dir_fd=folder)
        try:
            now = os.fstat(handle).st_mode
            if not stat.S_ISREG(now):
                raise NoFileError(errno.EINVAL, "Not a regular file", name)
            now &= 0o777
            os.fchmod(handle, now | (now & 0o444) >> 2 if executable else now & ~0o111)
        finally:
            os.close(handle)


def without_links(root: Path, name: str) -> str:
    """Return the name below the directory that `name` leads to, through links that stay inside.

    Raises:
        ConfigurationError: a link leads out of the directory, or as for `create_below`.
    """
    top = root.resolve()
    try:
        end = (top / relative_path(name)).resolve()
    except (OSError, RuntimeError):  # links that lead to each other, before Python 3.13
        end = top
    inner = [part for part in (end, *end.parents) if part != top and part.is_relative_to(top)]
    if not inner or any(part.is_symlink() for part in inner):
        raise ConfigurationError(f"{describe(name)} leads out of the directory through a link")
    return end.relative_to(top).as_posix()


@contextmanager
def _folder_of(root: Path, name: str, *, makes: bool = False) -> Generator[tuple[int, str]]:
    """Open the folder that a name is in; give its handle and the last part of the name."""
    *folders, last = relative_path(name).split("/")
    handle = os.open(root, DIRECTORY)
    try:
        for folder in folders:
            if makes:
                with suppress(FileExistsError):
                    os.mkdir(folder, dir_fd=handle)
            inner = os.open(folder, DIRECTORY | _NO_LINK, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle, last
    finally:
        os.close(handle)
