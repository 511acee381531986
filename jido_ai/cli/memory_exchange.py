"""The work of `jido memory export`, `import`, `vacuum` and `backup`: memory in files."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

from rich.console import Console
from rich.progress import Progress

from jido_ai.cli.memory_place import MANY, address_of, existing, open_memory, scope_of
from jido_ai.errors import ConfigurationError, NotFoundError
from jido_ai.memory.files import backup_file, check_target, read_files, vacuum_file, write_files
from jido_ai.memory.intake import Intake
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.text.printable import clip
from jido_ai.text.redaction import redact
from jido_ai.values import MemoryEntry

T = TypeVar("T")

_AT_ONCE: Final = 64
_ID_CHARS: Final = 80


def export_entries(target: str, scope: str | None, memory: str | None, out: TextIO) -> None:
    """Write entries to `target`: NAME.json, NAME.jsonl, a directory, or "-" for JSON lines on `out`."""

    async def read() -> list[MemoryEntry]:
        chosen = None if scope is None else scope_of(scope)
        async with open_memory(memory) as opened:
            task = bar.add_task("export", total=await opened.count(chosen))
            memory_entries: list[MemoryEntry] = []
            async for entry in opened.entries(chosen):
                memory_entries.append(entry)
                bar.advance(task)
        return memory_entries[::-1]

    if target != "-":
        check_target(Path(target))
    with _progress() as bar:
        entries = _run(read())
        if target != "-":
            task = bar.add_task("write", total=None)
            write_files(Path(target), entries, max(1000, len(entries)), lambda: bar.advance(task))
    if target == "-":
        out.writelines(json.dumps(entry.model_dump(mode="json")) + "\n" for entry in entries)
        return
    out.write(f"exported {_so_many(len(entries))} to {target}\n")


def import_entries(
    source: Path, scope: str | None, memory: str | None, out: TextIO, *, max_entries: int | None = None
) -> None:
    """Store the entries of an export; all are checked before any is stored."""
    done = _EntryImport()
    with _progress() as bar:
        reading = bar.add_task("read", total=None)
        read = read_files(source, lambda: bar.advance(reading))
        chosen = None if scope is None else scope_of(scope)
        entries = [entry if chosen is None else entry.replace(scope=chosen) for entry in read.entries]
        _check_entries(entries, source)
        task = bar.add_task("import", total=len(entries))

        async def store() -> int:
            async with open_memory(memory, max_entries=max_entries or MANY, create=True) as opened:
                await done.store(opened, entries, lambda some: bar.advance(task, some))
                return await opened.count()

        try:
            count = _run(store())
        except KeyboardInterrupt:
            bar.stop()
            there = done.known + done.stored
            sys.stderr.write(f"{there} of {_so_many(len(entries))} are imported; run the command again to continue\n")
            raise
    message = f"imported {_so_many(done.stored)} from {source}"
    if done.known:
        message += f"; {done.known} were there already"
    if read.left_out:
        message += f"; {read.left_out} older ones were left out, because the file has more than its max_size"
    if max_entries is not None:
        message += f"; {count} are there now: at most {max_entries} per kind and scope are kept"
    out.write(message + "\n")


def _check_entries(entries: Sequence[MemoryEntry], source: Path) -> None:
    """Raise `ConfigurationError` for the first entry that no memory would accept; its id is shown without secrets."""
    intake = Intake("secrets", 1 << 20)
    for number, entry in enumerate(entries, 1):
        try:
            intake.entry(entry)
        except ConfigurationError as error:
            id = clip(redact(entry.id), _ID_CHARS)
            raise ConfigurationError(f"{source}: entry {number} ({id}): {error}; nothing was imported") from error


@dataclass(slots=True)
class _EntryImport:
    """How far an import has come.

    Attributes:
        known: entries that were there already.
        stored: entries that were not.
    """

    known: int = 0
    stored: int = 0

    async def store(
        self, memory: ReflexionMemory, entries: Sequence[MemoryEntry], progress: Callable[[int], object]
    ) -> None:
        """Store the entries that are not there yet, in batches; `progress` is called with the size of each."""
        for start in range(0, len(entries), _AT_ONCE):
            some = entries[start : start + _AT_ONCE]
            there = await asyncio.gather(*(_is_there(memory, entry) for entry in some))
            await asyncio.gather(
                *(memory.store(entry) for entry, is_there in zip(some, there, strict=True) if not is_there)
            )
            self.known += sum(there)
            self.stored += len(some) - sum(there)
            progress(len(some))


def vacuum_memory(memory: str | None, out: TextIO) -> None:
    """Return the space of removed entries to the file system."""
    path = _file(memory, "vacuum")
    _run(_touch(path))
    out.write(f"{path} is {vacuum_file(path)} bytes smaller\n")


def backup_memory(target: Path, memory: str | None, out: TextIO) -> None:
    """Copy the memory file while other programs go on using it."""
    path = _file(memory, "backup")
    _run(_touch(path))
    with _progress() as bar:
        task = bar.add_task("backup", total=None)
        backup_file(path, target, lambda done, total: bar.update(task, completed=done, total=total))
    out.write(f"copied {path} to {target}\n")


# -- helpers ---------------------------------------------------------------------------------------


def _run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def _touch(path: Path) -> None:
    """Open the file once: another program's file is refused here, and one of an older version is upgraded."""
    async with open_memory(str(path)):
        pass


async def _is_there(memory: ReflexionMemory, entry: MemoryEntry) -> bool:
    try:
        return await memory.get(entry.id, scope=entry.scope) == entry
    except NotFoundError:
        return False


def _so_many(entries: int) -> str:
    return "1 entry" if entries == 1 else f"{entries} entries"


def _file(chosen: str | None, command: str) -> Path:
    address = address_of(chosen)
    if "://" in address:
        raise ConfigurationError(f"{command} works on files; for a database use its own tools (pg_dump, autovacuum)")
    return existing(Path(address))


def _progress() -> Progress:
    return Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
