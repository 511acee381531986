"""Metadata that is nested too deeply is refused where it comes in, by one rule; a file that has it can be read."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scripted import PROMPT, Scripted
from typer.testing import CliRunner

from jido_ai.cli.commands.memory import app as memory_app
from jido_ai.errors import ConfigurationError
from jido_ai.loop.journal import RunJournal
from jido_ai.loop.pipeline import Pipeline
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.in_process import InProcessStore
from jido_ai.memory.stores.postgres.store import PostgresStore
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.values import (
    MOST_LEVELS,
    Candidate,
    CompletionRequest,
    CritiqueResult,
    Episode,
    MemoryEntry,
    Message,
    is_too_deep,
)
from jido_ai.values.record import Record


def nested(levels: int, *, lists: bool = False) -> dict[str, Any]:
    """Return metadata of so many levels."""
    value: Any = [] if lists else {}
    for _ in range(levels - 2):
        value = [value] if lists else {"in": value}
    return {"out": value}


TOO_DEEP = [65, 66, 100, 255, 257, 300, 480, 600, 900, 990, 5_000, 50_000]


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("levels", TOO_DEEP)
def test_values_reject_data_that_is_nested_too_deep(levels: int, *, lists: bool) -> None:
    deep = nested(levels, lists=lists)
    for make in (
        lambda: MemoryEntry("p", metadata=deep),
        lambda: MemoryEntry.model_validate({"prompt": "p", "metadata": deep}),
        lambda: MemoryEntry("p").replace(metadata=deep),
        lambda: Candidate("c", metadata=deep),
        lambda: CritiqueResult(severity=0.5, metadata=deep),
        lambda: Episode(prompt="p", agent_id="a", metadata=deep),
        lambda: CompletionRequest((Message("user", "x"),), metadata=deep),
    ):
        with pytest.raises(ConfigurationError, match="nested deeper than 64 levels"):
            make()


def test_shared_values_are_visited_once_and_a_value_inside_itself_is_too_deep() -> None:
    shared: dict[str, Any] = {}
    for _ in range(MOST_LEVELS - 1):
        shared = {"one": shared, "two": shared}  # 2 ** 63 ways through it
    assert not is_too_deep(shared)
    assert is_too_deep({"more": shared})
    shared["self"] = shared
    assert is_too_deep(shared)


def store_of(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if name == "postgres":
        return PostgresStore(request.getfixturevalue("postgres"))
    return InProcessStore() if name == "memory" else SQLiteStore(tmp_path / "memory.db")


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("name", ["memory", "sqlite", "postgres"])
async def test_the_deepest_metadata_that_is_taken_goes_through_everything(
    name: str, request: pytest.FixtureRequest, tmp_path: Path, *, lists: bool
) -> None:
    deepest = nested(MOST_LEVELS, lists=lists)
    assert is_too_deep(deepest, MOST_LEVELS - 1)
    async with ReflexionMemory(store=store_of(name, request, tmp_path)) as memory:
        kept = await memory.store(MemoryEntry("parse a date", metadata=deepest, id="deep"))
        assert (await memory.get("deep")) == kept
        assert kept.metadata == deepest
        json.dumps([entry.model_dump(mode="json") for entry in await memory.list_entries()])
        changed = await memory.update("deep", lambda entry: entry.replace(metadata={**deepest, "more": 1}))
        assert changed.metadata == {**deepest, "more": 1}

        def critic(candidate: Candidate, context: object) -> CritiqueResult:
            return CritiqueResult(severity=0.0, metadata=deepest)

        async with Pipeline(critiquer=critic, memory=memory, journal=True) as pipeline:
            text = Candidate("text", metadata=deepest)
            result = await pipeline.run(PROMPT, text, run_id="r", metadata=deepest)
            assert (result.accepted, result.error) == (True, None)
            recorded = await RunJournal(memory).load("r")
            assert recorded.metadata == recorded.iterations[0].critique.metadata == deepest
            await pipeline.observe(Episode(prompt="p", agent_id="a", metadata=deepest))


@pytest.mark.parametrize("levels", TOO_DEEP)
async def test_metadata_that_became_too_deep_later_is_refused_by_memories_and_pipelines(levels: int) -> None:
    entry = MemoryEntry("p", id="e")
    async with ReflexionMemory() as memory:
        await memory.store(MemoryEntry("p", id="kept", metadata={"old": 1}))
        entry.metadata.update(nested(levels))
        with pytest.raises(ConfigurationError, match="nested deeper"):
            await memory.store(entry)
        with pytest.raises(ConfigurationError, match="nested deeper"):
            await memory.update("kept", lambda old: old.metadata.update(nested(levels)) or old)
        with pytest.raises(ConfigurationError, match="nested deeper"):
            await memory.append([Record(log="journal", key="k", data=nested(levels + 32))])
        script = Scripted()
        async with Pipeline(script, script, script, memory) as pipeline:
            with pytest.raises(ConfigurationError, match="nested deeper"):
                await pipeline.run(PROMPT, metadata=nested(levels))
        assert script.calls == []
        assert [one.id for one in await memory.list_entries()] == ["kept"]


@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("levels", [65, 257, 500, 980, 20_000])
@pytest.mark.quick_cases(2)
def test_a_file_with_deeply_nested_metadata_is_listed_shown_exported_and_imported_again(
    tmp_path: Path, levels: int, *, lists: bool
) -> None:
    path = tmp_path / "memory.db"

    async def fill() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.store(MemoryEntry("parse a date", id="deep", metadata={"mark": 1}))

    asyncio.run(fill())
    written = '{"a": ' * (levels - 1) + "{}" + "}" * (levels - 1)
    if lists:
        written = '{"a": ' + "[" * (levels - 1) + "]" * (levels - 1) + "}"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        (body,) = db.execute("SELECT body FROM entry").fetchone()
        db.execute("UPDATE entry SET body = ?", (body.replace(b'{"mark": 1}', written.encode()),))
    for command in (["list", "--json"], ["show", "deep", "--json"], ["show", "deep"], ["export", "-"]):
        assert "parse a date" in jido(path, *command)
    there = metadata_of(path)
    assert not is_too_deep(there)
    for name in ("out.json", "out.jsonl", "tree"):
        jido(path, "export", str(tmp_path / name))
        jido(tmp_path / f"{name}.db", "import", str(tmp_path / name))
        assert metadata_of(tmp_path / f"{name}.db") == there


def jido(path: Path, *arguments: str) -> str:
    result = CliRunner().invoke(memory_app, [*arguments, "--memory", str(path)])
    assert result.exit_code == 0, (arguments, result.exception)
    return result.stdout


def metadata_of(path: Path) -> dict[str, Any]:
    async def read() -> dict[str, Any]:
        async with ReflexionMemory(path) as memory:
            return (await memory.record_usage("deep", success=True)).metadata

    return asyncio.run(read())
