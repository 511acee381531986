"""Memory in files: exported trees, snapshots, and copies of a database file while it is in use."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from jido_ai.errors import ConfigurationError, StoreError, StoreFullError, StoreUnavailableError
from jido_ai.files.bounded_read import read_at_most
from jido_ai.files.private import make_private_directory
from jido_ai.files.replacement import write_whole
from jido_ai.memory.exchange import ReadEntries, as_markdown, file_name, index_row, read_entries, snapshot
from jido_ai.memory.stores.sqlite.file import connect, inspect_file, make_private
from jido_ai.memory.stores.sqlite.guard import harden
from jido_ai.values import MemoryEntry, MemoryKind

__all__ = ["backup_file", "check_target", "read_files", "vacuum_file", "write_files"]

_PAGES_PER_STEP = 256
_MOST_BYTES = 1 << 30
_HEAD = 1 << 16


def check_target(target: Path) -> None:
    """Raise `ConfigurationError` when the place holds something that is no earlier export and would be lost."""
    try:
        if target.suffix in (".json", ".jsonl"):
            if not target.exists():
                return
            if not target.is_file() or not _is_export(target):
                raise ConfigurationError(f"{target} is there already and no earlier export; name another file")
        elif target.exists() and not _is_tree(target) and (not target.is_dir() or any(target.iterdir())):
            raise ConfigurationError(f"{target} is no directory of an earlier export, and not empty; name another one")
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error.strerror}") from error


def _is_export(path: Path) -> bool:
    """Tell by its beginning whether a file is a snapshot, or lines of entries; an empty file is as good."""
    with path.open("rb") as file:
        head = "".join(file.read(_HEAD).decode("utf-8", "replace").split())
    return not head or head.startswith('{"max_size":') or (head.startswith("{") and '"prompt":' in head)


def _is_tree(root: Path) -> bool:
    return (root / "index.json").is_file() and all((root / kind.value).is_dir() for kind in MemoryKind)


def write_files(
    target: Path, entries: Sequence[MemoryEntry], max_entries: int, progress: Callable[[], None] = lambda: None
) -> None:
    """Write entries, oldest first: a .json is a snapshot, a .jsonl has one per line, anything else is a directory.

    Nobody but their owner can read them. A directory gets one per kind, one JSON file per entry in them, `summary.md`
    and `index.json`; files of an earlier export go when their entries are no longer there. A file is written whole or
    not at all.

    Args:
        progress: called after each file.

    Raises:
        ConfigurationError: the place cannot be written, or holds something else than an earlier export.
    """
    check_target(target)
    try:
        if target.suffix == ".json":
            _write(target, json.dumps(snapshot(entries, max_entries), indent=2))
        elif target.suffix == ".jsonl":
            _write(target, "".join(json.dumps(entry.model_dump(mode="json")) + "\n" for entry in entries))
        else:
            _write_tree(target, entries, progress)
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error.strerror}") from error


def _write_tree(root: Path, entries: Sequence[MemoryEntry], progress: Callable[[], None]) -> None:
    for kind in MemoryKind:
        make_private_directory(root / kind.value)
    if not (root / "index.json").exists():
        _write(root / "index.json", "[]")  # should it end half-way, it is known as ours
    wanted: set[Path] = set()
    for entry in entries:
        path = root / entry.kind.value / f"{file_name(entry)}.json"
        wanted.add(path)
        _write(path, json.dumps(entry.model_dump(mode="json"), indent=2), is_one_of_many=True)
        progress()
    for kind in MemoryKind:
        for path in (root / kind.value).glob("*.json"):
            if path not in wanted:
                path.unlink()
    _write(root / "summary.md", as_markdown(entries))
    _write(root / "index.json", json.dumps([index_row(entry) for entry in entries], indent=2))


def _write(path: Path, text: str, *, is_one_of_many: bool = False) -> None:
    # To wait for the disk for each of many files would take longer than all else together.
    write_whole(path, text.encode("utf-8", "backslashreplace"), mode=0o600, durable=not is_one_of_many)


def read_files(source: Path, progress: Callable[[], None] = lambda: None) -> ReadEntries:
    """Return the entries of a snapshot, of a file of lines, or of an exported directory, oldest first.

    Of a snapshot with more than its max_size the newest are taken; how many were left out is told.

    Args:
        progress: called after each file.

    Raises:
        ConfigurationError: it cannot be read, or something in it is no entry; the message names the place.
    """
    try:
        if not source.is_dir():
            return _read(source)
        if not _is_tree(source):
            raise ConfigurationError(f"{source} is no directory that `jido memory export` wrote; nothing was imported")
        found: list[MemoryEntry] = []
        left_out = 0
        for kind in MemoryKind:
            for path in sorted((source / kind.value).glob("*.json")):
                read = _read(path)
                found += read.entries
                left_out += read.left_out
                progress()
    except OSError as error:
        raise ConfigurationError(f"{source} cannot be read: {error.strerror}") from error
    return ReadEntries(sorted(found, key=lambda entry: entry.timestamp), left_out)


def _read(path: Path) -> ReadEntries:
    try:
        data = read_at_most(path, _MOST_BYTES)
        if data is None:
            raise ConfigurationError(f"larger than {_MOST_BYTES} bytes; split it")
        return read_entries(data.decode("utf-8"), lines=path.suffix == ".jsonl")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is no text in UTF-8; nothing was imported") from error
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}; nothing was imported") from error


# -- database files --------------------------------------------------------------------------------


def backup_file(source: Path, target: Path, progress: Callable[[int, int], None]) -> None:
    """Copy a memory file while others go on using it; the copy is whole or not there.

    Args:
        progress: called with pages done and pages in all.

    Raises:
        ConfigurationError: the target is there already.
        StoreError: the source cannot be read, or the target not written.
    """
    if target.exists():
        raise ConfigurationError(f"{target} is there already; name another file")
    inspect_file(source)
    try:
        # SQLite opens by name and makes journals: in a directory of ours, nobody else can put a link in their place.
        with tempfile.TemporaryDirectory(prefix=".jido-", dir=target.parent) as folder:
            part = Path(folder) / "copy.db"
            make_private(part)
            with closing(connect(source, "rw", 10.0)) as old, closing(connect(part, "rw", 10.0)) as new:
                old.backup(new, pages=_PAGES_PER_STEP, progress=lambda _, left, all_: progress(all_ - left, all_))
            part.replace(target)
    except (sqlite3.Error, OSError) as error:
        raise _translated(error, target) from error


def vacuum_file(path: Path) -> int:
    """Give the room of what was removed back to the file system, and return how many bytes that was.

    Raises:
        StoreError: others are writing now, or there is no room for the copy that this takes.
    """
    inspect_file(path)
    try:
        before = path.stat().st_size
        with closing(harden(connect(path, "rw", 10.0), attached=1)) as db:
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return max(0, before - path.stat().st_size)
    except (sqlite3.Error, OSError) as error:
        raise _translated(error, path) from error


def _translated(error: sqlite3.Error | OSError, path: Path) -> StoreError:
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return StoreFullError(f"no space left for {path}; nothing was changed")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreUnavailableError(f"{path} is in use by another program; try again")
    return StoreUnavailableError(f"{path} cannot be read or written now: {error}")
