"""`jido memory maintain`, through typer's own runner."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jido_ai.cli.app import app
from jido_ai.errors import JidoError
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.values import MemoryEntry, Scope, utc_now
from jido_ai.values.record import Record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    old = utc_now() - timedelta(days=40)

    async def fill() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.store(MemoryEntry("old", correction="a", kind="semantic", timestamp=old))
            await memory.store(MemoryEntry("gone", expires_at=old, scope=Scope("t", "p")))
            for number in range(3):
                await memory.store(MemoryEntry(f"q{number}", mistake="m", importance=0.9))

    asyncio.run(fill())
    return path


def jido(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["memory", "maintain", "--memory", str(path), *arguments])


def test_maintenance_reports_its_changes_and_then_that_nothing_is_left(path: Path) -> None:
    first = jido(path)
    assert first.exit_code == 0, first.exception
    assert "checked 5 entries, 0 episodes, 2 scopes" in first.output
    assert "removed: 1 expired" in first.output
    assert "changed: importance of 1" in first.output
    assert "nothing to do" in jido(path).output


def test_full_dreams_retention_prunes_scope_narrows_and_json_is_one_document(path: Path) -> None:
    result = jido(path, "--full", "--retention-days", "30", "--scope", "default/default", "--json")
    report = json.loads(result.output)
    assert (report["dreams"], report["pruned"], report["expired"], report["scopes"]) == (1, 1, 0, 1)
    assert report["changes"] == 2


def test_failed_steps_are_printed_on_stderr_and_the_others_are_carried_out(path: Path) -> None:
    async def spoil() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.append([Record(log="episodes", key="bad\x1b[2J", data={"prompt": 1})])

    asyncio.run(spoil())
    result = jido(path)
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith("episode bad [2J default/default: ConfigurationError: ")
    assert "removed: 1 expired" in result.stdout


@pytest.mark.parametrize(
    "arguments", [("--scope", "nobody"), ("--retention-days", "-1"), ("--retention-days", "nan"), ("--model", "x")]
)
def test_an_invalid_setting_is_one_line(path: Path, arguments: tuple[str, str]) -> None:
    error = jido(path, *arguments).exception
    assert isinstance(error, JidoError)
    assert "\n" not in str(error)


def test_a_missing_memory_is_reported(tmp_path: Path) -> None:
    error = jido(tmp_path / "none.db").exception
    assert isinstance(error, JidoError)
    assert "no memory yet" in str(error)
