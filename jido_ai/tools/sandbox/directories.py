"""Our own temporary directories: named after their owner process, and swept once it is gone.

A name identifies the process that made the directory: its pid, its start time, the boot of the machine and the process
namespace. So a directory has an owner from its creation on, and no process is mistaken for another.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

SPARE_UIDS: Final = range(61_184, 65_520)
"""User ids for programs in a sandbox started by root: systemd's range for dynamic users."""

_NAME: Final = re.compile(r"jido-([0-9]{1,10})-([0-9]{1,20})-([0-9a-f]{8})-([0-9a-f]{8})-[0-9a-f]{16}")
_UNKNOWN_S: Final = 24 * 3600.0
"""Time after its last change for which a directory with an unknown owner is left alone."""
_SWEEP_S: Final = 2.0
_REMOVAL_S: Final = 30.0
_PATIENCE_S: Final = 0.02
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_ALL_RIGHTS: Final = stat.S_IRWXU
_FIRST_USE: Final = threading.Lock()
_swept: set[str] = set()


@contextmanager
def own_directory() -> Generator[Path]:
    """Create a private directory, and remove it however the block ends.

    The first one of a process in a directory for temporary files sweeps that directory first, for two seconds at most.

    Raises:
        OSError: it cannot be created, or its contents cannot be removed.
    """
    parent = Path(tempfile.gettempdir()).resolve()
    with _FIRST_USE:
        if str(parent) not in _swept:
            _swept.add(str(parent))
            sweep(parent)
    path = parent / f"{_name()}-{secrets.token_hex(8)}"
    path.mkdir(0o700)
    try:
        yield path
    finally:
        remove_tree(path)


def sweep(parent: Path, longest_s: float = _SWEEP_S) -> int:
    """Remove the directories in `parent` whose processes are gone; return their number.

    It skips those of living processes; those whose owner cannot be checked (another machine, boot or container), until
    they are a day old; and those of other users. Links are never followed. A directory that cannot be removed, or not
    in time, is left for the next sweep.

    Args:
        longest_s: time limit in seconds.
    """
    until = time.monotonic() + longest_s
    count = 0
    try:
        names = [entry.name for entry in os.scandir(parent) if _NAME.fullmatch(entry.name)]
    except OSError:
        return 0
    for name in sorted(names):
        if time.monotonic() >= until:
            break
        with suppress(OSError):
            if _is_left(parent / name):
                remove_tree(parent / name, until)
                count += 1
    return count


def _is_left(path: Path) -> bool:
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or not _is_ours(status.st_uid):
        return False
    found = _NAME.fullmatch(path.name)
    assert found is not None
    here = _NAME.fullmatch(f"{_name()}-{'0' * 16}")
    assert here is not None
    if found.group(3, 4) != here.group(3, 4) or _started(os.getpid()) is None:
        return time.time() - max(status.st_mtime, status.st_ctime) > _UNKNOWN_S
    return _started(int(found[1])) != int(found[2])


def _is_ours(uid: int) -> bool:
    if not hasattr(os, "geteuid"):
        return True
    return uid == os.geteuid() or (os.geteuid() == 0 and uid in SPARE_UIDS)


# -- our identity ----------------------------------------------------------------------------------


def _name() -> str:
    """Return the prefix of the names of this process's directories."""
    pid = os.getpid()
    return f"jido-{pid}-{_started(pid) or 0}-{_boot()}-{_namespace()}"


def _started(pid: int) -> int | None:
    """Return when a process started, in kernel ticks since boot; None if there is none.

    Raises:
        OSError: the time cannot be determined.
    """
    try:
        raw = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state, *fields = raw.rpartition(b")")[2].split()
    return None if state in (b"Z", b"X") else int(fields[18])


@lru_cache(maxsize=1)
def _boot() -> str:
    try:
        return _short(Path("/proc/sys/kernel/random/boot_id").read_bytes())
    except OSError:
        return _short(sys.platform.encode())


def _namespace() -> str:
    try:
        return _short(os.readlink("/proc/self/ns/pid").encode())  # noqa: PTH115 - it is not a path
    except OSError:
        return _short(b"")


def _short(raw: bytes) -> str:
    return blake2b(raw.strip(), digest_size=4).hexdigest()


# -- removal ---------------------------------------------------------------------------------------


def remove_tree(path: Path, until: float = float("inf")) -> None:
    """Remove a directory and everything in it, at any depth and with any names.

    Each directory in it is first moved to the top, so two handles are enough and no path is too long. Names are only
    looked up below a handle, and no link is followed. Anything but a directory is left alone.

    Args:
        until: when to give up, on the clock of `time.monotonic`.

    Raises:
        OSError: it cannot be removed, or not until then, or not within 30 s. The rest is still there.
    """
    until = min(until, time.monotonic() + _REMOVAL_S)
    try:
        try:
            top = os.open(path, _DIRECTORY)
        except PermissionError:
            _let_move(str(path), None)
            top = os.open(path, _DIRECTORY)
    except FileNotFoundError:
        return
    try:
        _open_up(top)
        while True:
            _empty(top, until)
            try:
                path.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                if time.monotonic() + _PATIENCE_S >= until or not os.listdir(top):  # noqa: PTH208 - a handle
                    raise
                time.sleep(_PATIENCE_S)  # a program that is being killed still writes here
    finally:
        os.close(top)


def _empty(top: int, until: float) -> None:
    pending = _without_files(top, until)
    while pending:
        name = pending.pop()
        with suppress(FileNotFoundError):  # it was removed in the meantime
            below = _opened(name, top)
            if below is None:
                os.unlink(name, dir_fd=top)
                continue
            try:
                for inside in _without_files(below, until):
                    there = secrets.token_hex(8)
                    with suppress(FileNotFoundError):
                        _let_move(inside, below)
                        os.rename(inside, there, src_dir_fd=below, dst_dir_fd=top)
                        pending.append(there)
            finally:
                os.close(below)
            os.rmdir(name, dir_fd=top)


def _without_files(directory: int, until: float) -> list[str]:
    """Remove everything in a directory except directories; return the names of those."""
    with os.scandir(directory) as entries:
        inside = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_directory in inside:
        if time.monotonic() >= until:
            raise TimeoutError("a directory could not be removed in time")
        if not is_directory:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=directory)
    return [name for name, is_directory in inside if is_directory]


def _opened(name: str, directory: int) -> int | None:
    """Return a handle on a directory, with all rights of its owner; None if it is no longer a directory."""
    try:
        handle = os.open(name, _DIRECTORY, dir_fd=directory)
    except PermissionError:
        _let_move(name, directory)
        handle = os.open(name, _DIRECTORY, dir_fd=directory)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            return None
        raise
    _open_up(handle)
    return handle


def _open_up(handle: int) -> None:
    mode = stat.S_IMODE(os.fstat(handle).st_mode)
    if mode & _ALL_RIGHTS != _ALL_RIGHTS:
        os.fchmod(handle, mode | _ALL_RIGHTS)


def _let_move(name: str, directory: int | None) -> None:
    """Give a directory all rights of its owner; without them only root could move or open it."""
    mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    if not stat.S_ISDIR(mode) or mode & _ALL_RIGHTS == _ALL_RIGHTS:
        return
    if not hasattr(os, "O_PATH"):
        os.chmod(name, _ALL_RIGHTS, dir_fd=directory, follow_symlinks=False)
        return
    handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    try:
        Path(f"/proc/self/fd/{handle}").chmod(_ALL_RIGHTS)  # whatever has that name now
    finally:
        os.close(handle)
