"""Memory files: export directories, snapshots, and online backups of a database file."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from jido_ai.errors import ConfigurationError, StoreError, StoreFullError, StoreUnavailableError
from jido_ai.files.below import remove_below, replace_below
from jido_ai.files.bounded_read import read_at_most
from jido_ai.files.private import make_private_directory
from jido_ai.files.replacement import write_whole
from jido_ai.memory.exchange import ReadEntries, as_markdown, file_name, index_row, read_entries, snapshot
from jido_ai.memory.stores.sqlite.file import connect, inspect_file, make_private
from jido_ai.memory.stores.sqlite.guard import harden
from jido_ai.values import MemoryEntry, MemoryKind

_PAGES_PER_STEP = 256
_MOST_BYTES = 1 << 30
_HEAD = 1 << 16


def check_target(target: Path) -> None:
    """Raise `ConfigurationError` if the export would overwrite anything but an earlier export."""
    try:
        if target.suffix in (".json", ".jsonl"):
            if not target.exists():
                return
            if not target.is_file() or not _is_export(target):
                raise ConfigurationError(f"{target} already exists and is not an earlier export; choose another file")
        elif target.exists() and not _is_tree(target) and (not target.is_dir() or any(target.iterdir())):
            raise ConfigurationError(f"{target} is not empty and not an earlier export; choose another directory")
    except OSError as error:
        raise ConfigurationError(f"{target} cannot be written: {error.strerror}") from error


def _is_export(path: Path) -> bool:
    """True if the file is empty or begins like a snapshot or like JSON lines of entries."""
    with path.open("rb") as file:
        head = "".join(file.read(_HEAD).decode("utf-8", "replace").split())
    return not head or head.startswith('{"max_size":') or (head.startswith("{") and '"prompt":' in head)


def _is_tree(root: Path) -> bool:
    return (root / "index.json").is_file() and all((root / kind.value).is_dir() for kind in MemoryKind)


def write_files(
    target: Path, entries: Sequence[MemoryEntry], max_entries: int, progress: Callable[[], None] = lambda: None
) -> None:
    """Write entries, oldest first: a snapshot to a .json file, one entry per line to a .jsonl file, else a directory.

    Only the owner can read the files. A directory gets a subdirectory per kind with one JSON file per entry, and
    `summary.md` and `index.json`; files of an earlier export whose entries no longer exist are removed. Each file is
    written atomically.

    Args:
        progress: called after each file.

    Raises:
        ConfigurationError: the target cannot be written, or holds anything but an earlier export.
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
    def write(name: str, text: str, *, durable: bool = True) -> None:
        # One fsync per file would take longer than the rest of the export.
        replace_below(root, name, text.encode("utf-8", "backslashreplace"), mode=0o600, durable=durable)

    for kind in MemoryKind:
        make_private_directory(root / kind.value)
    if not (root / "index.json").exists():
        write("index.json", "[]")  # marks an interrupted export as ours
    wanted: set[str] = set()
    for entry in entries:
        name = f"{entry.kind.value}/{file_name(entry)}.json"
        wanted.add(name)
        write(name, json.dumps(entry.model_dump(mode="json"), indent=2), durable=False)
        progress()
    for kind in MemoryKind:
        for path in (root / kind.value).glob("*.json"):
            if (name := f"{kind.value}/{path.name}") not in wanted:
                remove_below(root, name)
    write("summary.md", as_markdown(entries))
    write("index.json", json.dumps([index_row(entry) for entry in entries], indent=2))


def _write(path: Path, text: str) -> None:
    write_whole(path, text.encode("utf-8", "backslashreplace"), mode=0o600)


def read_files(source: Path, progress: Callable[[], None] = lambda: None) -> ReadEntries:
    """Return the entries of a snapshot, of a file of lines, or of an exported directory, oldest first.

    Of a snapshot with more entries than its max_size the newest are returned and the others counted in `left_out`.

    Args:
        progress: called after each file.

    Raises:
        ConfigurationError: the source cannot be read, or contains something that is not an entry; the message names
            the place.
    """
    try:
        if not source.is_dir():
            return _read(source)
        if not _is_tree(source):
            raise ConfigurationError(f"{source} was not written by `jido memory export`; nothing was imported")
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
            raise ConfigurationError(f"the file is larger than {_MOST_BYTES} bytes; split it")
        return read_entries(data.decode("utf-8"), lines=path.suffix == ".jsonl")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not UTF-8 text; nothing was imported") from error
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}; nothing was imported") from error


# -- database files --------------------------------------------------------------------------------


def backup_file(source: Path, target: Path, progress: Callable[[int, int], None]) -> None:
    """Copy a memory file that may be in use. The copy is created atomically.

    Args:
        progress: called with the number of pages copied and the total.

    Raises:
        ConfigurationError: the target exists.
        StoreError: the source cannot be read, or the target cannot be written.
    """
    if target.exists():
        raise ConfigurationError(f"{target} already exists; choose another file")
    inspect_file(source)
    try:
        # SQLite opens files by name and creates journals: in a private directory nobody can replace them with links.
        with tempfile.TemporaryDirectory(prefix=".jido-", dir=target.parent) as folder:
            part = Path(folder) / "copy.db"
            make_private(part)
            with closing(connect(source, "rw", 10.0)) as old, closing(connect(part, "rw", 10.0)) as new:
                old.backup(new, pages=_PAGES_PER_STEP, progress=lambda _, left, all_: progress(all_ - left, all_))
            part.replace(target)
    except (sqlite3.Error, OSError) as error:
        raise _translated(error, target) from error


def vacuum_file(path: Path) -> int:
    """Return the space of removed entries to the file system. Return the number of bytes freed.

    Raises:
        StoreError: another program is writing, or there is no space for the temporary copy.
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
    return StoreUnavailableError(f"{path} cannot be read or written: {error}")
