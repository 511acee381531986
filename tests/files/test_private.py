"""Memory files, what lies beside them and what is exported: nobody but their owner can read them."""

from __future__ import annotations

import asyncio
import io
import os
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jido_ai.cli import doctor as cli_doctor
from jido_ai.cli.commands.memory import app as memory_app
from jido_ai.cli.doctor import doctor
from jido_ai.cli.memory_place import make_place
from jido_ai.memory.files import backup_file
from jido_ai.memory.reflexion_memory import ReflexionMemory
from jido_ai.memory.stores.sqlite.store import SQLiteStore
from jido_ai.values import MemoryEntry

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")


@pytest.fixture(params=[0o022, 0o000, 0o002], ids=oct, autouse=True)
def umask(request: pytest.FixtureRequest) -> object:
    before = os.umask(request.param)
    yield
    os.umask(before)


def modes(root: Path) -> dict[str, str]:
    """Return the modes of all that lies there."""
    return {str(path.relative_to(root)): oct(stat.S_IMODE(path.stat().st_mode)) for path in sorted(root.rglob("*"))}


def fill(path: Path) -> None:
    async def store() -> None:
        async with ReflexionMemory(path) as memory:
            await memory.store(MemoryEntry("parse a date", kind="semantic"))

    asyncio.run(store())


async def test_a_memory_file_and_sqlites_side_files_are_private(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "memory.db")
    await store.open()
    try:
        await store.add(MemoryEntry("p"), max_entries=10)
        found = modes(tmp_path)
    finally:
        await store.close()
    assert set(found) == {"memory.db", "memory.db-wal", "memory.db-shm"}
    assert set(found.values()) == {"0o600"}
    assert modes(tmp_path) == {"memory.db": "0o600"}


def test_exports_backups_and_directories_are_their_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "place" / "deeper" / "memory.db"
    make_place(str(path))
    fill(path)
    for name in ("out.json", "out.jsonl", "out/tree"):
        (tmp_path / "out").mkdir(mode=0o700, exist_ok=True)
        command = ["export", str(tmp_path / name), "--memory", str(path)]
        assert CliRunner().invoke(memory_app, command).exit_code == 0
        assert CliRunner().invoke(memory_app, command).exit_code == 0  # over an earlier one, too
    assert CliRunner().invoke(memory_app, ["backup", str(tmp_path / "copy.db"), "--memory", str(path)]).exit_code == 0
    assert CliRunner().invoke(memory_app, ["vacuum", "--memory", str(path)]).exit_code == 0
    found = modes(tmp_path)
    assert len(found) >= 16
    for name, mode in found.items():
        assert mode == ("0o700" if (tmp_path / name).is_dir() else "0o600"), name


def test_a_backup_writes_through_no_link_planted_while_it_runs(tmp_path: Path) -> None:
    fill(tmp_path / "memory.db")
    (tmp_path / "place").mkdir()
    victim, target = tmp_path / "victim", tmp_path / "place" / "copy.db"
    planted: list[Path] = []

    def plant(_done: int, _all: int) -> None:
        """Put links in the place of whatever lies where others may write."""
        for path in (*target.parent.iterdir(), target.with_name(".copy.db.part"), target):
            if not path.is_dir():
                path.unlink(missing_ok=True)
                path.symlink_to(victim)
                planted.append(path)
            else:
                assert stat.S_IMODE(path.stat().st_mode) == 0o700

    backup_file(tmp_path / "memory.db", target, plant)
    assert planted
    assert not victim.exists()
    assert not target.is_symlink()
    assert target.read_bytes().startswith(b"SQLite format 3")
    assert {path.name for path in target.parent.iterdir()} == {"copy.db", ".copy.db.part"}


def test_an_export_over_one_that_others_could_read_is_its_owners_alone(tmp_path: Path) -> None:
    path, target = tmp_path / "memory.db", tmp_path / "out.jsonl"
    fill(path)
    target.touch()
    target.chmod(0o666)
    assert CliRunner().invoke(memory_app, ["export", str(target), "--memory", str(path)]).exit_code == 0
    assert modes(tmp_path)["out.jsonl"] == "0o600"


def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "shared" / "memory.db"
    path.parent.mkdir()
    path.parent.chmod(0o755)
    path.touch()
    path.chmod(0o640)
    make_place(str(path))
    fill(path)
    assert modes(tmp_path) == {"shared": "0o755", "shared/memory.db": "0o640"}


def told(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    for slow in ("_sandbox", "_models"):
        monkeypatch.setattr(cli_doctor, slow, lambda row: None)
    monkeypatch.setattr(cli_doctor, "names", lambda kind: ())
    out = io.StringIO()
    doctor(path, out)
    return out.getvalue()


def test_the_doctor_tells_of_a_memory_that_others_can_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "my memory.db"
    fill(path)
    assert "others can read" not in told(path, monkeypatch)
    for mode in (0o644, 0o640, 0o606, 0o610):
        path.chmod(mode)
        assert f"others can read {path}: chmod 600 '{path}'" in told(path, monkeypatch)
    path.chmod(0o600)
    wal = path.with_name(path.name + "-wal")
    wal.touch()
    wal.chmod(0o644)
    assert f"others can read {wal}" in told(path, monkeypatch)
    assert "others can read" not in told(tmp_path / "none.db", monkeypatch)
