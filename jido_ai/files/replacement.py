"""Writing of users' files: whole, in one step, and through no planted link."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

_TRIES: Final = 16
_DEVICES: Final = ("/dev", "/dev/fd", "/proc/self/fd")
NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
DIRECTORY: Final = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


def write_whole(
    path: Path,
    data: bytes,
    *,
    mode: int | None = None,
    durable: bool = True,
    check: Callable[[], None] | None = None,
) -> None:
    """Make `data` the content of a file: readers see the old file or the new one, also after a power loss.

    The new one is created beside it under an unpredictable name, and then replaces it. Mode and, where we
    may, owner of the file that was there stay. A link of that name is replaced, not followed. A device or a pipe, as
    /dev/stdout, is written to.

    Args:
        mode: of the new file; None is that of the old one, or for a new file what the umask leaves of 0o666.
        durable: wait for the disk. Without it a loss of power may leave an empty file.
        check: called last before the new file takes the place; what it raises leaves everything as it was.

    Raises:
        OSError: it cannot be written (no space, no right, a directory). What was there is left as it was.
    """
    status = _status(path)
    if status is not None and not stat.S_ISREG(status.st_mode) and not stat.S_ISLNK(status.st_mode):
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        _pour(path, data)
        return
    directory = os.open(path.parent, DIRECTORY)
    try:
        replace_in(directory, path.name, data, mode=mode, durable=durable, check=check)
    finally:
        os.close(directory)


def replace_in(
    directory: int,
    name: str,
    data: bytes,
    *,
    mode: int | None = None,
    durable: bool = True,
    check: Callable[[], None] | None = None,
) -> None:
    """Do as `write_whole` for a file or a link in an open directory; `name` has no "/". Raises `OSError`."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        status = None
    old = status if status is not None and stat.S_ISREG(status.st_mode) else None
    handle, new = _made(directory, 0o600 if old is not None or mode is not None else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if old is not None:
                with suppress(PermissionError):  # only root may give files away; ours stays ours
                    os.fchown(handle, old.st_uid, old.st_gid)
            wanted = mode if mode is not None else None if old is None else stat.S_IMODE(old.st_mode)
            if wanted is not None:
                os.fchmod(handle, wanted)
            if durable:
                os.fsync(handle)
        if check is not None:
            check()
        os.replace(new, name, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(new, dir_fd=directory)
        raise
    if durable:
        os.fsync(directory)


def _status(path: Path) -> os.stat_result | None:
    """Return the entry at a path: a link itself, except for links by which the system names open files."""
    try:
        return path.stat() if str(path.parent) in _DEVICES else path.lstat()
    except FileNotFoundError:
        return None


def _made(directory: int, mode: int) -> tuple[int, str]:
    """Make a file that was not there before; return a handle and its name."""
    for _ in range(_TRIES):
        name = f".{secrets.token_hex(12)}.jido"  # without the name of the file: that may be as long as names may be
        with suppress(FileExistsError):
            return os.open(name, NEW, mode, dir_fd=directory), name
    raise FileExistsError(errno.EEXIST, "no free name for a new file")


def _pour(path: Path, data: bytes) -> None:
    """Write to something that is not a file. A pipe without a reader is an error, not a wait."""
    handle = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | getattr(os, "O_CLOEXEC", 0))
    os.set_blocking(handle, True)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
