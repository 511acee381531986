"""Fingerprints of jobs: equal fingerprints mean equal work. All functions block: use a thread.

A fingerprint covers the program and every file that `argv` names by an absolute path (by identity, size and times), the
packages beside the interpreter (by the times of their directories), all files that the job writes into the directory,
and the project tree as it would be copied (by content). It does not cover the time limit or other files that a program
reads, such as packages installed in editable mode.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Final

from cachetools import LRUCache

from jido_ai.errors import ToolError
from jido_ai.tools.sandbox.workspace import Limits, is_left_out
from jido_ai.values.tool import ToolJob

_CHUNK: Final = 1 << 20
_RACY_NS: Final = 2_000_000_000
"""A file that changed this shortly before it was read may change again without a visible change of its times."""
_KNOWN_FILES: Final = 50_000

_Signs = tuple[int, ...]


class FingerprintMaker:
    """Makes fingerprints, and caches the contents of files that did not change since they were read.

    Args:
        limits: maximum size of a project tree.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._known: LRUCache[str, tuple[_Signs, bytes]] = LRUCache(_KNOWN_FILES)
        self._lock = threading.Lock()

    def make(
        self, jobs: Iterable[ToolJob], locate: Callable[[str], str], conditions: Callable[[ToolJob], object]
    ) -> tuple[str | None, ...]:
        """Return one fingerprint per job, in order; None for a job whose program or tree cannot be read.

        Args:
            locate: returns the absolute path of a program.
            conditions: returns other conditions of a job, as a value with a complete `repr`.
        """
        trees: dict[Path, bytes | None] = {}
        installed = _installed()
        found: list[str | None] = []
        for job in jobs:
            if job.tree is not None and job.tree not in trees:
                trees[job.tree] = self._tree_or_none(job.tree)
            tree = None if job.tree is None else trees[job.tree]
            try:
                programs = _programs((locate(job.argv[0]), *job.argv[1:]))
            except (OSError, ToolError, ValueError):  # it is missing, not allowed, or not a name
                programs = None
            if programs is None or (tree is None and job.tree is not None):
                found.append(None)
                continue
            digest = blake2b(digest_size=16)
            _add(digest.update, repr((job.argv, programs, installed, sys.version, job.report, job.executes)).encode())
            _add(digest.update, repr((job.max_output_bytes, conditions(job), tree, job.stdin)).encode())
            for name in sorted(job.files):
                _add(digest.update, name.encode("utf-8", "surrogatepass"))
                _add(digest.update, job.files[name])
            found.append(digest.hexdigest())
        return tuple(found)

    def _tree_or_none(self, root: Path) -> bytes | None:
        try:
            return self._tree(root)
        except OSError:
            return None

    def _tree(self, root: Path) -> bytes | None:
        """Return the digest of everything that would be copied; None if that is too much."""
        digest = blake2b(digest_size=16)
        pending, files, size = [str(root.resolve(strict=True))], 0, 0
        while pending:
            directory = pending.pop()
            with os.scandir(directory) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
            for entry in inside:
                if is_left_out(entry.name):
                    continue
                status = entry.stat(follow_symlinks=False)
                files, size = files + 1, size + status.st_size
                if files > self._limits.max_files or size > self._limits.max_bytes:
                    return None
                _add(digest.update, repr((entry.path, status.st_mode)).encode())
                if entry.is_symlink():
                    _add(digest.update, os.fsencode(Path(entry.path).readlink()))
                elif entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    _add(digest.update, self._content(entry.path, status))
        return digest.digest()

    def _content(self, path: str, status: os.stat_result) -> bytes:
        signs = _signs(status)
        with self._lock:
            known = self._known.get(path)
        if known is not None and known[0] == signs:
            return known[1]
        now = time.time_ns()
        digest = blake2b(digest_size=16)
        with open(path, "rb", opener=_open_at_once) as file:
            left = status.st_size + 1  # if it grows in the meantime, its times show that
            while left > 0 and (chunk := file.read(min(left, _CHUNK))):
                digest.update(chunk)
                left -= len(chunk)
            after = _signs(os.fstat(file.fileno()))
        if after == signs and max(status.st_mtime_ns, status.st_ctime_ns) < now - _RACY_NS:
            with self._lock:
                self._known[path] = (signs, digest.digest())
        return digest.digest()


def _open_at_once(path: str, flags: int) -> int:
    """Open a file that was regular a moment ago, without waiting for a pipe or following a link."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def _signs(status: os.stat_result) -> _Signs:
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def _programs(argv: tuple[str, ...]) -> list[tuple[str, _Signs]]:
    """Return the program and other absolute paths in `argv`, with their identities."""
    found = [(argv[0], _signs(Path(argv[0]).stat()))]
    for part in argv[1:]:
        if part.startswith(os.sep):
            try:
                found.append((part, _signs(Path(part).stat())))
            except (OSError, ValueError):  # it is not a file
                continue
    return found


def _installed() -> list[tuple[str, int]]:
    """Return the directories of installed packages and when packages were last added or removed."""
    places = {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}
    return [(place, os.stat(place).st_mtime_ns) for place in sorted(places) if os.path.isdir(place)]  # noqa: PTH112, PTH116


def _add(update: Callable[[bytes], None], part: bytes) -> None:
    """Add a part, so that different sequences of parts have different digests."""
    update(len(part).to_bytes(8, "big"))
    update(part)
