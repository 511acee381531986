"""A file whose schema has a damaged byte is refused with the error of a damaged store."""

from __future__ import annotations

from pathlib import Path

import pytest

from jido_ai.errors import StoreDamagedError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry


@pytest.mark.parametrize("word", [b"CREATE TABLE", b"PRIMARY KEY", b"INDEX"])
async def test_a_byte_that_is_no_utf_8_in_the_schema_is_a_damaged_store(tmp_path: Path, word: bytes) -> None:
    path = tmp_path / "memory.sqlite"
    async with ReflexionMemory(path) as memory:
        await memory.store(MemoryEntry("a", "b", "c"))
    raw = path.read_bytes()
    place = raw.index(word)
    damaged = raw[: place + 3] + b"\xff" + raw[place + 4 :]
    path.write_bytes(damaged)
    with pytest.raises(StoreDamagedError):
        async with ReflexionMemory(path) as memory:
            await memory.stats()
    assert path.read_bytes() == damaged
