"""What a memory file may meet: another process, a place that goes away, what is too long. One outcome each."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jido_ai.cli.commands.memory import app as memory_app
from jido_ai.errors import ConfigurationError, StoreUnavailableError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.values import MemoryEntry, Scope

WRITER = """
import asyncio, sys
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry

async def main():
    async with ReflexionMemory(sys.argv[1], max_entries=10_000) as memory:
        print("ready", flush=True)
        sys.stdin.readline()
        shared = MemoryEntry("both", correction="the same lesson", kind="semantic")
        entries = [MemoryEntry(f"{sys.argv[2]} {n}") for n in range(100)]
        await asyncio.gather(*map(memory.store, entries), memory.store(shared), *(
            memory.record_usage("counter", success=True) for _ in range(20)
        ))

asyncio.run(main())
"""


@pytest.mark.slow
async def test_two_processes_that_write_to_one_file_lose_no_entries(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    async with ReflexionMemory(path, max_entries=10_000) as memory:
        await memory.store(MemoryEntry("counter", id="counter"))
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], text=True, **pipes) for name in "ab"
        ]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            writer.communicate("go\n", timeout=150)
        assert [writer.returncode for writer in writers] == [0, 0]
        found = [entry.prompt for entry in await memory.list_entries()]
        assert sorted(found) == sorted([*(f"{name} {n}" for name in "ab" for n in range(100)), "both", "counter"])
        assert (await memory.get("counter")).use_count == 40
        (lesson,) = [entry for entry in await memory.list_entries() if entry.kind == "semantic"]
        assert lesson.frequency == 2


async def test_every_commit_waits_for_the_disk(tmp_path: Path) -> None:
    """A power cut cannot be brought about here, so this looks at what SQLite was told."""
    store = SQLiteStore(tmp_path / "memory.db")
    await store.open()
    try:
        assert store._db is not None
        told = await store._db.run(
            lambda db: [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]
        )
        assert told == [2, "wal"]  # FULL
    finally:
        await store.close()


@pytest.mark.parametrize("how", ["moved", "removed", "replaced"])
async def test_writes_to_a_removed_file_are_rejected(tmp_path: Path, how: str) -> None:
    path, elsewhere = tmp_path / "memory.db", tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with ReflexionMemory(path) as memory:
        kept = await memory.store(MemoryEntry("before"))
        files = [file for file in tmp_path.iterdir() if file.is_file()]
        for file in files:
            if how == "removed":
                file.unlink()
            else:
                file.rename(elsewhere / file.name)
        if how == "replaced":
            path.write_bytes(b"")
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="moved, removed or replaced"):
                await memory.store(MemoryEntry("into nowhere"))
        if how == "moved":
            for file in files:
                (elsewhere / file.name).rename(file)
            after = await memory.store(MemoryEntry("after"))
            assert await memory.list_entries() == [after, kept]
    if how != "replaced":
        async with ReflexionMemory(path) as memory:
            assert [entry.prompt for entry in await memory.list_entries()] == ["after", "before"][
                : 2 * (how == "moved")
            ]


async def test_a_relative_path_is_resolved_on_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SQLiteStore("memory.db")
    await store.open()
    try:
        (tmp_path / "elsewhere").mkdir()
        os.chdir("elsewhere")
        await store.add(MemoryEntry("p"), max_entries=10)
        assert await store.count() == 1
    finally:
        await store.close()
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("path", [None, "memory.db"])
async def test_an_entry_of_ten_megabytes_is_refused_unless_it_is_allowed(tmp_path: Path, path: str | None) -> None:
    text = "0123456789" * 1_000_000
    where = None if path is None else tmp_path / path
    async with ReflexionMemory(where) as memory:
        for entry in (MemoryEntry(text), MemoryEntry("p", text), MemoryEntry("p", metadata={"x": text})):
            with pytest.raises(ConfigurationError, match=r"1048576 bytes.*nothing was stored"):
                await memory.store(entry)
        with pytest.raises(ConfigurationError):
            await memory.retrieve_similar(text)
        assert await memory.count() == 0
    async with ReflexionMemory(where, max_text_bytes=10_000_000) as memory:
        kept = await memory.store(MemoryEntry(text, text))
        assert kept.prompt == text
        assert await memory.get(kept.id) == kept
        assert [found.entry.id for found in await memory.retrieve_similar(text)] == [kept.id]


def test_a_scope_name_of_three_hundred_characters_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    for scope in ({"tenant": "x" * 300}, {"project": "x" * 300}):
        with pytest.raises(ConfigurationError, match="255"):
            Scope(**scope)
    (tmp_path / "all.json").write_text('{"episodes": []}')
    target = tmp_path / "memory.db"
    command = ["import", str(tmp_path / "all.json"), "--scope", f"{'x' * 300}/p", "--memory", str(target)]
    result = CliRunner().invoke(memory_app, command)
    assert isinstance(result.exception, ConfigurationError)
    assert "1 to 255 characters, got 300" in str(result.exception)
    assert not target.exists()


async def test_a_memory_in_the_process_serves_many_concurrent_callers() -> None:
    async with ReflexionMemory(max_entries=10_000) as memory:
        await asyncio.gather(*(memory.store(MemoryEntry(f"word{n}")) for n in range(100)))
        found = await asyncio.gather(*(memory.retrieve_similar(f"word{n}") for n in range(100)))
        assert [scored[0].entry.prompt for scored in found] == [f"word{n}" for n in range(100)]
